"""Save a run while it trains, and stop it where nothing is lost."""

import time
from collections.abc import Callable

from stable_baselines3.common.callbacks import BaseCallback

from training.run.stop_request import StopRequest


class CheckpointCallback(BaseCallback):
    """Saves between updates: at the start, now and then, at a stop and at the end.

    A stop that is requested during a rollout waits for its update, so that no decision is lost.

    Args:
        save: Writes a checkpoint.
        seconds_between: Time from one checkpoint to the next; 0 saves before every rollout.
        stop: Whether somebody wants the run to stop.
    """

    def __init__(self, save: Callable[[], None], seconds_between: float, stop: StopRequest) -> None:
        super().__init__()
        self._save = save
        self._seconds_between = seconds_between
        self._stop = stop
        self._last_save: float | None = None
        self._is_stopping = False

    def _on_rollout_start(self) -> None:
        now, last = time.monotonic(), self._last_save
        self._is_stopping = self._stop.is_made
        if last is None or self._is_stopping or now - last >= self._seconds_between:
            self._save()
            self._last_save = time.monotonic()

    def _on_step(self) -> bool:
        return not self._is_stopping

    def _on_training_end(self) -> None:
        # After a stop the learner has begun a rollout that it will not finish.
        if not self._is_stopping:
            self._save()
