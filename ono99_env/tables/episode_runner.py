"""The runs of episodes: compiled calls, repeated until no table waits for a bot."""

from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ono99_env.observation.look import Look, look_at
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.tables.episode_loop import (
    NEVER_LASTS,
    Learners,
    Stepped,
    start_episodes,
    step_episodes,
)
from ono99_env.tables.table_checks import no_decision_error
from ono99_env.tables.table_loop import MOST_DEALS, NO_ACTION, UNFINISHED
from ono99_env.tables.tables import Tables


class Ended(NamedTuple):
    """Where a step ended episodes."""

    tables: NDArray[np.int64]
    """The tables, shape (k,)."""
    rows: NDArray[np.int64]
    """The rows of ``final_observation`` that show what the learner saw last there, shape (k,)."""


class EpisodeRunner:
    """Plays the episodes of a learner on several threads, and asks bots that are not compiled.

    Args:
        tables: The tables.
        learners: The learner's part at them, as a bare tuple.
        final_observation: Written where episodes end, shape (num_envs, features).
    """

    def __init__(self, tables: Tables, learners: Learners, final_observation: NDArray[Any]) -> None:
        num_envs = len(tables)
        self._tables, self._learners = tables, learners
        self._final_observation = final_observation
        self.final_look: Look = look_at(
            final_observation, np.zeros((num_envs, NUM_ACTIONS), np.int8)
        )
        """Where to write what the learner saw last."""
        self._all = np.arange(num_envs)
        self._no_actions = np.full(num_envs, NO_ACTION)
        self._ended = np.zeros(num_envs, np.int64)  # filled by compiled code

    def start(self, tables: NDArray[np.int64], is_dealt: bool = False) -> None:
        """Deal new games, play up to the learner's first decision, and write what it sees.

        Args:
            tables: At which tables, shape (k,).
            is_dealt: Whether the games are dealt already.

        Raises:
            ValueError: If no game lasts until the learner can play a card.
        """
        for _ in range(MOST_DEALS):
            start = partial(start_episodes, self._tables.world, self._learners, is_dealt)
            waiting = self._tables.threads.run(start, tables)
            if NEVER_LASTS in waiting:
                break
            if not any(waiting):
                return
            tables = self._tables.ask_bots(tables)
            is_dealt = True
        raise no_decision_error()

    def play(
        self, actions: NDArray[np.int64], tables: NDArray[np.int64], deals_anew: bool
    ) -> Ended:
        """Play up to the learner's next decision at some tables, and write what it sees.

        Args:
            actions: A legal action, or `NO_ACTION`, for each of all tables, shape (num_envs,).
            tables: The tables that play, shape (k,), in order.
            deals_anew: Whether to deal anew where an episode ends. If not, nothing is written of
                what the learner sees there, and the rows returned are free to be written.

        Raises:
            ValueError: As from `start`.
        """
        actions = actions if len(tables) == len(actions) else actions[tables]
        ended, is_waiting = self._step(tables, actions, deals_anew)
        if is_waiting:
            ended = self._finish(ended, tables, deals_anew)
        return ended

    def finish_alone(self) -> None:
        """Finish a single table that is left `UNFINISHED`."""
        self._finish(Ended(self._all[:0], self._all[:0]), self._all, deals_anew=False)

    def _finish(self, ended: Ended, tables: NDArray[np.int64], deals_anew: bool) -> Ended:
        """Ask bots and play on until every one of the tables has finished its step."""
        all_ended, observations = [ended.tables], [self._final_observation[ended.rows]]
        is_waiting = True
        while is_waiting:
            tables = self._tables.ask_bots(tables)
            if deals_anew:  # what waits in a new game goes on below: its old one has ended
                tables = tables[~np.isin(tables, np.concatenate(all_ended))]
            no_actions = self._no_actions[: len(tables)]
            ended, is_waiting = self._step(tables, no_actions, deals_anew)
            all_ended.append(ended.tables)
            observations.append(self._final_observation[ended.rows])
        unsorted = np.concatenate(all_ended)
        order = np.argsort(unsorted)
        ended = Ended(unsorted[order], self._all[: len(order)])
        if deals_anew:
            self._final_observation[ended.rows] = np.concatenate(observations)[order]
            is_unfinished = self._tables.status[ended.tables] == UNFINISHED
            self.start(ended.tables[is_unfinished], is_dealt=True)
        return ended

    def _step(
        self, tables: NDArray[np.int64], actions: NDArray[np.int64], deals_anew: bool
    ) -> tuple[Ended, bool]:
        """Step the given tables, each thread a part of them.

        Returns:
            Where episodes ended, and whether tables must go on; see `step_episodes`.
        """
        step = partial(self._step_part, deals_anew)
        # Threads fill their parts of these from the front, so all must be split alike.
        filled_arrays = [array[: len(tables)] for array in (self._ended, *self.final_look)]
        steps = self._tables.threads.run(step, tables, actions, *filled_arrays)
        waiting = [step.num_waiting for step in steps]
        if NEVER_LASTS in waiting:
            raise no_decision_error()
        rows = self._all[: steps[0].num_ended]
        if len(steps) > 1:  # each thread has filled its own part from the front
            parts = self._tables.threads.split(self._all[: len(tables)], len(steps))
            filled = [part[: step.num_ended] for part, step in zip(parts, steps, strict=True)]
            rows = np.concatenate(filled)
        return Ended(self._ended[rows], rows), any(waiting)

    def _step_part(
        self,
        deals_anew: bool,
        tables: NDArray[np.int64],
        actions: NDArray[np.int64],
        ended: NDArray[np.int64],
        *final_look: Any,
    ) -> Stepped:
        world, learners = self._tables.world, self._learners
        look = cast(Look, final_look)  # a bare tuple
        step = step_episodes(world, learners, look, deals_anew, tables, actions, ended)
        return Stepped(*step)
