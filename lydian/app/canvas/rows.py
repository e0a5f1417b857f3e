"""The rows of the views along time: which processes have rows, in which order, and which rows are in view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lydian.desk.signal import Announcer
from lydian.trace.timeline import Timeline
from lydian.views.time import ordering
from lydian.views.time.axis import Rows

__all__ = ["RowCamera"]


@dataclass(frozen=True)
class _Arranged:
    """An arrangement: the processes from top to bottom (``None``: in the order of ``sort``), and those without rows."""

    order: tuple[int, ...] | None = None
    hidden: frozenset[int] = frozenset()


class RowCamera(Announcer):
    """The rows of the views along time; each change of their arrangement can be undone.

    Attributes:
        rows: the rows in view, from and to, ``None`` for all.
        lifted: the process whose row is being dragged and its height, if there is one.
        pair: two events that are compared, the selected one first, if there are two.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[float, float] | None = None
        self.lifted: tuple[int, float] | None = None
        self.pair: tuple[int, int] | None = None
        self._arranged = _Arranged()
        self._past: list[_Arranged] = []

    @property
    def order(self) -> tuple[int, ...] | None:
        """All processes from top to bottom as the user arranged them, ``None`` if the user has not."""
        return self._arranged.order

    @property
    def hidden(self) -> frozenset[int]:
        """The processes without a row."""
        return self._arranged.hidden

    @property
    def options(self) -> dict[str, Any]:
        """The values that the views get for their options."""
        found: dict[str, Any] = {}
        if self.order is not None:
            found["order"] = self.order
        if self.hidden:
            found["hidden"] = tuple(sorted(self.hidden))
        return found

    @property
    def can_take_back(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._past)

    # ------------------------------------------------------------------ arrangement

    def move_row(self, rows: Rows, process: int, row: int) -> None:
        """Move a process to another row; ``row`` is its new place among the other rows."""
        order = tuple(range(len(rows.row))) if self.order is None else self.order
        if ordering.moved(rows, process, row) != tuple(rows.processes.tolist()):
            self._change(_Arranged(ordering.reordered(order, rows, process, row), self.hidden))

    def reset_order(self) -> None:
        """Restore the order of the option ``sort``."""
        if self.order is not None:
            self._change(_Arranged(None, self.hidden))

    def hide(self, processes: Iterable[int], n: int) -> None:
        """Hide rows, but never the last one."""
        hidden = self.hidden | set(processes)
        if len(hidden) < n and hidden != self.hidden:
            self._change(_Arranged(self.order, hidden))

    def show_only(self, processes: Iterable[int], n: int) -> None:
        """Hide all other rows."""
        kept = frozenset(processes)
        if kept and frozenset(range(n)) - kept != self.hidden:
            self._change(_Arranged(self.order, frozenset(range(n)) - kept))

    def show_all(self) -> None:
        """Show the row of every process again."""
        if self.hidden:
            self._change(_Arranged(self.order))

    def take_back(self) -> bool:
        """Undo the last change of the arrangement; return False if there was none."""
        if not self._past:
            return False
        self._arranged = self._past.pop()
        self.rows = None
        self._tell()
        return True

    def _change(self, fresh: _Arranged) -> None:
        self._past.append(self._arranged)
        if fresh.hidden != self.hidden:
            self.rows = None
        self._arranged = fresh
        self._tell()

    def forget_rows(self, old: Timeline | None, new: Timeline) -> None:
        """Keep the arrangement for another run if its processes are the same, else reset it."""
        self.pair = self.lifted = None
        if old is None or old.processes != new.processes:
            self._arranged, self._past, self.rows = _Arranged(), [], None

    # ------------------------------------------------------------------ scrolling

    def scroll_rows(self, by: float, total: int) -> bool:
        """Scroll by a number of rows; return whether anything moved."""
        if self.rows is None:
            return False
        return self._see(ordering.rows_seen(self.rows, total, by=by), total)

    def zoom_rows(self, factor: float, total: int, at: float) -> bool:
        """Enlarge rows by ``factor``, keeping the row ``at`` in place; return whether anything changed."""
        first, last = self.rows or (0.0, float(total))
        shorter = min(max((last - first) / factor, min(2.0, total)), float(total)) / max(last - first, 1e-9)
        middle = (first + last) / 2
        by = at + (middle - at) * shorter - middle
        return self._see(ordering.rows_seen(self.rows, total, by=by, factor=shorter), total)

    def see_row(self, row: int, total: int) -> None:
        """Scroll a row into view."""
        if self.rows is not None:
            first, last = self.rows
            by = min(row - first, 0.0) or max(row + 1 - last, 0.0)
            self.scroll_rows(by, total)

    def _see(self, seen: tuple[float, float], total: int) -> bool:
        fresh = None if seen[1] - seen[0] >= total - 1e-6 else seen
        if fresh == self.rows:
            return False
        self.rows = fresh
        self._tell()
        return True

    def lift(self, what: tuple[int, float] | None) -> None:
        """Drag a row to a height, or drop it."""
        if what != self.lifted:
            self.lifted = what
            self._tell()

    def compare(self, pair: tuple[int, int] | None) -> None:
        """Compare two events, the first of them selected, or end the comparison."""
        if pair != self.pair:
            self.pair = pair
            self._tell()
