"""How a table got where it is: the start of its game and the actions since."""

from typing import Any

from ono99_env.drawing.scene import ScenePlay
from ono99_env.game.game import Game
from ono99_env.rules.rules import Rules

FORFEIT = -1
"""In place of an action: the current player has lost by an illegal one."""


class TableLog:
    """Notes the actions of one game, which cost next to nothing, and plays them when asked.

    Args:
        rules: The rules of the games.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Begin a game that is dealt from a seed."""
        self._begin(seed, None)

    def begin_at(self, snapshot: dict[str, Any]) -> None:
        """Begin at a saved position."""
        self._begin(0, snapshot)

    def _begin(self, seed: int, snapshot: dict[str, Any] | None) -> None:
        self._seed, self._snapshot = seed, snapshot
        self._game: Game | None = None
        self._num_played = 0
        self._new_plays: list[ScenePlay] = []
        self.actions: list[int] = []
        """What was done since, or `FORFEIT`; who steps the table adds to it."""

    @property
    def game(self) -> Game:
        """The game as it is now, with its history; it belongs to the log."""
        return self._catch_up()

    def new_plays(self) -> list[ScenePlay]:
        """Return what was played since the last call or the begin of the game, in order."""
        self._catch_up()
        plays, self._new_plays = self._new_plays, []
        return plays

    def _catch_up(self) -> Game:
        """Play what was done since the last time."""
        if self._game is None:
            if self._snapshot is not None:
                self._game = Game.from_snapshot(self._snapshot)
            else:
                self._game = Game(self._rules, self._seed)
        for action in self.actions[self._num_played :]:
            if action == FORFEIT:
                self._game.forfeit()
            else:
                self._new_plays.append(ScenePlay.of(self._rules, self._game.state, action))
                self._game.play(action)
        self._num_played = len(self.actions)
        return self._game
