"""Crafted positions, and one way to play them with the engine and with the reference.

Cards are written as names separated by blanks, ``"play_two 10 10 ono99"``.
"""

import copy
from collections import Counter

from ono99_env import Action, Game, Rules
from tests.reference import ReferenceGame


def cards(names: str) -> dict[str, int]:
    """Count the cards of a text, ``"10 10 hold"``."""
    return dict(Counter(names.split()))


def position(rules: Rules, hands: list[str], draw_pile: str | None = None, **keys: object) -> dict:
    """Write the snapshot of a position in the middle of a first round.

    Args:
        rules: Rules of the game.
        hands: The cards of each seat.
        draw_pile: Cards still to be drawn; the rest of the deck is then on the discard pile.
            Without it the rest of the deck is still to be drawn.
        **keys: Other keys of the snapshot or of its history, to replace the defaults: seat 0 to
            play one card at total 0, everybody in the round, the last seat the dealer.

    Returns:
        A snapshot in which all cards of the deck are conserved.
    """
    snapshot = Game(rules, seed=0).snapshot()
    snapshot.update(blank(rules.num_players, snapshot["rules"]["chips"]))
    snapshot["hands"] = [cards(hand) for hand in hands]
    rest = Counter(snapshot["rules"]["deck"])
    for hand in snapshot["hands"]:
        rest.subtract(hand)
    drawable = rest if draw_pile is None else Counter(cards(draw_pile))
    discarded = Counter(rest)
    discarded.subtract(drawable)
    assert min([*drawable.values(), *discarded.values()]) >= 0, "more cards than the deck has"
    snapshot["draw_pile"] = dict(+drawable)
    snapshot["discard_pile"] = dict(+discarded)
    for name, value in keys.items():
        part = snapshot["history"] if name in snapshot["history"] else snapshot
        assert name in part, f"no key {name}"
        part[name] = value
    return snapshot


def blank(players: int, chips: int) -> dict:
    """Everything of a snapshot but cards, rules and generator, for a first round just begun."""
    return {
        "total": 0,
        "direction": 1,
        "dealer": players - 1,
        "current_player": 0,
        "plays_owed": 1,
        "second_play": False,
        "ono99_played_this_turn": False,
        "eliminated": [False] * players,
        "last_player": None,
        "round": 1,
        "chips": [chips] * players,
        "points": [0] * players,
        "is_over": False,
        "winners": [],
        "returns": [0.0] * players,
        "history": {
            "busted": [False] * players,
            "first_out": None,
            "plays": 0,
            "reshuffles": 0,
            "top_discard": None,
            "recent_plays": [[] for _ in range(players)],
            "truncated": False,
        },
    }


def deal(hands: list[str], first: int = 0) -> str:
    """Put hands in the order in which they are dealt, one card at a time to each seat.

    Args:
        hands: The cards of each seat; an empty text for a seat that is out of the match.
        first: The seat that gets the first card (on the dealer's left).
    """
    in_order = [hand.split() for hand in [*hands[first:], *hands[:first]] if hand]
    return " ".join(card for one_each in zip(*in_order, strict=True) for card in one_each)


class Table:
    """A position that can be played, by the engine or by the reference."""

    def __init__(self, snapshot: dict) -> None:
        """Set up a position."""
        raise NotImplementedError

    @property
    def legal(self) -> list[str]:
        """Labels of the legal actions."""
        raise NotImplementedError

    def play(self, action: str, draws: str = "", missed: bool = False) -> None:
        """Play an action; ``draws`` are exactly the cards dealt as a consequence."""
        raise NotImplementedError

    def snapshot(self) -> dict:
        """The whole position."""
        raise NotImplementedError

    def __getitem__(self, key: str) -> object:
        """A value of the snapshot or of its history."""
        snapshot = self.snapshot()
        return snapshot[key] if key in snapshot else snapshot["history"][key]

    @property
    def turn(self) -> tuple[int | None, int]:
        """Who is to play, and how many cards they owe."""
        snapshot = self.snapshot()
        return snapshot["current_player"], snapshot["plays_owed"]

    @property
    def hands(self) -> list[dict[str, int]]:
        """The hands by seat, counted."""
        return self.snapshot()["hands"]


class EngineTable(Table):
    """A position played through ``Game``."""

    def __init__(self, snapshot: dict) -> None:
        """Set up a position."""
        self.game = Game.from_snapshot(copy.deepcopy(snapshot))

    @property
    def legal(self) -> list[str]:
        """Labels of the legal actions."""
        return [action.label for action in self.game.legal_actions()]

    def play(self, action: str, draws: str = "", missed: bool = False) -> None:
        """Play an action; ``draws`` are exactly the cards dealt as a consequence."""
        seat = self.game.current_player
        record = self.game.play(Action.from_label(action), missed_draw=missed, draws=draws.split())
        assert (record.seat, record.action.label, record.missed_draw) == (seat, action, missed)
        assert [card.label for card in record.drawn] == draws.split()

    def snapshot(self) -> dict:
        """The whole position."""
        return self.game.snapshot()


class ReferenceTable(Table):
    """A position played through the reference."""

    def __init__(self, snapshot: dict) -> None:
        """Set up a position."""
        self.game = ReferenceGame.from_snapshot(snapshot)

    @property
    def legal(self) -> list[str]:
        """Labels of the legal actions."""
        return self.game.legal_actions()

    def play(self, action: str, draws: str = "", missed: bool = False) -> None:
        """Play an action; ``draws`` are exactly the cards dealt as a consequence."""
        self.game.play(action, missed, draws.split())

    def snapshot(self) -> dict:
        """The whole position."""
        return self.game.snapshot()
