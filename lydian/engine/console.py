"""The output of a protocol's print statements, recorded as part of the execution.

While a protocol's code runs, standard output is a :class:`Console`. A line that an action prints becomes one of the
effects of that action, so that it is recorded as a ``print`` row among the messages that the action sends. A line from
a guard or a property belongs to the event after which that guard or property was evaluated.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from lydian.model.protocol.effects import PRINT

__all__ = ["LINES_OF_EVENT", "LINES_OF_RUN", "LINE_LENGTH", "Console", "Silence"]

#: The maximum number of lines recorded for one event and for one run, and the maximum number of characters per line.
LINES_OF_EVENT, LINES_OF_RUN, LINE_LENGTH = 200, 20_000, 2_000


class Console(io.TextIOBase):
    """A replacement for standard output whose lines become effects.

    Output beyond the limits is dropped, and the last recorded line says so.

    Args:
        effects: the list of effects of the action in progress.
        moment: returns a number that differs from event to event.
    """

    def __init__(self, effects: list[tuple[Any, Any]], moment: Callable[[], int]) -> None:
        super().__init__()
        self._effects, self._moment = effects, moment
        self._now = -1
        self._of_event = self._of_run = 0
        self._open: list[str] | None = None  # an unfinished line

    def writable(self) -> bool:
        """Return True: lines can be written."""
        return True

    def write(self, text: str) -> int:
        """Record a text; each line feed in it ends a line."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        first, *others = text.split("\n", LINES_OF_EVENT + 1)[: LINES_OF_EVENT + 2]
        if first or others:
            self._add(first)
        for part in others:
            self._open = None
            if part:
                self._add(part)
        if others and not others[-1]:
            self._open = None
        return len(text)

    def _add(self, text: str) -> None:
        """Begin a line, or continue the unfinished one."""
        now = self._moment()
        fresh = now != self._now or not self._effects
        if fresh:
            self._now, self._of_event, self._open = now, 0, None
        line = self._open
        if not line:
            if self._of_event > LINES_OF_EVENT or self._of_run > LINES_OF_RUN:
                return
            self._of_event += 1
            self._of_run += 1
            line = self._open = [""]
            if self._of_run > LINES_OF_RUN:
                line[0] = f"(nothing more is recorded: a run may print at most {LINES_OF_RUN:,} lines)"
            elif self._of_event > LINES_OF_EVENT:
                line[0] = f"(nothing more of this event is recorded: it may print at most {LINES_OF_EVENT} lines)"
            self._effects.append((PRINT, line))
        if self._of_event > LINES_OF_EVENT or self._of_run > LINES_OF_RUN:
            return
        left = LINE_LENGTH - len(line[0])
        if left >= 0:
            line[0] += text[:left] + (" ..." if len(text) > left else "")


class Silence(io.TextIOBase):
    """A replacement for standard output that drops all text, for code that is executed repeatedly, as in a search."""

    def writable(self) -> bool:
        """Return True: lines can be written."""
        return True

    def write(self, text: str) -> int:
        """Drop a text."""
        return len(text)
