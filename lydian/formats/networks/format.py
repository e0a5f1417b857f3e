"""The kinds of network files: what each is called, how its files end and begin, what reads and writes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lydian.formats.networks.raw import Raw
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.network import Network
from lydian.model.reading import Watch
from lydian.plugins import Registry

__all__ = ["FORMATS", "Format", "format_of", "known"]


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes:
        name: short: ``"graphml"``.
        title: for a menu: "GraphML".
        suffixes: how its files end, the usual one first.
        reads: from text to what it says, or to the network, which may leave its name to the file; ``None`` if it cannot
            be read; ``json``, our own, has a reader of its own.
        writes: from a network to text, ``None`` if it cannot be written.
        keeps: what a file of this kind holds of a network: ``"everything"``, ``"links"``, ``"shape"`` or ``"drawing"``.
        begins: an expression that is found near the beginning of such a file and of no other; empty if nothing is.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: Callable[[str, Watch | None], Raw | Network] | None
    writes: Callable[[Network], str] | None
    keeps: str = "everything"
    begins: str = ""

    @property
    def readable(self) -> bool:
        """Whether a network can be had from such a file."""
        return self.reads is not None or self.name == "json"

    @property
    def words(self) -> str:
        """What it is called in a sentence: "edge list"."""
        title = self.title.partition(" (")[0]
        return title.lower() if title[1:].islower() else title

    def begun(self, text: str) -> bool:
        """Whether a text begins as a file of this kind does."""
        return bool(self.begins) and re.search(self.begins, text.lstrip()[:4000]) is not None


#: The kinds of files, by name; our own JSON first.
FORMATS: Registry[Format] = Registry(
    "lydian.formats",
    Format,
    {"json": "lydian.formats.networks.ours"}
    | {
        name: f"lydian.formats.networks.{name}"
        for name in ("graphml", "gml", "dot", "edges", "matrix", "graph6", "tikz")
    },
)


def format_of(path: Path | str, text: str = "") -> Format:
    """The kind of a file, by how it ends and, if that says nothing, by how it begins.

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
    """The kind of file of this name.

    Raises:
        BadInput: there is none.
    """
    if kind not in FORMATS:
        raise BadInput(
            f"unknown kind of file {shown(kind)}{did_you_mean(kind, FORMATS)}; choose from {', '.join(FORMATS)}"
        )
    return FORMATS[kind]
