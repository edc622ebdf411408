"""One table as an object: play a game, read it, save it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ono99_env.engine import batch
from ono99_env.engine.records import GAME_OVER, STATE, TRUNCATED, counts_from_pile, rules_array
from ono99_env.game import snapshots
from ono99_env.game.legality import action_id, illegal_action_error, list_legal_actions, may_take
from ono99_env.jit.types import State, States
from ono99_env.messages.errors import IllegalActionError
from ono99_env.messages.values import is_whole_number
from ono99_env.observation.views import Views
from ono99_env.rules.cards import Action, Card
from ono99_env.rules.rules import Rules

_RANDOM = -1


@dataclass(frozen=True)
class Play:
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
        self._rules_array = rules_array(self.rules)
        self._games = np.zeros(1, STATE)
        if not is_whole_number(seed) or not 0 <= seed < 2**64:
            raise ValueError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")
        batch.start_game(self._games, self._rules_array, np.uint64(seed))
        self.initial_dealer = int(self._games[0].dealer)
        """The dealer of the first round (of a restored game: of the round it was saved in)."""
        self.initial_draws = self._deal_due_cards(self._games, draws)
        """Every card dealt before the first decision, in order; not known of a restored game."""

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
        return None if self.is_over else int(self._games["current_player"][0])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, with a winner or by truncation (R22)."""
        return self._games["phase"][0] in GAME_OVER

    @property
    def is_truncated(self) -> bool:
        """Whether the game was cut short by ``max_plays`` (R22)."""
        return bool(self.state.phase == TRUNCATED)

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
        return list_legal_actions(self.state)

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
        action = self._checked(action)
        # Only cards that are named can turn out not to be there, and then nothing may change.
        games = self._games if draws is None else self._games.copy()
        seat = int(games["current_player"][0])
        batch.begin_action(games, self._rules_array, int(action))
        if missed_draw is None:
            missed_draw = bool(batch.draw_is_missed(games, self._rules_array))
        if missed_draw:
            games["draws_due"] = 0
        drawn = self._deal_due_cards(games, draws)
        if games is not self._games:
            self._games[:] = games
        return Play(seat, action, missed_draw, drawn)

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

    def _checked(self, action: Any) -> Action:
        known = action_id(action)
        if known is not None and may_take(self.state, known):
            return Action(known)
        if self.is_over:
            raise IllegalActionError(f"the game is over; action {action!r} cannot be played")
        raise illegal_action_error(self.state, self.rules, action)

    def _deal_due_cards(
        self, games: States, draws: Iterable[Card | str] | None
    ) -> tuple[Card, ...]:
        """Deal until a player must act, given cards first; return all cards dealt."""
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
