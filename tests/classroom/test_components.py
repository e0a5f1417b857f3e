"""Systems split into components: the run, what interfaces see, replicas, steering, records and hostile frames."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from lydian.classroom.components.branch import branched
from lydian.classroom.components.follow import Follower
from lydian.classroom.components.frames import Claim, Enter, Handover, Heartbeat, Publish, Steer, envelope, heard
from lydian.classroom.components.hub import Hub
from lydian.classroom.components.inside import Lab
from lydian.classroom.components.merge import merged, own_trace, whole
from lydian.classroom.components.part import Differs, Part
from lydian.classroom.components.record import Record, read, replay
from lydian.classroom.components.replicas import SILENCE, distance, nearest
from lydian.classroom.components.system import System, split
from lydian.classroom.components.values import read as read_value
from lydian.classroom.components.values import written
from lydian.engine.simulator import Simulator
from lydian.engine.wire import Error, Frame, Refused, encode
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Network, Timing
from lydian.trace.events import Kind, Trace
from lydian.trace.timeline import Timeline
from tests.strategies import connected_networks

#: Delays without a smallest value among those that can occur twice.
SMOOTH = ("uniform(0.5, 1.5)", "uniform(0.2, 3)", "lognormal(mean=1, sd=0.6)", "exponential(mean=1)")
PROTOCOLS = {
    "echo": {}, "flooding": {}, "ricart-agrawala": {}, "raft": {"stop": Stop(until=25.0)}, "lamport-clocks": {},
}  # fmt: skip


def experiment(protocol: str = "echo", network: str | Network = "grid:4x4", seed: int = 3, **more: Any) -> Experiment:
    timing = Timing(delay=parse(more.pop("delay", "uniform(0.5, 1.5)")))
    return Experiment(name="test", protocol=protocol, network=network, seed=seed, timing=timing, **more)


def three(system: System) -> dict[str, tuple[str, ...]]:
    """Return names of three replicas of each component."""
    return {name: tuple(f"{name}-{number}" for number in range(3)) for name in system.names}


class Case:
    """A system, and whether no two of its events happen at the same time at different processes."""

    def __init__(self, system: System, smooth: bool) -> None:
        self.system, self.smooth = system, smooth

    def __repr__(self) -> str:
        return repr(self.system)


@st.composite
def systems(draw: st.DrawFn) -> Case:
    """Generate systems of components."""
    protocol = draw(st.sampled_from(sorted(PROTOCOLS)))
    if protocol in ("echo", "flooding", "lamport-clocks"):
        network = draw(connected_networks(most=9))
    else:
        network = f"complete:{draw(st.integers(2, 6))}"
    law = draw(st.sampled_from(SMOOTH))
    made = Experiment(
        name="test", protocol=protocol, network=network, seed=draw(st.integers(0, 99)), **PROTOCOLS[protocol],
        timing=Timing(delay=parse(law)) if isinstance(network, str) else Timing(),
    )  # fmt: skip
    n = made.resolve().network.n
    if draw(st.booleans()):
        groups: Any = draw(st.integers(1, min(4, n)))
    else:
        colours = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
        names = made.resolve().network.processes
        coloured = list(zip(names, colours, strict=True))
        groups = [[p for p, colour in coloured if colour == each] for each in sorted(set(colours))]
    system = System.of(made, groups, barrier=draw(st.booleans()), pace=draw(st.sampled_from([10.0, 50.0])))
    return Case(system, isinstance(network, str))


def check_messages(trace: Trace) -> None:
    """Check that each message is sent once and arrives at most once, at its receiver and after it was sent."""
    sent: dict[int, int] = {}
    arrived: Counter[int] = Counter()
    for seq, row in enumerate(trace.rows):
        kind, mid = int(row["kind"]), int(row["message"])
        if kind in (Kind.SEND, Kind.INJECT) and mid >= 0:
            assert mid not in sent
            sent[mid] = seq
        elif kind in (Kind.RECEIVE, Kind.DROP):
            arrived[mid] += 1
            assert row["cause"] == sent[mid]
            send = trace.rows[sent[mid]]
            assert (send["process"], send["peer"]) == (row["peer"], row["process"])
            assert row["time"] >= send["time"]
            assert kind == Kind.DROP or (row["lamport"] > send["lamport"] and row["chain"] > send["chain"])
    assert set(arrived.values()) <= {1}
    assert (np.diff(trace.rows["time"]) >= 0).all()


def by_process(trace: Trace) -> dict[str, list[tuple[Any, ...]]]:
    found: dict[str, list[tuple[Any, ...]]] = {name: [] for name in trace.processes}
    for each in trace.events():
        found[str(each.process)].append((each.time, each.kind, each.peer, each.label, each.state, each.lamport))
    return found


# ---------------------------------------------------------------------- the run


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(systems(), st.integers(0, 1000))
def test_a_run_in_components_is_a_run_of_the_protocol(made: Case, seed: int) -> None:
    system, smooth = made.system, made.smooth
    lab = Lab(system, seed=seed)
    lab.run()
    trace = merged(system, lab.hub.logs)
    check_messages(trace)
    again = whole(system, lab.hub.logs)
    assert again.trace.fingerprint() == trace.fingerprint()
    assert all(each.holds is not False for each in again.checks())
    if smooth and (system.exact or len(system.names) == 1):
        assert trace.fingerprint() == Simulator(system.resolved).run().fingerprint
    assert lab.hub.refused == 0


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=25)
@given(systems(), st.integers(0, 1000), st.data())
def test_a_follower_shows_no_effect_before_its_cause(made: Case, seed: int, data: st.DataObject) -> None:
    system = made.system
    lab = Lab(system, seed=seed, delay=lambda chance: chance.expovariate(5))
    lab.run()
    follows = data.draw(st.lists(st.sampled_from(system.names), unique=True))
    follower = Follower(system, follows)
    frames = [frame for log in lab.hub.logs.values() for frame in log]
    random.Random(seed).shuffle(frames)  # worse than any connection: also what one component publishes is out of order
    causes: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for name, log in lab.hub.logs.items():
        for frame in log:
            own = {int(mid): (str(there), int(sent)) for mid, there, _, sent in frame.foreign}
            causes.update({(name, -mid - 1): [cause] for mid, cause in own.items()})
    seen: set[tuple[str, int]] = set()
    rows = {name: own_rows(lab.hub.logs[name]) for name in system.names}
    for frame in [*frames, *frames[:3]]:
        for name, number in follower.heard(frame):
            assert (name, number) not in seen
            assert number == 0 or (name, number - 1) in seen
            for there, sent in causes.get((name, -int(rows[name][number]["message"]) - 1), []):
                assert there not in follower.follows or (there, sent) in seen
            seen.add((name, number))
        for held in follower.held:
            assert (held.component, held.number - 1) not in seen
            assert (held.waits_for, held.until - 1) not in seen
            assert str(held) == f"{held.component} {held.number} waits for {held.waits_for} {held.until}"
    assert follower.waiting == 0
    wanted = {name: lab.hub.seats[name].events for name in follower.follows}
    assert follower.shown == wanted
    if len(follower.follows) == len(system.names):
        assert follower.trace().fingerprint() == merged(system, lab.hub.logs).fingerprint()


def own_rows(log: list[Publish]) -> Any:
    return np.concatenate([each.events() for each in log])


def test_the_trace_of_some_components_opens_like_any_other() -> None:
    system = System.of(experiment(network="grid:5x5"), 4)
    lab = Lab(system)
    some = lab.follow("window", ("B", "D"))
    lab.run()
    trace = some.trace()
    inside = {name for group in ("B", "D") for name in system.groups[group]}
    assert {each.process for each in trace.events()} == inside
    assert Timeline(trace).trace is trace
    everything = merged(system, lab.hub.logs)
    assert Timeline(everything).trace is everything
    assert everything.summary["components"]["A"] == list(system.groups["A"])


def test_what_waits_for_what_is_said_in_words() -> None:
    system = System.of(experiment(network="grid:5x5"), 4)
    lab = Lab(system)
    lab.run()
    follower = Follower(system, ("A", "B"))
    for frame in lab.hub.logs["B"]:
        follower.heard(frame)
    (held,) = follower.held
    assert held.component == "B" and held.waits_for == "A"
    assert str(held) == f"B {held.number} waits for A {held.until}"
    assert follower.knows("B")["A"] == 0
    for frame in lab.hub.logs["A"]:
        follower.heard(frame)
    assert follower.held == () and follower.knows("B")["A"] > 0


@pytest.mark.parametrize("barrier", [False, True])
@pytest.mark.parametrize("protocol", ["echo", "ricart-agrawala", "raft"])
def test_one_component_runs_as_one_simulator_does(protocol: str, barrier: bool) -> None:
    network = "grid:4x4" if protocol == "echo" else "complete:5"
    system = System.of(experiment(protocol, network, **PROTOCOLS[protocol]), 1, barrier=barrier)
    lab = Lab(system)
    lab.run()
    trace, ordinary = merged(system, lab.hub.logs), Simulator(system.resolved).run()
    assert trace.fingerprint() == ordinary.fingerprint
    assert [each.detail for each in trace.events()] == [each.detail for each in ordinary.trace.events()]


@pytest.mark.parametrize("seconds", [2.0, 600.0])
def test_one_component_repeats_interventions_that_follow_a_certain_step(seconds: float) -> None:
    made = (
        Intervention(time=8.25, do="crash", process="2", after=6),
        Intervention(time=12.5, do="recover", process="2", after=27),
    )
    system = System.of(experiment("raft", "complete:5", interventions=made, **PROTOCOLS["raft"]), 1, pace=5.0)
    lab = Lab(system)
    lab.run(until=lambda: lab.hub.over or lab.now > seconds)
    lab.hub.stop()
    lab.run()
    record = Record.of(lab.hub)
    rows = record.trace.rows
    assert [float(each["time"]) for each in rows[rows["kind"] == Kind.CRASH]] == [8.25]
    result = record.result()
    assert result is not None and result.fingerprint == record.trace.fingerprint()
    if seconds > 100:
        assert result.fingerprint == Simulator(system.resolved).run().fingerprint


def test_faults_and_commands_happen_in_the_component_that_they_concern() -> None:
    faults = (
        Intervention(time=1.2, do="crash", process="5"),
        Intervention(time=0.4, do="link_down", link=("6", "10")),
        Intervention(time=2.0, do="link_up", link=("6", "10")),
        Intervention(time=0.1, do="drop", link=("1", "2")),
        Intervention(time=0.1, do="delay", link=("4", "8"), delay=2.5),
        Intervention(time=0.1, do="duplicate", link=("0", "4")),
    )
    made = experiment("flooding", faults=faults, breaks=("reliable", "no crashes"), delay="uniform(0.5, 1.5)")
    for groups in ([["0", "1", "4"], ["2", "3", "5", "6", "7"]], 4):
        system = System.of(made, groups, barrier=True)
        lab = Lab(system)
        lab.run()
        assert merged(system, lab.hub.logs).fingerprint() == Simulator(system.resolved).run().fingerprint


def test_an_overlay_is_split_like_a_network_with_links() -> None:
    made = experiment("causal-delivery", "cluster-12", stop=Stop(until=30.0))
    system = System.of(made, 3, barrier=True)
    lab = Lab(system)
    lab.run()
    assert by_process(merged(system, lab.hub.logs)) == by_process(Simulator(system.resolved).run().trace)


def test_the_connection_adds_to_the_delay_of_the_network() -> None:
    system = System.of(experiment("flooding", "line:2", delay="constant(1)"), 2, pace=10.0)
    lab = Lab(system, delay=lambda chance: 0.1)  # to the meeting point and from there
    lab.run()
    (inputs,) = [each.inputs for each in lab.hub.logs["B"] if each.inputs]
    letter, arrival = envelope(inputs[0]["envelope"]), inputs[0]["arrival"]
    assert letter.arrival - letter.time == 1.0
    assert 2.0 <= arrival - letter.time - 1.0 <= 5.0  # 0.2 s at 10 units a second, and the tick of 20 ms
    system = System.of(experiment("flooding", "line:2", delay="constant(1)"), 2, barrier=True)
    lab = Lab(system, delay=lambda chance: 0.1)
    lab.run()
    assert merged(system, lab.hub.logs).rows["time"].max() == 1.0  # with a barrier the clocks wait


# ---------------------------------------------------------------------- splitting


@given(connected_networks(most=12), st.data())
def test_a_network_is_split_into_connected_parts(network: Network, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, network.n))
    parts = split(network, count)
    assert sorted(name for part in parts for name in part) == sorted(network.processes)
    assert len(parts) == count and all(parts)
    graph = nx.Graph([(link.a, link.b) for link in network.links])
    graph.add_nodes_from(network.processes)
    assert all(nx.is_connected(graph.subgraph(part)) for part in parts)


def test_parts_have_about_the_same_size() -> None:
    for name, count in (("grid:6x6", 4), ("ring:24", 4), ("grid:5x5", 3), ("gnm:40,80", 4)):
        parts = split(experiment(network=name).resolve().network, count)
        sizes = sorted(map(len, parts))
        assert sizes[-1] <= 2 * sizes[0], (name, sizes)


@pytest.mark.parametrize(
    ("made", "groups", "sentence"),
    [
        (("echo", "ring:4"), 5, "from 1 to 4, not 5"),
        (("echo", "ring:4"), [["0", "9"]], "is not a process"),
        (("echo", "ring:4"), [["0"], ["0", "1"]], "in component A and in component B"),
        (("stabilising-colouring", "ring:4"), 2, "read each other's variables"),
        (("lpbcast", Network("all", ("0", "1", "2"), (), ("0", "1", "2"))), 2, "synchronous rounds"),
        (("chord-scribe", "chord-12"), 2, "failure detector"),
    ],
)
def test_what_cannot_be_split_is_refused(made: tuple[str, Any], groups: Any, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        System.of(experiment(*made), groups)


def test_a_system_is_the_same_after_its_way_to_another_computer() -> None:
    system = System.of(experiment("raft", "complete:5", stop=Stop(until=20.0)), 2, barrier=True)
    data = json.loads(json.dumps(system.to_dict(), default=str))
    assert System.from_dict(data).digest == system.digest
    with pytest.raises(BadInput, match="not a system"):
        System.from_dict({"experiment": data["experiment"]})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
        lambda some: (
            st.lists(some)
            | st.lists(some).map(tuple)
            | st.frozensets(st.integers() | st.text())
            | st.sets(st.integers())
            | st.dictionaries(st.text() | st.tuples(st.integers(), st.integers()), some)
        ),
    )
)
def test_values_arrive_as_they_were_sent(value: Any) -> None:
    told = json.loads(json.dumps(written(value)))
    back = read_value(told, {})
    assert back == value and type(back) is type(value)


# ---------------------------------------------------------------------- records


def ran(system: System, **more: Any) -> Lab:
    lab = Lab(system, **more)
    lab.run()
    return lab


@pytest.mark.parametrize("barrier", [False, True])
def test_a_record_repeats_the_run_without_the_components(tmp_path: Path, barrier: bool) -> None:
    system = System.of(experiment("ricart-agrawala", "complete:6"), 3, barrier=barrier)
    record = Record.of(ran(system, seed=7).hub)
    file = tmp_path / "run.json"
    record.save(file)
    again = read(file)
    assert again.fingerprints() == record.fingerprints()
    trace = replay(file)
    assert trace.fingerprint() == record.trace.fingerprint()
    assert trace.summary["checks"] and all(each["holds"] is not False for each in trace.summary["checks"])
    assert {name: len(some) for name, some in again.handovers.items()} == {"A": 1, "B": 1, "C": 1}


@pytest.mark.parametrize("barrier", [False, True])
@pytest.mark.parametrize("seconds", [0.0, 0.7, 3.1, 6.0])
def test_an_interrupted_run_is_judged_as_far_as_it_went(tmp_path: Path, seconds: float, barrier: bool) -> None:
    system = System.of(experiment("raft", "complete:5"), 2, barrier=barrier, pace=3.0)
    lab = Lab(system, delay=lambda chance: chance.expovariate(8))
    lab.run(until=lambda: lab.hub.begun and lab.now > seconds)
    lab.hub.stop()
    lab.run()
    record = Record.of(lab.hub)
    result = record.result()
    assert result is not None and result.stopped == "cancelled" and not result.violated
    assert result.fingerprint == record.trace.fingerprint()
    record.save(tmp_path / "run.json")
    assert replay(tmp_path / "run.json").fingerprint() == result.fingerprint


def test_a_record_that_was_changed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    Record.of(ran(System.of(experiment(), 2)).hub).save(file)
    data = json.loads(file.read_text())

    def refused(what: Any, sentence: str) -> None:
        file.write_text(json.dumps(what))
        with pytest.raises(BadInput, match=sentence):
            read(file)

    refused({**data, "format": "other"}, "its format must be lydian-components 1")
    refused({**data, "batches": {}}, "every component")
    refused({key: value for key, value in data.items() if key != "batches"}, "'batches' is missing")
    refused({**data, "batches": {**data["batches"], "A": [{"inputs": [], "until": 1, "most": math.inf}]}}, "damaged")
    refused({**data, "system": {**data["system"], "groups": 3}}, "not a system")
    changed = json.loads(json.dumps(data))
    inputs = next(each for each in changed["batches"]["B"] if each["inputs"])
    inputs["inputs"][0]["arrival"] += 0.25
    refused(changed, "other events|did not send")
    changed = json.loads(json.dumps(data))
    letter = next(each for each in changed["batches"]["B"] if each["inputs"])["inputs"][0]["envelope"]
    letter["label"] = "Ack" if letter["label"] != "Ack" else "Broadcast"
    refused(changed, "did not send|a damaged record")
    refused([1, 2], "not a record")
    file.write_text(json.dumps(data)[:-20])
    with pytest.raises(BadInput, match=r"run\.json: is damaged"):
        read(file)


def test_a_run_departs_from_a_record() -> None:
    record = Record.of(ran(System.of(experiment(network="grid:5x5"), 4), seed=2).hub)
    victim = record.system.groups["C"][0]
    other = branched(record, "C", 1, "Ben", {"do": "crash", "process": victim})
    assert [(each["author"], each["process"]) for each in other.interventions] == [("Ben", victim)]
    at = other.interventions[0]["time"]
    before = [each for each in record.trace.events() if each.time < at and each.process != victim]
    after = [each for each in other.trace.events() if each.time < at and each.process != victim]
    assert [(e.time, e.kind, e.process) for e in before] == [(e.time, e.kind, e.process) for e in after]
    check_messages(other.trace)
    assert "crash" in {each.kind for each in other.trace.events()}
    with pytest.raises(BadInput, match="no component"):
        branched(record, "Z", 0, "Ben", {"do": "crash", "process": victim})
    with pytest.raises(BadInput, match="does not simulate"):
        branched(record, "A", 1, "Ben", {"do": "crash", "process": victim})


# ---------------------------------------------------------------------- steering


@pytest.mark.parametrize("barrier", [False, True])
def test_simulated_time_stands_still_while_the_components_are_paused(barrier: bool) -> None:
    system = System.of(experiment("raft", "complete:5", **PROTOCOLS["raft"]), 2, barrier=barrier, pace=3.0)
    lab = Lab(system, three(system))
    hub = lab.hub
    with pytest.raises(Refused, match="has not begun"):
        hub.pause(True, lab.now)
    lab.run(lambda: all(seat.events > 20 for seat in hub.seats.values()))
    for on in (True, True):  # twice is once
        hub.pause(on, lab.now)
    begun, stood = lab.now, hub.clock(lab.now)
    lab.run(lambda: lab.now > begun + 2)
    counts = {name: seat.events for name, seat in hub.seats.items()}
    old = hub.seats["B"].acting
    lab.kill(old)
    lab.run(lambda: lab.now > begun + 6)
    assert hub.seats["B"].acting != old
    assert {name: seat.events for name, seat in hub.seats.items()} == counts
    assert hub.clock(lab.now) == stood
    if not barrier:
        hub.steer("A", {"do": "crash", "process": system.groups["A"][0]}, "Ben")
        lab.run(lambda: hub.seats["A"].events > counts["A"])
        assert hub.seats["A"].log[-1].time <= stood + system.pace * 0.2
    hub.pause(False, lab.now)
    lab.run()
    assert hub.outcome == "until" and all(hub.seats[name].events > counts[name] for name in counts)
    assert Record.of(hub).result() is not None
    with pytest.raises(Refused, match="has ended"):
        hub.pause(True, lab.now)


def test_what_connects_two_components_is_known_with_its_mean_delay() -> None:
    system = System.of(experiment(network="grid:4x4"), [["0", "1", "4", "5"], ["2", "3", "6", "7"]])
    rest = ["8", "9", "10", "11", "12", "13", "14", "15"]
    assert system.groups["B"] == ("2", "3", "6", "7", *rest)
    assert {pair: sorted((each.a, each.b) for each in links) for pair, links in system.crossings.items()} == {
        ("A", "B"): [("1", "2"), ("4", "8"), ("5", "6"), ("5", "9")],
    }
    assert system.mean_delay(system.crossings["A", "B"]) == 1.0 and system.mean_delay([]) is None
    wild = System.of(experiment(network="ring:4", delay="pareto(mean=1, a=2.5)"), 2)
    assert wild.mean_delay(wild.crossings["A", "B"]) == pytest.approx(1.0)


def test_a_user_steers_a_component_and_is_named() -> None:
    system = System.of(experiment(network="grid:5x5", breaks=("no crashes",)), 4, pace=2.0)
    lab = Lab(system)
    answers: list[Frame] = []
    lab.hub.say, say = lambda to, frame: answers.append(frame) if to == "ben" else say(to, frame), lab.hub.say
    lab.run(until=lambda: lab.hub.begun)
    lab.hub.heard("ben", Enter("steer", "secret", "Ben", "B"), lab.now)
    victim, stranger = system.groups["B"][0], system.groups["A"][0]
    lab.hub.heard("ben", Steer("B", 5, {"do": "crash", "process": victim}), lab.now)
    lab.hub.heard("ben", Steer("B", 6, {"do": "crash", "process": stranger}), lab.now)
    lab.hub.heard("ben", Steer("B", 7, {"do": "dance"}), lab.now)
    lab.run()
    told = {each.id: (each.accepted, each.reason) for each in answers if each.kind == "answer"}  # type: ignore[attr-defined]
    assert told[5] == (True, "")
    assert told[6] == (False, "component B does not simulate that process")
    assert told[7][0] is False and "dance" in told[7][1]
    record = Record.of(lab.hub)
    assert [(each["author"], each["component"]) for each in record.interventions] == [("Ben", "B")]
    assert whole(system, lab.hub.logs).trace.fingerprint() == record.trace.fingerprint()


def test_a_program_steers_a_component() -> None:
    def newest_first(part: Part) -> list[dict[str, Any]]:
        """Let the newest message arrive first, whatever its delay."""
        coming = part.simulator.kernel.queue.coming()
        mine = [each for each in coming if not part.simulator.execution.busy(each.channel.target)]
        if part.batches % 3 or not mine:
            return []
        return [{"do": "deliver", "message": max(each.id for each in mine)}]

    system = System.of(experiment(network="grid:5x5"), 3)
    lab = Lab(system, steer={"B": newest_first})
    lab.run()
    record = Record.of(lab.hub)
    assert {each["author"] for each in record.interventions} == {"program on computer-B"}
    check_messages(record.trace)
    result = record.result()
    assert result is not None and not result.violated


# ---------------------------------------------------------------------- replicas


def test_the_nearest_name_acts() -> None:
    names = [f"lab-{number:02}" for number in range(30)]
    assert nearest("D", names) == min(names, key=lambda each: distance("D", each))
    assert nearest("D", []) == ""
    assert all(0 <= distance("D", each) <= 0.5 for each in names)
    acting = Counter(nearest(component, names) for component in map(str, range(200)))
    assert len(acting) > 15  # no computer is responsible for everything


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.booleans(), st.data())
def test_nothing_published_is_lost_or_doubled_when_replicas_die(seed: int, barrier: bool, data: st.DataObject) -> None:
    system = System.of(experiment("ricart-agrawala", "complete:6"), 3, barrier=barrier, pace=8.0)
    lab = Lab(system, three(system), seed=seed)
    follower = lab.follow("window")
    for _ in range(data.draw(st.integers(1, 4))):
        component = data.draw(st.sampled_from(system.names))
        seat = lab.hub.seats[component]
        count = seat.events + data.draw(st.integers(0, 12))
        lab.run(until=lambda seat=seat, count=count: lab.hub.over or (lab.hub.begun and seat.events >= count))
        alive = [name for name in seat.replicas if name not in lab.dead]
        if lab.hub.over or len(alive) < 2 or seat.acting in lab.dead:
            continue
        before, epoch, since = list(seat.log), seat.epoch, lab.now
        lab.kill(seat.acting)
        lab.run(until=lambda seat=seat, epoch=epoch: lab.hub.over or seat.epoch > epoch)
        assert lab.hub.over or lab.now - since < 2.0
        assert seat.log[: len(before)] == before
    lab.run()
    trace = merged(system, lab.hub.logs)
    check_messages(trace)
    assert follower.trace().fingerprint() == trace.fingerprint()
    assert [frame.first for frame in lab.hub.logs["A"]] == [
        sum(each.count for each in lab.hub.logs["A"][:index]) for index in range(len(lab.hub.logs["A"]))
    ]
    if barrier:
        assert trace.fingerprint() == Simulator(system.resolved).run().fingerprint
    again = whole(system, lab.hub.logs)
    assert again.trace.fingerprint() == trace.fingerprint() and all(each.holds is not False for each in again.checks())


def test_a_replica_that_was_only_slow_gives_way() -> None:
    system = System.of(experiment(network="grid:5x5"), 2, pace=2.0)
    lab = Lab(system, three(system))
    lab.follow("window")
    seat = lab.hub.seats["B"]
    lab.run(until=lambda: seat.events > 5)
    old, events = seat.acting, seat.events
    lab.freeze(old)
    lab.run(until=lambda: seat.epoch == 2)
    assert seat.acting == nearest("B", [name for name in three(system)["B"] if name != old])
    lab.run(until=lambda: seat.events > events)
    lab.thaw(old)
    lab.run()
    assert lab.replicas[old].problem is None
    assert not lab.replicas[old].going and lab.replicas[old].epoch == seat.epoch
    told = [each for each in lab.handovers if each.component == "B"]
    assert [(each.old, each.new, each.epoch) for each in told[:2]] == [("", old, 1), (old, seat.acting, 2)]
    assert SILENCE * 0.8 <= told[1].silent < 2.0
    assert [each.believers for each in told[2:]] in ([], [[old]])
    check_messages(merged(system, lab.hub.logs))
    assert lab.replicas[old].part is not None
    assert lab.replicas[old].part.events == seat.events  # it follows again


def test_two_replicas_that_both_believe_it_is_their_turn_are_found() -> None:
    system = System.of(experiment(network="grid:5x5"), 2, pace=0.8)
    lab = Lab(system, three(system))
    lab.follow("window")
    seat = lab.hub.seats["B"]
    lab.run(until=lambda: seat.events > 5)
    first = seat.acting
    near, far = sorted((name for name in three(system)["B"] if name != first), key=lambda name: distance("B", name))
    lab.cut.add(near)  # its line carries nothing for a while, so the other does not hear it
    lab.kill(first)
    lab.run(until=lambda: seat.acting == far)
    assert seat.epoch == 2
    lab.replicas[near].say(Heartbeat("B", near, lab.now))
    lab.cut.discard(near)
    lab.replicas[near].say(Claim("B", near, 2, 0.7))
    lab.run(until=lambda: seat.epoch == 3)
    assert seat.acting == near
    assert seat.handovers[-1].believers == [far]
    lab.run()
    assert not lab.replicas[far].going
    told = [each for each in lab.handovers if each.component == "B"]
    assert (told[-1].old, told[-1].new, told[-1].believers) == (far, near, [far])
    check_messages(merged(system, lab.hub.logs))


def test_the_farther_of_two_believers_gives_way() -> None:
    system = System.of(experiment(network="grid:5x5"), 2, pace=0.8)
    lab = Lab(system, three(system))
    lab.follow("window")
    seat = lab.hub.seats["B"]
    lab.run(until=lambda: seat.events > 5)
    first = seat.acting
    near, far = sorted((name for name in three(system)["B"] if name != first), key=lambda name: distance("B", name))
    lab.kill(first)
    lab.run(until=lambda: seat.acting == near)
    lab.replicas[far].say(Claim("B", far, 2, 0.7))
    lab.run(until=lambda: bool(seat.handovers[-1].believers))
    assert (seat.acting, seat.epoch, seat.handovers[-1].believers) == (near, 2, [far])
    lab.run()
    check_messages(merged(system, lab.hub.logs))


def test_a_claim_is_refused_while_the_acting_replica_is_heard() -> None:
    system = System.of(experiment(network="grid:5x5"), 2, pace=0.8)
    lab = Lab(system, three(system))
    seat = lab.hub.seats["A"]
    lab.run(until=lambda: seat.events > 2)
    acting = seat.acting
    other = next(name for name in three(system)["A"] if name != acting)
    lab.replicas[other].say(Claim("A", other, 2, 0.7))
    lab.run()
    assert (seat.acting, seat.epoch) == (acting, 1)


def test_a_replica_leaves_and_another_joins() -> None:
    system = System.of(experiment(network="grid:5x5"), 2, pace=2.0)
    lab = Lab(system, three(system))
    seat = lab.hub.seats["A"]
    lab.run(until=lambda: seat.events > 5)
    first, now = seat.acting, lab.now
    lab.replicas[first].say(lab_leave("A", first))
    lab.dead.add(first)
    lab.run(until=lambda: seat.epoch == 2)
    assert lab.now - now < SILENCE
    lab._add("A", "newcomer", None)
    lab.run(until=lambda: "newcomer" in seat.replicas)
    for name in [name for name in three(system)["A"] if name != first]:
        lab.kill(name)
    lab.run(until=lambda: lab.hub.over or seat.acting == "newcomer")
    lab.run()
    check_messages(merged(system, lab.hub.logs))


def lab_leave(component: str, name: str) -> Frame:
    from lydian.classroom.components.frames import Leave

    return Leave(component, name)


def test_a_protocol_that_does_not_repeat_is_noticed() -> None:
    system = System.of(experiment(network="grid:4x4"), 2)
    lab = ran(system)
    log = lab.hub.logs["A"]
    part = Part(system, "A")
    changed = replace(log[0], rows=log[0].rows[:-8] + "AAAAAAA=")
    with pytest.raises(Differs, match="does not repeat batch 0"):
        part.repeat(changed)
    with pytest.raises(Refused, match="must come before"):
        Part(system, "A").repeat(log[1])


def test_a_replica_that_does_not_repeat_what_was_published_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System.of(experiment(network="grid:4x4"), 2)
    lab = Lab(system, three(system))
    seat = lab.hub.seats["A"]
    lab.run(until=lambda: len(seat.delays) == 3)
    name = next(each for each in seat.replicas if each != seat.acting)

    def differs(*_: Any) -> None:
        raise Differs("not the same")

    monkeypatch.setattr(lab.replicas[name].part, "repeat", differs)
    lab.run(until=lambda: name not in seat.replicas)
    if not lab.hub.over:
        lab.kill(seat.acting)
    lab.run()
    assert lab.replicas[name].problem == "not the same" and lab.hub.refused == 0
    assert name not in [each.new for each in seat.handovers] and len(seat.handovers) == 2


# ---------------------------------------------------------------------- hostile frames


class Door:
    """A meeting point with two components that have begun, and what it answers."""

    def __init__(self) -> None:
        self.system = System.of(experiment(network="grid:3x3"), 2)
        self.said: list[tuple[Any, Frame]] = []
        self.closed: list[Any] = []
        self.hub = Hub(self.system, "secret", lambda to, frame: self.said.append((to, frame)), self.closed.append)
        for name in self.system.names:
            self.hub.heard(name, Enter("part", "secret", f"computer-{name}", name), 0.0)
        self.parts = {name: Part(self.system, name) for name in self.system.names}

    def batch(self, name: str, until: float) -> Publish:
        return replace(self.parts[name].advance(until), epoch=1)

    def errors(self) -> list[str]:
        return [frame.text for _, frame in self.said if isinstance(frame, Error)]


def test_what_a_component_may_not_publish_is_refused() -> None:
    door = Door()
    good = door.batch("A", 5.0)
    letter = envelope(good.envelopes[0])
    rows = good.events().copy()
    rows[0]["process"] = door.system.network.index[door.system.groups["B"][0]]
    from lydian.engine.wire import packed

    stranger = door.system.groups["B"][0]

    def with_row(column: str, value: Any) -> Publish:
        changed = good.events().copy()
        changed[-1][column] = value
        return replace(good, rows=packed(changed))

    bad: list[Publish] = [
        replace(good, index=1),
        replace(good, first=4),
        replace(good, count=good.count + 1),
        replace(good, rows="%%%"),
        replace(good, rows=packed(rows)),
        replace(good, details=[["0", 1]]),
        replace(good, joins=[[0, [0, 99]]]),
        replace(good, foreign=[[0, "Z", 0, 0]]),
        replace(good, labels=[1]),
        replace(good, details=[[0, "{"]]),
        replace(good, details=[[9999, "{}"]]),
        replace(good, foreign=[[0, "B", 0, 0]]),
        replace(good, inputs=[{"id": [], "what": {}, "accepted": True}]),
        *(
            with_row(column, value)
            for column, value in (
                ("time", -1.0), ("time", float("nan")), ("label", 99), ("state", 77), ("cause", 9999), ("peer", 99),
                ("kind", 99), ("message", -7),
            )
        ),
        replace(good, inputs=[{"envelope": good.envelopes[0], "arrival": 9.0}]),
        replace(good, inputs=["x"]),
        replace(good, component="B"),
        *(
            replace(good, envelopes=[{**letter.to_dict(), **change}, *good.envelopes[1:]])
            for change in (
                {"source": stranger}, {"target": letter.source}, {"label": "Nothing"}, {"fields": {"no": 1}},
                {"number": 7}, {"sent": 0}, {"message": 55}, {"arrival": -1.0}, {"vector": [0]}, {"component": "B"},
                {"kind": "bye"}, {"time": "x"}, {"batch": 3},
            )
        ),
    ]  # fmt: skip
    for frame in bad:
        before = len(door.errors())
        door.hub.heard("A", encode(frame), 0.0)
        assert len(door.errors()) == before + 1, frame
        assert door.hub.seats["A"].log == [] and door.hub.seats["B"].letters["A"] == []
    door.hub.heard("A", encode(good), 0.0)
    assert len(door.hub.seats["A"].log) == 1 and door.hub.seats["B"].letters["A"][0] == letter
    door.hub.heard("A", encode(good), 0.0)  # the same again
    assert len(door.hub.seats["A"].log) == 1


def test_without_the_secret_nobody_takes_part() -> None:
    door = Door()
    for frame in (Enter("part", "guess", "x", "A"), Steer("A", 1, {"do": "crash", "process": "0"})):
        door.hub.heard("mallory", frame, 0.0)
    assert door.closed == ["mallory"]
    assert any("must be enter" in text for text in door.errors())
    door.hub.heard("eve", Enter("follow", "secret", "Eve"), 0.0)
    door.hub.heard("eve", door.batch("A", 0.1), 0.0)
    assert "publish comes only from a part" in door.errors()
    door.hub.heard("eve", Steer("A", 1, {"do": "crash", "process": "0"}), 0.0)
    assert "only a connection that entered to steer can steer" in door.errors()
    door.hub.heard("twin", Enter("part", "secret", "computer-A", "A"), 0.0)
    assert "a replica of component A is called computer-A already; choose another name" in door.errors()
    door.hub.heard("new", Enter("part", "secret", "\x07", "A"), 0.0)
    door.hub.heard("new", Enter("part", "secret", "x", "Q"), 0.0)
    assert door.hub.seats["A"].replicas == {"computer-A": "A"}


def test_a_replica_whose_connection_is_lost_returns_under_its_name() -> None:
    door = Door()
    door.hub.heard("later", Enter("part", "secret", "computer-A", "A"), SILENCE - 0.1)
    assert door.errors() == ["a replica of component A is called computer-A already; choose another name"]
    door.hub.heard("later", Enter("part", "secret", "computer-A", "A"), SILENCE + 0.1)
    assert (door.hub.seats["A"].replicas, door.closed) == ({"computer-A": "later"}, ["A"])
    door.hub.left("A", SILENCE + 0.2)
    assert door.hub.seats["A"].replicas == {"computer-A": "later"}
    door.hub.heard("later", door.batch("A", 0.3), SILENCE + 0.2)
    assert len(door.hub.seats["A"].log) == 1


def test_any_component_is_one_without_a_replica_of_that_name() -> None:
    door = Door()
    door.hub.heard("other", Enter("part", "secret", "other", "B"), 0.0)
    door.hub.heard("new", Enter("part", "secret", "computer-A"), 0.0)
    assert door.hub.seats["B"].replicas["computer-A"] == "new"


JUNK = st.one_of(
    st.binary(max_size=80),
    st.text(max_size=80),
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
                 lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=6), some, max_size=4),
                 max_leaves=8).map(json.dumps),
)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(JUNK, max_size=30), st.data())
def test_garbage_has_no_effect(junk: list[Any], data: st.DataObject) -> None:
    door = Door()
    good = door.batch("A", 0.3)
    fields = good.to_dict()
    for each in junk:
        door.hub.heard(data.draw(st.sampled_from(["A", "B", "stranger"])), each, 0.0)
    for name in data.draw(st.lists(st.sampled_from(sorted(fields)), max_size=4)):
        value = data.draw(st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=3))
        assume(value != fields[name])
        door.hub.heard("A", json.dumps({**fields, name: value}), 0.0)
        if door.hub.seats["A"].log:  # the change does no harm, such as another time of the next event
            return
    assert door.hub.seats["A"].log == []
    door.hub.heard("A", encode(good), 0.0)
    assert len(door.hub.seats["A"].log) == 1


def test_a_connection_that_sends_only_garbage_is_closed() -> None:
    door = Door()
    for _ in range(300):
        door.hub.heard("noise", b"\xff\x00", 0.0)
    assert "noise" in door.closed
    assert all(isinstance(frame, Error) for to, frame in door.said if to == "noise")


def test_every_frame_survives_its_way() -> None:
    lab = ran(System.of(experiment(), 2))
    for frame in [*lab.hub.logs["A"], *lab.hub.seats["A"].handovers]:
        back = heard(encode(frame))
        assert back == frame
        assert isinstance(back, Publish | Handover)
    assert (
        own_trace(lab.system, "A", [heard(encode(each)) for each in lab.hub.logs["A"]]).fingerprint()
        == own_trace(  # type: ignore[misc]
            lab.system, "A", lab.hub.logs["A"]
        ).fingerprint()
    )


def test_the_program_of_the_guide_steers() -> None:
    page = (Path(__file__).parents[2] / "resources" / "guide" / "components.md").read_text(encoding="utf-8")
    (code,) = [block for block in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "slowest_first" in block]
    scope: dict[str, Any] = {"__name__": "guide"}
    exec(code, scope)
    system = System.of(experiment(network="grid:5x5"), 4)
    lab = ran(system, steer={"C": scope["slowest_first"]})
    record = Record.of(lab.hub)
    assert {each["component"] for each in record.interventions} == {"C"}
    result = record.result()
    assert result is not None and not result.violated and result.stopped == "quiescent"
