"""Snapshots: exact round trips, and a refusal that names the key for whatever is not a game."""

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ono99_env import Action, Game, Rules, SnapshotError, Views
from tests.positions import position
from tests.random_games import games, generators, play_randomly, positions

KEYS = (
    *("rules", "total", "direction", "dealer", "current_player", "plays_owed", "second_play"),
    *("ono99_played_this_turn", "hands", "eliminated", "draw_pile", "discard_pile", "last_player"),
    *("round", "chips", "points", "is_over", "winners", "returns", "rng"),
)
NAMES = [*KEYS, "history", *Rules.model_fields]
NULLABLE = {"current_player", "last_player"}
WRONG_TYPES = ["x", 3.7, float("nan"), 10**30, -(10**30), True, {"a": 1}, [[0]], None]


def through_json(snapshot: dict) -> dict:
    return json.loads(json.dumps(snapshot, allow_nan=False))


def in_progress(seed: int = 0, **options: Any) -> dict:
    game = Game(Rules(**options), seed=seed)
    return play_randomly(game, random.Random(seed), 12).snapshot()


def check_refused_or_playable(snapshot: dict, rng: random.Random) -> None:
    """It is refused by naming what is wrong, or it is a game that works like any other."""
    try:
        game = Game.from_snapshot(copy.deepcopy(snapshot))
    except SnapshotError as error:
        assert any(name in str(error) for name in NAMES), error
    else:
        check_it_can_be_played(game, rng)


def check_it_can_be_played(game: Game, rng: random.Random) -> None:
    deck = Counter({name: count for name, count in game.rules.deck.items() if count})
    for _ in range(20):
        now = game.snapshot()
        places = [*now["hands"], now["draw_pile"], now["discard_pile"]]
        assert sum((Counter(place) for place in places), Counter()) == deck
        assert Game.from_snapshot(through_json(now)).snapshot() == now
        observation = Views.of_game(game, 0).observation
        assert abs(observation).max() <= 1
        if game.is_over:
            break
        total = game.snapshot()["total"]
        play = game.play(rng.choice(game.legal_actions()))
        if game.snapshot()["round"] == now["round"]:
            assert -10 <= game.snapshot()["total"] - total <= 10, play


def test_the_keys_are_those_of_the_design() -> None:
    assert set(in_progress()) == {*KEYS, "history"}
    assert set(in_progress()["rules"]) == set(Rules.model_fields)


def test_the_round_trip_is_exact_wherever_a_game_stands() -> None:
    seen: Counter = Counter()
    for _, game in positions(10, 1500):
        saved = game.snapshot()
        restored = Game.from_snapshot(through_json(saved))
        assert restored.snapshot() == saved
        assert restored.legal_actions() == game.legal_actions()
        assert (restored.winners, restored.returns) == (game.winners, game.returns)
        seen["obligation"] += saved["plays_owed"] == 2
        seen["second card"] += saved["second_play"]
        seen["ONO 99 played"] += saved["ono99_played_this_turn"]
        seen["later round"] += saved["round"] > 1
        seen["counter-clockwise"] += saved["direction"] == -1
        seen["over"] += saved["is_over"]
        seen["truncated"] += saved["history"]["truncated"]
        seen["busted"] += any(saved["history"]["busted"])
        seen["reshuffled"] += saved["history"]["reshuffles"] > 0
        seen["some are out"] += any(saved["eliminated"]) and not saved["is_over"]
    assert all(seen.values()), seen


@given(games(), generators)
def test_a_restored_game_continues_identically(game: Game, rng: random.Random) -> None:
    restored = Game.from_snapshot(through_json(game.snapshot()))
    for _ in range(40):
        if game.is_over:
            break
        action = rng.choice(game.legal_actions())
        assert restored.play(action) == game.play(action)
        assert restored.snapshot() == game.snapshot()


def test_history_may_be_left_out() -> None:
    snapshot = in_progress()
    del snapshot["history"]
    assert Game.from_snapshot(snapshot).legal_actions()


def test_zero_counts_may_be_written_or_left_out() -> None:
    snapshot = in_progress()
    written = copy.deepcopy(snapshot)
    for place in [*written["hands"], written["draw_pile"], written["discard_pile"]]:
        place.setdefault("hold", 0)
    assert Game.from_snapshot(written).snapshot() == snapshot


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


@pytest.mark.parametrize("value", WRONG_TYPES, ids=str)
@pytest.mark.parametrize("key", [*KEYS, "history"])
def test_a_value_of_a_wrong_type_is_refused_and_its_key_named(key: str, value: Any) -> None:
    snapshot = in_progress()
    if type(snapshot[key]) is type(value) is bool or (key in NULLABLE and value is None):
        pytest.skip("this is of the right type")
    snapshot[key] = value
    with pytest.raises(SnapshotError, match="a: " if value == {"a": 1} and key == "rules" else key):
        Game.from_snapshot(snapshot)


@pytest.mark.parametrize("value", WRONG_TYPES, ids=str)
@pytest.mark.parametrize(
    "key",
    ["busted", "first_out", "plays", "reshuffles", "top_discard", "recent_plays", "truncated"],
)
def test_a_history_of_a_wrong_type_is_refused_and_its_key_named(key: str, value: Any) -> None:
    if value is None or (key == "truncated" and value is True):
        pytest.skip("this is of the right type")
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


def put(*path: str, value: Any) -> Callable[[dict], None]:
    def change(snapshot: dict) -> None:
        for key in path[:-1]:
            snapshot = snapshot[key]
        snapshot[path[-1]] = value

    return change


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
    "generator that is no counter": ("rng", {"rng": "0x12"}),
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
    snapshot = position(Rules(edition="1980"), ["minus_ten 2 3 4", *["5 6 7 8"] * 3])
    snapshot["total"] = -(2**31) + 5
    try:
        game = Game.from_snapshot(snapshot)
    except SnapshotError as error:
        assert "total" in str(error)
    else:
        game.play(Action.MINUS_TEN)
        assert game.snapshot()["total"] == snapshot["total"] - 10


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
