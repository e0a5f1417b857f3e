"""The simulator in its own process, addressed as the window does."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lydian.engine.end.failure import ALARMS, gone
from lydian.engine.feedback import Feedback
from lydian.engine.simulator import Simulator
from lydian.engine.wire import (
    Answered,
    Begun,
    Error,
    Frame,
    Interact,
    Refused,
    Request,
    Result,
    Round,
    Stop,
    decode,
)  # fmt: skip
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Link, Network
from lydian.trace.parquet.reader import load

ROOT = Path(__file__).resolve().parents[2]
LINE = Network("line", ("0", "1", "2"), (Link("0", "1"), Link("1", "2")), ("0",))
ECHO = Experiment(name="t", protocol="echo", network=LINE, seed=4)


def request(tmp_path: Path, experiment: Experiment = ECHO) -> str:
    asked = {"kind": "request", "experiment": experiment.to_dict(), "trace": str(tmp_path / "run.parquet"), "to": None}
    return json.dumps({**asked, "told": False}) + "\n"


def talk(tmp_path: Path, *lines: str) -> tuple[int, list[dict[str, Any]]]:
    done = subprocess.run(
        [sys.executable, "-m", "lydian.engine.serve"],
        input="".join(lines),
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_a_run_in_a_child_process_is_the_same_execution(tmp_path: Path) -> None:
    code, said = talk(tmp_path, request(tmp_path))
    here = Simulator(ECHO).run()
    assert code == 0
    assert said[0] == {"kind": "progress", "done": {"round": 0, "events": 0, "time": 0.0, "live": None}}
    assert [each["kind"] for each in said[-2:]] == ["result", "bye"]
    assert said[-2]["result"]["fingerprint"] == here.fingerprint
    trace = load(tmp_path / "run.parquet")
    assert trace.fingerprint() == here.fingerprint
    assert trace.damage is None
    assert trace.summary["stopped"] == "quiescent"
    assert [trace.detail(i) for i in range(len(trace))] == [here.trace.detail(i) for i in range(len(trace))]
    assert not (tmp_path / "run.parquet.part").exists()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("nonsense\n", "this one begins 'nonsense"),
        ('{"kind": "request", "experiment": {"protocol": "ehco", "network": "ring:4"}}\n', "did you mean 'echo'?"),
        ('{"kind": "request", "experiment": {}, "to": null, "told": false}\n', "a request without events must name a"),
        ('{"kind": "search", "experiment": {}}\n', "the first frame must be request"),
    ],
)
def test_bad_requests_are_answered(tmp_path: Path, line: str, sentence: str) -> None:
    code, said = talk(tmp_path, line)
    assert code == (0 if "search" in line else 2)
    assert sentence in next(each["text"] for each in said if each["kind"] == "error")


def test_an_empty_request_does_nothing(tmp_path: Path) -> None:
    assert talk(tmp_path) == (0, [])


def test_interactions_and_stop_use_the_same_channel(tmp_path: Path) -> None:
    """This runs in one process, so that the contents of the inbox before a round are certain."""

    def run(*inbox: Frame | Refused | None) -> tuple[int, list[Frame]]:
        box: queue.Queue[Frame | Refused | None] = queue.Queue()
        for each in inbox:
            box.put(each)
        said: list[Frame] = []
        wanted = decode(request(tmp_path).encode())
        assert isinstance(wanted, Request)
        return Feedback(wanted, box, said.append).run(), said

    crashes = [Interact(number, 0, {"do": "crash", "process": name}) for number, name in ((1, "2"), (2, "7"))]
    code, said = run(*crashes, Refused("gibberish"))
    answers = {each.id: each for each in said if isinstance(each, Answered)}
    assert answers[1].accepted
    assert answers[1].intervention == {"time": 0.0, "do": "crash", "process": "2"}
    assert not answers[2].accepted
    assert "'7'" in answers[2].reason
    assert Error("gibberish") in said
    assert code == 1  # the initiator never learns it
    result = next(each for each in said if isinstance(each, Result))
    assert result.result["stopped"] == "quiescent"
    assert not any(isinstance(each, Begun | Round) for each in said)
    result = next(each for each in run(Stop())[1] if isinstance(each, Result))
    assert result.result["stopped"] == "cancelled"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no alarms there")
@pytest.mark.parametrize("entry", ["serve", "explorer.serve"])
def test_a_file_that_hangs_during_loading_is_ended(tmp_path: Path, entry: str) -> None:
    (tmp_path / "odd.py").write_text("sum(range(10**15))\n")
    asked: dict[str, Any] = {"experiment": {"protocol": "odd.py", "network": "ring:4"}, "folder": str(tmp_path)}
    asked |= {"kind": "search"} if entry != "serve" else {
        "kind": "request", "trace": "x.parquet", "to": None, "seconds": 0.3,
    }  # fmt: skip
    words = [sys.executable, "-c", "import runpy, lydian.engine.simulator as s; s.ACTION_SECONDS = 0.3; "
             f"runpy.run_module('lydian.engine.{entry}', run_name='__main__')"]  # fmt: skip
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    assert child.stdin is not None
    child.stdin.write(json.dumps(asked).encode() + b"\n")
    child.stdin.flush()
    code = child.wait(60)
    _out, err = child.communicate()
    assert code in ALARMS
    assert "odd.py, line 1" in gone(err.decode(), code)


@pytest.mark.parametrize("garbage", ["nonsense\n", "\n", "[1, 2]\n", "\x00\xff\n", '"text"\n'])
def test_garbage_as_the_first_line_does_not_end_a_session(tmp_path: Path, garbage: str) -> None:
    hello = json.dumps({"kind": "hello", "version": 1}) + "\n"
    code, said = talk(tmp_path, garbage, hello, request(tmp_path))
    assert code == 0
    kinds = [frame["kind"] for frame in said]
    assert kinds[: 2 if garbage.strip() else 1] == ["error", "hello"][not garbage.strip() :]
    assert kinds[-2:] == ["result", "bye"]


@pytest.mark.parametrize(("name", "value"), [("seconds", 1e308), ("seconds", 0), ("memory", 1e300), ("memory", 5)])
def test_unreasonable_bounds_are_refused_without_blaming_a_protocol(tmp_path: Path, name: str, value: float) -> None:
    asked = json.loads(request(tmp_path)) | {name: value}
    code, said = talk(tmp_path, json.dumps(asked) + "\n")
    assert code == 2
    assert said[-1]["text"].startswith(f"{name} of ")


def test_a_trace_replaces_no_file_of_another_kind(tmp_path: Path) -> None:
    readme = tmp_path / "run.parquet"
    readme.write_text("Read me!")
    code, said = talk(tmp_path, request(tmp_path))
    assert (code, said[-2]["text"]) == (
        2, f"{readme}: exists and is not a trace; choose another name, or remove it first"
    )  # fmt: skip
    assert readme.read_text() == "Read me!"
    readme.unlink()
    assert talk(tmp_path, request(tmp_path))[0] == 0
    assert talk(tmp_path, request(tmp_path))[0] == 0  # a trace may replace another one
