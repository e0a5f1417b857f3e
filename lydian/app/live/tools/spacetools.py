"""The fault tools in the view World: aim at a process, a link or a message, and click."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QToolTip

from lydian.app.canvas.canvas import Canvas
from lydian.app.live.tools.chosentool import ChosenTool, forward
from lydian.language import tr
from lydian.model.interventions import TOOLS
from lydian.views.playback.interfering import Offer
from lydian.views.playback.offers import offer
from lydian.views.selection import Hit

__all__ = ["SpaceTools"]

#: The tools that need a drawn line or a drag, which belong to the flat network.
FLAT = ("partition",)


class SpaceTools:
    """The effect of the mouse in one view in space while a tool is chosen; otherwise the canvas handles it."""

    def __init__(self, canvas: Canvas, aim: ChosenTool) -> None:
        self.canvas, self.aim = canvas, aim
        self._down = False

    # ------------------------------------------------------------------ the tool

    def begin(self) -> None:
        """Start to aim with the chosen tool."""
        self.canvas.setCursor(Qt.CursorShape.CrossCursor)

    def end(self) -> None:
        """Stop aiming."""
        self._down = False
        self.canvas.setCursor(Qt.CursorShape.ArrowCursor)
        QToolTip.hideText()

    def cancel(self) -> bool:
        """Forget a press; nothing can be dragged here."""
        self._down = False
        return False

    def offer_at(self, at: QPointF) -> Offer | None:
        """Return the effect of the tool at a point."""
        situation, hit = self.aim.situation(), self.canvas.hit(at)
        if situation is None or not self.aim.tool or self.aim.tool in FLAT or hit is None:
            return None
        return offer(situation, self.aim.tool, hit, self._forward(hit, at) if hit.kind == "link" else None)

    def _forward(self, hit: Hit, at: QPointF) -> bool | None:
        """Return True if a point is on the side of a link's messages from first to second end."""
        canvas = self.canvas
        return forward(hit, canvas.painter.sight(QRectF(canvas.rect()), canvas.frame, canvas.camera).everywhere, at)

    def aim_at(self, at: QPointF | None) -> None:
        """Mark the target of the tool at a point, and say what a click would do."""
        self.canvas.playhead.point_at(None if at is None else self.canvas.hit(at))
        if at is None:
            QToolTip.hideText()
            return
        self.canvas.setCursor(Qt.CursorShape.CrossCursor)
        found = self.offer_at(at)
        if self.aim.tool in FLAT:
            words = tr("Draw the line in the network view")
        elif found is None:
            words = TOOLS[self.aim.tool].hint
        else:
            words = found.refusal or found.words
        QToolTip.showText(self.canvas.mapToGlobal(at.toPoint()) + QPoint(14, 14), words, self.canvas)

    def strike(self, at: QPointF, *, keep: bool = False) -> None:
        """Use the tool at a point; without a suitable target there the tool stays chosen."""
        if self.aim.use(self, self.offer_at(at), at, lambda _found: self._place(at), keep=keep):
            QToolTip.hideText()

    def _place(self, at: QPointF) -> QRect:
        """Return the place on the screen beside which the form of an intervention opens."""
        return QRect(self.canvas.mapToGlobal(at.toPoint()) - QPoint(8, 8), QRectF(0, 0, 16, 16).toRect().size())

    # ------------------------------------------------------------------ the mouse, before the canvas handles it

    def pressed(self, event: QMouseEvent) -> bool:
        """Handle a press; return True if it was for the tool."""
        if not self.aim.tool:
            return False
        if event.button() == Qt.MouseButton.RightButton:
            self.aim.let_go()
            return False
        self._down = event.button() == Qt.MouseButton.LeftButton
        return self._down

    def moved(self, event: QMouseEvent) -> bool:
        """Handle a movement; return True if it was for the tool."""
        if not self.aim.tool or (event.buttons() and not self._down):
            return False
        self.aim_at(event.position())
        return True

    def released(self, event: QMouseEvent) -> bool:
        """Handle a release; return True if it was for the tool."""
        if not self._down or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._down = False
        if self.aim.tool:
            self.strike(event.position(), keep=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        return True

    def lost(self) -> None:
        """Forget a press, because no button is down any longer."""
        self._down = False

    def left(self) -> None:
        """Forget the target: the pointer has left the view."""
        if self.aim.tool:
            self.aim_at(None)

    def takes(self, start: QPointF) -> bool:
        """Return False: dragging turns the view."""
        return False

    def drag(self, at: QPointF) -> None:
        """Do nothing, because nothing is dragged here."""

    def let_fall(self, at: QPointF) -> None:
        """Do nothing, because nothing is dragged here."""
