"""What single fields of a config may hold: bots, rules, seats, features."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from pydantic import ValidationInfo

from ono99_env.bots import load_bot_of_file
from ono99_env.bots.names import BotKind, bot_kind
from ono99_env.envs.arguments import resolve_rules
from ono99_env.messages.suggestions import did_you_mean
from ono99_env.observation.chosen_features import resolve_features

_ALLOW_CODE = "allow_code"


def allowing(names: Collection[str]) -> dict[str, Any]:
    """Return the context of a validation in which the bots of some names may run code.

    Args:
        names: The names, exactly as they stand in the fields.
    """
    return {_ALLOW_CODE: frozenset(names)}


def allowed_names(info: ValidationInfo) -> Collection[str]:
    """Return the names of bots that may run code, of a validation with `allowing`."""
    allowed: Collection[str] = (info.context or {}).get(_ALLOW_CODE, ())
    return allowed


def resolve_rules_field(rules: Any) -> dict[str, Any]:
    """Return all fields of the rules that an edition, a file or a mapping names."""
    try:
        resolved = resolve_rules(rules if isinstance(rules, Mapping) else str(rules))
    except OSError as error:
        raise ValueError(f"cannot read {rules!r}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(str(error).removeprefix("rules: ")) from error
    return resolved.model_dump(mode="json")


def check_bot_names(names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    """Refuse names of bots that cannot be loaded, or that run code without being allowed."""
    for name in dict.fromkeys(names):
        try:
            load_bot_of_file(name, allowed_names(info))
        except (OSError, ImportError) as error:
            raise ValueError(str(error)) from error
    return names


def check_bot_weights(weights: dict[str, float], info: ValidationInfo) -> dict[str, float]:
    """Refuse weights of bots that `check_bot_names` refuses."""
    check_bot_names(tuple(weights), info)
    return weights


def check_bot_file_name(name: str | None) -> str | None:
    """Refuse the name of a bot that has no networks."""
    if name is not None and bot_kind(name) is not BotKind.FILE:
        raise ValueError(f"{name!r} is a bot without networks; name a bot file")
    return name


def check_device_name(device: str) -> str:
    """Refuse what names no device of PyTorch that training uses."""
    if not re.fullmatch(r"auto|cpu|cuda(:\d+)?|mps", device):
        hint = did_you_mean(device, ("auto", "cpu", "cuda", "mps"))
        raise ValueError(f"must be auto, cpu, cuda, cuda:NUMBER or mps, not {device!r}{hint}")
    return device


def check_run_name(name: str) -> str:
    """Refuse a name that a folder of a run cannot have."""
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise ValueError(f"must be letters, digits, '_', '-' and '.', such as run-2, not {name!r}")
    return name


def check_seat_field(seat: Any) -> Any:
    """Refuse what is neither ``random`` nor a number."""
    if seat != "random" and not str(seat).isdecimal():
        hint = did_you_mean(seat, ["random"])
        raise ValueError(f"must be 'random' or a seat from 0, not {seat!r}{hint}")
    return seat


def sort_features(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the features in the order of the observation; refuse unknown ones."""
    try:
        return resolve_features(names)
    except ValueError as error:
        raise ValueError(str(error).removeprefix("features: ")) from error
