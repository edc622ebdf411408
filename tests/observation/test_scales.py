"""The scales of the observation follow from the rules; the engine does not know them."""

import ast
from pathlib import Path

import numpy as np
import pytest

import ono99_env
from ono99_env import Card, Rules
from ono99_env.engine.records import RULES
from ono99_env.observation import OBSERVATION
from ono99_env.observation.scales import TOTAL_MARGIN, scales_array

PACKAGE = Path(ono99_env.__file__).parent


def factors(rules: Rules) -> np.record:
    """The factors of the entries of a vector, by feature."""
    return scales_array(rules)["entries"].copy().view(OBSERVATION)[0, 0]


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_cards_are_scaled_by_the_hand_and_by_the_deck(edition: str) -> None:
    rules = Rules.preset(edition, num_players=4)
    scales = factors(rules)
    assert scales.hand == pytest.approx(np.full(16, 1 / rules.hand_size))
    deck = [max(rules.deck.get(card.label, 0), 1) for card in Card]
    assert scales.unseen == pytest.approx(1 / np.array(deck))
    assert (scales.legal == 1).all()


def test_numbers_beyond_a_byte_have_scales_of_their_own() -> None:
    rules = Rules.preset("2022", num_players=3, max_plays=50, highest_total=60)
    scales = scales_array(rules)[0]
    assert scales.per_play == pytest.approx(1 / 50)
    assert scales.per_total == pytest.approx(1 / (60 + TOTAL_MARGIN))


def test_the_engine_knows_nothing_of_observations() -> None:
    assert "scales" not in (RULES.names or ())
    for path in (PACKAGE / "engine").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("ono99_env.observation"), path
