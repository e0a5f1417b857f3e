"""A timer as a pie: full when it was set, empty when it rings."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive import Archive
from lydian.model.errors import BadInput
from lydian.trace.timeline import Timeline
from lydian.views.animation import Animation, Countdown, animation_for
from lydian.views.basic import frame
from lydian.views.page import page, run_data
from tests.views.browser import CHROMIUM, browsed
from tests.views.test_page import numbers

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)


@pytest.fixture(scope="module")
def brokers() -> Timeline:
    return Timeline(Simulator(ARCHIVE.experiment("content-routing-spoilt").resolve(ARCHIVE)).run().trace)


def test_clocks_in_phase_empty_together_and_begin_anew(brokers: Timeline) -> None:
    for t, left in ((0.0, 1.0), (5.0, 0.75), (19.0, 0.05), (25.0, 0.75), (112.0, 0.4)):
        assert frame(brokers, t).countdown == pytest.approx(np.full(13, left))


def test_a_clock_that_a_fault_sets_runs_for_another_time(brokers: Timeline) -> None:
    left = frame(brokers, 46.0).countdown
    assert len(set(np.round(left[np.isfinite(left)], 3))) > 10  # each as chance has set it at 45
    assert frame(brokers, 90.0).countdown == pytest.approx(np.full(13, 0.5))  # and all in phase again


def test_a_timer_that_is_not_there_is_not_shown(brokers: Timeline) -> None:
    looks = replace(animation_for(brokers.trace), countdown=Countdown("Nobody"))
    shown = frame(brokers, 5.0, animation=looks)
    assert np.isnan(shown.countdown).all() and not any(item.sort == "countdown" for item in shown.legend)
    assert any(item.sort == "countdown" for item in frame(brokers, 5.0).legend)
    assert not len(frame(brokers, 5.0, animation=replace(looks, countdown=None)).countdown)


def test_what_is_no_timer_is_refused() -> None:
    with pytest.raises(BadInput, match="names a class of timers"):
        Countdown("")
    with pytest.raises(BadInput, match=r"countdown is Countdown\(...\)"):
        Animation(countdown="Overrun")  # type: ignore[arg-type]


def page_left(data: dict[str, Any], p: int, t: float) -> float:
    """What the script of the page makes of its columns."""
    process, begin, end = (numbers(data[name]) for name in ("process", "begin", "end"))
    own = np.flatnonzero(process == p)
    coming = own[end[own] > t]
    rung = own[end[own] <= t]
    if len(coming) and begin[coming[0]] <= t:
        start, stop = begin[coming[0]], end[coming[0]]
    elif len(rung):
        start, stop = end[rung[-1]], 2 * end[rung[-1]] - begin[rung[-1]]
    else:
        return math.nan
    return float((stop - t) / (stop - start)) if start <= t <= stop and stop > start else math.nan


def test_the_page_knows_the_timers_of_the_window(brokers: Timeline) -> None:
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
