// ONO 99, 2022 rules, played with uniformly random legal actions: as fast as C goes.
//
// Same rules, arguments, output and distribution as ono99.c (read that one for the rules), but
// every step is arranged for the processor:
//
// - A hand is one 64-bit word of counters. Its legal actions are three shifts and a table mask.
//   The counter of ONO 99 sits where its top bit, set by the fourth card, is the discard of four
//   (R12), so that every action, that one too, is taken from the hand by subtracting its bit.
// - The pile always is a permutation of the whole deck whose first `left` cards can be drawn. A
//   deal sets `left` and copies nothing, a play records no discard: what is neither in the pile
//   nor in a hand is discarded, which only the rare reshuffle has to know.
// - Whose turn it is, the direction, the obligation and who is still in are one small number,
//   and a table gives its successor (R6, R7, R8) without a branch.
// - Eliminations of several seats in a row are settled in one go from the set of seats able to
//   play: while seats go out nothing else changes.
// - A 64-bit random word serves four decisions: a multiplication by the number of choices gives
//   the choice in the high half of the product and the randomness that is left in the low half.
// - Several independent tables (TABLES) take turns, so that one's waiting is another's work.
//
//   cc -O3 -march=native -std=c11 -Wall -Wextra ono99_bits.c -o ono99_bits   (GCC or Clang)
//   ./ono99_bits PLAYERS DECISIONS SEED     (decisions are rounded up to a multiple of 16)
//
// With -DCHECK_STATE every position is checked for card conservation and for a legal action.

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#ifndef TABLES
#define TABLES 4
#endif
// (4 choices * 112 cards)^4 is 2^35: the bias of the last choice from a word stays below 2^-28.
#define DECISIONS_PER_WORD 4
#define UNLIKELY(condition) __builtin_expect((condition), 0)
#define HOT static inline __attribute__((always_inline))
#define COLD static __attribute__((noinline))

enum {
    MIN_PLAYERS = 2,
    MAX_PLAYERS = 6,
    HAND_SIZE = 4,
    HIGHEST_TOTAL = 98,
    DECK_SIZE = 112,
    NUM_CARDS = 15,
};
enum { HIGHEST_NUMBER = 10, ONO99, REVERSE, MINUS_TEN, PLAY_TWO };

// A card is known by the lowest bit of its counter in a hand, 3 bits wide and counting to 4.
enum { AT_REVERSE = 44, AT_MINUS_TEN = 48, AT_PLAY_TWO = 52, AT_ONO99 = 61, AT_DISCARD_FOUR = 63 };
static const uint8_t AT[NUM_CARDS] = {
    0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, AT_ONO99, AT_REVERSE, AT_MINUS_TEN, AT_PLAY_TWO};
static const uint8_t DECK[NUM_CARDS] = {8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 10, 10, 10, 10, 10};

// A turn is alive seats << 5 | owes two << 4 | counter-clockwise << 3 | seat to act.
enum { SEAT = 7, DIRECTION_SHIFT = 3, OWES_TWO_SHIFT = 4, ALIVE_SHIFT = 5, NUM_TURNS = 1 << 11 };
enum { PLAIN, TURNS_ROUND, OBLIGES, NUM_EFFECTS };

static uint64_t playable[HIGHEST_TOTAL + 1];      // by room: the action bits within the limit
static int8_t value_at[64];                       // by position: what the action adds
static uint8_t effect_at[64];                     // by position
static uint16_t next_turn[NUM_TURNS][4];          // by turn and effect
static uint8_t next_seat[2][8][1 << MAX_PLAYERS]; // by direction, seat and set of seats
static uint8_t seats_from[2][8][8];               // by direction, first seat, seat after last

typedef struct {
    uint64_t word;  // randomness for the next decisions
    uint64_t legal; // action bits of the seat to act
    uint64_t left;  // cards in the draw pile
    uint64_t room;  // HIGHEST_TOTAL less the total
    uint64_t turn;
    uint64_t hands[MAX_PLAYERS];
    uint8_t pile[DECK_SIZE]; // positions of cards; the first `left` can be drawn
    uint64_t rng;
    uint64_t dealt_at; // decisions made at this table before the round
} Table;

