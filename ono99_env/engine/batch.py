"""The functions that Python calls: each works on an array of games."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import generator, legal, match, seats, step
from ono99_env.jit.compile import called_from_python, compiled
from ono99_env.jit.instructions import mark_cold
from ono99_env.jit.types import RulesArray, State, States, Whole, Word
from ono99_env.rules.cards import NUM_ACTIONS

_NUM_ACTIONS = int(NUM_ACTIONS)
_MOST_DEALS = 10_000


@called_from_python
def deal_games(
    games: States, rules: RulesArray, num_players: NDArray[np.int64], seeds: NDArray[np.uint64]
) -> None:
    """Start every game of a batch from its seed."""
    for index in range(len(games)):
        step.new_game(games[index], rules[0], num_players[index], seeds[index])


@called_from_python
def step_games(games: States, rules: RulesArray, actions: NDArray[np.int64]) -> None:
    """Apply one legal action to every game of a batch, with the chance that follows."""
    for index in range(len(games)):
        step.step(games[index], rules[0], actions[index])


@called_from_python
def fill_action_masks(games: States, masks: NDArray[np.int8]) -> None:
    """Write the mask of the player to act of every game; shape (games, 17), 1 for legal."""
    for index in range(len(games)):
        for action in range(_NUM_ACTIONS):
            masks[index, action] = legal.is_legal(games[index], action)


@called_from_python
def fill_returns(games: States, returns: NDArray[np.float64]) -> None:
    """Write what each seat has won or lost so far; shape (games, 8)."""
    for index in range(len(games)):
        write_returns(games[index], returns[index])


@called_from_python
def forfeit_games(games: States, tables: NDArray[np.int64]) -> None:
    """End the given games by a loss of the player to act; the others in the match share the win."""
    for table in tables:
        state = games[table]
        offender = seats.seat_bit(state.current_player)
        match.end_game(state, np.int64(state.in_match) & ~offender)


@compiled
def write_returns(state: State, returns: NDArray[np.float64]) -> None:
    """Write what each seat of a game has won or lost so far.

    Who leaves the match pays 1 / (n - 1); the winners share it equally when the game is over.
    """
    num_players = np.int64(state.num_players)
    num_winners = seats.count_seats(match.winners(state))
    is_over = match.is_over(state)
    for seat in range(num_players):
        if not seats.is_among(seat, state.in_match):
            returns[seat] = -1.0 / (num_players - 1)
        elif is_over:
            returns[seat] = (num_players - num_winners) / ((num_players - 1) * num_winners)
        else:
            returns[seat] = 0.0


@called_from_python
def play_randomly(
    games: States, rules: RulesArray, decisions: int, seed: Word, wins: NDArray[np.int64]
) -> None:
    """Play games by uniformly random legal actions, for a number of decisions in total.

    Games that end are dealt anew from the next seed. Meant for benchmarks and statistics. The games
    take turns, so that the processor works on one while another waits for its last decision.

    Args:
        games: Games in progress; those of a zeroed record are dealt first.
        rules: The rules of all the games.
        decisions: Decisions to make in all.
        seed: Start of the generators.
        wins: Counts of wins by seat, added to, shape (8,); every winner of a shared win counts.
    """
    counter = generator.seeded(np.uint64(seed))
    next_seed = np.uint64(seed)
    for _ in range(decisions // len(games)):
        for index in range(len(games)):
            state = games[index]
            counter = generator.advance(counter)
            deals = 0
            while not legal.has_legal_action(state):
                if deals == _MOST_DEALS:
                    raise ValueError("no game lasts until a player can play a card")
                deals += 1
                next_seed += np.uint64(1)
                step.new_game(state, rules[0], rules[0].num_players, next_seed)
            choice = generator.below(generator.scramble(counter), legal.num_legal_actions(state))
            step.step(state, rules[0], legal.nth_legal_action(state, choice))
            if not legal.has_legal_action(state):
                count_winners(state, wins)


@compiled
def count_winners(state: State, wins: NDArray[np.int64]) -> None:
    """Add a game that is over to the counts of wins by seat."""
    mark_cold()
    for seat in range(state.num_players):
        wins[seat] += np.int64(seats.is_among(seat, match.winners(state)))


@called_from_python
def start_game(games: States, rules: RulesArray, seed: Word) -> None:
    """Set up one game up to the deal of its first round, for a caller that deals the cards.

    Python calls this for one game in an array; `step.start_game` takes its record.
    """
    step.start_game(games[0], rules[0], rules[0].num_players, np.uint64(seed))


@called_from_python
def begin_action(games: States, rules: RulesArray, action: Whole) -> None:
    """Apply a legal action of one game, by `step.begin_action`; chance does not follow."""
    step.begin_action(games[0], rules[0], action)


@called_from_python
def draw_is_missed(games: States, rules: RulesArray) -> bool:
    """Let `step.draw_is_missed` decide whether the draws due in one game are missed (R20)."""
    return bool(step.draw_is_missed(games[0], rules[0]))


@called_from_python
def needs_card(games: States, rules: RulesArray) -> bool:
    """Continue one game by `step.needs_card`; return whether a card is due."""
    return bool(step.needs_card(games[0], rules[0]))


@called_from_python
def deal(games: States, card: Whole) -> Whole:
    """Deal a card that is due in one game: a named one, or a random one for -1; return it."""
    if card < 0:
        card = step.random_card(games[0])
    step.deal_card(games[0], card)
    return card


@called_from_python
def refresh_legal_actions(games: States, rules: RulesArray) -> bool:
    """Write the legal actions of one game anew; return whether there are any."""
    legal.update_legal_actions(games[0], rules[0])
    return bool(legal.has_legal_action(games[0]))
