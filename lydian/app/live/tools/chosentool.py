"""The chosen tool: which one it is, and what the networks show while it is moved over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPoint, QPointF, QRect, Signal
from PySide6.QtWidgets import QApplication

from lydian.app.canvas.canvas import Canvas
from lydian.language import tr
from lydian.model.interventions import TOOLS
from lydian.views.playback.interfering import Offer, Situation
from lydian.views.selection import Hit
from lydian.views.words.phrases import lowered

__all__ = ["ChosenTool", "forward"]


def forward(hit: Hit | None, points: NDArray[np.float64], at: QPointF) -> bool | None:
    """Return True if a point is on the side of a link's messages from first to second end, None without a link.

    Args:
        points: where the processes are drawn, (n, 2).
    """
    if hit is None or hit.kind != "link" or not isinstance(hit.id, tuple):
        return None
    a, b = points[hit.id[0]], points[hit.id[1]]
    return bool((b[0] - a[0]) * (at.y() - a[1]) - (b[1] - a[1]) * (at.x() - a[0]) >= 0)


class Hand(Protocol):
    """An object that uses the tool in one network."""

    canvas: Canvas

    def begin(self) -> None:
        """React to the choice of a tool."""

    def end(self) -> None:
        """React to the release of the tool."""

    def cancel(self) -> bool:
        """Cancel a drag; return True if there was one."""

    def aim_at(self, at: QPointF | None) -> None:
        """Show the target of the tool at a point, or no target."""

    def strike(self, at: QPointF) -> None:
        """Use the tool at a point."""


class ChosenTool(QObject):
    """The one tool that is chosen, for all networks of a window.

    Attributes:
        tool: its name, "" for none.
        hands: one for each network.
    """

    #: Emitted when another tool, or none, is chosen.
    changed = Signal()
    #: Emitted with a sentence for the status line.
    said = Signal(str)

    def __init__(
        self, situation: Callable[[], Situation | None], do: Callable[[Offer, QRect], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.situation, self._do = situation, do
        self.tool = ""
        self.hands: list[Hand] = []

    def attach(self, hand: Hand) -> None:
        """Register a network as a place to aim."""
        self.hands.append(hand)
        hand.canvas.destroyed.connect(lambda: self._gone(hand))

    def _gone(self, hand: Hand) -> None:
        if hand in self.hands:
            self.hands.remove(hand)

    def arm(self, tool: str) -> None:
        """Choose a tool, if the run allows interventions."""
        if self.situation() is None:
            return
        self.tool = tool
        for hand in self.hands:
            hand.begin()
        self.said.emit(tr("{tool}: {hint}; Esc cancels", tool=TOOLS[tool].title, hint=lowered(TOOLS[tool].hint)))
        self.changed.emit()

    def let_go(self) -> bool:
        """Release the tool and cancel any drag; return True if there was something to release."""
        held = sum(hand.cancel() for hand in self.hands) > 0  # every network must cancel, so no short circuit
        if not self.tool:
            return held
        self.tool = ""
        for hand in self.hands:
            hand.end()
        self.said.emit("")
        self.changed.emit()
        return True

    def use(
        self, hand: Hand, found: Offer | None, at: QPointF, place: Callable[[Offer], QRect], *, keep: bool = False
    ) -> bool:
        """Carry out what the tool does at a point of a hand's network; return False if there is no suitable target.

        Then the hand aims there, the reason is said if there is one, and the tool stays chosen.
        """
        if found is None or found.reason or found.form == "line":
            hand.aim_at(at)
            if found is not None and found.reason:
                self.said.emit(found.refusal)
            return False
        self.do(found, place(found), keep=keep and not found.form)
        return True

    def do(self, offer: Offer, place: QRect, *, keep: bool = False) -> None:
        """Carry out the intervention aimed at; release the tool unless ``keep`` is set."""
        if not keep:
            self.let_go()
        self._do(offer, place)

    # ------------------------------------------------------------------ dragged from its button

    def carry(self, at: QPoint) -> None:
        """Show the target of a dragged tool at a point of the screen."""
        for hand in self.hands:
            inside = self._over(hand, at)
            hand.aim_at(QPointF(hand.canvas.mapFromGlobal(at)) if inside else None)

    def drop(self, at: QPoint) -> None:
        """Use a dragged tool at a point of the screen; outside all networks it has no effect."""
        found = next((hand for hand in self.hands if self._over(hand, at)), None)
        if found is None:
            self.let_go()
        else:
            found.strike(QPointF(found.canvas.mapFromGlobal(at)))

    def _over(self, hand: Hand, at: QPoint) -> bool:
        canvas = hand.canvas
        if not canvas.isVisible() or not canvas.rect().contains(canvas.mapFromGlobal(at)):
            return False
        top = QApplication.widgetAt(at)
        return top is None or top is canvas or canvas.isAncestorOf(top)
