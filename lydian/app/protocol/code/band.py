"""A box below a line of the code, with sentences, their symbols, and buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from lydian.app.kit.layout import Part, across, down
from lydian.app.kit.theming import set_up
from lydian.app.look.theme import Theme
from lydian.app.protocol.code.gutter import draw_symbol

__all__ = ["Band", "as_sentence"]


def as_sentence(words: str) -> str:
    """Return a text as a sentence, with a capital letter and a full stop."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!", "?)", ".)")) else ".")


class _Symbol(QWidget):
    def __init__(self, theme: Theme, what: str) -> None:
        super().__init__()
        self.theme, self.what = theme, what
        side = theme.px("body") + 5
        self.setFixedSize(QSize(side, side))

    def paintEvent(self, _event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_symbol(p, self.theme, self.what, QPointF(self.width() / 2, self.height() / 2), self.width() * 0.72)
        p.end()


class Band(QFrame):
    """A box below a line, with sentences, their symbols, and buttons."""

    def __init__(self, theme: Theme, name: str = "codeBand") -> None:
        super().__init__()
        self.setObjectName(name)
        self.theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.column = down(on=self, margins=(10, 6, 10, 6), spacing=5)
        self.labels: list[QLabel] = []
        self.buttons: list[QPushButton] = []

    def clear(self) -> None:
        self.labels, self.buttons = [], []
        while self.column.count():
            item = self.column.takeAt(0)
            row = item.layout() if item is not None else None
            while row is not None and row.count():
                part = row.takeAt(0)
                widget = part.widget() if part is not None else None
                if widget is not None:
                    widget.hide()
                    widget.deleteLater()

    def sentence(self, text: str, what: str = "") -> QLabel:
        """Add a sentence with a symbol before it."""
        label = set_up(QLabel(text), look="bandText", wraps=True, plain=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        symbol: list[Part] = [(_Symbol(self.theme, what), Qt.AlignmentFlag.AlignTop)] if what else []
        row = across(*symbol, (label, 1), spacing=7)
        self.column.addLayout(row)
        _show(row)
        self.labels.append(label)
        return label

    def row_of(self, buttons: Sequence[QPushButton]) -> None:
        for button in buttons:
            button.setObjectName(button.objectName() or "offer")
            self.buttons.append(button)
        row = across(*buttons, ..., spacing=6)
        self.column.addLayout(row)
        _show(row)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self.ensurePolished()
        for part in (*self.labels, *self.buttons):  # the style sheet sets their sizes
            part.ensurePolished()
            part.updateGeometry()
        self.column.invalidate()
        self.column.activate()
        tall = self.column.totalHeightForWidth(width)  # including the border from the style sheet
        return tall if tall > 0 else self.sizeHint().height()


def _show(row: QHBoxLayout) -> None:
    """Show the contents of a row at once, so that its height is known."""
    for number in range(row.count()):
        item = row.itemAt(number)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.show()
