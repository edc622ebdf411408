"""Many tables at once; each seat is held by the learner or by a bot.

`Tables` advances every table until the learner is to act at it or it is done. Compiled bots play
inside compiled code; other bots are asked in batches, one batch per bot. Everything that plays many
games uses it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.answers import FORFEIT, Ask, Question, ask_strictly
from ono99_env.bots.base import Bot
from ono99_env.bots.foreign import InterruptWatch
from ono99_env.engine import batch
from ono99_env.engine.records import NOBODY, STATE, rules_array
from ono99_env.jit.bare_tuples import bare
from ono99_env.jit.copies import take_records
from ono99_env.jit.threads import Threads
from ono99_env.jit.types import Rosters, States
from ono99_env.observation.chosen_features import Features, resolve_features
from ono99_env.observation.look import Batch
from ono99_env.observation.scales import scales_array
from ono99_env.observation.views import Views
from ono99_env.rules.rules import Rules
from ono99_env.tables.saved_tables import possible_player_counts, saved_tables
from ono99_env.tables.seated_bots import SeatedBots
from ono99_env.tables.table_checks import (
    check_actions,
    check_deal,
    holders_of,
    integers,
    no_decision_error,
    seeds_of,
    table_indices,
)
from ono99_env.tables.table_loop import (
    BOT_TO_ACT,
    LEARNER,
    LEARNER_TO_ACT,
    MOST_DEALS,
    NO_ACTION,
    ROSTER,
    UNFINISHED,
    World,
    apply_actions,
    deal_tables,
    run_tables,
)

DrawGames = Callable[
    [NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int8]]
]
"""From k tables to the player counts (k,), seeds (k,) and holders (k, 8) of their new games."""


class Tables:
    """A batch of games with bots in some or all seats.

    Args:
        rules: The rules of all games; each table may have its own number of players.
        bots: The bots that may hold seats; a seat's holder is an index into this list.
        num_tables: How many games run side by side.
        seed: Start of the random numbers that bots use.
        ask: How bots that are not compiled are asked; by default a wrong answer is an error.
        num_threads: On how many threads compiled bots play; the games do not depend on it.
        features: What is written of observations, see `resolve_features`; bots see everything.

    Raises:
        ValueError: If a bot does not fit the rules, there are too many, or a feature is unknown.
        BotError: If a bot has no name, or fails when asked whether it can play the rules.
    """

    def __init__(
        self,
        rules: Rules,
        bots: Sequence[Bot],
        num_tables: int,
        seed: int = 0,
        ask: Ask = ask_strictly,
        num_threads: int = 1,
        features: Features = "full",
    ) -> None:
        self.threads = Threads(num_threads)
        self.rules = rules
        self.rules_array = rules_array(rules)
        self.bots = list(bots)
        self._seated = SeatedBots(self.bots, rules, seed)
        self.games = np.zeros(num_tables, STATE)
        """One record per table, shape (num_tables,)."""
        self.rosters = np.zeros(num_tables, ROSTER)
        self.rosters["holders"], self.rosters["forfeited"] = LEARNER, NOBODY
        """Who plays at each table, one record of `ROSTER` per table."""
        batch = Batch(self.games, self.rules_array, scales_array(rules, resolve_features(features)))
        self.batch = bare(batch)
        """The games as compiled functions take them: the bare tuple of a `Batch`."""
        self.world = bare(World(*batch, self.rosters, self._seated.kinds))
        """All tables as compiled functions take them: the bare tuple of a `World`."""
        self._run = partial(run_tables, self.world)
        self._player_counts = possible_player_counts(rules)
        self.ask = ask
        """How bots that are not compiled are asked."""
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start the random numbers of the bots anew; `deal` takes the seeds of the games."""
        rng = np.random.default_rng(seed)
        counters = rng.integers(2**64, size=len(self.games), dtype=np.uint64)
        self.rosters["counter"] = counters
        self._seated.seed(seed)

    def state_dict(self) -> dict[str, Any]:
        """Return all that the games and the bots' random numbers continue from."""
        return {
            "games": self.games.copy(),
            "rosters": self.rosters.copy(),
            "rngs": self._seated.generator_states(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue exactly where other tables with the same rules, bots and size were.

        Args:
            state: What their `state_dict` gave.

        Raises:
            ValueError: If it is of another number of tables, or not a possible state of these
                rules and bots; nothing is changed.
        """
        self.games[:], self.rosters[:], rngs = self.checked_state(state)
        self._seated.set_generators(rngs)

    def checked_state(
        self, state: Mapping[str, Any]
    ) -> tuple[States, Rosters, list[np.random.Generator]]:
        """Return the games, the rosters and the bots' generators of a state; change nothing.

        Raises:
            ValueError: As `load_state_dict`.
        """
        num_bots, num_asked = len(self.bots), len(self._seated.asked)
        return saved_tables(state, self.rules_array, len(self), num_bots, num_asked)

    # Properties, since a view that is stored would be cut off from its array in a pickled copy.
    @property
    def holders(self) -> NDArray[np.int8]:
        """Who holds each seat: `LEARNER` or an index into `bots`; shape (num_tables, 8)."""
        held: NDArray[np.int8] = self.rosters["holders"]
        return held

    @property
    def status(self) -> NDArray[np.int16]:
        """What each table waits for: `DONE`, `LEARNER_TO_ACT` or `BOT_TO_ACT`."""
        status: NDArray[np.int16] = self.rosters["status"]
        return status

    @property
    def survivors(self) -> NDArray[np.int8]:
        """How many were in the match when a seat had left it, 0 for none; shape (num_tables, 8)."""
        survivors: NDArray[np.int8] = self.rosters["survivors"]
        return survivors

    @property
    def forfeited(self) -> NDArray[np.int16]:
        """The seat whose bot failed and so lost the game, or -1; shape (num_tables,)."""
        forfeited: NDArray[np.int16] = self.rosters["forfeited"]
        return forfeited

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(self.games)

    def deal(
        self,
        tables: NDArray[np.int64],
        num_players: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        holders: NDArray[np.int8],
    ) -> None:
        """Start new games and advance them until they wait for the learner or are done.

        Args:
            tables: Which tables, shape (k,).
            num_players: Seats of each new game, shape (k,).
            seeds: Seed of each new game, shape (k,); the cards follow from it.
            holders: Holder of each seat, shape (k, 8).

        Raises:
            ValueError: If an argument has another shape or type, or a table, player count or holder
                is impossible; the message names the first, and nothing is changed.
        """
        tables = table_indices(tables, len(self))
        players = integers("num_players", num_players, tables.shape)
        held = holders_of(holders, len(tables))
        check_deal(players, held, self._player_counts, len(self.bots))
        deal_tables(self.world, tables, players, seeds_of(seeds, tables.shape), held)
        self._advance(tables, np.full(len(tables), NO_ACTION))

    def deal_to_learner(self, tables: NDArray[np.int64], draw: DrawGames) -> None:
        """Start games at the given tables until one lasts up to the learner's first decision.

        Args:
            tables: Which tables, shape (k,).
            draw: Called with the tables to deal at; returns the other arguments of `deal`.

        Raises:
            ValueError: If no game lasts until the learner can play a card.
        """
        for _ in range(MOST_DEALS):
            self.deal(tables, *draw(tables))
            tables = tables[self.status[tables] != LEARNER_TO_ACT]
            if not len(tables):
                return
        raise no_decision_error()

    def act(self, tables: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Apply a legal action of the learner at each of the given tables, then advance them.

        Args:
            tables: Which tables, shape (k,).
            actions: A legal action for each, shape (k,).

        Raises:
            RuntimeError: If the learner is not to act at a table, as after an error of a bot;
                nothing is changed.
            IllegalActionError: If an action is not legal; nothing is changed.
            ValueError: If a table does not exist or is named twice, or there is not one action for
                each; nothing is changed.
        """
        self.advance(tables, actions)

    def advance(self, tables: NDArray[np.int64], actions: NDArray[np.int64] | None = None) -> None:
        """Let bots play at the given tables until each waits for the learner or is done.

        Args:
            tables: Which tables, shape (k,).
            actions: Actions of the learner to apply first, shape (k,); none by default.

        Raises:
            RuntimeError: If the learner is not to act at a table; nothing is changed.
            ValueError: As from `act`.
        """
        tables = table_indices(tables, len(self))
        if actions is None:
            self._advance(tables, np.full(len(tables), NO_ACTION))
            return
        actions = integers("actions", actions, tables.shape)
        check_actions(self.games, self.rosters, tables, actions, self.rules)
        self._advance(tables, actions)

    def _advance(self, tables: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Advance tables by actions that have been checked."""
        if not any(self.threads.run(self._run, tables, actions)):
            return
        with InterruptWatch():
            is_waiting = True
            while is_waiting:
                tables = self.ask_bots(tables)
                actions = np.full(len(tables), NO_ACTION)
                is_waiting = any(self.threads.run(self._run, tables, actions))

    def views(self, tables: NDArray[np.int64], seats: NDArray[np.int64]) -> Views:
        """Return what the given seats may know, one seat of each given table.

        Raises:
            ValueError: If there is no such table or seat.
        """
        tables = integers("tables", tables)
        if len(tables) and not 0 <= tables.min() <= tables.max() < len(self):
            raise ValueError(f"tables: must be from 0 to {len(self) - 1}")
        return Views.of(self.rules, take_records(self.games, tables), seats)

    def ask_bots(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """Ask the bots that are not compiled for one action at each table that waits for one.

        Args:
            tables: Some tables, shape (k,).

        Returns:
            Those among them that must go on, shape (j,).
        """
        unfinished = tables[self.status[tables] == UNFINISHED]
        tables = tables[self.status[tables] == BOT_TO_ACT]
        holders = self.holders[tables, self.games["current_player"][tables]]
        for index in np.unique(holders).tolist():
            chosen = tables[holders == index]
            games = take_records(self.games, chosen)
            actions = self.ask(Question(self._seated.asked[index], self.rules, games))
            plays = actions != FORFEIT
            apply_actions(self.world, chosen[plays], actions[plays])
            if not plays.all():
                self._forfeit(chosen[~plays])
        return np.concatenate([tables, unfinished]) if len(unfinished) else tables

    def _forfeit(self, tables: NDArray[np.int64]) -> None:
        """End games by a loss of the seat to act; the others in the match share the win."""
        self.forfeited[tables] = self.games["current_player"][tables]
        batch.forfeit_games(self.games, tables)
