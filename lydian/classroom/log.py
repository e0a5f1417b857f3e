"""The frames of a run in order, so that everybody reads them at their own pace.

The latest frames are in memory and all of them in a temporary file, so that a long lesson needs no more memory than a
short one.
"""

from __future__ import annotations

import secrets
import tempfile
from array import array
from collections import deque

__all__ = ["Log"]


class Log:
    """Encoded frames, each a line, which are only ever added.

    Args:
        recent: how many of the latest frames are kept in memory.

    Attributes:
        name: tells positions in this log apart from those in the log of another process.
    """

    def __init__(self, recent: int = 2000) -> None:
        self._recent: deque[bytes] = deque(maxlen=recent)
        self.name = secrets.token_hex(4)
        self._ends = array("q")
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - for as long as the class lasts
        self._written = 0
        self._latest: tuple[int, int, int, tuple[bytes, int]] = (-1, 0, 0, (b"", 0))  # what was read last

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, line: bytes) -> None:
        """Add a frame, with its line feed."""
        self._recent.append(line)
        self._file.seek(self._written)
        self._file.write(line)
        self._written += len(line)
        self._ends.append(self._written)

    def read(self, position: int, most: int) -> tuple[bytes, int]:
        """Return the frames from a position on, about ``most`` bytes but at least one frame, and the next position."""
        end = len(self._ends)
        if position >= end:
            return b"", position
        if self._latest[:3] == (position, most, end):  # most people are equally far
            return self._latest[3]
        found = self._read(position, most, end)
        self._latest = (position, most, end, found)
        return found

    def _read(self, position: int, most: int, end: int) -> tuple[bytes, int]:
        start = self._ends[position - 1] if position else 0
        last = position + 1
        while last < end and self._ends[last] - start <= most:
            last += 1
        oldest = end - len(self._recent)
        if position >= oldest:
            return b"".join(self._recent[k - oldest] for k in range(position, last)), last
        self._file.seek(start)
        return self._file.read(self._ends[last - 1] - start), last

    def close(self) -> None:
        """Remove the file."""
        self._file.close()
