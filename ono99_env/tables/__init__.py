"""Many tables at once, and the episodes of one learner at each of them."""

from ono99_env.tables.episodes import Episodes
from ono99_env.tables.shared_wins import win_shares
from ono99_env.tables.table_loop import BOT_TO_ACT, DONE, LEARNER, LEARNER_TO_ACT
from ono99_env.tables.tables import Tables

__all__ = [
    "BOT_TO_ACT",
    "DONE",
    "LEARNER",
    "LEARNER_TO_ACT",
    "Episodes",
    "Tables",
    "win_shares",
]
