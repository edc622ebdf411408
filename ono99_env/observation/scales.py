"""The scales of the observation: what counts are multiplied by, worked out once for some rules.

The record says also which features are written: compiled code gets it wherever it observes.
"""

from functools import lru_cache

import numpy as np

from ono99_env.jit.types import ScalesArray
from ono99_env.observation.chosen_features import PRESETS
from ono99_env.observation.chosen_vector import CHOICE, describe_choice
from ono99_env.observation.layout import (
    CARDS_HELD,
    CHIPS_HELD,
    NUMBER_ON_CARD,
    NUMBER_PARTS,
    OBSERVATION,
    OBSERVATION_SIZE,
)
from ono99_env.rules.cards import Card
from ono99_env.rules.rules import Rules

TOTAL_MARGIN = 80
"""How far all other players' busts can take the total over the limit (R17), and more."""

_USUAL_MOST_PLAYS = 200

SCALES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Factor of each entry of the vector (see layout.py); 1 for flags.
                ("entries", "f4", (OBSERVATION_SIZE,)),
                # Factors of the numbers that do not fit into bytes.
                ("per_total", "f4"),
                ("per_point", "f4"),
                ("per_play", "f4"),
                # Which features are written.
                ("choice", CHOICE),
            ],
            align=True,
        ),
    )
)
"""The scales of the observation under some rules."""


@lru_cache(maxsize=1024)  # programs may make any number of rules
def scales_array(rules: Rules, features: tuple[str, ...] = PRESETS["full"]) -> ScalesArray:
    """Return the length-1 `SCALES` array that compiled functions take; nobody may write to it.

    Args:
        rules: The rules of the game.
        features: What is written, as `resolve_features` returns it.
    """
    deck = np.array([rules.deck.get(card.label, 0) for card in Card], np.uint8)
    factors = np.ones(1, OBSERVATION)[0]
    factors.entries = 1
    factors.hand = factors.face_up_hands = factors.seats[:, CARDS_HELD] = 1 / rules.hand_size
    factors.seats[:, CHIPS_HELD] = 1 / max(rules.chips, 1)
    factors.discarded = factors.unseen = 1 / np.maximum(deck, 1)
    factors.recent_plays[..., NUMBER_ON_CARD] = 1 / (10 * NUMBER_PARTS)
    array = np.zeros(1, SCALES)
    scales = array[0]
    scales.entries = factors.entries
    scales.per_total = 1 / (rules.highest_total + TOTAL_MARGIN)
    scales.per_point = 1 / rules.target_points
    scales.per_play = 1 / (rules.max_plays or _USUAL_MOST_PLAYS)
    describe_choice(features, scales.choice)
    return array
