"""Small pictures of networks, including samples of the kinds that can be generated."""

from __future__ import annotations

import functools

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QGridLayout, QSizePolicy, QWidget

from lydian.app.look.theme import Theme, mixed
from lydian.language import tr
from lydian.model.generators import KINDS, generate
from lydian.model.network import Network

__all__ = ["PictureButton", "PictureGrid", "network_picture", "paint_network", "sample"]

#: A picture shows at most about this many links, and this many processes.
MOST = 4_000
COLUMNS = 3


@functools.cache
def sample(kind: str) -> Network:
    """Return the network that represents a kind in its picture."""
    return generate(kind, *KINDS[kind].sample, seed=KINDS[kind].seed)


def paint_network(p: QPainter, box: QRectF, network: Network, line: QColor, dot: QColor) -> None:
    """Draw a network into a box, with thin links and a dot for each process; a very large network is thinned out."""
    n = network.n
    if not n:
        return
    radius = 2.2 if n <= 16 else 1.7 if n <= 40 else 1.1 if n <= 200 else 0.6
    inner = box.adjusted(radius, radius, -radius, -radius)
    points = network.coordinates
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    room = np.array([inner.width(), inner.height()])
    scale = float((room / np.maximum(extent, 1e-9)).min()) if extent.max() > 0 else 0.0
    places = (points - low - extent / 2) * scale + np.array([inner.center().x(), inner.center().y()])
    ends = network.ends
    if len(ends) > MOST:
        ends = ends[:: len(ends) // MOST + 1]
    corners = np.hstack((places[ends[:, 0]], places[ends[:, 1]])).tolist()
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    p.setPen(QPen(line, 0.9 if len(ends) <= 60 else 0.6))
    p.setOpacity(1.0 if len(ends) <= 120 else max(0.2, 12 / len(ends) ** 0.5))
    p.drawLines([QLineF(*corner) for corner in corners])
    p.setOpacity(1.0)
    pen = QPen(dot, 2 * radius)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    p.setPen(pen)
    p.drawPoints([QPointF(x, y) for x, y in places.tolist()])


def network_picture(network: Network, theme: Theme, size: QSize, ratio: float = 1.0) -> QPixmap:
    """Return a picture of a network in the theme's colours on a transparent background."""
    picture = QPixmap(round(size.width() * ratio), round(size.height() * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    p = QPainter(picture)
    try:
        box = QRectF(0, 0, size.width(), size.height()).adjusted(3, 3, -3, -3)
        paint_network(p, box, network, theme.color("link.base"), theme.color("text.primary"))
    finally:
        p.end()
    return picture


class PictureButton(QAbstractButton):
    """A button for a kind of network: its picture with its title below; at most one button of a grid is pressed."""

    twice = Signal()

    def __init__(self, kind: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind, self.theme = kind, theme
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        title = KINDS[kind].title
        self.setText(title)
        self.setToolTip(f"{title}: {KINDS[kind].words}")
        self.setAccessibleName(title)
        self.setAccessibleDescription(KINDS[kind].words)

    def sizeHint(self) -> QSize:
        return QSize(62, 38 + round(1.5 * self.theme.px("caption")))

    def minimumSizeHint(self) -> QSize:
        return QSize(54, self.sizeHint().height())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        self.twice.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            self._paint(p)
        finally:
            p.end()

    def _paint(self, p: QPainter) -> None:
        theme, down = self.theme, self.isChecked()
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide = 2.0 if self.hasFocus() or down else 1.0
        box = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
        edge = theme.color("accent.ring" if self.hasFocus() else "accent.base" if down else "border.subtle")
        ground = theme.color("accent.soft" if down else "surface.panelAlt" if self.underMouse() else "surface.panel")
        p.setPen(QPen(edge, wide))
        p.setBrush(ground)
        radius = theme.size("radius.control")
        p.drawRoundedRect(box, radius, radius)
        p.setFont(theme.font("caption", semibold=down))
        high = p.fontMetrics().height()
        words = QRectF(box.left() + 1, box.bottom() - high - 2, box.width() - 2, high)
        p.setPen(theme.color("accent.base" if down else "text.secondary"))
        if p.fontMetrics().horizontalAdvance(self.text()) > words.width():
            narrow = p.font()
            narrow.setStretch(78)
            narrow.setWeight(narrow.Weight.Medium if down else narrow.Weight.Normal)
            p.setFont(narrow)
        text = p.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, int(words.width()))
        p.drawText(words, int(Qt.AlignmentFlag.AlignCenter), text)
        picture = QRectF(box.left() + 7, box.top() + 4, box.width() - 14, words.top() - box.top() - 6)
        ink = theme.color("text.primary")
        paint_network(p, picture, sample(self.kind), mixed(ink, ground, 0.45), ink)


class PictureGrid(QWidget):
    """The pictures of all kinds, in rows of three; the arrow keys move between them."""

    #: Emitted with the kind that was chosen, or an empty text if none is chosen any more.
    chosen = Signal(str)
    #: Emitted with the kind that was double-clicked.
    twice = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, PictureButton] = {}
        self.setAccessibleName(tr("Kinds of network"))
        self._group = QButtonGroup(self)
        rows = QGridLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(5)
        for number, kind in enumerate(KINDS):
            button = self.buttons[kind] = PictureButton(kind, theme)
            self._group.addButton(button)
            rows.addWidget(button, number // COLUMNS, number % COLUMNS)
            button.clicked.connect(lambda _checked=False, kind=kind: self.chosen.emit(kind))
            button.twice.connect(lambda kind=kind: self.twice.emit(kind))
            button.installEventFilter(self)
        for column in range(COLUMNS):
            rows.setColumnStretch(column, 1)

    def say(self, kind: str) -> None:
        """Show which kind is chosen; an empty text means none."""
        self._group.setExclusive(False)
        for name, button in self.buttons.items():
            button.setChecked(name == kind)
        self._group.setExclusive(True)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if isinstance(watched, PictureButton) and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {
                Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -COLUMNS, Qt.Key.Key_Down: COLUMNS,
            }.get(Qt.Key(event.key()), 0)  # fmt: skip
            if step:
                kinds = list(KINDS)
                goal = kinds.index(watched.kind) + step
                if 0 <= goal < len(kinds):
                    self.buttons[kinds[goal]].setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                watched.click()
                return True
        return False
