"""The command ``lydian trace check``, and the report that ``trace import --check`` shares with it."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.output import TRACE, output
from lydian.cli.parser import Commands, Parser
from lydian.cli.words import mark
from lydian.cli.words import number as short
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.trace.events import Trace

__all__ = ["HELP", "add", "report"]

HELP = "a Python file with @always, @eventually, @at_end, as in a protocol; it is executed"
_TEXT = """\
Judges a trace, simulated or imported, by the properties in a file: functions with @always, @eventually or
@at_end, as in a protocol. They get c, with c.processes (name, state, variables), c.in_transit, c.time,
c.event, c.decided, c.delivered and c.history (the operations: process, name, value, invoked, completed,
outcome, result). For a violation, the first event after which the property is false is named.
"""
_EXAMPLES = """\
examples:
  lydian trace check servers.parquet --check spec.py
  lydian trace check servers.parquet --check spec.py -o judged.parquet     opens with its checks
  lydian trace import servers.log -o servers.parquet --check spec.py
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "check", parents=[common], help="judge it by properties of your own", description=_TEXT, epilog=_EXAMPLES
    )
    parser.add_argument("file", metavar="TRACE")
    parser.add_argument("--check", metavar="SPEC.py", required=True, help=HELP)
    parser.add_argument("-o", "--output", metavar="OUT.parquet", help="write the trace with the results")
    parser.add_argument("--json", action="store_true", help="print the results as one JSON object")
    parser.set_defaults(action=_check, parser=parser)


def _check(args: Namespace) -> int:
    from lydian.engine.observing import judged, read_spec
    from lydian.trace.parquet.file import load, save

    path = Path(args.file)
    spec = read_spec(args.check)
    if args.output is not None:
        output(Path(args.output), TRACE)
        if Path(args.output).exists() and Path(args.output).samefile(path):
            raise BadInput("this is the trace itself; choose another file", file=args.output, place="-o")
    trace, measures = judged(load(path), spec)
    if args.output is not None:
        save(trace, Path(args.output))
    if args.json:
        print(json.dumps({"trace": str(path), "events": len(trace), "checks": told(trace), "measures": measures}))
        return int(any(each["holds"] is False for each in told(trace)))
    return report(trace, measures, Path(args.output) if args.output is not None else path)


def told(trace: Trace) -> list[dict[str, Any]]:
    """Return the results with the time and the process of the event that decided each."""
    found = []
    for check in trace.summary["checks"]:
        at = check["at"]
        event = trace.event(at) if isinstance(at, int) and 0 <= at < len(trace) else None
        found.append({**check, "time": event and event.time, "process": event and event.process})
    return found


def report(trace: Trace, measures: dict[str, float | None], path: Path) -> int:
    """Print the results, and return the exit code; ``path`` is the file that shows the first violation."""
    from lydian.pieces.animation import animation_for
    from lydian.trace.timeline import Timeline
    from lydian.views.words.sentence import sentence

    timeline = Timeline(trace)
    broken: list[int] = []
    for check in told(trace):
        where = ""
        if check["holds"] is False and check["kind"] == "always":
            where = f": event {check['at']}, time {short(check['time'])}"
            broken.append(check["at"])
        elif check["holds"] is None:
            where = ": undecided"
        print(f"  {mark(check['holds'])} {check['name']}{where}")
        if where and check["holds"] is False:
            print(f"      {sentence(timeline, check['at'], animation_for(trace))}")
    for name, value in measures.items():
        print(f"  {name}: {'none' if value is None else short(value)}")
    if broken:
        print(f"lydian open {path} --event {min(broken)} shows this moment")
    return int(any(check["holds"] is False for check in trace.summary["checks"]))
