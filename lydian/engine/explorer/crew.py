"""Processes that compute the moves of a search for it: ``python -m lydian.engine.explorer.crew``.

The search executes the actions and numbers everything that it finds, as it does alone. It divides the configurations
that it examines next among its helpers and itself. Each helper has a copy of the table of moves and needs no protocol
file. Requests and answers are pickled, each after its length in 8 bytes. A helper ends with its input, and with the
search.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO, Protocol

import numpy as np

from lydian.engine.explorer.table import Expanded, Knowledge, Rows, Shape, Table
from lydian.model.childprocess import follow_parent, start

__all__ = ["SMALL", "Crew", "Helpers", "Update", "answer", "divided"]

#: The configurations for each process from which on dividing them pays.
SMALL = 64

#: What a helper is told before it computes moves: what is new in the table, the contents numbered since the last
#: request, and what the reduction knows if that is new.
Update = tuple[list[Any], dict[bool, list[tuple[int, ...]]], Knowledge | None]


class Helpers(Protocol):
    """What computes moves for a search, besides the search itself or instead of it."""

    def expand(self, table: Table, known: Knowledge | None, rows: Rows) -> Iterator[Expanded]:
        """Yield the moves of some configurations in parts, in order."""

    def close(self) -> None:
        """End everything that has been started."""


class Crew:
    """The helpers of one search.

    Args:
        count: their number.
        shape: what does not change during the search.

    Raises:
        OSError: no process can be started.
    """

    def __init__(self, count: int, shape: Shape) -> None:
        self._helpers: list[_Helper] = []
        with contextlib.ExitStack() as opened:
            for _ in range(count):
                self._helpers.append(opened.enter_context(_Helper(shape)))
            self._opened = opened.pop_all()

    def close(self) -> None:
        """End the helpers."""
        self._opened.close()

    def expand(self, table: Table, known: Knowledge | None, rows: Rows) -> Iterator[Expanded]:
        """Yield the moves of some configurations in parts, in order.

        Args:
            table: the table of the search, which contains all of them.
            known: what the reduction knows.
            rows: the configurations.
        """
        parts = np.array_split(rows, 1 + len(self._helpers))
        numbered = {fifo: len(each.words) for fifo, each in table.contents.items()}
        table.settle()
        for helper, part in zip(self._helpers, parts[1:], strict=False):
            helper.ask(table, known, part)
        own = table.expand(parts[0])
        own.words = {}
        yield own
        for helper, part in zip(self._helpers, parts[1:], strict=False):
            found = helper.answer()
            if found is None:  # it was ended from outside
                found = table.expand(part)
                found.words = {}
            yield divided(table, found, numbered)


def divided(table: Table, found: Expanded, numbered: dict[bool, int]) -> Expanded:
    """Return moves that another process has computed, with the numbers of the search.

    Args:
        table: the table of the search.
        found: the moves.
        numbered: the numbers of contents that the other process knew, by whether the channels are FIFO.
    """
    found.reached = table.numbered(found, numbered)
    return found


class _Helper:
    """A process that computes moves."""

    def __init__(self, shape: Shape) -> None:
        self._child: subprocess.Popen[bytes] = start("-m", __spec__.name, stderr=subprocess.DEVNULL)
        self._news, self._words = 0, {False: 1, True: 1}
        self._known: Knowledge | None = None
        self._lost = False
        self._say(shape)

    def __enter__(self) -> _Helper:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def ask(self, table: Table, known: Knowledge | None, rows: Rows) -> None:
        """Send configurations whose moves are wanted, and what is new in the table."""
        words = {fifo: each.words[self._words[fifo] :] for fifo, each in table.contents.items()}
        told = known if known is not self._known else None
        update: Update = (table.news[self._news :], words, told)
        self._news, self._known = len(table.news), known
        self._words = {fifo: len(each.words) for fifo, each in table.contents.items()}
        self._say((update, rows))

    def answer(self) -> Expanded | None:
        """Return the moves that were asked for last; ``None`` if the process has ended."""
        if self._lost or self._child.stdout is None:
            return None
        try:
            found: Expanded = _read(self._child.stdout)
        except (OSError, EOFError):
            self._lost = True
            return None
        return found

    def _say(self, what: object) -> None:
        assert self._child.stdin is not None
        try:
            if not self._lost:
                _write(self._child.stdin, what)
        except OSError:
            self._lost = True


def _write(out: BinaryIO | Any, what: object) -> None:
    packed = pickle.dumps(what, pickle.HIGHEST_PROTOCOL)
    out.write(len(packed).to_bytes(8, "little"))
    out.write(packed)
    out.flush()


def _read(source: BinaryIO | Any) -> Any:
    size = source.read(8)
    packed = source.read(int.from_bytes(size, "little")) if len(size) == 8 else b""
    if not packed:
        raise EOFError
    return pickle.loads(packed)


def answer(source: BinaryIO, out: BinaryIO) -> None:
    """Answer requests for moves until the input ends."""
    with contextlib.suppress(EOFError):
        table = Table(_read(source))
        while True:
            update, rows = _read(source)
            table.update(*update)
            _write(out, table.expand(rows))


if __name__ == "__main__":
    follow_parent()
    answer(sys.stdin.buffer, sys.stdout.buffer)
    os._exit(0)
