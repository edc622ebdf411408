"""What a job counts is what the games gave."""

import numpy as np
import pytest

from ono99_env import Game, Rules, load_bot
from ono99_env.arena.plan.line_ups import Seating
from ono99_env.arena.plan.schedule import Job
from ono99_env.arena.play.jobs import WHOLE_WIN, Outcome, doubled_places, play_job
from ono99_env.arena.play.umpire import Umpire
from ono99_env.tables import Tables

pytestmark = pytest.mark.slow


def play(rules: Rules, arrangements: list[list[int]], deals: int = 50) -> tuple[Tables, Outcome]:
    seating = Seating(2, rules.num_players, 77, np.array(arrangements, np.int8))
    umpire = Umpire()
    bots = [load_bot("highest"), load_bot("random")]
    tables = Tables(rules, bots, deals * len(arrangements), ask=umpire)
    return tables, play_job(tables, umpire, seating, Job(0, 0, 10, deals))


def test_the_deals_are_those_of_the_line_up_and_the_number():
    _, outcome = play(Rules(num_players=2), [[0, 1], [1, 0]])
    tables, _ = play(Rules(num_players=2), [[0, 1], [1, 0]])
    assert tables.games["dealer"][::2].tolist() == tables.games["dealer"][1::2].tolist()
    game = Game(Rules(num_players=2), seed=77 + 10)
    assert game.state.dealer == tables.games["dealer"][0]
    assert outcome.wins.shape == (50, 2)


@pytest.mark.parametrize("format_name", ["single_round", "chips", "points_lowest"])
def test_counts_are_those_of_the_games(format_name):
    rules = Rules.preset("2022", num_players=3, format=format_name)
    arrangements = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    tables, outcome = play(rules, arrangements)
    held = np.tile(arrangements, (50, 1))
    shares = [(1 + 2 * np.array(_returns(tables, row))) / 3 for row in range(150)]
    for bot in (0, 1):
        own = (np.array(shares) * (held == bot)).sum(axis=1)
        assert outcome.wins[:, bot] == pytest.approx(
            own.reshape(50, 3).sum(axis=1) * WHOLE_WIN, abs=1e-6
        )
        assert (outcome.seats[:, bot] == (np.array(arrangements) == bot).sum()).all()
        assert outcome.squares[bot] == pytest.approx((own**2).sum() * WHOLE_WIN**2)
        points = tables.games["points"][:, :3] * (held == bot)
        assert outcome.points[bot] == points.sum()
    assert outcome.seat_wins.sum() == 150 * WHOLE_WIN
    assert outcome.seat_wins.sum(axis=1).tolist() == outcome.wins.sum(axis=0).tolist()
    assert outcome.places.sum() == 150 * 2 * (1 + 2 + 3)
    assert not outcome.forfeits.any()


def _returns(tables: Tables, row: int) -> list[float]:
    winners = int(tables.games["in_match"][row])
    count = winners.bit_count()
    return [(3 / count - 1) / 2 if winners >> seat & 1 else -0.5 for seat in range(3)]


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_places_are_the_order_of_going_out(num_players):
    rules = Rules(num_players=num_players)
    games = 40
    tables = Tables(rules, [load_bot("highest")], games)
    seeds = np.arange(games, dtype=np.uint64)
    tables.deal(np.arange(games), np.full(games, num_players), seeds, np.zeros((games, 8), np.int8))
    points = np.zeros((games, num_players), np.int64)
    places = doubled_places(tables.survivors[:, :num_players], points) / 2
    for seed in range(games):
        assert places[seed].tolist() == places_of(rules, seed)


def places_of(rules: Rules, seed: int) -> list[float]:
    """Play a game as `highest` does and note who goes out after which play."""
    game, rng = Game(rules, seed=seed), np.random.default_rng(0)
    left_after = [10_000] * rules.num_players
    for play_number in range(10_000):
        for seat in range(rules.num_players):
            is_in = int(game.state.in_match) >> seat & 1
            left_after[seat] = 10_000 if is_in else min(left_after[seat], play_number)
        if game.is_over:
            break
        game.play(int(load_bot("highest").act(game.views(), rng)[0]))
    ahead = [sum(other > own for other in left_after) for own in left_after]
    return [
        place + (1 + left_after.count(own)) / 2
        for place, own in zip(ahead, left_after, strict=True)
    ]


def test_places_on_the_same_play_go_by_points_and_are_shared():
    survivors = np.array([[3, 1, 1, 0], [0, 2, 2, 0], [1, 1, 1, 0]], np.int8)
    points = np.array([[9, 5, 7, 0], [4, 0, 0, 9], [250, 210, 210, 190]])
    places = doubled_places(survivors, points) / 2
    assert places.tolist() == [[4, 2, 3, 1], [1.5, 3.5, 3.5, 1.5], [4, 2.5, 2.5, 1]]
