"""The logs of a run: TensorBoard and a table, both of which a resumed run continues."""

import csv
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import CSVOutputFormat, Logger, TensorBoardOutputFormat
from torch.utils.tensorboard import SummaryWriter

from ono99_env.messages.errors import UsageError
from training.run.run_folder import RunFolder

DECISIONS = "time/total_timesteps"
"""What Stable-Baselines3 calls the column with the decisions so far."""


def open_logs(folder: RunFolder, decisions: int) -> Logger:
    """Open the logs; what they say of the time after a number of decisions is forgotten.

    Args:
        folder: The folder of the run.
        decisions: How many decisions the run has made.

    Raises:
        UsageError: If the table is damaged.
    """
    rows = _read_rows(folder.progress, decisions)
    table = CSVOutputFormat(str(folder.progress))
    for row in rows:
        table.write(row, dict.fromkeys(row, ()))
    return Logger(str(folder.path), [table, _TensorBoard(str(folder.tensorboard), decisions)])


class _TensorBoard(TensorBoardOutputFormat):
    """Hides what an earlier process logged after the decisions from which this one continues."""

    def __init__(self, folder: str, decisions: int) -> None:
        self.writer = SummaryWriter(folder, purge_step=decisions + 1 if decisions else None)
        self._is_closed = False


def _read_rows(path: Path, decisions: int) -> list[dict[str, Any]]:
    """Read the rows of the table up to a number of decisions."""
    if not path.exists():
        return []
    try:
        lines = path.read_text().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]  # a crash may cut the last one off
        rows = [
            {name: _number(text) for name, text in row.items() if text}
            for row in csv.DictReader(whole)
        ]
        return [row for row in rows if row[DECISIONS] <= decisions]
    # A row that is too long has its surplus in a list, under the key None.
    except (ValueError, KeyError, AttributeError, csv.Error) as error:
        raise UsageError(
            f"the log {path} is damaged. Restore it from a copy, or remove it: the run then goes "
            "on without its earlier rows"
        ) from error


def _number(text: str) -> float:
    return int(text) if text.isdecimal() else float(text)
