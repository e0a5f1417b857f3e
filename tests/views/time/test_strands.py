"""The path between two events, and the strands shown by colours, compared with the closure of happened-before."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.selection import Selection
from lydian.views.time import cones
from lydian.views.time.axis import rows_of
from lydian.views.time.causality import frame
from lydian.views.time.highlight import LONGEST, chain_between
from lydian.views.time.ordering import arranged, moved, near, reordered
from lydian.views.time.strands import strands, way_between
from tests.views.time.test_causality import executions, run


def closure(timeline: Timeline) -> np.ndarray:
    """Return a (length, length) matrix of happened-before, computed by adding up single steps."""
    length = timeline.length
    before = np.zeros((length, length), dtype=bool)
    last: dict[int, int] = {}
    for seq in range(length):
        process, cause, drop = int(timeline.process[seq]), int(timeline.cause[seq]), timeline.kind[seq] == Kind.DROP
        for earlier in ([] if drop else [last[process]] if process in last else []) + ([cause] if cause >= 0 else []):
            before[earlier, seq] = True
            before[:, seq] |= before[:, earlier]
        if not drop:
            last[process] = seq
    return before


@given(executions(), st.data())
def test_the_relation_is_the_closure_of_happened_before(timeline: Timeline, data: st.DataObject) -> None:
    if not timeline.length:
        return
    before = closure(timeline)
    a, b = (data.draw(st.integers(0, timeline.length - 1)) for _ in range(2))
    wanted = "same" if a == b else "after" if before[a, b] else "before" if before[b, a] else "concurrent"
    assert cones.relation(timeline, a, b) == wanted
    way = way_between(timeline, a, b)
    assert (way is not None) == bool(before[a, b])
    if way is not None:
        assert way[0] == a and way[-1] == b
        assert all(before[x, y] for x, y in itertools.pairwise(way.tolist()))
        for x, y in itertools.pairwise(way.tolist()):  # each step is a message or stays at a process
            assert timeline.process[x] == timeline.process[y] or timeline.cause[y] == x


@given(executions(), st.data())
def test_a_highlighted_chain_has_messages_between_processes(timeline: Timeline, data: st.DataObject) -> None:
    if timeline.length < 2:
        return
    a, b = (data.draw(st.integers(0, timeline.length - 1)) for _ in range(2))
    lit = chain_between(timeline, a, b)
    assert (lit is None) == (cones.relation(timeline, a, b) in ("same", "concurrent"))
    if lit is not None:
        bits = lit.of_events(timeline, lit.chain)
        assert (bits == LONGEST).all()
        moves = sum(timeline.process[x] != timeline.process[y] for x, y in itertools.pairwise(lit.chain.tolist()))
        assert len(lit.messages) >= moves - (timeline.kind[lit.event] == Kind.DROP)


@given(executions())
def test_a_strand_is_a_chain_of_causes(timeline: Timeline) -> None:
    found = strands(timeline)
    assert len(found) == timeline.length
    sends: dict[int, int] = {}
    for seq in range(timeline.length):
        cause = int(timeline.cause[seq])
        if cause < 0:
            assert (found[:seq] != found[seq]).all()
        elif timeline.kind[seq] != Kind.SEND:
            assert found[seq] == found[cause]
        elif cause not in sends:
            sends[cause] = seq
            assert found[seq] == found[cause]
        else:  # another message of the same event
            assert found[seq] != found[cause]
            assert (found[:seq] != found[seq]).all()
    assert sorted(set(found.tolist())) == list(range(len(set(found.tolist()))))


def test_arrows_take_the_colour_of_their_strand() -> None:
    at = frame(run(), 9.0, color="chain")
    number = strands(run())[run().sends[at.scene.message]]
    assert at.scene.hue.tolist() == (number % 12).tolist()


def test_two_events_are_compared_in_the_title_and_the_chain_is_highlighted() -> None:
    first = int(np.flatnonzero(run().kind == Kind.INIT)[0])
    at = frame(run(), 9.0, Selection(event=first), other=int(run().receives[20]))
    assert at.title == at.relation
    assert " follows " in at.title and f"a chain of {at.longest} message" in at.title
    concurrent = [e for e in range(run().length) if cones.relation(run(), int(run().receives[20]), e) == "concurrent"]
    at = frame(run(), 9.0, Selection(event=int(run().receives[20])), other=concurrent[0])
    assert "neither can have influenced the other" in at.title and at.scene.marks is not None
    assert at.scene.marks.cones is not None  # causal past and future of the selected event remain


@given(st.permutations(range(6)), st.sets(st.integers(0, 5), min_size=1), st.data())
def test_moving_a_row_keeps_all_processes_and_leaves_hidden_ones_in_place(
    order: list[int], shown: set[int], data: st.DataObject
) -> None:
    rows = rows_of(run(), [p for p in order if p in shown])
    process = data.draw(st.sampled_from(sorted(shown)))
    row = data.draw(st.integers(0, len(shown) - 1))
    fresh = reordered(order, rows, process, row)
    assert sorted(fresh) == sorted(order)
    assert [p for p in fresh if p in shown] == list(moved(rows, process, row))
    assert [p for p in fresh if p in shown].index(process) == row
    assert all(a == b for a, b in zip(fresh, order, strict=True) if b not in shown)


def test_only_a_selection_and_its_neighbours_can_be_sorted() -> None:
    few = near(run(), {5})
    backwards = tuple(reversed(range(run().n)))
    rows = arranged(run(), "near", selected={5}, order=backwards)
    assert rows.processes.tolist() == sorted(few, reverse=True)
    with pytest.raises(Exception, match="rows must be numbers of different"):
        arranged(run(), order=(0, 0))
