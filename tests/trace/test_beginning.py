"""The beginning of a run contains the past, and nothing that depends on later events."""

from __future__ import annotations

import numpy as np
import pytest

from lydian.desk.playhead import Playhead
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.trace.beginning import Beginning
from lydian.trace.timeline import Timeline
from lydian.views.words.ends import closing, opening
from lydian.views.words.theory import theory


@pytest.fixture(scope="module")
def whole():
    return Timeline(Simulator(archive().experiment("two-wings")).run().trace)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.99])
def test_a_prefix_contains_the_events_up_to_a_time(whole, share):
    t = share * whole.end
    found, k = Beginning(whole).upto(t), whole.count(t)
    assert (found.length, found.end, found.processes, found.states) == (k, t, whole.processes, whole.states)
    assert (found.states_at(k) == whole.states_at(k)).all()
    assert (found.in_flight(k) == whole.in_flight(k)).all()
    assert [found.variables(p, k) for p in range(found.n)] == [whole.variables(p, k) for p in range(found.n)]
    assert list(found.trace.detail_of.texts(0)) == [(s, whole.trace.detail_of(s)) for s in range(k)
                                                    if whole.trace.detail_of(s) is not None]  # fmt: skip
    assert found.trace.detail_of(k) is None
    assert np.isinf(np.asarray(found.message_arrived)[found.in_flight(k)]).all()


def test_messages_in_transit_move_as_in_the_whole_run(whole):
    found, k = Beginning(whole).upto(5.0), whole.count(5.0)
    flying = whole.in_flight(k)
    assert len(flying)
    assert (np.asarray(found.message_reached)[flying] == np.asarray(whole.message_reached)[flying]).all()


def test_a_prefix_reveals_no_verdict_total_formula_or_description(whole):
    found = Beginning(whole).upto(5.0)
    assert not {"checks", "stopped", "decided", "expected_messages", "formula", "own"} & set(found.trace.summary)
    assert not {"name", "about"} & set(found.trace.experiment)
    assert theory(whole) and not theory(found)
    assert opening(whole) != opening(found) == "Echo on two-wings: 12 processes and 17 links."
    assert closing(found).startswith("So far: ")


def test_the_end_shows_the_whole_run(whole):
    beginning = Beginning(whole)
    assert beginning.upto(whole.end / 2) is beginning.upto(1.0), "what was seen stays seen"
    assert beginning.upto(whole.end) is whole


def test_the_playhead_reveals_what_it_passes(whole):
    beginning, seen = Beginning(whole), list[int]()
    head = Playhead()
    head.load(beginning.upto(head.start), beginning=beginning)
    head.changed.connect(lambda what: seen.append(head.events) if what == "time" else None)
    head.step(1)
    head.step(1)
    head.seek(4.0)
    head.seek(2.0)
    head.play()
    head.advance(3.0)
    assert head.playing
    assert seen == [whole.count(t) for t in (whole.time[0], whole.time[whole.count(whole.time[0])], 4.0, 4.0, 5.0)]
    head.advance(1000.0)
    assert head.at_end and not head.playing
    assert head.timeline is whole


def test_a_part_that_stands_alone_does_not_tell_when_messages_arrive(whole):
    beginning = Beginning(whole)
    seen = beginning.upto(whole.end / 2)
    part = beginning.alone(whole.end / 4)
    assert part.length == whole.count(whole.end / 4) and part.end == whole.end / 4
    flying = part.in_flight(part.length)
    assert len(flying) and not np.isfinite(np.asarray(part.message_reached)[flying]).any()
    assert part.trace.summary["asked"] and "stopped" not in part.trace.summary
    assert beginning.upto(whole.end / 4) is seen and beginning.seen == whole.end / 2
