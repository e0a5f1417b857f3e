"""A picture of views at one time, as the text of an SVG file."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lydian.lab.vector.core import QRectF
from lydian.lab.vector.gui import QPainter, Sheet, num
from lydian.lab.vector.load import import_module, painter_class
from lydian.model.errors import BadInput
from lydian.views import registry
from lydian.views.selection import NOTHING, Selection

if TYPE_CHECKING:
    from lydian.pieces.animation import Animation
    from lydian.trace.timeline import Timeline
    from lydian.views.plots.plots import Plot

__all__ = ["drawn", "plotted"]

#: The classes of text, with what is similar where the fonts are not installed.
_STYLE = (
    ".t{font-family:Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}"
    ".m{font-family:'JetBrains Mono',Consolas,Menlo,monospace}text{white-space:pre}"
)


def drawn(
    timeline: Timeline,
    views: Sequence[str],
    t: float | None,
    *,
    size: tuple[int, int],
    theme: str,
    prefix: str,
    animation: Animation | None = None,
    selection: Selection = NOTHING,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> str:
    """Return the picture.

    Args:
        views: the names of views, which are drawn side by side.
        t: simulated time; ``None`` for the end.
        size: width and height in pixels.
        theme: ``light``, ``dark`` or ``contrast``.
        prefix: the beginning of all names in the picture, which must differ between pictures on one page.
        animation: the looks of the protocol; its own by default.
        selection: what is marked.
        options: view -> the options for its ``frame``.

    Raises:
        BadInput: a view belongs to another package and needs Qt, which is not installed.
    """
    painting: Any = import_module("lydian.app.pictures.painting")
    look = painting.theme_of(theme)
    painters = {}
    for number, name in enumerate(views):
        try:
            painters[number] = painter_class(registry.view(name).painter)(look)
        except ImportError as error:
            what = f"the view {name} cannot be drawn without Qt ({error}); pip install 'lydian[app]'"
            raise BadInput(what) from None
    moment = painting.moment_of(timeline, t)
    sheet = Sheet(prefix)
    wide, tall = size
    shots = painting.shots_of(views, options)
    painting.paint_shots(
        QPainter(sheet), QRectF(0, 0, wide, tall), timeline, animation, shots, moment, look, painters=painters,
        selection=selection,
    )  # fmt: skip
    return _file(sheet, size, painting.caption(timeline, views, moment))


def plotted(plot: Plot, *, size: tuple[int, int], theme: str, prefix: str) -> str:
    """Return a plot of results as a picture; the arguments are as for :func:`drawn`."""
    painting: Any = import_module("lydian.app.pictures.plotpainting")
    sheet = Sheet(prefix)
    look = import_module("lydian.app.look.theme").Theme(theme)
    painting.paint_plot(QPainter(sheet), plot, look, size)
    return _file(sheet, size, f"{plot.results.name}: {plot.title}")


def _file(sheet: Sheet, size: tuple[int, int], about: str) -> str:
    """Return the text of the file of a picture."""
    prefix, (wide, tall), title = sheet.prefix, size, html.escape(about)
    clipped = f'<clipPath id="{prefix}all"><path d="M0 0h{num(wide)}v{num(tall)}h{num(-wide)}z"/></clipPath>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" '
        f'role="img"><title>{title}</title><style>{_STYLE}</style><defs>{clipped}{sheet.definitions()}</defs>'
        f'<g clip-path="url(#{prefix}all)">{"".join(sheet.elements)}</g></svg>\n'
    )
