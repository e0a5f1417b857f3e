"""Views painted side by side, each in a tile with its name, by a painter of any kind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.ink import RIGHT, Ink
from lydian.app.pictures.shot import Lens, Shot
from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean
from lydian.pieces.animation import Animation, animation_for
from lydian.trace.timeline import Timeline
from lydian.views import registry
from lydian.views.selection import NOTHING, Selection

__all__ = [
    "caption", "clock_words", "moment_of", "paint_shots", "paint_view", "paint_views", "shots_of", "theme_of", "tiles",
]  # fmt: skip

#: The distance between two tiles.
GAP = 6.0
#: The ratio of width to height of a tile in which every view looks its best.
SHAPE = 1.5


def tiles(rect: QRectF, count: int) -> list[QRectF]:
    """Return ``count`` tiles in rows that fill ``rect``, about 3:2 each; no row has more tiles than a lower one."""

    def misfit(rows: int) -> float:
        columns = count / rows
        return abs(math.log((rect.width() / columns) / (rect.height() / rows) / SHAPE))

    rows = min(range(1, count + 1), key=misfit)
    few, more = divmod(count, rows)
    found = []
    height = (rect.height() - GAP * (rows - 1)) / rows
    for row in range(rows):
        columns = few + (row >= rows - more)
        width = (rect.width() - GAP * (columns - 1)) / columns
        top = rect.top() + row * (height + GAP)
        found += [QRectF(rect.left() + i * (width + GAP), top, width, height) for i in range(columns)]
    return [_whole(tile) for tile in found]


def _whole(rect: QRectF) -> QRectF:
    """Return the rectangle with its edges on whole units, where lines are sharp."""
    left, top, right, bottom = (round(edge) for edge in (rect.left(), rect.top(), rect.right(), rect.bottom()))
    return QRectF(left, top, right - left, bottom - top)


#: The names of the looks that a picture can have.
THEMES = ("light", "dark", "contrast")
#: The height of the line with the view's name.
BAR = 34.0


def paint_view(
    p: QPainter,
    rect: QRectF,
    timeline: Timeline,
    animation: Animation | None,
    view: str,
    t: float | None,
    theme: Theme,
    *,
    selection: Selection = NOTHING,
    bar: bool = True,
    clock: bool = True,
    painter: Any = None,
    camera: Any = None,
    **options: Any,
) -> None:
    """Paint one view into ``rect`` with a painter that is active, and leave it active.

    ``clock``: whether to show the time on the right of the bar. ``painter`` is one of the view's own class that was
    used before: it need not redraw parts that have not changed. ``camera`` determines the visible part of the view, as
    in :class:`~lydian.app.pictures.shot.Shot`.
    """
    (view,) = registry.views_of([view])
    known = registry.view(view)
    drawn = animation_for(timeline.trace) if animation is None else animation
    frame = known.frame(timeline, moment_of(timeline, t), selection, animation=drawn, **options)
    painter = known.painter_class()(theme) if painter is None else painter
    p.save()
    try:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.fillRect(rect, theme.color("surface.panel"))
        body = QRectF(rect)
        if bar:
            height = BAR * theme.px("small") / 12
            body.setTop(rect.top() + height)
            time = clock_words(moment_of(timeline, t), timeline.end) if clock else ""
            _bar(p, QRectF(rect.left(), rect.top(), rect.width(), height), theme, known.title, frame.title, time)
        p.setClipRect(body)
        if camera is None:
            painter.paint(p, body, frame)
        else:
            painter.paint(p, body, frame, camera.on(body) if isinstance(camera, Lens) else camera)
    finally:
        p.restore()


def paint_views(
    p: QPainter,
    rect: QRectF,
    timeline: Timeline,
    animation: Animation | None,
    views: str | Iterable[str],
    t: float | None,
    theme: Theme,
    *,
    selection: Selection = NOTHING,
    bar: bool = True,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Paint several views into ``rect``, each in a tile of its own; a single one fills it.

    Args:
        options: view -> the options for its ``frame``.
    """
    shots = shots_of(registry.views_of(views), options)
    paint_shots(p, rect, timeline, animation, shots, t, theme, selection=selection, bar=bar)


