"""Moving processes are drawn at their position at any time, and links out of range are not drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Stop
from lydian.model.network import Network
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.basic import frame
from lydian.views.page.page import run_data
from lydian.views.page.words import marks
from lydian.views.playback.bookmarks import marks_of
from tests.views.page.test_page import numbers

ROOT = Path(__file__).resolve().parents[3]
ARCHIVE = Archive(None, ROOT)


@pytest.fixture(scope="module")
def walk() -> tuple[Timeline, Network]:
    resolved = ARCHIVE.experiment("mobile-dag-walk").with_(stop=Stop(until=40.0)).resolve(ARCHIVE)
    return Timeline(Simulator(resolved).run().trace), resolved.network


def test_processes_are_drawn_where_they_have_moved(walk: tuple[Timeline, Network]) -> None:
    timeline, network = walk
    mobility = ARCHIVE.experiment("mobile-dag-walk").mobility
    assert mobility is not None
    paths = mobility.paths(network, 1)
    for t in (0.0, 9.0, 17.25, 40.0):
        shown = frame(timeline, t)
        assert np.allclose(shown.positions, paths.at(t))
        assert shown.standing is not None and shown.standing.arrived is shown.standing
        low, high = shown.standing.extent
        assert (shown.positions >= low).all() and (shown.positions <= high).all()
    assert not frame(timeline, 0.0).standing.gliding.any()  # type: ignore[union-attr]
    assert frame(timeline, 39.0).standing.gliding.any()  # type: ignore[union-attr]


def test_drawn_links_are_those_in_range(walk: tuple[Timeline, Network]) -> None:
    timeline, _ = walk
    shown = frame(timeline, 23.5)
    ends = shown.link_ends
    away = np.hypot(*(shown.positions[ends[:, 0]] - shown.positions[ends[:, 1]]).T)
    assert np.array_equal(shown.links_down, away > 180)
    assert shown.scene.paths is not None


def test_immobile_processes_keep_their_places() -> None:
    timeline = Timeline(Simulator(ARCHIVE.experiment("mobile-dag-two-values").resolve(ARCHIVE)).run().trace)
    assert frame(timeline, 3.0).standing is None and frame(timeline, 3.0).scene.paths is None


def test_the_page_uses_the_same_paths(walk: tuple[Timeline, Network]) -> None:
    timeline, _ = walk
    places = run_data(timeline)["pieces"]["places"]
    columns = {name: numbers(places[name]) for name in ("at", "time", "long", "who", "fromX", "fromY", "toX", "toY")}
    first = np.column_stack((numbers(places["firstX"]), numbers(places["firstY"])))
    for t in (0.0, 12.5, 31.0, 39.9):
        points = first.copy()
        for i in np.flatnonzero(columns["at"] < timeline.count(t)).tolist():
            part = min((t - columns["time"][i]) / columns["long"][i], 1.0)
            start, stop = (np.array([columns[f"{which}X"][i], columns[f"{which}Y"][i]]) for which in ("from", "to"))
            points[int(columns["who"][i])] = start + (stop - start) * max(part, 0.0)
        assert np.abs(points - frame(timeline, t).positions).max() < 2.0  # a movement begins with the next event


def test_links_changed_by_movement_are_not_marks(walk: tuple[Timeline, Network]) -> None:
    timeline, _ = walk
    assert (timeline.kind == Kind.LINK_DOWN).sum() > 20
    assert marks_of(timeline) == () and marks(timeline) == []
    cut = Timeline(Simulator(ARCHIVE.experiment("mobile-dag-heal-safe").resolve(ARCHIVE)).run().trace)
    assert len([mark for mark in marks_of(cut) if mark.kind == "fault"]) == len(marks(cut)) == 4
