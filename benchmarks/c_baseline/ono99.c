// ONO 99, 2022 rules, played with uniformly random legal actions: a plain C baseline.
//
// Written straight from the rule book (the comments name its rules R1 to R13) for the default
// options and one round a game. It tells how fast ordinary C plays the game, and its results check
// the engine, with which it shares no code.
//
//   cc -O3 -march=native -std=c11 -Wall -Wextra ono99.c -o ono99
//   ./ono99 PLAYERS DECISIONS SEED
//
// With -DCHECK_STATE every position is checked for card conservation and for a legal action.

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// R1: a number card is its own value, so ids 0 to 10 need no names.
enum { HIGHEST_NUMBER = 10, ONO99, REVERSE, MINUS_TEN, PLAY_TWO, NUM_CARDS };
// Playing a card is the action of the same id.
enum { DISCARD_FOUR_ONO99 = NUM_CARDS, NUM_ACTIONS };
enum {
    MIN_PLAYERS = 2, MAX_PLAYERS = 6,
    LOWEST_TOTAL = 0, HIGHEST_TOTAL = 98, // R9, R4
    DECK_SIZE = 112, HAND_SIZE = 4,       // R1, R2
    NOBODY = -1,
};

static const int DECK[NUM_CARDS] = {8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 10, 10, 10, 10, 10};
static const int VALUE[NUM_ACTIONS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, -10, 0, 0};

typedef struct {
    uint64_t rng;
    int num_players;
    int total;
    int direction;  // 1 clockwise, -1 counter-clockwise
    int current;    // seat to act
    int plays_owed; // 2 under a Play Two obligation, before the first of the two cards
    int last_player, players_left;
    int winner; // NOBODY while the round goes on
    bool alive[MAX_PLAYERS];
    int hands[MAX_PLAYERS][NUM_CARDS]; // how many of each card
    int discard[NUM_CARDS];
    int draw_left;
    uint8_t draw_pile[DECK_SIZE]; // the first draw_left cards, in no particular order
    int num_legal;
    int legal[NUM_ACTIONS]; // what the seat to act may do
} Game;

typedef struct {
    uint64_t games, plays, wins[MAX_PLAYERS]; // plays: in finished games only
} Results;

// ---- chance --------------------------------------------------------------------------------

