"""From a gesture in the window to its effect on the screen, in a live run of 1,000 processes."""

from __future__ import annotations

import gc
import statistics
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.app.window.mainwindow import MainWindow
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from tests.benchmarks.conftest import Report

GESTURES, FRAMES = 40, 240


def opened(qtbot: QtBot) -> MainWindow:
    """Return a window with five views and a live run of 1,000 processes that waits at time 3."""
    window = make_window(None)
    window.resize(1600, 1000)
    with qtbot.waitExposed(window):
        window.show()
    network = from_spec("gnm:1000,5000,seed=1").replace(delay=parse("exponential(mean=1)"))
    session, live, head = window.session, window.session.live, window.playhead
    qtbot.waitUntil(lambda: bool(session.runs), timeout=60_000)
    session.start(Experiment("bench", protocol="echo", network=network, seed=1))
    qtbot.waitUntil(lambda: head.timeline is not None and head.timeline.length > 30_000, timeout=60_000)
    window.looks.arrange("study")
    head.seek(3.0)
    live.switch(True)
    qtbot.waitUntil(lambda: live.waiting, timeout=60_000)
    gc.freeze()  # as open_window does soon after the start
    return window


@pytest.mark.leaves_behind
@pytest.mark.parametrize("playing", [False, True], ids=["paused", "playing"])
def test_from_gesture_to_picture(
    report: Report, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, playing: bool
) -> None:
    """Processes are crashed one after another; the time ends when all visible views show the crash."""
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path))
    window = opened(qtbot)
    live, head = window.session.live, window.playhead
    done: list[object] = []
    live.acted.connect(done.append)
    if playing:
        head.set_speed(0.25)
        head.play()
    qtbot.wait(500)
    times: list[float] = []
    seen: list[float] = []
    network_view = window.stage.canvases["basic"]
    costs: list[float] = []
    for process in range(500, 500 + GESTURES):
        count = len(done)
        start, began = time.perf_counter(), time.thread_time()
        live.act({"do": "crash", "process": str(process)})
        while len(done) == count or head.t < live.done[-1].time or not _crashed(window, process):
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
            assert time.perf_counter() - start < 20
        for canvas in window.stage.pictures():  # the network, where the gesture was made, comes first
            if canvas.isVisible() and not canvas.current:
                canvas.repaint()
            if canvas is network_view:
                seen.append(time.perf_counter() - start)
        times.append(time.perf_counter() - start)
        costs.append(time.thread_time() - began)
        qtbot.wait(30)
    assert len(live.done) == GESTURES
    p50, p95 = statistics.median(times) * 1000, statistics.quantiles(times, n=20)[-1] * 1000
    how = "playing" if playing else "paused"
    first = statistics.quantiles(seen, n=20)[-1] * 1000
    report.add(f"window, 1,000 processes: gesture to network, {how}, p95", first, "ms", "below 100")
    report.add(f"window, 1,000 processes: gesture to picture, {how}, p50", p50, "ms")
    report.add(f"window, 1,000 processes: gesture to picture, {how}, p95", p95, "ms", "below 100")
    report.add(f"window, 1,000 processes: gesture to picture, {how}, CPU p50", statistics.median(costs) * 1000, "ms")
    live.leave()
    window.close()
    window.deleteLater()


@pytest.mark.leaves_behind
def test_a_frame_of_a_live_run(report: Report, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run plays while its events arrive; a frame is all that the window computes from one frame to the next."""
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path))
    window = opened(qtbot)
    live, head, player = window.session.live, window.playhead, window.player
    head.set_speed(0.25)
    head.play()
    player.timer.setInterval(10**6)  # the benchmark itself asks for the frames, so that none is left out
    shown = [canvas for canvas in window.stage.pictures() if canvas.isVisible()]
    assert len(shown) == 5
    began, events, costs = head.t, head.events, []
    painted = [canvas.painted for canvas in shown]
    for _ in range(FRAMES):
        before = time.thread_time()
        player.tick(1 / 60)
        for _ in range(2):
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 1)
        costs.append(time.thread_time() - before)
        time.sleep(0.004)
    assert head.playing and head.t > began and head.events > events
    assert all(canvas.painted - before >= 0.9 * FRAMES for canvas, before in zip(shown, painted, strict=True))
    name = "window, 1,000 processes: a frame of a live run"
    report.add(f"{name}, CPU p95", statistics.quantiles(costs, n=20)[-1] * 1000, "ms", "below 33 on a quiet machine")
    report.within(f"{name}, CPU p50", statistics.median(costs), "painting", 0.8, clock=time.process_time)
    live.leave()
    window.close()
    window.deleteLater()


def _crashed(window: MainWindow, process: int) -> bool:
    head = window.playhead
    assert head.timeline is not None
    return bool(head.timeline.crashed_at(head.timeline.count(head.t))[process])
