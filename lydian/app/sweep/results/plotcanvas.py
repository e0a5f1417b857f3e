"""A plot in the window: it shows the exact figures under the pointer, and the user can select its runs."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from lydian.app.look.theme import Theme
from lydian.app.painters.plots.plots import PlotPainter
from lydian.language import tr
from lydian.views.plots.layout import Layout
from lydian.views.plots.plots import Plot
from lydian.views.plots.tips import Badge, Found, nearest, places, told_of

__all__ = ["PlotCanvas"]

#: Milliseconds for which the pointer rests before the figures are shown.
PATIENCE = 350


class PlotCanvas(QWidget):
    """A widget that draws a plot in its own size.

    Attributes:
        plot: the plot.
        marked: the run whose number is filled, or -1.
        hover: the thing under the pointer or selected by keys.
    """

    #: Emitted with the run whose number or dot is under the pointer; -1 if there is none.
    run_hovered = Signal(int)
    #: Emitted when a run is clicked, and when it is double-clicked.
    run_picked = Signal(int)
    run_opened = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.plot: Plot | None = None
        self.marked = -1
        self.hover: Found | None = None
        self._numbered: Mapping[int, int] = {}
        self._painter = PlotPainter(theme)
        self._layout: Layout | None = None
        self._badges: list[Badge] = []
        self._at = -1
        self._hovered = -1
        self._tip_at: QPoint | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._tip)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(tr("Plot"))

    def sizeHint(self) -> QSize:
        return QSize(520, 300)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, 150)

    # ------------------------------------------------------------------ showing

    def set_theme(self, theme: Theme) -> None:
        self._painter, self._layout = PlotPainter(theme), None

    def show_plot(self, plot: Plot | None, numbered: Mapping[int, int]) -> None:
        """Draw a plot, with the numbers of some runs (run -> number)."""
        self.plot, self._numbered, self._layout = plot, dict(numbered), None
        self.hover, self._at = None, -1
        if plot is not None:
            self.setAccessibleName(tr("Plot: {title}", title=plot.title))
            against = tr(" against {axis}", axis=plot.x.words) if plot.wish.x else ""
            self.setAccessibleDescription(
                plot.empty
                or tr(
                    "{title}{against}, {note}; the arrow keys go from point to point",
                    title=plot.title,
                    against=against,
                    note=plot.note,
                )
            )
        self.update()

    def mark(self, run: int) -> None:
        """Fill the number of a run."""
        if run != self.marked:
            self.marked = run
            self.update()

    @property
    def layout_now(self) -> Layout | None:
        """Return the current layout of the plot."""
        if self._layout is None and self.plot is not None:
            self._layout = self._painter.layout(self.plot, self.width(), self.height())
        return self._layout

    def paintEvent(self, _event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            layout = self.layout_now
            if layout is None:
                p.fillRect(self.rect(), self.theme.color("surface.panel"))
            else:
                self._badges = self._painter.paint(
                    p, layout, numbered=self._numbered, marked=self.marked, hover=self.hover
                )
            if self.hasFocus():
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.setPen(QPen(self.theme.color("accent.ring"), 2))
                p.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 4, 4)
        finally:
            p.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._layout = None
        self.hover, self._at = None, -1

    # ------------------------------------------------------------------ mouse and keys

    def found_at(self, x: float, y: float) -> Found | None:
        """Return the thing at a point: a number, a run, or a point of the plot."""
        if self.plot is None or self.plot.empty or self.layout_now is None:
            return None
        for badge in reversed(self._badges):
            if (badge.at_x - x) ** 2 + (badge.at_y - y) ** 2 <= 100:
                row = self.plot.results.row(badge.run)
                return Found(
                    badge.at_x,
                    badge.at_y,
                    (tr("Number {number}", number=badge.number), *told_of(self.plot, row)),
                    badge.run,
                )
        return nearest(self.layout_now, x, y)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        where = event.position()
        self._say(self.found_at(where.x(), where.y()), event.globalPosition().toPoint())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._say(None, None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._say(None, None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        where = event.position()
        found = self.found_at(where.x(), where.y()) if event.button() == Qt.MouseButton.LeftButton else None
        if found is not None and found.run >= 0:
            self.run_picked.emit(found.run)
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        where = event.position()
        found = self.found_at(where.x(), where.y())
        if found is not None and found.run >= 0:
            self.run_opened.emit(found.run)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        layout = self.layout_now
        if steps is None or layout is None:
            super().keyPressEvent(event)
            return
        stops = places(layout)
        if stops:
            self._at = (self._at + steps) % len(stops) if self._at >= 0 else (0 if steps > 0 else len(stops) - 1)
            found = stops[self._at]
            self._say(found, self.mapToGlobal(QPoint(round(found.x), round(found.y))))
            self.setAccessibleDescription("; ".join(found.lines))

    def _say(self, found: Found | None, at: QPoint | None) -> None:
        if found != self.hover:
            self.hover = found
            self.update()
            run = -1 if found is None else found.run
            if run != self._hovered:
                self._hovered = run
                self.run_hovered.emit(run)
            QToolTip.hideText()
            self._tip_at = at
            if found is None or at is None:
                self._patience.stop()
            else:
                self._patience.start(PATIENCE)

    def _tip(self) -> None:
        """Show the exact figures when the pointer has rested."""
        if self.hover is not None and self._tip_at is not None and self.isVisible():
            QToolTip.showText(self._tip_at, "\n".join(self.hover.lines), self)
