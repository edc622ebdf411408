"""Say in plain words what pydantic finds wrong with fields."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from ono99_env.messages.suggestions import did_you_mean
from ono99_env.messages.text import shown_name, shown_value

_UNION_MEMBER = re.compile(r"(constrained|function)-.*|(tuple|list|dict|literal)\[.*|\[key\]")
"""Parts of the place of a problem that pydantic adds and no user has written."""

_QUOTED = re.compile("'([^']*)'")
"""A text that is allowed, in pydantic's list of them."""

_EXPECTED: Mapping[str, str] = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "a number"),
    "finite_number": "a finite number",
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    "string_type": "a text",
    **dict.fromkeys(("list_type", "tuple_type"), "a list"),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type"), "a mapping of fields"),
    "greater_than_equal": "at least {ge}",
    "greater_than": "greater than {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "literal_error": "{expected}",
    "string_pattern_mismatch": "of the form {pattern}",
    "too_short": "a list of at least {min_length}",
}
"""What a value must be, by the type of pydantic's error."""

_MOST_PROBLEMS = 3
"""Problems that one line names; more usually have one cause, such as another type of file."""

Model = TypeVar("Model", bound=BaseModel)


class FieldsError(ValueError):
    """Fields that do not fit each other, for validators of a whole model to raise.

    Args:
        field: The field that is wrong, such as ``ppo.batch_size``.
        reason: What is wrong about it.
        others: The fields that it does not fit.
    """

    def __init__(self, field: str, reason: str, others: Sequence[str] = ()) -> None:
        super().__init__(f"{field}: {reason}")
        self.field: str = field
        self.reason: str = reason
        self.others: tuple[str, ...] = tuple(others)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong."""

    place: tuple[int | str, ...]
    """The field, after those that it lies in; empty if the message names it."""
    message: str
    """What is allowed, and what was found instead."""
    others: tuple[str, ...] = ()
    """The fields that this one does not fit, as in `FieldsError`."""

    @property
    def field(self) -> str:
        """The field, such as ``ppo.gamma``."""
        return ".".join(map(str, self.place))

    def __str__(self) -> str:
        """Return the field and the message."""
        field = ".".join(shown_name(str(part)) for part in self.place)
        return f"{field}: {self.message}" if self.place else self.message


def checked(model: type[Model], fields: Mapping[str, Any]) -> Model:
    """Make a model from its fields.

    Raises:
        ValueError: If a field is unknown or impossible; the message names it and says what is
            allowed.
    """
    try:
        return model.model_validate(dict(fields))
    except ValidationError as error:
        raise ValueError(explain_invalid(error, model)) from None


def explain_invalid(error: ValidationError, model: type[BaseModel] | None = None) -> str:
    """Describe on one line what pydantic found wrong.

    Args:
        error: What pydantic raised.
        model: The model of the fields, to name other fields and the bounds of values.
    """
    texts = [str(problem) for problem in problems_of(error, model)]
    rest = len(texts) - _MOST_PROBLEMS
    return "; ".join(texts[:_MOST_PROBLEMS]) + (f"; and {rest} more problems" if rest > 0 else "")


def problems_of(error: ValidationError, model: type[BaseModel] | None = None) -> list[Problem]:
    """Return what pydantic found wrong, problem by problem; see `explain_invalid`."""
    found: dict[tuple[int | str, ...], list[ErrorDetails]] = {}
    for each in error.errors(include_url=False):
        place = tuple(part for part in each["loc"] if not _UNION_MEMBER.fullmatch(str(part)))
        found.setdefault(place, []).append(each)
    # A list with a wrong item is also reported as too short, since that item does not count.
    return [
        _problem(place, details, model)
        for place, details in found.items()
        if not any(len(other) > len(place) and other[: len(place)] == place for other in found)
    ]


def _problem(
    place: tuple[int | str, ...], details: Sequence[ErrorDetails], model: type[BaseModel] | None
) -> Problem:
    error = details[0].get("ctx", {}).get("error")
    if isinstance(error, FieldsError):
        return Problem((*place, *error.field.split(".")), error.reason, error.others)
    return Problem(place, _message(place, details, model))


def _message(
    place: Sequence[int | str], details: Sequence[ErrorDetails], model: type[BaseModel] | None
) -> str:
    first = details[0]
    holder = _model_at(place[:-1], model) if place else None
    if first["type"] == "extra_forbidden":
        return f"there is no such field{_suggestion(str(place[-1]), holder)}"
    if first["type"] == "missing":
        return "is missing"
    if first["type"] == "value_error":
        return first["msg"].removeprefix("Value error, ")
    field = holder.model_fields.get(str(place[-1])) if holder is not None else None
    # One for each member of a union, none of which fits.
    wanted = dict.fromkeys(_wanted(each, field) for each in details)
    allowed = " or ".join(wanted).replace(" or must be ", " or ")
    return f"{allowed}, not {shown_value(first['input'])}{_suggested_text(details)}"


def _wanted(problem: ErrorDetails, field: FieldInfo | None) -> str:
    error_type = problem["type"]
    if error_type not in _EXPECTED:
        return problem["msg"].replace("Input should be", "must be")
    bounds = _bounds(field) if error_type in ("greater_than_equal", "less_than_equal") else None
    context = {name: _plain(value) for name, value in problem.get("ctx", {}).items()}
    return f"must be {bounds or _EXPECTED[error_type].format(**context)}"


def _plain(value: Any) -> Any:
    """Return a bound as it was written: pydantic makes 1.0 of the bound 1 of a float."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _bounds(field: FieldInfo | None) -> str | None:
    """Return the least and the greatest value of a field in words, if it has both."""
    metadata = field.metadata if field is not None else []
    least = [each.ge for each in metadata if hasattr(each, "ge")]
    most = [each.le for each in metadata if hasattr(each, "le")]
    return f"from {least[0]} to {most[0]}" if least and most else None


def _suggested_text(details: Sequence[ErrorDetails]) -> str:
    """Suggest the text that is nearest to a wrong one, where only some are allowed."""
    for each in details:
        if each["type"] == "literal_error" and isinstance(each["input"], str):
            return did_you_mean(each["input"], _QUOTED.findall(each["ctx"]["expected"]))
    return ""


def _suggestion(name: str, model: type[BaseModel] | None) -> str:
    if model is None:
        return ""
    known = model.model_fields
    return did_you_mean(name, known) or f"; there are: {', '.join(known)}"


def _model_at(place: Sequence[int | str], model: type[BaseModel] | None) -> type[BaseModel] | None:
    """Return the model of a part of a model; None if the part is not a model."""
    for part in place:
        field = model.model_fields.get(str(part)) if model is not None else None
        annotation: Any = field.annotation if field is not None else None
        # A part that may be left out is a union of its model and None.
        models = [each for each in (annotation, *get_args(annotation)) if _is_model(each)]
        model = models[0] if models else None
    return model


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