static inline uint64_t splitmix64(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

// Multiplying instead of dividing; with bounds this small the bias is below 2^-25.
static inline int random_below(Game *game, int bound) {
    return (int)((splitmix64(&game->rng) >> 32) * (uint64_t)bound >> 32);
}

// ---- cards ---------------------------------------------------------------------------------

// R5: an empty draw pile is replaced by the discard pile.
static void reshuffle(Game *game) {
    for (int card = 0; card < NUM_CARDS; card++) {
        for (int copy = 0; copy < game->discard[card]; copy++)
            game->draw_pile[game->draw_left++] = (uint8_t)card;
        game->discard[card] = 0;
    }
}

// One step of a Fisher-Yates shuffle, so the pile never needs to be in order.
static inline void draw_card(Game *game, int seat) {
    if (game->draw_left == 0) {
        reshuffle(game);
        if (game->draw_left == 0) return;
    }
    int place = random_below(game, game->draw_left);
    int card = game->draw_pile[place];
    game->draw_pile[place] = game->draw_pile[--game->draw_left];
    game->hands[seat][card]++;
}

// ---- turns ---------------------------------------------------------------------------------

// R4, R11, R12: fills `actions` with what the seat may do at the standing total; how many.
// The owed cards do not matter: in 2022 a Play Two is always an answer to a Play Two (R7).
static inline int legal_actions(const Game *game, int seat, int actions[NUM_ACTIONS]) {
    const int *hand = game->hands[seat];
    int room = HIGHEST_TOTAL - game->total;
    int highest_number = room < HIGHEST_NUMBER ? room : HIGHEST_NUMBER;
    int count = 0;
    // Writing always and keeping sometimes: a branch on a random hand is mostly mispredicted.
    for (int card = 0; card <= highest_number; card++) {
        actions[count] = card;
        count += hand[card] > 0;
    }
    for (int card = REVERSE; card <= PLAY_TWO; card++) {
        actions[count] = card;
        count += hand[card] > 0;
    }
    if (hand[ONO99] >= HAND_SIZE) actions[count++] = DISCARD_FOUR_ONO99;
    return count;
}

static bool anybody_can_play(const Game *game) {
    int actions[NUM_ACTIONS];
    for (int seat = 0; seat < game->num_players; seat++)
        if (game->alive[seat] && legal_actions(game, seat, actions) > 0) return true;
    return false;
}

static inline int next_seat(const Game *game, int seat) {
    do {
        seat += game->direction;
        if (seat == game->num_players) seat = 0;
        if (seat < 0) seat = game->num_players - 1;
    } while (!game->alive[seat]);
    return seat;
}

// R6 and R13: the seat to act is out; it cancels an obligation (R7), and the round may be over.
// At total 0 everybody can play, so somebody has always played before the first is out.
static void eliminate_current(Game *game) {
    game->alive[game->current] = false;
    game->players_left--;
    game->current = next_seat(game, game->current);
    game->plays_owed = 1;
    if (!anybody_can_play(game))
        game->winner = game->last_player;
    else if (game->players_left == 1)
        game->winner = game->current;
}

// R6: players without a legal play go out until one can play or the round is over.
static inline void start_play(Game *game) {
    for (;;) {
        game->num_legal = legal_actions(game, game->current, game->legal);
        if (game->num_legal > 0) return;
        eliminate_current(game);
        if (game->winner != NOBODY) return;
    }
}

static void clear_table(Game *game) {
    static uint8_t full_deck[DECK_SIZE];
    static bool is_built = false;
    for (int card = 0, size = 0; card < NUM_CARDS && !is_built; card++)
        for (int copy = 0; copy < DECK[card]; copy++) full_deck[size++] = (uint8_t)card;
    is_built = true;
    memcpy(game->draw_pile, full_deck, sizeof full_deck);
    game->draw_left = DECK_SIZE;
    memset(game->discard, 0, sizeof game->discard);
    memset(game->hands, 0, sizeof game->hands);
    for (int seat = 0; seat < game->num_players; seat++) game->alive[seat] = true;
    game->players_left = game->num_players;
    game->total = 0;
    game->direction = 1;
    game->plays_owed = 1;
    game->last_player = NOBODY;
    game->winner = NOBODY;
}

// R2: one card at a time, clockwise from the left of a random dealer; that seat also starts.
static void deal(Game *game) {
    clear_table(game);
    game->current = next_seat(game, random_below(game, game->num_players));
    for (int card = 0, seat = game->current; card < HAND_SIZE * game->num_players; card++) {
        draw_card(game, seat);
        seat = next_seat(game, seat);
    }
    start_play(game);
}

// R3, R5, R9, R12: moves the cards of an action and the total; the replacements are drawn last.
static inline void move_cards(Game *game, int action) {
    int *hand = game->hands[game->current];
    if (action == DISCARD_FOUR_ONO99) {
        hand[ONO99] -= HAND_SIZE;
        game->discard[ONO99] += HAND_SIZE;
        for (int copy = 0; copy < HAND_SIZE; copy++) draw_card(game, game->current);
        return;
    }
    hand[action]--;
    game->discard[action]++;
    game->total += VALUE[action];
    if (game->total < LOWEST_TOTAL) game->total = LOWEST_TOTAL;
    draw_card(game, game->current);
}

// R7, R8: who acts next, and how many cards that seat owes.
static inline void pass_turn(Game *game, int action) {
    bool obliged = game->plays_owed == 2;
    bool answers = action == REVERSE || action == PLAY_TWO;
    game->plays_owed = 1;
    if (obliged && !answers) return; // the second card is still due
    if (action == REVERSE && game->players_left > 2) game->direction = -game->direction;
    if (action == PLAY_TWO || (obliged && action == REVERSE)) game->plays_owed = 2;
    game->current = next_seat(game, game->current);
}

// One decision and all its consequences, up to the next decision or the end of the round.
static inline void play(Game *game, int action) {
    move_cards(game, action);
    game->last_player = game->current;
    pass_turn(game, action);
    start_play(game);
}

// ---- the benchmark -------------------------------------------------------------------------

#ifdef CHECK_STATE
static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "broken state: %s\n", what);
    abort();
}

static void check_state(const Game *game) {
    int seen[NUM_CARDS] = {0};
    for (int place = 0; place < game->draw_left; place++) seen[game->draw_pile[place]]++;
    for (int card = 0; card < NUM_CARDS; card++) {
        seen[card] += game->discard[card];
        for (int seat = 0; seat < game->num_players; seat++) seen[card] += game->hands[seat][card];
        require(seen[card] == DECK[card], "a card is lost or doubled");
    }
    for (int seat = 0; seat < game->num_players; seat++) {
        int size = 0;
        for (int card = 0; card < NUM_CARDS; card++) size += game->hands[seat][card];
        require(size == HAND_SIZE, "a hand has not four cards");
    }
    require(game->total >= LOWEST_TOTAL && game->total <= HIGHEST_TOTAL, "total out of bounds");
    if (game->winner != NOBODY) return;
    require(game->alive[game->current], "the seat to act is out");
    require(game->players_left >= 2, "one player left and no winner");
    require(game->num_legal > 0, "no legal action");
}
#else
static inline void check_state(const Game *game) { (void)game; }
#endif

static void run(Game *game, uint64_t decisions, Results *results) {
    uint64_t plays = 0;
    deal(game);
    for (uint64_t decision = 0; decision < decisions; decision++) {
        check_state(game);
        play(game, game->legal[random_below(game, game->num_legal)]);
        plays++;
        if (game->winner == NOBODY) continue;
        check_state(game);
        results->games++;
        results->plays += plays;
        results->wins[game->winner]++;
        plays = 0;
        deal(game);
    }
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
    uint64_t decisions = strtoull(argv[2], NULL, 10);
    Game game = {.num_players = players, .rng = strtoull(argv[3], NULL, 10)};
    Results results = {0};
    double start = seconds_now();
    run(&game, decisions, &results);
    print_results(players, decisions, seconds_now() - start, &results);
    return EXIT_SUCCESS;
}
