"""``lydian run --nodes COMMAND``: the processes are programs in any language."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.parser import Parser, Usage, number, whole
from lydian.cli.words import plural
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.engine.end.result import Result
    from lydian.nodes.plan import Plan
    from lydian.nodes.run import Run

__all__ = ["add_options", "belonging", "plan_of", "run_programs"]

#: The network of a run of programs without ``--network``.
NETWORK = "complete:5"
#: Option -> what it is called among the parsed arguments, and its metavar and help.
_OPTIONS = {
    "--nodes": ("nodes", "COMMAND", "the program that every process runs, in any language, with its arguments"),
    "--workload": ("workload", "W", ""),
    "--duration": ("duration", "MS", "how long the clients make requests, in milliseconds (5000)"),
    "--rate": ("rate", "R", "the requests of all clients in a second (20)"),
    "--clients": ("clients", "N", "the number of clients (one at each process)"),
    "--timeout": ("timeout", "MS", "how long a client waits for a reply (2000)"),
    "--settle": ("settle", "MS", "how long the programs are left alone before the last requests (1000)"),
    "--startup": ("startup", "MS", "how long a program may take to answer init (15000)"),
    "--loss": ("loss", "SHARE", "the share of messages that are lost, from 0 to 1"),
    "--faults": ("faults", "FILE", "a file with faults, one a line or as in an experiment"),
}
#: Options of simulated runs that have no meaning for programs -> what to use instead.
_OTHERS = {
    "experiment": ("EXPERIMENT", ""), "protocol": ("--protocol", ""), "set": ("--set", ""), "given": ("--command", ""),
    "initiators": ("--initiators", ""), "daemon": ("--daemon", ""), "begin": ("--start", ""),
    "break_assumptions": ("--break-assumptions", ""), "until": ("--until", "; use --duration"),
    "runs": ("--runs", ""), "branch": ("--branch", ""), "seconds": ("--seconds", ""), "shorten": ("--shorten", ""),
    "no_variables": ("--no-variables", ""), "explain": ("--explain", ""),
}  # fmt: skip


def add_options(parser: Parser) -> None:
    """Add the options of runs of programs."""
    group = parser.add_argument_group("programs in any language as processes")
    workload = None
    for option, (_, metavar, help_) in _OPTIONS.items():
        added = group.add_argument(option, metavar=metavar, help=help_)
        workload = added if option == "--workload" else workload
    group.add_argument(
        "--fault", metavar="F", action="append", default=[],
        help='a fault: "crash n3 at 2000 until 4000", "partition n0,n1 | n2 at 1000 until 3000", "pause n2 at 500", '
        '"cut n0-n1 at 500", "delay n0-n1 constant(80) at 900"',
    )  # fmt: skip
    group.add_argument("--hide-clients", action="store_true", help="record requests as commands, without clients")
    group.add_argument("--show-stderr", action="store_true", help="print what the programs write to standard error")
    before = parser.before_help

    def complete() -> None:
        from lydian.nodes.workloads import WORKLOADS

        if before is not None:
            before()
        workload.help = f"what the clients do: {', '.join(WORKLOADS)}"  # type: ignore[union-attr]

    parser.before_help = complete


def belonging(args: Namespace) -> str | None:
    """Return an option that has a meaning only for programs, if one is given."""
    names = {name: option for option, (name, _, _) in _OPTIONS.items()}
    names |= {"fault": "--fault", "hide_clients": "--hide-clients", "show_stderr": "--show-stderr"}
    return next((option for name, option in names.items() if getattr(args, name) not in (None, False, [])), None)


def plan_of(args: Namespace) -> Plan:
    """Return the run that the arguments describe.

    Raises:
        BadInput: an argument cannot be used.
    """
    from lydian.model.archive.archive import archive
    from lydian.nodes import faults
    from lydian.nodes.plan import Plan, command_of, renamed

    if args.nodes is None:
        raise Usage(f'{belonging(args)} belongs to a run of programs; give --nodes "COMMAND" as well')
    for name, (option, instead) in _OTHERS.items():
        if getattr(args, name) not in (None, False, []):
            raise Usage(f"{option} has no meaning for programs; remove it or --nodes{instead}")
    if args.workload is None:
        from lydian.nodes.workloads import WORKLOADS

        raise Usage(f"--workload is missing; choose from {', '.join(WORKLOADS)}")
    network = renamed(archive().network(args.network or NETWORK))
    if args.delay is not None:
        from lydian.model.delays import parse

        network = network.replace(delay=parse(args.delay, place="--delay"), gst=None)
    if args.loss is not None:
        share = number(args.loss, "--loss", "a number from 0 to 1")
        if share > 1:
            raise Usage(f"--loss: must be a number from 0 to 1, not {args.loss}")
        network = network.replace(loss=share)
    numbers = {
        name: number(getattr(args, name), f"--{name}")
        for name in ("duration", "rate", "timeout", "settle", "startup") if getattr(args, name) is not None
    }  # fmt: skip
    counts = {
        name: whole(value, option, least)
        for name, option, value, least in (
            ("seed", "--seed", args.seed, 0), ("clients", "--clients", args.clients, 1),
            ("events", "--limit", args.limit, 1),
        ) if value is not None
    }  # fmt: skip
    memory = {} if args.memory is None else {"memory": whole(args.memory, "--memory", 16) * 1_000_000}
    planned = [] if args.faults is None else faults.read_file(args.faults)
    for text in args.fault:
        try:
            planned += faults.read(text)
        except BadInput as error:
            raise Usage(f"--fault: {error.what}") from None
    try:
        return Plan(
            command_of(args.nodes), network, args.workload, faults=tuple(planned), drawn=not args.hide_clients,
            **numbers, **counts, **memory,  # type: ignore[arg-type]
        )  # fmt: skip
    except BadInput as error:
        if error.file is None and error.place in ("workload", "network", "rate", "clients"):
            raise BadInput(error.what, place=f"--{error.place}") from None
        raise


def run_programs(args: Namespace) -> int:
    """Run programs, print the result, and return the exit code."""
    from lydian.cli.commands.exporting import kind_of, write
    from lydian.cli.output import TRACE, output, saved
    from lydian.cli.progress import Progress
    from lydian.formats.traces import FORMATS

    target = None if args.trace is None else output(args.trace, TRACE, "--trace")
    page = None if args.html is None else output(args.html, kind_of(FORMATS["html"]), "--html")
    plan = plan_of(args)

    from lydian.nodes.run import Run

    run = Run(plan, _Shown(plan).show if args.show_stderr else None)
    if args.no_check:
        run.judging = False
    with Progress(lambda: _reached(run)):
        result = run.run()
    unwritten = saved(result.trace, target)
    unpaged = saved(result.trace, page, lambda trace, path: write(trace, path, to="html"))
    _tell(args, run, result, None if unwritten else target, None if unpaged else page)
    if result.error is not None:
        print(f"lydian: {' '.join(result.error.split())}", file=sys.stderr)
    if unwritten or unpaged:
        raise unwritten or unpaged  # type: ignore[misc]  # one of them is an error
    return 130 if result.stopped == "cancelled" else result.exit_code


def _tell(args: Namespace, run: Run, result: Result, target: Path | None, page: Path | None) -> None:
    from lydian.nodes import faults

    plan = run.plan
    own = result.trace.summary["own"]
    if args.json:
        told = {"workload": plan.workload, "command": list(plan.command), "operations": own}
        print(json.dumps(result.to_dict() | told, indent=2))
        return
    from lydian.cli.summary import described

    print(described(result, plan.title, plan.network, None))
    if own:
        print()
        wide = max(map(len, own))
        for name, value in own.items():
            print(f"  {name:<{wide}}  {value:>9g}")
    for each in run.late:
        print(f'\n  "{faults.told(each)}" was not carried out: the run had ended')
    if target is not None:
        print(f"\n  trace: {target}  (lydian open {target})")
    if page is not None:
        print(f"\n  page:  {page}")
    sys.stdout.flush()


def _reached(run: Run) -> str:
    """Return how far a run is."""
    recording = run.recording
    return f"{run.phase}: {plural(recording.messages, 'message')}, {recording.time:.0f} ms"


class _Shown:
    """What programs write to standard error, printed with the time and the process."""

    def __init__(self, plan: Plan) -> None:
        self._names = max(map(len, plan.network.processes))

    def show(self, time: float, process: str, text: str) -> None:
        shown = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)
        print(f"{time:>10.1f}  {process:>{self._names}}  {shown}", file=sys.stderr, flush=True)
