"""The errors that people can cause; each says what was wrong and what is allowed."""

from ono99_env.messages.text import printable


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; nothing was changed."""


class SnapshotError(ValueError):
    """A snapshot that is not a possible game; the message names the field that is wrong."""


class RecordError(ValueError):
    """A record that is not one of a possible game; the message says where it is wrong."""


class BotError(ValueError):
    """A bot did something that no bot may do; the message names the bot, its seat and its table."""


class WorkerError(RuntimeError):
    """A process that played games for this one ended by itself; the message names its bots."""


class UsageError(Exception):
    """A mistake that the user can correct; commands show the message and nothing else."""


class BotFileError(ValueError):
    """A file is not a bot file of this version.

    Args:
        message: What is wrong with it; characters that cannot be seen are written as escapes.
    """

    def __init__(self, message: str) -> None:
        super().__init__(printable(message, keep="\n\t"))
