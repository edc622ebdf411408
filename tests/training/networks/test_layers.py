"""The networks of a learner read the chosen features alone, and may compute in bfloat16."""

import numpy as np
import pytest
import torch

from ono99_env.envs.spaces import ActionSpace, observation_space
from ono99_env.observation import FEATURES, OBSERVATION_SIZE
from training.networks.layers import Bfloat16Layers, ChosenFeatures
from training.networks.policy_network import PolicyNetwork, reference_of_policy
from training.self_play.distribution import LeanMaskablePolicy


@pytest.mark.parametrize("names", [["hand"], ["hand", "legal", "unseen"], list(FEATURES)])
def test_only_the_chosen_features_are_read(names):
    extractor = ChosenFeatures(observation_space(), names)
    observations = torch.arange(2 * OBSERVATION_SIZE).reshape(2, -1)
    wanted = [observations[:, FEATURES[name].slice].numpy() for name in names]
    chosen = extractor(observations).numpy()
    np.testing.assert_array_equal(chosen, np.concatenate(wanted, axis=1))
    assert chosen.shape == (2, extractor.features_dim)


def test_bfloat16_layers_compute_about_the_same_and_are_exported_in_float32():
    torch.manual_seed(0)
    rough = policy_of(number_format="bfloat16")
    exact = policy_of()
    exact.load_state_dict(rough.state_dict())
    observation = torch.rand(64, OBSERVATION_SIZE)
    mask = torch.ones(64, 17, dtype=torch.bool)
    values = [policy.predict_values(observation) for policy in (rough, exact)]
    assert values[0].dtype == torch.float32
    assert not torch.equal(*values)
    torch.testing.assert_close(*values, rtol=0.05, atol=0.02)
    for network in (PolicyNetwork(rough), PolicyNetwork(exact)):
        value = network(observation, mask)[1]
        torch.testing.assert_close(value, values[1].squeeze(1))


def test_a_policy_in_bfloat16_is_compared_in_float32_right_after_an_update():
    rough = policy_of(number_format="bfloat16")
    observation, mask = torch.rand(8, OBSERVATION_SIZE), np.ones((8, 17), np.bool_)
    actions = torch.zeros(8, dtype=torch.int64)
    rough.evaluate_actions(observation, actions, mask)  # leaves a distribution with gradients
    exact = policy_of()
    exact.load_state_dict(rough.state_dict())
    outputs = [
        reference_of_policy(each).outputs(observation.numpy(), mask) for each in (rough, exact)
    ]
    for found, wanted in zip(*outputs, strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert isinstance(rough.mlp_extractor, Bfloat16Layers)


def policy_of(**arguments) -> LeanMaskablePolicy:
    return LeanMaskablePolicy(
        observation_space(), ActionSpace(), lambda _: 1e-3, net_arch=[32, 32], **arguments
    )
