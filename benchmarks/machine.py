"""What the figures were measured on: machine, load and versions."""

import os
import platform
from importlib import metadata
from pathlib import Path

_PACKAGES = (
    "numpy",
    "numba",
    "gymnasium",
    "pettingzoo",
    "rlcard",
    "open_spiel",
    "shimmy",
    "pgx",
    "jax",
    "pufferlib",
    "stable_baselines3",
    "sb3_contrib",
    "torch",
)


def description() -> str:
    """Return one paragraph: processor, cores, load now, and the versions of what is installed."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{_processor()}, {os.cpu_count()} cores{load}; Python {platform.python_version()}, "
        + ", ".join(f"{name} {version}" for name, version in _versions().items())
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _versions() -> dict[str, str]:
    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions
