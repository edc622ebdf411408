"""Load bots of installed packages and of a user's own modules.

A package adds bots by entries in the group ``ono99_env.bots``, each a name with a class or a
function that makes a bot::

    [project.entry-points."ono99_env.bots"]
    cautious = "my_package.bots:Cautious"

A package is imported only when one of its bots is loaded, or all are listed, so a broken package
does no harm otherwise.
"""

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ono99_env.bots.base import Bot
from ono99_env.bots.factories import check_factory
from ono99_env.bots.modules import import_module
from ono99_env.bots.options import make_bot
from ono99_env.bots.registry import NAMED_BOTS
from ono99_env.messages.suggestions import did_you_mean

GROUP = "ono99_env.bots"
"""The entry-point group in which packages name their bots."""


def plugins() -> dict[str, EntryPoint]:
    """Return the bots of installed packages by name, without importing them."""
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.value):
        found.setdefault(entry.name, entry)
    return found


def load_plugin(entry: EntryPoint, options: str, name: str) -> Bot:
    """Make a bot of an installed package.

    Args:
        entry: Where the bot is.
        options: What the user wrote after the name, ``"option=value,..."``.
        name: What messages call the bot.

    Raises:
        ValueError: If it cannot be imported or made; the message names it and its package.
    """
    return make_bot(plugin_factory(entry), options, name)


def plugin_factory(entry: EntryPoint) -> Any:
    """Import what makes a bot of an installed package.

    Raises:
        ValueError: If it cannot be imported, or is not annotated as making bots.
    """
    package = f" of package {entry.dist.name}" if entry.dist else ""
    try:
        factory = entry.load()
    except Exception as error:  # importing a foreign module may raise anything
        raise ValueError(
            f"bot {entry.name!r}{package} is broken: {entry.value} cannot be imported "
            f"({type(error).__name__}: {error}). Update or remove the package."
        ) from error
    check_factory(factory, f"bot {entry.name!r}{package}: {entry.value}")
    return factory


def load_from_module(spelling: str) -> Bot:
    """Make a bot from a class or function of any importable module, which runs its code.

    Args:
        spelling: ``"package.module:factory"``, with options ``"package.module:factory:a=1,b=2"``.

    Raises:
        ValueError: If there is no such module or factory, or it is not annotated as making bots.
    """
    module_name, factory_name, *rest = spelling.split(":", 2)
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        raise ValueError(
            f"bot {spelling!r}: there is no module {error.name!r}"
            f"{did_you_mean(error.name or '', [*NAMED_BOTS, 'sb3']) or '.'} It must be installed, "
            "or lie in the current folder (or in one on PYTHONPATH)."
        ) from error
    except Exception as error:  # importing a user's module may raise anything
        raise ValueError(
            f"bot {spelling!r}: module {module_name} cannot be imported "
            f"({type(error).__name__}: {error})"
        ) from error
    if not hasattr(module, factory_name):
        public = [name for name in vars(module) if not name.startswith("_")]
        raise ValueError(
            f"bot {spelling!r}: module {module_name} has no "
            f"{factory_name!r}{did_you_mean(factory_name, public)}"
        )
    factory = getattr(module, factory_name)
    check_factory(factory, f"bot {spelling!r}: {factory_name}")
    return make_bot(factory, rest[0] if rest else "", spelling)
