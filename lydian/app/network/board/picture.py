"""Saving the drawing of a network as an SVG, PDF or PNG file, completely or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from lydian.app.look.theme import Theme
from lydian.app.network.board.view import View
from lydian.app.painters.drawing.board import DrawingPainter, scene_of
from lydian.app.painters.drawing.legend import draw_legend
from lydian.app.pictures import picturefile
from lydian.app.pictures.render import ensure_application, theme_of
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.network import Network
from lydian.views.network.drawing import legend_of

__all__ = ["save_picture"]

#: The suffixes of the files that can be written.
ENDINGS = (".svg", ".pdf", ".png")
#: The least and the largest width and height of a picture, in screen units.
LEAST, MOST = 16, 20_000
#: The largest width and height, in screen units, of a picture whose size is not given.
USUAL = 1_600.0
#: The margin round the processes and the height of the legend.
MARGIN, LEGEND = 48.0, 34.0
#: The number of pixels of a PNG file for one screen unit.
PIXELS = 2.0


def save_picture(
    network: Network,
    path: Path | str,
    *,
    theme: str | Theme = "light",
    size: tuple[int, int] | None = None,
    show: str = "delay",
) -> None:
    """Draw a network to a file, as the editor shows it but without the grid.

    Args:
        path: the file; its suffix determines the format: .svg, .pdf or .png.
        size: the width and height in screen units (a PNG file has two pixels for each); by default what the network
            needs.
        show: the property that the links show, one of :data:`lydian.views.network.drawing.SHOWS`.

    Raises:
        BadInput: the suffix or the size is not allowed, or the file cannot be written.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise BadInput(
            tr(
                "unknown suffix {suffix}; choose from {suffixes}",
                suffix=path.suffix or tr("(none)"),
                suffixes=", ".join(ENDINGS),
            ),
            file=path,
        )
    look = theme_of(theme)
    ensure_application()
    scene = scene_of(network, show, diameter=look.diameter)
    title, entries = legend_of(scene.looks, show)
    legend = LEGEND if len(entries) > 1 else 0.0
    width, height = _size(scene.points, scene.gap, legend) if size is None else (int(size[0]), int(size[1]))
    if min(width, height) < LEAST or max(width, height) > MOST:
        raise BadInput(
            tr(
                "a drawing must be {least} to {most} units wide and high, not {width} x {height}",
                least=LEAST,
                most=MOST,
                width=width,
                height=height,
            )
        )
    rect = QRectF(0, 0, width, height)
    view = View()
    view.fit(scene.points, rect.adjusted(0, 0, 0, -legend), MARGIN, scene.gap)

    def paint(p: QPainter) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter = DrawingPainter(look)
        painter.paint(p, painter.plan(rect, scene, view.key), scene, grid=False)
        if legend:
            draw_legend(p, look, QRectF(16, height - LEGEND, width - 32, LEGEND - 8), title, entries)

    if ending == ".svg":
        data = picturefile.svg(paint, (width, height), network.name)
    elif ending == ".pdf":
        data = picturefile.pdf(paint, (width, height), network.name)
    else:
        background = look.color("surface.canvas")
        data = picturefile.png(paint, (width, height), network.name, scale=PIXELS, background=background)
    with picturefile.beside(path, "picture") as part:
        part.write_bytes(data)


def _size(points: NDArray[np.float64], gap: float, legend: float) -> tuple[int, int]:
    """Return the size of the drawing at its own scale, within limits."""
    if len(points) < 2:
        return 320, 240
    wide, tall = (float(side) for side in points.max(axis=0) - points.min(axis=0))
    longest = max(wide, tall, 1e-9)
    wanted = min(max(longest, 70 * longest / gap if gap > 0 else longest, 240.0), USUAL)
    scale = wanted / longest
    return round(max(wide * scale, 160) + 2 * MARGIN), round(max(tall * scale, 80) + 2 * MARGIN + legend)