typedef struct {
    uint64_t games;
    uint64_t plays; // in finished games
    uint64_t wins[MAX_PLAYERS];
} Results;

// ---- tables --------------------------------------------------------------------------------

static int seat_after(int players, int direction, int seat) {
    return (seat + (direction ? players - 1 : 1)) % players;
}

static void fill_actions(void) {
    for (int room = 0; room <= HIGHEST_TOTAL; room++) {
        playable[room] = UINT64_C(1) << AT_REVERSE | UINT64_C(1) << AT_MINUS_TEN |
                         UINT64_C(1) << AT_PLAY_TWO | UINT64_C(1) << AT_DISCARD_FOUR;
        for (int number = 0; number <= HIGHEST_NUMBER && number <= room; number++)
            playable[room] |= UINT64_C(1) << AT[number];
    }
    for (int number = 0; number <= HIGHEST_NUMBER; number++)
        value_at[AT[number]] = (int8_t)number;
    value_at[AT_MINUS_TEN] = -10;
    effect_at[AT_REVERSE] = TURNS_ROUND;
    effect_at[AT_PLAY_TWO] = OBLIGES;
}

static void fill_seats(int players, int direction, int seat) {
    for (unsigned seats = 1; seats < 1u << players; seats++) {
        int next = seat_after(players, direction, seat);
        while (!(seats >> next & 1)) next = seat_after(players, direction, next);
        next_seat[direction][seat][seats] = (uint8_t)next;
    }
    unsigned passed = 0;
    for (int end = seat, i = 0; i < players; i++, end = seat_after(players, direction, end)) {
        seats_from[direction][seat][end] = (uint8_t)passed;
        passed |= 1u << end;
    }
}

// R7, R8: the turn after a play.
static uint16_t successor(unsigned turn, int effect) {
    unsigned alive = turn >> ALIVE_SHIFT, seat = turn & SEAT;
    unsigned obliged = turn >> OWES_TWO_SHIFT & 1, direction = turn >> DIRECTION_SHIFT & 1;
    if (obliged && effect == PLAIN) return (uint16_t)(turn & ~(1u << OWES_TWO_SHIFT));
    if (effect == TURNS_ROUND && __builtin_popcount(alive) > 2) direction ^= 1;
    unsigned owes_two = effect == OBLIGES || obliged;
    return (uint16_t)(alive << ALIVE_SHIFT | owes_two << OWES_TWO_SHIFT |
                      direction << DIRECTION_SHIFT | next_seat[direction][seat][alive]);
}

static void fill_tables(int players) {
    fill_actions();
    for (int direction = 0; direction < 2; direction++)
        for (int seat = 0; seat < players; seat++) fill_seats(players, direction, seat);
    for (unsigned turn = 1 << ALIVE_SHIFT; turn < 1u << (ALIVE_SHIFT + players); turn++) {
        if ((turn & SEAT) >= (unsigned)players) continue;
        for (int effect = 0; effect < NUM_EFFECTS; effect++)
            next_turn[turn][effect] = successor(turn, effect);
    }
}

// ---- chance --------------------------------------------------------------------------------

