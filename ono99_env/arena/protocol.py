"""The protocol of the benchmark: everything that its figures depend on, except the bot measured.

A protocol is frozen. A change that alters the figures of any bot, here or in the reference bots, is
a new version with a new name. A test holds the digest of each version.
"""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ono99_env.rules.rules import Edition, Format, Rules


@dataclass(frozen=True)
class Setting:
    """The rules of some games of the benchmark."""

    edition: Edition
    format: Format
    num_players: int

    @property
    def rules(self) -> Rules:
        """Return the rules of the edition, with the format and the number of players."""
        return Rules.preset(self.edition, format=self.format, num_players=self.num_players)

    @property
    def title(self) -> str:
        """Describe the setting in a few words."""
        match = "" if self.format == "single_round" else f" {self.format.partition('_')[0]}"
        return f"{self.edition}{match}, {self.num_players} players"


@dataclass(frozen=True)
class BenchmarkProtocol:
    """A version of the benchmark."""

    name: str
    settings: tuple[Setting, ...]
    pool: tuple[str, ...]
    """The reference bots. The bot measured sits alone among copies of each in turn."""
    not_scored: tuple[str, ...]
    """Reference bots against which the result is shown but does not count in the score."""
    deals: int
    """Deals against each reference bot in each setting; each is played with the bot in every
    seat."""
    deals_at_once: int
    """Deals that are played side by side; the randomness of the reference bots depends on it."""
    confidence: float
    """Probability that an interval covers the true value."""

    def key(self, setting: int, opponent: int) -> int:
        """Return the seed of one setting and opponent, which is the same for every bot."""
        where = self.settings[setting]
        parts = (self.name, where.edition, where.format, str(where.num_players))
        text = "\0".join((*parts, self.pool[opponent]))
        return int.from_bytes(sha256(text.encode()).digest()[:8], "little")

    def as_dict(self) -> dict[str, Any]:
        """Return the whole protocol, with every field of the rules, for a JSON file."""
        return {
            "name": self.name,
            "settings": [setting.rules.model_dump(mode="json") for setting in self.settings],
            "pool": list(self.pool),
            "not_scored": list(self.not_scored),
            "deals": self.deals,
            "deals_at_once": self.deals_at_once,
            "confidence": self.confidence,
        }

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the whole protocol."""
        return sha256(json.dumps(self.as_dict(), sort_keys=True).encode()).hexdigest()


V0 = BenchmarkProtocol(
    name="ONO99-Bench v0",
    settings=(
        Setting("2022", "single_round", 2),
        Setting("2022", "single_round", 3),
        Setting("2022", "single_round", 4),
        Setting("2022", "single_round", 6),
        Setting("1980", "chips", 4),
        Setting("1980", "points_last_standing", 4),
    ),
    pool=("random", "highest", "smooth", "counter"),
    # Competent bots score two to four times parity against it, which would outweigh the others.
    not_scored=("random",),
    deals=25_000,
    deals_at_once=500,
    confidence=0.95,
)
"""The present version."""
