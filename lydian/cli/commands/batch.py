"""The command ``lydian batch``: many runs on Spark, and their results."""

from __future__ import annotations

import json
import math
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.batchwords import ProgressLine, count, estimated, outcome, told_replay, told_summary
from lydian.cli.commands.plots import add_options, plot, refuse, report
from lydian.cli.output import RUNS, output
from lydian.cli.parser import Commands, Parser, Usage, whole
from lydian.cli.words import plural

if TYPE_CHECKING:
    from lydian.batch.folder import Folder
    from lydian.batch.spark.job import Job, JobEnd
    from lydian.batch.spark.session import Spark

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian batch echo-messages --dry-run                 the number of runs, time and disk space
  lydian batch echo-messages -o results                on all cores of this computer
  lydian batch sweep.toml -o results --master spark://host:7077
  lydian batch sweep.toml -o results --resume          continue after Ctrl+C or a crash
  lydian batch show results --by n --measure time,chain
  lydian batch show results --fit messages~n --export results.csv
  lydian batch plot results -o plot.svg                a sensible plot; --y time --x n --by delay --over kind ...
  lydian batch report results -o report.html           figures, plots, strangest runs and the sweep, on one page
  lydian batch replay results --protocol mine.py       check the properties of mine.py on the kept traces
  lydian run results#1                                 the strangest run again; results#run=17 for any other
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "batch", parents=[common], help="run many variations on Spark",
        description="Runs a sweep on Apache Spark: a file that varies settings of an experiment. Its runs go to a\n"
        "folder as Parquet files, one row per run; `lydian batch show DIR` summarises them.",
        epilog=_EXAMPLES,
    )  # fmt: skip
    parser.add_argument("words", metavar="SWEEP.toml | show DIR | plot DIR | report DIR | replay DIR", nargs="+")
    parser.add_argument("-o", "--output", metavar="DIR", help="a new folder for the results; plot and report: the file")
    parser.add_argument("--master", metavar="URL", help="master of Spark: local[2], spark://..., k8s://..., sc://...")
    parser.add_argument("--dry-run", action="store_true", help="only estimate the time and disk space")
    parser.add_argument("--resume", action="store_true", help="continue the batch in DIR")
    parser.add_argument("--traces", action="store_true", help="keep the trace of every run")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument("--strangest", metavar="K", help="number of the strangest runs to show (10)")
    parser.add_argument("--export", metavar="FILE.csv", help="write one line per run as CSV")
    parser.add_argument("--by", metavar="A,B", help="show: the settings that form the groups")
    parser.add_argument("--measure", metavar="M,N", help="show: the measures to show")
    parser.add_argument("--fit", metavar="Y~X", action="append", default=[], help="show: a power law of Y in X")
    parser.add_argument("--protocol", metavar="P", help="replay: the protocol whose properties are checked")
    add_options(parser)
    parser.set_defaults(action=_batch)


def _batch(args: Namespace) -> int:
    first, *rest = args.words
    if first != "plot" or Path(first).is_file():
        refuse(args)
    if first in ("show", "plot", "report", "replay") and not Path(first).is_file():
        if len(rest) != 1:
            raise Usage(f"batch {first} must be given the folder of one batch, as in lydian batch {first} results")
        args.folder = rest[0]
        return {"show": _show, "plot": plot, "report": report, "replay": _replay}[first](args)
    if rest:
        raise Usage(f"unexpected argument '{rest[0]}'; a batch must have one sweep")
    for option in ("by", "measure", "protocol"):
        if getattr(args, option) is not None:
            raise Usage(f"--{option} is an option of lydian batch {'replay' if option == 'protocol' else 'show'} DIR")
    args.sweep = first
    return _run(args)


# ---------------------------------------------------------------------------------------------------- running


