"""Read what a run continues from, and check that the config fits it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ono99_env.bots.policies.bot_file import parse_metadata, read_bot_file
from ono99_env.messages.differences import differing, shortly
from ono99_env.messages.errors import BotFileError, UsageError
from training.config.config import Config
from training.learner.number_format import keep_number_format
from training.run.checkpoint import damaged, read_checkpoint
from training.run.run_folder import RunFolder

_FIXED = (
    "rules",
    "num_players",
    "formats",
    "opponents",
    "seat",
    "features",
    "net_arch",
    "num_envs",
    "seed",
    "number_format",
    "self_play",
)
"""Fields of a config that a checkpoint cannot go on with if they change: what is saved has their
shape, or would not mean the same."""


_FIELDS = {"config": dict, "evaluations": dict, "learner": dict, "seconds": float | int}
"""Fields that the state of every run has, and what they are."""


def read_state(folder: RunFolder, config: Config) -> dict[str, Any] | None:
    """Read the checkpoint of a run; None if the run was stopped before it wrote anything else.

    Args:
        folder: The folder of the run.
        config: The config to go on with.

    Raises:
        UsageError: If there is none, it is damaged, or the config does not fit it.
    """
    if not (folder.checkpoint.exists() or folder.has_begun()):
        return None
    if not folder.checkpoint.exists():
        raise UsageError(
            f"there is no checkpoint {folder.checkpoint}, so that run cannot go on. Start it anew "
            "in another folder: python -m training.train "
            f"{folder.config if folder.config.exists() else 'CONFIG'} --name NEW"
        )
    state = read_checkpoint(folder.checkpoint)
    _check_fields(folder, state)
    asked = keep_number_format(config, state["config"])
    _check_config(folder, state["config"], asked.model_dump(mode="json"))
    return state


def seconds_learning_of(state: Mapping[str, Any]) -> float:
    """Return how many seconds a run had learned at a checkpoint."""
    return float(state.get("seconds_learning", state["seconds"]))


def check_snapshot(path: Path) -> bytes:
    """Read the bot file of a snapshot.

    Raises:
        UsageError: If it is missing or damaged.
    """
    try:
        content = read_bot_file(path)
        parse_metadata(content, str(path))
    except (OSError, BotFileError) as error:
        raise UsageError(
            f"the run cannot go on without its snapshot {path}: {error}. Restore the file from a "
            "copy, or train anew."
        ) from error
    return content


def _check_fields(folder: RunFolder, state: Mapping[str, Any]) -> None:
    """Refuse a state that lacks what every run saves."""
    lacking = [name for name, kind in _FIELDS.items() if not isinstance(state.get(name), kind)]
    if lacking:
        raise damaged(folder.checkpoint, f"does not hold the state of a run: no {lacking}")
    if not isinstance(state["learner"].get("num_timesteps"), int):
        raise damaged(folder.checkpoint, "does not say how many decisions were made")


def _check_config(folder: RunFolder, saved: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    now, then = ({field: config.get(field) for field in _FIXED} for config in (asked, saved))
    differences = [f"{place} is {new}, and was {old}" for place, new, old in differing(now, then)]
    if differences:
        raise UsageError(
            f"the config does not fit the checkpoint {folder.checkpoint}: "
            f"{shortly(differences)}. Set them back, or train anew with --name NEW "
            f"(--init_from {folder.bot} starts from its networks)."
        )
