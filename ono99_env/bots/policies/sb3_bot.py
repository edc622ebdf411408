"""`Sb3Bot`: play a model of Stable-Baselines3 from the ``.zip`` file that its ``save`` writes.

Such a file holds pickled Python objects: **loading it runs code from the file**, so load only files
that you made or whose maker you trust, and pass bots on as ``.onnx`` files. It needs the extra
``train``. The file must be of a model with the spaces of the environments of this version, of one
of the algorithms PPO, A2C and DQN of Stable-Baselines3 and MaskablePPO and QRDQN of sb3-contrib,
with their policies or classes derived from these.

A model that was trained behind ``VecNormalize`` needs its statistics, which lie in another file:
``sb3:model.zip:vecnormalize=statistics.pkl``. That file is a pickle, too. The model's own does not
tell whether it was, so without the statistics it plays like another policy. Nor does it tell which
features it reads: ``sb3:model.zip:features=core`` plays a model that was trained with these.
"""

import importlib
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.bots.policies.normalization import Normalization, check_space
from ono99_env.messages.extras import brought_by
from ono99_env.observation.chosen_features import resolve_features
from ono99_env.observation.views import Views
from ono99_env.rules.cards import NUM_ACTIONS

_CHUNK = 4096
_DIVERGED = "bot {!r} computed values that are not finite numbers: its training may have diverged"
_OPTION = re.compile(":(vecnormalize|features)=")


class Sb3Bot(Bot):
    """The best legal action by a Stable-Baselines3 model. Loading it runs code from the file.

    Illegal actions are masked in the policy's logits or action values, whether or not the algorithm
    knows of masks.

    Args:
        path: The file that ``model.save`` wrote. ``:vecnormalize=`` and the path of the file that
            ``VecNormalize.save`` wrote may follow, and ``:features=`` with the features that it was
            trained with: ``core``, or several names joined by ``+``.
        name: The name of the bot in reports and messages; default: ``sb3:`` and the path.

    Raises:
        FileNotFoundError: If there is no such file.
        ImportError: If Stable-Baselines3 is not installed.
        ValueError: If it is not such a model, or its spaces are not those of the environments.
    """

    description = "a Stable-Baselines3 model; loading it runs code from its file"

    def __init__(self, path: str | Path, name: str | None = None) -> None:
        self.name = name or f"sb3:{path}"
        file, *options = _OPTION.split(str(path))
        given = dict(zip(options[::2], options[1::2], strict=True))
        self._features = resolve_features(given.get("features", "full").split("+"))
        model = load_model(Path(file))
        statistics = given.get("vecnormalize")
        self._normalization = Normalization.load(statistics, self._features) if statistics else None
        _check_spaces(model, file, self._normalization, self._features)
        model.policy.set_training_mode(False)
        self._policy = model.policy

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`.

        Raises:
            ValueError: If the model computes something that is not a finite number.
        """
        scores = np.empty((len(views), NUM_ACTIONS), np.float32)
        masks, observation = views.action_mask, views.observation_of(self._features)
        for start in range(0, len(views), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            scores[chunk] = self._scores(observation[chunk], masks[chunk])
        actions: NDArray[np.int64] = np.where(masks, scores, -np.inf).argmax(axis=1)
        return actions

    def _scores(
        self, observation: NDArray[np.float32], mask: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Return the log-probability or value of every action, shape (batch, 17)."""
        from ono99_env.bots.policies.sb3_policies import scores

        if self._normalization is not None:
            observation = self._normalization.apply(observation)
        try:
            found = scores(self._policy, observation, mask)
        except ValueError as error:  # how torch refuses logits that are not finite
            raise ValueError(_DIVERGED.format(self.name)) from error
        if not (found < np.inf).all():
            raise ValueError(_DIVERGED.format(self.name))
        return np.maximum(found, np.finfo(np.float32).min)


def load_model(path: Path) -> Any:
    """Load the model of a file, whatever its algorithm, which runs code from the file.

    Raises:
        FileNotFoundError: If there is no such file.
        ImportError: If Stable-Baselines3 is not installed.
        ValueError: If it is not a model of one of the supported algorithms.
    """
    _check_zip(path)
    with brought_by("train", f"sb3:{path}"):
        from stable_baselines3.common.save_util import load_from_zip_file

        from ono99_env.bots.policies.sb3_policies import algorithm_of
    try:
        settings = load_from_zip_file(path, device="cpu")[0] or {}
    except Exception as error:  # it runs whatever the file holds
        raise ValueError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    try:
        algorithm = algorithm_of(settings.get("policy_class"), settings)
    except ValueError as error:
        raise ValueError(f"{path} {error}") from error
    if algorithm is None:
        raise ValueError(
            f"{path} is of an algorithm that is not supported; supported are: PPO, A2C, DQN, "
            "MaskablePPO, QRDQN"
        )
    package, name = algorithm
    try:
        return getattr(importlib.import_module(package), name).load(path, device="cpu")
    except Exception as error:
        raise ValueError(
            f"{path} cannot be loaded as a model of {name}: {type(error).__name__}: {error}"
        ) from error


def _check_zip(path: Path) -> None:
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no file {path.absolute()}; after sb3: comes the path of the .zip that "
            "model.save() wrote"
        )
    try:
        with zipfile.ZipFile(path) as archive:
            archive.getinfo("data")
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise ValueError(
            f"{path} is not a model of Stable-Baselines3: a .zip written by model.save() is needed"
        ) from error


def _check_spaces(
    model: Any, name: str, normalization: Normalization | None, features: tuple[str, ...]
) -> None:
    """Refuse a model of another environment, or of another version of the observations."""
    check_space(model.observation_space, normalization, name, features)
    action = model.action_space
    if not isinstance(action, Discrete) or action.n != NUM_ACTIONS or action.start != 0:
        raise ValueError(
            f"{name} does not fit: its action space is {action}, and Discrete({NUM_ACTIONS}) is "
            "needed. Train it with the environments of this version of ono99-env."
        )
