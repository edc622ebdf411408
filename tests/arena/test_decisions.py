"""What a bot decides is noted as it happened, and counted right."""

import numpy as np
import pytest

from ono99_env import Bot, Rules, load_bot
from ono99_env.arena.decisions import ACTION_GROUPS, Decisions, record_decisions
from ono99_env.rules.cards import Action
from tests.arena.some_bots import Illegal

RULES = Rules.preset("2022", num_players=2)
KIND_NAMES = list(ACTION_GROUPS)


def decisions_of(rows: list[tuple[int, bool, list[str], str]]) -> Decisions:
    """Decisions of (total, owes two, legal kinds, chosen kind)."""
    totals, owed, legal, chosen = zip(*rows, strict=True)
    return Decisions(
        RULES,
        1,
        np.array(totals),
        np.array(owed),
        np.array([[kind in kinds for kind in KIND_NAMES] for kinds in legal]),
        np.array([KIND_NAMES.index(kind) for kind in chosen]),
    )


class LowestAction(Bot):
    """Always the legal action with the lowest number."""

    name = "lowest_action"

    def act(self, views, rng):
        return views.action_mask.argmax(axis=1)


def test_every_action_is_of_one_kind():
    actions = [action for each in ACTION_GROUPS.values() for action in each]
    assert sorted(actions) == sorted(Action)


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_what_is_noted_is_what_the_bot_did(edition):
    rules = Rules.preset(edition, num_players=4)
    decisions = record_decisions(LowestAction(), rules, games=20, seed=3)
    assert len(decisions.totals) == len(decisions.chosen) > 200
    assert decisions.legal[np.arange(len(decisions.chosen)), decisions.chosen].all()
    # Kinds are in the order of actions but for ONO 99 and Hold, so the lowest kind is chosen.
    numbers = decisions.legal[:, :4].any(axis=1)
    assert (decisions.chosen == decisions.legal.argmax(axis=1))[numbers].all()
    assert decisions.totals.max() <= 98
    assert 0 < decisions.owes_two.mean() < 0.5


@pytest.mark.slow
def test_the_same_seed_gives_the_same_decisions():
    first, again, other = (record_decisions(load_bot("random"), RULES, 8, s) for s in (1, 1, 2))
    assert np.array_equal(first.chosen, again.chosen)
    assert not np.array_equal(first.totals, other.totals)


def test_shares_are_of_choices_only():
    decisions = decisions_of(
        [
            (10, False, ["10", "Reverse"], "10"),
            (10, False, ["10", "Reverse"], "Reverse"),
            (10, False, ["10", "Hold"], "10"),
            (10, False, ["Hold"], "Hold"),  # no choice
            (10, True, ["10", "Hold"], "Hold"),  # with an obligation
            (13, False, ["10", "Hold"], "Hold"),
        ]
    )
    totals, shares = decisions.shares(owes_two=False, window=0, least=1)
    assert totals.tolist() == [10, 11, 12, 13]
    assert shares[0, KIND_NAMES.index("10")] == pytest.approx(2 / 3)
    assert shares[0, KIND_NAMES.index("Reverse")] == pytest.approx(1 / 3)
    assert np.isnan(shares[1:3]).all()
    assert shares[3, KIND_NAMES.index("Hold")] == 1
    totals, shares = decisions.shares(owes_two=True, window=0, least=1)
    assert totals.tolist() == [10]


def test_near_totals_are_counted_together():
    decisions = decisions_of(
        [(total, False, ["10", "Hold"], "Hold" if total == 0 else "10") for total in (0, 1, 2, 3)]
    )
    _, shares = decisions.shares(owes_two=False, window=1, least=1)
    hold = shares[:, KIND_NAMES.index("Hold")]
    assert hold == pytest.approx([1 / 2, 1 / 3, 0, 0])
    _, shares = decisions.shares(owes_two=False, window=1, least=3)
    assert np.isnan(shares[0]).all()
    assert not np.isnan(shares[1]).any()


def test_without_any_choice_there_is_nothing_to_show():
    totals, shares = decisions_of([(1, False, ["10"], "10")]).shares(False, 2, 1)
    assert len(totals) == len(shares) == 0


def test_a_bot_that_fails_is_named():
    with pytest.raises(Exception, match="illegal"):
        record_decisions(Illegal("illegal"), RULES, 4, 1)
