"""``ono99 bots``: every bot that comes with the package, a line each."""

import importlib
from inspect import getdoc

from rich.console import Console

from ono99_env.bots import bot_names, load_bot


def bots() -> None:
    """List all bots with a line each."""
    console = Console(highlight=False, soft_wrap=True)
    names = bot_names()
    for name in names:
        console.print(f"{name:{max(map(len, names))}}  {describe(name)}", markup=False)
    console.print("\nAny bot file (PATH.onnx, or PATH.onnx?sample to draw actions) is one too.")


def describe(name: str) -> str:
    """A line on a bot: what the module that bears its name says of it, or its bot file."""
    metadata = getattr(load_bot(name), "metadata", None)
    if metadata is not None:
        counts = ", ".join(map(str, metadata.num_players))
        return f"a trained policy for {metadata.rules.edition} rules with {counts} players"
    try:
        module = importlib.import_module(f"ono99_env.bots.{name}")
    except ModuleNotFoundError:
        return (getdoc(type(load_bot(name))) or "").partition("\n")[0]
    return (module.__doc__ or "").partition("\n")[0].partition(": ")[2]
