"""A config from the command line: a YAML file, then ``--field value`` for what differs from it."""

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import BaseSettings, CliSettingsSource, SettingsError

from ono99_env.bots.names import ALLOW_CODE_HELP
from ono99_env.cli.parameters import join_player_counts, player_counts
from ono99_env.files.yaml_files import read_fields
from ono99_env.messages.errors import UsageError
from ono99_env.messages.fields import Problem, problems_of
from training.config.config import Config, allowing


@dataclass(frozen=True)
class Command:
    """What the command line asks for."""

    config: Config
    origin: Path
    """The YAML file that the config comes from."""
    is_resumed: bool
    """Whether to go on with the run in whose folder that file is."""
    allow_code: tuple[str, ...] = ()
    """What the user allows to run code, by the name that a file calls it."""


def read_command(
    arguments: Sequence[str] | None = None,
    model: type[Config] = Config,
    module: str = "training.train",
) -> Command:
    """Read the command line; ``--help`` and options that do not exist end the program.

    Args:
        arguments: The words of the command line; default: those of the process.
        model: What kind of config it describes.
        module: The module that is run with it.

    Raises:
        UsageError: If the file cannot be read or a field is unknown or wrong; the message names it.
    """
    parser = _parser(module)
    flags = _flags(model)
    source = CliSettingsSource[Any](
        flags,
        root_parser=parser,
        cli_hide_none_type=True,
        cli_avoid_json=True,
        cli_parse_none_str="null",
    )
    given = map(_with_underscores, sys.argv[1:] if arguments is None else arguments)
    words = parser.parse_args(join_player_counts(list(given)))
    try:
        overrides = source(parsed_args=words)()
    except SettingsError as error:
        message = re.sub(r"^Parsing error encountered for (\S+):", r"--\1:", str(error))
        raise UsageError(f"command line: {message}") from error
    origin, is_resumed = _origin(words.config, words.resume)
    config = make_config(
        read_yaml(origin), overrides, str(origin), model, allow_code=words.allow_code
    )
    return Command(config, origin, is_resumed, tuple(words.allow_code))


def counts_of_word(word: str) -> list[int]:
    """Player counts that are written ``2,4``, for argparse.

    Raises:
        ArgumentTypeError: If one is no whole number that a table can have.
    """
    try:
        return player_counts([word])
    except UsageError as error:
        raise ArgumentTypeError(str(error).partition(": ")[2]) from error


def make_config(
    fields: Mapping[str, Any],
    overrides: Mapping[str, Any],
    origin: str,
    model: type[Config] = Config,
    options: Mapping[str, str] | None = None,
    allow_code: Collection[str] = (),
) -> Config:
    """Validate a config. Bots that run code are refused unless the command line names them.

    Args:
        fields: The fields of a config file.
        overrides: Fields of the command line, which take precedence, nested like `fields`.
        origin: What messages call the place that the fields come from.
        model: What kind of config it is.
        options: What the command line calls the fields of `overrides`, such as ``ppo.gamma``, where
            that is not the name of the field.
        allow_code: Bots of `fields` that may run code, besides those that `overrides` name.

    Raises:
        UsageError: If a field is unknown or wrong; the message names it, or its option.
    """
    try:
        allowed = {*allow_code, *_texts(overrides)}
        return model.model_validate(_merge(fields, overrides), context=allowing(allowed))
    except ValidationError as error:
        options = {name: (options or {}).get(name, f"--{name}") for name in _flat(overrides)}
        problems = [(each, _blamed(each, options)) for each in problems_of(error, model)]
        is_blamed = [bool(blamed) for _, blamed in problems]
        places = [origin] * (not all(is_blamed)) + ["the command line"] * any(is_blamed)
        title = f"{' and '.join(places)} {'does' if len(places) == 1 else 'do'} not describe a run:"
        lines = [_line(problem, blamed, options) for problem, blamed in problems]
        raise UsageError("\n".join([title, *lines])) from error


