"""The commands of training that the documentation shows are understood as they are written."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from training import evaluate, export
from training.config.command_line import read_command
from training.distributed import exploit as distributed_exploit
from training.distributed.cluster_config import DistributedConfig

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "models" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def commands(module: str) -> list[list[str]]:
    found = re.findall(rf"python -m training\.{module} ([^`\n&]+)", TEXT)
    left_out = ("CONFIG", "--help")
    words = [each for each in dict.fromkeys(found) if not any(out in each for out in left_out)]
    return [shlex.split(each) for each in words]


@pytest.mark.parametrize("words", commands("train"), ids=" ".join)
def test_a_training_command_describes_a_run(words, monkeypatch):
    monkeypatch.chdir(ROOT)
    if words[0] == "--resume":
        words = [f"configs/{Path(words[1]).name}.yaml", *words[2:]]
    assert read_command(words).config.total_decisions > 0


def test_every_config_is_in_the_list():
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    for config in (ROOT / "configs").glob("*.yaml"):
        decisions = yaml.safe_load(config.read_text(encoding="utf-8"))["total_decisions"]
        row = rf"^\| `{re.escape(config.name)}` \| .* \| {decisions // 1_000_000} million \|$"
        assert re.search(row, page, re.M)


@pytest.mark.parametrize("words", commands("distributed"), ids=" ".join)
def test_a_command_of_a_cluster_describes_a_run(words, monkeypatch):
    monkeypatch.chdir(ROOT)
    if words[0] == "--resume":
        words = ["configs/distributed.yaml", *words[2:]]
    assert isinstance(read_command(words, DistributedConfig).config, DistributedConfig)


def test_there_are_such_commands():
    assert commands("distributed")
    assert commands("distributed.exploit")
    assert len(commands("train")) >= 4
    assert commands("evaluate")
    assert commands("export")


@pytest.mark.parametrize(
    ("module", "parser"),
    [
        ("evaluate", evaluate._parser()),
        ("export", export._parser()),
        ("distributed.exploit", distributed_exploit._parser()),
    ],
    ids=["evaluate", "export", "distributed.exploit"],
)
def test_the_other_commands_have_these_options(module, parser):
    for words in commands(module):
        assert parser.parse_args(words)


@pytest.mark.parametrize("words", [["2", "4"], ["2,4"]])
def test_player_counts_are_written_either_way(words, monkeypatch):
    asked = []
    monkeypatch.setattr(
        distributed_exploit, "find_responses", lambda options: asked.append(options.players)
    )
    assert distributed_exploit.main(["highest", "--players", *words]) == 0
    assert asked == [[2, 4]]
