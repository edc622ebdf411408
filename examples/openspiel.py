"""Solve a small ONO 99 game with OpenSpiel and compute how exploitable bots are in it.

Install the extra with pip install -c constraints.txt -e ".[openspiel]". Then run, from a checkout,

    python examples/openspiel.py configs/rules/mini_2022_small.yaml
    python examples/openspiel.py configs/rules/mini_2022.yaml "runs/mini_2022/bot.onnx?sample"
"""

import sys
from pathlib import Path

from ono99_env import Rules, load_bot
from ono99_env.openspiel import GameTree, TabularBot, solve

MINI = Path(__file__).parent.parent / "configs" / "rules" / "mini_2022_small.yaml"


def main(rules_file: str = str(MINI), *names: str) -> None:
    tree = GameTree(Rules.from_yaml(rules_file))
    print(f"{tree.num_histories:,} histories, {len(tree.decisions):,} information sets")

    for name in names or ("random", "highest", "hoarder", "counter"):
        policy = tree.policy(load_bot(name))
        print(f"{name}: exploitability {tree.exploitability(policy):.4f}")

    equilibrium = solve(tree, target=1e-3)
    print(f"CFR+, {equilibrium.iterations} iterations: {equilibrium.exploitability:.4f}")
    print(f"value of the game for the first player: {equilibrium.values[0]:+.4f}")

    TabularBot.of(tree, equilibrium.policy).save("solved.json")
    print("the solution as a bot: ono99_env.openspiel.tabular:load_tabular:path=solved.json")


if __name__ == "__main__":
    main(*sys.argv[1:])
