"""The search field of the tool bar: a button that looks like a field and opens the palette."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from lydian.app.kit.theming import set_look, token
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.language import tr

__all__ = ["NARROWEST", "FindField"]

#: The maximum width, and the width below which the field becomes a plain button.
WIDEST, NARROWEST = 300, 130
#: Its texts; the longest that fits is shown.
WORDS = (tr("Find process, event, command"), tr("Find anything"), tr("Find"))


class FindField(QAbstractButton):
    """A magnifying glass, a hint and the key; if there is little room, the glass alone."""

    def __init__(self, theme: Theme, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.key = key
        self.setObjectName("findField")
        self.setAccessibleName(tr("Find a process, an event, a command"))
        self.setToolTip(tr("Find a process, an event, a variable, a command or a page ({key})", key=key))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        set_look(self, theme, height=token("space.toolButton"))

    @property
    def side(self) -> int:
        """The width of the plain button."""
        return int(self.theme.size("space.toolButton"))

    def fit(self, room: float) -> None:
        """Adapt to the available width: a field, or a plain button."""
        widest = self.theme.stretched(WIDEST)
        self.setFixedWidth(self.side if room < self.theme.stretched(NARROWEST) else round(min(room, widest)))

    def sizeHint(self) -> QSize:
        return QSize(self.width(), self.height())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(p)
        finally:
            p.end()

    def _paint(self, p: QPainter) -> None:
        theme = self.theme
        field = self.width() > self.height() + 8
        box = QRectF(self.rect()).adjusted(1, 1, -9 if field else -1, -1)  # a gap before the next widget
        radius = theme.size("radius.control")
        ground = "accent.soft" if self.underMouse() and not field else "surface.panel"
        focus = self.hasFocus()
        rim = "accent.ring" if focus else "accent.base" if self.underMouse() else "border.control"
        p.setPen(QPen(theme.color(rim), 2 if focus else 1) if field or focus else Qt.PenStyle.NoPen)
        p.setBrush(theme.color(ground))
        p.drawRoundedRect(box, radius, radius)
        size = 20 if theme.projector else 16
        ink = theme.color("text.secondary" if field else "text.primary")
        glass = pixmap("find", ink, size, self.devicePixelRatioF())
        x = box.left() + 8 if field else box.center().x() - size / 2
        p.drawPixmap(round(x), round(box.center().y() - size / 2), glass)
        if not field:
            return
        p.setFont(theme.font("caption"))
        wide = p.fontMetrics().horizontalAdvance(self.key) + 10
        chip = QRectF(box.right() - wide - 6, box.center().y() - p.fontMetrics().height() / 2 - 1, wide, 0)
        chip.setHeight(p.fontMetrics().height() + 2)
        p.setPen(QPen(theme.color("border.control"), 1))
        p.drawRoundedRect(chip, 3, 3)
        p.setPen(theme.color("text.hint"))
        p.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), self.key)
        p.setFont(theme.font("body"))
        p.setPen(theme.color("text.secondary"))
        room = QRectF(x + size + 8, box.top(), chip.left() - x - size - 14, box.height())
        metrics = p.fontMetrics()
        text = next((words for words in WORDS if metrics.horizontalAdvance(words) <= room.width()), "")
        p.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), text)
