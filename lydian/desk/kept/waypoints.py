"""Bookmarks and breakpoints, which are kept for each experiment from one session to the next.

A small file beside the settings, ``marks.json``, stores them under the path of the experiment's file (or its name
while it has no file) or of the trace's file. They stay when the experiment is changed and run again. A bookmark or
breakpoint that does not apply to the current run (its time is after the end, its process no longer exists) stays in
the list, is marked as such, and has no effect.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from lydian.desk.playhead import Playhead
from lydian.desk.runs.session import Session
from lydian.desk.signal import Signal
from lydian.desk.undo import Step, Undo
from lydian.language import tr
from lydian.model.errors import BadInput, LydianError
from lydian.model.reading import write_text
from lydian.views.playback.bookmarks import Bookmark, Bookmarks
from lydian.views.playback.until import Breakpoint, stop_of, why_never

__all__ = ["Waypoints"]

#: The maximum number of experiments whose bookmarks are kept; those least recently used are dropped.
MOST = 200

State = tuple[Bookmarks, tuple[Breakpoint, ...]]


class Waypoints:
    """The bookmarks and breakpoints of the current experiment; every edit can be undone.

    Attributes:
        breakpoints: the breakpoints in the order in which they were set; ``playhead.stops`` is derived from them.
        undo: the history of edits.
        changed: emitted when a bookmark, a breakpoint or the current run has changed.
        said: emitted with a sentence, and whether it reports a problem.
    """

    def __init__(self, session: Session, playhead: Playhead, folder: Path) -> None:
        self.changed, self.said = Signal(), Signal()
        self.session, self.head, self.file = session, playhead, folder / "marks.json"
        self.breakpoints: tuple[Breakpoint, ...] = ()
        self.undo = Undo()
        self._key = ""
        self._left = self._putting = self._complained = False
        self._all = self._read()
        session.leaving.connect(self._leaving)
        session.experiment_changed.connect(self._experiment_changed)
        self._unsubscribe = playhead.changed.connect(self._heard)

    # ------------------------------------------------------------------ edits

    def add(self, time: float, name: str | None = None) -> Bookmark:
        """Add a bookmark; without a name, it is named by a number.

        Raises:
            BadInput: there is already a bookmark of that name.
        """
        before = self.head.bookmarks
        marks = before.add(time, name)
        self._push(tr("bookmark"), marks=marks)
        return next(mark for mark in marks.marks if mark not in before.marks)

    def rename(self, name: str, new: str) -> None:
        """Rename a bookmark.

        Raises:
            BadInput: there is already a bookmark of that name, or the new name is empty.
        """
        if name != new.strip():
            self._push(tr("rename {name}", name=name), marks=self.head.bookmarks.rename(name, new))

    def move(self, name: str, time: float) -> None:
        """Move a bookmark to another time."""
        self._push(tr("move {name}", name=name), marks=self.head.bookmarks.move(name, time))

    def delete(self, name: str) -> None:
        """Delete a bookmark."""
        self._push(tr("delete {name}", name=name), marks=self.head.bookmarks.delete(name))

    def add_break(self, wanted: Breakpoint) -> bool:
        """Add a breakpoint, or switch it on if it already exists; return True if anything changed."""
        alike = [replace(each, on=True) for each in self.breakpoints]
        if replace(wanted, on=True) in alike:
            row = alike.index(replace(wanted, on=True))
            if self.breakpoints[row].on:
                return False
            self.switch(row, True)
        else:
            self._push(tr("breakpoint"), breaks=(*self.breakpoints, wanted))
        return True

    def switch(self, row: int, on: bool) -> None:
        """Switch a breakpoint on or off."""
        if self.breakpoints[row].on != on:
            changed = replace(self.breakpoints[row], on=on)
            breaks = (*self.breakpoints[:row], changed, *self.breakpoints[row + 1 :])
            self._push(tr("breakpoint on") if on else tr("breakpoint off"), breaks=breaks)

    def switch_all(self, on: bool) -> None:
        """Switch all breakpoints on or off."""
        if any(each.on != on for each in self.breakpoints):
            words = tr("breakpoints on") if on else tr("breakpoints off")
            self._push(words, breaks=tuple(replace(each, on=on) for each in self.breakpoints))

    def delete_break(self, row: int) -> None:
        """Delete a breakpoint."""
        self._push(tr("delete breakpoint"), breaks=self.breakpoints[:row] + self.breakpoints[row + 1 :])

    def delete_breaks(self) -> None:
        """Delete all breakpoints."""
        self._push(tr("delete breakpoints"), breaks=())

    def problem(self, row: int) -> str:
        """Return why a breakpoint cannot apply to the current run; return "" if it can or the run has no events yet."""
        timeline = self.head.timeline
        if timeline is None or not timeline.length:
            return ""
        error = self.head.stops[row].error if row < len(self.head.stops) else ""
        return error or why_never(self.breakpoints[row], timeline, self.head.animation) or ""

    def _push(self, text: str, *, marks: Bookmarks | None = None, breaks: tuple[Breakpoint, ...] | None = None) -> None:
        before = (self.head.bookmarks, self.breakpoints)
        after = (before[0] if marks is None else marks, before[1] if breaks is None else breaks)
        if after != before:
            self.undo.push(Step(text, self._put, before, after))

    def _put(self, state: State) -> None:
        self._putting = True
        try:
            self.head.set_bookmarks(state[0])
            self.breakpoints = state[1]
            self.head.set_stops(tuple(stop_of(each, self.head.animation) for each in self.breakpoints))
        finally:
            self._putting = False
        self.changed.emit()
        self._write()

    # ------------------------------------------------------------------ changes from outside

    def _heard(self, what: str) -> None:
        if what == "timeline":  # the words for states may have changed
            stops = tuple(stop_of(each, self.head.animation) for each in self.breakpoints)
            if stops != self.head.stops:
                self._putting = True
                self.head.set_stops(stops)
                self._putting = False
            self.changed.emit()
        elif what in ("bookmarks", "stops") and not self._putting:
            self.changed.emit()
            self._write()

    def _leaving(self) -> None:
        self._left = True

    def _experiment_changed(self) -> None:
        """Load the bookmarks of another experiment; keep them if only the name of the experiment has changed."""
        key = self._key_now()
        if key == self._key and not self._left:
            return
        self._key = key
        if not self._left:
            self._write()
            return
        self._left = False
        self.undo.clear()
        kept = self._all.get(key)
        self._put(_state(kept) if isinstance(kept, Mapping) else (Bookmarks(), ()))

    def _key_now(self) -> str:
        session, experiment = self.session, self.session.experiment
        if session.trace_file is not None:
            return f"trace {session.trace_file.absolute()}"
        if session.path is not None:
            return f"file {session.path.absolute()}"
        if experiment is None:
            return ""
        return f"name {experiment.name or experiment.protocol}"

    # ------------------------------------------------------------------ the file

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))["kept"]
            return dict(found) if isinstance(found, Mapping) else {}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}  # a damaged file is ignored, like damaged settings

    def _write(self) -> None:
        """Write all bookmarks and breakpoints to the file, those of the current experiment last."""
        if not self._key:
            return
        before = self._all.pop(self._key, None)
        marks = self.head.bookmarks.to_list()
        breaks = [{k: v for k, v in asdict(each).items() if v is not None} for each in self.breakpoints]
        if marks or breaks:
            self._all[self._key] = {"bookmarks": marks, "breakpoints": breaks}
        elif before is None:
            return
        for key in list(self._all)[:-MOST]:
            del self._all[key]
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_text(self.file, json.dumps({"version": 1, "kept": self._all}, indent=1))
        except (OSError, LydianError) as error:
            if not self._complained:
                self._complained = True
                self.said.emit(tr("Bookmarks and breakpoints cannot be kept: {error}", error=error), True)

    def close(self) -> None:
        """Disconnect from the play head."""
        self._unsubscribe()


def _state(kept: Mapping[str, Any]) -> State:
    """Return the bookmarks and breakpoints in an experiment's entry; skip those that cannot be read."""
    marks, breaks = Bookmarks(), []
    for entry in kept.get("bookmarks") or ():
        try:
            marks = Bookmarks((*marks.marks, *Bookmarks.from_list([entry]).marks))
        except BadInput:
            continue
    for entry in kept.get("breakpoints") or ():
        try:
            breaks.append(Breakpoint(**entry))
        except (BadInput, TypeError):
            continue
    return marks, tuple(breaks)
