"""How the workspace Sweep is put together: the form at the left, progress and results at the right; who hears whom."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QTabWidget, QVBoxLayout, QWidget

from lydian.app.batch.bases import bases, offers, set_base

if TYPE_CHECKING:
    from lydian.app.batch.workspace import SweepWorkspace

__all__ = ["COLUMNS", "ROWS", "connect", "put_together"]

#: Widths of form and results at first; heights of progress and results.
COLUMNS, ROWS = (320, 1000), (150, 560)


def put_together(w: SweepWorkspace) -> None:
    """Put the parts where they belong."""
    w.tabs = QTabWidget()
    w.tabs.setObjectName("sweepTabs")
    w.tabs.setAccessibleName("The sweep, and earlier ones")
    w.tabs.setDocumentMode(True)
    w.tabs.tabBar().setDrawBase(False)
    w.tabs.addTab(w.form, "Sweep")
    w.tabs.addTab(w.earlier, "Earlier sweeps")
    w.rows = QSplitter(Qt.Orientation.Vertical)
    w.splitter = QSplitter(Qt.Orientation.Horizontal)
    right = QWidget()
    column = QVBoxLayout(right)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(5)
    w.rows.addWidget(_framed(w.progress))
    w.rows.addWidget(w.results)
    column.addWidget(w.bar)
    column.addWidget(w.rows, 1)
    w.splitter.addWidget(_framed(w.tabs))
    w.splitter.addWidget(right)
    for each in (w.rows, w.splitter):
        each.setChildrenCollapsible(False)
        each.setHandleWidth(5)
        each.setStretchFactor(1, 1)
    w.splitter.setSizes(list(COLUMNS))
    w.rows.setSizes(list(ROWS))
    w.help = None
    whole = QVBoxLayout(w)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.addWidget(w.splitter)


def connect(w: SweepWorkspace) -> None:
    """Let the parts hear of each other."""
    document, form, run = w.document, w.form, w.run
    form.choices, form.bases = partial(offers, w), partial(bases, w)
    form.start_wanted.connect(w.start)
    form.base_wanted.connect(partial(set_base, w))
    form.said.connect(w.say)
    form.where.changed.connect(w.follow)
    document.changed.connect(w.follow)
    document.failed.connect(lambda sentence: w.say(sentence, True))
    w.files.said.connect(w.say)
    w.files.opened.connect(lambda: w.tabs.setCurrentIndex(0))
    w.estimating.changed.connect(w.tell_costs)
    w.estimating.refused.connect(w.refused)
    w.progress.run_wanted.connect(lambda number: w.open_run(w.run.folder, number))
    w.progress.resume_wanted.connect(w.resume)
    w.progress.wants_room.connect(w.give_room)
    w.progress.folded.connect(w.give_room, Qt.ConnectionType.QueuedConnection)  # once what it shows is laid out
    run.written.connect(w.written)
    run.changed.connect(w.run_changed)
    run.ended.connect(w.run_ended)
    w.results.run_wanted.connect(w.open_run)
    w.results.said.connect(w.say)
    w.results.filled.connect(w.results_filled)
    w.earlier.wanted.connect(w.open_folder)
    w.earlier.search_wanted.connect(w.choose_folder)
    w.looking.done.connect(w.looked)
    w.looking.failed.connect(lambda sentence: w.say(sentence, True))
    w.asking.done.connect(w.asked)


def _framed(widget: QWidget) -> QFrame:
    frame = QFrame()
    frame.setObjectName("sweepFrame")
    inside = QVBoxLayout(frame)
    inside.setContentsMargins(1, 1, 1, 1)
    inside.addWidget(widget)
    return frame
