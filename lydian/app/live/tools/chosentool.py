"""The tool in the hand: which one it is, in which network it aims, and what carrying it over a network shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, Signal
from PySide6.QtWidgets import QApplication

from lydian.app.canvas.canvas import Canvas
from lydian.model.interventions import TOOLS
from lydian.views.playback.interfering import Offer, Situation

__all__ = ["ChosenTool"]


class Hand(Protocol):
    """What uses the tool in one network."""

    canvas: Canvas

    def begin(self) -> None:
        """A tool was taken."""

    def end(self) -> None:
        """It was put down."""

    def cancel(self) -> bool:
        """Let go of what is held; whether there was something."""

    def aim_at(self, at: QPointF | None) -> None:
        """The pointer, with the tool, is over a point, or over none."""

    def strike(self, at: QPointF) -> None:
        """Use the tool at a point."""


class ChosenTool(QObject):
    """The one tool that is in the hand, for all networks of a window.

    Attributes:
        tool: its name, "" for none.
        hands: one for each network.
    """

    #: Another tool, or none, is in the hand.
    changed = Signal()
    #: Something to say in the status line.
    said = Signal(str)

    def __init__(
        self, situation: Callable[[], Situation | None], do: Callable[[Offer, QRect], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.situation, self._do = situation, do
        self.tool = ""
        self.hands: list[Hand] = []

    def attach(self, hand: Hand) -> None:
        """Let a network be aimed at."""
        self.hands.append(hand)
        hand.canvas.destroyed.connect(lambda: self._gone(hand))

    def _gone(self, hand: Hand) -> None:
        if hand in self.hands:
            self.hands.remove(hand)

    def arm(self, tool: str) -> None:
        """Take a tool into the hand; nothing if the run cannot be interfered with."""
        if self.situation() is None:
            return
        self.tool = tool
        for hand in self.hands:
            hand.begin()
        self.said.emit(f"{TOOLS[tool].title}: {_lower(TOOLS[tool].hint)}; Esc lets go")
        self.changed.emit()

    def let_go(self) -> bool:
        """Put the tool down, and whatever is held; whether there was something."""
        held = sum(hand.cancel() for hand in self.hands) > 0  # every hand is asked
        if not self.tool:
            return held
        self.tool = ""
        for hand in self.hands:
            hand.end()
        self.said.emit("")
        self.changed.emit()
        return True

    def do(self, offer: Offer, place: QRect, *, keep: bool = False) -> None:
        """What was aimed at happens; the tool is put down unless it is to be kept."""
        if not keep:
            self.let_go()
        self._do(offer, place)

    # ------------------------------------------------------------------ carried from its button

    def carry(self, at: QPoint) -> None:
        """The tool is over a point of the screen."""
        for hand in self.hands:
            inside = self._over(hand, at)
            hand.aim_at(QPointF(hand.canvas.mapFromGlobal(at)) if inside else None)

    def drop(self, at: QPoint) -> None:
        """The tool is let fall at a point of the screen; beside all networks nothing happens."""
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


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
