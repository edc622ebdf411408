"""The lean distribution gives the numbers of sb3-contrib."""

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from ono99_env.envs.spaces import ActionSpace, observation_space
from training.self_play.distribution import LeanMaskablePolicy, LeanMaskedCategorical

BATCH, ACTIONS = 300, 17


@pytest.fixture
def logits_and_masks():
    rng = np.random.default_rng(0)
    mask = rng.random((BATCH, ACTIONS)) < 0.4
    mask[np.arange(BATCH), rng.integers(ACTIONS, size=BATCH)] = True
    mask[0] = np.arange(ACTIONS) == 3  # a single legal action
    mask[1] = True
    scores = rng.normal(scale=4.0, size=(BATCH, ACTIONS))
    scores[2] = 80.0 * np.sign(scores[2])  # nearly certain
    return torch.tensor(scores, dtype=torch.float32), mask


def both(scores, mask):
    """The distribution of each kind with its own copy of the logits."""
    for kind in (MaskableCategoricalDistribution, LeanMaskedCategorical):
        logits = scores.clone().requires_grad_()
        distribution = kind(ACTIONS).proba_distribution(logits)
        distribution.apply_masking(mask)
        yield logits, distribution


@pytest.mark.parametrize("is_masked", [True, False])
def test_probabilities_entropy_and_gradients_are_equal(logits_and_masks, is_masked):
    scores, mask = logits_and_masks
    mask = mask if is_masked else None
    results = []
    for logits, distribution in both(scores, mask):
        actions = distribution.mode()
        log_probabilities, entropy = distribution.log_prob(actions), distribution.entropy()
        (log_probabilities.mean() + 0.3 * entropy.mean()).backward()
        results.append((actions, log_probabilities, entropy, logits.grad))
    (theirs, ours) = results
    assert torch.equal(ours[0], theirs[0])
    for mine, other in zip(ours[1:], theirs[1:], strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-5, atol=1e-6)


def test_the_same_seed_draws_the_same_actions_and_only_legal_ones(logits_and_masks):
    scores, mask = logits_and_masks
    draws = []
    for _, distribution in both(scores, mask):
        torch.manual_seed(5)
        draws.append(torch.stack([distribution.sample() for _ in range(200)]))
    assert torch.equal(*draws)
    assert torch.as_tensor(mask).gather(1, draws[0].T).all()


def test_a_mask_can_be_taken_off(logits_and_masks):
    scores, mask = logits_and_masks
    distribution = LeanMaskedCategorical(ACTIONS).proba_distribution(scores)
    unmasked = distribution.entropy()
    distribution.apply_masking(mask)
    assert not torch.equal(distribution.entropy(), unmasked)
    distribution.apply_masking(None)
    assert torch.equal(distribution.entropy(), unmasked)


def test_the_policy_is_that_of_sb3_contrib(logits_and_masks):
    _, mask = logits_and_masks
    policies = []
    for kind in (MaskableActorCriticPolicy, LeanMaskablePolicy):
        torch.manual_seed(1)
        policies.append(kind(observation_space(), ActionSpace(), lambda _: 1e-3))
    theirs, ours = policies
    ours.load_state_dict(theirs.state_dict())
    observation = torch.rand(BATCH, observation_space().shape[0])
    outputs = []
    for policy in policies:
        torch.manual_seed(2)
        actions, values, _ = policy(observation, action_masks=mask)
        outputs.append((actions, values, *policy.evaluate_actions(observation, actions, mask)))
    for mine, other in zip(*outputs, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-5, atol=1e-6)
