"""The axis of a growing run changes in steps; that of a finished run fits it."""

from __future__ import annotations

import itertools

import pytest

from lydian.app.canvas.cameras import TimeCamera
from lydian.pieces.animation import Animation, Chart, Line
from lydian.pieces.chart import chart_at
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import scene_for
from lydian.views.others import communication
from lydian.views.selection import NOTHING
from lydian.views.time.axis import fit, step_above
from tests.views.book import Book


def run(until: int, **summary: object) -> Timeline:
    """Return a run in which a process counts and sends once per time unit."""
    book = Book(("a", "b"), links=[("a", "b")])
    for time in range(1, until + 1):
        book.write(float(time), "init", "a", changed={"x": time})
        book.send(float(time), "a", "b", "Ack")
    return Timeline(book.trace(initial={"x": 0}, **({"stopped": None} | summary)))


@pytest.mark.parametrize(
    ("value", "step"),
    [(0.0, 1.0), (1.0, 1.0), (1.01, 1.5), (2.9, 3.0), (3.0, 3.0), (5.5, 7.0), (9.9, 10.0), (10.2, 15.0),
     (0.031, 0.05), (640.0, 700.0), (float("inf"), 1.0)],
)  # fmt: skip
def test_a_step_of_the_axis_contains_the_value_and_at_most_two_thirds_more(value: float, step: float) -> None:
    assert step_above(value) == pytest.approx(step)


def test_axes_of_a_growing_run_change_rarely_and_fit_at_the_end() -> None:
    camera, windows, charts, tops = TimeCamera(), [], [], []
    growing = [run(until) for until in range(1, 60)]
    camera.load(growing[0])
    declared = Chart((Line("x", of="sum"),), title="Count")
    for timeline in growing:
        camera.grow(timeline)
        windows.append(camera.window)
        chart = chart_at(scene_for(timeline, None, Animation()), declared, timeline.end)
        charts.append((chart.end, chart.low, chart.high))
        assert chart.until == timeline.end <= chart.end == pytest.approx(step_above(timeline.end))
        tops.append(communication.frame(timeline, timeline.end, NOTHING).top)
        assert camera.window[1] > timeline.end and tops[-1] >= timeline.m_messages
    for seen in (windows, charts, tops):
        changes = sum(a != b for a, b in itertools.pairwise(seen))
        assert changes <= 12, seen
    over = run(59, stopped="quiescent")
    camera.grow(over)
    assert camera.window == fit(over) == (0.0, pytest.approx(59 * 1.02))
    chart = chart_at(scene_for(over, None, Animation()), declared, 3.0)
    assert (chart.end, chart.high) == (59.0, 59.0)
