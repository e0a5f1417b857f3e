"""Frontiers of causal past and future compared with the sets; clocks; arrows through hidden processes."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lydian.trace import causality
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time import cones
from lydian.views.time.axis import rows_of
from lydian.views.time.highlight import marks_for
from lydian.views.time.indirect import indirect
from tests.views.time.test_causality import executions, frame, run, small


@given(executions(), st.data())
def test_the_frontiers_match_the_sets(timeline: Timeline, data: st.DataObject) -> None:
    if not timeline.length:
        return
    event = data.draw(st.integers(0, timeline.length - 1))
    found, seqs = cones.cones_of(timeline, event), np.arange(timeline.length)
    assert found.past(timeline, seqs).tolist() == causality.past(timeline, event).tolist()
    assert found.future(timeline, seqs).tolist() == causality.future(timeline, event).tolist()
    marks = marks_for(timeline, event, "both", timeline.length)
    assert marks is not None
    assert marks.apart == int(causality.concurrent(timeline, event).sum())
    assert marks.led + marks.came + marks.apart == timeline.length - 1


def test_the_frontiers_of_a_longer_run_in_small_blocks(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("lydian.trace.cones.BLOCK", 3)
    monkeypatch.setattr("lydian.trace.cones.MANY", 5)
    timeline, seqs = run(), np.arange(run().length)
    for event in range(0, timeline.length, 7):
        found = cones.cones_of(timeline, event)
        assert found.past(timeline, seqs).tolist() == causality.past(timeline, event).tolist()
        assert found.future(timeline, seqs).tolist() == causality.future(timeline, event).tolist()


@given(executions(), st.data())
def test_vector_clocks_match_happened_before(timeline: Timeline, data: st.DataObject) -> None:
    lines = [e for e in range(timeline.length) if timeline.kind[e] != Kind.DROP]
    if not lines:
        return
    a, b = data.draw(st.sampled_from(lines)), data.draw(st.sampled_from(lines))
    one, other = cones.vector_clock(timeline, a), cones.vector_clock(timeline, b)
    before = a != b and bool((one <= other).all())
    assert before == causality.happened_before(timeline, a, b)
    wanted = "same" if a == b else "after" if before else None
    assert cones.relation(timeline, a, b) == (
        wanted or ("before" if causality.happened_before(timeline, b, a) else "concurrent")
    )


def test_two_events_are_compared_in_words() -> None:
    def words(event: int, other: int) -> str:
        from lydian.views.selection import Selection

        return frame(small(), 6.0, Selection(event=event), other=other).relation

    before = "a at 1.00 precedes b at 3.50 in causal order and may have influenced it"
    after = "b at 3.50 follows a at 1.00 in causal order and may have been influenced by it"
    assert (words(4, 0), words(0, 4)) == (f"{before} · a chain of 1 message", f"{after} · a chain of 1 message")
    assert words(4, 3) == "c at 2.00 is concurrent with b at 3.50: neither can have influenced the other"
    assert frame(small(), 6.0, other=3).relation == ""


@given(executions(), st.data())
def test_hiding_processes_preserves_causal_order(timeline: Timeline, data: st.DataObject) -> None:
    shown = data.draw(st.lists(st.integers(0, timeline.n - 1), unique=True, max_size=timeline.n))
    rows = rows_of(timeline, shown)
    found = indirect(timeline, rows)
    assert found.known
    lines = [e for e in range(timeline.length) if timeline.kind[e] != Kind.DROP and timeline.process[e] in shown]
    after: dict[int, set[int]] = {e: set() for e in lines}
    for p in shown:
        mine = [e for e in lines if timeline.process[e] == p]
        for a, b in itertools.pairwise(mine):
            after[a].add(b)
    for a, b in zip(*cones.arrows(timeline), strict=True):
        if int(a) in after and int(b) in after:
            after[int(a)].add(int(b))
    for a, b in zip(found.source.tolist(), found.target.tolist(), strict=True):
        assert timeline.process[a] != timeline.process[b]
        after[a].add(b)
    for start in lines:
        reached, todo = set(), [start]
        while todo:
            for e in after[todo.pop()] - reached:
                reached.add(e)
                todo.append(e)
        assert reached == {e for e in lines if causality.happened_before(timeline, start, e)}
