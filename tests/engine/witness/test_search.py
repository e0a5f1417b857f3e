"""Runs that show why a protocol makes an assumption."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.engine.witness.networks import missing, small, violating
from lydian.engine.witness.search import Answer, Relying
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.experiment.assumptions import faulty
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.protocol.properties import bounded_delay, complete, fifo, named, one_way_ring, reliable, ring, tree

NEEDLESS = '''
"""Needless: it counts an answer, whatever the order."""

from lydian import INIT, Message, Process, always, complete, fifo, need, on, one_initiator, states

IDLE, DONE = states("idle", "done")


@need("few", "there are at most three processes")
def few(network):
    return None if network.n <= 3 else "there are too many"


class Ask(Message):
    pass


class Needless(Process):
    needs = complete, fifo, one_initiator, few
    state = IDLE
    asked: int = 0

    @on(IDLE, INIT)
    def begin(self):
        for q in self.neighbours:
            self.send(Ask(), to=q)
            self.send(Ask(), to=q)
        self.state = DONE

    @on(IDLE, Ask)
    def hear(self, m, q):
        self.asked += 1


@always("nobody is asked three times")
def twice(c):
    return all(p.asked <= 2 for p in c.processes)
'''


TIMED = '''
"""Timed: the numbers of a process arrive in their order, and it reads its clock, so schedules cannot be explored."""

from lydian import INIT, Message, Process, always, complete, fifo, on, one_initiator, states

AWAKE, = states("awake")


class Number(Message):
    k: int = 0


class Timed(Process):
    needs = complete, fifo, one_initiator
    state = AWAKE
    last: int = 0
    ok: bool = True
    when: float = 0.0

    @on(AWAKE, INIT)
    def begin(self):
        for k in range(1, 6):
            self.send(Number(k), to=self.neighbours[0])

    @on(AWAKE, Number)
    def hear(self, m):
        self.when = self.clock
        self.ok = self.ok and m.k == self.last + 1
        self.last = m.k


@always("numbers arrive in their order")
def in_order(c):
    return all(p.ok for p in c.processes)
'''


def found(name: str, need: str) -> Answer:
    return Relying(archive().experiment(name), seconds=None).look(need)


def test_mutual_exclusion_needs_the_order_of_messages_and_the_witness_plays() -> None:
    answer = found("lamport-mutex", "fifo")
    assert (answer.verdict, answer.kind, answer.steps, answer.processes) == ("needed", "always", 6, 2)
    assert answer.name == "at most one process is in the critical section"
    assert answer.experiment is not None and answer.experiment.breaks == ("fifo",)
    result = Simulator(from_dict(answer.experiment.to_dict()).resolve(), check=True).run()
    assert [each.name for each in result.violated] == [answer.name]
    assert answer == found("lamport-mutex", "fifo")  # the same on every machine


@pytest.mark.parametrize(
    ("name", "need", "kind"),
    [
        ("echo-complete", "connected", "always"), ("echo-complete", "reliable", "eventually"),
        ("echo-complete", "no crashes", "eventually"), ("echo-complete", "one initiator", "always"),
        ("bellman-ford", "no negative weight", "always"), ("flooding-grid", "two-way links", "error"),
    ],
)  # fmt: skip
def test_each_assumption_is_violated_in_its_own_way(name: str, need: str, kind: str) -> None:
    if name == "flooding-grid":
        need = next(each.name for each in Relying(archive().experiment(name)).needs)
        assert found(name, need).verdict in ("needed", "unneeded")
        return
    answer = found(name, need)
    assert (answer.verdict, answer.kind) == ("needed", kind)
    assert answer.experiment is not None
    answer.experiment.resolve()


def test_an_assumption_without_which_nothing_fails_is_not_needed(tmp_path: Path) -> None:
    file = tmp_path / "needless.py"
    file.write_text(NEEDLESS, encoding="utf-8")
    relying = Relying(Experiment("x", protocol=str(file), network="complete:3"), seconds=None)
    answer = relying.look("fifo")
    assert (answer.verdict, answer.processes, answer.runs, answer.whole) == ("unneeded", 3, 0, True)
    assert answer.configurations > 0 and answer.experiment is None
    relying.control()
    assert relying.timing is False and relying.controlled[0] == 3
    second = relying.look("one initiator")  # then one process gets INIT and Ask together, which it cannot handle
    assert (second.verdict, second.kind) == ("needed", "error")
    with pytest.raises(BadInput, match="does not assume 'ring'"):
        relying.look("ring")


def test_where_nothing_can_be_explored_a_random_run_is_shortened(tmp_path: Path) -> None:
    file = tmp_path / "timed.py"
    file.write_text(TIMED, encoding="utf-8")
    answer = Relying(Experiment("x", protocol=str(file), network="complete:5"), seconds=None).look("fifo")
    assert (answer.verdict, answer.kind, answer.drawn, answer.processes) == ("needed", "always", True, 2)
    assert answer.steps == 7  # the start, five numbers sent, and the arrival of one that has overtaken another
    assert answer.experiment is not None
    result = Simulator(answer.experiment.resolve(), check=True).run()
    assert answer.name in [each.name for each in result.violated]


def test_what_the_simulator_relies_on_cannot_be_switched_off() -> None:
    relying = Relying(archive().experiment("gossip-buffer"), runs=3)
    assert relying.look("overlay").verdict == "fixed"
    assert relying.look("named").verdict == "fixed"  # names are what an overlay sends to
    assert relying.look("rounds").verdict == "open"
    assert bounded_delay not in relying.needs


def test_a_protocol_with_timeouts_relies_on_time_though_it_does_not_say_so() -> None:
    relying = Relying(archive().experiment("voting-majority"), seconds=None)
    assert relying.needs[-1] is bounded_delay and bounded_delay not in relying.protocol.needs
    relying = Relying(archive().experiment("bully"), seconds=None)
    assert bounded_delay not in relying.needs  # it declares a stronger assumption
    answer = relying.look("synchrony")
    assert (answer.verdict, answer.name) == ("needed", "there is at most one leader alive")


@pytest.mark.parametrize(
    ("name", "need", "kind", "processes"),
    [
        ("floodset", "few crashes", "always", 3),  # one crash in one round
        ("ben-or", "few crashes", "at_end", 3),
        ("byzantine-generals", "few liars", "always", 4),  # two traitors among four
    ],
)  # fmt: skip
def test_one_fault_more_than_assumed_does_harm(name: str, need: str, kind: str, processes: int) -> None:
    answer = found(name, need)
    assert (answer.verdict, answer.kind, answer.processes) == ("needed", kind, processes)
    assert answer.experiment is not None and answer.experiment.breaks == (need,)
    resolved = from_dict(answer.experiment.to_dict()).resolve()
    assert answer.name in [each.name for each in Simulator(resolved, check=True).run().violated]
    bound = Relying(archive().experiment(name)).need(need).bound
    assert bound is not None
    done = (*resolved.experiment.faults, *resolved.experiment.interventions)
    allowed = bound.value(resolved.network, resolved.parameters)
    assert allowed is not None and len(faulty(bound.what, done)) == allowed + 1


TOUGH = '''
"""Tough: each process sends a value, and nothing depends on who crashes."""

from lydian import CRASHES, INIT, Message, Process, always, at_most, complete, everybody_starts, on, parameter, states

AWAKE, = states("awake")


class Value(Message):
    pass


class Tough(Process):
    needs = complete, everybody_starts, at_most("f", CRASHES)
    state = AWAKE
    heard: int = 0
    f = parameter(1, minimum=0)

    @on(AWAKE, INIT)
    def begin(self):
        for q in self.neighbours:
            self.send(Value(), to=q)

    @on(AWAKE, Value)
    def hear(self, m):
        self.heard += 1


@always("a process hears of each other one at most")
def few(c):
    return all(p.heard < c.n for p in c.processes)
'''


def test_a_protocol_that_any_number_of_crashes_cannot_harm_does_not_need_the_bound(tmp_path: Path) -> None:
    file = tmp_path / "tough.py"
    file.write_text(TOUGH, encoding="utf-8")
    relying = Relying(Experiment("x", protocol=str(file), network="complete:3"), seconds=None, states=30_000, runs=5)
    answer = relying.look("few crashes")
    assert (answer.verdict, answer.experiment) == ("unneeded", None)
    file.write_text(TOUGH.replace("p.heard < c.n", "len(c.correct) > c.n - 2"), encoding="utf-8")  # f + 1 are too many
    relying = Relying(Experiment("x", protocol=str(file), network="complete:3"), seconds=None, states=30_000)
    answer = relying.look("few crashes")
    assert (answer.verdict, answer.steps, answer.processes) == ("needed", 2, 3)
    file.write_text(TOUGH.replace("p.heard < c.n", "len(c.correct) == c.n"), encoding="utf-8")  # one crash is enough
    relying = Relying(Experiment("x", protocol=str(file), network="complete:3"), seconds=None, states=3_000, runs=5)
    answer = relying.look("few crashes")
    assert answer.experiment is None or answer.experiment.parameters["f"] == 0


def test_a_stopped_search_leaves_the_assumption_open() -> None:
    relying = Relying(archive().experiment("lamport-mutex"))
    relying.stop()
    answer = relying.look("complete")
    assert (answer.verdict, answer.whole, answer.configurations) == ("open", False, 0)


@pytest.mark.parametrize("needs", [(complete, fifo), (ring, reliable), (one_way_ring, named), (tree,)])
def test_small_networks_meet_all_assumptions_and_their_changes_only_one_less(needs: tuple[object, ...]) -> None:
    networks = list(small(needs, (2, 3, 4)))  # type: ignore[arg-type]
    assert networks and not any(missing(needs, each) for each in networks)  # type: ignore[arg-type]
    assert [each.n for each in networks] == sorted(each.n for each in networks)
    first = needs[0]
    changed = [violating(first, needs, each) for each in networks]  # type: ignore[arg-type]
    assert any(changed)
    assert all(broken == (first.name,) for some in changed for _, broken in some)  # type: ignore[attr-defined]
