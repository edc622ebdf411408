"""``ono99 warm-up``: compile everything now, so that no program waits for it later."""

import time
from collections.abc import Callable

import numba
import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ono99_env import Game, Rules, load_bot, ono99_v0
from ono99_env.arena import one_vs_rest
from ono99_env.bots.scripted.compiled import CompiledBot
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import SUCCESS
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.jit.notice import NOTICE
from ono99_env.rules.cards import NUM_ACTIONS

_SEED = 1


def warm_up() -> int:
    """Compile every interface, all bots and the arena, and keep the machine code on disk.

    A program then starts within a second. What is on disk already is only loaded. The machine code
    belongs to this version of the package and this kind of processor.
    """
    console = PlainConsole()
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined] # not in the type stubs
        console.print("NUMBA_DISABLE_JIT is set: nothing is compiled.")
        return SUCCESS
    is_due, NOTICE.is_due = NOTICE.is_due, False
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    try:
        with Progress(
            *columns, console=console, transient=True, disable=not console.is_terminal
        ) as bar:
            task = bar.add_task("", total=len(PIECES))
            for name, use in PIECES.items():
                bar.update(task, description=name)
                start = time.perf_counter()
                use()
                console.print(f"{name}: {time.perf_counter() - start:.1f} s")
                bar.advance(task)
    finally:
        NOTICE.is_due = is_due
    if not NOTICE.is_kept:
        console.print("Nothing was kept: set NUMBA_CACHE_DIR to a folder that can be written to.")
    return SUCCESS


def _use_game() -> None:
    game = Game(seed=_SEED)
    game.play(game.legal_actions()[0])
    Game.from_snapshot(game.snapshot()).returns  # noqa: B018 - a property that is computed
    assert game.views().observation.any()
    assert game.views().action_mask.any()


def _use_aec() -> None:
    env = ono99_v0.env(illegal="lose")
    env.reset(seed=_SEED)
    while env.agents:  # to the end: seats that leave have code of their own
        _, _, terminated, truncated, info = env.last()
        is_over = terminated or truncated
        env.step(None if is_over else int(info["action_mask"].argmax()))
    env.reset(seed=_SEED)
    env.observe(env.possible_agents[1])
    env.step(NUM_ACTIONS - 1)


def _use_gymnasium() -> None:
    env = Ono99Env(opponents=["highest"])
    env.reset(seed=_SEED)
    env.step(int(env.action_masks().argmax()))


def _use_vector() -> None:
    for compact in (False, True):
        envs = Ono99VectorEnv(2, compact=compact, illegal="lose")
        _, infos = envs.reset(seed=_SEED)
        envs.step(infos["action_mask"].argmax(axis=1))
        envs.step(np.zeros(2, np.int64))


def _use_bots(*names: str) -> None:
    game, rng = Game(seed=_SEED), np.random.default_rng(_SEED)
    for name in names:
        load_bot(name).act(game.views(), rng)


def _use_arena() -> None:
    for opponent in ("random", "search:simulations=2", "2022"):
        one_vs_rest(Rules(), load_bot("highest"), load_bot(opponent), 4, 4, _SEED)


PIECES: dict[str, Callable[[], None]] = {
    "Game": _use_game,
    "AEC environment": _use_aec,
    "Gymnasium environment": _use_gymnasium,
    "vector environment": _use_vector,
    "scripted bots": lambda: _use_bots(*CompiledBot.NAMES),
    "search": lambda: _use_bots("search:simulations=20", "search:simulations=20,threads=2"),
    "bot files": lambda: _use_bots("2022"),
    "arena": _use_arena,
}
"""What is compiled, in this order: each uses what was compiled before."""
