"""The entry point of the application: one window, opened empty, from a reference, or from something already read."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTimer, QTranslator
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.window.mainwindow import MainWindow
from lydian.engine.wire import Watch
from lydian.language import ENGLISH, language
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.trace.events import Trace
from lydian.views.selection import Selection

__all__ = ["application", "make_window", "open_game", "open_window", "settle_clipboard"]

#: The number of milliseconds after which the program is idle.
SETTLED = 3000


def application(argv: Sequence[str] | None = None) -> QApplication:
    """Return the existing application, or a new one in LYDIAN's style."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    # Numbers are written alike in all languages, files and tables: with a point, and without a comma for thousands.
    numbers = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    numbers.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    QLocale.setDefault(numbers)
    made = QApplication(list(sys.argv if argv is None else argv))
    translator = QTranslator(made)  # the texts of Qt's own dialogs
    if language() != ENGLISH and translator.load(
        f"qtbase_{language()}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    ):
        made.installTranslator(translator)
    made.setApplicationName("LYDIAN")
    made.setDesktopFileName("lydian")
    made.setStyle("Fusion")
    made.setWindowIcon(icon("lydian", Theme("light"), "accent.base"))
    made.aboutToQuit.connect(settle_clipboard)
    return made


def settle_clipboard() -> None:
    """Keep a copied picture or text as a plain copy; an object made by Python would be destroyed when Python ends."""
    board = QGuiApplication.clipboard()
    if not (board.ownsClipboard() or QGuiApplication.platformName() == "offscreen"):  # it never owns the clipboard
        return
    picture, text = board.image(), board.text()
    if not picture.isNull():
        board.setImage(picture)
    elif text:
        board.setText(text)
    else:
        board.clear()


def make_window(what: Experiment | Trace | str | Path | None = None, event: int | None = None) -> MainWindow:
    """Return a window that shows an experiment, a trace, a name in the archive or a file; by default, the work of the
    last session, or the example.

    A thing that cannot be opened is reported in the window, which then shows the example.

    Args:
        event: the event whose moment is shown, as soon as it has been read.
    """
    window = MainWindow()
    if event is not None:
        _show_event(window, event)
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
        window.workspaces.assignment.resume()
    elif isinstance(what, str | Path):
        _reference(window, what)
    else:
        window.session.show_trace(what, Path(str(what.experiment.get("name", "trace"))))
    window.workspaces.offer_kept()
    window.classroom.offer_rest()
    return window


def _show_event(window: MainWindow, event: int) -> None:
    """Select an event of the run that is about to be shown, and go to its moment."""
    screen, head = window.desk.screen, window.desk.playhead

    def loaded(*_what: object) -> None:
        if head.timeline is not None and event < head.timeline.length and not screen.busy:
            screen.loaded.disconnect(loaded)
            screen.grown.disconnect(loaded)
            screen.resume = float(head.timeline.time[event])
            window.desk.jump(screen.resume)
            head.select(Selection(event=event))

    screen.loaded.connect(loaded)
    screen.grown.connect(loaded)


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
    from lydian.assignment.assignment import is_assignment
    from lydian.batch.folder import is_batch
    from lydian.batch.sweep.file import is_sweep

    if is_assignment(Path(ref)) or is_batch(Path(ref)) or is_sweep(Path(ref)):
        _example(window)  # shown behind it
    if not window.documents.open(Path(ref)):
        said = window.notice.text
        _example(window)
        window.desk.notices.say(said)


def open_window(
    what: Experiment | Trace | str | Path | None = None, argv: Sequence[str] | None = None, event: int | None = None
) -> int:
    """Open the window, stay until it is closed, and return the exit code; ``event`` is as in :func:`make_window`."""
    made = application(argv)
    gc.disable()  # a new window contains no garbage; looking for it would take a tenth of the time until it is shown
    return _stay(made, make_window(what, event))


def open_watching(request: Watch) -> int:
    """Open the window on a running system that it watches; return the exit code."""
    made = application()
    window = make_window()
    window.watcher.start(request)
    return _stay(made, window)


def open_game(ref: str) -> int:
    """Open the window with a game: that of a goal, or the goals for a protocol; return the exit code."""
    made = application()
    gc.disable()
    window = make_window()
    window.room.open(ref)
    return _stay(made, window)


def _stay(made: QApplication, window: MainWindow) -> int:
    """Show a window until it is closed; return the exit code."""
    window.show()
    gc.enable()
    QGuiApplication.setQuitOnLastWindowClosed(True)
    # The loaded objects live as long as the program, and collecting garbage among them would take 100 ms during
    # playback.
    QTimer.singleShot(SETTLED, gc.freeze)
    return int(made.exec())
