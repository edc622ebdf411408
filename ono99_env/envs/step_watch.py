"""What is played in the steps of an environment whose other seats bots hold."""

from ono99_env.bots.answers import FORFEIT
from ono99_env.drawing.scene import ScenePlay
from ono99_env.game.legality import may_take
from ono99_env.tables.episodes import Episodes
from ono99_env.tables.play_by_play import NotedAnswers, list_decisions


class StepWatch:
    """Finds the plays of each step of `Episodes` with one table, in order.

    Args:
        episodes: The episodes; from now on the answers of their bots are noted.
    """

    def __init__(self, episodes: Episodes) -> None:
        self._episodes = episodes
        self._answers = NotedAnswers(episodes.tables.ask)
        episodes.tables.ask = self._answers
        self._plays: list[ScenePlay] = []
        self.begin_step()

    def begin_step(self) -> None:
        """Note where the table is before a step."""
        tables = self._episodes.tables
        self._games, self._rosters = tables.games.copy(), tables.rosters.copy()
        self._answers.actions.clear()

    def end_step(self, action: int | None) -> None:
        """Find what was played in the step.

        Args:
            action: What the agent did, 0 to 16; None for what is no action.
        """
        tables = self._episodes.tables
        _, _, _, _, bots = tables.world
        given = FORFEIT if action is None or not may_take(self._games[0], action) else action
        decisions = list_decisions(
            self._games,
            tables.rules_array,
            self._rosters,
            bots["kinds"][0],
            self._answers.next,
            given,
        )
        self._plays += [
            ScenePlay.of(tables.rules, games[0], each)
            for games, each in decisions
            if each != FORFEIT
        ]

    def new_plays(self) -> list[ScenePlay]:
        """Return what was played since the last call, in order."""
        plays, self._plays = self._plays, []
        return plays
