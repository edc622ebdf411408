"""Tables of preference against the obvious search through the order."""

import random

import numpy as np
import pytest

from ono99_env.bots.scripted.preferences import choose_preferred, tabulate_preference
from ono99_env.bots.scripted.situation import Turn
from ono99_env.engine import words
from ono99_env.engine.records import rules_array
from ono99_env.rules.cards import NUM_ACTIONS, Action, Card
from ono99_env.rules.rules import Rules


@pytest.mark.parametrize("seed", range(20))
def test_the_first_legal_action_of_any_order_is_chosen(seed: int) -> None:
    rng, rules = random.Random(seed), rules_array(Rules())[0]
    order = rng.sample(range(NUM_ACTIONS), NUM_ACTIONS)
    table = tabulate_preference(order)
    for _ in range(50):
        cards = rng.sample(list(Card), rng.randint(0, 7))
        may_discard = rng.randint(0, 1) if cards else 1
        turn = Turn(words.card_set(*cards), np.int64(may_discard), np.int64(5), 1, 4)
        legal = {*map(int, cards)} | ({int(Action.DISCARD_FOUR_ONO99)} if may_discard else set())
        assert choose_preferred(table, turn, rules) == next(a for a in order if a in legal)
