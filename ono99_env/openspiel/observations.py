"""What a seat sees at one moment, without memory: a string, and the feature vector.

Both are made from the redacted record alone (`ono99_env.observation.views`), so two positions that
a bot of this package cannot tell apart have the same string.
"""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.records import counts_from_hand, counts_from_pile
from ono99_env.jit.types import State, States
from ono99_env.observation import OBSERVATION_SIZE, Views
from ono99_env.openspiel.events import card_names
from ono99_env.rules.cards import NUM_CARDS
from ono99_env.rules.rules import Rules

_NUMBERS = (
    "total",
    "plays_owed",
    "second_play",
    "ono99_played",
    "direction",
    "in_round",
    "in_match",
    "busted",
    "dealer",
    "last_player",
    "first_out",
    "round_number",
    "reshuffles",
    "plays",
    "top_discard",
    "phase",
)
"""Fields of the record that are public as they are."""

_NUMBERS_BY_SEAT = ("recent_plays", "chips", "points")


def observation_vector(rules: Rules, games: States, seat: int) -> NDArray[np.float32]:
    """Return the feature vector of one seat, shape (features,); zeros before the deal begins."""
    if games["num_players"][0] == 0:
        return np.zeros(OBSERVATION_SIZE, np.float32)
    vector: NDArray[np.float32] = Views.of(rules, games, np.array([seat])).observation[0]
    return vector


def observation_string(rules: Rules, games: States, seat: int) -> str:
    """Return what one seat sees: its hand, then `public_string` of its view."""
    if games["num_players"][0] == 0:
        return f"{seat}: the dealer is to be drawn"
    view = Views.of(rules, games, np.array([seat])).states[0]
    return view_string(view, seat)


def view_string(view: State, seat: int) -> str:
    """Return the observation string of a redacted record, as `Views.states` holds it."""
    return f"{seat} holds {_hand(view, seat)} {public_string(view)}"


def public_string(view: State) -> str:
    """Return what all seats see of a game or view, field by field; hands only if face up."""
    seats = range(view.num_players)
    fields = [f"{name} {view[name]}" for name in ("current_player", *_NUMBERS)]
    fields += [f"{name} {view[name][: len(seats)].tolist()}" for name in _NUMBERS_BY_SEAT]
    hands = counts_from_hand(view.hands).sum(axis=1) + view.hidden_cards
    fields.append(f"hands {hands[: len(seats)].tolist()}")
    shown = [seat for seat in seats if view.eliminated_face_up and not view.in_round >> seat & 1]
    fields += [f"seat {seat} shows {_hand(view, seat)}" for seat in shown]
    discarded = counts_from_pile(view.discard_pile)
    return " ".join([*fields, f"discarded {_cards(discarded)}"])


def hand_string(games: States, seat: int) -> str:
    """Return the hand of a seat by card names: ``"5,5,hold"``, or ``"-"`` for none."""
    return _hand(games[0], seat)


def _hand(state: State, seat: int) -> str:
    return _cards(counts_from_hand(state.hands[seat]))


def _cards(counts: NDArray[np.uint8]) -> str:
    return card_names(np.repeat(np.arange(NUM_CARDS), counts).tolist()) or "-"
