"""What the simulator and its clients say to each other: frames, one a line, each an object in JSON.

Every frame has a ``kind``; its other keys are the fields of the class of that name below, those with a default may be
left out.  Texts are UTF-8; a frame ends with a line feed and is at most :data:`MOST_BYTES` long.  A client begins with
``hello`` and ``request``; the simulator answers ``hello``, then goes round by round::

    > {"kind": "hello", "version": 1, "program": "window"}
    < {"kind": "hello", "version": 1, "program": "lydian 1.0"}
    > {"kind": "request", "experiment": {...}, "to": 0}
    < {"kind": "begun", "network": {...}, "source": "...", "versions": {...}, "summary": {...}}
    < {"kind": "round", "round": 0, "first": 0, "count": 0, ..., "waiting": true}
    < {"kind": "pending", "round": 0, "total": 1, "events": [{...}]}
    > {"kind": "interact", "id": 17, "seen": 0, "what": {"do": "crash", "process": "3"}}
    < {"kind": "answer", "id": 17, "accepted": true, "reason": "", "round": 0, "intervention": {...}}
    < {"kind": "round", "round": 0, "first": 0, "count": 1, ...}
    > {"kind": "pace", "to": null}
    < {"kind": "round", "round": 1, ...}
    < {"kind": "result", "result": {...}, "experiment": {...}}
    < {"kind": "bye", "reason": "quiescent"}

A run that is only watched is asked for with ``"trace": "run.parquet", "to": null, "told": false``: it says ``progress``
until its ``result``, and leaves its events in the file.  A search of all schedules and the runs of a sweep
speak in the same frames; they are asked for with ``search`` and ``batch``.

A frame that cannot be used (no JSON, cut off, too long, of an unknown kind, with a wrong field) is answered by an
``error`` frame with one sentence and is otherwise as if it had not been sent; it never ends a session.

The events of a round are its rows, 44 bytes each as in :data:`lydian.trace.events.ROW` (little endian: time f8;
process, peer, message, lamport, chain, cause, bits, round i4; label i2; kind, state u1; -1, for state 255, is null), in
base64; the first has the number ``first``.  ``processes``, ``labels`` and ``states`` are the tables behind the codes,
sent at first and whenever they grew; ``details`` are pairs of an event's number and its JSON text.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, BinaryIO, ClassVar

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import LydianError, did_you_mean, shown
from lydian.model.limits import MOST_SECONDS
from lydian.model.protocol.message import accepted_types
from lydian.trace.events import ROW

__all__ = [
    "FLYING", "KINDS", "MOST_BYTES", "VERSION", "Answered", "Batch", "Begun", "Bye", "Error", "Frame", "Hello",
    "Interact", "Pace", "Partial", "Pending", "Progress", "Refused", "Request", "Result", "Round", "Search", "Stop",
    "decode", "encode", "frames", "packed",
]  # fmt: skip

#: Of this format; a program that speaks another one is refused.
VERSION = 1
#: The longest frame that is read.
MOST_BYTES = 32_000_000
#: The most events in one ``round`` frame; a longer round is told in several.
MOST_ROWS = 65_536


#: A message under way: its number, and when it arrives.
FLYING = np.dtype([("message", "<i4"), ("time", "<f8")])


class Refused(LydianError):
    """A frame that cannot be used; the text is the sentence for its sender."""


@dataclass(frozen=True)
class Frame:
    """Anything said on the channel."""

    kind: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """The frame as the object that is sent."""
        return {"kind": self.kind, **{each.name: getattr(self, each.name) for each in fields(self)}}


@dataclass(frozen=True)
class Hello(Frame):
    """The first frame of either side: which format it speaks, and who it is."""

    kind: ClassVar[str] = "hello"
    version: int
    program: str = ""


@dataclass(frozen=True)
class Request(Frame):
    """Asks for a run.

    Args:
        experiment: as in its file.
        folder: where the files lie that it names.
        trace: the trace file to write beside what is told, or ``None``.
        round_time: simulated time of a round.
        round_events: steps of a round (an event with what its action does) instead of time.
        to: run until so many rounds are done, then wait; ``None`` to run on.
        until: run until everything up to this simulated time has happened, then wait, instead of ``to``; what is done
            next is done at this time.  Only for rounds of events.
        steps: as ``until``, until so many steps were taken in all, whichever comes first.
        flying: whether a ``round`` at whose end the simulator waits says when the messages under way arrive.
        linger: whether to wait for interactions, rather than end, when nothing is left to do.
        told: whether the events are told in rounds; otherwise ``progress`` says how far the run is, and the trace file
            holds the events.
        pending: how many enabled events a ``pending`` frame lists at most; 0 for no such frames.
        seconds: how long an action may take.
        memory: how many bytes the simulator may take (not on Windows), or ``None``.
    """

    kind: ClassVar[str] = "request"
    experiment: dict[str, Any]
    folder: str | None = None
    trace: str | None = None
    round_time: float = 1.0
    round_events: int | None = None
    to: int | None = 0
    until: float | None = None
    steps: int | None = None
    flying: bool = False
    linger: bool = False
    told: bool = True
    pending: int = 200
    seconds: float = 2.0
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("round_time", 1e-9), ("round_events", 1), ("seconds", 0.05), ("memory", 64_000_000)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise Refused(f"{name} of a request is at least {least:g}, not {value}")
        if self.seconds > MOST_SECONDS:
            raise Refused(f"seconds of a request must be at most {MOST_SECONDS:g}, not {self.seconds:g}")
        for name in ("to", "pending", "until", "steps"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise Refused(f"{name} of a request is 0 or more, not {value}")
        if not self.told and (self.trace is None or self.to is not None):
            raise Refused("a request whose events are not told names a trace file and runs on (to is null)")
        _bounds(self, self.round_events is not None)


def _bounds(frame: Request | Pace, events: bool) -> None:
    """Refuses what cannot be meant together."""
    bound = "until" if frame.until is not None else "steps" if frame.steps is not None else ""
    if bound and not events:
        raise Refused(f"{bound} of a {frame.kind} is for rounds of events; say round_events, too")
    if bound and frame.to:
        raise Refused(f"a {frame.kind} has either to or {bound}, not both")


@dataclass(frozen=True)
class Search(Frame):
    """Asks for a search of all schedules (``python -m lydian.engine.explorer.serve``).

    Args:
        experiment, folder: as in a request.
        crashes, losses, late_starts, patient, depth, states, seconds, memory: as for
            :class:`~lydian.engine.explorer.search.Explorer`.
    """

    kind: ClassVar[str] = "search"
    experiment: dict[str, Any]
    folder: str | None = None
    crashes: int | None = None
    losses: int | None = None
    late_starts: bool = False
    patient: bool = False
    depth: int | None = None
    states: int | None = None
    seconds: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("crashes", 0), ("losses", 0), ("depth", 0), ("states", 1), ("memory", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise Refused(f"{name} of a search must be {least} or more, not {value}")
        if self.seconds is not None and not self.seconds > 0:
            raise Refused(f"seconds of a search must be more than 0, not {self.seconds}")


@dataclass(frozen=True)
class Batch(Frame):
    """Asks for the runs of a sweep, or for an estimate of what they take (``python -m lydian.batch.drive``).

    Args:
        do: ``"run"`` or ``"estimate"``.
        sweep: as in its file; ``None`` to go on with what was asked for in ``folder``.
        file: where relative paths of the sweep begin.
        folder: where the results go.
        master: of Spark.
        traces: whether traces are kept; ``None`` is what the sweep says.
        resume: whether to make the rest of the runs in a folder that exists.
        plan: the result of an estimate, if there is one.
    """

    kind: ClassVar[str] = "batch"
    do: str
    sweep: dict[str, Any] | None = None
    file: str | None = None
    folder: str | None = None
    master: str = "local[*]"
    traces: bool | None = None
    resume: bool = False
    plan: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.do not in ("run", "estimate"):
            raise Refused(f"do of a batch must be run or estimate, not {shown(self.do)}")
        if self.folder is None and self.do == "run":
            raise Refused("a batch that runs needs a folder")


@dataclass(frozen=True)
class Pace(Frame):
    """From now on: run until ``to`` rounds are done, then wait; ``None`` to run on; the others as in a request."""

    kind: ClassVar[str] = "pace"
    to: int | None = None
    linger: bool | None = None
    until: float | None = None
    steps: int | None = None

    def __post_init__(self) -> None:
        _bounds(self, True)


@dataclass(frozen=True)
class Interact(Frame):
    """Interferes: ``what`` is an intervention without its time, ``seen`` the number of rounds its sender had seen."""

    kind: ClassVar[str] = "interact"
    id: int
    seen: int
    what: dict[str, Any]


@dataclass(frozen=True)
class Stop(Frame):
    """Ends the run or the search here; the result until then follows."""

    kind: ClassVar[str] = "stop"


@dataclass(frozen=True)
class Begun(Frame):
    """The run is about to begin: what the metadata of its trace will hold, without the experiment.

    Args:
        network: as in its file, with the timing of the experiment.
        source: the text of the protocol.
        versions: of Python and of this program.
        summary: the protocol's name and title, the state and the variables it starts with, parameters, formula.
    """

    kind: ClassVar[str] = "begun"
    network: dict[str, Any]
    source: str
    versions: dict[str, Any]
    summary: dict[str, Any]


@dataclass(frozen=True)
class Round(Frame):
    """So many rounds are done (the same number again after an interaction between two), with these events since.

    Args:
        time: simulated time; ``next``: that of the earliest enabled event, ``None`` if there is none.
        waiting: whether the simulator waits for a ``pace`` or an ``interact``.
        steps: how many steps were taken, in rounds of events.
        flying: the messages under way and when they arrive if nobody interferes, 12 bytes each (message i4, time f8;
            little endian) in base64; ``None`` if it was not asked for.
        checks: what became of the properties so far, as in a result; ``None`` if nothing has changed.
        rest: when nothing more can happen by itself: ``checks`` as they would be if the run ended now, the processes
            that are ``waiting`` in vain, and the bounds that were ``reached``; ``None`` otherwise.
    """

    kind: ClassVar[str] = "round"
    round: int
    first: int
    count: int
    time: float
    next: float | None = None
    waiting: bool = False
    rows: str = ""
    details: list[Any] = field(default_factory=list)
    labels: list[Any] | None = None
    states: list[Any] | None = None
    processes: list[Any] | None = None
    steps: int = 0
    flying: str | None = None
    checks: list[Any] | None = None
    rest: dict[str, Any] | None = None

    def arrivals(self) -> NDArray[np.void]:
        """The messages under way, dtype FLYING.

        Raises:
            Refused: they are no such list.
        """
        try:
            return np.frombuffer(base64.b64decode(self.flying or "", validate=True), dtype=FLYING)
        except ValueError:
            raise Refused("the messages under way of a round are no list of 12 bytes each in base64") from None

    def events(self) -> NDArray[np.void]:
        """The rows, dtype ROW.

        Raises:
            Refused: they are no rows.
        """
        try:
            data = base64.b64decode(self.rows, validate=True)
        except ValueError:
            raise Refused("the rows of a round are no base64") from None
        if len(data) != self.count * ROW.itemsize:
            raise Refused(f"a round of {self.count} events has {self.count * ROW.itemsize} bytes, not {len(data)}")
        return np.frombuffer(data, dtype=ROW)


@dataclass(frozen=True)
class Pending(Frame):
    """The enabled events, the earliest first; see :mod:`lydian.engine.pending` for their keys."""

    kind: ClassVar[str] = "pending"
    round: int
    total: int
    events: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Answered(Frame):
    """What became of the interaction ``id``: the intervention with its time, or the reason why not."""

    kind: ClassVar[str] = "answer"
    id: int
    accepted: bool
    reason: str
    round: int
    intervention: dict[str, Any] | None = None


@dataclass(frozen=True)
class Progress(Frame):
    """How far it is, and that it is alive: the first one says that what is asked for was understood.

    Args:
        done: of a run ``round``, ``events``, ``time`` and ``live``, the trace file as far as it is written; of a search
            ``configurations``, ``waiting`` (still to be looked at), ``edges`` and ``depth``; of an estimate how many
            of ``of`` trial runs were ``tried``; of a batch the fields of :class:`~lydian.batch.spark.job.Progress`, of
            ``groups`` those that changed
    """

    kind: ClassVar[str] = "progress"
    done: dict[str, Any]


@dataclass(frozen=True)
class Partial(Frame):
    """What was found so far.

    Args:
        found: of a batch ``failures``, runs that gave no result and were not told before, and ``more``, how many are
            not told at all.
    """

    kind: ClassVar[str] = "partial"
    found: dict[str, Any]


@dataclass(frozen=True)
class Result(Frame):
    """The end: what ``lydian run --json`` or ``lydian explore --json`` prints; what a sweep will take; or of a batch
    its ``state`` (``done`` or ``cancelled``), its ``folder`` and its last ``progress``.

    Args:
        experiment: of a run, with all that was done to it.
        examples: of a search, for each finding the experiment that takes its counterexample's steps, or null.
    """

    kind: ClassVar[str] = "result"
    result: dict[str, Any]
    experiment: dict[str, Any] = field(default_factory=dict)
    examples: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Error(Frame):
    """One sentence about a frame that cannot be used, or, with an ``exit_code``, about what cannot be done.

    Args:
        file, place: of a sweep, where it is wrong; the text does not repeat them.
    """

    kind: ClassVar[str] = "error"
    text: str
    exit_code: int | None = None
    file: str | None = None
    place: str | None = None


@dataclass(frozen=True)
class Bye(Frame):
    """The last frame of either side."""

    kind: ClassVar[str] = "bye"
    reason: str = ""


_CLASSES = (
    Hello, Request, Search, Batch, Pace, Interact, Stop, Begun, Round, Pending, Answered, Progress, Partial, Result,
    Error, Bye,
)  # fmt: skip
#: Kind -> class.
KINDS: dict[str, type[Frame]] = {each.kind: each for each in _CLASSES}
_WORDS = {
    int: "a whole number", float: "a number", str: "a text", bool: "true or false", dict: "an object", list: "a list",
    type(None): "null",
}  # fmt: skip
_ACCEPTED: dict[str, dict[str, tuple[type, ...]]] = {
    name: {each.name: accepted_types(each.type) or () for each in fields(cls)} for name, cls in KINDS.items()
}


def encode(frame: Frame) -> bytes:
    """The line that says it."""
    data = frame.to_dict()
    try:
        text = json.dumps(data, separators=(",", ":"), allow_nan=False, default=str)  # a date of a TOML file
    except ValueError:  # numbers that JSON does not know become texts, as in a trace
        text = json.dumps(_finite(data), separators=(",", ":"), default=str)
    return text.encode() + b"\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def decode(line: bytes) -> Frame:
    """The frame that a line says.

    Raises:
        Refused: with the sentence.
    """
    if len(line) > MOST_BYTES:
        raise Refused(f"a frame has at most {MOST_BYTES:,} bytes")
    try:
        data = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Refused("a frame is text in UTF-8; this one is not") from None
    except RecursionError:
        raise Refused("a frame is nested too deeply") from None
    except ValueError as error:
        begins = shown(line[:40].decode("utf-8", "replace"))
        raise Refused(f"a frame is a line of JSON; this one begins {begins}: {error}") from None
    if not isinstance(data, dict):
        raise Refused(f"a frame is an object with a kind, not {shown(data)}")
    kind = data.pop("kind", None)
    cls = KINDS.get(kind) if isinstance(kind, str) else None
    if cls is None:
        known = did_you_mean(kind, KINDS) if isinstance(kind, str) else ""
        raise Refused(f"there is no frame of kind {shown(kind)}{known or '; there are ' + ', '.join(KINDS)}")
    _check(cls, data)
    return cls(**data)


def _check(cls: type[Frame], data: dict[str, Any]) -> None:
    accepted = _ACCEPTED[cls.kind]
    for name, value in data.items():
        if name not in accepted:
            there = ", ".join(accepted) or "none"
            raise Refused(f"{cls.kind} has no {shown(name)}{did_you_mean(name, accepted) or '; its fields: ' + there}")
        if type(value) not in accepted[name]:
            words = " or ".join(
                _WORDS[each] for each in accepted[name] if not (each is int and float in accepted[name])
            )
            raise Refused(f"{name} of {cls.kind} is {words}, not {shown(value)}")
        if isinstance(value, float) and not math.isfinite(value):
            raise Refused(f"{name} of {cls.kind} is a finite number")
    for each in fields(cls):
        if each.name not in data and each.default is MISSING and each.default_factory is MISSING:
            raise Refused(f"{cls.kind} needs {each.name}")


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def frames(stream: BinaryIO, most: int = MOST_BYTES) -> Iterator[Frame | Refused]:
    """The frames that come in, one by one as they come, and for what is no frame the sentence."""
    while True:
        try:
            line = stream.readline(most + 1)
        except (OSError, ValueError):  # closed meanwhile
            return
        if not line:
            return
        if len(line) > most:
            while line and not line.endswith(b"\n"):
                line = stream.readline(most)
            yield Refused(f"a frame has at most {most:,} bytes; a longer one was left out")
        elif not line.endswith(b"\n"):
            yield Refused("the last frame was cut off")
        elif line.strip():
            try:
                yield decode(line)
            except Refused as error:
                yield error


def packed(rows: NDArray[np.void]) -> str:
    """Rows of dtype ROW, or FLYING, as the text in a ``round`` frame."""
    return base64.b64encode(np.ascontiguousarray(rows).tobytes()).decode("ascii")
