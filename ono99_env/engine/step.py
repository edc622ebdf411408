"""A decision and the chance that follows it (R2, R5, R20).

`begin_action`, `needs_card` and `deal_card` are the parts, for callers that deal the cards
themselves. `step` is the whole: it runs the parts with cards from the game's own generator, but for
a short cut where nothing special happens, which is nearly always.

The draw pile keeps only how many of each card it holds. A shuffled pile is one whose next card is
equally likely to be any of its cards, so the order is drawn when a card is: each card dealt takes
exactly one number from the game's generator. Two games with the same seed therefore deal the
same cards in the same order, whatever is played, until a pile is reshuffled.
"""

import numpy as np

from ono99_env.engine import elimination, generator, legal, match, seats, turn, words
from ono99_env.engine.records import DEALING, DRAWING, NOBODY, TO_ACT
from ono99_env.engine.words import PrefixSums
from ono99_env.jit.compile import compiled, inlined, shared_and_rare
from ono99_env.jit.instructions import mark_cold
from ono99_env.jit.types import RulesRecord, State, Whole, Word
from ono99_env.rules.cards import Action

_NO_CARDS = np.uint64(0)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)


@shared_and_rare
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


@shared_and_rare
def new_game(state: State, rules: RulesRecord, num_players: Whole, seed: Word) -> None:
    """Set up and deal a game; a player must act afterwards, or it is already over."""
    mark_cold()
    start_game(state, rules, num_players, seed)
    run_chance(state, rules)


@inlined
def step(state: State, rules: RulesRecord, action: Whole) -> None:
    """Apply a legal action and all chance that follows, up to the next decision."""
    total = legal.total_after(rules, np.int64(state.total), action)
    sums = words.prefix_sums(state.draw_pile)
    if is_plain(rules, action, total, sums):
        step_plainly(state, rules, action, total, sums)
    else:
        step_in_full(state, rules, action)


@inlined
def is_plain(rules: RulesRecord, action: Whole, total: Whole, sums: PrefixSums) -> bool:
    """Return whether a card is played within the limit and replaced from the draw pile at once.

    Args:
        rules: The rules of the game.
        action: The action.
        total: The running total after it.
        sums: The prefix sums of the draw pile.
    """
    if action == _DISCARD_FOUR or total > rules.highest_total:
        return False
    return bool(words.size_by_sums(sums) > 0 and rules.may_miss_draws == 0)


@inlined
def step_plainly(
    state: State, rules: RulesRecord, card: Whole, total: Whole, sums: PrefixSums
) -> None:
    """R3: do as `step_in_full` for a plain play; the card drawn comes to the hand with one store.

    Args:
        state: The game.
        rules: Its rules.
        card: The card that is played.
        total: The running total after it.
        sums: The prefix sums of the draw pile.
    """
    drawn = words.nth_by_sums(sums, generator.below(next_random(state), words.size_by_sums(sums)))
    words.take_from_pile(state.draw_pile, drawn)
    seat = words.index(state.current_player)
    state.plays += 1
    state.receiver = seat
    state.hands[seat] += words.one_card(drawn) - words.one_card(card)
    player = turn.put_down(state, rules, seat, card, total)
    fitting = legal.cards_within(rules, rules.highest_total - total)
    legal.set_legal_actions(state, rules, state.hands[player], fitting)
    if state.legal_plays == _NO_CARDS or state.plays >= rules.max_plays:
        reach_decision(state, rules)


@shared_and_rare
def reach_decision(state: State, rules: RulesRecord) -> None:
    """R6, R22: find who acts next if the player who is up may be out, or the round is too long."""
    mark_cold()
    elimination.find_player(state, rules)
    if state.phase == DEALING:
        run_chance(state, rules)


@shared_and_rare
def step_in_full(state: State, rules: RulesRecord, action: Whole) -> None:
    """Apply any legal action and all chance that follows."""
    mark_cold()
    begin_action(state, rules, action)
    if draw_is_missed(state, rules):
        state.draws_due = 0
    run_chance(state, rules)


@compiled
def run_chance(state: State, rules: RulesRecord) -> None:
    """Deal all cards that come due from the game's generator, until a player must act."""
    while needs_card(state, rules):
        deal_random_cards(state)


