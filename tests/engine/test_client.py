"""A real simulator in its own process, and everything that a protocol or a client can do to it."""

from __future__ import annotations

import os
import random
import signal
import sys
from pathlib import Path

import pytest

from lydian.engine.client import Client, Ended
from lydian.engine.simulator import Simulator
from lydian.engine.wire import MOST_BYTES, Answered, Error, Hello, Pending, Result, Round, encode
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.trace.parquet.reader import load

ECHO = Experiment(name="t", protocol="echo", network="ring:6", seed=4)

HEAD = """
import os, sys
from lydian import ANY, INIT, Message, Process, on

class Ping(Message):
    pass

class Naughty(Process):
    count: int = 0

    @on(ANY, INIT)
    def start(self):
        self.send(Ping(), to=self.neighbours[0])

    @on(ANY, Ping)
    def back(self, m, q):
        self.count += 1
        self.send(Ping(), to=q)
        if self.count == 3:
"""


def naughty(folder: Path, what: str) -> Experiment:
    (folder / "naughty.py").write_text(HEAD + "".join(f"            {line}\n" for line in what.splitlines()))
    return Experiment(name="t", protocol=str(folder / "naughty.py"), network="line:2", seed=1).with_(check=False)


def test_a_watched_run_is_the_same_execution(tmp_path: Path) -> None:
    with Client.start(ECHO, to=None, trace=str(tmp_path / "run.parquet")) as client:
        result = client.finish()
    here = Simulator(ECHO).run()
    assert result is not None
    assert client.problem is None
    assert result["fingerprint"] == here.fingerprint == client.trace().fingerprint()
    assert load(tmp_path / "run.parquet").fingerprint() == here.fingerprint
    with pytest.raises(Ended, match="the run has ended"):
        client.next()


def test_bad_frames_never_end_a_session() -> None:
    with Client.start(ECHO) as client:
        client.until(Pending)
        client.send(b'garbled\n{"kind": "intercept"}\n\xff\n[]\n')
        client.send(b"x" * (MOST_BYTES + 5) + b"\n")
        client.send(Hello(1))
        told = [client.until(Error).text for _ in range(6)]
        assert [text.split(";")[0].split(":")[0] for text in told] == [
            "a frame must be a line of JSON",
            "unknown frame of kind 'intercept' (did you mean 'interact'?)",
            "a frame must be text in UTF-8",
            "a frame must be an object with a kind, not []",
            "a frame must have at most 32,000,000 bytes",
            "a run is in progress",
        ]
        assert client.ask({"do": "crash", "process": "3"}).accepted
        client.pace(None)
        assert client.finish() is not None
        assert client.experiment is not None
        assert Simulator(from_dict(client.experiment)).run().fingerprint == client.trace().fingerprint()


def test_a_truncated_frame_ends_with_the_input() -> None:
    with Client.start(ECHO) as client:
        client.until(Pending)
        client.send(b'{"kind": "interact", "id"')
        client._out.close()
        assert client.until(Error).text == "the last frame was cut off"
        assert client.until(Result).result["stopped"] == "cancelled"


def test_a_request_that_cannot_be_fulfilled() -> None:
    with Client.start(ECHO.with_(protocol="ehco")) as client:
        assert client.finish() is None
        assert "did you mean 'echo'?" in str(client.problem)
    with Client.start(ECHO) as client:
        client.send(b"")
    client = Client.start(ECHO)
    client.kill()
    assert client.finish() is None
    assert client.problem is not None
    client.close()


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("while True: pass", "it did not finish within 0.3 s"),
        ("self.count = 1 // 0", "ZeroDivisionError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("kept = []\nwhile True: kept.append('x' * 1000 + str(len(kept)))", "more memory"),
        ("kept = bytearray(2_000_000_000)", "more memory"),
    ],
)
def test_failures_of_a_protocol_are_reported_in_a_sentence(tmp_path: Path, what: str, sentence: str) -> None:
    memory = 1_000_000_000 if sys.platform != "win32" else None
    with Client.start(
        naughty(tmp_path, what), to=None, seconds=0.3 if "pass" in what else 10.0, memory=memory
    ) as client:
        result = client.finish()
    assert result is not None
    assert result["stopped"] == "error"
    assert sentence in str(client.problem)
    assert len(client.trace()) > 4


@pytest.mark.slow
def test_an_uninterruptible_loop_is_ended_from_outside(tmp_path: Path) -> None:
    loop = "import collections, itertools\ncollections.deque(itertools.repeat(0), maxlen=0)"  # never returns from C
    with Client.start(naughty(tmp_path, loop), to=None, seconds=0.1) as client:
        assert client.finish() is None
    assert "an action did not finish and could not be interrupted" in str(client.problem)


def test_output_and_input_of_a_protocol_stay_out_of_the_conversation(tmp_path: Path) -> None:
    what = "for _ in range(40): print('x' * 100_000)\nos.write(1, b'raw\\n')\nsys.__stdout__.write('old\\n')\n"
    what += "self.count = 100 + len(sys.stdin.read())"
    experiment = naughty(tmp_path, what)
    experiment = experiment.with_(stop=type(experiment.stop)(events=100))
    with Client.start(experiment, to=None) as client:
        result = client.finish()
    assert result is not None
    assert result["stopped"] == "limit"
    assert "raw" in client.printed


def test_a_thousand_interactions_at_once() -> None:
    with Client.start(ECHO) as client:
        client.until(Pending)
        numbers = [client.interact({"do": "crash" if i % 2 == 0 else "recover", "process": "2"}) for i in range(1000)]
        answers = [client.until(Answered) for _ in numbers]
        assert [answer.id for answer in answers] == numbers
        assert answers[0].accepted
        assert all(answer.accepted or answer.reason for answer in answers)
        client.pace(None)
        assert client.finish() is not None
        assert client.experiment is not None
        assert Simulator(from_dict(client.experiment)).run().fingerprint == client.trace().fingerprint()


def test_a_stale_interaction_is_judged_by_later_events() -> None:
    with Client.start(ECHO, to=3) as client:
        client.until(Pending)
        late = client.ask({"do": "drop", "message": 0}, seen=1)
        assert (late.accepted, late.reason) == (False, "message 0 has arrived or was lost before round 3")
        early = client.ask({"do": "wake", "process": "1"}, seen=9)
        assert (early.accepted, early.reason) == (False, "round 9 is still to come; the run is at round 3")
        client.stop()
        assert client.until(Result).result["stopped"] == "cancelled"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="killing is told otherwise here")
def test_killed_at_a_random_moment(tmp_path: Path) -> None:
    chance = random.Random(1)
    experiment = Experiment(name="t", protocol="flooding", network="grid:20x20", seed=2)
    whole = Simulator(experiment).run()
    for number in range(4):
        with Client.start(experiment, to=None, round_events=5, trace=str(tmp_path / f"{number}.parquet")) as client:
            for _ in range(chance.randint(1, 60)):
                client.until(Round)
            assert client.child is not None
            os.kill(client.child.pid, signal.SIGKILL)
            result = client.finish()
        trace = client.trace()
        if result is None:
            assert "ended from outside (signal 9)" in str(client.problem)
        mine, theirs = trace.rows.copy(), whole.trace.rows[: len(trace)]
        assert (mine == theirs).all()


def test_frames_before_the_request_are_answered() -> None:
    with Client.start(ECHO) as client:
        assert client.until(Hello).version == 1
        client.until(Pending)
        client.send(encode(Hello(1)))
        assert "a run is in progress" in client.until(Error).text
