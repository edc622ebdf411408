"""`hoarder`: dump the high numbers, hoard the rest for the end, and spend it where it helps.

- With one card to play it takes its highest number; with none a card that adds 0: early in the
  round a plain one, and a Play Two once the total is high, when the next player can least afford
  it. Minus Ten stays in hand for last.
- Owing two cards at a high total, Minus Ten makes room for the second one; without it a Reverse or
  a Play Two (1980: a Hold) leaves the debt to others.

A common rule of thumb of human players; which specials go first was measured against `highest`.
"""

from ono99_env.bots.scripted.preferences import (
    choose_preferred,
    danger_scale,
    tabulate_preference,
)
from ono99_env.bots.scripted.situation import Turn
from ono99_env.jit.compile import compiled
from ono99_env.jit.types import RulesRecord, Whole, Word
from ono99_env.rules.cards import Action

_HIGH_TOTAL = 70

_NUMBERS = tuple(range(Action.N10, Action.N0, -1))
_DEAD_WEIGHT = (Action.ONO99, Action.DISCARD_FOUR_ONO99)
_MINUS_TEN, _PLAY_TWO, _REVERSE = Action.MINUS_TEN, Action.PLAY_TWO, Action.REVERSE
_EARLY = tabulate_preference(
    [*_DEAD_WEIGHT, *_NUMBERS, Action.HOLD, Action.N0, _REVERSE, _PLAY_TWO, _MINUS_TEN]
)
_LATE = tabulate_preference(
    [*_DEAD_WEIGHT, *_NUMBERS, _PLAY_TWO, Action.HOLD, Action.N0, _REVERSE, _MINUS_TEN]
)
_LATE_OWING_TWO = tabulate_preference(
    [*_DEAD_WEIGHT, _MINUS_TEN, _REVERSE, _PLAY_TWO, Action.HOLD, Action.N0, *_NUMBERS]
)


@compiled
def choose_hoarder(turn: Turn, rules: RulesRecord, random: Word) -> Whole:
    """Choose the first legal action in the order that fits the total and the obligation."""
    if danger_scale(turn, rules) < _HIGH_TOTAL:
        return choose_preferred(_EARLY, turn, rules)
    if turn.plays_owed == 2:
        return choose_preferred(_LATE_OWING_TWO, turn, rules)
    return choose_preferred(_LATE, turn, rules)
