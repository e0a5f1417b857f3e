"""Grading a class: tables, groups, what is marked again, and that others are not affected."""

from __future__ import annotations

import csv
import json
import shutil
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lydian.assignment.alike import groups, pairs, pieces
from lydian.assignment.assignment import Assignment, read
from lydian.assignment.grade import Grades, Grading, grade
from lydian.assignment.handin import write_hand_in
from lydian.assignment.tables import comment, grades_csv
from lydian.model.errors import BadInput
from tests.assignment.template import template

MADE = datetime(2026, 11, 26, 12, tzinfo=UTC)
DUE = "due = 2026-11-26T13:00:00+01:00\n"


@pytest.fixture
def sent(assignment: Assignment, tmp_path: Path) -> Path:
    """A class of six: two right, two with the same mistake, one late, one that cannot be read."""
    return hand_ins(assignment, tmp_path / "sent")


def hand_ins(assignment: Assignment, folder: Path) -> Path:
    folder.mkdir()
    right = assignment.reference
    silent = {**right, "broadcast.py": assignment.files["lecturer/mutants/silent.py"]}
    for name, files, hours in (
        ("Ada Adeyemi", right, -1), ("Ben Bauer", right, 30), ("Cleo Castillo", silent, -1),
        ("Dan Dimitrov", silent, -1),
    ):  # fmt: skip
        path = folder / f"{name.split()[0]}.lydian"
        write_hand_in(path, assignment, name, files, {"question-1": 56}, MADE + timedelta(hours=hours))
    (folder / "eve").mkdir()
    (folder / "eve" / "broadcast.py").write_text("def (")
    (folder / "fay").mkdir()
    return folder


@pytest.fixture(scope="module")
def graded_once(tmp_path_factory: pytest.TempPathFactory) -> Grades:
    """The class, graded once for all tests of this file, which get copies."""
    place = tmp_path_factory.mktemp("graded")
    folder = template(place / "broadcast")
    due(folder)
    return grade(folder, hand_ins(read(folder), place / "sent"), place / "out", workers=1)


@pytest.fixture
def graded(graded_once: Grades, folder: Path, sent: Path, tmp_path: Path) -> Grades:
    """The graded class in the test's own folder, where it may be graded again."""
    due(folder)
    shutil.copytree(graded_once.folder, tmp_path / "out")
    return replace(graded_once, folder=tmp_path / "out", results=deepcopy(graded_once.results))


def due(folder: Path) -> None:
    """Set the time at which the assignment is due."""
    file = folder / "assignment.toml"
    file.write_text(file.read_text().replace('title = "Broadcast"\n', 'title = "Broadcast"\n' + DUE), encoding="utf-8")


def row(grades: Grades, id: str) -> dict[str, Any]:
    return next(each for each in grades.results if each["id"] == id)


def test_everybody_has_a_row_and_the_tables_agree(graded: Grades) -> None:
    assert [(each["id"], each["points"], each["state"]) for each in graded.results] == [
        ("ada-adeyemi", 10.0, "marked"), ("ben-bauer", 8.0, "marked"), ("cleo-castillo", 4.0, "marked"),
        ("dan-dimitrov", 4.0, "marked"), ("eve", 0.0, "not run"),
    ]  # fmt: skip
    with (graded.folder / "grades.csv").open(encoding="utf-8") as stream:
        table = list(csv.DictReader(stream))
    assert [(each["id"], each["points"]) for each in table][:2] == [("ada-adeyemi", "10"), ("ben-bauer", "8")]
    assert table[1]["late_hours"] == "30"
    assert "broadcast.py, line 1" in table[4]["reason"]
    told = json.loads((graded.folder / "gradescope" / "cleo-castillo" / "results.json").read_text())
    assert told["score"] == 4.0
    assert {each["visibility"] for each in told["tests"]} == {"visible", "after_published"}
    moodle = (graded.folder / "moodle.csv").read_text().splitlines()
    assert len(moodle) == 6


def test_failing_runs_are_kept_and_named_in_the_results(graded: Grades) -> None:
    failure = next(each["failure"] for each in row(graded, "cleo-castillo")["checks"] if each["id"] == "everybody")
    assert failure["run"] == "runs/cleo-castillo/everybody.lydian"
    assert (graded.folder / failure["run"]).is_file()


def test_hand_ins_that_fail_alike_are_a_group(graded: Grades) -> None:
    told = json.loads((graded.folder / "grades.json").read_text())
    (one,) = told["groups"]
    assert one["ids"] == ["cleo-castillo", "dan-dimitrov"]
    assert groups(graded.results) == told["groups"]
    assert {frozenset((each["a"], each["b"])) for each in told["pairs"]} >= {frozenset(("ada-adeyemi", "ben-bauer"))}


def test_grading_again_marks_only_what_has_changed(graded: Grades, folder: Path, sent: Path) -> None:
    before = {each["id"]: each for each in graded.results}
    again = grade(folder, sent, graded.folder, workers=1)
    assert again.fresh == 0
    assert {each["id"]: each for each in again.results} == before
    (sent / "eve" / "broadcast.py").write_text(read(folder).reference["broadcast.py"])
    third = grade(folder, sent, graded.folder, workers=1)
    assert third.fresh == 1
    assert row(third, "eve")["points"] == 8.0


