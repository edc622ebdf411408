"""Other libraries beside ours, each in the loop that its own documentation shows.

They are installed in an environment of their own, see ``docs/performance.md``; what is not
installed is left out.
"""

from collections.abc import Callable
from importlib import import_module

from benchmarks.peers.going import Peer, one_core, rate
from benchmarks.peers.ours import PATHS
from benchmarks.timing import Figure, alternate

_LIBRARIES = (
    "pettingzoo_classic",
    "rlcard_uno",
    "openspiel_crazy_eights",
    "pgx_games",
    "pufferlib_triple_triad",
)


def peer_figures(seconds: float, rounds: int, say: Callable[[str], None]) -> list[Figure]:
    """Measure every path of every installed peer beside our path for the same work, on one core.

    Args:
        seconds: Processor time of one run.
        rounds: How many runs of each.
        say: Told what is left out and how to install it, and which peer is faster.
    """
    figures = []
    with one_core():
        for name in _LIBRARIES:
            try:
                peers = import_module(f"benchmarks.peers.{name}").peers()
            except ImportError as error:
                say(
                    f"left out: {name} ({error}); the pip install that brings it is in "
                    "docs/performance.md, under 'Measure it yourself'"
                )
                continue
            figures += compare(peers, seconds, rounds)
    for figure in figures:
        if figure.ratio < 1:
            say(f"faster than ours: {figure.reference}, {1 / figure.ratio:.1f} x {figure.name}")
    return figures


def compare(peers: list[Peer], seconds: float, rounds: int) -> list[Figure]:
    """Measure peers and the paths of ours that they are compared with, all in turn."""
    matches = {peer.match: PATHS[peer.match]() for peer in peers}
    goes = [*matches.values(), *(peer.go for peer in peers)]
    rates = alternate([lambda go=go: rate(go, seconds) for go in goes], rounds)
    ours = dict(zip(matches, rates, strict=False))
    return [
        Figure(peer.match, ours[peer.match], "decisions/s", peer.name, its)
        for peer, its in zip(peers, rates[len(matches) :], strict=True)
    ]
