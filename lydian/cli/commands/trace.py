"""The command ``lydian trace``: a trace as text, its summary, other formats, and its difference from another trace."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.commands import comparing, finding, importing, judging
from lydian.cli.commands.exporting import kind_of, write
from lydian.cli.output import output
from lydian.cli.parser import Commands, Parser, Usage, number, whole
from lydian.cli.summary import how_it_ended, resting
from lydian.cli.words import mark, plural
from lydian.cli.words import number as short
from lydian.formats.traces import FORMATS
from lydian.model.errors import BadInput, did_you_mean, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lydian.trace.timeline import Timeline

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian run two-wings --trace run.parquet
  lydian trace show run.parquet | less
  lydian trace show run.parquet --process 3 --kind receive
  lydian trace show run.parquet --where "p=5 and (message=Ack or t>3)" --explain
  lydian trace info run.parquet
  lydian trace diff run.parquet other.parquet
  lydian trace export run.parquet --to csv -o run.csv
  lydian trace export run.parquet --to html -o run.html
  lydian trace import servers.log -o servers.parquet
  lydian trace check servers.parquet --check spec.py
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "trace", parents=[common], help="show, summarise, compare, judge, search, convert, import", epilog=_EXAMPLES,
        description="Reads a trace that lydian run --trace has written, or makes one from a log.",
    )  # fmt: skip
    inner = parser.add_subparsers(dest="what", metavar="COMMAND", title="commands", required=True)
    show = inner.add_parser("show", parents=[common], help="show its events as text, one line each")
    show.add_argument("file", metavar="FILE")
    show.add_argument("--process", metavar="P", help="only events at this process")
    show.add_argument("--kind", metavar="K", help="only events of this kind: send, receive, drop ...")
    show.add_argument("--start", metavar="T", help="only events from this time on")
    show.add_argument("--end", metavar="T", help="only events up to this time")
    show.add_argument("--where", metavar="FILTER", help='only events such as "p=5 and message=Ack" or "t>3 not lost"')
    show.add_argument("--find", metavar="TEXT", help="only events whose sentence contains this text")
    show.add_argument("--explain", action="store_true", help="describe each event in sentences, with reasons")
    show.add_argument("--limit", metavar="N", help="at most this many events")
    show.set_defaults(action=_show, parser=show)
    info = inner.add_parser("info", parents=[common], help="show its experiment and its numbers")
    info.add_argument("file", metavar="FILE")
    info.set_defaults(action=_info, parser=info)
    comparing.add(inner, common)
    importing.add(inner, common)
    judging.add(inner, common)
    finding.add(inner, common)
    export = inner.add_parser("export", parents=[common], help="write it in another format")
    export.add_argument("file", metavar="FILE")
    to = export.add_argument("--to", metavar="FORMAT", required=True)
    export.before_help = lambda: setattr(to, "help", ", ".join(FORMATS))
    export.add_argument("-o", "--output", metavar="OUT", help="where to write it (beside the trace)")
    export.set_defaults(action=_export, parser=export)


def _show(args: Namespace) -> int:
    import numpy as np

    from lydian.trace.events import KINDS
    from lydian.trace.parquet.file import load
    from lydian.trace.timeline import Timeline
    from lydian.views.words.sentence import line

    trace = load(Path(args.file))
    timeline = Timeline(trace)
    wanted = np.ones(len(trace), dtype=bool)
    if args.process is not None:
        if args.process not in trace.processes:
            hint = did_you_mean(args.process, trace.processes)
            raise BadInput(f"--process: this trace contains no process {shown(args.process)}{hint}", file=args.file)
        wanted &= timeline.process == trace.processes.index(args.process)
    if args.kind is not None:
        if args.kind not in KINDS:
            hint = did_you_mean(args.kind, KINDS) or f"; choose from {', '.join(KINDS)}"
            raise Usage(f"--kind: unknown kind {shown(args.kind)}{hint}")
        wanted &= timeline.kind == KINDS.index(args.kind)
    if args.start is not None:
        wanted &= timeline.time >= number(args.start, "--start")
    if args.end is not None:
        wanted &= timeline.time <= number(args.end, "--end")
    if args.where is not None or args.find is not None:
        wanted = _filtered(timeline, args, wanted)
    elif args.explain:
        wanted &= _not_told_elsewhere(timeline, wanted)
    seqs = np.flatnonzero(wanted)
    if args.limit is not None:
        seqs = seqs[: whole(args.limit, "--limit", 1)]
    if args.explain:
        from lydian.cli.account import account
        from lydian.pieces.animation import animation_for

        for paragraph in account(timeline, animation_for(trace), seqs.tolist()):
            print(paragraph)
    else:
        for seq in seqs.tolist():
            print(line(timeline, seq).rstrip())
    _damage(args.file, trace.damage)
    return 0


def _filtered(timeline: Timeline, args: Namespace, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return those of the requested events that match --where and --find."""
    import numpy as np

    from lydian.pieces.animation import animation_for
    from lydian.views.words.conditions import All, Word
    from lydian.views.words.filter import FilterError, parse

    animation = animation_for(timeline.trace)
    parts = []
    if args.where is not None:
        try:
            parts.append(parse(args.where, timeline, animation))
        except FilterError as error:
            raise Usage(f"--where, character {error.start + 1}: {error.what}") from None
    if args.find is not None:
        if not args.find.strip():
            raise Usage("--find: must not be empty; give a word")
        parts.append(Word(args.find))
    rows = np.flatnonzero(wanted)
    found = np.zeros_like(wanted)
    found[rows] = (parts[0] if len(parts) == 1 else All(tuple(parts))).among(timeline, rows, animation)
    return found


