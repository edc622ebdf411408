"""Reading a game: its record, its cards, and how people and notebooks see it."""

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.records import GAME_OVER, STATE, TRUNCATED, rules_array
from ono99_env.game import game_loop, snapshots
from ono99_env.game.legality import legal_among
from ono99_env.game.play import Play
from ono99_env.jit.types import State, States
from ono99_env.messages.suggestions import did_you_mean
from ono99_env.rules.cards import Action, Card
from ono99_env.rules.rules import Rules

if TYPE_CHECKING:
    from ono99_env.drawing.scene import Scene
    from ono99_env.drawing.themes import ThemeName
    from ono99_env.drawing.watchers import Watcher

# Modules that draw are imported where they are needed: who only plays need not wait for them.

OFFSETS = {name: field[1] for name, field in (STATE.fields or {}).items()}
_PHASE, CURRENT_PLAYER = OFFSETS["phase"], OFFSETS["current_player"]
_MAY_DISCARD_FOUR, _LEGAL_PLAYS = OFFSETS["may_discard_four"], OFFSETS["legal_plays"] // 8
"""Where these fields lie in a record: as bytes, the last one as a word."""

_KEPT = (
    *("rules", "seed", "initial_dealer", "initial_draws", "history", "forfeiter"),
    *("_start", "_memory"),
)
"""Attributes that a copy of a game takes over; the others are views of its memory."""

NOTEBOOK_WIDTH = 640
"""Width in pixels at which notebooks show a table."""

Picture = Literal["text", "svg", "png", "pixels"]
"""What `Game.render` returns: lines of text, SVG, the bytes of a PNG file, or an array."""


