"""The runs of this session with their seeds, messages and times; a click shows one again."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from lydian.app.kit.follow import follow
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.desk.runs.records import names_of
from lydian.desk.runs.run import Run
from lydian.desk.runs.session import Session
from lydian.language import tr, trc
from lydian.model.experiment.branches import ROOT, Branches

__all__ = ["RunsList", "recorded_name", "run_row"]


def recorded_name(run: Run) -> str:
    """Return the name of a run known only by its trace, such as an execution in a log."""
    return str(run.trace.experiment.get("name") or trc("run", "recorded"))


def run_row(run: Run) -> tuple[str, str, str]:
    """Return the entry of a run: its name, its number of messages, its duration."""
    name = recorded_name(run) if run.experiment is None else tr("seed {seed}", seed=run.experiment.seed)
    if run.experiment is not None and run.branch != ROOT and run.branch in (tree := Branches.of(run.experiment)):
        name = tree.name(run.branch)
    messages, time = run.result.get("messages"), run.result.get("time")
    if messages is None:
        sent = run.trace.column("message")
        messages = int(sent.max()) + 1 if len(sent) else 0
    if time is None:
        times = run.trace.column("time")
        time = float(times[-1]) if len(times) else 0.0
    count = f"{int(messages):,}" if messages < 100_000 else f"{messages / 1000:,.0f}k"
    return name, tr("{count} msg", count=count), f"{float(time):.2f}" if time < 1000 else f"{float(time):,.0f}"


class RunsList(QTreeWidget):
    """A list with three columns, the latest run at the top; the menu of a run compares it with the current one."""

    #: Compare this :class:`~lydian.desk.runs.session.Run` with the current one.
    compare_wanted = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.theme = session, theme
        self.setAccessibleName(tr("Runs of this experiment"))
        self.setColumnCount(3)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setIconSize(QSize(12, 12))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(84)
        self.header().setStretchLastSection(False)
        self.header().setMinimumSectionSize(20)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.itemClicked.connect(lambda item: self._show(item))
        self.itemActivated.connect(lambda item: self._show(item))
        follow(self, session.runs_changed, self.refresh)

    def set_theme(self, theme: Theme) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Show the session's runs."""
        self.clear()
        for run in self.session.runs:
            item = QTreeWidgetItem(list(run_row(run)))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setForeground(1, self.theme.color("text.hint"))
            item.setFont(2, self.theme.font("small", mono=True))
            if run.experiment is not None:
                protocol, where = names_of(run.experiment)
                item.setToolTip(
                    0,
                    tr(
                        "{protocol} on {network}, seed {seed}",
                        protocol=protocol,
                        network=where,
                        seed=run.experiment.seed,
                    ),
                )
            item.setData(0, Qt.ItemDataRole.UserRole, run)
            self.addTopLevelItem(item)
            if run is self.session.shown:
                item.setIcon(0, icon("play", self.theme, "accent.base"))
                self.setCurrentItem(item)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.accept()
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        item = self.currentItem() if keyboard else self.itemAt(event.pos())
        if item is not None:
            rect = self.visualItemRect(item)
            at = rect.center() if keyboard else QPoint(event.pos())
            self.menu_for(item).popup(self.viewport().mapToGlobal(at))

    def menu_for(self, item: QTreeWidgetItem) -> QMenu:
        """Return the menu of a run."""
        run = item.data(0, Qt.ItemDataRole.UserRole)
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        other = run is not self.session.shown
        menu.addAction(tr("&Show"), lambda: self._show(item)).setEnabled(other)
        compare = menu.addAction(tr("&Compare with the current run"), lambda: self.compare_wanted.emit(run))
        compare.setEnabled(other and self.session.shown is not None)
        return menu

    def _show(self, item: QTreeWidgetItem) -> None:
        run = item.data(0, Qt.ItemDataRole.UserRole)
        if isinstance(run, Run) and run is not self.session.shown:
            self.session.show(run)
