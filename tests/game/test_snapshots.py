"""Snapshots: round trips are exact, wherever a game stands."""

import copy
import random
from collections import Counter

from hypothesis import given

from ono99_env import Action, Game, Rules
from tests.game.snapshot_checks import KEYS, in_progress, through_json
from tests.positions import position
from tests.random_games import games, generators, positions

TENS = {"1": 1, "10": 20}


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


def test_a_winner_who_went_out_first_is_restored() -> None:
    """R13: worked position 4, where nobody can play and the one who went out had played last."""
    hands = ["10 10 10 10", "1 10 10 10"]
    start = position(
        Rules(num_players=2, deck=TENS), hands, total=97, current_player=1, plays_owed=2
    )
    game = Game.from_snapshot(start)
    game.play(Action.N1)
    snapshot = game.snapshot()
    assert (snapshot["winners"], snapshot["history"]["first_out"]) == ([1], 1)
    assert snapshot["eliminated"] == [True, False]
    assert Game.from_snapshot(through_json(snapshot)).snapshot() == snapshot
