"""Rules that are refused, because no round of theirs could end, are played: none ends."""

import os
import random

import numpy as np

from ono99_env import Rules, load_bot
from ono99_env.rules.endings import reason_for_no_end
from ono99_env.tables import Tables

RULES = int(os.environ.get("ONO99_FUZZ", "300"))
"""Random rules that are tried; more of them by ``ONO99_FUZZ=10000 pytest ...``."""

GAMES, PLAYS = 64, 1500
FORMATS = ["single_round", "chips", "points_last_standing", "points_lowest"]
CHOICES = {
    "highest_total": [0, 3, 9, 20, 98],
    "lowest_total": [0, None, -10],
    "play_two_answers": [[], ["play_two"], ["hold"]],
    "four_ono99_discard": ["as_play", "then_play", "off"],
    "ono99_play": ["never", "total_ends_in_zero", "total_is_zero"],
    "keep_top_discard": [True, False],
    "reverse_deflects_heads_up": [True, False],
    "stuck_round_winner": ["last_to_play", "last_remaining"],
}


def rules_that_hardly_end(rng: random.Random) -> Rules:
    """Draw rules with about as many cards that get stuck as a round needs to end."""
    players, hand_size = rng.choice([2, 2, 3, 4]), rng.choice([1, 2, 3, 4, 5])
    options = {name: rng.choice(values) for name, values in CHOICES.items()}
    options["format"] = rng.choice(FORMATS)
    if options["format"].startswith("points"):
        options["bust_counts"] = rng.random() < 0.3
        options["voluntary_bust"] = rng.random() < 0.2
    if rng.random() < 0.25:
        missed = [rng.choice([0.0, 0.0, 0.2, 1.0]) for _ in range(players)]
        options["missed_draw_probability"] = missed
    options["deck"] = deck_that_hardly_ends(rng, players, hand_size)
    sizes = {"num_players": players, "hand_size": hand_size, "max_plays": PLAYS}
    return Rules.preset("1980", **sizes, **options)


def deck_that_hardly_ends(rng: random.Random, players: int, hand_size: int) -> dict[str, int]:
    size = min(players * hand_size + rng.choice([0, 0, 1, 2, 5, 20, 60]), 127)
    kinds = [*rng.sample(["1", "2", "5", "9", "10"], rng.randint(1, 3)), "ono99", "play_two"]
    stuck = min(size, max(1, round(rng.gauss(hand_size * (players - 1), 2))))
    others = rng.sample(["0", "reverse", "hold", *["minus_ten"] * 3], rng.randint(1, 3))
    cards = [*rng.choices(kinds, k=stuck), *rng.choices(others, k=size - stuck)]
    return {card: cards.count(card) for card in cards}


def ends_a_round(rules: Rules, rng: random.Random) -> bool:
    """Play some games, each seat by a bot drawn at random."""
    bots = [load_bot(name) for name in ("random", "highest", "lowest", "hoarder")]
    tables = Tables(rules, bots, GAMES)
    seeds = np.array([rng.getrandbits(60) for _ in range(GAMES)], np.uint64)
    holders = np.array([rng.choices(range(4), k=8) for _ in range(GAMES)])
    tables.deal(np.arange(GAMES), np.full(GAMES, rules.num_players), seeds, holders)
    games = tables.games
    return bool(((games["round_number"] > 1) | (games["plays"] < PLAYS)).any())


def test_every_refusal_is_a_proof() -> None:
    rng, refused = random.Random(1), 0
    for _ in range(RULES):
        rules = rules_that_hardly_end(rng)
        reason = reason_for_no_end(rules)
        if reason is not None and "no card from 1 to 10" not in reason:
            refused += 1
            assert not ends_a_round(rules, rng), (reason, rules)
    assert refused > RULES / 10
