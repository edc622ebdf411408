"""An exported bot computes what the policy does, and only a good file takes the final name."""

import logging
import warnings

import numpy as np
import onnx
import pytest
import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from torch import nn

from ono99_env import Rules
from ono99_env.bots.policies import torch_export
from ono99_env.bots.policies.bot_file import BotMetadata, read_metadata
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.envs.sb3 import Ono99VecEnv
from ono99_env.observation import OBSERVATION_SIZE
from tests.bots.positions import positions
from training.learner.networks import ChosenFeatures
from training.learner.policy_network import export_bot

RULES = Rules.preset("2022", num_players=2)
METADATA = BotMetadata(rules=RULES, num_players=[2, 4], training={"seed": 1})
OBSERVATIONS = 10_000

POLICIES = {
    "plain": {},
    "separate networks": {
        "net_arch": {"pi": [48], "vf": [32, 16]},
        "activation_fn": nn.ReLU,
        "share_features_extractor": False,
    },
    "chosen features": {
        "net_arch": [96, 64],
        "features_extractor_class": ChosenFeatures,
        "features_extractor_kwargs": {"names": ["hand", "legal", "headroom", "unseen"]},
    },
}


def learner(**policy_kwargs: object) -> MaskablePPO:
    """A policy after one update, far from uniform so that its actions differ."""
    envs = Ono99VecEnv(RULES, num_envs=16, opponents=["highest"])
    settings = {"n_steps": 8, "batch_size": 128, "n_epochs": 1, "seed": 0, "device": "cpu"}
    result = MaskablePPO("MlpPolicy", envs, policy_kwargs=policy_kwargs, **settings)
    result.learn(128)
    with torch.no_grad():
        result.policy.action_net.weight *= 50
    return result


@pytest.fixture(scope="module")
def policy():
    return learner(net_arch=[8]).policy


@pytest.fixture(scope="module")
def real_views() -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of games of two and four players, from their start to their end."""
    batches = [
        views
        for count in (2, 4)
        for views in positions(RULES.with_players(count), num_games=400, most_steps=60, seed=count)
    ]
    observations = np.concatenate([views.observation for views in batches])
    masks = np.concatenate([views.action_mask for views in batches])
    chosen = np.random.default_rng(0).permutation(len(observations))[:OBSERVATIONS]
    assert len(chosen) == OBSERVATIONS
    return observations[chosen], masks[chosen]


@pytest.mark.slow
@pytest.mark.parametrize("kind", POLICIES)
def test_a_file_computes_what_the_policy_does(tmp_path, real_views, kind):
    policy = learner(**POLICIES[kind]).policy
    export_bot(policy, tmp_path / "bot.onnx", METADATA)
    observations, masks = real_views
    logits, values = OnnxBot(tmp_path / "bot.onnx").evaluate(observations, masks)

    policy.set_training_mode(False)
    batch = torch.from_numpy(observations)
    with torch.no_grad():
        wanted_values = policy.predict_values(batch)[:, 0].numpy()
        distribution = policy.get_distribution(batch)
        wanted_logits = distribution.distribution.logits.numpy()
        wanted_actions = policy.get_distribution(batch, masks).mode().numpy()
    # torch normalises logits; a policy is the same whatever is added to all of them.
    logits = logits.astype(np.float64)
    shift = (wanted_logits - logits)[masks][masks.sum(axis=1).cumsum() - 1]
    difference = (logits + shift[:, None] - wanted_logits)[masks]
    assert np.abs(difference).max() < 1e-5
    assert np.abs(shift).max() > 0.01
    assert np.abs(values - wanted_values).max() < 1e-5
    assert (logits.argmax(axis=1) == wanted_actions).all()
    assert len(np.unique(wanted_actions)) > 8
    assert (logits[~masks] == np.finfo(np.float32).min).all()


@pytest.mark.slow
def test_export_writes_one_quiet_file_without_traces_of_the_machine(tmp_path, policy, capfd):
    path = tmp_path / "bot.onnx"
    level = logging.getLogger("torch.onnx").level
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        export_bot(policy, path, METADATA)
    assert not caught
    assert capfd.readouterr() == ("", "")
    assert logging.getLogger("torch.onnx").level == level
    assert [file.name for file in tmp_path.iterdir()] == ["bot.onnx"]
    assert read_metadata(path) == METADATA
    content = path.read_bytes()
    for trace in (b"stack_trace", b"/export.py", b'File "'):
        assert trace not in content
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert [(entry.domain, entry.version) for entry in model.opset_import] == [("", 18)]
    parameters = sum(weights.numel() for weights in policy.parameters())
    assert len(content) < 4 * parameters + 8000


@pytest.mark.slow
def test_export_leaves_the_policy_as_it_was(tmp_path, policy):
    policy.set_training_mode(True)
    before = {name: weights.clone() for name, weights in policy.state_dict().items()}
    export_bot(policy, tmp_path / "bot.onnx", METADATA)
    assert policy.training
    assert all(weights.requires_grad for weights in policy.parameters())
    for name, weights in policy.state_dict().items():
        assert torch.equal(weights, before[name])


@pytest.mark.slow
def test_a_file_that_differs_from_the_policy_is_not_written(tmp_path, policy, monkeypatch):
    path = tmp_path / "bot.onnx"
    path.write_bytes(b"older")
    monkeypatch.setattr(torch_export, "TOLERANCE", -1.0)
    with pytest.raises(RuntimeError, match="exported logits differ from the policy's by"):
        export_bot(policy, path, METADATA)
    assert path.read_bytes() == b"older"
    assert [file.name for file in tmp_path.iterdir()] == ["bot.onnx"]


def test_a_policy_that_diverged_is_not_written(tmp_path):
    policy = learner(net_arch=[8]).policy
    with torch.no_grad():
        policy.value_net.bias[0] = float("nan")
    with pytest.raises(ValueError, match=r"value_net\.bias holds numbers that are not finite"):
        export_bot(policy, tmp_path / "bot.onnx", METADATA)
    assert not list(tmp_path.iterdir())


def test_a_policy_of_another_game_is_refused(tmp_path, policy, monkeypatch):
    monkeypatch.setattr(policy, "observation_space", Box(-1, 1, (OBSERVATION_SIZE + 1,)))
    with pytest.raises(ValueError, match="reads observations of shape"):
        export_bot(policy, tmp_path / "bot.onnx", METADATA)


def test_a_bot_file_is_called_onnx(tmp_path, policy):
    with pytest.raises(ValueError, match=r"ends in \.onnx, and 'bot\.zip' does not"):
        export_bot(policy, tmp_path / "bot.zip", METADATA)
