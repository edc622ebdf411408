"""Sample positions of real games, to compare an exported bot with its policy."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, TO_ACT, rules_array
from ono99_env.observation.views import Views
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.rules.rules import Rules

_GAMES, _STEPS, _POSITIONS = 64, 40, 512


def real_positions(
    metadata: BotMetadata, seed: int = 0
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Play random games of every format and player count of a bot, and observe them.

    Args:
        metadata: The metadata of the bot.
        seed: Seed of all randomness.

    Returns:
        Observations, shape (positions, features), and masks, shape (positions, 17).
    """
    rng = np.random.default_rng(seed)
    views = [
        each
        for form in metadata.played_formats
        for count in metadata.num_players
        for each in _games(_rules(metadata.rules, form, count), rng)
    ]
    observations = np.concatenate([each.observation_of(metadata.features) for each in views])
    masks = np.concatenate([each.action_mask for each in views])
    chosen = rng.permutation(len(observations))[:_POSITIONS]
    return observations[chosen], masks[chosen]


def _rules(rules: Rules, form: str, count: int) -> Rules:
    return Rules.model_validate({**rules.model_dump(), "format": form}).with_players(count)


def _games(rules: Rules, rng: np.random.Generator) -> list[Views]:
    """Return the views of the first steps of random games."""
    array, games = rules_array(rules), np.zeros(_GAMES, STATE)
    seeds = rng.integers(2**64, size=_GAMES, dtype=np.uint64)
    batch.deal_games(games, array, np.full(_GAMES, rules.num_players), seeds)
    found = []
    for _ in range(_STEPS):
        games = games[games["phase"] == TO_ACT]
        if not len(games):
            break
        found.append(Views.of(rules, games, games["current_player"].astype(np.int64)))
        scores = np.where(found[-1].action_mask, rng.random((len(games), NUM_ACTIONS)), -1.0)
        batch.step_games(games, array, scores.argmax(axis=1))
    return found
