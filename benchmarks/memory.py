"""Memory: bytes per game in the engine, and what a vector env of many tables adds to a process."""

import subprocess
import sys
from pathlib import Path

from benchmarks.timing import Figure
from ono99_env.engine.records import STATE
from ono99_env.observation import COMPACT, OBSERVATION_SIZE

_NUM_TABLES = 100_000
_MEGABYTE = 1e6
_ROOT = Path(__file__).parent.parent

# A first env loads the compiled code, so that only the tables of the second count.
_GROWTH = """
import sys
from pathlib import Path
from ono99_env.envs.vector import Ono99VectorEnv

def resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    import resource
    return pages * resource.getpagesize()

def played(num_envs):
    compact = sys.argv[3] == "compact"
    envs = Ono99VectorEnv(num_envs, num_players=4, copy=False, compact=compact)
    _, infos = envs.reset(seed=1)
    for _ in range(int(sys.argv[2])):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    return envs, infos

small = played(8)
before = resident()
large = played(int(sys.argv[1]))
print(resident() - before)
"""


def memory_figures() -> list[Figure]:
    """Return bytes of one game, and megabytes of a vector env beside its observations alone."""
    figures = [Figure("a game in the engine", STATE.itemsize, "bytes", "aim", 400)]
    for kind, size in (("full", OBSERVATION_SIZE * 4), ("compact", COMPACT.itemsize)):
        megabytes = vector_env_bytes(_NUM_TABLES, is_compact=kind == "compact") / _MEGABYTE
        observations = _NUM_TABLES * size / _MEGABYTE
        name = f"vector env, {_NUM_TABLES:,} tables, {kind}"
        figures.append(Figure(name, megabytes, "MB", "observations alone", observations))
    return figures


def vector_env_bytes(num_tables: int, steps: int = 20, is_compact: bool = False) -> int:
    """Return what a vector env of many tables, played for a while, adds to a process that has one.

    Raises:
        FileNotFoundError: Where the system has no ``/proc``.
    """
    if not Path("/proc/self/statm").exists():
        raise FileNotFoundError("the memory of a process is read from /proc, which is not here")
    command = [sys.executable, "-c", _GROWTH, str(num_tables), str(steps)]
    command.append("compact" if is_compact else "full")
    output = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout
    return int(output)
