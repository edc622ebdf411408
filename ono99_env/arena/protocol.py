"""The benchmark's protocol: everything that its figures follow from, but for the bot measured.

A protocol is frozen. Whatever changes the figures of any bot, here or in the bots of the pool, is
another version under another name; a test holds the digest of each.
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
        """All rules: those of the edition, with the format and the number of players."""
        return Rules.preset(self.edition, format=self.format, num_players=self.num_players)

    @property
    def title(self) -> str:
        """The setting in a few words."""
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
    """Those of the pool against whom the result is shown and does not count in the score."""
    deals: int
    """Deals against each reference bot in each setting; each is played with the bot in every
    seat."""
    deals_at_once: int
    """Deals that are played side by side: the reference bots' own randomness depends on it."""
    confidence: float
    """How often an interval covers the truth."""

    def key(self, setting: int, opponent: int) -> int:
        """Where all randomness of one setting and opponent starts: the same for every bot."""
        where = self.settings[setting]
        words = (self.name, where.edition, where.format, str(where.num_players))
        text = "\0".join((*words, self.pool[opponent]))
        return int.from_bytes(sha256(text.encode()).digest()[:8], "little")

    def as_dict(self) -> dict[str, Any]:
        """The protocol in full, with every field of the rules, for files."""
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
        """SHA-256 of the protocol in full."""
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
    # Any competent bot takes two to four times parity from it, which would outweigh all others.
    not_scored=("random",),
    deals=25_000,
    deals_at_once=500,
    confidence=0.95,
)
"""The present version."""
