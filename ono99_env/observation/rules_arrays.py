"""The arrays of rules that compiled functions take, remembered for the object that holds the rules.

`rules_array` and `scales_array` find theirs by the values of all fields, which takes 1 µs, or 40 µs
for an equal copy of the rules. That is too long where a bot is asked for one decision.
"""

from typing import NamedTuple

from ono99_env.engine.records import rules_array
from ono99_env.jit.types import RulesArray, ScalesArray
from ono99_env.observation.scales import scales_array
from ono99_env.rules.rules import Rules

_MOST_REMEMBERED = 256
"""Objects that are remembered at most."""


class RulesArrays(NamedTuple):
    """Rules, and their arrays, which nobody may write to or give to a bot."""

    rules: Rules
    """Kept, so that no other object can have its identity."""
    rules_array: RulesArray
    scales_array: ScalesArray


_remembered: dict[int, RulesArrays] = {}
"""By the identity of the rules."""


def arrays_of(rules: Rules) -> RulesArrays:
    """Return the arrays of rules, as `rules_array` and `scales_array` give them."""
    found = _remembered.get(id(rules))
    if found is None:
        if len(_remembered) >= _MOST_REMEMBERED:
            _remembered.clear()
        found = RulesArrays(rules, rules_array(rules), scales_array(rules))
        _remembered[id(rules)] = found
    return found