class ReadableGame:
    """The part of `ono99_env.Game` that reads and draws it, and changes nothing."""

    rules: Rules
    """The rules of the game."""
    seed: int
    """What chance follows from; of a restored game it says nothing."""
    initial_dealer: int
    """The dealer of the first round (of a restored game: of the round it was saved in)."""
    initial_draws: tuple[Card, ...]
    """Every card dealt before the first decision, in order; not known of a restored game."""
    history: list[Play]
    """Every play since the deal, or since the game was restored."""
    forfeiter: int | None
    """The seat that gave the game up, if one did."""
    _start: NDArray[np.int8] | None
    """The memory that a restored game began with."""

    def _open(self, memory: NDArray[np.int8]) -> None:
        """Show the memory of a game as a record, and as numbers that Python reads quickly."""
        self._memory, self._games = memory, memory[: game_loop.DEALT].view(STATE)
        self._bytes = memoryview(memory.data)
        self._words = self._bytes.cast("B").cast("Q")
        self._rules_array = rules_array(self.rules)
        self._rules_memory = self._rules_array.view(np.int8)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle or a copy holds: no views of memory."""
        return {name: vars(self)[name] for name in _KEPT}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickle or a copy."""
        vars(self).update(state)
        self.history = list(self.history)
        self._open(self._memory.copy())

    def __repr__(self) -> str:
        turn = f"winners {self.winners}" if self.is_over else f"seat {self.current_player} to act"
        return f"<Game of {self.num_players} players: total {self.state.total}, {turn}>"

    @property
    def state(self) -> State:
        """The engine's record of the game (`ono99_env.engine.records.STATE`), a live view."""
        return self._games[0]

    @property
    def games(self) -> States:
        """The same record as a length-1 array, which compiled functions take."""
        return self._games

    @property
    def num_players(self) -> int:
        """Seats at the table."""
        return self.rules.num_players

    @property
    def current_player(self) -> int | None:
        """The seat to act, or None when the game is over."""
        return None if self.is_over else self._bytes[CURRENT_PLAYER]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, with a winner or by truncation (R22)."""
        return self._bytes[_PHASE] in GAME_OVER

    @property
    def is_truncated(self) -> bool:
        """Whether the game was cut short by ``max_plays`` (R22)."""
        return self._bytes[_PHASE] == TRUNCATED

    @property
    def winners(self) -> list[int]:
        """The seats that have won, empty while the game goes on."""
        return snapshots.list_winners(self.state)

    @property
    def returns(self) -> list[float]:
        """What each seat has won or lost so far, in -1 to 1; sums to 0 when the game is over."""
        return snapshots.returns(self._games)

    def clone(self) -> Self:
        """Return an independent game at the same position: what is played there stays there."""
        return copy(self)

    def legal_actions(self) -> list[Action]:
        """Return the actions of the current player by action id; empty when the game is over."""
        return legal_among(self._words[_LEGAL_PLAYS], self._bytes[_MAY_DISCARD_FOUR])

    @property
    def hands(self) -> dict[int, tuple[str, ...]]:
        """The labels of the cards in each hand by seat, by card id, of everybody.

        ``game.scene(2).seats`` has those that seat 2 may see, and how many it does not.
        """
        from ono99_env.drawing.scene import open_cards

        return {seat: open_cards(self.state, seat) for seat in range(self.rules.num_players)}

    def scene(self, seat: "Watcher" = "all", names: Sequence[str] | None = None) -> "Scene":
        """Return what one seat may see of the table now, as plain data.

        Args:
            seat: The seat that looks, or ``"all"`` for every card.
            names: What to call the seats; default: ``player_0``, ``player_1`` ...

        Raises:
            ValueError: If there is no such seat, or not a name for each.
        """
        from ono99_env.drawing.scene import Scene

        return Scene.of(self.rules, self.state, seat, names)

    @overload
    def render(
        self,
        mode: Literal["text", "svg"] = "svg",
        seat: "Watcher" = "all",
        theme: "ThemeName" = "light",
        width: int | None = None,
    ) -> str: ...

    @overload
    def render(
        self,
        mode: Literal["png"],
        seat: "Watcher" = "all",
        theme: "ThemeName" = "light",
        width: int | None = None,
    ) -> bytes: ...

    @overload
    def render(
        self,
        mode: Literal["pixels"],
        seat: "Watcher" = "all",
        theme: "ThemeName" = "light",
        width: int | None = None,
    ) -> NDArray[np.uint8]: ...

    def render(
        self,
        mode: Picture = "svg",
        seat: "Watcher" = "all",
        theme: "ThemeName" = "light",
        width: int | None = None,
    ) -> str | bytes | NDArray[np.uint8]:
        """Draw the table.

        Args:
            mode: ``"svg"`` or ``"text"`` return text, ``"png"`` the bytes of a PNG file,
                ``"pixels"`` an array of uint8, shape (height, width, 3).
            seat: The seat that looks, or ``"all"`` for every card.
            theme: ``"light"`` or ``"dark"``.
            width: Width in pixels; default: 800 for pixels, none for SVG.

        Raises:
            ValueError: If an argument is impossible.
            ImportError: If the picture needs the extra ``render``, which is not installed.
        """
        from ono99_env.drawing.rasters import DEFAULT_WIDTH, pixels_of, rasterize
        from ono99_env.drawing.table_picture import draw_table
        from ono99_env.drawing.table_text import write_table

        scene = self.scene(seat)
        if mode == "text":
            return write_table(scene)
        if mode == "svg":
            return draw_table(scene, theme, width)
        if mode == "png":
            return rasterize(draw_table(scene, theme), width or DEFAULT_WIDTH)
        if mode == "pixels":
            return pixels_of(draw_table(scene, theme), width or DEFAULT_WIDTH)
        raise ValueError(
            f"mode must be 'svg', 'text', 'png' or 'pixels', not {mode!r}"
            f"{did_you_mean(mode, ('svg', 'text', 'png', 'pixels'))}"
        )

    def __str__(self) -> str:
        """Return the table as lines of text, with every card."""
        return self.render("text")

    def _repr_svg_(self) -> str:
        """Show the table in a notebook, with every card."""
        return self.render("svg", width=NOTEBOOK_WIDTH)
