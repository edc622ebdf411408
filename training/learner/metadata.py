"""The part of a bot file that tells how the bot was trained."""

import subprocess
from pathlib import Path

from ono99_env import __version__
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.observation.layout import OBSERVATION_VERSION
from training.config.config import Config

_CHECKOUT = Path(__file__).parents[2]


def describe_bot(config: Config, decisions: int, seconds_learning: float) -> BotMetadata:
    """Return the metadata of a trained bot that has not been measured yet.

    Args:
        config: The config of its run.
        decisions: Decisions that it was trained on.
        seconds_learning: Duration of the training without measuring.
    """
    return BotMetadata(
        observation_version=OBSERVATION_VERSION,
        rules=config.rules_of_formats[0],
        num_players=config.num_players,
        formats=tuple(dict.fromkeys(config.formats)),
        training={
            "config": config.model_dump(mode="json"),
            "seed": config.seed,
            "decisions": decisions,
            "code_version": code_version(),
            "seconds_learning": round(seconds_learning, 1),
        },
    )


def code_version() -> str:
    """Return the version of the package, with the commit if the code lies in a Git checkout."""
    command = ["git", "-C", str(_CHECKOUT), "describe", "--always", "--dirty"]
    try:
        commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return f"{__version__} ({commit})"
