"""The command ``lydian trace diff``: it shows where two runs diverge."""

from __future__ import annotations

import sys
import textwrap
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.chosen import branched, is_trace
from lydian.cli.parser import Commands, Parser, Usage
from lydian.cli.words import number, plural

if TYPE_CHECKING:
    from lydian.trace.difference import Difference
    from lydian.trace.events import Trace

__all__ = ["add"]

_TEXT = """\
Compares two runs: traces, or experiments, which are run first. It shows where they diverge, how each process and each
link behaves differently from there on, and the statistics of both. With --branch an experiment is compared with one of
its branches: A is the run from which the branch departs, and B is the branch.

Exit codes: 0 the runs are the same; 1 they differ; 2 wrong usage or bad input.
"""
_EXAMPLES = """\
examples:
  lydian trace diff run.parquet other.parquet
  lydian trace diff two-wings echo-crash
  lydian trace diff mine.toml --branch "9 crashed at 6.0"
  lydian trace diff two-wings run.parquet --json
"""
#: The maximum number of processes and links that are listed one by one.
_MOST = 20
#: The width of the sentence, in characters.
_WIDTH = 100


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "diff", parents=[common], help="show where two runs diverge", description=_TEXT, epilog=_EXAMPLES
    )
    parser.add_argument("a", metavar="A")
    parser.add_argument("b", metavar="B", nargs="?")
    parser.add_argument("--branch", metavar="NAME", help="instead of B: this branch of the experiment A")
    parser.add_argument("--json", action="store_true", help="print the difference as one JSON object")
    parser.set_defaults(action=_diff, parser=parser)


def _diff(args: Namespace) -> int:
    from lydian.trace.difference import difference

    a, b = _two(args)
    found = difference(a, b)
    if args.json:
        import json

        from lydian.trace.difference import numbers

        theirs = numbers(b)
        both = {name: (value, theirs[name]) for name, value in numbers(a).items()}
        told = {"numbers": both} if found is None else found.to_dict()
        print(json.dumps({"same": found is None, **told}, indent=2))
    else:
        _tell(found, a, b)
    sys.stdout.flush()
    for ref, trace in ((args.a, a), (args.b, b)):
        if trace.damage:
            print(f"lydian: {ref}: {trace.damage}", file=sys.stderr)
    return 0 if found is None else 1


def _two(args: Namespace) -> tuple[Trace, Trace]:
    """Return the traces that the arguments name."""
    if args.branch is None:
        if args.b is None:
            raise Usage("B is missing; name a second run, or a branch of A with --branch")
        return _trace(args.a), _trace(args.b)
    if args.b is not None:
        raise Usage(f"both {args.b} and --branch are given; remove one of them")
    if is_trace(args.a):
        raise Usage(f"{args.a} is a trace; --branch must be used with an experiment")
    from lydian.model.archive.archive import archive
    from lydian.model.experiment.branches import Branches

    experiment = archive().experiment(args.a)
    tree = Branches.of(experiment)
    branch = branched(experiment, args.branch)
    parent = tree.parent(branch.id)
    if parent is None:
        raise Usage("--branch: this is the run of the experiment itself, not a branch; name a branch")
    return _run(branched(experiment, str(parent), by_id=True).resolved), _run(branch.resolved)


def _trace(ref: str) -> Trace:
    if is_trace(ref) or ref.endswith(".parquet"):
        from lydian.trace.parquet.file import load

        return load(Path(ref))
    from lydian.model.archive.archive import archive

    return _run(archive().experiment(ref).resolve())


def _run(resolved: object) -> Trace:
    from lydian.engine.simulator import Simulator

    return Simulator(resolved).run().trace  # type: ignore[arg-type]


def _tell(found: Difference | None, a: Trace, b: Trace) -> None:
    from lydian.pieces.animation import animation_for
    from lydian.trace.timeline import Timeline
    from lydian.views.others.differing import headline, link_lines, process_lines, verdict

    first, second = Timeline(a), Timeline(b)
    print(verdict(found, first))
    if found is None:
        return
    animation = animation_for(a)
    print(textwrap.fill(headline(found, first, second, animation), _WIDTH))
    print()
    width = 1 + max(8, *(len(name) for name in found.numbers))
    _row("", ("A", "B"), width)
    for name, (one, other) in found.numbers.items():
        _row(name, (number(one), number(other)), width)
    for what, of, lines in (
        ("process", len(a.processes), process_lines(found, first, second, animation)),
        ("link", _links(a), link_lines(found, first, second, animation)),
    ):
        if not lines:
            continue
        all_of = f" of {of}" if of >= len(lines) else ""
        goes = "differs" if len(lines) == 1 else "differ"
        print(f"\n{plural(len(lines), what, 'processes' if what == 'process' else 'links')}{all_of} {goes}:")
        names, ours, _ = (max(len(line[i]) for line in lines[:_MOST]) for i in range(3))
        for name, left, right in lines[:_MOST]:
            print(f"  {name:<{names}}  A {left:<{ours}}  B {right}")
        if len(lines) > _MOST:
            print(f"  ... and {len(lines) - _MOST} more")


def _row(name: str, values: tuple[str, str], width: int) -> None:
    print(f"  {name:<{width}} {values[0]:>9} {values[1]:>9}")


def _links(trace: Trace) -> int:
    return len(trace.network.get("links", trace.network.get("edges", ())))
