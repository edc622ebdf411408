"""`lowest`: creep up on the limit, a weak baseline.

It plays its lowest legal number, so it keeps the high ones, which nobody can play near the limit;
with no legal number a Hold, Reverse, Play Two or Minus Ten. It is what a beginner does who wants
to keep the total down.
"""

from ono99_env.bots.scripted.preferences import choose_preferred, tabulate_preference
from ono99_env.bots.scripted.situation import Turn
from ono99_env.jit.compile import compiled
from ono99_env.jit.types import RulesRecord, Whole, Word
from ono99_env.rules.cards import Action

_PREFERENCE = tabulate_preference(
    [
        *range(Action.N0, Action.N10 + 1),
        Action.HOLD,
        Action.REVERSE,
        Action.PLAY_TWO,
        Action.MINUS_TEN,
        Action.DISCARD_FOUR_ONO99,
        Action.ONO99,
    ]
)


@compiled
def choose_lowest(turn: Turn, rules: RulesRecord, random: Word) -> Whole:
    """Choose the first legal action in order of preference."""
    return choose_preferred(_PREFERENCE, turn, rules)
