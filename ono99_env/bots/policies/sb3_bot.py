"""`sb3`: a model of Stable-Baselines3, from the ``.zip`` file that its ``save`` writes.

Such a file holds pickled Python objects: **loading it runs code from the file**, so load only files
that you made or whose maker you trust, and pass bots on as ``.onnx`` files. It needs the extra
``train``. The file must be of a model with the spaces of the environments of this version, of one
of the algorithms PPO, A2C and DQN of Stable-Baselines3 and MaskablePPO and QRDQN of sb3-contrib.
"""

import importlib
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.observation.layout import OBSERVATION_SIZE
from ono99_env.observation.views import Views
from ono99_env.rules.cards import NUM_ACTIONS

_CHUNK = 4096
_DIVERGED = "bot {!r} computed values that are not finite numbers: its training may have diverged"
_ALGORITHM_OF_POLICY = {
    "sb3_contrib.common.maskable": ("sb3_contrib", "MaskablePPO"),
    "sb3_contrib.qrdqn": ("sb3_contrib", "QRDQN"),
    "stable_baselines3.dqn": ("stable_baselines3", "DQN"),
}
"""By the module of the policy class; PPO and A2C share theirs."""


class Sb3Bot(Bot):
    """The best legal action by a Stable-Baselines3 model. Loading it runs code from the file.

    Illegal actions are masked in the policy's logits or action values, whether or not the algorithm
    knows of masks.

    Args:
        path: The file that ``model.save`` wrote.
        name: What reports and messages call the bot; default: ``sb3:`` and the path.

    Raises:
        FileNotFoundError: If there is no such file.
        ImportError: If Stable-Baselines3 is not installed.
        ValueError: If it is no such model, or its spaces are not those of the environments.
    """

    description = "a Stable-Baselines3 model; loading it runs code from its file"

    def __init__(self, path: str | Path, name: str | None = None) -> None:
        self.name = name or f"sb3:{path}"
        model = _load_model(Path(path))
        _check_spaces(model, str(path))
        model.policy.set_training_mode(False)
        self._policy = model.policy

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`.

        Raises:
            ValueError: If the model computes something that is not a finite number.
        """
        scores = np.empty((len(views), NUM_ACTIONS), np.float32)
        for start in range(0, len(views), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            scores[chunk] = self._scores(views.observation[chunk])
        actions: NDArray[np.int64] = np.where(views.action_mask, scores, -np.inf).argmax(axis=1)
        return actions

    def _scores(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Logits or action values of every action, shape (batch, 17)."""
        import torch

        policy = self._policy
        with torch.no_grad():
            tensor = torch.tensor(observation, device=policy.device)  # a copy: it is read-only
            if hasattr(policy, "quantile_net"):
                scores = policy.quantile_net(tensor).mean(dim=1)
            elif hasattr(policy, "q_net"):
                scores = policy.q_net(tensor)
            else:
                scores = self._logits(tensor)
        values: NDArray[np.float32] = scores.cpu().numpy()
        if not np.isfinite(values).all():
            raise ValueError(_DIVERGED.format(self.name))
        return values

    def _logits(self, tensor: Any) -> Any:
        try:
            return self._policy.get_distribution(tensor).distribution.logits
        except ValueError as error:  # how torch refuses logits that are not finite
            raise ValueError(_DIVERGED.format(self.name)) from error


def _load_model(path: Path) -> Any:
    data = _read_data(path)
    package, algorithm = _algorithm_of(data, path)
    try:
        module = importlib.import_module(package)
    except ModuleNotFoundError as error:
        raise ImportError(
            f"sb3:{path} needs Stable-Baselines3: install ono99-env with the extra 'train'"
        ) from error
    try:
        return getattr(module, algorithm).load(path, device="cpu")
    except Exception as error:  # it runs whatever the file holds
        raise ValueError(
            f"{path} cannot be loaded as a model of {algorithm}: {type(error).__name__}: {error}"
        ) from error


def _read_data(path: Path) -> dict[str, Any]:
    """What the file says of its model, as JSON; nothing is unpickled yet."""
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no file {path.absolute()}; after sb3: comes the path of the .zip that "
            "model.save() wrote"
        )
    try:
        with zipfile.ZipFile(path) as archive:
            data = json.loads(archive.read("data"))
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise ValueError(
            f"{path} is not a model of Stable-Baselines3: a .zip written by model.save() is needed"
        ) from error
    return dict(data)


def _algorithm_of(data: dict[str, Any], path: Path) -> tuple[str, str]:
    """Package and class of the algorithm; a file does not name it, but its settings tell."""
    policy = data.get("policy_class")
    module = str(policy.get("__module__", "")) if isinstance(policy, dict) else ""
    for prefix, algorithm in _ALGORITHM_OF_POLICY.items():
        if module.startswith(prefix):
            return algorithm
    if module.startswith("sb3_contrib.common.recurrent"):
        raise ValueError(f"{path} is a recurrent model: a bot keeps no memory between its turns")
    if "clip_range" in data:
        return "stable_baselines3", "PPO"
    if "gae_lambda" in data:
        return "stable_baselines3", "A2C"
    raise ValueError(
        f"{path} is of an algorithm that is not known here; known are: PPO, A2C, DQN, MaskablePPO, "
        "QRDQN"
    )


def _check_spaces(model: Any, name: str) -> None:
    """Refuse a model of another environment, or of another version's observations."""
    observation, action = model.observation_space, model.action_space
    if not isinstance(observation, Box) or observation.shape != (OBSERVATION_SIZE,):
        found, wanted = (
            f"observation space is {observation}",
            f"a Box of {OBSERVATION_SIZE} numbers",
        )
    elif not isinstance(action, Discrete) or action.n != NUM_ACTIONS:
        found, wanted = f"action space is {action}", f"Discrete({NUM_ACTIONS})"
    else:
        return
    raise ValueError(
        f"{name} does not fit: its {found}, and {wanted} is needed. Train it with the environments "
        "of this version of ono99-env."
    )
