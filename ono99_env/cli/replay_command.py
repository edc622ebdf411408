"""``ono99 replay``: a recorded game again, in the terminal or as pictures."""

import sys
from pathlib import Path
from typing import Annotated, get_args

import typer

from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import SUCCESS
from ono99_env.cli.outputs import check_file
from ono99_env.cli.replay_terminal import print_replay, step_through
from ono99_env.cli.usage_errors import mistakes_explained
from ono99_env.drawing.rasters import DEFAULT_WIDTH
from ono99_env.drawing.scene import Watcher, check_watcher
from ono99_env.drawing.themes import ThemeName, theme_of
from ono99_env.game.game import Game
from ono99_env.game.game_records import read_record
from ono99_env.game.replay import Frame, list_frames
from ono99_env.game.replay_files import write_frames, write_gif
from ono99_env.messages.errors import RecordError, UsageError

_SEAT = 'Whose eyes to see it through: a seat, from 0, or "all" for every card.'
_SVG = "Write a picture of every moment into this folder, as SVG."
_PNG = "The same as PNG. (extra: render)"
_GIF = "Write one moving picture. (extra: render)"
_THEME = f"Theme of the pictures: {' or '.join(get_args(ThemeName))}."
_WIDTH = "Width of the pictures in pixels."
_SECONDS = "How long the GIF shows each moment."
_TEXT = "Print every moment as text."
_MOST_WIDTH = 4000


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The record of a game, JSON.")],
    seat: Annotated[str, typer.Option(metavar="SEAT", help=_SEAT)] = "all",
    svg: Annotated[Path | None, typer.Option(metavar="DIR", help=_SVG)] = None,
    png: Annotated[Path | None, typer.Option(metavar="DIR", help=_PNG)] = None,
    gif: Annotated[Path | None, typer.Option(metavar="FILE", help=_GIF)] = None,
    text: Annotated[bool, typer.Option("--text", help=_TEXT)] = False,
    theme: Annotated[str, typer.Option(metavar="THEME", help=_THEME)] = "light",
    width: Annotated[
        int, typer.Option(metavar="N", min=100, max=_MOST_WIDTH, help=_WIDTH)
    ] = DEFAULT_WIDTH,
    seconds: Annotated[float, typer.Option(metavar="N", min=0.02, max=60, help=_SECONDS)] = 1.0,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace files that exist.")
    ] = False,
) -> int:
    """Show a recorded game again, move by move.

    Without a file to write, step through it in the terminal: arrow keys or space, Home and End, q
    to quit. Records come from Game.record(), env.record() of the PettingZoo environment, or ono99
    arena --keep-games; a game from a real table can be typed in, see docs/records.md.
    """
    console = PlainConsole()
    with mistakes_explained({"theme": "--theme"}):
        chosen: ThemeName = _theme(theme)
        frames = _frames(file, seat)
        if gif is not None:
            check_file("--gif", gif, overwrite)
        for option, folder in (("--svg", svg), ("--png", png)):
            _check_folder(option, folder, overwrite)
        if svg is not None:
            _say(console, svg, len(write_frames(svg, frames, "svg", chosen, width)))
        if png is not None:
            _say(console, png, len(write_frames(png, frames, "png", chosen, width)))
        if gif is not None:
            write_gif(gif, frames, chosen, width, seconds)
            console.print(f"The moving picture is {gif}", soft_wrap=True)
    if text or ((svg, png, gif) == (None, None, None) and not _is_interactive()):
        print_replay(console, frames)
    elif (svg, png, gif) == (None, None, None):
        step_through(frames)
    return SUCCESS


def _theme(name: str) -> ThemeName:
    theme_of(name)
    return next(each for each in get_args(ThemeName) if each == name)


def _frames(file: Path, seat: str) -> list[Frame]:
    """Return the moments of a recorded game.

    Raises:
        RecordError: If it is no possible game, beginning with the file.
        ValueError: If there is no such seat.
    """
    data = read_record(file)
    try:
        game = Game.from_record(data)
    except RecordError as error:
        raise RecordError(f"{file}: {error}") from error
    watcher: Watcher = int(seat) if seat.isdecimal() else "all"
    check_watcher(watcher if seat.isdecimal() else seat, game.num_players, name="--seat")
    return list_frames(game, watcher, data.get("names"))


def _check_folder(option: str, folder: Path | None, is_overwriting: bool) -> None:
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{option}: {folder} is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not is_overwriting:
        raise UsageError(f"{option}: {folder} is not empty; say --overwrite to write into it")


def _say(console: PlainConsole, folder: Path, count: int) -> None:
    console.print(f"{count} pictures are in {folder}", soft_wrap=True)


def _is_interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
