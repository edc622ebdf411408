"""Checkpoint files: the state of a run in an archive, with the version of what it holds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ono99_env.files.array_archive import ArchiveError, read_archive, write_archive
from ono99_env.files.regular_files import UnreadableError
from ono99_env.messages.errors import UsageError

CHECKPOINT_VERSION = 1
"""Changes whenever what a checkpoint holds does."""


def write_checkpoint(path: Path, state: Mapping[str, Any]) -> None:
    """Write a state; an older checkpoint is replaced at once or, if that fails, kept.

    Args:
        path: The file.
        state: See `ono99_env.files.array_archive.write_archive`.

    Raises:
        OSError: If it cannot be written, as on a full disk.
    """
    write_archive(path, {"format_version": CHECKPOINT_VERSION, "state": state})


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Read what `write_checkpoint` wrote.

    Raises:
        UsageError: If there is no such file, it is damaged, or of another version.
    """
    try:
        content = read_archive(path)
    except FileNotFoundError as error:
        raise UsageError(f"there is no checkpoint {path}") from error
    except UnreadableError as error:
        raise UsageError(f"the checkpoint {path} {error}") from error
    except ArchiveError as error:
        raise damaged(path, error) from error
    version, state = content.get("format_version"), content.get("state")
    if not isinstance(version, int) or not isinstance(state, dict):
        raise damaged(path, "is damaged: it has no version or no state")
    if version != CHECKPOINT_VERSION:
        raise UsageError(
            f"the checkpoint {path} is of format version {version}, and this version of the code "
            f"reads {CHECKPOINT_VERSION}. Continue it with the code that it was written by."
        )
    return state


def damaged(path: Path, what: object) -> UsageError:
    """Return the error for a checkpoint that cannot be used.

    Args:
        path: The file.
        what: The end of a sentence about it.
    """
    return UsageError(
        f"the checkpoint {path} {what}. Restore it from a copy, or train anew; the bot files "
        "beside it can be used as they are."
    )
