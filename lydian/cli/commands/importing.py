"""The command ``lydian trace import``: it turns the log of a real system into a trace."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.commands import judging
from lydian.cli.output import TRACE, output
from lydian.cli.parser import Commands, Parser, Usage
from lydian.cli.words import plural, tell_lines
from lydian.formats.logs import FORMATS
from lydian.model.errors import BadInput, did_you_mean, shown

if TYPE_CHECKING:
    from lydian.formats.logs.importer import Imported
    from lydian.model.reading import BadLines

__all__ = ["add"]

_TEXT = """\
Reads a log with vector clocks and writes it as a trace, which opens in all views. Two lines per event
(or one), as written by ShiViz and GoVector; # begins a comment:

  HOST {"HOST": 3, "OTHER": 2}
  what happened

Also recognised: spans of OpenTelemetry (OTLP as JSON), histories of Jepsen and Maelstrom (EDN), messages of
Maelstrom (one a line, JSON or EDN). GoVector with times and levels: --format govector.
Any other format: --regex with named groups (?<host>...) and (?<clock>...) or (?<from>...) and (?<to>...);
also event, time, message (its number), label (its kind) and state; other groups are kept as fields.
An expression that contains \\n matches several lines. Times are numbers or dates; without them the time of
an event is the number of events on the longest causal path to it.
"""
_EXAMPLES = """\
examples:
  lydian trace import servers.log -o servers.parquet
  lydian trace import log.txt -o run.parquet --regex "(?<time>\\S+) (?<host>\\w+) (?<clock>{.*?}) (?<event>.*)"
  lydian trace import calls.log -o run.parquet --format timed
  lydian trace import a.log b.log -o run.parquet --master "local[2]"     gigabytes, with Spark
  lydian trace import store/latest/history.edn -o history.parquet
  lydian trace import twice.log -o run.parquet --delimiter "=== "        writes run-1.parquet, run-2.parquet ...
  lydian trace import log.txt -o run.parquet --delimiter "^=== (?<trace>.*) ===$" \\
      --regex "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)"
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "import", parents=[common], help="read the log of a real system as a trace", description=_TEXT, epilog=_EXAMPLES
    )
    parser.add_argument("files", metavar="LOG", nargs="+", help="a log; with --master, several are one execution")
    parser.add_argument("-o", "--output", metavar="OUT.parquet", help="where to write it (beside the log)")
    form = parser.add_argument("--format", metavar="F")
    parser.add_argument("--regex", metavar="R", help="a regular expression that finds one event, with named groups")
    parser.add_argument(
        "--delimiter", metavar="D",
        help="lines that begin with this text, or in which this expression is found, separate executions",
    )  # fmt: skip
    parser.add_argument("--master", metavar="URL", help="read gigabytes with Spark: local[2], spark://host:7077 ...")
    parser.add_argument("--skip-bad-lines", action="store_true", help="skip lines that cannot be used, and report them")
    parser.add_argument("--check", metavar="SPEC.py", help=judging.HELP)
    parser.before_help = lambda: setattr(
        form, "help", "; ".join(f"{each.name}: {each.title.lower()}" for each in FORMATS.values())
    )
    parser.set_defaults(action=_import, parser=parser)


