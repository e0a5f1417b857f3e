"""The search over the whole guide in the help: the field, and the results that appear during typing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QIcon, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.markedtext import draw_marked
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.desk.guide.search import Found, search, whole_guide
from lydian.language import tr, trc
from lydian.model.finding import words

__all__ = ["Results", "SearchField"]

_FOUND = Qt.ItemDataRole.UserRole


class SearchField(QLineEdit):
    """A field whose keys for moving, choosing and closing are those of a list beside it."""

    #: Go this many results down (or up), with True if it is a screenful.
    moved = Signal(int, bool)
    chosen = Signal()
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._act = {
            Qt.Key.Key_Down: lambda: self.moved.emit(1, False), Qt.Key.Key_Up: lambda: self.moved.emit(-1, False),
            Qt.Key.Key_PageDown: lambda: self.moved.emit(1, True), Qt.Key.Key_PageUp: lambda: self.moved.emit(-1, True),
            Qt.Key.Key_Return: self.chosen.emit, Qt.Key.Key_Enter: self.chosen.emit,
        }  # fmt: skip
        set_up(self, name=tr("Search the guide"), empty=tr("Search the guide"))
        self.setClearButtonEnabled(True)
        lens = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        set_look(lens, theme, icon="find", ink="text.hint")

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Make the index before the first key."""
        super().focusInEvent(event)
        whole_guide()

    def _own(self, event: QKeyEvent) -> bool:
        """Return True for a key of the list, and for Esc while there is something to close."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        return event.key() in self._act or (event.key() == Qt.Key.Key_Escape and bool(self.text()))

    def event(self, event: QEvent) -> bool:
        """Keep the keys of the list for the field, even if the window has commands with these keys."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._own(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._own(event):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            self._act[Qt.Key(event.key())]()


class Results(QStackedWidget):
    """The results of a search, best first; if there are none, a sentence and the way to the glossary."""

    #: A result was chosen.
    opened = Signal(object)
    glossary_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.asked: Sequence[str] = ()
        self.list = set_up(QListWidget(), name=tr("Results in the guide"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys of the list are those of the field
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setItemDelegate(_Lines(theme, self.list))
        self.list.itemClicked.connect(lambda item: self.opened.emit(item.data(_FOUND)))
        self.nothing = set_up(QLabel(), wraps=True, plain=True)
        hint = set_up(
            QLabel(tr("Every word must occur in the same section; the beginning of each word is enough.")),
            look="explained", wraps=True,
        )  # fmt: skip
        self.glossary = set_up(
            QPushButton(tr("Open the glossary")), tip=tr("The glossary explains every term, and lists its other names"),
            clicked=lambda _checked=False: self.glossary_wanted.emit(),
        )  # fmt: skip
        set_look(self.nothing, theme, font="body")
        empty = QWidget()
        down(self.nothing, hint, 6, across(self.glossary, ...), ..., on=empty, margins=(14, 14, 14, 14), spacing=8)
        self.addWidget(self.list)
        self.addWidget(empty)

    def show_for(self, text: str) -> None:
        """List the results for a text."""
        found, self.asked = search(text), words(text)
        self.list.clear()
        for each in found:
            item = QListWidgetItem(self.list)
            item.setData(_FOUND, each)
            section = each.section
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{section.heading}, {where(each)}: {each.line}")
        self.list.setCurrentRow(0 if found else -1)
        self.list.scrollToTop()
        self.nothing.setText(tr("The guide contains no section with “{text}”.", text=text.strip()))
        self.setCurrentIndex(0 if found else 1)

    def move_by(self, step: int, screenful: bool) -> None:
        """Select another result; from the last, one step leads to the first, and the other way round."""
        count, row = self.list.count(), self.list.currentRow()
        if not count:
            return
        if screenful:
            step *= max(self.list.viewport().height() // max(self.list.sizeHintForRow(0), 1) - 1, 1)
            self.list.setCurrentRow(max(0, min(count - 1, row + step)))
        else:
            self.list.setCurrentRow((row + step) % count)

    def choose(self) -> None:
        """Open the selected result."""
        item = self.list.currentItem()
        if item is not None:
            self.opened.emit(item.data(_FOUND))


def where(found: Found) -> str:
    """Return the words that say which page contains a result, for the line of its heading."""
    section = found.section
    if section.place.page.startswith("archive/"):
        return tr("Archive") if not section.place.section else tr("Archive: {page}", page=section.page)
    return section.page if section.place.section else trc("guide", "Page")


class _Lines(QStyledItemDelegate):
    """A delegate that draws a result: its heading with the page at the right, and below it a line of its text."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        upper, lower = (QFontMetrics(self.theme.font(role)).height() for role in ("body", "small"))
        return QSize(120, upper + lower + 17)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        found, theme = index.data(_FOUND), self.theme
        if not isinstance(found, Found):
            return
        p.save()
        box: QRect = option.rect
        state: QStyle.StateFlag = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            p.fillRect(box, theme.color("accent.soft" if chosen else "surface.panelAlt"))
        p.setPen(theme.color("border.subtle"))
        p.drawLine(box.bottomLeft(), box.bottomRight())
        inner = box.adjusted(14, 7, -14, -8)
        p.setFont(theme.font("small"))
        page = p.fontMetrics().elidedText(where(found), Qt.TextElideMode.ElideRight, inner.width() * 2 // 5)
        wide, height = p.fontMetrics().horizontalAdvance(page), QFontMetrics(theme.font("body")).height()
        p.setPen(theme.color("text.hint"))
        top = QRect(inner.left(), inner.top(), inner.width(), height)
        p.drawText(top, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), page)
        ink, strong = theme.color("text.secondary"), theme.color("text.primary")
        heading = QRect(top.left(), top.top(), top.width() - wide - 12, height)
        draw_marked(p, heading, found.section.heading, (), theme.font("body", semibold=True), strong, strong)
        below = QRect(inner.left(), top.bottom() + 3, inner.width(), inner.bottom() - top.bottom() - 2)
        draw_marked(p, below, found.line, found.bold, theme.font("small"), ink, strong)
        p.restore()
