"""Read YAML files of fields (rules and configs) without running code, up to a size."""

from pathlib import Path
from typing import Any

import yaml

_MOST_BYTES = 1 << 20
_MOST_VALUES = 10_000


def read_fields(path: str | Path, example: str) -> dict[str, Any]:
    """Read a mapping of fields.

    Args:
        path: A regular file of at most 1 MiB.
        example: An example of a field, for error messages.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it is not such a file; the message begins with its path.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is no file" if path.is_dir() else f"{path} is no regular file")
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError(f"{path} is too long for a file of fields: more than 1 MiB")
    try:
        fields = yaml.safe_load(content.decode())
    # PyYAML's constructors raise ValueError for dates and numbers that do not exist.
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not valid YAML: {error}") from error
    if not isinstance(fields, dict):
        raise ValueError(f"{path} must hold a mapping of fields, such as '{example}'")
    if _is_more_than(_MOST_VALUES, fields):
        raise ValueError(f"{path} holds more values than a file of fields can have")
    return fields


def _is_more_than(most: int, fields: Any) -> bool:
    """Return whether there are more values; one that aliases repeat counts each time."""
    waiting, count = [fields], 0
    while waiting and count <= most:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set):
            waiting += value
    return count > most
