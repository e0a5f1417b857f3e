"""Detection of the kind of a file (experiment, network, trace or protocol) by its content rather than its name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lydian.formats.networks.format import FORMATS
from lydian.model.errors import BadInput
from lydian.model.protocol.folder import holds_python
from lydian.model.reading import read_text

__all__ = ["KINDS", "kind_of", "seems"]

#: The kinds of file.
KINDS = ("experiment", "network", "trace", "protocol", "hand-in")
_MOST_BYTES = 64_000_000
#: A line of Python that imports something from LYDIAN; a sentence that contains the same words does not match.
_IMPORTS = re.compile(r"^[ \t]*(from[ \t]+lydian[\w.]*[ \t]+import\b|import[ \t]+lydian\b)", re.MULTILINE)
#: A host and its vector clock, as ShiViz and GoVector log them, possibly after other text.
_CLOCK = re.compile(r"^.*\S\s+\{\s*\"[^\"]+\"\s*:\s*\d+[^{}]*\}", re.MULTILINE)
#: A line of a log that begins with a date, a time or a level.
_LOGGED = re.compile(
    r"^\s*(\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|\d{10,13}[.\s]|\[?(DEBUG|INFO|WARN|WARNING|ERROR)\b)", re.MULTILINE
)
#: The first bytes of binary files -> a description of the file.
_MAGIC = (
    (b"\x89PNG", "a PNG picture"), (b"\xff\xd8\xff", "a JPEG picture"), (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF"), (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive; unpack it first"), (b"SQLite format 3", "an SQLite database"),
    (b"\x7fELF", "a program"), (b"MZ", "a program"), (b"ARROW1", "an Arrow file; traces are Parquet files"),
)  # fmt: skip
#: A line of an edge list: two names, and possibly a number.
_EDGE = re.compile(r"^[\w.-]+[ \t,;]+[\w.-]+([ \t,;]+[\d.eE+-]+)?[ \t]*$", re.MULTILINE)
#: Extensions that do not indicate the kind of a text.
_TEXTS = (".txt", ".log", ".md", ".dat")
_OPENS = "choose an experiment, a network, a trace or a protocol"


def _is_network(text: str, suffix: str) -> bool:
    """Return True for a network of another program, which is recognised by its extension or its beginning."""
    known = [each for each in FORMATS.values() if each.readable]
    if any(suffix in each.suffixes for each in known if suffix not in _TEXTS):
        return True
    if suffix == ".txt" and len(_EDGE.findall(text[:2_000])) == len(text[:2_000].strip().splitlines()) > 1:
        return True
    return any(each.begun(text) for each in known)


def seems(text: str, suffix: str = "") -> str:
    """Describe what a text that is not a file of LYDIAN seems to be, and what to do with it; empty if unknown.

    Args:
        text: the content.
        suffix: the extension of the file, in lower case, with its dot.
    """
    some = text[:20_000]
    words = some.lstrip().lower()
    if _CLOCK.search(some):
        return (
            "this seems to be the log of a distributed system, with vector clocks; lydian trace import FILE "
            "converts it to a trace that opens in all views"
        )
    if suffix == ".log" or len(_LOGGED.findall(some)) > 1:
        return (
            "this seems to be a log without vector clocks; lydian trace import FILE --regex R reads it if its lines "
            "name sender, receiver and message (lydian trace import --help)"
        )
    if words.startswith(("<!doctype html", "<html")):
        return f"this seems to be a web page; {_OPENS}"
    if words.startswith("<svg") or "<svg " in words[:400]:
        return f"this seems to be an SVG picture; {_OPENS}"
    if words.startswith("<?xml"):
        return f"this seems to be an XML file; {_OPENS}"
    if suffix in (".md", ".rst", ".tex"):
        return f"this seems to be plain text; {_OPENS}"
    if suffix in (".csv", ".tsv"):
        return f"this seems to be a table; {_OPENS}"
    if suffix in (".yaml", ".yml"):
        return f"this seems to be YAML, but experiments are written in TOML; {_OPENS}"
    return ""


@contextmanager
def _guessing(path: Path) -> Iterator[None]:
    """Describe a file that cannot be read as text by its first bytes, if these identify it."""
    try:
        yield
    except BadInput:
        begin = b""
        try:
            if path.is_file():  # opening a pipe may block for ever
                with path.open("rb") as stream:
                    begin = stream.read(16)
        except OSError:
            pass
        found = next((what for magic, what in _MAGIC if begin.startswith(magic)), "")
        if begin[:2] in (b"\xff\xfe", b"\xfe\xff") and begin[2:].count(0) >= 4:
            found = "text in UTF-16; save it as UTF-8"
        elif begin[4:8] == b"ftyp":
            found = "an MP4 movie"
        if not found:
            raise
        raise BadInput(f"this seems to be {found}; {_OPENS}", file=path) from None


def kind_of(path: Path) -> str:
    """Return ``experiment``, ``network``, ``trace``, ``protocol`` or ``hand-in``, depending on the content of the file.

    Raises:
        BadInput: the file is missing, empty, binary, or none of these.
    """
    if holds_python(path):
        return "protocol"
    try:
        if path.is_file():
            with path.open("rb") as stream:
                if stream.read(4) == b"PAR1":
                    return "trace"
    except OSError:
        pass  # read_text reports what is wrong
    from lydian.model.archive.handin import is_hand_in

    if is_hand_in(path):
        return "hand-in"
    with _guessing(path):
        text = read_text(path, "an experiment, a network, a trace or a protocol", _MOST_BYTES)
    words = text.lstrip()
    suffix = path.suffix.lower()
    if words.startswith("{"):
        return "network"
    if suffix == ".py" or _IMPORTS.search(text):
        return "protocol"
    if suffix == ".toml" or any(line.split("=")[0].strip() == "protocol" for line in text.splitlines()):
        return "experiment"
    if suffix == ".json":
        return "network"
    if _is_network(text, suffix):
        return "network"
    guess = seems(text, suffix)
    if guess:
        raise BadInput(guess.replace("FILE", shlex.quote(str(path))), file=path)
    raise BadInput(
        "this is not an experiment (TOML with protocol = ...), a network (JSON), a trace (Parquet) "
        "or a protocol (Python with from lydian import ...)",
        file=path,
    )
