"""Games are told in plain lines where there is no terminal, at most so often."""

import pytest
from rich.console import Console

from ono99_env.cli import progress
from ono99_env.cli.progress import GamesProgress


@pytest.mark.parametrize("is_terminal", [False, True])
def test_games_are_told_in_lines_in_no_terminal(monkeypatch, capsys, is_terminal):
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    console = Console(force_terminal=is_terminal)
    show = GamesProgress(console, has_bar=False).begin(2000, "against random")
    show(1000, 2000)
    told = "" if is_terminal else "against random: 1,000 of 2,000 games (50%)\n"
    assert capsys.readouterr().out == told
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 60.0)
    show(2000, 2000)
    assert not capsys.readouterr().out


def test_games_that_are_counted_are_summed(monkeypatch, capsys):
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    monkeypatch.setattr(progress.time, "monotonic", iter([0.0, 1, 1, 3, 3]).__next__)
    add = GamesProgress(Console(width=80)).count(400)
    add(100)
    add(100)
    assert capsys.readouterr().out.splitlines() == [
        "100 of 400 games (25%)",
        "200 of 400 games (50%), about 4 s left",
    ]
