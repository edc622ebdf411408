"""`tiers`: three ways to play, by how near the limit is.

- Below 60 it dumps its highest number.
- From 60 to 84 too, but with no number it spends a Play Two or a Reverse first, no plain card.
- From 85 on it is in danger: Minus Ten, then the cards that add 0, then Play Two, then Reverse,
  then the lowest number.
- Owing two cards above 70 it answers: by Reverse, else by Play Two (1980: by Hold).

A rule of thumb of cautious human players, and a lesson: in danger it spends the cards that always
fit while numbers still would, so it is stuck sooner than `highest`, the more so the more players
there are. The totals are for a limit of 98 and move with the limit.
"""

from ono99_env.bots.scripted.preferences import danger_scale, preference, preferred
from ono99_env.bots.scripted.situation import Turn
from ono99_env.jit.compile import compiled
from ono99_env.jit.types import RulesRecord, Whole, Word
from ono99_env.rules.cards import Action

_MIDDLE_FROM = 60
_DANGER_FROM = 85
_ANSWER_ABOVE = 70

_DEAD_WEIGHT = (Action.ONO99, Action.DISCARD_FOUR_ONO99)
_DESCENDING = tuple(range(Action.N10, Action.N0, -1))
_ASCENDING = _DESCENDING[::-1]
_PLAIN = (Action.HOLD, Action.N0)

_SAFE = preference(
    [
        *(*_DEAD_WEIGHT, *_DESCENDING, *_PLAIN),
        *(Action.REVERSE, Action.PLAY_TWO, Action.MINUS_TEN),
    ]
)
_MIDDLE = preference(
    [
        *(*_DEAD_WEIGHT, *_DESCENDING, Action.PLAY_TWO, Action.REVERSE),
        *(*_PLAIN, Action.MINUS_TEN),
    ]
)
_DANGER = preference(
    [
        *(*_DEAD_WEIGHT, Action.MINUS_TEN, *_PLAIN),
        *(Action.PLAY_TWO, Action.REVERSE, *_ASCENDING),
    ]
)
_ANSWER = preference(
    [
        *(*_DEAD_WEIGHT, Action.REVERSE, Action.PLAY_TWO, Action.HOLD),
        *(Action.MINUS_TEN, Action.N0, *_ASCENDING),
    ]
)


@compiled
def choose_tiers(turn: Turn, rules: RulesRecord, random: Word) -> Whole:
    """Choose the first legal action in the order of the tier that the total is in."""
    total = danger_scale(turn, rules)
    if turn.plays_owed == 2 and total > _ANSWER_ABOVE:
        return preferred(_ANSWER, turn, rules)
    if total >= _DANGER_FROM:
        return preferred(_DANGER, turn, rules)
    if total >= _MIDDLE_FROM:
        return preferred(_MIDDLE, turn, rules)
    return preferred(_SAFE, turn, rules)
