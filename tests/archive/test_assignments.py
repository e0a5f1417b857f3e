"""The ready assignments: the reference solution has full marks, and so has one with another structure; mutants lose."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lydian.assignment.assignment import Assignment, Check, read
from lydian.assignment.kinds.answers import Question
from lydian.assignment.kinds.runs import Many
from lydian.assignment.kinds.schedules import Schedules
from lydian.assignment.marking import Marked, mark
from lydian.assignment.ready import begin, ready
from lydian.assignment.setting import Setting
from lydian.model.errors import BadInput
from tests.some import some

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "assignments"
#: Solutions that differ from the reference in structure and names, as far as the text permits it.
OTHERS = Path(__file__).parent / "assignments"
NAMES = sorted(path.name for path in FOLDER.iterdir() if (path / "assignment.toml").is_file())
MUTANTS = [(name, path.name) for name in NAMES for path in sorted((FOLDER / name / "lecturer/mutants").glob("*.py"))]
CALLED = [f"{name}-{Path(mutant).stem}" for name, mutant in MUTANTS]


@cache
def assignment(name: str) -> Assignment:
    return read(FOLDER / name)


def other(name: str) -> dict[str, str]:
    """Return the files of the other solution."""
    found = assignment(name)
    return {file: (OTHERS / name / file).read_text(encoding="utf-8") for file in found.hand_in}


def answers(name: str) -> dict[str, Any]:
    """Return the right answers to the questions, given or computed from a run of the reference."""
    found = assignment(name)
    return {
        each.id: each.kind.computed(found.setting(each, {}, {}, lambda done, of: None, lambda: False))
        if each.kind.measure
        else each.kind.answer
        for each in found.checks
        if isinstance(each.kind, Question)
    }


def quick(check: Check) -> Check:
    """Return a check with a few of its runs, or only the first of its small networks."""
    kind = check.kind
    if isinstance(kind, Many):
        return replace(check, kind=replace(kind, runs=min(kind.runs, max(4, len(kind.networks)))))
    if isinstance(kind, Schedules):
        return replace(check, kind=replace(kind, networks=kind.networks[:1]))
    return check


def lost(marked: Marked) -> list[str]:
    """Return the checks in which a hand-in lost points, apart from those that a person marks."""
    assert marked.state == "marked", marked.reason
    return [
        f"{each['id']}: {each['points']:g} of {each['most']:g}, {each['words']}"
        for each in marked.checks
        if each["kind"] != "written" and each["points"] < each["most"]
    ]


def marked(name: str, files: dict[str, str], checks: Iterable[Check], given: dict[str, Any] | None = None) -> Marked:
    return mark(assignment(name), files, given or {}, checks=tuple(checks), short=False)


# ---------------------------------------------------------------------- what an assignment consists of


@pytest.mark.parametrize("name", NAMES)
def test_an_assignment_is_complete(name):
    found = assignment(name)
    assert found.most == 20
    assert 5 <= len(found.public) <= 7
    assert 3 <= len(found.checks) - len(found.public) <= 5
    assert found.minutes
    assert found.number
    assert set(found.skeleton) == set(found.reference) == set(found.hand_in)
    assert len([each for each in MUTANTS if each[0] == name]) >= 5
    assert found.files["lecturer/rubric.md"].startswith("# Rubric: ")


@pytest.mark.parametrize("name", NAMES)
def test_text_and_rubric_agree_with_the_checks(name):
    found = assignment(name)
    assert found.text.startswith(f"# {found.title}\n")
    asked = [each.id for each in found.public if each.kind.name in ("question", "written")]
    assert re.findall(r"^\d\. `([\w-]+)`:", found.text, re.MULTILINE) == asked
    assert len(asked) == 2
    rows = re.findall(r"^\| ([\w-]+)(?: \(hidden\))? \| ([\d.]+) \|", found.files["lecturer/rubric.md"], re.MULTILINE)
    assert [(id, float(points)) for id, points in rows] == [(each.id, each.points) for each in found.checks]
    hidden = re.findall(r"^\| ([\w-]+) \(hidden\)", found.files["lecturer/rubric.md"], re.MULTILINE)
    assert hidden == [each.id for each in found.checks if each.hidden]
    public = sum(each.points for each in found.public)
    assert f"The checks that you see are worth {public:g} points" in found.text


@pytest.mark.parametrize(("name", "mutant"), MUTANTS, ids=CALLED)
def test_a_mutant_names_its_mistake_and_is_a_small_change(name, mutant):
    found = assignment(name)
    text = found.files[f"lecturer/mutants/{mutant}"]
    reference = found.reference[found.protocol]
    assert re.match(r'"""[A-Z][^\n"]+\."""\n', text)
    lines = [each.split('"""', 2)[2].splitlines() for each in (reference, text)]
    changed = [each for each in difflib.ndiff(*lines) if each.startswith(("+ ", "- ")) and each[2:].strip()]
    assert 1 <= len(changed) <= 25


def test_the_guide_lists_every_assignment():
    page = (ROOT / "resources/guide/ready-assignments.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| \[[^]]+\]\([^)]*\) \| .*\| (\d+) \|", page, re.MULTILINE)
    there = [(str(assignment(name).number), str(assignment(name).minutes)) for name in NAMES]
    assert sorted(rows) == sorted(there)


def test_ready_assignments_are_listed_by_number_and_can_be_copied(tmp_path):
    assert [each.name for each in ready()] == sorted(NAMES, key=lambda name: assignment(name).number)
    begin(tmp_path / "mine", like="snapshots")
    assert read(tmp_path / "mine").files == assignment("snapshots").files
    with pytest.raises(BadInput, match="did you mean 'snapshots'"):
        begin(tmp_path / "other", like="snapshot")
    assert not (tmp_path / "other").exists()


# ---------------------------------------------------------------------- marks


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_has_full_marks_in_a_few_runs(name):
    found = assignment(name)
    assert lost(marked(name, found.reference, map(quick, found.checks), answers(name))) == []


@pytest.mark.parametrize("name", some(NAMES, 4))
def test_another_correct_solution_has_full_marks_in_a_few_runs(name):
    runs = [quick(each) for each in assignment(name).checks if each.kind.name not in ("question", "mutants")]
    assert lost(marked(name, other(name), runs)) == []


@pytest.mark.parametrize("name", some(NAMES, 4))
def test_the_skeleton_can_be_marked_and_has_almost_no_points(name):
    found = assignment(name)
    skeleton = marked(name, found.skeleton, map(quick, found.checks))
    assert skeleton.state == "marked"
    assert skeleton.points <= 2


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("first", [1, 1001, 2001])
def test_correct_solutions_have_full_marks_with_any_seeds(name, first, monkeypatch):
    usual = Setting.experiments
    monkeypatch.setattr(Setting, "experiments", lambda self, *args: usual(self, *args[:4], first))
    found = assignment(name)
    assert lost(marked(name, found.reference, found.checks, answers(name))) == []
    assert lost(marked(name, other(name), found.checks, answers(name))) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mutant"), MUTANTS, ids=CALLED)
def test_a_mutant_loses_points(name, mutant):
    found = assignment(name)
    files = {**found.reference, found.protocol: found.files[f"lecturer/mutants/{mutant}"]}
    checks = [each for each in found.checks if each.kind.name != "mutants"]
    assert lost(marked(name, files, checks, answers(name))) != []
