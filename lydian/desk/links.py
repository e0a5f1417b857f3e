"""Links that open a run in the program: ``lydian://two-wings?seed=7`` or ``lydian://open?file=/tmp/run.parquet&event=5``.

A link only opens: it never runs code that the user has not accepted, and it names files of this computer only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from urllib.request import url2pathname

from lydian.model.errors import BadInput, did_you_mean, shown

__all__ = ["SCHEME", "Link", "is_link", "read_link"]

SCHEME = "lydian"
_KEYS = ("file", "event", "seed")
#: The longest link that is read.
_LONGEST = 4_000


@dataclass(frozen=True)
class Link:
    """What a link opens: a file or an experiment in the archive, with another seed or at an event if it says so."""

    file: Path | None = None
    experiment: str = ""
    event: int | None = None
    seed: int | None = None


def is_link(text: str) -> bool:
    """Return True if a text is a link rather than the path of a file."""
    return text.startswith((f"{SCHEME}:", "file://"))


def read_link(text: str) -> Link:
    """Return what a link opens; a ``file://`` address is that of a file.

    Raises:
        BadInput: the link is not one of the forms above.
    """
    if len(text) > _LONGEST:
        raise BadInput(f"the link has {len(text):,} characters; at most {_LONGEST:,} are read")
    parts = urlsplit(text)
    if parts.scheme == "file":
        if parts.netloc not in ("", "localhost"):
            raise BadInput(f"{shown(text)} names a file of another computer; copy it to this one")
        return Link(Path(url2pathname(parts.path)))
    given = parse_qs(parts.query, keep_blank_values=True)
    for key, values in given.items():
        if key not in _KEYS:
            hint = f"{did_you_mean(key, _KEYS)}; choose from {', '.join(_KEYS)}"
            raise BadInput(f"unknown {shown(key)} in the link{hint}")
        if len(values) > 1:
            raise BadInput(f"the link has {key} more than once; it must have it once")
    numbers = {key: _number(key, given[key][0]) for key in ("event", "seed") if key in given}
    name = unquote(parts.netloc + parts.path).strip("/")
    if name == "open":
        if "file" not in given or not Path(given["file"][0]).is_absolute():
            raise BadInput("the link must name a file by its whole path, as in lydian://open?file=/runs/run.parquet")
        return Link(Path(given["file"][0]), "", numbers.get("event"))
    if not name or "file" in given:
        raise BadInput(f"{shown(text)} is not a link of LYDIAN; write lydian://two-wings or lydian://open?file=/...")
    return Link(None, name, numbers.get("event"), numbers.get("seed"))


def _number(key: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 15:
        raise BadInput(f"{key} in the link must be a whole number, not {shown(text)}")
    return int(text)
