"""TorchRL as installed delivers what the engine plays, and trains bots from it."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torchrl.collectors import Collector
from torchrl.envs.libs.gym import GymWrapper

from ono99_env import Game, load_bot, ono99_v0
from tests.libraries.measuring import beats_random
from tests.libraries.record import (
    RecordedAEC,
    RecordedEnv,
    Step,
    actions_of_learner,
    actions_of_seats,
    check_games,
)

EXAMPLE = Path(__file__).parents[3] / "examples" / "train_with_torchrl.py"
FRAMES = 600


@pytest.fixture(scope="module")
def example() -> Any:
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("example", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def collect(env: Any, actor: Any) -> Any:
    collector = Collector(env, actor, frames_per_batch=FRAMES, total_frames=FRAMES)
    rollout = next(iter(collector)).clone()
    collector.shutdown(close_env=False)
    return rollout


def steps_of_seats(rollout: Any) -> Iterator[Step]:
    """The rows of a rollout with all seats."""
    for row in rollout:
        before, after = row["seats"], row["next", "seats"]
        seat = int(before["mask"].nonzero())
        is_over = bool(row["next", "done"])
        next_seat = None if is_over else int(after["mask"].nonzero())
        yield Step(
            *(int(before["action"][seat]), dict(enumerate(after["reward"][:, 0].tolist()))),
            *(is_over, dict(enumerate(before["observation"])), {seat: before["action_mask"][seat]}),
            dict(enumerate(after["observation"])),
            {} if is_over else {next_seat: after["action_mask"][next_seat]},
            seat,
            next_seat,
        )


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_collector_delivers_what_the_engine_plays_for_all_seats(
    example: Any, players: int
) -> None:
    base = RecordedAEC(num_players=players, keep_seats=True, flatten=True)
    policy = example.make_actor(example.perceptron(17), "seats")
    rollout = collect(example.make_aec_env(base), policy)
    steps = list(steps_of_seats(rollout))
    assert check_games(steps, base.deals, actions_of_seats) > 5
    check_own_decisions(example.own_decisions(rollout), steps, players)


def check_own_decisions(found: Any, steps: list[Step], players: int) -> None:
    """The example's adapter credits each seat's decisions with what that seat was paid."""
    expected = [own_decision(steps, number) for number in by_seat(steps, players)]
    assert len(found) == len(expected)
    for row, (step, reward, last) in zip(found, expected, strict=True):
        seat = step.seat
        assert torch.equal(row["observation"], step.observations[seat])
        assert torch.equal(row["next", "observation"], last.next_observations[seat])
        assert row["action"] == step.action
        assert row["next", "reward"].item() == pytest.approx(reward)
        assert row["next", "terminated"].item() == last.is_over
    paid = sum(step.rewards[seat] for step in steps for seat in range(players))
    assert paid == pytest.approx(0, abs=2)


def by_seat(steps: list[Step], players: int) -> list[int]:
    """The numbers of the steps, those of the first seat first."""
    return [n for seat in range(players) for n, step in enumerate(steps) if step.seat == seat]


def own_decision(steps: list[Step], number: int) -> tuple[Step, float, Step]:
    """A decision, all that its seat is paid for it, and the last step before the seat's next."""
    seat, reward = steps[number].seat, 0.0
    for last in steps[number:]:
        reward += last.rewards[seat]
        if last.is_over or last.next_seat == seat:
            break
    return steps[number], reward, last


def test_a_collector_delivers_what_the_engine_plays_for_one_seat(example: Any) -> None:
    base = RecordedEnv(num_players=3, opponents="highest", illegal="lose")
    rollout = collect(GymWrapper(base, categorical_action_encoding=True), actor_of(example))
    seat, steps, is_over = -1, [], True
    for row in rollout:
        seat = seat_of(base.deals, row["observation"]) if is_over else seat
        is_over = bool(row["next", "done"])
        paid = {seat: row["next", "reward"].item()}
        before = {seat: row["observation"]}, {seat: row["legal"]}
        after = {seat: row["next", "observation"]}
        steps.append(Step(int(row["action"]), paid, is_over, *before, after))
    opponent = load_bot("highest")
    assert check_games(steps, base.deals, actions_of_learner, opponent=opponent) > 20


def seat_of(deals: list[Any], observation: Any) -> int:
    """The learner's seat in the game that starts with an observation."""
    for deal, seat in deals:
        view = Game.from_snapshot(deal).views(seat).observation[0]
        if torch.equal(torch.from_numpy(view), observation):
            return seat
    raise AssertionError("the library delivered a game that was never dealt")


def actor_of(example: Any) -> Any:
    return example.make_actor(example.perceptron(17))


def test_many_tables_deliver_a_chain_of_observations(example: Any) -> None:
    rollout = collect(example.make_gymnasium_env(num_envs=4), actor_of(example))
    follows = rollout[:, 1:]["observation"] == rollout[:, :-1]["next", "observation"]
    done = rollout[:, :-1]["next", "done"][..., 0]
    assert torch.equal(follows.all(-1), ~done)
    assert done.any()
    rewards = rollout["next", "reward"][rollout["next", "done"]]
    assert set(rewards.tolist()) == {-0.5, 1.0}
    assert not rollout["next", "reward"][~rollout["next", "done"]].any()


def test_without_kept_seats_the_wrapper_asks_a_seat_that_is_out(example: Any) -> None:
    base = ono99_v0.env(num_players=4, flatten=True)
    policy = example.make_actor(example.perceptron(17), "seats")
    with pytest.raises((ValueError, KeyError, RuntimeError)):
        collect(example.make_aec_env(base), policy)


@pytest.mark.parametrize(("kind", "decisions"), [("aec", 8192), ("gymnasium", 16384)])
def test_the_example_trains_a_bot_that_beats_random(
    tmp_path: Path, kind: str, decisions: int
) -> None:
    path = tmp_path / "bot.onnx"
    options = ["--env", kind, "--decisions", str(decisions), "--bot", str(path)]
    subprocess.run([sys.executable, str(EXAMPLE), *options], check=True, timeout=1200)
    beats_random(path)
