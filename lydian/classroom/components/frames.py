"""What the components of a system, their meeting point and the interfaces that follow them say to each other.

The frames have the form of :mod:`lydian.engine.wire`. Each connection begins with ``enter``. A *part* simulates the
processes of one component; a *follower* sees what is published; a *steerer* also interferes::

    > {"kind": "enter", "wish": "part", "component": "D", "name": "lab-09", "secret": "..."}
    < {"kind": "system", "system": {...}, "clock": 0.0}
    < {"kind": "handover", "component": "D", "old": "", "new": "lab-03", "epoch": 1, "number": 0, ...}
    < {"kind": "publish", "component": "D", "index": 0, ...}          what D has published so far, if anything
    < {"kind": "handover", "component": "D", "old": "lab-03", "new": "lab-09", "epoch": 2, "number": 36, ...}
    < {"kind": "envelope", "source": "5", "target": "18", "component": "A", "to": "D", "number": 0, ...}
    > {"kind": "publish", "component": "D", "epoch": 1, "index": 0, "inputs": [...], "rows": "...", ...}
    > {"kind": "heartbeat", "component": "D", "name": "lab-09", "stamp": 1234.5}

A ``publish`` frame is the unit that is never torn apart: what the component took in, the events that followed, and the
messages that left. A frame that cannot be used is answered by ``error`` and is otherwise without effect.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lydian.engine.wire import Answered, Bye, Error, Frame, Refused, accepted, decode
from lydian.trace.events import ROW

__all__ = [
    "FRAMES", "MOST_BYTES", "WISHES", "Answered", "Barrier", "Bye", "Claim", "Enter", "Envelope", "Error", "Handover",
    "Heartbeat", "Leave", "Pause", "Publish", "Refused", "Steer", "SystemNow", "heard",
]  # fmt: skip

#: The longest frame that is read.
MOST_BYTES = 16_000_000
#: What a connection is for.
WISHES = ("part", "follow", "steer")


@dataclass(frozen=True)
class Enter(Frame):
    """The first frame of a connection.

    Args:
        wish: one of :data:`WISHES`.
        secret: the secret that all components of the system share.
        name: the name of the replica, or of the person or program that steers.
        component: the component that a part simulates or a steerer steers; "" to be given the one that has the fewest
            replicas.
        follows: the components that a follower follows; empty for all.
    """

    kind: ClassVar[str] = "enter"
    wish: str
    secret: str
    name: str = ""
    component: str = ""
    follows: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.wish not in WISHES:
            raise Refused(f"wish of an enter must be one of {', '.join(WISHES)}")


@dataclass(frozen=True)
class SystemNow(Frame):
    """The answer to ``enter``.

    Args:
        system: the experiment, the protocol and the components (:meth:`System.to_dict`).
        clock: the simulated time that the meeting point's clock shows.
        component: the component that the receiver simulates or steers.
        going: whether the system has begun.
    """

    kind: ClassVar[str] = "system"
    system: dict[str, Any]
    clock: float
    component: str = ""
    going: bool = False


@dataclass(frozen=True)
class Envelope(Frame):
    """A message on its way from one component to another.

    Args:
        component, to: the components of the sender and of the receiver.
        number: how many envelopes have gone from ``component`` to ``to`` before.
        source, target: the two processes.
        label: the class of the message; ``fields``: its fields (:mod:`lydian.classroom.components.values`).
        message: its number in the sender's component; ``sent``: the number of its send event there.
        time: when it was sent, ``arrival``: when it would arrive if only the network delayed it.
        lamport, chain: the logical time of its send event.
        vector: the vector clock of its send event.
        batch: the index of the ``publish`` frame that contained it.
    """

    kind: ClassVar[str] = "envelope"
    component: str
    to: str
    number: int
    source: str
    target: str
    label: str
    fields: dict[str, Any]
    message: int
    sent: int
    time: float
    arrival: float
    lamport: int
    chain: int
    vector: list[Any]
    batch: int


@dataclass(frozen=True)
class Publish(Frame):
    """What a component took in, what happened then, and what left.

    Args:
        epoch: the number of times that the component has changed hands; 0 in a record.
        index: the number of this frame in its component.
        inputs: what was taken in before the events, in order: ``{"envelope": {...}, "arrival": 3.25}`` or
            ``{"id": 7, "author": "Ben", "what": {...}, "accepted": true, "reason": ""}``.
        until: the simulated time up to which events happened; ``None`` for no bound.
        most: the largest number of steps that were taken.
        first, count, rows, details, labels: the events, as in a ``round`` frame of :mod:`lydian.engine.wire`; the first
            has the number ``first``. ``message`` of a row counts the messages of this component.
        foreign: ``[message, component, message there, sent]`` of each message that was taken in.
        joins: ``[number, vector clock]`` of each event that depends on another component in a new way.
        envelopes: the messages that left, as objects.
        time: the simulated time afterwards; ``next``: that of the next event, ``None`` if there is none.
        idle: whether nothing more happens here unless something is taken in.
        stopped: how the component's run ended; "" while it is in progress.
        error: the failure, as a sentence.
    """

    kind: ClassVar[str] = "publish"
    component: str
    epoch: int
    index: int
    inputs: list[Any]
    until: float | None
    most: int
    first: int
    count: int
    rows: str
    details: list[Any]
    labels: list[Any] | None
    foreign: list[Any]
    joins: list[Any]
    envelopes: list[Any]
    time: float
    next: float | None
    idle: bool
    stopped: str = ""
    error: str = ""

    def events(self) -> NDArray[np.void]:
        """Return the rows, with dtype ROW.

        Raises:
            Refused: ``rows`` does not contain ``count`` rows.
        """
        try:
            data = base64.b64decode(self.rows, validate=True)
        except (ValueError, binascii.Error):
            raise Refused("the rows of a publish must be base64") from None
        if self.count < 0 or len(data) != self.count * ROW.itemsize:
            raise Refused(f"a publish of {self.count} events has {self.count * ROW.itemsize} bytes, not {len(data)}")
        return np.frombuffer(data, dtype=ROW)


@dataclass(frozen=True)
class Heartbeat(Frame):
    """A sign of life of a replica; the meeting point returns it, and passes it on to the component's other replicas.

    Args:
        stamp: the sender's clock, in seconds.
        delay: the last time that a heartbeat took to the meeting point and back, in seconds; 0 if unknown.
        clock: the simulated time of the meeting point, when it returns the frame.
    """

    kind: ClassVar[str] = "heartbeat"
    component: str
    name: str
    stamp: float
    delay: float = 0.0
    clock: float = 0.0


@dataclass(frozen=True)
class Claim(Frame):
    """A replica believes that it is its turn, because it does not hear the one that acts.

    Args:
        epoch: the epoch that would begin.
        silent: for how many seconds it has not heard the one that acts.
    """

    kind: ClassVar[str] = "claim"
    component: str
    name: str
    epoch: int
    silent: float = 0.0


@dataclass(frozen=True)
class Handover(Frame):
    """A component changes hands, or two replicas that both believed to act have been found.

    Args:
        old, new: the replica that acted, "" at the beginning, and the one that acts from now on.
        epoch: the epoch that began; what is published in an earlier one is refused.
        number: the number of events published before it.
        index: the number of ``publish`` frames before it.
        believers: the other replicas that believed to act, and gave way.
        reason: one sentence.
        silent: for how many seconds the old one had been silent.
        distances: the distance of each replica's name from the component's, from 0 to 0.5.
    """

    kind: ClassVar[str] = "handover"
    component: str
    old: str
    new: str
    epoch: int
    number: int
    index: int
    believers: list[Any] = field(default_factory=list)
    reason: str = ""
    silent: float = 0.0
    distances: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Barrier(Frame):
    """All components have finished the rounds before ``round``; run this one up to the time ``until``."""

    kind: ClassVar[str] = "barrier"
    round: int
    until: float


@dataclass(frozen=True)
class Pause(Frame):
    """Simulated time stops for all components at ``clock``, or goes on from there."""

    kind: ClassVar[str] = "pause"
    on: bool
    clock: float


@dataclass(frozen=True)
class Steer(Frame):
    """An intervention at the processes of a component, between two of its batches.

    Args:
        id: the number that the answer repeats.
        what: the intervention without its time.
        author: who made it; filled in by the meeting point.
    """

    kind: ClassVar[str] = "steer"
    component: str
    id: int
    what: dict[str, Any]
    author: str = ""


@dataclass(frozen=True)
class Leave(Frame):
    """A replica leaves; if it acts, the nearest of the others goes on at once."""

    kind: ClassVar[str] = "leave"
    component: str
    name: str


_CLASSES = (
    Enter, SystemNow, Envelope, Publish, Heartbeat, Claim, Handover, Barrier, Pause, Steer, Leave, Answered, Error, Bye,
)  # fmt: skip
#: Kind -> class.
FRAMES: dict[str, type[Frame]] = {each.kind: each for each in _CLASSES}
_ACCEPTED = accepted(FRAMES)


def heard(line: bytes | str) -> Frame:
    """Return the frame in a message of the socket.

    Raises:
        Refused: it is not one of :data:`FRAMES`; the text is the sentence for the sender.
    """
    data = line.encode("utf-8", "replace") if isinstance(line, str) else line
    return decode(data, FRAMES, _ACCEPTED, MOST_BYTES)


def envelope(data: Any) -> Envelope:
    """Return the envelope in plain data.

    Raises:
        Refused: it is not one.
    """
    if not isinstance(data, dict):
        raise Refused("an envelope must be an object")
    import json

    try:
        frame = heard(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise Refused("an envelope must be plain data") from None
    if not isinstance(frame, Envelope):
        raise Refused(f"an envelope must have the kind envelope, not {frame.kind}")
    return frame
