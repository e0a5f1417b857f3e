"""Any view of any execution at any time as a picture: PNG at any scale, SVG with its text as text, PDF for print.

Several views make one picture, side by side in tiles. Movies are in :mod:`lydian.app.pictures.movie`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QGuiApplication, QPainter

from lydian.app.look.theme import Theme
from lydian.app.pictures.painting import (
    caption,
    clock_words,
    moment_of,
    paint_shots,
    paint_view,
    paint_views,
    shots_of,
    theme_of,
    tiles,
)
from lydian.app.pictures.picturefile import beside, ending_of, pdf, png, svg
from lydian.app.pictures.shot import Shot
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views import registry
from lydian.views.selection import NOTHING, Selection

__all__ = [
    "FORMATS", "caption", "clock_words", "encoded", "ensure_application", "moment_of",
    "paint_shots", "paint_view", "paint_views", "render", "render_all", "render_shots", "shots_of", "theme_of",
    "tiles",
]  # fmt: skip

#: The endings of file names that can be written.
FORMATS = (".png", ".svg", ".pdf")
#: The largest number of pixels of a picture in one direction.
LARGEST = 32_000


def render(
    timeline: Timeline,
    animation: Animation | None,
    view: str | Iterable[str],
    t: float | None,
    path: str | os.PathLike[str],
    *,
    size: tuple[int, int] = (1280, 800),
    theme: str | Theme = "light",
    scale: float = 1.0,
    selection: Selection = NOTHING,
    bar: bool = True,
    **options: Any,
) -> Path:
    """Write one view at time ``t``, or several side by side, to a PNG, SVG or PDF file.

    Args:
        animation: how to draw the protocol; its own animation if ``None``.
        view: the name of one, several of them separated by commas, or ``"all"``.
        t: simulated time; ``None`` and any time after the end mean the end.
        path: the file; its ending determines the format.
        size: width and height in units of the screen; ``scale`` is pixels per unit (PNG only).
        bar: whether to draw the line with the name and the summary of the view.
        options: the options for the (first) view's ``frame``.

    Raises:
        BadInput: unknown view, ending, theme or size, or a file that cannot be written.
    """
    views = registry.views_of(view)
    return render_shots(
        timeline, animation, shots_of(views, {views[0]: options}), t, path,
        size=size, theme=theme, scale=scale, selection=selection, bar=bar,
    )  # fmt: skip


def render_shots(
    timeline: Timeline,
    animation: Animation | None,
    shots: Sequence[Shot],
    t: float | None,
    path: str | os.PathLike[str],
    *,
    size: tuple[int, int] = (1280, 800),
    theme: str | Theme = "light",
    scale: float = 1.0,
    selection: Selection = NOTHING,
    bar: bool = True,
) -> Path:
    """Write views side by side to a file, each with its own options and camera; the rest is as in :func:`render`."""
    path = Path(path)
    ending = ending_of(path, FORMATS, "picture")
    data = encoded(
        timeline, animation, shots, t, ending,
        size=size, theme=theme, scale=scale, selection=selection, bar=bar,
    )  # fmt: skip
    with beside(path, "picture") as part:
        part.write_bytes(data)
    return path


def encoded(
    timeline: Timeline,
    animation: Animation | None,
    shots: Sequence[Shot],
    t: float | None,
    ending: str,
    *,
    size: tuple[int, int] = (1280, 800),
    theme: str | Theme = "light",
    scale: float = 1.0,
    selection: Selection = NOTHING,
    bar: bool = True,
) -> bytes:
    """Return the bytes of a picture file with an ending of :data:`FORMATS`; the rest is as in :func:`render_shots`."""
    size, scale = _sane(size, scale)
    ensure_application()
    look = theme_of(theme)
    moment = moment_of(timeline, t)

    def paint(p: QPainter) -> None:
        rect = QRectF(QPointF(0, 0), QSizeF(*size))
        paint_shots(p, rect, timeline, animation, shots, moment, look, selection=selection, bar=bar)

    title = caption(timeline, [shot.view for shot in shots], moment)
    if ending == ".png":
        return png(paint, size, title, scale=scale, background=look.color("surface.panel"))
    return (svg if ending == ".svg" else pdf)(paint, size, title)


def render_all(
    timeline: Timeline,
    animation: Animation | None,
    folder: str | os.PathLike[str],
    *,
    t: float | None = None,
    size: tuple[int, int] = (1280, 800),
    theme: str | Theme = "light",
    scale: float = 1.0,
    ending: str = ".png",
    selection: Selection = NOTHING,
) -> list[Path]:
    """Write every view at time ``t`` into ``folder``, created if missing: ``basic.png``, ``communication.png`` ...

    Raises:
        BadInput: as :func:`render`, and if the folder cannot be created.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(tr("the folder cannot be created: {reason}", reason=error.strerror), file=folder) from None
    return [
        render(timeline, animation, view, t, folder / f"{view}{ending}", size=size, theme=theme, scale=scale,
               selection=selection)
        for view in registry.usual()
    ]  # fmt: skip


def ensure_application() -> QGuiApplication:
    """Return the running Qt application, or create one for drawing; without a display it draws off the screen.

    Raises:
        BadInput: if Qt cannot start.
    """
    running = QGuiApplication.instance()
    if isinstance(running, QGuiApplication):
        return running
    if running is not None:
        raise BadInput("pictures need a QGuiApplication, but a QCoreApplication without graphics is already running")
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not display:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _kept.append(QGuiApplication([sys.argv[0] if sys.argv else "lydian"]))
    return _kept[-1]


#: Python deletes an application without a reference at once.
_kept: list[QGuiApplication] = []


def _sane(size: tuple[int, int], scale: float) -> tuple[tuple[int, int], float]:
    width, height = (int(side) for side in size)
    if not 0 < scale <= 16:
        raise BadInput(tr("the scale of a picture must be above 0 and at most 16, not {scale:g}", scale=scale))
    if min(width, height) < 16 or max(width, height) * scale > LARGEST:
        raise BadInput(
            tr(
                "a picture must have 16 to {most} pixels each way, not {width:g} x {height:g}",
                most=LARGEST,
                width=width * scale,
                height=height * scale,
            )
        )
    return (width, height), float(scale)
