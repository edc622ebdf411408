"""Whatever is not a possible game is refused by an error that names the key."""

import copy
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ono99_env import Game, Rules, SnapshotError
from tests.game.snapshot_checks import KEYS, NAMES, check_refused_or_playable, in_progress
from tests.positions import position
from tests.random_games import games, generators, play_randomly

FLAGS = {"second_play", "ono99_played_this_turn", "is_over"}
HISTORY = [
    *("busted", "first_out", "plays", "reshuffles", "top_discard", "recent_plays", "truncated"),
    *("receiver", "plays_passed_on"),
]
NULLABLE_HISTORY = {"receiver", "busted", "first_out", "top_discard", "recent_plays"}
WRONG_TYPES = ["x", 3.7, float("nan"), 10**30, -(10**30), True, {"a": 1}, [[0]], None]


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_named(key: str) -> None:
    snapshot = in_progress()
    del snapshot[key]
    with pytest.raises(SnapshotError, match=key):
        Game.from_snapshot(snapshot)


@pytest.mark.parametrize("place", ["", "history"])
def test_an_unknown_key_is_named(place: str) -> None:
    snapshot = in_progress()
    (snapshot[place] if place else snapshot)["colour"] = "red"
    with pytest.raises(SnapshotError, match="colour"):
        Game.from_snapshot(snapshot)


def wrong_values(keys: Iterable[str], flags: set[str], nullable: set[str]) -> list:
    """Every key with every value that is not of its type."""
    return [
        pytest.param(key, value, id=f"{key}={value}")
        for key in keys
        for value in WRONG_TYPES
        if not ((value is True and key in flags) or (value is None and key in nullable))
    ]


@pytest.mark.parametrize(
    ("key", "value"), wrong_values([*KEYS, "history"], FLAGS, {"current_player", "last_player"})
)
def test_a_value_of_a_wrong_type_is_refused_and_its_key_named(key: str, value: Any) -> None:
    snapshot = in_progress()
    snapshot[key] = value
    with pytest.raises(SnapshotError, match="a: " if value == {"a": 1} and key == "rules" else key):
        Game.from_snapshot(snapshot)


@pytest.mark.parametrize(("key", "value"), wrong_values(HISTORY, {"truncated"}, NULLABLE_HISTORY))
def test_a_history_of_a_wrong_type_is_refused_and_its_key_named(key: str, value: Any) -> None:
    snapshot = in_progress()
    snapshot["history"][key] = value
    with pytest.raises(SnapshotError, match=key):
        Game.from_snapshot(snapshot)


@pytest.mark.parametrize("thing", [None, 7, "text", [], [1], {}, ("rules",), float("nan")], ids=str)
def test_what_is_no_snapshot_at_all_is_refused(thing: Any) -> None:
    with pytest.raises(SnapshotError, match="rules"):
        Game.from_snapshot(thing)


def test_rules_that_are_impossible_are_refused_by_field() -> None:
    for field, value in {"num_players": 9, "highest_total": -1, "deck": {"joker": 4}}.items():
        snapshot = in_progress()
        snapshot["rules"][field] = value
        with pytest.raises(SnapshotError, match=field):
            Game.from_snapshot(snapshot)


@given(games(), generators)
def test_moved_cards_never_make_a_broken_game(game: Game, rng: random.Random) -> None:
    snapshot = game.snapshot()
    places = [*snapshot["hands"], snapshot["draw_pile"], snapshot["discard_pile"]]
    source, target = rng.choice([place for place in places if place]), rng.choice(places)
    card = rng.choice(sorted(source))
    source[card] -= 1
    target[card] = target.get(card, 0) + 1
    check_refused_or_playable(snapshot, rng)


@pytest.mark.parametrize("place", ["hands", "draw_pile", "discard_pile"])
@pytest.mark.parametrize("count", [1, 5, 16, 127, 128, 10**20])
@pytest.mark.parametrize("card", ["0", "ono99", "hold"])
def test_cards_that_the_deck_does_not_have_are_refused(place: str, count: int, card: str) -> None:
    snapshot = in_progress()
    cards = snapshot[place][0] if place == "hands" else snapshot[place]
    cards[card] = cards.get(card, 0) + count
    with pytest.raises(SnapshotError, match=place):
        Game.from_snapshot(snapshot)


@pytest.mark.parametrize("key", ["hands", "eliminated", "chips", "points", "returns"])
@pytest.mark.parametrize("change", [lambda values: values[:-1], lambda values: values * 3])
def test_a_list_by_seat_of_another_length_is_refused(key: str, change: Callable) -> None:
    snapshot = in_progress()
    snapshot[key] = change(snapshot[key])
    with pytest.raises(SnapshotError, match=key):
        Game.from_snapshot(snapshot)