def _not_told_elsewhere(timeline: Timeline, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return all but the effects of requested events, which are explained together with them."""
    import numpy as np

    from lydian.views.words.reasons import steps

    told = np.ones_like(wanted)
    told[steps(timeline)] = False
    told[told] = wanted[timeline.cause[told]]
    return ~told


def _info(args: Namespace) -> int:
    from lydian.trace.measures import measures
    from lydian.trace.parquet.file import load

    trace = load(Path(args.file))
    numbers = measures(trace)
    experiment, summary = trace.experiment, trace.summary
    network = trace.network.get("graph", {}).get("name") if trace.network else None
    programs = "programs" in summary
    ended = how_it_ended(summary["stopped"], programs=programs) if summary.get("stopped") else None
    damage = trace.damage
    if damage and not ended:
        ended, damage = damage if "cut short" in damage else f"cut short: {damage}", None
    rows = [
        ("protocol", summary.get("protocol_title") or experiment.get("protocol", "unknown")),
        ("experiment", experiment.get("name")),
        ("network", f"{network or 'unknown'} ({plural(len(trace.processes), 'process', 'processes')})"),
        ("seed", experiment.get("seed")),
        ("events", numbers["events"]),
        ("messages", numbers["messages"]),
        ("time", short(numbers["time"])),
        ("chain", f"{plural(numbers['chain'], 'message')} on the longest causal chain"),
        ("ended", "; ".join(filter(None, (ended, *resting(trace))))),
        ("damage", damage),
        ("error", summary.get("error")),
        ("fingerprint", trace.fingerprint()),
        ("made by", ", ".join(f"{name} {version}" for name, version in trace.versions.items())),
    ]
    for name, value in rows:
        if value not in (None, ""):
            print(f"  {name:<12} {value}")
    if numbers["by_kind"]:
        print()
        for label, kind in numbers["by_kind"].items():
            print(f"  {label:<12} {kind['sent']} sent, {kind['received']} received, {kind['dropped']} lost")
    if summary.get("checks"):
        print()
        for check in summary["checks"]:
            print(f"  {mark(check['holds'])} {check['name']}")
    _damage(args.file, trace.damage)
    return 0


def _export(args: Namespace) -> int:
    from lydian.trace.parquet.file import load

    if args.to not in FORMATS:
        hint = f"{did_you_mean(args.to, FORMATS)}; choose from {', '.join(FORMATS)}"
        raise Usage(f"unknown {shown(args.to)} for --to{hint}; see {args.parser.prog} --help")
    to = FORMATS[args.to]
    path = Path(args.file)
    trace = load(path)
    target = path.with_suffix(to.beside) if args.output is None else Path(args.output)
    if args.output is None and target.exists():
        raise BadInput("this file already exists; choose another one with -o", file=target)
    if target.exists() and target.samefile(path):
        raise BadInput("this is the trace itself; choose another file", file=target, place="-o")
    output(target, kind_of(to))
    write(trace, target, to.name)
    print(target)
    _damage(args.file, trace.damage)
    return 0


def _damage(file: str, sentence: str | None) -> None:
    if sentence:
        import sys

        sys.stdout.flush()
        print(f"lydian: {file}: {sentence}", file=sys.stderr)
