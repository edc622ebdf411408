"""One table at a time, every seat played from Python: the AEC environment beside `Game`."""

from benchmarks.peers.going import rate
from benchmarks.peers.ours import aec_env, game_object
from benchmarks.timing import Figure, alternate

_SECONDS = 0.5
"""Processor time of a run."""


def one_table_figures(rounds: int) -> list[Figure]:
    """Measure the AEC environment, which observes, beside `Game`, which does not."""
    goes = [aec_env(), game_object()]
    aec, game = alternate([lambda go=go: rate(go, _SECONDS) for go in goes], rounds)
    return [
        Figure("AEC env, 4 players", aec, "decisions/s", "Game", game),
        Figure("Game, 4 players", game, "decisions/s", "AEC env", aec),
    ]
