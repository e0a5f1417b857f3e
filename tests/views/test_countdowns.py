"""A timer as a pie: full when it was set, empty when it rings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive import Archive
from lydian.model.errors import BadInput
from lydian.trace.timeline import Timeline
from lydian.views.animation import Animation, Countdown, animation_for
from lydian.views.basic import frame

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
