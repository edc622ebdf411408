"""Measure the policy repeatedly while it trains, and keep the best one."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from stable_baselines3.common.callbacks import BaseCallback

from training.measure.measurements import Evaluation
from training.run.stop_request import StopRequest

_IN_HEADINGS = "/:=?@[]()+ "
"""What the name of a bot may hold there, besides letters, digits and ``_.-~``."""


class EvaluationCallback(BaseCallback):
    """Measures the policy between updates, at a stop and at the end of the training.

    The bot that is kept is the latest whose score is within one standard error of the highest:
    chance alone makes one of many equal scores the highest, and a later policy has learned from
    more (the one-standard-error rule; Breiman et al., "Classification and Regression Trees", 1984).

    Args:
        evaluate: Plays the policy after that many decisions, as its bot file would.
        keep: Writes the policy that was evaluated last as the bot of the run.
        show: Told about every evaluation, after it was kept or not.
        decisions_between: Decisions from one evaluation to the next.
        stop: Whether somebody wants the run to stop.
    """

    def __init__(
        self,
        evaluate: Callable[[int], Evaluation],
        keep: Callable[[int], None],
        show: Callable[["EvaluationCallback"], None],
        decisions_between: int,
        stop: StopRequest,
    ) -> None:
        super().__init__()
        self.history: list[Evaluation] = []
        """All evaluations so far, in order."""
        self.kept_after = 0
        """After how many decisions the bot was written that is kept; 0: none yet."""
        self._evaluate = evaluate
        self._keep = keep
        self._show = show
        self._decisions_between = decisions_between
        self._stop = stop
        self._trained_on = 0

    def state_dict(self) -> dict[str, Any]:
        """Return the evaluations so far; see `load_state_dict`."""
        history = [evaluation.as_dict() for evaluation in self.history]
        return {"history": history, "kept_after": self.kept_after}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue the evaluations of another process.

        Args:
            state: What its `state_dict` gave.
        """
        self.history = [Evaluation.from_dict(fields) for fields in state["history"]]
        self.kept_after = state["kept_after"]

    def _on_training_start(self) -> None:
        self._trained_on = self.num_timesteps

    def _on_rollout_start(self) -> None:
        self._trained_on = self.num_timesteps
        latest = self.history[-1].decisions if self.history else 0
        # Multiples of the interval, so that an evaluation at a stop does not shift later ones.
        periods = self._trained_on // self._decisions_between
        if periods > latest // self._decisions_between or self._stop.is_made:
            self._run()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self._trained_on = self.num_timesteps

    def _on_training_end(self) -> None:
        self._run()

    def _run(self) -> None:
        if self.history and self.history[-1].decisions == self._trained_on:
            return
        evaluation = self._evaluate(self._trained_on)
        self.history.append(evaluation)
        best = max(self.history, key=lambda each: each.score)
        if evaluation.score >= best.score - best.stderr:
            self._keep(self._trained_on)
            self.kept_after = self._trained_on
        for each in evaluation.measurements:
            # A column of progress.csv, whose headings are not quoted.
            opponent = quote(each.opponent, safe=_IN_HEADINGS, errors="backslashreplace")
            name = f"evaluation/{each.format}_{each.num_players}_players_{opponent}"
            self.logger.record(name, each.outcome.win_rate)
        self.logger.record("evaluation/score", evaluation.score)
        self._show(self)
