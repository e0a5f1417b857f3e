"""``lydian render``: a view of an execution at a time, as a picture."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.chosen import add_options, chosen, is_trace
from lydian.cli.parser import Commands, Parser, Usage, number
from lydian.model.errors import BadInput, did_you_mean, shown

if TYPE_CHECKING:
    from lydian.trace.events import Trace

__all__ = ["VIEWS", "add", "qt_needed", "trace_of"]

#: The views, in the order in which they are shown.
VIEWS = ("basic", "communication", "causality", "step", "occupation")
_MOVIES = (".mp4", ".gif", ".webm")
_EXAMPLES = """\
examples:
  lydian render two-wings --view basic --at 8 -o network.png
  lydian render run.parquet --view causality --at 50% --theme dark -o picture.svg
  lydian render two-wings --view step --select 3 --at 8 -o process3.png
"""


def add(commands: Commands, common: Parser) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "render",
        parents=[common],
        help="a picture of one view at one time",
        description="Paints one view of an experiment or a trace as it is at a time, as PNG or SVG.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("experiment", metavar="EXPERIMENT|TRACE", nargs="?")
    add_options(parser)
    parser.add_argument("--view", metavar="V", choices=VIEWS, default="basic", help=", ".join(VIEWS))
    parser.add_argument("--at", metavar="T", help="simulated time, or a share of the run such as 40%% (the end)")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="a file ending in .png or .svg")
    parser.add_argument("--size", metavar="WxH", default="1280x800", help="in units of the screen (1280x800)")
    parser.add_argument("--scale", metavar="S", default="1", help="pixels a unit (1)")
    parser.add_argument("--theme", metavar="light|dark", choices=("light", "dark"), default="light")
    parser.add_argument("--select", metavar="P", action="append", default=[], help="a process to mark")
    parser.set_defaults(action=_render)


def _render(args: Namespace) -> int:
    path = Path(args.output)
    if path.suffix.lower() in _MOVIES:
        raise Usage(f"{path}: movies are not available yet; give a file that ends in .png or .svg")
    if path.suffix.lower() not in (".png", ".svg"):
        raise Usage(f"{path}: a picture ends in .png or .svg")
    size = _size(args.size)
    scale = number(args.scale, "--scale", "a positive number")
    trace = trace_of(args)

    from lydian.trace.timeline import Timeline
    from lydian.views.frame import Selection

    for name in args.select:
        if name not in trace.processes:
            raise Usage(f"--select: there is no process {shown(name)}{did_you_mean(name, trace.processes)}")
    timeline = Timeline(trace)
    selection = Selection(processes=frozenset(trace.processes.index(name) for name in args.select))
    moment = _moment(args.at, timeline.end)
    qt_needed()

    from lydian.app.render import render

    render(timeline, None, args.view, moment, path, size=size, theme=args.theme, scale=scale, selection=selection)
    print(path)
    return 0


def trace_of(args: Namespace) -> Trace:
    """The trace that the arguments name, or that of the experiment that they name."""
    if args.experiment is not None and (is_trace(args.experiment) or args.experiment.endswith(".parquet")):
        from lydian.trace.file import load

        given = [name for name in ("protocol", "network", "seed", "delay", "until", "limit") if getattr(args, name)]
        if given or args.set:
            option = (given or ["set"])[0]
            raise Usage(f"--{option}: a trace is what happened and cannot be changed; give an experiment")
        return load(Path(args.experiment))

    from lydian.engine.simulator import Simulator

    simulator = Simulator(chosen(args))
    simulator.run()
    return simulator.trace


def qt_needed() -> None:
    """Refuses in a sentence if Qt cannot be loaded.

    Raises:
        BadInput: a package or a library of the system is missing.
    """
    try:
        import PySide6.QtGui  # noqa: F401
    except ImportError as error:
        raise BadInput(f"Qt cannot be loaded ({error}); lydian doctor says what to install") from None


def _size(text: str) -> tuple[int, int]:
    width, x, height = text.lower().partition("x")
    if not (x and width.isdecimal() and height.isdecimal() and int(width) > 0 and int(height) > 0):
        raise Usage(f"--size: must be width x height such as 1280x800, not {shown(text)}")
    return int(width), int(height)


def _moment(text: str | None, end: float) -> float | None:
    if text is None:
        return None
    if text.endswith("%"):
        return min(number(text[:-1], "--at", "a time or a share such as 40%"), 100.0) / 100 * end
    return number(text, "--at", "a time or a share such as 40%")
