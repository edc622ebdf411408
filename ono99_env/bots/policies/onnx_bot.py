"""`OnnxBot`: play the policy of a bot file with onnxruntime.

A bot file has the inputs ``observation`` (batch, features) float32 and ``action_mask`` (batch, 17)
bool, and the outputs ``logits`` (batch, 17), illegal ones at the lowest float32, and ``value``
(batch,) or (batch, 1). It is read as bytes, and `onnx_files` checks it before anything is built
from it: it can hold no code, only operators of feed-forward networks, no reference to another file,
and nothing that takes more memory than is allowed.
"""

from pathlib import Path
from typing import Any, Self

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.bots.policies.bot_file import metadata_of, open_model, read_bot_file
from ono99_env.bots.policies.onnx_files.contract import check_rows, check_shapes, check_signature
from ono99_env.bots.policies.onnx_files.parser import Message
from ono99_env.bots.policies.onnx_files.surgery import keep_outputs
from ono99_env.bots.policies.onnx_files.wire_format import OnnxFormatError
from ono99_env.bots.policies.single_decision import SingleDecision
from ono99_env.messages.errors import BotFileError
from ono99_env.observation.views import Views
from ono99_env.rules.rules import Rules

CHUNK = 1024
"""The largest batch for onnxruntime: larger ones do not fit into the caches and run slower."""

_LOWEST = np.finfo(np.float32).min
_NEVER = np.float32(-np.inf)
"""The score of an illegal action."""

_ONLY_ERRORS_RAISED = 4
"""Log level at which onnxruntime raises errors and does not print them as well."""


