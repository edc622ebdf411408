"""Every environment refuses impossible rules in one sentence, without pydantic's report."""

from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

from ono99_env import ono99_v0
from ono99_env.envs.vector import Ono99VectorEnv


def sb3(**fields: Any) -> Any:
    """The environment of Stable-Baselines3, where that is installed."""
    module = pytest.importorskip("ono99_env.envs.sb3")
    return module.Ono99VecEnv(**{"rules": "2022", "num_envs": 2, **fields})


MAKERS: dict[str, Callable[..., Any]] = {
    "aec": ono99_v0.env,
    "single": lambda **fields: gymnasium.make("ono99/Ono99-v0", **fields),
    "vector": lambda **fields: Ono99VectorEnv(num_envs=2, **fields),
    "sb3": sb3,
}
WRONG = [
    ({"hand_size": 0}, "hand_size: must be from 1 to 7, not 0"),
    ({"highest_total": -5}, "highest_total: must be from 0 to 999, not -5"),
    ({"num_players": 99}, "num_players: the 2022 edition is for 2 to 6 players, not 99"),
    ({"num_players": 1}, "num_players: must be at least 2, not 1"),
    ({"hand_size": "3"}, "hand_size: must be a whole number, not '3'"),
    ({"hand_sise": 3}, "hand_sise: there is no such argument, .*; did you mean 'hand_size'"),
    ({"format": "chip"}, "format: must be 'single_round', 'chips', .*, not 'chip'"),
    ({"deck": {"0": 3}}, "deck: 3 cards are too few to deal 4"),
    ({"rules": "2021"}, "rules: must be '2022' or '1980', a file of rules .*, not '2021'"),
    ({"rules": {"hand_sise": 3}}, "hand_sise: there is no such field; did you mean 'hand_size'"),
]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("fields", "sentence"), WRONG)
def test_impossible_rules_are_refused_in_a_sentence(
    maker: str, fields: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}") as caught:
        MAKERS[maker](**fields)
    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


@pytest.mark.parametrize("maker", ["vector", "sb3"])
def test_every_player_count_must_fit_the_rules(maker: str) -> None:
    for fields, sentence in (
        ({"num_players": [1, 4]}, "num_players: must be at least 2, not 1"),
        ({"num_players": [2, 4], "dealer": 3}, "dealer: must be 'random' or a seat from 0 to 1"),
    ):
        with pytest.raises(ValueError, match=f"^{sentence}"):
            MAKERS[maker](**fields)
