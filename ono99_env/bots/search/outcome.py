"""The share of the win that a seat has after a round, or its chances if the match goes on.

Playing matches out would bury the few plays that a decision changes under the luck of rounds to
come. Instead, the standing after the round is turned into chances by a Luce model: the seats still
in the match win in proportion to their strengths.

- Chips: a seat that can afford to lose k rounds has strength 2**(k + 1) - 1. For two seats of which
  one is at its last round these are the exact chances if every round is a fair coin.
- Points: strength falls by a factor of e with every `POINTS_SCALE` times the root of the target in
  points, which is how lasting a lead is when the rounds to come are a random walk.

Both were checked against matches between copies of the playout policy: base 2 gives the likeliest
outcomes among bases from 1.5 to 2.3, and the scale is that of four players in either edition.
"""

import numpy as np

from ono99_env.engine import match, seats
from ono99_env.engine.records import CHIPS, SINGLE_ROUND
from ono99_env.jit.compile import compiled
from ono99_env.jit.types import RulesRecord, State, Whole

SHARE_UNIT = 1 << 16
"""Shares of a win are integers in units of 1/65536, so sums do not depend on their order."""

POINTS_SCALE = 1.5


@compiled
def share_of_win(state: State, rules: RulesRecord, seat: Whole) -> Whole:
    """Return what a seat has of the win after a round, or expects of it, 0 to `SHARE_UNIT`."""
    if not seats.is_among(seat, state.in_match):
        return np.int64(0)
    if match.is_over(state) or rules.format == SINGLE_ROUND:
        return SHARE_UNIT // seats.count_seats(state.in_match)
    others = 0.0
    for other in range(state.num_players):
        if other != seat and seats.is_among(other, state.in_match):
            others += relative_strength(state, rules, other, seat)
    return np.int64(SHARE_UNIT / (1.0 + others))


@compiled
def relative_strength(state: State, rules: RulesRecord, other: Whole, seat: Whole) -> float:
    """Return how many times stronger another seat stands in the match than a seat."""
    if rules.format == CHIPS:
        return float(
            (2.0 ** (state.chips[other] + 1) - 1.0) / (2.0 ** (state.chips[seat] + 1) - 1.0)
        )
    ahead = np.float64(state.points[seat]) - np.float64(state.points[other])
    return float(np.exp(ahead / (POINTS_SCALE * np.sqrt(rules.target_points))))
