"""Set-up of the test session: repeatable property tests, and compiled code for all workers."""

import signal

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from ono99_env import Bot, Game, Rules, Views, load_bot, ono99_v0
from ono99_env.bots.search.determinization import determinize
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, rules_array
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv

settings.register_profile(
    "repeatable",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile("repeatable")

# A shell starts programs in the background with Ctrl-C ignored, and they pass that on to others.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the engine before any worker starts: workers then load it, and none waits twice."""
    is_worker = hasattr(config, "workerinput")
    if not (is_worker or config.option.collectonly or numba.config.DISABLE_JIT):
        warm_cache()


class _SlowBot(Bot):
    """A bot that is asked from Python, as bot files are."""

    def __init__(self) -> None:
        self._inner = load_bot("highest")

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """Answer as `highest` does, after looking at everything there is."""
        assert len(views.observation) == len(views.action_mask)
        return self._inner.act(views, rng)


def warm_cache() -> None:
    """Call every compiled function once, with the types that it is always called with."""
    rules = Rules.preset("2022", num_players=2)
    game = Game(rules, seed=1)
    game.play(game.legal_actions()[0])
    Game.from_snapshot(game.snapshot())
    array, games = rules_array(rules), np.zeros(1, STATE)
    batch.deal_games(games, array, np.array([2]), np.array([1], np.uint64))
    masks = np.zeros((1, 17), np.int8)
    batch.fill_action_masks(games, masks)
    batch.step_games(games, array, masks.argmax(axis=1))
    batch.play_randomly(games, array, 1, 1, np.zeros(8, np.int64))
    env = ono99_v0.env(rules=rules, illegal="lose")
    env.reset(seed=1)
    env.observe("player_0"), env.observe("player_1")
    env.step(-1)
    single = Ono99Env(rules)
    single.reset(seed=1)
    single.step(single.action_masks().argmax())
    for options in ("simulations=4", "simulations=4,threads=2"):
        load_bot(f"search:{options}").act(Game(rules, seed=1).views(), np.random.default_rng(0))
    determinize(Game(rules, seed=1).views().states, np.zeros(1, np.uint64))
    Ono99VectorEnv(1, rules, opponents=[_SlowBot()]).reset(seed=1)
