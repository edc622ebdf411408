"""`random`: every legal action with equal probability, the baseline of all baselines."""

from ono99_env.engine import generator, legal
from ono99_env.engine.compile import compiled
from ono99_env.engine.types import RulesRecord, State, Whole, Word


@compiled
def choose_random(view: State, rules: RulesRecord, random: Word) -> Whole:
    """Choose uniformly among the legal actions."""
    return legal.nth_legal_action(view, generator.below(random, legal.num_legal_actions(view)))
