"""Resample games that look the same to one seat: deal hidden cards again, from the round's start.

OpenSpiel keeps a game as its history, so the cards that other seats drew must be given in order and
fit what is known: a card that was played must have been drawn before, from the draw pile of that
time (R5), and a player who went out must still go out. First every card that left a hidden hand
face up is assigned to one of the draws of that hand, then the unseen cards go to the other draws at
random. If the draw pile was never reshuffled, all games that fit are equally likely. What the
others' choices tell about their hands is not used. A game that contradicts the record is dropped,
and another one is tried.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ono99_env.engine.records import counts_from_pile
from ono99_env.openspiel.events import Event, seen_by
from ono99_env.openspiel.open_table import BoundedRules, Decider, OpenTable
from ono99_env.rules.cards import Action, Card

MOST_TRIES = 10_000
"""The most games to try; almost always one of the first fits."""

Sampler = Callable[[], float]
"""Gives random numbers from 0 up to 1."""


@dataclass(frozen=True)
class _Draw:
    """A hidden card that was dealt in the present round."""

    place: int
    """Where it is in the history."""
    seat: int
    shuffle: int
    """How often the discard pile had been reshuffled."""


@dataclass(frozen=True)
class _Shown:
    """Cards that left a hidden hand, or were laid out, for all to see."""

    seat: int
    cards: tuple[int, ...]


@dataclass
class _Round:
    """The present round as one seat knows it."""

    steps: list[_Draw | _Shown] = field(default_factory=list)
    unseen: list[Counter[int]] = field(default_factory=list)
    """The cards of each shuffle that the seat did not draw itself."""


def resampled_history(
    table: OpenTable, history: Sequence[int], observer: int, sampler: Sampler
) -> list[int]:
    """Return the history of a random game that one seat cannot tell from the present one.

    Args:
        table: The game.
        history: Its outcomes and actions from the beginning.
        observer: The seat.
        sampler: Random numbers from 0 up to 1.

    Raises:
        RuntimeError: If no game was found that fits. Only hands that go out face down, one after
            the other, make that likely.
    """
    seen = seen_by(table.events, observer)
    known = _known_round(table.setup, history, observer)
    for _ in range(MOST_TRIES):
        dealt = _deal_again(known, sampler)
        if dealt is not None:
            outcomes = [dealt.get(place, outcome) for place, outcome in enumerate(history)]
            if _leads_to(seen, table.setup, outcomes, observer):
                return outcomes
    raise RuntimeError(
        f"no other game was found, in {MOST_TRIES} tries, that looks the same to seat {observer}"
    )


def _known_round(setup: BoundedRules, history: Sequence[int], observer: int) -> _Round:
    """Replay the game, and note what the observer knows of the present round."""
    table, known = OpenTable(setup), _Round()
    for place, outcome in enumerate(history):
        if table.events[-1:] and table.events[-1].kind == "round":
            known = _Round()
        if table.decider is Decider.CARD:
            _note_draw(known, table, place, outcome, observer)
        elif table.decider is Decider.PLAYER and table.player != observer:
            four = outcome == Action.DISCARD_FOUR_ONO99
            cards = 4 * (int(Card.ONO99),) if four else (outcome,)
            known.steps.append(_Shown(table.player, cards))
        before = len(table.events)
        table.apply(outcome)
        for event in table.events[before:]:
            if event.kind == "out" and event.seat != observer:
                known.steps.append(_Shown(event.seat, event.numbers))
    return known


def _note_draw(known: _Round, table: OpenTable, place: int, card: int, observer: int) -> None:
    shuffle = int(table.games["reshuffles"][0])
    if shuffle == len(known.unseen):
        counts = counts_from_pile(table.games["draw_pile"][0]).tolist()
        known.unseen.append(Counter(dict(enumerate(counts))))
    seat = int(table.games["receiver"][0])
    if seat == observer:
        known.unseen[shuffle][card] -= 1
    else:
        known.steps.append(_Draw(place, seat, shuffle))


def _deal_again(known: _Round, sampler: Sampler) -> dict[int, int] | None:
    """Return a card for every hidden draw, by place in the history, or None at a dead end."""
    unseen = [Counter(each) for each in known.unseen]
    hands: defaultdict[int, list[_Draw]] = defaultdict(list)
    dealt: dict[int, int] = {}
    for step in known.steps:
        if isinstance(step, _Draw):
            hands[step.seat].append(step)
            continue
        for card in step.cards:
            hand = hands[step.seat]
            weights = [unseen[each.shuffle][card] / unseen[each.shuffle].total() for each in hand]
            if sum(weights) == 0:
                return None
            draw = hand.pop(_choose(weights, sampler))
            unseen[draw.shuffle][card] -= 1
            dealt[draw.place] = card
    for draw in (draw for hand in hands.values() for draw in hand):
        cards = list(unseen[draw.shuffle])
        card = cards[_choose([unseen[draw.shuffle][each] for each in cards], sampler)]
        unseen[draw.shuffle][card] -= 1
        dealt[draw.place] = card
    return dealt


def _choose(weights: Sequence[float], sampler: Sampler) -> int:
    """Return a random index, each as likely as its weight says."""
    left = sampler() * sum(weights)
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    return max(index for index, weight in enumerate(weights) if weight > 0)


def _leads_to(
    seen: Sequence[Event], setup: BoundedRules, outcomes: Sequence[int], observer: int
) -> bool:
    """Return whether a game is possible and looks to the observer as it should."""
    table = OpenTable(setup)
    for outcome in outcomes:
        if table.is_chance:
            possible = [each for each, _ in table.chance_outcomes()]
        else:
            possible = table.legal_actions()
        if outcome not in possible:
            return False
        table.apply(outcome)
    return seen_by(table.events, observer) == seen
