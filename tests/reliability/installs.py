"""Installs the wheel and the source distribution as users do, and plays with what was installed.

``python -m tests.reliability.installs`` builds both from the checkout and installs them into clean
environments: on every Python of ``--pythons``, the base and each extra, in a folder with spaces,
with a read-only site-packages, and without a home. It needs a package index.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.reliability.session import Session

CHECKOUT = Path(__file__).parents[2]
PYTHONS = ("python3.11", "python3.12", "python3.13")
EXTRAS = ("", "arena", "render", "openspiel", "test")
"""Extras that take no gigabytes; add ``train`` with ``--extras``."""

PLAY = """
import sys, gymnasium, pathlib
import numpy as np
import ono99_env
from ono99_env import Game, Rules, load_bot, ono99_v0
assert "site-packages" in ono99_env.__file__, ono99_env.__file__
game = Game(Rules.preset("2022", num_players=3), seed=1)
bot = load_bot("models/2022.onnx")
while not game.is_over:
    game.play(int(bot.act(game.views(), np.random.default_rng(1))[0]))
env = gymnasium.make("ono99_env:ono99/Ono99-v0", num_players=2)
_, info = env.reset(seed=1)
env.step(int(info["action_mask"].argmax()))
aec = ono99_v0.env(num_players=2)
aec.reset(seed=1)
assert not {"torch", "pygame", "scipy", "matplotlib"} & set(sys.modules)
print("played", game.winners)
"""

OF_EXTRA = {
    "arena": "from ono99_env.arena import Arena; "
    "Arena(['highest', 'random'], players=2, games=200).play(); print('done')",
    "render": "from ono99_env import ono99_v0; env = ono99_v0.env(render_mode='rgb_array'); "
    "env.reset(seed=1); print('done' if env.render().shape[2] == 3 else 'no picture')",
    "openspiel": "import pyspiel, ono99_env.openspiel; print('done')",
    "train": "from ono99_env.envs.sb3 import Ono99VecEnv; "
    "Ono99VecEnv('2022', num_envs=2).reset(); print('done')",
}
"""What an extra makes possible."""


class Install(NamedTuple):
    """One environment."""

    python: str
    package: Path
    extra: str


def build(folder: Path) -> list[Path]:
    """Build the wheel and the source distribution, both of the files that git knows."""
    source = folder / "source"
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, check=True, text=True
    )
    for name in filter(None, files.stdout.split("\0")):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, source / name)
    maker = folder / "maker"
    run([sys.executable, "-m", "venv", str(maker)])
    run([str(maker / "bin/pip"), "install", "-q", "build", "hatchling"])
    command = [str(maker / "bin/python"), "-m", "build", "-n", "--outdir", str(folder / "dist")]
    run([*command, str(source)])
    return sorted((folder / "dist").iterdir())


def run(command: list[str], **options: object) -> str:
    """Run a command; returns what it printed.

    Raises:
        RuntimeError: If it failed, with what it said.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise RuntimeError(f"{command[:4]} failed:\n{done.stdout[-800:]}{done.stderr[-1600:]}")
    return done.stdout


def try_install(install: Install, folder: Path) -> None:
    """Install into a folder whose name has a space, and play in several surroundings.

    Raises:
        RuntimeError: If something does not work.
    """
    place = folder / "an environment"
    run([install.python, "-m", "venv", str(place)])
    python = str(place / "bin/python")
    wanted = f"{install.package}[{install.extra}]" if install.extra else str(install.package)
    run([python, "-m", "pip", "install", "-q", wanted], timeout=1200)
    empty = folder / "elsewhere"
    empty.mkdir()
    plain = {"PATH": os.environ["PATH"]}
    for environment in ({**plain, "HOME": str(empty)}, plain):
        assert "played" in run([python, "-c", PLAY], cwd=empty, env=environment)
    assert "highest" in run([str(place / "bin/ono99"), "bots"], cwd=empty, env=plain)
    if install.extra in OF_EXTRA:
        assert "done" in run([python, "-c", OF_EXTRA[install.extra]], cwd=empty, env=plain)
    play_read_only(place, python, empty)


def play_read_only(place: Path, python: str, empty: Path) -> None:
    """Play where nothing can be written beside the package, by the superuser either."""
    for package in place.rglob("site-packages/ono99_env"):
        for folder in package.rglob("__pycache__"):
            shutil.rmtree(folder)
            folder.touch()
    nowhere = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": "/proc/nowhere", "HOME": "/proc/no"}
    assert "played" in run([python, "-c", PLAY], cwd=empty, env=nowhere)


def plan(pythons: list[str], extras: list[str], packages: list[Path]) -> Iterator[Install]:
    """Yield the wheel with every extra on every Python, and the source with the base."""
    for python in pythons:
        for package in packages:
            for extra in extras if package.suffix == ".whl" else [""]:
                yield Install(python, package, extra)


def main(words: list[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pythons", nargs="*", default=list(PYTHONS), help="interpreters")
    parser.add_argument("--extras", nargs="*", default=list(EXTRAS), help="extras; '' is the base")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as scratch:
        packages = build(Path(scratch))
        installs = list(plan(options.pythons, options.extras, packages))
        with Session("Installs", len(installs)) as session:
            for install in installs:
                name = f"{install.package.name} [{install.extra}] on {install.python}"
                session.advance(0, name)
                with tempfile.TemporaryDirectory(dir=scratch) as folder:
                    try:
                        try_install(install, Path(folder))
                        print(f"{name}: works", flush=True)
                    except (RuntimeError, AssertionError, subprocess.TimeoutExpired) as error:
                        repeat = f"--pythons {install.python} --extras '{install.extra}'"
                        command = f"python -m tests.reliability.installs {repeat}"
                        session.find(f"{name}: {type(error).__name__} {error}", command)
                session.advance(1)
    return session.exit_code


if __name__ == "__main__":
    sys.exit(main())