HOT uint64_t splitmix64(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

HOT uint64_t take_below(uint64_t *word, uint64_t bound) {
    unsigned __int128 product = (unsigned __int128)*word * bound;
    *word = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

HOT uint64_t nth_set_bit(uint64_t bits, uint64_t n) {
#ifdef __BMI2__
    return _pdep_u64(UINT64_C(1) << n, bits);
#else
    // A hand has at most four legal actions.
    bits = n > 0 ? bits & (bits - 1) : bits;
    bits = n > 1 ? bits & (bits - 1) : bits;
    bits = n > 2 ? bits & (bits - 1) : bits;
    return bits & -bits;
#endif
}

// One card of the first `left` as its hand counter's unit; it swaps places with the last of them.
HOT uint64_t draw_card(Table *table, uint64_t *word, uint64_t left) {
    uint64_t place = take_below(word, left);
    uint8_t card = table->pile[place], last = table->pile[left - 1];
    table->pile[place] = last;
    table->pile[left - 1] = card;
    return UINT64_C(1) << card;
}

// R5: sorts the pile into discarded cards, which can be drawn again, and cards in hands. Six hands
// hold 24 of 112 cards, so there always are some.
COLD void reshuffle(Table *table, int players) {
    int hidden = DECK_SIZE;
    table->left = 0;
    for (int card = 0; card < NUM_CARDS; card++) {
        int discarded = DECK[card];
        for (int seat = 0; seat < players; seat++)
            for (uint64_t held = table->hands[seat] >> AT[card] & 7; held > 0; held--) {
                table->pile[--hidden] = AT[card];
                discarded--;
            }
        while (discarded-- > 0) table->pile[table->left++] = AT[card];
    }
}

// The replacement of four cards at once (R12), or of one from an empty pile.
COLD void draw_rarely(Table *table, int players, uint64_t seat, int cards) {
    uint64_t word = splitmix64(&table->rng);
    while (cards-- > 0) {
        if (table->left == 0) reshuffle(table, players);
        table->hands[seat] += draw_card(table, &word, table->left);
        table->left--;
    }
}

// ---- turns ---------------------------------------------------------------------------------

HOT uint64_t legal_actions(uint64_t hand, uint64_t room) {
    return (hand | hand >> 1 | hand >> 2) & playable[room];
}

// R2: the dealer is drawn at random, hence so is the seat that starts.
HOT void deal(Table *table, int players) {
    uint64_t word = splitmix64(&table->rng);
    uint64_t seat = take_below(&word, (uint64_t)players), left = DECK_SIZE;
    for (int player = 0; player < players; player++) {
        uint64_t hand = 0;
        word = splitmix64(&table->rng);
        for (int card = 0; card < HAND_SIZE; card++) hand += draw_card(table, &word, left--);
        table->hands[player] = hand;
    }
    table->left = left;
    table->room = HIGHEST_TOTAL;
    table->turn = ((UINT64_C(1) << players) - 1) << ALIVE_SHIFT | seat;
    table->legal = legal_actions(table->hands[seat], HIGHEST_TOTAL);
}

// R6, R7, R13: the seat to act is out, and so is every seat up to the first that can play; if none
// can, `last_player` wins. Deals the next round when this one is over.
COLD void settle(Table *table, int players, Results *results, uint64_t last_player, uint64_t now) {
    uint64_t room = table->room, seat = table->turn & SEAT;
    uint64_t direction = table->turn >> DIRECTION_SHIFT & 1, alive = table->turn >> ALIVE_SHIFT;
    uint64_t able = 0, winner = last_player;
    for (int player = 0; player < players; player++)
        able |= (uint64_t)(legal_actions(table->hands[player], room) != 0) << player;
    able &= alive;
    if (able != 0) {
        winner = next_seat[direction][seat][able];
        alive &= ~(uint64_t)seats_from[direction][seat][winner];
        if ((alive & (alive - 1)) != 0) {
            table->turn = alive << ALIVE_SHIFT | direction << DIRECTION_SHIFT | winner;
            table->legal = legal_actions(table->hands[winner], room);
            return;
        }
    }
    results->games++;
    results->plays += now - table->dealt_at;
    results->wins[winner]++;
    table->dealt_at = now;
    deal(table, players);
}

// One random decision and all its consequences; `now` counts it.
HOT void play(Table *table, int players, Results *results, uint64_t now) {
    uint64_t legal = table->legal, left = table->left, turn = table->turn, word = table->word;
    uint64_t seat = turn & SEAT;
    uint64_t choices = (uint64_t)__builtin_popcountll(legal);
    uint64_t action = nth_set_bit(legal, take_below(&word, choices));
    uint64_t hand = table->hands[seat] - action;
    int at = __builtin_ctzll(action);
    int64_t room = (int64_t)table->room - value_at[at];
    room = room > HIGHEST_TOTAL ? HIGHEST_TOTAL : room; // R9
    // Four ONO 99 are a whole hand: if their discard is legal, nothing else is.
    bool discards_four = legal >> AT_DISCARD_FOUR;
    if (UNLIKELY(discards_four || left == 0)) {
        table->hands[seat] = hand;
        draw_rarely(table, players, seat, discards_four ? HAND_SIZE : 1);
    } else {
        table->hands[seat] = hand + draw_card(table, &word, left);
        table->left = left - 1;
    }
    turn = next_turn[turn][effect_at[at]];
    legal = legal_actions(table->hands[turn & SEAT], (uint64_t)room);
    table->word = word;
    table->room = (uint64_t)room;
    table->turn = turn;
    table->legal = legal;
    if (UNLIKELY(legal == 0)) settle(table, players, results, seat, now);
}

// ---- the benchmark -------------------------------------------------------------------------

#ifdef CHECK_STATE
static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "broken state: %s\n", what);
    abort();
}

