"""Bots that are compiled with the engine, so whole games run without a return to Python.

To add one, write its ``choose`` function in a file of its own and enter it in
`CompiledBot.DESCRIPTIONS` and in `choose_with_care`, or in `choose` if a `Turn` is not enough.
"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.bots.scripted.counter import choose_counter
from ono99_env.bots.scripted.highest import choose_highest
from ono99_env.bots.scripted.hoarder import choose_hoarder
from ono99_env.bots.scripted.lowest import choose_lowest
from ono99_env.bots.scripted.random import choose_random
from ono99_env.bots.scripted.situation import Turn, turn_of
from ono99_env.bots.scripted.smooth import choose_smooth
from ono99_env.bots.scripted.tiers import choose_tiers
from ono99_env.engine import generator
from ono99_env.engine.records import STATE
from ono99_env.jit.compile import as_argument, called_from_python, compiled, inlined
from ono99_env.jit.types import RulesArray, RulesRecord, State, States, Whole, Word
from ono99_env.observation.views import Views

RANDOM, HIGHEST, LOWEST, HOARDER, TIERS, SMOOTH, COUNTER = range(7)


@compiled
def choose(number: Whole, view: State, rules: RulesRecord, random: Word) -> Whole:
    """Choose the action of a compiled bot for the seat to act.

    Args:
        number: Which bot, by its place in `CompiledBot.NAMES`.
        view: The redacted record of the seat to act.
        rules: The rules of the game.
        random: A random word of the bot's own.
    """
    if needs_view(number):
        return choose_counter(view, rules, random)
    return choose_by_turn(number, turn_of(view), rules, random)


@inlined
def needs_view(number: Whole) -> bool:
    """Return whether a compiled bot looks at more of its redacted record than at its turn."""
    return bool(number == COUNTER)


@inlined
def choose_by_turn(number: Whole, turn: Turn, rules: RulesRecord, random: Word) -> Whole:
    """Choose the action of a compiled bot that does not need a view; see `choose`."""
    if number == RANDOM:
        return choose_random(turn, rules, random)
    return choose_with_care(number, turn, rules, random)


@compiled
def choose_with_care(number: Whole, turn: Turn, rules: RulesRecord, random: Word) -> Whole:
    """Do as `choose_by_turn` for all bots but `random`, which chooses as fast as a call."""
    if number == HIGHEST:
        return choose_highest(turn, rules, random)
    if number == LOWEST:
        return choose_lowest(turn, rules, random)
    if number == HOARDER:
        return choose_hoarder(turn, rules, random)
    if number == TIERS:
        return choose_tiers(turn, rules, random)
    return choose_smooth(turn, rules, random)


@called_from_python
def choose_batch(
    number: Whole, views: States, rules: RulesArray, seed: Word, actions: NDArray[np.int64]
) -> None:
    """Write the action of a compiled bot for every view."""
    counter = generator.seeded(np.uint64(seed))
    for index in range(len(views)):
        counter = generator.advance(counter)
        actions[index] = choose(number, views[index], rules[0], generator.scramble(counter))


class CompiledBot(Bot):
    """A bot whose policy is a compiled function.

    Args:
        name: One of `CompiledBot.NAMES`.

    Raises:
        ValueError: If there is no compiled bot of that name.
    """

    DESCRIPTIONS: ClassVar[dict[str, str]] = {
        "random": "every legal action equally often",
        "highest": "dumps its highest number, keeps the helpers",
        "lowest": "plays its lowest number; a weak baseline",
        "hoarder": "dumps high numbers, and knows what to spend when",
        "tiers": "plays by how near the limit is; spends helpers too soon",
        "smooth": "blends calm and danger by a tuned score",
        "counter": "counts cards, and weighs who will be stuck next",
    }
    """One line about each compiled bot, in the order of their numbers."""
    NAMES: ClassVar[tuple[str, ...]] = tuple(DESCRIPTIONS)

    def __init__(self, name: str) -> None:
        if name not in self.NAMES:
            raise ValueError(f"no compiled bot {name!r}; there are: {', '.join(self.NAMES)}")
        self.name = name
        self.description: str = self.DESCRIPTIONS[name]
        self.number: int = self.NAMES.index(name)
        """The bot's place in `NAMES`, by which compiled code knows it."""

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`."""
        actions = np.empty(len(views), np.int64)
        seed = rng.integers(2**64, dtype=np.uint64)
        states = as_argument(views.states, STATE)
        choose_batch(self.number, states, views.rules_array, seed, actions)
        return actions


def is_compiled(bot: Bot) -> bool:
    """Return whether compiled code may play for a bot, without asking its `Bot.act`."""
    return isinstance(bot, CompiledBot) and type(bot).act is CompiledBot.act
