"""View synchrony: in every run with crashes, and its violation without a flush."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from tests.strategies import DELAYS

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
SYNCHRONY = "view synchrony: processes that install the same two consecutive views deliver the same messages in between"


def say(time: float, process: str, x: str) -> Intervention:
    return Intervention(time, "command", process=process, label="Say", keys={"fields": {"x": x}})


def ran(n: int, crashes: list[tuple[float, str]], says: list[Intervention], delay: str, **words: Any) -> Simulator:
    network = from_spec(f"complete:{n}")
    network = network.replace(initiators=network.processes, delay=parse(delay), order="fifo")
    faults = tuple(Intervention(time, "crash", process=p) for time, p in crashes)
    experiment = Experiment(
        "t", protocol="view-synchrony", network=network, faults=faults, workload=tuple(says), **words
    )
    simulator = Simulator(experiment.resolve(ARCHIVE))
    simulator.run()
    return simulator


@settings(max_examples=20, deadline=None)
@given(st.data(), st.integers(2, 6), st.sampled_from(DELAYS), st.integers(0, 99), st.sampled_from([0.5, 2.0, 9.0]))
def test_views_are_synchronous_whatever_crashes(data: Any, n: int, delay: str, seed: int, notice: float) -> None:
    names = [str(i) for i in range(n)]
    times = st.floats(0.1, 12.0)
    crashes = data.draw(st.lists(st.tuples(times, st.sampled_from(names)), max_size=n - 1, unique_by=lambda c: c[1]))
    moments = data.draw(st.lists(st.tuples(times, st.sampled_from(names)), max_size=12))
    says = [say(time, p, str(number)) for number, (time, p) in enumerate(moments)]
    simulator = ran(n, crashes, says, delay, seed=seed, parameters={"notice": notice})
    assert simulator.error is None
    assert [check.name for check in simulator.checks() if check.holds is False] == []


def test_the_survivors_pass_on_what_a_crashed_process_has_said() -> None:
    """Process 1 reaches only 0 and 2 before the flush; 3 delivers its message with the next view, and once."""
    simulator = Simulator(ARCHIVE.experiment("view-synchrony").resolve(ARCHIVE))
    simulator.run()
    delivered = simulator.configuration.delivered
    assert delivered["3"].count("1: b") == 1
    rows = [each for each in simulator.trace.events() if each.process == "3" and each.kind in ("deliver", "decide")]
    told = [(each.detail or {})["value"] for each in rows]
    assert told.index("1: b") < told.index([2, "0", "2", "3"]) < told.index("2: c")


def test_without_a_flush_survivors_differ() -> None:
    simulator = Simulator(ARCHIVE.experiment("view-synchrony-no-flush").resolve(ARCHIVE))
    simulator.run()
    broken = [check.name for check in simulator.checks() if check.holds is False]
    assert broken == [SYNCHRONY]


def test_a_second_collector_lets_the_others_follow_first() -> None:
    simulator = Simulator(ARCHIVE.experiment("view-synchrony-collector").resolve(ARCHIVE))
    simulator.run()
    views = {
        name: [(each.detail or {})["value"][0] for each in simulator.trace.events()
               if each.kind == "decide" and each.process == name]
        for name in simulator.network.processes
    }  # fmt: skip
    assert views == {"0": [1, 2], "1": [1, 2, 3], "2": [1, 2, 3], "3": [1, 2, 3], "4": [1]}


def test_what_is_said_during_a_flush_belongs_to_the_next_view() -> None:
    simulator = ran(3, [(1.0, "2")], [say(4.5, "1", "late")], "constant(1)")
    observer = next(each for each in simulator.protocol.properties[0].observers if each.__name__ == "Views")
    assert simulator.configuration.observer(observer).home == {"1: late": "[2, '0', '1']"}


def test_a_broadcast_takes_a_message_for_each_other_member() -> None:
    simulator = ran(5, [], [say(1.0, "0", "a"), say(2.0, "3", "b")], "constant(1)")
    assert sum(each.kind == "send" for each in simulator.trace.events()) == 2 * 4
