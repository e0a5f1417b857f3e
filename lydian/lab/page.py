"""What a notebook shows of a run: its numbers, and the page that plays it."""

from __future__ import annotations

import html
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.model.reading import write_text

if TYPE_CHECKING:
    from lydian.lab.execution import Run
    from lydian.trace.timeline import Timeline

__all__ = ["Page", "run_html"]

_MARKS = {True: "✓", False: "✗", None: "○"}


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


def run_html(run: Run) -> str:
    """Return the numbers and the verdicts of a run as HTML."""
    facts = [
        ("messages", f"{run.messages:,}"), ("events", f"{len(run):,}"), ("time", f"{run.time:.4g}"),
        ("chain", f"{run.chain:,}"), ("stopped", run.stopped or ""), ("fingerprint", run.fingerprint[:12]),
    ]  # fmt: skip
    head = "".join(f"<th>{html.escape(name)}</th>" for name, _ in facts)
    body = "".join(f"<td>{html.escape(value)}</td>" for _, value in facts)
    parts = [
        f"<p><b>{html.escape(run._title())}</b></p>",
        f"<table><thead><tr>{head}</tr></thead><tbody><tr>{body}</tr></tbody></table>",
    ]
    parts += [f"<div>{_MARKS[check.holds]} {html.escape(check.name)}</div>" for check in run.checks]
    if run.error is not None:
        parts.append(f"<div>✗ {html.escape(run.error)}</div>")
    return "".join(parts)
