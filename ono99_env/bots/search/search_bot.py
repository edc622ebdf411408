"""The bot `search`, with its budget and its threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.bots.search.batches import decide_batch
from ono99_env.bots.search.threaded_search import SharedDecision
from ono99_env.engine.records import STATE
from ono99_env.jit.compile import as_argument
from ono99_env.jit.types import RulesArray, States
from ono99_env.observation.views import Views

DEFAULT_SIMULATIONS = 1000

_MOST_PLAYOUTS = 20_000
"""Playouts per compiled call, so that Ctrl-C stops it within a second."""


class SearchBot(Bot):
    """Plays by simulation: deals the unseen cards at random, plays the round out, compares.

    It uses only its view and the rules; `ono99_env.bots.search.halving` shares out the playouts.
    With one legal action it does not search.

    Args:
        simulations: Playouts for each decision; 1000 if no budget is given. The decision then
            follows from the view and the generator given to `act`, for any number of threads.
        milliseconds: Time for each decision, instead of `simulations`; the decision then depends on
            the machine.
        threads: How many threads search.

    Raises:
        ValueError: If an argument is not positive, or both budgets are given.
    """

    description = "deals the unseen cards at random, plays on, compares"

    def __init__(
        self,
        simulations: int | None = None,
        milliseconds: int | None = None,
        threads: int = 1,
    ) -> None:
        if simulations is not None and milliseconds is not None:
            raise ValueError("search takes simulations or milliseconds, not both")
        given = {"simulations": simulations, "milliseconds": milliseconds, "threads": threads}
        for name, value in given.items():
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")
        self.milliseconds = milliseconds
        self.simulations: int | None = None if milliseconds else simulations or DEFAULT_SIMULATIONS
        self.threads = threads
        budget = f"milliseconds={milliseconds}" if milliseconds else f"simulations={simulations}"
        self.name: str = f"search:{budget}" if simulations or milliseconds else "search"

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`."""
        rules = views.rules_array
        seeds = rng.integers(2**64, size=len(views), dtype=np.uint64)
        states, actions = as_argument(views.states, STATE), np.empty(len(views), np.int64)
        with ThreadPoolExecutor(self.threads) as executor:
            is_short = self.simulations is not None and self.simulations <= _MOST_PLAYOUTS
            if is_short and len(views) >= self.threads:
                self._share_views(states, rules, seeds, actions, executor)
            else:
                for index in range(len(views)):
                    view = states[index : index + 1]
                    decision = SharedDecision(view, rules, seeds[index], self.threads, executor)
                    actions[index] = self._decide(decision)
        return actions

    def _share_views(
        self,
        states: States,
        rules: RulesArray,
        seeds: NDArray[np.uint64],
        actions: NDArray[np.int64],
        executor: ThreadPoolExecutor,
    ) -> None:
        """Let every thread decide in a part of the views; `actions` is written to."""
        assert self.simulations is not None
        size = -(-len(states) // self.threads)
        size = max(1, min(size, _MOST_PLAYOUTS // self.simulations))
        tasks = []
        for first in range(0, len(states), size):
            part = slice(first, first + size)
            arguments = (states[part], rules, seeds[part], self.simulations, actions[part])
            tasks.append(executor.submit(decide_batch, *arguments))
        try:
            for task in tasks:
                task.result()
        finally:
            for task in tasks:
                task.cancel()

    def _decide(self, decision: SharedDecision) -> int:
        """Spend the budget on one decision."""
        if self.simulations is not None:
            return decision.by_simulations(self.simulations)
        assert self.milliseconds is not None
        return decision.by_time(self.milliseconds / 1000)
