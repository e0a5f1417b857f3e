"""Networks in the files of other programs: GraphML, GML, DOT, edge lists, adjacency matrices, graph6; TikZ to write.

Our own JSON (:mod:`lydian.model.network.netfile`) holds everything.  GraphML, GML and DOT hold it as attributes, an
edge list what links have of their own, a matrix and graph6 only who is joined with whom.
"""

from __future__ import annotations

from pathlib import Path

from lydian.formats.networks.decoding import text_of
from lydian.formats.networks.format import FORMATS, Format, format_of, known
from lydian.formats.networks.making import assembled
from lydian.formats.networks.raw import Reading, share, unpaused
from lydian.model.errors import BadInput
from lydian.model.network import Network, netfile
from lydian.model.reading import BadLines, Cancelled, Problem, Watch, at, write_text

__all__ = [
    "FORMATS", "BadLines", "Cancelled", "Format", "Problem", "Reading", "dumps", "format_of", "loads", "read", "save",
]  # fmt: skip

#: Bytes of the largest file that is read.
LARGEST = 256_000_000
#: The share of the time that reading takes; making the network takes the rest.
_READING = 0.7
#: Characters from which on the search for garbage would be felt.
_LARGE = 1_000_000


def read(path: Path | str, kind: str | None = None, *, skip: bool = False, watch: Watch | None = None) -> Reading:
    """The network in a file of any kind.

    Args:
        path: the file.
        kind: a key of :data:`FORMATS`, if the file's name does not say it.
        skip: leave out lines that cannot be used; they are ``problems`` of the result.
        watch: told how far it is, 0 to 1, every few milliseconds.

    Raises:
        BadLines: some lines cannot be used, and ``skip`` is not set.
        BadInput: the file cannot be read, or is not of this kind.
        Cancelled: by ``watch``.
    """
    text = text_of(path, LARGEST)
    return loads(text, kind or format_of(path, text).name, file=path, skip=skip, watch=watch)


def loads(
    text: str, kind: str, *, file: Path | str | None = None, skip: bool = False, watch: Watch | None = None
) -> Reading:
    """The network in a text of a kind; see :func:`read`."""
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
    """A network as a text of a kind.

    Raises:
        BadInput: the kind is unknown or cannot hold this network.
    """
    writes = known(kind).writes
    if writes is None:
        raise BadInput(f"{FORMATS[kind].title} can be read, but not written")
    return writes(network)


def save(network: Network, path: Path | str, kind: str | None = None) -> None:
    """Write a network to a file, whole or not at all; the kind follows from the file's name.

    Raises:
        BadInput: the kind is unknown or cannot hold this network, or the file cannot be written.
    """
    kind = kind or format_of(path).name
    with at(path):
        text = dumps(network, kind)
    write_text(path, text)
