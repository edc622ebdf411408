"""Write a file as a whole or not at all."""

import os
from collections.abc import Iterator
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write a draft beside the file, then rename it, so that nobody ever sees half a file.

    Args:
        path: The file; an older one stays until the new one is complete.
        content: All that the file holds.

    Raises:
        OSError: If it cannot be written, as on a full disk; an older file is still there.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # without it, a crash soon after can leave an empty file
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def drafts_in(folder: Path) -> Iterator[Path]:
    """Yield the drafts that processes left when they were killed while they wrote."""
    yield from folder.glob(".*.*.[0-9]*")
