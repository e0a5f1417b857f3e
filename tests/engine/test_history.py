"""The history of operations, in a run and in a search, and the checks that judge it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lydian.batch.replay import judge_trace
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.given import Given
from lydian.model.experiment.experiment import Resolved, from_dict
from lydian.model.protocol.protocol import protocol_from_source

COPIES = '''
"""Copies: the centre of a star writes a register, and each process reads its own copy."""
from lydian import (
    Command, Message, Process, causally_consistent, linearizable, on, register, sequentially_consistent, states,
)

READY, WRITING = states("ready", "writing")

class Write(Command):
    value: int

class Read(Command):
    pass

class Put(Message):
    value: int

class Stored(Message):
    pass

class Copies(Process):
    state = READY
    copy: int = 0
    missing: int = 0

    @on(READY, Write)
    def write(self, m):
        self.copy = m.value
        self.missing = len(self.neighbours)
        self.state = WRITING
        self.send(Put(m.value), to=self.neighbours)

    @on(READY, Put)
    def put(self, m, q):
        self.copy = m.value
        self.send(Stored(), to=q)

    @on(WRITING, Stored)
    def stored(self, m, q):
        self.missing -= 1
        if not self.missing:
            self.state = READY
            self.respond()

    @on(READY, Read)
    def read(self):
        self.respond(self.copy)

atomic = linearizable(register(0))
sequential = sequentially_consistent(register(0))
causal = causally_consistent(register(0))
'''


def command(time: float, process: str, label: str, **fields: Any) -> dict[str, Any]:
    found = {"time": time, "do": "command", "process": process, "label": label}
    return {**found, "fields": fields} if fields else found


def resolved(workload: Sequence[Any], source: str = COPIES, network: str = "star:3", **keys: Any) -> Resolved:
    protocol = protocol_from_source(source, name="own")
    plan = {"name": "own", "protocol": "own", "network": network, "workload": list(workload), **keys}
    return from_dict(plan).resolve(Given(protocol))


def ran(workload: Sequence[Any], source: str = COPIES, **keys: Any) -> Simulator:
    simulator = Simulator(resolved(workload, source, **keys), check=True)
    simulator.run()
    return simulator


def test_the_history_contains_the_commands_and_their_responses() -> None:
    simulator = ran([command(1.0, "0", "Write", value=7), command(1.5, "1", "Read"), command(9.0, "2", "Read")])
    told = [(op.process, op.name, op.value, op.result, op.outcome) for op in simulator.configuration.history]
    assert told == [("0", "Write", 7, None, "ok"), ("1", "Read", None, 0, "ok"), ("2", "Read", None, 7, "ok")]
    write, early, late = simulator.configuration.history
    assert write.before(late) and not write.before(early)
    texts = [each.detail["text"] for each in simulator.trace.events() if each.kind == "note"]
    assert texts == ["responds 0", "responds", "responds 7"]


def test_an_operation_without_a_response_remains_open() -> None:
    simulator = ran([command(1.0, "0", "Write", value=7)], faults=[{"time": 1.1, "do": "crash", "process": "1"}])
    (write,) = simulator.configuration.history
    assert write.completed is None and write.outcome is None


def test_a_run_with_delays_that_reorder_reads_is_not_linearizable() -> None:
    reads = [command(3.0, "1", "Read"), command(4.0, "2", "Read")]
    slow = {"links": {"0-2": "constant(9)"}}
    simulator = ran([command(1.0, "0", "Write", value=7), *reads], timing=slow)
    found = {each.name: each for each in simulator.checks()}
    broken = found["the operations are linearizable"]
    assert broken.holds is False
    assert broken.why == (
        "no order in real time explains Read() by process 2 = 0, after or during Read() by process 1 = 7 and "
        "Write(7) by process 0, which has no response"
    )
    assert found["the operations are sequentially consistent"].holds
    assert found["the operations are causally consistent"].holds


def test_the_search_finds_the_stale_read() -> None:
    reads = [command(2.0, "1", "Read"), command(3.0, "2", "Read")]
    explorer = Explorer(resolved([command(1.0, "0", "Write", value=7), *reads]))
    found = {each.name: each for each in explorer.run().findings}
    broken = found["the operations are linearizable"]
    assert broken.holds is False
    assert broken.counterexample.replayed
    assert broken.why.startswith("no order in real time explains Read() by process 2 = 0, after or during Read() by")
    assert broken.counterexample.steps == (
        "process 0 receives the command Write(value=7)",
        "process 1 receives Put(value=7) from 0",
        "process 1 receives the command Read",
        "process 2 receives the command Read",
    )
    assert found["the operations are sequentially consistent"].holds
    assert found["the operations are causally consistent"].holds


def test_one_reader_is_linearizable_in_every_schedule() -> None:
    reads = [command(2.0, "1", "Read"), command(3.0, "1", "Read")]
    explorer = Explorer(resolved([command(1.0, "0", "Write", value=7), *reads]))
    assert all(each.holds for each in explorer.run().findings)


def test_a_response_without_a_command_is_refused() -> None:
    twice = COPIES.replace("self.respond(self.copy)", "self.respond(self.copy)\n        self.respond(3)")
    simulator = ran([command(1.0, "1", "Read")], twice)
    assert "it responds, but each command of its user has its response already" in (simulator.error or "")
    found = Explorer(resolved([command(1.0, "1", "Read")], twice)).run().findings
    assert [each.kind for each in found if each.holds is False] == ["error"]


def test_a_recorded_run_has_the_same_history() -> None:
    reads = [command(3.0, "1", "Read"), command(4.0, "2", "Read")]
    simulator = ran([command(1.0, "0", "Write", value=7), *reads], timing={"links": {"0-2": "constant(9)"}})
    again = judge_trace(simulator.trace, simulator.protocol)
    assert [each["holds"] for each in again] == [each.holds for each in simulator.checks()]
    assert [each["holds"] for each in again] == [False, True, True]
