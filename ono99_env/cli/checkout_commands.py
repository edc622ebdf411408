"""The commands that only a checkout has: what to say when somebody asks ``ono99`` for them."""

CHECKOUT_COMMANDS = ("train", "evaluate", "export", "exploit")
"""Modules of the package ``training``, which is not installed with this one."""


def explain_checkout(command: str) -> str:
    """Return how to run a command of a checkout."""
    return (
        f"ono99 has no command {command!r}: training runs from a checkout of the repository, with "
        f"the extra 'train' installed there (pip install -e '.[train]'): "
        f"python -m training.{command}"
    )
