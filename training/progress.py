"""What a run shows while it trains."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import safe_mean

from training.evaluations import EvaluateNowAndThen
from training.stopping import StopRequest

_SECONDS_BETWEEN_LINES = 15.0


class ShowProgress(BaseCallback):
    """A live line with decisions, rate, time left, mean reward of recent games, last evaluation.

    Enter it around the training. Where the output is not a terminal, a line is printed now and then
    instead.

    Args:
        console: Where to show it.
        total: Decisions of the whole run.
        stop: Whether somebody wants the run to stop; that is shown at once.
        evaluations: The latest is shown, as a mean score in which 1 is parity.
    """

    def __init__(
        self, console: Console, total: int, stop: StopRequest, evaluations: EvaluateNowAndThen
    ) -> None:
        super().__init__()
        self._console = console
        self._evaluations = evaluations
        self._last_line = time.monotonic()
        self._decisions = _Decisions()
        self._progress = Progress(
            BarColumn(bar_width=12),
            self._decisions,
            TimeRemainingColumn(compact=True),
            TextColumn("left,"),
            _State(stop),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=total, state="")

    def __enter__(self) -> Self:
        """Begin to show it."""
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the terminal as it was, however the training ended."""
        self._progress.stop()

    def _on_training_start(self) -> None:
        self._progress.update(self._task, completed=self.num_timesteps)

    def _on_step(self) -> bool:
        self._progress.update(self._task, completed=self.num_timesteps)
        return True

    def _on_rollout_end(self) -> None:
        state = self._state()
        self._progress.update(self._task, state=state)
        now = time.monotonic()
        if not self._console.is_terminal and now - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = now
            decisions = self._decisions.render(self._progress.tasks[0])
            self._console.print(f"{decisions}, {state}")

    def _state(self) -> str:
        rewards = [episode["r"] for episode in self.model.ep_info_buffer or ()]
        reward = f"reward {safe_mean(rewards):+.3f}" if rewards else "reward -"
        history = self._evaluations.history
        if not history:
            return reward
        latest = history[-1]
        return (
            f"{reward}, score {latest.score:.3f} after {latest.decisions:,} (parity 1, best "
            f"{max(each.score for each in history):.3f})"
        )


class _Decisions(ProgressColumn):
    """Decisions so far, of how many, and how many a second."""

    def render(self, task: Task) -> Text:
        rate = f"{task.speed:,.0f}" if task.speed else "-"
        return Text(f"{task.completed:,.0f}/{task.total:,.0f} decisions, {rate}/s")


class _State(ProgressColumn):
    """How the learner fares, or that the run is about to stop: an update can take seconds."""

    def __init__(self, stop: StopRequest) -> None:
        super().__init__()
        self._stop = stop

    def render(self, task: Task) -> Text:
        return Text("stopping" if self._stop.is_made else task.fields["state"])
