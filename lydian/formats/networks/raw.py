"""What a file of another program says of a network: processes, links and attributes, with the lines they stand in.

The readers of :mod:`lydian.formats.networks` collect it; :mod:`lydian.formats.networks.making` makes the network.
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
#: Lines, links or processes between two looks at the watch: a few milliseconds.
EVERY = 1_000
#: The attributes of whatever has none; one object for a million links.
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Reading:
    """A network from a file.

    Attributes:
        network: what was understood.
        notes: sentences on what was left out or changed ("3 links from a process to itself are left out").
        problems: lines that cannot be used and were skipped, if that was asked for.
    """

    network: Network
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass
class Raw:
    """A network as it stands in a file.

    Attributes:
        directed: whether links are directed that do not say otherwise.
        graph: attributes of the whole.
        processes: name -> (attributes, line).
        links: (from, to, directed or ``None``, attributes, line).
        flip: y grows upwards in this format.
        problems: lines that were no processes and no links.
        listed: whether all processes are listed, so that a link to another one is a mistake.
        groups: names of what holds processes and is none itself.
        ignored: what else was found and has no meaning here.
        notes: sentences on what the reader made of the file.
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
    """The items, one after the other; ``watch`` is told every few milliseconds what share of them there was."""
    if watch is None:
        yield from items
        return
    many = len(items)
    for start in range(0, many, EVERY):
        watch(start / many)
        yield from items[start : start + EVERY]


def share(watch: Watch | None, start: float, end: float) -> Watch | None:
    """A watch for a part of the work, which takes the whole from ``start`` to ``end``."""
    if watch is None:
        return None
    told = watch
    return lambda part: told(start + (end - start) * min(part, 1.0))


@contextmanager
def unpaused() -> Iterator[None]:
    """Without the search for garbage in cycles: among a million links it holds everybody up for a third of a second,
    again and again, and what is read has no cycles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
