"""The RLModule never gives an illegal action any probability, and is the network of bot files."""

import numpy as np
import pytest
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from ono99_env.observation import OBSERVATION_SIZE
from tests.libraries.rllib.conftest import TINY, config
from training.distributed.env_runner import module_spaces
from training.distributed.rl_module import ACTION_MASK, MaskedModule
from training.distributed.rllib_settings import algorithm_config
from training.learner.policy_network import PolicyNetwork

ROWS = 200


@pytest.fixture(scope="module")
def module() -> MaskedModule:
    spec: RLModuleSpec = algorithm_config(config(TINY)).rl_module_spec
    spec.observation_space, spec.action_space = module_spaces(config(TINY))
    return spec.build()


@pytest.fixture
def observation() -> torch.Tensor:
    rng = np.random.default_rng(0)
    return torch.from_numpy(rng.uniform(-1, 1, (ROWS, OBSERVATION_SIZE)).astype(np.float32))


@pytest.fixture
def mask() -> torch.Tensor:
    mask = np.random.default_rng(1).random((ROWS, 17)) < 0.3
    mask[:, 3] = True
    return torch.from_numpy(mask)


def test_illegal_actions_have_no_probability(module, observation, mask):
    batch = {Columns.OBS: module.choose(observation), ACTION_MASK: mask}
    for forward in (module.forward_exploration, module.forward_inference, module.forward_train):
        logits = forward(batch)[Columns.ACTION_DIST_INPUTS]
        assert (torch.softmax(logits, 1)[~mask] == 0).all()
        distribution = module.get_train_action_dist_cls().from_logits(logits)
        assert mask.gather(1, distribution.sample()[:, None]).all()
        assert torch.isfinite(distribution.entropy()).all()


def test_only_the_chosen_features_are_read(module, observation):
    features = module.choose(observation)
    assert features.shape == (ROWS, module.observation_space.shape[0])
    assert features.shape[1] < OBSERVATION_SIZE


def test_it_computes_what_a_bot_file_does(module, observation, mask):
    batch = {Columns.OBS: module.choose(observation), ACTION_MASK: mask}
    with torch.no_grad():
        logits, value = PolicyNetwork(module.policy)(observation, mask)
        output = module.forward_train(batch)
    assert torch.allclose(output[Columns.ACTION_DIST_INPUTS][mask], logits[mask], atol=1e-6)
    assert torch.allclose(module.compute_values(batch), value, atol=1e-6)
    assert torch.allclose(
        module.compute_values(batch, output[Columns.EMBEDDINGS]), value, atol=1e-6
    )
