"""`random`: every legal action with equal probability, the baseline of all baselines."""

from ono99_env.bots.scripted.situation import Turn
from ono99_env.engine import generator, legal
from ono99_env.jit.compile import inlined
from ono99_env.jit.types import RulesRecord, Whole, Word


@inlined
def choose_random(turn: Turn, rules: RulesRecord, random: Word) -> Whole:
    """Choose uniformly among the legal actions."""
    return legal.nth_legal_action(turn, generator.below(random, legal.num_legal_actions(turn)))
