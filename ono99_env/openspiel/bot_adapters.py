"""Adapters between bots of this package and policies and bots of OpenSpiel.

`SpielBot` and `BotPolicy` let a bot of this package play in OpenSpiel; `PolicyBot` and `StepBot`
let OpenSpiel's policies and bots play here. A bot of this package keeps no memory and sees a view,
so OpenSpiel sees a game that *begins* in the present position: the information state holds the
hand and what follows, but no earlier play. That suits policies that use the observation, and
search, but not tables of information states (see `ono99_env.openspiel.tabular`).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import ismcts, mcts

from ono99_env.bots.answers import AskedBot, Question, ask_strictly
from ono99_env.bots.base import Bot
from ono99_env.bots.foreign import check_bot
from ono99_env.observation.views import Views
from ono99_env.openspiel.openspiel_game import Ono99Game, Ono99State, load_game
from ono99_env.openspiel.policies import action_probabilities
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.rules.rules import Rules


def views_of(state: Any, player: int | None = None) -> Views:
    """Return what a seat may know of a game in OpenSpiel, as bots of this package take it.

    Args:
        state: A state of the game `python_ono99`.
        player: The seat; default: the one to act.
    """
    seat = state.current_player() if player is None else player
    return Views.of(state.table.setup.rules, state.table.games, np.array([seat]))


class SpielBot(pyspiel.Bot):
    """A bot of this package as a `pyspiel.Bot`.

    Args:
        bot: The bot.
        rules: The rules of the game.
        seed: The bot's randomness.

    Raises:
        ValueError: If the bot cannot play by these rules.
    """

    def __init__(self, bot: Bot, rules: Rules, seed: int = 0) -> None:
        super().__init__()
        check_bot(bot, rules)
        self._guest = AskedBot(bot, 0, rules, seed)
        self._bot, self._rng = bot, np.random.default_rng(seed)

    def step(self, state: Any) -> int:
        """Choose an action.

        Raises:
            BotError: If the bot fails, or its action is not legal.
        """
        table = state.table
        return int(ask_strictly(Question(self._guest, table.setup.rules, table.games))[0])

    def restart_at(self, state: Any) -> None:
        """Do nothing, since a bot keeps no memory."""

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Do nothing: a bot sees the action in the next position."""

    def provides_policy(self) -> bool:
        """Return True: the bot tells its probabilities."""
        return True

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Return the probability of each legal action."""
        chosen = action_probabilities(self._bot, views_of(state), self._rng)[0]
        return [(action, float(chosen[action])) for action in state.legal_actions()]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Return the probability of each legal action, and an action drawn from them."""
        policy = self.get_policy(state)
        actions, chances = zip(*policy, strict=True)
        return policy, int(self._rng.choice(actions, p=chances))


class BotPolicy(spiel_policy.Policy):
    """A bot of this package as a policy of OpenSpiel's Python algorithms.

    Args:
        game: The game.
        bot: The bot, in all seats.
        seed: Randomness of a bot that does not tell its probabilities.
    """

    def __init__(self, game: Ono99Game, bot: Bot, seed: int = 0) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._bot, self._rng = bot, np.random.default_rng(seed)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """Return the probability of each legal action of the player to act."""
        chosen = action_probabilities(self._bot, views_of(state, player_id), self._rng)[0]
        return {action: float(chosen[action]) for action in state.legal_actions()}


class PolicyBot(Bot):
    """A policy of OpenSpiel as a bot of this package.

    Args:
        policy: A policy of `pyspiel` or of `open_spiel.python.policy`.
        name: What reports and messages call the bot.
    """

    description = "a policy of OpenSpiel"

    def __init__(self, policy: Any, name: str = "openspiel_policy") -> None:
        self.policy: Any = policy
        self.name: str = name

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """Return how likely each action is, shape (views, 17)."""
        chosen = np.zeros((len(views), NUM_ACTIONS))
        for row, state in zip(chosen, _states_of(views, np.random.default_rng(0)), strict=True):
            for action, chance in self.policy.action_probabilities(state).items():
                row[action] = chance
        return chosen

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`."""
        chosen = self.probabilities(views)
        return np.array([rng.choice(NUM_ACTIONS, p=row / row.sum()) for row in chosen], np.int64)


class StepBot(Bot):
    """A `pyspiel.Bot` that decides by the state alone, such as IS-MCTS, as a bot of this package.

    Args:
        bot: The bot; one object plays all seats.
        name: What reports and messages call it.
    """

    description = "a bot of OpenSpiel"

    def __init__(self, bot: Any, name: str = "openspiel_bot") -> None:
        self.bot: Any = bot
        self.name: str = name

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`."""
        return np.array([self.bot.step(state) for state in _states_of(views, rng)], np.int64)


class IsmctsBot(StepBot):
    """OpenSpiel's information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

    By name: ``ono99_env.openspiel.bot_adapters:IsmctsBot:simulations=100,seed=1``.

    Args:
        simulations: Games played out for each decision.
        exploration: The constant of UCT.
        seed: The search's randomness; each decision goes on with it.
    """

    description = "OpenSpiel's IS-MCTS with random playouts"

    def __init__(self, simulations: int = 100, exploration: float = 1.4, seed: int = 0) -> None:
        self._simulations, self._exploration = simulations, exploration
        self._random_state = np.random.RandomState(seed)
        super().__init__(None, "ismcts")

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`."""
        self.bot: Any = ismcts_bot(
            load_game(views.rules), self._simulations, self._exploration, self._random_state
        )
        return super().act(views, rng)


def ismcts_bot(
    game: Ono99Game,
    simulations: int = 100,
    exploration: float = 1.4,
    random_state: np.random.RandomState | None = None,
) -> Any:
    """Make OpenSpiel's IS-MCTS for the game, a `pyspiel.Bot`.

    Args:
        game: The game.
        simulations: Games played out for each decision.
        exploration: The constant of UCT.
        random_state: The search's randomness.
    """
    random_state = random_state or np.random.RandomState(0)
    evaluator = mcts.RandomRolloutEvaluator(1, random_state)
    return ismcts.ISMCTSBot(game, evaluator, exploration, simulations, random_state=random_state)


def _states_of(views: Views, rng: np.random.Generator) -> Iterator[Ono99State]:
    """Return a state that begins in each view, with what the seat does not see dealt at random."""
    rules, games = views.rules, {}
    for index, players in enumerate(views.states["num_players"].tolist()):
        if players not in games:
            at_table = rules if players == rules.num_players else rules.with_players(players)
            games[players] = load_game(at_table)
        yield games[players].state_in_view(views.states[index : index + 1], rng)
