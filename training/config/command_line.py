"""A config from the command line: a YAML file, then ``--field value`` for what differs from it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import BaseSettings, CliSettingsSource, SettingsError

from ono99_env.files.yaml_files import read_fields
from ono99_env.messages.errors import UsageError
from ono99_env.messages.fields import Problem, problems_of
from training.config.argument_parser import CommandParser
from training.config.config import Config
from training.config.field_checks import allowing


@dataclass(frozen=True)
class Command:
    """What the command line asks for."""

    config: Config
    origin: Path
    """The YAML file that the config comes from."""
    is_resumed: bool
    """Whether to continue the run in whose folder that file is."""
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
        model: The kind of config that it describes.
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
    parser.add_alias("--players", of="--num_players")
    words = parser.parse_args(arguments)
    try:
        overrides = source(parsed_args=words)()
    except SettingsError as error:
        # pydantic-settings names the field in its text only.
        message = re.sub(r"^Parsing error encountered for (\S+):", r"--\1:", str(error))
        raise UsageError(f"command line: {message}") from error
    origin, is_resumed = _origin(words.config, words.resume)
    config = make_config(
        read_yaml(origin), overrides, str(origin), model, allow_code=words.allow_code
    )
    return Command(config, origin, is_resumed, tuple(words.allow_code))


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
        model: The kind of config.
        options: The options that set the fields of `overrides`, where they are not called like the
            field, such as ``--ppo.gamma``.
        allow_code: Bots of `fields` that may run code, besides those that `overrides` name.

    Raises:
        UsageError: If a field is unknown or wrong; the message names it, or its option.
    """
    try:
        allowed = {*allow_code, *_texts(overrides)}
        return model.model_validate(_merge(fields, overrides), context=allowing(allowed))
    except ValidationError as error:
        options = {name: (options or {}).get(name, f"--{name}") for name in _flat(overrides)}
        problems = problems_of(error, model)
        is_blamed = [bool(_blamed(each, options)) for each in problems]
        places = [origin] * (not all(is_blamed)) + ["the command line"] * any(is_blamed)
        title = f"{' and '.join(places)} {'does' if len(places) == 1 else 'do'} not describe a run:"
        lines = [_line(problem, options) for problem in problems]
        raise UsageError("\n".join([title, *lines])) from error


def _flags(model: type[Config]) -> type[BaseSettings]:
    """Return a model whose fields are the options of the command line."""

    class Flags(model, BaseSettings):  # type: ignore[misc,valid-type] # both configure pydantic
        __doc__ = model.__doc__

    return Flags


def _parser(module: str) -> CommandParser:
    parser = CommandParser(
        module,
        usage=f"python -m {module} (CONFIG | --resume FOLDER) [--FIELD VALUE ...]",
        description="Train a bot, measure it, and write it into a new folder under runs/.",
        epilog="Lists are written 2,4 or '[2, 4]', and no value is written null.",
    )
    parser.add_argument(
        "config", metavar="CONFIG", type=Path, nargs="?", help="YAML file of fields"
    )
    parser.add_argument(
        "--resume",
        metavar="FOLDER",
        type=Path,
        help="continue the run in this folder, exactly where its last checkpoint was written",
    )
    parser.add_allow_code()
    return parser


def _origin(config: Path | None, folder: Path | None) -> tuple[Path, bool]:
    """Return the config file to read, and whether it is that of a run to continue."""
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
    """Yield every text in a field and the fields in it, with the names of these fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from (str(name), *_texts(inner))
    elif isinstance(value, Collection):
        for inner in value:
            yield from _texts(inner)


def _flat(overrides: Mapping[str, Any], above: str = "") -> list[str]:
    """Return the fields that overrides name, such as ``ppo.gamma``."""
    names = []
    for name, value in overrides.items():
        inner = _flat(value, f"{above}{name}.") if isinstance(value, Mapping) else []
        names += inner or [f"{above}{name}"]
    return names


def _line(problem: Problem, options: Mapping[str, str]) -> str:
    """Return a problem on a line, which begins with the options that it comes from."""
    blamed = _blamed(problem, options)
    if not blamed:
        return f"  {problem}"
    is_own = any(_holds(name, problem.field) for name in options)
    return f"  {', '.join(blamed)}: {problem.message if is_own else problem}"


def _blamed(problem: Problem, options: Mapping[str, str]) -> list[str]:
    """Return the options that a problem comes from; none if it comes from the file.

    Args:
        problem: What is wrong.
        options: The options given, by the fields that they set.
    """
    fields = (problem.field, *problem.others)
    return [
        option for name, option in options.items() if any(_holds(name, field) for field in fields)
    ]


def _holds(outer: str, field: str) -> bool:
    """Return whether a field is the other one or lies in it, as ``ppo.gamma`` in ``ppo``."""
    return f"{field}.".startswith(f"{outer}.")
