"""The command ``lydian check``: it reads a protocol and repeats its kept runs, which must succeed."""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.parser import Commands, Parser
from lydian.cli.words import mark, plural
from lydian.model.errors import LydianError, ProtocolError

if TYPE_CHECKING:
    from lydian.model.archive.kepttests import KeptTest, Verdict
    from lydian.model.source.text import Problem

__all__ = ["add", "run_kept"]

_EXAMPLES = """\
examples:
  lydian check mine.py
  lydian check mine.py --json
  lydian check echo

exit codes: 0 every kept run succeeded; 1 a kept run failed; 2 the protocol or its kept runs cannot be read
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "check",
        parents=[common],
        help="repeat the kept runs of a protocol",
        description="Reads a protocol and repeats its kept runs (mine.tests.toml beside mine.py): a run that\n"
        "failed once and was kept must now succeed.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("protocol", metavar="PROTOCOL", help="a file, or a name in the archive")
    parser.add_argument("--json", action="store_true", help="print everything as one JSON object")
    parser.set_defaults(action=_check)


def _check(args: Namespace) -> int:
    from lydian.model.archive.archive import archive
    from lydian.model.archive.kepttests import read_tests
    from lydian.model.protocol.folder import in_sentence, read_source
    from lydian.model.source.problems import problems
    from lydian.model.source.text import Problem

    path = archive().find("protocols", args.protocol)
    source = read_source(path)
    found = [(*in_sentence(str(path), source, each.line), each) for each in problems(source)]
    tests = read_tests(path)
    if not (bad := any(each.kind == "error" for _, _, each in found)):
        try:
            archive().protocol(path)
        except ProtocolError as error:  # errors that appear only when the file is loaded
            line = re.search(r"\d+", error.place or "")
            late = Problem(int(line[0]) if line else 1, 0, 0, error.what)
            found, bad = [*found, (str(error.file), late.line, late)], True
    if args.json:
        return _as_json(path, found, tests, bad)
    for file, at, each in found:
        print(f"{file}, line {at}: {each.sentence}" + (" (a hint)" if each.kind == "warning" else ""))
    if bad:
        print(f"lydian: {path} cannot be run as it is", file=sys.stderr)
        return 2
    if not tests:
        hints = f", with {plural(len(found), 'hint')}" if found else ""
        print(f"{path} can be run{hints}; it has no kept runs yet (Keep as a test, in the window)")
        return 0
    failed = 0
    wide = max(len(test.name) for test in tests)
    for test in tests:
        verdict, _result = run_kept(test)
        failed += not verdict.good
        print(f"  {mark(verdict.good)} {test.name:<{wide}}  {verdict.sentence}", flush=True)
    total = plural(len(tests), "kept run")
    print(f"{total}, all as expected" if not failed else f"{total}, {failed} not as expected")
    return 1 if failed else 0


def _as_json(path: Path, found: list[tuple[str, int | None, Problem]], tests: tuple[KeptTest, ...], bad: bool) -> int:
    told: dict[str, Any] = {
        "protocol": str(path),
        "problems": [
            {
                **({} if file == str(path) else {"file": file}),
                "line": at,
                "column": p.column,
                "kind": p.kind,
                "sentence": p.sentence,
            }
            for file, at, p in found
        ],
        "runs": [],
    }
    good = True
    for test in () if bad else tests:
        verdict, result = run_kept(test)
        good = good and verdict.good
        told["runs"].append({"name": test.name, "good": verdict.good, "sentence": verdict.sentence, "result": result})
    print(json.dumps(told, indent=2))
    return 2 if bad else 0 if good else 1


def run_kept(test: KeptTest) -> tuple[Verdict, dict[str, Any] | None]:
    """Repeat a kept run here and judge it; the result is ``None`` if it could not be run."""
    from lydian.engine.simulator import Simulator, run_bounded
    from lydian.model.archive.kepttests import judged
    from lydian.model.limits import usual_memory

    try:
        result = run_bounded(Simulator(test.experiment), usual_memory()).to_dict()
    except LydianError as error:
        return judged(test, {}, str(error)), None
    return judged(test, result), result
