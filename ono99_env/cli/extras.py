"""What a command needs besides the package itself."""

from collections.abc import Sequence
from importlib.util import find_spec

from ono99_env.messages.errors import UsageError


def check_extra(command: str, extra: str, modules: Sequence[str]) -> None:
    """Refuse to run a command whose packages are not installed.

    Args:
        command: The command.
        extra: The extra of this package that brings them.
        modules: The modules that the command imports.

    Raises:
        UsageError: Saying what to install.
    """
    missing = [each for each in modules if find_spec(each) is None]
    if missing:
        raise UsageError(
            f"{command} needs {', '.join(missing)}, which the extra {extra!r} brings: "
            f"pip install 'ono99-env[{extra}]'"
        )
