"""A state with an identity that was damaged or written by hand is refused in one sentence."""

import pytest

from ono99_env.arena import Arena


def new_arena() -> Arena:
    return Arena(["highest", "random"], players=2, games=200, seed=4)


@pytest.mark.parametrize("part", ["setup", "versions"])
@pytest.mark.parametrize("value", [None, 3, [], {}, "text"])
def test_an_identity_with_a_part_that_is_no_mapping_is_of_another_tournament(tmp_path, part, value):
    arena, state = new_arena(), tmp_path / "state"
    identity = {name: kept for name, kept in arena.identity.items() if name != part}
    arena.tally.save(state, identity if value is None else {**identity, part: value})
    with pytest.raises(ValueError, match="is the state of another tournament: ") as caught:
        new_arena().resume(state)
    assert "\n" not in str(caught.value)
