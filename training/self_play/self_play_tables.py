"""Self-play at many tables: each step takes one decision of a learner's seat at every table."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots import Bot
from ono99_env.engine import batch
from ono99_env.jit.compile import called_from_python
from ono99_env.jit.types import States
from ono99_env.observation.layout import OBSERVATION_SIZE
from ono99_env.observation.look import look_at, look_at_games
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS
from ono99_env.rules.rules import Rules
from ono99_env.tables import LEARNER, LEARNER_TO_ACT, Tables
from ono99_env.tables.saved_tables import saved_array, saved_generator
from training.self_play.seat_draw import SeatDraw


class SelfPlayTables:
    """Games in which the learner may hold several seats.

    After every step a learner's seat is to act at every table. A game is left when it is over or
    when no learner is left in it, and a new one is dealt in the same step. What the learner's seats
    won or lost has been paid by then.

    Args:
        rules: The rules of all games.
        bots: The bots that may hold seats.
        seat_draw: Who holds the seats of new games.
        num_tables: How many games run side by side.
        seed: Start of all randomness.

    Raises:
        ValueError: If a bot does not fit the rules.
    """

    def __init__(
        self, rules: Rules, bots: Sequence[Bot], seat_draw: SeatDraw, num_tables: int, seed: int
    ) -> None:
        self.seat_draw = seat_draw
        self.tables = Tables(rules, bots, num_tables)
        self.observation = np.zeros((num_tables, OBSERVATION_SIZE), np.float32)
        """What the seat to act sees at each table, shape (num_tables, features)."""
        self.action_mask = np.zeros((num_tables, NUM_ACTIONS), np.int8)
        """What the seat to act may do, shape (num_tables, 17)."""
        self.seats = np.zeros(num_tables, np.int64)
        """The seat to act at each table, always a learner's, shape (num_tables,)."""
        self.rewards = np.zeros((num_tables, MAX_PLAYERS), np.float32)
        """What each seat won or lost in this step, shape (num_tables, 8). A loss arrives when the
        seat is out, though others play on; it is that of the game in which the step was made."""
        self.game_over = np.zeros(num_tables, np.bool_)
        """Where a game was left in this step and a new one is dealt, shape (num_tables,)."""
        self.left_games = self.tables.games[:0].copy()
        """The last records of those games, in the order of the tables, shape (k,)."""
        self.left_holders = self.tables.holders[:0].copy()
        """The holders of the seats of those games, shape (k, 8)."""
        self.left_returns = np.zeros((0, MAX_PLAYERS))
        """What each seat won or lost in those games, as far as it is known, shape (k, 8)."""
        self._paid = np.zeros((num_tables, MAX_PLAYERS))
        self._all = np.arange(num_tables)
        self.reset(seed)

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(self._all)

    def reset(self, seed: int | None = None) -> None:
        """Deal new games at all tables.

        Args:
            seed: Start all randomness anew from this seed first.
        """
        if seed is not None:
            self.rng = np.random.default_rng(seed)
            self.tables.seed(int(self.rng.integers(2**63)))
        self._deal(self._all)
        self._look()

    def state_dict(self) -> dict[str, Any]:
        """Return all that the games continue from, but for `seat_draw`; see `load_state_dict`."""
        return {
            "tables": self.tables.state_dict(),
            "paid": self._paid.copy(),
            "rng": self.rng.bit_generator.state,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue exactly where others with the same arguments were after a step or a reset.

        Args:
            state: What their `state_dict` gave.

        Raises:
            ValueError: If it is not a possible state of these tables; nothing is changed.
        """
        paid = saved_array("paid", state["paid"], np.float64, *self._paid.shape)
        rng = saved_generator(state["rng"])
        self.tables.load_state_dict(state["tables"])
        self._paid[:], self.rng = paid, rng
        self._look()

    def step(self, actions: NDArray[np.int64]) -> None:
        """Take a legal action of the seat to act at every table and go on to the next decision.

        Args:
            actions: One action for each table, shape (num_tables,).
        """
        self.tables.act(self._all, actions)
        pay_seats(self.tables.games, self._paid, self.rewards)
        np.not_equal(self.tables.status, LEARNER_TO_ACT, out=self.game_over)
        left = np.flatnonzero(self.game_over)
        self.left_games = self.tables.games[left]
        self.left_holders = self.tables.holders[left]
        self.left_returns = self._paid[left]
        if len(left):
            self._deal(left)
        self._look()

    def _deal(self, tables: NDArray[np.int64]) -> None:
        self.tables.deal_to_learner(tables, self._draw)
        # A seat that is out by now never decided anything, so no decision is to blame.
        self._paid[tables] = 0.0
        games, paid = self.tables.games[tables], self._paid[tables]
        batch.fill_returns(games, paid)
        self._paid[tables] = paid

    def _draw(
        self, tables: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int8]]:
        num_players, holders = self.seat_draw.draw(self.rng, len(tables))
        seeds = self.rng.integers(2**64, size=len(tables), dtype=np.uint64)
        return num_players, seeds, holders

    def _look(self) -> None:
        self.seats[:] = self.tables.games["current_player"]
        look = look_at(self.observation, self.action_mask)
        look_at_games(self.tables.batch, self.seats, look, self._all, self._all)


@called_from_python
def pay_seats(games: States, paid: NDArray[np.float64], rewards: NDArray[np.float32]) -> None:
    """Write what every seat has won or lost since it was last paid, and pay it.

    Args:
        games: All tables, shape (tables,).
        paid: What each seat has got so far, shape (tables, 8).
        rewards: Written, shape (tables, 8).
    """
    returns = np.zeros(paid.shape[1])
    for table in range(len(games)):
        returns[:] = 0.0
        batch.write_returns(games[table], returns)
        rewards[table] = returns - paid[table]
        paid[table] = returns


def learner_seats(holders: NDArray[np.int8], games: States) -> NDArray[np.bool_]:
    """Return which seats of each game the learner holds, shape (games, 8)."""
    is_seat = np.arange(MAX_PLAYERS) < games["num_players"][:, None]
    held: NDArray[np.bool_] = is_seat & (holders == LEARNER)
    return held
