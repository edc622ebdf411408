"""`LiveTable`: a game that people and bots play, which decides everything and trusts nobody."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from ono99_env.bots.answers import AskedBot, Question
from ono99_env.drawing.scene import Scene, ScenePlay
from ono99_env.engine import batch
from ono99_env.engine.records import rules_array
from ono99_env.game import Game
from ono99_env.game.legality import illegal_action_error, may_take
from ono99_env.jit.types import States
from ono99_env.messages.errors import RefusedError
from ono99_env.observation.views import Views
from ono99_env.play.news import tell_play
from ono99_env.play.offered_bots import OfferedBots
from ono99_env.play.table_setup import TableSetup
from ono99_env.rules.cards import Action


@dataclass(frozen=True)
class DueDraw:
    """A play whose replacement card the player still has to draw (R20)."""

    seat: int
    action: Action
    deadline: float
    """When the draw is missed, on the clock of the table."""


@dataclass(frozen=True)
class Choice:
    """A decision of a person between several legal actions."""

    move: int
    """How many plays came before it."""
    views: Views
    """What the person could know: one view."""
    action: Action


class LiveTable:
    """A game with somebody in every seat. It is not safe to be used by several threads at once.

    Args:
        setup: What the host chose.
        bots: The bots that may be seated.
        clock: Returns seconds; measures the time to draw.

    Raises:
        RefusedError: If the setup is impossible.
    """

    def __init__(
        self,
        setup: TableSetup,
        bots: OfferedBots,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.setup, self.rules, self.names = setup, setup.rules(), setup.names()
        seed = secrets.randbits(63) if setup.seed is None else setup.seed
        self._seats: list[AskedBot | None] = [
            None
            if seat.bot is None
            else AskedBot(bots.bot(seat.bot, self.rules), index, self.rules, seed)
            for index, seat in enumerate(setup.seats)
        ]
        self.bots, self._clock = bots, clock
        self.game = Game(self.rules, seed)
        self.version = 0
        """Increases with every change; a page says which it has seen."""
        self.due_draw: DueDraw | None = None
        self.news: list[str] = []
        """What happened, a sentence for each play; public."""
        self.choices: dict[int, list[Choice]] = {seat: [] for seat in self.people}

    @property
    def people(self) -> list[int]:
        """The seats that people hold."""
        return [seat for seat, bot in enumerate(self._seats) if bot is None]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.is_over

    @property
    def bot_to_act(self) -> AskedBot | None:
        """The bot whose turn it is, if it is a bot's."""
        seat = self.game.current_player
        return None if seat is None or self.due_draw is not None else self._seats[seat]

    def scene(self, seat: int) -> Scene:
        """Return what a seat may see now."""
        due = self.due_draw
        if due is None:
            return self.game.scene(seat, self.names)
        scene = Scene.of(self.rules, self._after_play(due.action)[0], seat, self.names)
        return replace(scene, legal=(), current_player=None)

    def seconds_to_draw(self) -> float:
        """Return how long the player who has to draw may still take; not negative."""
        return 0.0 if self.due_draw is None else max(0.0, self.due_draw.deadline - self._clock())

    def play(self, seat: int, label: str, version: int) -> None:
        """Play an action for a person.

        Args:
            seat: The person's seat.
            label: The label of the action.
            version: The version of the table that the person has seen.

        Raises:
            RefusedError: If it is not that seat's turn, or the action is not legal.
        """
        self._check_turn(seat, version)
        try:
            action = Action.from_label(label)
        except ValueError as error:
            raise RefusedError(str(error)) from error
        if not may_take(self.game.state, action):
            raise RefusedError(str(illegal_action_error(self.game.state, self.rules, action)))
        if len(self.game.legal_actions()) > 1:
            views = self.game.views(seat)
            self.choices[seat].append(Choice(len(self.game.history), views, action))
        if self.setup.draw_seconds is None or not self._after_play(action)[0].draws_due:
            self._finish(action, missed_draw=None)
        else:
            deadline = self._clock() + self.setup.draw_seconds
            self.due_draw = DueDraw(seat, action, deadline)
            self.version += 1

    def draw(self, seat: int) -> None:
        """Draw the replacement card for a person.

        Raises:
            RefusedError: If that seat has nothing to draw.
        """
        self.end_late_draw()
        if self.due_draw is None or self.due_draw.seat != seat:
            raise RefusedError("you have no card to draw now; the time may have run out")
        self._finish(self.due_draw.action, missed_draw=False)

    def end_late_draw(self) -> bool:
        """Let the player whose time is over miss the draw; return whether that happened."""
        if self.due_draw is None or self._clock() < self.due_draw.deadline:
            return False
        self._finish(self.due_draw.action, missed_draw=True)
        return True

    def question(self) -> Question:
        """Return the question to the bot whose turn it is; `play_for_bot` takes the answer.

        Raises:
            RefusedError: If it is no bot's turn.
        """
        bot = self.bot_to_act
        if bot is None:
            raise RefusedError("no bot is to act")
        return Question(bot, self.rules, self.game.games.copy())

    def play_for_bot(self, action: int) -> None:
        """Play the answer of the bot whose turn it is.

        Args:
            action: A legal action.
        """
        self._finish(Action(action), missed_draw=None)

    def replace_bot(self, problem: str) -> None:
        """Put ``highest`` in the place of a bot that failed, so that the game goes on.

        Args:
            problem: What the bot did, in a sentence.
        """
        seat = self.game.current_player
        assert seat is not None
        self._seats[seat] = AskedBot(self.bots.bot("highest", self.rules), seat, self.rules)
        self.news.append(f"{self.names[seat]} failed, and highest plays on. {problem}")
        self.version += 1

    def _after_play(self, action: Action) -> States:
        """Return the record after a play and before its draw, shape (1,)."""
        games = self.game.games.copy()
        batch.begin_action(games, rules_array(self.rules), int(action))
        return games

    def _check_turn(self, seat: int, version: int) -> None:
        current = self.game.current_player
        if current is None:
            raise RefusedError("the game is over")
        if self.due_draw is not None:
            raise RefusedError(f"{self.names[self.due_draw.seat]} has to draw first")
        if current != seat:
            raise RefusedError(f"it is not your turn: {self.names[current]} is to play")
        if version != self.version:
            raise RefusedError("the table has moved on since you chose; choose again")

    def _finish(self, action: Action, missed_draw: bool | None) -> None:
        """Play an action with its draw, and tell it."""
        before = self.game.scene("all", self.names)
        told = ScenePlay.of(self.rules, self.game.state, action)
        self.due_draw = None
        play = self.game.play(action, missed_draw=missed_draw)
        after = self.game.scene("all", self.names)
        self.news.append(tell_play(before, after, told, play.missed_draw))
        self.version += 1
