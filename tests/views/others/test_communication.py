"""The columns of the communication view, compared as arrays."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.others import communication
from lydian.views.others.communication import SORTS, WHATS, CommunicationFrame
from lydian.views.selection import Hit, Selection
from lydian.views.words.theory import expected_total, theory
from tests.views.book import LABELS, SOURCE, STATES, Book, echo

LOOK = Animation(
    states={"sleeping": 0, "waiting": 2, "acked": 3, "initiating": 1, "finished": 1},
    messages={"Broadcast": 0, "Ack": 1},
)


@cache
def timeline(bits: tuple[int, int] = (8, 8)) -> Timeline:
    return Timeline(echo(bits=bits))


def at(t: float, *, of: Timeline | None = None, **options: object) -> CommunicationFrame:
    of = timeline() if of is None else of
    return communication.frame(of, t, options.pop("selection", Selection()), animation=LOOK, **options)


def counted(trace: Trace, k: int, kind: str, n: int, labels: tuple[str, ...]) -> np.ndarray:
    """Count the first k events in the obvious, slow way."""
    table = np.zeros((n, len(labels)), dtype=int)
    for event in trace.events(0, k):
        if event.kind == kind:
            table[trace.processes.index(event.process), labels.index(event.label)] += 1
    return table


def test_before_the_first_event_everything_is_in_the_future() -> None:
    frame = at(0.0)
    assert frame.so_far.sum() == 0
    assert frame.to_come.sum() == 46
    assert frame.mean == 0
    assert frame.largest.tolist() == [0] * 12
    assert frame.slots.tolist() == [0] * 12


def test_at_the_end_nothing_is_in_the_future() -> None:
    frame = at(1e9)
    assert frame.to_come.sum() == 0
    assert frame.heights.sum() == 46
    assert frame.mean == pytest.approx(46 / 12)
    assert frame.largest.tolist() == [8] * 12
    assert frame.title.startswith("sent so far: 46 of 46 · largest message 8 bits everywhere")
    assert frame.slots.tolist() == [1] + [3] * 11


def test_columns_kinds_and_initiators() -> None:
    frame = at(5.0)
    assert frame.labels == LABELS
    assert frame.kinds == (0, 1)
    assert frame.names == tuple(str(i) for i in range(12))
    assert frame.initiators.tolist() == [True] + [False] * 11
    assert frame.degree.tolist() == [3, 3, 1, 5, 2, 3, 4, 4, 3, 3, 1, 2]
    assert frame.top == 6
    assert not frame.crashed.any()


@given(
    t=st.floats(-1, 20),
    what=st.sampled_from(list(WHATS)),
    sort=st.sampled_from(list(SORTS)),
    bits=st.sampled_from([(8, 8), (64, 8)]),
)
def test_past_and_future_add_up_to_the_whole_at_any_time(t: float, what: str, sort: str, bits: tuple[int, int]) -> None:
    of = timeline(bits)
    now, end = at(t, of=of, what=what, sort=sort), at(of.end, of=of, what=what, sort=sort)
    assert np.array_equal(now.columns, end.columns)
    assert np.array_equal(now.so_far + now.to_come, end.so_far)
    assert (now.so_far >= 0).all()
    assert (now.to_come >= 0).all()
    assert sorted(now.columns.tolist()) == list(range(12))
    assert now.top == end.heights.max()


@given(t=st.floats(0, 12))
def test_counts_match_a_scan(t: float) -> None:
    of = timeline((64, 8))
    k = of.count(t)
    sent = counted(of.trace, k, "send", 12, LABELS)
    assert np.array_equal(at(t, of=of).so_far, sent)
    assert np.array_equal(at(t, of=of, what="received").so_far, counted(of.trace, k, "receive", 12, LABELS))
    frame = at(t, of=of, what="bits")
    assert np.array_equal(frame.so_far, sent * [64, 8])
    assert np.array_equal(frame.largest, np.where(sent[:, 0] > 0, 64, np.where(sent[:, 1] > 0, 8, 0)))


def test_totals_of_bits_have_key_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(communication, "BLOCK", 5)
    of = Timeline(echo(bits=(64, 8)))
    for t in np.linspace(0, of.end, 40):
        expected, frame = at(t, of=timeline((64, 8)), what="bits"), at(t, of=of, what="bits")
        assert np.array_equal(frame.so_far, expected.so_far)
        assert np.array_equal(frame.largest, expected.largest)


def test_size_of_messages_in_the_title() -> None:
    assert at(3.0).constant_bits == 8
    frame = at(3.0, of=timeline((64, 8)))
    assert frame.constant_bits is None
    assert frame.scale_bits == 64
    assert "largest message 64 bits" in frame.title
    assert "everywhere" not in frame.title


def test_titles() -> None:
    assert at(0.7).title == "sent so far: 3 of 46 · largest message 8 bits everywhere · formula 4m − 2n + 2 = 46"
    assert at(0.7, what="received").title.startswith("received so far: 0 of 46")
    assert at(0.7, what="bits").title.startswith("bits sent so far: 24 of 368")
    assert at(0.7, future=False).title.startswith("sent so far: 3 ·")


def test_the_future_of_a_live_run_is_unknown() -> None:
    trace = echo()
    live = Timeline(replace(trace, rows=trace.rows[:50], summary={"start": "sleeping"}))
    frame = at(99.0, of=live)
    assert frame.to_come.sum() == 0
    assert " of " not in frame.title
    assert frame.top == frame.heights.max()
    assert at(1.0, of=live).to_come.sum() == 0


def test_orders() -> None:
    value = at(5.0, sort="value")
    whole = (value.so_far + value.to_come).sum(axis=1)
    assert (np.diff(whole) <= 0).all()
    degree = at(5.0, sort="degree")
    assert (np.diff(degree.degree) <= 0).all()
    assert degree.names[0] == "3"
    by_id = at(5.0)
    assert np.array_equal(value.so_far, by_id.so_far[value.columns])
    assert np.array_equal(value.slots, by_id.slots[value.columns])


def test_the_highest_counts_are_found() -> None:
    frame = at(6.0)
    heights = frame.heights
    assert len(frame.highest) == 10
    assert sorted(heights)[::-1][:10] == [heights[c] for c in frame.highest]


def test_selection_and_hover_follow_their_process_through_any_order() -> None:
    for sort in SORTS:
        frame = at(5.0, sort=sort, selection=Selection(processes=frozenset({5, 99})), hover=Hit("process", 7))
        assert frame.columns[frame.selected].tolist() == [5]
        assert frame.columns[frame.hover] == 7
    assert at(5.0, hover=Hit("event", 7)).hover == -1


@pytest.mark.parametrize(("option", "word"), [("what", "sended"), ("sort", "degre")])
def test_an_unknown_word(option: str, word: str) -> None:
    with pytest.raises(BadInput, match="did you mean"):
        at(1.0, **{option: word})


def test_crashes_losses_and_faults() -> None:
    b = Book(("0", "1"), links=[("0", "1")])
    b.write(0, "init", "0", state="initiating")
    number, seq = b.send(0.1, "0", "1", "Broadcast", 0)
    b.write(0.5, "crash", "1")
    b.write(1.0, "drop", "1", "0", label="Broadcast", message=number, cause=seq, reason="crash")
    b.write(2.0, "inject", "1", "0", label="Ack", message=1, bits=8)
    of = Timeline(b.trace(stopped="quiescent"))
    frame = at(3.0, of=of)
    assert frame.crashed.tolist() == [False, True]
    assert frame.so_far.sum() == 1, "what a fault puts in was sent by nobody"
    assert at(3.0, of=of, what="received").so_far.sum() == 0


def test_an_execution_without_messages_or_processes() -> None:
    quiet = at(1.0, of=Timeline(Book(("0", "1"), links=[]).trace(stopped="quiescent")))
    assert quiet.so_far.shape == (2, 0)
    assert quiet.title.startswith("sent so far: 0 of 0")
    nobody = at(1.0, of=Timeline(Book((), links=[]).trace(stopped="quiescent")))
    assert nobody.columns.shape == (0,)
    assert nobody.mean == 0


def test_without_a_network_degrees_come_from_the_messages() -> None:
    of = Timeline(replace(echo(), network={}))
    assert at(1.0, of=of).degree.tolist() == at(1.0).degree.tolist()
    assert "formula" not in at(1.0, of=of).title


def test_theory() -> None:
    assert theory(timeline()) == (
        "The formula 4m − 2n + 2 expects 46 messages for 12 processes and 17 links: exactly what was sent."
    )
    expected = expected_total(timeline())
    assert expected is not None
    assert (expected.text, expected.relation, expected.value) == ("4m − 2n + 2", "=", 46)
    bound = Timeline(replace(echo(), source=SOURCE.replace("4*m - 2*n + 2", "<= 2*n**2")))
    assert theory(bound) == "The formula 2n² expects at most 288 messages for 12 processes and 17 links; 46 were sent."
    choice = '2*m if forward == \\"all\\" else 4*m - 2*n + 2'
    chosen = Timeline(replace(echo(), source=SOURCE.replace("4*m - 2*n + 2", choice)))
    assert theory(chosen) == "", "a parameter that nobody knows"
    declared = SOURCE.replace("4*m - 2*n + 2", choice).replace(
        "state = SLEEPING\n", "state = SLEEPING\n    forward = parameter('x')\n"
    )
    assert at(1.0, of=Timeline(replace(echo(), source=declared))).title.endswith("formula 4m − 2n + 2 = 46")
    assert theory(Timeline(replace(echo(), source="class Broken("))) == ""


def test_tables_are_cached_until_the_trace_grows() -> None:
    of = Timeline(echo())
    assert communication._tables(of) is communication._tables(of)


def test_states_unknown_to_the_animation_have_a_look() -> None:
    frame = communication.frame(timeline(), 5.0)
    assert frame.slots.shape == (12,)
    assert len(STATES) == 5


def test_processes_with_shared_objects_show_their_accesses() -> None:
    book = Book(("p", "q"), links=[("p", "q")])
    for t, (process, do) in enumerate((("p", "write"), ("q", "read"), ("q", "read"), ("q", None)), 1):
        book.write(float(t), "rule", process, **({"access": {"object": "x", "do": do}} if do else {}))
    trace = book.trace()
    trace.summary.update(shared={"x": 0}, stopped="quiescent")
    silent = Timeline(trace)
    frame = communication.frame(silent, 2.5, animation=LOOK)
    assert (frame.what, frame.labels, frame.title) == ("accesses", ("read", "write"), "accesses so far: 2 of 3")
    assert frame.so_far.tolist() == [[0, 1], [1, 0]] and frame.to_come.tolist() == [[0, 0], [1, 0]]
    assert frame.about == "" and frame.expects == () and frame.scale_bits == 0
    assert communication.frame(silent, 2.5, animation=LOOK, what="received").so_far.sum() == 0
    assert at(2.5, what="accesses").title.startswith("accesses so far: 0")
