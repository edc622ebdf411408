"""A finished or running game, seen again move by move."""

from collections.abc import Sequence
from dataclasses import dataclass

from ono99_env.drawing.scene import Scene, ScenePlay, Watcher
from ono99_env.game.game import Game


@dataclass(frozen=True)
class Frame:
    """One moment of a replay."""

    scene: Scene
    """What is to be seen."""
    play: ScenePlay | None
    """The play that led to it; None for the deal, and where a seat gave the game up."""


def list_frames(
    game: Game, watcher: Watcher = "all", names: Sequence[str] | None = None
) -> list[Frame]:
    """Return every moment of a game, from its first decision to where it is now.

    Args:
        game: The game, with its history; it is not changed.
        watcher: Whose eyes the frames are seen through.
        names: What to call the seats.

    Raises:
        ValueError: If there is no such seat, or not a name for each.
    """
    again = game.rewound()
    frames = [Frame(again.scene(watcher, names), None)]
    for play in game.history:
        told = ScenePlay.of(game.rules, again.state, play.action)
        again.play(play.action, missed_draw=play.missed_draw, draws=play.drawn)
        frames.append(Frame(again.scene(watcher, names), told))
    if game.forfeiter is not None:
        again.forfeit()
        frames.append(Frame(again.scene(watcher, names), None))
    return frames
