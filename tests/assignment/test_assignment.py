"""Reading an assignment: what it contains, what is refused, and what students are given."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from lydian.assignment.assignment import Assignment, Late, is_assignment, merged, read
from lydian.assignment.package import package, student_files
from lydian.assignment.ready import begin
from lydian.model.errors import BadInput

Changed = Callable[..., Assignment]


def test_an_assignment_has_its_checks_and_files(assignment: Assignment) -> None:
    assert assignment.title == "Broadcast"
    assert [each.id for each in assignment.checks] == [
        "runs", "everybody", "messages", "schedules", "own", "question-1",
    ]  # fmt: skip
    assert assignment.most == 10
    assert assignment.hidden == (2, 2.0)
    assert [each.id for each in assignment.public] == ["runs", "everybody", "messages", "question-1"]
    assert set(assignment.skeleton) == {"broadcast.py", "my_properties.py"}
    assert "every process is informed" in assignment.properties


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('kind = "runs"', 'kind = "run"', "unknown kind 'run' (did you mean 'runs'?)"),
        ('id = "runs"', 'id = "Runs!"', "must consist of lower-case letters, digits and -"),
        ('id = "everybody"', 'id = "runs"', "two checks have the id 'runs'"),
        ("points = 2\n", "points = 2.05\n", "must be a multiple of 0.1"),
        ("runs = 4", "runs = 0", "must be a whole number from 1"),
        ('hand_in = ["broadcast.py", "my_properties.py"]', 'hand_in = ["../x.py"]', "must list the files to be handed"),
        ('hand_in = ["broadcast.py", "my_properties.py"]', 'hand_in = ["a.md"]', "the first file must be the protocol"),
        ("seconds = 20", "second = 20", "unknown key 'second' (did you mean 'seconds'?)"),
        ('network = "ring:6"', 'network = "ring:6"\nprotocol = "echo"', "leave it out"),
        ('formula = "2*m - n + 1"', 'formula = "2*"', "cannot be read"),
        ('delays = ["uniform(0.5, 1.5)"', 'delays = ["uniform(0.5"', "delays[0]"),
        ('measure = "messages"\nformula', 'measure = "message"\nformula', "must be one of messages, time, chain, bits"),
        ('mutants = ["lecturer/mutants/*.py"]', 'mutants = ["nothing/*.py"]', "no file matches nothing/*.py"),
        ('title = "Broadcast"', 'title = "Broadcast"\ndue = 2026-01-01', "must be a date and time with its offset"),
    ],
)
def test_a_mistake_in_the_file_is_reported_with_its_place(changed: Changed, old: str, new: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=r"assignment\.toml") as refused:
        changed((old, new))
    assert sentence in str(refused.value)


def test_a_folder_without_the_file_says_how_to_begin_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="lydian new assignment NAME creates one"):
        read(tmp_path)
    assert not is_assignment(tmp_path)


def test_the_experiment_of_a_check_is_merged_with_that_of_the_assignment() -> None:
    below = {"network": "ring:6", "timing": {"delay": "constant(1)", "loss": 0.1}}
    assert merged(below, {"timing": {"loss": 0.0}}) == {
        "network": "ring:6", "timing": {"delay": "constant(1)", "loss": 0.0},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("late", "hours", "lost"),
    [
        (Late(points=1), -1, 0), (Late(points=1), 0, 0), (Late(points=1), 1, 1), (Late(points=1), 25, 2),
        (Late(percent=10), 30, 2), (Late(points=1, days=3), 71, 3), (Late(points=1, days=3), 73, 10), (Late(), 99, 0),
    ],
)  # fmt: skip
def test_lateness_costs_points_for_each_day_that_has_begun(late: Late, hours: int, lost: float) -> None:
    assert late.lost(10.0, timedelta(hours=hours)) == lost


def test_the_package_for_students_withholds_the_lecturers_files_hidden_checks_and_answers(
    changed: Changed, tmp_path: Path
) -> None:
    assignment = changed(('measure = "messages"\nexperiment', "answer = 56\nexperiment"))
    files = student_files(assignment)
    assert set(files) == {
        "assignment.toml", "properties.py", "skeleton/answers.toml", "skeleton/broadcast.py",
        "skeleton/my_properties.py", "text.md",
    }  # fmt: skip
    assert "schedules" not in files["assignment.toml"]
    assert "answer" not in files["assignment.toml"]
    assert "# question-1 =" in files["skeleton/answers.toml"]
    path, again = tmp_path / "one.zip", tmp_path / "two.zip"
    package(assignment, path)
    package(assignment, again)
    assert path.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(path) as whole:
        whole.extractall(tmp_path / "student")
    theirs = read(tmp_path / "student" / "broadcast")
    assert theirs.hidden == assignment.hidden
    assert theirs.most == assignment.most
    assert theirs.package == assignment.package
    with pytest.raises(BadInput, match="already exists"):
        package(assignment, path)


def test_a_new_assignment_can_be_read_and_never_overwrites(tmp_path: Path) -> None:
    begin(tmp_path / "two-phase_commit")
    assert read(tmp_path / "two-phase_commit").title == "Two phase commit"
    with pytest.raises(BadInput, match="already exists"):
        begin(tmp_path / "two-phase_commit")