def _run(args: Namespace) -> int:
    if args.output is None and not args.dry_run:
        raise Usage("-o DIR is missing; name a new folder for the results or use --dry-run")
    most = _most(args)
    target = _csv(args.export)

    from lydian.batch.spark.job import Job
    from lydian.batch.spark.session import check_master
    from lydian.batch.sweep.shipped import find_sweep

    master = args.master or "local[*]"
    check_master(master)
    sweep = find_sweep(args.sweep)
    traces = args.traces or sweep.traces
    if args.dry_run:
        return _dry(args, sweep, traces, master)
    _installed()
    line = ProgressLine(sys.stderr, quiet=args.json)
    job = Job(sweep, args.output, master=master, traces=traces, resume=args.resume, tell=line.tell)
    try:
        ended = _patiently(job, line)
        line.end()
        if ended.state == "cancelled":
            done = ended.progress.done
            print(
                f"lydian: stopped; {plural(done, 'run')} of {count(ended.progress.total)} kept in {args.output}; "
                "add --resume to continue",
                file=sys.stderr,
            )
            return 130
        return _told(args, job, ended, most, target)
    finally:
        line.end()
        job.close()


def _installed() -> None:
    """Install Spark before the first sweep if the user agrees; without a terminal, nothing is installed."""
    from lydian.batch.spark.install import MEGABYTES, Installation, missing, wanted

    if not missing() or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    print(
        f"A sweep runs on Apache Spark, which is not installed: {', '.join(wanted())}.\n"
        f"pip can install it with its Java now; it takes a minute and about {MEGABYTES} MB.",
        file=sys.stderr,
    )
    print("Install it? [Y/n] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().lower() not in ("\n", "y\n", "yes\n"):  # the end of the input is no consent
        return
    line = ProgressLine(sys.stderr)
    Installation().run(line.note)
    line.end()


def _patiently(job: Job, line: ProgressLine) -> JobEnd:
    """Wait for a job; the first Ctrl+C stops it and keeps the finished runs."""
    job.start()
    while True:
        try:
            ended = job.wait(0.2)
        except KeyboardInterrupt:
            line.note("stopping ...")
            job.cancel()
            continue
        if ended is not None:
            return ended


def _dry(args: Namespace, sweep: Any, traces: bool, master: str) -> int:
    from lydian.batch.estimate import estimate
    from lydian.batch.packed import pack
    from lydian.batch.spark.session import cores_of

    plan = estimate(pack(sweep), traces=traces)
    cores = cores_of(master)
    if args.json:
        told = {
            "sweep": sweep.name, "runs": plan.runs, "groups": plan.groups, "core_seconds": plan.seconds,
            "seconds": None if cores is None else plan.wall(cores), "bytes": plan.bytes, "cores": cores,
            "quickest": plan.quickest, "slowest": plan.slowest,
            "failed": [{"run": row["run"], "error": row["error"]} for row in plan.trials if row.get("failure")],
        }  # fmt: skip
        print(json.dumps(told, indent=2))
    else:
        print(estimated(sweep, plan, cores, traces))
    return 0


def _told(args: Namespace, job: Job, ended: JobEnd, most: int, target: Path | None) -> int:
    """Report the results, summarised in Spark."""
    from lydian.batch.spark.summary import export_csv

    folder = ended.folder
    spark = job.spark or _spark(args)
    try:
        line = ProgressLine(sys.stderr, quiet=args.json)
        line.note("summarising ...")
        found = _found(spark, folder, None, None, [], most)
        line.end()
    finally:
        if spark is not job.spark:
            spark.stop()
    rows = None if target is None else export_csv(folder, target)
    if args.json:
        progress = ended.progress
        told = {
            "sweep": folder.sweep.name, "folder": str(folder.path), "runs": progress.total, "done": progress.done,
            "before": progress.before, "failed": progress.failed, "violated": progress.violated,
            "seconds": ended.seconds, "starting": ended.starting, "rate": progress.rate, **found,
        }  # fmt: skip
        print(json.dumps(_plain(told), indent=2))
    else:
        print(outcome(ended))
        print()
        print(told_summary(folder, found, args.output))
        if rows is not None:
            print(f"\n  {plural(rows, 'run')} as CSV: {target}")
    return ended.exit_code


# ---------------------------------------------------------------------------------------------------- looking


def _show(args: Namespace) -> int:
    most = _most(args)
    target = _csv(args.export)
    fits = [_pair(text) for text in args.fit]

    from lydian.batch.folder import read_folder
    from lydian.batch.spark.summary import export_csv

    folder = read_folder(args.folder)
    done = folder.table(["failure", "violated"])
    if not done.num_rows:
        raise Usage(f"{args.folder}: no run is finished yet; resume the batch with -o {args.folder} --resume")
    line = ProgressLine(sys.stderr, quiet=args.json)
    line.note("starting Spark ...")
    with _spark(args) as spark:
        line.note("summarising ...")
        found = _found(spark, folder, _names(args.by), _names(args.measure), fits, most)
    line.end()
    rows = None if target is None else export_csv(folder, target)
    failed = done.num_rows - done.column("failure").null_count
    violated = sum(1 for each in done.column("violated").to_pylist() if each)
    if args.json:
        told = {
            "sweep": folder.sweep.name, "folder": str(folder.path), "runs": folder.sweep.count,
            "done": done.num_rows, "failed": failed, "violated": violated, **found,
        }  # fmt: skip
        print(json.dumps(_plain(told), indent=2))
    else:
        parts = [f"{count(done.num_rows)} of {plural(folder.sweep.count, 'run')}"]
        parts += [f"{count(failed)} failed"] if failed else []
        parts += [f"{count(violated)} violate a property"] if violated else []
        print(f"{folder.sweep.name}: {', '.join(parts)}\n")
        print(told_summary(folder, found, args.folder))
        if rows is not None:
            print(f"\n  {plural(rows, 'run')} as CSV: {target}")
    return 0


def _found(
    spark: Spark, folder: Folder, by: list[str] | None, measures: list[str] | None, fits: list[tuple[str, str]],
    most: int,
) -> dict[str, Any]:  # fmt: skip
    """Return statistics, fits, the formula and the strangest runs as plain data."""
    from lydian.batch.spark.summary import bounds, failures, fit, statistics
    from lydian.batch.spark.surprise import remember, strangest

    strange = strangest(spark, folder, max(most, 20))
    remember(folder, strange)
    return {
        **_published(folder),
        "statistics": [each.to_dict() for each in statistics(spark, folder, measures, by)],
        "fits": [each.to_dict() for y, x in fits for each in fit(spark, folder, y, x, by)],
        "formula": [each.to_dict() for each in bounds(spark, folder, by)],
        "failures": failures(spark, folder),
        "strangest": [each.to_dict() for each in strange[:most]],
    }


def _published(folder: Folder) -> dict[str, Any]:
    """Return published results beside those of the runs; nothing if there are none."""
    if not folder.sweep.published:
        return {}
    from lydian.views.plots.data import results_of
    from lydian.views.plots.published import compared

    results = results_of(folder.table().sort_by("run"), folder.sweep)
    told = [{**each.mark.to_dict(), "mean": None if each.here is None else each.here.mean, "apart": each.apart}
            for each in compared(results)]  # fmt: skip
    return {"published": told}


def _replay(args: Namespace) -> int:
    from lydian.batch.replay import replay

    line = ProgressLine(sys.stderr, quiet=args.json)
    line.note("starting Spark ...")
    with _spark(args) as spark:
        line.note("judging ...")
        found = replay(spark, Path(args.folder), args.protocol)
    line.end()
    if args.json:
        print(json.dumps(_plain([each.to_dict() for each in found]), indent=2))
    else:
        print(told_replay(found))
    return 1 if any(each.violated or each.error for each in found) else 0


# ---------------------------------------------------------------------------------------------------- arguments


def _spark(args: Namespace) -> Spark:
    from lydian.batch.spark.session import Spark

    return Spark(args.master or "local[*]")


def _most(args: Namespace) -> int:
    return 10 if args.strangest is None else whole(args.strangest, "--strangest")


def _csv(text: str | None) -> Path | None:
    return None if text is None else output(text, RUNS, "--export")


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _pair(text: str) -> tuple[str, str]:
    y, mark, x = (part.strip() for part in text.partition("~"))
    if not mark or not x or not y:
        raise Usage(f"--fit: write Y~X, for example --fit messages~n, not '{text}'")
    return y, x


def _plain(value: Any) -> Any:
    """Return data without the numbers that JSON cannot represent."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
