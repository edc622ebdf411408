"""The records of `Episodes`: the learner's part at a table, and what new games are drawn from."""

import numpy as np

ANY_SEAT = -1
"""In place of the learner's seat: one is drawn for each game."""

MOST_COUNTS = 64
"""Player counts, repeated ones too, that games may be drawn from."""

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
            ],
            align=True,
        ),
    )
)
"""The learner's part in the game at a table. There are no gaps: saved bytes are equal if the fields
are."""

SETUP = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Player counts to draw from, the first `num_counts` of them.
                ("player_counts", "i8", (MOST_COUNTS,)),
                ("num_counts", "i8"),
                # The learner's seat, or `ANY_SEAT`.
                ("learner_seat", "i8"),
                # How many bots may hold the other seats.
                ("num_bots", "i8"),
            ],
            align=True,
        ),
    )
)
"""What new games are drawn from."""
