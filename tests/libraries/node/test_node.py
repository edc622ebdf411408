"""The bot in Node sees the same vectors as Python, bit for bit, and plays the same actions."""

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ono99_env import Game, Rules, load_bot
from ono99_env.game.plain_view import plain_view
from ono99_env.observation.encoding import describe_encoding

ROOT = Path(__file__).parents[3]
POSITIONS = 3000
CLOSE = 1e-4
"""Two logits this close may be ordered either way: onnxruntime rounds differently by version."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example with its packages installed."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program} here")
    folder = tmp_path_factory.mktemp("node") / "bot"
    shutil.copytree(ROOT / "examples" / "node", folder)
    npm = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(npm, cwd=folder, check=True, capture_output=True)
    return folder


def positions(rules: Rules, players: list[int], seed: int) -> list[Game]:
    """Positions of games played at random, as snapshots would keep them."""
    rng, found = random.Random(seed), []
    while len(found) < POSITIONS:
        game = Game(rules.with_players(rng.choice(players)), seed=rng.getrandbits(64))
        while not game.is_over:
            found.append(Game.from_snapshot(game.snapshot()))
            game.play(rng.choice(game.legal_actions()))
    return found[:POSITIONS]


def ask_node(folder: Path, name: str, rules: Rules, games: list[Game]) -> list[dict[str, Any]]:
    (folder / "encoding.json").write_text(json.dumps(describe_encoding(rules)))
    lines = "\n".join(json.dumps(plain_view(game.views())) for game in games)
    model = ROOT / "models" / f"{name}.onnx"
    command = ["node", "play.mjs", str(model), "encoding.json", "--vectors"]
    answers = subprocess.run(
        command, cwd=folder, input=lines, capture_output=True, text=True, check=False
    )
    assert answers.returncode == 0, answers.stderr
    return [json.loads(line) for line in answers.stdout.splitlines()]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("2022", {}),
        ("1980", {"format": "chips"}),
        ("1980", {"format": "points_last_standing"}),
    ],
    ids=["2022", "1980 chips", "1980 points"],
)
def test_node_sees_and_plays_what_python_does(folder: Path, name: str, options: dict[str, Any]):
    rules, bot = Rules.preset(name, **options), load_bot(name)
    games = positions(rules, [2, 3, 4, 6], seed=1)
    answers = ask_node(folder, name, rules, games)
    assert len(answers) == len(games)
    for game, answer in zip(games, answers, strict=True):
        views = game.views()
        assert bytes.fromhex(answer["vector"]) == views.observation[0].tobytes()
        logits, value = bot.evaluate(views.observation, views.action_mask)
        chosen = [action.label for action in game.legal_actions()].index(answer["action"])
        best = np.array([logits[0, action] for action in game.legal_actions()])
        assert best[chosen] >= best.max() - CLOSE
        assert answer["value"] == pytest.approx(value[0], abs=CLOSE)
