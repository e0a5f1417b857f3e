"""Long runs are shown as they grow; runs that never end are reported and stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

import lydian.desk.runs.worker
from lydian.app.window.mainwindow import MainWindow
from lydian.model.experiment.experiment import Experiment, Stop

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

PING = '''"""Ping: two throw a ball for ever."""
from lydian import INIT, Message, Process, on, states

IDLE, PLAYING = states("idle", "playing")


class Ball(Message):
    throws: int


class Ping(Process):
    state = IDLE

    @on(IDLE, INIT)
    def start(self):
        self.state = PLAYING
        self.send(Ball(throws=1), to=self.neighbours[0])

    @on((IDLE, PLAYING), Ball)
    def back(self, m, q):
        self.state = PLAYING
        self.send(Ball(throws=m.throws + 1), to=q)
'''

LOOP = '''"""Loop: an action that never ends, whatever comes."""
from lydian import INIT, Process, on, states

START, DONE = states("start", "done")


class Loop(Process):
    state = START

    @on(START, INIT)
    def go(self):
        while True:
            BODY
'''


def experiment(folder: Path, events: int) -> Experiment:
    (folder / "ping.py").write_text(PING, encoding="utf-8")
    return Experiment("ping", protocol=str(folder / "ping.py"), network="line:2", stop=Stop(events=events))


@pytest.fixture
def window(open_window) -> MainWindow:
    return open_window(None, (1600, 900), "study")


def endless(qtbot: QtBot, window: MainWindow, folder: Path, *, play: bool) -> None:
    """Start a run that would never end, and wait for its first part."""
    window.session.growth.patience = 0.2
    window.session.start(experiment(folder, 2**31 - 1), play=play)
    qtbot.waitUntil(lambda: window.session.growth.shown, timeout=20_000)


@pytest.mark.slow
def test_a_long_run_plays_as_it_grows_and_stop_keeps_the_part(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    endless(qtbot, window, tmp_path, play=True)
    head = window.playhead
    assert window.session.worker.busy and head.playing and head.events > 0
    assert not window.notice.text and not window.session.runs
    before, t = head.events, head.t
    qtbot.waitUntil(lambda: head.events > before, timeout=20_000)
    assert head.playing and head.t >= t
    assert "Running" in window.status.label.text() and window.status.stop.isVisible()
    assert not any(check for check in window.stage.checks.checks)
    window.bottom.refresh()
    assert f"{head.events:,}" in window.bottom.transport.count.text()
    for canvas in window.stage.canvases.values():
        canvas.repaint()
        assert canvas.trouble is None
    window.actions_by_name["stop"].trigger()
    qtbot.waitUntil(lambda: bool(window.session.runs), timeout=20_000)
    assert "stopped" in window.notice.text
    assert window.session.shown is window.session.runs[0]
    assert head.events == len(window.session.shown.trace) > before
    assert head.playing and head.t >= t
    assert not window.status.stop.isVisible()


@pytest.mark.slow
def test_a_growing_run_keeps_the_paused_moment_and_the_selection(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    from lydian.views.selection import Hit

    endless(qtbot, window, tmp_path, play=False)
    head = window.playhead
    assert not head.playing and head.position == 0
    head.seek(head.end / 2)
    head.pick(Hit("event", 7))
    before, t, chosen = head.events, head.t, head.selection
    qtbot.waitUntil(lambda: head.events > before, timeout=20_000)
    assert (head.t, head.selection, head.playing) == (t, chosen, False)
    window.session.stop()
    qtbot.waitUntil(lambda: bool(window.session.runs), timeout=20_000)
    assert (head.t, head.selection, head.playing) == (t, chosen, False)


@pytest.mark.slow
def test_playback_at_the_end_continues_when_the_run_grows(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    endless(qtbot, window, tmp_path, play=True)
    head = window.playhead
    head.seek(head.end - 0.1)
    end = head.end
    window.player.tick(0.2)
    if head.end == end:  # no longer part has arrived meanwhile
        assert not head.playing and head.at_end
        assert "The run continues." in window.bottom.narration.plain
        assert not any(button.isVisible() for button in window.bottom.narration.buttons)
    qtbot.waitUntil(lambda: head.end > end and head.playing, timeout=20_000)
    assert head.t >= end - 0.1
    window.session.stop()
    qtbot.waitUntil(lambda: bool(window.session.runs), timeout=20_000)


@pytest.mark.slow
def test_a_run_of_100000_events_is_complete(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.session.growth.patience = 0.2
    window.session.start(experiment(tmp_path, 100_000), play=True)
    qtbot.waitUntil(lambda: bool(window.session.runs), timeout=60_000)
    run = window.session.shown
    assert len(run.trace) == 100_000 and run.problem is None and run.trace.damage is None
    assert run.result["stopped"] == "limit"
    assert run.continues and window.playhead.events == 100_000


@pytest.mark.slow
def test_a_finished_run_does_not_replace_the_one_shown(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    old = window.session.runs[0]
    window.session.growth.patience = 0.2
    window.session.change("a long run", protocol=experiment(tmp_path, 1).protocol, network="line:2",
                          timing=replace(window.session.experiment.timing, initiators=None, links={}),
                          stop=Stop(events=2**31 - 1))  # fmt: skip
    qtbot.waitUntil(lambda: window.session.growth.shown, timeout=20_000)
    window.session.show(old)
    told = []
    window.session.growth.grown.connect(told.append)
    qtbot.waitUntil(lambda: bool(told), timeout=20_000)
    assert window.playhead.timeline.trace is old.trace
    window.session.stop()
    qtbot.waitUntil(lambda: len(window.session.runs) == 2, timeout=20_000)


@pytest.mark.slow
def test_an_action_that_never_ends_is_reported_in_one_sentence(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "loop.py").write_text(LOOP.replace("BODY", "pass"), encoding="utf-8")
    window.session.bounds = {"seconds": 0.3}
    assert window.documents.open(tmp_path / "loop.py")
    qtbot.waitUntil(lambda: bool(window.notice.text), timeout=20_000)
    assert "loop.py" in window.notice.text and "0.3 s" in window.notice.text
    assert not window.session.worker.busy


@pytest.mark.slow
def test_a_silent_simulator_is_reported_and_can_be_stopped_from_the_bar(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lydian.desk.runs.worker, "SILENCE", 300)
    body = "\n".join(("try:", f"{16 * ' '}while True: pass", f"{12 * ' '}except BaseException: pass"))
    (tmp_path / "deaf.py").write_text(LOOP.replace("BODY", body), encoding="utf-8")
    assert window.documents.open(tmp_path / "deaf.py")
    qtbot.waitUntil(lambda: "has not responded" in window.notice.text, timeout=20_000)
    assert window.session.worker.busy and window.notice.button.isVisible()
    window.playhead.seek(1.0)  # the window still responds
    window.notice.button.click()
    qtbot.waitUntil(lambda: not window.session.worker.busy, timeout=20_000)
    assert "stopped" in window.notice.text
