"""Situations in which the errors of docs/errors.md are raised."""

import importlib
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from ono99_env import Bot, Card, Game, Rules, Views, ono99_v0
from ono99_env.arena import Arena
from ono99_env.cli.outputs import Outputs, check_file
from ono99_env.files.array_archive import write_archive
from ono99_env.play.lobby import Lobby
from ono99_env.tables import Episodes

TWO = Rules.preset("2022", num_players=2)
CHIPS = Rules.preset("1980", num_players=3)
POINTS = Rules.preset("1980", num_players=3, format="points_lowest")


class Cheat(Bot):
    """Plays what it may not."""

    name = "cheat"

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """See `Bot.act`."""
        worst: np.ndarray = views.action_mask.argmin(axis=1)
        return worst


def file_of(text: bytes) -> str:
    """The path of a new YAML file with some content."""
    with tempfile.NamedTemporaryFile(suffix=".yaml", delete=False) as file:
        file.write(text)
    return file.name


def changed(rules: Rules = TWO, **keys: Any) -> Callable[[], Game]:
    """A call that loads the snapshot of a new game with some keys changed."""
    return lambda: Game.from_snapshot({**Game(rules, seed=1).snapshot(), **keys})


def finished_game() -> Game:
    """A game that is over."""
    game = Game(TWO, seed=1)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    return game


def play_with_a_card_of_no_deck() -> None:
    """Draw a card that the deck does not have."""
    game = Game(Rules.preset("2022", num_players=2, deck={"1": 30, "10": 20}), seed=1)
    game.play(game.legal_actions()[0], draws=[Card.HOLD])


def reset(env: Any) -> Any:
    """The environment after a reset."""
    env.reset(seed=1)
    return env


def act_for_dead_agent() -> None:
    """Give a dead agent an action."""
    env = reset(ono99_v0.env(rules=TWO, illegal="lose"))
    env.step(99)
    env.step(3)


def load_state(**keys: Any) -> None:
    """Load a state without some of its parts."""
    episodes = Episodes(TWO, 2)
    episodes.load_state_dict({**episodes.state_dict(), **keys})


def sb3() -> Any:
    """The environment for Stable-Baselines3."""
    from ono99_env.envs.sb3 import Ono99VecEnv

    return Ono99VecEnv(num_envs=2)


def make_nothing() -> Bot:
    """A factory that makes no bot."""
    return None  # type: ignore[return-value]


def make_trouble() -> Bot:
    """A factory that fails."""
    raise RuntimeError("no luck")


def spoilt_game() -> np.ndarray:
    """The record of a game that goes round in no direction there is."""
    games = Game(TWO, seed=1)._games.copy()
    games["direction"] = 99
    return games


def archive_of(tree: bytes) -> Path:
    """The path of an archive of arrays that holds no fields, but something else."""
    path = Path(file_of(b""))
    write_archive(path, json.loads(tree))
    return path


def read_only_folder() -> None:
    """Check a file in a folder that nobody may write to."""
    with mock.patch("os.access", return_value=False):
        check_file("--json", Path(file_of(b"")).with_suffix(".json"), False)


def other_tournament() -> None:
    """Begin a tournament where the state of another lies."""
    path = Path(file_of(b"")).with_suffix(".json")
    path.with_name(f"{path.name}.state").write_bytes(b"nothing")
    Outputs(path, None, None, False).state_for(Arena(["random", "highest"], games=960))


def diverged_training() -> None:
    """Measure a policy whose training has diverged."""
    from training.run.run import Run

    with mock.patch("training.run.run.check_policy", side_effect=ValueError("not finite")):
        Run._evaluate(mock.Mock(), 1)


def openspiel() -> Any:
    """The package for OpenSpiel, where that is installed."""
    pytest.importorskip("pyspiel")
    return importlib.import_module("ono99_env.openspiel")


def full_lobby() -> None:
    """Ask for a table where none is left."""
    lobby = Lobby.__new__(Lobby)
    lobby._tables = {}
    with mock.patch("ono99_env.play.lobby.MOST_TABLES", 0):
        lobby._make_room()
