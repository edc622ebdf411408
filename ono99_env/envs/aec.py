"""The PettingZoo AEC environment: every seat is an agent of the caller's."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ono99_env.drawing.scene import Watcher
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, TO_ACT, TRUNCATED, rules_array
from ono99_env.envs.aec_step import SOMEBODY_IS_OUT, step_table
from ono99_env.envs.aec_table import AECTable
from ono99_env.envs.arguments import RulesArgument, check_same_rules, resolve_rules
from ono99_env.envs.rendering import RENDER_FPS, RENDER_MODES, Renderer, RenderMode
from ono99_env.envs.seat_outcomes import SeatOutcomes
from ono99_env.envs.spaces import ActionSpace, masked_observation_space, observation_space
from ono99_env.envs.table_log import FORFEIT, TableLog
from ono99_env.game.legality import (
    OnIllegal,
    action_id,
    check_on_illegal,
    illegal_action_error,
)
from ono99_env.game.snapshots import from_snapshot, to_snapshot
from ono99_env.jit.bare_tuples import bare
from ono99_env.observation.chosen_features import (
    Features,
    layout_of,
    resolve_features,
    vector_size,
)
from ono99_env.observation.look import Batch, look_alone
from ono99_env.observation.scales import scales_array
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS
from ono99_env.tables.table_loop import NO_ACTION, REFUSED

_NO_LEGAL_ACTION = np.zeros(NUM_ACTIONS, np.int8)
_NO_LEGAL_ACTION.flags.writeable = False
_THE_TABLE = np.zeros(1, np.int64)

Observation = dict[str, NDArray[Any]] | NDArray[np.float32]
"""The vector and the mask by name; with ``flatten=True`` the bare vector."""


class Ono99AEC(AECTable):
    """ONO 99 for all seats: see `ono99_env.ono99_v0`, its documentation page."""

    metadata = {  # noqa: RUF012 - the form that PettingZoo prescribes
        "name": "ono99_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        rules: RulesArgument = "2022",
        num_players: int | None = None,
        render_mode: RenderMode | None = None,
        illegal: OnIllegal = "raise",
        max_cycles: int | None = None,
        keep_seats: bool = False,
        flatten: bool = False,
        render_seat: Watcher = "all",
        features: Features = "full",
        **overrides: Any,
    ) -> None:
        self.rules = resolve_rules(rules, num_players, **overrides)
        if max_cycles is not None:
            if type(max_cycles) is not int or max_cycles < 1:
                raise ValueError(f"max_cycles must be None or at least 1, not {max_cycles!r}")
            limit = max_cycles * self.rules.num_players
            limit = min(limit, self.rules.max_plays or limit)
            self.rules = resolve_rules(self.rules, max_plays=limit)
        self._renderer = Renderer(render_mode, render_seat, self.rules.num_players)
        check_on_illegal(illegal)
        for name, option in (("keep_seats", keep_seats), ("flatten", flatten)):
            if type(option) is not bool:
                raise ValueError(f"{name} must be True or False, not {option!r}")
        self.render_mode = render_mode
        self.render_seat = render_seat
        self._log = TableLog(self.rules)
        self.illegal = illegal
        self.keep_seats = keep_seats
        self.flatten = flatten
        chosen = resolve_features(features)
        self.layout = layout_of(chosen)
        """The features of the vector by name, with their places in it."""
        self._size = vector_size(chosen)
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.num_players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = observation_space if flatten else masked_observation_space
        self.observation_spaces = {agent: space(chosen) for agent in self.possible_agents}
        self.action_spaces = {agent: ActionSpace() for agent in self.possible_agents}
        self._rules_array, self._games = rules_array(self.rules), np.zeros(1, STATE)
        self._batch = bare(Batch(self._games, self._rules_array, scales_array(self.rules, chosen)))
        self._returns = np.zeros((1, MAX_PLAYERS))
        self._generator = np.random.default_rng()
        self._outcomes = SeatOutcomes(self._games)
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._has_been_reset = False
        self._rewards_given = False
        self._observer = ""

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of `observe`, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return ``Discrete(17)``, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        Args:
            seed: Start of all chance; by default the next of the environment's own generator.
            options: Not used, and not refused: PettingZoo's own API test passes unknown ones.
        """
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        game_seed = self._generator.integers(2**64, size=1, dtype=np.uint64)
        batch.deal_games(
            self._games, self._rules_array, np.array([self.rules.num_players]), game_seed
        )
        self._returns[:] = 0.0
        self._log.begin(int(game_seed[0]))
        self._begin(list(self.possible_agents))

    def load_snapshot(self, snapshot: dict[str, Any]) -> None:
        """Put the table into a saved position; rewards start from there.

        Raises:
            SnapshotError: If it is not a possible game; nothing is changed.
            ValueError: If it is a game of other rules; nothing is changed.
        """
        rules, games = from_snapshot(snapshot)
        check_same_rules(rules, self.rules)
        self._games[:] = games
        self._log.begin_at(to_snapshot(self.rules, games))
        batch.fill_returns(self._games, self._returns)
        in_match = int(games[0].in_match)
        self._begin(
            [
                agent
                for seat, agent in enumerate(self.possible_agents)
                if self.keep_seats or in_match >> seat & 1
            ]
        )

    def step(self, action: Any) -> None:
        """Play an action for `agent_selection`, or take a dead agent off with None.

        Raises:
            IllegalActionError: If the action is not legal and ``illegal="raise"``; nothing changes.
            ResetNeeded: Before `reset`, or when the game is over and all agents are gone.
        """
        if not self.agents:
            raise self._reset_needed()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._remove_dead_agent(agent, action)
            return
        known = action_id(action)
        seat = REFUSED if known is None else self._play(known)
        if known is None or seat == REFUSED:
            if self.illegal == "raise":
                raise illegal_action_error(self._games[0], self.rules, action)
            known = FORFEIT
        self._log.actions.append(known)
        if self._rewards_given:
            self._clear_rewards()
            self._rewards_given = False
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": _NO_LEGAL_ACTION}
        self._outcomes.lengths[self._seat_of[agent]] += 1
        if seat == REFUSED:
            batch.forfeit_games(self._games, _THE_TABLE)
            seat = self._play(NO_ACTION)
        self._select(seat)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know: ``{"observation", "action_mask"}``, or the bare vector."""
        if agent == self._observer:
            observation, mask = self._observation, self._mask
        else:
            self._check_dealt()
            observation, mask = look_alone(self._batch, self._seat_of[agent], self._size)
        return observation if self.flatten else {"observation": observation, "action_mask": mask}

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last step, ends and info of `agent_selection`."""
        if not self.agents:
            raise self._reset_needed()
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Iterate over the agents to act, see `pettingzoo.AECEnv.agent_iter`."""
        self._check_dealt()
        return super().agent_iter(max_iter)

    def _begin(self, agents: list[str]) -> None:
        """Start the bookkeeping of agents at the table's position."""
        self.agents = agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {"action_mask": _NO_LEGAL_ACTION} for agent in agents}
        self._outcomes.begin()
        self._rewards_given = False
        self._has_been_reset = True
        self._observer = ""
        self._play(NO_ACTION)
        self._select(SOMEBODY_IS_OUT)
        if self.render_mode == "human":
            self.render()

    def _play(self, action: int) -> int:
        """Apply an action, if any, and look at the table for the seat to act.

        Returns:
            What `step_table` says.
        """
        observation, mask = np.zeros(self._size, np.float32), np.empty(NUM_ACTIONS, np.int8)
        seat: int = step_table(self._batch, action, observation, mask)
        if seat != REFUSED:
            self._observation, self._mask = observation, mask
        return seat

    def _select(self, seat: int) -> None:
        """Select the agent that is up, after the rewards if a seat has left or the game is over.

        Args:
            seat: The seat to act, or `SOMEBODY_IS_OUT`.
        """
        if seat != SOMEBODY_IS_OUT:
            agent = self.possible_agents[seat]
            self.agent_selection = self._observer = agent
            self.infos[agent] = {"action_mask": self._mask}
            return
        phase, in_match = int(self._games["phase"][0]), int(self._games["in_match"][0])
        is_over, is_truncated = phase != TO_ACT, phase == TRUNCATED
        previous = self._returns.copy()
        batch.fill_returns(self._games, self._returns)
        self._outcomes.note_leaving()
        for agent in self.agents:
            index = self._seat_of[agent]
            self.rewards[agent] = float(self._returns[0, index] - previous[0, index])
            self._cumulative_rewards[agent] += self.rewards[agent]
            is_in_match = bool(in_match >> index & 1)
            self.truncations[agent] = is_truncated and is_in_match
            has_left = not (is_in_match or self.keep_seats)
            self.terminations[agent] = has_left or (is_over and not self.truncations[agent])
            if has_left or is_over:
                self.infos[agent].update(self._outcomes.info_of(index))
        self._rewards_given = True
        self._observer = "" if is_over else self.possible_agents[self._games["current_player"][0]]
        if not is_over:
            self.infos[self._observer] = {"action_mask": self._mask}
        self.agent_selection = self._next_agent()

    def _next_agent(self) -> str:
        """Return a dead agent, in seat order, if there is one; else the agent to act.

        When all are gone the last one stays selected, as in PettingZoo's own environments: wrappers
        look it up.
        """
        for agent in self.agents:
            if self.terminations[agent] or self.truncations[agent]:
                return agent
        return self._observer or self.agent_selection

    def _remove_dead_agent(self, agent: str, action: int | None) -> None:
        if action is not None:
            raise ValueError(f"{agent} is out of the game; its only valid action is None")
        self.agents.remove(agent)
        for entries in (self.rewards, self._cumulative_rewards, self.infos):
            del entries[agent]
        del self.terminations[agent], self.truncations[agent]
        self._clear_rewards()
        self._rewards_given = False
        self.agent_selection = self._next_agent()

    def _reset_needed(self) -> gymnasium.error.ResetNeeded:
        """Return why there is no agent to act: no game was dealt, or it is over."""
        what = "the game is over" if self._has_been_reset else "no game has been dealt"
        return gymnasium.error.ResetNeeded(f"{what}; call reset() first")
