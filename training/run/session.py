"""One process of a run: from its start, or from its last checkpoint, to the report."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from ono99_env.cli.exit_codes import INTERRUPTED, SUCCESS
from ono99_env.messages.errors import UsageError
from training.config.command_line import Command
from training.config.config import Config
from training.learner.learner import decisions_of_run
from training.learner.number_format import keep_number_format
from training.run.bot_results import measure_bot
from training.run.checkpoint import damaged
from training.run.resumption import read_state
from training.run.run import Run
from training.run.run_folder import RunFolder


@dataclass(frozen=True)
class Session:
    """How one of the commands that train makes a run and measures its bot."""

    module: str
    """The module of the command, which messages tell the user to call."""
    console: Console
    """Where to report."""
    measure: Callable[[Run, Console], bool] = measure_bot
    """Measures the bot of a finished run and writes the report; returns False if interrupted."""
    make_run: Callable[[Config, RunFolder, Console], Run] = Run
    """Makes what trains."""

    def carry_out(self, command: Command) -> int:
        """Train, keep and measure a bot.

        Args:
            command: What to do.

        Returns:
            The exit code: `SUCCESS`, or `INTERRUPTED` if the run was stopped early.

        Raises:
            UsageError: If the run cannot start or go on. Nothing is written or changed then,
                unless it is the disk that cannot be written.
        """
        return self._resume(command) if command.is_resumed else self._start(command)

    def _start(self, command: Command) -> int:
        folder = RunFolder.choose(command.config, command.origin)
        run = self._prepare(command.config, folder)
        folder.create(command.config)
        with folder.lock():
            self.console.print(f"Training in {folder.path}. Ctrl-C stops early and keeps the bot.")
            return self._train_and_measure(run)

    def _resume(self, command: Command) -> int:
        """Continue exactly where the last checkpoint was written."""
        folder = RunFolder(command.origin.parent)
        with folder.lock():
            state = read_state(folder, command.config)
            decisions = 0 if state is None else state["learner"]["num_timesteps"]
            total = decisions_of_run(command.config)
            if decisions >= total and folder.report.exists():
                raise UsageError(
                    f"the run {folder.path} is finished; see {folder.report}. To train it further, "
                    f"ask for more decisions than {total}: --total_decisions N"
                )
            run = self._prepare(_config_of(command, state), folder)
            folder.remove_drafts()
            if state is not None:
                _restore(run, state)
            folder.write_config(command.config)
            self.console.print(f"Going on in {folder.path} after {decisions:,} decisions.")
            return self._train_and_measure(run)

    def _prepare(self, config: Config, folder: RunFolder) -> Run:
        with self.console.status("Preparing"):
            return self.make_run(config, folder, self.console)

    def _train_and_measure(self, run: Run) -> int:
        try:
            with run.stop:
                run.train()
            self._tell_end(run)
            is_measured = not run.stop.is_made and self.measure(run, self.console)
        except OSError as error:
            raise _cannot_write(run.folder, error) from error
        if not is_measured:
            self._tell_how_to_go_on(run)
        return SUCCESS if is_measured else INTERRUPTED

    def _tell_end(self, run: Run) -> None:
        ending = "Stopped after" if run.stop.is_made else "Trained on"
        decisions = run.evaluations.history[-1].decisions
        learning, in_all = run.stopwatch.seconds_learning, run.stopwatch.seconds
        self.console.print(
            f"{ending} {decisions:,} decisions in {learning:,.0f} s of learning, {in_all:,.0f} s "
            "in all with measuring."
        )
        kept = run.evaluations.kept_after
        self.console.print(f"The bot is {run.folder.bot}, as it was after {kept:,} decisions.")

    def _tell_how_to_go_on(self, run: Run) -> None:
        resume = f"--resume {shlex.quote(str(run.folder.path))}{run.allow_code_words}"
        self.console.print(
            f"To go on: python -m {self.module} {resume}. To measure the bot: "
            f"python -m training.evaluate {shlex.quote(str(run.folder.bot))}"
        )


def _config_of(command: Command, state: Mapping[str, Any] | None) -> Config:
    """Return the config to go on with, in the number format that the run has computed in."""
    return command.config if state is None else keep_number_format(command.config, state["config"])


def _restore(run: Run, state: dict[str, object]) -> None:
    try:
        run.load_state_dict(state)
    # What a state lacks, or has in another shape, shows where it is put in.
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RuntimeError) as error:
        reason = next(iter(str(error).splitlines()), "").rstrip(":")
        what = f"does not hold the state of this run ({type(error).__name__}: {reason})"
        raise damaged(run.folder.checkpoint, what) from error


def _cannot_write(folder: RunFolder, error: OSError) -> UsageError:
    what_next = (
        f"Its last checkpoint is whole. When there is room, go on with it: --resume {folder.path}"
        if folder.checkpoint.exists()
        else f"Nothing was trained yet. Make room, delete {folder.path} and start again"
    )
    return UsageError(f"cannot write to {folder.path}: {error.strerror or error}. {what_next}")
