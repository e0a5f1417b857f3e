"""The process view: the state and variables of one process, its last messages, and all its events in order."""

from __future__ import annotations

import html
import itertools
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc
from lydian.pieces.animation import Animation, animation_for
from lydian.pieces.messagelooks import kinds_at
from lydian.trace.events import EFFECTS, FAULTS, NO_STATE, Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.liars import liars_at, way_word
from lydian.views.registry import View
from lydian.views.selection import NOTHING, Hit, Selection
from lydian.views.words.code import Code, code_of
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text
from lydian.views.words.words import brief, named, plural

__all__ = ["VIEW", "EventRow", "Last", "StepFrame", "VariableRow", "frame"]

#: Kinds of event that involve a message.
_OF_MESSAGES = (Kind.SEND, Kind.RECEIVE, Kind.DROP, Kind.INJECT, Kind.CORRUPT)
#: The number of events before and after the current one in a frame; a window shows fewer.
REACH = 60
#: Kinds of event to which an action of the protocol responds.
ACTED = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)


@dataclass(frozen=True)
class VariableRow:
    """A variable: its value as text, and time and event of its last change (``None`` and -1 if unchanged since the
    start).
    """

    name: str
    value: str
    since: float | None
    seq: int
    changed: bool
    note: str


@dataclass(frozen=True)
class EventRow:
    """An event of the process: ``look`` is the kind of its message or -1; ``place`` its index among all of them.

    ``told`` returns the event in a few words, for :attr:`text`: most events in a frame are out of view.
    """

    place: int
    seq: int
    time: float
    lamport: int
    look: int
    effect: bool
    fault: bool
    past: bool
    current: bool
    selected: bool
    hover: bool
    told: Callable[[], str] = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """The event in a few words."""
        return self.told()


@dataclass(frozen=True)
class Last:
    """A line such as "Last received: Ack from 6 at 5.25"; ``seq`` is -1 if it has no event."""

    name: str
    text: str
    seq: int
    code: bool = False


@dataclass(frozen=True)
class StepFrame:
    """A process at a moment; ``process`` is -1 if the execution has none."""

    title: str
    process: int
    name: str
    slot: int
    word: str
    situation: str
    crashed: bool
    initiator: bool
    chosen: bool
    variables: tuple[VariableRow, ...]
    lasts: tuple[Last, ...]
    #: the events around the current one, in order
    rows: tuple[EventRow, ...]
    #: number of all its events
    count: int
    #: index of the current event among all of them, -1 before the first
    current: int
    #: first event to show if somebody has scrolled, else ``None`` (then the current one stays in view)
    offset: int | None
    #: ``seq`` of its previous and next event, -1 at the ends
    previous: int
    following: int
    #: the function that answered the event, with the line that ran; ``None`` if the protocol's text does not say
    code: Code | None = None
    #: the event whose action that function is, -1 for none
    acted: int = -1
    #: what it does if it is Byzantine: ``tells two stories``
    lies: str = ""


def frame(
    timeline: Timeline,
    t: float,
    selection: Selection = NOTHING,
    *,
    animation: Animation | None = None,
    process: int | None = None,
    offset: int | None = None,
    hover: Hit | None = None,
) -> StepFrame:
    """Return the process at time ``t``: the one selected, else the one of the selected event, else that of the current
    event.

    Args:
        t: the moment, in simulated time; every event up to and at ``t`` has happened.
        animation: colours and words; the protocol's own by default.
        process: index of a pinned process; goes before the selection.
        offset: index of the first event to show in the list; ``None`` keeps the current one in view.
        hover: what the pointer is over in any view.
    """
    animation = animation_for(timeline.trace) if animation is None else animation
    k = int(timeline.count(t))
    index, chosen = _which(timeline, k, selection, process)
    if index < 0:
        return _empty()
    events = np.asarray(timeline.events_of(index))
    current = int(np.searchsorted(events, k)) - 1
    code = int(timeline.state[events[current]]) if current >= 0 else NO_STATE
    if code == NO_STATE:
        code = int(np.asarray(timeline.states_at(k))[index])
    state = timeline.states[code] if 0 <= code < len(timeline.states) else ""
    action = _action(timeline, events, current)
    variables = _variables(timeline, index, k, action if _happens_now(timeline, events, current, k, action) else -2)
    excerpt = _excerpt(timeline, events, current, action)
    name = timeline.processes[index]
    crashed = bool(np.asarray(timeline.crashed_at(k))[index])
    liars = liars_at(timeline, k)
    word = animation.word(state) if state else tr("no state")
    count = len(events)
    told = f"{name}: {word}" + (tr(", crashed") if crashed else "")
    return StepFrame(
        title=told + " · " + tr("event {number} of {count}", number=current + 1, count=count),
        process=index,
        name=name,
        slot=animation.slot(state) if state else 7,
        word=word,
        situation=_situation(variables, current, crashed),
        crashed=crashed,
        lies=way_word(liars[index]) if index in liars else "",
        initiator=bool(count) and bool((np.asarray(timeline.kind)[events] == Kind.INIT).any()),
        chosen=chosen,
        variables=(*variables, _clock(timeline, events, current)),
        lasts=_lasts(timeline, index, k, action, excerpt, animation),
        rows=_rows(timeline, events, current, selection, animation, offset, hover),
        count=count,
        current=current,
        offset=None if offset is None else max(0, min(offset, count - 1)),
        previous=int(events[current - 1]) if current > 0 else -1,
        following=int(events[current + 1]) if current + 1 < count else -1,
        code=excerpt,
        acted=action,
    )


