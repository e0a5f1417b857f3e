"""The choice of the command, and the program's exit code."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from argparse import SUPPRESS, Namespace
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TextIO, cast

import lydian
from lydian.cli.chosen import blamed
from lydian.cli.commands import (
    archive,
    assignment,
    batch,
    check,
    desktop,
    doctor,
    explore,
    grade,
    handin,
    host,
    lesson,
    needs,
    network,
    new,
    opening,
    play,
    quiz,
    render,
    run,
    trace,
    watch,
)
from lydian.cli.parser import Commands, Parser
from lydian.cli.supervisor import receipt, supervise
from lydian.cli.terminal import Cleaned
from lydian.model.errors import LydianError

__all__ = ["main"]

_MODULES = (
    opening, run, handin, explore, needs, check, quiz, play, host, network, trace, watch, render, batch, archive,
    lesson, assignment, grade, new, desktop, doctor,
)  # fmt: skip
_EXAMPLES = """\
examples:
  lydian                                        the application with the example experiment
  lydian run two-wings                          run an experiment and summarise it
  lydian run echo-crash --seed 7 --json         the same as one JSON object
  lydian run --protocol ./mine.py --network grid:5x5
  lydian network gnm 100 300 --seed 1 -o big.json
  lydian render two-wings --view causality --at 8 -o picture.svg
  lydian archive                                list the archive

exit codes: 0 fine; 1 a property is violated or the protocol failed; 2 wrong usage or bad input
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; only with ``--debug`` does a bug raise its exception."""
    words = _opened(list(sys.argv[1:] if argv is None else argv))
    if argv is None and (ended := supervise(words, lambda: run.recorded_before(_parsed(words)))) is not None:
        return ended
    code = _done(words)
    receipt(code)
    return code


def _opened(words: list[str]) -> list[str]:
    """Turn ``lydian FILE`` into ``lydian open FILE``."""
    if not words or words[0].startswith("-") or words[0] in _parser()[1].choices or not Path(words[0]).is_file():
        return words
    return ["open", *words]


def _done(words: list[str]) -> int:
    debug = "--debug" in words
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    out, err = cast(TextIO, Cleaned(sys.stdout)), cast(TextIO, Cleaned(sys.stderr))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        return _told(words, debug)


def _told(words: list[str], debug: bool) -> int:
    """Execute a command, and report errors."""
    args = Namespace()
    try:
        args = _parsed(words)
        code: int = args.action(args)
        sys.stdout.flush()
    except SystemExit as stop:  # --help and --version
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # | head
        _silence()
        return 0
    except LydianError as error:
        return _report(str(blamed(args, error)), error.exit_code, debug)
    except MemoryError:
        return _report("there is not enough memory for this; choose a smaller network or --limit", 1, debug)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _report(f"{where}{(error.strerror or str(error)).lower()}", 2, debug)
    except Exception as error:  # noqa: BLE001 - the last resort: no traceback for somebody who cannot read one
        what = f"{type(error).__name__}: {error}".replace("\n", " ")
        return _report(f"LYDIAN itself failed ({what}); --debug shows where, please report it", 1, debug)
    return code


def _report(sentence: str, code: int, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    try:
        sys.stdout.flush()
        print(f"lydian: {' '.join(sentence.split())}", file=sys.stderr)
    except BrokenPipeError:
        _silence()
    return code


def _silence() -> None:
    """Discard what is still buffered, because standard output has no reader any more."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass


def _parsed(words: list[str]) -> Namespace:
    """Parse the arguments of a command line.

    Raises:
        Usage: there is no such command, option or value.
    """
    parser, commands = _parser()
    args, extra = parser.parse_known_args(words)
    if extra:
        command = getattr(args, "parser", None) or commands.choices.get(args.command, parser)
        command.refuse(extra)
    return args


@cache
def _parser() -> tuple[Parser, Commands]:
    """Return the parser of the command line and its commands, which several steps ask for."""
    parser = Parser(
        prog="lydian",
        description="A laboratory for distributed algorithms. Without a command it opens the application.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("--version", action="version", version=f"lydian {lydian.__version__}")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="folder for pictures if there is no display (./out)")
    parser.set_defaults(action=opening.example)
    common = Parser(add_help=False)
    common.add_argument("--debug", action="store_true", default=SUPPRESS, help=SUPPRESS)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for module in _MODULES:
        module.add(commands, common)
    return parser, commands
