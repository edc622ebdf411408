"""What the tests of snapshots share."""

import copy
import json
import random
from collections import Counter
from typing import Any

from ono99_env import Game, Rules, SnapshotError
from tests.random_games import play_randomly

KEYS = (
    *("rules", "total", "direction", "dealer", "current_player", "plays_owed", "second_play"),
    *("ono99_played_this_turn", "hands", "eliminated", "draw_pile", "discard_pile", "last_player"),
    *("round", "chips", "points", "is_over", "winners", "returns", "rng"),
)
NAMES = [*KEYS, "history", *Rules.model_fields]


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
        if not any(name in str(error) for name in NAMES):
            raise AssertionError("the message names no key") from error
    else:
        check_it_can_be_played(game, rng)


def check_it_can_be_played(game: Game, rng: random.Random) -> None:
    deck = Counter({name: count for name, count in game.rules.deck.items() if count})
    for _ in range(20):
        now = game.snapshot()
        places = [*now["hands"], now["draw_pile"], now["discard_pile"]]
        assert sum((Counter(place) for place in places), Counter()) == deck
        assert Game.from_snapshot(through_json(now)).snapshot() == now
        observation = game.views(0).observation
        assert abs(observation).max() <= 1
        if game.is_over:
            break
        total = game.snapshot()["total"]
        play = game.play(rng.choice(game.legal_actions()))
        if game.snapshot()["round"] == now["round"]:
            assert -10 <= game.snapshot()["total"] - total <= 10, play
