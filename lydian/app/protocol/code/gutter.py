"""The margin left of the code: line numbers, breakpoints, problems, and the states of each action."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from lydian.app.look.icons import pixmap
from lydian.app.look.shapes import state_icon
from lydian.app.look.theme import Theme
from lydian.app.protocol.code.marks import MarkedText, seen
from lydian.language import tr

__all__ = ["Gutter", "draw_symbol"]


class Gutter(QWidget):
    """The margin with three columns from left to right: symbols (breakpoint, problem, lamp), line numbers, states."""

    def __init__(self, edit: MarkedText) -> None:
        super().__init__(edit)
        self.edit = edit
        self.setObjectName("codeGutter")
        self.setAccessibleName(tr("Line numbers and marks"))
        self.setAccessibleDescription(tr("Click to set a breakpoint (F9), or to open the fixes for a problem"))
        self.setMouseTracking(True)
        self._over = -1

    @property
    def cell(self) -> int:
        """The width of the column of symbols."""
        return round(self.edit.fontMetrics().height() * 1.05) + 4

    def wanted(self) -> int:
        """Return the width that the margin needs."""
        digits = max(3, len(str(self.edit.blockCount())))
        return self.cell + self.edit.fontMetrics().horizontalAdvance("9") * digits + 6 + self.wing

    @property
    def wing(self) -> int:
        """The width of the column of states."""
        return round(self.cell * 1.5)

    def sizeHint(self) -> QSize:
        return QSize(self.wanted(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        theme, edit, marks = self.edit.theme, self.edit, self.edit.marks
        p.fillRect(event.rect(), theme.color("surface.canvas"))
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = edit.textCursor().blockNumber()
        font = QFont(edit.font())
        strong = QFont(font)
        strong.setWeight(QFont.Weight.DemiBold)
        cell, right = self.cell, self.width() - self.wing
        for block, box in seen(edit):
            if box.bottom() < event.rect().top() or box.top() > event.rect().bottom():
                continue
            number = block.blockNumber()
            self._ground(p, number, box)
            p.setFont(strong if number == current else font)
            p.setPen(theme.color("text.primary" if number == current else "text.hint"))
            spot = QRectF(cell, box.top(), right - cell - 4, box.height())
            p.drawText(spot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1))
            self._symbol(p, number, QRectF(0, box.top(), cell, box.height()))
            states = marks.states.get(number, ())
            if states and edit.swatches:
                self._states(p, states, QRectF(right, box.top(), self.wing, box.height()))
        p.end()

    def _ground(self, p: QPainter, number: int, box: QRectF) -> None:
        marks, theme = self.edit.marks, self.edit.theme
        if number == self.edit.textCursor().blockNumber() and not self.edit.textCursor().hasSelection():
            p.fillRect(QRectF(0, box.top(), self.width(), box.height()), theme.color("surface.panelAlt"))
        found = ("violated",) if number in marks.failing else ("warn",) if number in marks.earlier else ()
        for name in found:
            p.fillRect(QRectF(0, box.top(), self.width(), box.height()), theme.color(f"check.{name}Soft"))
            p.fillRect(QRectF(0, box.top(), 3, box.height()), theme.color(f"check.{name}"))

    def _symbol(self, p: QPainter, number: int, box: QRectF) -> None:
        marks, theme, edit = self.edit.marks, self.edit.theme, self.edit
        size = min(box.height(), self.cell) * 0.68
        middle = box.center()
        if number in marks.breaks:
            p.setPen(QPen(theme.color("surface.canvas"), 1))
            p.setBrush(theme.color("fault.base"))
            p.drawEllipse(middle, size * 0.62, size * 0.62)
            size *= 0.8
        if number in marks.failing:
            draw_symbol(p, theme, "failing", middle, size, on_break=number in marks.breaks)
        elif number in marks.earlier:
            picture = pixmap("eye", theme.color("check.warn"), round(size * 1.3), self.devicePixelRatioF())
            side = size * 1.3
            spot = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
            p.drawPixmap(spot, picture, QRectF(picture.rect()))
        elif (worst := marks.worst(number)) and number not in marks.breaks:
            lamp = number == edit.textCursor().blockNumber() and any(e.fix for e in marks.problems[number])
            draw_symbol(p, theme, "lamp" if lamp else worst, middle, size)
        elif number not in marks.breaks and number == self._over:
            faint = QColor(theme.color("fault.base"))
            faint.setAlphaF(0.35)
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(faint)
            p.drawEllipse(middle, size * 0.55, size * 0.55)

    def _states(self, p: QPainter, states: tuple[str, ...], box: QRectF) -> None:
        """Paint the shapes of the states of an action, each partly over the previous one."""
        edit = self.edit
        slots = [edit.swatches[each] for each in states if each in edit.swatches]
        if not slots:
            return
        side = round(min(box.height(), self.cell) * 0.92)
        shown = slots[:3]
        step = 0.0 if len(shown) == 1 else min(side * 0.72, (box.width() - side) / (len(shown) - 1))
        x = box.left() + (box.width() - side - step * (len(shown) - 1)) / 2
        for slot in shown:
            picture = state_icon(edit.theme, slot, side, ratio=max(2.0, self.devicePixelRatioF()))
            p.drawPixmap(QPointF(x, box.center().y() - side / 2), picture)
            x += step

    # ------------------------------------------------------------------ mouse

    def line_at(self, y: float) -> int:
        """Return the block number at a height, or -1 below the text."""
        return next((block.blockNumber() for block, box in seen(self.edit) if box.top() <= y < box.bottom()), -1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = self.line_at(event.position().y())
        if event.button() != Qt.MouseButton.LeftButton or line < 0:
            return
        if event.position().x() >= self.cell:
            self.edit.choose_line(line)
        elif any(each.fix for each in self.edit.marks.problems.get(line, ())) and line not in self.edit.marks.breaks:
            self.edit.fixes_wanted.emit(line)
        else:
            self.edit.break_wanted.emit(line + 1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        inside = event.position().x() < self.cell
        over = self.line_at(event.position().y()) if inside else -1
        if event.buttons() & Qt.MouseButton.LeftButton and not inside:
            self.edit.choose_line(self.line_at(event.position().y()), more=True)
        if over != self._over:
            self._over = over
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._over = -1
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.edit.wheelEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip(self.line_at(event.pos().y()), event.pos().x())
            QToolTip.showText(event.globalPos(), text, self, QRect())
            return True
        return super().event(event)

    def tip(self, line: int, x: float) -> str:
        """Return the tooltip for a place in the margin."""
        marks = self.edit.marks
        if line < 0:
            return ""
        if x >= self.width() - self.wing and line in marks.states:
            states = marks.states[line]
            return tr("in every state") if states == ("ANY",) else tr("in {states}", states=", ".join(states))
        if x >= self.cell:
            return ""
        said = [each.sentence for each in marks.problems.get(line, ())]
        if line in marks.failing:
            said.insert(0, tr("the run stopped here"))
        if line in marks.earlier:
            said.insert(0, marks.earlier[line])
        if line in marks.breaks:
            said.append(tr("breakpoint; click to clear it (F9)"))
        return "\n".join(said) or tr("click to set a breakpoint at this line (F9)")


def draw_symbol(p: QPainter, theme: Theme, what: str, middle: QPointF, size: float, *, on_break: bool = False) -> None:
    """Paint ``error`` (a disc with a bar), ``warning`` (a triangle), ``failing`` (a cross) or ``lamp``."""
    x, y, r = middle.x(), middle.y(), size / 2
    ground = theme.color("surface.canvas")
    if what == "lamp":
        color = theme.color("chain.longestInk" if theme.name == "light" else "check.warn")
        p.setPen(QPen(color, max(1.3, size * 0.11)))
        p.setBrush(theme.color("check.warnSoft"))
        p.drawEllipse(QPointF(x, y - r * 0.22), r * 0.78, r * 0.78)
        p.drawLine(QPointF(x - r * 0.4, y + r * 0.82), QPointF(x + r * 0.4, y + r * 0.82))
        p.drawLine(QPointF(x - r * 0.22, y + r * 1.12), QPointF(x + r * 0.22, y + r * 1.12))
        return
    if what == "failing":
        pen = QPen(theme.color("fault.onBase" if on_break else "check.violated"), max(1.8, size * 0.17))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        p.setPen(pen)
        p.drawLine(QPointF(x - r * 0.6, y - r * 0.6), QPointF(x + r * 0.6, y + r * 0.6))
        p.drawLine(QPointF(x + r * 0.6, y - r * 0.6), QPointF(x - r * 0.6, y + r * 0.6))
        return
    color = theme.color("check.violated" if what == "error" else "check.warn")
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(color)
    if what == "error":
        p.drawEllipse(middle, r, r)
        top, low, dot = y - r * 0.5, y + r * 0.1, y + r * 0.48
    else:
        low = y + r * 0.9
        p.drawPolygon(QPolygonF([QPointF(x, y - r), QPointF(x + r * 1.1, low), QPointF(x - r * 1.1, low)]))
        top, low, dot = y - r * 0.4, y + r * 0.22, y + r * 0.58
    pen = QPen(ground, max(1.3, size * 0.14))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    p.setPen(pen)
    p.drawLine(QPointF(x, top), QPointF(x, low))
    p.drawPoint(QPointF(x, dot))
