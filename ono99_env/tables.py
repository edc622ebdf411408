"""Many tables at once; each seat is held by the learner or by a bot.

`Tables` advances every table until the learner is to act at it or it is done. Compiled bots play
inside compiled code; other bots are asked in batches, one batch a bot. Everything that runs games
stands on it.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.asking import FORFEIT, Ask, ask_strictly
from ono99_env.bots.base import Bot
from ono99_env.bots.compiled import CompiledBot, choose
from ono99_env.cards import MAX_PLAYERS
from ono99_env.engine import batch, chance, generator, matches, seats
from ono99_env.engine.compile import compiled, entry_point
from ono99_env.engine.state import NOBODY, STATE, TO_ACT, rules_array
from ono99_env.engine.types import RulesArray, RulesRecord, State, States, Whole, Word
from ono99_env.rules import Rules
from ono99_env.views import Views, hide

LEARNER = -1
"""Holder of a seat whose actions come from the caller."""

DONE = 0
"""Status: the game is over, or no learner is left in a game that had one."""
LEARNER_TO_ACT = 1
"""Status: the current player's seat is held by the learner."""
BOT_TO_ACT = 2
"""Status: the current player's seat is held by a bot that must be asked from Python."""

_NOT_COMPILED = -1
_MOST_DEALS = 10_000

DrawGames = Callable[
    [NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int8]]
]
"""From k tables to the player counts (k,), seeds (k,) and holders (k, 8) of their new games."""


