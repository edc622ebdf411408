"""The events of a game, and how much of them one seat sees (R21).

A seat that remembers every event it has seen has perfect recall: everything else it may know, such
as the total or the unseen cards, follows from the events.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from ono99_env.rules.cards import Action, Card

Kind = Literal["round", "draw", "play", "bust", "missed", "out"]

KINDS: tuple[Kind, ...] = ("round", "draw", "play", "bust", "missed", "out")
"""Every kind of event, in the order of the information-state tensor."""


class Event(NamedTuple):
    """One event.

    - ``round``: a round begins; the seat deals, `numbers` are the chips or points of all seats.
    - ``draw``: the seat was dealt the cards in `numbers`.
    - ``play``, ``bust``: the seat chose the action `action`, within the limit or over it.
    - ``missed``: the seat missed the draw that was due (R20).
    - ``out``: the seat went out; `numbers` are the cards of its hand if that lies face up (R6).
    """

    kind: Kind
    seat: int
    action: int = 0
    numbers: tuple[int, ...] = ()


def seen_by(events: Iterable[Event], observer: int) -> list[Event]:
    """Return the events as one seat sees them.

    Args:
        events: Everything that happened, each card dealt an event of its own.
        observer: The seat.

    Returns:
        The same without the cards that others drew. Cards that the seat drew one after the other
        are one event, sorted: their order tells nothing.
    """
    seen: list[Event] = []
    for event in events:
        if event.kind != "draw":
            seen.append(event)
        elif event.seat == observer:
            if seen and seen[-1].kind == "draw":
                event = event._replace(numbers=tuple(sorted(seen.pop().numbers + event.numbers)))
            seen.append(event)
    return seen


def describe(events: Iterable[Event]) -> str:
    """Describe events, one after the other: ``"round dealt by 1 | 0 +5,hold | 0 hold"``."""
    return " | ".join(_DESCRIPTIONS[event.kind](event) for event in events)


def card_names(cards: Sequence[int]) -> str:
    """Return the names of card ids, joined by commas: ``"5,5,hold"``."""
    return ",".join(_CARD_NAMES[card] for card in cards)


def _describe_round(event: Event) -> str:
    standing = f" at {','.join(map(str, event.numbers))}" if event.numbers else ""
    return f"round dealt by {event.seat}{standing}"


_CARD_NAMES = [card.label for card in Card]
_ACTION_NAMES = [action.label for action in Action]
_DESCRIPTIONS: dict[Kind, Callable[[Event], str]] = {
    "round": _describe_round,
    "draw": lambda event: f"{event.seat} +{card_names(event.numbers)}",
    "play": lambda event: f"{event.seat} {_ACTION_NAMES[event.action]}",
    "bust": lambda event: f"{event.seat} {_ACTION_NAMES[event.action]}!",
    "missed": lambda event: f"{event.seat} missed",
    "out": lambda event: f"{event.seat} out {card_names(event.numbers)}".rstrip(),
}
