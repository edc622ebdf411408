"""Play through every interface that a base install has: `python tests/base_install.py`.

Run it where the package is installed without extras. It runs the examples of the README that need
none, from a folder of its own, so that the installed package is used and not a checkout.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
EXTRAS = ("sb3_contrib",)
"""A block that imports one of these needs an extra."""
HEAVY = ("torch", "stable_baselines3", "scipy", "matplotlib", "pygame", "ray", "pyspiel")
CHECKS = f"""
import sys
import ono99_env
from ono99_env import load_bot

for name in ("2022", "1980", "1980_heads_up"):
    assert load_bot(name).metadata.observation_version
loaded = [name for name in {HEAVY!r} if name in sys.modules]
assert not loaded, loaded
print("Python", sys.version.split()[0], ono99_env.__version__, ono99_env.__file__)
"""


def main() -> None:
    """Run the checks, the examples, and the command.

    Raises:
        subprocess.CalledProcessError: If one of them fails.
    """
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    codes = [code for code in blocks if not any(extra in code for extra in EXTRAS)]
    assert len(codes) >= 5
    with tempfile.TemporaryDirectory() as folder:
        for code in [CHECKS, *codes]:
            subprocess.run([sys.executable, "-P", "-c", code], cwd=folder, check=True)
        command = [sys.executable, "-P", "-m", "ono99_env.cli", "bots"]
        subprocess.run(command, cwd=folder, check=True)


if __name__ == "__main__":
    main()
