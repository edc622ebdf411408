"""The two records of the engine: `STATE`, a whole game, and `RULES`, what its rules say.

Both are NumPy structured types, so a game is a few hundred bytes, a batch of games is an array, and
to clone, save or send a game is to copy an array. Seats are 0 to 7; -1 stands for nobody. A set of
seats is an integer with bit ``1 << seat`` (see seats.py). All numbers are signed but for the words
of cards (see words.py), so that compiled arithmetic never mixes signed and unsigned.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import effects, words
from ono99_env.jit.types import RulesArray, RulesRecord
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS, Card
from ono99_env.rules.rules import Rules

TO_ACT = 0
"""Phase: the current player must choose an action."""
DRAWING = 1
"""Phase: the current player's replacement cards are due."""
DEALING = 2
"""Phase: the cards of a new round are due."""
WON = 3
"""Phase: the game is over and has winners."""
TRUNCATED = 4
"""Phase: the game was cut short by ``max_plays`` (R22)."""
GAME_OVER = (WON, TRUNCATED)
"""The phases of a game that is over."""

NOBODY = -1
"""In place of a seat, or of a card."""

RECENT_PLAYS = 4
"""How many of each seat's latest actions a record remembers."""

BUST_FLAG = 0x20
"""Set in a byte of ``recent_plays`` when the card was played to bust (R17)::

    bit      7  6 |   5  | 4  3  2  1  0
             0  0 | bust |  action + 1        0 stands for no action
"""

assert NUM_ACTIONS < BUST_FLAG, "an action plus one must leave the flag of a bust free"

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Counter of the random generator: all chance still to come follows from it.
                ("random_counter", "u8"),
                # Hand of each seat, as a word of four-bit counts (see words.py).
                ("hands", "u8", (MAX_PLAYERS,)),
                # Draw pile, as a pile of one-byte counts: which cards, since their order is chance.
                ("draw_pile", "u8", (2,)),
                # Discard pile likewise; everything on it has been seen.
                ("discard_pile", "u8", (2,)),
                # Set of cards the current player may play or bust with.
                ("legal_plays", "u8"),
                # Latest actions of each seat in this round, one byte each (see BUST_FLAG), newest
                # lowest: 0x00_10_2B_06 is a 5, before it a bust with a 10, before it a Hold.
                ("recent_plays", "u4", (MAX_PLAYERS,)),
                # Running total of the discard pile (R2).
                ("total", "i4"),
                # Actions taken in this round (R22).
                ("plays", "i4"),
                # Round of the match, from 1 (R15).
                ("round_number", "i4"),
                # Times the discard pile was reshuffled in this round (R5).
                ("reshuffles", "i4"),
                # Points of each seat (R18).
                ("points", "i2", (MAX_PLAYERS,)),
                # Seats still playing this round.
                ("in_round", "i2"),
                # Seats still in the match; when the game is over, the winners (match.winners).
                ("in_match", "i2"),
                # Seats that went out of this round by busting (R17).
                ("busted", "i2"),
                # Cards still to be dealt before the game goes on.
                ("draws_due", "i2"),
                # Cards a seat holds that this record does not show; 0 but in a redacted record,
                # where the draw pile holds them.
                ("hidden_cards", "i1", (MAX_PLAYERS,)),
                # Chips of each seat (R16).
                ("chips", "i1", (MAX_PLAYERS,)),
                ("num_players", "i1"),
                # One of TO_ACT, DRAWING, DEALING, WON, TRUNCATED.
                ("phase", "i1"),
                # 1 clockwise, -1 counter-clockwise (R8).
                ("direction", "i1"),
                ("dealer", "i1"),
                # Seat whose turn it is, or NOBODY when the game is over.
                ("current_player", "i1"),
                # Seat that gets the next card dealt, or got the last one.
                ("receiver", "i1"),
                # Cards the current player still has to play this turn (R7): 1 or 2.
                ("plays_owed", "i1"),
                # Cards that the last card obliged the next player to play (R7): 1 or 2.
                ("plays_passed_on", "i1"),
                # 1 while the second of two owed cards is due.
                ("second_play", "i1"),
                # 1 if an ONO 99 was played in this turn (R11).
                ("ono99_played", "i1"),
                # 1 if the current player may discard four ONO 99 cards (R12).
                ("may_discard_four", "i1"),
                # Seat that played a card last in this round (R13).
                ("last_player", "i1"),
                # Seat that went out first in this round (R15).
                ("first_out", "i1"),
                # Card on top of the discard pile, NOBODY if it is empty.
                ("top_discard", "i1"),
                # Number of seats in in_round.
                ("players_left", "i1"),
                # 1 if the hands of seats that are out lie open (R6): what a view may show.
                ("eliminated_face_up", "i1"),
            ],
            align=True,
        ),
    )
)
"""A whole game. Every field is described where it is declared."""

