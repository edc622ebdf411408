"""What an evaluation finds: a bot's win rate against one opponent at one player count."""

from dataclasses import dataclass
from typing import Any

from ono99_env.arena.duplicates import WinRate


@dataclass(frozen=True)
class Measurement:
    """How a bot fares against copies of one opponent."""

    opponent: str
    num_players: int
    outcome: WinRate

    @property
    def parity(self) -> float:
        """The win rate of a bot as good as the opponent."""
        return 1 / self.num_players

    def as_dict(self) -> dict[str, Any]:
        """For results files; win rates are shares of 1, the interval is the 95% one."""
        return {
            "opponent": self.opponent,
            "num_players": self.num_players,
            "games": self.outcome.games,
            "deals": self.outcome.deals,
            "win_rate": self.outcome.win_rate,
            "interval": list(self.outcome.interval),
            "stderr": self.outcome.stderr,
            "parity": self.parity,
        }
