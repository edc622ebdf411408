"""Chance: the dealer, the deal, replacement cards, reshuffles and missed draws (R2, R5, R20).

The draw pile keeps only how many of each card it holds. A shuffled pile is one whose next card is
equally likely to be any of its cards, so the order is drawn when a card is: each card dealt takes
exactly one number from the game's generator. Two games with the same seed therefore deal the
same cards in the same order, whatever is played, until a pile is reshuffled.
"""

import numpy as np

from ono99_env.engine import generator, legal, match, play, seats, words
from ono99_env.engine.records import DEALING, DRAWING, NOBODY, TO_ACT
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.instructions import mark_cold
from ono99_env.jit.types import RulesRecord, State, Whole, Word

_NO_CARDS = np.uint64(0)


@inlined
def next_random(state: State) -> Word:
    """Take one random word from the game's generator."""
    state.random_counter = generator.advance(state.random_counter)
    return generator.scramble(state.random_counter)


@compiled
def start_game(state: State, rules: RulesRecord, num_players: Whole, seed: Word) -> None:
    """R2, R16: set up a game from its seed, up to the deal of the first round."""
    state.random_counter = generator.seeded(seed)
    state.num_players = num_players
    state.eliminated_face_up = rules.eliminated_face_up
    state.round_number = 0
    for seat in range(num_players):
        state.points[seat] = 0
        state.chips[seat] = rules.chips
        state.hidden_cards[seat] = 0
    state.in_match = seats.seat_bit(num_players) - 1
    if rules.dealer == NOBODY:
        state.dealer = generator.below(next_random(state), num_players)
    else:
        state.dealer = rules.dealer
    match.start_round(state, rules)


@inlined
def draw_is_missed(state: State, rules: RulesRecord) -> bool:
    """R20: whether the current player misses the draw; certain cases take no random number."""
    threshold = rules.missed_draw[words.index(state.current_player)]
    return threshold != _NO_CARDS and generator.happens(next_random(state), threshold)


@inlined
def random_card(state: State) -> Whole:
    """R2, R5: the card on top of the shuffled draw pile, which must not be empty."""
    low, high = words.prefix_sums(state.draw_pile)
    size = words.size_by_sums(high)
    return words.nth_by_sums(low, high, generator.below(next_random(state), size))


@inlined
def deal_card(state: State, card: Whole) -> None:
    """R2, R3: give a named card of the draw pile to the seat that is due one."""
    give_card(state, card)
    state.draws_due -= 1
    if state.phase == DEALING:
        state.receiver = seats.next_seat(state.in_match, state.receiver, 1)


@inlined
def give_card(state: State, card: Whole) -> None:
    """R3: a card of the draw pile goes into the hand of the seat that is due one."""
    words.take_from_pile(state.draw_pile, card)
    state.hands[words.index(state.receiver)] += words.one_card(card)


@inlined
def has_card(state: State, rules: RulesRecord) -> bool:
    """R5: whether there is a card to draw, after the shuffle of the discard pile if need be."""
    if not words.is_empty(state.draw_pile):
        return True
    if words.pile_size(state.discard_pile) <= np.int64(rules.keep_top_discard):
        return False
    reshuffle(state, rules)
    return True


@compiled
def reshuffle(state: State, rules: RulesRecord) -> None:
    """R5: the discard pile becomes the draw pile, with or without its top card."""
    mark_cold()
    state.draw_pile[0], state.draw_pile[1] = state.discard_pile[0], state.discard_pile[1]
    state.discard_pile[0], state.discard_pile[1] = _NO_CARDS, _NO_CARDS
    if rules.keep_top_discard:
        words.take_from_pile(state.draw_pile, state.top_discard)
        words.add_to_pile(state.discard_pile, state.top_discard, 1)
    else:
        state.top_discard = NOBODY
    state.reshuffles += 1


@compiled
def needs_card(state: State, rules: RulesRecord) -> bool:
    """Go on until a card must be dealt (true), or a player must act or the game is over (false)."""
    while state.phase == DRAWING or state.phase == DEALING:
        if state.draws_due > 0 and has_card(state, rules):
            return True
        state.draws_due = 0
        if state.phase == DRAWING:
            play.finish_action(state, rules)
        else:
            open_round(state, rules)
    return False


