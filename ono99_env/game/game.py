"""One table as an object: play a game, read it, save it."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import batch
from ono99_env.engine.records import GAME_OVER, STATE, TRUNCATED, counts_from_pile, rules_array
from ono99_env.game import game_loop, snapshots
from ono99_env.game.legality import action_id, illegal_action_error, legal_among, may_take
from ono99_env.jit.types import State, States
from ono99_env.messages.errors import IllegalActionError
from ono99_env.messages.values import is_whole_number
from ono99_env.observation.views import Views
from ono99_env.rules.cards import Action, Card
from ono99_env.rules.rules import Rules

_RANDOM = -1

_OFFSETS = {name: field[1] for name, field in (STATE.fields or {}).items()}
_PHASE, _CURRENT_PLAYER = _OFFSETS["phase"], _OFFSETS["current_player"]
_MAY_DISCARD_FOUR, _LEGAL_PLAYS = _OFFSETS["may_discard_four"], _OFFSETS["legal_plays"] // 8
"""Where these fields lie in a record: as bytes, the last one as a word."""

_ACTIONS, _CARDS = list(Action), list(Card)
"""By id: to index is five times as fast as to call the class."""


class Play(NamedTuple):
    """One play: the decision, and what chance gave."""

    seat: int
    """Who acted."""
    action: Action
    """What was decided."""
    missed_draw: bool
    """Whether the replacement draw was missed (R20)."""
    drawn: tuple[Card, ...]
    """Every card dealt as a consequence, in order: replacements, then deals of next rounds."""


class Game:
    """A game of ONO 99 from the deal to the last card.

    Args:
        rules: The rules; default: the 2022 edition with four players.
        seed: Everything chance decides follows from it, 0 to 2**64 - 1.
        draws: Cards that are dealt first, in dealing order (one card at a time, clockwise from the
            dealer's left); the game's own generator continues from there.

    Raises:
        ValueError: If `draws` names a card that is not left in the draw pile, or the seed is out
            of range.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        seed: int = 0,
        *,
        draws: Iterable[Card | str] | None = None,
    ) -> None:
        self.rules = Rules() if rules is None else rules
        if not isinstance(self.rules, Rules):
            raise ValueError(f"rules must be Rules, such as Rules.preset('2022'), not {rules!r}")
        if not is_whole_number(seed) or not 0 <= seed < 2**64:
            raise ValueError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")
        self._open(np.zeros(game_loop.MEMORY_SIZE, np.int8))
        batch.start_game(self._games, self._rules_array, np.uint64(seed))
        self.initial_dealer = self._bytes[_OFFSETS["dealer"]]
        """The dealer of the first round (of a restored game: of the round it was saved in)."""
        self.initial_draws = self._deal_due_cards(self._games, draws)
        """Every card dealt before the first decision, in order; not known of a restored game."""

    def _open(self, memory: NDArray[np.int8]) -> None:
        """Show the memory of a game as a record, and as numbers that Python reads quickly."""
        self._memory, self._games = memory, memory[: game_loop.DEALT].view(STATE)
        self._bytes = memoryview(memory.data)
        self._words = self._bytes.cast("B").cast("Q")
        self._rules_array = rules_array(self.rules)
        self._rules_memory = self._rules_array.view(np.int8)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle or a copy holds: no views of memory."""
        kept = ("rules", "initial_dealer", "initial_draws", "_memory")
        return {name: vars(self)[name] for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickle or a copy."""
        vars(self).update(state)
        self._open(self._memory.copy())

    def __repr__(self) -> str:
        turn = f"winners {self.winners}" if self.is_over else f"seat {self.current_player} to act"
        return f"<Game of {self.num_players} players: total {self.state.total}, {turn}>"

    @property
    def state(self) -> State:
        """The engine's record of the game (`ono99_env.engine.records.STATE`), a live view."""
        return self._games[0]

    @property
    def games(self) -> States:
        """The same record as a length-1 array, which compiled functions take."""
        return self._games

    @property
    def num_players(self) -> int:
        """Seats at the table."""
        return self.rules.num_players

    @property
    def current_player(self) -> int | None:
        """The seat to act, or None when the game is over."""
        return None if self.is_over else self._bytes[_CURRENT_PLAYER]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, with a winner or by truncation (R22)."""
        return self._bytes[_PHASE] in GAME_OVER

    @property
    def is_truncated(self) -> bool:
        """Whether the game was cut short by ``max_plays`` (R22)."""
        return self._bytes[_PHASE] == TRUNCATED

    @property
    def winners(self) -> list[int]:
        """The seats that have won, empty while the game goes on."""
        return snapshots.list_winners(self.state)

    @property
    def returns(self) -> list[float]:
        """What each seat has won or lost so far, in -1 to 1; sums to 0 when the game is over."""
        return snapshots.returns(self._games)

    def legal_actions(self) -> list[Action]:
        """Return the actions of the current player by action id; empty when the game is over."""
        return legal_among(self._words[_LEGAL_PLAYS], self._bytes[_MAY_DISCARD_FOUR])

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
        known, seat = action_id(action), self._bytes[_CURRENT_PLAYER]
        if known is None:
            raise self._illegal(action)
        num_dealt = game_loop.play(self._memory, self._rules_memory, known)
        if num_dealt == game_loop.ILLEGAL:
            raise self._illegal(action)
        is_missed = num_dealt >= game_loop.MISSED_DRAW
        if is_missed:
            num_dealt -= game_loop.MISSED_DRAW
        return Play(seat, _ACTIONS[known], is_missed, self._dealt_cards(num_dealt))

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
        return game

    def _play_given(
        self, action: Action, missed_draw: bool | None, draws: Iterable[Card | str] | None
    ) -> Play:
        """Play a legal action with chance that is given, as far as it is."""
        # Only cards that are named can turn out not to be there, and then nothing may change.
        games = self._games if draws is None else self._games.copy()
        seat = self._bytes[_CURRENT_PLAYER]
        batch.begin_action(games, self._rules_array, int(action))
        if missed_draw is None:
            missed_draw = bool(batch.draw_is_missed(games, self._rules_array))
        if missed_draw:
            games["draws_due"] = 0
        drawn = self._deal_due_cards(games, draws)
        if games is not self._games:
            self._games[:] = games
        return Play(seat, action, missed_draw, drawn)

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


def _as_card(card: Card | str) -> Card:
    return card if isinstance(card, Card) else Card.from_label(card)
