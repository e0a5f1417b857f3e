"""The way into the application: one window, from nothing, from a reference, or from something already read."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.window.mainwindow import MainWindow
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.trace.events import Trace

__all__ = ["application", "make_window", "open_window", "settle_clipboard"]

#: Milliseconds after which the program has come to rest.
SETTLED = 3000


def application(argv: Sequence[str] | None = None) -> QApplication:
    """The application there is, or a new one in our style."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    made = QApplication(list(sys.argv if argv is None else argv))
    made.setApplicationName("LYDIAN")
    made.setDesktopFileName("lydian")
    made.setStyle("Fusion")
    made.setWindowIcon(icon("lydian", Theme("light"), "accent.base"))
    made.aboutToQuit.connect(settle_clipboard)
    return made


def settle_clipboard() -> None:
    """What was copied stays as a picture or as text; what Python made of it would be taken apart after Python's end."""
    board = QGuiApplication.clipboard()
    if not (board.ownsClipboard() or QGuiApplication.platformName() == "offscreen"):  # that one never says so
        return
    picture, text = board.image(), board.text()
    if not picture.isNull():
        board.setImage(picture)
    elif text:
        board.setText(text)
    else:
        board.clear()


def make_window(what: Experiment | Trace | str | Path | None = None) -> MainWindow:
    """A window that shows something: an experiment, a trace, a name in the archive, a file; by default what
    was worked on last, or the example.

    What cannot be opened is said in the window, which then shows the example.
    """
    window = MainWindow()
    if what is not None:
        window.desk.memory.recover(window.desk.memory.recall())
    if isinstance(what, Experiment):
        window.session.start(what, what.path)
        if what.path is not None:
            window.recent.remember(what.path)
    elif what is None:
        last = window.desk.memory.recall()
        if last is None or not window.documents.open_last(last):
            _example(window)
            window.start.offer()
    elif isinstance(what, str | Path):
        _reference(window, what)
    else:
        window.session.show_trace(what, Path(str(what.experiment.get("name", "trace"))))
    window.workspaces.offer_kept()
    return window


def _example(window: MainWindow) -> None:
    try:
        window.documents.open_example()
    except LydianError as error:
        window.desk.notices.say(str(error))


def _reference(window: MainWindow, ref: str | Path) -> None:
    shelf = window.shelf.archive
    if isinstance(ref, str) and not Path(ref).exists() and ref in shelf.names("experiments"):
        found = shelf.experiment(ref)
        window.session.start(found, found.path)
        return
    from lydian.batch.folder import is_batch
    from lydian.batch.sweep.file import is_sweep

    if is_batch(Path(ref)) or is_sweep(Path(ref)):
        _example(window)  # what the sweep covers
    if not window.documents.open(Path(ref)):
        said = window.notice.text
        _example(window)
        window.desk.notices.say(said)


def open_window(what: Experiment | Trace | str | Path | None = None, argv: Sequence[str] | None = None) -> int:
    """Open the window and stay until it is closed; returns the exit code."""
    made = application(argv)
    window = make_window(what)
    window.show()
    QGuiApplication.setQuitOnLastWindowClosed(True)
    # What is loaded stays as long as the program: looking through it for circles takes 100 ms, in the middle of a play.
    QTimer.singleShot(SETTLED, gc.freeze)
    return int(made.exec())
