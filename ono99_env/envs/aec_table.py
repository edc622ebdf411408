"""The table of the AEC environment: what is to be seen of it, and how its game went."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ono99_env.drawing.scene import Scene, Watcher
from ono99_env.drawing.table_picture import NOTEBOOK_WIDTH, draw_table
from ono99_env.envs.rendering import Renderer
from ono99_env.envs.table_log import TableLog
from ono99_env.game.game import Game
from ono99_env.game.snapshots import to_snapshot
from ono99_env.jit.types import States
from ono99_env.observation.views import Views
from ono99_env.rules.rules import Rules


class AECTable(AECEnv[str, Any, Any]):
    """The part of `Ono99AEC` that shows its table and changes nothing."""

    rules: Rules
    render_seat: Watcher
    _games: States
    _log: TableLog
    _renderer: Renderer
    _seat_of: dict[str, int]
    _has_been_reset: bool

    def game_snapshot(self) -> dict[str, Any]:
        """Return the table as JSON-serialisable data (`ono99_env.Game.snapshot`)."""
        self._check_dealt()
        return to_snapshot(self.rules, self._games)

    def views(self, agent: str | None = None) -> Views:
        """Return what an agent may know, as the batch of one that bots take.

        Args:
            agent: Who looks; default: the agent to act.

        Raises:
            ValueError: If there is no such agent, or none is given and the game is over.
            ResetNeeded: Before `reset`.
        """
        self._check_dealt()
        seat = int(self._games[0].current_player) if agent is None else self._seat_of.get(agent, -1)
        if seat < 0:
            what = "nobody is to act; the game is over" if agent is None else f"no agent {agent!r}"
            raise ValueError(f"agent: {what}; agents are {', '.join(self.possible_agents)}")
        return Views.of(self.rules, self._games, np.array([seat]))

    def game(self) -> Game:
        """Return the game at the table as an object of its own, with every play since `reset`."""
        self._check_dealt()
        return self._log.game.clone()

    def record(self) -> dict[str, Any]:
        """Return how the game went, as JSON-serialisable data (`ono99_env.Game.record`)."""
        self._check_dealt()
        return self._log.game.record(self.possible_agents)

    def scene(self, seat: Watcher | None = None) -> Scene:
        """Return what one seat may see of the table (default: `render_seat`), as plain data."""
        self._check_dealt()
        return Scene.of(self.rules, self._games[0], self.render_seat if seat is None else seat)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the table as `render_seat` sees it, in the way that `render_mode` says."""
        plays = self._log.new_plays() if self._renderer.writes else ()
        return self._renderer.render(self.scene(), plays)

    def _repr_svg_(self) -> str | None:
        """Show the table in a notebook, once a game is dealt."""
        return draw_table(self.scene(), width=NOTEBOOK_WIDTH) if self._has_been_reset else None

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def _check_dealt(self) -> None:
        if not self._has_been_reset:
            raise gymnasium.error.ResetNeeded("no game has been dealt; call reset() first")