NEVER, ENDS_IN_ZERO, IS_ZERO = 0, 1, 2
"""Values of ``ono99_play`` (R11)."""
OFF, AS_PLAY, THEN_PLAY = 0, 1, 2
"""Values of ``four_ono99_discard`` (R12)."""
SINGLE_ROUND, CHIPS, POINTS_LAST_STANDING, POINTS_LOWEST = 0, 1, 2, 3
"""Values of ``format`` (R14)."""

_FOUR_TO_SEVEN_ONO99 = np.uint64(0b0100) * words.card_set(Card.ONO99)
"""The bit worth four of the count of ONO 99 cards in a hand."""

NO_FLOOR = -(2**31)
"""Value of ``lowest_total`` that stands for none."""

NO_LIMIT = 1_000_000_000
"""Value of ``max_plays`` that stands for none: the most that rules may say, and a count can hold.

No round of a usual deck comes near; one of a reduced deck that hardly ever ends is cut off there.
"""

RULES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # The full deck, as a pile.
                ("deck", "u8", (2,)),
                # Set of cards that answer a Play Two (R7).
                ("play_two_answers", "u8"),
                # Set of cards that may be played, by the number of cards owed (R7, R11).
                ("playable", "u8", (3,)),
                # Which bits of a hand tell that four ONO 99 cards may be discarded from it: one of
                # them is set if it has four to seven, none if they never may be (R12).
                ("four_ono99", "u8"),
                # Probability of a missed draw by seat, times 2**32 (R20).
                ("missed_draw", "u8", (MAX_PLAYERS,)),
                ("highest_total", "i8"),
                # NO_FLOOR for none (R9).
                ("lowest_total", "i8"),
                # NO_LIMIT for none (R22).
                ("max_plays", "i8"),
                ("target_points", "i4"),
                # What each action adds to the total, and which cards fit, see effects.py (R1, R4).
                ("added", "i8", (NUM_ACTIONS,)),
                ("fitting_cards", "u8", (effects.MOST_HEADROOM - effects.LEAST_HEADROOM + 1,)),
                # What each card does to the turn, see effects.py (R7, R8).
                ("turn_after", "u4", (effects.NUM_EFFECTS,)),
                ("turning", "i1", (effects.NUM_EFFECTS,)),
                ("num_players", "i1"),
                ("hand_size", "i1"),
                ("chips", "i1"),
                # A seat, or NOBODY to draw one from the seed (R2).
                ("dealer", "i1"),
                ("format", "i1"),
                ("ono99_play", "i1"),
                ("four_ono99_discard", "i1"),
                ("last_to_play_wins_stuck_round", "i1"),
                ("eliminated_face_up", "i1"),
                ("keep_top_discard", "i1"),
                ("voluntary_bust", "i1"),
                ("bust_counts", "i1"),
                ("loser_starts", "i1"),
                # 1 if an ONO 99 may ever be played (R11), or a player may bust (R17).
                ("has_exceptions", "i1"),
                # 1 if any seat may miss a draw (R20).
                ("may_miss_draws", "i1"),
            ],
            align=True,
        ),
    )
)
"""The rules as the compiled engine reads them: the fields of `Rules` as numbers."""