def paint_shots(
    p: QPainter,
    rect: QRectF,
    timeline: Timeline,
    animation: Animation | None,
    shots: Sequence[Shot],
    t: float | None,
    theme: Theme,
    *,
    selection: Selection = NOTHING,
    bar: bool = True,
    painters: dict[int, Any] | None = None,
) -> None:
    """Paint several views, perhaps of one kind, into ``rect``, each in a tile of its own.

    Args:
        painters: number of the shot -> its painter; filled by this call, so that the next call with the same dictionary
            is faster.
    """
    kept = {} if painters is None else painters
    if len(shots) > 1:
        p.fillRect(rect, theme.color("surface.window"))
    for number, (shot, tile) in enumerate(zip(shots, tiles(rect, len(shots)), strict=True)):
        if number not in kept:
            kept[number] = registry.view(shot.view).painter_class()(theme)
        paint_view(
            p, tile, timeline, animation, shot.view, t, theme, selection=selection, bar=bar, clock=number == 0,
            painter=kept[number], camera=shot.camera, **shot.options,
        )  # fmt: skip


def shots_of(views: Iterable[str], options: Mapping[str, Mapping[str, Any]] | None = None) -> tuple[Shot, ...]:
    """Return shots of the views with these names, each with its options and without a camera."""
    return tuple(Shot(view, (options or {}).get(view, {})) for view in views)


def clock_words(t: float, end: float) -> str:
    """Return ``t = 7.20`` with the decimals that a run of this length needs; all its times have the same number."""
    places = min(max(2 if end <= 0 else 3 - math.floor(math.log10(end)), 0), 9)
    return f"t = {max(t, 0.0):.{places}f}"


def _bar(p: QPainter, rect: QRectF, theme: Theme, name: str, title: str, time: str) -> None:
    """Draw the line above a view: its name, its summary in numbers, and the time if there is room for both."""
    ink = Ink(theme)
    p.fillRect(rect, theme.color("surface.header"))
    p.setPen(QPen(theme.color("border.subtle"), 1))
    p.drawLine(QPointF(rect.left(), rect.bottom() - 0.5), QPointF(rect.right(), rect.bottom() - 0.5))
    inner = rect.adjusted(12, 0, -12, 0)
    if time and QFontMetricsF(theme.font("small")).horizontalAdvance(time) < inner.width() / 4:
        inner.setRight(inner.right() - ink.text(p, inner, time, "small", "text.primary", RIGHT) - 10)
    wide = ink.text(p, inner, name, "body", "text.primary", semibold=True)
    ink.text(p, inner.adjusted(wide + 10, 0, 0, 0), title, "small", "text.secondary")


def theme_of(theme: str | Theme) -> Theme:
    """Return a theme, or the theme with a name.

    Raises:
        BadInput: there is no such theme.
    """
    if isinstance(theme, Theme):
        return theme
    if theme not in THEMES:
        raise BadInput(
            tr(
                "unknown theme '{theme}'{suggestion}; choose from {themes}",
                theme=theme,
                suggestion=did_you_mean(theme, THEMES),
                themes=", ".join(THEMES),
            )
        )
    return Theme(theme)


def moment_of(timeline: Timeline, t: float | None) -> float:
    """Return a time of the execution; ``None`` and times after the end mean the end."""
    if t is None:
        return timeline.end
    if t != t:
        raise BadInput(tr("the time of a picture must be a number, not NaN"))
    # A time before 0 is the moment before any event at time 0.
    return min(max(float(t), math.nextafter(0.0, -1.0)), timeline.end)


def caption(timeline: Timeline, views: Iterable[str], t: float | None = None) -> str:
    """Return the description in a file's metadata: protocol, views and, unless it is a movie, time."""
    title = timeline.trace.summary.get("protocol_title") or timeline.trace.experiment.get("protocol") or "execution"
    words = f"{title}: {', '.join(registry.view(view).title for view in views)}"
    return words if t is None else f"{words} at time {max(t, 0.0):.4g}"
