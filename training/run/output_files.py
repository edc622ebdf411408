"""Files that commands write their result to at the end: checked before they begin."""

from pathlib import Path

from ono99_env.bots.policies.bot_file import write_atomically
from ono99_env.cli.outputs import check_file
from ono99_env.messages.errors import UsageError


def check_result_file(option: str, path: Path, is_overwriting: bool) -> None:
    """Refuse a file that cannot be written, or that exists and shall not be replaced.

    Args:
        option: What the user calls it, such as ``--json``.
        path: The file.
        is_overwriting: Whether a file that exists may be replaced.

    Raises:
        UsageError: Naming the option and the path.
    """
    try:
        check_file(option, path, is_overwriting)
    except UsageError as error:
        raise UsageError(str(error)) from error


def write_result(path: Path, text: str) -> None:
    """Write a result and a line break; an older file stays until the new one is complete.

    Raises:
        UsageError: If it cannot be written after all, as on a full disk.
    """
    try:
        write_atomically(path, f"{text}\n".encode())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