IMPOSSIBLE = {
    "eliminated player to move": ("eliminated", {"eliminated": [True, False, False, False]}),
    "player to move who is not there": ("current_player", {"current_player": 4}),
    "nobody to move": ("current_player", {"current_player": None}),
    "one player left": ("eliminated", {"eliminated": [False, True, True, True]}),
    "total over the limit": ("total", {"total": 99}),
    "total below the floor": ("total", {"total": -1}),
    "total that wraps around": ("total", {"total": 2**31}),
    "owes nothing": ("plays_owed", {"plays_owed": 0}),
    "owes three": ("plays_owed", {"plays_owed": 3}),
    "second of two, yet two are owed": ("second_play", {"second_play": True, "plays_owed": 2}),
    "winner of a game that goes on": ("winners", {"winners": [1]}),
    "second round of a single round": ("round", {"round": 2}),
    "round 0": ("round", {"round": 0}),
    "sideways": ("direction", {"direction": 0}),
    "more chips than at the start": ("chips", {"chips": [4, 3, 3, 3]}),
    "negative chips": ("chips", {"chips": [-1, 3, 3, 3]}),
    "negative points": ("points", {"points": [-1, 0, 0, 0]}),
    "dealer who is not there": ("dealer", {"dealer": 4}),
    "generator that is no counter": ("rng", {"rng": "0x"}),
    "generator that does not fit": ("rng", {"rng": "0x" + "1" * 17}),
    "over without a winner": (
        "winners",
        {"is_over": True, "current_player": None, "plays_owed": 0},
    ),
    "truncated yet not over": ("truncated", {"truncated": True}),
    "busted yet in the round": ("busted", {"busted": [True, False, False, False]}),
    "top card that is not there": ("top_discard", {"top_discard": "hold"}),
    "recent play of no card": ("recent_plays", {"recent_plays": [["11"], [], [], []]}),
    "five recent plays": ("recent_plays", {"recent_plays": [["0"] * 5, [], [], []]}),
    "more plays than fit": ("plays", {"plays": 2**31}),
    "more reshuffles than fit": ("reshuffles", {"reshuffles": 2**31}),
    "first to go out is still in": ("first_out", {"first_out": 0}),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_impossible_position_is_refused_and_its_key_named(name: str) -> None:
    key, changes = IMPOSSIBLE[name]
    hands = ["0 1 2 3"] * 4
    with pytest.raises(SnapshotError, match=key):
        Game.from_snapshot(position(Rules(), hands, **changes))


def test_the_lowest_total_that_is_accepted_leaves_room_to_go_lower() -> None:
    snapshot = position(Rules(edition="1980", num_players=2), ["minus_ten minus_ten 2"] * 2)
    for total in (-10_000, -(2**31) + 10, -(2**31) + 1):
        snapshot["total"] = total
        check_refused_or_playable(snapshot, random.Random(0))


def test_a_player_to_move_without_a_legal_action_is_refused() -> None:
    snapshot = position(Rules(), ["10 10 10 10", *["0 1 2 3"] * 3], total=98)
    with pytest.raises(SnapshotError, match="current_player: seat 0 has no legal action"):
        Game.from_snapshot(snapshot)


def test_a_player_who_reached_the_target_cannot_be_in_the_match() -> None:
    rules = Rules(edition="1980", format="points_last_standing")
    snapshot = position(rules, ["2 3 4 5"] * 2 + ["6 7 8 9"] * 2, points=[200, 0, 0, 0])
    with pytest.raises(SnapshotError, match="points"):
        Game.from_snapshot(snapshot)


@pytest.mark.parametrize("winners", [[], [0, 0], [9], [0, 1, 2, 3]])
def test_a_finished_round_has_the_winner_that_is_left(winners: list[int]) -> None:
    game = play_randomly(Game(Rules(), seed=3), random.Random(3), 10_000)
    snapshot = game.snapshot()
    assert game.is_over
    snapshot["winners"] = winners
    with pytest.raises(SnapshotError, match="winners"):
        Game.from_snapshot(snapshot)


def paths(value: Any, path: tuple = ()) -> list[tuple]:
    """The path of everything within a snapshot."""
    below: list[tuple] = []
    if isinstance(value, dict):
        below = [part for key in value for part in paths(value[key], (*path, key))]
    elif isinstance(value, list):
        below = [part for index, item in enumerate(value) for part in paths(item, (*path, index))]
    return [path, *below] if path else below


json_scalars = (
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=4)
)
small_integers = st.integers(-2, 130)
json_values = st.recursive(
    json_scalars | small_integers,
    lambda values: (
        st.lists(values, max_size=3) | st.dictionaries(st.sampled_from(NAMES), values, max_size=2)
    ),
    max_leaves=4,
)


@given(games(), st.data())
def test_any_alteration_is_refused_by_name_or_is_another_good_game(
    game: Game, data: st.DataObject
) -> None:
    snapshot = game.snapshot()
    path = data.draw(st.sampled_from(paths(snapshot)))
    parent: Any = snapshot
    for key in path[:-1]:
        parent = parent[key]
    if data.draw(st.booleans()) and isinstance(parent, dict):
        del parent[path[-1]]
    else:
        parent[path[-1]] = data.draw(json_values)
    check_refused_or_playable(snapshot, random.Random(0))


EXTREMES = [-(2**63), -(2**31) + 1, -129, -1, 127, 2**15 - 1, 2**31 - 1, 2**31, 2**63, 2**64]


@pytest.mark.parametrize("game_format", ["chips", "points_lowest"])
def test_extreme_numbers_never_make_a_broken_game(game_format: str) -> None:
    original = in_progress(edition="1980", format=game_format, missed_draw_probability=[0.5] * 4)
    broken = []
    for path in paths(original):
        for extreme in EXTREMES:
            snapshot: Any = copy.deepcopy(original)
            parent = snapshot
            for key in path[:-1]:
                parent = parent[key]
            if type(parent[path[-1]]) is int:
                parent[path[-1]] = extreme
                try:
                    check_refused_or_playable(snapshot, random.Random(0))
                except Exception as error:
                    broken.append(f"{path} = {extreme}: {error!r}"[:200])
    assert not broken, "\n".join(broken)
