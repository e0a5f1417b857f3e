"""``lydian run``: one experiment from beginning to end."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.chosen import add_options, chosen
from lydian.cli.parser import Commands, Parser, Usage
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian run two-wings
  lydian run two-wings --seed 3 --trace run.parquet
  lydian run two-wings --network gnm:100,300,seed=1 --delay "exponential(mean=1)" --json
  lydian run --protocol ./mine.py --network ring:8 --set retries=5
"""
#: Seconds before progress is shown, and between two times.
_PATIENCE, _TICK = 1.0, 0.2


def add(commands: Commands, common: Parser) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "run",
        parents=[common],
        help="run an experiment",
        description="Runs an experiment and sums it up.  EXPERIMENT is a name in the archive or a file; it may be\n"
        "left out if --protocol is given, which then runs on the network of the example experiment.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("experiment", metavar="EXPERIMENT", nargs="?")
    add_options(parser)
    parser.add_argument("--trace", metavar="FILE.parquet", help="write the trace of the execution")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument("--no-check", action="store_true", help="do not judge the protocol's properties")
    parser.add_argument("--no-variables", action="store_true", help="do not record changed variables")
    parser.add_argument("--explain", action="store_true", help="tell the run step by step (not available yet)")
    parser.set_defaults(action=_run)


def _run(args: Namespace) -> int:
    if args.explain:
        raise Usage("--explain is not available yet; write a trace with --trace FILE.parquet and use lydian trace show")
    target = None if args.trace is None else _writable(Path(args.trace))
    resolved = chosen(args).resolve()

    from lydian.engine.simulator import Simulator

    simulator = Simulator(
        resolved, variables=False if args.no_variables else None, check=False if args.no_check else None
    )
    try:
        with _Progress(simulator):
            result = simulator.run()
    except KeyboardInterrupt:
        _save(simulator, target)
        raise
    _save(simulator, target)
    if args.json:
        import json

        print(json.dumps(result.to_dict(), indent=2))
    else:
        from lydian.cli.summary import summary

        print(summary(result, resolved, target))
    sys.stdout.flush()
    if result.error is not None:
        print(f"lydian: {' '.join(result.error.split())}", file=sys.stderr)
    return result.exit_code


def _writable(path: Path) -> Path:
    """A file that can be written later: better known before a long run than after it."""
    import os

    if path.is_dir():
        raise BadInput("this is a folder; give a file such as run.parquet", file=path, place="--trace")
    if not path.parent.is_dir():
        raise BadInput("its folder does not exist; make it first", file=path, place="--trace")
    if not os.access(path.parent, os.W_OK):
        raise BadInput("its folder cannot be written; choose another one", file=path, place="--trace")
    return path


def _save(simulator: Simulator, target: Path | None) -> None:
    if target is not None:
        from lydian.trace.file import save

        save(simulator.trace, target)


class _Progress:
    """Says on a terminal how far a long run has come; nothing is written elsewhere."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._wanted = sys.stderr.isatty()

    def __enter__(self) -> None:
        if self._wanted:
            import threading

            self._done = threading.Event()
            self._thread = threading.Thread(target=self._tell, name="lydian-progress", daemon=True)
            self._thread.start()

    def __exit__(self, *exception: object) -> None:
        if self._wanted:
            self._done.set()
            self._thread.join()

    def _tell(self) -> None:
        told, wait = False, _PATIENCE
        while not self._done.wait(wait):
            kernel = self._simulator.kernel
            events, messages, _ = kernel.counts()
            text = f"  {events} events, {messages} messages, time {kernel.now:.1f} ... (Ctrl+C stops)"
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
            told, wait = True, _TICK
        if told:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
