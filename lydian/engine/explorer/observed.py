"""The variables that properties read, and the judgement of each combination of their values only once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lydian.model.protocol.process import Process

if TYPE_CHECKING:
    from lydian.engine.explorer.local import Situations
    from lydian.engine.explorer.seen import Judge, Seen
    from lydian.model.protocol.properties import Property

__all__ = ["Observed"]

#: The number of judgements after which it is decided whether remembering them pays.
_TRIAL = 2000
#: The most combinations of values that are remembered, which bounds the memory.
_MOST = 10_000
#: The most combinations that may be possible if they are to be numbered.
_MOST_CODES = 2**62


@contextmanager
def _recording(reads: Callable[[int, str], object]) -> Iterator[None]:
    """Report each attribute of a process that is read: the number of the process and the name."""
    read = object.__getattribute__

    def recorded(self: object, name: str) -> Any:
        reads(read(self, "_i"), name)
        return read(self, name)

    Process.__getattribute__ = recorded  # type: ignore[method-assign]
    try:
        yield
    finally:
        del Process.__getattribute__


class Observed:
    """The judgement of ``always`` properties, by what they read.

    The result of a property depends only on what it reads. So the variables that are read are recorded, and the
    properties are judged only once for each combination of their values.

    Args:
        judge: the judge.
        seen: the configuration that properties read.
        situations: the situations of each process.
        whole: whether everything about the processes is taken to be read, so that nothing need be recorded.

    Attributes:
        version: a number that grows whenever a property reads something that no property has read before.
        flights: whether a property reads the messages in transit.
    """

    def __init__(self, judge: Judge, seen: Seen, situations: list[Situations], whole: bool = False) -> None:
        self._judge, self._seen, self._situations = judge, seen, situations
        self._reads: list[set[str]] = [set() for _ in situations]
        self._said = False
        self.version = 0
        self.flights = False
        self._values: list[dict[Any, int]] = []
        self._classes: list[list[int]] = []
        self._good: set[tuple[int, ...]] = set()
        self._judged = self._asked = 0
        self._plain = False
        self._forget()
        if whole:
            self._assume_everything()

    def failing(self, properties: list[Property], key: tuple[int, ...]) -> list[Property]:
        """Return the properties that do not hold, or cannot be judged, in a configuration."""
        if self.flights:
            return self._judge.failing(properties, key)
        values = tuple(map(self._class, range(len(self._situations)), key))
        self._asked += 1
        if values in self._good:
            return []
        self._judged += 1
        bad = self._judge.failing(properties, key) if self._plain else self._recorded(properties, key)
        self._note()
        if not bad and not self.flights:
            if len(self._good) >= _MOST:
                self._good.clear()
            self._good.add(tuple(map(self._class, range(len(self._situations)), key)))
        if self._judged == _TRIAL and self._asked < 2 * _TRIAL and not self._plain:
            self._assume_everything()  # nearly every configuration differs in what is read
        return bad

    def unknown(self, rows: npt.NDArray[np.int32]) -> Sequence[int]:
        """Return the positions of the configurations of which it is not known that all properties hold."""
        if self.flights or not self._good:
            return range(len(rows))
        sizes, codes = 1, np.zeros(len(rows), np.int64)
        for i, (column, each) in enumerate(zip(rows.T, self._situations, strict=False)):
            self._class(i, len(each.views) - 1)
            size = len(self._values[i])
            sizes *= size
            if sizes > _MOST_CODES:
                return range(len(rows))
            codes = codes * size + np.array(self._classes[i], np.int64)[column]
        _, first, each_of = np.unique(codes, return_index=True, return_inverse=True)
        n = len(self._situations)
        good = [tuple(map(self._class, range(n), key)) in self._good for key in rows[first].tolist()]
        found: list[int] = np.flatnonzero(~np.array(good, bool)[each_of]).tolist()
        self._asked += len(rows) - len(found)
        return found

    def known(self) -> list[list[int]] | None:
        """Return for each process the class of each situation; ``None`` if every change is visible."""
        if self.flights:
            return None
        for i, each in enumerate(self._situations):
            self._class(i, len(each.views) - 1)
        return [list(each) for each in self._classes]

    def _assume_everything(self) -> None:
        """Assume that everything about the processes is read."""
        self._plain = self._said = True
        for each, reads in zip(self._situations, self._reads, strict=True):
            reads.update(each.facts)
        self._forget()

    def visible(self, i: int, before: int, after: int) -> bool:
        """Return True if a property may read a difference between two situations of process i."""
        return self.flights or self._class(i, before) != self._class(i, after)

    def _recorded(self, properties: list[Property], key: tuple[int, ...]) -> list[Property]:
        found: set[tuple[int, str]] = set()
        with _recording(lambda i, name: found.add((i, name))):
            bad = self._judge.failing(properties, key)
        new = [(i, name) for i, name in found if name in self._situations[i].facts and name not in self._reads[i]]
        for i, name in new:
            self._reads[i].add(name)
        if new:
            self._forget()
        return bad

    def _note(self) -> None:
        """Note whether decisions, deliveries or messages in transit have been read."""
        if self._seen.flown and not self.flights:
            self.flights = True
            self.version += 1
        if self._seen.heard and not self._said:
            self._said = True
            self._forget()

    def _forget(self) -> None:
        self.version += 1
        self._good.clear()
        self._values = [{} for _ in self._situations]
        self._classes = [[] for _ in self._situations]

    def _class(self, i: int, situation: int) -> int:
        """Return a number that is equal for situations of process i that differ in nothing that is read."""
        classes = self._classes[i]
        if situation >= len(classes):
            values, reads, each = self._values[i], self._reads[i], self._situations[i]
            for number in range(len(classes), len(each.views)):
                facts = tuple(each.fact(number, name) for name in each.facts if name in reads)
                said = each.pending[number].said if self._said else 0
                classes.append(values.setdefault((said, *facts), len(values)))
        return classes[situation]
