"""How long a new learner needs to become good: ``python -m benchmarks.learning [CONFIG]``.

Trains the config from several seeds and measures the policy at short intervals, for which the clock
stands still. Printed are the seconds of training until the two-player policy wins 70% against
`random`, until it is at parity with `highest` at two and at four players, and until the 99%
interval is clear of parity there; the median over the seeds is the figure.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import yaml
from stable_baselines3.common.callbacks import BaseCallback

from ono99_env import Bot, Rules, load_bot
from ono99_env.arena import WinRate, one_vs_rest
from ono99_env.bots.policies.onnx_bot import OnnxBot
from training.config.command_line import make_config
from training.config.config import Config
from training.learner.learner import decisions_of_run, make_learner
from training.learner.metadata import describe_bot
from training.networks.bot_file_weights import BotFileMaker
from training.networks.policy_network import PolicyNetwork

GOALS: dict[str, tuple[int, str, Callable[[WinRate], bool]]] = {
    "70% against random, 2 players": (2, "random", lambda rate: rate.win_rate >= 0.7),
    "parity with highest, 2 players": (2, "highest", lambda rate: rate.score >= 1),
    "clear of it, 2 players": (2, "highest", lambda rate: rate.interval[0] > 1 / 2),
    "parity with highest, 4 players": (4, "highest", lambda rate: rate.score >= 1),
    "clear of it, 4 players": (4, "highest", lambda rate: rate.interval[0] > 1 / 4),
}
"""Players, opponent, and whether a win rate is enough."""


class TimeToGoals(BaseCallback):
    """Notes after how many seconds of training each goal is reached, and then stops it.

    Args:
        config: The config of the run.
        decisions_between: Decisions from one measurement to the next.
        games: Games of each measurement.
    """

    def __init__(self, config: Config, decisions_between: int, games: int) -> None:
        super().__init__()
        self.reached: dict[str, tuple[float, int]] = {}
        """Seconds and decisions of each goal that has been reached."""
        self._config = config
        self._decisions_between = decisions_between
        self._games = games
        self._maker: BotFileMaker | None = None
        self._next = decisions_between
        self._seconds = 0.0
        self._resumed = 0.0

    def _on_training_start(self) -> None:
        self._maker = BotFileMaker(PolicyNetwork(self.model.policy))
        self._resumed = time.perf_counter()

    def _on_rollout_start(self) -> None:
        if self.num_timesteps < self._next:
            return
        self._next += self._decisions_between
        self._seconds += time.perf_counter() - self._resumed
        assert self._maker is not None
        about = describe_bot(self._config, self.num_timesteps, self._seconds)
        bot = OnnxBot.from_bytes(self._maker.make(PolicyNetwork(self.model.policy), about), "it")
        for goal in GOALS.keys() - self.reached.keys():
            num_players, opponent, is_reached = GOALS[goal]
            if is_reached(self._measure(bot, num_players, opponent)):
                self.reached[goal] = (self._seconds, self.num_timesteps)
        self._resumed = time.perf_counter()

    def _measure(self, bot: Bot, num_players: int, opponent: str) -> WinRate:
        rules: Rules = self._config.rules_for(num_players)
        return one_vs_rest(
            rules, bot, load_bot(opponent), num_players, self._games, seed=1, confidence=0.99
        )

    def _on_step(self) -> bool:
        return len(self.reached) < len(GOALS)


def main() -> None:
    """Train from each seed and print the seconds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning", description=__doc__)
    parser.add_argument("config", type=Path, nargs="?", default=Path("configs/quickstart.yaml"))
    parser.add_argument("--seeds", type=int, default=3, help="how many, from 0")
    parser.add_argument("--between", type=int, default=100_000, help="decisions between measures")
    parser.add_argument("--games", type=int, default=20_000, help="games of each measurement")
    options = parser.parse_args()
    fields = yaml.safe_load(options.config.read_text())
    runs = []
    for seed in range(options.seeds):
        config = make_config(fields, {"seed": seed}, str(options.config))
        learner, league = make_learner(config)
        watch = TimeToGoals(config, options.between, options.games)
        learner.learn(decisions_of_run(config), callback=[watch, *([league] if league else [])])
        runs.append(watch.reached)
        print(f"seed {seed}: {watch.reached}", flush=True)
    for goal in GOALS:
        missed = (float("inf"), 0)
        seconds = median(reached.get(goal, missed)[0] for reached in runs)
        decisions = median(reached.get(goal, missed)[1] for reached in runs)
        print(f"{goal}: {seconds:.0f} s, {decisions:,.0f} decisions")


if __name__ == "__main__":
    main()
