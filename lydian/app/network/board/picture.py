"""A drawing of a network as a file: SVG, PDF or PNG, whole or not at all."""

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
from lydian.model.errors import BadInput
from lydian.model.network import Network
from lydian.views.network.drawing import legend_of

__all__ = ["save_picture"]

#: Endings of the files that can be written.
ENDINGS = (".svg", ".pdf", ".png")
#: Least and largest width and height of a picture, in units of the screen.
LEAST, MOST = 16, 20_000
#: Width and height of a picture that nobody gave a size: so many units at most.
USUAL = 1_600.0
#: Room round the processes, and for the legend.
MARGIN, LEGEND = 48.0, 34.0
#: Pixels of a PNG for a unit of the screen.
PIXELS = 2.0


def save_picture(
    network: Network,
    path: Path | str,
    *,
    theme: str | Theme = "light",
    size: tuple[int, int] | None = None,
    show: str = "delay",
) -> None:
    """Draw a network into a file, as the editor shows it, without the grid.

    Args:
        path: its ending says the kind: .svg, .pdf or .png.
        size: width and height in units of the screen (a PNG has two pixels for each); by default what the network
            needs.
        show: what the links show, one of :data:`lydian.views.network.drawing.SHOWS`.

    Raises:
        BadInput: the ending is no picture's, the size is none, or the file cannot be written.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise BadInput(f"a drawing ends with {', '.join(ENDINGS)}, not {path.suffix or 'nothing'}", file=path)
    look = theme_of(theme)
    ensure_application()
    scene = scene_of(network, show, diameter=look.diameter)
    title, entries = legend_of(scene.looks, show)
    legend = LEGEND if len(entries) > 1 else 0.0
    width, height = _size(scene.points, scene.gap, legend) if size is None else (int(size[0]), int(size[1]))
    if min(width, height) < LEAST or max(width, height) > MOST:
        raise BadInput(f"a drawing is {LEAST} to {MOST} units wide and high, not {width} x {height}")
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
    """As large as the drawing at its own scale, within limits."""
    if len(points) < 2:
        return 320, 240
    wide, tall = (float(side) for side in points.max(axis=0) - points.min(axis=0))
    longest = max(wide, tall, 1e-9)
    wanted = min(max(longest, 70 * longest / gap if gap > 0 else longest, 240.0), USUAL)
    scale = wanted / longest
    return round(max(wide * scale, 160) + 2 * MARGIN), round(max(tall * scale, 80) + 2 * MARGIN + legend)
