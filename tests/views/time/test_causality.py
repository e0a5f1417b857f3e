"""The space-time diagram as numbers: visible arrows, their progress, and marks."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.selection import Selection
from lydian.views.time import axis, causality, highlight, spacetime, timescale, traffic
from tests.views.book import Book, echo

LOOK = Animation(states={"sleeping": 0, "waiting": 2, "acked": 3}, messages={"Broadcast": 0, "Ack": 1})


def small() -> Timeline:
    """a wakes up and sends to b and c; b answers; c crashes before it receives; the answer is in transit at the end."""
    book = Book(("a", "b", "c"), links=[("a", "b"), ("a", "c")])
    start = book.write(1.0, "init", "a", state="waiting")
    m0, s0 = book.send(1.5, "a", "b", "Broadcast", start)
    m1, s1 = book.send(1.5, "a", "c", "Broadcast", start)
    book.write(2.0, "crash", "c")
    r0 = book.write(3.5, "receive", "b", "a", label="Broadcast", message=m0, state="acked", cause=s0)
    book.write(4.0, "drop", "c", "a", label="Broadcast", message=m1, cause=s1, reason="crash")
    book.send(5.0, "b", "a", "Ack", r0)
    return Timeline(book.trace())


@cache
def run() -> Timeline:
    return Timeline(echo())


@cache
def chained() -> Timeline:
    """Return the same run with the lengths of its chains, and an end."""
    trace = echo()
    rows, chain = trace.rows.copy(), [0] * len(trace.processes)
    for seq, row in enumerate(rows):
        process = int(row["process"])
        if row["kind"] == Kind.RECEIVE:
            chain[process] = max(chain[process], int(rows["chain"][row["cause"]]) + 1)
        rows["chain"][seq] = chain[process]
    return Timeline(replace(trace, rows=rows, summary={**trace.summary, "stopped": "quiescent"}))


def frame(timeline: Timeline, t: float, *args: Any, **options: Any) -> causality.CausalityFrame:
    return causality.frame(timeline, t, *args, animation=LOOK, **options)


@st.composite
def executions(draw: st.DrawFn) -> Timeline:
    """Generate small executions with losses, messages that stay in transit, and equal times."""
    n = draw(st.integers(1, 4))
    names = tuple("abcd"[:n])
    book = Book(names)
    transit: list[tuple[int, int, str, str]] = []
    time = 0.0
    for _ in range(draw(st.integers(0, 25))):
        time += draw(st.sampled_from([0.0, 0.5, 1.0, 3.0]))
        what = draw(st.sampled_from(["init", "send", "send", "receive", "receive", "drop"]))
        who = draw(st.sampled_from(names))
        if what == "send" and n > 1:
            to = draw(st.sampled_from([name for name in names if name != who]))
            transit.append((*book.send(time, who, to, "Broadcast"), who, to))
        elif what in ("receive", "drop") and transit:
            number, cause, source, target = transit.pop(draw(st.integers(0, len(transit) - 1)))
            book.write(time, what, target, source, label="Broadcast", message=number, cause=cause)
        else:
            book.write(time, "timer", who)
    return Timeline(book.trace())


def test_the_arrows_and_dots_of_a_small_execution() -> None:
    scene = frame(small(), 2.5, window=(0.0, 10.0)).scene
    assert scene.message.tolist() == [0, 1, 2]
    assert scene.sent.tolist() == [1.5, 1.5, 5.0]
    assert scene.arrived.tolist() == [3.5, 4.0, np.inf]
    assert (scene.source_row.tolist(), scene.target_row.tolist()) == ([0, 0, 1], [1, 2, 0])
    assert scene.end_row.tolist() == [1.0, 2.0, 0.0]
    assert scene.kind.tolist() == [0, 0, 1]
    assert scene.lost.tolist() == [False, True, False]
    kinds = [spacetime.FULL, spacetime.HOLLOW, spacetime.HOLLOW, spacetime.CRASH, spacetime.FULL, spacetime.LOST]
    assert scene.glyph.tolist() == [*kinds, spacetime.HOLLOW]
    assert scene.row.tolist() == [0, 0, 0, 2, 1, 2, 1]
    assert scene.step.tolist() == [True, False, False, False, True, False, False]
    assert (scene.crash_row.tolist(), scene.crash_from.tolist(), scene.crash_to.tolist()) == ([2], [2.0], [np.inf])
    assert scene.density is None
    assert not scene.dimmed


def test_messages_in_transit_are_at_the_exact_fraction_of_their_path() -> None:
    timeline = small()
    at = frame(timeline, 2.5, window=(0.0, 10.0))
    assert at.flying.tolist() == [0, 1]
    assert at.fraction.tolist() == [0.5, 0.4]
    assert frame(timeline, 1.5).fraction.tolist() == [0.0, 0.0]
    assert frame(timeline, 1.49).flying.tolist() == []
    assert frame(timeline, 3.5).flying.tolist() == [1]


def test_a_message_without_arrival_approaches_and_never_arrives() -> None:
    timeline = small()
    parts = [float(frame(timeline, t, window=(0.0, 100.0)).fraction[-1]) for t in (5.0, 7.0, 50.0)]
    assert parts[0] == 0.0
    assert parts[1] == 0.5  # after the usual delay, that of the only message that arrived
    assert 0.5 < parts[2] < 1.0


def test_a_message_lost_in_transit_ends_between_the_rows() -> None:
    book = Book(("a", "b", "c"))
    first = book.write(0.0, "init", "a")
    m0, s0 = book.send(1.0, "a", "b", "Broadcast", first)
    m1, s1 = book.send(1.0, "a", "c", "Broadcast", first)
    book.write(3.0, "receive", "b", "a", label="Broadcast", message=m0, cause=s0)
    book.write(4.0, "drop", "c", "a", label="Broadcast", message=m1, cause=s1, reason="loss")
    scene = frame(Timeline(book.trace()), 5.0).scene
    assert scene.end_row[scene.lost].tolist() == pytest.approx([1.8])  # longer in transit than usual: 90 % of 2 rows
    assert scene.row[scene.glyph == spacetime.LOST].tolist() == pytest.approx([1.8])


def test_the_summary_gives_numbers() -> None:
    assert frame(small(), 0.5).title == "0 messages · longest chain so far 0"
    assert frame(small(), 2.5).title == "2 messages, 2 in transit · longest chain so far 0"
    assert frame(small(), 6.0).title.startswith("1 message lost at c · 3 messages, 1 in transit")
    past = frame(small(), 6.0, Selection(event=4), highlighted="past")
    assert past.title == "2 events in the causal past of the selected one · longest chain so far 0"
    both = frame(small(), 6.0, Selection(event=1)).title
    assert both == "1 event in its causal past · 4 events in its causal future · 1 concurrent · longest chain so far 0"


def test_states_are_shown_beside_the_rows() -> None:
    at = frame(small(), 3.6)
    assert at.slots.tolist() == [2, 3, 0]
    assert at.crashed.tolist() == [False, False, True]


def test_rows_can_be_ordered_and_hidden() -> None:
    scene = frame(small(), 3.0, rows=(2, 0), window=(0.0, 10.0)).scene
    assert scene.message.tolist() == [1]
    assert (scene.source_row.tolist(), scene.target_row.tolist()) == ([1], [0])
    assert set(scene.row.tolist()) == {0.0, 1.0}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"window": (3.0, 3.0)}, "a window must begin before it ends"),
        ({"window": (0.0, float("nan"))}, "a window must begin before it ends"),
        ({"axis": "tiem"}, "did you mean 'time'"),
        ({"highlighted": "pats"}, "did you mean 'past'"),
        ({"rows": (0, 0)}, "rows must be numbers of different processes"),
        ({"rows": (0, 7)}, "from 0 to 2"),
    ],
)
def test_impossible_displays_are_refused_with_an_error(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        frame(small(), 1.0, **options)
    assert sentence in str(caught.value)


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(BadInput, match="there is no event 99; this execution has events 0 to 6"):
        frame(small(), 1.0, Selection(event=99))


def test_an_execution_without_events_is_an_empty_picture() -> None:
    at = frame(Timeline(Book(("a", "b")).trace()), 0.0)
    assert len(at.scene.message) == len(at.scene.event) == 0
    assert at.title == "0 messages · longest chain so far 0"


def test_the_same_window_is_the_same_scene_at_every_moment() -> None:
    one, other = (frame(run(), t, window=(0.0, 9.0)).scene for t in (1.0, 7.0))
    assert one is other
    assert frame(run(), 1.0, window=(0.0, 8.0)).scene is not one


def test_the_causal_past_of_an_event_is_marked_with_messages_and_lines() -> None:
    scene = frame(small(), 6.0, Selection(event=4), window=(0.0, 10.0), highlighted="past").scene
    assert scene.dimmed
    assert scene.event[scene.event_bits > 0].tolist() == [0, 1, 4]
    assert scene.message[scene.bits > 0].tolist() == [0]
    spans = zip(scene.span_row.tolist(), scene.span_from.tolist(), scene.span_to.tolist(), strict=True)
    assert sorted(spans) == [(0, 1.0, 1.5), (1, 3.5, 3.5)]


def test_the_causal_future_does_not_mark_the_row_of_a_lost_message() -> None:
    scene = frame(small(), 6.0, Selection(event=2), highlighted="future", window=(0.0, 10.0)).scene
    assert scene.event[scene.event_bits > 0].tolist() == [2, 5]
    assert scene.span_row.tolist() == [0]


def test_the_longest_chain_grows_with_the_play_head() -> None:
    timeline = chained()
    lengths = []
    for t in np.linspace(0.0, timeline.end, 30):
        at = frame(timeline, float(t), highlighted="longest")
        messages = 0 if at.scene.marks is None else len(at.scene.marks.messages)
        k = timeline.count(float(t))
        assert messages == (int(timeline.chain[:k].max()) if k else 0)
        lengths.append(messages)
    assert lengths == sorted(lengths)
    assert lengths[-1] > 5


def test_the_longest_chain_is_highlighted_at_the_end_without_dimming_the_rest() -> None:
    timeline = chained()
    end = frame(timeline, timeline.end)
    assert end.longest == int(timeline.chain.max())
    assert int(timeline.chain[end.scene.chain]) == end.longest
    assert int(np.count_nonzero(end.scene.bits)) == end.longest
    assert not end.scene.dimmed
    assert frame(timeline, timeline.end, highlighted="longest").scene.dimmed
    for other in (
        frame(timeline, timeline.end * 0.9),
        frame(timeline, timeline.end, chain=False),
        frame(timeline, timeline.end, highlighted=None),
        frame(timeline, timeline.end, Selection(event=3)),
        frame(run(), run().end),  # it is not known whether it is finished
    ):
        assert other.scene.chain < 0


def test_arrows_are_coloured_by_depth_or_sender() -> None:
    timeline = chained()
    depth = frame(timeline, 3.0, color="depth").scene
    sends = timeline.sends[depth.message]
    assert depth.hue.tolist() == (timeline.chain[sends] % spacetime.HUES).tolist()
    arrivals = timeline.receives[depth.message]
    assert ((timeline.chain[arrivals] - timeline.chain[sends]) >= 1).all()  # colours change along a chain
    assert depth.deepest == int(timeline.chain.max())
    sender = frame(timeline, 3.0, color="sender").scene
    assert sender.hue.tolist() == (timeline.message_source[sender.message] % spacetime.HUES).tolist()
    assert set(frame(timeline, 3.0).scene.hue.tolist()) == {-1}
    with pytest.raises(BadInput, match="did you mean 'depth'"):
        frame(timeline, 3.0, color="dept")


@pytest.mark.parametrize("name", ["events", "squashed", "lamport"])
def test_arrows_and_dots_are_at_the_positions_of_their_events(name: str) -> None:
    timeline = run()
    at = frame(timeline, 5.0, axis=name)
    scene = at.scene
    assert scene.message.tolist() == list(range(timeline.m_messages))
    assert scene.begin.tolist() == scene.scale.events(timeline.sends).tolist()
    assert scene.finish.tolist() == scene.scale.events(timeline.receives).tolist()
    assert scene.place.tolist() == scene.scale.events(scene.event).tolist()
    assert ((at.along >= 0) & (at.along <= 1)).all()
    if name == "lamport":
        assert at.front is not None
        last = timeline.last_events(at.happened)
        assert at.front.tolist() == [float(timeline.lamport[e]) if e >= 0 else 0.0 for e in last]
    else:
        assert at.front is None


@given(executions(), st.floats(0, 15), st.floats(0.5, 10))
def test_on_the_lamport_axis_every_arrow_that_touches_the_window_is_kept(
    timeline: Timeline, start: float, length: float
) -> None:
    scene = frame(timeline, 0.0, window=(start, start + length), axis="lamport").scene
    tails, heads = scene.scale.events(timeline.sends), scene.scale.events(timeline.receives)
    inside = (tails <= scene.span[1]) & (heads >= scene.span[0])
    hair = 1e-6 * (1 + abs(scene.span[1]))  # positions are compared in single precision, which is less than a pixel
    near = (tails <= scene.span[1] + hair) & (heads >= scene.span[0] - hair)
    assert set(np.flatnonzero(inside)) <= set(scene.message.tolist()) <= set(np.flatnonzero(near))
    assert (np.diff(scene.message) > 0).all()
    places = scene.scale.events(np.arange(timeline.length))
    seen = (places >= scene.span[0]) & (places <= scene.span[1])
    close = (places >= scene.span[0] - hair) & (places <= scene.span[1] + hair)
    assert set(np.flatnonzero(seen)) <= set(scene.event.tolist()) <= set(np.flatnonzero(close))


def test_hidden_processes_are_indicated_and_bridged() -> None:
    at = frame(run(), 9.0, hidden=(3,))
    assert at.title.endswith("1 process hidden")
    assert len(at.scene.through) > 0
    assert len(at.scene.through_from) == len(at.scene.through_to) == len(at.scene.through)
    assert (run().process[at.scene.through_from] != 3).all()
    assert len(frame(run(), 9.0).scene.through) == 0


# -- properties ------------------------------------------------------------------------------------------------


@given(executions(), st.floats(-1, 30), st.floats(0.1, 20))
def test_exactly_the_arrows_in_the_window_are_kept(timeline: Timeline, start: float, length: float) -> None:
    window = (start, start + length)
    found, count = traffic.arrows_in(timeline, window)
    inside = (timeline.message_sent <= window[1]) & (timeline.message_arrived >= window[0])
    assert sorted(found.tolist()) == np.flatnonzero(inside).tolist()
    assert count == len(found)
    scene = frame(timeline, 0.0, window=window).scene
    assert scene.in_view == count
    seen = (timeline.time >= window[0]) & (timeline.time <= window[1])
    assert scene.event.tolist() == np.flatnonzero(seen).tolist()


@given(executions(), st.data())
def test_the_past_is_the_closure_of_direct_precedence(timeline: Timeline, data: st.DataObject) -> None:
    if not timeline.length:
        return
    event = data.draw(st.integers(0, timeline.length - 1))
    drop = spacetime._GLYPHS[timeline.kind] == spacetime.LOST
    before: dict[int, set[int]] = {i: set() for i in range(timeline.length)}
    last: dict[int, int] = {}
    for seq in range(timeline.length):
        if timeline.cause[seq] >= 0:
            before[seq].add(int(timeline.cause[seq]))
        if not drop[seq]:
            process = int(timeline.process[seq])
            before[seq] |= {last[process]} if process in last else set()
            last[process] = seq
    closed, todo = set(), [event]
    while todo:
        for seq in before[todo.pop()] - closed:
            closed.add(seq)
            todo.append(seq)
    marks = highlight.marks_for(timeline, event, "past", timeline.length)
    assert marks is not None
    everything = np.arange(timeline.length)
    assert np.flatnonzero(marks.of_events(timeline, everything)).tolist() == sorted(closed | {event})
    assert marks.led == len(closed)
    messages = np.flatnonzero(marks.of_messages(timeline, np.arange(timeline.m_messages)))
    ends = [{int(timeline.sends[m]), int(timeline.receives[m])} for m in messages]
    assert all(end <= closed | {event} for end in ends)


@given(executions(), st.integers(1, 40))
def test_the_density_counts_each_event_in_the_window_once(timeline: Timeline, bins: int) -> None:
    window = (-0.5, timeline.end + 0.5)
    scene = frame(timeline, 0.0, window=window, bins=bins, limit=-1).scene
    assert scene.density is not None
    assert len(scene.density) == timeline.n
    assert bins <= scene.density.shape[1] <= 2 * bins + 1
    assert scene.density.sum(axis=1).tolist() == np.bincount(timeline.process, minlength=timeline.n).tolist()


# -- many messages ---------------------------------------------------------------------------------------------


def test_beyond_the_limit_only_the_selection_stays_sharp() -> None:
    timeline = run()
    scene = frame(timeline, 5.0, limit=20).scene
    assert scene.density is not None
    assert int(scene.density.sum()) == timeline.length
    assert len(scene.message) == len(scene.event) == 0
    assert scene.in_view == timeline.m_messages
    chosen = frame(timeline, 5.0, Selection(messages=frozenset({3})), limit=20).scene
    assert chosen.message.tolist() == [3]
    assert chosen.chosen.tolist() == [True]
    marked = frame(timeline, 5.0, Selection(event=30), limit=20).scene
    assert marked.event.tolist() == [30]
    assert marked.cuts is not None
    longest = frame(chained(), 5.0, highlighted="longest", limit=20).scene
    assert 0 < len(longest.message) <= 20
    assert (longest.bits > 0).all()
    mine = frame(timeline, 5.0, Selection(processes=frozenset({5})), limit=20).scene
    assert ((mine.source_row == 5) | (mine.target_row == 5)).all()
    assert set(mine.row.tolist()) == {5.0}


def crossing(many: int) -> Timeline:
    """Return a run in which b receives two messages, one after the other, while many others are on their way to it."""
    senders = [f"a{number}" for number in range(many + 2)]
    book = Book((*senders, "b"), links=[(sender, "b") for sender in senders])
    sent = [book.send(1.0, sender, "b", "Broadcast") for sender in senders]
    for time, sender, (message, cause) in zip([5.0, 6.0, *[9.0] * many], senders, sent, strict=True):
        book.write(time, "receive", "b", sender, label="Broadcast", message=message, cause=cause)
    return Timeline(book.trace())


@pytest.mark.parametrize("scale", ["time", "lamport"])
def test_if_too_many_messages_are_in_view_those_that_pass_through_are_left_out(scale: str) -> None:
    timeline, window = crossing(30), (5.5, 6.5)
    few = frame(timeline, 6.2, window=window, axis=scale, limit=100)
    assert len(few.scene.message) == few.scene.in_view and few.scene.passing == 0
    many = frame(timeline, 6.2, window=window, axis=scale, limit=20)
    assert many.scene.density is None
    assert many.scene.event.tolist() == few.scene.event.tolist()
    assert many.scene.message.tolist() == sorted(timeline.message[many.scene.event].tolist())
    assert many.scene.passing == few.scene.in_view - len(many.scene.message) >= 25
    assert f"{many.scene.passing} messages that only pass through are not drawn" in many.title
    chosen = frame(timeline, 6.2, Selection(messages=frozenset({7})), window=window, axis=scale, limit=20).scene
    assert chosen.message.tolist() == [*many.scene.message.tolist(), 7] and chosen.passing == many.scene.passing - 1


def test_scenes_of_a_growing_run_never_look_the_same() -> None:
    looks = set()
    for _ in range(20):
        timeline = crossing(3)  # the runs before are gone, so that their places in memory are free
        looks.add(frame(timeline, 5.5, window=(4.0, 6.0)).scene.look)
    assert len(looks) == 20


# -- windows, ticks, rows --------------------------------------------------------------------------------------


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(1, 30))
def test_ticks_are_few_round_and_in_the_window(start: float, length: float, count: int) -> None:
    times, step = axis.ticks((start, start + length), count)
    assert len(times) <= count + 1
    assert step * count >= length * (1 - 1e-6)
    assert step / 10 ** np.floor(np.log10(step) + 1e-9) == pytest.approx(
        round(step / 10 ** np.floor(np.log10(step) + 1e-9))
    )
    slack = max(step * 1e-6, 4 * np.spacing(abs(start) + length))  # a double has no more digits
    assert all(start - slack <= t <= start + length + slack for t in times)


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [(4.0, 1.0, "4"), (0.25, 0.05, "0.25"), (12000.0, 2000.0, "12,000"), (-0.0, 0.5, "0.0"), (0.3, 0.1, "0.3")],
)
def test_ticks_have_as_many_decimals_as_their_step(value: float, step: float, text: str) -> None:
    assert axis.tick_text(value, step) == text


@given(st.floats(0, 100), st.floats(0.1, 50), st.floats(0, 200))
def test_while_following_the_play_head_stays_in_the_middle(start: float, length: float, t: float) -> None:
    window = timescale.follow((start, start + length), t)
    assert window[1] - window[0] == pytest.approx(length)
    part = (t - window[0]) / length
    assert part <= 0.8 + 1e-6
    assert part >= 0.2 - 1e-6 or window[0] == 0.0


def test_memory_is_released_with_the_timeline() -> None:
    timeline = small()
    frame(timeline, 1.0, Selection(event=3))
    number = id(timeline)
    assert number in axis._memories
    del timeline
    assert number not in axis._memories


def test_only_the_latest_scenes_are_cached() -> None:
    timeline = small()
    for i in range(200):
        frame(timeline, 1.0, window=(0.0, 5.0 + i))
    assert len(axis._memories[id(timeline)][1]) <= axis._KEPT


def test_process_lines_have_the_states_after_the_first_one() -> None:
    scene = frame(small(), 3.0).scene
    found = zip(scene.tint_row.tolist(), scene.tint_begin.tolist(), scene.tint_end.tolist(), scene.tint_slot.tolist(),
                strict=True)  # fmt: skip
    assert sorted(found) == [(0, 1.0, 5.0, 2), (1, 3.5, 5.0, 3)]  # c, which never leaves its first state, crashes
    part = frame(small(), 3.0, window=(0.0, 2.0)).scene
    assert part.tint_row.tolist() == [0]
    assert not len(frame(small(), 3.0, limit=0).scene.tint_row)  # a density has none


def test_windows_with_many_events_have_no_lamport_times_and_windows_say_which_events_they_show() -> None:
    timeline = small()
    assert frame(timeline, 3.0).scene.numbered
    assert not frame(timeline, 3.0, numbers=timeline.length - 1).scene.numbered
    assert frame(timeline, 3.0, numbers=3, window=(1.2, 2.5)).scene.numbered
    assert frame(timeline, 3.0, window=(1.2, 2.5)).title.startswith("events 2 to 4 · ")
    assert frame(timeline, 3.0).title.startswith("2 messages")


def test_a_cut_passes_each_row_between_its_last_event_and_the_next_one() -> None:
    timeline = small()  # a: 1.0, 1.5, 1.5; b: 3.5, 5.0; c: 2.0
    made = causality.frame(timeline, timeline.end, Selection(cut=(2, 4, -1)), animation=LOOK, window=(0.0, 10.0))
    assert made.cut is not None and made.cut.tolist() == pytest.approx([1.7, 3.7, 1.8])
    made = causality.frame(timeline, timeline.end, Selection(cut=(0, -1, 3)), animation=LOOK, window=(0.0, 100.0))
    assert made.cut is not None and made.cut.tolist() == pytest.approx([1.25, 1.5, 4.0])
    assert causality.frame(timeline, timeline.end, animation=LOOK).cut is None
