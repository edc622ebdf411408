"""Options after a bot's name are read by their types, and refused by name."""

from typing import Literal

import numpy as np
import pytest

from ono99_env import Bot, Views
from ono99_env.bots import loader
from ono99_env.bots.options import make_bot
from ono99_env.bots.registry import NAMED_BOTS, NamedBot


class Thinker(Bot):
    """A bot with options of every type."""

    def __init__(
        self,
        depth: int = 1,
        *,
        share: float = 0.5,
        loud: bool = False,
        style="plain",
        limit: int | None = None,
        size: Literal["small", "big"] = "small",
    ) -> None:
        if depth < 1:
            raise ValueError("depth must be at least 1")
        self.options = (depth, share, loud, style, limit, size)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return views.action_mask.argmax(axis=1)


def test_options_are_read_by_their_types():
    assert make_bot(Thinker, "", "thinker").options == (1, 0.5, False, "plain", None, "small")
    text = "depth=3,share=0.25, loud=yes ,style=bold,limit=7,size=big"
    assert make_bot(Thinker, text, "thinker").options == (3, 0.25, True, "bold", 7, "big")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("deph=3", r"no option 'deph'; did you mean 'depth'\?"),
        ("depth=many", "option 'depth' of bot 'thinker' must be a whole number, not 'many'"),
        ("share=half", "option 'share' of bot 'thinker' must be a number, not 'half'"),
        ("loud=perhaps", "option 'loud' of bot 'thinker' must be true or false, not 'perhaps'"),
        ("limit=1.5", "option 'limit' of bot 'thinker' must be a whole number"),
        ("depth", "option 'depth' of bot 'thinker' needs a value: 'depth=...'"),
        ("depth=1,depth=2", "option 'depth' of bot 'thinker' is given twice"),
        ("xyz=red", "no option 'xyz'; its options are: depth, share, loud"),
        ("depth=1,", "has no option ''"),
        ("size=large", "option 'size' of bot 'thinker' must be 'small' or 'big', not 'large'"),
        ("depth=0", "'thinker' could not be made: ValueError: depth must be at least 1"),
    ],
)  # fmt: skip
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        make_bot(Thinker, options, "thinker")


def test_a_named_bot_takes_options_and_keeps_its_spelling(monkeypatch):
    monkeypatch.setitem(NAMED_BOTS, "thinker", NamedBot(Thinker, "thinks"))
    bot = loader.load_bot("thinker:depth=4")
    assert bot.options[0] == 4
    assert bot.name == "thinker:depth=4"
    with pytest.raises(ValueError, match="'thinker' has no option 'width'"):
        loader.load_bot("thinker:width=4")
