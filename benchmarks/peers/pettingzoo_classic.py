"""PettingZoo's own games in the loop of its documentation."""

from pettingzoo.classic import connect_four_v3, leduc_holdem_v4, texas_holdem_v4, tictactoe_v3

from benchmarks.peers.going import Peer, aec_loop
from benchmarks.peers.performance import performance_go


def peers() -> list[Peer]:
    """Return four games through ``env()``, one without wrappers; two in its own benchmark."""
    games = {
        "Leduc Hold'em, env()": leduc_holdem_v4.env,
        "Texas Hold'em, env()": texas_holdem_v4.env,
        "Connect Four, env()": connect_four_v3.env,
        "Tic-Tac-Toe, env()": tictactoe_v3.env,
        "Connect Four, raw_env()": connect_four_v3.raw_env,
    }
    benchmarked = {"Connect Four": connect_four_v3.env, "Tic-Tac-Toe": tictactoe_v3.env}
    return [
        *(
            Peer(f"PettingZoo {name}", aec_loop(make()), "AEC env()")
            for name, make in games.items()
        ),
        *(
            Peer(f"PettingZoo {name}", performance_go(make()), "AEC env(), performance_benchmark")
            for name, make in benchmarked.items()
        ),
    ]
