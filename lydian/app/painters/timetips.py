"""What the pointer is over in the space-time diagram, in words (rich text)."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from lydian.pieces.dresses import word_of
from lydian.trace.timeline import Timeline
from lydian.views.network.liars import liars_at, way_word
from lydian.views.time.causality import CausalityFrame
from lydian.views.time.cones import relation, vector_clock
from lydian.views.words.contents import contents, falsehood, with_contents
from lydian.views.words.words import brief, plural

__all__ = ["clock_words", "event_words", "message_words", "process_words"]

#: So many entries of a vector clock are told.
SHOWN = 12
#: How an event stands to the selected one.
SHORT = {
    "before": "before the selected event",
    "after": "after the selected event",
    "concurrent": "concurrent with the selected event: neither could know of the other",
    "same": "the selected event",
}


def event_words(seq: int, frame: CausalityFrame) -> str:
    timeline = frame.timeline
    process, chain = int(timeline.process[seq]), int(timeline.chain[seq])
    name = timeline.processes[process] if process >= 0 else ""
    ending = f", end of a chain of {plural(chain, 'message')}" if chain else ""
    lines = [
        f"<b>{escape(name)}</b> {escape(brief(timeline, seq, frame.scene.animation))}",
        f"time {timeline.time[seq]:.2f}",
        f"Lamport time {timeline.lamport[seq]}{ending}",
        f"vector clock {escape(clock_words(timeline, seq))}",
    ]
    if frame.selected_event not in (None, seq):
        lines.append(SHORT[relation(timeline, int(frame.selected_event or 0), seq)])
    return "<br>".join(lines)


def clock_words(timeline: Timeline, seq: int) -> str:
    """The vector clock of an event: how many events of each process it knows of, zeros left out.

    All processes in order if they are few, else the names of the first that it knows of.
    """
    clock = vector_clock(timeline, seq)
    if timeline.n <= SHOWN:
        return "(" + ", ".join(str(count) for count in clock.tolist()) + ")"
    known = np.flatnonzero(clock)
    told = ", ".join(f"{timeline.processes[p]}: {clock[p]}" for p in known[:SHOWN].tolist())
    rest = len(known) - SHOWN
    return told + (f" and {plural(rest, 'other')}" if rest > 0 else "") if len(known) else "of no event"


def process_words(process: int, frame: CausalityFrame) -> str:
    timeline = frame.timeline
    k = timeline.count(frame.t)
    code = int(timeline.states_at(k)[process])
    state = frame.scene.animation.word(timeline.states[code]) if code < len(timeline.states) else "no state"
    if frame.crashed[process]:
        state = f"crashed (was {state})"
    lies = liars_at(timeline, k).get(process)
    state = f"{state}, {way_word(lies)}" if lies else state
    events = timeline.events_of(process)
    past, name = int(np.searchsorted(events, k)), escape(timeline.processes[process])
    return f"<b>Process {name}</b>, {escape(state)}<br>{past} of {plural(len(events), 'event')} so far"


def message_words(message: int, frame: CausalityFrame) -> str:
    timeline = frame.timeline
    code = int(timeline.message_label[message])
    label = word_of(timeline, message, frame.scene.animation)
    label = label or (frame.scene.animation.label(timeline.labels[code]) if code >= 0 else "message")
    sent_at, ended = int(timeline.sends[message]), int(timeline.receives[message])
    label = with_contents(label, contents(timeline, sent_at if ended < 0 else ended))
    false = falsehood(timeline, sent_at if ended < 0 else ended)
    source, target = (
        timeline.processes[code] if code >= 0 else "?"
        for code in (timeline.message_source[message], timeline.message_target[message])
    )
    sent, arrived = float(timeline.message_sent[message]), float(timeline.message_arrived[message])
    share = ""
    if sent <= frame.t < arrived < math.inf and arrived > sent:
        share = f", {100 * (frame.t - sent) / (arrived - sent):.0f} %"
    ending = (
        "has not arrived when the recording ends"
        if arrived == math.inf
        else f"{'lost' if timeline.lost[message] else 'arrives' if arrived > frame.t else 'arrived'} {arrived:.2f}"
    )
    return f"<b>{escape(label)}</b> {escape(source)} → {escape(target)}{share}<br>sent {sent:.2f}<br>{ending}" + (
        f"<br>{escape(false)}" if false else ""
    )
