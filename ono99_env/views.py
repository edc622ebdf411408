"""What one seat may know: the redacted record, the observation vector and the action mask.

`redact` returns a record of the same type as the game, in which the hands that a seat cannot see are
folded into the draw pile (their sizes kept in ``hidden_cards``), and the random generator is
removed. Everything else that a seat gets is computed from that record, so nothing can leak.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.cards import NUM_ACTIONS, Action, Card
from ono99_env.engine import seats, words
from ono99_env.engine.compile import compiled, entry_point, inlined
from ono99_env.engine.state import BUST_FLAG, STATE
from ono99_env.engine.state import rules_array as make_rules_array
from ono99_env.engine.types import Pile, RulesArray, RulesRecord, State, States, Whole, Word
from ono99_env.features import (
    FEATURES,
    HEADROOM_SIZE,
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    PLAY_SIZE,
    SHOWN_PLAYS,
    SLOT_SIZE,
    Feature,
)
from ono99_env.rules import Rules

if TYPE_CHECKING:
    from ono99_env.game import Game

__all__ = ["FEATURES", "OBSERVATION_SIZE", "OBSERVATION_VERSION", "Feature", "Views", "redact"]

_NO_CARDS = np.uint64(0)
_NUM_CARDS = len(Card)
_NUM_ACTIONS = int(NUM_ACTIONS)
_ONO99 = int(Card.ONO99)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_FOUR_BITS = np.uint64(0xF)
_EIGHT_BITS = np.uint64(0xFF)
_ONE = np.float32(1.0)
_PER_ROUND = np.float32(1 / 50)
_PER_RESHUFFLE = np.float32(1 / 10)

_HAND = FEATURES["hand"].start
_LEGAL = FEATURES["legal"].start
_TOTAL = FEATURES["total"].start
_HEADROOM = FEATURES["headroom"].start
_TURN = FEATURES["turn"].start
_DIRECTION = FEATURES["direction"].start
_NUM_PLAYERS = FEATURES["num_players"].start
_PLAYERS_LEFT = FEATURES["players_left"].start
_FORMAT = FEATURES["format"].start
_PROGRESS = FEATURES["progress"].start
_PILE_SIZES = FEATURES["pile_sizes"].start
_DISCARDED = FEATURES["discarded"].start
_UNSEEN = FEATURES["unseen"].start
_SEATS = FEATURES["seats"].start
_FACE_UP = FEATURES["face_up_hands"].start
_RECENT = FEATURES["recent_plays"].start



@dataclass(frozen=True)
class Views:
    """What a batch of seats may know, each of its own game: all that a bot gets.

    Build it with `Views.of`, which redacts.
    """

    rules: Rules
    """The rules of all the games (`states` may say other numbers of players)."""
    states: States
    """Redacted records, shape (batch,), dtype `ono99_env.engine.state.STATE`."""
    seats: NDArray[np.int64]
    """The observing seat in each game, shape (batch,)."""

    @classmethod
    def of(cls, rules: Rules, games: States, observers: NDArray[np.int64]) -> "Views":
        """What each observer may know of its game.

        Args:
            rules: The rules of all the games.
            games: Full records, shape (batch,).
            observers: A seat in each game, shape (batch,).
        """
        views = np.zeros(len(games), STATE)
        redact_games(games, make_rules_array(rules), observers, views)
        return cls(rules, views, observers)

    @classmethod
    def of_game(cls, game: "Game", seat: int | None = None) -> "Views":
        """What one seat may know of a game, as a batch of one.

        Args:
            game: A game.
            seat: The observer; default: the player to act.

        Raises:
            ValueError: If no seat is given and nobody is to act.
        """
        seat = game.current_player if seat is None else seat
        if seat is None:
            raise ValueError("the game is over, nobody is to act; name a seat")
        return cls.of(game.rules, game.games, np.array([seat]))

    def __len__(self) -> int:
        """How many views the batch holds."""
        return len(self.states)

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """Feature vectors, shape (batch, `OBSERVATION_SIZE`), in [-1, 1]."""
        vectors = np.empty((len(self), OBSERVATION_SIZE), np.float32)
        observe_views(self.states, make_rules_array(self.rules), self.seats, vectors)
        return vectors

    @cached_property
    def action_mask(self) -> NDArray[np.bool_]:
        """Legal actions, shape (batch, 17); all false for a seat that is not to act."""
        masks = np.empty((len(self), NUM_ACTIONS), np.int8)
        mask_views(self.states, masks)
        return masks.astype(np.bool_)


def redact(rules: Rules, games: States, seat: int) -> States:
    """What one seat may know of one game, as a record.

    Args:
        rules: The rules of the game.
        games: A length-1 array of the game's full record.
        seat: The observer.

    Returns:
        A length-1 array with the redacted record.
    """
    return Views.of(rules, games, np.array([seat])).states


@entry_point
def redact_games(
    games: States, rules: RulesArray, observers: NDArray[np.int64], views: States
) -> None:
    """Redact every game of a batch for its observer."""
    for index in range(len(games)):
        views[index] = games[index]
        hide(views[index], rules[0], observers[index])


@entry_point
def observe_views(
    views: States, rules: RulesArray, observers: NDArray[np.int64], vectors: NDArray[np.float32]
) -> None:
    """Write the observation vector of every redacted record; shape (views, `OBSERVATION_SIZE`)."""
    for index in range(len(views)):
        observe(views[index], rules[0], observers[index], vectors[index])


@entry_point
def mask_views(views: States, masks: NDArray[np.int8]) -> None:
    """Write the action mask of every redacted record; shape (views, 17)."""
    for index in range(len(views)):
        write_mask(views[index], masks[index])


@compiled
def write_view(
    copy: State,
    rules: RulesRecord,
    observer: Whole,
    vector: NDArray[np.float32],
    mask: NDArray[np.int8],
) -> None:
    """Redact a copy of a game's record for the observer; write the observation and the mask."""
    hide(copy, rules, observer)
    observe(copy, rules, observer, vector)
    write_mask(copy, mask)


