"""PettingZoo's own games in the loop of its documentation."""

from pettingzoo.classic import connect_four_v3, leduc_holdem_v4, texas_holdem_v4, tictactoe_v3

from benchmarks.peers.going import Peer, aec_loop


def peers() -> list[Peer]:
    """Four games through ``env()``, and one without its wrappers."""
    games = {
        "Leduc Hold'em, env()": leduc_holdem_v4.env,
        "Texas Hold'em, env()": texas_holdem_v4.env,
        "Connect Four, env()": connect_four_v3.env,
        "Tic-Tac-Toe, env()": tictactoe_v3.env,
        "Connect Four, raw_env()": connect_four_v3.raw_env,
    }
    return [
        Peer(f"PettingZoo {name}", aec_loop(make()), "AEC env()") for name, make in games.items()
    ]
