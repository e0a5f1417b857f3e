"""Student code is hostile by accident: whatever it does, the client receives an error and the trace up to it."""

from __future__ import annotations

import contextlib
import os
import queue
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydian.engine.client import Client, Ended
from lydian.engine.feedback import Feedback
from lydian.engine.simulator import Simulator
from lydian.engine.wire import VERSION, Answered, Frame, Hello, Interact, Pending, Refused, Request, Round
from lydian.model.childprocess import environment
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.protocol.guards import stable_hash
from lydian.trace.events import Kind

#: The bytes of memory that a protocol may use here.
MEMORY = 300_000_000
SPREAD = Experiment(name="t", protocol="flooding", network="grid:20x20", seed=2)
#: The number of simulators that run at once.
SIDE_BY_SIDE = 4

HEAD = '''"""A protocol that does what it should not."""
import datetime, itertools, os, random, secrets, sys, threading, time, uuid
from typing import ClassVar
from lydian import ANY, INIT, Message, Process, always, on

SEEN = []
COUNT = 0
NUMBERS = itertools.count()
CHANCE = random.Random(5)

class Ping(Message):
    pass

class Path(Message):
    way: list[str] = []

class Naughty(Process):
    everybody: ClassVar[list] = []
    TOTAL = 0
    count: int = 0
    waiting: set[str] = {"x", "y"}
    way: list[str] = []

    @on(ANY, INIT)
    def start(self):
        self.send(Ping(), to=self.neighbours[0])

    @on(ANY, Path)
    def take(self, m, q):
        self.note(str(m.way))

    @on(ANY, Ping)
    def back(self, m, q, kept=[]):
        self.count += 1
        self.send(Ping(), to=q)
        if self.count == 3:
'''
LINE = HEAD.count("\n") + 1


def naughty(folder: Path, what: str, tail: str = "", name: str = "naughty") -> Experiment:
    text = HEAD + "".join(f"            {line}\n" for line in what.splitlines()) + tail
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    experiment = Experiment(name="t", protocol=str(folder / f"{name}.py"), network="line:2", seed=1)
    return experiment.with_(stop=type(experiment.stop)(events=60))


def error_of(folder: Path, what: str, tail: str = "") -> str:
    return Simulator(naughty(folder, what, tail)).run().error or ""


# ---------------------------------------------------------------------- a dying simulator


