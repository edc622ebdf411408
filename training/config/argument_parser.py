"""What the command lines of training have in common.

They use argparse and not typer as ``ono99`` does: pydantic-settings makes an option of every field
of a config, with its documentation and its default, and it does that for argparse alone.
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from sys import argv

from ono99_env.bots.names import ALLOW_CODE_HELP
from ono99_env.cli.parameters import join_player_counts, parse_player_counts

_MOST_LISTED = 20
"""Options that one line of an error names; a config has more."""


class CommandParser(ArgumentParser):
    """A parser that takes ``--num-envs`` for ``--num_envs`` and suggests what was meant.

    Args:
        module: The module of the command.
        **texts: See `ArgumentParser`.
    """

    def __init__(self, module: str, **texts: str) -> None:
        super().__init__(prog=f"python -m {module}", allow_abbrev=False, **texts)  # type: ignore[arg-type]

    def parse_args(  # type: ignore[override] # without a namespace to fill
        self, args: Sequence[str] | None = None
    ) -> Namespace:
        """See `ArgumentParser.parse_args`; ``--players 2 4`` is ``--players 2,4``."""
        words = [_with_underscores(word) for word in (argv[1:] if args is None else args)]
        options, unknown = self.parse_known_args(join_player_counts(words))
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._suggestion(unknown)}")
        return options

    def add_allow_code(self) -> None:
        """Add the option of commands that read names of bots from files."""
        self.add_argument(
            "--allow-code",
            "--allow_code",
            action="append",
            default=[],
            metavar="NAME",
            help=ALLOW_CODE_HELP,
        )

    def add_alias(self, alias: str, of: str) -> None:
        """Accept another spelling of an option that the parser has; the help shows the first."""
        self._option_string_actions[alias] = self._option_string_actions[of]

    def _suggestion(self, unknown: Sequence[str]) -> str:
        options = [word.partition("=")[0] for word in unknown if word.startswith("-")]
        if not options:
            return ""
        known = [name for name in self._option_string_actions if name.startswith("--")]
        close = get_close_matches(options[0], known, n=1)
        if close:
            return f"; did you mean {close[0]}?"
        spellings = [action.option_strings for action in self._actions if action.option_strings]
        if len(spellings) > _MOST_LISTED:
            return "; see --help"
        return f"; there are: {', '.join(max(each[:2], key=len) for each in spellings)}"


def parse_counts(word: str) -> list[int]:
    """Parse player counts such as ``2,4``, for argparse.

    Raises:
        ArgumentTypeError: If one is no whole number that a table can have.
    """
    try:
        return parse_player_counts(word)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def whole_number(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from a least one, for argparse."""

    def parse(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise ArgumentTypeError(f"must be a whole number from {least}, not {text!r}")
        return int(text)

    return parse


def _with_underscores(word: str) -> str:
    """Spell an option as fields are spelt: ``--num-envs`` is ``--num_envs``."""
    if not word.startswith("--"):
        return word
    name, equals, value = word.removeprefix("--").partition("=")
    return f"--{name.replace('-', '_')}{equals}{value}"
