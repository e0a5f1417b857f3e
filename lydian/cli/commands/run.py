"""The command ``lydian run``: it runs one experiment from beginning to end."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from lydian.cli.chosen import add_options, branched, chosen
from lydian.cli.commands import programs
from lydian.cli.commands.exporting import kind_of, write
from lydian.cli.output import EXPERIMENT, TRACE, output, saved
from lydian.cli.parser import Commands, Parser, number, whole
from lydian.cli.progress import Progress
from lydian.cli.supervisor import outputs_kept
from lydian.cli.words import plural
from lydian.formats.traces import FORMATS
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.engine.shorten.failing import Size
    from lydian.engine.simulator import Simulator
    from lydian.model.experiment.experiment import Resolved
    from lydian.trace.events import Trace

__all__ = ["add", "recorded_before"]

_EXAMPLES = """\
examples:
  lydian run two-wings
  lydian run two-wings --seed 3 --trace run.parquet
  lydian run two-wings --explain | less
  lydian run echo --runs 500            the first experiment of a protocol, with the seeds 1 to 500
  lydian run two-wings --html run.html
  lydian run two-wings --network gnm:100,300,seed=1 --delay "exponential(mean=1)" --json
  lydian run --protocol ./mine.py --network ring:8 --set retries=5
  lydian run mine.toml --branch "9 crashed at 6.0"
  lydian run mine.toml --shorten short.toml   the shortest run found that fails in the same way
  lydian run mine.toml --seconds 10 --memory 4000
  lydian run --nodes ./broadcast --workload broadcast --network grid:5x5 --trace run.parquet
