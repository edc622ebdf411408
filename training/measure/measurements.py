"""The results of an evaluation: a bot's win rate against each opponent at each table."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from ono99_env.arena.analysis.duplicates import WinRate


@dataclass(frozen=True)
class Measurement:
    """How a bot fares against copies of one opponent."""

    opponent: str
    num_players: int
    format: str
    """The match format."""
    outcome: WinRate

    @property
    def parity(self) -> float:
        """The win rate of a bot as good as the opponent."""
        return 1 / self.num_players

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for results files: win rates as shares of 1, and the 95% interval."""
        return {
            "opponent": self.opponent,
            "num_players": self.num_players,
            "format": self.format,
            **asdict(self.outcome),
            "interval": list(self.outcome.interval),
            "parity": self.parity,
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Return the measurement that `as_dict` described."""
        outcome = {name: fields[name] for name in WinRate.__dataclass_fields__}
        return cls(
            fields["opponent"],
            fields["num_players"],
            fields["format"],
            WinRate(**{**outcome, "interval": tuple(fields["interval"])}),
        )


@dataclass(frozen=True)
class Evaluation:
    """How the policy fared at one moment of the training."""

    decisions: int
    """How many decisions it had been trained on."""
    measurements: Sequence[Measurement]
    """One for each opponent at each table, each over deals of its own."""

    @property
    def score(self) -> float:
        """The mean of win rate times players, in which 1 is parity."""
        return sum(each.outcome.score for each in self.measurements) / len(self.measurements)

    @property
    def stderr(self) -> float:
        """Standard error of `score`; the measurements are independent."""
        errors = [each.outcome.stderr * each.num_players for each in self.measurements]
        return math.hypot(*errors) / len(errors)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for checkpoints."""
        return {
            "decisions": self.decisions,
            "measurements": [measurement.as_dict() for measurement in self.measurements],
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Return the evaluation that `as_dict` described."""
        return cls(fields["decisions"], [*map(Measurement.from_dict, fields["measurements"])])