def _import(args: Namespace) -> int:
    from lydian.engine.observing import judged, read_spec
    from lydian.formats.logs.importer import import_log
    from lydian.model.reading import BadLines
    from lydian.trace.parquet.file import save

    path, regex = Path(args.files[0]), args.regex
    spec = None if args.check is None else read_spec(args.check)
    if args.format is not None:
        if regex is not None:
            raise Usage("--format and --regex cannot be combined; choose one of them")
        if args.format not in FORMATS:
            hint = f"{did_you_mean(args.format, FORMATS)}; choose from {', '.join(FORMATS)}"
            raise Usage(f"--format: unknown format {shown(args.format)}{hint}")
    if args.master is not None:
        return _on_spark(args, spec is not None)
    if len(args.files) > 1:
        raise Usage('several logs need --master, such as --master "local[*]"; otherwise import them one by one')
    target = path.with_suffix(".parquet") if args.output is None else Path(args.output)
    try:
        found = import_log(path, form=args.format, regex=regex, delimiter=args.delimiter, skip=args.skip_bad_lines)
    except BadLines as bad:
        raise _refused(bad, path) from None
    targets = [target]
    if len(found) > 1:
        targets = [target.with_name(f"{target.stem}-{i}{target.suffix}") for i in range(1, len(found) + 1)]
    for where in targets:
        if args.output is not None:
            output(where, TRACE)
        elif where.exists():
            raise BadInput("this file already exists; choose another one with -o", file=where)
    code = 0
    for each, where in zip(found, targets, strict=True):
        trace, measures = (each.trace, {}) if spec is None else judged(each.trace, spec)
        save(trace, where)
        print(f"{where}: {f'{each.name}, ' if each.name else ''}{_size(each)}")
        for note in each.notes:
            print(f"  {note}")
        if spec is not None:
            code = max(code, judging.report(trace, measures, where))
    sys.stdout.flush()
    tell_lines(path, [problem for each in found for problem in each.problems])
    return code


def _refused(bad: BadLines, path: Path) -> BadInput:
    """Return the error about lines that cannot be used, after reporting each of several."""
    if len(bad.problems) == 1:
        what = f"{bad.what}; nothing was written (--skip-bad-lines skips such lines)"
        return BadInput(what, file=path, place=bad.place)
    tell_lines(path, bad.problems)
    what = f"{plural(len(bad.problems), 'line')} cannot be used, so nothing was written"
    return BadInput(f"{what}; --skip-bad-lines skips them", file=path)


def _on_spark(args: Namespace, judged: bool) -> int:
    """Import logs of gigabytes on Spark."""
    from lydian.batch.spark.logs import import_logs
    from lydian.formats.logs import FORMATS
    from lydian.model.reading import BadLines

    if judged or args.delimiter is not None:
        word = "--check" if judged else "--delimiter"
        raise Usage(f"{word} and --master cannot be combined; import first, then use lydian trace check" if judged
                    else f"{word} and --master cannot be combined; the logs are one execution")  # fmt: skip
    regex = args.regex
    if args.format is not None:
        regex = FORMATS[args.format].regex
        if "(?<clock>" not in regex or "\\n" in regex:
            raise Usage(f"--master reads logs with vector clocks, one record a line or two; {args.format} is not one; "
                        "import it without --master")  # fmt: skip
    paths = [Path(each) for each in args.files]
    target = paths[0].with_suffix(".parquet") if args.output is None else Path(args.output)
    if args.output is not None:
        output(target, TRACE)
    elif target.exists():
        raise BadInput("this file already exists; choose another one with -o", file=target)
    show = (lambda words: print(f"  {words}", file=sys.stderr, flush=True)) if sys.stderr.isatty() else _silent
    try:
        found = import_logs(paths, target, args.master, regex=regex, skip=args.skip_bad_lines, tell=show)
    except BadLines as bad:
        raise _refused(bad, Path(str(bad.file))) from None
    hosts, messages = plural(found.hosts, "host"), plural(found.messages, "message")
    print(f"{target}: {hosts}, {plural(found.events, 'event')}, {messages}")
    for note in found.notes:
        print(f"  {note}")
    sys.stdout.flush()
    for path in paths:
        tell_lines(path, [problem for name, problem in found.problems if name == str(path)])
    return 0


def _silent(_words: str) -> None:
    """Print nothing: the terminal is not one."""


def _size(found: Imported) -> str:
    from lydian.trace.timeline import Timeline

    trace = found.trace
    hosts, messages = plural(len(trace.processes), "host"), plural(Timeline(trace).m_messages, "message")
    return f"{hosts}, {plural(len(trace), 'event')}, {messages}"
