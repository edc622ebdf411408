"""Stable-Baselines3 models as bots: what they choose, and what does not fit."""

import gymnasium
import numpy as np
import pytest

from ono99_env import Rules, load_bot
from ono99_env.bots.policies.sb3_bot import Sb3Bot
from tests.bots.positions import positions

stable_baselines3 = pytest.importorskip("stable_baselines3")
sb3_contrib = pytest.importorskip("sb3_contrib")

from ono99_env.envs.sb3 import Ono99VecEnv  # noqa: E402 - needs the extra

pytestmark = pytest.mark.slow
RULES = Rules.preset("2022", num_players=3)


def saved(algorithm, folder, **options):
    """A small untrained model, and the file it was saved to."""
    venv = Ono99VecEnv(RULES, num_envs=2, illegal="lose")
    policy = options.pop("policy", "MlpPolicy")
    model = algorithm(
        policy, venv, policy_kwargs={"net_arch": [8]}, device="cpu", seed=1, **options
    )
    path = folder / "bot.zip"
    model.save(path)
    return model, path


def some_views():
    *_, views = positions(RULES, num_games=100, most_steps=4, seed=1)
    return views


def test_a_masked_model_plays_as_it_predicts(tmp_path):
    model, path = saved(sb3_contrib.MaskablePPO, tmp_path)
    views = some_views()
    bot = load_bot(f"sb3:{path}")
    assert bot.name == f"sb3:{path}"
    expected, _ = model.predict(
        views.observation, action_masks=views.action_mask.copy(), deterministic=True
    )
    assert (bot.act(views, np.random.default_rng(0)) == expected).all()


@pytest.mark.parametrize(
    "algorithm", [stable_baselines3.PPO, stable_baselines3.A2C, stable_baselines3.DQN,
                  sb3_contrib.QRDQN]
)  # fmt: skip
def test_a_model_without_masks_takes_its_best_legal_action(algorithm, tmp_path):
    buffer = {"buffer_size": 10} if "DQN" in algorithm.__name__ else {}
    model, path = saved(algorithm, tmp_path, **buffer)
    views = some_views()
    actions = load_bot(f"sb3:{path}").act(views, np.random.default_rng(0))
    assert views.action_mask[np.arange(len(views)), actions].all()
    predicted, _ = model.predict(views.observation, deterministic=True)
    is_legal = views.action_mask[np.arange(len(views)), predicted]
    assert (actions == predicted)[is_legal].all()
    assert not is_legal.all()


def test_a_model_of_another_game_is_refused(tmp_path):
    model = stable_baselines3.PPO("MlpPolicy", gymnasium.make("CartPole-v1"), device="cpu")
    model.save(tmp_path / "cart.zip")
    with pytest.raises(
        ValueError, match=r"cart\.zip reads observations of shape \(4,\) .*shape \(466,\)"
    ):
        Sb3Bot(tmp_path / "cart.zip")


def test_a_model_with_other_actions_is_refused(tmp_path):
    model, path = saved(stable_baselines3.PPO, tmp_path)
    model.action_space = gymnasium.spaces.Discrete(18)
    model.policy_kwargs = {"net_arch": [8]}
    model._setup_model()
    model.save(path)
    with pytest.raises(ValueError, match=r"its action space is Discrete\(18\), and Discrete\(17\)"):
        Sb3Bot(path)


def test_a_model_with_a_memory_is_refused(tmp_path):
    _, path = saved(sb3_contrib.RecurrentPPO, tmp_path, policy="MlpLstmPolicy", n_steps=2)
    with pytest.raises(ValueError, match="recurrent model: a bot keeps no memory"):
        Sb3Bot(path)


def test_another_file_is_refused(tmp_path):
    (tmp_path / "bot.zip").write_bytes(b"no zip")
    with pytest.raises(ValueError, match=r"bot\.zip is not a model of Stable-Baselines3"):
        load_bot(f"sb3:{tmp_path / 'bot.zip'}")
    with pytest.raises(FileNotFoundError):
        load_bot("sb3:nowhere.zip")


def test_a_diverged_model_is_named(tmp_path):
    model, path = saved(sb3_contrib.MaskablePPO, tmp_path)
    for weights in model.policy.parameters():
        weights.data.fill_(float("nan"))
    model.save(path)
    with pytest.raises(ValueError, match="computed values that are not finite numbers"):
        load_bot(f"sb3:{path}").act(some_views(), np.random.default_rng(0))
