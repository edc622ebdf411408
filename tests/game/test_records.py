"""Records: a game comes back exactly, and a damaged one is refused with the place of the damage."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ono99_env import Game, RecordError, Rules
from ono99_env.game import read_record, write_record
from tests.random_games import new_game, play_randomly


def recorded(seed: int, decisions: int = 200) -> tuple[Game, dict[str, Any]]:
    rng = random.Random(seed)
    game = play_randomly(new_game(rng), rng, rng.randrange(decisions))
    return game, json.loads(json.dumps(game.record()))


@pytest.mark.parametrize("seed", range(40))
def test_a_game_comes_back_exactly_and_goes_on_alike(seed: int) -> None:
    game, record = recorded(seed)
    again = Game.from_record(record)
    assert again.state.tobytes() == game.state.tobytes()
    assert again.history == game.history
    assert again.record() == record
    rng = random.Random(seed)
    for _ in range(10):
        if game.is_over:
            break
        action = rng.choice(game.legal_actions())
        assert again.play(action) == game.play(action)


@pytest.mark.parametrize("seed", range(10))
def test_a_seed_and_actions_alone_are_a_record(seed: int) -> None:
    game, record = recorded(seed)
    short = {key: record[key] for key in ("format", "format_version", "rules", "seed")}
    short["plays"] = [play["action"] for play in record["plays"]]
    assert Game.from_record(short).state.tobytes() == game.state.tobytes()


@pytest.mark.parametrize("seed", range(10))
def test_a_game_goes_on_from_a_snapshot(seed: int) -> None:
    rng = random.Random(seed)
    game, _ = recorded(seed, 20)
    restored = play_randomly(Game.from_snapshot(game.snapshot()), rng, 20)
    again = Game.from_record(json.loads(json.dumps(restored.record())))
    assert again.state.tobytes() == restored.state.tobytes()
    assert again.history == restored.history


def test_cards_named_by_the_caller_and_missed_draws_are_recorded() -> None:
    game = Game(
        Rules.preset("1980", num_players=2),
        draws=["10", "9", "10", "8", "10", "7", "10", "6"],
        dealer=1,
    )
    game.play(10, draws=["hold"])
    game.play(9, missed_draw=True)
    again = Game.from_record(game.record())
    assert again.state.tobytes() == game.state.tobytes()
    assert game.record()["plays"][1] == {"seat": 1, "action": "9", "missed_draw": True}


def test_a_game_of_a_real_table_can_be_typed_in() -> None:
    record = {
        "format": "ono99-game",
        "format_version": 1,
        "rules": {"edition": "2022", "num_players": 2},
        "names": ["Ann", "Bob"],
        "dealer": 1,
        "dealt": ["7", "3", "10", "reverse", "ono99", "5", "minus_ten", "2"],
        "plays": [{"action": "10", "drawn": ["4"]}, {"seat": 1, "action": "5", "drawn": ["9"]}],
    }
    game = Game.from_record(record)
    assert game.state.total == 15
    assert game.hands == {0: ("4", "7", "ono99", "minus_ten"), 1: ("2", "3", "9", "reverse")}


def test_a_game_that_was_given_up_is_recorded() -> None:
    game = Game(Rules(num_players=3), seed=4)
    game.play(game.legal_actions()[0])
    seat = game.current_player
    game.forfeit()
    assert game.record()["forfeited"] == seat
    again = Game.from_record(game.record())
    assert (again.winners, again.forfeiter) == (sorted({0, 1, 2} - {seat}), seat)


def base() -> dict[str, Any]:
    rng = random.Random(9)
    game = play_randomly(Game(Rules(num_players=3), seed=9), rng, 12)
    return json.loads(json.dumps(game.record()))


DAMAGES: dict[str, tuple[Callable[[dict], Any], str]] = {
    "no format": (lambda record: record.pop("format"), "no record of a game"),
    "version": (lambda record: record.update(format_version=2), "format_version: .* version 1"),
    "unknown key": (lambda record: record.update(seeds=1), "seeds: there is no such field"),
    "no plays": (lambda record: record.pop("plays"), "plays: is missing"),
    "rules": (lambda record: record["rules"].update(chip=4), "rules: chip: there is no such"),
    "players": (lambda record: record["rules"].update(num_players=9), "rules: num_players"),
    "no chance": (lambda record: [record.pop("seed"), record.pop("dealt")], "seed: is missing"),
    "dealer": (lambda record: record.update(dealer=7), "dealer: there is no seat 7"),
    "no dealer": (lambda record: record.pop("dealer"), "dealer: is missing"),
    "dealt short": (lambda record: record["dealt"].pop(), "dealt: names 11 cards, but 12 are due"),
    "dealt long": (lambda record: record["dealt"].append("7"), "dealt: 7 were given but no card"),
    "dealt name": (lambda record: record["dealt"].append("joker"), "dealt.*'joker' is not a known"),
    "cards": (lambda record: record.update(dealt=["1"] * 12), "dealt: no 1 is left"),
    "action": (lambda record: record["plays"][3].update(action="11"), r"plays\.3\.action: '11'"),
    "illegal": (
        lambda record: record["plays"][3].update(action="hold"),
        r"plays\[3\]\.action: .*hold",
    ),
    "seat": (lambda record: record["plays"][2].update(seat=0), r"plays\[2\]\.seat: it is the turn"),
    "drawn": (lambda record: record["plays"][4].pop("drawn"), r"plays\[4\]\.drawn: names 0 cards"),
    "total": (lambda record: record.update(total=5), "total: the plays lead to"),
    "winners": (lambda record: record.update(winners=[1]), r"winners: by the plays they are \[\]"),
    "names": (lambda record: record.update(names=["a"]), "names: must be 3"),
    "start": (lambda record: record.update(start={}), "start: stands in place of seed"),
    "rng": (lambda record: record.update(rng="12"), "rng"),
    "flag": (lambda record: record["plays"][0].update(missed_draw=1), r"plays\.0\.missed_draw"),
    "forfeiter": (lambda record: record.update(forfeited=7), "forfeited: it is the turn of seat"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_is_refused_with_its_place(damage: str) -> None:
    record = base()
    change, message = DAMAGES[damage]
    change(record)
    with pytest.raises(RecordError, match=message):
        Game.from_record(record)


@pytest.mark.parametrize("record", [None, [], "x", {}, {"format": "ono99-arena"}])
def test_what_is_no_record_is_refused(record: Any) -> None:
    with pytest.raises(RecordError, match="no record of a game"):
        Game.from_record(record)


def test_random_damage_gives_our_error_or_another_game() -> None:
    rng, refused = random.Random(5), 0
    for _ in range(300):
        record = base()
        place, key = rng.choice(list(paths(record)))
        place[key] = rng.choice([None, -1, 10**30, "x", [], {}, True, 0.5, [["7"]]])
        try:
            Game.from_record(record)
        except RecordError as error:
            refused += 1
            assert str(error)
    assert refused > 200


def paths(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(items):
        yield value, key
        if isinstance(item, dict | list):
            yield from paths(item)


def test_plays_after_the_end_are_refused() -> None:
    rng = random.Random(2)
    game = play_randomly(Game(Rules(num_players=2), seed=2), rng, 500)
    record = game.record()
    record["plays"].append({"action": "7"})
    with pytest.raises(RecordError, match=r"plays\[\d+\]: the game is over"):
        Game.from_record(record)


def test_files_hold_a_play_a_line_and_come_back(tmp_path: Path) -> None:
    game, record = recorded(3)
    write_record(tmp_path / "game.json", record)
    assert read_record(tmp_path / "game.json") == record
    lines = (tmp_path / "game.json").read_text().splitlines()
    assert sum('"action"' in line for line in lines) == len(game.history)


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"[1]", b"[" * 100_000, b""])
def test_files_that_hold_no_record_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"game\.json"):
        read_record(path)
    with pytest.raises(RecordError, match="is a folder"):
        read_record(tmp_path)
    assert copy.copy(path.read_bytes()) == content
