"""The nearest known name is suggested, in the same words everywhere."""

import pytest

from ono99_env import Rules
from ono99_env.bots.loader import load_bot
from ono99_env.bots.options import make_bot
from ono99_env.bots.search import SearchBot
from ono99_env.envs.arguments import resolve_rules
from ono99_env.messages.suggestions import did_you_mean


def test_the_nearest_name_is_suggested():
    assert did_you_mean("hihgest", ["lowest", "highest"]) == "; did you mean 'highest'?"


def test_nothing_is_suggested_where_no_name_is_near():
    assert did_you_mean("xyz", ["lowest", "highest"]) == ""


@pytest.mark.parametrize(
    ("mistake", "name"),
    [
        (lambda: load_bot("hihgest"), "highest"),
        (lambda: make_bot(SearchBot, "simulatoins=3", "search"), "simulations"),
        (lambda: resolve_rules("2022", hand_sise=3), "hand_size"),
        (lambda: Rules.of_fields({"hand_sise": 3}), "hand_size"),
    ],
    ids=["bot", "bot option", "argument", "field"],
)
def test_all_suggestions_have_the_same_words(mistake, name):
    with pytest.raises(ValueError, match=f"; did you mean '{name}'"):
        mistake()
