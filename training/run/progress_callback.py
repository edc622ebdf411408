"""The progress of a run while it trains: a live line, or plain lines."""

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import safe_mean

from ono99_env.cli.progress import Interval
from training.run.evaluation_callback import EvaluationCallback
from training.run.stop_request import StopRequest


class ProgressCallback(BaseCallback):
    """Shows a live line: decisions, rate, time left, mean reward of recent games, last evaluation.

    Enter it around the training. If the output is no terminal, it prints a plain line now and then.

    Args:
        console: Where to show it.
        total: Decisions of the whole run.
        stop: Whether somebody wants the run to stop; that is shown at once.
        evaluations: The latest is shown, as a mean score in which 1 is parity.
    """

    def __init__(
        self, console: Console, total: int, stop: StopRequest, evaluations: EvaluationCallback
    ) -> None:
        super().__init__()
        self._console = console
        self._evaluations = evaluations
        self._interval = Interval()
        self._evaluations_told = 0
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
        """Start the display."""
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the terminal as it was, however the training ended."""
        self._progress.stop()

    def _on_training_start(self) -> None:
        self._progress.update(self._task, completed=self.num_timesteps)
        self._evaluations_told = len(self._evaluations.history)

    def _on_rollout_start(self) -> None:
        self._tell_evaluations()

    def _on_step(self) -> bool:
        self._progress.update(self._task, completed=self.num_timesteps)
        self._tell_decisions()
        return True

    def _on_rollout_end(self) -> None:
        self._progress.update(self._task, state=self._state())
        self._tell_decisions()

    def _on_training_end(self) -> None:
        self._tell_evaluations()

    def _tell_decisions(self) -> None:
        if not self._console.is_terminal and self._interval.has_passed():
            decisions = self._decisions.render(self._progress.tasks[0])
            self._console.print(f"{decisions}, {self._state()}")

    def _tell_evaluations(self) -> None:
        """Print a line for each new one, where no live line shows it."""
        new = self._evaluations.history[self._evaluations_told :]
        self._evaluations_told += len(new)
        for each in () if self._console.is_terminal else new:
            is_kept = each.decisions == self._evaluations.kept_after
            self._console.print(
                f"Measured after {each.decisions:,} decisions: score {each.score:.3f} (parity 1)"
                f"{', the bot to keep so far' if is_kept else ''}"
            )

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
    """Decisions so far, of how many, and how many per second."""

    def render(self, task: Task) -> Text:
        rate = f"{task.speed:,.0f}" if task.speed else "-"
        return Text(f"{task.completed:,.0f}/{task.total:,.0f} decisions, {rate}/s")


class _State(ProgressColumn):
    """Reward and score; "stopping" after Ctrl-C, since an update can still take seconds."""

    def __init__(self, stop: StopRequest) -> None:
        super().__init__()
        self._stop = stop

    def render(self, task: Task) -> Text:
        return Text("stopping" if self._stop.is_made else task.fields["state"])
