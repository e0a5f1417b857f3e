"""The division of a view between the network and the panels that an animation puts beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from lydian.app.look.theme import Theme
from lydian.views.network.basic import BasicFrame

__all__ = ["Parts", "parted"]

#: The minimum size of the network at the default size of text; a smaller view has no panels.
LEAST = (260.0, 190.0)
#: The minimum width and height of a panel, and the minimum width of one that says what is enough for it.
GRID, CHART, SLIM = (200.0, 130.0), (200.0, 92.0), 230.0
#: The height of a chart beside the network, compared with a grid or a tree.
LOW = 0.5625
#: A view at least this many times as wide as high is a scene: network, panels and curves are side by side. For a view
#: of at least this width, less is enough.
WIDE, BROAD, LESS = 2.0, 1_100.0, 1.55
#: In a scene: the part of the width for curves, its maximum, and the part that the network keeps.
CURVES, BROADEST, KEPT = 0.22, 380.0, 0.48


@dataclass(frozen=True)
class Parts:
    """The areas of the network and of each panel of a frame, in the order of the panels; empty for a hidden panel."""

    network: QRectF
    boxes: tuple[QRectF, ...] = ()
    fields: tuple[str, ...] = ()

    def of(self, field: str) -> tuple[QRectF, ...]:
        """Return the areas of the panels of a field of the animation."""
        return tuple(box for box, each in zip(self.boxes, self.fields, strict=True) if each == field)


@dataclass(frozen=True)
class _Panel:
    """A panel to be placed: its index, its share of the view, its minimum height, and the width that is enough."""

    index: int
    share: float
    least: float
    widest: float
    tall: bool
    below: bool

    @property
    def high(self) -> float:
        """Its height in a column, compared with the other panels there."""
        return 1.0 if self.tall else LOW


def parted(theme: Theme, rect: QRectF, frame: BasicFrame) -> Parts:
    """Divide a view; panels without room are left out, the last ones first.

    A panel whose state has ``widest``, a width at the default size of text, gets no more than that in a wide view.
    """
    panels = frame.panels
    if not panels:
        return Parts(rect)
    k = theme.px("small") / 12
    some = [
        _Panel(i, state.declared.share, GRID[1] * k if piece.panel == "tall" else CHART[1] * k,
               max(getattr(state, "widest", math.inf), SLIM) * k, piece.panel == "tall",
               piece.panel != "tall" and state.declared.side == "below")
        for i, (piece, _, state) in enumerate(panels)
    ]  # fmt: skip
    network, boxes = _scene(rect, some, k) or _framed(rect, some, k)
    found = tuple(boxes.get(i, QRectF()) for i in range(len(panels)))
    return Parts(network, found, tuple(piece.field for piece, _, _ in panels))


def _framed(rect: QRectF, panels: Sequence[_Panel], k: float) -> tuple[QRectF, dict[int, QRectF]]:
    """Return the areas with one column on the right and a row of charts below the network."""
    network, boxes = QRectF(rect), dict[int, QRectF]()
    column = [each for each in panels if each.tall] + [each for each in panels if not each.tall and not each.below]
    while column:
        wider = [each.share for each in column if each.tall]  # a chart is as wide as the panel above or below it
        wide = rect.width() * max(wider or [each.share for each in column])
        if GRID[0] * k <= wide <= rect.width() - LEAST[0] * k and _fit(rect.height(), column):
            boxes.update(_stacked(column, rect.right() - wide, rect, wide))
            network.setRight(rect.right() - wide)
            break
        column.pop()
    below = [each for each in panels if each.below][: max(int(network.width() / (CHART[0] * k)), 0)]
    if below:
        high = rect.height() * max(each.share for each in below)
        if high >= CHART[1] * k and rect.height() - high >= LEAST[1] * k:
            network.setBottom(rect.bottom() - high)
            wide = network.width() / len(below)
            for place, each in enumerate(below):
                boxes[each.index] = QRectF(network.left() + place * wide, network.bottom(), wide, high)
    return network, boxes


def _scene(rect: QRectF, panels: Sequence[_Panel], k: float) -> tuple[QRectF, dict[int, QRectF]] | None:
    """Return the areas in a wide view: the network, its tall panels and its curves side by side.

    A single chart is below the last tall panel; without one it has its place below the network, if that is high
    enough. None if the view is not wide, or if not all of this has room.
    """
    tall, low = [each for each in panels if each.tall], [each for each in panels if not each.tall]
    enough = LESS if rect.width() >= BROAD * k else WIDE
    if rect.width() < enough * rect.height() or (len(low) == 1 and not tall and _framed(rect, panels, k)[1]):
        return None
    while low and not _fit(rect.height(), low):
        low.pop()
    curves = min(max(rect.width() * CURVES, CHART[0] * k), BROADEST * k)
    apart = [([each], min(max(rect.width() * each.share, GRID[0] * k), each.widest)) for each in tall]
    together = [(tall, max(wide for _, wide in apart))] if tall else []
    for columns, charts in ((apart, low), (together, low), (apart, []), (together, [])):
        if len(charts) == 1 and columns:
            columns = [*columns[:-1], ([*columns[-1][0], *charts], columns[-1][1])]
        elif charts:
            columns = [*columns, (charts, curves)]
        if not columns:
            continue
        room = rect.width() - max(KEPT * rect.width(), LEAST[0] * k)
        least = sum(min(GRID[0] * k, wide) for _, wide in columns)
        more = sum(wide for _, wide in columns) - least
        share = min(max(room - least, 0.0) / more, 1.0) if more > 0 else 1.0
        narrowed = [(column, wide - (1 - share) * max(wide - GRID[0] * k, 0.0)) for column, wide in columns]
        if sum(wide for _, wide in narrowed) > room + 0.5 or not all(_fit(rect.height(), each) for each, _ in columns):
            continue
        boxes: dict[int, QRectF] = {}
        left = rect.right() - sum(wide for _, wide in narrowed)
        network = QRectF(rect.left(), rect.top(), left - rect.left(), rect.height())
        for column, wide in narrowed:
            boxes.update(_stacked(column, left, rect, wide))
            left += wide
        return network, boxes
    return None


def _fit(height: float, column: Sequence[_Panel]) -> bool:
    """Return True if the panels of a column have room one below the other."""
    unit = height / sum(each.high for each in column)
    return all(unit * each.high >= each.least for each in column)


def _stacked(column: Sequence[_Panel], left: float, rect: QRectF, wide: float) -> Mapping[int, QRectF]:
    """Return the areas of the panels of a column, by their index."""
    unit, top, boxes = rect.height() / sum(each.high for each in column), rect.top(), {}
    for each in column:
        boxes[each.index] = QRectF(left, top, wide, unit * each.high)
        top += unit * each.high
    return boxes
