"""A walk through a run for the ear: what is around a process at a moment, in sentences and tones.

The listener is at the process and looks up the screen. Each part of the walk is one sentence for the screen reader and
the tones that belong to it, each from its direction: first the process itself, then its neighbours clockwise from
ahead, what happened to it last, and the messages that are on their way to it.
"""

from __future__ import annotations

from dataclasses import dataclass

from lydian.language import tr, trn
from lydian.pieces.animation import Animation
from lydian.sound.places import Places
from lydian.sound.score import Note, Score
from lydian.sound.space import Listener, Point
from lydian.sound.voices import DEGREES, OF_KIND
from lydian.trace.events import ATTACHED
from lydian.trace.timeline import Timeline
from lydian.views.words.phrases import joined
from lydian.views.words.reasons import moment
from lydian.views.words.sentence import narrate
from lydian.views.words.words import named

__all__ = ["MOST", "Part", "Walk", "walk"]

#: The most neighbours and messages that have a part of their own; the others are counted.
MOST = 8
#: The number of latest events that are told.
LATEST = 3
#: The seconds from one tone of a part to the next.
PAUSE = 0.35
#: Neighbours nearer than this share of the usual distance are near, those beyond the second number are far away.
NEAR, FAR = 0.67, 1.6


@dataclass(frozen=True)
class Part:
    """One sentence of a walk, and the tones that are heard with it."""

    sentence: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Walk:
    """A walk around a process: who hears it, and its parts in order."""

    listener: Listener
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class _Around:
    """What a walk needs to know: the run at a moment, as heard at a process."""

    timeline: Timeline
    animation: Animation
    places: Places
    listener: Listener
    process: int
    t: float
    k: int

    def place(self, process: int) -> Point:
        x, y = self.places.at(self.t)[process].tolist()
        return x, y, 0.0

    def state(self, process: int) -> str:
        """Return the state of a process in words, or "" if it has none."""
        timeline, code = self.timeline, int(self.timeline.states_at(self.k)[process])
        known = len(timeline.states) > 1 and 0 <= code < len(timeline.states)
        words = [self.animation.word(timeline.states[code])] if known else []
        words += [tr("crashed")] if self.crashed(process) else []
        return ", ".join(words)

    def crashed(self, process: int) -> bool:
        return bool(self.timeline.crashed_at(self.k)[process])

    def tone(self, process: int) -> str:
        return "crash" if self.crashed(process) else "start"

    def degree(self, process: int) -> int:
        """Return the pitch of a process: that of its state, as in the score."""
        timeline, code = self.timeline, int(self.timeline.states_at(self.k)[process])
        known = len(timeline.states) > 1 and 0 <= code < len(timeline.states)
        return (self.animation.slot(timeline.states[code]) if known else process) % DEGREES


def walk(timeline: Timeline, t: float, process: int, animation: Animation) -> Walk:
    """Return the walk around a process at a time.

    Raises:
        IndexError: the run has no such process.
    """
    if not 0 <= process < timeline.n:
        raise IndexError(f"there is no process number {process} among {timeline.n}")
    places = Places(timeline, animation)
    around = _Around(timeline, animation, places, places.within(process, t), process, t, timeline.count(t))
    parts = (*_itself(around), *_neighbours(around), *_latest(around), *_coming(around))
    return Walk(around.listener, parts)


def _itself(around: _Around) -> list[Part]:
    """Return the part about the process itself."""
    name, state = around.timeline.processes[around.process], around.state(around.process)
    who = (
        tr("Process {process}, {state}.", process=name, state=state)
        if state
        else tr("Process {process}.", process=name)
    )
    when = tr("The time is {time}.", time=moment(around.t))
    tone = Note(0.0, around.tone(around.process), around.degree(around.process))
    return [Part(f"{who} {when}", (tone,))]


def _neighbours(around: _Around) -> list[Part]:
    """Return the parts about the neighbours, clockwise from ahead."""
    timeline, network = around.timeline, around.places.scene.network
    me = timeline.processes[around.process]
    names = network.neighbours(me) if me in network.index else ()
    known = [timeline.processes.index(name) for name in names if name in timeline.processes]
    if not known:
        return [Part(tr("It has no neighbours."))]
    known.sort(key=lambda each: (round(around.listener.direction(around.place(each)), 3), each))
    tones = [_tone_of(around, each, PAUSE * i) for i, each in enumerate(known[:MOST])]
    parts = [Part(trn("It has {count} neighbour.", "It has {count} neighbours.", len(known)), tuple(tones))]
    parts += [_neighbour(around, each) for each in known[:MOST]]
    if len(known) > MOST:
        others = [timeline.processes[each] for each in known[MOST:]]
        words = joined(others) if len(others) <= MOST else f"{len(others):,}"
        parts.append(Part(tr("Further neighbours: {processes}.", processes=words)))
    return parts


