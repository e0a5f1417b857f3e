"""The protocols as cards: a picture of a typical moment, the title, one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPen, QPixmap, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lydian.app.archive.familylook import family_tile
from lydian.app.look.theme import Theme
from lydian.language import tr
from lydian.model.archive.catalogue import Entry
from lydian.views.words.words import plural

__all__ = ["CardList"]

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
#: The least width of a card; the distance between two cards and around the picture.
NARROW, GAP = 186, 5
#: The ratio of height to width of a picture.
SHAPE = 0.625
#: The number of pictures that are read at once; the others follow a moment later, so that the window stays responsive.
AT_ONCE = 2
#: The number of pictures that are kept in memory.
MOST = 200


class _Cards(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: Sequence[Entry] = ()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        if role == Role.DisplayRole:
            return entry.title
        if role == Role.AccessibleTextRole:
            return f"{entry.title}: {entry.problem or entry.about}"
        if role == Role.AccessibleDescriptionRole:
            return f"{entry.name}, {plural(len(entry.experiments), 'experiment')}"
        if role == Role.ToolTipRole:
            return entry.problem or f"{entry.title}: {entry.about}"
        return None

    def fill(self, entries: Sequence[Entry]) -> None:
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()


class CardList(QListView):
    """Cards in columns; the arrow keys move between them, Enter opens one.

    Attributes:
        pictures: name of a protocol -> the file with its picture.
    """

    #: Emitted with the entry of the card that is now current, or ``None``.
    marked = Signal(object)
    #: Emitted on Enter or a double click.
    opened = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.pictures: dict[str, Path] = {}
        self.cards = _Cards(self)
        self._painter = _Card(self)
        self.setObjectName("archiveCards")
        self.setAccessibleName(tr("Protocols of the archive"))
        self.setModel(self.cards)
        self.setItemDelegate(self._painter)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(30)
        self.doubleClicked.connect(lambda _index: self.opened.emit())

    # ------------------------------------------------------------------ contents

    def fill(self, entries: Sequence[Entry], keep: str = "") -> None:
        """Show these entries, with the one of this name current, or the first."""
        names = [entry.name for entry in entries]
        same = names == [entry.name for entry in self.cards.entries]
        place = self.verticalScrollBar().value()
        self.cards.fill(entries)
        row = names.index(keep) if keep in names else 0
        if names:
            self.setCurrentIndex(self.cards.index(row))
        else:
            self.marked.emit(None)
        if same:
            self.verticalScrollBar().setValue(place)

    @property
    def entry(self) -> Entry | None:
        """The entry of the current card."""
        index = self.currentIndex()
        return self.cards.entries[index.row()] if index.isValid() else None

    def mark(self, name: str) -> bool:
        """Make the card of a protocol current; return False if it is not shown."""
        names = [entry.name for entry in self.cards.entries]
        if name in names:
            self.setCurrentIndex(self.cards.index(names.index(name)))
        return name in names

    def picture_is_there(self, name: str, file: Path) -> None:
        """Redraw a card whose picture is now available."""
        self.pictures[name] = file
        self._painter.kept.pop(name, None)
        for row, entry in enumerate(self.cards.entries):
            if entry.name == name:
                self.update(self.cards.index(row))

    def seen(self) -> list[Entry]:
        """Return the entries whose cards are in view."""
        box = self.viewport().rect()
        return [
            entry for row, entry in enumerate(self.cards.entries)
            if self.visualRect(self.cards.index(row)).intersects(box)
        ]  # fmt: skip

    def currentChanged(self, now: Index, before: Index) -> None:
        super().currentChanged(now, before)
        self.marked.emit(self.entry)

    # ------------------------------------------------------------------ look and keys

    def set_theme(self, theme: Theme) -> None:
        self._painter.kept.clear()
        self._columns()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._columns()
        super().resizeEvent(event)

    def _columns(self) -> None:
        room = self.viewport().width() - 6  # Qt wraps a row that is exactly full.
        count = max(room // self.theme.stretched(NARROW), 1)
        wide = max(room // count, 80)
        self.setGridSize(QSize(wide, self._painter.height(wide)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit()
        elif event.text() == "/" or event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)


class _Card(QStyledItemDelegate):
    """The drawing of a card."""

    def __init__(self, cards: CardList) -> None:
        super().__init__(cards)
        self.list = cards
        self.kept: dict[str, QPixmap] = {}
        self._at_once, self._refused = AT_ONCE, False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(1)
        self._rest.timeout.connect(self._go_on)

    def _go_on(self) -> None:
        self._at_once = AT_ONCE
        if self._refused:
            self._refused = False
            self.list.viewport().update()

    def height(self, wide: int) -> int:
        """Return the height of a card of a width: picture, title, two lines."""
        theme = self.list.theme
        return round((wide - 2 * GAP) * SHAPE + 1.5 * theme.px("body") + 2 * 1.4 * theme.px("small") + 16 + 2 * GAP)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self.list.gridSize()

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        p.save()
        try:
            self._paint(p, QRect(option.rect), option.state, self.list.cards.entries[index.row()])
        finally:
            p.restore()

    def _paint(self, p: QPainter, whole: QRect, state: QStyle.StateFlag, entry: Entry) -> None:
        theme = self.list.theme
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        hot = bool(state & QStyle.StateFlag.State_MouseOver)
        focused = chosen and self.list.hasFocus()
        box = QRectF(whole.adjusted(GAP, GAP, -GAP, -GAP))
        radius = theme.size("radius.card")
        shape = QPainterPath()
        shape.addRoundedRect(box, radius, radius)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.fillPath(shape, theme.color("accent.soft" if chosen else "surface.panelAlt" if hot else "surface.panel"))
        top = QRectF(box.left(), box.top(), box.width(), box.width() * SHAPE)
        p.save()
        p.setClipPath(shape)
        self._picture(p, top, entry)
        p.restore()
        inner = box.adjusted(9, top.height() + 6, -8, -6)
        line = 1.5 * theme.px("body")
        tile = QRectF(inner.left(), inner.top() + (line - 17) / 2, 17, 17)
        family_tile(p, tile, theme, entry.family, self.list.devicePixelRatioF())
        p.setFont(theme.font("body", semibold=True))
        p.setPen(theme.color("text.primary"))
        words = QRectF(inner.left() + 23, inner.top(), inner.width() - 23, line)
        shown = p.fontMetrics().elidedText(entry.title, Qt.TextElideMode.ElideRight, int(words.width()))
        p.drawText(words, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
        below = inner.adjusted(0, line + 1, 0, 0)
        p.setFont(theme.font("small"))
        p.setPen(theme.color("check.violated" if entry.problem else "text.secondary" if chosen else "text.hint"))
        two_lines(p, below, entry.problem or entry.about)
        p.setBrush(Qt.BrushStyle.NoBrush)
        edge = "accent.ring" if focused else "accent.base" if chosen else "border.control" if hot else "border.subtle"
        wide = 2.0 if chosen else 1.0
        p.setPen(QPen(theme.color(edge), wide))
        p.drawRoundedRect(box.adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2), radius, radius)

    def _picture(self, p: QPainter, box: QRectF, entry: Entry) -> None:
        theme = self.list.theme
        p.fillRect(box, theme.color("surface.canvas"))
        picture = self._kept(entry.name, box)
        if picture is not None:
            p.drawPixmap(box.topLeft(), picture)
        elif entry.problem:
            p.setFont(theme.font("small"))
            p.setPen(theme.color("check.violated"))
            p.drawText(box, int(Qt.AlignmentFlag.AlignCenter), tr("not usable"))
        else:  # The picture is not ready: draw three pale processes.
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(theme.color("border.subtle"))
            for at in (-1, 0, 1):
                p.drawEllipse(box.center() + QPointF(22.0 * at, 0.0), 5, 5)
        p.setPen(QPen(theme.color("border.subtle"), 1))
        p.drawLine(box.bottomLeft(), box.bottomRight())

    def _kept(self, name: str, box: QRectF) -> QPixmap | None:
        """Return the picture at the size of the card; ``None`` if it is not available yet."""
        ratio = self.list.devicePixelRatioF()
        size = QSize(round(box.width() * ratio), round(box.height() * ratio))
        known = self.kept.get(name)
        if known is not None and known.size() == size:
            return known
        file = self.list.pictures.get(name)
        if file is None:
            return known
        if not self._rest.isActive():
            self._rest.start()
        if not self._at_once:
            self._refused = True
            return known
        self._at_once -= 1
        read = QPixmap(str(file))
        if read.isNull():
            self.list.pictures.pop(name, None)
            return None
        fitted = read.scaled(
            size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )  # Both have the same shape up to a pixel.
        fitted.setDevicePixelRatio(ratio)
        if len(self.kept) > MOST:
            self.kept.clear()
        self.kept[name] = fitted
        return fitted


def two_lines(p: QPainter, box: QRectF, text: str) -> None:
    """Return a text in two lines, the second elided."""
    layout = QTextLayout(text, p.font())
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    metrics = p.fontMetrics()
    layout.beginLayout()
    first = layout.createLine()
    cut = len(text)
    if first.isValid():
        first.setLineWidth(box.width())
        cut = first.textStart() + first.textLength()
    layout.endLayout()
    high = metrics.height()
    left = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    p.drawText(QRectF(box.left(), box.top(), box.width() + 2, high), left, text[:cut].rstrip())
    rest = metrics.elidedText(text[cut:].lstrip(), Qt.TextElideMode.ElideRight, int(box.width()))
    p.drawText(QRectF(box.left(), box.top() + 1.05 * high, box.width() + 2, high), left, rest)
