"""A run written as a page that plays by itself, what ``run --html`` and ``trace export --to html`` share; and what is
said of its animation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.trace.events import Trace

__all__ = ["save_page", "tell_animation"]


def save_page(trace: Trace, path: Path) -> None:
    """Writes the page, whole or not at all.

    Raises:
        BadInput: the run is too long for a page, or the file cannot be written.
    """
    from lydian.model.reading import write_text
    from lydian.trace.timeline import Timeline
    from lydian.views.page.page import page

    if path.is_dir():
        raise BadInput("this is a folder; give a file such as run.html", file=path)
    write_text(path, page(Timeline(trace)))
    tell_animation(trace)


def tell_animation(trace: Trace) -> None:
    """Says on standard error why the animation of a run could not be used, if it could not; the run is painted as one
    without an animation then."""
    import sys

    from lydian.pieces.animation import animation_for

    problem = animation_for(trace).problem
    if problem is not None:
        print(f"lydian: {' '.join(problem.split())}; painted without it", file=sys.stderr)
