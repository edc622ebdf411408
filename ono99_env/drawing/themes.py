"""Themes: the colours of a drawing. No colour is the only sign of anything."""

from dataclasses import dataclass
from typing import Literal, get_args

from ono99_env.messages.suggestions import did_you_mean

ThemeName = Literal["light", "dark"]
"""The themes of a drawing."""


@dataclass(frozen=True)
class Theme:
    """The colours of one theme, as CSS names them."""

    page: str
    """Behind the table."""
    table: str
    """The table top."""
    panel: str
    """Behind a seat."""
    line: str
    """Quiet outlines, and the empty part of the gauge."""
    ink: str
    """Text that matters."""
    muted: str
    """Text that matters less."""
    accent: str
    """Whose turn it is."""
    on_accent: str
    """Text on the accent."""
    gold: str
    """Who has won."""
    on_gold: str
    """Text on gold."""
    danger: str
    """A total near the limit."""


_THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        page="#eef1ee",
        table="#dfe9e2",
        panel="#ffffff",
        line="#c3cfc7",
        ink="#17202b",
        muted="#4f5b68",
        accent="#1557c0",
        on_accent="#ffffff",
        gold="#f2b705",
        on_gold="#2b2000",
        danger="#c3261b",
    ),
    "dark": Theme(
        page="#0f141a",
        table="#17232b",
        panel="#22303b",
        line="#3c4d5a",
        ink="#f4f7fa",
        muted="#b3c0cc",
        accent="#6db3ff",
        on_accent="#0a1a2e",
        gold="#ffca3a",
        on_gold="#2b2000",
        danger="#ff7a6b",
    ),
}

PAPER = "#fffdf8"
"""The face of a card."""
CARD_EDGE = "#2b3440"
CARD_INK = "#16386f"
"""The numbers."""
BACK = "#2d3f73"
"""The back of a card."""
BACK_LINE = "#8fa3d9"
KIND_COLOURS = {
    "ono99": "#b3261e",
    "reverse": "#6a35a0",
    "minus_ten": "#14713f",
    "play_two": "#b75a00",
    "hold": "#3d4957",
}
"""The special cards; each has a sign of its own besides."""


def theme_of(name: str) -> Theme:
    """Return a theme by its name.

    Raises:
        ValueError: If there is no such theme.
    """
    names = get_args(ThemeName)
    for known in names:
        if name == known:
            return _THEMES[known]
    hint = did_you_mean(name, names)
    raise ValueError(f"theme must be one of {', '.join(names)}, not {name!r}{hint}")