def _empty() -> StepFrame:
    return StepFrame(
        title=tr("no process"), process=-1, name="", slot=7, word="", situation="", crashed=False, initiator=False,
        chosen=False, variables=(), lasts=(), rows=(), count=0, current=-1, offset=None, previous=-1, following=-1,
    )  # fmt: skip


def _which(timeline: Timeline, k: int, selection: Selection, pinned: int | None) -> tuple[int, bool]:
    """Return the index of the process to show, and whether the user chose it."""
    n = len(timeline.processes)
    if pinned is not None and 0 <= pinned < n:
        return pinned, True
    wanted = sorted(p for p in selection.processes if 0 <= p < n)
    if wanted:
        return wanted[0], True
    if selection.event is not None and 0 <= selection.event < len(timeline.trace):
        process = int(timeline.process[selection.event])
        if process >= 0:
            return process, True
    for seq in range(min(k, len(timeline.trace)) - 1, max(-1, k - 100), -1):
        if timeline.process[seq] >= 0:
            return int(timeline.process[seq]), False
    starts = np.asarray(timeline.process[:100])
    starts = starts[starts >= 0]
    return (int(starts[0]) if len(starts) else 0 if n else -1), False


def _action(timeline: Timeline, events: NDArray[Any], current: int) -> int:
    """Return the ``seq`` of the action to which the current event belongs; an effect belongs to the action that caused
    it.
    """
    if current < 0:
        return -1
    seq = int(events[current])
    if int(timeline.kind[seq]) in EFFECTS:
        cause = int(timeline.cause[seq])
        return cause if cause >= 0 else seq
    return seq


def _happens_now(timeline: Timeline, events: NDArray[Any], current: int, k: int, action: int) -> bool:
    """Return True if the step of this action is the current one: no process acted since, or it has effects to come."""
    if current < 0:
        return False
    if int(events[current]) == k - 1:
        return True
    following = int(events[current + 1]) if current + 1 < len(events) else -1
    return following >= 0 and int(timeline.kind[following]) in EFFECTS and int(timeline.cause[following]) == action


def _variables(timeline: Timeline, index: int, k: int, action: int) -> tuple[VariableRow, ...]:
    types = read(timeline.trace.source).types
    rows = []
    for name, (value, seq) in timeline.variables(index, k).items():
        since = float(timeline.time[seq]) if seq >= 0 else None
        changed = seq >= 0 and seq == action
        if changed:
            note = tr("just changed")
        else:
            note = tr("unchanged since the start") if since is None else tr("since {time:.2f}", time=since)
        rows.append(VariableRow(name, value_text(typed(value, types.get(name, ""))), since, seq, changed, note))
    return tuple(rows)


def _clock(timeline: Timeline, events: NDArray[Any], current: int) -> VariableRow:
    lamport = int(timeline.lamport[events[current]]) if current >= 0 else 0
    return VariableRow(trc("label of the Lamport time", "clock"), str(lamport), None, -1, False, tr("Lamport time"))


def _situation(variables: tuple[VariableRow, ...], current: int, crashed: bool) -> str:
    """Return the variables that have changed since the start, in one line."""
    if current < 0:
        return tr("no events yet")
    told = [f"{v.name} {v.value.strip('{[]}')}" for v in variables if v.seq >= 0 and len(v.value) <= 28]
    if crashed:
        told.insert(0, trc("a process", "crashed"))
    if told:
        return " · ".join(told[:3])
    return tr("all variables are unchanged since the start") if variables else tr("has no variables")


