"""Ways through a run beyond playing and single steps: rounds, marks, causes, the longest chain, loops, pace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lydian.app.window.mainwindow import MainWindow

__all__ = ["Playback"]


class Playback:
    """What these commands do; what cannot be is said in the status line."""

    def __init__(self, window: MainWindow) -> None:
        self.window, self.head = window, window.playhead

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Name of the command -> what it does."""
        head = self.head
        return {
            "round_back": lambda: head.step_round(-1),
            "round_forward": lambda: head.step_round(1),
            "bookmark": self.bookmark,
            "mark_back": lambda: self.mark(-1),
            "mark_forward": lambda: self.mark(1),
            "cause": lambda: self.cause(-1),
            "effect": lambda: self.cause(1),
            "chain_back": lambda: self.chain(-1),
            "chain_forward": lambda: self.chain(1),
            "loop_from": self.loop_from,
            "loop_to": self.loop_to,
            "loop_all": self.loop_all,
            "pace_events": lambda on: head.set_pace("events" if on else "time"),
        }

    def quicken(self, value: float) -> None:
        """So many time units a second, or moments a second if it plays by events."""
        if self.head.pace == "time":
            self.head.set_speed(value)
        else:
            self.head.set_pace(self.head.pace, value)

    def bookmark(self) -> None:
        """A bookmark here, or none any more if there is one."""
        head = self.head
        if head.timeline is None:
            return
        t, marks = max(head.t, 0.0), head.bookmarks
        here = next((mark for mark in marks.marks if mark.time == t), None)
        head.set_bookmarks(marks.add(t) if here is None else marks.delete(here.name))

    def mark(self, direction: int) -> None:
        """The next or previous bookmark, fault or violation."""
        mark = self.head.step_mark(direction)
        if mark is None:
            side = "after" if direction > 0 else "before"
            self._say(f"There is no bookmark, fault or violation {side} this moment; B sets a bookmark.")
        else:
            self._say(f"{mark.name}, at {mark.time:.2f}")

    def cause(self, direction: int) -> None:
        """The cause or the first effect of the current event."""
        if not self.head.step_cause(direction):
            what = "came of it" if direction > 0 else "led to it"
            self._say(f"There is no event that {what}.")

    def chain(self, direction: int) -> None:
        """The next or previous event of the longest chain."""
        if not self.head.step_longest(direction):
            self._say(f"The longest chain has no event {'after' if direction > 0 else 'before'} this one.")

    def loop_from(self) -> None:
        """Loop from here on."""
        if self.head.timeline is not None:
            self.head.set_loop_from(self.head.t)
            self.head.set_loop(True)

    def loop_to(self) -> None:
        """Loop up to here."""
        if self.head.timeline is not None:
            self.head.set_loop_to(self.head.t)
            self.head.set_loop(True)

    def loop_all(self) -> None:
        """Loop the whole run again, if it loops."""
        self.head.set_loop_from(None)
        self.head.set_loop_to(None)

    def _say(self, sentence: str) -> None:
        self.window.say(sentence, False)
