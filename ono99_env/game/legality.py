"""Legal actions as Python objects, and why another action is not legal."""

import operator
from functools import lru_cache
from typing import Any, Literal, get_args

from ono99_env.engine.records import counts_from_hand
from ono99_env.jit.types import State
from ono99_env.messages.errors import IllegalActionError
from ono99_env.messages.suggestions import did_you_mean
from ono99_env.rules.cards import NUM_ACTIONS, Action, Card
from ono99_env.rules.rules import Rules

OnIllegal = Literal["raise", "lose"]
"""What an illegal action does in an environment: raise an error, or lose the game."""

_PLAYS = [(Action(card), 0xF << (4 * card)) for card in Card]
"""Each play with the bits of its card in a word of four-bit counts."""


def check_on_illegal(illegal: str) -> None:
    """Refuse what is not one of `OnIllegal`.

    Raises:
        ValueError: If it is not.
    """
    known = get_args(OnIllegal)
    if illegal not in known:
        hint = did_you_mean(illegal, known)
        raise ValueError(f"illegal must be 'raise' or 'lose', not {illegal!r}{hint}")


def list_legal_actions(state: State) -> list[Action]:
    """Return the actions of the current player by action id; empty when nobody is to act."""
    # Fields by index: as attributes of a record they take ten times as long.
    return legal_among(int(state["legal_plays"]), state["may_discard_four"])


def legal_among(plays: int, may_discard_four: int) -> list[Action]:
    """Return the actions that two fields of a record of a game allow, by action id.

    Args:
        plays: Its ``legal_plays``.
        may_discard_four: Its ``may_discard_four``.
    """
    actions = list(_plays_of(plays))
    if may_discard_four:
        actions.append(Action.DISCARD_FOUR_ONO99)
    return actions


@lru_cache(maxsize=1 << 14)
def _plays_of(plays: int) -> tuple[Action, ...]:
    return tuple(action for action, count in _PLAYS if plays & count)


def may_take(state: State, action: int) -> bool:
    """Return whether the current player may take an action, 0 to 16; not when the game is over."""
    if action == Action.DISCARD_FOUR_ONO99:
        return bool(state["may_discard_four"])
    return bool(int(state["legal_plays"]) >> (4 * action) & 0xF)


def action_id(action: Any) -> int | None:
    """Return the id, 0 to 16, that a value stands for; None if it is not an action.

    Whole numbers of every kind are actions: Python's, NumPy's, and arrays without dimensions, which
    policies return. Truth values are not.
    """
    if isinstance(action, bool):
        return None
    try:
        index = operator.index(action)
    except TypeError:
        return None
    return index if 0 <= index < NUM_ACTIONS else None


def illegal_action_error(state: State, rules: Rules, action: Any) -> IllegalActionError:
    """Return the error for an action that is not legal: which, why, and what is legal."""
    legal = ", ".join(option.label for option in list_legal_actions(state))
    known = action_id(action)
    if known is None:
        return IllegalActionError(
            f"{action!r} is not an action; actions are integers from 0 to {NUM_ACTIONS - 1}, "
            f"and legal for seat {state.current_player} are: {legal}"
        )
    action = Action(known)
    return IllegalActionError(
        f"action {action.label} ({int(action)}) is illegal for seat {state.current_player}: "
        f"{why_illegal(state, rules, action)}; legal are: {legal}"
    )


def why_illegal(state: State, rules: Rules, action: Action) -> str:
    """Return why the current player may not take an action that is not legal.

    Args:
        state: The game's record, or what the current player may know of it.
        rules: The rules of the game.
        action: The action.
    """
    hand = counts_from_hand(state.hands[state.current_player])
    if action is Action.DISCARD_FOUR_ONO99:
        if rules.four_ono99_discard == "off":
            return "these rules have no discard of four ONO 99 cards (R12)"
        return f"it needs four ONO 99 cards, the hand has {hand[Card.ONO99]} (R12)"
    if hand[action] == 0:
        return "the hand does not hold that card"
    if action is Action.ONO99:
        return f"an ONO 99 card may not be played (R11: {rules.ono99_play})"
    if (
        action is Action.PLAY_TWO
        and state.plays_owed == 2
        and "play_two" not in rules.play_two_answers
    ):
        return "a Play Two may not be the first of two owed cards (R7)"
    total = int(state.total) + Card(int(action)).added
    return f"the total would be {total}, over the limit of {rules.highest_total} (R4)"
