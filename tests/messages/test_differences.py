"""What differs between two records is told by its place, and shortly."""

from ono99_env import Rules
from ono99_env.messages.differences import differing, shortly


def test_only_what_differs_is_told_however_deep_it_lies() -> None:
    rules = Rules.preset("2022")
    other = Rules.preset("2022", hand_size=3, deck={**rules.deck, "9": 7, "0": 0})
    found = differing({"rules": rules.model_dump()}, {"rules": other.model_dump()})
    assert found == [
        *(("rules.deck.0", 8, None), ("rules.deck.9", 6, 7)),
        ("rules.hand_size", 4, 3),
    ]
    assert differing({"a": {"b": 1}}, {"a": {"b": 1}}) == []
    assert differing({"a": {"b": 1}}, {"a": None}) == [("a", {"b": 1}, None)]


def test_many_differences_are_counted() -> None:
    assert shortly(["a", "b"]) == "a; b"
    assert shortly(list("abcdef")) == "a; b; c; d; and 2 more"
