"""The engine's own record of games, and what a library delivered of them, compared.

An environment that keeps its deals (`RecordedAEC`, `RecordedEnv`) is given to the library. From a
deal and the actions that the library took, `Game` plays the game again, and every reward, mask and
observation that the library handed to a learner must be the one of the record.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from ono99_env import Bot, Game
from ono99_env.envs.aec import Ono99AEC
from ono99_env.envs.single import Ono99Env
from ono99_env.game.snapshots import to_snapshot

BySeat = Mapping[int, np.ndarray]
_NO_RANDOMNESS = np.random.default_rng(0)


@dataclass
class Step:
    """One step as a library delivers it; a seat that it says nothing about is left out."""

    action: int
    rewards: Mapping[int, float]
    """What the step paid, by seat."""
    is_over: bool
    """Whether the library takes the episode to end with this step."""
    observations: BySeat
    """Before the action, by seat."""
    masks: BySeat
    next_observations: BySeat
    """After the action, by seat; of the same game even where the library goes on to the next."""
    next_masks: BySeat = field(default_factory=dict)
    seat: int | None = None
    """Who the library takes to have acted."""
    next_seat: int | None = None


class RecordedAEC(Ono99AEC):
    """The AEC environment, which keeps every game as it was dealt."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.deals: list[dict[str, Any]] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self.deals.append(self.game_snapshot())


class RecordedEnv(Ono99Env):
    """The Gymnasium environment, which keeps every game as the learner's seat found it."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.deals: list[tuple[dict[str, Any], int]] = []

    def reset(self, **arguments: Any) -> Any:
        result = super().reset(**arguments)
        self.deals.append(table(self._episodes, 0))
        return result


def table(episodes: Any, number: int) -> tuple[dict[str, Any], int]:
    """The game at a table of `Episodes` and the learner's seat in it."""
    seat = int(episodes.learner_seats[number])
    return to_snapshot(episodes.rules, episodes.tables.games[[number]]), seat


def actions_of_seats(deal: dict[str, Any], steps: Iterable[Step]) -> Iterator[Step]:
    """What an AEC environment should deliver of a game, from its deal and the actions taken."""
    game = Game.from_snapshot(deal)
    seats = range(game.num_players)
    for step in steps:
        before, seat, returns = _views(game, seats), game.current_player, game.returns
        game.play(step.action)
        after = _views(game, seats)
        paid = {each: game.returns[each] - returns[each] for each in seats}
        yield Step(
            *(step.action, paid, game.is_over, *before, *after),
            seat=seat,
            next_seat=game.current_player,
        )
        if game.is_over:
            return


def actions_of_learner(
    deal: tuple[dict[str, Any], int], steps: Iterable[Step], opponent: Bot
) -> Iterator[Step]:
    """What an environment with one learner should deliver; the bot must not draw lots."""
    game, seat = Game.from_snapshot(deal[0]), deal[1]
    for step in steps:
        before = _views(game, [seat])
        game.play(step.action)
        while not game.is_over and game.returns[seat] == 0 and game.current_player != seat:
            game.play(opponent.act(game.views(), _NO_RANDOMNESS)[0])
        is_over = game.is_over or game.returns[seat] != 0
        yield Step(
            *(step.action, {seat: game.returns[seat]}, is_over, *before),
            *_views(game, [seat]),
        )
        if is_over:
            return


def check_steps(delivered: Sequence[Step], expected: Iterable[Step]) -> int:
    """Compare one game as delivered with its record, step by step.

    Returns:
        How many steps the game had; the next one starts there in what was delivered, if that has a
        whole game at all.
    """
    number = -1
    for number, wanted in enumerate(expected):
        found = delivered[number]
        where = f"step {number}"
        assert found.is_over == wanted.is_over, where
        for name in ("seat", "next_seat"):
            seat = getattr(found, name)
            assert seat is None or seat == getattr(wanted, name), f"{where}: {name}"
        for seat, reward in found.rewards.items():
            assert reward == pytest.approx(wanted.rewards[seat]), f"{where}: reward of {seat}"
        for name in ("observations", "masks", "next_observations", "next_masks"):
            _check_arrays(getattr(found, name), getattr(wanted, name), f"{where}: {name}")
    return number + 1


def check_games(delivered: Sequence[Step], deals: Iterable[Any], record: Any, **more: Any) -> int:
    """Compare a stream of games with their records, each with the deal that it starts from.

    Args:
        delivered: Steps of game after game; the last game may be unfinished.
        deals: What the environment dealt; not all of them need to have been played.
        record: `actions_of_seats` or `actions_of_learner`.
        **more: Its further arguments.

    Returns:
        How many games were compared to their end.
    """
    waiting, games, start = list(deals), 0, 0
    while start < len(delivered):
        deal = _deal_of(delivered[start], waiting)
        start += check_steps(delivered[start:], record(deal, delivered[start:], **more))
        games += delivered[start - 1].is_over
    return games


def _deal_of(step: Step, deals: list[Any]) -> Any:
    """Take the deal that a first step belongs to off the list."""
    seat, observation = next(iter(step.observations.items()))
    for position, deal in enumerate(deals):
        snapshot = deal[0] if isinstance(deal, tuple) else deal
        views = Game.from_snapshot(snapshot).views(seat)
        if np.array_equal(views.observation[0], observation):
            return deals.pop(position)
    raise AssertionError("the library delivered a game that was never dealt")


def _views(game: Game, seats: Iterable[int]) -> tuple[BySeat, BySeat]:
    """What the seats see and may do."""
    views = {seat: game.views(seat) for seat in seats}
    return (
        {seat: view.observation[0] for seat, view in views.items()},
        {seat: view.action_mask[0] for seat, view in views.items()},
    )


def _check_arrays(found: BySeat, wanted: BySeat, what: str) -> None:
    for seat, array in found.items():
        assert np.array_equal(np.asarray(array), wanted[seat]), f"{what} of seat {seat}"