class Tables:
    """A batch of games with bots in some or all seats.

    Args:
        rules: The rules of all games; each table may have its own number of players.
        bots: The bots that may hold seats; a seat's holder is an index into this list.
        num_tables: How many games run side by side.
        seed: Start of the random numbers that bots use.
        ask: How bots that are not compiled are asked; by default a wrong answer is an error.

    Raises:
        ValueError: If a bot does not fit the rules.
    """

    def __init__(
        self,
        rules: Rules,
        bots: Sequence[Bot],
        num_tables: int,
        seed: int = 0,
        ask: Ask = ask_strictly,
    ) -> None:
        self.rules = rules
        self.rules_array = rules_array(rules)
        self.bots = list(bots)
        for bot in self.bots:
            bot.check_rules(rules)
        self.games = np.zeros(num_tables, STATE)
        """One record a table, shape (num_tables,)."""
        self.holders = np.full((num_tables, MAX_PLAYERS), LEARNER, np.int8)
        """Who holds each seat: `LEARNER` or an index into `bots`; shape (num_tables, 8)."""
        self.status = np.full(num_tables, DONE, np.int8)
        """What each table waits for: `DONE`, `LEARNER_TO_ACT` or `BOT_TO_ACT`."""
        self.survivors = np.zeros((num_tables, MAX_PLAYERS), np.int8)
        """How many were in the match when a seat had left it, 0 for none; shape (num_tables, 8)."""
        self.forfeited = np.full(num_tables, NOBODY, np.int8)
        """The seat whose bot failed and so lost the game, or -1; shape (num_tables,)."""
        self._kinds = np.array(
            [bot.kind if isinstance(bot, CompiledBot) else _NOT_COMPILED for bot in self.bots]
            or [_NOT_COMPILED],
            np.int64,
        )
        self._ask = ask
        self._learners = np.zeros(num_tables, np.int16)
        self._in_match = np.zeros(num_tables, np.int16)
        self._counters = np.zeros(num_tables, np.uint64)
        self._scratch = np.zeros(1, STATE)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start the random numbers of the bots anew; the games' own seeds are given to `deal`."""
        self.rng = np.random.default_rng(seed)
        self._counters[:] = self.rng.integers(2**64, size=len(self.games), dtype=np.uint64)

    def __len__(self) -> int:
        """How many tables there are."""
        return len(self.games)

    def deal(
        self,
        tables: NDArray[np.int64],
        num_players: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        holders: NDArray[np.int8],
    ) -> None:
        """Start new games and advance them until they wait for the learner or are done.

        Args:
            tables: Which tables, shape (k,).
            num_players: Seats of each new game, shape (k,).
            seeds: Seed of each new game, shape (k,); the cards follow from it.
            holders: Holder of each seat, shape (k, 8).
        """
        self.survivors[tables] = 0
        self.forfeited[tables] = NOBODY
        self._in_match[tables] = (1 << num_players) - 1
        deal_tables(
            *(self.games, self.rules_array, self.holders, self._learners),
            *(tables, num_players, seeds, holders),
        )
        self.advance(tables)

    def deal_to_learner(self, tables: NDArray[np.int64], draw: DrawGames) -> None:
        """Start new games at the given tables, in each of which the learner is to act.

        A game can end before the learner's first decision: there is nothing to learn from it, and
        another is dealt.

        Args:
            tables: Which tables, shape (k,).
            draw: Called with the tables to deal at; returns the other arguments of `deal`.

        Raises:
            ValueError: If no game lasts until the learner can play a card.
        """
        for _ in range(_MOST_DEALS):
            self.deal(tables, *draw(tables))
            tables = tables[self.status[tables] != LEARNER_TO_ACT]
            if not len(tables):
                return
        raise ValueError(
            f"rules: none of {_MOST_DEALS} games lasted until the learner could play a card"
        )

    def act(self, tables: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Apply a legal action of the learner at each of the given tables, then advance them.

        Args:
            tables: Which tables, shape (k,).
            actions: A legal action for each, shape (k,).

        Raises:
            RuntimeError: If the learner is not to act at a table, as after an error of a bot;
                nothing is changed.
        """
        if (self.status[tables] != LEARNER_TO_ACT).any():
            raise RuntimeError("the learner is not to act at every table; deal new games first")
        apply_actions(self.games, self.rules_array, tables, actions)
        self.advance(tables)

    def advance(self, tables: NDArray[np.int64]) -> None:
        """Let bots play at the given tables until each waits for the learner or is done."""
        while run_tables(
            *(self.games, self.rules_array, self.holders, self._learners, self._kinds),
            *(self._counters, self._scratch, tables, self.status),
            *(self._in_match, self.survivors),
        ):
            tables = tables[self.status[tables] == BOT_TO_ACT]
            self._ask_bots(tables)

    def views(self, tables: NDArray[np.int64], seats: NDArray[np.int64]) -> Views:
        """What the given seats may know, one seat of each given table."""
        return Views.of(self.rules, self.games[tables], seats)

    def _ask_bots(self, tables: NDArray[np.int64]) -> None:
        seats = self.games["current_player"][tables].astype(np.int64)
        holders = self.holders[tables, seats]
        for index in np.unique(holders):
            chosen = holders == index
            views = self.views(tables[chosen], seats[chosen])
            actions = self._ask(self.bots[index], views, self.rng)
            plays = actions != FORFEIT
            apply_actions(self.games, self.rules_array, tables[chosen][plays], actions[plays])
            if not plays.all():
                self._forfeit(tables[chosen][~plays])

    def _forfeit(self, tables: NDArray[np.int64]) -> None:
        """End games by a loss of the seat to act; the others in the match share the win."""
        self.forfeited[tables] = self.games["current_player"][tables]
        batch.forfeit_games(self.games, tables)


def win_shares(games: States) -> NDArray[np.float64]:
    """What each seat has of the win, shape (games, 8): those still in the match share it.

    For a game that was left unfinished this is the expectation if all who are left play alike.
    """
    is_in = games["in_match"].astype(np.int64)[:, None] >> np.arange(MAX_PLAYERS) & 1
    shares: NDArray[np.float64] = is_in / is_in.sum(axis=1, keepdims=True)
    return shares


@entry_point
def deal_tables(
    games: States,
    rules: RulesArray,
    holders: NDArray[np.int8],
    learners: NDArray[np.int16],
    tables: NDArray[np.int64],
    num_players: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    new_holders: NDArray[np.int8],
) -> None:
    """Seat the holders and deal a new game at each of the given tables."""
    for index in range(len(tables)):
        table = tables[index]
        holders[table] = new_holders[index]
        learners[table] = 0
        for seat in range(num_players[index]):
            if holders[table, seat] == LEARNER:
                learners[table] |= 1 << seat
        chance.new_game(games[table], rules[0], num_players[index], seeds[index])


@entry_point
def apply_actions(
    games: States, rules: RulesArray, tables: NDArray[np.int64], actions: NDArray[np.int64]
) -> None:
    """Apply a legal action at each of the given tables, with the chance that follows."""
    for index in range(len(tables)):
        chance.step(games[tables[index]], rules[0], actions[index])


@entry_point
def run_tables(
    games: States,
    rules: RulesArray,
    holders: NDArray[np.int8],
    learners: NDArray[np.int16],
    kinds: NDArray[np.int64],
    counters: NDArray[np.uint64],
    scratch: States,
    tables: NDArray[np.int64],
    status: NDArray[np.int8],
    in_match: NDArray[np.int16],
    survivors: NDArray[np.int8],
) -> Whole:
    """Let the compiled bots play at the given tables, as far as they can.

    Returns:
        At how many of the tables another bot is to act.
    """
    waiting = 0
    for table in tables:
        holding = holders[table]
        state = games[table]
        while True:
            status[table] = waits_for(state, holding, learners[table])
            if state.in_match != in_match[table]:
                note_leaving(state, in_match, survivors, table)
            if status[table] != BOT_TO_ACT:
                break
            kind = kinds[holding[state.current_player]]
            if kind == _NOT_COMPILED:
                waiting += 1
                break
            counters[table] = generator.advance(counters[table])
            random = generator.scramble(counters[table])
            scratch[0] = state
            play_bot(kind, state, scratch[0], rules[0], random)
    return waiting


@compiled
def note_leaving(
    state: State, in_match: NDArray[np.int16], survivors: NDArray[np.int8], table: Whole
) -> None:
    """Note for seats that have left the match how many are still in it."""
    left = np.int64(in_match[table]) & ~np.int64(state.in_match)
    for seat in range(state.num_players):
        if left & seats.seat_bit(seat):
            survivors[table, seat] = matches.count_seats(state.in_match)
    in_match[table] = state.in_match


@compiled
def waits_for(state: State, holders: NDArray[np.int8], learners: Whole) -> Whole:
    """The status of a table; `learners` is the set of seats held by the learner."""
    if state.phase != TO_ACT or (learners != 0 and (learners & np.int64(state.in_match)) == 0):
        return DONE
    return LEARNER_TO_ACT if holders[state.current_player] == LEARNER else BOT_TO_ACT


@compiled
def play_bot(kind: Whole, state: State, view: State, rules: RulesRecord, random: Word) -> None:
    """Let a compiled bot act on what its seat may know; `view` is a copy of `state` to redact."""
    hide(view, state.current_player)
    chance.step(state, rules, choose(kind, view, rules, random))
