"""Commands that move through a run, beyond playing and single steps.

They cover rounds, marks, causes, the longest chain, loops and pace, going to a typed place, running until a condition
is met, and breakpoints.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from lydian.app.access.words import thing_of
from lydian.app.panels.marks import MarksList
from lydian.app.panels.timeline.goto import place_of
from lydian.app.panels.timeline.transport import time_text
from lydian.language import tr
from lydian.views.playback.until import Breakpoint, Watch, moment
from lydian.views.selection import Hit

if TYPE_CHECKING:
    from lydian.app.panels.timeline.bottom import BottomBar
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["Playback"]


class Playback:
    """The functions of these commands; they report problems in the status line or beside the typed text.

    Attributes:
        waypoints: bookmarks and breakpoints, kept with the experiment.
    """

    def __init__(self, desk: Desk, stage: Stage, bottom: BottomBar) -> None:
        self.desk, self.stage, self.bottom, self.head = desk, stage, bottom, desk.playhead
        self.waypoints = desk.waypoints
        self._waiting = ""  # the condition until which the run plays
        self._gone = ""  # the notice about a deleted mark
        stage.add_dock(
            "bookmarks",
            tr("Bookmarks"),
            "flag",
            lambda: self.marks,
            tr("Bookmarked moments, faults and violations, and the points where playing stops."),
        )
        self.waypoints.said.connect(desk.notices.say)
        bar, line = bottom.condition, bottom.scrubber
        bottom.transport.speed_wanted.connect(self.quicken)
        line.sought.connect(desk.jump)
        bar.run_wanted.connect(self.run_until)
        bar.jump_wanted.connect(self.jump_until)
        bar.break_wanted.connect(self.add_break)
        line.bookmark_moved.connect(self.waypoints.move)
        line.bookmark_renaming.connect(self.rename)
        line.bookmark_deleted.connect(self._delete)
        line.undo_wanted.connect(self.waypoints.undo.undo)
        self.waypoints.changed.connect(line.refresh)
        self.waypoints.changed.connect(self._stepped)
        stage.player.changed.connect(self._heard)

    @cached_property
    def marks(self) -> MarksList:
        """The list of bookmarks and breakpoints in its dock."""
        marks = MarksList(self.waypoints, self.stage.theme)
        marks.sought.connect(self._seek)
        marks.bookmark_wanted.connect(self.bookmark)
        marks.break_wanted.connect(self.break_when)
        marks.deleted.connect(self._deleted)
        marks.refused.connect(lambda sentence: self.desk.notices.say(sentence, True))
        return marks

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        head = self.head
        return {
            "round_back": lambda: head.step_round(-1),
            "round_forward": lambda: head.step_round(1),
            "bookmark": self.bookmark,
            "bookmark_named": self.bookmark_named,
            "go_to": self.go_to,
            "type_speed": self.type_speed,
            "run_until": self.open_until,
            "breakpoint": self.break_when,
            "breakpoint_here": self.break_here,
            "breakpoints_all": self.breaks_on_off,
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
        """Set the speed in time units per second, or in moments per second when playing by events."""
        if self.head.pace == "time":
            self.head.set_speed(value)
        else:
            self.head.set_pace(self.head.pace, value)

    def bookmark(self) -> None:
        """Add a bookmark at this moment, or remove the one that is there."""
        head = self.head
        if head.timeline is None:
            return
        t = max(head.t, 0.0)
        here = next((mark for mark in head.bookmarks.marks if mark.time == t), None)
        if here is None:
            self.waypoints.add(t)
        else:
            self._delete(here.name)

    def bookmark_named(self) -> None:
        """Ask, in the transport bar, for the name of a new bookmark at this moment."""
        t = max(self.head.t, 0.0)
        if self.head.timeline is not None:
            when = time_text(t, self.head.end)
            self.bottom.transport.ask.open(
                tr("Bookmark at {time}:", time=when),
                lambda name: self.waypoints.add(t, name),
                hint=tr("a name, then Enter"),
            )

    def rename(self, name: str) -> None:
        """Ask in the transport bar for a new name for a bookmark."""
        self.bottom.transport.ask.open(
            tr("Rename bookmark:"),
            lambda new: self.waypoints.rename(name, new),
            text=name,
            hint=tr("a name, then Enter"),
        )

    def _delete(self, name: str) -> None:
        self.waypoints.delete(name)
        self._deleted(tr("Bookmark '{bookmark}' was deleted.", bookmark=name))

    def _deleted(self, sentence: str) -> None:
        """Report a deletion, with a button to undo it, until it is undone or something else is done."""
        self.desk.notices.show(sentence, problem=False, button=tr("Undo"), act=self.waypoints.undo.undo)
        self._gone = sentence

    def _stepped(self) -> None:
        """Clear the notice about a deleted mark after another change of the marks."""
        if self._gone and self.desk.notices.text == self._gone:
            self.desk.notices.show("", problem=False)
        self._gone = ""

    # ------------------------------------------------------------------ going there

    def _seek(self, t: float) -> None:
        self.head.pause()
        self.head.seek(t)

    def go_to(self) -> None:
        """Ask, in the transport bar, where to go: a time, #57, a bookmark or a condition."""
        if self.head.timeline is None:
            self._say(tr("There is no run yet."))
            return

        def accept(text: str) -> None:
            t, words = place_of(text, self.head)
            self._seek(t)
            self._say(tr("{place}, at {time}", place=words, time=time_text(t, self.head.end)))

        names = [mark.name for mark in self.head.marks]
        hint = tr("a time, an event (#57), a bookmark, or “5 is waiting”")
        self.bottom.transport.ask.open(tr("Go to:"), accept, hint=hint, offers=names)

    def type_speed(self) -> None:
        """Let the user type a speed in its field."""
        self.bottom.transport.speed.setFocus()

    # ------------------------------------------------------------------ run until, breakpoints

    def open_until(self) -> None:
        """Open the bar for the condition until which to run."""
        self.bottom.condition.open()

    def break_when(self) -> None:
        """Open the bar for breakpoints with a condition from the selection."""
        self.break_at(self.suggestion(thing_of(self.head.selection)))

    def break_at(self, wanted: Breakpoint | None) -> None:
        """Open the bar for breakpoints with the given condition; Enter makes it a breakpoint."""
        self.bottom.condition.open(True, wanted)

    def suggestion(self, hit: Hit | None) -> Breakpoint | None:
        """Return the likeliest condition for a thing, or for this time if there is none; ``None`` without a run."""
        head, timeline = self.head, self.head.timeline
        if timeline is None or not timeline.length:
            return None
        names = timeline.processes
        if hit is not None and hit.kind == "event":
            return Breakpoint("event", int(hit.id))  # type: ignore[arg-type]
        if hit is not None and hit.kind == "link":
            a, b = hit.id  # type: ignore[misc]
            return Breakpoint("message", "", process=names[a], kind="send", peer=names[b])
        if hit is not None and hit.kind == "message":
            message = int(hit.id)  # type: ignore[arg-type]
            label = timeline.labels[int(timeline.message_label[message])]
            a, b = int(timeline.message_source[message]), int(timeline.message_target[message])
            return Breakpoint("message", label, process=names[b], kind="receive", peer=names[a])
        if hit is not None and hit.kind == "process":
            process = int(hit.id)  # type: ignore[arg-type]
            state = int(np.asarray(timeline.states_at(timeline.count(head.t)))[process])
            if state < len(timeline.states):
                return Breakpoint("state", timeline.states[state], process=names[process])
        return Breakpoint("time", round(max(head.t, 0.0), 4))

    def run_until(self, wanted: Breakpoint, direction: int = 1) -> None:
        """Play until a condition is met; report if it never is."""
        bar, head, timeline = self.bottom.condition, self.head, self.head.timeline
        missing = bar.missing(wanted, direction)
        if timeline is None or (missing and not self.desk.session.goes_on):
            bar.say(missing or tr("There is no run yet."), True)
            return
        goal = float(wanted.value) if wanted.what == "time" else Watch(wanted, head.animation)
        self._waiting = ""
        if head.run_until(goal, str(wanted), direction):
            self._waiting = str(wanted)
            bar.say(tr("Running until {condition}; Esc stops.", condition=wanted))

    def jump_until(self, wanted: Breakpoint, direction: int = 1) -> None:
        """Go to the next or previous moment at which a condition is met; report if there is none."""
        bar, head = self.bottom.condition, self.head
        missing = bar.missing(wanted, direction)
        if missing or head.timeline is None:
            bar.say(missing, True)
            return
        found = moment(wanted, head.timeline, head.t, direction, head.animation)
        assert found is not None, "nothing is missing"
        self._seek(found[0])
        bar.say(self._arrived(str(wanted), found[1]))

    def add_break(self, wanted: Breakpoint) -> None:
        """Add a breakpoint and show its condition in the bar."""
        bar = self.bottom.condition
        new = self.waypoints.add_break(wanted)
        row = next(i for i, each in enumerate(self.waypoints.breakpoints) if str(each) == str(wanted))
        problem = self.waypoints.problem(row)
        words = (
            tr("Stops at {condition}.", condition=wanted)
            if new
            else tr("There is already a breakpoint at {condition}.", condition=wanted)
        )
        bar.say(f"{words} {problem}".strip(), bool(problem))

    def break_here(self) -> None:
        """Add a breakpoint at this time, or remove the one that is there."""
        if self.head.timeline is None:
            return
        t = max(self.head.t, 0.0)
        breaks = self.waypoints.breakpoints
        row = next((i for i, each in enumerate(breaks) if each.what == "time" and each.value == t), None)
        if row is None:
            self.waypoints.add_break(Breakpoint("time", t))
            self._say(tr("Playing stops at time {time}.", time=time_text(t, self.head.end)))
        else:
            self.waypoints.delete_break(row)
            self._say(tr("Playing no longer stops at time {time}.", time=time_text(t, self.head.end)))

    def breaks_on_off(self) -> None:
        """Switch all breakpoints off, or on again if all are off."""
        breaks = self.waypoints.breakpoints
        if not breaks:
            self._say(tr("There are no breakpoints; press F9 to add one."))
            return
        on = not any(each.on for each in breaks)
        self.waypoints.switch_all(on)
        self._say(tr("All breakpoints are on.") if on else tr("All breakpoints are off."))

    def cancel(self) -> bool:
        """Stop running until a condition, or close the bar; return False if there was neither."""
        bar = self.bottom.condition
        if self._waiting:
            self.head.pause()
            return True
        if bar.isVisible():
            bar.leave()
            return True
        return False

    def _heard(self, what: str) -> None:
        bar, stopped = self.bottom.condition, self.head.stopped
        if what == "stopped" and stopped is not None:
            waited, self._waiting = self._waiting, ""
            sentence = self._arrived(stopped.words, stopped.event)
            if waited or bar.isVisible():
                bar.say(sentence)
            self._say(sentence if waited else self._arrived(stopped.words, stopped.event, at_breakpoint=True))
        elif what == "playing" and not self.head.playing and self._waiting and not self._on_the_way():
            words, self._waiting = self._waiting, ""
            self._say(
                tr(
                    "Stopped at {time}, before {condition}.",
                    time=time_text(self.head.t, self.head.end),
                    condition=words,
                )
            )
            bar.say(tr("Stopped before {condition}.", condition=words))

    def _on_the_way(self) -> bool:
        """Return whether the play head pauses because it is about to report that it has arrived."""
        return self.head.halting

    def _arrived(self, words: str, event: int | None, at_breakpoint: bool = False) -> str:
        time = time_text(self.head.t, self.head.end)
        number = "" if event is None else tr(" (event #{number})", number=event)
        if at_breakpoint:
            return tr("Breakpoint: stopped at {time}{event}: {condition}.", time=time, event=number, condition=words)
        return tr("Stopped at {time}{event}: {condition}.", time=time, event=number, condition=words)

    def mark(self, direction: int) -> None:
        """Go to the next or previous bookmark, fault or violation."""
        mark = self.head.step_mark(direction)
        if mark is None:
            self._say(
                tr("There is no bookmark, fault or violation after this moment; B sets a bookmark.")
                if direction > 0
                else tr("There is no bookmark, fault or violation before this moment; B sets a bookmark.")
            )
        else:
            self._say(tr("{mark}, at {time:.2f}", mark=mark.name, time=mark.time))

    def cause(self, direction: int) -> None:
        """Go to the cause or the first effect of the current event."""
        if not self.head.step_cause(direction):
            self._say(
                tr("This event has no effect in the run.")
                if direction > 0
                else tr("This event has no cause in the run.")
            )

    def chain(self, direction: int) -> None:
        """Go to the next or previous event of the longest chain."""
        if not self.head.step_longest(direction):
            self._say(
                tr("The longest chain has no event after this one.")
                if direction > 0
                else tr("The longest chain has no event before this one.")
            )

    def loop_from(self) -> None:
        """Start the loop at this moment."""
        if self.head.timeline is not None:
            self.head.set_loop_from(self.head.t)
            self.head.set_loop(True)

    def loop_to(self) -> None:
        """End the loop at this moment."""
        if self.head.timeline is not None:
            self.head.set_loop_to(self.head.t)
            self.head.set_loop(True)

    def loop_all(self) -> None:
        """Loop the whole run again, if it is looping."""
        self.head.set_loop_from(None)
        self.head.set_loop_to(None)

    def _say(self, sentence: str) -> None:
        self.desk.notices.say(sentence, False)
