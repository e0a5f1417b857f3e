"""The list of earlier sweeps: their folders, the latest first."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_up
from lydian.desk.settings import Settings
from lydian.language import tr, trn

__all__ = ["Earlier", "unfinished"]

#: The number of folders that are remembered.
MOST = 30


def _folders(settings: Settings) -> list[dict[str, object]]:
    """Return the records of folders that still exist."""
    kept = settings.record("sweeps").get("folders", [])
    whole = [each for each in kept if isinstance(each, dict)] if isinstance(kept, list) else []
    named = [each for each in whole if isinstance(each.get("folder"), str)]
    return [each for each in named if (Path(str(each["folder"])) / "sweep.json").is_file()]


def unfinished(settings: Settings) -> Path | None:
    """Return the folder of the latest sweep, if some of its runs are left to execute."""
    for each in _folders(settings)[:1]:
        done, total = each.get("done"), each.get("total")
        if isinstance(done, int) and isinstance(total, int) and done < total:
            return Path(str(each["folder"]))
    return None


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
        here = str(folder.absolute())
        others = [each for each in _folders(self.settings) if each["folder"] != here]
        told: list[dict[str, object]] = [{"name": name, "folder": here, "done": done, "total": total}, *others]
        self.settings.set_record("sweeps", {"folders": told[:MOST]})
        self.refresh()

    def refresh(self) -> None:
        """Show the folders that exist."""
        folders = _folders(self.settings)
        self.list.clear()
        for each in folders:
            done, total = int(str(each.get("done", 0))), int(str(each.get("total", 0)))
            state = (
                trn("{count:,} run", "{count:,} runs", total)
                if done == total
                else trn("{done:,} of {count:,} run", "{done:,} of {count:,} runs", total, done=done)
            )
            item = QListWidgetItem(f"{each.get('name', 'sweep')}: {state}\n{each['folder']}")
            item.setData(Qt.ItemDataRole.UserRole, each["folder"])
            item.setToolTip(str(each["folder"]))
            self.list.addItem(item)
        self.empty.setVisible(not folders)
        self.list.setVisible(bool(folders))
        column = self.layout()
        if isinstance(column, QVBoxLayout):
            column.setStretch(0, 0 if folders else 1)
            self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)

    def _picked(self, item: QListWidgetItem) -> None:
        self.wanted.emit(Path(str(item.data(Qt.ItemDataRole.UserRole))))
