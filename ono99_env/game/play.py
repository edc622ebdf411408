"""`Play`: what one play was, for histories and records."""

from typing import NamedTuple

from ono99_env.rules.cards import Action, Card


class Play(NamedTuple):
    """One play: the decision, and what chance gave."""

    seat: int
    """Who acted."""
    action: Action
    """What was decided."""
    missed_draw: bool
    """Whether the replacement draw was missed (R20)."""
    drawn: tuple[Card, ...]
    """Every card dealt as a consequence, in order: replacements, then deals of next rounds."""
