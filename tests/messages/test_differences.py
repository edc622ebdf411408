"""What differs between two records is named by its place, in few words."""

from ono99_env import Rules
from ono99_env.messages.differences import describe_changes, differing, shortly


def test_only_what_differs_is_told_however_deep_it_lies() -> None:
    rules = Rules.preset("2022")
    other = Rules.preset("2022", hand_size=3, deck={**rules.deck, "9": 7, "0": 0})
    found = differing({"rules": rules.model_dump()}, {"rules": other.model_dump()})
    assert found == [
        ("rules.deck.0", 8, None),
        ("rules.deck.9", 6, 7),
        ("rules.hand_size", 4, 3),
    ]
    assert differing({"a": {"b": 1}}, {"a": {"b": 1}}) == []
    assert differing({"a": {"b": 1}}, {"a": None}) == [("a", {"b": 1}, None)]


def test_many_differences_are_counted() -> None:
    assert shortly(["a", "b"]) == "a; b"
    assert shortly(list("abcdef")) == "a; b; c; d; and 2 more"


def test_records_in_lists_are_compared_one_by_one() -> None:
    then = {"bots": [{"score": 1.0, "interval": [0.5, 1.5]}, {"score": 2.0}]}
    now = {"bots": [{"score": 1.0, "interval": [0.5, 1.6]}, {"score": 2.5}]}
    assert differing(then, now) == [
        ("bots[0].interval", [0.5, 1.5], [0.5, 1.6]),
        ("bots[1].score", 2.0, 2.5),
    ]
    assert differing({"bots": []}, now) == [("bots", [], now["bots"])]


def test_a_change_is_one_line() -> None:
    assert describe_changes({"numpy": "2.0"}, {"numpy": "2.1"}) == ["numpy: 2.0 then, 2.1 now"]
    assert describe_changes({"bots": ["a"]}, {"bots": ["a"]}) == []
