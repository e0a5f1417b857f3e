"""The window survives any failure of its simulator, reports it in one sentence, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.app.window.mainwindow import MainWindow
from lydian.app.work.settings import Settings
from lydian.desk.runs import worker
from lydian.model.experiment.experiment import Experiment
from tests.app.conftest import one_window, rest
from tests.conftest import children, left_children

pytestmark = [
    pytest.mark.leaves_behind,  # the shared window keeps its simulator, and :func:`one_window` ends it
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
    pytest.mark.skipif(sys.platform == "win32", reason="killing and bounds are told otherwise there"),
]

HEAD = '''"""Tennis."""
from lydian import ANY, INIT, Message, Process, on

class Ball(Message):
    pass

class Tennis(Process):
    hits: int = 0

    @on(ANY, INIT)
    def serve(self):
        self.send(Ball(), to=self.neighbours[0])

    @on(ANY, Ball)
    def hit(self, m, q):
        self.hits += 1
        self.send(Ball(), to=q)
        if self.hits == 50:
'''
LINE = HEAD.count("\n") + 1
FOR_EVER = "while True:\n    try:\n        self.hits += 0\n    except BaseException: pass"
IN_C = "import itertools; sum(itertools.count())"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture(scope="module")
def one(qapp: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window for several tests: each run must work after the failure before it."""
    with one_window(tmp_path_factory.mktemp("home")) as made:
        yield made


@pytest.fixture
def window(one: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """Provide the window with default limits and a complete run."""
    monkeypatch.setenv("LYDIAN_HOME", str(one.settings.file.parent))
    one.session.bounds = one.settings.bounds
    rest(one, qtbot)
    return one


def start(window: MainWindow, folder: Path, what: str, events: int = 200) -> None:
    """Run a protocol that misbehaves at its fiftieth message."""
    text = HEAD + "".join(f"            {line}\n" for line in what.splitlines())
    (folder / "tennis.py").write_text(text, encoding="utf-8")
    experiment = Experiment("tennis", protocol=str(folder / "tennis.py"), network="line:2", seed=1)
    window.desk.notices.show("")
    window.session.start(experiment.with_(stop=type(experiment.stop)(events=events), check=False))


def said(qtbot: QtBot, window: MainWindow) -> str:
    qtbot.waitUntil(lambda: bool(window.notice.text) and not window.session.worker.busy, timeout=30_000)
    return window.notice.text


def next_run_works(qtbot: QtBot, window: MainWindow) -> None:
    window.session.start(Experiment("echo", protocol="echo", network="ring:5", seed=3))
    runs = window.session.runs
    qtbot.waitUntil(lambda: bool(runs) and runs[0].result.get("protocol") == "echo", timeout=20_000)
    assert window.session.shown is runs[0]
    assert runs[0].result["stopped"] == "quiescent"


@pytest.mark.slow
@pytest.mark.parametrize("what", ["pass", FOR_EVER, IN_C])
def test_the_window_can_be_closed_during_a_run(
    qtbot: QtBot, home: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "SILENCE", 500)
    before = children()
    window = make_window()
    qtbot.addWidget(window)
    window.settings.seconds = 60.0
    window.session.bounds = window.settings.bounds
    window.show()
    start(window, home, what, events=2_000_000_000)
    qtbot.waitUntil(lambda: window.session.worker.busy)
    qtbot.waitUntil(lambda: window.session.shown is not None or bool(window.notice.text), timeout=20_000)  # or it hangs
    window.close()
    assert not window.session.worker.busy
    assert not window.session.worker.folder.exists()
    assert left_children(before) == []


def test_the_window_can_be_closed_during_a_live_run(qtbot: QtBot, home: Path) -> None:
    before = children()
    window = make_window()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: bool(window.session.runs), timeout=20_000)
    window.session.live.run()
    qtbot.waitUntil(lambda: window.session.live.alive and window.playhead.events > 3, timeout=20_000)
    window.close()
    assert not window.session.live.alive
    assert left_children(before) == []


@pytest.mark.slow
def test_one_click_stops_an_endless_run(
    qtbot: QtBot, window: MainWindow, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "SILENCE", 300)
    window.session.bounds = {"seconds": 60.0}
    start(window, home, FOR_EVER)
    qtbot.waitUntil(lambda: window.notice.button.isVisible(), timeout=20_000)
    assert window.notice.button.text() == "Stop"
    window.actions_by_name["view_trace"].trigger()  # the window responds meanwhile
    qtbot.mouseClick(window.notice.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.session.worker.busy, timeout=20_000)
    assert "The run was stopped" in window.notice.text
    next_run_works(qtbot, window)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "bounds", "sentence"),
    [
        (IN_C, {"seconds": 0.3}, "line {line}: an action did not finish and could not be interrupted"),
        ("while True: pass", {"seconds": 0.3}, "line {line}: process 1 is active and got Ball from 0: the action was "),
        ("x = [0]\nwhile True: x += x", {"memory": 10**9}, "it asks for more memory than a protocol may have"),
        ("import ctypes; ctypes.string_at(0)", {}, "line {line}: the interpreter crashed here (signal 11)"),
        ("import time; time.time()", {}, "line {line}: process 1 is active and got Ball from 0: time.time() is the "),
        ("global SEEN; SEEN = 1", {}, "line {line}: process 1 is active and got Ball from 0: it changes SEEN"),
    ],
)
def test_a_harmful_protocol_is_reported_and_the_next_run_works(
    qtbot: QtBot, window: MainWindow, home: Path, what: str, bounds: dict[str, float], sentence: str
) -> None:
    window.session.bounds = bounds
    start(window, home, what)
    assert sentence.format(line=LINE) in said(qtbot, window)
    window.session.bounds = {}
    next_run_works(qtbot, window)


@pytest.mark.slow
def test_a_killed_simulator_is_reported_and_the_next_run_works(qtbot: QtBot, window: MainWindow, home: Path) -> None:
    start(window, home, "pass", events=2_000_000_000)
    child = window.session.worker.conversation._child
    assert child is not None
    qtbot.waitUntil(lambda: window.session.shown is not None and window.session.shown.trace.processes == ("0", "1"),
                    timeout=20_000)  # fmt: skip
    os.kill(child.processId(), signal.SIGKILL)
    assert "The simulator was ended from outside (signal 9); the run up to that point is kept." in said(qtbot, window)
    assert window.session.shown is not None
    assert len(window.session.shown.trace) > 0
    next_run_works(qtbot, window)


@pytest.mark.slow
def test_limits_are_set_in_the_preferences_and_kept(qtbot: QtBot, window: MainWindow, home: Path) -> None:
    usual = window.session.bounds
    assert usual["seconds"] == 2.0
    assert usual["memory"] >= 2_000_000_000
    window.actions_by_name["bounds"].trigger()
    popup = window.bounds.popup
    assert popup is not None
    assert popup.isVisible()
    assert popup.memory.text().startswith("half of this computer")
    popup.seconds.selectAll()
    qtbot.keyClicks(popup.seconds, "0.3")
    popup.memory.selectAll()
    qtbot.keyClicks(popup.memory, "1500")
    qtbot.keyClick(popup.memory, Qt.Key.Key_Return)
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert window.session.bounds == {"seconds": 0.3, "memory": 1_500_000_000} == Settings().bounds
    start(window, home, "while True: pass")
    assert "it did not finish within 0.3 s" in said(qtbot, window)
    popup.memory.setValue(popup.memory.minimum())
    popup.seconds.setValue(usual["seconds"])
    assert window.session.bounds == usual
