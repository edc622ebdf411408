"""Check that something was written to make bots before it is called."""

from inspect import isfunction, unwrap
from types import SimpleNamespace
from typing import Any, get_type_hints

from ono99_env.bots.base import Bot

_NEEDED = "a subclass of ono99_env.Bot or a function that is annotated as returning one is needed"


def check_factory(factory: Any, what: str) -> None:
    """Refuse everything but a subclass of `Bot` and a function annotated as returning one.

    So the name of a bot cannot call a function that does not make bots, such as ``os:system``.

    Args:
        factory: The object of a name; it is not called.
        what: The name of the object in messages.

    Raises:
        ValueError: If it is anything else.
    """
    if _is_bot_class(factory):
        return
    if not isfunction(factory):
        is_class = isinstance(factory, type)
        found = f"class {factory.__name__}" if is_class else type(factory).__name__
        raise ValueError(f"{what} is {found}, and {_NEEDED}")
    if not _is_bot_class(_returned(factory)):
        raise ValueError(
            f"{what} does not say that it returns a bot: {_NEEDED}, such as "
            f"'def {factory.__name__}(...) -> Bot:'"
        )


def _is_bot_class(thing: Any) -> bool:
    # By its bases: `issubclass` also accepts classes that were only registered.
    return isinstance(thing, type) and Bot in type.mro(thing)


def _returned(factory: Any) -> Any:
    """Return the annotation of what a function returns; None if it cannot be read."""
    try:
        annotations = {"return": factory.__annotations__["return"]}
        names = unwrap(factory).__globals__
        return get_type_hints(SimpleNamespace(__annotations__=annotations), names)["return"]
    except Exception:  # an annotation that only a type checker can read
        return None
