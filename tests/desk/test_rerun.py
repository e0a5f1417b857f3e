"""A run executed again with other interventions: recorded or live, as one step of undo, with both runs in the tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from lydian.model.archive.archive import archive
from lydian.model.experiment.branches import ROOT
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.playback.interfering import Situation
from lydian.views.playback.receives import Place, Receipt, branch_name, interventions, receipt
from tests.desk.test_session_without_qt import Somebody


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Somebody]:
    somebody = Somebody(tmp_path)
    yield somebody
    somebody.session.close()
    somebody.loop.close()


def later(timeline: Timeline, after: float) -> tuple[Receipt, Place]:
    """Return the first receipt from a time on that can be moved later, and its next place."""
    s = Situation(timeline, timeline.end)
    for row in np.flatnonzero((timeline.kind == Kind.RECEIVE) & (timeline.time >= after)).tolist():
        found = receipt(s, row)
        if isinstance(found, Receipt) and found.later is not None:
            return found, found.later
    raise AssertionError("no receipt can be moved")


def move(one: Somebody, found: Receipt, place: Place) -> bool:
    live = one.session.live
    return live.rerun(interventions(found, place, live.done), place.time, "receive later", branch_name(found, place))


def test_a_recorded_run_is_executed_again_and_undone(one: Somebody) -> None:
    session, live = one.session, one.session.live
    session.start(archive().experiment("two-wings"))
    first = one.rest()
    found, place = later(Timeline(first.trace), 2.0)
    assert move(one, found, place)
    one.loop.until(lambda: session.shown is not None and session.shown.branch == 1 and not session.worker.busy)
    assert live.tree.name(1) == branch_name(found, place)
    assert session.shown is not None and session.shown.result["stopped"] == "quiescent"
    assert float(Timeline(session.shown.trace).message_arrived[found.message]) == place.time
    assert one.desk.playhead.t == place.time
    assert session.undo.undo_text == "receive later"
    assert not live.rerun(live.done, 1.0, "nothing", "nothing")  # this very run is shown
    session.undo.undo()
    assert (live.branch, len(live.tree)) == (ROOT, 2)
    assert session.shown.trace.fingerprint() == first.trace.fingerprint()
    session.undo.redo()
    assert live.branch == 1
    session.undo.undo()
    assert move(one, found, place)  # the same run is not kept twice
    assert (live.branch, len(live.tree)) == (1, 2)


def test_a_live_run_is_executed_again_up_to_its_present_moment(one: Somebody) -> None:
    session, live, loop = one.session, one.session.live, one.loop
    session.start(archive().experiment("two-wings"))
    one.rest()
    one.desk.playhead.seek(4.0)
    live.switch(True)
    loop.until(lambda: live.on and live.waiting and session.shown is not None and len(session.shown.trace) > 0)
    before = Timeline(session.shown.trace)  # type: ignore[union-attr]
    found, place = later(before, 2.0)
    assert move(one, found, place)
    assert (live.on, live.branch) == (True, 1)
    loop.until(lambda: live.waiting and live.time >= 4.0)
    loop.until(lambda: session.shown is not None and session.shown.branch == 1 and len(session.shown.trace) > 0)
    again = Timeline(session.shown.trace)  # type: ignore[union-attr]
    assert float(again.message_sent[found.message]) == float(before.message_sent[found.message])
    assert float(again.message_arrived[found.message]) in (place.time, np.inf)
    session.undo.undo()
    assert (live.on, live.branch, len(live.tree)) == (True, ROOT, 2)
    loop.until(lambda: live.waiting and live.time >= 4.0)
