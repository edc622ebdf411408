"""ONO 99 as an OpenSpiel game, `python_ono99`: registered when this module is imported.

Parameters of the game: ``rules`` (``edition_2022``, ``edition_1980``, the path of a YAML file, or
the fields of `Rules` as JSON) and ``players`` (0 for what the rules say).
"""

import json
from copy import deepcopy
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from ono99_env.jit.types import States
from ono99_env.observation.views import Views
from ono99_env.openspiel.events import describe
from ono99_env.openspiel.observers import Ono99Observer
from ono99_env.openspiel.open_table import (
    DRAWS,
    FIRST_DEALER,
    MISSES,
    NUM_CHANCE_OUTCOMES,
    BoundedRules,
    Decider,
    OpenTable,
)
from ono99_env.openspiel.resampler import resampled_history
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS, Action, Card
from ono99_env.rules.rules import Rules

NAME = "python_ono99"
"""What OpenSpiel calls the game."""

_EDITIONS = {"edition_2022": "2022", "edition_1980": "1980"}

_GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="ONO 99",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"rules": "edition_2022", "players": 0},
)


def load_game(rules: Rules | str = "2022", players: int = 0) -> Any:
    """Load the game.

    Args:
        rules: The rules, the name of an edition, or the path of a YAML file.
        players: Seats at the table; 0 for what the rules say.

    Returns:
        A `pyspiel.Game`. Its name as a string, ``str(game)``, loads the same game again.

    Raises:
        ValueError: If the rules are unknown or impossible; the message says what is wrong.
    """
    return pyspiel.load_game(NAME, {"rules": _parameter(rules), "players": players})


def _parameter(rules: Rules | str) -> str:
    """Write rules as a parameter, without brackets, commas and plain numbers.

    OpenSpiel gives these a meaning of their own.
    """
    if isinstance(rules, Rules):
        return quote(json.dumps(rules.model_dump(mode="json"), separators=(",", ":")), safe="")
    return f"edition_{rules}" if rules in _EDITIONS.values() else quote(rules)


def _rules(parameter: str, players: int) -> Rules:
    text = unquote(parameter)
    overrides: dict[str, Any] = {"num_players": players} if players else {}
    if text in _EDITIONS:
        return Rules.of_fields({"edition": _EDITIONS[text], **overrides})
    if text.startswith("{"):
        return Rules.of_fields({**json.loads(text), **overrides})
    return Rules.from_yaml(text, **overrides)


class Ono99Game(pyspiel.Game):
    """ONO 99 under any `Rules`. Rules without ``max_plays`` get `DEFAULT_MAX_PLAYS` (R22)."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        rules = _rules(params.get("rules", "edition_2022"), params.get("players", 0))
        self.setup = BoundedRules.of(rules)
        """The rules, bounded in length."""
        self.beginning = OpenTable(self.setup)
        """A game before its first chance event; to be copied."""
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=NUM_CHANCE_OUTCOMES,
            num_players=rules.num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.setup.most_rounds * self.setup.most_plays,
        )
        super().__init__(_GAME_TYPE, info, params)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Pickle the name, which says everything."""
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> "Ono99State":
        """Return a game before its first chance event."""
        return Ono99State(self)

    def state_in_view(self, view: States, rng: np.random.Generator) -> "Ono99State":
        """Return a game that begins in the position a seat sees, with the rest dealt at random.

        Args:
            view: What the seat sees, a redacted record in a length-1 array; a player is to act.
            rng: Randomness of the deal.
        """
        state = self.new_initial_state()
        state.table = OpenTable.in_view(self.setup, view, int(rng.integers(2**63)))
        return state

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> Ono99Observer:
        """Return the observer of observations or information states; see `Ono99Observer`."""
        if params:
            raise ValueError(f"observers of {NAME} take no parameters, but {params} were given")
        observed = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Ono99Observer(self.setup, observed)

    def max_chance_nodes_in_history(self) -> int:
        """Count the dealer, every card dealt, and per play up to four cards and a missed draw."""
        rules, plays = self.setup.rules, self.setup.most_plays
        dealt = rules.num_players * rules.hand_size
        return 1 + self.setup.most_rounds * (dealt + 5 * plays)


class Ono99State(pyspiel.State):
    """A game in progress, which is held in `table`."""

    def __init__(self, game: Ono99Game) -> None:
        super().__init__(game)
        self.table = deepcopy(game.beginning)
        """The game, with chance in the open."""

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's mark for chance or for the end."""
        if self.table.decider is Decider.PLAYER:
            return self.table.player
        player = pyspiel.PlayerId.TERMINAL if self.table.is_over else pyspiel.PlayerId.CHANCE
        return int(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may do, with probabilities."""
        return self.table.chance_outcomes()

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.table.is_over

    def returns(self) -> list[float]:
        """Return what each seat has won, once the game is over."""
        return self.table.returns()

    def resample_from_infostate(self, player_id: int, sampler: Any) -> "Ono99State":
        """Return a random game that looks the same to one seat: other hands, another draw pile.

        Args:
            player_id: The seat.
            sampler: Called for random numbers from 0 to 1.

        Raises:
            ValueError: If the game began in a view and was played on from there.
        """
        game: Ono99Game = self.get_game()
        if self.table.begins_in_view:
            if self.history():
                raise ValueError(
                    "this game began in mid-play (state_in_view) and was played on, so its history "
                    "is not known and cannot be resampled"
                )
            view = Views.of(self.table.setup.rules, self.table.games, np.array([player_id])).states
            return game.state_in_view(view, np.random.default_rng(int(sampler() * 2**53)))
        state = game.new_initial_state()
        for outcome in resampled_history(self.table, self.history(), player_id, sampler):
            state.apply_action(outcome)
        return state

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.table.check(int(action))
        self.table.apply(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return Action(action).label
        if action >= FIRST_DEALER:
            return f"dealer {action - FIRST_DEALER}"
        named = {DRAWS: "draw", MISSES: "missed draw"}
        return named.get(action) or f"deal {Card(action).label}"

    def __str__(self) -> str:
        return f"{describe(self.table.events)} ({self.table.decider.name.lower()})"


pyspiel.register_game(_GAME_TYPE, Ono99Game)
