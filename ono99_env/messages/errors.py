"""The errors that people can cause, each saying what was wrong and what is allowed."""


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; nothing was changed."""


class SnapshotError(ValueError):
    """A snapshot that is not a possible game; the message names the field that is wrong."""


class BotError(ValueError):
    """A bot did something that no bot may do; the message names the bot, its seat and its table."""


class WorkerError(RuntimeError):
    """A process that played games for this one ended by itself; the message names its bots."""


class UsageError(Exception):
    """A mistake that the user can correct; commands show the message and nothing else."""
