"""Kept games: they are those of the tournament, and their records can be read."""

import pytest

from ono99_env import Game
from ono99_env.arena import Arena
from tests.envs.random_play import Asked


@pytest.mark.parametrize("seating", ["mixed", "one_vs_rest"])
def test_kept_games_of_compiled_bots_are_those_of_the_tournament(seating: str) -> None:
    arena = Arena(["highest", "random", "counter"], players=[2, 3], games=600, seating=seating)
    kept = list(arena.kept_games(7))
    schedules = arena.tournament.schedules
    assert [name for name, _ in kept] == sorted(name for name, _ in kept)
    assert len(kept) == 7 * len(schedules)
    for index, schedule in enumerate(schedules):
        job = next(job for job in arena.tournament.jobs if job.schedule == index)
        arena.tournament.play_job(job)
        tables = arena.tournament._tables[schedule.num_players]
        for row, (_, record) in enumerate(kept[7 * index : 7 * index + 7]):
            game = Game.from_record(record)
            assert game.is_over
            assert game.state.tobytes() == tables.games[row].tobytes() or rng_differs(
                game, tables.games[row]
            )
            names = [arena.setup.bots[bot] for bot in tables.holders[row, : schedule.num_players]]
            assert record["names"] == names


def rng_differs(game: Game, state: object) -> bool:
    """Whether two records are equal but for the counter of the generator."""
    other = game.clone()
    other.games["random_counter"] = state["random_counter"]
    return other.state.tobytes() == state.tobytes()


def test_games_of_bots_that_are_asked_are_kept_too() -> None:
    arena = Arena([Asked(), "highest"], players=2, games=200)
    records = [record for _, record in arena.kept_games(3)]
    assert {"asked", "highest"} == {name for record in records for name in record["names"]}
    assert all(Game.from_record(record).is_over for record in records)


def test_no_more_games_are_kept_than_were_played() -> None:
    arena = Arena(["highest", "random"], players=2, games=60)
    assert len(list(arena.kept_games(10_000))) == 60
