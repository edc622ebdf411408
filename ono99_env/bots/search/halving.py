"""Sequential halving: share out playouts to find the best action, compared with the usual one.

Flat Monte Carlo gives every action the same number of independent playouts. This does better:

- *Common random numbers*: each determinization is played out with every action still in the race,
  so that hidden hands and draws are the same for all of them and most of their luck cancels in the
  differences (Glasserman and Yao, Management Science 38, 1992).
- *Sequential halving* (Karnin, Koren and Somekh, ICML 2013): the budget is cut into rounds, and
  after each the worse half of the actions drops out.
- *Caution*: the playout policy's own action, the *usual* one, stays in the race as the partner of
  all comparisons, and is played unless another is better by `CAUTION` standard errors. With few
  playouts the bot plays like its playout policy, not at random.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.search.determinization import deal_unseen, numbered_seed
from ono99_env.bots.search.outcome import SHARE_UNIT, share_of_win
from ono99_env.bots.search.playout import choose_fast, play_out
from ono99_env.engine import legal
from ono99_env.jit.compile import compiled
from ono99_env.jit.types import RulesRecord, State, States, Whole, Word
from ono99_env.rules.cards import NUM_ACTIONS

MOST_ACTIONS = int(NUM_ACTIONS)

CAUTION = 2.0
"""Standard errors by which an action must be better than the usual one to be played.

Most differences are tiny, and the best of several estimates is too high: with 2 the bot won more
games than with 0 or 1.
"""

RACE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Actions in the race, the usual one first; then those that dropped out.
                ("actions", "i8", (MOST_ACTIONS,)),
                # How many actions are in the race.
                ("alive", "i8"),
                # Determinizations that each action was played in.
                ("plays", "i8", (MOST_ACTIONS,)),
                # Sum over them of the share of the win less that of the usual action.
                ("gains", "i8", (MOST_ACTIONS,)),
                # Sum of the squares of the same.
                ("squares", "i8", (MOST_ACTIONS,)),
            ]
        ),
    )
)
"""The race between the actions of one decision. It holds integers, so threads can add to it in any
order."""

Race: TypeAlias = Any
"""One record of `RACE`."""

Races: TypeAlias = NDArray[np.void]
"""An array of `RACE` records."""


@compiled
def start_race(view: State, rules: RulesRecord, race: Race) -> Whole:
    """Enter all legal actions, the usual one first; return how many rounds the race has."""
    usual = choose_fast(view, rules)
    race.alive = legal.num_legal_actions(view)
    place = 1
    for index in range(race.alive):
        action = legal.nth_legal_action(view, index)
        if action == usual:
            race.actions[0] = action
        else:
            race.actions[place] = action
            place += 1
    for index in range(race.alive):
        race.plays[index], race.gains[index], race.squares[index] = 0, 0, 0
    return num_rounds(race.alive)


@compiled
def play_race(
    view: State,
    rules: RulesRecord,
    seed: Word,
    first: Whole,
    last: Whole,
    race: Race,
    games: States,
) -> None:
    """Play the determinizations of some numbers with every action in the race.

    Args:
        view: The redacted record of the seat to act.
        rules: The rules of the game.
        seed: Seed of the decision; with the number of a determinization it gives all chance.
        first: Number of the first determinization.
        last: Number after that of the last one.
        race: The race; its counts grow.
        games: Two records of scratch space.
    """
    seat = np.int64(view.current_player)
    for number in range(first, last):
        games[0] = view
        deal_unseen(games[0], numbered_seed(seed, number))
        usual_share = np.int64(0)
        for index in range(race.alive):
            games[1] = games[0]
            play_out(games[1], rules, race.actions[index])
            share = share_of_win(games[1], rules, seat)
            if index == 0:
                usual_share = share
            gain = share - usual_share
            race.plays[index] += 1
            race.gains[index] += gain
            race.squares[index] += gain * gain


@compiled
def num_rounds(actions: Whole) -> Whole:
    """Return how many rounds a race of some actions has; none if there is only one action."""
    rounds = np.int64(actions > 1)
    while actions > 2:
        actions = alive_after(actions)
        rounds += 1
    return rounds


@compiled
def alive_after(alive: Whole) -> Whole:
    """Return how many actions go on after a round: the usual one and half of the others."""
    return 1 + alive // 2


@compiled
def end_race_round(race: Race) -> None:
    """Sort the actions other than the usual one by their gains, and drop the worse half."""
    for end in range(2, race.alive):
        index = end
        while index > 1 and race.gains[index] > race.gains[index - 1]:
            swap(race, index)
            index -= 1
    race.alive = alive_after(race.alive)


@compiled
def swap(race: Race, index: Whole) -> None:
    """Exchange an action and all that is known of it with the one before."""
    other = index - 1
    for field in (race.actions, race.plays, race.gains, race.squares):
        field[index], field[other] = field[other], field[index]


@compiled
def best_action(race: Race) -> Whole:
    """Return the usual action, unless the other one that is left is clearly better."""
    if race.alive == 1:
        return np.int64(race.actions[0])
    plays = np.float64(race.plays[1])
    gain = race.gains[1] / plays
    # One gain of a whole win is added, so that a few equal gains do not seem certain.
    squares = race.squares[1] + np.float64(SHARE_UNIT) ** 2
    variance = squares / (plays + 1.0) - gain * gain
    caution = CAUTION * np.sqrt(max(variance, 0.0) / plays)
    return np.int64(race.actions[np.int64(gain > caution)])


@compiled
def num_determinizations(simulations: Whole, rounds: Whole, alive: Whole) -> Whole:
    """Return how many determinizations a round gets: its part of the playouts, but at least one."""
    return max(1, simulations // (rounds * alive))
