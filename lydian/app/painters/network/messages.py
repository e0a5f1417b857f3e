"""Messages on the network: trails and heads on the right-hand lane of their direction, and crosses for losses."""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from lydian.app.look.fragments import Atlas, draw_lines
from lydian.app.look.shapes import draw_cross, draw_head
from lydian.app.look.theme import MESSAGE_KINDS, Theme, mixed
from lydian.app.painters.network.netmap import Floats, Map
from lydian.app.painters.pieces.arcs import draw_sign
from lydian.pieces.carries import signs_of
from lydian.pieces.messagelooks import letters_of
from lydian.views.network.basic import BasicFrame

__all__ = ["MessageLayer"]

#: The number of messages in transit above which trails are left out (tokens: motion.frame.degrade).
TRAILS = 400
#: The number above which the heads are drawn as sprites.
SPRITES = 250
#: The factor by which a head with a letter is larger.
LETTERED = 1.7


class MessageLayer:
    """The painter of the messages of a frame."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._atlases: dict[tuple[float, float, bool], Atlas] = {}

    def paint(self, p: QPainter, m: Map, frame: BasicFrame, *, picture: bool) -> None:
        """Draw all messages in transit; ``picture`` says whether pixels are acceptable."""
        flights = frame.flights
        if not len(flights):
            return
        detailed = m.level in ("full", "medium")
        said = colours_of(frame)
        at, start, u = m.heads(flights.source, flights.target, flights.fraction, flights.place)
        seen = _seen(at, m) | (_seen(start, m) if detailed else False)
        if m.level != "dense" and len(flights) <= TRAILS:
            self._ways(p, m, frame, seen)
        if detailed and len(flights) <= TRAILS:
            moving = seen & ~flights.waiting  # a message that waits at its receiver has completed its way
            self._trails(p, m, at[moving], start[moving], flights.kind[moving], said[moving])
        if picture and (not detailed or len(flights) > SPRITES):
            self._sprites(p, m, at[seen], u[seen], flights.kind[seen], said[seen], dots=not detailed)
            return
        looks = zip(flights.kind[seen].tolist(), said[seen].tolist(), strict=True)
        letters, kind_at = self._letters(m, frame, seen), 0
        for (x, y), (ux, uy), (kind, own) in zip(at[seen].tolist(), u[seen].tolist(), looks, strict=True):
            color = self._color(kind, own)
            if detailed:
                letter = letters[kind_at] if letters and own < 0 else ""  # a value has a place of its own
                head = m.head * (LETTERED if letter else 1.0)
                draw_head(p, self.theme, x, y, math.atan2(uy, ux), kind, head, color)
                if letter:
                    self._letter(p, x, y, m.head, letter, kind)
                kind_at += 1
            else:
                _dot(p, color, x, y, m.head)

    def _color(self, kind: int, own: int) -> QColor:
        """Return the colour of a message: that of what it carries, or of its kind."""
        return self.theme.message(kind if own < 0 else own).color

    def _letters(self, m: Map, frame: BasicFrame, seen: NDArray[np.bool_]) -> list[str]:
        """Return the letter in the head of each message in view, or nothing if none has one or they are too small."""
        if m.level != "full" or frame.timeline is None:
            return []
        return letters_of(frame.timeline, frame.animation, frame.flights.id[seen])

    def _letter(self, p: QPainter, x: float, y: float, head: float, letter: str, kind: int) -> None:
        half = head * LETTERED * 0.36
        if self.theme.message(kind).head == "circle":  # its hole is at the place of the letter
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(self.theme.message(kind).color)
            p.drawEllipse(QPointF(x, y), half, half)
        draw_sign(
            p, self.theme, QRectF(x - half, y - half, 2 * half, 2 * half), letter, self.theme.color("surface.canvas")
        )

    def _ways(self, p: QPainter, m: Map, frame: BasicFrame, seen: NDArray[np.bool_]) -> None:
        """Draw a faint dotted line for each message that does not travel along a link."""
        source, target = frame.flights.source[seen], frame.flights.target[seen]
        apart = frame.scene.unlinked(source, target)
        if not apart.any():
            return
        ends = np.unique(np.sort(np.column_stack((source[apart], target[apart])), axis=1), axis=0)
        own = ends[:, 0] == ends[:, 1]
        color = mixed(self.theme.color("surface.canvas"), self.theme.color("link.base"), 0.55)
        pen = QPen(color, max(1.0, self.theme.line("link") * 0.7))
        pen.setDashPattern([2.0, 3.0])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        p.setPen(pen)
        draw_lines(p, m.points[ends[~own, 0]], m.points[ends[~own, 1]])
        p.setBrush(Qt.BrushStyle.NoBrush)
        middles, radius = m.loop(ends[own, 0])
        for x, y in middles.tolist():
            p.drawEllipse(QPointF(x, y), radius, radius)

    def _trails(
        self, p: QPainter, m: Map, at: Floats, start: Floats, kinds: NDArray[np.int16], said: NDArray[np.int16]
    ) -> None:
        width = self.theme.line("messageTrail") * (1.0 if m.level == "full" else 0.8)
        looks = kinds.astype(np.int64) * 1_000 + said
        for look in np.unique(looks).tolist():
            some = np.flatnonzero(looks == look)
            kind, own = int(kinds[some[0]]), int(said[some[0]])
            style = self.theme.message(kind)
            pen = QPen(self._color(kind, own), width)
            if style.dash:
                pen.setDashPattern([max(part / width, 0.1) for part in style.dash])
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            p.setPen(pen)
            draw_lines(p, start[some], at[some])

    def _sprites(
        self, p: QPainter, m: Map, at: Floats, u: Floats, kinds: NDArray[np.int16], said: NDArray[np.int16], *,
        dots: bool,
    ) -> None:  # fmt: skip
        ratio = p.device().devicePixelRatioF()
        key = (m.head, ratio, dots)
        if key not in self._atlases:
            theme, head = self.theme, m.head

            def draw(inner: QPainter, look: Hashable) -> None:
                assert isinstance(look, int)
                kind, color = look % MESSAGE_KINDS, self._color(look % MESSAGE_KINDS, look // MESSAGE_KINDS - 1)
                if dots:
                    _dot(inner, color, 0, 0, head)
                else:
                    draw_head(inner, theme, 0, 0, 0.0, kind, head, color)

            self._atlases[key] = Atlas(head * 1.6 + 3, ratio, draw)
        atlas = self._atlases[key]
        looks = kinds % MESSAGE_KINDS + MESSAGE_KINDS * (said.astype(np.int64) + 1)
        present = np.unique(looks)
        table = np.zeros(int(present.max(initial=0)) + 1, dtype=np.int64)
        table[present] = atlas.prepare(present.tolist())
        turn = 0.0 if dots else np.degrees(np.arctan2(u[:, 1], u[:, 0]))
        atlas.paint(p, at[:, 0], at[:, 1], table[looks], rotation=turn)

    def paint_losses(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Draw a fading cross where a message was lost."""
        losses = frame.losses
        if not len(losses):
            return
        at, _, _ = m.heads(losses.source, losses.target, losses.fraction)
        detailed = m.level in ("full", "medium")
        half = m.head * 0.5 if detailed else 2.5
        own = [-1] * len(losses)
        if frame.timeline is not None and frame.carries:
            signs, code = signs_of(frame.timeline, frame.animation, losses.id, frame.k)
            own = [signs[each].colour if each >= 0 else -1 for each in code.tolist()]
        looks = zip(losses.kind.tolist(), own, strict=True)
        for (x, y), (kind, said), age in zip(at.tolist(), looks, losses.age.tolist(), strict=True):
            p.setOpacity(min(1.0, max(0.0, 1.25 - 1.25 * age)))
            if detailed:
                draw_head(p, self.theme, x, y, 0.0, kind, m.head * 0.7, self._color(kind, said))
            draw_cross(p, self.theme.color("fault.base"), x, y, half, 2.6 if detailed else 1.4)
        p.setOpacity(1.0)


def _seen(at: Floats, m: Map) -> NDArray[np.bool_]:
    box = m.rect.adjusted(-m.head - 4, -m.head - 4, m.head + 4, m.head + 4)
    low, high = (box.left(), box.top()), (box.right(), box.bottom())
    return np.asarray(((at > low) & (at < high)).all(axis=1), dtype=np.bool_)


def colours_of(frame: BasicFrame) -> NDArray[np.int16]:
    """Return the colour of what each message in transit carries, -1 for none."""
    if not frame.carries:
        return np.full(len(frame.flights), -1, dtype=np.int16)
    table = np.array([*(sign.colour for sign in frame.carries[0].signs), -1], dtype=np.int16)
    found: NDArray[np.int16] = table[frame.carries[0].flying]
    return found


def _dot(p: QPainter, color: QColor, x: float, y: float, size: float) -> None:
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(color)
    p.drawEllipse(QPointF(x, y), size / 2, size / 2)
