"""The effect of mouse and keys in one network while a tool is chosen, and on messages dragged by their heads."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QMouseEvent

from lydian.app.canvas.canvas import Canvas
from lydian.app.live.tools.basketclicks import BasketHand
from lydian.app.live.tools.chosentool import ChosenTool, forward
from lydian.app.live.tools.crossing import crossed_by, parts_after
from lydian.app.live.tools.overlay import Overlay, Sight
from lydian.app.painters.network.linklayer import segments_of
from lydian.app.painters.network.netmap import Map
from lydian.language import tr, trn
from lydian.model.interventions import TOOLS
from lydian.views.network.sides import across, sides
from lydian.views.playback.interfering import Offer, number_of
from lydian.views.playback.offers import moved, offer, partition
from lydian.views.selection import Hit

__all__ = ["ToolGestures"]

#: The distance in pixels from its way at which a dragged message is dropped.
OFF = 34.0
#: The distance in pixels between two points of a drawn line.
STEP = 4.0
#: The largest number of links for which the connected components of a network are computed.
COUNTED = 3_000
#: The number of lengths of its way by which a message can be pulled back behind its sender.
BACK = 3.0


class ToolGestures:
    """The gestures of one network view."""

    def __init__(self, canvas: Canvas, aim: ChosenTool) -> None:
        self.canvas, self.aim = canvas, aim
        self.overlay = Overlay(canvas)
        self.baskets = BasketHand(aim, self.overlay, lambda: self.map)
        self._down = False  # the left button went down while a tool was chosen
        self._line: list[QPointF] = []
        self._crossed: set[int] = set()
        self._held: Hit | None = None  # a dragged message, or a dragged process beside a cut
        self._modified = False

    # ------------------------------------------------------------------ things under a point

    @property
    def map(self) -> Map | None:
        """The places of everything in the network; None before it has been drawn."""
        canvas = self.canvas
        if canvas.frame is None or canvas.painter is None or canvas.trouble is not None:
            return None
        found: Map = canvas.painter.map(QRectF(canvas.rect()), canvas.frame, canvas.camera)
        return found

    def offer_at(self, at: QPointF) -> Offer | None:
        """Return the effect of the tool at a point."""
        s = self.aim.situation()
        if s is None or not self.aim.tool:
            return None
        hit = self.canvas.hit(at)
        if hit is None and self.aim.tool != "partition":
            return None
        m = self.map
        side = None if m is None else forward(hit, m.points, at)
        return offer(s, self.aim.tool, hit if self.aim.tool != "partition" else None, side)

    def place(self, offer: Offer, at: QPointF) -> QRect:
        """Return the place on the screen of an intervention, beside which its form opens."""
        rect = None
        if offer.hit is not None and offer.hit.kind == "process":
            rect = self.canvas.process_rect(number_of(offer.hit))
        rect = QRectF(at.x() - 8, at.y() - 8, 16, 16) if rect is None else rect
        return QRect(self.canvas.mapToGlobal(rect.topLeft().toPoint()), rect.size().toSize())

    # ------------------------------------------------------------------ the tool

    def begin(self) -> None:
        """Start to aim with the chosen tool."""
        self.canvas.playhead.point_at(None)  # the overlay alone shows the target: one repaint for each movement
        self._line, self._crossed = [], set()
        inside = self.canvas.mapFromGlobal(self.canvas.cursor().pos())
        at = QPointF(inside) if self.canvas.underMouse() else None
        self.aim_at(at)

    def end(self) -> None:
        """Stop aiming."""
        self._line, self._crossed, self._down = [], set(), False
        self.canvas.setCursor(Qt.CursorShape.ArrowCursor)
        self.overlay.show_sight(None)

    def cancel(self) -> bool:
        """Cancel the dragging of a message or a line; return True if a message or process was being dragged."""
        held = self._held is not None
        self._held = None
        self._line, self._crossed, self._down = [], set(), False
        if held:
            self.canvas.setCursor(Qt.CursorShape.ArrowCursor)
            self.overlay.show_sight(None)
        return held

    def aim_at(self, at: QPointF | None) -> None:
        """Show the target of the tool at a point, or no target."""
        tool = TOOLS[self.aim.tool]
        if at is None:
            self.overlay.show_sight(Sight(tool.lit, tool.dead))
            return
        m, found = self.map, self.offer_at(at)
        if m is not None and m.level == "dense":
            words, can = tr("Zoom in to aim at a single process or link"), False
        elif found is None:
            words, can = tool.hint, False
        else:
            words, can = (found.refusal, False) if found.reason else (found.words, found.form != "line")
        self.canvas.setCursor(Qt.CursorShape.CrossCursor)
        hit = None if found is None else found.hit
        self.overlay.show_sight(Sight(tool.lit, tool.dead, at, words, can, hit))

    def strike(self, at: QPointF, *, keep: bool = False) -> None:
        """Use the tool at a point; without a suitable target there the tool stays chosen."""
        self.aim.use(self, self.offer_at(at), at, lambda found: self.place(found, at), keep=keep)

    # ------------------------------------------------------------------ the mouse, before the canvas handles it

    def pressed(self, event: QMouseEvent) -> bool:
        """Handle a press; return True if it was for the tool."""
        self._modified = event.modifiers() != Qt.KeyboardModifier.NoModifier
        if not self.aim.tool:
            return self.baskets.pressed(event)
        if event.button() == Qt.MouseButton.RightButton:
            self.aim.let_go()
            return False
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        self._down = True
        if self.aim.tool == "partition":
            self._line, self._crossed = [event.position()], set()
        return True

    def moved(self, event: QMouseEvent) -> bool:
        """Handle a movement; return True if it was for the tool."""
        if not self.aim.tool and self.baskets.moved(event):
            return True
        if not self.aim.tool or (event.buttons() and not self._down):
            return False
        if self._line:
            self._draw(event.position())
        else:
            self.aim_at(event.position())
        return True

    def released(self, event: QMouseEvent) -> bool:
        """Handle a release; return True if it was for the tool."""
        if self.baskets.released(event):
            return True
        if not self._down or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._down = False
        if not self.aim.tool:
            return True
        if self._line:
            self._draw(event.position())
            self._cut(event.position())
        else:
            self.strike(event.position(), keep=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        return True

    def lost(self) -> None:
        """Cancel what was being dragged or drawn: no button is down any longer."""
        self.baskets.lost()
        if self._down or self._held is not None:
            self.cancel()

    def left(self) -> None:
        """Remove the target: the pointer has left the view."""
        self.baskets.left()
        if self.aim.tool and not self._line:
            self.aim_at(None)

    # ------------------------------------------------------------------ a line across links

    def _draw(self, at: QPointF) -> None:
        m, frame = self.map, self.canvas.frame
        last = self._line[-1]
        if m is None or math.hypot(at.x() - last.x(), at.y() - last.y()) < STEP:
            return
        self._line.append(at)
        self._crossed |= crossed_by(segments_of(m, frame), last, at)
        made = self._partition()
        words = tr("Draw the line across the links to cut") if made is None or made.reason else made.words
        can = made is not None and not made.reason
        if can and len(frame.link_ends) <= COUNTED:
            kept = [pair for n, pair in enumerate(frame.link_ends.tolist()) if n not in self._crossed]
            parts = parts_after(len(frame.names), [p for p, down in zip(kept, self._up(kept), strict=True) if down])
            words = f"{words}\n{_falls(parts)}" if len(parts) > 1 else words
        sight = Sight(TOOLS["partition"].lit, True, at, words, can, None, tuple(self._line), tuple(self._crossed))
        self.overlay.show_sight(sight)

    def _up(self, pairs: list[list[int]]) -> list[bool]:
        """Return for each of some links of the picture whether it is up."""
        scene, frame = self.canvas.frame.scene, self.canvas.frame
        down = frame.links_down
        return [not down[scene.link_index[(min(a, b), max(a, b))]] for a, b in pairs]

    def _partition(self) -> Offer | None:
        s = self.aim.situation()
        if s is None:
            return None
        frame = self.canvas.frame
        numbers = {name: i for i, name in enumerate(s.names)}
        ends = [[numbers.get(frame.names[p], -1) for p in frame.link_ends[n].tolist()] for n in sorted(self._crossed)]
        return partition(s, [(min(pair), max(pair)) for pair in ends if min(pair) >= 0])

    def _cut(self, at: QPointF) -> None:
        """Make the partition when the line is finished."""
        made = self._partition() if len(self._line) > 1 else None
        self._line, self._crossed = [], set()
        if made is None or made.reason:
            self.aim_at(at)
            if made is not None:
                self.aim.said.emit(made.refusal)
            return
        self.aim.do(made, self.place(made, at))

    # ------------------------------------------------------------------ dragging a message by its head, or a process
    # over a cut

    def takes(self, start: QPointF) -> bool:
        """Start a drag at a point; return True if there is the head of a message or a process beside a cut."""
        s = self.aim.situation()
        if self.aim.tool or self._modified or s is None:
            return False
        hit = self.canvas.hit(start)
        if hit is None or not (hit.kind == "message" or (hit.kind == "process" and sides(s, number_of(hit)))):
            return False
        self._held = hit
        self.canvas.playhead.pause()
        self.canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        return True

    def drag(self, at: QPointF) -> None:
        """Move the dragged thing to a point."""
        found = self._carried(at)
        if found is None:
            self.cancel()
            return
        made, sight = found
        self.overlay.show_sight(replace(sight, at=at, words=made.refusal or made.words, can=not made.reason))

    def let_fall(self, at: QPointF) -> None:
        """Drop the dragged thing at a point."""
        found = self._carried(at) if self._held is not None else None
        self.cancel()
        if found is not None and found[0].what and not found[0].reason:
            self.aim.do(found[0], self.place(found[0], at))

    def _carried(self, at: QPointF) -> tuple[Offer, Sight] | None:
        """Return the intervention for dropping the dragged thing at a point, and what to show meanwhile."""
        if self._held is not None and self._held.kind == "process":
            return self._moved_over(number_of(self._held), at)
        found = self._flight(at)
        return None if found is None else (found[0], Sight(way=found[1], off=found[2]))

    def _moved_over(self, process: int, at: QPointF) -> tuple[Offer, Sight] | None:
        """Return the intervention for a process that was dragged over a cut, to the process that is nearest there."""
        s, m = self.aim.situation(), self.map
        if s is None or m is None or process >= len(m.points):
            return None
        away = np.hypot(m.points[:, 0] - at.x(), m.points[:, 1] - at.y())
        away[process] = math.hypot(m.points[process, 0] - at.x(), m.points[process, 1] - at.y()) - m.half
        made = across(s, process, int(np.argmin(away)))
        ends = QPointF(*m.points[process].tolist()), at
        return made, Sight(way=(*ends, at), hit=None if made.reason else Hit("process", int(np.argmin(away))))

    def _flight(self, at: QPointF) -> tuple[Offer, tuple[QPointF, QPointF, QPointF], bool] | None:
        """Return the intervention for a message that was dragged to a point, its way, and whether it is off the way."""
        s, m, frame = self.aim.situation(), self.map, self.canvas.frame
        if s is None or m is None or self._held is None:
            return None
        hit = self._held
        entry = np.flatnonzero(frame.flights.id == hit.id)
        if not len(entry):
            return None
        f, one = frame.flights, slice(int(entry[0]), int(entry[0]) + 1)
        start, stop, unit = (each[0] for each in m.ways(f.source[one], f.target[one]))
        length = max(float(np.hypot(*(stop - start))), 1e-9)
        point = np.array((at.x(), at.y()))
        along = float((point - start) @ unit) / length
        aside = abs(float((point - start) @ np.array((-unit[1], unit[0]))))
        ends = QPointF(*start.tolist()), QPointF(*stop.tolist())
        if aside > OFF or along < -BACK:
            return offer(s, "drop", hit), (*ends, at), True
        share = min(along, 1.0)
        head = QPointF(*(start + (stop - start) * share).tolist())
        if share >= 1.0:
            return offer(s, "deliver", hit), (*ends, head), False
        return moved(s, hit, float(f.fraction[one][0]), share), (*ends, head), False


def _falls(parts: list[int]) -> str:
    """Return a sentence with the sizes of the parts, such as ``The network falls into 5 and 7 processes``."""
    if len(parts) > 4:
        return trn("The network falls into {count} part", "The network falls into {count} parts", len(parts))
    others = ", ".join(str(n) for n in parts[:-1])
    return trn(
        "The network falls into {others} and {count} processes",
        "The network falls into {others} and {count} processes",
        parts[-1],
        others=others,
    )
