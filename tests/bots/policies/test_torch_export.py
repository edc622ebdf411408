"""Any network of PyTorch becomes a bot file that plays as the network would."""

import numpy as np
import pytest
import torch
from torch import nn

from ono99_env import Game, Rules, load_bot
from ono99_env.bots.policies.bot_file import BotMetadata, read_metadata
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.bots.policies.torch_export import export_policy
from ono99_env.observation import OBSERVATION_SIZE
from ono99_env.rules.cards import NUM_ACTIONS

RULES = Rules.preset("1980", num_players=3)
METADATA = BotMetadata(rules=RULES, num_players=[2, 3], training={"library": "none"})


class Waves(nn.Module):
    """A network that is no chain of layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(OBSERVATION_SIZE, 8), nn.Linear(8, NUM_ACTIONS)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        hidden = self.first(observation)
        return self.second(torch.where(hidden > 0, hidden, torch.sin(hidden)))


@pytest.mark.slow
def test_a_bot_file_plays_as_the_network_would(tmp_path):
    policy, value = Waves().train(), nn.Linear(OBSERVATION_SIZE, 1)
    export_policy(policy, tmp_path / "bot.onnx", METADATA, value)
    assert policy.training
    assert read_metadata(tmp_path / "bot.onnx") == METADATA
    views = Game(RULES, seed=3).views()
    logits, values = OnnxBot(tmp_path / "bot.onnx").evaluate(views.observation, views.action_mask)
    with torch.no_grad():
        wanted = policy(torch.from_numpy(views.observation)).numpy()
        assert values == pytest.approx(value(torch.from_numpy(views.observation))[:, 0].numpy())
    assert logits[views.action_mask] == pytest.approx(wanted[views.action_mask], abs=1e-5)
    assert (logits[~views.action_mask] == np.finfo(np.float32).min).all()
    best = np.where(views.action_mask, wanted, -np.inf).argmax(axis=1)
    bot = load_bot(str(tmp_path / "bot.onnx"))
    assert bot.act(views, np.random.default_rng(0)) == best


@pytest.mark.slow
def test_without_a_value_network_all_values_are_zero(tmp_path):
    export_policy(nn.Linear(OBSERVATION_SIZE, NUM_ACTIONS), tmp_path / "bot.onnx", METADATA)
    observations = np.ones((5, OBSERVATION_SIZE), np.float32)
    masks = np.ones((5, NUM_ACTIONS), np.bool_)
    _, values = OnnxBot(tmp_path / "bot.onnx").evaluate(observations, masks)
    assert values.tolist() == [0.0] * 5


def test_a_network_that_diverged_is_not_written(tmp_path):
    policy = nn.Linear(OBSERVATION_SIZE, NUM_ACTIONS)
    with torch.no_grad():
        policy.weight[0, 0] = float("inf")
    with pytest.raises(ValueError, match="diverged"):
        export_policy(policy, tmp_path / "bot.onnx", METADATA)
    with pytest.raises(ValueError, match=r"ends in \.onnx"):
        export_policy(Waves(), tmp_path / "bot.pt", METADATA)
    assert not list(tmp_path.iterdir())