#: A process with the simulator's modules loaded that forks one child for each pair of pipes it receives.
NURSERY = """
import os, signal, sys
from lydian.engine import serve
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    source, out = line.split()
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(source, os.O_RDONLY), 0)
        os.dup2(os.open(out, os.O_WRONLY), 1)
        os._exit(serve.main(*serve.channels()))
    print(pid, flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="killing is told otherwise here")
def test_a_hundred_kills_at_random_moments(tmp_path: Path) -> None:
    """Ten simulators are started in the usual way; ninety are forked, which takes a tenth of the time."""
    whole = Simulator(SPREAD).run()
    texts = [whole.trace.detail_of(seq) for seq in range(len(whole.trace))]
    outside = "The simulator was ended from outside (signal 9); the run up to that point is kept."
    unknown = "The simulator stopped; the run up to that point is kept, and your work is safe."

    def die(client: Client, pid: int, number: int) -> tuple[int, bool]:
        chance = random.Random(number)
        with contextlib.suppress(Ended):  # some die before the first frame, some have already ended
            for _ in range(chance.choice((0, 1, 2, chance.randint(3, 60)))):
                client.next(30)
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            os.kill(pid, signal.SIGKILL)
        result = client.finish()
        trace = client.trace()
        assert np.array_equal(trace.rows, whole.trace.rows[: len(trace)])
        assert [trace.detail_of(seq) for seq in range(len(trace))] == texts[: len(trace)]
        if result is None:
            assert client.problem == (outside if client.child is not None else unknown)
        else:
            assert result["fingerprint"] == whole.fingerprint == trace.fingerprint()
        return len(trace), result is None

    def started(number: int) -> tuple[int, bool]:
        with Client.start(SPREAD, to=None, round_events=5, pending=0) as client:
            assert client.child is not None
            end = die(client, client.child.pid, number)
        assert client.child.returncode == -signal.SIGKILL
        return end

    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        ends = list(pool.map(started, range(10)))
    nursery = subprocess.Popen(
        [sys.executable, "-c", NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True
    )
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    pids = []
    for number in range(10, 100):
        source, out = tmp_path / f"{number}.in", tmp_path / f"{number}.out"
        os.mkfifo(source)
        os.mkfifo(out)
        print(source, out, file=nursery.stdin, flush=True)
        pids.append(int(nursery.stdout.readline()))
        into = source.open("wb")
        with Client(out.open("rb"), into) as client:
            client.send(Hello(VERSION, "test"))
            events = (1, 5, 40)[number % 3]
            client.send(Request(SPREAD.to_dict(), to=None, round_events=events, pending=0))
            ends.append(die(client, pids[-1], number))
    nursery.communicate(timeout=30)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert sum(died for _, died in ends) > 50  # the others had ended before
    assert len({length for length, _ in ends}) > 20


# ---------------------------------------------------------------------- dangerous code


#: The code of an action, and parts of the error; none if the run continues unaffected.
DANGERS: Sequence[tuple[str, str]] = (
    ("sum(itertools.count())", "line {line}: an action did not finish and could not be interrupted"),
    ("import re; re.match('(a+)+$', 'a' * 40 + 'b')", "line {line}: an action did not finish and could not"),
    ("while True:\n    try:\n        self.count += 1\n    except BaseException: pass", "line *endless loop"),
    ("while True:\n    try:\n        pass\n    except Exception: pass", "it did not finish within 0.4 s"),
    ("x = 'x'\nwhile True: x += x", "it asks for more memory than a protocol may have"),
    ("list(itertools.repeat(0))", "line {line}: process 1 is active and got Ping from 0: it asks for more memory"),
    ("'%0999999999999d' % 3", "it asks for more memory than a protocol may have"),
    ("def deeper(n): return deeper(n + 1) + 1\ndeeper(0)", "it calls itself without end"),
    ("sys.exit(3)", "line {line}: process 1 is active and got Ping from 0: sys.exit() would end the simulator"),
    ("raise SystemExit(3)", "it ends the program (SystemExit: 3); an action that is finished must return"),
    ("os._exit(3)", "line {line}: process 1 is active and got Ping from 0: os._exit() would end the simulator"),
    ("import ctypes\nctypes.CDLL(None)._exit(3)", "The simulator stopped; the run up to that point is kept"),
    ("import ctypes\nctypes.string_at(0)", "line {next}: the interpreter crashed here (signal 11)"),
    ("os.close(4)", "line {line}: process 1 is active and got Ping from 0: os.close() uses the simulator's own"),
    ("os.closerange(0, 99)", "os.closerange() uses the simulator's own channels"),
    ("for fd in (0, 1): open(fd, 'rb' if fd == 0 else 'wb').close()", "line {line}: process 0"),
    ("os.write(1, b'spoken by hand\\n')", ""),
    ("x = 1 / len(sys.stdin.read() + 'x')", ""),
    ("input()", "line {line}: process 1 is active and got Ping from 0: input() waits for the keyboard"),
    ("for _ in range(600): print('x' * 100_000)", ""),
    ("threading.Thread(target=print).start()", "threading.Thread() starts something outside the run"),
    ("import subprocess; subprocess.run(['sleep', '9'])", "subprocess.run() starts something outside the run"),
    ("os.kill(os.getppid(), 9)", "os.getppid() differs from run to run"),
    ("raise KeyboardInterrupt", "it ends the program (KeyboardInterrupt: ); an action that is finished must return"),
)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="memory and time are bounded otherwise there")
def test_dangerous_code_is_reported_in_sentences(tmp_path: Path) -> None:
    """Each runs in its own process, several at a time."""

    def meet(number: int) -> str:
        what, sentence = DANGERS[number]
        experiment = naughty(tmp_path, what, name=f"naughty{number}")
        loops = any(each in what for each in ("pass", "count()", "(a+)+"))
        with Client.start(experiment, to=None, seconds=0.4 if loops else 9.0, memory=MEMORY, pending=0) as client:
            client.finish(60)
        assert client.child is not None
        assert client.child.poll() is not None
        problem = client.problem or ""
        wanted = [part.format(line=LINE, next=LINE + 1) for part in sentence.split("*")]
        if not all(part in problem for part in wanted) or (problem and not sentence):
            return f"{what}: {problem or 'no word'}"
        if len(client.trace()) < (60 if not sentence else 9):
            return f"{what}: only {len(client.trace())} events are left"
        if "by hand" in what and "spoken by hand" not in client.printed:
            return f"{what}: what it wrote is lost"
        return ""

    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        assert [wrong for wrong in pool.map(meet, range(len(DANGERS))) if wrong] == []


# ---------------------------------------------------------------------- impossible operations


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("time.time()", "time.time() is the real time, which differs from run to run; use self.clock"),
        ("from time import perf_counter as now; now()", "time.perf_counter() is the real time"),
        ("import time as t; t.monotonic_ns()", "time.monotonic_ns() is the real time"),
        ("time.strftime('%Y')", "time.strftime() is the real time"),
        ("time.sleep(1)", "a process must not wait by sleeping; set a timer: self.set_timer(Retry(), after=2.0)"),
        ("datetime.datetime.now()", "datetime.now() is the real time"),
        ("from datetime import date; date.today()", "date.today() is the real time"),
        ("random.random()", "random.random() does not follow the seed, so no run could be repeated; use self.random"),
        ("from random import shuffle; shuffle([1, 2])", "random.shuffle() does not follow the seed"),
        ("random.Random()", "random.Random() without a seed does not follow the seed"),
        ("random.SystemRandom().random()", "random.SystemRandom() does not follow the seed"),
        ("os.urandom(4)", "os.urandom() does not follow the seed"),
        ("uuid.uuid4()", "uuid.uuid4() does not follow the seed"),
        ("secrets.token_hex()", "secrets.token_hex() does not follow the seed"),
        ("import numpy as np; np.random.rand()", "numpy.random.rand() does not follow the seed"),
        ("import numpy.random as r; r.default_rng()", "numpy.random.default_rng() does not follow the seed"),
        ("id(self)", "id() differs from run to run; compare names or fields instead"),
        ("hash(object())", "hash() of an object differs from run to run"),
        ("for q in self.waiting: self.note(q)", "it iterates over a set, whose order may differ from run to run; "
         "iterate over sorted(self.waiting) instead"),
        ("x = [q for q in self.waiting]", "iterate over sorted(self.waiting) instead"),
        ("x = list(self.waiting | {q})", "iterate over sorted(self.waiting | {q}) instead"),
        ("self.note(','.join(self.waiting))", "it iterates over a set"),
        ("a, b = self.waiting", "it iterates over a set"),
        ("x = [*self.waiting]", "it iterates over a set"),
        ("x = min(self.waiting, key=len)", "it iterates over a set"),
        ("self.waiting.pop()", "which item pop() removes from a set may differ from run to run"),
        ("SEEN.append(q)", "it changes SEEN, which all processes share as if they had one memory"),
        ("global COUNT; COUNT += 1", "it changes COUNT, which all processes share"),
        ("global NEW; NEW = 1", "it changes NEW, which all processes share"),
        ("self.everybody.append(self)", "it changes the class variable Naughty.everybody, which all processes share"),
        ("Naughty.TOTAL += 1", "it changes 'TOTAL' of all processes at once"),
        ("type(self).TOTAL = 5", "it changes 'TOTAL' of all processes at once"),
        ("kept.append(q)", "it changes the default of kept in Naughty.back"),
        ("next(NUMBERS)", "it changes NUMBERS"),
        ("CHANCE.random()", "it changes CHANCE"),
        ("self._links[q].target.count = 9", "'_links' belongs to the simulator; a process knows only itself"),
        ("print(self._engine.now)", "'_engine' belongs to the simulator"),
    ],
)  # fmt: skip
def test_forbidden_operations_are_explained_at_their_line(tmp_path: Path, what: str, sentence: str) -> None:
    error = error_of(tmp_path, what)
    assert f"naughty.py, line {LINE}: process 1 is active and got Ping from 0: " in error
    assert sentence in error


def test_shared_memory_ends_the_run_at_the_event_that_changed_it(tmp_path: Path) -> None:
    simulator = Simulator(naughty(tmp_path, "SEEN.append(q)\nself.note('later')"))
    rows = list(simulator.run().trace.events())
    guilty = next(row for row in rows if row.seq == rows[-1].cause)
    assert (rows[-1].kind, rows[-1].time, guilty.kind) == ("error", guilty.time, "receive")
    assert {row.cause for row in rows if row.seq > guilty.seq} == {guilty.seq}


@pytest.mark.parametrize(
    "what",
    [
        "random.Random(3).random()", "time.localtime(0)", "datetime.datetime(2003, 1, 1).isoformat()",
        "x = uuid.uuid5(uuid.NAMESPACE_DNS, 'a')", "import numpy; numpy.random.default_rng(3).random()",
        "x = sorted(self.waiting)", "x = sum(1 for r in self.waiting)", "x = [r for r in {1, 2}]",
        "x = len([r for r in self.waiting])", "x = {r for r in self.waiting}", "x = max(*self.waiting)",
        "for r in self.waiting: self.count += 1", "x = any(r == q for r in self.waiting)", "x = 'x' in self.waiting",
        "local = []; local.append(1)", "x = self.random.random() + self.clock", "helper(self)",
        "x = os.path.join('a', 'b')", "self.way = ['a']; self.send(Path(self.way), to=q); self.way.append('b')",
    ],
)  # fmt: skip
def test_harmless_code_is_left_alone(tmp_path: Path, what: str) -> None:
    tail = "\ndef helper(p):\n    p.count += 1\n"
    result = Simulator(naughty(tmp_path, what, tail)).run()
    assert result.error is None
    assert not [e.detail for e in result.trace.events() if e.kind == "note" and "'b'" in str(e.detail)]


def test_code_that_catches_every_exception_is_still_interrupted(tmp_path: Path) -> None:
    error = error_of(tmp_path, "try:\n    time.time()\nexcept BaseException:\n    pass")
    assert f"naughty.py, line {LINE + 1}: process 1 is active and got Ping from 0: time.time() is the real" in error


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("c.processes[0].count = 5", "it changes 'count' of process 0; a property must only read a configuration"),
        ("c.processes[0].way.append('x')", "must not change anything, but it changes variables of process 0"),
        ("SEEN.append(c.time)", "must not change anything, but it changes SEEN"),
        ("random.random() < 2", "random.random() does not follow the seed"),
    ],
)
def test_a_property_must_not_change_anything(tmp_path: Path, body: str, sentence: str) -> None:
    tail = f"\n@always('all is well')\ndef well(c):\n    {body}\n    return True\n"
    error = error_of(tmp_path, "pass", tail)
    assert sentence in error
    assert 'the property "all is well"' in error
    line = (HEAD + "            pass\n" + tail).splitlines().index(f"    {body}") + 1
    # the code of an action, or the property
    assert any(f"naughty.py, line {each}:" in error for each in (line, line - 2))


def test_sets_and_hashes_give_the_same_texts_in_every_run(tmp_path: Path) -> None:
    what = "self.note(f'{self.waiting} {self.waiting!r:>12}')\nself.note(str(self.waiting))\nself.note(hash(('a', q)))"
    notes = [str(e.detail) for e in Simulator(naughty(tmp_path, what)).run().trace.events() if e.kind == "note"]
    assert notes[0] == str({"text": "{'x', 'y'}   {'x', 'y'}"})
    assert notes[1] == str({"text": "{'x', 'y'}"})
    assert notes[2] == str({"text": str(stable_hash(("a", "0")))})
    again = [str(e.detail) for e in Simulator(naughty(tmp_path, what)).run().trace.events() if e.kind == "note"]
    assert again == notes


def test_modules_of_the_program_are_not_replaced(tmp_path: Path) -> None:
    error_of(tmp_path, "time.time()")
    import time

    assert time.time() > 0
    assert random.random() < 1
    assert id(tmp_path) == id(tmp_path)


def test_the_trace_shows_where_memory_was_shared(tmp_path: Path) -> None:
    result = Simulator(naughty(tmp_path, "SEEN.append(q)")).run()
    last = result.trace.event(len(result.trace) - 1)
    assert (result.stopped, last.kind, last.process) == ("error", "error", "1")
    assert last.detail is not None
    assert last.detail["line"] == LINE
    assert last.cause is not None
    guilty = result.trace.event(last.cause)
    assert (guilty.kind, guilty.label, guilty.process) == ("receive", "Ping", "1")


def test_shared_memory_is_detected_in_a_waiting_live_run(tmp_path: Path) -> None:
    text = HEAD.replace("        self.send(Ping(), to=q)\n", "        if self.count < 4: self.send(Ping(), to=q)\n")
    (tmp_path / "rests.py").write_text(text + "            SEEN.append(q)\n", encoding="utf-8")
    experiment = Experiment(name="t", protocol=str(tmp_path / "rests.py"), network="line:2", seed=1)
    with Client.start(experiment, to=None, linger=True) as client:
        assert client.finish() is not None
    assert "it changes SEEN" in str(client.problem)


# ---------------------------------------------------------------------- many at once


def test_a_thousand_interventions_during_a_run() -> None:
    """Interventions are accepted or refused, answered in order, none lost, and the protocol acts between them."""
    experiment = SPREAD.with_(check=False)
    with Client.start(experiment, to=1, round_time=0.25, pending=1) as client:
        client.until(Pending)
        client.pace(None, linger=True)  # however slowly this process sends, the run does not end before it
        numbers = []
        for i in range(1000):
            what: dict[str, Any] = {"do": ("crash", "recover", "link_down", "drop")[i % 4]}
            where = {"process": str(380 + i % 20)}, {"link": ["0", "1"] if i > 600 else ["398", "399"]}, {"message": i}
            what |= where[max(i % 4 - 1, 0)]
            numbers.append(client.interact(what))
        answers = [client.until(Answered, 60) for _ in numbers]
        client.pace(None, linger=False)
        result = client.finish()
    assert [each.id for each in answers] == numbers
    assert all(each.accepted is (each.intervention is not None) and (each.accepted or each.reason) for each in answers)
    assert [each.round for each in answers] == sorted(each.round for each in answers)
    assert {each.accepted for each in answers} == {True, False}
    assert result is not None
    assert result["events"] > sum(each.accepted for each in answers)
    assert client.experiment is not None
    replayed = Simulator(from_dict(client.experiment)).run()
    assert replayed.fingerprint == client.trace().fingerprint()
    assert np.count_nonzero(client.trace().rows["kind"] == Kind.RECEIVE) > 100  # the protocol acted in between


def test_an_intervention_that_arrives_as_the_run_ends_is_answered() -> None:
    inbox: queue.Queue[Frame | Refused | None] = queue.Queue()
    said: list[Frame] = []

    def say(frame: Frame) -> None:
        said.append(frame)
        if isinstance(frame, Round) and feedback.simulator.stopped is not None and inbox.empty() and not answers():
            inbox.put(Interact(7, frame.round, {"do": "crash", "process": "0"}))

    def answers() -> list[Answered]:
        return [each for each in said if isinstance(each, Answered)]

    feedback = Feedback(Request(SPREAD.to_dict(), to=None), inbox, say)
    assert feedback.run() == 0
    (answer,) = answers()
    assert answer.id == 7
    assert not answer.accepted
    assert answer.reason == "the run has ended"
    assert [each.kind for each in said[-2:]] == ["result", "bye"]


def test_garbled_frames_between_interactions_change_nothing() -> None:
    chance = random.Random(3)
    with Client.start(SPREAD, to=2, pending=1) as client:
        client.until(Pending)
        for i in range(50):
            client.send(bytes(chance.choices(range(256), k=chance.randint(1, 60))).replace(b"\n", b"?") + b"\n")
            answer = client.ask({"do": "crash" if i % 2 == 0 else "recover", "process": "7"})
            assert answer.accepted, answer.reason
        client.pace(None)
        assert client.finish() is not None
        assert client.experiment is not None
        assert len(client.experiment["interventions"]) == 50
        assert Simulator(from_dict(client.experiment)).run().fingerprint == client.trace().fingerprint()
