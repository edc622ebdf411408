"""How often the arena's intervals cover the truth: ``python -m benchmarks.coverage``.

Plays many tournaments that differ in the seed alone and counts how often the intervals of win
rates, pairs and ratings hold the truth: stand-in games (`benchmarks.stand_in`), whose truth is
known, and compiled bots, whose truth is taken from a long tournament.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.stand_in import Truth, play_stand_in, truth_of
from ono99_env.arena import Arena, Results
from ono99_env.arena.plan.tournament_setup import TournamentSetup
from ono99_env.bots import load_bot

_LEVELS = (0.95, 0.99)


@dataclass(frozen=True)
class Regime:
    """Tournaments of one size."""

    num_bots: int
    num_players: int
    games: int
    spread: float = 0.6
    """Strengths reach from minus to plus this, as logarithms."""


REGIMES = (
    Regime(3, 4, 1080),
    Regime(3, 4, 12_000),
    Regime(2, 2, 240),
    Regime(7, 4, 840),
    Regime(7, 4, 2604),
    Regime(7, 4, 24_000),
    Regime(7, 6, 2600),
    Regime(12, 2, 2000),
    Regime(12, 6, 3000, spread=1.5),
    Regime(20, 3, 6000),
)
"""Few bots, of which all line-ups are played, to many, of which most never sit together."""

COMPILED = (
    (("counter", "highest", "random"), 4, 1080),
    (("counter", "highest", "hoarder", "lowest", "random", "smooth", "tiers"), 4, 2604),
    (("counter", "highest", "hoarder", "lowest", "random", "smooth", "tiers"), 6, 2600),
)
"""Bots, players and games."""


@dataclass(frozen=True)
class Coverage:
    """How often intervals held the truth in some tournaments, each kind from 0 to 1."""

    win_rates: float
    pairs: float
    ratings: float


def stand_in_coverage(regime: Regime, confidence: float, seeds: Iterable[int]) -> Coverage:
    """Return the coverage in tournaments of stand-in games."""
    strengths = np.linspace(-regime.spread, regime.spread, regime.num_bots)
    names = tuple(f"bot {number:02}" for number in range(regime.num_bots))
    truth = truth_of(strengths.tolist(), names, regime.num_players)

    def play(seed: int) -> Results:
        return play_stand_in(
            strengths.tolist(),
            TournamentSetup(
                bots=names,
                players=(regime.num_players,),
                games=regime.games,
                seed=seed,
                confidence=confidence,
            ),
        )

    return _coverage(play, truth, seeds)


def compiled_coverage(
    names: Sequence[str], num_players: int, games: int, confidence: float, seeds: Sequence[int]
) -> Coverage:
    """Return the coverage in tournaments of compiled bots.

    Their true figures are taken from 20 times the games of all these tournaments.
    """
    bots = [load_bot(name) for name in names]

    def play(seed: int, games: int = games) -> Results:
        arena = Arena(bots, players=num_players, games=games, seed=seed, confidence=confidence)
        return arena.play()

    return _coverage(play, _figures_of(play(10**6, 20 * games * len(seeds))), seeds)


def _figures_of(results: Results) -> Truth:
    (count,) = results.players
    return Truth(
        {bot.name: bot.win_rate for bot in results.bots},
        {pair.bots: pair.difference for pair in count.pairs},
        {bot.name: bot.rating for bot in results.bots},
    )


def _coverage(play: Callable[[int], Results], truth: Truth, seeds: Iterable[int]) -> Coverage:
    rates, pairs, ratings = [], [], []
    for seed in seeds:
        results = play(seed)
        for bot in results.bots:
            rates.append(_holds(bot.interval, truth.win_rates[bot.name]))
            ratings.append(_holds(bot.rating_interval, truth.ratings[bot.name]))
        for pair in results.players[0].pairs:
            pairs.append(_holds(pair.interval, truth.differences[pair.bots]))
    return Coverage(float(np.mean(rates)), float(np.mean(pairs)), float(np.mean(ratings)))


def _holds(interval: tuple[float, float], value: float) -> bool:
    return interval[0] <= value <= interval[1]


def main() -> None:
    """Measure all regimes and print a row of a Markdown table for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--tournaments", type=int, default=1000, help="of each size and level")
    parser.add_argument("--first-seed", type=int, default=1000, help="of each row's tournaments")
    parser.add_argument("--levels", type=float, nargs="+", default=_LEVELS, help="of the intervals")
    parser.add_argument("--stand-in", action="store_true", help="leave the compiled bots out")
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.tournaments)
    print("| games | bots | players | level | win rates | pairs | ratings |\n|" + " --- |" * 7)
    for level in options.levels:
        for regime in REGIMES:
            covered = stand_in_coverage(regime, level, seeds)
            _show(f"{regime.games:,} stand-in", regime.num_bots, regime.num_players, level, covered)
        for names, num_players, games in () if options.stand_in else COMPILED:
            covered = compiled_coverage(names, num_players, games, level, seeds)
            _show(f"{games:,}", len(names), num_players, level, covered)


def _show(games: str, num_bots: int, num_players: int, level: float, covered: Coverage) -> None:
    shares = (covered.win_rates, covered.pairs, covered.ratings)
    cells = [games, str(num_bots), str(num_players), f"{level:.0%}"]
    print(f"| {' | '.join([*cells, *(f'{share:.1%}' for share in shares)])} |", flush=True)


if __name__ == "__main__":
    main()
