"""The command ``lydian grade``: it marks the hand-ins of a class."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from lydian.cli.parser import Commands, Parser, whole
from lydian.cli.words import plural

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian grade flooding hand-ins -o grades          a folder of .lydian files, of folders, or of ZIP files
  lydian grade flooding export.zip -o grades        the export of Moodle, Canvas or Gradescope
  lydian grade flooding hand-ins -o grades --master local[*]

Each hand-in is executed in a process of its own, without files or network. The folder then contains grades.csv,
moodle.csv, gradescope/, a page of feedback for each student in feedback/, their failing runs in runs/, and index.html
for you. Grading again marks only what has changed; an interrupted grading resumes where it stopped.

exit codes: 0 the hand-ins were marked, whatever the points; 2 the assignment or the folder cannot be used
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "grade",
        parents=[common],
        help="mark the hand-ins of a class",
        description="Marks all hand-ins of an assignment, and writes grades, feedback and a page for the lecturer.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("assignment", metavar="ASSIGNMENT", help="the folder of the assignment")
    parser.add_argument("submissions", metavar="SUBMISSIONS", help="the folder, or the ZIP file, with the hand-ins")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder for the results")
    parser.add_argument("--workers", metavar="N", help="the number of processes (one for each processor)")
    parser.add_argument("--master", metavar="URL", help="mark on Spark, for example local[*]")
    parser.add_argument("--marks", metavar="FILE.csv", help="points for written answers: columns id, check, points")
    parser.add_argument("--json", action="store_true", help="print the grades as one JSON object")
    parser.set_defaults(action=_grade)


def _grade(args: Namespace) -> int:
    from lydian.assignment.grade import Grading, grade

    wide = 0
    workers = None if args.workers is None else whole(args.workers, "--workers", 1)

    def tell(at: Grading) -> None:
        nonlocal wide
        if not args.json and sys.stderr.isatty():
            text = f"{at.done} of {at.total} hand-ins"
            wide = max(wide, len(text))
            print(f"\r{text:<{wide}}", end="", file=sys.stderr, flush=True)

    grades = grade(
        args.assignment, args.submissions, args.output, workers=workers, master=args.master, marks=args.marks,
        tell=tell,
    )  # fmt: skip
    if wide:
        print("\r" + " " * wide + "\r", end="", file=sys.stderr, flush=True)
    if args.json:
        print((Path(args.output) / "grades.json").read_text(encoding="utf-8"), end="")
        return 0
    for each in grades.results:
        print(_row(each))
    idle = sum(each["state"] != "marked" for each in grades.results)
    most = grades.results[0]["most"]
    print(f"\n{plural(len(grades.results), 'hand-in')}, {grades.fresh} marked now; "
          f"mean {grades.mean:.1f} of {most:g} points; {idle} did not run")  # fmt: skip
    print(f"{Path(args.output) / 'index.html'}: the page for you;  {Path(args.output) / 'grades.csv'}: the grades")
    return 0


def _row(result: dict[str, Any]) -> str:
    """Return a hand-in as a line."""
    name = f"{result['student'][:32]:<32} {result['points']:>6g}"
    if result["state"] != "marked":
        return f"  {name}  {result['reason']}"
    lost = [each["title"] for each in result["checks"] if each["state"] not in ("full", "open")]
    late = f"late by {result['late']['hours']:g} h" if result["late"] else ""
    return f"  {name}  {'; '.join(filter(None, (late, *lost)))}".rstrip()
