"""The Archive tab: all networks with their pictures; a click shows a preview, and a double-click opens a network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_up
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board, Chosen
from lydian.app.network.busy import Busy
from lydian.app.network.pictures import network_picture
from lydian.app.work.background import Background
from lydian.desk.archivelist import ArchiveList
from lydian.language import tr
from lydian.model.archive.archive import Archive
from lydian.model.editing.parts import beside
from lydian.model.errors import LydianError
from lydian.model.layouts import placed
from lydian.model.network import Network
from lydian.views.words.words import plural

__all__ = ["ShelfPane"]

Index = QModelIndex | QPersistentModelIndex
PICTURE = QSize(58, 42)
#: Files of more than this many bytes are read only on demand, and in a thread.
SMALL = 200_000


@dataclass(frozen=True)
class _Entry:
    """An entry of the archive: name, file, network (if it has been read), the words below the name, and a problem."""

    name: str
    path: Path
    network: Network | None = None
    size: str = ""
    problem: str = ""


def _read(name: str, path: Path, shelves: Archive) -> _Entry:
    try:
        network = placed(shelves.network(path))
    except (LydianError, OSError) as error:
        return _Entry(name, path, None, tr("cannot be read"), str(error))
    return _Entry(name, path, network, f"{plural(network.n, 'process')}, {plural(network.m, 'link')}")


class _Networks(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.all: list[_Entry] = []
        self.shown: list[_Entry] = []
        self.wanted = ""

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry = self.shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.name}, {entry.size}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return entry.problem or (entry.network.about if entry.network is not None else "") or entry.name
        return None

    def fill(self, entries: list[_Entry] | None = None, wanted: str | None = None) -> None:
        """Show entries, filtered by a word in their names, descriptions and sizes."""
        self.beginResetModel()
        self.all = self.all if entries is None else entries
        self.wanted = self.wanted if wanted is None else wanted
        words = self.wanted.lower().split()
        self.shown = [entry for entry in self.all if all(word in _words(entry) for word in words)]
        self.endResetModel()


def _words(entry: _Entry) -> str:
    return f"{entry.name} {entry.size} {entry.network.about if entry.network is not None else ''}".lower()


class ShelfPane(QWidget):
    """The pane of the networks of the archive, including the user's own."""

    #: Emitted when a network is to be opened, with the network and its file.
    opened_wanted = Signal(object, object)
    fit_wanted = Signal()

    def __init__(
        self, board: Board, theme: Theme, shelf: ArchiveList | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.board, self.theme = board, theme
        self.shelf = ArchiveList() if shelf is None else shelf
        self.work = Background(self)
        self._mine: Network | None = None
        self._stamps: dict[Path, tuple[float, _Entry]] = {}
        self._then = ""
        self.field = set_up(QLineEdit(), name=tr("Search the archive of networks"), empty=tr("Search"))
        self.field.setClearButtonEnabled(True)
        self.networks = _Networks(self)
        self.list = QListView()
        self.list.setAccessibleName(tr("Networks of the archive"))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setModel(self.networks)
        self.list.installEventFilter(self)
        self._line = _Line(self)
        self.list.setItemDelegate(self._line)
        self.empty = set_up(QLabel(), look="explained", wraps=True)
        self.busy = Busy()
        self.open_button, self.beside_button = QPushButton(tr("Open")), QPushButton(tr("Add beside"))
        for button in (self.open_button, self.beside_button):
            button.setObjectName("compact")
        down(
            self.field, self.empty, (self.list, 1), self.busy,
            across((self.open_button, 1), (self.beside_button, 1), spacing=6), on=self, margins=10, spacing=8,
        )  # fmt: skip
        self.field.textChanged.connect(self._search)
        self.field.returnPressed.connect(self._first)
        self.list.clicked.connect(lambda _index: self.preview())
        self.list.doubleClicked.connect(lambda _index: self.open())
        self.list.selectionModel().currentChanged.connect(lambda _new, _old: self._current())
        self.open_button.clicked.connect(self.open)
        self.beside_button.clicked.connect(self.add_beside)
        self.busy.stopped.connect(self.work.cancel)
        self.work.done.connect(self._loaded)
        self.work.ended.connect(self.busy.end)
        board.changed.connect(self._fill)
        self._fill()

    # ------------------------------------------------------------------ entries

    def refresh(self) -> None:
        """Read the folders again, but only those files that have changed."""
        shelves, entries = self.shelf.archive, []
        for name in shelves.names("networks"):
            path = shelves.find("networks", name)
            try:
                stat = path.stat()
            except OSError:
                continue
            known = self._stamps.get(path)
            if known is None or known[0] != stat.st_mtime:
                small = stat.st_size <= SMALL
                size = tr("{size:.1f} MB", size=stat.st_size / 1e6)
                known = stat.st_mtime, _read(name, path, shelves) if small else _Entry(name, path, None, size)
                self._stamps[path] = known
            entries.append(known[1])
        current = self.entry
        self.networks.fill(entries)
        names = [entry.name for entry in self.networks.shown]
        if current is not None and current.name in names:
            self.list.setCurrentIndex(self.networks.index(names.index(current.name)))
        self._fill()

    @property
    def entry(self) -> _Entry | None:
        """The selected entry."""
        index = self.list.currentIndex()
        return self.networks.shown[index.row()] if index.isValid() else None

    def _search(self, text: str) -> None:
        self.networks.fill(wanted=text)
        self._fill()

    def _first(self) -> None:
        """Move the focus from the search field to the list."""
        if self.networks.shown:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.setCurrentIndex(self.networks.index(0))
            self.preview()

    # ------------------------------------------------------------------ commands

    def preview(self) -> None:
        """Show the selected network as a ghost in the drawing."""
        self._with("preview")

    def open(self) -> None:
        """Emit the selected network so that it is opened."""
        self._with("open")

    def add_beside(self) -> None:
        """Add the selected network to the right of the drawing."""
        self._with("beside")

    def _with(self, what: str) -> None:
        """Act on the selected network, after reading it if necessary."""
        entry = self.entry
        if entry is None:
            return
        if entry.problem:
            self._put_down()
            self.board.said.emit(entry.problem, True)
        elif entry.network is None:
            shelves = self.shelf.archive
            self._then = what
            self.busy.begin(tr("Reading {network} ...", network=entry.name), share=False)
            self.work.start(lambda _report: _read(entry.name, entry.path, shelves))
        elif what == "preview":
            self._mine = entry.network
            self.board.show_ghost(entry.network)
        elif what == "open":
            self._put_down()
            self.opened_wanted.emit(entry.network, entry.path)
        else:
            grown, names = beside(self.board.network, entry.network)
            self._put_down()
            chosen = Chosen(processes=frozenset(names))
            self.board.do(tr("Add {network}", network=entry.name), lambda _network: grown, choose=chosen)
            self.fit_wanted.emit()

    def _loaded(self, entry: _Entry) -> None:
        """Give the entry of a large file its picture after reading, and carry out the pending command."""
        for path, (stamp, old) in self._stamps.items():
            if old.path == entry.path:
                self._stamps[path] = stamp, entry
        row = next((row for row, old in enumerate(self.networks.shown) if old.path == entry.path), -1)
        self.networks.all = [entry if old.path == entry.path else old for old in self.networks.all]
        if row >= 0:
            self.networks.shown[row] = entry
            self.networks.dataChanged.emit(self.networks.index(row), self.networks.index(row))
            if self.list.currentIndex().row() == row:
                self._with(self._then)

    def _current(self) -> None:
        self._fill()
        if self._mine is not None or self.list.hasFocus():  # moving with the arrow keys shows each in turn
            entry = self.entry
            if entry is not None and entry.network is not None:
                self.preview()

    def put_away(self) -> None:
        """Remove the ghost."""
        self.work.cancel()
        self._put_down()

    def _put_down(self) -> None:
        mine, self._mine = self._mine, None
        if mine is not None and self.board.ghost is mine:
            self.board.show_ghost(None)

    def _fill(self) -> None:
        entry, shown = self.entry, bool(self.networks.shown)
        wanted = self.field.text().strip()
        words = tr("No network matches “{text}”.", text=wanted) if wanted else tr("The archive contains no networks.")
        self.empty.setText(words)
        self.empty.setVisible(not shown)
        self.open_button.setEnabled(entry is not None and not entry.problem)
        self.beside_button.setEnabled(entry is not None and not entry.problem and self.board.network.n > 0)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Open the selected network on Enter in the list."""
        pressed = watched is self.list and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if pressed and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):  # type: ignore[attr-defined]
            self.open()
            return True
        return False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.put_away()

    def set_theme(self, theme: Theme) -> None:
        self._line.kept.clear()
        self.list.scheduleDelayedItemsLayout()
        self.list.viewport().update()

    def close_all(self) -> None:
        """End the thread."""
        self.work.close()


class _Line(QStyledItemDelegate):
    """The painter of an entry: its picture, name and size."""

    def __init__(self, pane: ShelfPane) -> None:
        super().__init__(pane)
        self.pane = pane
        self.kept: dict[tuple[str, Network | None], QPixmap] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        theme = self.pane.theme
        return QSize(120, max(PICTURE.height() + 8, round(1.25 * (theme.px("body") + 2 * theme.px("small"))) + 8))

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        p.save()
        try:
            self._paint(p, option.rect, option.state, self.pane.networks.shown[index.row()])
        finally:
            p.restore()

    def _paint(self, p: QPainter, box: QRect, state: QStyle.StateFlag, entry: _Entry) -> None:
        theme = self.pane.theme
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            p.fillRect(box, theme.color("accent.soft" if chosen else "surface.panelAlt"))
        if chosen:
            p.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.color("accent.base"))
        left = box.left() + 8
        if entry.network is not None:
            key = (entry.name, entry.network)
            if key not in self.kept:
                self.kept[key] = network_picture(entry.network, theme, PICTURE, self.pane.devicePixelRatioF())
            p.drawPixmap(left, box.center().y() - PICTURE.height() // 2 + 1, self.kept[key])
        inner = box.adjusted(8 + PICTURE.width() + 8, 4, -6, -4)
        middle = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        p.setFont(theme.font("small"))
        fits = p.fontMetrics().horizontalAdvance(entry.size) <= inner.width()
        rows = [(entry.name, "body", "text.primary")]
        rows += [(text, "small", "text.hint") for text in ([entry.size] if fits else entry.size.split(", "))]
        for number, (text, role, color) in enumerate(rows):
            p.setFont(theme.font(role, semibold=chosen and not number))
            p.setPen(theme.color("check.violated" if entry.problem and number else color))
            top, high = inner.top() + number * inner.height() // len(rows), inner.height() // len(rows)
            part = QRect(inner.left(), top, inner.width(), high)
            p.drawText(part, middle, p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, part.width()))
