// ONO 99, 2022 rules: the engine of this package, transcribed into C.
//
// Same record, same words of cards, same tables, same options read at run time, same random numbers: the
// same seed plays the very games that `ono99_env.engine.batch.play_randomly` plays. It tells whether
// the compiled Python is as fast as C that does the same work in the same way. What a single round
// never comes to (chips, points, busting) is checked for like in the engine, and not carried out.
//
//   cc -O3 -march=native -std=c11 -Wall -Wextra ono99_record.c -o ono99_record
//   ./ono99_record PLAYERS DECISIONS SEED

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HOT static inline __attribute__((always_inline))
#define COLD static __attribute__((noinline))

enum { TABLES = 4, MIN_PLAYERS = 2, MAX_PLAYERS = 8, MOST_PLAYERS = 6, NUM_CARDS = 16, NOBODY = -1 };
enum { ONO99 = 11, REVERSE = 12, MINUS_TEN = 13, PLAY_TWO = 14, HOLD = 15, DISCARD_FOUR = 16 };
enum { TO_ACT, DRAWING, DEALING, WON, TRUNCATED };
enum { NEVER, ENDS_IN_ZERO, IS_ZERO };
enum { OFF, AS_PLAY, THEN_PLAY };
enum { SINGLE_ROUND, CHIPS, POINTS_LAST_STANDING, POINTS_LOWEST };
enum { LEAST_HEADROOM = -11, MOST_HEADROOM = 10 };
enum { OWED_STEP = NUM_CARDS, PLAYER_STEP = 2 * OWED_STEP };
enum { NUM_EFFECTS = OWED_STEP + PLAYER_STEP * (MAX_PLAYERS + 1) };

static const uint64_t ONES_4 = UINT64_C(0x1111111111111111), ONES_8 = UINT64_C(0x0101010101010101);
static const uint64_t TOPS_4 = UINT64_C(0x8888888888888888), TOPS_8 = UINT64_C(0x8080808080808080);
static const uint64_t ONO99_ONLY = UINT64_C(1) << 4 * ONO99;
static const int64_t NO_LIMIT = INT64_C(1) << 31;

typedef struct {
    uint64_t random_counter;
    uint64_t hands[MAX_PLAYERS];
    uint64_t draw_pile[2], discard_pile[2];
    uint64_t legal_plays;
    uint32_t recent_plays[MAX_PLAYERS];
    int32_t total, plays, round_number, reshuffles;
    int16_t points[MAX_PLAYERS];
    int16_t in_round, in_match, busted, draws_due;
    int8_t hidden_cards[MAX_PLAYERS], chips[MAX_PLAYERS];
    int8_t num_players, phase, direction, dealer, current_player, receiver;
    int8_t plays_owed, plays_passed_on, second_play, ono99_played, may_discard_four;
    int8_t last_player, first_out, top_discard, players_left, eliminated_face_up;
} State;

typedef struct {
    uint64_t deck[2];
    uint64_t playable[3]; // by the number of cards owed
    uint64_t four_ono99;  // one of these bits of a hand is set if four may be discarded
    uint64_t missed_draw[MAX_PLAYERS];
    int64_t highest_total, lowest_total, max_plays;
    uint32_t turn_after[NUM_EFFECTS]; // four bytes: who is up owes, passes on, is due a second, ...
    int8_t turning[NUM_EFFECTS];
    int8_t num_players, hand_size, chips, dealer, format, ono99_play, four_ono99_discard;
    int8_t last_to_play_wins_stuck_round, eliminated_face_up, keep_top_discard, voluntary_bust;
    int8_t has_exceptions; // an ONO 99 may be played, or a player may bust
    int8_t may_miss_draws;
} Rules;

static int64_t added[NUM_CARDS + 1];
static uint64_t low_from[NUM_CARDS], high_from[NUM_CARDS]; // what a card adds to prefix sums
static uint64_t fitting[MOST_HEADROOM - LEAST_HEADROOM + 1];
static int8_t next_seats[2][MAX_PLAYERS][1 << MAX_PLAYERS];

// ---- chance --------------------------------------------------------------------------------

