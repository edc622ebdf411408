"""One table as an object: play a game, read it, save it."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np

from ono99_env.engine import batch
from ono99_env.engine.records import STATE, counts_from_pile, rules_array
from ono99_env.game import game_loop, game_records, snapshots
from ono99_env.game.legality import action_id, illegal_action_error, may_take
from ono99_env.game.play import Play
from ono99_env.game.readable_game import CURRENT_PLAYER, OFFSETS, ReadableGame
from ono99_env.jit.types import RulesArray, States
from ono99_env.messages.errors import IllegalActionError
from ono99_env.messages.values import is_whole_number
from ono99_env.observation.views import Views
from ono99_env.rules.cards import Action, Card
from ono99_env.rules.rules import Rules

_RANDOM = -1

_ACTIONS, _CARDS = list(Action), list(Card)
"""By id: to index is five times as fast as to call the class."""


class Game(ReadableGame):
    """A game of ONO 99 from the deal to the last card.

    Args:
        rules: The rules; default: the 2022 edition with four players.
        seed: Everything chance decides follows from it, 0 to 2**64 - 1.
        draws: Cards that are dealt first, in dealing order (one card at a time, clockwise from the
            dealer's left); the game's own generator continues from there.
        dealer: Who deals the first round; default: as the rules say.

    Raises:
        ValueError: If `draws` names a card that is not left in the draw pile, the seed is out of
            range, or there is no such dealer.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        seed: int = 0,
        *,
        draws: Iterable[Card | str] | None = None,
        dealer: int | None = None,
    ) -> None:
        self.rules = Rules() if rules is None else rules
        if not isinstance(self.rules, Rules):
            raise ValueError(f"rules must be Rules, such as Rules.preset('2022'), not {rules!r}")
        if not is_whole_number(seed) or not 0 <= seed < 2**64:
            raise ValueError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")
        self.seed = int(seed)
        self.history, self.forfeiter, self._start = [], None, None
        self._open(np.zeros(game_loop.MEMORY_SIZE, np.int8))
        first_rules = self._rules_array if dealer is None else _dealt_by(self.rules, dealer)
        batch.start_game(self._games, first_rules, np.uint64(seed))
        self.initial_dealer = self._bytes[OFFSETS["dealer"]]
        self.initial_draws = self._deal_due_cards(self._games, draws)

    def views(self, seat: int | None = None) -> Views:
        """Return what one seat may know, as the batch of one that bots take.

        Args:
            seat: The observer; default: the player to act.

        Raises:
            ValueError: If there is no such seat, or none is given and the game is over.
        """
        observer = self.current_player if seat is None else seat
        if (
            observer is None
            or not is_whole_number(observer)
            or not 0 <= observer < self.num_players
        ):
            raise ValueError(f"seat must be from 0 to {self.num_players - 1}, not {observer}")
        return Views.of(self.rules, self._games, np.array([observer]))

    def play(
        self,
        action: Action | int,
        *,
        missed_draw: bool | None = None,
        draws: Iterable[Card | str] | None = None,
    ) -> Play:
        """Play an action for the current player.

        Args:
            action: A legal action.
            missed_draw: Whether the replacement draw is missed (R20); by default chance decides,
                as ``rules.missed_draw_probability`` says.
            draws: Cards that are dealt first as a consequence, in order; the game's own generator
                continues from there.

        Returns:
            What happened, with every card that was dealt.

        Raises:
            IllegalActionError: If the action is not legal, or the game is over. Nothing is changed.
            ValueError: If `draws` names a card that is not in the draw pile. Nothing is changed.
        """
        if missed_draw is not None or draws is not None:
            return self._play_given(self._checked(action), missed_draw, draws)
        known, seat = action_id(action), self._bytes[CURRENT_PLAYER]
        if known is None:
            raise self._illegal(action)
        num_dealt = game_loop.play(self._memory, self._rules_memory, known)
        if num_dealt == game_loop.ILLEGAL:
            raise self._illegal(action)
        is_missed = num_dealt >= game_loop.MISSED_DRAW
        if is_missed:
            num_dealt -= game_loop.MISSED_DRAW
        played = Play(seat, _ACTIONS[known], is_missed, self._dealt_cards(num_dealt))
        self.history.append(played)
        return played

    def forfeit(self) -> None:
        """Let the current player give up the game: it loses, the others still in it share the win.

        Raises:
            IllegalActionError: If the game is over.
        """
        seat = self.current_player
        if seat is None:
            raise IllegalActionError("the game is over; nobody can give it up")
        batch.forfeit_games(self._games, np.zeros(1, np.int64))
        self.forfeiter = seat

    def snapshot(self) -> dict[str, Any]:
        """Return the whole game as JSON-serialisable data; the keys are in `snapshot_format.py`."""
        return snapshots.to_snapshot(self.rules, self._games)

    @classmethod
    def from_snapshot(cls, snapshot: dict[str, Any]) -> Self:
        """Restore a game; it continues exactly as the saved one would.

        Raises:
            SnapshotError: If the snapshot is not a possible game; the message says what is wrong.
        """
        rules, games = snapshots.from_snapshot(snapshot)
        game = cls(rules)
        game._games[:] = games
        game.initial_dealer, game.initial_draws = int(games[0].dealer), ()
        game._start = game._memory.copy()
        return game

    @property
    def start(self) -> dict[str, Any] | None:
        """The snapshot that a restored game began from; None if it began with a deal."""
        if self._start is None:
            return None
        return snapshots.to_snapshot(self.rules, self._start[: game_loop.DEALT].view(STATE))

    def rewound(self) -> Self:
        """Return an independent game at the beginning of this one, before its first play.

        Chance goes its own way there: give `play` the cards of `history` to see the same again.
        """
        if self._start is not None:
            return type(self).from_snapshot(self.start or {})
        return type(self)(
            self.rules, self.seed, draws=self.initial_draws, dealer=self.initial_dealer
        )

    def record(self, names: Sequence[str] | None = None) -> dict[str, Any]:
        """Return how the game went, as JSON-serialisable data; the keys are in `Record`.

        Args:
            names: What the players are called, by seat.
        """
        return game_records.to_record(self, names)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return the game of a record, which is checked by playing it.

        Raises:
            RecordError: If it is not a possible game; the message says where it is wrong.
        """
        return game_records.play_record(record, cls)

    def _play_given(
        self, action: Action, missed_draw: bool | None, draws: Iterable[Card | str] | None
    ) -> Play:
        """Play a legal action with chance that is given, as far as it is."""
        # Only cards that are named can turn out not to be there, and then nothing may change.
        games = self._games if draws is None else self._games.copy()
        seat = self._bytes[CURRENT_PLAYER]
        batch.begin_action(games, self._rules_array, int(action))
        if missed_draw is None:
            missed_draw = bool(batch.draw_is_missed(games, self._rules_array))
        if missed_draw:
            games["draws_due"] = 0
        drawn = self._deal_due_cards(games, draws)
        if games is not self._games:
            self._games[:] = games
        played = Play(seat, action, missed_draw, drawn)
        self.history.append(played)
        return played

    def _checked(self, action: Any) -> Action:
        known = action_id(action)
        if known is None or not may_take(self.state, known):
            raise self._illegal(action)
        return _ACTIONS[known]

    def _illegal(self, action: Any) -> IllegalActionError:
        if self.is_over:
            return IllegalActionError(f"the game is over; action {action!r} cannot be played")
        return illegal_action_error(self.state, self.rules, action)

    def _dealt_cards(self, num_dealt: int) -> tuple[Card, ...]:
        """Return the cards of the last compiled call, and those that did not fit into one."""
        first, cards = game_loop.DEALT, self._bytes
        if num_dealt == 1:  # nearly always: to build a tuple from a slice takes three times as long
            return (_CARDS[cards[first]],)
        dealt = [_CARDS[card] for card in cards[first : first + num_dealt]]
        while num_dealt == game_loop.MOST_DEALT:
            num_dealt = game_loop.deal_due_cards(self._memory, self._rules_memory)
            dealt += [_CARDS[card] for card in cards[first : first + num_dealt]]
        return tuple(dealt)

    def _deal_due_cards(
        self, games: States, draws: Iterable[Card | str] | None
    ) -> tuple[Card, ...]:
        """Deal until a player must act, given cards first; return all cards dealt."""
        if draws is None and games is self._games:
            return self._dealt_cards(game_loop.deal_due_cards(self._memory, self._rules_memory))
        given = iter([_as_card(card) for card in draws or ()])
        dealt: list[Card] = []
        while batch.needs_card(games, self._rules_array):
            card = next(given, None)
            if card is not None and counts_from_pile(games[0].draw_pile)[card] == 0:
                raise ValueError(f"draws: no {card.label} is left in the draw pile")
            dealt.append(Card(batch.deal(games, _RANDOM if card is None else int(card))))
        left_over = [card.label for card in given]
        if left_over:
            raise ValueError(
                f"draws: {', '.join(left_over)} were given but no card is due any more"
            )
        return tuple(dealt)


def _dealt_by(rules: Rules, dealer: int) -> RulesArray:
    """Return rules by which a seat deals the first round.

    Raises:
        ValueError: If there is no such seat.
    """
    if not is_whole_number(dealer) or not 0 <= dealer < rules.num_players:
        raise ValueError(f"dealer must be a seat from 0 to {rules.num_players - 1}, not {dealer!r}")
    return rules_array(rules.model_copy(update={"dealer": int(dealer)}))


def _as_card(card: Card | str) -> Card:
    return card if isinstance(card, Card) else Card.from_label(card)
