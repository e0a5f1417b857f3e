"""The labels of the network: delays of links, lines below processes, crash times, numbers and tokens at a corner.

All are placed together in one step (:mod:`lydian.views.network.labels`), once for a run and a size of the view.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.shapes import draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.network.linklayer import chip_size, chip_text, draw_chip, segments_of
from lydian.app.painters.network.netmap import RINGED, Map
from lydian.language import tr, trc
from lydian.pieces.channels import sample_lines, sample_texts
from lydian.pieces.queues import widest_items
from lydian.views.network.arrows import bent_arrows, ways_of
from lydian.views.network.basic import BasicFrame
from lydian.views.network.labels import (
    Ground,
    Key,
    Wanted,
    around_process,
    bent,
    beside_link,
    corner_of,
    leader,
    place,
)

__all__ = ["CARD_GAP", "TagLayer", "card_of", "draw_leader", "ground_of", "room_of"]

#: The number of chips above which they would hide the network.
CHIPS = 40
#: The maximum width in pixels of a line of text below a process, at the default size of text.
WIDEST = 220.0
#: The least width that is kept for a line.
NARROW = 24.0
#: The minimum and maximum width of the card of a queue at the default size of text, and the gap between two cards.
CARD, CARD_GAP = (13.0, 46.0), 2.0

Places = dict[Key, QRectF]


class TagLayer:
    """The layer that places and draws the labels of a network."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._kept: tuple[Map, object, tuple[QRectF, ...], Places] | None = None
        self._asked: tuple[object, Places] = (None, {})

    # ------------------------------------------------------------------ places

    def places(self, m: Map, frame: BasicFrame, taken: Sequence[QRectF]) -> Places:
        """Return the places of labels, none on ``taken``: ("chip", link), ("line" | "corner" | "token" | "bar" |
        "queue", process).
        """
        if m.rest is not None:
            return self._carried(m, frame, taken)
        kept = self._kept
        if kept is None or kept[0] is not m or kept[1] is not frame.scene or kept[2] != tuple(taken):
            ground = ground_of(m, frame)
            rows = np.array([(box.left(), box.top(), box.right(), box.bottom()) for box in taken]).reshape(-1, 4)
            wanted = self._wanted(m, frame, ground)
            asked = [ground.plain, rows.tobytes(), [want.plain for want in wanted]]
            if self._asked[0] != asked:  # while a run grows, it seldom wants other labels
                found = place(ground, wanted, rows)
                self._asked = (
                    asked,
                    {key: QRectF(QPointF(*box[:2].tolist()), QPointF(*box[2:].tolist())) for key, box in found.items()},
                )
            kept = self._kept = m, frame.scene, tuple(taken), self._asked[1]
        return kept[3]

    def _carried(self, m: Map, frame: BasicFrame, taken: Sequence[QRectF]) -> Places:
        """Return the places of labels while processes glide: each label moves with its process."""
        assert m.rest is not None
        places = self.places(m.rest, frame, taken)
        away = m.points - m.rest.points
        found = {}
        for key, box in places.items():
            ends = frame.link_ends[key[1]] if key[0] == "chip" else [key[1]]
            dx, dy = away[ends].mean(axis=0).tolist()
            found[key] = box.translated(dx, dy)
        return found

    def _wanted(self, m: Map, frame: BasicFrame, ground: Ground) -> list[Wanted]:
        """Return all labels that this run may need, in the order in which they are placed."""
        theme, scene = self.theme, frame.scene
        running, animation = frame.timeline is not None, frame.animation
        if m.level not in ("full", "medium"):
            return []
        seen = np.flatnonzero(m.visible).tolist()
        found: list[Wanted] = []
        rim = m.d * (RINGED if any(value.style in ("colour", "tint") for value in animation.values) else 0.46)
        bars = sum(value.style == "bar" for value in animation.values) if running else 0
        if bars:
            found += [corner_of(m.points[p], p, rim, bars * bar_width(m), m.d, ("bar", p), 1, 0.0) for p in seen]
        if running and any(token.variable or token.while_states for token in animation.tokens):
            many = len(animation.tokens)
            size = many * token_size(m), token_size(m)
            found += [corner_of(m.points[p], p, rim, *size, ("token", p), -2) for p in seen]
        rooms = room_of(theme, frame) if m.level == "full" else []
        if any(wide for wide, _ in rooms):
            wide, tall = max(wide for wide, _ in rooms), sum(tall for _, tall in rooms)
            found += [around_process(ground, p, wide, tall, ("queue", p)) for p in seen]
        text, crash = self._line_size(frame), crash_size(theme, 9.99)
        crashing = scene.crashing if running else np.zeros(len(m.points), dtype=bool)
        if m.level == "full":
            for p in np.flatnonzero(crashing & m.visible).tolist():
                size = max(text[0], crash[0]), max(text[1], crash[1])
                found += [around_process(ground, p, *size, ("line", p)), around_process(ground, p, *crash, ("line", p))]
                found.append(around_process(ground, p, *crash_size(theme, 9.99, short=True), ("line", p)))
        corner = badge_size(m)
        badged = running and animation.badge is not None
        for p in seen:
            if badged or frame.initiators[p]:
                size = corner * (1.4 if badged else 1.0), corner
                found.append(corner_of(m.points[p], p, rim, *size, ("corner", p)))
        if m.level != "full":
            return found
        if text[0]:
            lines, metrics = sample_lines(scene), QFontMetricsF(theme.font("small"))
            for p in seen:
                if not crashing[p] and (own := metrics.horizontalAdvance(lines[p])):
                    # If there is no room for the longest text of the run, that of this process has to do.
                    widths = {text[0], min(text[0], max(math.ceil(own) + 4.0, NARROW * theme.px("small") / 12))}
                    found += [around_process(ground, p, wide, text[1], ("line", p)) for wide in sorted(widths)[::-1]]
        different = np.flatnonzero(np.abs(frame.factors - 1) > 0.005)
        order = np.argsort(-np.abs(np.log(np.maximum(frame.factors[different], 1e-6))), kind="stable")
        for link in different[order][:CHIPS].tolist():
            wide, tall = chip_size(theme, chip_text(float(frame.factors[link])))
            found.append(beside_link(ground.segments[link], wide, tall, link, ("chip", link), m.lane + m.head * 0.5))
        return found

    def _line_size(self, frame: BasicFrame) -> tuple[float, float]:
        """Return the maximum width and height of the lines in this run; the width is 0 if there are none."""
        metrics = QFontMetricsF(self.theme.font("small"))
        texts = sample_texts(frame.scene) if frame.timeline is not None and frame.watch else ()
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
        most = WIDEST * self.theme.px("small") / 12
        return (min(math.ceil(widest) + 4.0, most) if widest else 0.0), metrics.capHeight() + 7

    # ------------------------------------------------------------------ drawing

    def paint(self, p: QPainter, m: Map, frame: BasicFrame, taken: Sequence[QRectF]) -> None:
        """Draw chips and lines; :meth:`paint_corners` later draws what touches the processes."""
        if m.level != "full":
            return
        places, segments = self.places(m, frame, taken), segments_of(m, frame)
        for key, box in places.items():
            what, number = key
            if what == "chip":
                x1, y1, x2, y2 = segments[number].tolist()
                draw_chip(p, self.theme, box, chip_text(float(frame.factors[number])), (x1, y1, x2, y2))
        for key, box in places.items():
            what, number = key
            if what != "line":
                continue
            if frame.crashed[number]:
                self._crash_chip(p, m, box, number, float(frame.crashed_since[number]))
            elif frame.watch and frame.watch[number]:
                self._line(p, m, box, number, frame.watch[number])

    def _line(self, p: QPainter, m: Map, box: QRectF, process: int, text: str) -> None:
        metrics = QFontMetricsF(self.theme.font("small"))
        line = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        x, y = m.points[process].tolist()
        wide = metrics.horizontalAdvance(line)
        left = min(
            max(x - wide / 2, box.left()), max(box.right() - wide, box.left())
        )  # as near to its process as can be
        row = _row(box, y, metrics.capHeight() + 7)
        draw_leader(p, self.theme, m, process, QRectF(left, row - box.height() / 2, wide, box.height()))
        draw_text(p, self.theme, left, row, line, "small", self.theme.color("text.secondary"), halo=True)

    def _crash_chip(self, p: QPainter, m: Map, box: QRectF, process: int, since: float) -> None:
        wide, tall = crash_size(self.theme, since)
        short = wide > box.width() + 12  # a longer number may need a little more than the kept place
        wide = min(crash_size(self.theme, since, short=short)[0], box.width())
        x, y = m.points[process].tolist()
        left = box.left() if box.left() > x else box.right() - wide if box.right() < x else box.center().x() - wide / 2
        pill = QRectF(left, _row(box, y, tall) - tall / 2, wide, tall)
        p.setPen(QPen(self.theme.color("fault.base"), 1.2))
        p.setBrush(self.theme.color("fault.soft"))
        p.drawRoundedRect(pill, tall / 2, tall / 2)
        ink = self.theme.color("fault.base" if self.theme.dark else "text.primary")
        metrics = QFontMetricsF(self.theme.font("small", semibold=True))
        text = metrics.elidedText(crash_text(since, short=short), Qt.TextElideMode.ElideRight, wide - 4)
        draw_text(
            p, self.theme, pill.center().x(), pill.center().y(), text, "small", ink, align="center", semibold=True
        )

    def paint_corners(self, p: QPainter, m: Map, frame: BasicFrame, taken: Sequence[QRectF]) -> None:
        """Mark initiators, and show the numbers of awaited processes where the line has no room."""
        if m.level not in ("full", "medium"):
            return
        places = self.places(m, frame, taken)
        for key, box in places.items():
            what, process = key
            if what != "corner":
                continue
            if frame.initiators[process] and not frame.started:
                r = min(box.width(), box.height()) / 2
                self._flag(p, box.center().x(), box.center().y(), r)
            badge = frame.badges[process] if frame.badges and not frame.crashed[process] else ""
            alone = m.level == "medium" or not frame.watch or ("line", process) not in places
            if badge and alone:
                self._badge(p, box, badge)

    def _badge(self, p: QPainter, box: QRectF, text: str) -> None:
        p.setPen(QPen(self.theme.color("chain.waiting"), 1.2))
        p.setBrush(self.theme.color("surface.canvas"))
        pill = box.adjusted(0.6, 0.6, -0.6, -0.6)
        p.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        font = self.theme.font("caption", semibold=True)
        font.setPixelSize(max(9, round(box.height() * 0.72)))
        wide = QFontMetricsF(font).horizontalAdvance(text)
        if wide > box.width() - 4:
            font.setPixelSize(max(6, int(font.pixelSize() * (box.width() - 4) / wide)))
        p.setFont(font)
        p.setPen(self.theme.color("text.primary"))
        p.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _flag(self, p: QPainter, x: float, y: float, r: float) -> None:
        style = self.theme.state(1)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(style.fill)
        p.drawEllipse(QPointF(x, y), r, r)
        path = QPainterPath(QPointF(x - r * 0.4, y + r * 0.6))
        path.lineTo(x - r * 0.4, y - r * 0.5)
        path.lineTo(x + r * 0.5, y - r * 0.5)
        path.lineTo(x + r * 0.25, y - r * 0.18)
        path.lineTo(x + r * 0.5, y + r * 0.14)
        path.lineTo(x - r * 0.4, y + r * 0.14)
        p.strokePath(path, QPen(style.label, max(1.2, r * 0.16)))


