"""The details of a trace from a file: JSON texts, kept compressed because only a few are needed at a time.

A run that records its variables has a text of about thirty bytes for every other event. Compressed in blocks of a few
thousand events, they take a tenth of the space. Reading a text decompresses its block in a fraction of a millisecond,
and the blocks used last stay decompressed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.details import as_object

__all__ = ["Texts"]

#: The number of events in a block, and the number of decompressed blocks that are kept.
BLOCK, KEPT = 4096, 32


class Texts:
    """The details of events; a call with a ``seq`` returns the text, or ``None``.

    A text that is not a JSON object becomes an object that contains it.
    """

    def __init__(self) -> None:
        self._blocks: list[tuple[int, bytes] | None] = []  # size when decompressed, and data; None if empty
        self._waiting: list[str | None] = []
        self._length = 0
        self._unpacked = lru_cache(maxsize=KEPT)(self._unpack)

    def __len__(self) -> int:
        """Return the number of events, including those without a text."""
        return self._length

    @property
    def nbytes(self) -> int:
        """The memory that the compressed texts take, in bytes."""
        return sum(len(block[1]) for block in self._blocks if block is not None)

    def add(self, column: Any) -> None:
        """Add the texts of the next events, an Arrow column."""
        at = 0
        while at < len(column):
            part = column.slice(at, BLOCK - len(self._waiting))
            at += len(part)
            self._length += len(part)
            if len(part) == BLOCK and part.null_count == BLOCK:
                self._blocks.append(None)
                continue
            self._waiting += part.to_pylist()
            if len(self._waiting) == BLOCK:
                self.close()

    def close(self) -> None:
        """Compress the last, incomplete block; no texts can be added afterwards."""
        if self._waiting:
            self._blocks.append(_packed(self._waiting))
            self._waiting = []

    def __call__(self, seq: int) -> str | None:
        found = self.detail(seq)
        return None if found is None else json.dumps(found)

    def detail(self, seq: int) -> dict[str, Any] | None:
        """Return the parsed text of an event, or ``None`` if it has no text."""
        if not 0 <= seq < self._length:
            return None
        text = self._unpacked(seq // BLOCK).get(seq % BLOCK)
        return None if text is None else as_object(text)

    def texts(self, start: int = 0) -> Iterator[tuple[int, str]]:
        """Yield the events from ``start`` on that have a detail, each with its text as in the file, in order."""
        for number in range(start // BLOCK, len(self._blocks)):
            for at, text in self._unpack(number).items():
                if number * BLOCK + at >= start:
                    yield number * BLOCK + at, text

    def texts_with(self, keys: Collection[str], start: int = 0) -> Iterator[tuple[int, str]]:
        """Yield the same for events whose text contains one of some keys in quotes; the others are not decoded."""
        wanted = re.compile(b'"(?:' + b"|".join(re.escape(key.encode()) for key in keys) + b')"')
        for number in range(start // BLOCK, len(self._blocks)):
            places, ends, body = self._body(number)
            there = [match.start() for match in wanted.finditer(body)]
            for text in np.unique(np.searchsorted(ends, there, side="right")).tolist() if there else ():
                seq = number * BLOCK + int(places[text])
                if seq >= start:
                    yield seq, body[ends[text - 1] if text else 0 : ends[text]].decode()

    def _unpack(self, number: int) -> dict[int, str]:
        places, ends, body = self._body(number)
        start, found = 0, {}
        for place, end in zip(places.tolist(), ends.tolist(), strict=True):
            found[place] = body[start:end].decode()
            start = end
        return found

    def _body(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.int32], bytes]:
        """Return the places of the texts of a block, their ends, and the texts one after another."""
        from lydian.trace.parquet.arrow import pa

        block = self._blocks[number]
        if block is None:
            return np.empty(0, np.int32), np.empty(0, np.int32), b""
        size, packed = block
        data = pa.decompress(packed, size, codec="zstd", asbytes=True)
        count = int.from_bytes(data[:4], "little")
        places, ends = np.frombuffer(data, dtype="<i4", count=2 * count, offset=4).reshape(2, count)
        return places, ends, data[4 + 8 * count :]


def _packed(texts: list[str | None]) -> tuple[int, bytes] | None:
    """Return the size of a block, and the block compressed; ``None`` if there are no texts.

    A block contains the number of texts, their places, their ends, and the texts themselves.
    """
    from lydian.trace.parquet.arrow import pa

    there = [(place, text.encode()) for place, text in enumerate(texts) if text is not None]
    if not there:
        return None
    places = np.array([place for place, _ in there], dtype="<i4")
    ends = np.cumsum([len(text) for _, text in there]).astype("<i4")
    body = b"".join(text for _, text in there)
    data = len(there).to_bytes(4, "little") + places.tobytes() + ends.tobytes() + body
    return len(data), pa.compress(data, codec="zstd", asbytes=True)
