"""A bot that fails is named, or forfeits the game, and no other game is touched."""

import numpy as np
import pytest

from ono99_env import Bot, Rules
from ono99_env.arena import Arena
from ono99_env.arena.play.umpire import Umpire
from ono99_env.messages.errors import BotError
from ono99_env.tables import Tables
from tests.arena.some_bots import (
    Asked,
    Drawing,
    Illegal,
    NotANumber,
    Raising,
    Slow,
    WrongShape,
)

pytestmark = pytest.mark.slow

FAILING = [
    (Illegal("bad"), "bot 'bad' chose the illegal action .* in seat . of a table of 3 players"),
    (Raising("bad"), "bot 'bad' raised RuntimeError: I cannot count so far - in seat . of a table"),
    (NotANumber("bad"), "bot 'bad' must return .* in seat .* type float64, with NaN in it"),
    (WrongShape("bad"), r"bot 'bad' must return .*it returned an array of shape \(\d+, 17\)"),
]


def play(bots: list[str | Bot], **options: object) -> Arena:
    arena = Arena(bots, players=3, games=1200, seed=4, **options)
    arena.play()
    return arena


def wins_by_line_up(arena: Arena) -> dict[tuple[str, ...], list]:
    """The wins of each bot in every round of each table, by who sits there."""
    found: dict[tuple[str, ...], list] = {}
    for job in arena.tournament.jobs:
        outcome = arena.tournament.play_job(job)
        for wins, seats in zip(outcome.wins.tolist(), outcome.seats.tolist(), strict=True):
            names = tuple(
                name
                for name, held in zip(arena.setup.bots, seats, strict=True)
                for _ in range(held)
            )
            found.setdefault(names, []).append(wins)
    return found


@pytest.mark.parametrize(("bot", "message"), FAILING)
def test_a_bot_that_fails_is_named_with_its_seat_its_table_and_what_it_did(bot, message):
    with pytest.raises(BotError, match=message):
        play([bot, "highest"])


@pytest.mark.parametrize(("bot", "message"), FAILING)
def test_a_bot_that_fails_forfeits_and_the_others_share_the_win(bot, message):
    arena = play([bot, "highest", Drawing()], forfeit=True)
    results = arena.play()
    by_name = {row.name: row for row in results.bots}
    assert by_name["bad"].forfeits > 100
    assert by_name["highest"].forfeits == by_name["drawing"].forfeits == 0
    assert by_name["bad"].score < 0.7
    games = sum(row.games for row in results.bots) / 3
    assert sum(row.win_rate * row.games for row in results.bots) == pytest.approx(games)
    assert list(results.failures) == ["bad"]
    places = sum(row.mean_place * row.games for row in results.bots)
    assert places == pytest.approx(2 * 3 * games)


@pytest.mark.parametrize("bot", [bot for bot, _ in FAILING])
def test_games_without_the_bot_that_fails_are_what_they_are_if_it_does_not_fail(bot):
    others = ["highest", Drawing(), Asked("asked")]
    failing = wins_by_line_up(play([bot, *others], forfeit=True))
    honest = wins_by_line_up(play([Drawing("bad"), *others]))
    for line_up, wins in failing.items():
        sits = any(name.startswith("bad") for name in line_up)
        if "drawing" in line_up:  # it draws from a generator that all tables of a job share
            continue
        assert (wins == honest[line_up]) == (not sits), line_up


def test_only_the_games_in_which_a_raising_bot_really_fails_are_forfeited():
    umpire = Umpire(forfeit=True)
    tables = Tables(Rules(num_players=2), [Raising("bad")], 200, ask=umpire)
    seeds = np.arange(200, dtype=np.uint64)
    tables.deal(np.arange(200), np.full(200, 2), seeds, np.zeros((200, 8), np.int8))
    assert (tables.games["total"][tables.forfeited >= 0] > 60).all()
    survived = tables.forfeited < 0
    assert survived.sum() < 20


def test_a_bot_that_takes_too_long_is_named():
    with pytest.raises(BotError, match=r"bot 'slow' took more than 0\.05 s for a batch of"):
        play([Slow("slow"), "highest"], time_limit=0.05)


def test_a_bot_that_takes_too_long_forfeits_until_it_comes_back():
    arena = play([Slow("slow"), "highest"], time_limit=0.05, forfeit=True)
    results = arena.play()
    slow = next(row for row in results.bots if row.name == "slow")
    assert slow.forfeits > 100
    assert "took more than 0.05 s" in results.failures["slow"]


def test_a_bot_that_is_fast_enough_plays_as_without_a_limit():
    limited = play(["random", Drawing()], time_limit=60.0)
    assert wins_by_line_up(limited) == wins_by_line_up(play(["random", Drawing()]))
    with pytest.raises(BotError, match="I cannot count so far"):
        play([Raising("bad"), "random"], time_limit=60.0)
