"""The lecturer's page: the hand-ins of a class, where points were lost, which fail alike, and which are very alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any

from lydian.assignment.pages.document import document, escaped, icon
from lydian.assignment.pages.panels import (
    bins_of,
    comparisons,
    groups_that_fail_alike,
    histogram,
    large,
    losses,
    very_alike,
)
from lydian.assignment.pages.shortrun import ShortRun, read_run, short_run
from lydian.assignment.pages.table import page_of, table
from lydian.assignment.pages.words import amount, day, failing, loses, points, said

__all__ = ["lecturer_page"]

Result = Mapping[str, Any]

#: The largest numbers of groups with a run and of pairs with a comparison in the page.
MOST_GROUPS, MOST_PAIRS = 24, 40
_EXPORTS = (
    ("grades.csv", "a table"), ("moodle.csv", "for Moodle"), ("gradescope/", "for Gradescope"),
    ("grades.json", "everything, for programs"),
)  # fmt: skip
_AGAIN = (
    "Run <code>lydian grade</code> again with the same assignment, hand-ins and folder. It grades only what has "
    "changed, and keeps all other results. Then reload this page."
)


def lecturer_page(grades: Result, folder: Path) -> str:
    """Return the page.

    Args:
        grades: what ``grades.json`` contains.
        folder: the output folder of the grading, to which the paths of runs are relative.
    """
    assignment, results = grades["assignment"], list(grades["hand_ins"])
    results.sort(key=lambda result: (str(result["student"]).casefold(), str(result["id"])))
    checks, most = assignment["checks"], float(assignment["most"])
    groups = [group for group in grades.get("groups") or () if len(group["ids"]) > 1]
    runs = [_run(group, results, folder) for group in groups[:MOST_GROUPS]]
    pairs = sorted(grades.get("pairs") or (), key=lambda pair: (-pair["share"], pair["a"], pair["b"]))
    side = (
        histogram(results, most), losses(checks, results), groups_that_fail_alike(groups, runs, checks, results),
        very_alike(pairs),
    )  # fmt: skip
    body = [
        _head(assignment, results),
        f'<main>{table(checks, results)}<div class="side">{"".join(side)}</div></main>',
        *(large(number, groups[number], run) for number, run in enumerate(runs) if run),
        comparisons(pairs[:MOST_PAIRS], results, assignment.get("skeleton") or {}),
        f'<dialog id="class"><button type="button" class="close" title="Close" aria-label="Close">{icon("close")}'
        '</button><div class="content"></div></dialog>',
    ]
    data = {
        "checks": [{"id": check["id"], "title": check["title"]} for check in checks],
        "handIns": [_told(result) for result in results],
        "groups": [{"ids": group["ids"], "sentence": said(str(group["sentence"]))} for group in groups],
        "most": most,
        "bin": bins_of(results, most)[1],
    }
    return document("grades", f"{assignment['title']}: {amount(len(results), 'hand-in')}", "".join(body), data)


def _told(result: Result) -> dict[str, Any]:
    """Return what the script needs to know of a hand-in for sorting and filtering."""
    checks = result["checks"]
    return {
        "id": result["id"],
        "name": result["student"],
        "points": result["points"],
        "ran": result["state"] == "marked",
        "late": bool((result.get("late") or {}).get("hours")),
        "checks": {check["id"]: check["points"] for check in checks},
        "lost": [check["id"] for check in checks if loses(check) and result["state"] == "marked"],
        "run": any(failing(check) and check["failure"].get("run") for check in checks),
        "page": page_of(result),
    }


def _run(group: Result, results: Sequence[Result], folder: Path) -> ShortRun | None:
    """Return the run of a group; what it shows is in the failure of any of its hand-ins."""
    path = (folder / str(group.get("run") or "?")).resolve()
    timeline = read_run(path) if folder.resolve() in path.parents else None
    failures = (check["failure"] for result in results for check in result["checks"] if failing(check))
    failure = next((each for each in failures if each.get("run") == group.get("run")), {"sentence": group["sentence"]})
    return None if timeline is None else short_run(timeline, failure)


def _head(assignment: Result, results: Sequence[Result]) -> str:
    number, due, course = (assignment.get(key) for key in ("number", "due", "course"))
    late = sum(bool((result.get("late") or {}).get("hours")) for result in results)
    when = [*([f"Assignment {number}"] if number else []), *([f"due {day(str(due))}"] if due else [])]
    told = [*([str(course)] if course else []), *([", ".join(when)] if when else [])]
    if due and results:
        told.append("none was late" if not late else "1 was late" if late == 1 else f"{late:,} were late")
    about = " · ".join(told)
    return (
        f'<header>{icon("flask", 26)}<div class="title"><h1>{escaped(assignment["title"])}: '
        f"{amount(len(results), 'hand-in')}</h1><p>{escaped(about[:1].upper() + about[1:])}</p></div>"
        f"{_numbers(float(assignment['most']), results)}{_menus()}</header>"
    )


def _numbers(most: float, results: Sequence[Result]) -> str:
    got = [float(result["points"]) for result in results]
    full, stopped = sum(value >= most for value in got), sum(result["state"] != "marked" for result in results)
    parts = []
    for name, value, word in (
        ("", f"{fmean(got):.1f}" if got else "–", f"mean of {points(most)}"),
        ("", f"{median(got):.1f}" if got else "–", "half have more"),
        ("full", f"{full:,}", "full marks"),
        ("stopped", f"{stopped:,}", "did not run"),
    ):
        inside = f"<b>{value}</b><span>{word}</span>"
        if name and value != "0":
            button = f'<button type="button" class="number" data-only="{name}" aria-pressed="false">'
            parts.append(f"{button}{inside}</button>")
        else:
            parts.append(f'<div class="number">{inside}</div>')
    return f'<div class="numbers">{"".join(parts)}</div>'


def _menus() -> str:
    rows = "".join(f'<a href="{name}">{name} <span class="hint">{about}</span></a>' for name, about in _EXPORTS)
    exports = f'<summary class="button">{icon("share", 17)}grades.csv{icon("chevron-down", 15)}</summary>'
    again = f'<summary class="button main">{icon("again", 17)}Grade again</summary>'
    return (
        f'<details class="menu">{exports}<div class="items">{rows}</div></details>'
        f'<details class="menu">{again}<div class="items wide"><p>{_AGAIN}</p></div></details>'
    )
