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
from ono99_env.envs.drawing import ANY_SEAT, draw_games
from ono99_env.envs.looking import (
    find_offenders,
    look_at_tables,
    look_compactly_at_tables,
    settle_tables,
)
from ono99_env.errors import IllegalActionError
from ono99_env.features import OBSERVATION_SIZE
from ono99_env.illegal import illegal_action_error, is_whole_number
from ono99_env.rules import Rules
from ono99_env.tables import DONE, Tables

Opponents = Bot | str | Sequence[Bot | str]
"""What environments take as ``opponents``: one bot or several, or names that `load_bot` takes."""

Illegal = Literal["raise", "lose"]

_MOST_OPPONENTS = 100
_NO_TABLES = np.zeros(0, np.int64)


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
        num_threads: On how many threads tables are stepped; results do not depend on it.
        compact: Whether observations are whole numbers (see `ono99_env.views.compact_scales`).

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
        num_threads: int = 1,
        compact: bool = False,
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
        self._seat = ANY_SEAT if seat == "random" else seat
        self._counts = np.array(counts)
        self._counters = np.zeros(num_envs, np.uint64)
        self.tables = Tables(rules, bots, num_envs, num_threads=num_threads)
        self.learner_seats = np.zeros(num_envs, np.int64)
        """The learner's seat at each table, shape (num_envs,)."""
        self._look_at = look_compactly_at_tables if compact else look_at_tables
        self.observation = np.zeros(
            (num_envs, OBSERVATION_SIZE), np.int16 if compact else np.float32
        )
        """What the learner sees at each table, shape (num_envs, features)."""
        self.action_mask = np.zeros((num_envs, NUM_ACTIONS), np.int8)
        """What the learner may do at each table, shape (num_envs, 17)."""
        self.final_observation = self.observation[:0]
        """The last observations of the episodes that ended in this step, shape (k, features)."""
        self.final_action_mask = self.action_mask[:0]
        """Their masks, shape (k, 17)."""
        self.rewards = np.zeros(num_envs, np.float32)
        self.terminated = np.zeros(num_envs, np.bool_)
        self.truncated = np.zeros(num_envs, np.bool_)
        self._all = np.arange(num_envs)
        self._is_interrupted = False
        self._found = np.zeros(num_envs, np.int64)
        self.reset(seed=seed)

    def state_dict(self) -> dict[str, Any]:
        """All that the episodes go on from; see `load_state_dict`."""
        return {
            "tables": self.tables.state_dict(),
            "learner_seats": self.learner_seats.copy(),
            "counters": self._counters.copy(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on exactly where others with the same arguments were after a step or a reset.

        Args:
            state: What their `state_dict` gave.
        """
        self.tables.load_state_dict(state["tables"])
        self.learner_seats[:] = state["learner_seats"]
        self._counters[:] = state["counters"]
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
            rng = np.random.default_rng(seed)
            self.tables.seed(int(rng.integers(2**63)))
            self._counters[:] = rng.integers(2**64, size=len(self), dtype=np.uint64)
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
        done = self._play(actions)
        self.look(self._all)
        self._is_interrupted = False
        return done

    def step_and_reset(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Do as `step`, and deal anew where an episode ended.

        Writes `final_observation` and `final_action_mask` as well: what the learner saw last at
        the tables whose episode ended.

        Returns:
            These tables, shape (k,).
        """
        done = self._play(actions)
        self.look(done)
        self.final_observation = self.observation[done]
        self.final_action_mask = self.action_mask[done]
        self.tables.deal_to_learner(done, self._draw)
        self.look(self._all)
        self._is_interrupted = False
        return done

    def _play(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Play up to the learner's next decision or the end of its episode; returns which ended."""
        if self._is_interrupted:
            raise gymnasium.error.ResetNeeded(
                "a step or a reset was interrupted while bots were playing; call reset() first"
            )
        actions = self._checked(actions)
        count = find_offenders(self.action_mask, actions, self._found)
        if count and self.illegal == "raise":
            raise self._error(int(self._found[0]), actions[self._found[0]])
        self._is_interrupted = True
        if count:
            self._act_legally(actions, self._found[:count])
        else:
            self.tables.act(self._all, actions)
        count = settle_tables(
            *(self.tables.games, self.tables.seatings, self.learner_seats, self.rewards),
            self.terminated,
            self.truncated,
            self._found,
        )
        return self._found[:count].copy() if count else _NO_TABLES

    def look(self, tables: NDArray[np.int64]) -> None:
        """Write what the learner sees and may do at the given tables."""
        self.tables.threads.run(self._look, tables)

    def _look(self, tables: NDArray[np.int64]) -> None:
        self._look_at(
            *(self.tables.games, self.tables.rules_array, tables, self.learner_seats),
            *(self.observation, self.action_mask),
        )

    def view(self, table: int) -> State:
        """What the learner at a table may know, as a redacted record."""
        return self.tables.views(np.array([table]), self.learner_seats[[table]]).states[0]

    def _draw(
        self, tables: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int8]]:
        """Draw player counts, seeds and holders of new games at the given tables."""
        num_players = np.empty(len(tables), np.int64)
        seeds, holders = (
            np.empty(len(tables), np.uint64),
            np.empty((len(tables), MAX_PLAYERS), np.int8),
        )
        draw_games(
            *(self._counters, tables, self._counts, self._seat, len(self.tables.bots)),
            *(self.learner_seats, num_players, seeds, holders),
        )
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