@inlined
def deal_random_cards(state: State) -> None:
    """R2, R3: do as `deal_card` with random cards, as many as are due and the draw pile holds.

    The prefix sums of the pile and the generator stay in registers: to find them anew for each card
    makes random play 10% slower with two players and 15% with four.
    """
    sums, counter = words.prefix_sums(state.draw_pile), state.random_counter
    left: Whole = words.size_by_sums(sums)
    receivers, receiver = seats_due(state), np.int64(state.receiver)
    num_dealt = min(np.int64(state.draws_due), left)
    for _ in range(num_dealt):
        counter = generator.advance(counter)
        card = words.nth_by_sums(sums, generator.below(generator.scramble(counter), left))
        sums = words.sums_without(sums, card)
        receiver = give_card(state, card, receiver, receivers)
        left -= 1
    words.write_pile(sums, state.draw_pile)
    state.random_counter, state.receiver = counter, receiver
    state.draws_due -= num_dealt


@inlined
def begin_action(state: State, rules: RulesRecord, action: Whole) -> None:
    """Apply a legal action, without the chance that follows; cards may then be due."""
    state.draws_due = turn.play(state, rules, action)
    state.phase = DRAWING


@inlined
def draw_is_missed(state: State, rules: RulesRecord) -> bool:
    """R20: return whether the draw that is due is missed; certain cases take no random number."""
    threshold = rules.missed_draw[words.index(state.receiver)]
    return threshold != _NO_CARDS and generator.happens(next_random(state), threshold)


@shared_and_rare
def needs_card(state: State, rules: RulesRecord) -> bool:
    """Continue until a card must be dealt, a player must act or the game is over.

    Returns:
        Whether a card must be dealt.
    """
    while state.phase == DRAWING or state.phase == DEALING:
        if state.draws_due > 0 and has_card(state, rules):
            return True
        state.draws_due = 0
        if state.phase == DEALING:
            let_dealer_begin(state)
        state.phase = TO_ACT
        legal.update_legal_actions(state, rules)
        elimination.find_player(state, rules)
    return False


@inlined
def let_dealer_begin(state: State) -> None:
    """R2: let the player to the dealer's left begin the round."""
    state.current_player = state.dealer
    turn.pass_turn(state)


@inlined
def deal_card(state: State, card: Whole) -> None:
    """R2, R3: give a named card of the draw pile to the seat that is due one."""
    words.take_from_pile(state.draw_pile, card)
    state.receiver = give_card(state, card, np.int64(state.receiver), seats_due(state))
    state.draws_due -= 1


@inlined
def seats_due(state: State) -> Whole:
    """R2, R3: return the seats that cards go to by turns: all in a deal, else who has played."""
    if state.phase == DEALING:
        return np.int64(state.in_match)
    return seats.seat_bit(state.receiver)


@inlined
def give_card(state: State, card: Whole, receiver: Whole, receivers: Whole) -> Whole:
    """R2, R3: put a card into a hand; return the seat that gets the next one."""
    state.hands[words.index(receiver)] += words.one_card(card)
    return seats.next_seat(receivers, receiver, 1)


@inlined
def random_card(state: State) -> Whole:
    """R2, R5: return the card on top of the shuffled draw pile, which must not be empty."""
    sums = words.prefix_sums(state.draw_pile)
    return words.nth_by_sums(sums, generator.below(next_random(state), words.size_by_sums(sums)))


@inlined
def has_card(state: State, rules: RulesRecord) -> bool:
    """R5: return whether there is a card to draw, after the shuffle of the discard pile if need be.

    Nothing can be shuffled where the discard pile holds at most its top card, which is kept.
    """
    if not words.is_empty(state.draw_pile):
        return True
    if words.pile_size(state.discard_pile) <= np.int64(rules.keep_top_discard):
        return False
    reshuffle(state, rules)
    return True


@compiled
def reshuffle(state: State, rules: RulesRecord) -> None:
    """R5: turn the discard pile into the draw pile, with or without its top card."""
    mark_cold()
    state.draw_pile[0], state.draw_pile[1] = state.discard_pile[0], state.discard_pile[1]
    state.discard_pile[0], state.discard_pile[1] = _NO_CARDS, _NO_CARDS
    if rules.keep_top_discard:
        words.take_from_pile(state.draw_pile, state.top_discard)
        words.add_to_pile(state.discard_pile, state.top_discard, 1)
    else:
        state.top_discard = NOBODY
    state.reshuffles += 1


@inlined
def next_random(state: State) -> Word:
    """Take one random word from the game's generator."""
    state.random_counter = generator.advance(state.random_counter)
    return generator.scramble(state.random_counter)
