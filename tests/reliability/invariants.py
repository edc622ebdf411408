"""What must be true of every position and every step, as compiled code: a billion are affordable.

Nothing of the engine's code is used, so that it cannot excuse itself: the fields of the record are
read as plain numbers.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.records import RULES, STATE

SEATS, CARDS, DISCARD_FOUR, ONO99, REVERSE = 8, 16, 16, 11, 12
TO_ACT, WON, TRUNCATED = 3 - 3, 3, 4
CHIPS, POINTS_LAST_STANDING = 1, 2
VALUES = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, -10, 0, 0, 0])
"""What each action adds to the total (R1, R12)."""

BROKEN = [
    "nothing is wrong",
    "the cards of a kind are not conserved",
    "a hand is too large, or there is no such seat",
    "a seat in the round or the match is not at the table",
    "the number of players left is not that of the seats in the round",
    "the game goes on with fewer than two players",
    "the phase is that of no decision and no end",
    "the total is over the limit",
    "the total is under the floor",
    "the player to act is not in the round",
    "the player to act has no legal action",
    "a legal card is not in the hand",
    "a game that is over has somebody to act or no winner",
    "an obligation is neither one card nor two",
    "the direction is neither of two",
    "more plays than max_plays",
    "chips or points are out of bounds",
    "a match goes back to an earlier round",
    "a seat returns to the match",
    "chips grow or points shrink",
    "a round does not count one play for an action",
    "a seat returns to the round",
    "the total does not change by the value of the card",
    "a hand changes that is not the player's",
    "the player's hand does not lose the card played, or gains too many",
    "the direction changes without a Reverse",
    "the random generator stands still though a card was drawn",
]
(
    SOUND,
    CARDS_LOST,
    HAND_SIZE,
    NO_SUCH_SEAT,
    PLAYERS_LEFT,
    TOO_FEW,
    PHASE,
    OVER_LIMIT,
    UNDER_FLOOR,
    WRONG_PLAYER,
    NO_ACTION,
    NOT_IN_HAND,
    BAD_END,
    OBLIGATION,
    DIRECTION,
    MAX_PLAYS,
    SCORES,
    ROUNDS,
    BACK_IN_MATCH,
    SCORES_BACK,
    ONE_PLAY,
    BACK_IN_ROUND,
    TOTAL,
    OTHER_HAND,
    OWN_HAND,
    TURNED,
    SAME_CHANCE,
) = range(len(BROKEN))

State = NDArray[np.void]


@numba.njit(cache=True)
def count_held(hand: int, card: int) -> int:
    """Count a kind of card in the word of a hand."""
    return np.int64((hand >> np.uint64(4 * card)) & np.uint64(15))


@numba.njit(cache=True)
def count_piled(pile: NDArray[np.uint64], card: int) -> int:
    """Count a kind of card in the two words of a pile."""
    return np.int64((pile[card // 8] >> np.uint64(8 * (card % 8))) & np.uint64(255))


@numba.njit(cache=True)
def count_hand(hand: int) -> int:
    """Count the cards of a hand."""
    total = 0
    for card in range(CARDS):
        total += count_held(hand, card)
    return total


@numba.njit(cache=True)
def find_broken_place(state: State, rules: State) -> int:
    """Check where the cards and the seats are."""
    seats = np.int64(state.num_players)
    for card in range(CARDS):
        found = count_piled(state.draw_pile, card) + count_piled(state.discard_pile, card)
        for seat in range(seats):
            found += count_held(state.hands[seat], card)
        if found != count_piled(rules.deck, card):
            return CARDS_LOST
    for seat in range(SEATS):
        size = count_hand(state.hands[seat])
        if size > (rules.hand_size if seat < seats else 0) or state.hidden_cards[seat] != 0:
            return HAND_SIZE
    in_round, in_match = np.int64(state.in_round), np.int64(state.in_match)
    if (in_round | in_match) >> seats or seats != rules.num_players:
        return NO_SUCH_SEAT
    left = 0
    for seat in range(seats):
        left += (in_round >> seat) & 1
    return SOUND if left == state.players_left else PLAYERS_LEFT


@numba.njit(cache=True)
def find_broken_turn(state: State, rules: State) -> int:
    """Check whose turn it is and what may be done."""
    over = state.phase == WON or state.phase == TRUNCATED
    player, discard = np.int64(state.current_player), np.int64(state.may_discard_four)
    if over:
        idle = player == -1 and state.legal_plays == np.uint64(0) and discard == 0
        return SOUND if idle and state.in_match != 0 and state.plays_owed == 0 else BAD_END
    if state.phase != TO_ACT:
        return PHASE
    in_round = np.int64(state.in_round)
    if state.players_left < 2 or in_round & ~np.int64(state.in_match):
        return TOO_FEW
    if not 0 <= player < state.num_players or not (in_round >> player) & 1:
        return WRONG_PLAYER
    if state.legal_plays == np.uint64(0) and discard == 0:
        return NO_ACTION
    if discard and count_held(state.hands[player], ONO99) < 4:
        return NOT_IN_HAND
    for card in range(CARDS):
        legal = count_held(state.legal_plays, card)
        if legal > 1 or legal > count_held(state.hands[player], card):
            return NOT_IN_HAND
    second = np.int64(state.second_play)
    if not 1 <= state.plays_owed <= 2 - second:
        return OBLIGATION
    return SOUND


@numba.njit(cache=True)
def find_broken_number(state: State, rules: State) -> int:
    """Check totals, tallies and scores."""
    has_points = rules.format >= POINTS_LAST_STANDING
    if state.total > rules.highest_total and not (has_points and rules.bust_counts):
        return OVER_LIMIT
    if state.total < rules.lowest_total:
        return UNDER_FLOOR
    if state.direction != 1 and state.direction != -1:
        return DIRECTION
    if state.plays > rules.max_plays or (state.phase == TO_ACT and state.plays == rules.max_plays):
        return MAX_PLAYS
    for seat in range(state.num_players):
        if not 0 <= state.chips[seat] <= rules.chips or state.points[seat] < 0:
            return SCORES
    return SOUND


@numba.njit(cache=True)
def find_broken_step(before: State, after: State, action: int, rules: State) -> int:
    """Check what one action changed."""
    if after.round_number < before.round_number:
        return ROUNDS
    if np.int64(after.in_match) & ~np.int64(before.in_match):
        return BACK_IN_MATCH
    for seat in range(before.num_players):
        if after.chips[seat] > before.chips[seat] or after.points[seat] < before.points[seat]:
            return SCORES_BACK
    if after.round_number > before.round_number:
        return SOUND
    return find_broken_play(before, after, action, rules)


@numba.njit(cache=True)
def find_broken_play(before: State, after: State, action: int, rules: State) -> int:
    """Check what an action changed within a round."""
    if after.plays != before.plays + 1:
        return ONE_PLAY
    if np.int64(after.in_round) & ~np.int64(before.in_round):
        return BACK_IN_ROUND
    total = max(np.int64(before.total) + VALUES[action], rules.lowest_total)
    if total > rules.highest_total and action != DISCARD_FOUR and not rules.bust_counts:
        total = np.int64(before.total)
    if after.total != total:
        return TOTAL
    if after.direction != before.direction and action != REVERSE:
        return TURNED
    drawn = 0
    for seat in range(before.num_players):
        if seat != before.current_player and after.hands[seat] != before.hands[seat]:
            return OTHER_HAND
    player = np.int64(before.current_player)
    card, played = (ONO99, 4) if action == DISCARD_FOUR else (action, 1)
    drawn = count_hand(after.hands[player]) - count_hand(before.hands[player]) + played
    kept = count_held(before.hands[player], card) - played
    if not 0 <= drawn <= played or not kept <= count_held(after.hands[player], card) <= kept + 4:
        return OWN_HAND
    if drawn > 0 and after.random_counter == before.random_counter:
        return SAME_CHANCE
    return SOUND


@numba.njit(cache=True)
def find_broken(before: State, games: State, actions: NDArray[np.int64], rules: State) -> tuple:
    """Return the first game that is not as it must be, and the place of the reason in `BROKEN`.

    Args:
        before: The games before the actions, shape (games,); equal to ``games`` after a deal.
        games: The games after them.
        actions: What was played; -1 if nothing was.
        rules: The rules of all, shape (1,).
    """
    for index in range(len(games)):
        broken = find_broken_place(games[index], rules[0])
        if broken == SOUND:
            broken = find_broken_turn(games[index], rules[0])
        if broken == SOUND:
            broken = find_broken_number(games[index], rules[0])
        if broken == SOUND and actions[index] >= 0:
            broken = find_broken_step(before[index], games[index], actions[index], rules[0])
        if broken != SOUND:
            return index, broken
    return -1, SOUND


@numba.njit(cache=True)
def choose_actions(games: State, random_words: NDArray[np.uint64], actions: NDArray) -> None:
    """Write a legal action of every game that goes on, -1 for the others.

    Every second game plays its highest number as often as not, which soon leads to the limit.
    """
    for index in range(len(games)):
        state, word = games[index], random_words[index]
        actions[index] = -1
        count = np.int64(state.may_discard_four)
        for card in range(CARDS):
            count += count_held(state.legal_plays, card)
        if count == 0:
            continue
        place = np.int64(word % np.uint64(count))
        wants_highest = index % 2 == 1 and (word >> np.uint64(60)) < np.uint64(8)
        for card in range(CARDS):
            if count_held(state.legal_plays, card):
                if place == 0 or (wants_highest and card <= 10):
                    actions[index] = card
                place -= 1
        if actions[index] < 0:
            actions[index] = DISCARD_FOUR


def as_plain(array: NDArray[np.void]) -> NDArray[np.void]:
    """Check that an array holds records of the engine, and return it."""
    assert array.dtype in (STATE, RULES)
    return array
