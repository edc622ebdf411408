"""The callback of the league: it takes snapshots and chooses which the learner meets."""

from collections.abc import Callable, Mapping
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback

from training.networks.policy_network import PolicyNetwork
from training.self_play.league import League
from training.self_play.mixed_tables import AnyTables


class LeagueCallback(BaseCallback):
    """Takes snapshots, and chooses before each rollout which of them new games meet.

    Args:
        league: The pool.
        tables: The tables whose games meet it.
        decisions_between: Decisions from one snapshot to the next.
        at_once: How many snapshots the games dealt in one rollout meet: each costs time.
    """

    def __init__(
        self, league: League, tables: AnyTables, decisions_between: int, at_once: int
    ) -> None:
        super().__init__()
        self.league = league
        self.next_snapshot = decisions_between
        """Decisions after which the next snapshot is taken."""
        self.store: Callable[[PolicyNetwork, int], None] = lambda snapshot, decisions: None
        """Called with each new snapshot and the decisions after which it was taken."""
        self._tables = tables
        self._decisions_between = decisions_between
        self._at_once = at_once

    def state_dict(self) -> dict[str, Any]:
        """Return what the league continues from, without the snapshots that were stored."""
        return {"league": self.league.state_dict(), "next_snapshot": self.next_snapshot}

    def load_state_dict(
        self, state: Mapping[str, Any], snapshot: Callable[[int], PolicyNetwork]
    ) -> None:
        """Continue where another league was.

        Args:
            state: What its `state_dict` gave.
            snapshot: Gives the snapshot that was stored after that many decisions.
        """
        self.league.load_state_dict(state["league"], snapshot)
        self.next_snapshot = state["next_snapshot"]

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.next_snapshot:
            snapshot = PolicyNetwork(self.model.policy)  # type: ignore[arg-type]
            self.league.add(snapshot, self.num_timesteps)
            self.store(snapshot, self.num_timesteps)
            self.next_snapshot = self.num_timesteps + self._decisions_between
        self._tables.seat_draw.active = self.league.choose(self._at_once)

    def _on_step(self) -> bool:
        tables = self._tables
        if self.league.size and len(tables.left_games):
            self.league.record(tables.left_games, tables.left_holders)
        return True

    def _on_rollout_end(self) -> None:
        if self.league.size:
            self.logger.record("league/snapshots", self.league.size)
            self.logger.record("league/lowest_win_rate", self.league.win_rates.min())
            self.logger.record("league/mean_win_rate", self.league.win_rates.mean())
