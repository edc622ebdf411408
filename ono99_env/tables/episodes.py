"""One learner seat at each of many tables, dealt anew whenever its episode ends.

An episode is a game as the learner's seat lives it: it starts with the learner's first decision and
ends when the learner is out of the game or the game is over. All environments with a single agent
are thin views of `Episodes`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.scripted.compiled import is_compiled
from ono99_env.engine import batch
from ono99_env.game.legality import illegal_action_error
from ono99_env.messages.errors import IllegalActionError
from ono99_env.messages.values import is_whole_number
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS
from ono99_env.rules.rules import Rules
from ono99_env.tables.episode_dealing import FAILED, MOST_DEALS, start_episodes
from ono99_env.tables.episode_loop import ILLEGAL, step_episode, step_episodes
from ono99_env.tables.episode_records import EPISODE
from ono99_env.tables.learner_tables import LearnerTables
from ono99_env.tables.offences import checked, find_offenders
from ono99_env.tables.opponents import Opponents, check_seat, load_opponents, setup_array
from ono99_env.tables.saved_tables import saved_array
from ono99_env.tables.table_checks import table_indices
from ono99_env.tables.table_loop import DONE, LEARNER_TO_ACT, NO_ACTION, UNFINISHED

Illegal = Literal["raise", "lose"]


class Episodes(LearnerTables):
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
        compact: Whether observations are records of `ono99_env.observation.views.COMPACT` as bytes.

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
        check_seat(seat, counts)
        bots = load_opponents(opponents, rules, counts)
        super().__init__(rules, bots, num_envs, num_threads, compact)
        self.illegal = illegal
        arrays = (self.episodes, *self._by_kind(self.observation), self.action_mask)
        setup = setup_array(counts, seat, len(bots))
        self._bots_are_compiled = all(map(is_compiled, bots))
        self._finals = self._by_kind(self.final_observation)
        self._step = partial(step_episodes, *self.tables.arrays, setup, *arrays, False)
        alone = (self.episodes, self.observation, self.action_mask)
        self._step_alone = partial(step_episode, *self.tables.arrays, *alone)
        self._step_anew = partial(step_episodes, *self.tables.arrays, setup, *arrays, True)
        self._start = partial(start_episodes, *self.tables.arrays, setup, *arrays)
        self._no_actions = np.full(num_envs, NO_ACTION)
        self._is_interrupted = False
        self._found = np.zeros(num_envs, np.int64)
        self.reset(seed=seed)

    def state_dict(self) -> dict[str, Any]:
        """All that the episodes go on from; see `load_state_dict`."""
        return {"tables": self.tables.state_dict(), "episodes": self.episodes.copy()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on exactly where others with the same arguments were after a step or a reset.

        Args:
            state: What their `state_dict` gave.

        Raises:
            ValueError: If it is not a possible state of these episodes; nothing is changed.
        """
        episodes = self._saved_episodes(state)
        self.tables.load_state_dict(state["tables"])
        self.episodes[:] = episodes
        self._is_interrupted = False
        self.look(self._all, self._all, self.observation, self.action_mask)

    def _saved_episodes(self, state: Mapping[str, Any]) -> NDArray[np.void]:
        """The learner's part of a state, which must fit the tables of the same state."""
        missing = {"tables", "episodes"} - set(state)
        if missing:
            raise ValueError(f"state: {', '.join(sorted(missing))} is missing")
        _, seatings, _ = self.tables.checked_state(state["tables"])
        episodes = saved_array("episodes", state["episodes"], EPISODE, len(self))
        seats = episodes["learner_seat"].astype(np.int64)
        is_seat = (seats >= 0) & (seatings["learners"] == 1 << np.clip(seats, 0, MAX_PLAYERS))
        is_due = np.isin(seatings["status"], (DONE, LEARNER_TO_ACT))
        wrong = np.flatnonzero(~(is_seat & is_due & (np.abs(episodes["reward"]) <= 1)))
        if len(wrong):
            raise ValueError(
                f"state: episodes[{wrong[0]}] does not fit the game at its table: "
                f"{episodes[wrong[0]]}"
            )
        return episodes

    def reset(self, tables: NDArray[np.int64] | None = None, seed: int | None = None) -> None:
        """Deal new games at the given tables (default: all) and look at them.

        Args:
            tables: Which tables, shape (k,).
            seed: Start all randomness anew from this seed first.

        Raises:
            ValueError: If no game lasts until the learner can play a card.
        """
        if seed is not None:
            rng = np.random.default_rng(seed)
            self.tables.seed(int(rng.integers(2**63)))
            self.episodes["counter"] = rng.integers(2**64, size=len(self), dtype=np.uint64)
        is_all = tables is None or self._is_interrupted
        tables = self._all if is_all else table_indices(tables, len(self))
        if not len(tables):
            return
        self._is_interrupted = True
        self._deal(tables)
        self._is_interrupted = False

    def step(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Take the learner's action at every table and go on to its next decision.

        Writes `episodes`, `observation` and `action_mask`, but not what the learner sees at
        tables whose episode ended: ask `look` for it before `reset`.

        Args:
            actions: One action a table, shape (num_envs,).

        Returns:
            The tables whose episode ended, shape (k,).

        Raises:
            IllegalActionError: If an action is not legal and `illegal` is ``"raise"``; nothing is
                changed at any table.
            ResetNeeded: If the last step or reset ended with an error of a bot.
        """
        done, _ = self._play(self._permitted(actions), deals_anew=False)
        return done

    def step_alone(self, action: int) -> bool:
        """Do as `step` where there is one table, at a fraction of the cost.

        Args:
            action: 0 to 16, or `NO_ACTION` for one that is none.

        Returns:
            Whether the episode ended; what the learner sees then is written, too.
        """
        status = ILLEGAL
        if self._bots_are_compiled and not self._is_interrupted:
            self._is_interrupted = True
            status = self._step_alone(action)
            if status == UNFINISHED:
                self._play_on(self._all[:0], self._all[:0], deals_anew=False)
                self.look(self._all, self._all, self.observation, self.action_mask)
                status = int(self.tables.status[0])
            self._is_interrupted = False
        if status == ILLEGAL:
            done = self.step(np.array([action]))
            self.look(done, done, self.observation, self.action_mask)
            return len(done) > 0
        return status == DONE

    def step_and_reset(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Do as `step`, and deal anew where an episode ended.

        Returns:
            The tables whose episode ended, shape (k,), and the rows of `final_observation` that
            show what the learner saw last there, shape (k,).
        """
        actions = self._permitted(actions)
        if self._bots_are_compiled:
            return self._play(actions, deals_anew=True)
        done, _ = self._play(actions, deals_anew=False)
        rows = self._all[: len(done)]
        self.look(done, rows, self.final_observation, np.zeros((len(done), NUM_ACTIONS), np.int8))
        self.reset(done)
        return done, rows

    def _play(
        self, actions: NDArray[np.int64], deals_anew: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Play up to the learner's next decision; returns where an episode ended, and the rows."""
        self._is_interrupted = True
        results = self._step_on(self._all, actions, deals_anew)
        rows = self._filled(results, len(self))
        done = self._found[rows]
        if any(waiting for _, waiting in results):
            done, rows = self._play_on(done, rows, deals_anew)
        self._is_interrupted = False
        return done, rows

    def _play_on(
        self, done: NDArray[np.int64], rows: NDArray[np.int64], deals_anew: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Go on where bots must be asked, or plays were left; takes and returns as `_play`."""
        ended, finals = [done], [self.final_observation[rows]]
        tables, is_waiting = self._all, True
        while is_waiting:
            tables = self.tables.ask_bots(tables)
            if deals_anew:  # what waits in a new game goes on below: its old one has ended
                tables = tables[~np.isin(tables, np.concatenate(ended))]
            results = self._step_on(tables, self._no_actions[: len(tables)], deals_anew)
            rows = self._filled(results, len(tables))
            ended.append(self._found[rows])
            finals.append(self.final_observation[rows])
            is_waiting = any(waiting for _, waiting in results)
        done = np.concatenate(ended)
        order = np.argsort(done)
        done, rows = done[order], self._all[: len(done)]
        if deals_anew:
            self.final_observation[rows] = np.concatenate(finals)[order]
            self._deal(done[self.tables.status[done] == UNFINISHED], is_dealt=True)
        return done, rows

    def _step_on(
        self, tables: NDArray[np.int64], actions: NDArray[np.int64], deals_anew: bool
    ) -> list[tuple[int, int]]:
        """Step the given tables, on several threads if there are many; see `step_episodes`."""
        step = self._step_anew if deals_anew else self._step
        # Threads fill their parts of these from the front, so all must be split alike.
        filled = (array[: len(tables)] for array in (self._found, *self._finals))
        results = self.tables.threads.run(step, tables, actions, *filled)
        if FAILED in [waiting for _, waiting in results]:
            raise _hopeless()
        return results

    def _filled(self, results: list[tuple[int, int]], num_rows: int) -> NDArray[np.int64]:
        """The rows that threads have filled, each its own part of so many from the front."""
        if len(results) == 1:
            return self._all[: results[0][0]]
        parts = self.tables.threads.split(self._all[:num_rows], len(results))
        return np.concatenate(
            [part[:ended] for part, (ended, _) in zip(parts, results, strict=True)]
        )

    def _deal(self, tables: NDArray[np.int64], is_dealt: bool = False) -> None:
        """Deal new games, unless they are dealt, and play up to the learner's first decision."""
        for _ in range(MOST_DEALS):
            waiting = self.tables.threads.run(partial(self._start, is_dealt), tables)
            if FAILED in waiting:
                break
            if not any(waiting):
                return
            tables = self.tables.ask_bots(tables)
            is_dealt = True
        raise _hopeless()

    def _permitted(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions, if they may be taken now; illegal ones are refused, or lose the game."""
        if self._is_interrupted:
            raise gymnasium.error.ResetNeeded(
                "a step or a reset was interrupted while bots were playing; call reset() first"
            )
        actions = checked(actions, len(self))
        tables = self.tables
        if count := find_offenders(tables.games, tables.seatings, actions, self._found):
            return self._without_offences(actions, self._found[:count])
        return actions

    def _error(self, table: int, action: int) -> IllegalActionError:
        error = illegal_action_error(self.tables.games[table], self.rules, action)
        return error if len(self) == 1 else IllegalActionError(f"table {table}: {error}")

    def _without_offences(
        self, actions: NDArray[np.int64], offenders: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Refuse illegal actions, or let them lose the game."""
        if self.illegal == "raise":
            raise self._error(int(offenders[0]), actions[offenders[0]])
        batch.forfeit_games(self.tables.games, offenders)
        actions = actions.copy()
        actions[offenders] = NO_ACTION
        return actions


def _hopeless() -> ValueError:
    return ValueError(
        f"rules: none of {MOST_DEALS} games lasted until the learner could play a card"
    )