class OnnxBot(Bot):
    """A policy from a bot file. Its choices do not depend on how views are batched.

    Args:
        path: The bot file.
        sample: Draw actions from the policy instead of taking the most probable one.
        threads: Threads that onnxruntime may use for a batch.
        name: The name of the bot in reports and messages; default: the path as given.

    Raises:
        FileNotFoundError: If there is no such file.
        BotFileError: If it is not a bot file of this version; the message says what differs.
    """

    _fitting: Rules | None = None
    """The rules checked last: comparing all their fields in every call would be slow."""

    def __init__(
        self,
        path: str | Path,
        sample: bool = False,
        threads: int = 1,
        name: str | None = None,
    ) -> None:
        self.name = name or f"{path}{'?sample' if sample else ''}"
        self.sample = sample
        self._threads = threads
        self._open(read_bot_file(Path(path), self.name))

    @property
    def content(self) -> bytes:
        """Return the content of the bot file."""
        return self._model

    @classmethod
    def from_bytes(cls, model: bytes, name: str, sample: bool = False, threads: int = 1) -> Self:
        """Make a bot from the content of a bot file.

        Raises:
            BotFileError: If it is not that of a bot file of this version.
        """
        bot = cls.__new__(cls)
        bot.__setstate__({"name": name, "sample": sample, "_threads": threads, "_model": model})
        return bot

    @property
    def model(self) -> bytes:
        """Return the content of the bot file."""
        return self._model

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`.

        Raises:
            ValueError: If the bot was not trained for the rules of the views; see `check_rules`.
            BotFileError: If the policy computes something that is not a finite number.
        """
        if views.rules is not self._fitting:
            self.check_rules(views.rules)
            self._fitting = views.rules
        if 0 < len(views) <= CHUNK:
            return self._choose(views, rng)
        actions = np.empty(len(views), np.int64)
        for start in range(0, len(views), CHUNK):
            chunk = slice(start, start + CHUNK)
            actions[chunk] = self._choose(views.take(chunk), rng)
        return actions

    def evaluate(
        self, observation: NDArray[np.float32], action_mask: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Run the policy on one batch.

        Args:
            observation: Of the bot's features, as ``views.observation_of(metadata.features)``
                gives them, shape (batch, features).
            action_mask: Shape (batch, 17).

        Returns:
            Logits, shape (batch, 17), and values (expected return), shape (batch,).

        Raises:
            BotFileError: If the policy cannot be computed.
        """
        logits, value = self._run(self._session, ["logits", "value"], observation, action_mask)
        return logits, value.reshape(len(value))

    def check_rules(self, rules: Rules) -> None:
        """See `Bot.check_rules` and `BotMetadata.check_rules`."""
        try:
            self.metadata.check_rules(rules)
        except ValueError as error:
            raise ValueError(f"bot {self.name!r} cannot play this game: {error}") from None

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy is made of: a session of onnxruntime cannot be pickled."""
        return {key: vars(self)[key] for key in ("name", "sample", "_threads", "_model")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Open a pickled bot again."""
        vars(self).update(state)
        self._open(state["_model"])

    def _open(self, content: bytes) -> None:
        self._model = content
        model = open_model(content, self.name)
        self.metadata = metadata_of(model, self.name)
        """What the file says about itself."""
        self.description = self.metadata.description
        self._check_outputs(model)
        whole = keep_outputs(content, ["logits", "value"])
        self._session = _open_session(whole, self.name, self._threads)
        # A decision needs no value, whose computation takes half of the time.
        policy = keep_outputs(content, ["logits"])
        self._policy = _open_session(policy, self.name, self._threads)
        self._single_decision = SingleDecision(self._policy, self.metadata.observation_size)
        self._try()

    def _check_outputs(self, model: Message) -> None:
        try:
            check_signature(model, self.metadata.observation_size)
            check_shapes(model, CHUNK, self.metadata.observation_size)
        except OnnxFormatError as error:
            raise BotFileError(f"{self.name} {error}.") from error

    def _try(self) -> None:
        try:
            check_rows(
                lambda *batch: self._run(self._session, ["logits", "value"], *batch),
                self.metadata.observation_size,
            )
        except OnnxFormatError as error:
            raise BotFileError(f"{self.name} {error}.") from error

    def _choose(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        if len(views) == 1 and not self.sample:
            action = self._choose_alone(views)
            if action is not None:
                return np.array([action])
        observation = views.observation_of(self.metadata.features)
        logits = self._run(self._policy, ["logits"], observation, views.action_mask)[0]
        if not logits.max() < np.inf:  # NaN is the greatest, too
            raise BotFileError(
                f"bot {self.name!r} computed logits that are not finite numbers: its training may "
                "have diverged. Use another bot, or train it anew."
            )
        logits = np.maximum(logits, _LOWEST)  # a legal action may have minus infinity
        scores = np.where(views.action_mask, logits, _NEVER)
        if self.sample:
            # The largest logit plus Gumbel noise is a draw from the softmax (Gumbel-max trick).
            scores = scores + rng.gumbel(size=scores.shape)
        actions: NDArray[np.int64] = scores.argmax(axis=1)
        return actions

    def _choose_alone(self, views: Views) -> int | None:
        """Choose for one view by `SingleDecision.choose`; None if that leaves it to a batch."""
        observation = views.observation_of(self.metadata.features)
        try:
            return self._single_decision.choose(observation, views.action_mask)
        except Exception as error:  # onnxruntime's errors have no common class
            raise self._failure(observation) from error

    def _failure(self, observation: NDArray[np.float32]) -> BotFileError:
        """Return the error for a network that onnxruntime cannot compute."""
        return BotFileError(
            f"{self.name} cannot be computed: the parts of its network do not fit together, or "
            f"not to observations of shape {list(observation.shape)}."
        )

    def _run(
        self,
        session: ort.InferenceSession,
        outputs: list[str],
        observation: NDArray[np.float32],
        action_mask: NDArray[np.bool_],
    ) -> list[Any]:
        inputs = {"observation": observation, "action_mask": action_mask}
        try:
            found: list[Any] = session.run(outputs, inputs)
        except Exception as error:  # onnxruntime's errors have no common class
            raise self._failure(observation) from error
        rows = len(observation)
        if found[0].shape != action_mask.shape or any(len(each) != rows for each in found):
            raise BotFileError(
                f"{self.name} computed outputs of the shapes "
                f"{[list(each.shape) for each in found]} for {rows} observations."
            )
        return found


def _open_session(model: bytes, name: str, threads: int) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _ONLY_ERRORS_RAISED
    # Otherwise a file could be in onnxruntime's own format, which is not checked.
    options.add_session_config_entry("session.load_model_format", "ONNX")
    try:
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common class
        raise BotFileError(
            f"{name} cannot be opened by onnxruntime {ort.__version__}: the parts of its network "
            "do not fit together, or it is newer than that. Export it anew, or update onnxruntime."
        ) from error
