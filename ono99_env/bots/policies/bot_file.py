"""Bot files: what the metadata of a trained bot's ONNX file says, and whether a bot fits a game.

A bot file is one ``.onnx`` file. Its metadata entries are the fields of `BotMetadata`, each as JSON
under its name with the prefix ``ono99.``, so any ONNX viewer shows them. All metadata takes 1 MiB
at most and the whole file 64 MiB, in what is written as in what is read.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticSerializationError

from ono99_env.bots.policies.onnx_format import OnnxFormatError, replace_metadata_entries
from ono99_env.bots.policies.onnx_network import check_nodes
from ono99_env.bots.policies.onnx_structure import Message, read_model
from ono99_env.bots.policies.rules_fit import check_fit, counts_in_words, differing_fields
from ono99_env.bots.policies.shipped_files import find_file
from ono99_env.files.atomic import write_atomically
from ono99_env.files.regular_files import UnreadableError, read_regular_file
from ono99_env.messages.fields import explain
from ono99_env.messages.printable import as_printable, find_control
from ono99_env.observation.layout import OBSERVATION_VERSION
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.rules.rules import Format, Rules

FORMAT_VERSION = 1
"""Changes whenever the metadata, the inputs or the outputs of a bot file do."""

LARGEST_FILE = 64 * 2**20
"""Bytes of a bot file at most: 16 million weights."""

LARGEST_METADATA = 2**20
"""Bytes of all metadata of a bot file at most."""

LONGEST_LICENCE = 2**16
"""Characters of a licence at most."""

_PREFIX = "ono99."

_LONGEST_SHOWN = 40

_MOST_COUNTS = 64
"""Player counts or formats that a list may name, some of them again."""


class BotFileError(ValueError):
    """A file that is not a bot file of this version; the message says what is wrong with it.

    Args:
        message: What is wrong; what a terminal would obey in it is written as an escape.
    """

    def __init__(self, message: str) -> None:
        super().__init__(as_printable(message))


class BotMetadata(BaseModel):
    """What a bot file says about itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format_version: int = FORMAT_VERSION
    """Version of the bot file format."""
    observation_version: int = OBSERVATION_VERSION
    """Version of the observation vector that the bot reads."""
    rules: Rules
    """The rules it was trained for; ``num_players`` below says for how many players."""
    num_players: Annotated[
        tuple[Annotated[int, Field(ge=2, le=MAX_PLAYERS, strict=True)], ...],
        Field(min_length=1, max_length=_MOST_COUNTS),
    ]
    """Player counts it was trained for, in increasing order."""
    formats: Annotated[tuple[Format, ...], Field(max_length=_MOST_COUNTS)] = ()
    """Match formats it was trained for; none means that of ``rules``."""
    training: dict[str, Any] = {}
    """How it was trained: ``config``, ``seed``, ``decisions``, ``code_version`` and
    ``seconds_learning``, without measuring (in the champions ``seconds``, with it)."""
    results: dict[str, Any] = {}
    """What it achieved where it was measured."""
    licence: Annotated[str, Field(max_length=LONGEST_LICENCE)] = "MIT"
    """Under which licence the file may be used."""

    @field_validator("num_players")
    @classmethod
    def _sort(cls, counts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(set(counts)))

    @field_validator("training", "results", "licence")
    @classmethod
    def _check_text(cls, value: Any) -> Any:
        place = find_control(value)
        if place is not None:
            raise ValueError(f"holds control characters, which a terminal would obey: {place}")
        return value

    @model_validator(mode="after")
    def _check_counts(self) -> Self:
        for count in self.num_players:
            self.rules.with_players(count)
        return self

    @property
    def played_formats(self) -> tuple[Format, ...]:
        """The match formats that it was trained for."""
        return self.formats or (self.rules.format,)

    @property
    def description(self) -> str:
        """The bot in one line."""
        matches = ", ".join(each.replace("_", " ") for each in self.played_formats)
        players = f"{counts_in_words(self.num_players)} players"
        return f"a trained policy for the {self.rules.edition} rules; {matches}; {players}"

    def check_rules(self, rules: Rules) -> None:
        """Refuse rules that the bot was not trained for.

        All fields that change what a play does, what is legal or what wins must be equal. Free are
        ``edition`` (it only fills the other fields), ``dealer``, ``next_dealer``, ``max_plays`` and
        ``missed_draw_probability``, and what does not matter in the format played: ``chips``,
        ``target_points``, ``voluntary_bust``, ``bust_counts``, ``stuck_round_winner``.
        ``num_players`` and ``format`` must be among those that the bot was trained for.

        Raises:
            ValueError: If the bot does not fit; the message names what differs.
        """
        check_fit(self.rules, self.num_players, self.played_formats, rules)


def read_metadata(path: str | Path) -> BotMetadata:
    """Read what a bot file says about itself, without loading the bot.

    Args:
        path: The file, or the name of one that comes with the package, such as ``"2022"``.

    Raises:
        FileNotFoundError: If there is no such file.
        BotFileError: If it is not a bot file of this version.
    """
    file = Path(path) if Path(path).is_file() else find_file(str(path))
    return parse_metadata(read_bot_file(file, str(path)), str(path))


def read_bot_file(path: Path, name: str | None = None) -> bytes:
    """Read the content of a bot file, which is not checked yet.

    Args:
        path: The file.
        name: What messages call it; default: its path.

    Raises:
        FileNotFoundError: If there is no such file.
        BotFileError: If it is no file but a folder, a pipe or a device, is too large, or cannot be
            read.
    """
    try:
        return read_regular_file(path, LARGEST_FILE)
    except UnreadableError as error:
        raise BotFileError(f"{name or path} {error}.") from error


