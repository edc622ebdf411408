"""What MaskablePPO learns from is what the engine plays, on every vector environment of SB3's."""

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv, VecMonitor

from ono99_env import load_bot
from ono99_env.envs.sb3 import Ono99VecEnv
from tests.libraries.record import RecordedEnv, Step, actions_of_learner, check_games, table

NUM_ENVS, STEPS = 3, 250


class RecordedVecEnv(Ono99VecEnv):
    """The native vector environment, which keeps every game as the learner's seat found it."""

    def reset(self) -> np.ndarray:
        observations = super().reset()
        self.deals = [[table(self._episodes, number)] for number in range(self.num_envs)]
        return observations

    def step_wait(self) -> Any:
        result = super().step_wait()
        for number in np.flatnonzero(result[2]):
            self.deals[number].append(table(self._episodes, number))
        return result


def native(players: int) -> VecEnv:
    return RecordedVecEnv(num_envs=NUM_ENVS, num_players=players, opponents="highest")


def dummy(players: int) -> VecEnv:
    return DummyVecEnv([lambda: single(players)] * NUM_ENVS)


def subproc(players: int) -> VecEnv:
    return SubprocVecEnv([lambda: single(players)] * NUM_ENVS)


def single(players: int) -> RecordedEnv:
    return RecordedEnv(num_players=players, opponents="highest")


def deals_of(envs: VecEnv) -> list[Any]:
    """For each table what was dealt at it."""
    return envs.deals if isinstance(envs, RecordedVecEnv) else envs.get_attr("deals")


@pytest.mark.parametrize("make", [native, dummy, subproc])
@pytest.mark.parametrize("players", [2, 4])
def test_every_row_of_the_rollout_is_the_engines(make: Any, players: int) -> None:
    envs = make(players)
    try:
        options = {"n_steps": STEPS, "batch_size": STEPS, "n_epochs": 1, "device": "cpu"}
        model = MaskablePPO("MlpPolicy", VecMonitor(envs), seed=1, **options)
        model.learn(STEPS * NUM_ENVS)
        for number, deals in enumerate(deals_of(envs)):
            steps = steps_of(model.rollout_buffer, number, deals)
            record = {"opponent": load_bot("highest")}
            assert check_games(steps, deals, actions_of_learner, **record) > 10
    finally:
        envs.close()


def steps_of(buffer: Any, number: int, deals: list[Any]) -> list[Step]:
    """The rows of one table; the last one has no successor to tell whether it ended a game."""
    # Once it was learnt from, the buffer holds these three table by table.
    observations, masks, actions = (
        array.reshape(NUM_ENVS, STEPS, -1)[number]
        for array in (buffer.observations, buffer.action_masks, buffer.actions)
    )
    starts, seats = buffer.episode_starts[:, number], iter([seat for _, seat in deals])
    seat, steps = -1, []
    for row in range(STEPS - 1):
        seat = next(seats) if starts[row] else seat
        before = {seat: observations[row]}, {seat: masks[row]}
        after = {seat: observations[row + 1]}, {seat: masks[row + 1]}
        paid, is_over = {seat: float(buffer.rewards[row, number])}, bool(starts[row + 1])
        last = ({}, {}) if is_over else after
        steps.append(Step(int(actions[row, 0]), paid, is_over, *before, *last))
    return steps