def _lasts(
    timeline: Timeline, index: int, k: int, action: int, code: Code | None, animation: Animation
) -> tuple[Last, ...]:
    received = int(timeline.last_of_kind(index, k, (Kind.RECEIVE,)))
    sent = int(timeline.last_of_kind(index, k, (Kind.SEND,)))
    found = []
    for name, seq in ((tr("Last received"), received), (tr("Last sent"), sent)):
        if seq < 0:
            found.append(Last(name, tr("nothing yet"), -1))
            continue
        label, peer = named(timeline, seq, animation), timeline.processes[timeline.peer[seq]]
        time = float(timeline.time[seq])
        if seq == received:
            text = tr("{message} from {sender} at {time:.2f}", message=label, sender=peer, time=time)
        else:
            text = tr("{message} to {receiver} at {time:.2f}", message=label, receiver=peer, time=time)
        found.append(Last(name, text, seq))
    if code is None:
        return tuple(found)
    where = tr("{function}(), line {line}", function=code.function, line=code.current)
    return (*found, Last(tr("Its code"), where, action, code=True))


def _excerpt(timeline: Timeline, events: NDArray[Any], current: int, action: int) -> Code | None:
    """Return the function that responded to event ``action``, with the line of the current event."""
    if action < 0 or int(timeline.kind[action]) not in ACTED:
        return None
    seq = int(events[current])
    return code_of(timeline, action, seq if seq != action else -1)


_texts: weakref.WeakKeyDictionary[Any, dict[tuple[int, Animation], str]] = weakref.WeakKeyDictionary()


def _text(timeline: Timeline, seq: int, animation: Animation) -> str:
    """Return an event in a few words, which are kept, as an event never changes."""
    known = _texts.setdefault(timeline, {})
    key = (seq, animation)
    text = known.get(key)
    if text is None:
        if len(known) > 50_000:
            known.clear()
        text = known[key] = brief(timeline, seq, animation)
    return text


def _rows(
    timeline: Timeline,
    events: NDArray[Any],
    current: int,
    selection: Selection,
    animation: Animation,
    offset: int | None,
    hover: Hit | None,
) -> tuple[EventRow, ...]:
    middle = max(current, 0) if offset is None else max(0, min(offset, len(events) - 1))
    first = max(0, middle - REACH)
    some = events[first : middle + REACH]
    of_messages = np.isin(timeline.kind[some], _OF_MESSAGES) & (timeline.label[some] >= 0)
    look = np.where(of_messages, kinds_at(timeline, some, animation), -1)
    columns = (timeline.kind[some], timeline.time[some], timeline.lamport[some], look)
    rows = []
    for place, seq, kind, time, lamport, look_of in zip(
        itertools.count(first), some.tolist(), *(np.asarray(column).tolist() for column in columns), strict=False
    ):
        rows.append(
            EventRow(
                place=place,
                seq=seq,
                time=time,
                told=partial(_text, timeline, seq, animation),
                lamport=lamport,
                look=look_of,
                effect=kind in EFFECTS,
                fault=kind == Kind.DROP or kind in FAULTS,
                past=place < current,
                current=place == current,
                selected=seq == selection.event,
                hover=hover is not None and hover.kind == "event" and hover.id == seq,
            )
        )
    return tuple(rows)


def events_title(frame: StepFrame) -> str:
    """Return the heading of the list: ``Its events (10)``."""
    return tr("Its events ({count:,})", count=frame.count) if frame.count else tr("It has no events")


def tooltip_of(row: EventRow) -> str:
    """Return one event for a tooltip, as rich text."""
    lines = [
        f"<b>{html.escape(row.text)}</b>",
        tr("event {event:,}, time {time:.4f}", event=row.seq, time=row.time),
        tr("Lamport time {time:,}", time=row.lamport),
    ]
    return "<br>".join(lines)


def summary(frame: StepFrame) -> str:
    """Return the process in one sentence, for screen readers."""
    if frame.process < 0:
        return tr("The network has no process.")
    return tr("Process {process}, {state}, {situation}, {events}.", process=frame.name, state=frame.word,
              situation=frame.situation, events=plural(frame.count, "event"))  # fmt: skip


VIEW = View(
    name="step",
    entry=tr("&Process"),
    icon="process",
    frame=frame,
    painter="lydian.app.painters.others.step.StepPainter",
    mouse="list",
    about=tr("One process: its state, its variables, and its own events in order."),
    empty=tr("Run, then click a process"),
    shows=tr("one process step by step"),
    another=tr("Another process view, which stays with its process"),
    keys="Ctrl+4",
    usual=True,
    beside="causality",
    how="right",
    layouts=("study", "debug", "debug-wide"),
)