@compiled
def hide(view: State, rules: RulesRecord, observer: Whole) -> None:
    """R21: fold what the observer cannot see into the draw pile of a copied record."""
    view.random_counter = _NO_CARDS
    for seat in range(view.num_players):
        is_out = (np.int64(view.in_round) & seats.seat_bit(seat)) == 0
        if seat == observer or (is_out and rules.eliminated_face_up):
            continue
        hand = view.hands[seat]
        words.add_hand_to_pile(view.draw_pile, hand)
        view.hidden_cards[seat] += words.hand_size(hand)
        view.hands[seat] = _NO_CARDS
    if view.current_player != observer:
        view.legal_plays = _NO_CARDS
        view.may_discard_four = 0


@compiled
def write_mask(view: State, mask: NDArray[np.int8]) -> None:
    """Write the legal actions of the observer; all zeros if it is not to act."""
    legal_plays = view.legal_plays
    for card in range(_NUM_CARDS):
        mask[card] = (legal_plays >> np.uint64(4 * card)) & _FOUR_BITS
    mask[_DISCARD_FOUR] = view.may_discard_four


@compiled
def observe(
    view: State, rules: RulesRecord, observer: Whole, vector: NDArray[np.float32]
) -> None:
    """Write the whole observation vector from a redacted record."""
    vector[:] = 0.0
    write_own_cards(view, rules, observer, vector)
    write_turn(view, rules, vector)
    write_table(view, rules, vector)
    write_piles(view, rules, vector)
    write_slots(view, rules, observer, vector)


@compiled
def write_own_cards(
    view: State, rules: RulesRecord, observer: Whole, vector: NDArray[np.float32]
) -> None:
    """Features ``hand`` and ``legal``."""
    write_hand(view.hands[observer], rules.per_hand_card, _HAND, vector)
    write_hand(view.legal_plays, np.float32(1.0), _LEGAL, vector)
    vector[_LEGAL + _DISCARD_FOUR] = view.may_discard_four


@compiled
def write_turn(view: State, rules: RulesRecord, vector: NDArray[np.float32]) -> None:
    """Features ``total``, ``headroom``, ``turn`` and ``direction``."""
    total = np.int64(view.total)
    headroom = np.int64(rules.highest_total) - total
    vector[_TOTAL] = max(-_ONE, min(_ONE, np.float32(total) * rules.per_total))
    if headroom >= 0:
        vector[_HEADROOM + min(headroom, HEADROOM_SIZE - 1)] = 1.0
    vector[_TURN] = view.plays_owed == 2
    vector[_TURN + 1] = view.second_play
    vector[_TURN + 2] = view.ono99_played
    vector[_DIRECTION] = view.direction


@compiled
def write_table(view: State, rules: RulesRecord, vector: NDArray[np.float32]) -> None:
    """Features ``num_players``, ``players_left``, ``format`` and ``progress``."""
    vector[_NUM_PLAYERS + view.num_players - 2] = 1.0
    vector[_PLAYERS_LEFT + view.players_left - 1] = 1.0
    vector[_FORMAT + rules.format] = 1.0
    vector[_PROGRESS] = min(_ONE, np.float32(view.round_number) * _PER_ROUND)
    vector[_PROGRESS + 1] = min(_ONE, np.float32(view.reshuffles) * _PER_RESHUFFLE)
    vector[_PROGRESS + 2] = min(_ONE, np.float32(view.plays) * rules.per_play)


