"""Overlay sends: a process can send to any process whose name it has, with or without a link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lydian.batch.replay import judge_trace
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network, Timing
from lydian.trace.events import Event

PROTOCOL = '''"""Calls: the initiator writes to everybody, and everybody answers."""
from lydian import ANY, INIT, Message, Process, always, on, overlay


class Call(Message):
    number: int = 0


class Answer(Message):
    number: int = 0


class Calls(Process):
    needs = overlay
    heard: int = 0
    known: tuple[str, ...] = ()

    @on(ANY, INIT)
    def call(self):
        self.known = self.everybody
        for number in range(3):
            for q in self.everybody:
                if q != self.me:
                    self.send(Call(number), to=q)

    @on(ANY, Call)
    def answer(self, m, q):
        self.send(Answer(m.number), to=q)

    @on(ANY, Answer)
    def hear(self, m, q):
        self.heard += 1


@always("who is called can be found")
def found(c):
    return all(c.across(p, q).me == q for p in c.processes for q in p.known if q != p.me)
'''
LOOSE = Network(
    "loose", ("0", "1", "2", "10"), (Link("0", "1", delay=parse("constant(5)")),), ("0",), delay=parse("constant(1)")
)


@pytest.fixture
def calls(tmp_path: Path) -> str:
    path = tmp_path / "calls.py"
    path.write_text(PROTOCOL)
    return str(path)


def run(protocol: str, *done: Intervention, network: Any = LOOSE, **more: Any) -> tuple[Simulator, list[Event]]:
    simulator = Simulator(Experiment(name="test", protocol=protocol, network=network, faults=done, **more))
    result = simulator.run()
    assert result.error is None
    return simulator, list(result.trace.events())


def received(events: list[Event]) -> list[tuple[float, str | None, str | None, str | None]]:
    return [(e.time, e.process, e.peer, e.label) for e in events if e.kind == "receive"]


def test_links_use_their_own_delay_and_other_pairs_that_of_the_network(calls: str) -> None:
    simulator, events = run(calls)
    assert simulator.processes[0].everybody == ("0", "1", "2", "10")
    times = sorted(set(received(events)), key=lambda each: (each[0], str(each[1]), str(each[2])))
    assert times == [
        (1.0, "10", "0", "Call"), (1.0, "2", "0", "Call"),
        (2.0, "0", "10", "Answer"), (2.0, "0", "2", "Answer"),
        (5.0, "1", "0", "Call"), (10.0, "0", "1", "Answer"),
    ]  # fmt: skip
    assert simulator.processes[0].heard == 9
    assert simulator.result().measures["messages"] == 18


def test_a_network_without_links_is_enough(calls: str) -> None:
    simulator, _ = run(calls, network="isolated:30", timing=Timing(initiators=("0",)))
    assert simulator.network.m == 0
    assert simulator.processes[0].heard == 3 * 29


def test_other_senders_do_not_change_the_draws(calls: str) -> None:
    """Each sender draws from its own stream, and each link from the stream of the link."""
    first, _ = run(calls, network="ring:8", seed=4, timing=Timing(initiators=("0",)))
    both, _ = run(calls, network="ring:8", seed=4, timing=Timing(initiators=("0", "5")))
    calls_of = [
        [(e.time, e.process) for e in s.trace.events() if e.kind == "receive" and (e.label, e.peer) == ("Call", "0")]
        for s in (first, both)
    ]
    assert len(calls_of[0]) == 21 and calls_of[0] == calls_of[1]
    again, _ = run(calls, network="ring:8", seed=4, timing=Timing(initiators=("0",)))
    assert again.trace.fingerprint() == first.trace.fingerprint()
    other, _ = run(calls, network="ring:8", seed=5, timing=Timing(initiators=("0",)))
    assert other.trace.fingerprint() != first.trace.fingerprint()


def test_order_is_kept_only_if_the_network_keeps_it(calls: str) -> None:
    def overtaken(order: str) -> bool:
        timing = Timing(initiators=("0",), order=order, delay=parse("exponential(mean=1)"))
        simulator, events = run(calls, network="isolated:90", timing=timing)
        assert simulator.processes[0].heard == 3 * 89
        numbers: dict[Any, list[int]] = {}
        for e in events:
            if e.kind == "receive":
                numbers.setdefault((e.peer, e.process), []).append(int(e.message or 0))
        return any(row != sorted(row) for row in numbers.values())

    assert overtaken("unordered")
    assert not overtaken("fifo")  # of 89 receivers: more paths than are kept


def test_messages_are_lost_at_the_rate_of_the_network(calls: str) -> None:
    simulator, events = run(calls, network="isolated:200", timing=Timing(initiators=("0",), loss=0.25))
    lost = [e for e in events if e.kind == "drop"]
    sent = sum(e.kind == "send" for e in events)
    assert 0.2 < len(lost) / sent < 0.3
    assert {e.detail["reason"] for e in lost if e.detail} == {"loss"}
    assert [c.kind for c in simulator.checks()] == ["always"]


def test_crashes_affect_it_but_cut_links_do_not(calls: str) -> None:
    cut = Intervention(time=0.0, do="link_down", link=("0", "1"))
    crash = Intervention(time=0.5, do="crash", process="2")
    _, events = run(calls, cut, crash)
    assert {(e.process, (e.detail or {})["reason"]) for e in events if e.kind == "drop"} == {
        ("1", "link down"), ("2", "crash"),
    }  # fmt: skip
    assert {process for _, process, _, label in received(events) if label == "Call"} == {"10"}


@pytest.mark.parametrize(
    ("fault", "calls_to_2"),
    [
        (Intervention(time=0.5, do="drop", message=1), [1.0, 1.0]),
        (Intervention(time=0.5, do="delay", message=1, delay=2.0), [1.0, 1.0, 3.0]),
        (Intervention(time=0.5, do="duplicate", message=1), [1.0] * 4),
        (Intervention(time=0.5, do="deliver", message=1), [0.5, 1.0, 1.0]),
        (Intervention(time=0.5, do="edit", message=1, label="Call", fields={"number": 9}), [1.0] * 3),
    ],
)
def test_a_message_in_transit_accepts_interventions(calls: str, fault: Intervention, calls_to_2: list[float]) -> None:
    _, events = run(calls, fault)
    assert [t for t, process, _, label in received(events) if (process, label) == ("2", "Call")] == calls_to_2
    edited = [e for e in events if e.kind == "send" and e.label == "Answer" and (e.detail or {}).get("fields")]
    assert any("9" in str(e.detail) for e in edited) is (fault.do == "edit")


def test_a_fault_waits_for_the_next_message_without_a_link(calls: str) -> None:
    simulator, events = run(calls, Intervention(time=0.0, do="drop", label="Answer"))
    dropped = [(e.process, e.peer, e.label) for e in events if e.kind == "drop"]
    assert dropped == [("0", "2", "Answer")]
    assert simulator.processes[0].heard == 8


def test_faults_name_two_processes_without_a_link(calls: str) -> None:
    simulator, events = run(
        calls,
        Intervention(time=0.0, do="drop", link=("2", "0")),
        Intervention(time=0.0, do="inject", link=("10", "2"), label="Call", fields={"number": 7}),
    )
    assert [(e.process, e.peer, e.label) for e in events if e.kind == "drop"] == [("0", "2", "Answer")]
    assert (1.0, "2", "10", "Call") in received(events)
    assert simulator.processes[0].heard == 8
    with pytest.raises(BadInput, match="no link"):
        run(calls, Intervention(time=0.0, do="link_down", link=("2", "0")))


def test_interventions_between_rounds(calls: str) -> None:
    answers: list[Any] = []
    simulator = Simulator(Experiment(name="test", protocol=calls, network=LOOSE), round_length=0.5)
    simulator.round()
    sent = [e for e in simulator.trace.events() if e.kind == "send" and e.peer == "2"]
    simulator.interact(Intervention(time=0.0, do="deliver", message=sent[0].message), 1, answers.append)
    simulator.round()
    assert [answer.accepted for answer in answers] == [True]
    assert (0.5, "2", "0", "Call") in received(list(simulator.trace.events()))
    whole = simulator.result()
    again = Simulator(simulator.recorded.with_(stop=Stop(until=0.9))).run()
    assert whole.trace.fingerprint() == again.fingerprint


def test_a_liar_lies_to_all_processes(calls: str) -> None:
    _, events = run(calls, Intervention(time=0.0, do="byzantine", process="2", how="mute"))
    assert {e.peer for e in events if e.kind == "receive" and e.label == "Answer"} == {"1", "10"}


def test_unknown_processes_cannot_be_sent_to(tmp_path: Path) -> None:
    def sentence(to: str) -> str:
        path = tmp_path / "wrong.py"
        path.write_text(PROTOCOL.replace("self.send(Call(number), to=q)", f"self.send(Call(number), to={to})"))
        result = Simulator(Experiment(name="test", protocol=str(path), network=LOOSE)).run()
        assert result.stopped == "error"
        return str(result.error)

    assert sentence("'20'").endswith(
        "it sends Call(number=0) to '20', which is not a process of this network (did you mean '2'?); "
        "there are 0, 1, 2, 10"
    )
    assert "which is not a process" in sentence("2")


def test_only_an_overlay_knows_all_processes(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text(PROTOCOL.replace("    needs = overlay\n", ""))
    result = Simulator(Experiment(name="test", protocol=str(path), network=LOOSE)).run()
    assert "needs = overlay" in str(result.error)


@pytest.mark.parametrize(
    ("needs", "network", "text"),
    [
        ("overlay", LOOSE.replace(anonymous=True), "the network is anonymous"),
        ("overlay, fifo", Network("n", ("0", "1"), (), ("0",)), 'may overtake each other; set order = "fifo"'),
        ("overlay, reliable", Network("n", ("0", "1"), (), ("0",), loss=0.5), "may get lost"),
    ],
)
def test_requirements_are_checked_before_the_run(tmp_path: Path, needs: str, network: Network, text: str) -> None:
    path = tmp_path / "calls.py"
    source = PROTOCOL.replace("needs = overlay", f"needs = {needs}")
    path.write_text(source.replace("import ANY", "import fifo, reliable, ANY"))
    with pytest.raises(BadInput, match=text):
        Experiment(name="test", protocol=str(path), network=network).resolve()


def test_the_explorer_refuses_overlays(calls: str) -> None:
    with pytest.raises(BadInput, match="needs = overlay"):
        Explorer(Experiment(name="test", protocol=calls, network=LOOSE))


def test_a_kept_trace_is_judged_with_the_same_paths(calls: str) -> None:
    simulator, _ = run(calls)
    assert [(c["name"], c["holds"]) for c in judge_trace(simulator.trace)] == [("who is called can be found", True)]


def test_nothing_is_stored_for_a_pair(calls: str) -> None:
    """This includes paths with order, once no message uses them."""
    simulator = Simulator(
        Experiment(
            name="test", protocol=calls, network="isolated:300", stop=Stop(until=0.0),
            timing=Timing(initiators=("0",), order="fifo", delay=parse("constant(1)")),
        )
    )  # fmt: skip
    p = simulator.processes[0]
    ways = p._links
    assert simulator.overlay is not None and len(ways) == 0
    first = [ways.get(str(i)) for i in range(1, 200)]
    assert all(a is ways.get(str(i)) for i, a in enumerate(first, start=1) if i > 190)
    for way in first:
        way.last = 1.0
    first[4].last = 9.0
    simulator.kernel._now = 2.0
    for i in range(200, 300):
        assert ways.get(str(i)).target is simulator.processes[i]
    assert ways.get("1") is not first[0]
    assert ways.get("5") is first[4], "there is a message on it"


def test_corrupted_processes_without_links_contain_names_of_others(calls: str) -> None:
    from lydian.model.generators import from_spec

    spoilt = [Intervention(30.0, "scramble", str(p), seed=p) for p in range(9)]
    simulator, _ = run(calls, *spoilt, network=from_spec("isolated:9"))
    held = [p.known for p in simulator.processes]
    names = set(simulator.network.processes)
    assert any(held) and len(set(held)) > 1  # otherwise nothing was corrupted
    assert all(set(known) <= names - {p.me} for p, known in zip(simulator.processes, held, strict=True))
