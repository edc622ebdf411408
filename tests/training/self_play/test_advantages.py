"""Advantages run along each seat's own timeline, and are those of a plain seat-by-seat sum."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from training.self_play.advantages import NO_ROW, DecisionRows, estimate_advantages

GAMMA, LAMBDA = 0.9, 0.8


@dataclass
class Episode:
    """A seat's decisions in one game, in order, and what it got after each."""

    rows: list[tuple[int, int]] = field(default_factory=list)  # (step, table) over all rollouts
    rewards: list[float] = field(default_factory=list)
    is_over: bool = False


@dataclass
class Trajectory:
    seats: np.ndarray
    rewards: np.ndarray
    game_over: np.ndarray
    values: np.ndarray
    episodes: list[Episode]


def random_trajectory(rng, steps, tables, num_seats) -> Trajectory:
    """Games of which several seats may be put out in one step, some before they ever act."""
    trajectory = Trajectory(
        np.zeros((steps, tables), np.int64),
        np.zeros((steps, tables, 8), np.float32),
        np.zeros((steps, tables), np.bool_),
        rng.normal(size=(steps, tables)).astype(np.float32),
        [],
    )
    for table in range(tables):
        step = 0
        while step < steps:
            step = _play_game(rng, trajectory, step, table, num_seats)
    return trajectory


def _play_game(rng, trajectory, step, table, num_seats) -> int:
    """One game from a step on; returns the step after it."""
    steps = len(trajectory.seats)
    is_in = rng.permutation(num_seats)[: rng.integers(1, num_seats + 1)].tolist()
    never_acts = set(is_in[1:]) if rng.random() < 0.3 else set()
    open_episodes: dict[int, Episode] = {}
    while step < steps and is_in:
        seat = int(rng.choice([each for each in is_in if each not in never_acts] or is_in))
        episode = open_episodes.setdefault(seat, Episode())
        if not episode.rows:
            trajectory.episodes.append(episode)
        episode.rows.append((step, table))
        episode.rewards.append(0.0)
        trajectory.seats[step, table] = seat
        ends = rng.random() < 0.1
        out = list(is_in) if ends else [each for each in is_in if rng.random() < 0.12]
        for each in out:
            reward = rng.choice([-1.0, -0.5, 1.0])
            trajectory.rewards[step, table, each] = reward
            is_in.remove(each)
            if each in open_episodes:
                open_episodes[each].rewards[-1] += reward
                open_episodes[each].is_over = True
        step += 1
    trajectory.game_over[step - 1, table] = not is_in
    return step


def brute_force(trajectory: Trajectory) -> dict[tuple[int, int], float]:
    """The advantage of every decision of a trajectory, as a sum of a seat's later errors."""
    advantages = {}
    for episode in trajectory.episodes:
        values = [float(trajectory.values[row]) for row in episode.rows]
        last = len(values) if episode.is_over else len(values) - 1
        for first in range(last):
            total = 0.0
            for index in range(first, last):
                following = values[index + 1] if index + 1 < len(values) else 0.0
                error = episode.rewards[index] + GAMMA * following - values[index]
                total += (GAMMA * LAMBDA) ** (index - first) * error
            advantages[episode.rows[first]] = total
    return advantages


def one_rollout(trajectory: Trajectory) -> tuple[np.ndarray, np.ndarray]:
    steps, tables = trajectory.seats.shape
    values = np.zeros(steps * tables + tables * 8, np.float32)
    values[: steps * tables] = trajectory.values.reshape(-1)
    advantages = np.full_like(values, np.nan)
    open_rows = np.zeros((tables, 8), np.int64)
    carried = np.zeros((tables, 8), np.bool_)
    decisions = DecisionRows(
        trajectory.seats, trajectory.rewards, trajectory.game_over, carried, values
    )
    estimate_advantages(decisions, GAMMA, LAMBDA, advantages, open_rows)
    assert np.isnan(advantages[steps * tables :]).all()
    return advantages[: steps * tables].reshape(steps, tables), open_rows


@pytest.mark.parametrize("num_seats", range(2, 9))
def test_one_rollout_is_as_computed_seat_by_seat(num_seats):
    rng = np.random.default_rng(num_seats)
    trajectory = random_trajectory(rng, 60, 20, num_seats)
    advantages, open_rows = one_rollout(trajectory)
    expected = brute_force(trajectory)
    settled = np.argwhere(~np.isnan(advantages))
    assert {tuple(row) for row in settled.tolist()} == set(expected)
    for row, advantage in expected.items():
        assert advantages[row] == pytest.approx(advantage, abs=1e-5)
    last_rows = {episode.rows[-1] for episode in trajectory.episodes if not episode.is_over}
    found = {divmod(int(row), 20) for row in open_rows[open_rows != NO_ROW]}
    assert found == last_rows
    assert len(expected) + len(last_rows) == trajectory.seats.size


