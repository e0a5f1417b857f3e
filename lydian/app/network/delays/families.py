"""Pictures of the families of distributions, from which the user chooses one."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QGridLayout, QSizePolicy, QWidget

from lydian.app.look.theme import Theme
from lydian.app.network.delays.curve import curve_path
from lydian.language import tr
from lydian.model.delays import FAMILIES, Distribution, parse
from lydian.views.network.curves import curve

__all__ = ["Families"]

#: The right end of the axis of the pictures.
UPTO = 1.8
GAP = 5


class _Picture(QAbstractButton):
    """The button of one family, with its curve and its name."""

    def __init__(self, kind: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.kind, self.theme = kind, theme
        family = FAMILIES[kind]
        self.setText(family.title)
        self.setCheckable(True)
        self.setAccessibleName(family.title)
        self.setToolTip(family.sentence)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        law = parse(family.look or family.example)
        self._law: Distribution = law
        self._shape = curve(law, UPTO, 90)

    def sizeHint(self) -> QSize:
        return QSize(60, 26 + round(1.75 * self.theme.px("caption")))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(p)
        finally:
            p.end()

    def _paint(self, p: QPainter) -> None:
        theme, on = self.theme, self.isChecked()
        strong = on or self.hasFocus()
        if on:
            ground = theme.color("accent.soft")
        else:
            ground = theme.color("surface.panelAlt" if self.underMouse() else "surface.panel")
        edge = 1.0 if strong else 0.5
        rim = theme.color("accent.base" if on else "accent.ring" if self.hasFocus() else "border.subtle")
        pen = QPen(rim, 2 if strong else 1)
        if on and self.hasFocus():
            pen.setDashPattern([2, 1.2])
        p.setPen(pen)
        p.setBrush(ground)
        p.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), 5, 5)
        p.setFont(theme.font("caption", semibold=on))
        high = QFontMetrics(p.font()).height()
        picture = QRectF((self.width() - 44) / 2, 7, 44, self.height() - high - 13)
        ink = theme.color("accent.base" if on else "text.primary")
        soft = QColor(ink)
        soft.setAlphaF(0.16)
        path = curve_path(self._shape, picture, self._shape.top * 1.05)
        filled = QPainterPath(path)
        filled.lineTo(picture.bottomRight())
        filled.lineTo(picture.bottomLeft())
        filled.closeSubpath()
        if self._shape.top:
            p.fillPath(filled, soft)
            p.strokePath(path, QPen(ink, 1.5))
        p.setPen(QPen(ink, 1.8))
        most = max((share for _, share in self._shape.spikes), default=1.0)
        for at, share in self._shape.spikes:
            x = picture.left() + at / UPTO * picture.width()
            p.drawLine(QLineF(x, picture.bottom(), x, picture.bottom() - share / most * picture.height()))
        p.setPen(QPen(theme.color("border.control"), 1))
        p.drawLine(picture.bottomLeft(), picture.bottomRight())
        p.setPen(ink)
        p.drawText(
            self.rect().adjusted(1, 0, -1, -4),
            Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom,
            self.text(),
        )


class Families(QWidget):
    """The pictures of all families, in rows as long as the width allows."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName(tr("Family of the distribution"))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self._group = QButtonGroup(self)
        self._columns = 0
        self.pictures = {kind: _Picture(kind, theme, self) for kind in FAMILIES}
        for kind, picture in self.pictures.items():
            self._group.addButton(picture)
            picture.clicked.connect(lambda _checked=False, kind=kind: self.chosen.emit(kind))
        self._arrange(5)

    def say(self, kind: str | None) -> None:
        """Mark the current family; ``None`` marks none."""
        self._group.setExclusive(False)
        for name, picture in self.pictures.items():
            picture.setChecked(name == kind)
        self._group.setExclusive(kind is not None)

    def set_theme(self, theme: Theme) -> None:
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics = QFontMetrics(self.theme.font("caption", semibold=True))
        widest = max(metrics.horizontalAdvance(family.title) for family in FAMILIES.values()) + 6
        self._arrange(min(max((self.width() + GAP) // (widest + GAP), 2), 5))

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, picture in enumerate(self.pictures.values()):
            self._grid.addWidget(picture, number // columns, number % columns)
        for column in range(5):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
