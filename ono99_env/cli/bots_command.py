"""``ono99 bots``: every bot with a name, a line each."""

from ono99_env.bots import list_bots
from ono99_env.cli.consoles import PlainConsole

_OTHERS = (
    "Also bots: PATH.onnx, a bot file (with ?sample to draw actions from its policy); "
    "package.module:factory, a bot of your own; sb3:PATH, a model of Stable-Baselines3 (loading it "
    "runs code from the file)."
)


def bots() -> None:
    """List all bots with a line each."""
    console = PlainConsole(soft_wrap=True)
    entries = list_bots()
    width = max(len(entry.name) for entry in entries)
    for entry in entries:
        text = f"cannot be loaded: {entry.problem}" if entry.problem else entry.description
        console.print(f"{entry.name:{width}}  {text}")
    console.print(f"\n{_OTHERS}")
