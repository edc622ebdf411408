"""Every kind of policy of Stable-Baselines3 is exported exactly, or refused by name."""

import numpy as np
import pytest
import torch
from gymnasium.spaces import Box
from sb3_contrib import QRDQN, MaskablePPO, RecurrentPPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.vec_env import VecNormalize
from torch import nn

from ono99_env import Rules, load_bot
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.normalization import Normalization
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.bots.policies.real_positions import real_positions
from ono99_env.envs.sb3 import Ono99VecEnv
from training.export import main
from training.networks.policy_network import export_bot

pytestmark = pytest.mark.slow
RULES = Rules.preset("2022", num_players=2)
METADATA = BotMetadata(rules=RULES, num_players=[2, 4])
SMALL = {"net_arch": [8]}


def envs() -> Ono99VecEnv:
    return Ono99VecEnv(RULES, num_envs=4, opponents=["highest"], illegal="lose")


def model_of(algorithm, policy="MlpPolicy", env=None, policy_kwargs=None, **options):
    kwargs = SMALL if policy_kwargs is None else policy_kwargs
    model = algorithm(policy, env or envs(), policy_kwargs=kwargs, seed=0, device="cpu", **options)
    with torch.no_grad():
        for weights in model.policy.parameters():
            weights.mul_(3)  # far from uniform, so that actions differ
    return model


class Colder(MaskableActorCriticPolicy):
    """A policy that is more than its networks: it halves the logits of the highest cards."""

    def _get_action_dist_from_latent(self, latent_pi):
        logits = self.action_net(latent_pi)
        scale = torch.ones(17)
        scale[8:] = -0.5
        return self.action_dist.proba_distribution(action_logits=logits * scale)


class OnlyPredicts(MaskableActorCriticPolicy):
    """A policy whose predictions are not those of its distribution."""

    def _predict(self, observation, deterministic=False, action_masks=None):
        return torch.as_tensor(np.asarray(action_masks, np.int64)).argmax(dim=1)


class Renamed(MaskableActorCriticPolicy):
    """A policy class of a user's own that changes nothing."""


@pytest.mark.parametrize("algorithm", [MaskablePPO, PPO, A2C, DQN, QRDQN])
def test_a_file_takes_the_actions_that_the_policy_predicts(tmp_path, algorithm):
    options = {"buffer_size": 10} if algorithm in (DQN, QRDQN) else {"n_steps": 4}
    model = model_of(algorithm, **options)
    export_bot(model, tmp_path / "bot.onnx", METADATA)
    observation, mask = real_positions(METADATA, seed=5)
    logits, _ = OnnxBot(tmp_path / "bot.onnx").evaluate(observation, mask)
    masks = {"action_masks": mask} if algorithm is MaskablePPO else {}
    wanted, _ = model.predict(observation, deterministic=True, **masks)
    is_legal = mask[np.arange(len(mask)), wanted]
    assert (logits.argmax(axis=1) == wanted)[is_legal].all()
    assert is_legal.any()


@pytest.mark.parametrize(
    "policy_kwargs",
    [
        {"net_arch": {"pi": [8], "vf": [4]}, "share_features_extractor": False},
        {"net_arch": [], "activation_fn": nn.GELU},
        {"net_arch": [8, 8], "activation_fn": nn.SiLU, "ortho_init": False},
    ],
)
def test_networks_of_a_users_own_shape_are_exact(tmp_path, policy_kwargs):
    export_bot(
        model_of(MaskablePPO, policy_kwargs=policy_kwargs, n_steps=4), tmp_path / "a.onnx", METADATA
    )
    OnnxBot(tmp_path / "a.onnx")


@pytest.mark.parametrize("policy", [Colder, OnlyPredicts])
def test_a_policy_that_is_more_than_its_networks_is_refused(tmp_path, policy):
    model = model_of(MaskablePPO, policy, n_steps=4)
    with pytest.raises(RuntimeError, match=r"differ from the policy's|takes other actions than"):
        export_bot(model, tmp_path / "bot.onnx", METADATA)
    assert not list(tmp_path.iterdir())


def test_a_recurrent_policy_is_refused_by_name(tmp_path):
    model = model_of(RecurrentPPO, "MlpLstmPolicy", n_steps=4)
    with pytest.raises(ValueError, match="RecurrentActorCriticPolicy is a recurrent model"):
        export_bot(model, tmp_path / "bot.onnx", METADATA)


