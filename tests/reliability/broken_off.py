"""A program that plays with compiled calls broken off after a number of plays; prints all it saw.

Usage: ``NUMBA_DISABLE_JIT=1 python -m tests.reliability.broken_off MOST_CALL_PLAYS``. It must not
be compiled, since compiled code would have the number in it.
"""

import hashlib
import sys
from collections.abc import Iterator

import numpy as np

from ono99_env import Rules, Views, load_bot
from ono99_env.bots.base import Bot
from ono99_env.jit import threads
from ono99_env.tables import LEARNER, LEARNER_TO_ACT, Episodes, Tables, episode_loop, table_loop

RULES = Rules.preset("1980", num_players=4, chips=0)
OPPONENTS = ["highest", "counter", "random"]


class LowestByHand(Bot):
    """A bot that is not compiled."""

    name = "lowest by hand"

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """Return the legal action with the lowest id."""
        return views.action_mask.argmax(axis=1)


def play_vector(num_threads: int, compact: bool) -> Iterator[bytes]:
    """Step many tables, dealt anew within the step."""
    arguments = {"seed": 3, "num_threads": num_threads, "compact": compact}
    episodes = Episodes(RULES, 12, OPPONENTS, num_players=[2, 4, 7], **arguments)
    yield seen(episodes)
    for _ in range(25):
        done, rows = episodes.step_and_reset(episodes.action_mask.argmax(axis=1))
        order = np.argsort(done)  # the order of the tables is nobody's promise
        yield done[order].tobytes() + episodes.final_observation[rows[order]].tobytes()
        yield seen(episodes)


def play_with_python_bots() -> Iterator[bytes]:
    """Step many tables, dealt anew by calls of their own, with a bot that is asked from Python."""
    episodes = Episodes(RULES, 6, [*map(load_bot, OPPONENTS), LowestByHand()], seed=4)
    for _ in range(25):
        done, rows = episodes.step_and_reset(episodes.action_mask.argmax(axis=1))
        yield done.tobytes() + episodes.final_observation[rows].tobytes() + seen(episodes)


def play_alone() -> Iterator[bytes]:
    """Step one table."""
    episodes = Episodes(RULES, 1, OPPONENTS, seed=5)
    for _ in range(60):
        is_over = episodes.step_alone(int(episodes.action_mask[0].argmax()))
        yield seen(episodes)
        if is_over:
            episodes.reset()


def play_tables() -> Iterator[bytes]:
    """Play whole games, with a learner or without."""
    bots = [*map(load_bot, OPPONENTS), LowestByHand()]
    tables, every = Tables(RULES, bots, 8, seed=6), np.arange(8)
    holders = (np.arange(64).reshape(8, 8) * 5 + np.arange(8)) % 5 - 1
    tables.deal(every, np.full(8, 4), every, holders)
    while (waiting := np.flatnonzero(tables.status == LEARNER_TO_ACT)).size:
        seats = tables.games["current_player"][waiting].astype(int)
        tables.act(waiting, tables.views(waiting, seats).action_mask.argmax(axis=1))
        yield tables.games.tobytes() + tables.rosters.tobytes()
    assert (tables.holders >= LEARNER).all()


def seen(episodes: Episodes) -> bytes:
    """Return everything that episodes are and show."""
    arrays = (episodes.tables.games, episodes.tables.rosters, episodes.episodes)
    shown = (episodes.observation, episodes.action_mask)
    return b"".join(array.tobytes() for array in (*arrays, *shown))


def main() -> None:
    """Print a digest of each way to play."""
    for module in (table_loop, episode_loop):
        module.MOST_CALL_PLAYS = int(sys.argv[1])
    threads.LEAST_SHARE = 2
    ways = {
        "vector": play_vector(1, compact=False),
        "vector compact": play_vector(1, compact=True),
        "vector on two threads": play_vector(2, compact=False),
        "python bots": play_with_python_bots(),
        "alone": play_alone(),
        "tables": play_tables(),
    }
    for name, way in ways.items():
        content = list(way)
        print(name, len(content), hashlib.sha256(b"".join(content)).hexdigest())


if __name__ == "__main__":
    main()
