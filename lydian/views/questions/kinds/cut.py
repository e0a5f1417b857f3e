"""Is a cut consistent?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.trace.cones import on_line
from lydian.trace.events import Kind as Event
from lydian.views.questions.chance import Chance
from lydian.views.questions.kind import Draft, Kind
from lydian.views.questions.question import Choice
from lydian.views.questions.scene import Scene, capital

#: The largest and the smallest number of processes; the cut of more cannot be written down.
MOST, LEAST = 8, 2
#: How many events a process may be before or behind the moment at which the cut is drawn.
SHIFT = 3
#: The largest number of messages among the choices.
MESSAGES = 3


def _suits(scene: Scene) -> bool:
    t = scene.timeline
    return LEAST <= t.n <= MOST and len(scene.receives) > 1 and not bool((t.kind == Event.RULE).any())


def _draw(scene: Scene, chance: Chance) -> Draft | None:
    t = scene.timeline
    k = scene.until(int(chance.pick(scene.acts)))
    lines = [_line(scene, process) for process in range(t.n)]
    cut = []
    for line in lines:
        at = int(np.searchsorted(line, k)) + chance.below(2 * SHIFT + 1) - SHIFT
        cut.append(int(line[min(at, len(line)) - 1]) if at > 0 and len(line) else -1)
    last, wanted = np.array(cut), chance.below(4) == 0  # a broken cut is more often refused below
    last = _closed(scene, lines, last)
    if not wanted:
        last = _broken(scene, chance, last)
    last = _settled(scene, lines, last)
    cut = last.tolist()
    wrong, right = _crossing(scene, last)
    if (last < 0).sum() > t.n // 2 or len(wrong) != (0 if wanted else 1):
        return None
    answer = [] if wanted else [int(wrong[0])]
    # The messages that cross the cut forwards are the ones that are easily mistaken.
    offered = [*answer, *chance.some(right.tolist(), MESSAGES - len(answer))]
    texts = [
        tr("No: {message} is received in it but not sent in it", message=scene.hop(int(t.receives[message])))
        for message in offered
    ]  # fmt: skip
    if len(set(texts)) < len(texts) or len(offered) < 2:
        return None
    order = chance.shuffled(range(len(offered)))
    choices = (Choice(tr("Yes, it is consistent")), *(Choice(texts[place]) for place in order))
    rows = "\n".join(
        tr("{process}: {event} at time {time}", process=scene.name(p), event=_short(scene, seq), time=scene.at(seq))
        if seq >= 0 else tr("{process}: no event", process=scene.name(p))
        for p, seq in enumerate(cut)
    )  # fmt: skip
    text = tr(
        "A cut contains the events of each process up to and including the following one.\n{rows}\n"
        "Is the cut consistent?",
        rows=rows,
    )
    if wanted:
        why = tr(
            "Every message that is received in the cut is also sent in it, so the system could have been in this "
            "configuration at some moment."
        )
        place, evidence = 0, [seq for seq in cut if seq >= 0]
    else:
        message = answer[0]
        send, receive = int(t.sends[message]), int(t.receives[message])
        why = capital(
            tr("{message} is received in the cut, at time {received}, but sent outside it, at time {sent}: "
               "an effect without its cause.",
               message=scene.hop(receive), received=scene.at(receive), sent=scene.at(send))
        )  # fmt: skip
        place, evidence = 1 + order.index(0), [send, receive]
    shown = [*cut, *(int(seq) for message in offered for seq in (t.sends[message], t.receives[message]))]
    return Draft(
        text, float(t.time[max(shown)]), (place,), why, choices=choices, evidence=tuple(sorted(evidence)),
        about=tuple(sorted(seq for seq in cut if seq >= 0)), cut=tuple(cut), level=2 if t.n < 5 else 3,
    )  # fmt: skip


def _line(scene: Scene, process: int) -> NDArray[np.int32]:
    """Return the events of a process that a question may name."""
    t = scene.timeline
    own = t.events_of(process)
    return own[on_line(t, own) & np.isin(own, scene.acts)]


def _crossing(scene: Scene, last: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the messages that are received in a cut but sent outside it, and those that are sent but not received."""
    t = scene.timeline
    ids = np.flatnonzero((t.sends >= 0) & (t.receives >= 0) & ~t.lost)
    sent = t.sends[ids] <= last[t.message_source[ids]]
    received = t.receives[ids] <= last[t.message_target[ids]]
    return ids[received & ~sent], ids[sent & ~received]


def _closed(scene: Scene, lines: list[NDArray[np.int32]], last: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the largest consistent cut inside a cut: messages that are received but not sent are left out."""
    t, found = scene.timeline, last.copy()
    while len(wrong := _crossing(scene, found)[0]):
        receive = int(t.receives[wrong[0]])
        process = int(t.process[receive])
        line = lines[process]
        at = int(np.searchsorted(line, receive))
        found[process] = int(line[at - 1]) if at else -1
    return found


def _settled(scene: Scene, lines: list[NDArray[np.int32]], last: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a cut with all events of a process that happen at the same time on one side, so that it can be drawn."""
    time, found = scene.timeline.time, last.copy()
    for process, line in enumerate(lines):
        if found[process] >= 0:
            at = int(np.searchsorted(time[line], time[found[process]], side="right"))
            found[process] = line[at - 1]
    return found


def _broken(scene: Scene, chance: Chance, last: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a consistent cut extended to the receipt of a message that is sent soon after the cut."""
    t, found = scene.timeline, last.copy()
    ids = np.flatnonzero((t.sends >= 0) & (t.receives >= 0) & ~t.lost)
    later = ids[t.sends[ids] > last[t.message_source[ids]]]
    soon = later[np.argsort(t.sends[later], kind="stable")][: SHIFT * t.n]
    if len(soon):
        message = int(chance.pick(soon))
        found[t.message_target[message]] = t.receives[message]
    return found


def _short(scene: Scene, seq: int) -> str:
    """Return an event without its process: ``sends Ack to 2``."""
    t = scene.timeline
    kind, peer = int(t.kind[seq]), int(t.peer[seq])
    other = scene.name(peer) if peer >= 0 else tr("an unknown process")
    if kind == Event.SEND:
        return tr("sends {message} to {receiver}", message=scene.message(seq), receiver=other)
    if kind == Event.RECEIVE:
        return tr("receives {message} from {sender}", message=scene.message(seq), sender=other)
    if kind == Event.INIT:
        return tr("starts")
    return {
        Event.TIMER: tr("timer {timer}", timer=scene.message(seq)),
        Event.COMMAND: tr("command {command}", command=scene.message(seq)),
        Event.DELIVER: tr("delivers"), Event.DECIDE: tr("decides"),
    }.get(kind, "")  # fmt: skip


KIND = Kind("cut", tr("Is this a consistent cut?"), _draw, _suits)
