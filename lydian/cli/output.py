"""A file that a command writes: the ending of its name determines its kind, and a file of another kind is never
overwritten.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.model.errors import BadInput, LydianError

if TYPE_CHECKING:
    from lydian.trace.events import Trace

__all__ = [
    "EXPERIMENT", "HAND_IN", "NETWORK", "PICTURE", "PLOT", "RECORD", "REPORT", "RUNS", "TRACE", "Kind", "output",
    "saved",
]  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """A kind of output file.

    Attributes:
        endings: the endings of its names, the usual one first.
        sentence: the error for a name with another ending.
        begins: a text near the beginning of such a file, if the ending alone does not identify it.
    """

    endings: tuple[str, ...]
    sentence: str
    begins: bytes = b""


#: The number of bytes that are examined.
_HEAD = 65_536
#: The beginnings of files whose ending determines their kind.
_MAGIC = {
    ".parquet": rb"\APAR1", ".html": rb"\A\s*<", ".htm": rb"\A\s*<", ".svg": rb"\A\s*<", ".pdf": rb"\A%PDF",
    ".png": rb"\A\x89PNG", ".gif": rb"\AGIF8", ".mp4": rb"\A.{4}ftyp", ".lydian": rb"\APK\x03\x04",
    ".wav": rb"\ARIFF.{4}WAVE",
}  # fmt: skip

TRACE = Kind((".parquet",), "the name of a trace must end in .parquet")
REPORT = Kind((".html", ".htm"), "the name of a report must end in .html")
HAND_IN = Kind((".lydian",), "the name of a hand-in must end in .lydian")
EXPERIMENT = Kind(
    (".toml",),
    "the name of an experiment must end in .toml",
    # before any table, because a sweep may have such a line inside a table
    rb"\A(?:(?!^[ \t]*\[).)*?^[ \t]*protocol[ \t]*=",
)
PICTURE = Kind(
    (".png", ".svg", ".pdf", ".mp4", ".gif", ".wav"),
    "the name of a picture must end in .png, .svg or .pdf, that of a movie in .mp4 or .gif, that of a sound in .wav",
)
PLOT = Kind(
    (".svg", ".pdf", ".png", ".csv"),
    "the name of a plot must end in .svg, .pdf, .png or .csv",
    rb"\A(?!seq,)\"?[A-Za-z]",
)
RECORD = Kind((".json",), "the name of a record must end in .json", rb"\A\s*\{\s*\"format\":\s*\"lydian-components\"")
RUNS = Kind((".csv",), "the name of a table of runs must end in .csv", rb"\A\"?run\"?,")
#: Its endings are those of :func:`lydian.formats.networks.format_of` and of drawings.
NETWORK = Kind((), "")


def output(given: str | Path, kind: Kind, option: str = "-o") -> Path:
    """Return the path of the file to write; errors are found before a long run rather than after it.

    Raises:
        BadInput: the name does not fit, the file exists and is of another kind, or its folder cannot be written to.
    """
    path = Path(given)
    if path.is_dir():
        example = f"run{kind.endings[0]}" if kind.endings else "ring.json"
        raise BadInput(f"this is a folder; give a file such as {example}", file=path, place=option)
    ending = path.suffix.lower()
    if kind.endings and ending not in kind.endings:  # a slip would overwrite an experiment
        raise BadInput(kind.sentence, file=path, place=option)
    if not path.parent.is_dir():
        raise BadInput("its folder does not exist; create it first", file=path, place=option)
    if not os.access(path.parent, os.W_OK):
        raise BadInput("its folder cannot be written to; choose another one", file=path, place=option)
    if path.is_file() and not _of_this_kind(path, kind):
        raise BadInput(
            "this file already exists and is of another kind; choose another name",
            file=path, place=option,
        )  # fmt: skip
    return path


def _of_this_kind(path: Path, kind: Kind) -> bool:
    """Return whether an existing file is of the kind that would replace it; an empty file may always be replaced."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return False
    if not head.strip():
        return True
    magic = _MAGIC.get(path.suffix.lower()) or kind.begins
    if magic:
        return re.search(magic, head, re.DOTALL | re.MULTILINE) is not None
    from lydian.formats.networks import format_of, read

    try:
        known = format_of(path)
        if not known.readable:
            return known.begun(head.decode("utf-8", "replace"))
        read(path)
    except BadInput:
        return False
    return True


def saved(trace: Trace, target: Path | None, how: Callable[[Trace, Path], object] | None = None) -> LydianError | None:
    """Write the trace or its page (``how``), if requested; return the reason if it cannot be written."""
    if target is not None:
        from lydian.trace.parquet.file import save

        try:
            (how or save)(trace, target)
        except LydianError as error:
            return error
    return None
