"""The command ``lydian assignment``: what lecturers and students do with the folder of an assignment."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.parser import Commands, Parser
from lydian.cli.words import coloured, mark, plural
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.assignment.assignment import Assignment

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian new assignment flooding                 creates one in the folder flooding
  lydian assignment check flooding               the reference has all points, and each mutant loses some
  lydian assignment pack flooding                writes flooding.zip for students
  lydian assignment try flooding broadcast.py    runs the public checks on a student's files
  lydian assignment handin flooding broadcast.py my_properties.py answers.toml --name "Ines Okafor"
  lydian grade flooding hand-ins -o grades

exit codes: 0 fine; 1 a check fails; 2 the assignment or a file cannot be used
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "assignment",
        parents=[common],
        help="check an assignment, pack it for students, try and hand in a solution",
        description="An assignment is a folder with assignment.toml; lydian new assignment NAME creates one.",
        epilog=_EXAMPLES,
    )
    inner = parser.add_subparsers(dest="what", metavar="ACTION", required=True, parser_class=Parser)
    check = inner.add_parser("check", parents=[common], help="mark the reference, the mutants and the skeleton")
    check.add_argument("folder", metavar="ASSIGNMENT")
    check.add_argument("--reference", action="store_true", help="mark only the reference")
    check.add_argument("--json", action="store_true", help="print everything as one JSON object")
    check.set_defaults(action=_check, parser=check)
    trial = inner.add_parser("try", parents=[common], help="run the public checks on a student's files")
    trial.add_argument("folder", metavar="ASSIGNMENT")
    trial.add_argument("files", metavar="FILE", nargs="*", help="the files to hand in, and answers.toml; by default "
                       "those in the folder work of the assignment, or in the current folder")  # fmt: skip
    trial.add_argument("--check", metavar="ID", help="run only this check")
    trial.add_argument("--runs", metavar="FOLDER", help="save the failing runs here")
    trial.add_argument("--json", action="store_true", help="print everything as one JSON object")
    trial.set_defaults(action=_try, parser=trial)
    pack = inner.add_parser("pack", parents=[common], help="write the package for students, without your files")
    pack.add_argument("folder", metavar="ASSIGNMENT")
    pack.add_argument("-o", "--output", metavar="FILE.zip", help="the file to write (beside the folder)")
    pack.set_defaults(action=_pack, parser=pack)
    hand = inner.add_parser("handin", parents=[common], help="write the file that a student hands in")
    hand.add_argument("folder", metavar="ASSIGNMENT")
    hand.add_argument("files", metavar="FILE", nargs="*", help="as for try")
    hand.add_argument("--name", metavar="NAME", required=True, help="your name")
    hand.add_argument("-o", "--output", metavar="FILE.lydian", help="the file to write")
    hand.set_defaults(action=_hand_in, parser=hand)


def _check(args: Namespace) -> int:
    from lydian.assignment.assignment import read
    from lydian.assignment.selfcheck import self_check

    assignment = read(args.folder)
    if assignment.protocol not in assignment.reference:
        what = f"there is no lecturer/reference/{assignment.protocol}; an assignment is checked by its solution"
        raise BadInput(what, file=assignment.folder)

    def tell(trial: Any) -> None:
        if not args.json:
            print(f"  {mark(trial.good)} {trial.name}\n      {trial.words}", flush=True)

    if not args.json:
        hidden, points = assignment.hidden
        print(f"{assignment.title}: {plural(len(assignment.checks), 'check')}, {assignment.most:g} points, "
              f"of these {hidden} hidden with {points:g} points\n")  # fmt: skip
    trials = self_check(assignment, mutants=not args.reference, tell=tell)
    wrong = [each for each in trials if not each.good]
    if args.json:
        told = [{"name": t.name, "good": t.good, "words": t.words, "checks": list(t.checks)} for t in trials]
        print(json.dumps({"assignment": assignment.title, "most": assignment.most, "trials": told}, indent=1))
    else:
        print(
            f"\n{plural(len(trials), 'trial')}, "
            + ("all as expected" if not wrong else f"{len(wrong)} not as expected")
        )
    return 1 if wrong else 0


def _given(args: Namespace, assignment: Assignment) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the files and answers that the command line names."""
    from lydian.assignment.assignment import ANSWERS, MOST_BYTES
    from lydian.assignment.handin import answers_from
    from lydian.model.reading import read_text

    names = (*assignment.hand_in, ANSWERS)
    paths = [Path(each) for each in args.files]
    if not paths:
        places = (assignment.folder / "work", Path())
        folder = next((each for each in places if (each / assignment.protocol).is_file()), places[-1])
        paths = [folder / name for name in names if (folder / name).is_file()]
        if not paths:
            what = f"this file was not found in {places[0]} or here; name the files to hand in"
            raise BadInput(what, file=assignment.protocol)
    files: dict[str, str] = {}
    answers: dict[str, Any] = {}
    for path in paths:
        text = read_text(path, "a file to hand in", MOST_BYTES)
        if path.name == ANSWERS:
            answers = answers_from(text, str(path))
        elif path.name in assignment.hand_in:
            files[path.name] = text
        elif path.suffix == ".py" and assignment.protocol not in files and len(paths) == 1:
            files[assignment.protocol] = text
        else:
            raise BadInput(f"is not one of the files to hand in: {', '.join(names)}", file=path)
    return files, answers


