"""For every entry of docs/errors.md: a call that raises it, or a command line that shows it."""

import json
import tempfile
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import ono99_env
from ono99_env import Bot, Card, Game, Rules, Views, load_bot, ono99_v0
from ono99_env.arena import Arena, one_vs_rest
from ono99_env.bots.names import check_name_of_file
from ono99_env.bots.plugins import plugin_factory
from ono99_env.cli.outputs import Outputs, check_file
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.spaces import ActionSpace
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.files.array_archive import read_archive, write_archive
from ono99_env.files.regular_files import read_regular_file
from ono99_env.messages.extras import need_extra
from ono99_env.observation import FEATURES
from ono99_env.tables import Episodes, Tables

TWO = Rules.preset("2022", num_players=2)
CHIPS = Rules.preset("1980", num_players=3)
POINTS = Rules.preset("1980", num_players=3, format="points_lowest")


class Cheat(Bot):
    """Plays what it may not."""

    name = "cheat"

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """See `Bot.act`."""
        return views.action_mask.argmin(axis=1)


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


def dealt_tables() -> Tables:
    """Tables where the learner is to act."""
    tables = Tables(TWO, [load_bot("random")], 1)
    tables.deal([0], [2], [1], [[-1, *[0] * 7]])
    return tables


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


IMPOSSIBLE_DECK = {"0": 40, "ono99": 10}
CASES: dict[str, Callable[[], Any] | list[str]] = {
    # Everywhere
    "...must ...": lambda: Ono99VectorEnv(0),
    "...; did you mean ...": lambda: load_bot("highset"),
    "... No such file or directory...": lambda: Rules.from_yaml("no_such_rules.yaml"),
    # Rules
    "...: there is no such field...": lambda: Rules.preset("2022", hand_siz=3),
    "edition: ...": lambda: Rules.preset("2022", edition="1980"),
    "num_players: the ... edition is for ...": lambda: Rules.preset("2022", num_players=7),
    "deck: ...": lambda: Rules.preset("2022", deck=IMPOSSIBLE_DECK),
    "...unknown cards ...": lambda: Rules.preset("2022", deck={"joker": 2}),
    "... is not a known ...": lambda: Card.from_label("joker"),
    "... cards are too many; at most ...": lambda: Rules.preset("2022", deck={"1": 127, "2": 127}),
    "a deck cannot be changed; ...": lambda: TWO.deck.update({"1": 1}),
    "...: needs ...": lambda: Rules.preset("2022", voluntary_bust=True),
    "...game... last... until ... play a card": lambda: Ono99Env(
        num_players=2, deck={"10": 50}, highest_total=0
    ),
    # Files of fields
    "... is not valid YAML: ...": lambda: Rules.from_yaml(file_of(b"a: [")),
    "...a file of fields...": lambda: Rules.from_yaml(file_of(b"# " + b"x" * 2**21)),
    "...cannot be read...": lambda: read_regular_file(Path("a\0b"), 1000),
    "holds no fields": lambda: read_archive(archive_of(b"[]")),
    "is damaged, or was not written by this program ...": lambda: read_archive(
        Path(file_of(b"nothing"))
    ),
    "...is larger than ... MiB...": lambda: read_regular_file(Path(file_of(b"x" * 2000)), 1000),
    "...is ..., not a file": lambda: read_regular_file(Path("/"), 1000),
    # Games and snapshots
    "action ... is illegal for seat ...": lambda: Game(TWO, seed=1).play(15),
    "... is not an action; ...": lambda: Game(TWO, seed=1).play(99),
    "the game is over; action ... cannot be played": lambda: finished_game().play(1),
    "draws: ...": lambda: Game(TWO, seed=1).play(
        Game(TWO, seed=1).legal_actions()[0], draws=[Card.N1, Card.N2]
    ),
    "a snapshot is a dict with the key 'rules', ...": lambda: Game.from_snapshot({}),
    "total: ...": changed(total=99),
    "hands, draw_pile and discard_pile together ...": changed(draw_pile={"1": 3}),
    "hands[...]: ...": changed(hands=[{"1": 5}, {"2": 4}]),
    "...cards ... are more than any deck holds": changed(draw_pile={"1": 200}),
    "...: needs one entry for each of ...": changed(eliminated=[False]),
    "...: there is no seat ...": changed(dealer=5),
    "current_player: ...": changed(current_player=None),
    "eliminated: ...": changed(eliminated=[True, False]),
    "winners: ...": changed(winners=[1, 1]),
    "chips: ...": changed(CHIPS, chips=[3, 4, 3]),
    "points...: ...": changed(POINTS, points=[200, 0, 0]),
    "round: ...": changed(round=2),
    "plays_owed: ...": changed(plays_owed=0),
    "history...: ...": changed(history={"truncated": True}),
    # Environments and tables
    "...call reset(...": lambda: Ono99Env(TWO).step(0),
    "...: there is no such argument, ...": lambda: Ono99Env(num_player=3),
    "...: this environment has no such argument, ...": lambda: Ono99Env(num_threads=3),
    "options: ... is no option ...": lambda: Ono99Env(TWO).reset(options={"dealer": 1}),
    "... is out of the game; its only valid action is None": act_for_dead_agent,
    "the snapshot's rules differ ...": lambda: ono99_v0.env(rules=CHIPS).load_snapshot(
        Game(TWO, seed=1).snapshot()
    ),
    "the tables ...": lambda: sb3().env_method("act"),
    "the mask allows no action: ...": lambda: ActionSpace().sample(np.zeros(17, np.int8)),
    "...table ...: ...": lambda: reset(Ono99VectorEnv(2, TWO)).step(np.full(2, 99)),
    "state: ...": lambda: load_state(episodes=np.zeros(2)),
    "bots: at most ...": lambda: Tables(TWO, [load_bot("random")] * 200, 1),
    "...: ... is too large": lambda: Tables(TWO, [load_bot("random")], 1).act(
        np.array([2**64 - 1], np.uint64), [1]
    ),
    "...named twice": lambda: Episodes(TWO, 2).reset(np.array([0, 0])),
    "the learner is not to act at every table; ...": lambda: Tables(
        TWO, [load_bot("random")], 1
    ).act(np.array([0]), np.array([1])),
    "...shows no possible game of these rules: ...": lambda: Views.of_compact(
        TWO, np.full((1, reset(Ono99VectorEnv(1, TWO, compact=True)).reset()[0].shape[1]), 7, "u1")
    ),
    "...no view of a game": lambda: (
        Views._of_checked(TWO, spoilt_game(), np.zeros(1, np.int64)).observation
    ),
    "...no record of a game": lambda: Views.of(TWO, spoilt_game(), np.zeros(1, np.int64)),
    "module ... has no attribute ...": lambda: ono99_env.load_bots,
    "there is no feature ...": lambda: FEATURES["hnad"],
    # Bots and bot files
    "unknown bot ...": lambda: load_bot("grandmaster"),
    "a bot is named by ...": lambda: load_bot(7),  # type: ignore[arg-type]
    "the name ... is not UTF-8, ...": lambda: load_bot("\udce9"),
    "bot ... stands in a file and would run code ...": lambda: check_name_of_file("sb3:x.zip"),
    "bot ... has no option ...": lambda: load_bot("search:depth=3"),
    "option ... of bot ...": lambda: load_bot("search:simulations"),
    "bot ...: there is no module ...": lambda: load_bot("no_such_package.bots:make"),
    "bot ...: module ...": lambda: load_bot("json:no_such_factory"),
    "...does not say that it returns a bot: ...": lambda: load_bot("json:loads"),
    "there is no bot file ...": lambda: load_bot("no_such.onnx"),
    "there is no file ...": lambda: load_bot("sb3:no_such.zip"),
    "bot ... is not a bot: ...": lambda: load_bot("tests.error_cases:make_nothing"),
    "bot ... could not be made: ...": lambda: load_bot("tests.error_cases:make_trouble"),
    "bot ... is broken: ...": lambda: plugin_factory(
        EntryPoint("mine", "no_such_package:make", "ono99_env.bots")
    ),
    "bot ... chose the illegal action ...": lambda: one_vs_rest(
        TWO, Cheat(), load_bot("random"), 2, 100, 1
    ),
    "... is not ... file...": lambda: load_bot(str(Path(file_of(b"x")).rename("x.onnx"))),
    "...cannot play this game: ...": lambda: Ono99Env("1980", 3, opponents=["2022"]),
    # Command line and arena
    "No such command ...": ["ono99", "arenas"],
    "No such option: ...": ["ono99", "arena", "--gmaes", "3"],
    "ono99 has no command ...": ["ono99", "train"],
    "... exists; say --overwrite to replace it, ...": [
        *("ono99", "arena", "random", "highest", "--json", file_of(b"")),
    ],
    "...: ... is a folder; name a file": ["ono99", "arena", "random", "highest", "--json", "/tmp"],
    "...: there is no folder ...": ["ono99", "arena", "random", "highest", "--json", "/no/x.json"],
    "...: the folder ... cannot be written to": read_only_folder,
    "...Remove it, or say --overwrite.": other_tournament,
    "...With --forfeit ...": ["ono99", "arena", "tests.error_cases:Cheat", "random"],
    "--report: ...": ["ono99", "arena", "random", "highest", "--report", file_of(b"")],
    "--players: ...": ["ono99", "arena", "random", "highest", "--players", "two"],
    "--continue and --repeat ...": [
        *("ono99", "arena", "random", "--continue", "a.state", "--repeat", "a.json"),
    ],
    "name the bots that play, ...": ["ono99", "arena"],
    "bots: a tournament needs ...": lambda: Arena(["random"]),
    "games: ... are too few...": lambda: Arena(["random", "highest"], games=1),
    # Training
    "name either a config file ...": ["training.train"],
    "--resume: there is no folder ...": ["training.train", "--resume", "no_such_run"],
    "cannot read the config ...": ["training.train", "no_such_config.yaml"],
    "...unknown features ...": [
        *("training.train", "configs/quickstart.yaml", "--features", '["hnad"]'),
    ],
    # Installs and compiled code
    "... needs ..., which the extra ... brings: ...": lambda: need_extra("x", "this", "no_such"),
}
"""By the message pattern of the page."""
