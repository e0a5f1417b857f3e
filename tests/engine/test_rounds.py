"""Synchronous rounds: all messages sent in one round arrive together in the next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.explorer.search import Explorer
from lydian.engine.pending import pending
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.errors import BadInput, ProtocolError
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network, Timing
from lydian.model.protocol.protocol import protocol_from_source
from lydian.model.source.outline import outline
from lydian.model.source.problems import problems
from lydian.trace.events import Event

RUMOUR = '''"""Rumour in rounds: who knows it tells it in every round, to some chosen at random."""
from lydian import ANY, INIT, ROUND, Command, Message, Process, at_end, on, overlay, parameter, rounds


class News(Message):
    said: int = 0


class Tell(Command):
    """Begin now."""


class Rumour(Process):
    needs = overlay, rounds
    last: int = parameter(6, help="the last round in which anybody sends")
    knows: bool = False
    heard: list[str] = []

    @on(ANY, (INIT, Tell))
    def begin(self):
        self.knows = True
        self.want_round()

    @on(ANY, ROUND)
    def compute(self, received):
        self.heard = [f"{q}:{m.said}" for m, q in received]
        self.knows = True
        if self.round <= self.last:
            for _ in range(3):
                q = self.random.choice(self.everybody)
                if q != self.me:
                    self.send(News(self.round), to=q)


@at_end("everybody knows it")
def everybody(c):
    return all(p.knows for p in c.processes)
'''


FOLDER: list[Path] = []


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    FOLDER[:] = [tmp_path_factory.mktemp("rounds")]


def experiment(n: int = 8, source: str = RUMOUR, network: Network | None = None, **options: Any) -> Experiment:
    path = FOLDER[0] / f"rumour{hash(source)}.py"
    path.write_text(source)
    network = network or from_spec(f"isolated:{n}").replace(initiators=("0",))
    return Experiment("rounds", protocol=str(path), network=network, **options)


def rows(run: Simulator) -> list[Event]:
    return list(run.trace.events())


def by_hand(n: int, last: int, seed: int) -> tuple[list[int], dict[int, list[str]]]:
    """Compute the messages sent in each round, and each process's last received message, from the definition."""
    names = [str(i) for i in range(n)]
    simulator = Simulator(experiment(n, seed=seed, parameters={"last": last}))
    sources = {p._name: simulator.random_of(p) for p in simulator.processes}
    boxes: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
    wanting, sent, heard = {"0"}, [], {i: [] for i in range(n)}
    number = 0
    while wanting or any(boxes.values()):
        number += 1
        new: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
        count = 0
        for name in names:
            if not boxes[name] and name not in wanting:
                continue
            heard[int(name)] = [f"{q}:{said}" for q, said in boxes[name]]
            for _ in range(3 if number <= last else 0):
                q = sources[name].choice(names)
                if q != name:
                    new[q].append((name, number))
                    count += 1
        boxes, wanting = new, set()
        sent.append(count)
    return sent, heard


@settings(max_examples=15, deadline=None)
@given(n=st.integers(2, 12), last=st.integers(1, 7), seed=st.integers(0, 99))
def test_an_execution_matches_the_synchronous_model(n: int, last: int, seed: int) -> None:
    run = Simulator(experiment(n, seed=seed, parameters={"last": last}))
    assert run.run().stopped == "quiescent"
    sent, heard = by_hand(n, last, seed)
    events = rows(run)
    counts = [sum(e.kind == "send" and e.time == t for e in events) for t in range(1, len(sent) + 1)]
    assert counts == sent
    assert {p._i: p.heard for p in run.processes if heard[p._i]} == {i: h for i, h in heard.items() if h}  # type: ignore[attr-defined]


def test_messages_arrive_in_the_next_round_before_any_process_acts() -> None:
    run = Simulator(experiment(12, seed=3))
    assert run.run().exit_code == 0
    events = rows(run)
    sends = {e.message: e for e in events if e.kind == "send"}
    for e in events:
        if e.kind == "receive":
            assert e.time == sends[e.message].time + 1 and e.cause == sends[e.message].seq
            assert e.lamport > sends[e.message].lamport and e.chain >= sends[e.message].chain + 1
    for time in {e.time for e in events if e.time > 0}:
        for name in run.network.processes:
            kinds = [e.kind for e in events if e.time == time and e.process == name]
            assert "timer" not in kinds or set(kinds[: kinds.index("timer")]) <= {"receive"}
            assert kinds.count("timer") <= 1


def test_delays_are_ignored_and_existing_links_are_used() -> None:
    one = experiment(seed=5, network=from_spec("complete:8").replace(initiators=("0",)))
    slow = Timing(delay=parse("exponential(mean=9)"))
    two = experiment(seed=5, network=from_spec("complete:8").replace(initiators=("0",)), timing=slow)
    assert Simulator(one).run().fingerprint == Simulator(two).run().fingerprint


def test_messages_are_ordered_by_the_names_of_their_senders() -> None:
    names = tuple(str(i) for i in (10, 2, 1, 30, 4, 3))
    source = RUMOUR.replace("for _ in range(3):", "for q in self.everybody:").replace(
        "q = self.random.choice(self.everybody)\n                ", "pass\n                "
    )
    network = Network("mixed", names, (), initiators=names)
    run = Simulator(experiment(source=source, network=network))
    run.run()
    last = {p._name: [each.split(":")[0] for each in p.heard] for p in run.processes}  # type: ignore[attr-defined]
    assert last["30"] == ["1", "2", "3", "4", "10"] and last["1"] == ["2", "3", "4", "10", "30"]


