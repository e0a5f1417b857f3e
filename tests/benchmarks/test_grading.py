"""The marking of a class: 300 hand-ins with ten checks, of which 30 are hostile, in a pool and on Spark."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from lydian.assignment.assignment import read
from lydian.assignment.grade import Grades, grade
from lydian.assignment.worker import FORKS
from lydian.model.archive.shelves import our_folder
from tests.benchmarks.conftest import Report

pytestmark = pytest.mark.skipif(not FORKS, reason="hand-ins are contained by a copy of the process only on Linux")
#: Of a class: all, and those that are hostile.
CLASS, HOSTILE = 300, 30
#: The code of the hostile ones, in an action.
CODE = (
    "while True: pass", "sum(iter(int, 1))", "[0] * 10**11", "import os; os._exit(0)", "raise SystemExit(3)",
    "import posix; posix.fork()", "import shutil; shutil.rmtree(PRECIOUS)", "import posix; posix.unlink(PRECIOUS)",
    "print('x' * 10**9)", "import builtins; builtins.len = lambda x: 0", "import socket; socket.socket()",
    "open('/etc/passwd').read()", "open(PRECIOUS, 'w')", "1 / 0", "import math; math.floor = lambda x: 0",
)  # fmt: skip
MORE = """
[[check]]
id = "early"
title = "No process is informed twice as long as the network"
kind = "property"
points = 1
networks = ["line:6", "star:7", "complete:5"]
runs = 30

[[check]]
id = "chain"
title = "The longest chain"
kind = "formula"
measure = "chain"
formula = "<= n"
points = 1
networks = ["ring:8", "line:6"]
runs = 20

[[check]]
id = "time"
title = "In time"
kind = "formula"
measure = "time"
formula = "<= 2*n"
points = 1
networks = ["ring:8", "line:6"]
runs = 20

[[check]]
id = "small"
title = "Every schedule of 5"
kind = "schedules"
networks = ["line:5", "star:4"]
points = 1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The assignment of the template, with ten checks."""
    target = tmp_path_factory.mktemp("assignment") / "broadcast"
    shutil.copytree(our_folder() / "resources" / "templates" / "assignment", target)
    with (target / "assignment.toml").open("a", encoding="utf-8") as stream:
        stream.write(MORE)
    assert len(read(target).checks) == 10
    return target


def classroom(folder: Path, target: Path, precious: Path) -> set[str]:
    """Write the hand-ins of a class, and return the names of the hostile ones."""
    assignment, rng = read(folder), random.Random(1)
    right = assignment.reference
    mutants = [assignment.files[f"lecturer/mutants/{name}.py"] for name in ("silent", "only-first")]
    texts = [right["broadcast.py"], *mutants, assignment.skeleton["broadcast.py"]]
    hostile = set()
    for number in range(CLASS):
        name, text = f"student-{number:03}", rng.choice(texts)
        if number % (CLASS // HOSTILE) == 0:
            hostile.add(name)
            code = CODE[number // (CLASS // HOSTILE) % len(CODE)].replace("PRECIOUS", repr(str(precious)))
            tell = "        self.tell([r for"
            text = right["broadcast.py"].replace(tell, f"        {code}\n{tell}")
        (target / name).mkdir(parents=True)
        (target / name / "broadcast.py").write_text(f"{text}\n# {number}\n", encoding="utf-8")
        (target / name / "my_properties.py").write_text(right["my_properties.py"], encoding="utf-8")
        (target / name / "answers.toml").write_text("question-1 = 56\n", encoding="utf-8")
    return hostile


def points(grades: Grades) -> dict[str, float]:
    return {each["id"]: each["points"] for each in grades.results}


def test_a_class_of_300_with_30_hostile_hand_ins(report: Report, folder: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("kept")
    hostile = classroom(folder, tmp_path / "sent", precious)
    shutil.copytree(tmp_path / "sent", tmp_path / "kind", ignore=lambda _folder, names: hostile & set(names))
    start = time.perf_counter()
    whole = grade(folder, tmp_path / "sent", tmp_path / "whole", workers=2)
    pool = time.perf_counter() - start
    kind = grade(folder, tmp_path / "kind", tmp_path / "alone", workers=2)
    assert len(whole.results) == CLASS
    assert {id: value for id, value in points(whole).items() if id not in hostile} == points(kind)
    assert precious.read_text() == "kept"
    start = time.perf_counter()
    again = grade(folder, tmp_path / "sent", tmp_path / "whole", workers=2)
    repeated = time.perf_counter() - start
    assert again.fresh == 0
    report.add("300 hand-ins, ten checks, 30 hostile, two workers: by the clock on the wall", pool, "s")
    report.add("  the same again, nothing changed", repeated, "s", "at most a tenth")
    assert repeated < pool / 10
    first = time.perf_counter()
    shutil.copytree(tmp_path / "sent" / "student-001", tmp_path / "one" / "student-001")
    grade(folder, tmp_path / "one", tmp_path / "warm", master="local[2]")  # as long as Spark takes to start
    starting = time.perf_counter() - first
    start = time.perf_counter()
    spark = grade(folder, tmp_path / "sent", tmp_path / "spark", master="local[2]")
    rate = pool / max(time.perf_counter() - start - starting, 1e-9)
    assert points(spark) == points(whole)
    report.add("  on Spark with two cores, without its start: rate, to that of the pool", rate, "", "at least 0.9")
    assert rate >= 0.9
