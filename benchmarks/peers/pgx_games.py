"""pgx on the processor: jitted batches, one step a call and many steps in one scan."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx import bridge_bidding
from pgx.experimental import auto_reset

from benchmarks.peers.going import Go, Peer
from benchmarks.peers.ours import NUM_TABLES, vector_name

_STEPS = {"leduc_holdem": 50, "kuhn_poker": 50, "bridge_bidding": 5, "sparrow_mahjong": 5}
_MATCH = vector_name(NUM_TABLES)


def peers() -> list[Peer]:
    """Return four card games, each stepped and scanned."""
    jax.config.update("jax_platforms", "cpu")
    return [
        Peer(f"pgx {name}, {way}", go, _MATCH)
        for name, steps in _STEPS.items()
        for way, go in goes(_make(name), steps).items()
    ]


def goes(env: Any, steps: int) -> dict[str, Go]:
    """Take some steps of a batch that deals anew by itself, as pgx's documentation has them."""
    advance = partial(_advance, jax.vmap(auto_reset(env.step, env.init)))
    one = jax.jit(advance)
    many = jax.jit(
        lambda state, key: jax.lax.scan(
            lambda state, key: (advance(state, key), state.rewards.sum()),
            state,
            jax.random.split(key, steps),
        )[0]
    )
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), NUM_TABLES))
    key = jax.random.PRNGKey(1)

    def step() -> int:
        nonlocal state, key
        for _ in range(steps):
            key, this = jax.random.split(key)
            state = one(state, this)
        state.observation.block_until_ready()
        return steps * NUM_TABLES

    def scan() -> int:
        nonlocal state, key
        key, this = jax.random.split(key)
        state = many(state, this)
        state.observation.block_until_ready()
        return steps * NUM_TABLES

    return {"step": step, "scan": scan}


def _advance(step: Any, state: Any, key: Any) -> Any:
    choosing, stepping = jax.random.split(key)
    logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
    actions = jax.random.categorical(choosing, logits, axis=-1)
    return step(state, actions, jax.random.split(stepping, NUM_TABLES))


def _make(name: str) -> pgx.Env:
    if name != "bridge_bidding":
        return pgx.make(name)
    # It deals from a table of solved hands that is downloaded; the sample in its tests will do.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.npy"
        np.save(path, np.array(bridge_bidding._load_sample_hash()))
        return bridge_bidding.BridgeBidding(str(path))
