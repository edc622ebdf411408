"""How good an exported bot is: the figure that every training test ends with."""

from pathlib import Path

from ono99_env import load_bot
from ono99_env.arena import WinRate, one_vs_rest
from ono99_env.bots.policies.onnx_bot import OnnxBot

GAMES = 4000


def beats_random(path: Path, games: int = GAMES) -> WinRate:
    """Play a bot file against `random`; its 95% interval must be clear of parity.

    Args:
        path: The bot file.
        games: Games for each player count that the file was trained for.

    Returns:
        How it did at the last player count.
    """
    bot, opponent = OnnxBot(path), load_bot("random")
    for players in bot.metadata.num_players:
        rules = bot.metadata.rules.with_players(players)
        outcome = one_vs_rest(rules, bot, opponent, players, games, seed=1)
        low, high = outcome.interval
        print(f"{path.name}: {outcome.win_rate:.1%} [{low:.1%}, {high:.1%}], {players} players")
        assert low > 1 / players
    return outcome
