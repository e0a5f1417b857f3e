"""A run of programs in a process of its own, through its frames."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import pytest

from lydian.engine.liverows import LiveRows
from lydian.engine.wire import Begun, Round, decode, encode
from lydian.engine.wire import Programs as Request
from lydian.model.childprocess import command, environment
from lydian.nodes.program import leftovers
from tests.nodes.plans import programs_of, right


@pytest.fixture
def served():
    """Return a function that starts the process with a request; it must have ended at the end of the test."""
    made = []

    def start(text):
        child = subprocess.Popen(
            command("-m", "lydian.nodes.serve"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
        )
        made.append(child)
        child.stdin.write(text)
        child.stdin.flush()
        return child

    yield start
    for child in made:
        child.stdin.close()
        child.wait(30)
        child.stdout.close()


def asked(plan):
    return encode(Request(plan.to_dict()))


def test_the_frames_contain_the_whole_run(served):
    rows, result = LiveRows({}), None
    for line in served(asked(right("lin-kv"))).stdout:
        frame = decode(line)
        if isinstance(frame, Begun):
            rows.begun = frame
        elif isinstance(frame, Round):
            assert frame.first == rows.count
            rows.take(frame)
        elif frame.kind == "result":
            result = frame.result
    assert rows.trace(result["summary"]).fingerprint() == result["fingerprint"]
    assert rows.processes == ("n0", "n1", "n2", "c0", "c1", "c2", "lin-kv")
    assert rows.begun.network["nodes"][-1]["id"] == "lin-kv"
    assert all(each["holds"] for each in result["checks"])
    assert rows.timeline().m_messages == result["messages"]


def test_interventions_are_made_or_refused_with_a_reason(served):
    child, answers = served(asked(right("echo", duration=600_000, timeout=50))), []
    for line in child.stdout:
        frame = decode(line)
        if isinstance(frame, Round) and frame.count and not answers:
            for number, what in enumerate((
                {"do": "crash", "process": "n1"}, {"do": "crash", "process": "n1"},
                {"do": "inject", "link": ["n0", "n1"], "label": "x"}, {"do": "crash", "process": "n9"},
            )):  # fmt: skip
                child.stdin.write(json.dumps({"kind": "interact", "id": number, "seen": 0, "what": what}).encode())
                child.stdin.write(b"\n")
            child.stdin.flush()
            answers.append(None)
        elif frame.kind == "answer":
            answers.append((frame.accepted, frame.reason))
            if len(answers) == 5:
                child.stdin.write(b'{"kind": "stop"}\n')
                child.stdin.flush()
        elif frame.kind == "bye":
            assert frame.reason == "cancelled"
    assert [accepted for accepted, _ in answers[1:]] == [True, False, False, False]
    assert [reason.partition(";")[0] for _, reason in answers[1:]] == [
        "", "process n1 has crashed", "inject is not possible with programs",
        "unknown process 'n9' of network ring-3",
    ]  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
@pytest.mark.parametrize("how", ["its input ends", "it is killed"])
def test_no_program_survives_the_process(served, how):
    child = served(asked(right("echo", duration=600_000)))
    line = next(line for line in child.stdout if b'"kind":"round"' in line and json.loads(line)["count"])
    assert line
    assert programs_of(child.pid)
    if how == "it is killed":
        child.kill()
    else:
        child.stdin.close()
    for _ in child.stdout:
        pass
    child.wait(30)
    for _ in range(1000):
        if not programs_of(child.pid):
            return
        threading.Event().wait(0.01)
    raise AssertionError("programs are left")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"nonsense\n", "this one begins 'nonsense"),
        (b'{"kind": "programs", "plan": {}}\n', "network"),
        (b'{"kind": "search", "experiment": {}}\n', "the first frame must be programs"),
    ],
)
def test_a_bad_request_is_answered(served, line, sentence):
    child = served(line)
    child.stdin.close()
    said = [json.loads(each) for each in child.stdout]
    assert sentence in said[0]["text"]


def test_nothing_is_left_of_other_runs():
    assert leftovers("x") == []
