"""One game with explicit chance: every card dealt is an outcome that the caller chooses.

The engine decides what is legal and what follows. This class stops it wherever chance or a player
decides, and records the events that information states are made of. It does not need OpenSpiel.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np

from ono99_env.bots.search.determinization import determinize
from ono99_env.engine import batch
from ono99_env.engine.records import (
    GAME_OVER,
    STATE,
    counts_from_hand,
    counts_from_pile,
    rules_array,
)
from ono99_env.game.legality import action_id, illegal_action_error, may_take
from ono99_env.jit.types import RulesArray, States, Word
from ono99_env.messages.errors import IllegalActionError
from ono99_env.openspiel.events import Event
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS, NUM_CARDS
from ono99_env.rules.rules import Rules

DEFAULT_MAX_PLAYS = 200
"""``max_plays`` of rules that have none: an OpenSpiel game needs a longest one. Not one round in
10,000 is that long, and the observation scales its count of plays the same way with and without."""

DRAWS, MISSES = NUM_CARDS, NUM_CARDS + 1
"""Outcomes of chance after those that name a card: the draw that is due is made, or missed."""

FIRST_DEALER = NUM_CARDS + 2
"""Outcome of chance that makes seat 0 the first dealer; the next ones are for the other seats."""

NUM_CHANCE_OUTCOMES = FIRST_DEALER + MAX_PLAYERS
"""Cards, `DRAWS`, `MISSES`, and dealers."""

_LEAST_ROUND_POINTS = 15
"""R18: who goes out has busted (25), holds an ONO 99 or a Double Play, or is a card short."""


class Decider(Enum):
    """Who decides next."""

    DEALER = "chance draws the first dealer (R2)"
    MISS = "chance decides whether the draw that is due is missed (R20)"
    CARD = "chance deals a card"
    PLAYER = "a player chooses an action"
    NOBODY = "the game is over"


@dataclass(frozen=True)
class BoundedRules:
    """Rules with a longest game, and what follows; equal rules share one (`BoundedRules.of`)."""

    rules: Rules
    """The rules; ``max_plays`` is always a number."""

    @classmethod
    def of(cls, rules: Rules) -> "BoundedRules":
        """Return the setup for some rules; `DEFAULT_MAX_PLAYS` replaces no limit (R22)."""
        return _setup(rules)

    @cached_property
    def rules_by_dealer(self) -> list[RulesArray]:
        """The engine's rules, for each first dealer."""
        seats = range(self.rules.num_players)
        return [rules_array(self.rules.model_copy(update={"dealer": seat})) for seat in seats]

    @cached_property
    def missed_draws(self) -> tuple[float, ...]:
        """How likely each seat misses a draw, as exactly as the engine has it."""
        return tuple(each / 2**32 for each in rules_array(self.rules)[0].missed_draw.tolist())

    @property
    def most_plays(self) -> int:
        """The most plays in a round."""
        return self.rules.max_plays or DEFAULT_MAX_PLAYS

    @property
    def most_rounds(self) -> int:
        """The most rounds in a match (R14): each costs somebody a chip, or points."""
        rules, seats = self.rules, self.rules.num_players
        if rules.has_points:
            return seats * rules.target_points // _LEAST_ROUND_POINTS + 1
        return seats * (rules.chips + 1) - 1 if rules.format == "chips" else 1

    def __reduce__(self) -> tuple[Any, tuple[Rules]]:
        """Pickle the rules alone."""
        return _setup, (self.rules,)


@lru_cache(maxsize=1024)  # programs may make any number of rules
def _setup(rules: Rules) -> BoundedRules:
    return BoundedRules(
        rules.model_copy(update={"max_plays": rules.max_plays or DEFAULT_MAX_PLAYS})
    )


