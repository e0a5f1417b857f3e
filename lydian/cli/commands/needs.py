"""The command ``lydian needs``: why a protocol makes its assumptions, each shown by a run that fails without it."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.output import EXPERIMENT, output
from lydian.cli.parser import Commands, Parser, Usage, number
from lydian.cli.words import coloured, plural
from lydian.model.errors import did_you_mean, shown

if TYPE_CHECKING:
    from lydian.engine.witness.search import Answer, Progress, Relying
    from lydian.model.experiment.experiment import Experiment

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian needs lamport-mutex                    each of its assumptions, and what fails without it
  lydian needs lamport-mutex --without fifo -o overtaken.toml      then: lydian open overtaken.toml
  lydian needs ./mine.py --without "no crashes" --seconds 60
  lydian needs mine.toml                        with the parameters and commands of an experiment

The witness is a shortest run on a network of 2 to 4 processes where all schedules can be explored, and otherwise a
shortened random run. That nothing fails on small networks says nothing about larger ones.
"""
_SECONDS = 20.0
_COLOURS = {"needed": "31", "unneeded": "32", "open": "33", "fixed": "2"}


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "needs", parents=[common], help="show why a protocol makes its assumptions", epilog=_EXAMPLES,
        description="Violates each assumption of a protocol as little as possible, and looks for a run that fails.",
    )  # fmt: skip
    parser.add_argument("protocol", metavar="PROTOCOL", help="a protocol or an experiment: a name or a file")
    parser.add_argument("--without", metavar="NEED", action="append", default=[], help="only this assumption")
    parser.add_argument("--seconds", metavar="S", help=f"at most this many seconds for each ({_SECONDS:g})")
    parser.add_argument("-o", "--output", metavar="FILE.toml", help="write the witness as an experiment")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(action=_needs)


def _needs(args: Namespace) -> int:
    from lydian.engine.witness.search import Relying
    from lydian.model.experiment.experiment import save

    if args.output is not None and len(args.without) != 1:
        raise Usage("-o writes the witness of one assumption; name it with --without")
    target = None if args.output is None else output(args.output, EXPERIMENT, "-o")
    seconds = _SECONDS if args.seconds is None else number(args.seconds, "--seconds")
    tell = _tell if sys.stderr.isatty() else None
    relying = Relying(_experiment(args.protocol), seconds=seconds, progress=tell)
    wanted = [_name(each, relying) for each in args.without] or [each.name for each in relying.needs]
    answers: list[Answer] = []
    with _stopping(relying) as stopped:
        if not args.json:
            print(coloured(relying.protocol.title, "1"))
        for name in wanted:
            if stopped:
                break
            found = relying.look(name)
            answers.append(found)
            if not args.json:
                _clear()
                print(_line(found, relying, max(map(len, wanted))), flush=True)
        if not args.without and not stopped:
            relying.control()
    _clear()
    if args.json:
        print(json.dumps(_data(relying, answers), indent=2, ensure_ascii=False))
    else:
        _close(relying, answers)
    if target is not None:
        witness = answers[0].experiment if answers else None
        if witness is None:
            print(f"lydian: {target} is not written: no failing run was found", file=sys.stderr)
        else:
            save(witness.with_(name=target.stem), target)
            if not args.json:
                print(f"\n  witness: {target}  (lydian open {target})")
    return 0


def _experiment(name: str) -> Experiment:
    """Return the experiment of this name or file, or the one that shows the protocol of this name or file best."""
    from lydian.model.archive.archive import archive
    from lydian.model.archive.shelves import looks_like_path
    from lydian.model.archive.trials import first_experiment
    from lydian.model.experiment.experiment import Experiment, read

    shelves = archive()
    path = Path(name)
    if looks_like_path(name, "experiments") is not None and path.suffix in (".toml", ".lydian"):
        return read(path)
    if looks_like_path(name, "protocols") is None and name not in shelves.names("protocols"):
        if name in shelves.names("experiments"):
            return shelves.experiment(name)
        shelves.find("protocols", name)  # raises the error that names a similar one
    first = first_experiment(name, shelves)
    if first is not None:
        return read(first)
    found = str(path.resolve()) if looks_like_path(name, "protocols") is not None else name
    return Experiment(path.stem, protocol=found, network="complete:3")


def _name(text: str, relying: Relying) -> str:
    """Return the name of an assumption, which may be written with hyphens or underscores."""
    known = [each.name for each in relying.needs]
    for name in known:
        if _plain(name) == _plain(text):
            return name
    hint = did_you_mean(text, known) or f"; choose from {', '.join(known) or 'none'}"
    raise Usage(f"--without: {relying.protocol.title} does not assume {shown(text)}{hint}")


def _plain(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").lower()


@contextlib.contextmanager
def _stopping(relying: Relying) -> Iterator[list[bool]]:
    """Let the first Ctrl+C end the search and report its results; the second one ends the program."""
    number_ = signal.SIGINT
    if signal.getsignal(number_) is signal.SIG_IGN and hasattr(signal, "SIGUSR1"):
        number_ = signal.SIGUSR1  # this signal reaches a supervised child
    before = signal.getsignal(number_)
    stopped: list[bool] = []

    def stop(*_: object) -> None:
        signal.signal(number_, before)
        stopped.append(True)
        relying.stop()

    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(number_, stop)
    try:
        yield stopped
    finally:
        with contextlib.suppress(ValueError):
            signal.signal(number_, before)


def _tell(progress: Progress) -> None:
    done = plural(progress.runs, "random run") if progress.runs else plural(progress.configurations, "configuration")
    print(f"\r\x1b[K  {progress.need}: {done} ... (Ctrl+C stops)", end="", file=sys.stderr, flush=True)


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _line(found: Answer, relying: Relying, wide: int) -> str:
    from lydian.views.words.relying import answer

    verdict, why = answer(found.to_dict())
    return f"  {found.need:<{wide}}  {coloured(f'{verdict}:', _COLOURS[found.verdict])} {why}"


def _close(relying: Relying, answers: Sequence[Answer]) -> None:
    from lydian.views.words.relying import controlled, timeless

    processes, configurations = relying.controlled
    if relying.timing is False and all(each.need != "bounded delay" for each in answers):
        print(f"\n  {timeless(configurations)}")
    if said := controlled(processes, configurations):
        print(f"\n  {said}")


def _data(relying: Relying, answers: Sequence[Answer]) -> dict[str, object]:
    processes, configurations = relying.controlled
    return {
        "protocol": relying.protocol.name,
        "needs": [each.to_dict() for each in answers],
        "with_all": {"processes": processes, "configurations": configurations, "timing": relying.timing},
    }
