"""Small self-play tables and learners for tests."""

from collections.abc import Sequence

import numpy as np
from torch import nn

from ono99_env import Rules, load_bot
from training.networks.layers import ChosenFeatures
from training.self_play.ppo import SelfPlayPPO
from training.self_play.seat_draw import SeatDraw
from training.self_play.self_play_env import SelfPlayVecEnv
from training.self_play.self_play_tables import SelfPlayTables


def make_tables(
    num_players: Sequence[int] = (2, 3, 4, 5, 6),
    learner: float = 1.0,
    bots: dict[str, float] | None = None,
    num_tables: int = 16,
    seed: int = 0,
    **rules: object,
) -> SelfPlayTables:
    weights = bots or {}
    return SelfPlayTables(
        Rules.preset(**{"name": "2022", "num_players": max(num_players), **rules}),
        [load_bot(name) for name in weights],
        SeatDraw(num_players, learner, list(weights.values())),
        num_tables,
        seed,
    )


def make_learner(tables: SelfPlayTables, **arguments: object) -> SelfPlayPPO:
    settings = {
        "n_steps": 32,
        "batch_size": 256,
        "n_epochs": 2,
        "learning_rate": 1e-3,
        "gamma": 1.0,
        "seed": 0,
        "device": "cpu",
        "policy_kwargs": {
            "net_arch": [32],
            "activation_fn": nn.ReLU,
            "features_extractor_class": ChosenFeatures,
            "features_extractor_kwargs": {"names": ("hand", "headroom", "turn", "unseen")},
        },
    }
    return SelfPlayPPO("MlpPolicy", SelfPlayVecEnv(tables), **{**settings, **arguments})


def random_actions(tables: SelfPlayTables, rng: np.random.Generator) -> np.ndarray:
    return np.where(tables.action_mask, rng.random(tables.action_mask.shape), -1.0).argmax(axis=1)
