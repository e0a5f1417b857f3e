"""Messages between processes without links compared with messages along links, in time and memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment, Resolved, Stop
from lydian.model.generators import from_spec
from lydian.model.network import Timing
from tests.benchmarks.conftest import Report, interleaved

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = '''"""Gossip: in every round everybody writes to twenty others, drawn anew."""
from lydian import ANY, INIT, Message, Process, Timer, on, overlay, parameter


class News(Message):
    """Some news."""


class Round(Timer):
    """The next round."""


class Gossip(Process):
    needs = NEEDS
    rounds: int = parameter(50)
    done: int = 0

    @on(ANY, INIT)
    def begin(self):
        self.set_timer(Round(), after=1.0)

    @on(ANY, News)
    def hear(self, m, q):
        pass

    @on(ANY, Round)
    def round(self):
        self.done += 1
        for q in self.random.sample(OTHERS, 20):
            if q != self.me:
                self.send(News(), to=q)
        if self.done < self.rounds:
            self.set_timer(Round(), after=1.0)
'''
#: The difference: the possible receivers.
NEEDS = {"overlay": ("overlay", "self.everybody"), "links": ("()", "self.neighbours")}


#: Below this number of bytes per message the growth of a process is meaningless: it may fit into memory reserved at the
#: start.
LEAST = 4.0


def gossip(folder: Path, kind: str, n: int, rounds: int) -> Resolved:
    """Return the protocol on a ring that is not used, or along the links of a random network with 120 links per
    process.
    """
    needs, others = NEEDS[kind]
    path = folder / f"{kind}.py"
    path.write_text(PROTOCOL.replace("NEEDS", needs).replace("OTHERS", others))
    network = from_spec(f"ring:{n}" if kind == "overlay" else f"gnm:{n},{60 * n},seed=1")
    everybody = Timing(initiators=network.processes)
    more = {"parameters": {"rounds": rounds}, "timing": everybody, "stop": Stop(events=10_000_000)}
    return Experiment(name="bench", protocol=str(path), network=network, seed=1, **more).resolve()  # type: ignore[arg-type]


def test_messages_without_links(tmp_path: Path, report: Report) -> None:
    simulators = {kind: gossip(tmp_path, kind, 300, 5) for kind in NEEDS}
    sent: dict[str, int] = {}

    def ready(kind: str):  # type: ignore[no-untyped-def]
        simulator = Simulator(simulators[kind], variables=False, check=False)

        def run() -> None:
            simulator._advance(None)
            sent[kind] = simulator.kernel.counts()[1]

        return run

    seconds = interleaved({kind: partial(ready, kind) for kind in NEEDS}, 5)
    each = {kind: seconds[kind] / sent[kind] * 1e6 for kind in NEEDS}
    for kind in NEEDS:
        report.add(f"gossip among 300, {kind}: a message", each[kind], "us")
    report.add("overlay to links, time of a message", each["overlay"] / each["links"], "", "at most 1.5")
    assert each["overlay"] <= 1.5 * each["links"]


def test_memory_of_messages_without_links(tmp_path: Path, report: Report) -> None:
    """A thousand processes send a million messages, and nothing is stored for a pair."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("resident memory is read the way Linux tells it")
    found = {}
    for kind in NEEDS:
        code = f"from tests.benchmarks.test_overlay import grown; print(grown({str(tmp_path)!r}, {kind!r}))"
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        found[kind] = float(done.stdout)
        report.add(f"gossip among 1,000, {kind}: memory of a message", found[kind], "bytes")
    bound = max(1.5 * found["links"], LEAST)
    report.add("overlay, memory of a message to its bound", found["overlay"] / bound, "", "at most 1")
    assert found["overlay"] <= bound


def grown(folder: str, kind: str) -> float:
    """Return the bytes per message by which a run of a thousand processes makes its own process grow.

    The current resident memory is compared: in a child, the maximum begins with what its parent had.
    """
    simulator = Simulator(gossip(Path(folder), kind, 1_000, 50), variables=False, check=False)
    before = resident()
    simulator._advance(None)
    return (resident() - before) / simulator.kernel.counts()[1]


def resident() -> int:
    """Return the bytes of this process that are in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()
