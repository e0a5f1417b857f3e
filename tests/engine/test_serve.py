"""The simulator in a process of its own, spoken to as the window does."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lydian.engine import serve
from lydian.engine.failure import ALARMS, gone
from lydian.engine.simulator import Simulator
from lydian.model.experiment import Experiment
from lydian.model.network import Link, Network
from lydian.trace.reader import load

ROOT = Path(__file__).resolve().parents[2]
LINE = Network("line", ("0", "1", "2"), (Link("0", "1"), Link("1", "2")), ("0",))
ECHO = Experiment(name="t", protocol="echo", network=LINE, seed=4)


def request(tmp_path: Path, experiment: Experiment = ECHO) -> str:
    asked = {"experiment": experiment.to_dict(), "folder": None, "trace": str(tmp_path / "run.parquet")}
    return json.dumps(asked) + "\n"


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
    assert said[-1]["result"]["fingerprint"] == here.fingerprint
    trace = load(tmp_path / "run.parquet")
    assert trace.fingerprint() == here.fingerprint
    assert trace.damage is None
    assert trace.summary["stopped"] == "quiescent"
    assert [trace.detail(i) for i in range(len(trace))] == [here.trace.detail(i) for i in range(len(trace))]
    assert not (tmp_path / "run.parquet.part").exists()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("nonsense\n", "a request is an object in JSON, not nonsense"),
        ('{"experiment": {"protocol": "ehco", "network": "ring:4"}, "trace": "x"}\n', "did you mean 'echo'?"),
        ('{"experiment": {"protocol": "echo", "network": "ring:4"}}\n', "the request names no trace file"),
    ],
)
def test_bad_requests_are_answered(tmp_path: Path, line: str, sentence: str) -> None:
    code, said = talk(tmp_path, line)
    assert code == 2
    assert sentence in said[-1]["error"]


def test_nothing_asked_nothing_done(tmp_path: Path) -> None:
    assert talk(tmp_path) == (0, [])


def test_interactions_and_stop_come_in_by_the_same_channel(tmp_path: Path) -> None:
    """In one process, so that what is in the inbox before a round is sure."""
    out = io.StringIO()
    inbox: Any = serve.queue.SimpleQueue()
    inbox.put({"interact": {"do": "crash", "process": "2"}, "round": 0, "id": 1})
    inbox.put({"interact": {"do": "crash", "process": "7"}, "round": 0, "id": 2})
    inbox.put("gibberish")
    code = serve.Server(json.loads(request(tmp_path)), inbox, out).run()
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    answers = {each["answer"]["id"]: each["answer"] for each in said if "answer" in each}
    assert answers[1]["accepted"]
    assert answers[1]["intervention"] == {"time": 0.0, "do": "crash", "process": "2"}
    assert not answers[2]["accepted"]
    assert "'7'" in answers[2]["reason"]
    assert "not understood" in answers[None]["reason"]
    assert code == 1  # the initiator never learns it
    assert said[-1]["result"]["stopped"] == "quiescent"
    stopped = io.StringIO()
    inbox.put({"stop": True})
    serve.Server(json.loads(request(tmp_path)), inbox, stopped).run()
    assert json.loads(stopped.getvalue().splitlines()[-1])["result"]["stopped"] == "cancelled"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no alarms there")
@pytest.mark.parametrize("entry", ["serve", "explorer.serve"])
def test_a_file_that_hangs_while_it_is_loaded_is_ended(tmp_path: Path, entry: str) -> None:
    (tmp_path / "odd.py").write_text("sum(range(10**15))\n")
    asked = {"experiment": {"protocol": "odd.py", "network": "ring:4"}, "folder": str(tmp_path), "trace": "x.parquet"}
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
    code, said = talk(tmp_path, garbage, request(tmp_path))
    assert code == 0
    assert said[-1]["result"]["stopped"] == "quiescent"
    frames = [{"kind": "hello", "version": 1}, {"kind": "request", "experiment": ECHO.to_dict(), "to": None}]
    code, said = talk(tmp_path, garbage, *(json.dumps(frame) + "\n" for frame in frames))
    assert code == 0
    assert [frame["kind"] for frame in said[: 2 if garbage.strip() else 1]] == ["error", "hello"][not garbage.strip() :]
    assert [frame["kind"] for frame in said[-2:]] == ["result", "bye"]


@pytest.mark.parametrize(("name", "value"), [("seconds", 1e308), ("seconds", 0), ("memory", 1e300)])
def test_bounds_beyond_reason_are_refused_and_blame_no_protocol(tmp_path: Path, name: str, value: float) -> None:
    asked = json.loads(request(tmp_path)) | {name: value}
    code, said = talk(tmp_path, json.dumps(asked) + "\n")
    assert code == 2
    assert said[-1]["error"].startswith(f"{name} of a request must be a number from")


def test_a_trace_takes_the_place_of_no_other_file(tmp_path: Path) -> None:
    readme = tmp_path / "run.parquet"
    readme.write_text("Read me!")
    code, said = talk(tmp_path, request(tmp_path))
    assert (code, said[-1]["error"]) == (
        2, f"{readme}: exists and is not a trace; choose another name, or remove it first"
    )  # fmt: skip
    assert readme.read_text() == "Read me!"
    readme.unlink()
    assert talk(tmp_path, request(tmp_path))[0] == 0
    assert talk(tmp_path, request(tmp_path))[0] == 0  # one trace may take the place of another
