"""Pictures of a run, which a notebook shows in its own theme."""

from __future__ import annotations

import base64
import hashlib
import html
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.reading import write_text

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline
    from lydian.views.plots.plots import Plot

__all__ = ["Drawn", "Picture", "PlotPicture"]

_THEMES = ("light", "dark", "contrast")
#: What surrounds a dark picture in JupyterLab, VS Code, Colab and pages made from notebooks.
_DARK = ('[data-jp-theme-light="false"]', ".vscode-dark", ".vscode-high-contrast", "html[theme=dark]",
         "[data-theme=dark]")  # fmt: skip
#: The smallest and largest width and height.
_SIDES = (64, 8_000)


class Drawn:
    """A picture as SVG, which a notebook shows in its own theme unless it has one; ``about`` says what it shows."""

    about = ""

    def __init__(self, size: tuple[int, int], theme: str | None) -> None:
        if theme is not None and theme not in _THEMES:
            hint = did_you_mean(theme, _THEMES)
            raise BadInput(f"unknown theme {shown(theme)}{hint}; choose from {', '.join(_THEMES)}")
        try:
            wide, tall = (int(side) for side in size)
        except (TypeError, ValueError):
            raise BadInput(f"must be width and height such as (960, 600), not {shown(size)}", place="size") from None
        if not (_SIDES[0] <= min(wide, tall) and max(wide, tall) <= _SIDES[1]):
            what = f"must be {_SIDES[0]} to {_SIDES[1]} pixels each way, not {wide} x {tall}"
            raise BadInput(what, place="size")
        self._size, self._theme = (wide, tall), theme

    def svg(self, theme: str | None = None) -> str:
        """Return the picture as the text of an SVG file."""
        raise NotImplementedError

    @cached_property
    def _light(self) -> str:
        return self.svg()

    def save(self, path: str | Path) -> Path:
        """Write the picture as an SVG file; return its path.

        Raises:
            LydianError: the name does not end in ``.svg``, or the file cannot be written.
        """
        path = Path(path)
        if path.suffix.lower() != ".svg":
            raise BadInput("the name of a picture must end in .svg; lydian render writes PNG and PDF", file=path)
        write_text(path, self._light)
        return path

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {"image/svg+xml": self._light, "text/html": self._repr_html_(), "text/plain": repr(self)}

    def _repr_html_(self) -> str:
        about = html.escape(self.about)
        if self._theme is not None:
            return f'<img alt="{about}" src="{_address(self._light)}" style="max-width:100%">'
        name = self._name(about)
        where = ",".join(f"{each} #{name} img" for each in _DARK)
        style = f"<style>{where}{{content:url({_address(self.svg('dark'))})}}</style>"
        picture = f'<img alt="{about}" src="{_address(self._light)}" style="max-width:100%">'
        return f'<div id="{name}">{style}{picture}</div>'

    def _name(self, *parts: object) -> str:
        """Return a name that no other picture on the page has."""
        return "ly" + hashlib.sha256(f"{parts}{id(self)}".encode()).hexdigest()[:8]

    def __repr__(self) -> str:
        return f"<{self.about}; save it with save('picture.svg')>"


class Picture(Drawn):
    """Views of a run at one time, as SVG.

    Args:
        timeline: the execution.
        view: the name of a view; several with commas between.
        at: simulated time, a share (``"40%"``), or a condition for the first time it is met; ``None`` for the end.
        size: width and height in pixels.
        theme: ``light``, ``dark`` or ``contrast``; ``None`` for that of the notebook, and light elsewhere.

    Raises:
        LydianError: there is no such view, time, size or theme.
    """

    def __init__(
        self, timeline: Timeline, view: str, at: float | str | None, size: tuple[int, int], theme: str | None
    ) -> None:
        from lydian.views import registry

        views = registry.views_of(view if isinstance(view, str) else [view])
        super().__init__(size, theme)
        self._timeline = timeline
        self._views = views
        self.time = _moment(timeline, at)
        self.about = f"picture of {', '.join(self._views)} at time {self.time:.4g}"

    def svg(self, theme: str | None = None) -> str:
        """Return the picture as the text of an SVG file."""
        from lydian.lab.vector import drawn

        theme = theme or self._theme or "light"
        prefix = self._name(self._views, self.time, self._size, theme)
        return drawn(self._timeline, self._views, self.time, size=self._size, theme=theme, prefix=prefix)


class PlotPicture(Drawn):
    """A plot of the results of many runs, as SVG."""

    def __init__(self, plot: Plot, size: tuple[int, int], theme: str | None) -> None:
        super().__init__(size, theme)
        self._plot = plot
        self.about = f"plot of {plot.title}"

    def svg(self, theme: str | None = None) -> str:
        """Return the plot as the text of an SVG file."""
        from lydian.lab.vector import plotted

        theme = theme or self._theme or "light"
        return plotted(self._plot, size=self._size, theme=theme, prefix=self._name(self.about, self._size, theme))


def _address(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode("ascii")


def _moment(timeline: Timeline, at: float | str | None) -> float:
    """Return a time of a run.

    Raises:
        BadInput: there is no such time, or the condition cannot be read or is never met.
    """
    if at is None:
        return timeline.end
    if isinstance(at, str):
        text = at.strip()
        try:
            return min(float(text[:-1]), 100.0) / 100 * timeline.end if text.endswith("%") else float(text)
        except ValueError:
            from lydian.views.words.asked import first_time

            try:
                return first_time(text, timeline)
            except BadInput as error:
                raise BadInput(str(error), place="at") from None
    if isinstance(at, bool) or not at == at:
        raise BadInput(f"must be a time, a share such as '40%' or a condition, not {shown(at)}", place="at")
    return float(at)
