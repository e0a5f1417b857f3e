"""The views along time with ten million events: scrolling at any zoom, the whole run at once, memory.

A frame is the work of a window for one picture: compute it and paint it, 1200 x 800, two pixels further each time, as
when playing zoomed in. The comparison is a plain pyqtgraph plot of 1 % of the same data.
"""

from __future__ import annotations

import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from lydian.trace.events import ROW, Kind, Trace
from lydian.trace.timeline import Timeline
from tests.benchmarks.conftest import Report

EVENTS, PROCESSES = 10_000_000, 200
SIZE = (1200, 800)
#: The numbers of visible messages, from a handful to all.
ZOOMS = (40, 400, 1_000, 2_500, 4_000, 40_000, 400_000)


def synthetic(events: int, n: int) -> Trace:
    """Return messages between random processes at random times; every receive changes the state; clocks are valid."""
    chance = np.random.default_rng(5)
    m = events // 2
    sent = np.sort(chance.uniform(0, events / 100, m))
    times = np.concatenate((sent, sent + chance.lognormal(0.0, 0.6, m)))
    order = np.argsort(times, kind="stable")
    place = np.empty(2 * m, dtype=np.int32)
    place[order] = np.arange(2 * m, dtype=np.int32)
    source = chance.integers(0, n, m, dtype=np.int32)
    target = ((source + chance.integers(1, n, m)) % n).astype(np.int32)
    receives = order >= m
    message = np.where(receives, order - m, order)
    rows = np.zeros(2 * m, dtype=ROW)
    rows["time"], rows["message"] = times[order], message
    rows["kind"] = np.where(receives, Kind.RECEIVE, Kind.SEND)
    rows["process"] = np.where(receives, target[message], source[message])
    rows["peer"] = np.where(receives, source[message], target[message])
    rows["cause"] = np.where(receives, place[message], -1)
    rows["state"], rows["bits"] = message % 3, 8
    # not the least clocks, which would need a loop over all events, but they increase along processes and messages
    rows["lamport"] = np.arange(1, 2 * m + 1)
    return Trace(rows, tuple(map(str, range(n))), ("Ping",), ("calm", "busy", "done"), summary={"stopped": "until"})


@pytest.fixture(scope="module")
def timeline(qapp: Any) -> Iterator[Timeline]:
    trace = synthetic(EVENTS, PROCESSES)
    assert len(trace) == EVENTS
    built = Timeline(trace)
    assert built.m_messages == EVENTS // 2
    assert int(np.count_nonzero(built.kind == Kind.RECEIVE)) == EVENTS // 2
    yield built
    from lydian.views.time import axis

    axis._memories.clear()


def milliseconds(timed: Callable[[], Any]) -> float:
    start = time.perf_counter()
    timed()
    return (time.perf_counter() - start) * 1000


