"""A training run: the learner, what watches it, and what a checkpoint holds of them."""

from concurrent.futures import Executor
from typing import Any

from rich.console import Console
from sb3_contrib import MaskablePPO

from ono99_env import load_bot
from ono99_env.bots.names import allow_code_words
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.cli.progress import GamesProgress
from ono99_env.files.atomic import write_atomically
from ono99_env.messages.errors import UsageError
from training.config.config import Config
from training.learner.learner import Learner, decisions_of_run, make_learner
from training.learner.learner_state import learner_state, restore_learner
from training.learner.metadata import code_version, describe_bot
from training.learner.number_format import measure_formats, settle_number_format
from training.measure.champions import find_champions
from training.measure.curves import draw_curves, write_table
from training.measure.evaluation import EvaluationPlan, evaluate, evaluate_in_parallel
from training.measure.measurements import Evaluation, Measurement
from training.networks.bot_file_weights import BotFileMaker, read_weights
from training.networks.policy_network import PolicyNetwork, check_policy, reference_of_policy
from training.run.checkpoint import write_checkpoint
from training.run.checkpoint_callback import CheckpointCallback
from training.run.evaluation_callback import EvaluationCallback
from training.run.logs import open_logs
from training.run.progress_callback import ProgressCallback
from training.run.resumption import check_snapshot, seconds_learning_of
from training.run.run_folder import RunFolder
from training.run.stop_request import StopRequest
from training.run.stopwatch import Stopwatch


class Run:
    """A run in its folder, new or resumed.

    Args:
        config: The config of the run.
        folder: Where to write; it need not exist before `train`.
        console: Where to report.

    Raises:
        UsageError: If the learner cannot be made.
    """

    def __init__(self, config: Config, folder: RunFolder, console: Console) -> None:
        self.config, chosen = settle_number_format(config, measure_formats)
        if chosen:
            console.print(chosen)
        self.folder = folder
        self.stop = StopRequest()
        """Enter it around `train`, and the first Ctrl-C stops that in good order."""
        self.learner: Learner
        self._make_learner()
        self.evaluations = EvaluationCallback(
            self._evaluate, self._keep, self._show, config.evaluation.decisions_between, self.stop
        )
        self._maker = BotFileMaker(PolicyNetwork(self.learner.policy))
        self._console = console
        self._candidate = b""
        self._champions = find_champions(config.evaluated_tables)
        self._executor: Executor | None = None
        self.stopwatch = Stopwatch()
        """How long it has trained, in all its processes."""

    @property
    def allow_code_words(self) -> str:
        """The options, after a space, that the command line needs to continue the run."""
        return allow_code_words(self.config.bots)

    def state_dict(self) -> dict[str, Any]:
        """Return all that the run continues from; see `load_state_dict`."""
        return {
            "config": self.config.model_dump(mode="json"),
            "code_version": code_version(),
            "seconds": self.stopwatch.seconds,
            "seconds_learning": self.stopwatch.seconds_learning,
            "evaluations": self.evaluations.state_dict(),
            **self._learner_state(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue exactly where another process was, with the logs up to there.

        Args:
            state: What its `state_dict` gave, of a config that fits.

        Raises:
            UsageError: If a snapshot of the league is missing or damaged.
        """
        learning = seconds_learning_of(state)
        self.stopwatch = Stopwatch(learning, state["seconds"] - learning)
        self.evaluations.load_state_dict(state["evaluations"])
        self._restore_learner(state)

    def _open_logs(self, state: dict[str, Any]) -> None:
        """Cut the logs back to the checkpoint: only once nothing can be refused any more."""
        self.learner.set_logger(open_logs(self.folder, state["learner"]["num_timesteps"]))

    def _make_learner(self) -> None:
        self.learner, self.league = make_learner(self.config)

    def _learner_state(self) -> dict[str, Any]:
        assert isinstance(self.learner, MaskablePPO)
        return {
            "league": self.league.state_dict() if self.league is not None else None,
            "learner": learner_state(self.learner),
        }

    def _restore_learner(self, state: dict[str, Any]) -> None:
        assert isinstance(self.learner, MaskablePPO)
        if self.league is not None:
            self.league.load_state_dict(state["league"], self._read_snapshot)
        pending = {key: float(value) for key, value in state["learner"]["to_be_logged"].items()}
        restore_learner(self.learner, state["learner"])
        self._open_logs(state)
        for key, value in pending.items():
            self.learner.logger.record(key, value)

    def train(self) -> None:
        """Train until the learner has made all its decisions or a stop is requested."""
        if not self.learner.num_timesteps:
            self.learner.set_logger(open_logs(self.folder, 0))
        total = decisions_of_run(self.config)
        save = CheckpointCallback(self._save, self.config.checkpoint_seconds, self.stop)
        if self.league is not None:
            self.league.store = self._write_snapshot
        progress = ProgressCallback(self._console, total, self.stop, self.evaluations)
        with self.stopwatch.time_run(), progress:
            # What is saved is the state before the league chooses whom to meet.
            watchers = [self.evaluations, save, *([self.league] if self.league else []), progress]
            remaining = total - self.learner.num_timesteps
            self.learner.learn(remaining, callback=watchers, reset_num_timesteps=False)
        self.learner.logger.close()

    def metadata(self, decisions: int) -> BotMetadata:
        """Return the metadata of a bot file that is made after that many decisions."""
        return describe_bot(self.config, decisions, self.stopwatch.seconds_learning)

    def _save(self) -> None:
        write_checkpoint(self.folder.checkpoint, self.state_dict())

    def _evaluate(self, decisions: int) -> Evaluation:
        policy = self.learner.policy
        try:
            check_policy(policy)
        except ValueError as error:
            raise UsageError(
                f"the training has diverged: {error}. A lower learning rate may help. The bot is "
                "the best one before that, if there is one."
            ) from error
        self._candidate = self._maker.make(
            PolicyNetwork(policy), self.metadata(decisions), reference_of_policy(policy)
        )
        bot = OnnxBot.from_bytes(self._candidate, "the policy")
        with self.stopwatch.time_measuring():
            return Evaluation(decisions, self._play(bot))

    def _play(self, bot: OnnxBot) -> list[Measurement]:
        plan = EvaluationPlan(
            [load_bot(name) for name in self.config.evaluation.opponents],
            self.config.evaluated_tables,
            self.config.evaluation.games_between,
            self.config.evaluation.seed,
            has_own_deals=True,
        )
        if self._executor is not None:
            return list(evaluate_in_parallel(bot, plan, self._executor))
        return list(evaluate(bot, plan, GamesProgress(self._console, has_bar=False)))

    def _keep(self, decisions: int) -> None:
        write_atomically(self.folder.bot, self._candidate)

    def _show(self, evaluations: EvaluationCallback) -> None:
        with self.stopwatch.time_measuring():
            write_table(self.folder.evaluations, evaluations.history)
            draw_curves(
                self.folder.curve, evaluations.history, evaluations.kept_after, self._champions
            )

    def _write_snapshot(self, snapshot: PolicyNetwork, decisions: int) -> None:
        self.folder.league.mkdir(exist_ok=True)
        content = self._maker.make(snapshot, self.metadata(decisions))
        write_atomically(self.folder.snapshot(decisions), content)

    def _read_snapshot(self, decisions: int) -> PolicyNetwork:
        path = self.folder.snapshot(decisions)
        network = PolicyNetwork(self.learner.policy)
        network.load_state_dict(read_weights(check_snapshot(path)))
        return network
