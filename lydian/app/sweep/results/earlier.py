"""The list of earlier sweeps: their folders, the latest first."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_up
from lydian.desk.kept.sweeps import Kept, folders, progress, remember
from lydian.desk.settings import Settings
from lydian.language import tr

__all__ = ["Earlier", "unfinished"]


def unfinished(settings: Settings) -> Path | None:
    """Return the folder of the latest sweep, if some of its runs are left to execute."""
    return next((each.folder for each in folders(settings)[:1] if each.done < each.total), None)


class Earlier(QWidget):
    """The list of folders, remembered in the settings; folders that no longer exist are left out."""

    #: Emitted to open a folder.
    wanted = Signal(object)
    #: Emitted to choose a folder.
    search_wanted = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sweepBody")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.settings = settings
        self.empty = QLabel(tr("No sweep has run yet. Finished sweeps will be listed here."))
        self.empty.setObjectName("explained")
        self.empty.setWordWrap(True)
        self.list = set_up(QListWidget(), name=tr("Earlier sweeps"), wraps=True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._picked)
        self.list.itemActivated.connect(self._picked)
        self.open = QPushButton(tr("Open a folder of results…"))
        self.open.clicked.connect(self.search_wanted)
        down(self.empty, (self.list, 1), self.open, on=self, margins=(12, 10, 12, 12), spacing=8)
        self.refresh()

    def remember(self, name: str, folder: Path, done: int, total: int) -> None:
        """Record the progress of a sweep."""
        remember(self.settings, Kept(name, folder, done, total))
        self.refresh()

    def refresh(self) -> None:
        """Show the folders that exist."""
        kept = folders(self.settings)
        self.list.clear()
        for each in kept:
            item = QListWidgetItem(f"{each.name}: {progress(each)}\n{each.folder}")
            item.setData(Qt.ItemDataRole.UserRole, str(each.folder))
            item.setToolTip(str(each.folder))
            self.list.addItem(item)
        self.empty.setVisible(not kept)
        self.list.setVisible(bool(kept))
        column = self.layout()
        if isinstance(column, QVBoxLayout):
            column.setStretch(0, 0 if kept else 1)
            self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)

    def _picked(self, item: QListWidgetItem) -> None:
        self.wanted.emit(Path(str(item.data(Qt.ItemDataRole.UserRole))))