def _try(args: Namespace) -> int:
    from lydian.assignment.assignment import read
    from lydian.assignment.handin import doubts

    assignment = read(args.folder)
    files, answers = _given(args, assignment)
    checks = assignment.public if args.check is None else (assignment.check(args.check),)
    results = _marked(assignment, files, answers, [each.id for each in checks], args.runs)
    judged = [each for each in results if each["state"] != "open"]
    points, most = (round(sum(each[key] for each in judged), 1) for key in ("points", "most"))
    unsure = doubts(assignment, files, answers)
    if args.json:
        told = {"assignment": assignment.title, "points": points, "most": most, "checks": results, "doubts": unsure}
        print(json.dumps(told, indent=1))
    else:
        for line in (*_lines(results), "", *unsure):
            print(line)
        hidden, more = assignment.hidden
        rest = f"; {plural(hidden, 'hidden check')} with {more:g} points, which you see with your feedback"
        print(f"{points:g} of {most:g} points{rest if hidden else ''}")
    return 0 if all(each["state"] in ("full", "open") for each in results) else 1


def _lines(results: list[dict[str, Any]]) -> list[str]:
    """Return the checks as lines; a reason that all of them share is given once."""
    made = [each for each in results if each["state"] in ("failed", "stopped")]
    shared = {each["words"] for each in made if each["failure"] is None}
    if len(made) > 1 and len(shared) == 1 and all(each["failure"] is None for each in made):
        rest = [_line(each) for each in results if each not in made]
        names = ", ".join(each["title"] for each in made)
        return [f"  {mark(False)} {shared.pop()}", f"      so these fail: {names}", *rest]
    return [_line(each) for each in results]


def _line(result: dict[str, Any]) -> str:
    """Return a check in one or a few lines."""
    if result["state"] == "open":
        return f"  {coloured('·', '2')} {result['title']}: {result['words']}"
    lines = [f"  {mark(result['state'] == 'full')} {result['title']}: {result['points']:g} of {result['most']:g} points"
             f" ({result['words']})"]  # fmt: skip
    failure = result["failure"]
    if failure:
        lines.append(f"      {failure['sentence']}" + (f" {failure['why']}" if failure["why"] else ""))
        after = failure["after"]
        size = f"{plural(after['processes'], 'process', 'processes')}, {plural(after['events'], 'event')}"
        place = f"; {failure['file']}, line {failure['line']}" if failure["line"] else ""
        lines.append(f"      a short run that shows it: {size}{place}")
        lines.append(f"      lydian open {failure['run']}" if failure["run"] else "      --runs FOLDER saves it")
    lines += [f"      not caught: {each}" for each in result["missed"]]
    if result["hint"] and result["state"] in ("failed", "partly"):
        lines.append(f"      hint: {result['hint']}")
    return "\n".join(lines)


def _marked(
    assignment: Assignment, files: dict[str, str], answers: dict[str, Any], checks: list[str], runs: str | None = None
) -> list[dict[str, Any]]:
    """Mark files in a contained process, and return the results of the checks."""
    import base64

    from lydian.assignment.collect import Submission
    from lydian.assignment.grade import Marker

    marker = Marker(assignment.folder, assignment.limits.seconds)
    try:
        found = marker.mark(Submission("", "", "", files, answers), checks)
    finally:
        marker.close()
    results: list[dict[str, Any]] = found["checks"]
    if runs is not None:
        place = Path(runs)
        place.mkdir(parents=True, exist_ok=True)
        for name, text in found["runs"].items():
            (place / f"{name}.lydian").write_bytes(base64.b64decode(text))
    for each in results:
        if each["failure"]:
            run = each["failure"]["run"]
            each["failure"]["run"] = None if runs is None or run is None else str(Path(runs) / run)
    return results


def _pack(args: Namespace) -> int:
    from lydian.assignment.assignment import read
    from lydian.assignment.package import package

    assignment = read(args.folder)
    folder = assignment.folder.resolve()
    path = Path(args.output) if args.output else folder.with_name(f"{folder.name}.zip")
    package(assignment, path)
    hidden, _ = assignment.hidden
    print(f"{path}: for students; without your files" + (f" and {plural(hidden, 'hidden check')}" if hidden else ""))
    return 0


def _hand_in(args: Namespace) -> int:
    from lydian.assignment.assignment import read
    from lydian.assignment.handin import doubts, receipt, write_hand_in
    from lydian.assignment.marking import fingerprint

    assignment = read(args.folder)
    files, answers = _given(args, assignment)
    slug = re.sub(r"[^\w]+", "-", args.name.lower()).strip("-") or "hand-in"
    path = Path(args.output or f"{Path(assignment.protocol).stem}-{slug}.lydian")
    if path.suffix != ".lydian":
        raise BadInput("the name of a hand-in must end in .lydian", file=path)
    results = _marked(assignment, files, answers, [each.id for each in assignment.public])
    points = round(sum(each["points"] for each in results), 1)
    public = {"points": points, "fingerprint": fingerprint(results)}
    made = datetime.now().astimezone()
    write_hand_in(path, assignment, args.name, files, answers, made, public)
    most = sum(each["most"] for each in results if each["state"] != "open")
    print(f"{path}: {points:g} of {most:g} points of the public checks, receipt {receipt(files, answers)}")
    for line in doubts(assignment, files, answers):
        print(f"  {line}")
    if assignment.due is not None and made > assignment.due:
        print("  the deadline has passed")
    return 0
