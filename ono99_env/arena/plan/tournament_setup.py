"""The setup of a tournament, and all else that its figures depend on."""

import platform
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from inspect import getsourcefile
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ono99_env.bots.base import Bot
from ono99_env.bots.names import split_file_option
from ono99_env.jit.compile import source_digest
from ono99_env.rules.rules import Rules

_PACKAGE = Path(__file__).parents[2]

MOST_GAMES = 1_000_000_000
"""The most games that may be asked for: all jobs are planned before any is played."""

MOST_ENTRANTS = 100
"""Bots of a tournament at most: a seat stores the index of its bot in a signed byte."""


class TournamentSetup(BaseModel):
    """The setup of a tournament. The same setup gives the same figures."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bots: tuple[str, ...]
    """The bots by the names that `load_bot` takes."""
    rules: Rules = Rules()
    """The rules of all games; ``players`` replaces their number of players."""
    players: tuple[int, ...] = (4,)
    """Player counts, each played separately."""
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)] = 100_000
    """Least number of games at each player count; in one-vs-rest, against each opponent."""
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 1
    """Seed of all randomness."""
    seating: Literal["mixed", "one_vs_rest"] = "mixed"
    """Who meets whom: all bots in mixed tables, or the first one against copies of each other."""
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Probability that an interval covers the true value."""
    forfeit: bool = False
    """Whether a bot that fails loses the game. If not, the tournament ends with an error."""
    time_limit: Annotated[float, Field(gt=0)] | None = None
    """Seconds that a bot may take for a batch of decisions; None for no limit. With a limit the
    figures depend on the speed of the machine."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.bots) < 2:
            raise ValueError(f"bots: a tournament needs two at least, not {len(self.bots)}")
        if len(self.bots) > MOST_ENTRANTS:
            raise ValueError(f"bots: at most {MOST_ENTRANTS} can take part, not {len(self.bots)}")
        for field in ("bots", "players"):
            values = getattr(self, field)
            twice = sorted({value for value in values if values.count(value) > 1})
            if twice:
                raise ValueError(f"{field}: {twice[0]!r} is named twice")
        if not self.players:
            raise ValueError("players: name one player count at least")
        for count in self.players:
            self.rules_at(count)
        return self

    def rules_at(self, num_players: int) -> Rules:
        """Return the rules at one player count.

        Raises:
            ValueError: If the rules are impossible for it.
        """
        return self.rules.with_players(num_players)

    def as_dict(self) -> dict[str, Any]:
        """Return the setup for a JSON file; `TournamentSetup.model_validate` reads it."""
        return self.model_dump(mode="json")


def versions() -> dict[str, str]:
    """Return the versions of everything that the figures can depend on besides the setup."""
    found = {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "compiled_sources": source_digest(),
    }
    for package in ("ono99-env", "numpy", "numba", "onnxruntime", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def fingerprint(name: str, bot: Bot) -> str | None:
    """Return the SHA-256 of a bot: of its bot file, or of the source file of its class.

    It is None for bots of this package, which `versions` covers.

    Args:
        name: The bot as the user named it, such as ``"runs/x/bot.onnx?sample"``.
        bot: The bot.
    """
    model = getattr(bot, "model", None)
    if isinstance(model, bytes):
        return sha256(model).hexdigest()
    path = Path(split_file_option(name)[0].removeprefix("sb3:"))
    if path.is_file():
        return sha256(path.read_bytes()).hexdigest()
    try:
        source = Path(getsourcefile(type(bot)) or "")
    except TypeError:  # a class of an interactive session
        return None
    if not source.is_file() or source.is_relative_to(_PACKAGE):
        return None
    return sha256(source.read_bytes()).hexdigest()
