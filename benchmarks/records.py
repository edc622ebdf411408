"""Files of figures: what one run of the benchmarks measured, for a later run to compare with."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmarks.timing import Figure, runs_of
from ono99_env.files.atomic import write_atomically

_FORMAT = "ono99-env benchmarks 1"


class FileError(ValueError):
    """A file of figures cannot be read; the message says why."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PathRuns(_Model):
    """What the runs of one path measured."""

    name: str
    unit: str
    runs: tuple[float, ...] = Field(min_length=1)
    """In `unit`, in the order in which they were made."""

    @property
    def is_rate(self) -> bool:
        """Whether more is better."""
        return self.unit.endswith("/s")


class Measurements(_Model):
    """What one run of the benchmarks measured, path by path."""

    format: str = Field(default=_FORMAT, pattern=f"^{_FORMAT}$")
    machine: str
    """Processor, load and versions, in words."""
    paths: tuple[PathRuns, ...]

    @classmethod
    def of(cls, machine: str, figures: list[Figure]) -> "Measurements":
        """Return what figures say of our own paths; one that stands in several counts once.

        Args:
            machine: What they were measured on.
            figures: The figures; their references are not kept.
        """
        rates = {(figure.name, figure.unit): figure.rate for figure in reversed(figures)}
        paths = [
            PathRuns(name=name, unit=unit, runs=tuple(runs_of(rate)))
            for (name, unit), rate in reversed(rates.items())
        ]
        return cls(machine=machine, paths=tuple(paths))

    def write(self, path: Path) -> None:
        """Write a file that `read` reads.

        Raises:
            OSError: If it cannot be written; an older file is still there.
        """
        write_atomically(path, self.model_dump_json(indent=1).encode())

    @classmethod
    def read(cls, path: Path) -> "Measurements":
        """Read a file that `write` wrote.

        Raises:
            FileError: If there is none, or it holds something else.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from error
        except ValidationError as error:
            reason = error.errors()[0]
            where = ".".join(str(part) for part in reason["loc"]) or "the file"
            raise FileError(
                f"{path} holds no figures of 'python -m benchmarks --json FILE': "
                f"{where}: {reason['msg']}"
            ) from error
