"""Read a whole file of a user, if it is a regular file and not too large."""

import os
import stat
from pathlib import Path


class UnreadableError(ValueError):
    """Why a file cannot be read, as the end of a sentence about it."""


def read_regular_file(path: Path, largest: int) -> bytes:
    """Read a file, after checking that it is a regular file and not too large.

    Args:
        path: The file.
        largest: The most bytes that it may have.

    Raises:
        FileNotFoundError: If there is no such file.
        UnreadableError: If it is a folder, a pipe, a device or a socket, too large, or cannot be
            read.
    """
    # Without this, opening a pipe that nobody writes to waits forever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        _check(path.stat(), largest)
        with os.fdopen(os.open(path, flags), "rb") as file:
            _check(os.fstat(file.fileno()), largest)  # it may have been replaced meanwhile
            content = file.read(largest + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from error
    except ValueError as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError("cannot be read: it has no possible name") from error
    if len(content) > largest:
        raise _too_large(largest)
    return content


def _check(status: os.stat_result, largest: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError(f"is {_file_type(status.st_mode)}, not a file")
    if status.st_size > largest:
        raise _too_large(largest)


def _too_large(largest: int) -> UnreadableError:
    return UnreadableError(f"is larger than {largest // 2**20} MiB, the most that is read")


def _file_type(mode: int) -> str:
    types = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return types.get(stat.S_IFMT(mode), "a device")
