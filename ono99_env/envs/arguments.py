"""Arguments that all environments share."""

import reprlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
from gymnasium.vector import AutoresetMode

from ono99_env.messages.suggestions import did_you_mean
from ono99_env.messages.values import is_whole_number
from ono99_env.rules.rules import Edition, Rules

RulesArgument = Rules | str | Path | Mapping[str, Any]
"""What environments take as ``rules``: `Rules`, a preset's name, a YAML file, or a mapping."""

_ARGUMENTS = (
    "num_envs",
    "opponents",
    "seat",
    "illegal",
    "render_mode",
    "render_seat",
    "max_cycles",
    "keep_seats",
    "flatten",
    "copy",
    "num_threads",
    "compact",
    "max_episode_steps",
    "autoreset_mode",
    "features",
)


def resolve_rules(rules: RulesArgument, num_players: int | None = None, **overrides: Any) -> Rules:
    """Make `Rules` of what a user gives.

    Args:
        rules: `Rules`, the name of a preset (``"2022"``, ``"1980"``), the path of a YAML file, or a
            mapping of fields.
        num_players: Seats at the table; default: what the rules say.
        **overrides: Fields of `Rules` that take precedence.

    Raises:
        ValueError: If the rules are unknown or impossible; the message names the field.
        FileNotFoundError: If the file does not exist.
    """
    if num_players is not None:
        overrides["num_players"] = num_players
    for name in overrides:
        if name not in Rules.model_fields or name == "edition":
            raise ValueError(_unknown_argument(name))
    if isinstance(rules, Mapping):
        return Rules.of_fields({**rules, **overrides})
    if isinstance(rules, Rules):
        return Rules.of_fields({**rules.model_dump(), **overrides}) if overrides else rules
    if str(rules).endswith((".yaml", ".yml")):
        return Rules.from_yaml(rules, **overrides)
    if str(rules) not in get_args(Edition):
        raise ValueError(
            f"rules: must be '2022' or '1980', a file of rules that ends in .yaml, a mapping of "
            f"fields, or Rules, not {rules!r}{did_you_mean(rules, get_args(Edition))}"
        )
    return Rules.of_fields({**overrides, "edition": str(rules)})


def check_same_rules(saved: Rules, rules: Rules) -> None:
    """Refuse the rules of a saved position if they are not those of the environment.

    Raises:
        ValueError: Naming the fields that differ.
    """
    fields = type(rules).model_fields
    differing = [name for name in fields if getattr(saved, name) != getattr(rules, name)]
    if differing:
        raise ValueError(
            f"the snapshot's rules differ from the environment's in: {', '.join(differing)}"
        )


def check_reset_options(options: Mapping[str, Any] | None, known: Sequence[str] = ()) -> None:
    """Refuse options of `reset` that an environment does not have.

    Args:
        options: What the caller gave.
        known: The options of the environment.

    Raises:
        ValueError: If one is unknown; the message names it.
    """
    for name in options or ():
        if name not in known:
            has = f"; its only option is {known[0]!r}" if known else ", which takes none"
            raise ValueError(f"options: {name!r} is no option of this environment's reset(){has}")


def resolve_player_counts(num_players: int | Sequence[int] | None) -> list[int] | None:
    """Make a list of what a user gives: one player count, or several to draw from.

    Raises:
        ValueError: If it is neither.
    """
    if num_players is None:
        return None
    counts: Any = [num_players] if is_whole_number(num_players) else num_players
    is_list = isinstance(counts, list | tuple | range | np.ndarray) and len(counts) > 0
    if not is_list or not all(map(is_whole_number, counts)):
        raise ValueError(
            f"num_players must be a whole number or a list of them, not {reprlib.repr(num_players)}"
        )
    return [int(count) for count in counts]


def resolve_autoreset_mode(mode: str | AutoresetMode) -> AutoresetMode:
    """Make Gymnasium's autoreset mode of what a user gives: one, its value or its name.

    Raises:
        ValueError: If it is none.
    """
    for known in AutoresetMode:
        if mode in (known, known.value, known.name):
            return known
    values = [known.value for known in AutoresetMode]
    raise ValueError(
        f"autoreset_mode must be one of {', '.join(map(repr, values))}, not {mode!r}"
        f"{did_you_mean(str(mode), values)}"
    )


def _unknown_argument(name: str) -> str:
    if name == "edition":
        return "edition: choose it with rules='2022' or rules='1980'"
    if name in _ARGUMENTS:
        return f"{name}: this environment has no such argument, though another has"
    known = [*_ARGUMENTS, *Rules.model_fields]
    hint = did_you_mean(name, known) or f"; fields of Rules are: {', '.join(known)}"
    return f"{name}: there is no such argument, and no such field of Rules{hint}"
