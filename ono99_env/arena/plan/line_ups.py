"""Draw the line-ups of a tournament: which bot has which seat in each round.

A *round* is one table and one deal. The table is played once in each rotation of its seats, with
the same cards, so that each of its bots has had every seat. In **mixed** tables the bot in each
seat is drawn uniformly and independently from all bots of the tournament; a table where one bot
holds all seats decides nothing and is drawn again. Each round draws its own table, so rounds are
independent and identically distributed: their variance holds the luck of the cards and that of the
opponents drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil

import numpy as np
from numpy.typing import NDArray

LEAST_ROUNDS = 30
"""Rounds in which each bot should sit at least: its interval is computed over them."""

_DRAWS = 4
"""Numbers that one step of Philox gives. Each round has its own step."""


@dataclass(frozen=True)
class LineUps:
    """The bot in each seat of each game of each round."""

    num_bots: int
    """Bots of the tournament; a line-up holds their indices."""
    num_players: int
    """Seats at a table."""
    key: int
    """Seed of the tables and the deals, from 0 to 2**64 - 1."""
    table: NDArray[np.int8] | None = None
    """The bot in each seat of each game of a round, if all rounds have the same; shape
    (games, seats). None if each round draws its own."""

    def arrange(self, first_round: int, num_rounds: int) -> NDArray[np.int8]:
        """Return the line-ups of some rounds; each depends only on the key and its round's number.

        Args:
            first_round: Number of the first round.
            num_rounds: How many rounds.

        Returns:
            The bot in each seat, shape (num_rounds, games of a round, seats).
        """
        if self.table is not None:
            return np.broadcast_to(self.table, (num_rounds, *self.table.shape))
        orders = self._draw(first_round, num_rounds)
        seats = np.arange(self.num_players)
        rotations = (seats[:, None] + seats) % self.num_players
        return orders[:, rotations]

    def _draw(self, first_round: int, num_rounds: int) -> NDArray[np.int8]:
        """Draw the bot in each seat, never one bot in all seats; shape (rounds, seats)."""
        random = np.random.Philox(key=self.key, counter=first_round)
        draws = random.random_raw(num_rounds * _DRAWS).reshape(num_rounds, _DRAWS)
        first = draws[:, 0] % np.uint64(self.num_bots)
        # One number has a digit for each of the other seats. The number whose digits all name the
        # first bot is left out: what comes after it moves down by one.
        place_values = self.num_bots ** np.arange(self.num_players - 1, dtype=np.uint64)
        others = draws[:, 1] % np.uint64(self.num_bots ** (self.num_players - 1) - 1)
        others += others >= first * place_values.sum()
        digits = others[:, None] // place_values % np.uint64(self.num_bots)
        return np.column_stack([first, digits]).astype(np.int8)


def mixed_line_ups(names: Sequence[str], num_players: int, games: int, seed: int) -> LineUps:
    """Return line-ups of mixed tables.

    Args:
        names: The bots, in the order of their names.
        num_players: Seats at a table.
        games: Least number of games to be played.
        seed: Seed of the tournament.

    Raises:
        ValueError: If the games are too few.
    """
    line_ups = LineUps(len(names), num_players, _key(seed, [str(num_players), *names]))
    least = num_players * ceil(LEAST_ROUNDS / chance_to_sit(len(names), num_players))
    if games < least:
        raise ValueError(
            f"games: {games} are too few for {len(names)} bots at tables of {num_players}; at "
            f"least {least} are needed for every bot to play about {LEAST_ROUNDS} deals"
        )
    return line_ups


def chance_to_sit(num_bots: int, num_players: int) -> float:
    """Return the probability that a bot has a seat at a mixed table."""
    only = float(num_bots) ** -num_players
    absent = (1 - 1 / num_bots) ** num_players - (num_bots - 1) * only
    return float(1 - absent / (1 - num_bots * only))


def one_vs_rest_line_ups(
    names: Sequence[str], num_players: int, games: int, seed: int
) -> list[LineUps]:
    """Return line-ups of the first bot, in each seat, against copies of each of the others.

    Args:
        names: The bots.
        num_players: Seats at a table.
        games: Least number of games to be played against each.
        seed: Seed of the tournament.

    Raises:
        ValueError: If the games are too few.
    """
    if games < LEAST_ROUNDS * num_players:
        raise ValueError(
            f"games: {games} are too few; at least {LEAST_ROUNDS * num_players} are needed for the "
            f"first bot to have each of {num_players} seats in {LEAST_ROUNDS} deals"
        )
    return [_alone(names, opponent, num_players, seed) for opponent in range(1, len(names))]


def _alone(names: Sequence[str], opponent: int, num_players: int, seed: int) -> LineUps:
    """Return line-ups of the first bot among copies of one opponent."""
    bots = sorted([0, *[opponent] * (num_players - 1)], key=lambda bot: names[bot])
    ranks = [bots.index(bot) for bot in bots]
    orders = np.unique([np.roll(ranks, shift) for shift in range(num_players)], axis=0)
    key = _key(seed, [names[bot] for bot in bots])
    return LineUps(len(names), num_players, key, np.array(bots, np.int8)[orders])


def _key(seed: int, parts: Sequence[str]) -> int:
    """Derive a key from the seed and what else the line-ups depend on."""
    text = "\0".join([str(seed), *parts])
    return int.from_bytes(sha256(text.encode()).digest()[:8], "little")
