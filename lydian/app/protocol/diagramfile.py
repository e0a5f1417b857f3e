"""A state diagram as a picture in a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from lydian.app.painters.statediagram import DiagramMarks, DiagramPainter
from lydian.app.pictures.picturefile import beside, pdf, png, svg
from lydian.authoring.statediagram import Layout
from lydian.model.errors import BadInput

__all__ = ["save_diagram"]


def save_diagram(path: Path, painter: DiagramPainter, layout: Layout, slots: Mapping[str, int], title: str) -> None:
    """Write a diagram as SVG, PNG or PDF, by the file's ending.

    Raises:
        BadInput: another ending, nothing to draw, or a file that cannot be written.
    """
    if not layout.states:
        raise BadInput("there is no state diagram to save yet", file=path)
    size = (round(layout.width), round(layout.height))
    ground = painter.theme.color("surface.panel")

    def paint(p: QPainter) -> None:
        p.fillRect(QRectF(0, 0, *size), ground)
        painter.paint(p, layout, slots, DiagramMarks())

    kind = path.suffix.lower()
    if kind == ".png":
        data = png(paint, size, title, scale=2.0, background=ground)
    elif kind in (".svg", ".pdf"):
        data = (svg if kind == ".svg" else pdf)(paint, size, title)
    else:
        raise BadInput(f"a picture is .svg, .png or .pdf, not '{path.suffix}'", file=path)
    with beside(path, "picture") as part:
        part.write_bytes(data)
