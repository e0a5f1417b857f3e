"""What the tests of the window share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window, settle_clipboard
from lydian.app.window.mainwindow import MainWindow

#: Made a window of that size for something, in a layout, with its first run in it.
Open = Callable[..., MainWindow]


@pytest.fixture(scope="session", autouse=True)
def clipboard_at_the_end(qapp: object) -> Iterator[None]:
    """Nothing that Python made is on the clipboard when the interpreter ends."""
    yield
    settle_clipboard()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own for settings and what was worked on last."""
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def open_window(qtbot: QtBot, home: Path) -> Iterator[Open]:
    """Opens windows that are closed at the end."""
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
        qtbot.waitUntil(lambda: window.session.shown is not None, timeout=20_000)
        return window

    yield opened
    for window in made:
        window.close()
        window.deleteLater()