def _with_underscores(word: str) -> str:
    """An option in the spelling of fields: ``--num-envs`` is ``--num_envs``."""
    if not word.startswith("--"):
        return word
    name, equals, value = word.removeprefix("--").partition("=")
    return f"--{name.replace('-', '_')}{equals}{value}"


def _flags(model: type[Config]) -> type[BaseSettings]:
    """The fields of a config as options of the command line."""

    class Flags(model, BaseSettings):  # type: ignore[misc,valid-type] # both configure pydantic
        __doc__ = model.__doc__

    return Flags


def _parser(module: str) -> ArgumentParser:
    parser = ArgumentParser(
        prog=f"python -m {module}",
        usage=f"python -m {module} (CONFIG | --resume FOLDER) [--FIELD VALUE ...]",
        description="Train a bot, measure it, and write it into a new folder under runs/.",
        epilog="Lists are written 2,4 or '[2, 4]', and no value is written null.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "config", metavar="CONFIG", type=Path, nargs="?", help="YAML file of fields"
    )
    parser.add_argument(
        "--resume",
        metavar="FOLDER",
        type=Path,
        help="go on with the run in this folder, exactly where its last checkpoint was written",
    )
    add_allow_code(parser)
    return parser


def add_allow_code(parser: ArgumentParser) -> None:
    """Add the option of commands that read names of bots from files; both spellings go."""
    parser.add_argument(
        *("--allow-code", "--allow_code"),
        action="append",
        default=[],
        metavar="NAME",
        help=ALLOW_CODE_HELP,
    )


def _origin(config: Path | None, folder: Path | None) -> tuple[Path, bool]:
    """The config file to read, and whether it is that of a run to go on with."""
    if (config is None) == (folder is None):
        raise UsageError(
            "name either a config file (configs/quickstart.yaml) or a run to go on with "
            "(--resume runs/quickstart), which has its own config"
        )
    if config is not None:
        return config, False
    assert folder is not None
    if not folder.is_dir():
        raise UsageError(f"--resume: there is no folder {folder}")
    return folder / "config.yaml", True


def read_yaml(path: Path) -> dict[str, Any]:
    """Read the fields of a config file.

    Raises:
        UsageError: If it cannot be read or holds no mapping.
    """
    try:
        return read_fields(path, "seed: 1")
    except OSError as error:
        raise UsageError(f"cannot read the config {path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(str(error)) from error


def _merge(fields: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(fields)
    for name, value in overrides.items():
        old = merged.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            value = _merge(old, value)
        merged[name] = value
    return merged


def _texts(value: Any) -> Iterator[str]:
    """Every text in a field and those below it, with the names of those below."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from (str(name), *_texts(inner))
    elif isinstance(value, Collection):
        for inner in value:
            yield from _texts(inner)


def _flat(overrides: Mapping[str, Any], above: str = "") -> list[str]:
    """The fields that overrides name, such as ``ppo.gamma``."""
    names = []
    for name, value in overrides.items():
        inner = _flat(value, f"{above}{name}.") if isinstance(value, Mapping) else []
        names += inner or [f"{above}{name}"]
    return names


def _blamed(problem: Problem, options: Mapping[str, str]) -> list[str]:
    """The options that a problem comes from, if it does not come from the file.

    Args:
        problem: What is wrong.
        options: The options given, by the fields that they set.
    """
    field = ".".join(map(str, problem.place))
    if field:
        return [word for name, word in options.items() if f"{field}.".startswith(f"{name}.")]
    # Fields that do not fit each other are all named in the message.
    told = set(re.findall(r"[\w.]+\w", problem.message))
    return [word for name, word in options.items() if name in told]


def _line(problem: Problem, blamed: Sequence[str], options: Mapping[str, str]) -> str:
    """A problem on a line that begins with the option, if it comes from one."""
    if not blamed:
        return f"  {problem}"
    field, _, rest = problem.message.partition(": ")
    return f"  {', '.join(blamed)}: {rest if options.get(field) in blamed else problem.message}"
