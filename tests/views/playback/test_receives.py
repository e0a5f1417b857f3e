"""Receipts moved to other places: legal places are reached in a run that is the same before, all others are illegal."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.delays import parse
from lydian.model.experiment.branches import Branches, follow
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.trace.events import EFFECTS, Kind
from lydian.trace.timeline import STEPS, Timeline
from lydian.views.playback.interfering import Situation
from lydian.views.playback.receives import Place, Receipt, branch_name, interventions, receipt, receipt_of
from tests.strategies import connected_networks, faults


def run(experiment: Experiment) -> Timeline:
    return Timeline(Simulator(experiment.resolve()).run().trace)


def read(timeline: Timeline, seq: int, until: float = math.inf) -> Receipt:
    found = receipt(Situation(timeline, timeline.end), seq, until)
    assert isinstance(found, Receipt), found
    return found


def moved(experiment: Experiment, found: Receipt, place: Place) -> Timeline:
    done = interventions(found, place, experiment.interventions)
    return run(experiment.with_(interventions=done))


def events(timeline: Timeline, before: float) -> list[tuple[float, ...]]:
    """Return the events before a time, without the rows of interventions that are no events."""
    columns = (timeline.time, timeline.kind, timeline.process, timeline.peer, timeline.message, timeline.label)
    kept = np.flatnonzero((timeline.time < before) & (timeline.kind != Kind.INTERVENE))
    return [tuple(float(column[row]) for column in columns) for row in kept]


@st.composite
def experiments(draw: st.DrawFn) -> Experiment:
    network = draw(connected_networks(most=6))
    return Experiment(
        "random", protocol="echo", breaks=("all",), network=network, seed=draw(st.integers(0, 1000)),
        interventions=draw(faults(network, ("Broadcast", "Ack"), most=2)),
        workload=tuple(Intervention(2.0, "wake", process=name) for name in network.processes[-1:]),
        stop=Stop(events=400),
    )  # fmt: skip


def overtakes(timeline: Timeline, message: int, time: float) -> bool:
    """Return True if a message that arrived at a time would overtake, or be overtaken by, one of the same FIFO link."""
    a, b = int(timeline.message_source[message]), int(timeline.message_target[message])
    names, network = timeline.processes, Situation(timeline, 0.0).network
    link = network.link_between(names[a], names[b])
    if (link is None or not link.order) and network.order != "fifo":
        return False
    for other in range(timeline.m_messages):
        ends = int(timeline.message_source[other]), int(timeline.message_target[other])
        if ends != (a, b) or other == message or timeline.lost[other]:
            continue
        reached = min(float(timeline.message_reached[other]), timeline.end)
        if (other < message and time <= reached) or (other > message and time >= reached):
            return True
    return False


def unable(timeline: Timeline, process: int, event: int, time: float) -> bool:
    """Return True if a process is crashed or in the middle of another step at a time."""
    rows = [row for row in timeline.events_of(process).tolist() if row != event and timeline.time[row] <= time]
    states = [row for row in rows if timeline.kind[row] in (Kind.CRASH, Kind.RECOVER)]
    if states and timeline.kind[states[-1]] == Kind.CRASH:
        return True
    return any(
        timeline.kind[row] in STEPS and timeline.time[row] <= time <= timeline.time[row] + timeline.step_lengths[row]
        for row in rows
    )


def receipts(timeline: Timeline) -> list[Receipt]:
    """Return all receipts of a run that can be moved."""
    s = Situation(timeline, timeline.end)
    some = [receipt(s, row) for row in np.flatnonzero(timeline.kind == Kind.RECEIVE).tolist()]
    return [each for each in some if isinstance(each, Receipt)]


@pytest.mark.slow
@settings(deadline=None)
@given(experiments(), st.data())
def test_a_message_arrives_at_each_legal_place_and_nothing_before_it_changes(
    experiment: Experiment, data: st.DataObject
) -> None:
    timeline = run(experiment)
    some = [(each, place) for each in receipts(timeline) for place in each.places]
    if not some:
        return
    found, place = data.draw(st.sampled_from(some))
    assert place.start < place.time < place.stop
    again = moved(experiment, found, place)
    if (again.kind == Kind.ERROR).any() and again.end <= place.time:
        return  # another order may make the protocol fail
    assert float(again.message_reached[found.message]) == pytest.approx(place.time, abs=1e-9)
    assert not again.lost[found.message]
    before = min(place.time, found.now)
    assert events(again, before) == events(timeline, before)


@settings(deadline=None, max_examples=40)
@given(experiments(), st.data())
def test_each_other_place_violates_causality_or_the_order_of_a_link(
    experiment: Experiment, data: st.DataObject
) -> None:
    timeline = run(experiment)
    some = receipts(timeline)
    if not some:
        return
    found = data.draw(st.sampled_from(some))
    seq = found.event
    time = data.draw(st.floats(0.0, timeline.end + 3.0))
    mine = [row for row in timeline.events_of(found.process).tolist() if timeline.kind[row] in (*STEPS, *DOWN)]
    assume(time not in {float(timeline.time[row]) for row in mine} and time != found.now)
    between = range(*sorted((seq, int(np.searchsorted(timeline.time, time)))))
    passes = any(row in between for row in mine if row != seq)
    legal = any(place.start < time < place.stop for place in found.places)
    sent = float(timeline.message_sent[found.message])
    illegal = time <= sent or overtakes(timeline, found.message, time) or unable(timeline, found.process, seq, time)
    assert legal == (passes and not illegal), (time, found.now, found.places)


DOWN = (Kind.CRASH, Kind.RECOVER, Kind.CORRUPT)


def triangle(**more: object) -> Experiment:
    """Return an experiment in which two neighbours of 0 are informed by 0 and then by each other."""
    links = (Link("0", "1", delay=parse("constant(1)")), Link("0", "2", delay=parse("constant(2)")),
             Link("1", "2", delay=parse("constant(3)")))  # fmt: skip
    network = Network(name="three", processes=("0", "1", "2"), links=links, initiators=("0",))
    return Experiment("three", protocol="echo", network=network).with_(**more)


def receives(timeline: Timeline, process: str) -> list[int]:
    rows = timeline.events_of(timeline.processes.index(process))
    return [row for row in rows.tolist() if timeline.kind[row] == Kind.RECEIVE]


def test_a_receipt_passes_the_neighbouring_receipt() -> None:
    experiment = triangle()
    timeline = run(experiment)
    first, second = receives(timeline, "2")[:2]
    assert (float(timeline.time[first]), float(timeline.time[second])) == (2.0, 4.0)
    found = read(timeline, second)
    place = found.earlier
    assert place is not None and (place.start, place.stop, place.passed) == (1.0, 2.0, (first,))
    assert found.order(place) == "Process 2 receives Broadcast from 1 before Broadcast from 0."
    assert branch_name(found, place) == "Broadcast 1-2 received at 1.5"
    assert "run again; both runs are kept." in found.consequence(place)
    again = moved(experiment, found, place)
    order = [(again.processes[int(again.peer[row])], float(again.time[row])) for row in receives(again, "2")[:2]]
    assert order == [("1", 1.5), ("0", 2.0)]
    other = read(timeline, first)
    assert other.earlier is None
    assert other.why_not(-1) == "It has not been sent yet"
    assert other.later is not None
    assert other.order(other.later) == "Process 2 receives Broadcast from 0 after Broadcast from 1."


def test_a_fifo_link_keeps_its_order() -> None:
    experiment = archive().experiment("chandy-lamport")
    timeline = run(experiment)
    reasons = {
        bar.reason.split(",")[0] for row in receives(timeline, "7")
        if isinstance(found := receipt(Situation(timeline, timeline.end), row), Receipt) for bar in found.bars
    }  # fmt: skip
    assert any(reason.startswith("Link 3-7 is FIFO") for reason in reasons)


def test_the_end_of_the_run_is_an_end_for_receipts() -> None:
    timeline = run(triangle())
    last = receives(timeline, "2")[0]
    assert read(timeline, last).places[-1].stop == math.inf
    found = read(timeline, last, until=4.5)
    assert max(place.stop for place in found.places) <= 4.5
    assert found.bars[-1].reason == "The run is stopped at 4.5"


def test_receipts_in_rounds_cannot_be_moved() -> None:
    timeline = run(archive().experiment("balls-and-bins"))
    some = int(np.flatnonzero(timeline.kind == Kind.RECEIVE)[0])
    reason = "In rounds, all messages arrive together, so none can be moved"
    assert receipt(Situation(timeline, timeline.end), some) == reason
    assert receipt(Situation(timeline, timeline.end), 0) == "Select the receipt of a message to move it"


def test_a_selection_means_a_receipt() -> None:
    timeline = run(triangle())
    seq = receives(timeline, "1")[0]
    sent = next(row for row in range(seq, timeline.length) if timeline.cause[row] == seq)
    assert timeline.kind[sent] in EFFECTS
    assert receipt_of(timeline, seq) == receipt_of(timeline, sent) == seq
    assert receipt_of(timeline, None, [int(timeline.message[seq])]) == seq
    assert receipt_of(timeline, None, [0, 1]) == receipt_of(timeline, 0) == receipt_of(timeline, None) == -1


def test_later_interventions_are_made_again_and_those_of_the_message_are_not() -> None:
    experiment = triangle(interventions=(
        Intervention(0.5, "crash", process="1", after=1), Intervention(0.7, "recover", process="1", keep=True),
        Intervention(2.5, "delay", message=2, link=("1", "2"), label="Broadcast", delay=0.5),
        Intervention(6.0, "crash", process="0", after=9),
    ))  # fmt: skip
    timeline = run(experiment)
    found = next(read(timeline, row) for row in receives(timeline, "2") if timeline.message[row] == 2)
    assert found.earlier is not None
    done = interventions(found, found.earlier, experiment.interventions)
    assert [(each.time, each.do, each.after) for each in done] == [
        (0.5, "crash", 1), (0.7, "recover", None), (found.earlier.time, "deliver", None), (6.0, "crash", None),
    ]  # fmt: skip
    tree, branch = follow(Branches(experiment), 0, done)
    assert tree.interventions(branch) == done


@pytest.mark.parametrize("direction", [-1, 1])
def test_a_delivery_that_was_chosen_is_chosen_elsewhere(direction: int) -> None:
    chosen = Intervention(1.6, "deliver", message=1, link=("0", "2"), label="Broadcast")
    held = Intervention(0.0, "take_over", process="2")
    for before in ((), (held,)):
        experiment = triangle(interventions=(*before, chosen))
        timeline = run(experiment)
        found = read(timeline, receives(timeline, "2")[0])
        place = replace(found.later or Place(2.7, 2.5, 3.0, ()), time=1.6 + 0.6 * direction)
        again = moved(experiment, found, place)
        assert float(again.message_arrived[1]) == pytest.approx(place.time)