class OpenTable:
    """A game that stops where chance or a player decides.

    Args:
        setup: The rules.
    """

    __slots__ = ("begins_in_view", "decider", "events", "games", "setup")

    def __init__(self, setup: BoundedRules) -> None:
        self.setup = setup
        self.games: States = np.zeros(1, STATE)
        """The engine's record; all zeros until the first dealer is known."""
        self.events: tuple[Event, ...] = ()
        """Everything that has happened so far."""
        self.decider = Decider.DEALER
        self.begins_in_view = False
        """Whether the game was set up in mid-play, so that nothing earlier is known."""
        if setup.rules.dealer != "random":
            self._start(setup.rules.dealer)

    @classmethod
    def in_view(cls, setup: BoundedRules, view: States, seed: int) -> Self:
        """Return a game that begins where a seat is to act; cards it does not see are dealt.

        Args:
            setup: The rules.
            view: What the seat sees, a redacted record in a length-1 array.
            seed: Randomness of the deal, 0 to 2**64 - 1.
        """
        table = cls.__new__(cls)
        table.setup, table.decider, table.begins_in_view = setup, Decider.PLAYER, True
        table.games, table.events = view.copy(), ()
        determinize(table.games, np.array([seed], np.uint64))
        table.games["random_counter"][0] = 0
        batch.refresh_legal_actions(table.games, table._rules)
        table._note_round()
        for seat in range(setup.rules.num_players):
            cards = _cards_of(table.games["hands"][0, seat])
            table._note(Event("draw", seat, numbers=cards))
        return table

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return an independent copy, which shares what never changes."""
        copy = type(self).__new__(type(self))
        copy.setup, copy.events, copy.decider = self.setup, self.events, self.decider
        copy.games, copy.begins_in_view = self.games.copy(), self.begins_in_view
        return copy

    @property
    def player(self) -> int:
        """The seat to act; undefined unless a player decides next."""
        return int(self.games["current_player"][0])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.decider is Decider.NOBODY

    @property
    def is_chance(self) -> bool:
        """Whether chance decides next."""
        return self.decider in (Decider.DEALER, Decider.MISS, Decider.CARD)

    def legal_actions(self) -> list[int]:
        """Return what the player to act may do, in order of action id."""
        masks = np.empty((1, NUM_ACTIONS), np.int8)
        batch.fill_action_masks(self.games, masks)
        return np.flatnonzero(masks[0]).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may do, in order of outcome, each with its probability."""
        if self.decider is Decider.DEALER:
            seats = self.setup.rules.num_players
            return [(FIRST_DEALER + seat, 1 / seats) for seat in range(seats)]
        if self.decider is Decider.MISS:
            missed = self.setup.missed_draws[self._receiver]
            return [(DRAWS, 1 - missed), (MISSES, missed)]
        counts = counts_from_pile(self.games["draw_pile"][0])
        size = int(counts.sum())
        return [(int(card), int(counts[card]) / size) for card in np.flatnonzero(counts)]

    def returns(self) -> list[float]:
        """Return what each seat has won or lost: zeros until the game is over."""
        returns = np.zeros((1, MAX_PLAYERS))
        if self.is_over:
            batch.fill_returns(self.games, returns)
        by_seat: list[float] = returns[0, : self.setup.rules.num_players].tolist()
        return by_seat

    def check(self, outcome: int) -> None:
        """Refuse what chance or the player to act may not do now.

        Raises:
            IllegalActionError: Naming what is possible.
        """
        if self.decider is Decider.PLAYER:
            if action_id(outcome) is None or not may_take(self.games[0], outcome):
                raise illegal_action_error(self.games[0], self.setup.rules, outcome)
            return
        if self.is_over:
            raise IllegalActionError(f"the game is over: {outcome} cannot be applied")
        possible = [each for each, probability in self.chance_outcomes() if probability > 0]
        if outcome not in possible:
            raise IllegalActionError(
                f"{outcome} is not a possible outcome: {self.decider.value}, and possible are: "
                f"{', '.join(map(str, possible))}"
            )

    def apply(self, outcome: int) -> None:
        """Let chance or the player to act decide.

        Args:
            outcome: One of `chance_outcomes` or `legal_actions`; see `check`.
        """
        if self.decider is Decider.PLAYER:
            self._play(outcome)
        elif self.decider is Decider.CARD:
            seat = self._receiver
            batch.deal(self.games, outcome)
            self._note(Event("draw", seat, numbers=(outcome,)))
            self._advance()
        elif self.decider is Decider.MISS:
            if outcome == MISSES:
                self.games["draws_due"][0] = 0
                self._note(Event("missed", self._receiver))
            self._advance()
        else:
            self._start(outcome - FIRST_DEALER)

    @property
    def _receiver(self) -> int:
        """The seat that is due a card; the turn has already moved on from it."""
        return int(self.games["receiver"][0])

    @property
    def _rules(self) -> RulesArray:
        return self.setup.rules_by_dealer[0]  # the first dealer matters at the start alone

    def _note(self, event: Event) -> None:
        self.events += (event,)

    def _start(self, dealer: int) -> None:
        batch.start_game(self.games, self.setup.rules_by_dealer[dealer], np.uint64(0))
        self._note_round()
        self._advance()

    def _play(self, action: int) -> None:
        seat = self.player
        batch.begin_action(self.games, self._rules, action)
        busted = int(self.games["busted"][0]) >> seat & 1
        self._note(Event("bust" if busted else "play", seat, action))
        missed = self.setup.missed_draws[seat]
        self.decider = Decider.MISS
        if missed == 0:
            self._advance()
        elif missed == 1:
            self.apply(MISSES)

    def _advance(self) -> None:
        """Advance to the next decision; note who goes out and whether a new round begins."""
        in_round, number = int(self.games["in_round"][0]), int(self.games["round_number"][0])
        needs_card = batch.needs_card(self.games, self._rules)
        if self.games["round_number"][0] != number:
            self._note_round()
        else:
            self._note_out(in_round & ~int(self.games["in_round"][0]))
        if needs_card:
            self.decider = Decider.CARD
        else:
            has_ended = self.games["phase"][0] in GAME_OVER
            self.decider = Decider.NOBODY if has_ended else Decider.PLAYER

    def _note_round(self) -> None:
        rules, standing = self.setup.rules, self.games["chips"][0]
        if rules.has_points:
            standing = self.games["points"][0]
        numbers = () if rules.format == "single_round" else standing[: rules.num_players].tolist()
        self._note(Event("round", int(self.games["dealer"][0]), numbers=tuple(numbers)))

    def _note_out(self, seats: int) -> None:
        """R6: note the players who have gone out, and their hands if these are face up."""
        for seat in range(self.setup.rules.num_players):
            if seats >> seat & 1:
                shown = self.games["eliminated_face_up"][0]
                hand = _cards_of(self.games["hands"][0, seat]) if shown else ()
                self._note(Event("out", seat, numbers=hand))


def _cards_of(hand: Word) -> tuple[int, ...]:
    """Return the cards of a hand word, sorted."""
    return tuple(np.repeat(np.arange(NUM_CARDS), counts_from_hand(hand)).tolist())