def draw_leader(p: QPainter, theme: Theme, m: Map, process: int, box: QRectF) -> None:
    """Draw the line from a process to a label that is apart from it, if it is."""
    line = leader(m.points[process], m.half, np.array([box.left(), box.top(), box.right(), box.bottom()]))
    if line is not None:
        x1, y1, x2, y2 = line.tolist()
        p.setPen(QPen(theme.color("border.strong"), 1.0))
        p.drawLine(QPointF(x1, y1), QPointF(x2, y2))


def badge_size(m: Map) -> float:
    """Return the height of a badge at the corner of a process."""
    return max(13.0, m.d * 0.5)


def token_size(m: Map) -> float:
    """Return the diameter of a token."""
    return max(9.0, m.d * 0.46)


def bar_width(m: Map) -> float:
    """Return the width of a bar beside a process, with its gap."""
    return max(5.0, m.d * 0.2)


def crash_text(since: float, *, short: bool = False) -> str:
    """Return the text ``crashed 6.00``, or only the time."""
    if short:
        return f"{since:.2f}" if math.isfinite(since) else "?"
    return tr("crashed {time:.2f}", time=since) if math.isfinite(since) else trc("a process", "crashed")


def crash_size(theme: Theme, since: float, *, short: bool = False) -> tuple[float, float]:
    """Return the width and height of the tag of a crashed process."""
    k = theme.px("small") / 12
    metrics = QFontMetricsF(theme.font("small", semibold=True))
    return math.ceil(metrics.horizontalAdvance(crash_text(since, short=short)) + 16 * k), 20 * k


