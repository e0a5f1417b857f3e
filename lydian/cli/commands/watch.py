"""The command ``lydian watch``: the events of a running system, as they happen."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.output import TRACE, output
from lydian.cli.parser import Commands, Parser, Usage, whole
from lydian.cli.words import mark, plural
from lydian.cli.words import number as short
from lydian.model.errors import did_you_mean, shown

if TYPE_CHECKING:
    from lydian.trace.events import Trace
    from lydian.watching.watch import Seen

__all__ = ["add"]

_TEXT = """\
Shows the events of a running system as they happen. SOURCE is a file that grows, - for the lines on a pipe,
or http:PORT: other programs on this computer then send lines by POST or over a WebSocket (/ws), or spans
from an exporter of OpenTelemetry (http/json, /v1/traces). Nothing listens beyond this computer.

Formats are those of lydian trace import; a line is used when it is complete. Messages are recognised when
their receivers appear.
"""
_EXAMPLES = """\
examples:
  ./server | lydian watch - --trace run.parquet
  lydian watch servers.log --check spec.py
  lydian watch http:4318 --open                  the window follows what an OpenTelemetry exporter sends
  lydian watch calls.log --format numbered --events 1000
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "watch", parents=[common], help="watch a running system: a pipe, a growing file, a local port",
        description=_TEXT, epilog=_EXAMPLES,
    )  # fmt: skip
    parser.add_argument("source", metavar="SOURCE", help="a file, - or http:PORT (0: any free port)")
    parser.add_argument("--format", metavar="F", help="the format of the lines, as for trace import")
    parser.add_argument("--regex", metavar="R", help="a regular expression that finds one event, with named groups")
    parser.add_argument("--check", metavar="SPEC.py", help="properties to judge it by; the file is executed")
    parser.add_argument("--trace", metavar="OUT.parquet", help="record the events there, also after Ctrl-C")
    parser.add_argument("--open", action="store_true", help="show it in the window, which follows")
    parser.add_argument("--events", metavar="N", help="stop when there are this many events")
    parser.add_argument("--lines", metavar="N", help="keep at most this many lines, the latest (100 000)")
    parser.set_defaults(action=_watch, parser=parser)


def _watch(args: Namespace) -> int:
    from lydian.engine.observing import read_spec
    from lydian.formats.logs import FORMATS
    from lydian.formats.logs.growing import MOST
    from lydian.watching.sources import source_of
    from lydian.watching.watch import watch

    if args.format is not None and args.regex is not None:
        raise Usage("--format and --regex cannot be combined; choose one of them")
    if args.format is not None and args.format not in FORMATS:
        hint = f"{did_you_mean(args.format, FORMATS)}; choose from {', '.join(FORMATS)}"
        raise Usage(f"--format: unknown format {shown(args.format)}{hint}")
    if args.trace is not None:
        output(Path(args.trace), TRACE)
    most = MOST if args.lines is None else whole(args.lines, "--lines", 1)
    events = None if args.events is None else whole(args.events, "--events", 1)
    spec = None if args.check is None else read_spec(args.check)
    source = source_of(args.source, sys.stdin.buffer if args.source == "-" else None)
    if args.open:
        return _in_window(args, most)
    told = _Told()
    last: Trace | None = None
    seen = watch(
        source, form=args.format, regex=args.regex, spec=spec, most=most, events=events,
        listening=lambda where: print(f"lydian: send events to {where}", file=sys.stderr, flush=True),
    )  # fmt: skip
    try:
        for each in seen:
            last = each.trace
            told.tell(each)
    except KeyboardInterrupt:
        if last is None:
            raise
        told.end(last, stopped=True)
    else:
        if last is not None:
            told.end(last)
    finally:
        seen.close()
        if last is not None and args.trace is not None:
            _save(last, Path(args.trace))
    return told.code


def _save(trace: Trace, path: Path) -> None:
    from lydian.trace.parquet.file import save

    save(trace, path)
    print(path)


class _Told:
    """The text on the terminal; each event is printed once, when it is first seen."""

    def __init__(self) -> None:
        self.code = 0
        self._printed: dict[int, int] = {}
        self._names: tuple[str, ...] = ()
        self._broken: set[str] = set()

    def tell(self, seen: Seen) -> None:
        import numpy as np

        from lydian.trace.timeline import Timeline
        from lydian.views.words.sentence import line

        trace = seen.trace
        timeline = Timeline(trace)
        if trace.processes != self._names:  # the numbers of processes follow the order of their names
            counts = {self._names[p]: count for p, count in self._printed.items()}
            self._printed = {p: counts.get(name, 0) for p, name in enumerate(trace.processes)}
            self._names = trace.processes
        place = np.zeros(len(trace.processes), dtype=int)
        for seq, p in enumerate(timeline.process.tolist()):
            place[p] += 1
            if place[p] > self._printed[p]:
                self._printed[p] = int(place[p])
                print(line(timeline, seq).rstrip())
        for problem in seen.problems:
            print(f"lydian: line {problem.line}: {problem.why}", file=sys.stderr)
        for check in trace.summary.get("checks", []):
            if check["holds"] is False and check["name"] not in self._broken:
                self._broken.add(check["name"])
                self.code = 1
                print(_words(check, trace))
        sys.stdout.flush()

    def end(self, trace: Trace, stopped: bool = False) -> None:
        """Print the results at the end."""
        print(f"{plural(len(trace.processes), 'host')}, {plural(len(trace), 'event')}{', stopped' if stopped else ''}")
        for check in trace.summary.get("checks", []):
            if check["name"] not in self._broken:
                print(_words(check, trace))


def _words(check: dict[str, Any], trace: Trace) -> str:
    where = ""
    if check["holds"] is False and check["kind"] == "always":
        where = f": event {check['at']}, time {short(float(trace.rows['time'][check['at']]))}"
    return f"  {mark(check['holds'])} {check['name']}{where}{': undecided' if check['holds'] is None else ''}"


def _in_window(args: Namespace, most: int) -> int:
    """Open a window that watches the source in a process of its own; a pipe is copied into a file for it."""
    import shutil
    import tempfile

    from lydian.cli.commands.opening import has_display, speak
    from lydian.cli.commands.render import qt_needed
    from lydian.engine.wire import Watch
    from lydian.model.childprocess import Aside
    from lydian.model.errors import BadInput

    if not has_display():
        raise BadInput("--open needs a display; without it, the events are printed")
    speak()
    qt_needed()
    from lydian.app.main import open_watching

    with tempfile.TemporaryDirectory(prefix="lydian-watch-") as folder:
        source = args.source
        if source == "-":
            file = Path(folder) / "pipe.log"
            stream = file.open("wb", buffering=0)
            source = str(file)
            Aside(lambda: shutil.copyfileobj(sys.stdin.buffer, stream, 1 << 12), "lydian-pipe").start()
        elif not source.startswith(("http:", "ws:", ":")):
            source = str(Path(source).absolute())
        check = None if args.check is None else str(Path(args.check).absolute())
        trace = None if args.trace is None else str(Path(args.trace).absolute())
        return open_watching(Watch(source, args.format, args.regex, check, trace, most))
