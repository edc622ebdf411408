"""What one seat may know: the redacted record and the feature vector."""

from ono99_env.observation.chosen_features import CORE, layout_of, resolve_features
from ono99_env.observation.layout import (
    FEATURES,
    MASK,
    OBSERVATION,
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    Feature,
)
from ono99_env.observation.look import COMPACT
from ono99_env.observation.redaction import redact
from ono99_env.observation.views import Views

__all__ = [
    "COMPACT",
    "CORE",
    "FEATURES",
    "MASK",
    "OBSERVATION",
    "OBSERVATION_SIZE",
    "OBSERVATION_VERSION",
    "Feature",
    "Views",
    "layout_of",
    "redact",
    "resolve_features",
]