"""
#: Seconds in which a run that crashed the interpreter is repeated up to the same point.
_AGAIN = 20.0


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "run",
        parents=[common],
        help="run an experiment",
        description="Runs an experiment and summarises it. EXPERIMENT is a name in the archive or a file; a\n"
        "protocol's name means its first experiment. It may be omitted if --protocol is given, which then runs on\n"
        "the network of the example experiment.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("experiment", metavar="EXPERIMENT", nargs="?")
    add_options(parser)
    parser.add_argument("--runs", metavar="N", help="run the seeds 1 to N, or N seeds from --seed on")
    parser.add_argument("--branch", metavar="NAME", help="run this branch of the experiment")
    parser.add_argument("--seconds", metavar="S", help="the seconds that an action may take (2)")
    parser.add_argument("--memory", metavar="MB", help="the memory that the run may use (half of the machine's)")
    parser.add_argument("--trace", metavar="FILE.parquet", help="write the trace of the execution")
    parser.add_argument("--html", metavar="FILE.html", help="write a page that plays the run in a browser")
    parser.add_argument("--shorten", metavar="FILE.toml", help="shorten a failing run, and write its experiment")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument("--no-check", action="store_true", help="do not check the protocol's properties")
    parser.add_argument("--no-variables", action="store_true", help="do not record changed variables")
    parser.add_argument("--explain", action="store_true", help="describe the run step by step, with reasons")
    programs.add_options(parser)
    parser.set_defaults(action=_run)


def _run(args: Namespace) -> int:
    if args.nodes is not None or programs.belonging(args):
        return programs.run_programs(args)
    if args.runs is not None:
        from lydian.cli.commands.runs import run_many

        return run_many(args, chosen(args))
    target = None if args.trace is None else output(args.trace, TRACE, "--trace")
    page = None if args.html is None else output(args.html, kind_of(FORMATS["html"]), "--html")
    seconds, memory = _bounds(args)
    experiment = chosen(args)
    branch = None if args.branch is None else branched(experiment, args.branch)
    resolved = experiment.resolve() if branch is None else branch.resolved
    if args.shorten is not None:
        return _shorten(resolved, output(args.shorten, EXPERIMENT, "--shorten"), args.json)

    from lydian.engine.simulator import Simulator, run_bounded

    simulator = Simulator(
        resolved,
        variables=False if args.no_variables else None,
        check=False if args.no_check else None,
        action_seconds=seconds,
    )
    lines = _Printed(simulator, sys.stderr if args.json else sys.stdout) if args.json or not args.explain else None
    try:
        with Progress(partial(_reached, simulator)), outputs_kept():
            result = run_bounded(simulator, memory)
    except KeyboardInterrupt:
        if (unwritten := saved(simulator.trace, target)) is not None:
            raise unwritten from None
        raise
    unwritten = saved(result.trace, target)
    # before any output, because no reader may be left
    unpaged = saved(result.trace, page, partial(write, to="html"))
    if args.json:
        import json

        told = {"explanation": _explained(result.trace)} if args.explain else {}
        called = {} if branch is None else {"branch": branch.name}
        print(json.dumps(result.to_dict() | called | told, indent=2))
    else:
        if args.explain:
            _tell(result.trace)
        if lines is not None and lines.any:
            print()
        from lydian.cli.summary import summary

        print(summary(result, resolved, None if unwritten else target))
    if page is not None and unpaged is None and not args.json:
        print(f"  page:  {page}" if target else f"\n  page:  {page}")
    unwritten = unwritten or unpaged
    sys.stdout.flush()
    if result.error is not None:
        print(f"lydian: {' '.join(result.error.split())}", file=sys.stderr)
    if unwritten is not None:  # last, so that a file that cannot be written does not cost the user the result
        raise unwritten
    return result.exit_code


def _shorten(resolved: Resolved, target: Path, as_json: bool) -> int:
    """Write the experiment of a shorter run that fails in the same way, and return 1, the exit code of that run."""
    from lydian.engine.shorten.shorten import shorten
    from lydian.model.experiment.experiment import save

    showing = sys.stderr.isatty()

    def tell(size: Size) -> None:
        if showing:
            print(f"\r\x1b[K  {plural(size.events, 'event')}", end="", file=sys.stderr, flush=True)

    with outputs_kept():
        found = shorten(resolved, progress=tell)
    if showing:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    save(found.experiment.with_(name=target.stem), target)
    if as_json:
        import json

        told = {"failing": asdict(found.failing), "before": asdict(found.before), "after": asdict(found.after)}
        print(json.dumps({**told, "runs": found.runs, "complete": found.complete, "file": str(target)}, indent=2))
        return 1
    failing = found.failing
    what = f"it fails at {failing.name}" if failing.kind == "error" else f'it violates "{failing.name}"'
    print(f"{resolved.protocol.title}: {what}\n")
    print(f"  {'':<28}  {'before':>8}  {'shortened':>9}")
    for name, before in asdict(found.before).items():
        words = "faults, commands, choices" if name == "given" else name
        print(f"  {words:<28}  {before:>8,}  {getattr(found.after, name):>9,}")
    end = "nothing more can be left out" if found.complete else "the time was up before everything had been tried"
    print(f"\n  {plural(found.runs, 'run')}; {end}\n  experiment: {target}  (lydian open {target})")
    return 1


def recorded_before(args: Namespace) -> str:
    """Return a clause that describes what a run recorded before it crashed its process.

    The run is repeated, event by event, in a simulator that reports each event at once; the same experiment gives the
    same events. The trace is written if the command requested it.

    Args:
        args: the arguments of the run.
    """
    from lydian.engine.client import Client
    from lydian.trace.events import counted
    from lydian.trace.parquet.file import save

    target = None if args.trace is None else output(args.trace, TRACE, "--trace")
    seconds, memory = _bounds(args)
    experiment = chosen(args)
    experiment = experiment if args.branch is None else branched(experiment, args.branch).resolved.experiment
    bounds = {} if seconds is None else {"seconds": seconds}
    with Client.start(experiment, to=None, round_events=1, pending=0, memory=memory, **bounds) as client:
        client.finish(_AGAIN)
        trace = client.trace()
    count, is_in = plural(counted(trace.column("kind")), "event"), "is in" if len(trace) == 1 else "are in"
    if not len(trace):
        return "nothing was recorded before that"
    if target is None:
        return f"{count} before that (--trace FILE.parquet keeps them)"
    ended = {"stopped": "error", "error": client.problem}
    save(replace(trace, summary={**trace.summary, **ended}), target)
    return f"{count} before that {is_in} {target}"


class _Printed:
    """A stream that shows what the protocol prints at once: the time, the process and the text of each line."""

    def __init__(self, simulator: Simulator, out: TextIO) -> None:
        self._out = out
        self._names = max(len(name) for name in simulator.network.processes)
        self.any = self._unheard = False
        simulator.execution.said = self._show

    def _show(self, time: float, process: str, text: str) -> None:
        self.any = True
        if self._unheard:
            return
        shown = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)
        clear = "\r\x1b[K" if sys.stderr.isatty() and self._out.isatty() else ""  # clears the progress line
        try:
            print(f"{clear}{time:>10.4f}  {process:>{self._names}}  {shown}", file=self._out, flush=True)
        except BrokenPipeError:  # the run continues, because it may still have files to write
            self._unheard = True


def _bounds(args: Namespace) -> tuple[float | None, int]:
    """Return the bounds from the arguments: the time of an action in seconds and the memory of the run in bytes."""
    from lydian.model.limits import LEAST_MEMORY, MOST_SECONDS, usual_memory

    words = f"a number of seconds from 0.05 to {MOST_SECONDS:,.0f}"
    seconds = None if args.seconds is None else number(args.seconds, "--seconds", words)
    if seconds is not None and not 0.05 <= seconds <= MOST_SECONDS:
        raise BadInput(f"must be {words}, not {args.seconds}", place="--seconds")
    if args.memory is None:
        return seconds, usual_memory()
    return seconds, whole(args.memory, "--memory", LEAST_MEMORY // 1_000_000) * 1_000_000


def _tell(trace: Trace) -> None:
    """Print the run step by step, from its opening to its closing sentence."""
    from lydian.cli.account import account
    from lydian.pieces.animation import animation_for
    from lydian.trace.timeline import Timeline
    from lydian.views.words.sentence import closing, opening

    timeline = Timeline(trace)
    print(opening(timeline), end="\n\n")
    for paragraph in account(timeline, animation_for(trace)):
        print(paragraph)
    print(f"\n{closing(timeline)}", end="\n\n")


def _explained(trace: Trace) -> list[dict[str, object]]:
    """Return the same for ``--json``: number, time and explanation of every event that is described."""
    from lydian.pieces.animation import animation_for
    from lydian.trace.timeline import Timeline
    from lydian.views.words.reasons import steps
    from lydian.views.words.sentence import explain

    timeline, animation = Timeline(trace), animation_for(trace)
    return [
        {"seq": seq, "time": float(timeline.time[seq]), "text": explain(timeline, seq, animation)}
        for seq in steps(timeline).tolist()
    ]


def _reached(simulator: Simulator) -> str:
    """Return how far a run is."""
    kernel = simulator.kernel
    events, messages, _ = kernel.counts()
    return f"{events} events, {messages} messages, time {kernel.now:.1f}"
