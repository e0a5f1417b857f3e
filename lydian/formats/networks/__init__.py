"""Networks in the files of other programs: GraphML, GML, DOT, edge lists, adjacency matrices, graph6; TikZ to write
only.

LYDIAN's own JSON format (:mod:`lydian.model.network.netfile`) contains everything. GraphML, GML and DOT contain the
same as attributes, an edge list contains the settings of links, and a matrix or graph6 only which processes are linked.
"""

from __future__ import annotations

from pathlib import Path

from lydian.formats.networks.decoding import text_of
from lydian.formats.networks.format import FORMATS, Format, format_of, known, title_of, words_of
from lydian.formats.networks.making import assembled
from lydian.formats.networks.raw import Reading, share, unpaused
from lydian.model.errors import BadInput
from lydian.model.network import Network, netfile
from lydian.model.reading import BadLines, Cancelled, Problem, Watch, at, write_text

__all__ = [
    "FORMATS", "BadLines", "Cancelled", "Format", "Problem", "Reading", "dumps", "format_of", "loads", "read", "save",
    "title_of", "words_of",
]  # fmt: skip

#: The largest size of a file in bytes.
LARGEST = 256_000_000
#: The share of the time that is needed for reading; the rest is for building the network.
_READING = 0.7
#: The number of characters from which on garbage collection would be noticeable.
_LARGE = 1_000_000


def read(path: Path | str, kind: str | None = None, *, skip: bool = False, watch: Watch | None = None) -> Reading:
    """Return the network in a file of any kind.

    Args:
        path: the file.
        kind: a key of :data:`FORMATS`, if the file's name does not determine it.
        skip: leave out lines that cannot be used; they become ``problems`` of the result.
        watch: a function that is called with the progress, 0 to 1, every few milliseconds.

    Raises:
        BadLines: some lines cannot be used, and ``skip`` is not set.
        BadInput: the file cannot be read, or is not of this kind.
        Cancelled: raised by ``watch``.
    """
    text = text_of(path, LARGEST)
    return loads(text, kind or format_of(path, text).name, file=path, skip=skip, watch=watch)


def loads(
    text: str, kind: str, *, file: Path | str | None = None, skip: bool = False, watch: Watch | None = None
) -> Reading:
    """Return the network in a text of a kind; see :func:`read`."""
    if len(text) > _LARGE:
        with unpaused():
            return _loads(text, kind, file, skip, watch)
    return _loads(text, kind, file, skip, watch)


def _loads(text: str, kind: str, file: Path | str | None, skip: bool, watch: Watch | None) -> Reading:
    if kind == "json":
        notes: list[str] = []
        network = netfile.loads(text, file, watch=watch, notes=notes)
        if watch is not None:
            watch(1.0)
        return Reading(network, tuple(notes))
    reads = known(kind).reads
    if reads is None:
        raise BadInput(f"{FORMATS[kind].title} can be written, but not read", file=file)
    name = Path(file).stem if file is not None else "network"
    with at(file):
        raw = reads(text.removeprefix("\ufeff"), share(watch, 0.0, _READING))
        if isinstance(raw, Network):
            reading = Reading(raw if raw.name else raw.replace(name=name))
        else:
            reading = assembled(raw, name, file, skip=skip, watch=share(watch, _READING, 1.0))
    if watch is not None:
        watch(1.0)
    return reading


def dumps(network: Network, kind: str) -> str:
    """Return a network as a text of a kind.

    Raises:
        BadInput: the kind is unknown or cannot express this network.
    """
    writes = known(kind).writes
    if writes is None:
        raise BadInput(f"{FORMATS[kind].title} can be read, but not written")
    return writes(network)


def save(network: Network, path: Path | str, kind: str | None = None) -> None:
    """Write a network to a file, completely or not at all; the extension determines the kind.

    Raises:
        BadInput: the kind is unknown or cannot express this network, or the file cannot be written.
    """
    kind = kind or format_of(path).name
    with at(path):
        text = dumps(network, kind)
    write_text(path, text)
