"""What serves strength: ``python -m benchmarks.ablation`` trains variants of a config.

Every variant trains on the same number of decisions from the same seed; printed are the seconds it
took and the win rates of its bot against `highest` with 95% intervals, as rows of a Markdown table.
"""

import argparse
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from ono99_env import load_bot
from ono99_env.arena import one_vs_rest
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.observation import FEATURES
from training.config.command_line import make_config
from training.learner.learner import decisions_of_run, make_learner
from training.learner.metadata import describe_bot
from training.learner.number_format import measure_formats, settle_number_format
from training.networks.bot_file_weights import BotFileMaker
from training.networks.policy_network import PolicyNetwork

_BASE = ("hand", "legal", "total", "headroom", "turn", "direction", "num_players", "players_left")

VARIANTS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "without `unseen`": {"features": [*_BASE]},
    "`discarded` and `pile_sizes` too": {"features": [*_BASE, "unseen", "discarded", "pile_sizes"]},
    "`seats` too": {"features": [*_BASE, "unseen", "seats"]},
    "`recent_plays` too": {"features": [*_BASE, "unseen", "recent_plays"]},
    "all features": {"features": list(FEATURES)},
    "without `headroom`": {"features": [*(name for name in _BASE if name != "headroom"), "unseen"]},
    "without `legal`": {"features": [*(name for name in _BASE if name != "legal"), "unseen"]},
    "nets 64-64": {"net_arch": [64, 64]},
    "nets 128-128": {"net_arch": [128, 128]},
    "nets 512-256": {"net_arch": [512, 256]},
    "nets 256": {"net_arch": [256]},
    "float32": {"number_format": "float32"},
    "2 epochs": {"ppo": {"n_epochs": 2}},
    "5 epochs": {"ppo": {"n_epochs": 5}},
    "lambda 0.95": {"ppo": {"gae_lambda": 0.95}},
    "learning rate 2e-3": {"ppo": {"learning_rate": 2e-3}},
    "entropy bonus 0.01": {"ppo": {"ent_coef": 0.01}},
    "no snapshots, no bots": {"self_play": {"snapshots": 0.0, "bots": {"highest": 0.0}}},
}
"""What differs from the config in each variant."""


def train_and_measure(
    fields: Mapping[str, Any], overrides: Mapping[str, Any], games: int
) -> tuple[float, list[str]]:
    """Train a variant.

    Returns:
        The seconds it took, and a cell of the table for two and for four players.
    """
    config = make_config(fields, overrides, "a variant")
    config, _ = settle_number_format(config, measure_formats)
    learner, league = make_learner(config)
    start = time.perf_counter()
    learner.learn(decisions_of_run(config), callback=league)
    seconds = time.perf_counter() - start
    network = PolicyNetwork(learner.policy)
    about = describe_bot(config, learner.num_timesteps, seconds)
    bot = OnnxBot.from_bytes(BotFileMaker(network).make(network, about), "variant")
    cells = []
    for num_players in (2, 4):
        rules = config.rules_for(num_players)
        rate = one_vs_rest(rules, bot, load_bot("highest"), num_players, games, seed=1)
        low, high = rate.interval
        cells.append(f"{100 * rate.win_rate:.1f} ({100 * low:.1f} to {100 * high:.1f})")
    return seconds, cells


def main() -> None:
    """Train all variants and print a row for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("config", type=Path, nargs="?", default=Path("configs/2022.yaml"))
    parser.add_argument("--decisions", type=int, default=3_000_000, help="decisions of each")
    parser.add_argument("--games", type=int, default=100_000, help="games of each win rate")
    parser.add_argument(
        "--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS), help="which to train"
    )
    options = parser.parse_args()
    fields = {
        **yaml.safe_load(options.config.read_text()),
        **{"num_players": [2, 4], "total_decisions": options.decisions},
    }
    print("| change | seconds | 2 players | 4 players |\n| --- | --- | --- | --- |", flush=True)
    for name in options.variants:
        overrides = VARIANTS[name]
        merged = {
            key: {**fields[key], **value} if isinstance(value, Mapping) else value
            for key, value in overrides.items()
        }
        seconds, cells = train_and_measure({**fields, **merged}, {}, options.games)
        print(f"| {name} | {seconds:.0f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
