"""Figures of Matplotlib as files."""

import io
from pathlib import Path

from ono99_env.files.atomic import write_atomically
from ono99_env.messages.extras import brought_by

with brought_by("arena", "a report"):
    from matplotlib.figure import Figure


def write_figure(path: Path, figure: Figure) -> None:
    """Write a figure as a PNG file; the same figure gives the same bytes.

    Args:
        path: The file; an older one stays until the new one is complete.
        figure: What is drawn.

    Raises:
        OSError: If it cannot be written.
    """
    content = io.BytesIO()
    figure.savefig(content, format="png", metadata={"Software": None})
    write_atomically(path, content.getvalue())