def test_a_changed_check_is_made_again_and_the_others_are_not(graded: Grades, folder: Path, sent: Path) -> None:
    file = folder / "assignment.toml"
    file.write_text(file.read_text().replace('formula = "2*m - n + 1"', 'formula = "2*m"'), encoding="utf-8")
    before = {each["id"]: each for each in row(graded, "ada-adeyemi")["checks"]}
    again = grade(folder, sent, graded.folder, workers=1)
    after = {each["id"]: each for each in row(again, "ada-adeyemi")["checks"]}
    assert [id for id in after if after[id] != before[id]] == ["messages"]


def test_an_interrupted_grading_goes_on_where_it_was(folder: Path, sent: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    stops = iter([False, True, True, True])
    first = grade(folder, sent, out, workers=1, stopped=lambda: next(stops))
    assert not first.complete
    assert len(list((out / "results").glob("*.json"))) == 2
    told: list[Grading] = []
    second = grade(folder, sent, out, workers=2, tell=told.append)
    assert second.complete
    assert (second.fresh, told[0].done, told[-1].done) == (3, 2, 5)


def test_the_number_of_workers_does_not_matter(graded: Grades, folder: Path, sent: Path, tmp_path: Path) -> None:
    other = grade(folder, sent, tmp_path / "other", workers=3)
    for name in ("grades.csv", "grades.json", "moodle.csv"):
        assert (other.folder / name).read_bytes() == (graded.folder / name).read_bytes()


def test_what_belongs_to_a_hand_in_that_has_vanished_is_removed(graded: Grades, folder: Path, sent: Path) -> None:
    (sent / "Cleo.lydian").unlink()
    grade(folder, sent, graded.folder, workers=1)
    assert not (graded.folder / "results" / "cleo-castillo.json").exists()
    assert not (graded.folder / "runs" / "cleo-castillo").exists()


def test_a_folder_with_other_files_is_refused(folder: Path, sent: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    with pytest.raises(BadInput, match="contains other files"):
        grade(folder, sent, other)
    with pytest.raises(BadInput, match="is the folder of the assignment"):
        grade(folder, sent, folder)


def test_a_spreadsheet_takes_no_name_for_a_formula(assignment: Assignment, graded: Grades) -> None:
    evil = {**graded.results[0], "student": "=1+1"}
    assert "'=1+1" in grades_csv(assignment, [evil])


def test_the_comment_says_what_was_lost(graded: Grades) -> None:
    assert comment(row(graded, "ada-adeyemi")) == "Everything that was checked holds."
    assert "Every process is informed: 0 of 3" in comment(row(graded, "cleo-castillo"))
    assert comment(row(graded, "eve")).startswith("Not marked: broadcast.py, line 1")


def test_names_comments_and_spaces_do_not_hide_a_copy() -> None:
    one = "\n".join(
        f"def action_{i}(self, m, q):\n    if m.x > {i}:\n        self.send(Ack(m.x, {i}), to=q)\n" for i in range(9)
    )
    other = one.replace("action_", "step").replace("m.x", "m.value").replace("    ", "  ").replace("def", "# why\ndef")
    assert pieces(one) == pieces(other)
    (pair,) = pairs({"a": one, "b": other, "c": "x = 1\n"}, [])
    assert (pair["a"], pair["b"], pair["share"]) == ("a", "b", 1.0)
    assert pairs({"a": one, "b": other}, [one]) == []


@pytest.mark.slow  # Spark starts Java
def test_spark_gives_the_same_grades(graded: Grades, folder: Path, sent: Path, tmp_path: Path) -> None:
    other = grade(folder, sent, tmp_path / "spark", master="local[2]")
    for name in ("grades.csv", "grades.json", "moodle.csv"):
        assert (other.folder / name).read_bytes() == (graded.folder / name).read_bytes()
    assert sorted(each.name for each in (other.folder / "runs").iterdir()) == ["cleo-castillo", "dan-dimitrov"]


WRITTEN = """
[[check]]
id = "why"
title = "Why so many messages?"
kind = "written"
text = "Why are they so many?"
points = 2
"""


def test_a_person_marks_written_answers(folder: Path, sent: Path, tmp_path: Path) -> None:
    with (folder / "assignment.toml").open("a", encoding="utf-8") as stream:
        stream.write(WRITTEN)
    marks = tmp_path / "marks.csv"
    marks.write_text("id,check,points\nada-adeyemi,why,1.5\n")
    first = grade(folder, sent, tmp_path / "out", workers=1)
    again = grade(folder, sent, tmp_path / "out", workers=1, marks=marks)
    assert (row(first, "ada-adeyemi")["points"], row(again, "ada-adeyemi")["points"]) == (10.0, 11.5)
    assert again.fresh == 0
    assert row(again, "ben-bauer")["checks"][-1]["state"] == "open"
    for text, what in (
        ("id,check\n", "must contain the columns"), ("id,check,points\nx,why,3\n", "from 0 to 2"),
        ("id,check,points\nx,runs,1\n", "is marked by the program"), ("id,check,points\nx,whi,1\n", "did you mean"),
        ("id,check,points\nx,why,good\n", "must be a number"),
    ):  # fmt: skip
        marks.write_text(text)
        with pytest.raises(BadInput, match=what):
            grade(folder, sent, tmp_path / "out", marks=marks)
