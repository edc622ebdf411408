"""A config from the command line: a YAML file, then ``--field value`` for what differs from it."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, CliSettingsSource, SettingsError

from ono99_env.cli.errors import UsageError as WrongWords
from ono99_env.cli.words import join_player_counts, player_counts
from training.config import Config
from training.errors import UsageError


@dataclass(frozen=True)
class Command:
    """What the command line asks for."""

    config: Config
    origin: Path
    """The YAML file that the config comes from."""
    is_resumed: bool
    """Whether to go on with the run in whose folder that file is."""


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
    words = parser.parse_args(join_player_counts(sys.argv[1:] if arguments is None else arguments))
    try:
        overrides = source(parsed_args=words)()
    except SettingsError as error:
        raise UsageError(f"command line: {error}") from error
    origin, is_resumed = _origin(words.config, words.resume)
    config = make_config(read_yaml(origin), overrides, str(origin), model)
    return Command(config, origin, is_resumed)


def counts_of_word(word: str) -> list[int]:
    """Player counts that are written ``2,4``, for argparse.

    Raises:
        ArgumentTypeError: If one is no whole number that a table can have.
    """
    try:
        return player_counts([word])
    except WrongWords as error:
        raise ArgumentTypeError(str(error).partition(": ")[2]) from error


def make_config(
    fields: Mapping[str, Any],
    overrides: Mapping[str, Any],
    origin: str,
    model: type[Config] = Config,
) -> Config:
    """Validate a config.

    Args:
        fields: The fields of a config file.
        overrides: Fields that take precedence, nested like `fields`.
        origin: What messages call the place that the fields come from.
        model: What kind of config it is.

    Raises:
        UsageError: If a field is unknown or wrong; the message names it.
    """
    try:
        return model.model_validate(_merge(fields, overrides))
    except ValidationError as error:
        problems = error.errors()
        places = [problem["loc"] for problem in problems]
        # A list with a wrong item is also reported as too short, since that item does not count.
        lines = [_explain(each, model) for each in problems if not _has_part(each["loc"], places)]
        raise UsageError("\n".join([f"{origin} does not describe a run:", *lines])) from error


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
    return parser


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
        fields = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read the config {path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not valid YAML: {error}") from error
    if not isinstance(fields, dict):
        raise UsageError(f"{path} must hold a mapping of fields, such as 'seed: 1'")
    return fields


def _merge(fields: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(fields)
    for name, value in overrides.items():
        old = merged.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            value = _merge(old, value)
        merged[name] = value
    return merged


def _has_part(place: tuple[int | str, ...], places: list[tuple[int | str, ...]]) -> bool:
    return any(len(other) > len(place) and other[: len(place)] == place for other in places)


def _explain(problem: ErrorDetails, model: type[Config]) -> str:
    """One problem as a line that names the field."""
    place = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        return f"  {place}: there is no such field; {_suggestion(problem['loc'], model)}"
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "value_error":
        return f"  {place}: {message}" if place else f"  {message}"
    return f"  {place}: {message}, not {problem['input']!r}"


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _suggestion(place: tuple[int | str, ...], config: type[Config]) -> str:
    model: type[BaseModel] = config
    for part in place[:-1]:
        annotation = model.model_fields[str(part)].annotation
        # A part that may be left out is a union of its model and None.
        model = next(kind for kind in (annotation, *get_args(annotation)) if _is_model(kind))
    close = get_close_matches(str(place[-1]), model.model_fields, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there are: {', '.join(model.model_fields)}"