def _row(box: QRectF, y: float, tall: float) -> float:
    """Return the height of a line of a label in its box: as near to its process as the box allows."""
    low, high = box.top() + tall / 2, box.bottom() - tall / 2
    return min(max(y, low), max(high, low))


def ground_of(m: Map, frame: BasicFrame) -> Ground:
    """Return what labels must leave free: processes, links, and all bent arrows of the run."""
    a, b, bend = bent_arrows(frame.scene) if m.level == "full" else (np.empty(0, int), np.empty(0, int), np.empty(0))
    room = m.rect.left(), m.rect.top(), m.rect.right(), m.rect.bottom()
    hidden = frame.animation.places is not None and not frame.animation.places.links
    links = segments_of(m, frame)
    lines = np.vstack((links[:0] if hidden else links, bent(m.points[a], m.points[b], bend, m.rim)))
    source, target = ways_of(frame.scene) if m.level == "full" and (hidden or not len(links)) else (a[:0], a[:0])
    ways = np.hstack((m.points[source], m.points[target]))
    return Ground(room, m.points, m.half, lines, m.visible, m.lane + m.head * 0.5, ways)


def room_of(theme: Theme, frame: BasicFrame) -> list[tuple[float, float]]:
    """Return the width and height of each queue beside its process; none for one that is empty throughout the run."""
    if not frame.queues:
        return []
    found = []
    for queue, texts in zip(frame.animation.queues, widest_items(frame.scene), strict=True):
        card = card_of(theme, texts)
        if card is None:
            found.append((0.0, 0.0))
            continue
        wide, tall = card
        more = wide if queue.style == "stack" else wide * 0.5 + 8 * _k(theme)
        n = queue.most
        if queue.style == "stack":
            found.append((more, (n + 1) * (tall + CARD_GAP)))
        else:
            found.append((n * (wide + CARD_GAP) + more, tall * 2 + CARD_GAP))  # with room below for items that fall out
    return found


def _k(theme: Theme) -> float:
    return theme.px("caption") / 11


def card_of(theme: Theme, texts: tuple[str, ...]) -> tuple[float, float] | None:
    """Return the width and height of a card, or None if there never is one."""
    if not texts:
        return None
    k, metrics = _k(theme), QFontMetricsF(theme.font("caption"))
    wide = max(metrics.horizontalAdvance(text) for text in texts) + 6 * k
    return min(max(math.ceil(wide), CARD[0] * k), CARD[1] * k), 14 * k
