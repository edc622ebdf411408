"""Whatever arrays are given: they are right, or refused by name, and then nothing has changed."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ono99_env import Game, IllegalActionError, Rules, Views, load_bot
from ono99_env.engine.records import STATE
from ono99_env.observation import COMPACT, redact
from ono99_env.tables import LEARNER, LEARNER_TO_ACT, Episodes, Tables

MUTANTS = int(os.environ.get("ONO99_FUZZ", "300"))
"""Random changes of each kind of state; more of them by ``ONO99_FUZZ=100000 pytest ...``."""


def dealt(size: int = 4) -> Tables:
    tables = Tables(Rules(), [load_bot("highest")], size)
    holders = np.tile([LEARNER, 0, 0, 0, 0, 0, 0, 0], (size, 1))
    tables.deal(np.arange(size), np.full(size, 4), np.arange(size), holders)
    assert (tables.status == LEARNER_TO_ACT).all()
    return tables


def legal(tables: Tables) -> np.ndarray:
    seats = tables.games["current_player"].astype(int)
    return tables.views(np.arange(len(tables)), seats).action_mask.argmax(axis=1)


WRONG_DEALS: dict[str, tuple[str, dict[str, Any]]] = {
    "200 players": (r"num_players\[1\]", {"num_players": [4, 200]}),
    "negative players": (r"num_players\[0\]", {"num_players": [-1, 4]}),
    "one player": (r"num_players\[0\]", {"num_players": [1, 4]}),
    "seven players": (r"num_players\[0\]", {"num_players": [7, 4]}),
    "too few counts": ("num_players", {"num_players": [4]}),
    "counts as floats": ("num_players", {"num_players": [4.0, 4.0]}),
    "a table too many": (r"tables\[1\]", {"tables": [0, 4]}),
    "a negative table": (r"tables\[0\]", {"tables": [-1, 0]}),
    "a huge table": (r"tables\[0\]", {"tables": [2**62, 0]}),
    "a table of 64 bits": ("tables", {"tables": np.array([2**63, 1], np.uint64)}),
    "a table twice": (r"tables\[1\]", {"tables": [1, 1]}),
    "tables as truth values": ("tables", {"tables": [True, False]}),
    "tables of two dimensions": ("tables", {"tables": [[0, 1]]}),
    "a bot too many": (r"holders\[1, 3\]", {"holders": [[0] * 8, [0, 0, 0, 1, 0, 0, 0, 0]]}),
    "a holder beyond a byte": ("holders", {"holders": np.full((2, 8), 256)}),
    "a negative holder": (r"holders\[0, 0\]", {"holders": np.full((2, 8), -2)}),
    "holders of four seats": ("holders", {"holders": np.zeros((2, 4), int)}),
    "negative seeds": (r"seeds\[1\]", {"seeds": [1, -1]}),
    "too many seeds": ("seeds", {"seeds": [1, 2, 3]}),
    "too many words": ("seeds", {"seeds": np.zeros(3, np.uint64)}),
}


@pytest.mark.parametrize(("message", "wrong"), WRONG_DEALS.values(), ids=WRONG_DEALS)
def test_deals_that_are_impossible_are_refused(message: str, wrong: dict) -> None:
    tables = dealt()
    before = tables.games.tobytes()
    right = {"num_players": [4, 4], "tables": [0, 1], "holders": np.zeros((2, 8), int)}
    with pytest.raises(ValueError, match=message):
        tables.deal(**{**right, "seeds": [1, 2], **wrong})
    assert tables.games.tobytes() == before


@pytest.mark.parametrize("action", [17, -1, -2, 2**40, -(2**63), 11, 16])
def test_actions_that_are_not_legal_are_refused(action: int) -> None:
    tables = dealt()
    actions, before = legal(tables), tables.games.tobytes()
    actions[2] = action
    with pytest.raises(IllegalActionError, match=r"actions\[2\], table 2"):
        tables.act(np.arange(4), actions)
    assert tables.games.tobytes() == before


@pytest.mark.parametrize(
    ("tables", "actions"),
    [([0, 1], [0]), ([0], [0, 0]), ([-1], [0]), ([4], [0]), ([0, 0], [0, 0]), ([0], [1.0])],
)
def test_actions_for_other_tables_are_refused(tables: list, actions: list) -> None:
    with pytest.raises(ValueError, match=r"^(tables|actions)"):
        dealt().act(np.array(tables), np.array(actions))


def test_arrays_of_any_integers_and_any_layout_do() -> None:
    plain, other = dealt(), dealt()
    actions = legal(plain)
    plain.act(np.arange(4), actions)
    other.act(np.arange(8, dtype=np.uint8)[:8:2] // 2, np.repeat(actions, 2).astype("i2")[::2])
    assert plain.games.tobytes() == other.games.tobytes()
    for nothing in ([], np.zeros(0), np.zeros(0, int)):
        plain.act(nothing, nothing)
        plain.deal(nothing, nothing, nothing, np.zeros((0, 8), int))
    assert plain.games.tobytes() == other.games.tobytes()
    assert len(Views.of(Rules(), plain.games[:0], []).observation) == 0
    Tables(Rules(), [], 0).advance(np.zeros(0, int))


@pytest.mark.parametrize("observers", [[99], [-1], [4], [0, 1], [], [0.0], [[0]], [True], [2**40]])
def test_observers_without_a_seat_are_refused(observers: list) -> None:
    game = Game(seed=1)
    with pytest.raises(ValueError, match="observers"):
        Views.of(game.rules, game.games, np.array(observers))
    with pytest.raises(ValueError, match="observers"):
        redact(game.state, 4)


def test_views_of_what_is_no_game_are_refused() -> None:
    for games in (np.zeros(1, STATE), np.zeros(216, np.uint8), np.zeros((1, 1), STATE)):
        with pytest.raises(ValueError, match=r"games|observers"):
            Views.of(Rules(), games, np.zeros(len(games), int))


@pytest.mark.parametrize(
    ("states", "seats", "beginning"),
    [
        (np.zeros(1, STATE), [0], r"^states\[0\] shows no possible game"),
        (np.full(STATE.itemsize, 255, np.uint8).view(STATE), [0], r"^states\[0\] shows no"),
        (np.zeros(216, np.uint8), [0], "^states must be records"),
        (np.zeros((1, 1), STATE), [0], "^states must be records"),
        (None, [9], r"^seats\[0\]: must be a seat from 0 to 3"),
        (None, [-1], r"^seats\[0\]"),
        (None, [0, 1], "^seats must be one seat"),
        (None, [], "^seats must be one seat"),
        (None, [0.5], "^seats must be one seat"),
    ],
)
def test_views_built_by_hand_of_what_is_no_view_are_refused(
    states: Any, seats: list, beginning: str
) -> None:
    game = Game(seed=1)
    shown = Views.of(game.rules, game.games, [0]).states
    with pytest.raises(ValueError, match=beginning):
        Views(game.rules, shown if states is None else states, np.array(seats))
    with pytest.raises(ValueError, match=r"^rules must be Rules"):
        Views("2022", shown, np.array([0]))


def test_views_built_by_hand_keep_copies_that_cannot_be_written() -> None:
    game = Game(seed=1)
    states, seats = Views.of(game.rules, game.games, [0]).states.copy(), np.array([0])
    views = Views(game.rules, states, seats)
    seats[:], states["num_players"] = 99, 99
    assert views.seats.tolist() == [0]
    assert views.states["num_players"].tolist() == [4]
    assert not views.states.flags.writeable
    assert (
        views.observation.tobytes() == Views.of(game.rules, game.games, [0]).observation.tobytes()
    )


def test_some_views_are_taken_with_a_slice_or_indices() -> None:
    game = Game(seed=1)
    views = Views.of(game.rules, game.games.repeat(3), [0, 1, 2])
    assert views.take(slice(1, 3)).seats.tolist() == [1, 2]
    assert views.take(np.array([2, 0])).observation.tolist() == views.observation[[2, 0]].tolist()
    with pytest.raises(IndexError):
        views.take(np.array([3]))


def mutated(content: bytes, rng: np.random.Generator) -> bytes:
    """The same with some bytes changed, or all of them."""
    changed = np.frombuffer(content, np.uint8).copy()
    count = int(rng.integers(1, 4)) if rng.random() < 0.9 else len(changed)
    changed[rng.integers(len(changed), size=count)] = rng.integers(256, size=count)
    return changed.tobytes()


def check_words(error: ValueError, beginning: str) -> None:
    assert str(error).startswith(beginning)


def test_compact_observations_are_possible_or_refused() -> None:
    rng, game = np.random.default_rng(1), Game(seed=1)
    compact = np.zeros(1, COMPACT)
    accepted = 0
    for _ in range(MUTANTS):
        compact["observer"] = rng.integers(4)
        views = Views.of(game.rules, game.games, compact["observer"])
        compact["state"] = views.states
        content = np.frombuffer(mutated(compact.tobytes(), rng), np.uint8)[None]
        try:
            shown = Views.of_compact(game.rules, content)
        except ValueError as error:
            check_words(error, "observ")
        else:
            accepted += 1
            assert np.abs(shown.observation).max() <= 1
        if not game.is_over:
            game.play(rng.choice(game.legal_actions()))
        else:
            game = Game(seed=int(rng.integers(2**32)))
    assert accepted < MUTANTS
    for wrong in (np.zeros((1, 3), np.uint8), np.zeros(COMPACT.itemsize, np.uint8), np.zeros((1,))):
        with pytest.raises(ValueError, match="observations must have shape"):
            Views.of_compact(game.rules, wrong)


def check_states(make: Callable[[], Any], play: Callable[[Any], None], path: list[str]) -> None:
    """Mutants of one array of a state are refused, or go on as games do."""
    rng, thing = np.random.default_rng(1), make()
    play(thing)
    state = thing.state_dict()
    place = state
    for name in path[:-1]:
        place = place[name]
    array = place[path[-1]]
    for _ in range(MUTANTS):
        place[path[-1]] = np.frombuffer(mutated(array.tobytes(), rng), array.dtype)
        before = thing.state_dict()
        try:
            thing.load_state_dict(state)
        except ValueError as error:
            check_words(error, "state: ")
            np.testing.assert_equal(thing.state_dict(), before)
        else:
            play(thing)


def play_tables(tables: Tables) -> None:
    waiting = np.flatnonzero(tables.status == LEARNER_TO_ACT)
    seats = tables.games["current_player"][waiting].astype(int)
    tables.act(waiting, tables.views(waiting, seats).action_mask.argmax(axis=1))


def play_episodes(episodes: Episodes) -> None:
    episodes.step_and_reset(episodes.action_mask.argmax(axis=1))


@pytest.mark.parametrize("name", ["games", "rosters"])
def test_states_of_tables_are_possible_or_refused(name: str) -> None:
    check_states(dealt, play_tables, [name])


@pytest.mark.parametrize("path", [["tables", "games"], ["tables", "rosters"], ["episodes"]])
def test_states_of_episodes_are_possible_or_refused(path: list[str]) -> None:
    check_states(lambda: Episodes(Rules(), 3), play_episodes, path)


def test_a_state_of_another_number_of_tables_is_refused() -> None:
    one, four = Episodes(Rules(), 1), Episodes(Rules(), 4)
    state = four.state_dict()
    state["episodes"] = one.state_dict()["episodes"]
    before = four.state_dict()
    for wrong in (state, one.state_dict(), {}, {"tables": {}, "episodes": []}):
        with pytest.raises(ValueError, match=r"^state: "):
            four.load_state_dict(wrong)
    np.testing.assert_equal(four.state_dict(), before)
