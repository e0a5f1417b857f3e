"""A log that grows while it is read.

Messages are only recognised when their receivers appear, so an event that has been shown may become the sending of a
message. New lines of the documented format are appended to what was read (:mod:`lydian.formats.logs.appending`), and
only what they change is imported again. A log in another format, or whose new lines cannot be appended, is imported as
a whole, up to a largest number of lines: the oldest lines of a longer log are forgotten.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lydian.formats.logs import recognised
from lydian.formats.logs.appending import Appending
from lydian.formats.logs.importer import Imported, NoEvents, import_text
from lydian.formats.logs.lines import is_ours, read_lines
from lydian.model.reading import Problem
from lydian.trace.events import Trace

__all__ = ["Growing", "unchanged"]

#: The lines by which the format of a log is recognised.
_HEAD = 50

#: The largest number of lines that are kept, and the share of them by which it is exceeded before some are forgotten.
MOST, SLACK = 100_000, 0.1


class Growing:
    """The lines of a log so far.

    Args:
        name: the name of the log.
        form, regex: as for :func:`~lydian.formats.logs.importer.import_log`.
        most: the largest number of lines that are kept; a few more are, so that lines are not forgotten each time.

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
        self._appending: Appending | None = None
        self._read = 0  # the lines that were read as records and have been appended

    def add(self, text: str) -> None:
        """Add text as it arrives, in which a line need not be complete."""
        lines = (self._begun + text).split("\n")
        self._begun = lines.pop()
        self._text += lines
        self.lines += len(lines)
        self._new = self._new or bool(lines)

    def end(self) -> None:
        """Complete the last line, because nothing more will arrive; the whole log is checked now."""
        if self._begun:
            self.add("\n")
        self._new = bool(self._text)

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
        if len(self._text) > self.most * (1 + SLACK):
            drop = len(self._text) - self.most
            self.forgotten += drop
            del self._text[:drop]
            self._appending = None
        if not over and self._plain():
            return self._appended()
        try:
            (found,) = import_text("\n".join(self._text), self.path, form=self.form, regex=self.regex, skip=True)
        except NoEvents as error:
            self._note(error.problems, over)
            return None
        self._note(found.problems, over)
        return found

    def _plain(self) -> bool:
        """Return True if the log has the documented format, so that its lines can be read one after the other."""
        if self.form is not None or self.regex is not None:
            return False
        head = "\n".join(self._text[:_HEAD])
        return self._appending is not None or not (is_ours(head) or recognised(head) is not None)

    def _appended(self) -> Imported | None:
        """Append the lines that have not been read, and return the events so far; ``None`` if there is none."""
        start = 0 if self._appending is None else self._read
        lines = self._text[start:]
        records, problems = read_lines("\n".join(lines).replace("\r", ""), ours=False, first=start + 1)
        self._read = len(self._text)
        if problems and problems[-1].line == self._read:  # the line after it may still arrive
            self._read -= 1
            problems.pop()
        if self._appending is None or not self._appending.append(records):
            if start:
                records, problems = read_lines("\n".join(self._text[: self._read]).replace("\r", ""), ours=False)
            self._appending = Appending(records) if records else None
        self._note(tuple(problems), False)
        if self._appending is None:
            return None
        problems += self._appending.order.problems
        self._note(tuple(self._appending.order.problems), False)
        trace = self._appending.trace(self.path)
        return Imported(trace, tuple(problems), tuple(trace.summary["imported"]["notes"]))

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
