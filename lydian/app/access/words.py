"""The descriptions of a view and of its processes for a screen reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lydian.language import tr, trn
from lydian.trace.events import counted
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.liars import liars_at, way_word
from lydian.views.selection import NOTHING, Hit, Selection
from lydian.views.words.words import joined, plural

if TYPE_CHECKING:
    from lydian.desk.playhead import Playhead

__all__ = ["ProcessWords", "process_words", "thing_of", "view_words"]

#: The number of selected processes above which only their number is read out.
NAMED = 4


@dataclass(frozen=True)
class ProcessWords:
    """A process at a moment: its name, and its description (its state first)."""

    name: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return ", ".join((tr("Process {process}", process=self.name), *self.parts))


def process_words(head: Playhead, process: int) -> ProcessWords:
    """Return the words for a process of the play head's run, at its moment."""
    timeline = head.timeline
    if timeline is None or not 0 <= process < timeline.n:
        return ProcessWords("", ())
    frame = basic.frame(timeline, head.t, NOTHING, animation=head.animation)
    state = int(timeline.states_at(frame.k)[process])
    name = timeline.processes[process]
    parts = [frame.animation.word(timeline.states[state])] if 0 <= state < len(timeline.states) else []
    lies = liars_at(timeline, frame.k).get(process)
    place = frame.names.index(name) if name in frame.names else None
    if place is not None:
        parts += [tr("crashed")] if frame.crashed[place] else []
        parts += [way_word(lies)] if lies else []
        parts += [tr("initiator")] if frame.initiators[place] else []
        waited = sorted(
            {int(b) for band in frame.pointers if band.declared.style == "waiting"
             for a, b in zip(band.source, band.target, strict=True) if int(a) == place}
        )  # fmt: skip
        parts += [tr("waits for {processes}", processes=joined([frame.names[b] for b in waited]))] if waited else []
        parts += [tr("labelled “{text}”", text=frame.watch[place])] if frame.watch[place] else []
    return ProcessWords(name, tuple(parts))


def view_words(title: str, head: Playhead) -> str:
    """Return the words for a view: ``Network view, 12 processes, process 5 selected, informed, waits for 6 and 8``."""
    timeline = head.timeline
    if timeline is None:
        return tr("{view}, empty", view=title)
    said = [title, plural(timeline.n, "process")]
    chosen = [p for p in sorted(head.selection.processes) if p < timeline.n]
    if len(chosen) == 1:
        words = process_words(head, chosen[0])
        said += [tr("process {process} selected", process=words.name), *words.parts]
    elif chosen:
        names = [timeline.processes[p] for p in chosen]
        said.append(
            tr("processes {processes} selected", processes=joined(names))
            if len(names) <= NAMED
            else trn("{count} process selected", "{count} processes selected", len(names))
        )
    if head.selection.event is not None:
        said.append(_place(timeline, head.selection.event))
    return ", ".join(said)


def _place(timeline: Timeline, seq: int) -> str:
    """Return the event that a row shows or belongs to, by number."""
    number = max(1, counted(timeline.kind[: seq + 1]))
    return tr("event {number} of {count}", number=number, count=timeline.events)


def thing_of(chosen: Selection) -> Hit | None:
    """Return the one thing that a menu for a selection is about: the event, else the message, else the process."""
    if chosen.event is not None:
        return Hit("event", chosen.event)
    if chosen.processes and not chosen.messages:
        return Hit("process", min(chosen.processes))
    if chosen.messages:
        return Hit("message", min(chosen.messages))
    return Hit("link", min(chosen.links)) if chosen.links else None
