"""The grades as tables and for course systems: CSV, Moodle's import, Gradescope's autograder."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lydian.assignment.assignment import Assignment
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.reading import at, read_text

__all__ = ["grades_csv", "gradescope", "moodle_csv", "read_marks"]


def grades_csv(assignment: Assignment, results: Sequence[Mapping[str, Any]]) -> str:
    """Return one row for each hand-in: name, points, lateness, state, and a column with the points of each check."""
    head = [
        "id",
        "student",
        "points",
        "most",
        "late_hours",
        "lost",
        "state",
        "reason",
        *(c.id for c in assignment.checks),
    ]
    rows = []
    for each in results:
        by_check = {check["id"]: check["points"] for check in each["checks"]}
        late = each["late"] or {"hours": 0, "lost": 0}
        rows.append([
            each["id"], each["student"], f"{each['points']:g}", f"{each['most']:g}", f"{late['hours']:g}",
            f"{late['lost']:g}", each["state"], each["reason"],
            *(f"{by_check[check.id]:g}" if check.id in by_check else "" for check in assignment.checks),
        ])  # fmt: skip
    return _csv([head, *rows])


def moodle_csv(assignment: Assignment, results: Sequence[Mapping[str, Any]]) -> str:
    """Return the table that Moodle imports (Grades > Import > CSV): a row for each student with a comment."""
    head = ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]
    rows = [
        [f"Participant {each['key']}" if each["key"] else each["id"], each["student"], f"{each['points']:g}",
         f"{assignment.most:g}", comment(each)]
        for each in results
    ]  # fmt: skip
    return _csv([head, *rows])


def read_marks(path: Path | str, assignment: Assignment) -> dict[tuple[str, str], float]:
    """Return the points that a person gave for written answers: (hand-in, check) -> points.

    Args:
        path: a CSV file with the columns ``id``, ``check`` and ``points``.

    Raises:
        BadInput: the file cannot be used; the error names the line.
    """
    rows = csv.DictReader(io.StringIO(read_text(path, "points for written answers")))
    if not {"id", "check", "points"} <= set(rows.fieldnames or ()):
        raise BadInput("its first line must contain the columns id, check, points", file=path, place="line 1")
    found: dict[tuple[str, str], float] = {}
    for row in rows:
        with at(path, f"line {rows.line_num}"):
            id, points = _mark(row, assignment)
        found[str(row["id"]).strip(), id] = points
    return found


def _mark(row: Mapping[str, Any], assignment: Assignment) -> tuple[str, float]:
    """Return the check of a row and its points."""
    known = {each.id: each for each in assignment.checks}
    id = str(row["check"]).strip()
    if id not in known:
        raise BadInput(f"unknown check {shown(id)}{did_you_mean(id, known)}; choose from {', '.join(known)}")
    if not known[id].kind.by_hand:
        raise BadInput(f"'{id}' is marked by the program; a person marks only written answers")
    try:
        points = float(str(row["points"]).strip())
    except ValueError:
        raise BadInput(f"the points must be a number, not {shown(row['points'])}") from None
    if not 0 <= points <= known[id].points:
        raise BadInput(f"the points must be from 0 to {known[id].points:g}, not {points:g}")
    return id, points


def comment(result: Mapping[str, Any]) -> str:
    """Return the feedback in a few sentences, for a field of a form."""
    if result["state"] != "marked":
        return f"Not marked: {result['reason']}."
    lost = [check for check in result["checks"] if check["points"] < check["most"] and check["state"] != "open"]
    if not lost:
        return "Everything that was checked holds."
    parts = []
    for check in lost:
        failure = check["failure"]
        words = f" {failure['sentence']}" if failure else ""
        parts.append(f"{check['title']}: {check['points']:g} of {check['most']:g} ({check['words']}).{words}")
    return " ".join(parts)


def gradescope(result: Mapping[str, Any]) -> str:
    """Return the ``results.json`` of Gradescope's autograder for one hand-in."""
    tests = []
    for check in result["checks"]:
        failure = check["failure"]
        lines = [check["words"]]
        if failure:
            place = f" ({failure['file']}, line {failure['line']})" if failure["line"] else ""
            lines.append(f"{failure['sentence']}{place}")
        if check["missed"]:
            lines.append("Not caught: " + " ".join(check["missed"]))
        tests.append({
            "name": check["title"], "number": check["id"], "score": check["points"], "max_score": check["most"],
            "status": "passed" if check["state"] == "full" else "failed", "output": "\n".join(lines),
            "visibility": "after_published" if check["hidden"] else "visible",
        })  # fmt: skip
    told: dict[str, Any] = {"score": result["points"], "tests": tests, "output": result["reason"]}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _csv(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as CSV; a cell that a spreadsheet would take for a formula is written as text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow([f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell for cell in row])
    return out.getvalue()
