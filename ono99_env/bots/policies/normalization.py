"""Scale observations as `VecNormalize` of Stable-Baselines3 did while a policy was trained."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ono99_env.messages.extras import brought_by
from ono99_env.observation.chosen_features import (
    PRESETS,
    Features,
    resolve_features,
    vector_size,
)

_HINT = ". If it was trained with features=, name the same ones for the bot"


@dataclass(frozen=True)
class Normalization:
    """The statistics that scale observations, and the returns that a policy learned."""

    mean: NDArray[np.float64]
    """Mean of each number of the observation, shape (features,)."""
    deviation: NDArray[np.float64]
    """Standard deviation of each number, shape (features,)."""
    limit: float
    """Scaled numbers are clipped at this value, in both directions."""
    return_scale: float = 1.0
    """Factor from a value of the policy to a return of the game."""
    features: tuple[str, ...] = PRESETS["full"]
    """The features that an observation holds."""

    def __post_init__(self) -> None:
        shapes = {np.shape(self.mean), np.shape(self.deviation)}
        size = vector_size(self.features)
        if shapes != {(size,)}:
            raise ValueError(
                f"the statistics are of observations of the shapes {sorted(shapes)}, and those "
                f"{words_for(self.features)} have shape ({size},)"
            )
        numbers = [*self.mean, *self.deviation, self.return_scale]
        if not (np.isfinite(numbers).all() and (self.deviation > 0).all() and self.limit > 0):
            raise ValueError("the statistics hold numbers that are not finite or not positive")

    @classmethod
    def of(cls, wrapper: Any, features: Features = "full") -> Self:
        """Take the statistics from a ``VecNormalize``.

        Args:
            wrapper: The ``VecNormalize``.
            features: The features of its observations.

        Raises:
            ValueError: If they do not fit observations of this version.
        """
        statistics: Any = getattr(wrapper, "obs_rms", None)
        chosen = resolve_features(features)
        size = vector_size(chosen)
        mean, variance = np.zeros(size), np.ones(size) - wrapper.epsilon
        limit = np.inf
        if wrapper.norm_obs:
            if not hasattr(statistics, "mean"):
                raise ValueError("the statistics are not of one vector of numbers")
            mean, variance, limit = statistics.mean, statistics.var, float(wrapper.clip_obs)
        scale = (
            np.sqrt(float(wrapper.ret_rms.var) + wrapper.epsilon) if wrapper.norm_reward else 1.0
        )
        deviation = np.sqrt(variance + wrapper.epsilon)
        return cls(np.array(mean), deviation, limit, float(scale), chosen)

    @classmethod
    def load(cls, path: str | Path, features: Features = "full") -> Self:
        """Read the file that ``VecNormalize.save`` wrote, which runs code from the file.

        Args:
            path: The file.
            features: The features of its observations.

        Raises:
            FileNotFoundError: If there is no such file.
            ValueError: If it holds no ``VecNormalize`` for observations of this version.
        """
        with brought_by("train", "Normalization.load"):
            from stable_baselines3.common.save_util import load_from_pkl
            from stable_baselines3.common.vec_env import VecNormalize

        if not Path(path).is_file():
            raise FileNotFoundError(f"there is no file {path} with the statistics of VecNormalize")
        try:
            wrapper = load_from_pkl(Path(path))
        except Exception as error:  # it runs whatever the file holds
            raise ValueError(
                f"{path} cannot be read as statistics of VecNormalize ({type(error).__name__})"
            ) from error
        if not isinstance(wrapper, VecNormalize):
            raise ValueError(f"{path} holds a {type(wrapper).__name__}, not a VecNormalize")
        try:
            return cls.of(wrapper, features)
        except ValueError as error:
            raise ValueError(f"{path} does not fit: {error}") from error

    def apply(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Scale observations, shape (batch, features), as ``VecNormalize.normalize_obs`` does."""
        scaled = (observation - self.mean) / self.deviation
        return np.clip(scaled, -self.limit, self.limit).astype(np.float32)


def check_space(
    space: Any,
    normalization: Normalization | None,
    name: str,
    features: tuple[str, ...] = PRESETS["full"],
) -> None:
    """Refuse a policy that saw other observations than those of the environments.

    Args:
        space: The observation space of the policy.
        normalization: The scaling of the observations; None for no scaling.
        name: The name of the policy in messages.
        features: The features that the observations of the environment hold.

    Raises:
        ValueError: If the shape is another, or the bounds are others and nothing scales to them.
    """
    shape, low, high = _bounds(space)
    size = vector_size(features)
    if shape != (size,) or low is None or space.dtype != np.float32:
        raise ValueError(
            f"{name} reads observations of shape {shape} ({space.__class__.__name__}, "
            f"{getattr(space, 'dtype', None)}), and those {words_for(features)} are a Box of "
            f"shape ({size},), float32{_HINT if shape != (size,) else ''}"
        )
    if normalization is None and not ((low == -1).all() and (high == 1).all()):
        raise ValueError(
            f"{name} was trained on observations from {low.min():g} to {high.max():g}, and those "
            "of the environments are from -1 to 1: something scaled them. Give the statistics if "
            "that was VecNormalize (--vecnormalize FILE); else train it without the wrapper"
        )


def words_for(features: tuple[str, ...]) -> str:
    """Return which observations are meant, for messages."""
    if features == PRESETS["full"]:
        return "of this version"
    return f"of the features {', '.join(features)}"


def _bounds(space: Any) -> tuple[Any, Any, Any]:
    """Return the shape and the bounds of a space; None for what it does not have."""
    shape, low, high = (getattr(space, each, None) for each in ("shape", "low", "high"))
    return shape, low, high
