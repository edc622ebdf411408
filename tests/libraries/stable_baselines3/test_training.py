"""Stable-Baselines3 as installed trains bots, with masks and without."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor
from torch import nn

from ono99_env import Game, Rules, load_bot
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.torch_export import export_policy
from ono99_env.envs.sb3 import Ono99VecEnv
from ono99_env.envs.single import Ono99Env
from tests.libraries.measuring import beats_random

ROOT = Path(__file__).parents[3]
RULES = Rules.preset("2022", num_players=2)
METADATA = BotMetadata(rules=RULES, num_players=[2])
SMALL = {"n_steps": 32, "batch_size": 256, "n_epochs": 4, "seed": 1, "device": "cpu"}


def venv(**arguments: Any) -> Ono99VecEnv:
    return Ono99VecEnv(RULES, **{"num_envs": 64, "opponents": ["random"], **arguments})


def single() -> Ono99Env:
    return Ono99Env(RULES, opponents=["random"])


def test_the_example_trains_a_bot_that_beats_random(tmp_path: Path) -> None:
    path = tmp_path / "bot.onnx"
    command = [sys.executable, str(ROOT / "examples" / "train_with_sb3.py"), str(path)]
    subprocess.run(command, check=True, timeout=600)
    assert beats_random(path).win_rate > 0.6


def test_its_own_callback_evaluates_and_keeps_the_best(tmp_path: Path) -> None:
    callback = MaskableEvalCallback(
        VecMonitor(venv(seed=2)),
        eval_freq=64,
        n_eval_episodes=200,
        best_model_save_path=str(tmp_path),
        log_path=str(tmp_path),
        verbose=0,
    )
    model = MaskablePPO("MlpPolicy", VecMonitor(venv(seed=1)), **SMALL)
    model.learn(64 * 32 * 8, callback=callback)
    evaluations = np.load(tmp_path / "evaluations.npz")
    assert evaluations["results"].shape == (4, 200)
    assert set(np.unique(evaluations["results"])) == {-1.0, 1.0}
    best = MaskablePPO.load(tmp_path / "best_model", device="cpu")
    mean_return, _ = evaluate_policy(best, venv(seed=3), n_eval_episodes=1000)
    assert mean_return > 0.05


def test_a_model_goes_on_as_it_was_saved(tmp_path: Path) -> None:
    model = MaskablePPO("MlpPolicy", venv(seed=4), **SMALL).learn(64 * 32)
    model.save(tmp_path / "model")
    loaded = MaskablePPO.load(tmp_path / "model", env=venv(seed=5), device="cpu")
    envs = venv(seed=6)
    observations = envs.reset()
    masks = envs.action_masks()
    chosen = [
        each.predict(observations, action_masks=masks, deterministic=True)[0]
        for each in (model, loaded)
    ]
    assert np.array_equal(*chosen)
    assert masks[np.arange(len(masks)), chosen[0]].all()
    assert loaded.learn(64 * 32, reset_num_timesteps=False).num_timesteps == 2 * 64 * 32
    bot = load_bot(f"sb3:{tmp_path / 'model.zip'}")
    views = Game(RULES, seed=1).views()
    assert views.action_mask[0, bot.act(views, np.random.default_rng(0))[0]]


@pytest.mark.parametrize("vectorizer", [DummyVecEnv, SubprocVecEnv])
def test_vectors_of_the_gymnasium_environment_train_too(tmp_path: Path, vectorizer: Any) -> None:
    envs = vectorizer([single] * 4)
    try:
        options = {**SMALL, "n_steps": 256}
        model = MaskablePPO("MlpPolicy", VecMonitor(envs), **options).learn(8_192)
    finally:
        envs.close()
    assert {np.sign(episode["r"]) for episode in model.ep_info_buffer} == {-1, 1}
    export_actor(model, tmp_path / "bot.onnx")
    beats_random(tmp_path / "bot.onnx")


def test_ppo_without_masks_learns_what_is_legal(tmp_path: Path) -> None:
    envs = VecMonitor(venv(illegal="lose", num_envs=128))
    # Every illegal action and every lost game costs 1; the discount makes later cost less.
    options = {**SMALL, "n_steps": 16, "batch_size": 512, "gamma": 0.8, "learning_rate": 1e-3}
    model = PPO("MlpPolicy", envs, **options).learn(400_000)
    wins = np.mean([episode["r"] > 0 for episode in model.ep_info_buffer])
    assert wins > 0.2  # without a single illegal action
    export_actor(model, tmp_path / "bot.onnx")
    beats_random(tmp_path / "bot.onnx")


def test_dqn_without_masks_learns_what_is_legal(tmp_path: Path) -> None:
    model = DQN(
        "MlpPolicy",
        VecMonitor(venv(illegal="lose", num_envs=32)),
        learning_starts=5_000,
        train_freq=1,
        gradient_steps=2,
        gamma=0.8,  # as with PPO above: every illegal action and every lost game costs 1
        batch_size=128,
        exploration_fraction=0.5,
        target_update_interval=500,
        learning_rate=5e-4,
        seed=1,
        device="cpu",
    )
    model.learn(100_000)
    # Its strength differs between processors, so what it has learned is asked for.
    assert share_of_legal_actions(model) > 0.95
    export_policy(model.q_net.q_net, tmp_path / "bot.onnx", METADATA)
    assert load_bot(tmp_path / "bot.onnx").act(Game(RULES).views(), np.random.default_rng(0)) >= 0


def share_of_legal_actions(model: Any, steps: int = 60) -> float:
    """Return how often a model that is given no mask chooses a legal action."""
    envs = venv(seed=5)
    observations, are_legal = envs.reset(), []
    for _ in range(steps):
        masks = envs.action_masks()
        actions, _ = model.predict(observations, deterministic=True)
        is_legal = masks[np.arange(len(masks)), actions] > 0
        are_legal.append(is_legal)
        observations, *_ = envs.step(np.where(is_legal, actions, masks.argmax(axis=1)))
    return float(np.mean(are_legal))


def export_actor(model: Any, path: Path) -> None:
    policy = model.policy
    export_policy(nn.Sequential(policy.mlp_extractor.policy_net, policy.action_net), path, METADATA)