def test_the_trajectories_hold_what_they_should():
    trajectory = random_trajectory(np.random.default_rng(0), 60, 20, 6)
    paid = trajectory.rewards != 0
    assert (paid.sum(axis=2) > 1).any()  # several seats are out in one step
    assert (paid.any(axis=2) & ~trajectory.game_over).any()  # a seat is out, others play on
    starts = np.argwhere(trajectory.game_over[:-1])
    assert len(starts) > 20  # games end inside
    acted = np.zeros((20, 8), np.bool_)
    acted[np.arange(20)[None], trajectory.seats] = True
    assert any(paid[step, table].sum() > 0 for step, table in starts)


def split_rollouts(trajectory: Trajectory, length: int) -> list[dict[tuple[int, int], float]]:
    """What consecutive rollouts give, each decision by its (step, table) in the whole."""
    steps, tables = trajectory.seats.shape
    carried = np.zeros((tables, 8), np.bool_)
    carried_from: dict[tuple[int, int], tuple[int, int]] = {}
    values = np.zeros(length * tables + tables * 8, np.float32)
    results = []
    for start in range(0, steps, length):
        part = slice(start, start + length)
        values[: length * tables] = trajectory.values[part].reshape(-1)
        advantages = np.full_like(values, np.nan)
        open_rows = np.zeros((tables, 8), np.int64)
        decisions = DecisionRows(
            trajectory.seats[part],
            trajectory.rewards[part],
            trajectory.game_over[part],
            carried,
            values,
        )
        estimate_advantages(decisions, GAMMA, LAMBDA, advantages, open_rows)
        names = {row: (start + row // tables, row % tables) for row in range(length * tables)}
        for (table, seat), origin in carried_from.items():
            names[length * tables + table * 8 + seat] = origin
        settled = np.flatnonzero(~np.isnan(advantages))
        results.append({names[row]: float(advantages[row]) for row in settled.tolist()})
        carried = open_rows != NO_ROW
        places = [(table, seat) for table, seat in np.argwhere(carried).tolist()]
        carried_from = {place: names[int(open_rows[place])] for place in places}
        kept = values[open_rows[carried]]
        values[length * tables :].reshape(tables, 8)[carried] = kept
    return results


@pytest.mark.parametrize("num_seats", [2, 4, 8])
@pytest.mark.parametrize("length", [3, 10])
def test_across_rollouts_every_decision_is_settled_once(num_seats, length):
    trajectory = random_trajectory(np.random.default_rng(num_seats), 60, 20, num_seats)
    results = split_rollouts(trajectory, length)
    expected = brute_force(trajectory)
    settled = [row for result in results for row in result]
    assert len(settled) == len(set(settled))
    assert set(settled) == set(expected)
    # What lies in one rollout to the end of the seat's game does not see the split at all.
    for episode in trajectory.episodes:
        if episode.is_over:
            first, last = episode.rows[0][0], episode.rows[-1][0]
            row = episode.rows[-1]
            given = next(result[row] for result in results if row in result)
            assert given == pytest.approx(expected[row], abs=1e-5)
            if first // length == last // length:
                for row in episode.rows[:-1]:
                    given = results[row[0] // length].get(row)
                    if given is not None and episode.rows[-1] in results[row[0] // length]:
                        assert given == pytest.approx(expected[row], abs=1e-5)


def test_what_a_seat_gets_after_the_rollout_of_its_last_decision_reaches_that_decision():
    seats = np.array([[0], [1], [1], [1]])
    rewards = np.zeros((4, 1, 8), np.float32)
    rewards[2, 0, 0] = -0.5  # seat 0 is out in the second rollout before it acts there
    over = np.zeros((4, 1), np.bool_)
    values = np.array([[0.1], [0.2], [0.3], [0.4]], np.float32)
    first, second = split_rollouts(Trajectory(seats, rewards, over, values, []), 2)
    assert first == {}
    assert second[0, 0] == pytest.approx(-0.5 - 0.1)
    assert second[1, 0] == pytest.approx(GAMMA * 0.3 - 0.2 + GAMMA * LAMBDA * (GAMMA * 0.4 - 0.3))


def test_what_a_seat_that_never_acted_gets_reaches_no_decision_of_another_game():
    seats = np.array([[0], [1], [1]])
    rewards = np.zeros((3, 1, 8), np.float32)
    rewards[0, 0, 0] = 1.0
    rewards[0, 0, 1] = -1.0
    rewards[1, 0, 0] = -1.0  # seat 0 is out of the second game before it acts in it
    over = np.array([[True], [False], [False]])
    values = np.zeros((3, 1), np.float32)
    advantages, open_rows = one_rollout(Trajectory(seats, rewards, over, values, []))
    assert advantages[0, 0] == 1.0
    assert advantages[1, 0] == 0.0
    assert open_rows[0].tolist() == [NO_ROW, 2, *[NO_ROW] * 6]
