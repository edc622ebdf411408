"""Tianshou as installed delivers what the engine plays, and trains a bot on one seat."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv

from tests.libraries.measuring import beats_random
from tests.libraries.record import RecordedAEC, Step, actions_of_seats, check_games

EXAMPLE = Path(__file__).parents[3] / "examples" / "train_with_tianshou.py"
STEPS = 600


def collect(players: int, keep_seats: bool) -> tuple[Batch, RecordedAEC]:
    """Random play of all seats by Tianshou's own multi-agent policy and collector."""
    base = RecordedAEC(num_players=players, keep_seats=keep_seats)
    env = PettingZooEnv(base)
    random = MARLRandomDiscreteMaskedOffPolicyAlgorithm
    seats = [random(env.action_space) for _ in range(players)]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=seats, env=env)
    buffer = VectorReplayBuffer(STEPS, 1)
    collector = Collector(algorithm, DummyVectorEnv([lambda: env]), buffer)
    collector.reset()
    collector.collect(n_step=STEPS)
    return buffer.sample(0)[0], base


def steps_of(batch: Batch) -> Iterator[Step]:
    for row in range(len(batch)):
        seat, next_seat = (int(obs.agent_id[row][-1]) for obs in (batch.obs, batch.obs_next))
        is_over = bool(batch.terminated[row] or batch.truncated[row])
        yield Step(
            *(int(batch.act[row]), dict(enumerate(batch.rew[row].tolist())), is_over),
            *({seat: batch.obs.obs[row]}, {seat: batch.obs.mask[row]}),
            *({next_seat: batch.obs_next.obs[row]}, {next_seat: batch.obs_next.mask[row]}),
            seat,
            None if is_over else next_seat,
        )


@pytest.mark.parametrize("players", [2, 3, 5])
def test_with_kept_seats_the_buffer_holds_what_the_engine_plays(players: int) -> None:
    batch, base = collect(players, keep_seats=True)
    assert batch.rew.shape == (STEPS, players)
    assert check_games(list(steps_of(batch)), base.deals, actions_of_seats) > 5


def test_without_them_it_ends_a_game_at_the_first_elimination() -> None:
    batch, base = collect(4, keep_seats=False)
    with pytest.raises(AssertionError):
        check_games(list(steps_of(batch)), base.deals, actions_of_seats)
    ends = batch.rew[batch.terminated.astype(bool)]
    assert (ends.sum(axis=1) < 0).any()


def test_what_follows_a_decision_in_the_buffer_is_another_seats_view() -> None:
    """Why targets of value learners are wrong in its multi-agent mode: see the page."""
    batch, _ = collect(3, keep_seats=True)
    goes_on = ~batch.terminated.astype(bool)
    other = batch.obs.agent_id[goes_on] != batch.obs_next.agent_id[goes_on]
    assert other.mean() > 0.8
    # Nor does a fixed number of steps lead back to the same seat: directions turn, seats drop out.
    distances = {
        int(distance)
        for seat in np.unique(batch.obs.agent_id)
        for distance in np.diff(np.flatnonzero(batch.obs.agent_id == seat))
    }
    assert len(distances) > 2
    seat = np.array([int(agent[-1]) for agent in batch.obs.agent_id])
    own = batch.rew[np.arange(STEPS), seat]
    assert (batch.rew < 0).sum() > 2 * (own < 0).sum()  # most losses come in others' rows


def test_the_example_trains_a_bot_that_beats_random(tmp_path: Path) -> None:
    path = tmp_path / "bot.onnx"
    options = ["--decisions", "24000", "--bot", str(path)]
    subprocess.run([sys.executable, str(EXAMPLE), *options], check=True, timeout=1200)
    beats_random(path)