@compiled
def open_round(state: State, rules: RulesRecord) -> None:
    """R2: the player to the dealer's left begins."""
    state.phase = TO_ACT
    state.current_player = state.dealer
    seats.pass_turn(state, 1)
    play.find_player(state, rules)


@inlined
def deal_rounds(state: State, rules: RulesRecord) -> None:
    """R2: deal a round, and the next one if it ends at once, until a player must act."""
    while state.phase == DEALING:
        deal_round(state, rules)


@compiled
def deal_round(state: State, rules: RulesRecord) -> None:
    """R2, R3: deal all cards that are due, as `deal_card` would, from a pile kept in registers."""
    low, high = words.prefix_sums(state.draw_pile)
    counter, seats_dealt = state.random_counter, np.int64(state.in_match)
    receiver: Whole = np.int64(state.receiver)
    left: Whole = words.size_by_sums(high)
    rest = max(left - state.draws_due, 0)
    while left > rest:
        counter = generator.advance(counter)
        card = words.nth_by_sums(low, high, generator.below(generator.scramble(counter), left))
        low, high = words.sums_without(low, high, card)
        state.hands[words.index(receiver)] += words.one_card(card)
        receiver = seats.next_seat(seats_dealt, receiver, 1)
        left -= 1
    state.draw_pile[0], state.draw_pile[1] = words.counts_of_sums(low, high)
    state.random_counter, state.receiver = counter, receiver
    state.draws_due = 0
    open_round(state, rules)


@compiled
def new_game(state: State, rules: RulesRecord, num_players: Whole, seed: Word) -> None:
    """Set up and deal a game; a player must act afterwards, or it is already over."""
    mark_cold()
    start_game(state, rules, num_players, seed)
    deal_rounds(state, rules)


@inlined
def begin_action(state: State, rules: RulesRecord, action: Whole) -> None:
    """Apply a legal action, without the chance that follows; cards may then be due."""
    state.draws_due = play.play(state, rules, action)
    state.phase = DRAWING


@inlined
def step(state: State, rules: RulesRecord, action: Whole) -> None:
    """Apply a legal action and all chance that follows: the fast path of a whole decision.

    Nearly all decisions are plain: one card is played within the limit, and the one that replaces
    it is on the draw pile and not missed.
    """
    total = legal.total_after(rules, np.int64(state.total), action)
    headroom = rules.plain_limit - total
    low, high = words.prefix_sums(state.draw_pile)
    size = words.size_by_sums(high)
    if headroom < 0 or size == 0:
        step_rarely(state, rules, action)
        return
    drawn = words.nth_by_sums(low, high, generator.below(next_random(state), size))
    words.take_from_pile(state.draw_pile, drawn)
    state.total = total
    play.play_plainly(state, rules, action, headroom, drawn)
    if state.legal_plays == _NO_CARDS or state.plays >= rules.max_plays:
        settle(state, rules)


@compiled
def settle(state: State, rules: RulesRecord) -> None:
    """R6, R22: what may come before the next decision but is rare."""
    mark_cold()
    if not legal.has_legal_action(state):
        play.take_players_out(state, rules)
    play.stop_in_time(state, rules)
    deal_rounds(state, rules)


@compiled
def step_rarely(state: State, rules: RulesRecord, action: Whole) -> None:
    """Apply any legal action and all chance that follows."""
    mark_cold()
    draws_due = play.play(state, rules, action)
    if not draw_is_missed(state, rules):
        replace_cards(state, rules, draws_due)
    play.finish_action(state, rules)
    deal_rounds(state, rules)


@compiled
def replace_cards(state: State, rules: RulesRecord, draws_due: Whole) -> None:
    """R3, R5: draw the cards that are due to the seat that has just played."""
    mark_cold()
    while draws_due > 0 and has_card(state, rules):
        give_card(state, random_card(state))
        draws_due -= 1
