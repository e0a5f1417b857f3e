"""Hostile hand-ins: each is a row with its reason, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lydian.assignment.assignment import Assignment, read
from lydian.assignment.collect import Submission
from lydian.assignment.grade import Marker, useless
from lydian.assignment.worker import FORKS
from tests.assignment.template import template

pytestmark = pytest.mark.skipif(not FORKS, reason="hand-ins are contained by a copy of the process only on Linux")
CHECKS = ["runs", "question-1"]


@pytest.fixture(scope="module")
def assignment(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    return read(template(tmp_path_factory.mktemp("assignment") / "broadcast"))


@pytest.fixture(scope="module")
def marker(assignment: Assignment) -> Iterator[Marker]:
    """Start one process for all hand-ins; a test after which another one has replaced it leaves that one behind."""
    made = Marker(assignment.folder, 20.0)
    made.start()
    yield made
    made.close()


def handed_in(assignment: Assignment, code: str) -> Submission:
    """Return a hand-in whose action for the first News also executes some code."""
    lines = "".join(f"        {line}\n" for line in code.splitlines())
    text = assignment.reference["broadcast.py"].replace("        self.tell([r for", f"{lines}        self.tell([r for")
    return Submission("x", "X", "x", {**assignment.reference, "broadcast.py": text}, {"question-1": 56})


#: What the code of an action does -> what the row says.
HOSTILE = {
    "1 / 0": "divides by 0",
    "raise SystemExit(3)": "it ends the program",
    "import os\nos._exit(0)": "would end the simulator",
    "import posix\nposix.fork()": "starts another process",
    "import posix\nposix.kill(posix.getppid(), 9)": "sends a signal",
    "import subprocess\nsubprocess.Popen(['true'])": "starts something outside the run",
    "import socket\nsocket.socket()": "uses the network",
    "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9')": "uses the network",
    "open('/etc/passwd').read()": "reads a file (passwd)",
    "open(PRECIOUS, 'w')": "writes to a file",
    "import posix\nposix.unlink(PRECIOUS)": "deletes a file",
    "import pathlib\npathlib.Path(PRECIOUS).unlink()": "deletes a file",
    "import shutil\nshutil.rmtree(PRECIOUS)": "changes files",
    "import ctypes\nctypes.string_at(0)": "calls the operating system directly",
    "import os\nos.listdir('/etc')": "looks into a folder",
    "[0] * 10**11": "more memory than a protocol may have",
}


@pytest.mark.parametrize("code", HOSTILE, ids=[each.splitlines()[-1][:32] for each in HOSTILE])
def test_what_a_protocol_must_not_do_is_refused_by_name(
    assignment: Assignment, marker: Marker, tmp_path: Path, code: str
) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("kept")
    found = marker.mark(handed_in(assignment, code.replace("PRECIOUS", repr(str(precious)))), CHECKS)["checks"]
    runs, question = found
    assert runs["points"] == 0
    assert HOSTILE[code] in runs["failure"]["sentence"] + runs["failure"]["why"]
    assert HOSTILE[code] in useless(found) + runs["failure"]["why"]
    assert question["state"] == "full"
    assert precious.read_text() == "kept"


def test_a_signal_that_python_cannot_refuse_costs_one_check_and_not_the_next(
    assignment: Assignment, marker: Marker
) -> None:
    """The process of the hand-in dies, and another one makes the other checks."""
    runs, question = marker.mark(
        handed_in(assignment, "import signal as s\ns.__dict__['raise_' 'signal'](11)"), CHECKS
    )["checks"]
    assert (runs["state"], runs["points"]) in (("stopped", 0.0), ("failed", 0.0))
    assert question["state"] == "full"


def test_writing_into_open_channels_spoils_only_its_own_marks(assignment: Assignment, marker: Marker) -> None:
    code = "import posix\nfor n in range(3, 30):\n    try: posix.write(n, b'garbage\\n')\n    except OSError: pass"
    runs, question = marker.mark(handed_in(assignment, code), CHECKS)["checks"]
    assert "something other than results" in runs["words"]
    assert question["state"] == "full"
    good = Submission("y", "Y", "y", assignment.reference, {"question-1": 56})
    assert [each["state"] for each in marker.mark(good, CHECKS)["checks"]] == ["full", "full"]


def test_replaced_builtins_stay_with_the_hand_in(assignment: Assignment, marker: Marker) -> None:
    hostile = handed_in(assignment, "import builtins\nbuiltins.len = lambda x: 0")
    assert marker.mark(hostile, CHECKS)["checks"][1]["state"] == "full"
    good = Submission("y", "Y", "y", assignment.reference, {"question-1": 56})
    assert [each["state"] for each in marker.mark(good, CHECKS)["checks"]] == ["full", "full"]


def test_replaced_functions_of_a_module_are_noticed(assignment: Assignment, marker: Marker) -> None:
    runs, _ = marker.mark(handed_in(assignment, "import math\nmath.floor = lambda x: 0"), CHECKS)["checks"]
    assert runs["words"] == "the hand-in replaces functions of Python itself"


@pytest.mark.slow  # an endless action is stopped after two seconds of computing
@pytest.mark.parametrize(
    "code", ["while True: pass", "sum(iter(int, 1))", "while True:\n    try:\n        while True: pass\n"
             "    except BaseException: pass", "for n in range(10**7): print('x' * 1000)"],
    ids=["in Python", "in C", "catching everything", "printing a gigabyte"],
)  # fmt: skip
def test_a_loop_without_end_is_stopped(assignment: Assignment, marker: Marker, code: str) -> None:
    runs, question = marker.mark(handed_in(assignment, code), CHECKS)["checks"]
    assert (runs["state"], runs["points"]) == ("stopped", 0.0)
    assert question["state"] == "full"


def test_nothing_is_left_behind(assignment: Assignment) -> None:
    marker = Marker(assignment.folder, 20.0)
    marker.mark(handed_in(assignment, "pass"), CHECKS)
    child = marker.start()
    marker.close()
    assert child.poll() is not None
    assert not list(assignment.folder.glob("lydian-*"))
