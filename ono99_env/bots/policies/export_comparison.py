"""Compare an exported bot with the policy that it was made of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.bots.policies.real_positions import real_positions

TOLERANCE = 1e-4
"""How much the file may differ from the network, relative to the largest output (at least 1)."""

Outputs = tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]
"""Logits (or values of actions), shape (batch, 17), and values, shape (batch,)."""


@dataclass(frozen=True)
class Reference:
    """What the network of a bot file should compute."""

    outputs: Callable[[NDArray[np.float32], NDArray[np.bool_]], Outputs]
    """From observations and masks to what the file should compute; illegal actions do not count."""
    actions: Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]] | None = None
    """What it should choose; a choice that is not legal does not count."""
    has_free_level: bool = False
    """Whether a policy is the same if a number is added to all its logits of a position."""


_NEVER = -1e8
"""At or below this, a logit says that an action is never played, as in `sb3_contrib`."""


def compare_outputs(reference: Reference, bot: OnnxBot) -> None:
    """Refuse a bot that does not compute what it should, in positions of real games.

    Args:
        reference: What it should compute.
        bot: The exported bot.

    Raises:
        RuntimeError: If it computes something else.
    """
    observation, mask = real_positions(bot.metadata)
    found, wanted = bot.evaluate(observation, mask), reference.outputs(observation, mask)
    is_free = reference.has_free_level
    logits, expected = (_legal_logits(each[0], mask, is_free) for each in (found, wanted))
    _check_close("logits", logits[mask], expected[mask])
    _check_close("value", found[1], wanted[1])
    if reference.actions is not None:
        _check_choices(logits, reference.actions(observation, mask), mask)


def _legal_logits(
    logits: NDArray[np.floating[Any]], mask: NDArray[np.bool_], has_free_level: bool
) -> NDArray[np.float64]:
    """Return logits in which illegal actions, and those never played, have one low number."""
    lowest = np.finfo(np.float32).min
    exact = np.where(mask, np.maximum(logits, lowest), lowest).astype(np.float64)
    if has_free_level:
        return np.asarray(np.maximum(exact - exact.max(axis=1, keepdims=True), _NEVER))
    return exact


def _check_close(
    name: str, found: NDArray[np.floating[Any]], wanted: NDArray[np.floating[Any]]
) -> None:
    # That an action is never played is no scale for the others.
    scale = max(1.0, float(np.abs(wanted[wanted > _NEVER]).max(initial=0.0)))
    difference = np.abs(found.astype(np.float64) - wanted).max(initial=0.0)
    # Written so that a difference that is not a number is refused too.
    if not difference <= TOLERANCE * scale:
        raise RuntimeError(
            f"the exported {name} differ from the policy's by {difference:.2g} in positions of "
            "real games: the file would be another policy, so none was written"
        )


def _check_choices(
    logits: NDArray[np.float64], chosen: NDArray[np.int64], mask: NDArray[np.bool_]
) -> None:
    """Refuse a file that takes other actions, except for ties within rounding."""
    rows = np.arange(len(logits))
    lost = logits.max(axis=1) - logits[rows, chosen]
    scale = max(1.0, float(np.abs(logits[logits > _NEVER]).max(initial=0.0)))
    others = mask[rows, chosen] & ~(lost <= TOLERANCE * scale)
    if others.any():
        raise RuntimeError(
            f"the exported bot takes other actions than the policy's own `predict` in "
            f"{others.mean():.1%} of positions of real games: it is more than its networks, so no "
            "file was written"
        )
