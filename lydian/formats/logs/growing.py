"""A log that grows while it is read: after new lines, its last part is imported again.

Messages are only recognised when their receivers appear, so an event that has been shown may become the sending of a
message. The log is therefore imported as a whole each time, up to a largest number of lines: the oldest lines of a
longer log are forgotten.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lydian.formats.logs.importer import Imported, NoEvents, import_text
from lydian.model.reading import Problem
from lydian.trace.events import Trace

__all__ = ["Growing", "unchanged"]

#: The largest number of lines that are kept.
MOST = 100_000


class Growing:
    """The lines of a log so far.

    Args:
        name: the name of the log.
        form, regex: as for :func:`~lydian.formats.logs.importer.import_log`.
        most: the largest number of lines that are kept.

    Attributes:
        lines: the number of lines that have arrived; ``forgotten``: how many of them have been dropped.
        problems: the lines that cannot be used, each once.
    """

    def __init__(self, name: str, form: str | None = None, regex: str | None = None, most: int = MOST) -> None:
        self.path, self.form, self.regex, self.most = Path(name), form, regex, most
        self.lines = self.forgotten = 0
        self.problems: dict[tuple[int, str], Problem] = {}
        self._text: list[str] = []
        self._begun = ""  # a line whose end has not arrived
        self._new = False

    def add(self, text: str) -> None:
        """Add text as it arrives, in which a line need not be complete."""
        lines = (self._begun + text).split("\n")
        self._begun = lines.pop()
        self._text += lines
        self.lines += len(lines)
        self._new = self._new or bool(lines)

    def end(self) -> None:
        """Complete the last line, because nothing more will arrive."""
        if self._begun:
            self.add("\n")

    def imported(self, over: bool = True) -> Imported | None:
        """Return the events so far; ``None`` if there are no new lines, or no line can be used.

        Args:
            over: whether the log is complete; otherwise the last record may still be incomplete.

        Raises:
            BadInput: the expression is invalid.
        """
        if not self._new:
            return None
        self._new = False
        if len(self._text) > self.most:
            drop = len(self._text) - self.most
            self.forgotten += drop
            del self._text[:drop]
        try:
            (found,) = import_text("\n".join(self._text), self.path, form=self.form, regex=self.regex, skip=True)
        except NoEvents as error:
            self._note(error.problems, over)
            return None
        self._note(found.problems, over)
        return found

    def _note(self, problems: tuple[Problem, ...], over: bool) -> None:
        last = len(self._text) - 1
        for each in problems:
            missing = "missing from the log" in each.why or "no line sends" in each.why
            if (over or each.line < last) and not (missing and (self.forgotten or not over)):
                known = Problem(each.line + self.forgotten, each.why)
                self.problems.setdefault((known.line, known.why), known)


def unchanged(before: Trace | None, after: Trace) -> int:
    """Return how many events at the beginning of a trace are the same as before it grew."""
    if before is None or before.states != after.states[: len(before.states)]:
        return 0
    if before.processes != after.processes or before.labels != after.labels[: len(before.labels)]:
        return 0
    n = min(len(before), len(after))
    different = np.flatnonzero(before.rows[:n] != after.rows[:n])
    end = int(different[0]) if len(different) else n
    for seq in range(max(0, end - 2), end):  # a detail that changes is that of the last events
        if before.detail_of(seq) != after.detail_of(seq):
            return seq
    return end