def test_losses_crashes_and_faults_on_messages() -> None:
    network = from_spec("isolated:8").replace(initiators=("0",), loss=0.3)
    run = Simulator(experiment(network=network, seed=2))
    run.run()
    events = rows(run)
    lost = {e.message for e in events if e.kind == "drop"}
    assert lost and not lost & {e.message for e in events if e.kind == "receive"}
    crashed = Simulator(experiment(seed=2, faults=(Intervention(2.5, "crash", process="3"),)))
    crashed.run()
    after = [e for e in rows(crashed) if e.process == "3" and e.time > 2.5]
    assert after and {e.kind for e in after} == {"crash", "drop"} - {"crash"}
    late = Simulator(experiment(seed=2, faults=(Intervention(1.5, "delay", label="News", delay=2.3),)))
    late.run()
    events = rows(late)
    sends = {e.message: e.time for e in events if e.kind == "send"}
    took = sorted({e.time - sends[e.message] for e in events if e.kind == "receive"})
    assert took[0] == 1.0 and len(took) == 2 and 3.0 <= took[1] <= 4.0 and took[1] == int(took[1])
    forged = Intervention(1.2, "inject", link=("5", "6"), label="News", fields={"said": 77})
    injected = Simulator(experiment(seed=2, faults=(forged,), parameters={"last": 1}))
    injected.run()
    assert any(e.kind == "receive" and e.process == "6" and e.time == 2.0 for e in rows(injected))


def test_a_command_between_rounds_takes_effect_in_the_next() -> None:
    quiet = from_spec("isolated:6").replace(initiators=())
    told = Intervention(3.4, "command", process="2", label="Tell")
    run = Simulator(experiment(network=quiet, workload=(told,), parameters={"last": 9}))
    run.run()
    first = next(e for e in rows(run) if e.label == "ROUND")
    assert (first.process, first.time) == ("2", 4.0)


def test_single_steps_of_a_live_run_give_the_same_execution() -> None:
    whole = Simulator(experiment(seed=7)).run()
    live = Simulator(experiment(seed=7), round_events=1)
    seen = []
    while live.round():
        seen.append(pending(live, 50))
    assert live.result().fingerprint == whole.fingerprint
    told = [each for found, _ in seen for each in found]
    assert {each["kind"] for each in told} == {"receive"} and all(each["choose"] is None for each in told)


def test_settings_that_make_no_sense_in_rounds_are_refused() -> None:
    live = Simulator(experiment(seed=7), round_events=1)
    live.round()
    live.round()
    answers: list[Any] = []
    for what in (
        Intervention(0.0, "take_over", process="1"),
        Intervention(0.0, "hurry", process="0", label="ROUND"),
        Intervention(0.0, "retime", process="1", distribution="constant(2)"),
    ):
        live.interact(what, 1, answers.append)
    live.round()
    assert [a.accepted for a in answers] == [False] * 3
    assert all("round" in a.reason for a in answers)
    with pytest.raises(BadInput, match="the explorer tries orders of messages, but rounds allow only one"):
        Explorer(experiment(source=RUMOUR.replace("overlay, rounds", "rounds")))
    slow = from_spec("isolated:4").replace(step=parse("constant(1)"))
    with pytest.raises(BadInput, match="in rounds steps take none"):
        experiment(network=slow).resolve()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("needs = overlay, rounds", "needs = overlay", "an action for ROUND requires needs = rounds"),
        ("@on(ANY, ROUND)", "@on(ANY, Tell)", "two actions for Tell"),
        ("    @on(ANY, ROUND)\n    def compute(", "    def compute(", "needs = rounds requires an action for ROUND"),
        ("@on(ANY, ROUND)", "@on(ANY, (ROUND, News))", "the action 'compute' is for News, but rounds pass messages"),
    ],
)
def test_an_incomplete_protocol_in_rounds_is_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(ProtocolError, match=why):
        protocol_from_source(RUMOUR.replace(old, new))


def test_round_functions_require_rounds() -> None:
    source = RUMOUR.replace("needs = overlay, rounds", "needs = overlay").replace("(ANY, ROUND)", "(ANY, News)")
    run = Simulator(experiment(source=source.replace("def compute(self, received)", "def compute(self, m, q)")))
    assert "write needs = rounds" in str(run.run().error)


def test_the_table_has_a_column_for_the_round_but_none_for_its_messages() -> None:
    protocol = protocol_from_source(RUMOUR)
    assert protocol.table.events == ("INIT", "ROUND", "Tell")
    read = outline(RUMOUR)
    assert read.events == protocol.table.events and problems(RUMOUR) == ()
    assert ("active", "ROUND") in read.cells


def test_properties_are_judged_only_between_rounds() -> None:
    source = (
        RUMOUR
        + """
from lydian import always

@always("all who know it have heard as many rounds")
def even(c):
    return len({p.knows for p in c.processes if p.heard} | {True}) == 1 and c.time == int(c.time)
"""
    )
    run = Simulator(experiment(source=source, seed=1))
    assert run.run().exit_code == 0
