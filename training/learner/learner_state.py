"""The state of a learner between two updates, as arrays and numbers."""

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from ono99_env.envs.sb3 import TablesVecEnv
from training.self_play.buffer import SelfPlayBuffer


def learner_state(learner: MaskablePPO) -> dict[str, Any]:
    """Return the state of a learner that is about to collect a rollout; see `restore_learner`.

    It holds the networks, the optimiser, the counters, the running games, what the last rollout
    left open, the recent results, what is to be logged next, and every random generator.
    """
    state = {
        "policy": _as_arrays(learner.policy.state_dict()),
        "optimizer": _optimizer_state(learner.policy.optimizer),
        "num_timesteps": learner.num_timesteps,
        "n_updates": learner._n_updates,
        "environment": _environment(learner).state_dict(),
        "episode_starts": np.asarray(learner._last_episode_starts),
        "episodes": _episodes(learner),
        "to_be_logged": {key: float(v) for key, v in learner.logger.name_to_value.items()},
        "generators": _generators(learner.device),
    }
    if isinstance(learner.rollout_buffer, SelfPlayBuffer):
        state["buffer"] = learner.rollout_buffer.state_dict()
    return state


def restore_learner(learner: MaskablePPO, state: Mapping[str, Any]) -> None:
    """Put a new learner into a saved state, so that ``learn`` continues exactly from there.

    Call it last: it sets the global generators of PyTorch and NumPy, from which learners draw.

    Args:
        learner: A learner made with the same config; the caller restores what it was about to log.
        state: What `learner_state` gave.
    """
    learner.policy.load_state_dict(
        {name: torch.from_numpy(array) for name, array in state["policy"].items()}
    )
    _restore_optimizer(learner.policy.optimizer, state["optimizer"])
    learner.num_timesteps = state["num_timesteps"]
    learner._n_updates = state["n_updates"]
    learner._last_obs = _environment(learner).load_state_dict(state["environment"])
    learner._last_episode_starts = state["episode_starts"]
    learner.ep_info_buffer = deque(
        ({"r": r, "l": int(length), "t": 0.0} for r, length in state["episodes"].tolist()),
        maxlen=learner._stats_window_size,
    )
    learner.ep_success_buffer = deque(maxlen=learner._stats_window_size)
    if isinstance(learner.rollout_buffer, SelfPlayBuffer):
        learner.rollout_buffer.load_state_dict(state["buffer"])
    _set_generators(state["generators"], learner.device)


def _environment(learner: MaskablePPO) -> TablesVecEnv:
    environment = learner.get_env()
    assert isinstance(environment, TablesVecEnv)
    return environment


def _as_arrays(tensors: Mapping[str, torch.Tensor]) -> dict[str, Any]:
    return {name: tensor.detach().cpu().numpy() for name, tensor in tensors.items()}


def _optimizer_state(optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    state = optimizer.state_dict()
    moments = {str(number): _as_arrays(each) for number, each in state["state"].items()}
    return {"state": moments, "param_groups": state["param_groups"]}


def _restore_optimizer(optimizer: torch.optim.Optimizer, state: Mapping[str, Any]) -> None:
    moments = {
        int(number): {name: torch.from_numpy(array) for name, array in each.items()}
        for number, each in state["state"].items()
    }
    groups = [
        {**group, "betas": tuple(group["betas"])} if "betas" in group else group
        for group in state["param_groups"]
    ]
    optimizer.load_state_dict({"state": moments, "param_groups": groups})


def _episodes(learner: MaskablePPO) -> Any:
    """Return the returns and lengths of the latest episodes, shape (k, 2)."""
    episodes = learner.ep_info_buffer or ()
    return np.array([(each["r"], each["l"]) for each in episodes], np.float64).reshape(-1, 2)


def _generators(device: torch.device) -> dict[str, Any]:
    """Return the states of PyTorch's generator (draws actions) and of NumPy's (draws batches)."""
    numpy_state = np.random.get_state(legacy=False)  # noqa: NPY002 - what sb3_contrib draws from
    state = {"torch": torch.get_rng_state().numpy(), "numpy": numpy_state}
    if device.type == "cuda":
        state["cuda"] = torch.cuda.get_rng_state(device).numpy()
    return state


def _set_generators(state: Mapping[str, Any], device: torch.device) -> None:
    torch.set_rng_state(torch.from_numpy(state["torch"]))
    np.random.set_state(state["numpy"])  # noqa: NPY002
    if device.type == "cuda" and "cuda" in state:
        torch.cuda.set_rng_state(torch.from_numpy(state["cuda"]), device)
