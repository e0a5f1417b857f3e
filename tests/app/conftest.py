"""Fixtures and helpers shared by the tests of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window, settle_clipboard
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.runs import worker
from lydian.desk.runs.worker import Worker
from lydian.desk.signal import Signal
from lydian.desk.trust import Trust
from tests.conftest import children, left_children

#: The tests of simulators and their ends, which run as for users.
AS_FOR_USERS = ("test_window", "test_parts", "test_live", "test_session", "test_survival")
#: Opens a window on a file or experiment, of a given size and layout, with its first run complete.
Open = Callable[..., MainWindow]


@pytest.fixture(scope="session", autouse=True)
def clipboard_at_the_end(qapp: object) -> Iterator[None]:
    """Leave no Python object on the clipboard when the interpreter ends."""
    yield
    settle_clipboard()


@pytest.fixture(scope="session", autouse=True)
def archive_is_read_once(one_catalogue: None) -> None:
    """Read the archive once for all archive workspaces."""


@pytest.fixture(autouse=True)
def no_simulator_waits_for_a_second_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prepare no second child process: most tests make only one run in a window.

    Tests that make another run start the child then. Tests of simulators prepare it as for users.
    """
    if request.module.__name__.rpartition(".")[2] in AS_FOR_USERS:
        return
    prepare = Worker.prepare
    monkeypatch.setattr(Worker, "prepare", lambda one: prepare(one) if one._number == 0 else None)
    monkeypatch.setattr(worker, "SILENCE", 20_000)  # a child that loads everything first is silent for longer


@pytest.fixture(autouse=True)
def code_in_the_folders_of_tests_may_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept the protocols that most tests write into their own folders."""
    if request.module.__name__.rpartition(".")[2] != "test_trust":
        monkeypatch.setattr(Trust, "strange", lambda _self, _experiment: [])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the test's own folder for settings and the last experiment."""
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@contextmanager
def one_window(home: Path, what: str = "two-wings") -> Iterator[MainWindow]:
    """Provide one window for all tests of a module that restore it; check that no child process is left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LYDIAN_HOME", str(home))
        processes = children()
        window = make_window(what)
        window.player.step_seconds = 0.0
        window.resize(1280, 720)
        window.show()
        yield window
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert left_children(processes) == []


class Heard:
    """The arguments that a plain signal sent."""

    args: tuple[Any, ...] | None = None


@contextmanager
def heard(qtbot: QtBot, signal: Signal, timeout: int = 20_000) -> Iterator[Heard]:
    """Wait at the end for a plain signal, as ``qtbot.waitSignal`` does for Qt's own."""
    found = Heard()

    def hear(*what: Any) -> None:
        found.args = what if found.args is None else found.args

    disconnect = signal.connect(hear)
    yield found
    qtbot.waitUntil(lambda: found.args is not None, timeout=timeout)
    disconnect()


def rest(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the run of a window is complete."""
    qtbot.waitUntil(lambda: whole(window), timeout=30_000)


def whole(window: MainWindow) -> bool:
    """Return whether the whole run is shown: the simulator has ended and its trace has been read."""
    session = window.session
    return session.shown is not None and not session.worker.busy and session._outcome is None


@pytest.fixture
def open_window(qtbot: QtBot, home: Path) -> Iterator[Open]:
    """Return a function that opens windows; close them at the end."""
    made: list[MainWindow] = []

    def opened(what: object = None, size: tuple[int, int] = (1280, 720), layout: str = "") -> MainWindow:
        window = make_window(what)  # type: ignore[arg-type]
        made.append(window)
        window.player.step_seconds = 0.0
        window.resize(*size)
        with qtbot.waitExposed(window):
            window.show()
        if layout:
            window.looks.arrange(layout)
        qtbot.waitUntil(lambda: whole(window), timeout=20_000)  # a run is already shown while it grows
        return window

    yield opened
    for window in made:
        window.close()
        window.deleteLater()