static void check_state(const Table *table, int players) {
    int held_in_all = 0;
    for (int card = 0; card < NUM_CARDS; card++) {
        int in_pile = 0, drawn = 0, held = 0;
        for (int place = 0; place < DECK_SIZE; place++) {
            in_pile += table->pile[place] == AT[card];
            drawn += table->pile[place] == AT[card] && place >= (int)table->left;
        }
        for (int seat = 0; seat < players; seat++) held += table->hands[seat] >> AT[card] & 7;
        require(in_pile == DECK[card], "a card is lost or doubled");
        require(held <= drawn, "a card is in a hand and in the draw pile");
        held_in_all += held;
    }
    require(held_in_all == HAND_SIZE * players, "a hand has not four cards");
    require(table->room <= HIGHEST_TOTAL, "total out of bounds");
    uint64_t seat = table->turn & SEAT, alive = table->turn >> ALIVE_SHIFT;
    require(alive >> seat & 1, "the seat to act is out");
    require(__builtin_popcountll(alive) >= 2, "one player left and no winner");
    require(table->legal != 0, "no legal action");
    require(table->legal == legal_actions(table->hands[seat], table->room), "stale actions");
}
#else
HOT void check_state(const Table *table, int players) { (void)table, (void)players; }
#endif

static void run(Table tables[TABLES], int players, uint64_t decisions_each, Results *results) {
    for (uint64_t now = 0; now < decisions_each;) {
        for (int i = 0; i < TABLES; i++) tables[i].word = splitmix64(&tables[i].rng);
#pragma GCC unroll 1
        for (int decision = 0; decision < DECISIONS_PER_WORD; decision++) {
            now++;
            for (int i = 0; i < TABLES; i++) {
                check_state(&tables[i], players);
                play(&tables[i], players, results, now);
            }
        }
    }
}

static void open_table(Table *table, int players, uint64_t seed) {
    *table = (Table){.rng = seed};
    int size = 0;
    for (int card = 0; card < NUM_CARDS; card++)
        for (int copy = 0; copy < DECK[card]; copy++) table->pile[size++] = AT[card];
    deal(table, players);
}

static double seconds_now(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_results(int players, uint64_t decisions, double seconds, const Results *results) {
    printf("{\"players\": %d, \"decisions\": %" PRIu64 ", ", players, decisions);
    printf("\"seconds\": %.6f, \"decisions_per_second\": %.0f, ", seconds, decisions / seconds);
    printf("\"games\": %" PRIu64 ", \"wins\": [", results->games);
    for (int seat = 0; seat < players; seat++)
        printf("%s%" PRIu64, seat ? ", " : "", results->wins[seat]);
    double games = results->games ? (double)results->games : 1.0;
    printf("], \"mean_game_length\": %.6f}\n", (double)results->plays / games);
}

int main(int argc, char **argv) {
    int players = argc == 4 ? atoi(argv[1]) : 0;
    if (players < MIN_PLAYERS || players > MAX_PLAYERS) {
        fprintf(stderr, "usage: %s PLAYERS DECISIONS SEED (2 to 6 players)\n", argv[0]);
        return EXIT_FAILURE;
    }
    static _Alignas(64) Table tables[TABLES];
    uint64_t step = TABLES * DECISIONS_PER_WORD;
    uint64_t decisions = (strtoull(argv[2], NULL, 10) + step - 1) / step * step;
    uint64_t seed = strtoull(argv[3], NULL, 10);
    fill_tables(players);
    for (int i = 0; i < TABLES; i++) open_table(&tables[i], players, splitmix64(&seed));
    Results results = {0};
    double start = seconds_now();
    run(tables, players, decisions / TABLES, &results);
    print_results(players, decisions, seconds_now() - start, &results);
    return EXIT_SUCCESS;
}
