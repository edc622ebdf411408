"""`highest`: dump the high numbers, keep the helpers.

It plays its highest legal number; with no legal number a Reverse, then a Play Two, then a Minus
Ten, which are worth most when the total is near the limit. What else there is comes last: Hold, the
discard of four ONO 99 cards, an ONO 99. A common rule of thumb of human players.
"""

from ono99_env.bots.scripted.preferences import choose_preferred, tabulate_preference
from ono99_env.bots.scripted.situation import Turn
from ono99_env.jit.compile import compiled
from ono99_env.jit.types import RulesRecord, Whole, Word
from ono99_env.rules.cards import Action

_PREFERENCE = tabulate_preference(
    [
        *range(Action.N10, Action.N0 - 1, -1),
        Action.REVERSE,
        Action.PLAY_TWO,
        Action.MINUS_TEN,
        Action.HOLD,
        Action.DISCARD_FOUR_ONO99,
        Action.ONO99,
    ]
)


@compiled
def choose_highest(turn: Turn, rules: RulesRecord, random: Word) -> Whole:
    """Choose the first legal action in order of preference."""
    return choose_preferred(_PREFERENCE, turn, rules)
