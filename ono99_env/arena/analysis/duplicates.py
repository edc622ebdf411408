"""Play duplicate deals: the same cards in every arrangement of the bots, so that luck cancels.

A deal is a seed: the dealer, the hands and every card drawn later follow from it. It is played once
in each arrangement of the bots over the seats, as in duplicate bridge. The games of a deal are
correlated, so they count as one observation; intervals are computed over deals, which are
independent.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.analysis.intervals import estimate_share
from ono99_env.bots.base import Bot
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.rules.rules import Rules
from ono99_env.tables.shared_wins import win_shares
from ono99_env.tables.tables import Tables

BLOCK_GAMES = 4096
"""Games that are played side by side. The outcome of a block depends on the seed and its start."""

Progress = Callable[[int, int], None]
"""Called after every block with the games played so far and the games in all."""


@dataclass(frozen=True)
class WinRate:
    """The win rate of a bot against copies of another."""

    games: int
    """Games played: the deals times the seats."""
    deals: int
    win_rate: float
    """Wins per game; a win shared by w seats counts 1/w."""
    interval: tuple[float, float]
    """Confidence interval of `win_rate`, over deals."""
    score: float
    """`win_rate` times the number of players: 1 is parity."""
    stderr: float
    """Standard error of `win_rate`, over deals."""


def one_vs_rest(
    rules: Rules,
    bot: Bot,
    opponent: Bot,
    num_players: int,
    games: int,
    seed: int,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> WinRate:
    """Play one bot against copies of another, every deal once with the bot in each seat.

    The result depends on the arguments alone. For a bot that draws from the generator of `Bot.act`
    (``?sample``), this holds within one version of this package.

    Args:
        rules: The rules; their number of players is replaced.
        bot: The bot to measure.
        opponent: The bot in all other seats.
        num_players: Seats at the table.
        games: Least number of games; rounded up to whole deals of `num_players` games.
        seed: Seed of all randomness, not negative.
        confidence: Probability that the interval covers the true value, between 0 and 1.
        progress: Called with the games played so far and the games in all.

    Raises:
        ValueError: If an argument is impossible or a bot does not fit the rules.
    """
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    rules = rules.with_players(num_players)
    num_deals = -(-games // num_players)
    arrangements = 1 - np.eye(num_players, dtype=np.int8)
    shares = play_deals(rules, [bot, opponent], arrangements, num_deals, seed, progress)
    own = np.einsum("dss->d", shares) / num_players
    estimate = estimate_share(own, confidence, games_per_deal=num_players)
    return WinRate(
        games=num_deals * num_players,
        deals=num_deals,
        win_rate=estimate.mean,
        interval=estimate.interval,
        score=estimate.mean * num_players,
        stderr=estimate.stderr,
    )


def play_deals(
    rules: Rules,
    bots: list[Bot],
    arrangements: NDArray[np.int8],
    num_deals: int,
    seed: int,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Play every deal once in each arrangement of the bots.

    The first deals are the same however many there are.

    Args:
        rules: The rules, with the number of players.
        bots: The bots.
        arrangements: Which of `bots` has each seat, shape (arrangements, num_players).
        num_deals: How many deals.
        seed: Seed of all randomness, not negative.
        progress: Called with the games played so far and the games in all.

    Returns:
        The share of each seat in the win of its game, shape (num_deals, arrangements,
        num_players): 1 for the winner, 1/w for each of w winners, 0 for a loser.

    Raises:
        ValueError: If an argument is impossible or a bot does not fit the rules.
    """
    if seed < 0:
        raise ValueError(f"seed must not be negative, and is {seed}")
    block_deals = max(1, BLOCK_GAMES // len(arrangements))
    tables = Tables(rules, bots, block_deals * len(arrangements))
    parts = []
    for start in range(0, num_deals, block_deals):
        rng = np.random.default_rng([seed, start])
        tables.seed(int(rng.integers(2**63)))
        seeds = rng.integers(2**64, size=block_deals, dtype=np.uint64)[: num_deals - start]
        parts.append(_play_block(tables, arrangements, seeds))
        if progress is not None:
            done = min(start + block_deals, num_deals)
            progress(done * len(arrangements), num_deals * len(arrangements))
    return np.concatenate(parts)


def _play_block(
    tables: Tables, arrangements: NDArray[np.int8], seeds: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Play the deals of some seeds side by side, and return the shares in the wins."""
    num_arrangements, num_players = arrangements.shape
    count = len(seeds) * num_arrangements
    holders = np.zeros((num_arrangements, MAX_PLAYERS), np.int8)
    holders[:, :num_players] = arrangements
    rows = np.arange(count)
    tables.deal(
        rows,
        np.full(count, num_players),
        np.repeat(seeds, num_arrangements),
        np.tile(holders, (len(seeds), 1)),
    )
    shares = win_shares(tables.games[rows])[:, :num_players]
    return shares.reshape(len(seeds), num_arrangements, num_players)
