"""The command line as such: help, versions, mistakes in its words."""

import subprocess
import sys

import pytest

from ono99_env import __version__
from ono99_env.bots import bot_names
from ono99_env.cli import main
from ono99_env.cli.parameters import join_player_counts
from ono99_env.cli.progress import Pace


def test_without_words_the_help_is_shown(capsys):
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "arena" in shown
    assert "bots" in shown


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"ono99-env {__version__}"


def test_it_runs_as_a_module():
    answer = subprocess.check_output(
        [sys.executable, "-m", "ono99_env.cli", "--version"], text=True
    )
    assert answer.strip() == f"ono99-env {__version__}"


def test_every_bot_is_listed_with_a_line_of_its_own(capsys):
    assert main(["bots"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in bot_names():
        (line,) = [line for line in lines if line.split(" ")[0] == name]
        assert len(line) > len(name) + 10


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["arean"], "No such command 'arean'"),
        (["arena", "highest", "random", "--fast"], "No such option: --fast"),
        (["arena", "highest", "random", "--games", "x"], "'--games'"),
        (["arena", "highest", "random", "--games", "0"], "'--games'"),
        (["arena", "highest", "random", "--processes", "0"], "'--processes'"),
        (["arena", "highest", "random", "--seed", "-3"], "'--seed'"),
    ],
)
def test_wrong_words_are_one_paragraph_and_exit_code_2(capsys, words, message):
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "combined_figures"),
    [
        ("arena a b --players 2 4 --games 6", "arena a b --players 2,4 --games 6"),
        ("arena --players 2 4 6 2022 1980", "arena --players 2,4,6 2022 1980"),
        ("arena --players 2,3 4 --seed 5 6", "arena --players 2,3,4 --seed 5 6"),
        ("c.yaml --num_players 2 4 --seed 3", "c.yaml --num_players 2,4 --seed 3"),
        ("explain --players", "explain --players"),
        ("arena --players two 4", "arena --players two 4"),
    ],
)
def test_player_counts_may_be_apart(words, combined_figures):
    assert join_player_counts(words.split()) == combined_figures.split()


def test_the_pace_does_not_count_what_comes_before_the_first_games():
    pace = Pace()
    assert pace.speed(1000, now=60.0) == 0
    assert pace.speed(1000, now=60.0) == 0
    assert pace.speed(3000, now=64.0) == 500


def test_the_command_line_does_not_load_what_it_does_not_need():
    code = (
        "import sys, ono99_env.cli; ono99_env.cli.main(['bots']); "
        "print({'torch', 'matplotlib', 'jinja2'} & set(sys.modules))"
    )
    answer = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert answer.splitlines()[-1] == "set()"
