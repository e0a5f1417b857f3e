"""Values as small chips in as many lines as they need."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from lydian.app.look.theme import Theme
from lydian.language import trn

__all__ = ["Chips"]

#: The largest number of lines of chips; the last one shows how many chips are missing.
LINES = 3
GAP, PAD, HIGH = 4, 8, 5


class Chips(QWidget):
    """A widget that shows texts as chips, and the number of those that do not fit."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.texts: tuple[str, ...] = ()
        self._bad = False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, texts: Sequence[str], bad: bool = False) -> None:
        """Show these texts."""
        self.texts, self._bad = tuple(texts), bad
        self.setAccessibleName(", ".join(self.texts[:40]))
        self._fit()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(80, self._high(max(self.width(), 80)))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @property
    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.theme.font("small", semibold=True))

    @property
    def _line(self) -> int:
        return round(self._metrics.height()) + HIGH

    def _fit(self) -> None:
        high = self._high(max(self.width(), 80))
        if self.height() != high or self.minimumHeight() != high:
            self.setFixedHeight(high)

    def _high(self, width: int) -> int:
        boxes = self._boxes(width)
        return round(boxes[-1][0].bottom()) + 1 if boxes else self._line

    def _boxes(self, width: float) -> list[tuple[QRectF, str]]:
        """Return a place and a text for each chip that fits, and for the one that counts the rest."""
        metrics, line = self._metrics, self._line
        boxes: list[tuple[QRectF, str]] = []
        x, row = 0.0, 0
        for number, text in enumerate(self.texts):
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width - 2 * PAD - 2)
            wide = metrics.horizontalAdvance(shown) + 2 * PAD
            if x and x + wide > width:
                x, row = 0.0, row + 1
            if row == LINES:
                return self._counted(boxes, len(self.texts) - number, width)
            boxes.append((QRectF(x, row * (line + GAP), wide, line), shown))
            x += wide + GAP
        return boxes

    def _counted(self, boxes: list[tuple[QRectF, str]], rest: int, width: float) -> list[tuple[QRectF, str]]:
        while True:
            text = trn("{count:,} more", "{count:,} more", rest)
            wide = self._metrics.horizontalAdvance(text) + 2 * PAD
            last = boxes[-1][0]
            if last.right() + GAP + wide <= width or last.left() == 0:
                break
            boxes.pop()
            rest += 1
        if last.right() + GAP + wide > width:
            boxes.pop()
            return [
                *boxes,
                (QRectF(0, last.top(), wide, last.height()), trn("{count:,} more", "{count:,} more", rest + 1)),
            ]
        return [*boxes, (QRectF(last.right() + GAP, last.top(), wide, last.height()), text)]

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setFont(self.theme.font("small", semibold=True))
            ground = self.theme.color("check.violatedSoft" if self._bad else "accent.soft")
            ink = self.theme.color("check.violated" if self._bad else "accent.base")
            for box, text in self._boxes(self.width()):
                p.setPen(Qt.PenStyle.NoPen)
                p.setBrush(ground)
                p.drawRoundedRect(box, 4, 4)
                p.setPen(QPen(ink))
                p.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        finally:
            p.end()
