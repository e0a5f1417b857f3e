"""The content of another program's file as it was read: processes, links and attributes, with their lines.

The readers of :mod:`lydian.formats.networks` collect it; :mod:`lydian.formats.networks.making` builds the network.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from lydian.model.network import Network
from lydian.model.reading import Problem, Watch

__all__ = ["EVERY", "NOTHING", "Raw", "Reading", "share", "unpaused", "watched"]

_Item = TypeVar("_Item")
#: The number of lines, links or processes between two calls of the watch, which is a few milliseconds.
EVERY = 1_000
#: The attributes of everything that has none; a single object for a million links.
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Reading:
    """A network from a file.

    Attributes:
        network: the network that was read.
        notes: sentences about what was left out or changed ("3 links from a process to itself are left out").
        problems: lines that cannot be used and were skipped, if that was requested.
    """

    network: Network
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass
class Raw:
    """The content of a network's file.

    Attributes:
        directed: whether links are directed by default.
        graph: attributes of the network as a whole.
        processes: name -> (attributes, line).
        links: (from, to, directed or ``None``, attributes, line).
        flip: whether y grows upwards in this format.
        problems: lines that are neither processes nor links.
        listed: whether all processes are listed, so that a link to any other is an error.
        groups: the names of groups, which contain processes and are not processes themselves.
        ignored: anything else that was found and has no meaning in LYDIAN.
        notes: sentences about how the reader interpreted the file.
    """

    directed: bool = False
    graph: dict[str, Any] = field(default_factory=dict)
    processes: dict[str, tuple[Mapping[str, Any], int]] = field(default_factory=dict)
    links: list[tuple[str, str, bool | None, Mapping[str, Any], int]] = field(default_factory=list)
    flip: bool = False
    problems: list[Problem] = field(default_factory=list)
    listed: bool = True
    groups: set[str] = field(default_factory=set)
    ignored: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)


def watched(items: Sequence[_Item], watch: Watch | None) -> Iterator[_Item]:
    """Yield the items one after the other; ``watch`` is called every few milliseconds with the progress."""
    if watch is None:
        yield from items
        return
    many = len(items)
    for start in range(0, many, EVERY):
        watch(start / many)
        yield from items[start : start + EVERY]


def share(watch: Watch | None, start: float, end: float) -> Watch | None:
    """Return a watch for a part of the work, which covers the progress from ``start`` to ``end``."""
    if watch is None:
        return None
    told = watch
    return lambda part: told(start + (end - start) * min(part, 1.0))


@contextmanager
def unpaused() -> Iterator[None]:
    """Disable the collection of cyclic garbage: with a million links it repeatedly blocks the program for a third of a
    second, and the data that are read have no cycles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
