"""What one seat may know: the redacted record and the feature vector."""

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
    "FEATURES",
    "MASK",
    "OBSERVATION",
    "OBSERVATION_SIZE",
    "OBSERVATION_VERSION",
    "Feature",
    "Views",
    "redact",
]
