"""The list of results in the command box: headings, and below each its results with the matches underlined."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lydian.app.kit.markedtext import draw_marked
from lydian.app.kit.theming import set_up
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.app.panels.box.entries import KINDS, Entry, Group
from lydian.language import tr
from lydian.model.finding import matches

__all__ = ["ICONS", "Results"]

ICONS = {
    "protocol": "code", "experiment": "play", "lesson": "book", "assignment": "checks", "goal": "flag",
    "network": "network", "sweep": "table", "process": "process", "event": "trace", "variable": "sliders",
    "command": "chevron-right", "page": "info",
}  # fmt: skip
_ENTRY = Qt.ItemDataRole.UserRole


class Results(QListWidget):
    """The list; headings cannot be selected."""

    #: Emitted with the entry that was clicked.
    clicked_on = Signal(object)
    #: Emitted with the entry that is now selected, ``None`` if there is none.
    selected = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        set_up(self, name=tr("Results"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys of the list are those of the field
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setItemDelegate(_Lines(theme, self))
        self.itemClicked.connect(self._clicked)
        self.currentItemChanged.connect(lambda _now, _before: self.selected.emit(self.entry))

    @property
    def entry(self) -> Entry | None:
        """The selected entry."""
        return _entry_of(self.currentItem())

    @property
    def entries(self) -> list[Entry]:
        """All entries, from the top."""
        found = (_entry_of(self.item(row)) for row in range(self.count()))
        return [each for each in found if each is not None]

    def fill(self, groups: Sequence[Group]) -> None:
        """Show other results, with the first selected."""
        self.blockSignals(True)
        self.clear()
        for group in groups:
            heading = QListWidgetItem(group.heading, self)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            for entry in group.entries:
                item = QListWidgetItem(entry.text, self)
                item.setData(_ENTRY, entry)
                told = ". ".join(filter(None, (entry.text, entry.about, entry.remark)))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{KINDS[entry.kind]}: {told}")
                if entry.why:
                    item.setToolTip(tr("Not available now: {reason}", reason=entry.why))
        self.setCurrentRow(next((row for row in range(self.count()) if _entry_of(self.item(row))), -1))
        self.blockSignals(False)
        self.scrollToTop()
        self.selected.emit(self.entry)

    def move_by(self, step: int, *, screenful: bool = False) -> None:
        """Select another result; from the last, one step leads to the first, and the other way round."""
        rows = [row for row in range(self.count()) if _entry_of(self.item(row))]
        if not rows:
            return
        at = rows.index(self.currentRow()) if self.currentRow() in rows else 0
        if screenful:
            shown = max(self.viewport().height() // max(self.sizeHintForRow(rows[0]), 1) - 1, 1)
            at = max(0, min(len(rows) - 1, at + step * shown))
        else:
            at = (at + step) % len(rows)
        self.setCurrentRow(rows[at])
        if at == 0:
            self.scrollToTop()

    def _clicked(self, item: QListWidgetItem) -> None:
        entry = _entry_of(item)
        if entry is not None:
            self.clicked_on.emit(entry)

    def set_theme(self, theme: Theme) -> None:
        self.doItemsLayout()


def _entry_of(item: QListWidgetItem | None) -> Entry | None:
    entry = None if item is None else item.data(_ENTRY)
    return entry if isinstance(entry, Entry) else None


class _Lines(QStyledItemDelegate):
    """A delegate that draws headings and results: icon, name, a sentence below it, and a remark at the right."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def _height(self, role: str) -> int:
        return QFontMetrics(self.theme.font(role)).height()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        entry = index.data(_ENTRY)
        if not isinstance(entry, Entry):
            return QSize(120, self._height("small") + 12)
        return QSize(120, self._height("body") + (self._height("small") + 1 if entry.about else 0) + 12)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        p.save()
        try:
            entry, box = index.data(_ENTRY), QRect(option.rect).adjusted(8, 0, -8, 0)
            if isinstance(entry, Entry):
                self._paint(p, box, option.state, entry)
            else:
                p.setFont(self.theme.font("small", semibold=True))
                p.setPen(self.theme.color("text.secondary"))
                low = int(Qt.AlignmentFlag.AlignBottom)
                p.drawText(box.adjusted(10, 0, -10, -4), low, str(index.data(Qt.ItemDataRole.DisplayRole)))
        finally:
            p.restore()

    def _paint(self, p: QPainter, box: QRect, state: QStyle.StateFlag, entry: Entry) -> None:
        theme = self.theme
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(theme.color("accent.base" if chosen else "surface.panelAlt"))
            p.drawRoundedRect(box, theme.size("radius.control"), theme.size("radius.control"))
        on = theme.color("text.onAccent")
        pale = theme.color("text.hint")
        ink = on if chosen else pale if entry.why else theme.color("text.primary")
        line = on if chosen else theme.color("accent.base")
        inner = box.adjusted(10, 6, -10, -6)
        size = theme.stretched(16)
        sign = pixmap(ICONS[entry.kind], on if chosen else theme.color("text.secondary"), size, 2.0)
        p.drawPixmap(QRect(inner.left(), box.center().y() - size // 2, size, size), sign)
        inner.setLeft(inner.left() + size + 12)
        p.setFont(theme.font("small"))
        p.setPen(on if chosen else pale)
        remark = p.fontMetrics().elidedText(entry.remark, Qt.TextElideMode.ElideRight, inner.width() // 2)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        high = self._height("body")
        p.drawText(QRect(inner.left(), inner.top(), inner.width(), high), int(right), remark)
        wide = p.fontMetrics().horizontalAdvance(remark)
        top = QRect(inner.left(), inner.top(), inner.width() - (wide + 12 if wide else 0), high)
        marks = matches(entry.text, entry.terms)
        draw_marked(p, top, entry.text, marks, theme.font("body"), ink, ink, line)
        if entry.about:
            below = QRect(inner.left(), top.bottom() + 2, inner.width(), self._height("small"))
            ink = on if chosen else theme.color("text.secondary")
            draw_marked(p, below, entry.about, matches(entry.about, entry.terms), theme.font("small"), ink, ink, line)
