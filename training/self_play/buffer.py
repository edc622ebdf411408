"""The rollout buffer of self-play: one row for each decision, whichever seat made it."""

from collections.abc import Generator, Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.vec_env import VecNormalize

from ono99_env.rules.cards import MAX_PLAYERS
from training.self_play.advantages import NO_ROW, DecisionRows, estimate_advantages

_PER_ROW = ("observations", "action_masks", "actions", "values", "log_probs")


class SelfPlayBuffer(MaskableRolloutBuffer):
    """Decisions of a rollout, and those that the last rollout left open (see `advantages`).

    Every decision is trained on once: with its own rollout, or, if it is the last that a seat still
    playing made in it, with the next one. So the number of rows of an update varies a little around
    ``buffer_size * n_envs``.

    Args:
        buffer_size: Decisions at each table in a rollout.
        observation_space: Space of the observations, a flat box.
        action_space: Space of the actions, `Discrete`.
        device: Where batches go.
        gae_lambda: See `estimate_advantages`.
        gamma: See `estimate_advantages`.
        n_envs: Number of tables.
    """

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        device: torch.device | str = "auto",
        gae_lambda: float = 1.0,
        gamma: float = 1.0,
        n_envs: int = 1,
    ) -> None:
        assert isinstance(action_space, spaces.Discrete)
        self.generator = np.random.default_rng()
        """Draws the order of rows in `get`."""
        rollout = buffer_size * n_envs
        num_rows = rollout + n_envs * MAX_PLAYERS
        self._carried_rows = np.arange(rollout, num_rows).reshape(n_envs, MAX_PLAYERS)
        self._open_rows = np.full((n_envs, MAX_PLAYERS), NO_ROW)
        self.rows = np.zeros(0, np.int64)
        """The rows to train on, shape (rows,)."""
        self.seats = np.zeros((buffer_size, n_envs), np.int64)
        """Who made each decision of the rollout, shape (buffer_size, n_envs)."""
        self.seat_rewards = np.zeros((buffer_size, n_envs, MAX_PLAYERS), np.float32)
        """What each seat got after it, shape (buffer_size, n_envs, 8)."""
        self.game_over = np.zeros((buffer_size, n_envs), np.bool_)
        """Whether the game was left after it, shape (buffer_size, n_envs)."""
        size = observation_space.shape
        assert size is not None
        self.observations = np.zeros((num_rows, *size), np.float32)
        self.mask_dims = int(action_space.n)
        self.action_masks = np.zeros((num_rows, self.mask_dims), np.bool_)
        self.actions = np.zeros((num_rows, 1), np.int64)
        self.values, self.log_probs = np.zeros((2, num_rows), np.float32)
        self.advantages, self.returns = np.zeros((2, num_rows), np.float32)
        super().__init__(
            buffer_size, observation_space, action_space, device, gae_lambda, gamma, n_envs
        )

    def seed(self, seed: int | None) -> None:
        """Start the order of rows anew."""
        self.generator = np.random.default_rng(seed)

    def reset(self) -> None:
        """Begin a rollout; the decisions that the last one left open are carried into it."""
        # The decisions of a rollout that was stopped halfway are lost, and the open ones with them.
        self.carried = (self._open_rows != NO_ROW) & self.full
        target, source = self._carried_rows[self.carried], self._open_rows[self.carried]
        for name in _PER_ROW:
            array = vars(self)[name]
            array[target] = array[source]
        self.pos, self.full = 0, False

    def forget(self) -> None:
        """Drop the open decisions: other games are played now."""
        self._open_rows[:] = NO_ROW

    def state_dict(self) -> dict[str, Any]:
        """Return what a rollout leaves for the next one: the open decisions and the generator."""
        is_open = (self._open_rows != NO_ROW) & self.full
        rows = self._open_rows[is_open]
        carried = {name: vars(self)[name][rows] for name in _PER_ROW}
        return {**carried, "is_open": is_open, "generator": self.generator.bit_generator.state}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Begin the next rollout with what another buffer's last one left.

        Args:
            state: What its `state_dict` gave.
        """
        is_open = state["is_open"]
        self._open_rows = np.where(is_open, self._carried_rows, NO_ROW)
        for name in _PER_ROW:
            vars(self)[name][self._carried_rows[is_open]] = state[name]
        self.generator.bit_generator.state = state["generator"]
        self.full = True

    def add_decisions(
        self,
        observation: NDArray[np.float32],
        action_mask: NDArray[np.int8],
        seats: NDArray[np.int64],
        actions: torch.Tensor,
        values: torch.Tensor,
        log_probs: torch.Tensor,
    ) -> None:
        """Add one decision of every table, each array with one row for each table."""
        rows = slice(self.pos * self.n_envs, (self.pos + 1) * self.n_envs)
        self.observations[rows] = observation
        self.action_masks[rows] = action_mask
        self.seats[self.pos] = seats
        self.actions[rows, 0] = actions.cpu().numpy()
        self.values[rows] = values.flatten().cpu().numpy()
        self.log_probs[rows] = log_probs.cpu().numpy()

    def add_outcomes(self, rewards: NDArray[np.float32], game_over: NDArray[np.bool_]) -> None:
        """Add what followed the decisions added last.

        Args:
            rewards: What each seat got, shape (tables, 8).
            game_over: Whether the game was left, shape (tables,).
        """
        self.seat_rewards[self.pos] = rewards
        self.game_over[self.pos] = game_over
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def compute_advantages(self) -> None:
        """Compute the advantages and returns of a full rollout, and which rows to train on."""
        decisions = DecisionRows(
            self.seats, self.seat_rewards, self.game_over, self.carried, self.values
        )
        estimate_advantages(
            decisions, self.gamma, self.gae_lambda, self.advantages, self._open_rows
        )
        is_complete = np.ones(len(self.values), np.bool_)
        is_complete[self._carried_rows[~self.carried]] = False
        is_complete[self._open_rows[self._open_rows != NO_ROW]] = False
        self.rows = np.flatnonzero(is_complete)
        np.add(self.advantages, self.values, out=self.returns)

    def get(  # type: ignore[override] # as in sb3_contrib
        self, batch_size: int | None = None
    ) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """Yield the rows to train on once, in random order, in batches of about one size.

        Args:
            batch_size: The approximate number of rows per batch; None for one batch of all.
        """
        rows = self.generator.permutation(self.rows)
        parts = 1 if batch_size is None else max(1, round(len(rows) / batch_size))
        for part in np.array_split(rows, parts):
            yield self._get_samples(part)

    def _get_samples(  # type: ignore[override] # as in sb3_contrib
        self, batch_inds: NDArray[np.int64], env: VecNormalize | None = None
    ) -> MaskableRolloutBufferSamples:
        # Tensors that share the arrays' memory: an eighth of an update was spent on copying twice.
        chosen = torch.from_numpy(batch_inds)

        def rows_of(array: NDArray[Any]) -> torch.Tensor:
            return torch.from_numpy(array).index_select(0, chosen).to(self.device)

        return MaskableRolloutBufferSamples(
            observations=rows_of(self.observations),
            actions=rows_of(self.actions),
            old_values=rows_of(self.values),
            old_log_prob=rows_of(self.log_probs),
            advantages=rows_of(self.advantages),
            returns=rows_of(self.returns),
            action_masks=rows_of(self.action_masks),
        )
