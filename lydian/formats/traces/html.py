"""HTML: a page that plays the run by itself, without an internet connection, for lecture notes and hand-ins."""

from __future__ import annotations

from typing import IO

from lydian.formats.traces import FORMATS, TraceFormat, Watch
from lydian.language import later
from lydian.plugins import ours
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline

__all__ = ["write"]


def write(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    """Write the page.

    Raises:
        BadInput: the run is too long for a page.
    """
    text = ours("lydian.views.page.page:page")(Timeline(trace))
    if watch is not None:
        watch(0.9)  # nothing is written after a cancellation
    file.write(text)


FORMATS.register(
    TraceFormat(
        "html", later("Page that plays (HTML)"), later("Pages"),
        later("Save the run as one page that plays in every browser"), later("a page that plays"),
        (".html", ".htm"), ".html", write, rb"\A\s*<", animated=True,
    )
)  # fmt: skip
