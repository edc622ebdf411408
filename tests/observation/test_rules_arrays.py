"""The arrays that are remembered for an object of rules are those of its values."""

import numpy as np
import pytest

from ono99_env import Game, Rules, Views
from ono99_env.engine.records import rules_array
from ono99_env.observation import rules_arrays
from ono99_env.observation.rules_arrays import arrays_of
from ono99_env.observation.scales import scales_array


def test_arrays_are_those_of_the_values_for_equal_and_for_other_rules() -> None:
    rules = Rules.preset("2022", num_players=3)
    for each in (rules, rules.model_copy(deep=True), Rules.preset("1980", num_players=5), rules):
        found = arrays_of(each)
        assert found.rules is each
        assert found.rules_array.tobytes() == rules_array(each).tobytes()
        assert found.scales_array.tobytes() == scales_array(each).tobytes()


def test_rules_that_are_gone_are_never_taken_for_new_ones() -> None:
    for num_players in range(2, 7):
        for _ in range(100):  # objects that are gone leave their identities to others
            limit = 60 + num_players
            rules = Rules.preset("2022", num_players=num_players, highest_total=limit)
            assert arrays_of(rules).rules_array["highest_total"] == [limit]
            del rules
    assert len(rules_arrays._remembered) <= rules_arrays._MOST_REMEMBERED


def test_a_bot_gets_copies_of_the_rules_arrays() -> None:
    game = Game(seed=1)
    views = Views.of(game.rules, game.games, [0])
    views.rules_array["highest_total"] = 5
    assert arrays_of(game.rules).rules_array["highest_total"] == [98]
    assert Views.of(game.rules, game.games, [0]).rules_array["highest_total"] == [98]


@pytest.mark.parametrize("is_first", ["observation", "action_mask"])
def test_masks_are_the_same_whichever_array_is_read_first(is_first: str) -> None:
    game = Game(seed=1)
    views = Views.of(game.rules, game.games.repeat(2), [game.current_player, 1])
    getattr(views, is_first)
    mask = views.action_mask
    assert views.observation.any()
    assert views.action_mask is mask
    assert not mask.flags.writeable
    legal = [int(action) for action in game.legal_actions()]
    assert np.flatnonzero(mask[0]).tolist() == legal
