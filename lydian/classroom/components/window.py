"""What a window and the process that hosts its system in components (:mod:`lydian.classroom.components.serve`) say.

The window asks for a run in components or for the repetition of a recorded one; then it decides, and the process tells
it the events and how the components are::

    > {"kind": "split", "experiment": {...}, "count": 4, "replicas": 2}
    < {"kind": "open", "url": "ws://...", "secret": "...", "groups": {"A": ["0", "1"], ...}}
    < {"kind": "begun", ...}, {"kind": "round", ...}, {"kind": "dropped", "first": 120}
    < {"kind": "standing", "parts": [{"name": "A", "acting": "a-1", "events": 36, ...}], ...}
    < {"kind": "handover", "component": "B", "old": "b-1", "new": "b-2", ...}
    > {"kind": "do", "id": 3, "do": "kill", "what": {"replica": "b-1"}}
    < {"kind": "answer", "id": 3, "accepted": true, ...}
    < {"kind": "ended", "outcome": "quiescent", "checks": [...]}
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from lydian.classroom.components.frames import Handover
from lydian.classroom.frames import Dropped
from lydian.engine.wire import Answered, Begun, Bye, Error, Frame, Round, Stop, accepted, decode

__all__ = ["ACTS", "REQUESTS", "Do", "Ended", "Open", "Repeat", "Split", "Standing", "told", "wanted"]

#: What the window can decide.
ACTS = ("steer", "kill", "hire", "appoint", "follow", "cut", "restore", "pause", "save")


@dataclass(frozen=True)
class Split(Frame):
    """A request to run an experiment in components.

    Args:
        experiment: the experiment, as in its file.
        folder: the folder of the files to which the experiment refers.
        count: the number of components; 0 if ``groups`` names the processes of each.
        groups: component -> its processes.
        barrier, pace: as in :class:`~lydian.classroom.components.system.System`.
        replicas: the replicas of each component that are started here; 0 if other computers simulate all.
        lan: whether to listen on the local network rather than only on this computer.
        port: the port; 0 for any free one.
        file: the file to which the record is written at the end; "" for none.
    """

    kind: ClassVar[str] = "split"
    experiment: dict[str, Any]
    folder: str | None = None
    count: int = 0
    groups: dict[str, Any] = field(default_factory=dict)
    barrier: bool = False
    pace: float = 5.0
    replicas: int = 1
    lan: bool = False
    port: int = 0
    file: str = ""


@dataclass(frozen=True)
class Repeat(Frame):
    """A request to repeat the run in a record; this executes the protocol's source in it.

    Args:
        record: the file of the record.
    """

    kind: ClassVar[str] = "repeat"
    record: str


@dataclass(frozen=True)
class Do(Frame):
    """A decision of the window.

    Args:
        id: the number that the answer repeats.
        do: one of :data:`ACTS`.
        what: its arguments: ``component``, ``what`` and ``author`` to steer, ``replica`` to kill or to appoint,
            ``component`` to hire a further replica or to kill all its replicas on this computer, ``components`` to
            follow or between which to ``cut`` or ``restore`` the links (with ``author``), ``on`` to pause, ``file`` to
            save.
    """

    kind: ClassVar[str] = "do"
    id: int
    do: str
    what: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Open(Frame):
    """The system, as soon as others can join.

    Args:
        url, secret: what another computer needs to join; "" for a recorded run.
        groups: component -> its processes.
        experiment: the experiment of a recorded run; empty otherwise.
        exact: whether the run will be the same as in one simulator.
        crossings: for each two components that links connect their names, the number of links, and the mean delay of
            these (``None`` if there is none).
        inside: the mean delay of the links inside components; ``None`` if there is none.
    """

    kind: ClassVar[str] = "open"
    url: str
    secret: str
    groups: dict[str, Any]
    experiment: dict[str, Any] = field(default_factory=dict)
    exact: bool = False
    crossings: list[Any] = field(default_factory=list)
    inside: float | None = None


@dataclass(frozen=True)
class Standing(Frame):
    """How the components are.

    Args:
        parts: for each component its ``name``, the replica ``acting`` ("" for none), the number of its ``events``, how
            many of them are ``shown``, its simulated ``time``, its ``replicas`` (``name``, ``status``: ``acts``,
            ``ready``, ``silent`` or ``away``; ``here``: whether it is a process on this computer; ``distance``: that of
            its name), its ``problem`` ("" for none), and the ``delay`` of its connection, in milliseconds to the
            meeting point and back (``None`` if unknown).
        held: the first event of each component that is held back: component, number, the component for whose event it
            waits, and the number of that event.
        follows: the components that the window follows.
        begun: whether enough replicas are here.
        paused: whether simulated time stands still.
        cut: each two components between which all links are down.
    """

    kind: ClassVar[str] = "standing"
    parts: list[Any]
    held: list[Any]
    follows: list[Any]
    begun: bool = True
    paused: bool = False
    cut: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Ended(Frame):
    """The end of the run.

    Args:
        outcome: why it is over: ``quiescent``, ``until``, ``cancelled``, ``error`` ...
        checks: the results of the properties, as in a result; empty if they cannot be judged.
        judged: whether the same run in one simulator has the same events, so that the properties could be judged.
        error: the failure, as a sentence.
    """

    kind: ClassVar[str] = "ended"
    outcome: str
    checks: list[Any] = field(default_factory=list)
    judged: bool = False
    error: str = ""


_REQUESTS = (Split, Repeat, Do, Stop)
_TOLD = (Open, Standing, Ended, Handover, Begun, Round, Dropped, Answered, Error, Bye)
#: The frames that the window sends: kind -> class.
REQUESTS: dict[str, type[Frame]] = {each.kind: each for each in _REQUESTS}
_FROM: dict[str, type[Frame]] = {each.kind: each for each in _TOLD}
_WANTED_TYPES, _TOLD_TYPES = accepted(REQUESTS), accepted(_FROM)


def wanted(line: bytes) -> Frame:
    """Return the frame that the window has sent.

    Raises:
        Refused: it is not one of :data:`REQUESTS`.
    """
    return decode(line, REQUESTS, _WANTED_TYPES)


def told(line: bytes) -> Frame:
    """Return the frame that the process has sent.

    Raises:
        Refused: it is not one that a window expects.
    """
    return decode(line, _FROM, _TOLD_TYPES)
