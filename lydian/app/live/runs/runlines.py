"""The drawing of a row of the tree of runs: its name, its line with corners and glyphs, the ruler above all rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen, QPolygonF

from lydian.app.look.theme import Theme
from lydian.views.others.branchtree import Line, Tree, clusters

__all__ = ["GLYPH", "Link", "links_of", "paint_focus", "paint_line", "paint_name"]

#: Glyphs closer to each other than this are merged into one with a number; the radius of a corner.
GLYPH, CORNER = 14.0, 7.0
Place = Callable[[float], float]


@dataclass(frozen=True)
class Link:
    """A piece of a corner in a row: it leaves its line (``from``), passes ``through``, or goes ``to`` its line.

    ``past`` means that it is on the way to the run that is shown.
    """

    time: float
    part: str
    past: bool


def links_of(tree: Tree) -> list[list[Link]]:
    """Return the pieces of corners in each row, with those on the way to the run shown last."""
    found: list[list[Link]] = [[] for _ in tree.lines]
    way = set()
    line = tree.line(tree.shown)
    while line is not None and line.parent is not None:
        way.add(line.branch)
        line = tree.lines[line.parent_row]
    for line in sorted(tree.lines, key=lambda line: line.branch in way):
        if line.parent_row < 0:
            continue
        past = line.branch in way
        found[line.parent_row].append(Link(line.begins, "from", past))
        for row in range(line.parent_row + 1, line.row):
            found[row].append(Link(line.begins, "through", past))
        found[line.row].append(Link(line.begins, "to", past))
    return found


def paint_name(p: QPainter, theme: Theme, rect: QRect, wide: int, line: Line, shown: bool) -> None:
    """Draw the name of a run, elided, with one sign if it is shown and another if it has notes."""
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = rect.top() + rect.height() / 2
    if shown:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(theme.color("accent.base"))
        x = rect.left() + 9.0
        p.drawPolygon(QPolygonF([QPointF(x, middle - 5), QPointF(x + 8, middle), QPointF(x, middle + 5)]))
    room = QRect(rect.left() + 24, rect.top(), wide - 26, rect.height())
    if line.notes:
        p.setPen(QPen(theme.color("text.hint"), 1.3))
        p.setBrush(Qt.BrushStyle.NoBrush)
        x = rect.left() + wide - 13.0
        for dy, length in ((-3.5, 10), (0, 10), (3.5, 6)):
            p.drawLine(QPointF(x, middle + dy), QPointF(x + length, middle + dy))
        room.setWidth(room.width() - 16)
    font = theme.font("body", semibold=shown)
    p.setFont(font)
    p.setPen(theme.color("text.primary"))
    text = QFontMetrics(font).elidedText(line.name, Qt.TextElideMode.ElideRight, room.width())
    p.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)


def paint_focus(p: QPainter, theme: Theme, rect: QRect) -> None:
    """Draw a ring round the current row."""
    p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    p.setPen(QPen(theme.color("accent.ring"), 1))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawRect(rect.adjusted(0, 0, -1, -1))


def paint_line(
    p: QPainter, theme: Theme, rect: QRect, place: Place, line: Line, links: list[Link], time: float
) -> None:
    """Draw a run from its beginning to its end: its past bold, an unknown end dashed, with glyphs for interventions."""
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = rect.top() + rect.height() / 2
    usual, strong = theme.color("border.strong"), theme.color("accent.base")
    _head(p, theme, rect, place, line, time, behind=True)
    _passing(p, usual, rect, place, links)
    for link in links:
        if link.part == "from" or (link.part == "through" and link.past):
            _corner(p, strong if link.past else usual, rect, place(link.time), middle, link)
    begin = place(line.begins) + (CORNER if line.parent is not None else 0.0)
    end = max(place(line.ends), begin) if line.known else float(rect.right())
    p.setPen(_pen(usual, 2.0, dashed=not line.known))
    p.drawLine(QPointF(begin, middle), QPointF(end, middle))
    if line.past > line.begins:
        past = min(place(line.past), end) if line.past < line.ends else end
        p.setPen(_pen(strong, 3.0, dashed=not line.known and line.past >= line.ends))
        p.drawLine(QPointF(begin, middle), QPointF(max(past, begin), middle))
    for link in links:
        if link.part == "to":
            _corner(p, strong if link.past else usual, rect, place(link.time), middle, link)
    if line.known:
        _end(p, strong if line.past >= line.ends > line.begins else usual, end, middle, line.growing)
    p.setBrush(theme.color("surface.panel"))
    for link in links:
        if link.part == "from":
            p.setPen(QPen(strong if link.past else usual, 2))
            p.drawEllipse(QPointF(place(link.time), middle), 4, 4)
    _deeds(p, theme, place, line, middle)
    _head(p, theme, rect, place, line, time, behind=False)


def _pen(color: QColor, width: float, *, dashed: bool = False) -> QPen:
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dashed:
        pen.setDashPattern([3.0, 3.0])
    return pen


def _passing(p: QPainter, color: QColor, rect: QRect, place: Place, links: list[Link]) -> None:
    """Draw the corners of other runs that pass the row, one line for all in the same column of pixels."""
    top, bottom = float(rect.top()), rect.bottom() + 1.0
    places = [place(link.time) for link in links if link.part == "through" and not link.past]
    columns = {round(x): x for x in places}
    p.setPen(_pen(color, 2.0))
    p.drawLines([QLineF(x, top, x, bottom) for x in columns.values()])


def _corner(p: QPainter, color: QColor, rect: QRect, x: float, middle: float, link: Link) -> None:
    p.setPen(_pen(color, 3.0 if link.past else 2.0))
    p.setBrush(Qt.BrushStyle.NoBrush)
    top, bottom = float(rect.top()), rect.bottom() + 1.0
    if link.part == "to":
        path = QPainterPath(QPointF(x, top))
        path.lineTo(x, middle - CORNER)
        path.quadTo(QPointF(x, middle), QPointF(x + CORNER, middle))
        p.drawPath(path)
    else:
        p.drawLine(QPointF(x, middle if link.part == "from" else top), QPointF(x, bottom))


def _end(p: QPainter, color: QColor, x: float, middle: float, growing: bool) -> None:
    """Draw a bar where a run is over, an arrow where it continues."""
    if growing:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(color)
        p.drawPolygon(QPolygonF([QPointF(x - 1, middle - 5), QPointF(x + 8, middle), QPointF(x - 1, middle + 5)]))
    else:
        p.setPen(QPen(color, 2))
        p.drawLine(QPointF(x, middle - 5), QPointF(x, middle + 5))


def _head(p: QPainter, theme: Theme, rect: QRect, place: Place, line: Line, time: float, *, behind: bool) -> None:
    """Draw the play head: faint in every row, bold where the run that is shown is at that time."""
    x = place(max(time, 0.0))
    # The run shown continues in the runs that it branches into; the play head is bold in only one of the lines.
    own = line.past > line.begins and line.begins <= time <= line.past and not (time == line.past < line.ends)
    color = theme.color("playhead")
    if behind:
        color.setAlphaF(0.35)
        p.setPen(QPen(color, 1))
        p.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom() + 1.0))
    elif own:
        p.setPen(QPen(color, 2))
        p.drawLine(QPointF(x, rect.top() + 2.0), QPointF(x, rect.bottom() - 1.0))


def _deeds(p: QPainter, theme: Theme, place: Place, line: Line, middle: float) -> None:
    """Draw glyphs for the interventions; those that share a place become one glyph with their number."""
    places = [place(deed.time) for deed in line.deeds]
    ground, ink = theme.color("surface.panel"), theme.color("fault.base")
    p.setFont(theme.font("caption", semibold=True))
    for group in clusters(places, GLYPH):
        x = places[group[0]]
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ground)
        p.drawEllipse(QPointF(x, middle), 7, 7)
        if len(group) > 1:
            radius = theme.grown(8)
            p.setBrush(ink)
            p.drawEllipse(QPointF(x, middle), radius, radius)
            p.setPen(theme.color("fault.onBase"))
            text = str(len(group)) if len(group) < 100 else "…"
            p.drawText(QRectF(x - 15, middle - 15, 30, 30), int(Qt.AlignmentFlag.AlignCenter), text)
        else:
            _glyph(p, ink, x, middle, line.deeds[group[0]].sort)


def _glyph(p: QPainter, ink: QColor, x: float, y: float, sort: str) -> None:
    """Draw a cross (failure), a ring (repair), an arrow head (message), a bolt (state) or a dot (step)."""
    p.setPen(QPen(ink, 2))
    p.setBrush(Qt.BrushStyle.NoBrush)
    if sort == "down":
        p.drawLine(QPointF(x - 4, y - 4), QPointF(x + 4, y + 4))
        p.drawLine(QPointF(x - 4, y + 4), QPointF(x + 4, y - 4))
    elif sort == "up":
        p.drawEllipse(QPointF(x, y), 4.5, 4.5)
    elif sort == "message":
        p.setBrush(ink)
        p.drawPolygon(QPolygonF([QPointF(x - 3.5, y - 4), QPointF(x + 4.5, y), QPointF(x - 3.5, y + 4)]))
    elif sort == "state":
        bolt = ((1.5, -6.0), (-3.0, 1.0), (2.0, 0.5), (-1.5, 6.0))
        p.drawPolyline([QPointF(x + dx, y + dy) for dx, dy in bolt])
    else:
        p.setBrush(ink)
        p.drawEllipse(QPointF(x, y), 3, 3)
