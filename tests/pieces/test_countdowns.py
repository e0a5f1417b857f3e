"""A timer as a pie: full when it is set, empty when it expires."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Countdown, animation_for
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.basic import frame
from lydian.views.page.page import page, run_data
from tests.views.browser import CHROMIUM, browsed
from tests.views.page.test_page import numbers

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)


@pytest.fixture(scope="module")
def brokers() -> Timeline:
    return Timeline(Simulator(ARCHIVE.experiment("content-routing-spoilt").resolve(ARCHIVE)).run().trace)


@pytest.mark.slow
def test_clocks_in_phase_expire_together_and_restart(brokers: Timeline) -> None:
    for t, left in ((0.0, 1.0), (5.0, 0.75), (19.0, 0.05), (25.0, 0.75), (112.0, 0.4)):
        assert frame(brokers, t).countdown == pytest.approx(np.full(13, left))


def test_a_clock_set_by_a_fault_runs_for_another_time(brokers: Timeline) -> None:
    left = frame(brokers, 46.0).countdown
    assert len(set(np.round(left[np.isfinite(left)], 3))) > 10  # random values at 45
    assert frame(brokers, 90.0).countdown == pytest.approx(np.full(13, 0.5))  # and all in phase again


def test_a_timer_set_again_restarts_and_a_cancelled_one_disappears() -> None:
    timeline = Timeline(Simulator(ARCHIVE.experiment("raft").resolve(ARCHIVE)).run().trace)
    looks = replace(animation_for(timeline.trace), countdown=Countdown("Election"))
    kinds, election = (Kind.TIMER_SET, Kind.TIMER_CANCEL, Kind.TIMER), timeline.labels.index("Election")
    cancelled = 0
    for t in np.linspace(0, timeline.end, 20).tolist():
        expected = np.full(timeline.n, math.nan)
        for p in range(timeline.n):
            own = timeline.events_of(p)
            own = own[(own < timeline.count(t)) & (timeline.label[own] == election)]
            own = own[np.isin(timeline.kind[own], kinds)]
            detail = timeline.trace.detail(int(own[-1])) if len(own) else None
            if len(own) and timeline.kind[own[-1]] == Kind.TIMER_SET and detail and detail["rings"] > t:
                expected[p] = (detail["rings"] - t) / (detail["rings"] - timeline.time[own[-1]])
            cancelled += bool(len(own) and timeline.kind[own[-1]] == Kind.TIMER_CANCEL)
        assert frame(timeline, t, animation=looks).countdown == pytest.approx(expected, nan_ok=True)
    assert cancelled > 0


def test_a_missing_timer_is_not_shown(brokers: Timeline) -> None:
    looks = replace(animation_for(brokers.trace), countdown=Countdown("Nobody"))
    shown = frame(brokers, 5.0, animation=looks)
    assert np.isnan(shown.countdown).all() and not any(item.sort == "countdown" for item in shown.legend)
    assert any(item.sort == "countdown" for item in frame(brokers, 5.0).legend)
    assert not len(frame(brokers, 5.0, animation=replace(looks, countdown=None)).countdown)


def test_an_unknown_timer_is_refused() -> None:
    with pytest.raises(BadInput, match="must name a class of timers"):
        Countdown("")
    with pytest.raises(BadInput, match=r"countdown must be Countdown\(...\)"):
        Animation(countdown="Overrun")  # type: ignore[arg-type]


def page_left(data: dict[str, Any], p: int, t: float) -> float:
    """Return what the page's script computes from its columns."""
    process, begin, end, rings = (numbers(data[name]) for name in ("process", "begin", "end", "rings"))
    running = np.flatnonzero((process == p) & (begin <= t) & (t < end) & (begin < rings))
    if not len(running):
        return math.nan
    first = running[np.argmin(rings[running])]
    return float((rings[first] - t) / (rings[first] - begin[first]))


def test_the_page_has_the_timers_of_the_window(brokers: Timeline) -> None:
    data = run_data(brokers)["pieces"]["countdown"]
    for t in np.linspace(0, brokers.end, 60).tolist():
        left = [page_left(data, p, t) for p in range(brokers.n)]
        assert left == pytest.approx(frame(brokers, t).countdown.tolist(), nan_ok=True)
    looks = replace(animation_for(brokers.trace), countdown=Countdown("Nobody"))
    assert "countdown" not in run_data(brokers, looks).get("pieces", {})


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_browser_draws_them(tmp_path: Path, brokers: Timeline) -> None:
    assert f"<b>{brokers.count(46.0):,}</b> of" in browsed(tmp_path, page(brokers), "t=46")
