"""A negative delay lets a message arrive earlier, but never before the present or before earlier messages."""

from __future__ import annotations

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network

PAIR = Network("pair", ("0", "1"), (Link("0", "1"),), ("0",), delay=parse("constant(4)"))


def arrivals(network: Network, *done: Intervention) -> list[float]:
    """Return the times at which messages reach process 1."""
    simulator = Simulator(Experiment("hurried", protocol="echo", network=network, interventions=done))
    simulator.run()
    rows = simulator.trace.rows
    events = [simulator.trace.event(seq) for seq in range(len(rows))]
    return [event.time for event in events if event.kind == "receive" and event.process == "1"]


def test_a_message_arrives_earlier_but_not_before_now() -> None:
    assert arrivals(PAIR) == [4.0]
    assert arrivals(PAIR, Intervention(time=1.0, do="delay", message=0, delay=-1.5)) == [2.5]
    assert arrivals(PAIR, Intervention(time=1.0, do="delay", message=0, delay=-30.0)) == [1.0]


def test_on_a_fifo_link_it_overtakes_no_message() -> None:
    fifo = PAIR.replace(order="fifo")
    second = Intervention(time=0.5, do="inject", link=("0", "1"), label="Broadcast")
    assert arrivals(fifo, second) == [4.0, 4.5]
    hurried = Intervention(time=1.0, do="delay", message=1, delay=-3.0)
    assert arrivals(fifo, second, hurried) == [4.0, 4.0]
    assert arrivals(PAIR, second, hurried) == [1.5, 4.0]


def test_a_saved_experiment_gives_the_same_run() -> None:
    done = Intervention(time=1.0, do="delay", message=0, delay=-1.5)
    experiment = Experiment("hurried", protocol="echo", network=PAIR, interventions=(done,))
    assert from_dict(experiment.to_dict()).interventions == (done,)