@compiled
def write_piles(view: State, rules: RulesRecord, vector: NDArray[np.float32]) -> None:
    """Features ``pile_sizes``, ``discarded`` and ``unseen``."""
    deck_size = np.float32(words.pile_size(rules.deck))
    hidden = np.int64(0)
    for seat in range(view.num_players):
        hidden += np.int64(view.hidden_cards[seat])
    vector[_PILE_SIZES] = (words.pile_size(view.draw_pile) - hidden) / deck_size
    vector[_PILE_SIZES + 1] = words.pile_size(view.discard_pile) / deck_size
    write_pile(view.discard_pile, rules.per_deck_card, _DISCARDED, vector)
    write_pile(view.draw_pile, rules.per_deck_card, _UNSEEN, vector)


@inlined
def write_hand(hand: Word, scale: Any, start: Whole, vector: NDArray[np.float32]) -> None:
    """Write 16 counts of a hand (or set) times a scale, from an entry on."""
    for card in range(_NUM_CARDS):
        count = (hand >> np.uint64(4 * card)) & _FOUR_BITS
        vector[start + card] = np.float32(count) * scale


@inlined
def write_pile(
    pile: Pile, scales: NDArray[np.float32], start: Whole, vector: NDArray[np.float32]
) -> None:
    """Write 16 counts of a pile, each times the scale of its card, from an entry on."""
    for half in range(2):
        counts = pile[half]
        for card in range(8):
            count = (counts >> np.uint64(8 * card)) & _EIGHT_BITS
            entry = 8 * half + card
            vector[start + entry] = np.float32(count) * scales[entry]


@compiled
def write_slots(
    view: State, rules: RulesRecord, observer: Whole, vector: NDArray[np.float32]
) -> None:
    """Features by slot: the observer, the seats in the round in playing order, those that are out."""
    write_slot(view, rules, observer, 0, vector)
    last, slot = np.int64(view.num_players) - 1, 1
    for out in range(2):
        seat = np.int64(observer)
        for _ in range(last):
            seat += np.int64(view.direction)
            seat = 0 if seat > last else (last if seat < 0 else seat)
            if _has(view.in_round, seat) + out == 1:
                write_slot(view, rules, seat, slot, vector)
                slot += 1


@compiled
def write_slot(
    view: State, rules: RulesRecord, seat: Whole, slot: Whole, vector: NDArray[np.float32]
) -> None:
    """Features ``seats``, ``face_up_hands`` and ``recent_plays`` of one seat."""
    start = _SEATS + slot * SLOT_SIZE
    in_hand = words.hand_size(view.hands[seat]) + np.int64(view.hidden_cards[seat])
    vector[start] = 1.0
    vector[start + 1] = _has(view.in_round, seat)
    vector[start + 2] = _has(view.in_match, seat)
    vector[start + 3] = view.current_player == seat
    vector[start + 4] = view.dealer == seat
    vector[start + 5] = view.last_player == seat
    vector[start + 6] = _has(view.busted, seat)
    vector[start + 7] = view.first_out == seat
    vector[start + 8] = np.float32(in_hand) * rules.per_hand_card
    vector[start + 9] = np.float32(view.chips[seat]) * rules.per_chip
    vector[start + 10] = min(_ONE, np.float32(view.points[seat]) * rules.per_point)
    if slot > 0 and view.hands[seat] != _NO_CARDS:
        face_up = _FACE_UP + slot * _NUM_CARDS
        write_hand(view.hands[seat], rules.per_hand_card, face_up, vector)
    for age in range(SHOWN_PLAYS):
        code = (np.int64(view.recent_plays[seat]) >> (8 * age)) & 0xFF
        if code != 0:
            write_play(code, _RECENT + (slot * SHOWN_PLAYS + age) * PLAY_SIZE, vector)


@compiled
def write_play(code: Whole, start: Whole, vector: NDArray[np.float32]) -> None:
    """One entry of the feature ``recent_plays`` from its byte in the record."""
    action = (code & ~np.int64(BUST_FLAG)) - 1
    vector[start] = 1.0
    if action < _ONO99:
        vector[start + 1] = action / 10.0
    else:
        vector[start + 2 + action - _ONO99] = 1.0
    vector[start + 8] = (code & BUST_FLAG) != 0


@compiled
def _has(seats_held: Whole, seat: Whole) -> Whole:
    return (np.int64(seats_held) >> np.int64(seat)) & 1
