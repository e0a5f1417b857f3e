"""Solving an assignment without a window: what is made again, what is kept, and what is handed in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lydian.assignment.assignment import Assignment
from lydian.assignment.handin import read_hand_in, receipt
from lydian.desk import solving as solvings
from lydian.desk.solving import Solving, time_left
from lydian.model.errors import BadInput
from tests.assignment.conftest import assignment, changed, folder  # noqa: F401
from tests.desk.inprocess import InProcess

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[InProcess]:
    monkeypatch.setattr(solvings, "PAUSE", 1)
    made = InProcess()
    yield made
    made.close()


@pytest.fixture
def solving(loop: InProcess, assignment: Assignment) -> Iterator[Solving]:  # noqa: F811
    """The assignment, opened and not yet checked."""
    made = Solving(loop)
    made.open(assignment.folder)
    yield made
    made.close()


def states(solving: Solving) -> dict[str, str]:
    return {id: str(each["state"]) for id, each in solving.results.items()}


def test_a_change_makes_only_what_it_concerns_again(loop: InProcess, solving: Solving) -> None:
    assert solving.assignment is not None
    assert solving.text("broadcast.py") == solving.skeleton("broadcast.py") != ""
    solving.check()
    loop.until(lambda: not solving.busy)
    executed = {"runs", "everybody", "messages"}
    assert solving.fresh == {*executed, "question-1"} and solving.points == (2.0, 8.0)
    solving.answer("question-1", 56)
    assert solving.fresh == executed and solving.busy
    loop.until(lambda: not solving.busy)
    assert states(solving)["question-1"] == "full" and solving.points == (3.0, 8.0)
    solving.edited("broadcast.py", solving.assignment.reference["broadcast.py"])
    assert solving.fresh == {"question-1"} and solving.points == (3.0, 8.0)
    loop.until(lambda: not solving.busy)
    assert {states(solving)[each] for each in executed} == {"full"} and solving.points == (8.0, 8.0)
    solving.edited("broadcast.py", solving.assignment.reference["broadcast.py"])
    assert not solving.busy  # nothing was changed


def test_a_failing_run_can_be_read_until_the_end(loop: InProcess, solving: Solving) -> None:
    assert solving.assignment is not None
    solving.edited("broadcast.py", solving.assignment.files["lecturer/mutants/silent.py"])
    loop.until(lambda: bool(solving.failing) and not solving.busy)
    (run,) = {Path(str(each["failure"]["run"])) for each in solving.failing if each["id"] == "everybody"}
    assert run.is_file() and [each["points"] - each["most"] for each in solving.failing] == sorted(
        each["points"] - each["most"] for each in solving.failing
    )
    solving.close()
    assert not run.exists()


def test_the_work_and_the_answers_are_there_again(loop: InProcess, solving: Solving, tmp_path: Path) -> None:
    assert solving.assignment is not None
    solving.answer("question-1", 56)
    solving.answer("essay", "“Why?”")
    solving.answer("essay", None)
    (solving.work / "broadcast.py").write_text("mine = True\n", encoding="utf-8")
    other = Solving(loop)
    other.open(solving.assignment.folder)
    assert other.answers == {"question-1": 56} and other.text("broadcast.py") == "mine = True\n"
    path = tmp_path / "ines.lydian"
    told = other.hand_in(path, "Ines", NOW)
    handed = read_hand_in(path)
    assert (handed.answers, handed.made) == ({"question-1": 56}, NOW)
    assert told == receipt(handed.files, handed.answers)
    assert handed.files["broadcast.py"] == "mine = True\n" and other.handed == (NOW, path)
    (solving.work / "answers.toml").write_text("= 3", encoding="utf-8")
    other.open(solving.assignment.folder)
    assert "answers.toml" in other.problem and other.handed is None
    other.close()


def test_a_lecturers_change_is_read_again_or_reported(loop: InProcess, solving: Solving) -> None:
    assert solving.assignment is not None
    file = solving.assignment.file
    good = file.read_text(encoding="utf-8")
    file.write_text(good.replace("points = 3", "points = -3"), encoding="utf-8")
    solving.read_soon()
    loop.until(lambda: bool(solving.problem))
    assert "points" in solving.problem and solving.assignment.check("everybody").points == 3
    heard: list[bool] = []
    disconnect = solving.reread.connect(lambda: heard.append(True))
    file.write_text(good.replace("points = 3", "points = 5"), encoding="utf-8")
    solving.read_soon()
    loop.until(lambda: bool(heard) and not solving.busy)
    disconnect()
    assert solving.points[1] == 10 and not solving.problem


def test_what_cannot_be_opened_changes_nothing(loop: InProcess, solving: Solving, tmp_path: Path) -> None:
    before = solving.assignment
    with pytest.raises(BadInput, match=r"assignment\.toml"):
        solving.open(tmp_path / "nowhere")
    assert solving.assignment is before
    assert before is not None
    (tmp_path / "copy").mkdir()
    for name in ("assignment.toml", "text.md"):
        (tmp_path / "copy" / name).write_text((before.folder / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "copy" / "work").write_text("a file is in the way")
    with pytest.raises(BadInput, match="copy the assignment to a folder of yours"):
        solving.open(tmp_path / "copy")


@pytest.mark.parametrize(
    ("late", "words"),
    [
        (timedelta(hours=-1), ""), (timedelta(hours=1), "late: 1 point less"),
        (timedelta(hours=25), "late: 2 points less"), (timedelta(days=8), "too late for any points"),
    ],
)  # fmt: skip
def test_lateness_says_what_is_lost(
    loop: InProcess, changed, late: timedelta, words: str  # noqa: F811
) -> None:  # fmt: skip
    made = changed(("minutes = 60\n", f"minutes = 60\ndue = {NOW.isoformat()}\n"))
    solving = Solving(loop)
    solving.open(made.folder)
    assert solving.lateness(NOW + late) == words
    solving.close()


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=3, hours=5), "3 days left"), (timedelta(days=1), "1 day left"),
        (timedelta(hours=23), "23 hours left"), (timedelta(hours=1), "1 hour left"),
        (timedelta(minutes=59), "59 minutes left"), (timedelta(seconds=2), "1 minute left"),
        (timedelta(), "the deadline has passed"),
    ],
)  # fmt: skip
def test_time_left_is_said_in_its_largest_unit(left: timedelta, words: str) -> None:
    assert time_left(NOW + left, NOW) == words
