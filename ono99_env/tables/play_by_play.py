"""The plays of one table, one by one, exactly as `Tables` makes them at once.

Compiled bots play many decisions in one compiled call, which notes nothing. Here the same decisions
are made again on copies: chance and the bots' random numbers are in the records.
"""

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.answers import FORFEIT, Ask, Question
from ono99_env.bots.scripted.compiled import choose
from ono99_env.engine import batch, generator
from ono99_env.engine.records import GAME_OVER
from ono99_env.jit.compile import called_from_python
from ono99_env.jit.types import Rosters, RulesArray, States, Whole
from ono99_env.observation.look import COMPACT
from ono99_env.observation.redaction import hide
from ono99_env.tables.table_loop import LEARNER, NOT_COMPILED


@called_from_python
def choose_next(games: States, rules: RulesArray, rosters: Rosters, kind: Whole) -> Whole:
    """Return what the compiled bot that is to act at the only table does; nothing is applied.

    Args:
        games: The game, shape (1,).
        rules: Its rules.
        rosters: Who plays there, shape (1,); its random numbers go on.
        kind: What the bot is in compiled code.
    """
    state, roster, seen = games[0], rosters[0], np.empty(1, COMPACT)
    roster.counter = generator.advance(roster.counter)
    seen[0].state = state
    hide(seen[0].state, state.current_player)
    return choose(kind, seen[0].state, rules[0], generator.scramble(roster.counter))


class NotedAnswers:
    """Asks bots as another does, and keeps what they answered for one game at a time.

    Args:
        ask: Asks the bots.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.actions: deque[int] = deque()
        """The answers that nobody has looked at yet, the oldest first."""

    def next(self, _games: States, _holder: int) -> int | None:
        """Return the next answer, for `list_decisions`; None if there is none."""
        return self.actions.popleft() if self.actions else None

    def __call__(self, question: Question) -> NDArray[np.int64]:
        """See `ask_once`; note the answer for the first game."""
        actions = self._ask(question)
        self.actions.append(int(actions[0]))
        return actions


def list_decisions(
    games: States,
    rules: RulesArray,
    rosters: Rosters,
    kinds: NDArray[np.int64],
    ask: Callable[[States, int], int | None],
    given: int | None = None,
) -> Iterator[tuple[States, int]]:
    """Yield the decisions at one table until the learner is to act, is out, or the game is over.

    Args:
        games: A copy of the game, shape (1,); it goes on as the table did.
        rules: Its rules.
        rosters: A copy of who plays there, shape (1,).
        kinds: What each bot is in compiled code, or `NOT_COMPILED`.
        ask: Called with the game and the index of a bot that is not compiled: what it does, or
            None to stop here. `FORFEIT` ends the game.
        given: The learner's action, which comes first; None if there is none.

    Yields:
        The game before each decision, and the action, or `FORFEIT`.
    """
    learners = int(rosters["learners"][0])
    while games["phase"][0] not in GAME_OVER:
        if learners and not learners & int(games["in_match"][0]):
            return
        holder = int(rosters["holders"][0, games["current_player"][0]])
        if given is not None:
            action, given = given, None
        elif holder == LEARNER:
            return
        elif kinds[holder] != NOT_COMPILED:
            action = int(choose_next(games, rules, rosters, int(kinds[holder])))
        else:
            answer = ask(games, holder)
            if answer is None:
                return
            action = answer
        yield games, action
        if action == FORFEIT:
            batch.forfeit_games(games, np.zeros(1, np.int64))
        else:
            batch.step_games(games, rules, np.array([action]))
