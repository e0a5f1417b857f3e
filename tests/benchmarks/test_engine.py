"""The engine compared with a bare loop that does the same work, and its memory and growth."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Resolved, Stop
from lydian.model.generators import from_spec
from tests.benchmarks.baseline import Baseline
from tests.benchmarks.conftest import Report, interleaved

ROOT = Path(__file__).resolve().parents[2]


def echo_on(spec: str) -> Resolved:
    network = from_spec(spec).replace(delay=parse("exponential(mean=1)"))
    return Experiment(name="bench", protocol="echo", network=network, seed=1).resolve()


#: Large enough that the first 5,000 events, which are all checked for shared memory, are a small part of the run.
@pytest.mark.parametrize("spec", ["grid:64x64", "gnm:1000,5000,seed=1"])
def test_messages_per_second(spec: str, report: Report) -> None:
    resolved = echo_on(spec)
    n, m = resolved.network.n, resolved.network.m
    expected = 4 * m - 2 * n + 2

    def bare():  # type: ignore[no-untyped-def]
        baseline = Baseline(resolved)
        return lambda: _same(baseline.run(), expected)

    def ours(variables: bool):  # type: ignore[no-untyped-def]
        simulator = Simulator(resolved, variables=variables, check=False)

        def run() -> None:
            simulator._advance(None)
            _same(simulator.kernel.counts()[1], expected)

        return run

    reference = Baseline(resolved)
    reference.run()
    simulator = Simulator(resolved, variables=False, check=False)
    simulator._advance(None)
    mine = simulator.trace.rows.copy()
    mine["round"] = 0
    assert (mine == reference.rows()).all()  # the same execution, row by row

    seconds = interleaved({"bare": bare, "ours": lambda: ours(False), "variables": lambda: ours(True)}, 9)
    ratio, with_variables = seconds["bare"] / seconds["ours"], seconds["bare"] / seconds["variables"]
    report.add(f"ECHO {spec}: messages/s of the bare loop", expected / seconds["bare"], "1/s")
    report.add(f"ECHO {spec}: messages/s", expected / seconds["ours"], "1/s")
    report.add(f"ECHO {spec}: ratio to the bare loop", ratio, "", "at least 0.5")
    report.add(f"ECHO {spec}: ratio, recording variables", with_variables, "", "at least 0.3")
    assert ratio >= 0.5
    assert with_variables >= 0.3


def _same(got: int, expected: int) -> None:
    assert got == expected


PING = """
from lydian import ANY, INIT, Message, Process, on

class Ping(Message):
    pass

class PingPong(Process):
    @on(ANY, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(Ping(), to=q)

    @on(ANY, Ping)
    def back(self, m, q):
        self.send(m, to=q)
"""

CHILD = """
import json, sys, time
from pathlib import Path
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
events = int(sys.argv[2])
e = Experiment(name="x", protocol=sys.argv[1], network=from_spec("complete:30"), stop=Stop(events=events))
s = Simulator(e, variables=False, check=False)
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
before = resident()
start = time.process_time()
s._advance(None)
seconds = time.process_time() - start
print(json.dumps([s.kernel.counts()[1], seconds, resident() - before]))
"""


def test_memory_and_growth(tmp_path: Path, report: Report) -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("resident memory is read the way Linux tells it")
    (tmp_path / "ping.py").write_text(PING)
    found = {}
    for messages in (10_000, 100_000, 1_000_000):
        runs = []
        for _ in range(3):
            done = subprocess.run(
                [sys.executable, "-c", CHILD, str(tmp_path / "ping.py"), str(2 * messages)],
                cwd=ROOT, capture_output=True, text=True, check=True,
            )  # fmt: skip
            runs.append(json.loads(done.stdout))
        sent, seconds, size = sorted(runs, key=lambda run: run[1])[1]
        assert abs(sent - messages) <= 30
        found[messages] = (seconds / sent * 1e6, size / sent)
        report.add(f"{messages:,} messages: time each", found[messages][0], "µs", "linear")
    report.add("1,000,000 messages: memory each", found[1_000_000][1], "bytes", "at most 120")
    growth = found[1_000_000][0] / found[10_000][0]
    report.add("time a message, 10^6 against 10^4", growth, "", "at most 1.5")
    assert found[1_000_000][1] <= 120
    assert growth <= 1.5


def test_set_up(report: Report) -> None:
    resolved = echo_on("gnm:1000,5000,seed=1")
    best = min(_seconds(resolved) for _ in range(5))
    report.within("set-up of ECHO on G(1000, 5000)", best, "loop", 60)


def _seconds(resolved: Resolved) -> float:
    start = time.perf_counter()
    Simulator(resolved)
    return time.perf_counter() - start


HISTORY = """
from lydian import INIT, Message, Process, on, states
GOING, = states("going")
class Tick(Message):
    count: int = 0
class History(Process):
    state = GOING
    log: list[int] = []
    @on(GOING, INIT)
    def start(self):
        self.send(Tick(), to=self.neighbours[0])
    @on(GOING, Tick)
    def tick(self, m, q):
        self.log.append(m.count)
        self.send(Tick(m.count + 1), to=next(r for r in self.neighbours if r != q))
"""


TUPLES = HISTORY.replace("list[int] = []", "tuple[int, ...] = ()").replace("log.append(m.count)", "log += (m.count,)")


@pytest.mark.parametrize(("kind", "text", "most"), [("histories", HISTORY, 1.5), ("histories as tuples", TUPLES, 2.5)])
def test_a_growing_history_costs_the_same_for_each_event(
    tmp_path: Path, report: Report, kind: str, text: str, most: float
) -> None:
    """Compare the CPU time per event among 100,000 events and among 4,000; 25 processes keep everything they receive.

    Python itself copies a tuple whenever an element is added.
    """
    file = tmp_path / "history.py"
    file.write_text(text)
    network = from_spec("ring:25").replace(initiators=("0",))
    best: dict[int, float] = {}
    for _ in range(3):
        for events in (4_000, 100_000):
            stop = Stop(events=events)
            experiment = Experiment(name="bench", protocol=str(file), network=network, seed=1, stop=stop)
            simulator = Simulator(experiment, check=False)
            begun = time.process_time()
            simulator._advance(None)
            seconds = (time.process_time() - begun) / events
            assert simulator.kernel.events() >= events
            best[events] = min(best.get(events, seconds), seconds)
    report.add(f"{kind}: time for an event", 1e6 * best[100_000], "us")
    ratio = best[100_000] / best[4_000]
    report.add(f"{kind}: 100,000 events against 4,000, each", ratio, "", f"at most {most}")
    assert ratio <= most
