"""A run written in a format of traces, what ``run --html`` and ``trace export`` share; and what is said of its
animation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.output import Kind
from lydian.formats.traces import FORMATS, TraceFormat, export

if TYPE_CHECKING:
    from lydian.trace.events import Trace

__all__ = ["kind_of", "tell_animation", "write"]


def kind_of(to: TraceFormat) -> Kind:
    """What kind of file a format is."""
    return Kind(to.endings, f"{to.words} ends in {' or '.join(to.endings)}", to.begins)


def write(trace: Trace, path: Path, to: str) -> None:
    """Write a trace in a format, whole or not at all.

    Raises:
        BadInput: it cannot be put into such a file, or the file cannot be written.
    """
    export(trace, path, to)
    if FORMATS[to].animated:
        tell_animation(trace)


def tell_animation(trace: Trace) -> None:
    """Says on standard error why the animation of a run could not be used, if it could not; the run is painted as one
    without an animation then."""
    import sys

    from lydian.pieces.animation import animation_for

    problem = animation_for(trace).problem
    if problem is not None:
        print(f"lydian: {' '.join(problem.split())}; painted without it", file=sys.stderr)
