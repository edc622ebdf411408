"""Any network of PyTorch becomes a bot file that plays as the network would."""

import numpy as np
import pytest
import torch
from torch import nn

from ono99_env import Game, Rules, load_bot
from ono99_env.bots.policies.bot_file import BotMetadata, read_metadata
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.bots.policies.torch_export import export_policy
from ono99_env.observation import FEATURES, OBSERVATION_SIZE
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


class WithMask(nn.Module):
    """A network that gives what is illegal by the observation minus infinity."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(OBSERVATION_SIZE, NUM_ACTIONS)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        legal = observation[:, FEATURES["legal"].slice] > 0
        return self.layer(observation).masked_fill(~legal, float("-inf"))


@pytest.mark.slow
def test_minus_infinity_where_a_policy_itself_masks_is_no_difference(tmp_path):
    policy = WithMask()
    assert FEATURES["legal"].size == NUM_ACTIONS
    export_policy(policy, tmp_path / "bot.onnx", METADATA)
    views = Game(RULES, seed=3).views()
    assert load_bot(str(tmp_path / "bot.onnx")).act(views, np.random.default_rng(0)) >= 0


@pytest.mark.slow
def test_training_mode_is_left_out_of_the_file_and_left_as_it_was(tmp_path):
    width = 16
    policy = nn.Sequential(
        nn.Linear(OBSERVATION_SIZE, width),
        nn.BatchNorm1d(width),
        nn.Dropout(0.5),
        nn.Linear(width, NUM_ACTIONS),
    ).train()
    policy[1].running_mean += 1
    export_policy(policy, tmp_path / "bot.onnx", METADATA)
    assert all(each.training for each in policy.modules())
    views = Game(RULES, seed=3).views()
    logits, _ = OnnxBot(tmp_path / "bot.onnx").evaluate(views.observation, views.action_mask)
    with torch.no_grad():
        wanted = policy.eval()(torch.from_numpy(views.observation)).numpy()
    np.testing.assert_allclose(
        logits[views.action_mask], wanted[views.action_mask], rtol=1e-4, atol=1e-5
    )


class Restless(nn.Module):
    """A network that draws lots even in evaluation mode."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(OBSERVATION_SIZE, NUM_ACTIONS)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.layer(nn.functional.dropout(observation, 0.5, training=True))


class Jealous(nn.Module):
    """A network whose rows depend on each other."""

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return observation[:, :NUM_ACTIONS] - observation[:, :NUM_ACTIONS].mean(dim=0)


class Talkative(nn.Module):
    """A network that gives two things."""

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return observation[:, :NUM_ACTIONS], observation[:, 0]


LINEAR = nn.Linear(OBSERVATION_SIZE, NUM_ACTIONS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "value", "problem"),
    [
        (nn.Linear(OBSERVATION_SIZE, 18), None, r"policy gives torch.float32 of shape \(3, 18\)"),
        (nn.Linear(OBSERVATION_SIZE, 1), None, r"policy gives torch.float32 of shape \(3, 1\)"),
        (nn.Linear(10, NUM_ACTIONS), None, r"policy cannot be computed for float32 observations"),
        (nn.Linear(OBSERVATION_SIZE, NUM_ACTIONS).half(), None, r"weight is torch\.float16"),
        (nn.Linear(OBSERVATION_SIZE, NUM_ACTIONS).bfloat16(), None, r"weight is torch\.bfloat16"),
        (nn.Linear(OBSERVATION_SIZE, NUM_ACTIONS).double(), None, r"policy cannot be computed"),
        (Talkative(), None, "policy gives a tuple, and one tensor"),
        (LINEAR, nn.Linear(OBSERVATION_SIZE, 2), r"value network gives .* \(3, 2\)"),
        (Jealous(), None, "does not answer each observation by itself"),
        (Restless(), None, r"does not answer each|differ from the policy's by|cannot export"),
    ],
)
def test_what_cannot_be_a_policy_is_refused_in_a_sentence(tmp_path, policy, value, problem):
    with pytest.raises((ValueError, RuntimeError), match=problem) as caught:
        export_policy(policy, tmp_path / "bot.onnx", METADATA, value)
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())