def shared_rules(bots: Iterable[object]) -> Rules | None:
    """The rules that bots were trained for, if those that tell any agree; else None.

    Rules agree whose formats are the same and in which nothing differs that matters to a bot.

    Args:
        bots: Any bots; only bot files tell what they were trained for.
    """
    all_metadata = [getattr(bot, "metadata", None) for bot in bots]
    told = [each.rules for each in all_metadata if isinstance(each, BotMetadata)]
    if not told:
        return None
    first = told[0]
    agree = (each.format == first.format and not differing_fields(first, each) for each in told)
    return first if all(agree) else None


def write_metadata(path: str | Path, metadata: BotMetadata) -> None:
    """Replace the metadata of an ONNX file, at once or not at all.

    Raises:
        FileNotFoundError: If there is no such file.
        BotFileError: If it is not an ONNX file.
    """
    path = Path(path)
    write_atomically(path, with_metadata(path.read_bytes(), metadata, str(path)))


def parse_metadata(model: bytes, name: str) -> BotMetadata:
    """Read the metadata in the bytes of a bot file and check that this version can play it.

    Args:
        model: The content of the file.
        name: What messages call the file.

    Raises:
        BotFileError: If these are not the bytes of a bot file of this version.
    """
    return metadata_of(open_model(model, name), name)


def open_model(content: bytes, name: str) -> Message:
    """Read the parts of a bot file, and refuse what is no feed-forward network.

    Args:
        content: The content of the file.
        name: What messages call the file.

    Raises:
        BotFileError: If it is no ONNX file, or holds anything else.
    """
    if len(content) > LARGEST_FILE:
        raise BotFileError(f"{name} is larger than {LARGEST_FILE // 2**20} MiB.")
    try:
        model = read_model(content)
        check_nodes(model)
    except OnnxFormatError as error:
        raise BotFileError(f"{name} {error}.") from error
    return model


def metadata_of(model: Message, name: str) -> BotMetadata:
    """Check the metadata of a bot file.

    Args:
        model: What `open_model` reads.
        name: What messages call the file.

    Raises:
        BotFileError: If it has none, or this version cannot use it.
    """
    entries = [(each.get("key", ""), each.get("value", "")) for each in model["metadata"]]
    _check_size(entries, name)
    ours = {key: text for key, text in entries if key.startswith(_PREFIX)}
    if not ours:
        raise BotFileError(
            f"{name} is an ONNX file but not a bot file: it has no metadata of ono99-env. Bot "
            "files are written by ono99_env.bots.policies.torch_export."
        )
    if len(dict(entries)) < len(entries):
        raise BotFileError(f"{name} is damaged: it has two metadata entries of the same name.")
    fields = _parse_fields(ours, name)
    _check_versions(fields, name)
    try:
        return BotMetadata.model_validate(fields)
    except ValidationError as error:
        wrong = explain(error, BotMetadata)
        raise BotFileError(f"{name} has metadata that cannot be used: {wrong}.") from error


def with_metadata(model: bytes, metadata: BotMetadata, name: str = "the model") -> bytes:
    """The bytes of an ONNX file with the metadata of a bot in place of all it has.

    Raises:
        BotFileError: If these are not the bytes of an ONNX file, or the metadata is too large or
            cannot be written as JSON.
    """
    try:
        fields = metadata.model_dump(mode="json")
        entries = {
            f"{_PREFIX}{field}": json.dumps(value, allow_nan=False)
            for field, value in fields.items()
        }
    except (PydanticSerializationError, ValueError, TypeError, RecursionError) as error:
        raise BotFileError(
            f"the metadata of {name} cannot be written as JSON: `training` and `results` may hold "
            "texts, finite numbers, truth values, lists and dictionaries of these."
        ) from error
    _check_size(entries.items(), name)
    try:
        return replace_metadata_entries(model, entries)
    except OnnxFormatError as error:
        raise BotFileError(f"{name} {error}.") from error


def _check_size(entries: Iterable[tuple[str, str]], name: str) -> None:
    size = sum(len(key.encode()) + len(text.encode()) for key, text in entries)
    if size > LARGEST_METADATA:
        raise BotFileError(
            f"{name} has {size:,} bytes of metadata, and {LARGEST_METADATA:,} is the most that a "
            "bot file may have."
        )


def _parse_fields(entries: Mapping[str, str], name: str) -> dict[str, Any]:
    fields = {}
    for key, text in entries.items():
        field = key.removeprefix(_PREFIX)
        try:
            fields[field] = json.loads(text, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise BotFileError(
                f"{name} is damaged: its {field[:_LONGEST_SHOWN]} is not JSON."
            ) from error
    return fields


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def _check_versions(fields: Mapping[str, Any], name: str) -> None:
    """Refuse other versions before their other fields can confuse."""
    expected = {"format_version": FORMAT_VERSION, "observation_version": OBSERVATION_VERSION}
    for field, ours in expected.items():
        value = fields.get(field)
        if type(value) is not int or value != ours:
            raise BotFileError(
                f"{name} does not fit this version of ono99-env: its {field} is {_shown(value)}, "
                f"and {ours} is needed here. Use the version of ono99-env that it was made with, "
                "or train the bot anew."
            )


def _shown(value: Any) -> str:
    if isinstance(value, int) and abs(value) < 10**9:
        return json.dumps(value)
    return "missing" if value is None else "no such number"
