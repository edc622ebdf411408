"""What to install where a package is missing that an extra brings."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec


@contextmanager
def brought_by(extra: str, needed_by: str) -> Iterator[None]:
    """Name the extra to install if an import inside fails.

    Args:
        extra: The extra of ono99-env that brings the packages that are imported inside.
        needed_by: What needs them.

    Raises:
        ModuleNotFoundError: If one of them is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "ono99_env", "training"):
            raise
        raise ModuleNotFoundError(_message(extra, needed_by, package), name=error.name) from error


def need_extra(extra: str, needed_by: str, *packages: str) -> None:
    """Refuse to go on without packages that an extra brings.

    Args:
        extra: The extra of ono99-env.
        needed_by: What needs the packages.
        *packages: The packages.

    Raises:
        ModuleNotFoundError: If one of them is not installed; the message says what to install.
    """
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise ModuleNotFoundError(
            _message(extra, needed_by, " and ".join(missing)), name=missing[0]
        )


def _message(extra: str, needed_by: str, packages: str) -> str:
    return (
        f"{needed_by} needs {packages}, which the extra {extra!r} brings: "
        f"pip install 'ono99-env[{extra}]'"
    )