def scrolling(timeline: Timeline, view: str, messages: int, axis: str, frames: int = 24) -> tuple[float, list[float]]:
    """Return the milliseconds of the first frame of a zoom, and of each one that follows while the window moves."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    from lydian.app.look.theme import Theme
    from lydian.app.pictures.render import ensure_application
    from lydian.pieces.animation import animation_for
    from lydian.views import registry
    from lydian.views.time.timescale import follow, scale_of

    ensure_application()
    known = registry.view(view)
    painter = known.painter_class()(Theme("light"))
    animation = animation_for(timeline.trace)
    scale = scale_of(timeline, axis)
    image = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    length = timeline.end * messages / timeline.m_messages
    start = timeline.end * 0.3
    state = {"window": (start, start + length), "t": start + 0.8 * length}

    def frame() -> None:
        shown = known.frame(timeline, state["t"], animation=animation, window=state["window"], axis=axis)
        p = QPainter(image)
        try:
            painter.paint(p, QRectF(0, 0, *SIZE), shown)
        finally:
            p.end()

    first = milliseconds(frame)
    found = []
    for _ in range(frames):
        state["t"] += 2 * length / SIZE[0]
        state["window"] = follow(state["window"], state["t"], scale)
        found.append(milliseconds(frame))
    return first, found


@pytest.mark.parametrize("view", ["causality", "occupation"])
@pytest.mark.parametrize("axis", ["time", "events", "squashed", "lamport"])
def test_scrolling_at_any_zoom(timeline: Timeline, view: str, axis: str, report: Report) -> None:
    scrolling(timeline, view, 400, axis, 2)  # indexes are built once
    worst = 0.0
    for messages in ZOOMS:
        first, found = scrolling(timeline, view, messages, axis)
        worst = max(worst, statistics.median(found))
        if axis == "time":
            report.add(f"{view}, {messages:,} messages in view: first frame", first, "ms")
            report.add(f"{view}, {messages:,} messages in view: scrolling", statistics.median(found), "ms")
    report.within(f"{view} by {axis}: slowest zoom", worst / 1000, "painting", 0.25 if axis != "lamport" else 0.5)


def test_a_new_window_of_single_arrows(timeline: Timeline, report: Report) -> None:
    from lydian.views.time.spacetime import LIMIT

    scrolling(timeline, "causality", 400, "time", 2)
    found = [scrolling(timeline, "causality", int(LIMIT * 0.97) + step, "time", 1)[0] for step in range(9)]
    report.within("causality: a new window of 2,900 arrows", statistics.median(found) / 1000, "painting", 0.25)


def test_the_whole_run_at_once(timeline: Timeline, report: Report) -> None:
    from lydian.views.time import causality
    from lydian.views.time.axis import fit

    _, found = scrolling(timeline, "causality", timeline.m_messages, "time", 6)
    shown = causality.frame(timeline, timeline.end, window=fit(timeline))
    assert shown.scene.density is not None
    assert int(shown.scene.density.sum()) == EVENTS  # counts, not samples
    report.within("causality: the whole run, again", statistics.median(found) / 1000, "painting", 0.25)
    selected = milliseconds(lambda: _clicked(timeline))
    report.within("causality: past and future of an event in the middle", selected / 1000, "arrays", 30)


def _clicked(timeline: Timeline) -> None:
    from lydian.views.selection import Selection
    from lydian.views.time import causality

    shown = causality.frame(timeline, timeline.end / 2, Selection(event=EVENTS // 2))
    assert shown.scene.marks is not None
    assert shown.scene.marks.led + shown.scene.marks.came + shown.scene.marks.apart == EVENTS - 1


#: The visible messages, the part of the run that pyqtgraph receives, and the required speed-up.
COMPARED = ((1_000, 100, 1.0), (40_000, 100, 4.0), (400_000, 10, 20.0))


def test_comparison_with_plain_pyqtgraph(timeline: Timeline, report: Report) -> None:
    from tests.benchmarks.baseline_pyqtgraph import Plot

    for messages, share, demanded in COMPARED:
        plot = Plot(timeline, SIZE, timeline.m_messages // share)
        assert plot.events == EVENTS // share
        length = timeline.end * messages / timeline.m_messages
        start = 0.3 * (timeline.end / share - length)
        plot.show(start, start + length)
        step = 2 * length / SIZE[0]
        starts = [start + step * i for i in (1, 2, 3)]
        theirs = statistics.median(milliseconds(partial(plot.show, a, a + length)) for a in starts)
        plot.widget.close()
        ours = statistics.median(scrolling(timeline, "causality", messages, "time")[1])
        report.add(f"pyqtgraph with 1/{share} of the run, {messages:,} messages in view", theirs, "ms")
        name = f"causality with all of it, {messages:,} in view: times as fast"
        report.add(name, theirs / ours, "", f"at least {demanded:g}")
        assert theirs / ours >= demanded


def test_memory_of_the_views(qapp: Any, report: Report) -> None:
    """Measure what the views store beyond the trace and its timeline, after everything they offer was used."""
    timeline = Timeline(synthetic(EVENTS // 2, PROCESSES))
    gc.collect()
    tracemalloc.start()
    try:
        for view in ("causality", "occupation"):
            for axis in ("time", "events", "squashed", "lamport"):
                for messages in (400, 4_000, 400_000):
                    scrolling(timeline, view, messages, axis, 2)
        from lydian.views.selection import Selection
        from lydian.views.time import causality

        causality.frame(timeline, timeline.end, Selection(event=timeline.length // 2))
        gc.collect()
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    report.add("views along time: memory kept", kept / timeline.length, "bytes/event", "under 100")
    report.add("views along time: memory at most", peak / timeline.length, "bytes/event")
    assert kept / timeline.length < 100
