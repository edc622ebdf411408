"""Read and write bot files, and check whether a bot fits a game.

A bot file is one ``.onnx`` file. Its metadata entries are the fields of `BotMetadata`; see
`metadata_entries`. Files larger than 64 MiB, or with more than 1 MiB of metadata, are neither
written nor read.
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

from ono99_env.bots.policies.metadata_entries import decode_entries, encode_entries
from ono99_env.bots.policies.onnx_files.parser import Message, read_model
from ono99_env.bots.policies.onnx_files.shape_inference import check_nodes
from ono99_env.bots.policies.onnx_files.surgery import replace_metadata_entries
from ono99_env.bots.policies.onnx_files.wire_format import OnnxFormatError
from ono99_env.bots.policies.rules_fit import check_fit, counts_in_words, differing_fields
from ono99_env.bots.policies.shipped_files import find_file
from ono99_env.files.atomic import write_atomically
from ono99_env.files.regular_files import UnreadableError, read_regular_file
from ono99_env.messages.errors import BotFileError
from ono99_env.messages.fields import explain_invalid
from ono99_env.messages.text import find_control
from ono99_env.observation.chosen_features import PRESETS, resolve_features, vector_size
from ono99_env.observation.layout import OBSERVATION_VERSION
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.rules.rules import Format, Rules

BOT_FILE_VERSION = 1
"""Changes whenever the metadata, the inputs or the outputs of a bot file do."""

LARGEST_FILE = 64 * 2**20
"""Bytes of a bot file at most: 16 million weights."""

LONGEST_LICENCE = 2**16
"""Characters of a licence at most."""

_MOST_COUNTS = 64
"""Player counts or formats that a list may name, some of them again."""


class BotMetadata(BaseModel):
    """What a bot file says about itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format_version: int = BOT_FILE_VERSION
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
    features: tuple[str, ...] = PRESETS["full"]
    """What its observations hold, in the order of the whole vector: names of slices."""
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

    @field_validator("features", mode="before")
    @classmethod
    def _resolve_features(cls, features: Any) -> tuple[str, ...]:
        try:
            return resolve_features(features)
        except ValueError as error:
            raise ValueError(str(error).removeprefix("features: ")) from error

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
    def observation_size(self) -> int:
        """Return how many numbers an observation of the bot has."""
        return vector_size(self.features)

    @property
    def played_formats(self) -> tuple[Format, ...]:
        """Return the match formats that it was trained for."""
        return self.formats or (self.rules.format,)

    @property
    def description(self) -> str:
        """Describe the bot in one line."""
        matches = ", ".join(each.replace("_", " ") for each in self.played_formats)
        players = f"{counts_in_words(self.num_players)} players"
        return f"a trained policy for the {self.rules.edition} rules; {matches}; {players}"

    def check_rules(self, rules: Rules) -> None:
        """Refuse rules that the bot was not trained for.

        All fields that change what a play does, what is legal or what wins must be equal. These may
        differ: ``edition`` (it only fills the other fields), ``dealer``, ``next_dealer``,
        ``max_plays``, ``missed_draw_probability``, and fields without effect in the format played:
        ``chips``, ``target_points``, ``voluntary_bust``, ``bust_counts``, ``stuck_round_winner``.
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
    """Read the content of a bot file without checking it.

    Args:
        path: The file.
        name: What messages call it; default: its path.

    Raises:
        FileNotFoundError: If there is no such file.
        BotFileError: If it is a folder, a pipe or a device, is too large, or cannot be read.
    """
    try:
        return read_regular_file(path, LARGEST_FILE)
    except UnreadableError as error:
        raise BotFileError(f"{name or path} {error}.") from error


def shared_rules(bots: Iterable[object]) -> Rules | None:
    """Return the rules that bots were trained for; None if they differ or no bot names any.

    Rules agree if their formats are equal and so is every field that matters to a bot.

    Args:
        bots: Any bots; only bot files name the rules they were trained for.
    """
    all_metadata = [getattr(bot, "metadata", None) for bot in bots]
    named = [each.rules for each in all_metadata if isinstance(each, BotMetadata)]
    if not named:
        return None
    first = named[0]
    agree = (each.format == first.format and not differing_fields(first, each) for each in named)
    return first if all(agree) else None


def write_metadata(path: str | Path, metadata: BotMetadata) -> None:
    """Replace the metadata of an ONNX file; a failure leaves the file as it was.

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
    """Read the parts of a bot file, and refuse what is not a feed-forward network.

    Args:
        content: The content of the file.
        name: What messages call the file.

    Raises:
        BotFileError: If it is not an ONNX file, or holds anything else.
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
    fields = decode_entries(entries, name)
    _check_versions(fields, name)
    try:
        return BotMetadata.model_validate(fields)
    except ValidationError as error:
        wrong = explain_invalid(error, BotMetadata)
        raise BotFileError(f"{name} has metadata that cannot be used: {wrong}.") from error


def with_metadata(model: bytes, metadata: BotMetadata, name: str = "the model") -> bytes:
    """Return the bytes of an ONNX file with all its metadata replaced by that of a bot.

    Raises:
        BotFileError: If these are not the bytes of an ONNX file, or the metadata is too large or
            cannot be written as JSON.
    """
    entries = encode_entries(metadata, name)
    try:
        return replace_metadata_entries(model, entries)
    except OnnxFormatError as error:
        raise BotFileError(f"{name} {error}.") from error


def _check_versions(fields: Mapping[str, Any], name: str) -> None:
    """Refuse other versions first: their other fields may mean something else."""
    expected = {"format_version": BOT_FILE_VERSION, "observation_version": OBSERVATION_VERSION}
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
    return "missing" if value is None else "not a version number"
