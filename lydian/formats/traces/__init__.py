"""Formats in which traces are written for other programs and for readers; each format is a module in this folder.

Every file is first written beside its final place, and moved there when it is complete.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from lydian.language import translated
from lydian.model.errors import BadInput, did_you_mean
from lydian.plugins import Registry

if TYPE_CHECKING:
    from lydian.trace.events import Trace

__all__ = ["FORMATS", "TraceFormat", "Watch", "export", "in_language"]

#: A function that is called with the progress.
Watch = Callable[[float], None] | None


@dataclass(frozen=True)
class TraceFormat:
    """A format in which traces can be written.

    Attributes:
        name: its name on the command line: ``"csv"``.
        title: its name in menus: "CSV".
        files: the name of such files in the file chooser: "Tables".
        about: a description of what is saved, without a full stop.
        words: one such file in words: "a trace as CSV".
        endings: the extensions of such files, the usual one first.
        beside: the end of the name of a file that is written beside the trace if no name is given.
        writes: a function that writes a trace to a file; it calls the watch regularly.
        begins: an expression that is found near the beginning of such files and no others.
        animated: whether it shows the run as its animation does, like a movie; it is then offered together with movies.
    """

    name: str
    title: str
    files: str
    about: str
    words: str
    endings: tuple[str, ...]
    beside: str
    writes: Callable[[Trace, IO[str], Watch], None]
    begins: bytes = b""
    animated: bool = False


#: The formats by name, in the order in which they are offered.
FORMATS: Registry[TraceFormat] = Registry(
    "lydian.formats",
    TraceFormat,
    {name: f"lydian.formats.traces.{name}" for name in ("csv", "json", "shiviz", "perfetto", "otlp", "itf", "html")},
)


def in_language(form: TraceFormat) -> TraceFormat:
    """Return a format with its texts in the language of the window."""
    return replace(
        form, title=translated(form.title), files=translated(form.files), about=translated(form.about),
        words=translated(form.words),
    )  # fmt: skip


def export(trace: Trace, path: Path | str, to: str, watch: Callable[[float], None] | None = None) -> None:
    """Write a trace in another format.

    Args:
        to: one of :data:`FORMATS`.
        watch: a function that is called regularly with the progress; if it raises an exception, nothing is written.

    Raises:
        BadInput: there is no such format, or the file cannot be written; an existing file is then kept.
    """
    if to not in FORMATS:
        raise BadInput(f"unknown format '{to}'{did_you_mean(to, FORMATS)}; choose from {', '.join(FORMATS)}")
    path = Path(path)
    if path.is_dir():
        raise BadInput("is a folder; the export needs the name of a file", file=path)
    part: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        part = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            FORMATS[to].writes(trace, file, watch)
        part.chmod(0o666 & ~_umask())
        part.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(f"cannot be written: {reason[:1].lower()}{reason[1:]}", file=path) from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
