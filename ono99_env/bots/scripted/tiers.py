"""`tiers`: three ways to play, by how near the limit is.

- Below 60 it plays its highest number.
- From 60 to 84 too; without a number it plays a Play Two or a Reverse before a Hold or a 0.
- From 85 on it plays Minus Ten, then a Hold or a 0, then Play Two, then Reverse, then its lowest
  number.
- Owing two cards above 70 it answers by Reverse, else by Play Two (1980: by Hold).

A rule of thumb of cautious human players, and a lesson: in danger it spends the cards that always
fit while numbers still would, so it is stuck sooner than `highest`, the more so the more players
there are. The totals are for a limit of 98 and move with the limit.
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

_MIDDLE_FROM = 60
_DANGER_FROM = 85
_ANSWER_ABOVE = 70

_DEAD_WEIGHT = (Action.ONO99, Action.DISCARD_FOUR_ONO99)
_DESCENDING = tuple(range(Action.N10, Action.N0, -1))
_ASCENDING = _DESCENDING[::-1]
_PLAIN = (Action.HOLD, Action.N0)
_REVERSE, _PLAY_TWO, _MINUS_TEN = Action.REVERSE, Action.PLAY_TWO, Action.MINUS_TEN

_SAFE = tabulate_preference([*_DEAD_WEIGHT, *_DESCENDING, *_PLAIN, _REVERSE, _PLAY_TWO, _MINUS_TEN])
_MIDDLE = tabulate_preference(
    [*_DEAD_WEIGHT, *_DESCENDING, _PLAY_TWO, _REVERSE, *_PLAIN, _MINUS_TEN]
)
_DANGER = tabulate_preference(
    [*_DEAD_WEIGHT, _MINUS_TEN, *_PLAIN, _PLAY_TWO, _REVERSE, *_ASCENDING]
)
_ANSWER = tabulate_preference(
    [*_DEAD_WEIGHT, _REVERSE, _PLAY_TWO, Action.HOLD, _MINUS_TEN, Action.N0, *_ASCENDING]
)


@compiled
def choose_tiers(turn: Turn, rules: RulesRecord, random: Word) -> Whole:
    """Choose the first legal action in the order of the tier that the total is in."""
    total = danger_scale(turn, rules)
    if turn.plays_owed == 2 and total > _ANSWER_ABOVE:
        return choose_preferred(_ANSWER, turn, rules)
    if total >= _DANGER_FROM:
        return choose_preferred(_DANGER, turn, rules)
    if total >= _MIDDLE_FROM:
        return choose_preferred(_MIDDLE, turn, rules)
    return choose_preferred(_SAFE, turn, rules)
