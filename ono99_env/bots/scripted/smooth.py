"""`smooth`: blend two ways to play, far from the limit and near it, by the running total.

Every card has two scores, one for a total far from the limit (calm) and one for a total near it
(danger); a logistic function of the total weighs the two. So there are no thresholds: special cards
are kept more the nearer the limit is. Cards that answer a Play Two gain when one is owed. The ideas
are those of `hoarder` and `tiers`, rules of thumb of human players; the numbers were tuned by an
evolution strategy (CMA-ES, Hansen 2016, arXiv:1604.00772) in games against `highest` under both
editions.
"""

import numpy as np

from ono99_env.bots.scripted.preferences import (
    NONE,
    cards_within_limit,
    choose_bust,
    danger_scale,
)
from ono99_env.bots.scripted.situation import Turn
from ono99_env.engine import words
from ono99_env.jit.compile import compiled
from ono99_env.jit.types import RulesRecord, Whole, Word
from ono99_env.rules.cards import Action, Card

_NUM_CARDS = len(Card)
_PLAY_TWO = int(Card.PLAY_TWO)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)

_CENTER = 92.8
"""The total at which calm and danger count the same, for a limit of 98."""
_WIDTH = 6.09
"""How slowly one passes into the other."""

_PIP_SCORES = (0.854, 2.95, 0.0)
"""For each pip of a number from 1 to 10: its score when calm, in danger, and owing two cards."""
_SPECIAL_SCORES = {
    Card.HOLD: (0.344, 1.69, -2.49),
    Card.N0: (-2.49, 0.994, 3.04),
    Card.REVERSE: (-6.36, -7.01, 23.6),
    Card.PLAY_TWO: (-3.78, -1.23, 1.24),
    Card.MINUS_TEN: (-0.589, -8.97, 54.6),
    Card.ONO99: (100.0, 100.0, 0.0),
}
"""The same for the other cards; an ONO 99 is dead weight, to be played as soon as it may be."""
_HEADS_UP_PLAY_TWO = -0.739
"""What a Play Two gains when only two players are left."""

_CALM, _DANGER, _OBLIGED = np.array(
    [_SPECIAL_SCORES.get(card, tuple(card * score for score in _PIP_SCORES)) for card in Card]
).T.copy()


@compiled
def choose_smooth(turn: Turn, rules: RulesRecord, random: Word) -> Whole:
    """Choose the card of the highest score."""
    if turn.may_discard_four:
        return np.int64(_DISCARD_FOUR)
    danger = 1 / (1 + np.exp((_CENTER - danger_scale(turn, rules)) / _WIDTH))
    obliged = danger * (turn.plays_owed == 2)
    cards = cards_within_limit(turn, rules)
    best, best_score = np.int64(NONE), -np.inf
    for card in range(_NUM_CARDS):
        score = (1 - danger) * _CALM[card] + danger * _DANGER[card] + obliged * _OBLIGED[card]
        if card == _PLAY_TWO and turn.players_left == 2:
            score += _HEADS_UP_PLAY_TWO
        if words.count_in_hand(cards, card) != 0 and score > best_score:
            best, best_score = np.int64(card), score
    return choose_bust(turn) if best == NONE else best
