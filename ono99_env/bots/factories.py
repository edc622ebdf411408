"""What may be called to make a bot: nothing that does not say that it makes bots."""

from inspect import isfunction, unwrap
from types import SimpleNamespace
from typing import Any, get_type_hints

from ono99_env.bots.base import Bot

_NEEDED = "a subclass of ono99_env.Bot or a function that is annotated as returning one is needed"


def check_factory(factory: Any, what: str) -> None:
    """Refuse everything but a subclass of `Bot` and a function annotated as returning one.

    So a name can never call something that was not written to make bots, such as ``os:system``.

    Args:
        factory: What a name leads to; it is not called.
        what: What messages call it.

    Raises:
        ValueError: If it is anything else; the message says what it is.
    """
    if _is_bot_class(factory):
        return
    if not isfunction(factory):
        kind = f"class {factory.__name__}" if isinstance(factory, type) else type(factory).__name__
        raise ValueError(f"{what} is {kind}, and {_NEEDED}")
    if not _is_bot_class(_returned(factory)):
        raise ValueError(
            f"{what} does not say that it returns a bot: {_NEEDED}, such as "
            f"'def {factory.__name__}(...) -> Bot:'"
        )


def _is_bot_class(thing: Any) -> bool:
    # By its bases: a class can be registered as a subclass that is none.
    return isinstance(thing, type) and Bot in type.mro(thing)


def _returned(factory: Any) -> Any:
    """The annotation of what a function returns; None if it has none that can be read."""
    try:
        annotations = {"return": factory.__annotations__["return"]}
        names = unwrap(factory).__globals__
        return get_type_hints(SimpleNamespace(__annotations__=annotations), names)["return"]
    except Exception:  # a text that only a type checker can read
        return None
