"""Functions shared by ``run --html`` and ``trace export``: writing a run in a trace format, and reporting problems with
its animation.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.output import Kind
from lydian.formats.traces import FORMATS, TraceFormat, export

if TYPE_CHECKING:
    from lydian.trace.events import Trace

__all__ = ["kind_of", "tell_animation", "write"]


def kind_of(to: TraceFormat) -> Kind:
    """Return the kind of output file that belongs to a format."""
    return Kind(to.endings, f"{to.words} ends in {' or '.join(to.endings)}", to.begins)


def write(trace: Trace, path: Path, to: str) -> None:
    """Write a trace in a format, completely or not at all.

    Raises:
        BadInput: the trace does not fit this format, or the file cannot be written.
    """
    export(trace, path, to)
    if FORMATS[to].animated:
        tell_animation(trace)


def tell_animation(trace: Trace) -> None:
    """Report on standard error why the animation of a run could not be used, if so; the run is drawn without one."""
    import sys

    from lydian.pieces.animation import animation_for

    problem = animation_for(trace).problem
    if problem is not None:
        print(f"lydian: {' '.join(problem.split())}; drawn without it", file=sys.stderr)
