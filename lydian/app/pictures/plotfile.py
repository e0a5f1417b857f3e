"""A plot as a file: SVG with its text as text, PDF for print, PNG at any scale, CSV with its figures."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtGui import QPainter

from lydian.app.look.theme import Theme
from lydian.app.pictures.picturefile import beside, ending_of, pdf, png, svg
from lydian.app.pictures.plotpainting import paint_plot
from lydian.app.pictures.render import ensure_application, theme_of
from lydian.model.cell import as_text
from lydian.views.plots.plots import Plot
from lydian.views.plots.tips import table_of

__all__ = ["ENDINGS", "plot_bytes", "plot_csv", "write_plot"]

ENDINGS = (".svg", ".pdf", ".png", ".csv")


def write_plot(
    plot: Plot, path: str | os.PathLike[str], *, size: tuple[int, int] = (960, 600), theme: str | Theme = "light",
    scale: float = 2.0, numbered: Mapping[int, int] | None = None,
) -> Path:  # fmt: skip
    """Write a plot, with its title, whole or not at all.

    Args:
        path: the file; its ending determines the format, one of :data:`ENDINGS`.
        size: in units of the screen; ``scale`` is pixels per unit (PNG only).
        numbered: runs whose number is drawn.

    Raises:
        BadInput: another ending, or the file cannot be written.
    """
    path = Path(path)
    ending = ending_of(path, ENDINGS, "plot")
    if ending == ".csv":
        data = plot_csv(plot).encode()
    else:
        data = plot_bytes(plot, ending, size=size, theme=theme, scale=scale, numbered=numbered)
    with beside(path, "plot") as part:
        part.write_bytes(data)
    return path


def plot_bytes(
    plot: Plot, ending: str, *, size: tuple[int, int] = (960, 600), theme: str | Theme = "light", scale: float = 2.0,
    numbered: Mapping[int, int] | None = None,
) -> bytes:  # fmt: skip
    """Return the bytes of a picture of a plot, by the ending of its file."""
    ensure_application()
    look = theme_of(theme)

    def paint(p: QPainter) -> None:
        paint_plot(p, plot, look, size, numbered)

    title = f"{plot.results.name}: {plot.title}"
    if ending == ".png":
        return png(paint, size, title, scale=scale, background=look.color("surface.panel"))
    return (svg if ending == ".svg" else pdf)(paint, size, title)


def plot_csv(plot: Plot, mark: str = ",") -> str:
    """Return the figures of a plot as CSV, or with another separator."""
    head, rows = table_of(plot)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=mark, lineterminator="\n")
    writer.writerows(map(as_text, row) for row in (head, *rows))
    return text.getvalue()
