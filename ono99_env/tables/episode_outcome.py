"""The learner's part in a game, as records, and how the end of the game is written to them."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import batch, match, seats
from ono99_env.engine.records import TRUNCATED
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.types import Episode, Roster, State, Whole

OUTCOME = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Seat of the winner; -1 if several share the win, or if the game goes on.
                ("winner", "i8"),
                # 1 for who wins or shares the win; who is out comes behind all who are still in,
                # and behind those with fewer points who left at the same moment (R19).
                ("place", "i8"),
                # How many actions the learner took.
                ("length", "i8"),
                # The learner's seat.
                ("seat", "i8"),
            ],
            align=True,
        ),
    )
)
"""How the game ended for the learner."""

OUTCOME_NAMES = tuple(OUTCOME.names or ())
"""The fields of `OUTCOME`: the entries that an ended episode's info has besides the mask."""

EPISODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Counter of the random numbers that new games at this table are drawn with.
                ("counter", "u8"),
                # What the last step brought: 0 while the episode runs.
                ("reward", "f4"),
                ("learner_seat", "i2"),
                # The last step ended the episode: the learner is out, or the game is over.
                ("terminated", "?"),
                # The last step ended it: the game was cut short with the learner in it (R22).
                ("truncated", "?"),
                # How many actions the learner has taken in this episode.
                ("length", "i8"),
                # How the last episode at this table ended.
                ("outcome", OUTCOME),
            ],
            align=True,
        ),
    )
)
"""The learner's part in the game at a table. There are no gaps: equal records are equal bytes."""


@compiled
def write_outcome(
    state: State, roster: Roster, episode: Episode, returns: NDArray[np.float64]
) -> None:
    """Write what an episode that has ended brought; `returns` is scratch, shape (8,)."""
    seat = np.int64(episode.learner_seat)
    batch.write_returns(state, returns)
    episode.reward = returns[seat]
    is_in_match = seats.is_among(seat, state.in_match)
    episode.truncated = state.phase == TRUNCATED and is_in_match
    episode.terminated = not episode.truncated
    outcome = episode.outcome
    outcome.winner = match.only_winner(state)
    outcome.place = 1 if is_in_match else place_of_leaver(state, roster, seat)
    outcome.length, outcome.seat = episode.length, seat


@inlined
def place_of_leaver(state: State, roster: Roster, seat: Whole) -> Whole:
    """Return the place of a seat that has left the match: 1 + how many seats are before it."""
    survivors = np.int64(roster.survivors[seat])
    place = survivors + 1
    for other in range(state.num_players):
        left_with_it = np.int64(roster.survivors[other]) == survivors
        place += np.int64(left_with_it and state.points[other] < state.points[seat])
    return place
