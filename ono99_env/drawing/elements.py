"""SVG elements as text."""


def number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def _as_text(value: str | float) -> str:
    return value if isinstance(value, str) else number(value)


def element(name: str, content: str = "", **attributes: str | float | None) -> str:
    """Return an element; an underscore in an attribute's name stands for a hyphen.

    Args:
        name: The element.
        content: What is inside, as SVG.
        **attributes: Numbers are rounded; None leaves an attribute out.
    """
    given = {key: value for key, value in attributes.items() if value is not None}
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_as_text(value)}"' for key, value in given.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    *,
    radius: float = 0,
    stroke: str | None = None,
    stroke_width: float | None = None,
    dash: str | None = None,
) -> str:
    """Return a rectangle with round corners."""
    return element(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=radius,
        fill=fill,
        stroke=stroke,
        stroke_width=stroke_width,
        stroke_dasharray=dash,
    )


def group(*content: str, **attributes: str | float | None) -> str:
    """Return elements as a group."""
    return element("g", "".join(content), **attributes)


def stroke_path(d: str, colour: str, width: float, *, cap: str = "round") -> str:
    """Return a line along path data, without a filling."""
    return element(
        "path",
        d=d,
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap=cap,
        stroke_linejoin="round",
    )
