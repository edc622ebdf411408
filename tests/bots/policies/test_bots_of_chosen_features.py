"""A bot that was trained on chosen features plays at any table, from what its file says."""

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecNormalize
from torch import nn

from ono99_env import Rules, load_bot
from ono99_env.arena import one_vs_rest
from ono99_env.bots.policies.bot_file import BotMetadata, read_metadata
from ono99_env.bots.policies.torch_export import export_policy
from ono99_env.envs.sb3 import Ono99VecEnv
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.messages.errors import BotFileError
from ono99_env.observation import resolve_features
from tests.bots.positions import positions
from training.export import main as export
from training.networks.policy_network import export_bot

RULES = Rules.preset("2022", num_players=3)
FEATURES = resolve_features(["core", "seats"])
METADATA = BotMetadata(rules=RULES, num_players=[3], features=FEATURES)
SETTINGS = {"n_steps": 8, "batch_size": 64, "n_epochs": 1, "seed": 0, "device": "cpu"}


def trained(envs):
    """A model after one update, far from uniform so that its actions differ."""
    model = MaskablePPO("MlpPolicy", envs, policy_kwargs={"net_arch": [32]}, **SETTINGS)
    model.learn(64)
    with torch.no_grad():
        model.policy.action_net.weight *= 50
    return model


@pytest.fixture(scope="module")
def model():
    return trained(Ono99VecEnv(RULES, num_envs=8, features=FEATURES))


@pytest.fixture(scope="module")
def bot_path(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("chosen") / "bot.onnx"
    export_bot(model, path, METADATA)
    return path


def decisions_of(model, views, see=lambda observation: observation):
    observation = see(views.observation_of(FEATURES))
    chosen, _ = model.predict(observation, deterministic=True, action_masks=views.action_mask)
    return chosen


def test_train_export_load_gives_the_same_decisions(model, bot_path):
    bot = load_bot(str(bot_path))
    count = 0
    for views in positions(RULES, num_games=60, most_steps=40, seed=5):
        actions = bot.act(views, np.random.default_rng(0))
        np.testing.assert_array_equal(actions, decisions_of(model, views))
        count += len(actions)
    assert count > 1000


def test_the_file_says_what_it_reads(bot_path):
    assert read_metadata(bot_path).features == FEATURES
    assert load_bot("2022").metadata.features == resolve_features("full")


def test_it_plays_at_tables_of_other_features_and_in_the_arena(bot_path):
    envs = Ono99VectorEnv(4, num_players=3, opponents=[str(bot_path)], features=["hand"])
    _, infos = envs.reset(seed=1)
    for _ in range(5):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    rate = one_vs_rest(RULES, load_bot(str(bot_path)), load_bot("random"), 3, 30, seed=1)
    assert rate.games >= 30


def test_the_statistics_of_the_features_become_part_of_the_file(tmp_path):
    envs = VecNormalize(Ono99VecEnv(RULES, num_envs=8, features=FEATURES), norm_reward=False)
    model = trained(envs)
    export_bot(model, tmp_path / "bot.onnx", METADATA)
    bot = load_bot(str(tmp_path / "bot.onnx"))
    for views in positions(RULES, num_games=20, most_steps=20, seed=5):
        wanted = decisions_of(model, views, envs.normalize_obs)
        np.testing.assert_array_equal(bot.act(views, np.random.default_rng(0)), wanted)


def test_a_saved_model_plays_and_is_exported_by_the_command(model, tmp_path):
    path = tmp_path / "model.zip"
    model.save(path)
    names = ["core", "seats"]
    bots = [load_bot(f"sb3:{path}:features={'+'.join(names)}")]
    assert export([str(path), "--players", "3", "--features", ",".join(names)]) == 0
    bots.append(load_bot(str(tmp_path / "model.onnx")))
    for views in positions(RULES, num_games=20, most_steps=20, seed=6):
        for bot in bots:
            actions = bot.act(views, np.random.default_rng(0))
            np.testing.assert_array_equal(actions, decisions_of(model, views))


def test_a_network_of_pytorch_is_exported_with_its_features(tmp_path):
    torch.manual_seed(0)
    network = nn.Linear(METADATA.observation_size, 17)
    export_policy(network, tmp_path / "own.onnx", METADATA)
    bot = load_bot(str(tmp_path / "own.onnx"))
    for views in positions(RULES, num_games=5, most_steps=10, seed=7):
        with torch.no_grad():
            logits = network(torch.tensor(views.observation_of(FEATURES))).numpy()
        wanted = np.where(views.action_mask, logits, -np.inf).argmax(axis=1)
        np.testing.assert_array_equal(bot.act(views, np.random.default_rng(0)), wanted)


def test_other_features_than_those_of_the_model_are_refused(model, tmp_path, capsys):
    with pytest.raises(ValueError, match="If it was trained with features="):
        export_bot(model, tmp_path / "bot.onnx", BotMetadata(rules=RULES, num_players=[3]))
    assert not list(tmp_path.iterdir())
    path = tmp_path / "model.zip"
    model.save(path)
    with pytest.raises(ValueError, match=r"of the features hand are a Box of shape \(16,\)"):
        load_bot(f"sb3:{path}:features=hand")
    with pytest.raises(ValueError, match="there is no feature 'coer'; did you mean 'core'"):
        load_bot(f"sb3:{path}:features=coer")
    assert export([str(path), "--players", "3", "--features", "hnad"]) == 2
    assert "--features: there is no feature 'hnad'; did you mean 'hand'" in capsys.readouterr().err


def test_a_file_whose_network_reads_other_features_is_refused(bot_path, tmp_path):
    from ono99_env.bots.policies.bot_file import with_metadata

    wrong = METADATA.model_copy(update={"features": ("hand",)})
    path = tmp_path / "wrong.onnx"
    path.write_bytes(with_metadata(bot_path.read_bytes(), wrong))
    with pytest.raises(BotFileError, match="its observation is float32 of shape"):
        load_bot(str(path))


def test_metadata_with_an_unknown_feature_is_refused():
    with pytest.raises(ValueError, match="there is no feature 'hnad'; did you mean 'hand'"):
        BotMetadata(rules=RULES, num_players=[3], features=["hnad"])
