"""How the game ends for each seat of the AEC environment: what an agent's last info says."""

from ono99_env.engine.records import NOBODY, WON
from ono99_env.jit.types import States
from ono99_env.rules.cards import MAX_PLAYERS


class SeatOutcomes:
    """Counts the actions of the seats of one game, and notes their places as they leave it.

    Args:
        games: The game, an array of length 1: its fields are read from it, which takes a tenth of
            the time that those of a record do.
    """

    def __init__(self, games: States) -> None:
        self.lengths: list[int] = [0] * MAX_PLAYERS
        """How many actions each seat has taken."""
        self._games = games
        self._places = [1] * MAX_PLAYERS
        self._in_match = 0

    def begin(self) -> None:
        """Begin at a position, maybe a saved one: who is out there left at the same moment."""
        self.lengths = [0] * MAX_PLAYERS
        self._places = [1] * MAX_PLAYERS
        self._in_match = (1 << int(self._games["num_players"][0])) - 1
        self.note_leaving()

    def note_leaving(self) -> None:
        """Note the places of the seats that have left the match since this was called last.

        They come behind all who are still in, and among themselves fewer points come first.
        """
        in_match = int(self._games["in_match"][0])
        left, self._in_match = self._in_match & ~in_match, in_match
        if not left:
            return
        points = self._games["points"][0].tolist()
        leavers = [seat for seat in range(MAX_PLAYERS) if left >> seat & 1]
        for seat in leavers:
            before = [other for other in leavers if points[other] < points[seat]]
            self._places[seat] = 1 + in_match.bit_count() + len(before)

    def info_of(self, seat: int) -> dict[str, int]:
        """Return the entries that the last info of a seat has besides the mask; see `OUTCOME`."""
        has_one_winner = self._games["phase"][0] == WON and self._in_match.bit_count() == 1
        return {
            "winner": self._in_match.bit_length() - 1 if has_one_winner else NOBODY,
            "place": self._places[seat],
            "length": self.lengths[seat],
            "seat": seat,
        }
