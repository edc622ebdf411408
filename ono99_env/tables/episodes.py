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
from ono99_env.game.legality import OnIllegal, check_on_illegal, illegal_action_error
from ono99_env.jit.bare_tuples import bare
from ono99_env.jit.types import State
from ono99_env.messages.errors import IllegalActionError
from ono99_env.messages.values import is_whole_number
from ono99_env.observation.chosen_features import Features, resolve_features
from ono99_env.observation.layout import FEATURES
from ono99_env.observation.look import look_at, look_at_games
from ono99_env.rules.rules import Rules
from ono99_env.tables.episode_loop import Learners, step_episode
from ono99_env.tables.episode_runner import Ended, EpisodeRunner
from ono99_env.tables.learner_arrays import LearnerArrays
from ono99_env.tables.opponents import Opponents, check_seat, load_opponents, new_games_array
from ono99_env.tables.saved_tables import saved_episodes
from ono99_env.tables.table_checks import checked_actions, find_illegal_actions, table_indices
from ono99_env.tables.table_loop import DONE, NO_ACTION, REFUSED, UNFINISHED
from ono99_env.tables.tables import Tables


class Episodes(LearnerArrays):
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
        compact: Whether observations are records of `ono99_env.observation.COMPACT` as bytes.
        features: What the vectors hold, see `resolve_features`.

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
        *,
        illegal: OnIllegal = "raise",
        seed: int = 0,
        num_threads: int = 1,
        compact: bool = False,
        features: Features = "full",
    ) -> None:
        if not is_whole_number(num_envs) or num_envs < 1:
            raise ValueError(f"num_envs must be a whole number from 1, not {num_envs!r}")
        check_on_illegal(illegal)
        self.features = resolve_features(features)
        """The names of the features that the vectors hold."""
        if compact and len(self.features) < len(FEATURES):
            raise ValueError("features: compact=True observes whole records; leave one of them out")
        counts = list(num_players) if num_players is not None else [rules.num_players]
        check_seat(seat, counts)
        bots = load_opponents(opponents, rules, counts)
        self.rules, self.illegal = rules, illegal
        self.tables = Tables(rules, bots, num_envs, num_threads=num_threads, features=self.features)
        self._bots_are_compiled = all(map(is_compiled, bots))
        super().__init__(num_envs, self.features, compact)
        self._look = look_at(self.observation, self.action_mask)
        self._all = np.arange(num_envs)
        self._offenders = np.zeros(num_envs, np.int64)  # scratch
        self._is_interrupted = False
        new_games = new_games_array(counts, seat, len(bots))
        learners = bare(Learners(self.episodes, new_games, self._look))
        self._runner = EpisodeRunner(self.tables, learners, self.final_observation)
        alone = (self.episodes, self.observation, self.action_mask)
        self._step_alone = partial(step_episode, self.tables.world, *alone)
        self.reset(seed=seed)

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(self._all)

    def view(self, table: int) -> State:
        """Return what the learner at a table may know, as a redacted record."""
        seat = np.array([self.learner_seats[table]], np.int64)
        return self.tables.views(np.array([table]), seat).states[0]

    def state_dict(self) -> dict[str, Any]:
        """Return all that the episodes continue from; see `load_state_dict`."""
        return {"tables": self.tables.state_dict(), "episodes": self.episodes.copy()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue exactly where others with the same arguments were after a step or a reset.

        Args:
            state: What their `state_dict` gave.

        Raises:
            ValueError: If it is not a possible state of these episodes; nothing is changed.
        """
        missing = {"tables", "episodes"} - set(state)
        if missing:
            raise ValueError(f"state: {', '.join(sorted(missing))} is missing")
        _, rosters, _ = self.tables.checked_state(state["tables"])
        episodes = saved_episodes(state, rosters)
        self.tables.load_state_dict(state["tables"])
        self.episodes[:] = episodes
        self._is_interrupted = False
        self._write_look(self._all)

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
        self._runner.start(tables)
        self._is_interrupted = False

    def step(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Take the learner's action at every table and go on to its next decision.

        Nothing is written of what the learner sees where its episode ended; `reset` these tables.

        Args:
            actions: One action a table, shape (num_envs,).

        Returns:
            The tables whose episode ended, shape (k,).

        Raises:
            IllegalActionError: If an action is not legal and `illegal` is ``"raise"``; nothing is
                changed at any table.
            ResetNeeded: If the last step or reset ended with an error of a bot.
        """
        return self._play(self._permitted(actions), self._all, deals_anew=False).tables

    def step_or_deal(
        self, actions: NDArray[np.int64], is_resting: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Do as `step` at some tables, and only deal new games at the others.

        What the learner sees is written everywhere, also where its episode ended.

        Args:
            actions: One action a table, shape (num_envs,).
            is_resting: Where a new game is dealt and the action ignored, shape (num_envs,).

        Returns:
            The tables whose episode ended, shape (k,).
        """
        actions = self._permitted(actions, is_resting)
        ended = self._play(actions, np.flatnonzero(~is_resting), deals_anew=False).tables
        self._write_look(ended)
        self.rewards[is_resting] = 0.0
        self.terminated[is_resting] = self.truncated[is_resting] = False
        self.reset(np.flatnonzero(is_resting))
        return ended

    def step_alone(self, action: int) -> bool:
        """Do as `step` for a single table, at a fraction of the cost.

        Args:
            action: 0 to 16, or `NO_ACTION` for one that is none.

        Returns:
            Whether the episode ended; what the learner sees then is written, too.
        """
        status = REFUSED
        if self._bots_are_compiled and not self._is_interrupted:
            self._is_interrupted = True
            status = self._step_alone(action)
            if status == UNFINISHED:
                self._runner.finish_alone()
                self._write_look(self._all)
                status = int(self.tables.status[0])
            self._is_interrupted = False
        if status == REFUSED:
            ended = self.step(np.array([action]))
            self._write_look(ended)
            return len(ended) > 0
        return status == DONE

    def step_and_reset(self, actions: NDArray[np.int64]) -> Ended:
        """Do as `step`, and deal anew where an episode ended.

        Returns:
            The tables whose episode ended, and the rows of `final_observation` that show what the
            learner saw last there.
        """
        actions = self._permitted(actions)
        ended = self._play(actions, self._all, deals_anew=self._bots_are_compiled)
        if not self._bots_are_compiled:
            self._write_look(ended.tables, self._runner.final_look, ended.rows)
            self.reset(ended.tables)
        return ended

    def truncate(self, tables: NDArray[np.int64], ended: Ended) -> Ended:
        """Truncate episodes that still run after `step_and_reset`, and deal anew there.

        Args:
            tables: The tables of these episodes, shape (k,).
            ended: What the step has returned.

        Returns:
            All tables whose episode has ended, in order, as `step_and_reset` returns them.
        """
        free = np.setdiff1d(self._all, ended.rows)[: len(tables)]
        self.final_observation[free] = self.observation[tables]
        self.truncated[tables] = True
        self.reset(tables)
        order = np.argsort(all_tables := np.concatenate([ended.tables, tables]))
        return Ended(all_tables[order], np.concatenate([ended.rows, free])[order])

    def _play(
        self, actions: NDArray[np.int64], tables: NDArray[np.int64], deals_anew: bool
    ) -> Ended:
        self._is_interrupted = True
        ended = self._runner.play(actions, tables, deals_anew)
        self._is_interrupted = False
        return ended

    def _write_look(
        self,
        tables: NDArray[np.int64],
        look: Any = None,
        rows: NDArray[np.int64] | None = None,
    ) -> None:
        """Write what the learner sees at some tables, by default to their own rows."""
        seats = self.learner_seats.astype(np.int64)
        rows = tables if rows is None else rows
        look_at_games(self.tables.batch, seats, look or self._look, tables, rows)

    def _permitted(
        self, actions: NDArray[np.int64], is_resting: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Return the actions that may be taken now; an illegal one is refused or loses the game.

        Those of tables that rest are not looked at.
        """
        if self._is_interrupted:
            raise gymnasium.error.ResetNeeded(
                "a step or a reset was interrupted while bots were playing; call reset() first"
            )
        actions = checked_actions(actions, len(self))
        num_illegal = find_illegal_actions(self.tables.world, actions, self._offenders)
        offenders = self._offenders[:num_illegal]
        if is_resting is not None:
            offenders = offenders[~is_resting[offenders]]
        if not len(offenders):
            return actions
        if self.illegal == "raise":
            raise self._error(int(offenders[0]), actions[offenders[0]])
        batch.forfeit_games(self.tables.games, offenders)
        self.episodes["length"][offenders] += 1
        actions = actions.copy()
        actions[offenders] = NO_ACTION
        return actions

    def _error(self, table: int, action: int) -> IllegalActionError:
        error = illegal_action_error(self.tables.games[table], self.rules, action)
        return error if len(self) == 1 else IllegalActionError(f"table {table}: {error}")
