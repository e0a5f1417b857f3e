"""The page that plays a run, inline in a notebook."""

from __future__ import annotations

import html
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.model.reading import write_text

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = ["Page"]


class Page:
    """The page that plays a run by itself: in a notebook inline, several on one page, without network access.

    Raises:
        LydianError: the run has too many events for a page.
    """

    def __init__(self, timeline: Timeline, height: int) -> None:
        from lydian.views.page.page import page

        self.html = page(timeline)
        self._height = height

    @cached_property
    def _frame(self) -> str:
        inner = html.escape(self.html, quote=True)
        style = f"width:100%;height:{int(self._height)}px;border:0;color:inherit"
        return f'<iframe srcdoc="{inner}" style="{style}" title="LYDIAN" loading="lazy"></iframe>'

    def _repr_html_(self) -> str:
        return self._frame

    def __repr__(self) -> str:
        return f"<page of {len(self.html) // 1000:,} kB that plays a run; save it with save('run.html')>"

    def save(self, path: str | Path) -> Path:
        """Write the page as a file that any browser opens; return its path.

        Raises:
            LydianError: the file cannot be written.
        """
        write_text(Path(path), self.html)
        return Path(path)