_ONO99_PLAY = {"never": NEVER, "total_ends_in_zero": ENDS_IN_ZERO, "total_is_zero": IS_ZERO}
_FOUR_ONO99_DISCARD = {"off": OFF, "as_play": AS_PLAY, "then_play": THEN_PLAY}
_FORMAT = {
    "single_round": SINGLE_ROUND,
    "chips": CHIPS,
    "points_last_standing": POINTS_LAST_STANDING,
    "points_lowest": POINTS_LOWEST,
}

_NUMBERS = ("highest_total", "target_points", "num_players", "hand_size", "chips")
_FLAGS = ("keep_top_discard", "voluntary_bust", "bust_counts")
"""Fields of `Rules` that `RULES` holds as they are."""


def pile_from_counts(counts: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Pack 16 counts by card id into the two words of a pile."""
    return np.ascontiguousarray(counts, dtype="u1").view("<u8").astype("u8")


def counts_from_pile(pile: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Unpack the words of piles, shape (..., 2), into counts by card id, shape (..., 16)."""
    return np.ascontiguousarray(pile).astype("<u8").view("u1")


def hand_from_counts(counts: NDArray[np.uint8]) -> np.uint64:
    """Pack 16 counts by card id (at most 7 cards) into a hand word."""
    return np.uint64(sum(int(n) << words.BITS_IN_HAND * card for card, n in enumerate(counts)))


def counts_from_hand(hands: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Unpack hand words, shape (...), into counts by card id, shape (..., 16)."""
    shifts = np.arange(0, words.BITS_IN_WORD, words.BITS_IN_HAND, dtype=np.uint64)
    fields = np.asarray(hands, dtype=np.uint64)[..., None] >> shifts
    return (fields & np.uint64(0xF)).astype(np.uint8)


@lru_cache(maxsize=1024)  # programs may make any number of rules
def rules_array(rules: Rules) -> RulesArray:
    """Return the length-1 `RULES` array that compiled functions take; nobody may write to it."""
    array = np.zeros(1, RULES)
    record = array[0]
    deck = np.array([rules.deck.get(card.label, 0) for card in Card], np.uint8)
    record.deck = pile_from_counts(deck)
    record.added, record.fitting_cards = effects.additions(), effects.cards_by_headroom()
    _set_effects(record, rules)
    for seat, probability in enumerate(rules.missed_draw_by_seat):
        record.missed_draw[seat] = round(probability * 2**32)
    record.lowest_total = NO_FLOOR if rules.lowest_total is None else rules.lowest_total
    record.may_miss_draws = record.missed_draw.any()
    record.max_plays = rules.max_plays or NO_LIMIT
    record.dealer = NOBODY if rules.dealer == "random" else rules.dealer
    record.format = _FORMAT[rules.format]
    record.ono99_play = _ONO99_PLAY[rules.ono99_play]
    record.four_ono99_discard = _FOUR_ONO99_DISCARD[rules.four_ono99_discard]
    record.four_ono99 = _FOUR_TO_SEVEN_ONO99 if record.four_ono99_discard != OFF else 0
    record.has_exceptions = record.ono99_play != NEVER or record.format > CHIPS
    record.last_to_play_wins_stuck_round = rules.stuck_round_winner == "last_to_play"
    record.eliminated_face_up = rules.eliminated_hands == "face_up"
    record.loser_starts = rules.next_dealer == "loser_starts"
    for name in _NUMBERS + _FLAGS:
        setattr(record, name, getattr(rules, name))
    return array


def _set_effects(record: RulesRecord, rules: Rules) -> None:
    """R7, R8, R11: write which cards may be played, and what they do to the turn."""
    record.play_two_answers = words.card_set(*map(Card.from_label, rules.play_two_answers))
    playable = set(Card) if rules.ono99_play != "never" else set(Card) - {Card.ONO99}
    record.playable[:2] = words.card_set(*playable)
    if "play_two" not in rules.play_two_answers:
        playable -= {Card.PLAY_TWO}
    record.playable[2] = words.card_set(*playable)
    record.turning = effects.tabulate(effects.turning, rules)
    record.turn_after = effects.tabulate(effects.turn_after, rules)
