"""Which features of the observation an environment writes or a bot reads, by name."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from ono99_env.messages.suggestions import did_you_mean
from ono99_env.observation.layout import FEATURES, Feature

CORE = (
    *("hand", "legal", "total", "headroom", "turn", "direction", "num_players", "players_left"),
    "unseen",
)
"""The features of ``"core"``, which the champion of the 2022 edition reads."""

PRESETS: Mapping[str, tuple[str, ...]] = {"full": tuple(FEATURES), "core": CORE}
"""The features of each name that stands for several."""

Features = str | Sequence[str]
"""What environments take as ``features``: names of features or `PRESETS`, one or several."""


def resolve_features(features: Features) -> tuple[str, ...]:
    """Return the names of the chosen features, each once, in the order of `FEATURES`.

    Args:
        features: Names of features or `PRESETS`: one, or a list of them.

    Raises:
        ValueError: If a name is unknown, or there is none.
    """
    names = [features] if isinstance(features, str) else features
    chosen: set[str] = set()
    if not isinstance(names, list | tuple) or not names:
        raise ValueError(f"features must be a name or a list of names, not {features!r}")
    for name in names:
        if name not in FEATURES and name not in PRESETS:
            raise ValueError(_unknown(name))
        chosen.update(PRESETS.get(name, (name,)))
    return tuple(name for name in FEATURES if name in chosen)


@cache
def layout_of(features: tuple[str, ...]) -> dict[str, Feature]:
    """Return the chosen features by name, with their places in a vector of only these.

    Args:
        features: What `resolve_features` returns.
    """
    layout: dict[str, Feature] = {}
    start = 0
    for name in features:
        layout[name] = replace(FEATURES[name], start=start)
        start += FEATURES[name].size
    return layout


def vector_size(features: tuple[str, ...]) -> int:
    """Return the length of a vector of the chosen features."""
    return sum(FEATURES[name].size for name in features)


def _unknown(name: object) -> str:
    known = [*PRESETS, *FEATURES]
    hint = did_you_mean(str(name), known) or f"; there are: {', '.join(known)}"
    return f"features: there is no feature {name!r}{hint}"
