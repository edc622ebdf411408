"""Who sits where: the tables of a tournament.

A *round* is one table and one deal. The table is played once in each rotation of its seats, with
the same cards, so that each of its bots has had every seat. In **mixed** tables the bot in each
seat is drawn uniformly and independently from those that take part; a table where one bot holds all
seats decides nothing and is drawn again. Every round draws its own table, so rounds are independent
and alike, and carry all the luck there is: that of the company as well as that of the cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil

import numpy as np
from numpy.typing import NDArray

LEAST_ROUNDS = 30
"""An interval is computed over the rounds in which a bot sits, and needs some."""

_DRAWS = 4
"""Numbers that one step of Philox gives; a round has a step of its own."""


@dataclass(frozen=True)
class LineUps:
    """Who sits where in each round."""

    num_bots: int
    """Bots of the tournament; a seat's holder is an index into them."""
    num_players: int
    """Seats at a table."""
    key: int
    """Start of the randomness of tables and deals, from 0 to 2**64 - 1."""
    table: NDArray[np.int8] | None = None
    """The bot in each seat, in each game of a round, where that is always the same; shape
    (games, seats). None: drawn for each round."""

    def arrange(self, first_round: int, num_rounds: int) -> NDArray[np.int8]:
        """Seat the bots; a round's table depends on the key and its number alone.

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
        """Draw the bot in each seat but for tables of one bot alone; shape (rounds, seats)."""
        random = np.random.Philox(key=self.key, counter=first_round)
        draws = random.random_raw(num_rounds * _DRAWS).reshape(num_rounds, _DRAWS)
        first = draws[:, 0] % np.uint64(self.num_bots)
        # The other seats are one number, with a digit for each; the one that repeats the first bot
        # in all seats is left out.
        place_values = self.num_bots ** np.arange(self.num_players - 1, dtype=np.uint64)
        others = draws[:, 1] % np.uint64(self.num_bots ** (self.num_players - 1) - 1)
        others += others >= first * place_values.sum()
        digits = others[:, None] // place_values % np.uint64(self.num_bots)
        return np.column_stack([first, digits]).astype(np.int8)


def mixed_line_ups(names: Sequence[str], num_players: int, games: int, seed: int) -> LineUps:
    """Mixed tables.

    Args:
        names: The bots, in the order of their names.
        num_players: Seats at a table.
        games: How many games will be played, at least.
        seed: Start of the randomness.

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
    """The probability that a bot has a seat at a mixed table."""
    only = float(num_bots) ** -num_players
    absent = (1 - 1 / num_bots) ** num_players - (num_bots - 1) * only
    return float(1 - absent / (1 - num_bots * only))


def one_vs_rest_line_ups(
    names: Sequence[str], num_players: int, games: int, seed: int
) -> list[LineUps]:
    """The first bot in each seat, against copies of each of the others in turn.

    Args:
        names: The bots.
        num_players: Seats at a table.
        games: How many games will be played against each, at least.
        seed: Start of the randomness.

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
    """The first bot among copies of an opponent."""
    bots = sorted([0, *[opponent] * (num_players - 1)], key=lambda bot: names[bot])
    ranks = [bots.index(bot) for bot in bots]
    orders = np.unique([np.roll(ranks, shift) for shift in range(num_players)], axis=0)
    key = _key(seed, [names[bot] for bot in bots])
    return LineUps(len(names), num_players, key, np.array(bots, np.int8)[orders])


def _key(seed: int, words: Sequence[str]) -> int:
    """Start of the randomness that belongs to some words and a seed."""
    text = "\0".join([str(seed), *words])
    return int.from_bytes(sha256(text.encode()).digest()[:8], "little")
