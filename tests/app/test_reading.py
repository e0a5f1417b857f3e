"""Opening a long trace in the real window: in the background, with progress, cancelled, replaced or refused."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lydian.app.window.mainwindow import MainWindow
from lydian.desk.runs import reading
from lydian.trace.parquet import reader
from lydian.trace.parquet.file import save
from lydian.views.selection import Selection
from tests.app.conftest import Open
from tests.trace.sample import echo, grid


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Provide a trace, and treat all traces as long."""
    monkeypatch.setattr("lydian.desk.runs.session.SMALL", 0)
    save(echo(16, grid(4, 4)), tmp_path / "long.parquet")
    return tmp_path / "long.parquet"


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Provide a gate; while it is closed nothing after the first chunk is read."""
    opened, load = threading.Event(), reader.load

    def slowly(path: Path, progress: Any = None, *, most: int | None = None) -> Any:
        if most is not None:
            return load(path, most=most)

        def told(share: float) -> None:
            progress(share)
            assert opened.wait(20)

        return load(path, told)

    monkeypatch.setattr(reader, "load", slowly)
    yield opened
    opened.set()


def test_a_trace_is_read_in_the_background_and_then_shown(
    open_window: Open, qtbot: QtBot, long: Path, gate: threading.Event
) -> None:
    window = open_window("two-wings")
    shown = window.session.shown
    assert window.documents.open(long)
    assert window.session.reading.going_on
    qtbot.waitUntil(lambda: window.status.bar.value() > 0)
    assert window.status.working.text() == "Reading long.parquet"
    assert window.status.cancel.isVisible()
    assert "keep" in window.status.cancel.toolTip()
    window.playhead.seek(3.0)  # the window responds meanwhile
    assert window.session.shown is shown
    gate.set()
    qtbot.waitUntil(lambda: window.session.shown is not shown)
    trace = window.session.shown.trace
    assert len(trace) == window.playhead.timeline.length == len(echo(16, grid(4, 4)))
    assert window.session.trace_file == long
    assert not window.status.bar.isVisible()
    assert not window.status.cancel.isVisible()


def test_cancelling_keeps_what_was_shown(open_window: Open, qtbot: QtBot, long: Path, gate: threading.Event) -> None:
    window = open_window("two-wings")
    shown, timeline = window.session.shown, window.playhead.timeline
    window.documents.open(long)
    qtbot.waitUntil(lambda: window.status.bar.value() > 0)
    qtbot.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
    assert not window.session.reading.going_on
    assert not window.status.bar.isVisible()
    gate.set()
    window.session.reading.close()  # wait for the end of the thread
    qtbot.wait(1)
    assert window.session.shown is shown
    assert window.playhead.timeline is timeline


@pytest.fixture
def beginning(long: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Treat all traces as so long that their beginning is shown first; return its number of events."""
    monkeypatch.setattr(reading, "LONG", 0)
    monkeypatch.setattr(reading, "FIRST", 1)
    return len(reader.load(long, most=1))


def test_the_beginning_is_shown_while_the_rest_is_read(
    open_window: Open, qtbot: QtBot, long: Path, beginning: int, gate: threading.Event
) -> None:
    window = open_window("two-wings")
    head = window.playhead
    whole = len(reader.load(long, most=10**9))
    assert 0 < beginning < whole
    window.documents.open(long)
    qtbot.waitUntil(lambda: head.timeline.length == beginning)
    assert window.session.reading.going_on and window.status.bar.isVisible()
    assert window.session.trace_file == long and "stopped" not in window.session.shown.trace.summary
    head.seek(head.timeline.end)
    head.select(Selection(processes=frozenset({3})))
    gate.set()
    qtbot.waitUntil(lambda: not window.session.reading.going_on)
    assert head.timeline.length == whole
    assert 0 < head.t < head.timeline.end and head.selection.processes == {3}
    assert [len(run.trace) for run in window.session.runs] == [whole]
    assert window.session.shown.file == long and window.session.shown.result["stopped"]


def test_the_beginning_stays_if_the_rest_is_not_read(
    open_window: Open, qtbot: QtBot, long: Path, beginning: int, gate: threading.Event
) -> None:
    window = open_window("two-wings")
    window.documents.open(long)
    qtbot.waitUntil(lambda: window.playhead.timeline.length == beginning)
    qtbot.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
    gate.set()
    window.session.reading.close()
    qtbot.wait(1)
    assert window.playhead.timeline.length == beginning
    assert [len(run.trace) for run in window.session.runs] == [beginning]


def test_a_session_resumes_beyond_the_beginning(
    open_window: Open, qtbot: QtBot, long: Path, beginning: int, gate: threading.Event
) -> None:
    window = open_window("two-wings")
    end = float(reader.load(long, most=10**9).column("time")[-1])
    window.desk.screen.resume = 0.9 * end
    window.documents.open(long)
    qtbot.waitUntil(lambda: window.playhead.timeline.length == beginning)
    gate.set()
    qtbot.waitUntil(lambda: not window.session.reading.going_on)
    assert window.playhead.t == pytest.approx(0.9 * end)


def test_another_file_replaces_the_one_being_read(
    open_window: Open, qtbot: QtBot, long: Path, gate: threading.Event
) -> None:
    window, other = open_window("two-wings"), long.with_name("other.parquet")
    save(echo(9, grid(3, 3)), other)
    window.documents.open(long)
    window.documents.open(other)
    gate.set()
    qtbot.waitUntil(lambda: window.session.trace_file == other)
    assert window.playhead.timeline.n == 9
    assert not window.session.reading.going_on


@pytest.mark.parametrize("cut", [4, 40, 0.5])
def test_a_bad_file_is_reported_and_nothing_is_lost(open_window: Open, qtbot: QtBot, long: Path, cut: float) -> None:
    window = open_window("two-wings")
    shown, data = window.session.shown, long.read_bytes()
    long.write_bytes(data[: cut if isinstance(cut, int) else int(cut * len(data))] if cut != 40 else b"PAR1" * 10)
    window.documents.open(long)
    qtbot.waitUntil(lambda: window.notice.text != "")
    said = window.notice.text
    assert said.startswith((str(long), "the file is cut short"))
    assert "\n" not in said
    if said.startswith(str(long)):
        assert window.session.shown is shown
    assert not window.status.bar.isVisible()


def test_an_unreadable_file_at_the_start_shows_the_example(open_window: Open, long: Path) -> None:
    long.write_bytes(b"PAR1 nothing of ours")
    window: MainWindow = open_window(long)  # this waits until something is shown
    assert window.session.experiment is not None
    assert str(long) in window.notice.text


def test_preparing_fills_the_caches_of_the_views(long: Path) -> None:
    from lydian.trace.timeline import Timeline
    from lydian.views.time import axis

    timeline, shares = Timeline(reader.load(long)), []  # type: ignore[var-annotated]
    reading.prepare(timeline, shares.append)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]
    kept = set(axis._memories[id(timeline)][1])
    assert {"animation", "messages", "parts"} <= kept
