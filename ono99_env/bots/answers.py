"""Ask a bot for actions, check them, and say precisely what is wrong with an answer.

An illegal action is noticed by `Question.are_legal`, which `ask_strictly` and the arena's `Umpire`
call. It compares the action with the record of the game, which no bot is given. What a bot is given
(views, rules and a random generator) is a copy for that bot, and is never read again.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.bots.foreign import call_bot, checked_name
from ono99_env.engine import legal
from ono99_env.engine.records import STATE
from ono99_env.jit.compile import as_argument, as_read_only, called_from_python
from ono99_env.jit.types import States
from ono99_env.messages.errors import BotError
from ono99_env.observation.views import Views, legal_actions
from ono99_env.rules.cards import NUM_ACTIONS, Action
from ono99_env.rules.rules import Rules

FORFEIT = -1
"""Stands for an action where the bot has failed and its seat loses the game."""


class AskedBot:
    """A bot at the tables, with its name, its copy of the rules and its random generator.

    Each bot has its own generator, so what one bot draws does not change the luck of another.

    Args:
        bot: The bot.
        index: Its index among the bots of the tables.
        rules: The rules of the tables; the bot gets a copy.
        seed: Seed of its generator; see `seed`.

    Raises:
        BotError: If the bot has no name.
    """

    def __init__(self, bot: Bot, index: int, rules: Rules, seed: int = 0) -> None:
        self.bot, self.index = bot, index
        self.name = checked_name(bot)
        """Its name when it came to the tables; later changes are ignored."""
        self.rules = rules.model_copy(deep=True)
        """The copy of the rules that the bot is given."""
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Seed the generator of the bot; each index gets another one from the same seed.

        Args:
            seed: Not negative.
        """
        sequence = np.random.SeedSequence(seed, spawn_key=(self.index,))
        self.rng = np.random.Generator(np.random.PCG64(sequence))
        """The generator that the bot may use."""


@dataclass(frozen=True)
class Question:
    """Games in which one bot is to act, with their full records."""

    asked: AskedBot
    """The bot that is asked."""
    rules: Rules
    """The rules of the games."""
    games: States
    """Full records, shape (games,); the bot holds the current player's seat in each."""

    def __len__(self) -> int:
        """Return how many actions are asked for."""
        return len(self.games)

    @property
    def name(self) -> str:
        """Return the name of the bot."""
        return self.asked.name

    @property
    def seats(self) -> NDArray[np.int64]:
        """Return the seat to act in each game, shape (games,)."""
        seats: NDArray[np.int64] = self.games["current_player"].astype(np.int64)
        return seats

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        """Return the legal actions by the records of the games, shape (games, 17)."""
        return legal_actions(self.games)

    def views(self) -> Views:
        """Return what the bot may know, in memory of its own."""
        return Views.of(self.asked.rules, self.games, self.seats)

    def at(self, row: int) -> "Question":
        """Return the question about one of the games."""
        return replace(self, games=self.games[row : row + 1])

    def are_legal(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether each action is legal in its game, shape (games,)."""
        found = np.empty(len(self), np.bool_)
        check_plays(as_read_only(self.games, STATE), as_argument(actions, np.int64), found)
        return found

    def illegal_action_error(self, actions: NDArray[np.int64], row: int) -> BotError:
        """Return the error that names the illegal action, the game, and the legal actions."""
        allowed = np.flatnonzero(self.legal[row]).tolist()
        return BotError(
            f"bot {self.name!r} chose the illegal action {actions[row]} in {self.place(row)}, "
            f"at a total of {self.games['total'][row]}; legal were: "
            f"{', '.join(f'{action} ({Action(action).label})' for action in allowed)}"
        )

    def place(self, row: int = 0) -> str:
        """Describe a game: the seat to act and the rules of the table."""
        seat, players = self.games["current_player"][row], self.games["num_players"][row]
        return (
            f"seat {seat} of a table of {players} players "
            f"({self.rules.edition} rules, {self.rules.format})"
        )


@called_from_python
def check_plays(games: States, actions: NDArray[np.int64], found: NDArray[np.bool_]) -> None:
    """Write whether each action, any integer, is legal in its game; shape (games,)."""
    for index in range(len(games)):
        is_action = 0 <= actions[index] < NUM_ACTIONS
        found[index] = is_action and legal.is_legal(games[index], actions[index])


Ask = Callable[[Question], NDArray[np.int64]]
"""Asks a bot, and returns a legal action or `FORFEIT` for each game, or raises an error."""


def ask_strictly(question: Question) -> NDArray[np.int64]:
    """Ask a bot, and raise an error unless it gives one legal action for each game.

    Returns:
        A legal action for each game, shape (games,).

    Raises:
        BotError: If an action is illegal, the answer is anything else, or the bot raises.
        KeyboardInterrupt: If the user interrupts the program.
    """
    actions = ask_once(question)
    legal = question.are_legal(actions)
    if not legal.all():
        raise question.illegal_action_error(actions, int(np.argmin(legal)))
    return actions


def ask_once(question: Question) -> NDArray[np.int64]:
    """Ask a bot, and return its answer: one integer for each game, legal or not.

    The array is a copy, which the bot cannot change between the check and the play.

    Raises:
        BotError: If the answer is anything else, or the bot raises.
        KeyboardInterrupt: If the user interrupts the program.
    """
    asked, views = question.asked, question.views()
    answer = call_bot(
        # Making an array of the answer may run code of the bot too.
        lambda: _as_plain_array(asked.bot.act(views, asked.rng)),
        lambda error: (
            f"bot {question.name!r} raised {error} - in {question.place()}, "
            f"asked for {len(question)} actions"
        ),
    )
    if answer.shape == (len(question),) and answer.dtype.kind in "iu":
        return answer.astype(np.int64)
    nan = ", with NaN in it" if answer.dtype.kind == "f" and _has_nan(answer) else ""
    raise BotError(
        f"bot {question.name!r} must return {len(question)} integers, one for each view; in "
        f"{question.place()} it returned an array of shape {answer.shape} and type "
        f"{answer.dtype}{nan}"
    )


def _as_plain_array(answer: Any) -> NDArray[Any]:
    """Return an array of NumPy's own class, whose shape and type the bot cannot change."""
    return np.asarray(answer).view()


def _has_nan(answer: NDArray[Any]) -> bool:
    return bool(np.isnan(answer.ravel()[:1000]).any())
