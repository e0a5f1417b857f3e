"""What a trace is written as, for other programs and for people: each format a file of its own in this folder.

Every file is written beside its place and put there when it is whole.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from lydian.model.errors import BadInput, did_you_mean
from lydian.plugins import Registry

if TYPE_CHECKING:
    from lydian.trace.events import Trace

__all__ = ["FORMATS", "TraceFormat", "Watch", "export"]

#: Told how far it is.
Watch = Callable[[float], None] | None


@dataclass(frozen=True)
class TraceFormat:
    """A format in which traces can be written.

    Attributes:
        name: as on the command line: ``"csv"``.
        title: for a menu: "CSV".
        files: what the file chooser calls such files: "Tables".
        about: what is saved, a sentence without a full stop.
        words: what one is: "a trace as CSV".
        endings: how its files end, the usual one first.
        beside: how the name of one ends that is written beside the trace without being given a name.
        writes: puts a trace into a file; it calls the watch now and then.
        begins: an expression that is found near the beginning of such a file and of no other.
        animated: whether it shows the run as its animation draws it, like a movie, beside which it is offered then.
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
    {name: f"lydian.formats.traces.{name}" for name in ("csv", "json", "shiviz", "perfetto", "html")},
)


def export(trace: Trace, path: Path | str, to: str, watch: Callable[[float], None] | None = None) -> None:
    """Write a trace in another format.

    Args:
        to: one of :data:`FORMATS`.
        watch: told now and then which share is written; what it raises ends the work, and nothing is left.

    Raises:
        BadInput: there is no such format, or the file cannot be written; what was there before is still there.
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
