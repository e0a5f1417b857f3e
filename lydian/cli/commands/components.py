"""What ``lydian host EXPERIMENT --components 4`` and ``lydian join URL --component D`` do: a system in components."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from lydian.cli.output import RECORD, TRACE, output
from lydian.cli.parser import Parser, Usage, number, whole
from lydian.cli.words import plural

if TYPE_CHECKING:
    from pathlib import Path

    from lydian.classroom.components.frames import Handover
    from lydian.classroom.components.meeting import Meeting
    from lydian.classroom.components.record import Record
    from lydian.engine.wire import Frame
    from lydian.model.experiment.experiment import Experiment

__all__ = ["add_join_options", "add_options", "groups_from", "join", "serve", "wanted"]

#: The options that have no meaning without components.
_ONLY = ("replicas", "barrier", "pace", "elsewhere", "secret", "record", "trace")


def add_options(parser: Parser) -> None:
    """Add the options of a system in components to the command ``host``; :func:`serve` reads them.

    The parser already has ``experiment``, ``--network``, ``--lan``, ``--port`` and ``--json``.
    """
    parser.add_argument("--components", metavar="K", help="split the system into K components, each a simulator")
    parser.add_argument(
        "--border", metavar="P,Q,...", action="append", default=[],
        help="the processes of a component, instead of --components; say it once for each",
    )  # fmt: skip
    parser.add_argument("--replicas", metavar="R", help="the replicas of each component (1)")
    parser.add_argument("--barrier", action="store_true", help="rounds that begin together, instead of each alone")
    parser.add_argument("--pace", metavar="X", help="units of simulated time a second, each alone (5)")
    parser.add_argument(
        "--elsewhere", action="store_true", help="start no component here: other programs join with --component"
    )
    parser.add_argument("--secret", metavar="S", help="the secret of the components; one is made by default")
    parser.add_argument("--record", metavar="FILE", help="write the record, which repeats the run anywhere")
    parser.add_argument("--trace", metavar="FILE.parquet", help="write the trace of all components")
    parser.add_argument("--replay", metavar="FILE", help="repeat the run of such a record, without components")


def add_join_options(parser: Parser) -> None:
    """Add the options with which another program simulates a component to ``join``; :func:`join` reads them."""
    parser.add_argument("--component", metavar="D", help='simulate a component of a split system; "any" for the next')
    parser.add_argument("--secret", metavar="S", help="the secret that the host shows")


def wanted(args: Namespace) -> bool:
    """Return True if the arguments of ``host`` ask for a system in components.

    Raises:
        Usage: they contain an option that has no meaning without components.
    """
    if args.components is not None or args.border or args.replay is not None:
        return True
    for name in _ONLY:
        if getattr(args, name):
            raise Usage(f"--{name} is for a system in components; add --components, such as --components 4")
    return False


def groups_from(args: Namespace) -> int | list[list[str]]:
    """Return the number of components, or the processes of each."""
    if args.border:
        if args.components is not None:
            raise Usage("--components and --border exclude each other; leave one of them out")
        return [[name.strip() for name in border.split(",") if name.strip()] for border in args.border]
    return whole(args.components, "--components", 1)


def serve(args: Namespace) -> int:
    """Run an experiment in components, or repeat a recorded one; return the exit code of ``lydian run``."""
    from lydian.classroom.components.record import read
    from lydian.classroom.components.running import run

    target = None if args.trace is None else output(args.trace, TRACE, "--trace")
    kept = None if args.record is None else output(args.record, RECORD, "--record")
    if args.replay is not None:
        others = ("experiment", "components", "border", "network", "lan", "port", *_ONLY)
        if any(getattr(args, each) for each in others if each != "trace"):
            raise Usage("--replay takes everything from its file; leave out the experiment and the other options")
        return _tell(read(args.replay), target, args)
    if args.experiment is None:
        raise Usage("EXPERIMENT is missing; name one (lydian archive lists them)")
    experiment = _experiment(args.experiment, args.network)
    port = 0 if args.port is None else whole(args.port, "--port")
    if port > 65535:
        raise Usage(f"--port: must be at most 65535, not {port}")
    pace = 5.0 if args.pace is None else number(args.pace, "--pace")
    replicas = 1 if args.replicas is None else whole(args.replicas, "--replicas", 1)

    def told(meeting: Meeting) -> None:
        _announce(meeting, args)
        meeting.hub.watching.append(lambda frame: _heard(frame, args.json))

    record = run(
        experiment, groups_from(args), barrier=args.barrier, pace=pace, replicas=replicas,
        local=not args.elsewhere, host="0.0.0.0" if args.lan else "127.0.0.1", port=port, secret=args.secret, told=told,
    )  # fmt: skip
    if kept is not None:
        record.save(kept)
    return _tell(record, target, args)


def _experiment(name: str, network: str | None) -> Experiment:
    """Return an experiment as ``lydian run`` does, which also takes a protocol's file."""
    from lydian.cli import chosen

    parser = Parser("host")
    chosen.add_options(parser)
    return chosen.chosen(Namespace(**{**vars(parser.parse_args([])), "experiment": name, "network": network}))


