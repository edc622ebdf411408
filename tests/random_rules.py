"""Random rules, so that every option meets every other one."""

import random

from ono99_env import Rules
from tests.reference.cards import CARDS

EDITIONS = {"2022": 6, "1980": 8}
FORMATS = ["single_round", "chips", "points_last_standing", "points_lowest"]
CHOICES = {
    "reverse_deflects_heads_up": [True, False],
    "ono99_play": ["never", "total_ends_in_zero", "total_is_zero"],
    "four_ono99_discard": ["as_play", "then_play", "off"],
    "stuck_round_winner": ["last_to_play", "last_remaining"],
    "eliminated_hands": ["face_up", "face_down"],
    "keep_top_discard": [True, False],
    "next_dealer": ["rotate", "loser_starts"],
    "lowest_total": [0, None, -10, -25],
    "play_two_answers": [
        [],
        ["reverse"],
        ["hold"],
        ["play_two"],
        ["reverse", "play_two"],
        ["reverse", "hold"],
        ["reverse", "play_two", "hold"],
    ],
    "target_points": [40, 100, 200],
    "chips": [0, 1, 2, 3],
}


def random_rules(rng: random.Random) -> Rules:
    """Draw valid rules: a preset with about half of its options replaced."""
    edition = rng.choice(list(EDITIONS))
    players = rng.randint(2, EDITIONS[edition])
    options = {name: rng.choice(values) for name, values in CHOICES.items() if rng.random() < 0.5}
    options["format"] = rng.choice(FORMATS)
    if options["format"].startswith("points"):
        options["bust_counts"] = rng.random() < 0.4
        options["voluntary_bust"] = rng.random() < 0.4
    if rng.random() < 0.5:
        options["hand_size"] = rng.randint(1, 6)
    if rng.random() < 0.4:
        options["deck"] = random_deck(rng, players * options.get("hand_size", 4))
    if rng.random() < 0.4:
        options["highest_total"] = rng.choice([9, 20, 45, 99])
    if rng.random() < 0.3:
        options["max_plays"] = rng.choice([1, 5, 20, 60])
    options["missed_draw_probability"] = random_missed_draws(rng, players)
    options["dealer"] = rng.choice(["random", rng.randrange(players)])
    try:
        return Rules.preset(edition, num_players=players, **options)
    except ValueError as error:
        if "may never end" not in str(error):
            raise
        return Rules.preset(edition, num_players=players, **options, max_plays=60)


def random_deck(rng: random.Random, dealt: int) -> dict[str, int]:
    """Draw a deck of few different cards that is just enough for the deal or somewhat larger."""
    names = rng.sample(CARDS, rng.randint(2, len(CARDS)))
    if rng.random() < 0.5:
        names += ["ono99"] * 4
    deck: dict[str, int] = {}
    for _ in range(dealt + rng.choice([0, 1, 4, 30])):
        name = rng.choice(names)
        deck[name] = deck.get(name, 0) + 1
    return deck


def random_missed_draws(rng: random.Random, players: int) -> float | list[float]:
    """Draw a probability, mostly 0, for the whole table or one for each seat."""
    if rng.random() < 0.7:
        return 0.0
    if rng.random() < 0.5:
        return 0.1
    return [rng.choice([0.0, 0.1, 0.5]) for _ in range(players)]