def normalized(**options) -> tuple[MaskablePPO, VecNormalize]:
    """A model that has learned behind `VecNormalize`."""
    env = VecNormalize(envs(), gamma=1.0, **options)
    model = model_of(MaskablePPO, env=env, n_steps=64, batch_size=64)
    model.learn(512)
    return model, env


@pytest.mark.parametrize(
    "options", [{}, {"clip_obs": 0.5}, {"norm_obs": False}, {"norm_reward": False}]
)
def test_statistics_of_vecnormalize_are_part_of_the_file(tmp_path, options):
    model, env = normalized(**options)
    export_bot(model, tmp_path / "bot.onnx", METADATA)
    observation, mask = real_positions(METADATA, seed=6)
    logits, values = OnnxBot(tmp_path / "bot.onnx").evaluate(observation, mask)
    seen = env.normalize_obs(observation)
    model.policy.set_training_mode(False)
    with torch.no_grad():
        tensor = torch.as_tensor(seen)
        wanted = model.policy.get_distribution(tensor, mask).distribution.logits.numpy()
        wanted_values = model.policy.predict_values(tensor)[:, 0].numpy()
    if options.get("norm_reward", True):
        wanted_values = wanted_values * np.sqrt(env.ret_rms.var + env.epsilon)
    np.testing.assert_allclose(values, wanted_values, rtol=1e-5, atol=1e-5)
    exact = np.where(mask, logits, -np.inf).astype(np.float64)
    largest = exact.max(axis=1, keepdims=True)
    exact -= largest + np.log(np.exp(exact - largest).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(exact[mask], wanted[mask], rtol=1e-5, atol=1e-5)


def test_statistics_are_read_from_the_file_that_is_named(tmp_path, capsys):
    model, env = normalized()
    model.save(tmp_path / "model.zip")
    env.save(str(tmp_path / "statistics.pkl"))
    words = [str(tmp_path / "model.zip"), str(tmp_path / "bot.onnx"), "--players", "2"]
    assert main([*words, "--vecnormalize", str(tmp_path / "statistics.pkl")]) == 0
    exported = load_bot(str(tmp_path / "bot.onnx"))
    saved = load_bot(f"sb3:{tmp_path / 'model.zip'}:vecnormalize={tmp_path / 'statistics.pkl'}")
    without = load_bot(f"sb3:{tmp_path / 'model.zip'}")
    *_, views = positions_of_two()
    rng = np.random.default_rng(0)
    assert (exported.act(views, rng) == saved.act(views, rng)).all()
    assert (without.act(views, rng) != saved.act(views, rng)).any()
    assert main([*words, "--overwrite", "--vecnormalize", str(tmp_path / "model.zip")]) == 2
    assert "--vecnormalize: " in capsys.readouterr().err


def positions_of_two():
    from tests.bots.positions import positions

    return positions(RULES, num_games=200, most_steps=5, seed=2)


@pytest.mark.parametrize("limit", [10.0, np.inf])
def test_other_bounds_of_observations_are_refused(tmp_path, limit):
    model = model_of(MaskablePPO, n_steps=4)
    model.policy.observation_space = Box(-limit, limit, (466,), np.float32)
    model.observation_space = model.policy.observation_space
    model.save(tmp_path / "model.zip")
    with pytest.raises(ValueError, match=r"trained on observations from -.*VecNormalize"):
        export_bot(model, tmp_path / "bot.onnx", METADATA)
    with pytest.raises(ValueError, match=r"trained on observations from -.*VecNormalize"):
        load_bot(f"sb3:{tmp_path / 'model.zip'}")


def test_a_policy_class_of_a_users_own_is_the_algorithm_that_it_is_for(tmp_path):
    model = model_of(MaskablePPO, Renamed, n_steps=4)
    model.save(tmp_path / "model.zip")
    bot = load_bot(f"sb3:{tmp_path / 'model.zip'}")
    assert isinstance(bot._policy, Renamed)
    *_, views = positions_of_two()
    wanted, _ = model.predict(views.observation, action_masks=views.action_mask, deterministic=True)
    assert (bot.act(views, np.random.default_rng(0)) == wanted).all()
    assert main([str(tmp_path / "model.zip"), "--players", "2"]) == 0
    assert OnnxBot(tmp_path / "model.onnx").act(views, np.random.default_rng(0)).tolist() == (
        wanted.tolist()
    )


def test_statistics_of_another_observation_are_refused():
    with pytest.raises(ValueError, match="statistics are of observations of the shapes"):
        Normalization(np.zeros(3), np.ones(3), 10.0)
