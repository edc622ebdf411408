"""One learner seat at each of many tables, dealt anew whenever its episode ends.

An episode is a game as the learner's seat lives it: it starts with the learner's first decision and
ends when the learner is out of the game or the game is over. All environments with a single agent
are thin views of `Episodes`.
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ono99_env.bots import Bot, load_bot
from ono99_env.cards import MAX_PLAYERS, NUM_ACTIONS
from ono99_env.engine import batch
from ono99_env.engine.types import State
from ono99_env.envs.looking import find_offenders, look_at_tables, settle_tables
from ono99_env.errors import IllegalActionError
from ono99_env.features import OBSERVATION_SIZE
from ono99_env.illegal import illegal_action_error, is_whole_number
from ono99_env.rules import Rules
from ono99_env.tables import DONE, LEARNER, Tables

Opponents = Bot | str | Sequence[Bot | str]
"""What environments take as ``opponents``: one bot or several, or names that `load_bot` takes."""

Illegal = Literal["raise", "lose"]

_MOST_OPPONENTS = 100


class Episodes:
    """Learner episodes at `num_envs` tables.

    Args:
        rules: The rules of all games.
        num_envs: How many tables run side by side.
        opponents: A bot or several, or names that `load_bot` takes; each other seat of each game is
            held by one of them, drawn at random.
        seat: The learner's seat, or ``"random"`` to draw it for each game.
        num_players: Player counts, one of which is drawn for each game; default: that of the rules.
        illegal: What an illegal action does: ``"raise"`` an `IllegalActionError` and change
            nothing, or ``"lose"`` the game.
        seed: Start of all randomness.

    Raises:
        ValueError: If an argument is impossible; the message names it.
    """

    def __init__(
        self,
        rules: Rules,
        num_envs: int,
        opponents: Opponents = ("random",),
        seat: int | Literal["random"] = "random",
        num_players: Sequence[int] | None = None,
        illegal: Illegal = "raise",
        seed: int = 0,
    ) -> None:
        if not is_whole_number(num_envs) or num_envs < 1:
            raise ValueError(f"num_envs must be a whole number from 1, not {num_envs!r}")
        if illegal not in ("raise", "lose"):
            raise ValueError(f"illegal must be 'raise' or 'lose', not {illegal!r}")
        counts = list(num_players) if num_players is not None else [rules.num_players]
        _check_seat(seat, counts)
        bots = _load_opponents(opponents, rules, counts)
        self.rules = rules
        self.illegal = illegal
        self._seat = seat
        self._counts = np.array(counts)
        self.tables = Tables(rules, bots, num_envs)
        self.learner_seats = np.zeros(num_envs, np.int64)
        """The learner's seat at each table, shape (num_envs,)."""
        self.observation = np.zeros((num_envs, OBSERVATION_SIZE), np.float32)
        """What the learner sees at each table, shape (num_envs, features)."""
        self.action_mask = np.zeros((num_envs, NUM_ACTIONS), np.int8)
        """What the learner may do at each table, shape (num_envs, 17)."""
        self.rewards = np.zeros(num_envs, np.float32)
        self.terminated = np.zeros(num_envs, np.bool_)
        self.truncated = np.zeros(num_envs, np.bool_)
        self._all = np.arange(num_envs)
        self._is_interrupted = False
        self._found = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(MAX_PLAYERS)
        self._scratch = self.tables.games[:1].copy()
        self.reset(seed=seed)

    def state_dict(self) -> dict[str, Any]:
        """All that the episodes go on from; see `load_state_dict`."""
        return {
            "tables": self.tables.state_dict(),
            "learner_seats": self.learner_seats.copy(),
            "rng": self.rng.bit_generator.state,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on exactly where others with the same arguments were after a step or a reset.

        Args:
            state: What their `state_dict` gave.
        """
        self.tables.load_state_dict(state["tables"])
        self.learner_seats[:] = state["learner_seats"]
        self.rng.bit_generator.state = state["rng"]
        self._is_interrupted = False
        self.look(self._all)

    def __len__(self) -> int:
        """How many tables there are."""
        return len(self._all)

    def reset(self, tables: NDArray[np.int64] | None = None, seed: int | None = None) -> None:
        """Deal new games at the given tables (default: all) and look at them.

        Args:
            tables: Which tables, shape (k,).
            seed: Start all randomness anew from this seed first.
        """
        if seed is not None:
            self.rng = np.random.default_rng(seed)
            self.tables.seed(int(self.rng.integers(2**63)))
        tables = self._all if tables is None or self._is_interrupted else tables
        self._is_interrupted = True
        self.tables.deal_to_learner(tables, self._draw)
        self.look(tables)
        self._is_interrupted = False

    def step(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Take the learner's action at every table and go on to its next decision.

        Writes `rewards`, `terminated`, `truncated`, `observation` and `action_mask`; tables whose
        episode ended show their last position until `reset`.

        Args:
            actions: One action a table, shape (num_envs,).

        Returns:
            The tables whose episode ended, shape (k,).

        Raises:
            IllegalActionError: If an action is not legal and `illegal` is ``"raise"``; nothing is
                changed at any table.
            ResetNeeded: If the last step or reset ended with an error of a bot.
        """
        if self._is_interrupted:
            raise gymnasium.error.ResetNeeded(
                "a step or a reset was interrupted while bots were playing; call reset() first"
            )
        actions = self._checked(actions)
        offenders = self._found[: find_offenders(self.action_mask, actions, self._found)]
        if len(offenders) and self.illegal == "raise":
            raise self._error(int(offenders[0]), actions[offenders[0]])
        self._is_interrupted = True
        if len(offenders):
            self._act_legally(actions, offenders)
        else:
            self.tables.act(self._all, actions)
        done = self._settle()
        self._is_interrupted = False
        return done

    def look(self, tables: NDArray[np.int64]) -> None:
        """Write what the learner sees and may do at the given tables."""
        look_at_tables(
            *(self.tables.games, self.tables.rules_array, tables, self.learner_seats),
            *(self._scratch, self.observation, self.action_mask),
        )

    def view(self, table: int) -> State:
        """What the learner at a table may know, as a redacted record."""
        return self.tables.views(np.array([table]), self.learner_seats[[table]]).states[0]

    def _draw(
        self, tables: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int8]]:
        """Draw player counts, seeds and holders of new games at the given tables."""
        count = len(tables)
        num_players = self.rng.choice(self._counts, count)
        if self._seat == "random":
            seats = self.rng.integers(num_players)
        else:
            seats = np.full(count, self._seat)
        holders = self.rng.integers(len(self.tables.bots), size=(count, MAX_PLAYERS), dtype=np.int8)
        holders[np.arange(count), seats] = LEARNER
        self.learner_seats[tables] = seats
        seeds = self.rng.integers(2**64, size=count, dtype=np.uint64)
        return num_players, seeds, holders

    def _checked(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = np.asarray(actions)
        if actions.shape != self._all.shape:
            raise ValueError(f"actions must have shape ({len(self)},), not {actions.shape}")
        if actions.dtype.kind not in "iu":
            raise IllegalActionError(f"actions must be integers, not {actions.dtype}")
        return np.ascontiguousarray(actions, np.int64)

    def _error(self, table: int, action: int) -> IllegalActionError:
        error = illegal_action_error(self.tables.games[table], self.rules, action)
        return error if len(self) == 1 else IllegalActionError(f"table {table}: {error}")

    def _act_legally(self, actions: NDArray[np.int64], offenders: NDArray[np.int64]) -> None:
        others = np.setdiff1d(self._all, offenders)
        self.tables.act(others, actions[others])
        batch.forfeit_games(self.tables.games, offenders)
        self.tables.status[offenders] = DONE

    def _settle(self) -> NDArray[np.int64]:
        """Write the rewards and ends of the episodes that are done, and look; returns which."""
        count = settle_tables(
            *(self.tables.games, self.tables.status, self.learner_seats, self._returns),
            *(self.rewards, self.terminated, self.truncated, self._found),
        )
        self.look(self._all)
        return self._found[:count].copy()


def _check_seat(seat: int | Literal["random"], counts: Sequence[int]) -> None:
    if not len(counts):
        raise ValueError("num_players must be a player count or a list of one or more")
    if seat != "random" and not (is_whole_number(seat) and 0 <= seat < min(counts)):
        raise ValueError(f"seat must be 'random' or from 0 to {min(counts) - 1}, not {seat!r}")


def _load_opponents(opponents: Opponents, rules: Rules, counts: Sequence[int]) -> list[Bot]:
    """The opponents as bots, each of which can play at every player count."""
    named = [opponents] if isinstance(opponents, Bot | str | PathLike) else opponents
    if not isinstance(named, list | tuple) or not 0 < len(named) <= _MOST_OPPONENTS:
        raise ValueError(
            f"opponents must be a bot or a list of 1 to {_MOST_OPPONENTS}, such as ['highest'], "
            f"not {opponents!r}"
        )
    bots = [bot if isinstance(bot, Bot) else load_bot(bot) for bot in named]
    for count in counts:
        for bot in bots:
            bot.check_rules(rules.with_players(count))
    return bots
