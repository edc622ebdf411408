"""The reference game as an object, with the chance given by the caller."""

import copy
from collections.abc import Sequence

from tests.reference import rounds, turns
from tests.reference.cards import DISCARD_FOUR
from tests.reference.legality import keeps_limit, legal_actions


class ReferenceGame:
    """One game by the reference rules.

    Attributes:
        state: The game, shaped like ``Game.snapshot()`` without ``rng``.
    """

    def __init__(self, rules: dict, dealer: int, draws: Sequence[str]) -> None:
        """Deal the first round.

        Args:
            rules: The rules as in ``snapshot["rules"]``.
            dealer: Seat of the first dealer.
            draws: Names of all cards dealt, in order; more than one round if players are out at
                once.

        Raises:
            AssertionError: Too many or too few draws, or one that is not in the draw pile.
        """
        everybody = range(rules["num_players"])
        self.state: dict = {
            "rules": rules,
            "chips": [rules["chips"] for _ in everybody],
            "points": [0 for _ in everybody],
            "round": 0,
            "is_over": False,
            "winners": [],
            "returns": [0.0 for _ in everybody],
        }
        queue = list(draws)
        rounds.new_round(self.state, list(everybody), dealer, queue)
        assert not queue, f"draws left over: {queue}"
        rounds.settle(self.state)

    @classmethod
    def from_snapshot(cls, snapshot: dict) -> "ReferenceGame":
        """Set up any position given as a snapshot with its ``history``."""
        game = cls.__new__(cls)
        game.state = copy.deepcopy(snapshot)
        game.state.pop("rng", None)
        return game

    def legal_actions(self) -> list[str]:
        """Labels of the legal actions in the order of their ids; empty when the game is over."""
        if self.state["is_over"]:
            return []
        return legal_actions(self.state, self.state["current_player"])

    def play(self, action: str, missed_draw: bool, draws: Sequence[str]) -> None:
        """Carry out an action of the current player.

        Args:
            action: Label of the action.
            missed_draw: Whether the replacement cards of this play are lost (R20).
            draws: Names of all cards dealt as a consequence, in order.

        Raises:
            AssertionError: An illegal action, too many or too few draws, or one that is not in the
                draw pile.
        """
        assert action in self.legal_actions(), f"illegal: {action}"
        queue = list(draws)
        self.state["history"]["plays"] += 1
        if action == DISCARD_FOUR:
            turns.discard_four(self.state, missed_draw, queue)
        elif keeps_limit(self.state, action):
            turns.play_card(self.state, action, missed_draw, queue)
        else:
            turns.bust(self.state, action, missed_draw, queue)
        assert not queue, f"draws left over: {queue}"
        rounds.truncate(self.state)
        rounds.settle(self.state)

    def snapshot(self) -> dict:
        """A copy of the whole position."""
        return copy.deepcopy(self.state)
