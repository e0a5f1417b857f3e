"""The labels of the network: delays of links, lines below processes, crash times, numbers and tokens at a corner.

All are placed together in one step (:mod:`lydian.app.painters.network.labels`), once for a run and a size of the view.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.shapes import draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.network.labels import (
    Floats,
    Key,
    Wanted,
    around_process,
    beside_link,
    corner_of,
    crossing,
    place,
)
from lydian.app.painters.network.linklayer import chip_size, chip_text, draw_chip, segments_of
from lydian.app.painters.network.netmap import RINGED, Map
from lydian.language import tr, trc
from lydian.pieces.channels import sample_texts
from lydian.pieces.queues import widest_items
from lydian.views.network.basic import BasicFrame

__all__ = ["CARD_GAP", "TagLayer", "card_of", "room_of"]

#: The number of chips above which they would hide the network.
CHIPS = 40
#: The maximum width in pixels of a line of text below a process, at the default size of text.
WIDEST = 220.0
#: The minimum and maximum width of the card of a queue at the default size of text, and the gap between two cards.
CARD, CARD_GAP = (13.0, 46.0), 2.0

Places = dict[Key, QRectF]


class TagLayer:
    """The layer that places and draws the labels of a network."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._kept: tuple[Map, object, tuple[QRectF, ...], Places, dict[int, frozenset[int]]] | None = None

    # ------------------------------------------------------------------ places

    def places(self, m: Map, frame: BasicFrame, taken: Sequence[QRectF]) -> Places:
        """Return the places of labels, none on ``taken``: ("chip", link), ("line" | "corner" | "token" | "bar",
        process).
        """
        return self._placed(m, frame, taken)[0]

    def _placed(self, m: Map, frame: BasicFrame, taken: Sequence[QRectF]) -> tuple[Places, dict[int, frozenset[int]]]:
        if m.rest is not None:
            return self._carried(m, frame, taken)
        kept = self._kept
        if kept is None or kept[0] is not m or kept[1] is not frame.scene or kept[2] != tuple(taken):
            segments = segments_of(m, frame)
            places = place(m, segments, self._wanted(m, frame, segments), taken)
            lines = {key[1]: box for key, box in places.items() if key[0] == "line"}
            kept = self._kept = m, frame.scene, tuple(taken), places, crossing(m, segments, lines)
        return kept[3], kept[4]

    def _carried(self, m: Map, frame: BasicFrame, taken: Sequence[QRectF]) -> tuple[Places, dict[int, frozenset[int]]]:
        """Return the places of labels while processes glide: each label moves with its process."""
        assert m.rest is not None
        places, crossed = self._placed(m.rest, frame, taken)
        away = m.points - m.rest.points
        found = {}
        for key, box in places.items():
            ends = frame.link_ends[key[1]] if key[0] == "chip" else [key[1]]
            dx, dy = away[ends].mean(axis=0).tolist()
            found[key] = box.translated(dx, dy)
        return found, crossed

    def _wanted(self, m: Map, frame: BasicFrame, segments: Floats) -> list[Wanted]:
        """Return all labels that this run may need, in the order in which they are placed."""
        theme, scene = self.theme, frame.scene
        running, animation = frame.timeline is not None, frame.animation
        if m.level not in ("full", "medium"):
            return []
        seen = np.flatnonzero(m.visible).tolist()
        found: list[Wanted] = []
        rim = RINGED if any(value.style in ("colour", "tint") for value in animation.values) else 0.46
        bars = sum(value.style == "bar" for value in animation.values) if running else 0
        if bars:
            found += [corner_of(m, p, bars * bar_width(m), m.d, ("bar", p), 1, rim) for p in seen]
        if running and any(token.variable or token.while_states for token in animation.tokens):
            many = len(animation.tokens)
            found += [corner_of(m, p, many * token_size(m), token_size(m), ("token", p), -2, rim) for p in seen]
        rooms = room_of(theme, frame) if m.level == "full" else []
        if any(wide for wide, _ in rooms):
            wide, tall = max(wide for wide, _ in rooms), sum(tall for _, tall in rooms)
            found += [around_process(m, p, wide, tall, ("queue", p)) for p in seen]
        text, crash = self._line_size(frame), crash_size(theme, 9.99)
        crashing = scene.crashing if running else np.zeros(len(m.points), dtype=bool)
        if m.level == "full":
            for p in np.flatnonzero(crashing & m.visible).tolist():
                size = max(text[0], crash[0]), max(text[1], crash[1])
                found += [around_process(m, p, *size, ("line", p)), around_process(m, p, *crash, ("line", p))]
                found.append(around_process(m, p, *crash_size(theme, 9.99, short=True), ("line", p)))
        corner = badge_size(m)
        badged = running and animation.badge is not None
        for p in seen:
            if badged or frame.initiators[p]:
                found.append(corner_of(m, p, corner * (1.4 if badged else 1.0), corner, ("corner", p), 0, rim))
        if m.level != "full":
            return found
        if text[0]:
            found += [around_process(m, p, *text, ("line", p)) for p in seen if not crashing[p]]
        different = np.flatnonzero(np.abs(frame.factors - 1) > 0.005)
        order = np.argsort(-np.abs(np.log(np.maximum(frame.factors[different], 1e-6))), kind="stable")
        for link in different[order][:CHIPS].tolist():
            wide, tall = chip_size(theme, chip_text(float(frame.factors[link])))
            found.append(beside_link(m, segments[link], wide, tall, link, ("chip", link)))
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
        places, crossed = self._placed(m, frame, taken)
        segments = segments_of(m, frame)
        for key, box in places.items():
            what, number = key
            if what == "chip":
                x1, y1, x2, y2 = segments[number].tolist()
                draw_chip(p, self.theme, box, chip_text(float(frame.factors[number])), (x1, y1, x2, y2))
        banded = _banded(frame) if frame.badges else frozenset()
        for key, box in places.items():
            what, number = key
            if what != "line":
                continue
            if frame.crashed[number]:
                self._crash_chip(p, m, box, number, float(frame.crashed_since[number]))
            elif frame.watch and frame.watch[number] and not self._as_number(frame, number, places, crossed, banded):
                self._line(p, m, box, number, frame.watch[number])

    def written(self, m: Map, frame: BasicFrame, taken: Sequence[QRectF]) -> frozenset[int]:
        """Return the processes whose line is drawn as text at this moment."""
        places, crossed = self._placed(m, frame, taken)
        banded = _banded(frame)
        return frozenset(
            p
            for p in range(len(frame.watch))
            if frame.watch[p] and ("line", p) in places and not self._as_number(frame, p, places, crossed, banded)
        )

    def _as_number(
        self,
        frame: BasicFrame,
        process: int,
        places: Places,
        crossed: dict[int, frozenset[int]],
        banded: frozenset[int],
    ) -> bool:
        """Return whether a band crosses the line of a process and a number can replace the line."""
        if not frame.badges or not frame.badges[process] or ("corner", process) not in places:
            return False
        return bool(crossed.get(process, frozenset()) & banded)

    def _line(self, p: QPainter, m: Map, box: QRectF, process: int, text: str) -> None:
        metrics = QFontMetricsF(self.theme.font("small"))
        line = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        align, at = _aligned(box, float(m.points[process, 0]), m.d)
        ink = self.theme.color("text.secondary")
        y = _row(box, float(m.points[process, 1]), metrics.capHeight() + 7)
        draw_text(p, self.theme, at, y, line, "small", ink, halo=True, align=align)

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
        places, crossed = self._placed(m, frame, taken)
        banded = _banded(frame) if frame.badges else frozenset()
        for key, box in places.items():
            what, process = key
            if what != "corner":
                continue
            if frame.initiators[process] and not frame.started:
                r = min(box.width(), box.height()) / 2
                self._flag(p, box.center().x(), box.center().y(), r)
            badge = frame.badges[process] if frame.badges and not frame.crashed[process] else ""
            alone = m.level == "medium" or not frame.watch or ("line", process) not in places
            if badge and (alone or self._as_number(frame, process, places, crossed, banded)):
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


def _aligned(box: QRectF, x: float, d: float) -> tuple[Qt.AlignmentFlag, float]:
    """Return the alignment of a text in its box: towards its process if it is beside it, else centred."""
    if box.left() > x + d / 4:
        return Qt.AlignmentFlag.AlignLeft, box.left()
    if box.right() < x - d / 4:
        return Qt.AlignmentFlag.AlignRight, box.right()
    return Qt.AlignmentFlag.AlignHCenter, box.center().x()


def _banded(frame: BasicFrame) -> frozenset[int]:
    """Return the links that are drawn as bands at this moment."""
    index = frame.scene.link_index
    pairs = (
        (min(a, b), max(a, b))
        for band in frame.pointers
        for a, b in zip(band.source.tolist(), band.target.tolist(), strict=True)
    )
    return frozenset(index[pair] for pair in pairs if pair in index)


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