def _neighbour(around: _Around, process: int) -> Part:
    name, state, where = around.timeline.processes[process], around.state(process), _where(around, process)
    if state:
        words = tr("Neighbour {process}, {place}: {state}.", process=name, place=where, state=state)
    else:
        words = tr("Neighbour {process}, {place}.", process=name, place=where)
    return Part(words, (_tone_of(around, process, 0.0),))


def _tone_of(around: _Around, process: int, at: float) -> Note:
    return Note(at, around.tone(process), around.degree(process), around.place(process))


def _where(around: _Around, process: int) -> str:
    """Return where a process is, seen from the listener: ``to the left, far away``."""
    place, listener = around.place(process), around.listener
    apart = sum((a - b) ** 2 for a, b in zip(place, listener.position, strict=True)) ** 0.5 / listener.measure
    way = _way(listener.direction(place))
    if apart < NEAR:
        return tr("{direction}, near", direction=way)
    return tr("{direction}, far away", direction=way) if apart > FAR else way


def _way(degrees: float) -> str:
    """Return a direction in words; 0 degrees are straight ahead, 90 are to the right."""
    names = (
        tr("ahead"), tr("ahead to the right"), tr("to the right"), tr("behind to the right"), tr("behind"),
        tr("behind to the left"), tr("to the left"), tr("ahead to the left"),
    )  # fmt: skip
    return names[round(degrees / 45) % 8]


def _latest(around: _Around) -> list[Part]:
    """Return the parts about the last events of the process, the latest first."""
    timeline, score = around.timeline, Score(around.timeline, around.animation)
    rows = [row for row in timeline.events_of(around.process).tolist() if row < around.k]
    rows = [row for row in rows if timeline.kind[row] not in ATTACHED]
    if not rows:
        return [Part(tr("Nothing has happened at it yet."))]
    parts = []
    for row in rows[: -LATEST - 1 : -1]:
        words = narrate(timeline, row, around.animation)
        at = tr("At {time}: {sentence}", time=moment(float(timeline.time[row])), sentence=words)
        voice, peer = OF_KIND.get(int(timeline.kind[row])), int(timeline.peer[row])
        place = around.place(peer) if 0 <= peer < timeline.n else None
        parts.append(Part(at, (Note(0.0, voice, score.degree(row), place),) if voice else ()))
    return parts


def _coming(around: _Around) -> list[Part]:
    """Return the parts about the messages in transit to the process, those that were sent first."""
    timeline = around.timeline
    ids = timeline.in_flight(around.k, around.t)
    ids = ids[timeline.message_target[ids] == around.process]
    if not len(ids):
        return [Part(tr("No message is on its way to it."))]
    told = trn("{count} message is on its way to it.", "{count} messages are on their way to it.", len(ids))
    messages = ids.tolist()
    tones = [_flying(around, each, PAUSE * i) for i, each in enumerate(messages[:MOST])]
    return [Part(told, tuple(tones)), *(_message(around, each) for each in messages[:MOST])]


def _message(around: _Around, message: int) -> Part:
    timeline = around.timeline
    what = named(timeline, int(timeline.sends[message]), around.animation) or tr("message")
    sender = int(timeline.message_source[message])
    note = (_flying(around, message, 0.0),)
    if sender < 0 or sender == around.process:
        return Part(tr("On its way: {message}.", message=what), note)
    words = tr(
        "On its way: {message} from {sender}, {place}.",
        message=what,
        sender=timeline.processes[sender],
        place=_way(around.listener.direction(around.place(sender))),
    )
    return Part(words, note)


def _flying(around: _Around, message: int, at: float) -> Note:
    """Return the tone of a message, from where it is between its sender and the process."""
    timeline, here = around.timeline, around.place(around.process)
    sender = int(timeline.message_source[message])
    if sender < 0:
        return Note(at, "send", around.degree(around.process))
    left, due = float(timeline.message_sent[message]), float(timeline.message_reached[message])
    share = (around.t - left) / (due - left) if left < due < float("inf") else 0.0
    there, share = around.place(sender), min(max(share, 0.0), 0.95)
    x, y = (a + (b - a) * share for a, b in zip(there[:2], here[:2], strict=True))
    return Note(at, "send", around.degree(sender), (x, y, 0.0))
