"""The formulas of the encoding give the observation vector, bit for bit, from JSON alone."""

import json
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from ono99_env import Game, Rules
from ono99_env.game.plain_view import plain_view
from ono99_env.observation import OBSERVATION_SIZE
from ono99_env.observation.encoding import describe_encoding
from tests.random_games import positions

POSITIONS = 3000


def evaluate(formula: Any, view: dict[str, Any], seat: int) -> Any:
    """Return the value of a formula for a slot, as the docstring of the encoding defines it."""
    if not isinstance(formula, list):
        return formula
    operator, *operands = formula
    if operator == "view":
        return follow(view, [seat if step == "*" else step for step in operands])
    if operator == "seat":
        return seat
    if operator == "lookup":
        return operands[1].get(evaluate(operands[0], view, seat), 0)
    values = [evaluate(each, view, seat) for each in operands]
    return OPERATORS[operator](*values)


def follow(place: Any, path: list[Any]) -> Any:
    for step in path:
        if isinstance(place, dict):
            place = place.get(step, 0)
        else:
            place = place[step] if step < len(place) else 0
    return int(place) if isinstance(place, bool) else place


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: float(np.float32(a) * np.float32(b)),
    "/": lambda a, b: float(np.float32(np.float64(a) / np.float64(b))),
    "min": min,
    "max": max,
    "=": lambda a, b: int(type(a) is type(b) and a == b),
    "in": lambda a, b: int(a in b),
    "count": lambda a, b: sum(each == b for each in a),
    "sum": lambda a: sum(a.values()),
}


def seats_by_slot(view: dict[str, Any]) -> list[int]:
    """The observer, then the others in playing order: those in the round, then those out."""
    players = len(view["eliminated"])
    others = [(view["seat"] + view["direction"] * far) % players for far in range(1, players)]
    return [view["seat"], *sorted(others, key=lambda seat: view["eliminated"][seat])]


def encode(encoding: dict[str, Any], view: dict[str, Any]) -> np.ndarray:
    vector = np.zeros(encoding["observation_size"], np.float32)
    for feature in encoding["features"]:
        entries = feature["entries"]
        slots = seats_by_slot(view) if feature["per_slot"] else [view["seat"]]
        for slot, seat in enumerate(slots):
            for place, entry in enumerate(entries, feature["start"] + slot * len(entries)):
                vector[place] = evaluate(entry["formula"], view, seat)
    return vector


@lru_cache(maxsize=1)
def encoding_of(rules: Rules) -> dict[str, Any]:
    return as_json(describe_encoding(rules))


def as_json(data: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(data))


def test_formulas_give_the_vector_bit_for_bit():
    compared = 0
    for rng, game in positions(seed=11, count=POSITIONS):
        if game.is_over:
            continue
        seat = rng.choice([game.current_player, rng.randrange(game.num_players)])
        views = game.views(seat)
        vector = encode(encoding_of(game.rules), as_json(plain_view(views)))
        expected = views.observation[0]
        differing = np.flatnonzero(vector.view(np.uint32) != expected.view(np.uint32))
        assert not len(differing), (differing, vector[differing], expected[differing])
        compared += 1
    assert compared > POSITIONS * 0.8


def test_every_entry_takes_the_values_that_the_encoding_says():
    values = entry_values(describe_encoding())
    vectors = [game.views(0).observation[0] for _, game in positions(seed=12, count=POSITIONS)]
    for place, (kind, column) in enumerate(zip(values, np.array(vectors).T, strict=True)):
        low = -1 if kind.startswith("-1") else 0
        assert column.min() >= low, place
        assert column.max() <= 1, place
        if " or " in kind:
            assert set(column) <= {0.0, float(low), 1.0}, place
        if kind == "-1 or 1":
            assert 0 not in column


def entry_values(encoding: dict[str, Any]) -> list[str]:
    """The kind of value of each entry of the vector."""
    values = []
    for feature in encoding["features"]:
        kinds = [entry["values"] for entry in feature["entries"]]
        values += kinds * (encoding["slots"] if feature["per_slot"] else 1)
    return values


def test_the_entries_of_every_feature_fill_its_slice():
    encoding = describe_encoding()
    for feature in encoding["features"]:
        repeats = encoding["slots"] if feature["per_slot"] else 1
        assert len(feature["entries"]) * repeats == feature["size"], feature["name"]
    assert len(entry_values(encoding)) == OBSERVATION_SIZE


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_a_view_shows_nothing_that_is_hidden(edition: str):
    game = Game(Rules.preset(edition, num_players=3), seed=3)
    other = Game.from_snapshot(swapped_hidden_cards(game.snapshot()))
    assert plain_view(game.views()) == plain_view(other.views())


def swapped_hidden_cards(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Exchange the hands of the two players who are not to act."""
    first, second = (seat for seat in range(3) if seat != snapshot["current_player"])
    hands = snapshot["hands"]
    assert hands[first] != hands[second]
    hands[first], hands[second] = hands[second], hands[first]
    return snapshot
