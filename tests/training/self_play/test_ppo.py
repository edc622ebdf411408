"""Every decision of every seat that the learner holds is trained on exactly once."""

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

from ono99_env import Rules, load_bot
from ono99_env.arena import one_vs_rest
from tests.training.self_play.small_self_play import make_learner, make_tables
from training.networks.policy_network import PolicyNetwork
from training.self_play.buffer import SelfPlayBuffer
from training.self_play.ppo import SelfPlayPPO
from training.self_play.self_play_env import SelfPlayVecEnv
from training.self_play.snapshot_bot import SnapshotBot

torch.set_num_threads(1)

pytestmark = pytest.mark.slow

BOTS = {"highest": 0.3, "random": 0.3}


class Witness(BaseCallback):
    """Notes every decision when it is made, and every row when it is trained on."""

    def __init__(self) -> None:
        super().__init__()
        self.decisions: list[tuple[bytes, int, float]] = []
        self.rows: list[tuple[bytes, int, float]] = []
        self.returns: dict[tuple[bytes, int, float], float] = {}
        self.last: dict[tuple[int, int], tuple[bytes, int, float]] = {}
        self.expected: dict[tuple[bytes, int, float], float] = {}

    @property
    def buffer(self) -> SelfPlayBuffer:
        return self.model.rollout_buffer

    def key(self, row: int) -> tuple[bytes, int, float]:
        buffer = self.buffer
        observation = buffer.observations[row].tobytes()
        return observation, int(buffer.actions[row, 0]), float(buffer.log_probs[row])

    def _on_step(self) -> bool:
        step, count = self.buffer.pos - 1, self.buffer.n_envs
        for table in range(count):
            key = self.key(step * count + table)
            self.decisions.append(key)
            self.last[table, int(self.buffer.seats[step, table])] = key
            rewards = self.buffer.seat_rewards[step, table]
            for seat in np.flatnonzero(rewards).tolist():
                if (table, seat) in self.last:
                    self.expected[self.last.pop((table, seat))] = float(rewards[seat])
            if self.buffer.game_over[step, table]:
                for seat in range(8):
                    self.last.pop((table, seat), None)
        return True

    def _on_rollout_end(self) -> None:
        for row in self.buffer.rows.tolist():
            key = self.key(row)
            self.rows.append(key)
            self.returns[key] = float(self.buffer.returns[row])


@pytest.mark.parametrize("num_players", [(2,), (8,), (2, 3, 5, 6)])
def test_every_decision_is_trained_on_once_and_every_reward_reaches_the_last_one(num_players):
    rules = {"name": "1980", "format": "single_round"} if 8 in num_players else {}
    tables = make_tables(num_players=num_players, bots=BOTS, **rules)
    learner = make_learner(tables, n_steps=20, gae_lambda=1.0, n_epochs=1)
    witness = Witness()
    learner.learn(20 * len(tables) * 8, callback=witness)
    assert len(witness.decisions) == 20 * len(tables) * 8
    waiting = set(witness.last.values())
    assert len(witness.rows) == len(set(witness.rows))
    assert set(witness.rows) == set(witness.decisions) - waiting
    # Of a seat's last decision in a game the return is what the seat got, whenever it got it.
    assert len(witness.expected) > 50
    for key, reward in witness.expected.items():
        assert witness.returns[key] == pytest.approx(reward, abs=1e-5)


def test_a_row_of_the_grid_is_what_the_seat_saw_and_did():
    tables = make_tables(num_players=(3,))
    learner = make_learner(tables, n_steps=8)
    learner.learn(8 * len(tables))
    buffer = learner.rollout_buffer
    assert buffer.action_masks[np.arange(8 * 16), buffer.actions[: 8 * 16, 0]].all()
    samples = list(buffer.get(50))
    assert sum(len(each.observations) for each in samples) == len(buffer.rows)
    sizes = [len(each.observations) for each in samples]
    assert max(sizes) - min(sizes) <= 1  # no tiny last batch, whose advantages would be noise


def test_a_rollout_that_is_stopped_leaves_nothing_that_is_credited_wrongly():
    class Stop(BaseCallback):
        def _on_step(self) -> bool:
            return self.n_calls < 30

    learner = make_learner(make_tables(num_players=(4,)), n_steps=20)
    learner.learn(10_000, callback=Stop())
    learner.learn(20 * 16, reset_num_timesteps=False)
    assert not learner.rollout_buffer.carried.any()
    learner.learn(20 * 16, reset_num_timesteps=False)
    assert learner.rollout_buffer.carried.any()
    learner.learn(20 * 16)  # the tables are dealt anew
    assert not learner.rollout_buffer.carried.any()


def weights_of(learner: SelfPlayPPO) -> torch.Tensor:
    return torch.nn.utils.parameters_to_vector(learner.policy.parameters())


def test_the_same_seed_learns_the_same_and_global_numpy_does_not_matter():
    def learn(seed: int) -> torch.Tensor:
        learner = make_learner(make_tables(bots=BOTS, seed=seed), seed=seed)
        np.random.seed(np.random.default_rng().integers(2**32))
        learner.learn(2 * 32 * 16)
        return weights_of(learner)

    first, again, other = learn(1), learn(1), learn(2)
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_learner_is_saved_loaded_and_asked_as_any_of_stable_baselines3(tmp_path):
    learner = make_learner(make_tables())
    learner.learn(32 * 16)
    learner.save(tmp_path / "learner.zip")
    tables = make_tables(seed=3)
    loaded = SelfPlayPPO.load(tmp_path / "learner.zip", env=SelfPlayVecEnv(tables))
    assert torch.equal(weights_of(loaded), weights_of(learner))
    given = loaded.predict(tables.observation, action_masks=tables.action_mask, deterministic=True)[
        0
    ]
    assert tables.action_mask[np.arange(len(given)), given].all()
    loaded.learn(32 * 16)
    assert not torch.equal(weights_of(loaded), weights_of(learner))


def test_a_short_run_learns_to_beat_random():
    tables = make_tables(num_players=(2, 4), num_tables=256)
    learner = make_learner(tables, batch_size=2048, n_epochs=4, learning_rate=3e-3)
    learner.learn(50_000)
    bot = SnapshotBot("learner")
    bot.become(PolicyNetwork(learner.policy))
    for num_players, at_least in ((2, 0.54), (4, 0.30)):
        outcome = one_vs_rest(
            Rules.preset("2022"), bot, load_bot("random"), num_players, games=3000, seed=0
        )
        assert outcome.interval[0] > at_least
