"""What a user waits for: the import, and the first compiled call with a cold and a warm cache."""

import os
import statistics
import subprocess
import sys
import tempfile

_IMPORT = "import time; t = time.perf_counter(); import ono99_env; print(time.perf_counter() - t)"
_FIRST_CALL = """
import time
import ono99_env
start = time.perf_counter()
env = ono99_env.ono99_v0.env(num_players=4)
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
print(time.perf_counter() - start)
"""


def startup_seconds(rounds: int) -> dict[str, float]:
    """Seconds of the import and of the first deal and step of an environment."""
    with tempfile.TemporaryDirectory() as cache:
        cold = _run(_FIRST_CALL, cache)
        return {
            "import ono99_env": statistics.median(_run(_IMPORT, cache) for _ in range(rounds)),
            "first reset and step, cold cache": cold,
            "first reset and step, warm cache": statistics.median(
                _run(_FIRST_CALL, cache) for _ in range(rounds)
            ),
        }


def _run(code: str, cache: str) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(result.stdout)
