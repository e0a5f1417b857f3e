"""Pending events: named when inspected, kept in order, and removable from any position."""

from __future__ import annotations

from collections import deque
from math import inf
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.clocks import Clock
from lydian.engine.queue import EVENT, Call, Delivery, Queue, Waiting
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Link, Network
from lydian.trace.events import Kind


def begun() -> Simulator:
    """Return Echo on two processes with the first message in transit."""
    network = Network("pair", ("0", "1"), (Link("0", "1"),), ("0",), delay=parse("constant(1)"))
    simulator = Simulator(Experiment(name="t", protocol="echo", network=network))
    simulator.kernel.run(until=0.5)
    return simulator


#: A channel to a process that the same simulator simulates.
NEAR = SimpleNamespace(away=False)


def test_the_kernels_flat_records_have_the_fields_of_a_delivery() -> None:
    simulator = begun()
    queue, source = simulator.kernel.queue, simulator.processes[0]
    (delivery,) = queue.coming()
    assert delivery._replace(number=0) == Delivery(
        1.0, EVENT, 0, None, source._links["1"], delivery.message, 0, 2, 0, 1, delivery.label, delivery.bits
    )
    assert type(delivery.message).__name__ == simulator.execution.labels[delivery.label]
    assert (queue.next, queue.in_transit()) == (1.0, [delivery])
    assert simulator.run().stopped == "quiescent"


def test_a_message_is_removed_from_the_queue_or_from_a_link() -> None:
    queue = begun().kernel.queue
    (delivery,) = queue.coming()
    assert queue.withdraw(delivery)
    assert not queue.withdraw(delivery)
    queue.doors[1] = deque([Waiting(Kind.RECEIVE, delivery.message, 1.0, delivery, delivery.sent)])
    assert (queue.coming(), queue.in_transit()) == ([], [delivery])
    assert queue.withdraw(delivery)
    assert (queue.in_transit(), queue.next) == ([], inf)


@given(st.lists(st.floats(0, 100), max_size=30), st.floats(0, 100))
def test_the_remaining_entries_stay_in_order(times: list[float], end: float) -> None:
    queue = Queue()
    for number, time in enumerate(times):
        queue.push(Delivery(time, EVENT, number, None, NEAR, None, number, 0, 0, 0, 0, 0))  # type: ignore[arg-type]
    taken = queue.take(lambda each: each.time < end)
    assert [each.id for each in taken] == [number for number, time in enumerate(times) if time < end]
    assert len(queue) == len(times) - len(taken)
    assert queue.next == min((time for time in times if time >= end), default=inf)
    assert not any(isinstance(entry, Call) for entry in queue.entries())


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)) | st.none()))
def test_a_clock_runs_ahead(events: list[tuple[int, int] | None]) -> None:
    clock = Clock()
    for event in events:
        lamport, chain = clock.lamport, clock.chain
        if event is None:
            assert clock.tick() == lamport + 1
            assert clock.chain == chain
        else:
            clock.receive(*event)
            assert (clock.lamport, clock.chain) == (max(lamport, event[0]) + 1, max(chain, event[1] + 1))
    chain = clock.chain
    clock.receive(0, chain + 1, messages=0)
    assert clock.chain == chain + 1, "a look is no message"