def _announce(meeting: Meeting, args: Namespace) -> None:
    """Say which component simulates what, and how other programs join."""
    groups = {name: list(members) for name, members in meeting.hub.system.groups.items()}
    url = meeting.reachable
    if args.json:
        print(json.dumps({"url": url, "secret": meeting.secret, "components": groups}), flush=True)
        return
    for name, members in groups.items():
        print(f"Component {name}: {plural(len(members), 'process', 'processes')}, {', '.join(members)}")
    print(f"Another replica: lydian join {url} --component any --secret {meeting.secret}")
    if not args.lan:
        print("Only this computer can reach the system; with --lan, others in the same network can.")
    sys.stdout.flush()


def _heard(frame: Frame, as_json: bool) -> None:
    """Print that a component changes hands."""
    if frame.kind != "handover":
        return
    if as_json:
        print(json.dumps(frame.to_dict()), flush=True)
    else:
        print(_in_words(frame), flush=True)  # type: ignore[arg-type]


def _in_words(frame: Handover) -> str:
    if frame.believers:
        return f"Component {frame.component}: {frame.reason}"
    if not frame.old:
        return f"Component {frame.component}: {frame.new} acts"
    silence = f" after {frame.silent:.1f} s of silence" if frame.silent else ""
    return (
        f"Component {frame.component}: {frame.new} goes on for {frame.old}{silence}, from event {frame.number + 1} on"
    )


def _tell(record: Record, target: Path | None, args: Namespace) -> int:
    """Print the result of a run, and write its trace."""
    result, trace = record.result(), record.trace
    if target is not None:
        from lydian.trace.parquet.file import save

        save(trace if result is None else result.trace, target)
    errors = [each.error for log in record.logs.values() for each in log if each.error]
    prints = record.fingerprints()
    if args.json:
        told: dict[str, Any] = {} if result is None else result.to_dict()
        print(json.dumps({**told, "error": errors[0] if errors else None, "fingerprints": prints}))
    elif result is not None:
        from lydian.cli.summary import summary

        print(summary(result, record.system.resolved, target))
    else:
        print(f"{plural(len(trace), 'event')} in {plural(len(record.logs), 'component')}")
        if not errors:
            print("The run differs from that of one simulator, so that the properties cannot be judged.")
    for error in errors[:1]:
        print(f"lydian: {' '.join(error.split())}", file=sys.stderr)
    return 1 if errors or (result is not None and result.exit_code) else 0


def join(args: Namespace) -> int:
    """Simulate a component for a host elsewhere, until the run is over.

    This executes the protocol that the host sends, as ``lydian run`` executes a protocol's file.
    """
    import asyncio
    import socket

    from lydian.classroom.components.take import take

    for name in ("code", "process", "watch", "json"):
        if getattr(args, name):
            raise Usage(f"--{name} is for a class; leave it out with --component")
    if not args.secret:
        raise Usage("--secret is missing; the host shows it")
    name = args.name or socket.gethostname()
    component = "" if args.component == "any" else args.component

    def said(text: str) -> None:
        print(f"lydian: {text}", file=sys.stderr, flush=True)

    replica = asyncio.run(take(args.url, args.secret, name, component, said=said))
    print(f"The run is over; {name} was a replica of component {replica.component}.")
    return 0
