"""The Gymnasium environment: one seat is the agent's, bots hold the others."""

from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ono99_env.drawing.scene import Scene, Watcher
from ono99_env.drawing.table_picture import NOTEBOOK_WIDTH, draw_table
from ono99_env.envs.arguments import RulesArgument, check_reset_options, resolve_rules
from ono99_env.envs.rendering import RENDER_FPS, RENDER_MODES, Renderer, RenderMode
from ono99_env.envs.spaces import ActionSpace, observation_space
from ono99_env.envs.step_watch import StepWatch
from ono99_env.game.legality import OnIllegal, action_id, illegal_action_error
from ono99_env.observation.chosen_features import Features, layout_of
from ono99_env.tables.episodes import Episodes
from ono99_env.tables.opponents import Opponents
from ono99_env.tables.table_loop import NO_ACTION


class Ono99Env(gymnasium.Env[Any, Any]):
    """One seat of an ONO 99 table against bots.

    ## Creation

    ```python
    import gymnasium, ono99_env
    env = gymnasium.make("ono99/Ono99-v0", num_players=4, opponents=["highest"], seat="random")
    ```

    ## Action space

    `Discrete(17)`: 0 to 15 play the card of that id (0 to 10 the numbers, 11 ONO 99, 12 Reverse, 13
    Minus Ten, 14 Play Two, 15 Hold), 16 discards four ONO 99 cards.

    ## Observation space

    `Box(-1, 1, (466,), float32)`; the named slices are `ono99_env.observation.FEATURES`. It is
    smaller with `features`.

    ## Action mask

    `info["action_mask"]` and the method `action_masks()`: int8, shape (17,), 1 for a legal action.
    While the episode runs at least one action is legal. An illegal action raises
    `IllegalActionError` and changes nothing; with `illegal="lose"` it loses the game instead.

    ## Rewards

    0 until the agent has lost or won; then -1/(n-1) for a loss with n players, and +1 for a win.
    Winners who share a game share what the losers paid.

    ## Starting state

    A new deal, played by the bots up to the agent's first decision. If the game ends before that,
    another is dealt.

    ## Episode end

    `terminated` when the agent is out of the game or has won it; `truncated` when `max_plays` (R22)
    is reached.

    The last `info` also holds whole numbers:

    - `winner`: the seat of the winner; -1 if the others play on without the agent, or if several
      share the win.
    - `place`: 1 for who wins or shares the win (also when the game is truncated). An agent that is
      out comes behind all who are still in: with two left, its place is 3. Players who leave the
      game at the same moment share a place, but in the points formats fewer points come first.
    - `length`: how many actions the agent took.
    - `seat`: the agent's seat.

    ## Arguments

    - `rules`: `"2022"`, `"1980"`, the path of a YAML file, or `Rules`.
    - `num_players`: seats at the table.
    - `opponents`: bots, or names that `load_bot` takes; each other seat of each game is held by one
      of them, drawn at random.
    - `seat`: the agent's seat, or `"random"` to draw it for each game.
    - `illegal`: `"raise"` or `"lose"`.
    - `render_mode`: `None`, `"ansi"` (`render()` returns text), `"human"` (prints it) or
      `"rgb_array"` (returns a picture; needs the extra `render`).
    - `features`: what the observation holds: `"full"`, `"core"` (what the champion of the 2022
      edition reads, 81 numbers), or names of slices; only these are computed. The places of the
      slices are in the attribute `layout`.
    - any field of `Rules` as a keyword.

    ## Version history

    - v0: first version.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        rules: RulesArgument = "2022",
        num_players: int | None = None,
        opponents: Opponents = ("random",),
        seat: int | Literal["random"] = "random",
        illegal: OnIllegal = "raise",
        render_mode: RenderMode | None = None,
        render_seat: Watcher | None = None,
        features: Features = "full",
        **overrides: Any,
    ) -> None:
        self.rules = resolve_rules(rules, num_players, **overrides)
        self._renderer = Renderer(render_mode, render_seat, self.rules.num_players)
        self.illegal = illegal
        self.render_mode: RenderMode | None = render_mode
        self.render_seat = render_seat
        self._episodes = Episodes(
            self.rules, 1, opponents, seat, illegal=illegal, features=features
        )
        self.layout = layout_of(self._episodes.features)
        """The features of the observation by name, with their places in it."""
        self.observation_space = observation_space(self._episodes.features)
        self.action_space = ActionSpace()
        self._watch = StepWatch(self._episodes) if self._renderer.writes else None
        self._is_seeded = False
        self._is_running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal a new game.

        Args:
            seed: Start of all randomness of this and the following episodes; without one the
                first `reset` draws one.
            options: There are none.

        Returns:
            The observation, shape (466,), and ``{"action_mask": int8[17]}``.

        Raises:
            ValueError: If there are options.
        """
        check_reset_options(options)
        super().reset(seed=seed)
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(2**63))
        self._is_seeded = True
        self._is_running = True
        self._episodes.reset(seed=seed)
        if self._watch is not None:
            self._watch.new_plays()
        if self.render_mode == "human":
            self.render()
        return self._look()

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Take an action; bots play until the agent is to act again or the episode ends.

        Raises:
            IllegalActionError: If the action is not legal and ``illegal="raise"``; nothing changes.
            ResetNeeded: Before `reset`, or when the episode has ended.
        """
        if not self._is_running:
            raise gymnasium.error.ResetNeeded(
                "the episode has not begun or has ended; call reset()"
            )
        episodes = self._episodes
        known = action_id(action)
        if known is None and self.illegal == "raise":
            raise illegal_action_error(episodes.tables.games[0], self.rules, action)
        if self._watch is not None:
            self._watch.begin_step()
        reward, terminated, truncated = 0.0, False, False
        if episodes.step_alone(NO_ACTION if known is None else known):
            reward = float(episodes.rewards[0])
            terminated, truncated = bool(episodes.terminated[0]), bool(episodes.truncated[0])
            self._is_running = False
        if self._watch is not None:
            self._watch.end_step(known)
        if self.render_mode == "human":
            self.render()
        observation, info = self._look()
        if not self._is_running:
            info.update(episodes.outcome_info(0))
        return observation, reward, terminated, truncated, info

    def action_masks(self) -> NDArray[Any]:
        """Return the legal actions, int8, shape (17,).

        Raises:
            ResetNeeded: Before the first `reset`.
        """
        self._check_dealt()
        mask: NDArray[np.int8] = self._episodes.action_mask[0].copy()
        return mask

    def scene(self, seat: Watcher | None = None) -> Scene:
        """Return what one seat may see of the table, as plain data.

        Args:
            seat: Who looks; default: `render_seat`, or the agent.

        Raises:
            ResetNeeded: Before the first `reset`.
        """
        self._check_dealt()
        watcher = self.render_seat if seat is None else seat
        if watcher is None:
            watcher = int(self._episodes.learner_seats[0])
        return Scene.of(self.rules, self._episodes.tables.games[0], watcher)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the table as the agent or `render_seat` sees it, as `render_mode` says.

        Raises:
            ResetNeeded: Before the first `reset`.
        """
        plays = self._watch.new_plays() if self._watch is not None else ()
        return self._renderer.render(self.scene(), plays)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def _repr_svg_(self) -> str | None:
        """Show the table in a notebook as `render` does, once a game is dealt."""
        return draw_table(self.scene(), width=NOTEBOOK_WIDTH) if self._is_seeded else None

    def _check_dealt(self) -> None:
        if not self._is_seeded:
            raise gymnasium.error.ResetNeeded("no game has been dealt; call reset() first")

    def _look(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Return copies of the observation and of the mask, which a step hands out."""
        episodes = self._episodes
        return episodes.observation[0].copy(), {"action_mask": episodes.action_mask[0].copy()}
