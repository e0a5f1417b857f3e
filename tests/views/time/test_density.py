"""Densities of a growing trace: counts are reused, and equal those of a new computation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import rows_of
from lydian.views.time.density import PART, density
from lydian.views.time.timescale import scale_of

WHOLE = Simulator(Experiment("grows", protocol="echo", network="gnm:30,120,seed=1", seed=2)).run().trace


def shorter(count: int) -> Trace:
    return replace(WHOLE, rows=WHOLE.rows[:count])


@settings(max_examples=25, deadline=None)
@given(
    ends=st.lists(st.integers(1, len(WHOLE.rows)), min_size=2, max_size=5).map(sorted),
    axis=st.sampled_from(["time", "events", "squashed", "lamport"]),
    bins=st.sampled_from([7, 300]),
)
def test_a_grown_trace_is_counted_like_a_new_one(ends: list[int], axis: str, bins: int) -> None:
    grown: Timeline | None = None
    for count in ends:
        grown = Timeline(shorter(count), grown)
        fresh = Timeline(shorter(count))
        one, two = (
            density(each, scale_of(each, axis), rows_of(each), (0.3, scale_of(each, axis).place(each.end)), bins)
            for each in (grown, fresh)
        )
        assert np.array_equal(one.counts, two.counts)


def test_counts_are_not_repeated() -> None:
    half, bins = len(WHOLE.rows) // 2, 40 * PART
    first = Timeline(shorter(half))
    span = 0.0, first.end
    density(first, scale_of(first, "time"), rows_of(first), span, bins)
    parts = first.handed_on["density", "time"][0]
    assert len(parts) > 10
    second = Timeline(shorter(half + 5), first)
    density(second, scale_of(second, "time"), rows_of(second), span, bins)
    kept = second.handed_on["density", "time"][0]
    assert sum(any(kept[key] is each for each in parts.values()) for key in kept) > len(parts) - 3
