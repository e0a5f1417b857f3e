"""The kinds of network files: their names, extensions and beginnings, and their readers and writers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lydian.formats.networks.raw import Raw
from lydian.language import translated
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.network import Network
from lydian.model.reading import Watch
from lydian.plugins import Registry

__all__ = ["FORMATS", "Format", "format_of", "known", "title_of", "words_of"]


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes:
        name: its short name: ``"graphml"``.
        title: its name in menus: "GraphML".
        suffixes: its extensions, the usual one first.
        reads: a function from text to its content, or to the network, which may lack a name; ``None`` if this kind
            cannot be read. ``json``, LYDIAN's own format, has a separate reader.
        writes: a function from a network to text; ``None`` if this kind cannot be written.
        keeps: what a file of this kind contains of a network: ``"everything"``, ``"links"``, ``"shape"`` or
            ``"drawing"``.
        begins: an expression that is found near the beginning of such files and no others; empty if there is none.
        words: its name in a sentence: "edge list"; by default its title without the part in parentheses.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: Callable[[str, Watch | None], Raw | Network] | None
    writes: Callable[[Network], str] | None
    keeps: str = "everything"
    begins: str = ""
    words: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", self.words or self.title.partition(" (")[0])

    @property
    def readable(self) -> bool:
        """Whether a network can be read from such a file."""
        return self.reads is not None or self.name == "json"

    def begun(self, text: str) -> bool:
        """Return True if a text begins like a file of this kind."""
        return bool(self.begins) and re.search(self.begins, text.lstrip()[:4000]) is not None


#: The kinds of files by name, with LYDIAN's own JSON format first.
FORMATS: Registry[Format] = Registry(
    "lydian.formats",
    Format,
    {"json": "lydian.formats.networks.ours"}
    | {
        name: f"lydian.formats.networks.{name}"
        for name in ("graphml", "gml", "dot", "edges", "matrix", "graph6", "tikz")
    },
)


def title_of(form: Format) -> str:
    """Return the name of a format in menus, in the language of the window."""
    return translated(form.title)


def words_of(form: Format) -> str:
    """Return the name of a format in a sentence, in the language of the window."""
    return translated(form.words)


def format_of(path: Path | str, text: str = "") -> Format:
    """Return the kind of a file, by its extension or, if that is unknown, by its beginning.

    Raises:
        BadInput: it is none of them.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    everything = list(FORMATS.values())
    for fits in (lambda each: suffix in each.suffixes, lambda each: each.begun(text)):
        found = next(filter(fits, everything), None)
        if found is not None:
            return found
    endings = [end for each in everything for end in each.suffixes]
    wrong = f", not {shown(suffix)}{did_you_mean(suffix, endings)}" if suffix else ""
    raise BadInput(f"a network's file must end in {', '.join(endings)}{wrong}", file=path)


def known(kind: str) -> Format:
    """Return the kind of file of this name.

    Raises:
        BadInput: there is no such kind.
    """
    if kind not in FORMATS:
        raise BadInput(
            f"unknown kind of file {shown(kind)}{did_you_mean(kind, FORMATS)}; choose from {', '.join(FORMATS)}"
        )
    return FORMATS[kind]