HOT uint64_t advance(uint64_t counter) { return counter + UINT64_C(0x9E3779B97F4A7C15); }

HOT uint64_t scramble(uint64_t word) {
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

HOT int64_t below(uint64_t random, int64_t bound) {
    return (int64_t)((random >> 32) * (uint64_t)bound >> 32);
}

HOT uint64_t next_random(State *state) {
    state->random_counter = advance(state->random_counter);
    return scramble(state->random_counter);
}

// ---- words of cards ------------------------------------------------------------------------

HOT uint64_t one_card(int64_t card) { return UINT64_C(1) << 4 * card; }

HOT int64_t count_ones(uint64_t word) { return __builtin_popcountll(word); }

HOT uint64_t held_among(uint64_t hand, uint64_t cards) {
    uint64_t pairs = hand | hand >> 1;
    return (pairs | pairs >> 2) & cards;
}

HOT int64_t nth_in_set(uint64_t cards, int64_t n) {
    return count_ones(((uint64_t)(n + 8) * ONES_4 - cards * ONES_4) & TOPS_4);
}

HOT uint8_t *count_in_pile(uint64_t pile[2], int64_t card) { return (uint8_t *)pile + card; }

HOT int64_t pile_size(const uint64_t pile[2]) {
    return (int64_t)((pile[0] + pile[1]) * ONES_8 >> 56);
}

typedef struct {
    uint64_t low, high;
} Sums;

HOT Sums prefix_sums(const uint64_t pile[2]) {
    uint64_t low = pile[0] * ONES_8;
    return (Sums){low, (pile[1] + (low >> 56)) * ONES_8};
}

HOT int64_t size_by_sums(Sums sums) { return (int64_t)(sums.high >> 56); }

HOT int64_t nth_by_sums(Sums sums, int64_t n) {
    uint64_t most = (uint64_t)(n + 128) * ONES_8;
    return count_ones((most - sums.low) & TOPS_8) + count_ones((most - sums.high) & TOPS_8);
}

// ---- seats ---------------------------------------------------------------------------------

HOT int64_t seat_bit(int64_t seat) { return INT64_C(1) << seat; }

HOT int64_t next_seat(int64_t seats, int64_t seat, int64_t direction) {
    return (&next_seats[0][0][0])[((direction + 1) << 10) + (seat << 8) + seats];
}

HOT void pass_turn(State *state) {
    state->current_player =
        (int8_t)next_seat(state->in_round, state->current_player, state->direction);
    state->plays_owed = 1;
    state->second_play = 0;
    state->ono99_played = 0;
}

// ---- what is legal -------------------------------------------------------------------------

HOT bool allows_ono99(const Rules *rules, int64_t total, int64_t already_played) {
    if (already_played != 0) return false;
    if (rules->ono99_play == ENDS_IN_ZERO) return total % 10 == 0;
    return rules->ono99_play == IS_ZERO && total == 0;
}

HOT bool allows_discard_of_four(const Rules *rules, int64_t total, uint64_t hand) {
    if ((hand & rules->four_ono99) == 0) return false;
    return rules->four_ono99_discard == THEN_PLAY || total <= rules->highest_total;
}

HOT uint64_t playable_cards(const Rules *rules, uint64_t hand, int64_t owed) {
    return held_among(hand, rules->playable[owed]);
}

HOT uint64_t without_banned_ono99(
    const Rules *rules, uint64_t cards, int64_t total, int64_t ono99_played) {
    bool is_banned = rules->ono99_play != NEVER && !allows_ono99(rules, total, ono99_played);
    return is_banned ? cards & ~ONO99_ONLY : cards;
}

HOT uint64_t cards_within(int64_t headroom) {
    return fitting[(headroom > MOST_HEADROOM ? MOST_HEADROOM : headroom) - LEAST_HEADROOM];
}

HOT uint64_t fitting_cards(const Rules *rules, int64_t total) {
    int64_t headroom = rules->highest_total - total;
    return cards_within(headroom < LEAST_HEADROOM ? LEAST_HEADROOM : headroom);
}

HOT void set_legal_actions(
    State *state, const Rules *rules, uint64_t hand, int64_t total, uint64_t fits) {
    uint64_t playable = playable_cards(rules, hand, state->plays_owed), legal = playable & fits;
    bool discard = allows_discard_of_four(rules, total, hand);
    if (rules->has_exceptions) {
        playable = without_banned_ono99(rules, playable, total, state->ono99_played);
        legal = playable & fits;
        if (rules->format > CHIPS && (rules->voluntary_bust || (legal == 0 && !discard)))
            legal |= playable & ~fits & ~ONO99_ONLY;
    }
    state->legal_plays = legal;
    state->may_discard_four = discard;
}

HOT void update_legal_actions(State *state, const Rules *rules) {
    uint64_t fits = fitting_cards(rules, state->total);
    set_legal_actions(state, rules, state->hands[state->current_player], state->total, fits);
}

HOT bool has_legal_action(const State *state) {
    return state->legal_plays != 0 || state->may_discard_four != 0;
}

HOT bool could_start_turn(const State *state, const Rules *rules, int64_t seat) {
    uint64_t hand = state->hands[seat];
    uint64_t playable = without_banned_ono99(rules, playable_cards(rules, hand, 1), state->total, 0);
    bool can_play = (playable & fitting_cards(rules, state->total)) != 0;
    bool is_play = rules->four_ono99_discard == AS_PLAY;
    return can_play || (is_play && allows_discard_of_four(rules, state->total, hand));
}

// ---- eliminations and the end of a round ---------------------------------------------------

COLD void end_game(State *state, int16_t winners) {
    state->in_match = winners;
    state->phase = WON;
    state->current_player = NOBODY;
    state->plays_owed = state->second_play = state->ono99_played = 0;
    state->legal_plays = 0;
    state->may_discard_four = 0;
}

COLD bool is_stuck(const State *state, const Rules *rules) {
    if (!rules->last_to_play_wins_stuck_round || state->last_player == NOBODY) return false;
    int64_t seat = state->current_player;
    for (int others = 0; others < state->players_left; others++) {
        seat = next_seat(state->in_round, seat, state->direction);
        if (could_start_turn(state, rules, seat)) return false;
    }
    return true;
}

COLD void leave_round(State *state) {
    int64_t seat = state->current_player;
    state->in_round &= (int16_t)~seat_bit(seat);
    state->in_match &= (int16_t)~seat_bit(seat);
    state->players_left--;
    if (state->first_out == NOBODY) state->first_out = (int8_t)seat;
}

COLD void take_out(State *state, const Rules *rules) {
    leave_round(state);
    if (is_stuck(state, rules)) {
        state->in_round = state->in_match = (int16_t)seat_bit(state->last_player);
        state->players_left = 1;
    }
    if (state->players_left == 1) {
        end_game(state, state->in_round);
    } else {
        pass_turn(state);
        update_legal_actions(state, rules);
    }
}

COLD void find_player(State *state, const Rules *rules) {
    while (state->phase == TO_ACT && !has_legal_action(state)) take_out(state, rules);
    if (state->plays >= rules->max_plays && state->phase == TO_ACT) abort();
}

// ---- the deal ------------------------------------------------------------------------------

COLD void reshuffle(State *state, const Rules *rules) {
    memcpy(state->draw_pile, state->discard_pile, sizeof state->draw_pile);
    memset(state->discard_pile, 0, sizeof state->discard_pile);
    if (rules->keep_top_discard) {
        *count_in_pile(state->draw_pile, state->top_discard) -= 1;
        *count_in_pile(state->discard_pile, state->top_discard) += 1;
    } else {
        state->top_discard = NOBODY;
    }
    state->reshuffles++;
}

HOT bool has_card(State *state, const Rules *rules) {
    if ((state->draw_pile[0] | state->draw_pile[1]) != 0) return true;
    if (pile_size(state->discard_pile) <= rules->keep_top_discard) return false;
    reshuffle(state, rules);
    return true;
}

HOT void deal_hands(State *state) {
    Sums sums = prefix_sums(state->draw_pile);
    uint64_t counter = state->random_counter;
    int64_t receiver = state->receiver, size = size_by_sums(sums);
    for (int64_t left = size; left > size - state->draws_due && left > 0; left--) {
        counter = advance(counter);
        int64_t card = nth_by_sums(sums, below(scramble(counter), left));
        sums.low -= low_from[card];
        sums.high -= high_from[card];
        state->hands[receiver] += one_card(card);
        receiver = next_seat(state->in_match, receiver, 1);
    }
    state->draw_pile[0] = sums.low - (sums.low << 8);
    state->draw_pile[1] = sums.high - (sums.high << 8) - (sums.low >> 56);
    state->random_counter = counter;
    state->receiver = (int8_t)receiver;
}

COLD void start_round(State *state, const Rules *rules) {
    state->round_number++;
    memcpy(state->draw_pile, rules->deck, sizeof state->draw_pile);
    memset(state->discard_pile, 0, sizeof state->discard_pile);
    memset(state->hands, 0, sizeof state->hands);
    memset(state->recent_plays, 0, sizeof state->recent_plays);
    state->in_round = state->in_match;
    state->players_left = (int8_t)__builtin_popcount((unsigned)state->in_match);
    state->total = state->plays = state->reshuffles = 0;
    state->direction = 1;
    state->busted = 0;
    state->last_player = state->first_out = state->top_discard = NOBODY;
    state->phase = DEALING;
    state->draws_due = (int16_t)(state->players_left * rules->hand_size);
    state->receiver = (int8_t)next_seat(state->in_match, state->dealer, 1);
}

COLD void new_game(State *state, const Rules *rules, uint64_t seed) {
    state->random_counter = scramble(advance(seed));
    state->num_players = rules->num_players;
    state->eliminated_face_up = rules->eliminated_face_up;
    state->round_number = 0;
    for (int seat = 0; seat < state->num_players; seat++) {
        state->points[seat] = 0;
        state->chips[seat] = rules->chips;
        state->hidden_cards[seat] = 0;
    }
    state->in_match = (int16_t)(seat_bit(state->num_players) - 1);
    state->dealer = rules->dealer == NOBODY
                        ? (int8_t)below(next_random(state), state->num_players)
                        : rules->dealer;
    start_round(state, rules);
    deal_hands(state);
    state->draws_due = 0;
    state->phase = TO_ACT;
    state->current_player = state->dealer;
    pass_turn(state);
    update_legal_actions(state, rules);
    find_player(state, rules);
}

// ---- a decision ----------------------------------------------------------------------------

HOT void remember(State *state, int64_t seat, int64_t code) {
    state->recent_plays[seat] = state->recent_plays[seat] << 8 | (uint32_t)code;
}

HOT int64_t total_after(const State *state, const Rules *rules, int64_t action) {
    int64_t total = state->total + added[action];
    return total < rules->lowest_total ? rules->lowest_total : total;
}

HOT void draw_cards(State *state, const Rules *rules, int draws_due) {
    int64_t seat = state->receiver;
    uint64_t threshold = rules->missed_draw[seat];
    if (threshold != 0 && next_random(state) >> 32 < threshold) return;
    while (draws_due-- > 0 && has_card(state, rules)) {
        Sums sums = prefix_sums(state->draw_pile);
        int64_t card = nth_by_sums(sums, below(next_random(state), size_by_sums(sums)));
        *count_in_pile(state->draw_pile, card) -= 1;
        state->hands[seat] += one_card(card);
    }
}

HOT int64_t effect_place(const State *state, int64_t card) {
    return card + OWED_STEP * (int64_t)state->plays_owed + PLAYER_STEP * (int64_t)state->players_left;
}

// What the card does to the turn; returns the seat that is up then.
HOT int64_t move_on(State *state, const Rules *rules, int64_t seat, int64_t card) {
    int64_t place = effect_place(state, card);
    uint32_t turn = rules->turn_after[place];
    int64_t direction = state->direction * rules->turning[place];
    int64_t next = next_seat(state->in_round, seat, direction);
    int64_t player = turn >> 16 & 1 ? seat : next;
    state->current_player = (int8_t)player;
    state->direction = (int8_t)direction;
    memcpy(&state->plays_owed, &turn, sizeof turn);
    return player;
}

// A card within the limit, already out of the hand, goes on the discard pile and takes effect.
HOT int64_t put_down(State *state, const Rules *rules, int64_t seat, int64_t card, int64_t total) {
    state->total = (int32_t)total;
    *count_in_pile(state->discard_pile, card) += 1;
    state->top_discard = (int8_t)card;
    state->last_player = (int8_t)seat;
    remember(state, seat, card + 1);
    return move_on(state, rules, seat, card);
}

COLD void discard_four(State *state, const Rules *rules) {
    int64_t seat = state->current_player;
    state->hands[seat] -= one_card(ONO99) * 4;
    *count_in_pile(state->discard_pile, ONO99) += 4;
    state->top_discard = ONO99;
    remember(state, seat, DISCARD_FOUR + 1);
    if (rules->four_ono99_discard == AS_PLAY) {
        state->last_player = (int8_t)seat;
        move_on(state, rules, seat, 0); // as a card that adds 0
    }
}

// The default rules come here for the discard of four, and when the draw pile is empty.
COLD void step_in_full(State *state, const Rules *rules, int64_t action) {
    int64_t seat = state->current_player;
    state->plays++;
    state->receiver = (int8_t)seat;
    if (action == DISCARD_FOUR) {
        discard_four(state, rules);
        draw_cards(state, rules, 4);
    } else {
        int64_t total = total_after(state, rules, action);
        if (total > rules->highest_total) abort();
        state->hands[seat] -= one_card(action);
        put_down(state, rules, seat, action, total);
        draw_cards(state, rules, 1);
    }
    update_legal_actions(state, rules);
    find_player(state, rules);
}

HOT bool is_plain(const Rules *rules, int64_t action, int64_t total, Sums sums) {
    if (action == DISCARD_FOUR || total > rules->highest_total) return false;
    return size_by_sums(sums) > 0 && !rules->may_miss_draws;
}

HOT void step_plainly(State *state, const Rules *rules, int64_t card, int64_t total, Sums sums) {
    int64_t drawn = nth_by_sums(sums, below(next_random(state), size_by_sums(sums)));
    *count_in_pile(state->draw_pile, drawn) -= 1;
    int64_t seat = state->current_player;
    state->plays++;
    state->receiver = (int8_t)seat;
    state->hands[seat] += one_card(drawn) - one_card(card);
    int64_t player = put_down(state, rules, seat, card, total);
    uint64_t fits = cards_within(rules->highest_total - total);
    set_legal_actions(state, rules, state->hands[player], total, fits);
    if (state->legal_plays == 0 || state->plays >= rules->max_plays) find_player(state, rules);
}

HOT void step(State *state, const Rules *rules, int64_t action) {
    int64_t total = total_after(state, rules, action);
    Sums sums = prefix_sums(state->draw_pile);
    if (is_plain(rules, action, total, sums))
        step_plainly(state, rules, action, total, sums);
    else
        step_in_full(state, rules, action);
}

HOT int64_t random_action(const State *state, uint64_t random) {
    int64_t actions = count_ones(state->legal_plays) + state->may_discard_four;
    return nth_in_set(state->legal_plays, below(random, actions)); // 16 after the last card
}

// ---- the 2022 rules ------------------------------------------------------------------------

static void fill_effects(Rules *rules) {
    for (int card = 0; card < NUM_CARDS; card++)
        for (int owed = 1; owed <= 2; owed++)
            for (int players_left = 0; players_left <= MAX_PLAYERS; players_left++) {
                int place = card + OWED_STEP * owed + PLAYER_STEP * players_left;
                bool answers = owed == 2 && (card == REVERSE || card == PLAY_TWO);
                uint32_t left = owed == 2 && !answers;
                uint32_t passed_on = card == PLAY_TWO || answers ? 2 : 1;
                rules->turn_after[place] = (left ? left : passed_on) | passed_on << 8 | left << 16 |
                                           (uint32_t)(left && card == ONO99) << 24;
                rules->turning[place] = card == REVERSE && players_left != 2 ? -1 : 1;
            }
}

static void fill_tables(void) {
    for (int card = 0; card <= 10; card++) added[card] = card;
    added[MINUS_TEN] = -10;
    for (int card = 0; card < NUM_CARDS; card++) {
        low_from[card] = card < 8 ? ONES_8 << 8 * card : 0;
        high_from[card] = card < 8 ? ONES_8 : ONES_8 << 8 * (card - 8);
    }
    for (int room = LEAST_HEADROOM; room <= MOST_HEADROOM; room++)
        for (int card = 0; card < NUM_CARDS; card++)
            if (added[card] <= room) fitting[room - LEAST_HEADROOM] |= one_card(card);
    for (int turns = 0; turns < 2; turns++)
        for (int seat = 0; seat < MAX_PLAYERS; seat++)
            for (int seats = 1; seats < 1 << MAX_PLAYERS; seats++) {
                int next = seat;
                do next = (next + (turns ? 1 : MAX_PLAYERS - 1)) % MAX_PLAYERS;
                while (!(seats >> next & 1));
                next_seats[turns][seat][seats] = (int8_t)next;
            }
}

COLD void fill_rules(Rules *rules, int players) {
    static const uint8_t deck[NUM_CARDS] = {8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 10, 10, 10, 10, 10};
    memset(rules, 0, sizeof *rules);
    for (int card = 0; card < NUM_CARDS; card++)
        *count_in_pile(rules->deck, card) = deck[card];
    for (int owed = 0; owed < 3; owed++) rules->playable[owed] = ONES_4 & ~ONO99_ONLY;
    rules->four_ono99 = UINT64_C(4) << 4 * ONO99;
    rules->highest_total = 98;
    rules->max_plays = NO_LIMIT;
    rules->num_players = (int8_t)players;
    rules->hand_size = 4;
    rules->dealer = NOBODY;
    rules->format = SINGLE_ROUND;
    rules->ono99_play = NEVER;
    rules->four_ono99_discard = AS_PLAY;
    rules->last_to_play_wins_stuck_round = 1;
    fill_effects(rules);
}

// ---- the benchmark -------------------------------------------------------------------------

typedef struct {
    uint64_t games, wins[MAX_PLAYERS];
} Results;

COLD void run(State tables[TABLES], const Rules *rules, uint64_t decisions, uint64_t seed, Results *results) {
    uint64_t counter = scramble(advance(seed)), next_seed = seed;
    for (uint64_t made = 0; made < decisions / TABLES; made++)
        for (int i = 0; i < TABLES; i++) {
            State *state = &tables[i];
            counter = advance(counter);
            while (!has_legal_action(state)) new_game(state, rules, ++next_seed);
            step(state, rules, random_action(state, scramble(counter)));
            if (has_legal_action(state)) continue;
            results->games++;
            for (int seat = 0; seat < state->num_players; seat++)
                results->wins[seat] += state->in_match >> seat & 1;
        }
}

static double seconds_now(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    int players = argc == 4 ? atoi(argv[1]) : 0;
    if (players < MIN_PLAYERS || players > MOST_PLAYERS) {
        fprintf(stderr, "usage: %s PLAYERS DECISIONS SEED (2 to 6 players)\n", argv[0]);
        return EXIT_FAILURE;
    }
    uint64_t decisions = strtoull(argv[2], NULL, 10);
    static State tables[TABLES];
    Rules rules;
    Results results = {0};
    fill_tables();
    fill_rules(&rules, players);
    double start = seconds_now();
    run(tables, &rules, decisions, strtoull(argv[3], NULL, 10), &results);
    double seconds = seconds_now() - start;
    printf("{\"players\": %d, \"decisions\": %" PRIu64 ", ", players, decisions);
    printf("\"seconds\": %.6f, \"decisions_per_second\": %.0f, ", seconds, decisions / seconds);
    printf("\"games\": %" PRIu64 ", \"wins\": [", results.games);
    for (int seat = 0; seat < players; seat++)
        printf("%s%" PRIu64, seat ? ", " : "", results.wins[seat]);
    printf("], \"mean_game_length\": %.6f}\n", results.games ? (double)decisions / results.games : 0.0);
    return EXIT_SUCCESS;
}
