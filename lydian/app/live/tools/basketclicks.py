"""Clicks on a basket: a click puts an item into it, a Shift click takes one out; no tool is needed."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QMouseEvent

from lydian.app.live.tools.chosentool import ChosenTool
from lydian.app.live.tools.overlay import Overlay, Sight
from lydian.app.painters.network.netmap import Map
from lydian.app.painters.pieces.baskets import basket_at
from lydian.language import tr
from lydian.views.playback.interfering import Offer
from lydian.views.selection import Hit

__all__ = ["BasketHand"]


class BasketHand:
    """The reaction of one network's baskets to the mouse, as far as the animation declares a step."""

    def __init__(self, aim: ChosenTool, overlay: Overlay, where: Callable[[], Map | None]) -> None:
        """Start with no basket under the mouse.

        Args:
            aim: carries out the interventions.
            overlay: shows, on the network's canvas, what a click would do.
            where: returns the places of everything in the network, once it has been drawn.
        """
        self.aim, self.overlay, self._map = aim, overlay, where
        self.canvas = overlay.canvas
        self._down: int | None = None
        self._over = False

    def at(self, point: QPointF) -> int | None:
        """Return the process whose basket is at a point and can be changed now."""
        frame, m = self.canvas.frame, self._map()
        declared = None if frame is None else getattr(frame, "animation", None) and frame.animation.baskets
        if m is None or not declared or not declared.step or self.aim.situation() is None:
            return None
        return basket_at(m, frame, point)

    def offer(self, process: int, *, out: bool) -> Offer:
        """Offer to put an item into a basket or to take one out; an empty basket offers no removal."""
        frame = self.canvas.frame
        declared, name, now = frame.animation.baskets, frame.names[process], float(frame.baskets.value[process])
        things = declared.word or declared.variable
        if not math.isfinite(now):
            return Offer("corrupt", "", "", reason=tr("the value of this basket is not known yet"))
        if out and now < declared.step:
            return Offer("corrupt", "", "", reason=tr("this basket is empty, so no item can be taken out"))
        by = -declared.step if out else declared.step
        new = int(now) + by
        # relative, so that items that arrive meanwhile are kept
        what = {"do": "corrupt", "process": name, "variable": declared.variable, "by": by}
        words = tr("{items} of {process}: {now:g} → {new}", items=things, process=name, now=now, new=new)
        words += "" if out else tr("; Shift takes one out")
        return Offer("corrupt", tr("Change a basket"), words, (what,), hit=Hit("process", process))

    def pressed(self, event: QMouseEvent) -> bool:
        """Handle a press of the mouse; return True if it was the left button on a basket."""
        others = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if event.button() != Qt.MouseButton.LeftButton or others:
            return False
        self._down = self.at(event.position())
        return self._down is not None

    def released(self, event: QMouseEvent) -> bool:
        """Handle a release, and make the change if it is on the basket that was pressed; return True if one was."""
        process, self._down = self._down, None
        if process is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        if self.at(event.position()) == process:
            made = self.offer(process, out=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            if made.reason:
                self.aim.said.emit(f"{made.reason[:1].upper()}{made.reason[1:]}")
            else:
                self.aim.do(made, QRect(self.canvas.mapToGlobal(event.position().toPoint()), QRect().size()))
        return True

    def lost(self) -> None:
        """Forget the press: no button is down any longer."""
        self._down = None

    def moved(self, event: QMouseEvent) -> bool:
        """Handle a movement; return True if the pointer is over a basket, where a click's effect is then shown."""
        if self._down is not None:
            return True
        process = None if event.buttons() else self.at(event.position())
        if process is None:
            self.left()
            return False
        made = self.offer(process, out=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        words = made.words or f"{made.reason[:1].upper()}{made.reason[1:]}"
        self._over = True
        self.canvas.setCursor(Qt.CursorShape.PointingHandCursor)
        self.overlay.show_sight(Sight(at=event.position(), words=words, can=not made.reason))
        return True

    def left(self) -> None:
        """Remove the description: the pointer has left the basket."""
        if self._over:
            self._over = False
            self.canvas.setCursor(Qt.CursorShape.ArrowCursor)
            self.overlay.show_sight(None)
