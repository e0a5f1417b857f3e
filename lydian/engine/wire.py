"""The simulator and its clients exchange frames: one on each line, each an object in JSON.

Every frame has a ``kind``. Its other keys are the fields of the class of that name below; fields with a default may be
omitted. Texts are UTF-8; a frame ends with a line feed and has at most :data:`MOST_BYTES`. A client begins with
``hello`` and ``request``; the simulator answers ``hello``, then proceeds round by round::

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

A run that is only watched is requested with ``"trace": "run.parquet", "to": null, "told": false``: the simulator then
sends ``progress`` frames until the ``result``, and writes the events only to the file. A search of all schedules and
the runs of a sweep use the same frames; they are requested with ``search`` and ``batch``, a game with ``play``, and a
running system that is watched with ``watch``.

A frame that cannot be used (one that is not JSON, is truncated or too long, or has an unknown kind or a wrong field) is
answered by an ``error`` frame with one sentence and is otherwise ignored; it never ends a session.

The events of a round are its rows in base64, 44 bytes each as in :data:`lydian.trace.events.ROW` (little endian: time
f8; process, peer, message, lamport, chain, cause, bits, round i4; label i2; kind, state u1; -1, for state 255, is
null); the first event has the number ``first``. ``processes``, ``labels`` and ``states`` are the tables to which the
codes refer; they are sent at the beginning and whenever they have grown. ``details`` contains pairs of an event's
number and its JSON text.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, BinaryIO, ClassVar

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import LydianError, did_you_mean, shown
from lydian.model.limits import MOST_SECONDS
from lydian.model.protocol.message import accepted_types
from lydian.trace.events import ROW

__all__ = [
    "FLYING", "KINDS", "MOST_BYTES", "VERSION", "Answered", "Batch", "Begun", "Bye", "Error", "Frame", "Grade", "Hello",
    "Interact", "Look", "Mark", "Pace", "Partial", "Pending", "Play", "Programs", "Progress", "Refused", "Request",
    "Result", "Round", "Search", "Shorten", "Stop", "Watch", "Witness", "accepted", "decode", "encode", "frames",
    "packed",
]  # fmt: skip

#: The version of this format; a program that uses another version is rejected.
VERSION = 1
#: The longest frame that is read.
MOST_BYTES = 32_000_000
#: The largest number of events in one ``round`` frame; a longer round is sent in several frames.
MOST_ROWS = 65_536


#: A message in transit: its number, and the time at which it arrives.
FLYING = np.dtype([("message", "<i4"), ("time", "<f8")])


class Refused(LydianError):
    """An error raised for a frame that cannot be used; the text is the sentence for its sender."""


@dataclass(frozen=True)
class Frame:
    """One message on the channel."""

    kind: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the object that is sent."""
        return {"kind": self.kind, **{each.name: getattr(self, each.name) for each in fields(self)}}


@dataclass(frozen=True)
class Hello(Frame):
    """The first frame: the version of the format that the sender uses, and its name."""

    kind: ClassVar[str] = "hello"
    version: int
    program: str = ""


@dataclass(frozen=True)
class Request(Frame):
    """A request for a run.

    Args:
        experiment: the experiment, as in its file.
        folder: the folder of the files to which the experiment refers.
        trace: the trace file to write, or ``None``.
        round_time: the simulated time of a round.
        round_events: the number of steps in a round (a step is an event with the effects of its action), instead of a
            time.
        to: run until this number of rounds are done, then wait; ``None`` to run on.
        until: run until every event up to this simulated time has happened, then wait, instead of ``to``; the next
            intervention is made at this time. Only for rounds of events.
        steps: like ``until``, but a bound on the total number of steps; the bound that is reached first applies.
        flying: whether a ``round`` at whose end the simulator waits contains the arrival times of the messages in
            transit.
        linger: whether to wait for interactions, rather than end, when nothing is left to do.
        told: whether the events are sent in rounds; otherwise ``progress`` frames report how far the run is, and only
            the trace file contains the events.
        pending: the largest number of enabled events in a ``pending`` frame; 0 for no such frames.
        seconds: the time limit for one action, in seconds.
        memory: the number of bytes that the simulator may use (not on Windows), or ``None``.
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
                raise Refused(f"{name} of a request must be at least {least:g}, not {value}")
        if self.seconds > MOST_SECONDS:
            raise Refused(f"seconds of a request must be at most {MOST_SECONDS:g}, not {self.seconds:g}")
        for name in ("to", "pending", "until", "steps"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise Refused(f"{name} of a request must be at least 0, not {value}")
        if not self.told and (self.trace is None or self.to is not None):
            raise Refused("a request without events must name a trace file and run to the end (to is null)")
        _bounds(self, self.round_events is not None)


def _bounds(frame: Request | Pace, events: bool) -> None:
    """Reject bounds that contradict each other."""
    bound = "until" if frame.until is not None else "steps" if frame.steps is not None else ""
    if bound and not events:
        raise Refused(f"{bound} of a {frame.kind} is only for rounds of events; give round_events as well")
    if bound and frame.to:
        raise Refused(f"a {frame.kind} must have to or {bound}, not both")


@dataclass(frozen=True)
class Search(Frame):
    """A request for a search of all schedules, or for random ones (``python -m lydian.engine.explorer.serve``).

    Args:
        experiment, folder: as in a request.
        crashes, losses, late_starts, patient, depth, states, seconds, memory, workers: as in
            :class:`~lydian.engine.explorer.search.Explorer`.
        walk: the number of random schedules to follow; ``None`` to search all schedules.
        priorities: as in a :class:`~lydian.engine.explorer.walk.Walk`.
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
    workers: int = 1
    walk: int | None = None
    priorities: int | None = None

    def __post_init__(self) -> None:
        numbers = (("crashes", 0), ("losses", 0), ("depth", 0), ("states", 1), ("memory", 1), ("walk", 1))
        for name, least in (*numbers, ("priorities", 1), ("workers", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise Refused(f"{name} of a search must be at least {least}, not {value}")
        if self.seconds is not None and not self.seconds > 0:
            raise Refused(f"seconds of a search must be more than 0, not {self.seconds}")


@dataclass(frozen=True)
class Shorten(Frame):
    """A request to shorten a failing run (``python -m lydian.engine.shorten.serve``).

    Args:
        experiment, folder: as in a request.
        property: the violated property to keep; ``None`` for a failing action, or the first violation.
        seconds: the time limit; ``None`` for no limit.
    """

    kind: ClassVar[str] = "shorten"
    experiment: dict[str, Any]
    folder: str | None = None
    property: str | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise Refused(f"seconds of a shortening must be more than 0, not {self.seconds}")


@dataclass(frozen=True)
class Play(Frame):
    """A request for a game against an algorithm (``python -m lydian.engine.adversary.serve``).

    Args:
        goal: the goal, as in its file.
        name: its name.
        folder: the folder of the files to which its experiment refers.
        states, seconds, memory: as in :class:`~lydian.engine.explorer.search.Explorer`.
    """

    kind: ClassVar[str] = "play"
    goal: dict[str, Any]
    name: str = "goal"
    folder: str | None = None
    states: int | None = None
    seconds: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("states", 1), ("memory", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise Refused(f"{name} of a game must be at least {least}, not {value}")
        if self.seconds is not None and not self.seconds > 0:
            raise Refused(f"seconds of a game must be more than 0, not {self.seconds}")


@dataclass(frozen=True)
class Look(Frame):
    """A question about a position of a game.

    Args:
        path: the choices that lead to it.
    """

    kind: ClassVar[str] = "look"
    path: list[Any]


@dataclass(frozen=True)
class Witness(Frame):
    """A request for runs that show why a protocol makes its assumptions (``python -m lydian.engine.witness.serve``).

    Args:
        experiment, folder: as in a request.
        needs: the names of the assumptions to be tried, one after the other; ``None`` for all.
        seconds: the time limit for each; ``None`` for no limit.
    """

    kind: ClassVar[str] = "witness"
    experiment: dict[str, Any]
    folder: str | None = None
    needs: list[Any] | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise Refused(f"seconds of a search for witnesses must be more than 0, not {self.seconds}")


@dataclass(frozen=True)
class Batch(Frame):
    """A request for the runs of a sweep, or for an estimate of their cost (``python -m lydian.batch.drive``).

    Args:
        do: ``"run"`` or ``"estimate"``.
        sweep: the sweep, as in its file; ``None`` to continue the sweep in ``folder``.
        file: the file to which relative paths in the sweep refer.
        folder: the folder for the results.
        master: the master of Spark.
        traces: whether to keep traces; ``None`` to do as the sweep specifies.
        resume: whether to execute the remaining runs in a folder that exists.
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
            raise Refused("a batch that runs must have a folder")


@dataclass(frozen=True)
class Mark(Frame):
    """A request to mark a hand-in (``python -m lydian.assignment.serve``).

    Args:
        assignment: the folder of the assignment.
        files: the files of the hand-in, name -> text.
        answers: its answers, check -> answer.
        checks: the checks to run; ``None`` for all.
        runs: the folder for the failing runs; ``None`` to keep none.
        short: whether failing runs are shortened.
    """

    kind: ClassVar[str] = "mark"
    assignment: str
    files: dict[str, Any]
    answers: dict[str, Any] = field(default_factory=dict)
    checks: list[Any] | None = None
    runs: str | None = None
    short: bool = True


@dataclass(frozen=True)
class Grade(Frame):
    """A request to grade a class, or to check an assignment (``python -m lydian.assignment.lecturing``).

    Args:
        assignment: the folder of the assignment.
        submissions: the folder or ZIP file with the hand-ins; ``None`` to mark the reference, the mutants and the
            skeleton instead.
        folder: where the grades are written.
    """

    kind: ClassVar[str] = "grade"
    assignment: str
    submissions: str | None = None
    folder: str | None = None


@dataclass(frozen=True)
class Programs(Frame):
    """A request for a run whose processes are programs (``python -m lydian.nodes.serve``).

    The run takes place in real time, so it has no pace; ``interact`` and ``stop`` are as in any run, and ``progress``
    frames report its phase.

    Args:
        plan: the command, the network, the workload and the rest of :class:`~lydian.nodes.plan.Plan`.
    """

    kind: ClassVar[str] = "programs"
    plan: dict[str, Any]


@dataclass(frozen=True)
class Watch(Frame):
    """A request to watch a running system (``python -m lydian.watching.serve``).

    It is answered like a run. A ``round`` whose ``first`` is less than the number of events so far replaces the events
    from there on, because a message is recognised only when its receiver appears.

    Args:
        source: a file that grows, or an address on this computer such as ``http:8088``.
        form, regex: how its lines are read; by default the format is recognised.
        check: a file of properties, which is executed.
        trace: the trace file to write at the end, or ``None``.
        most: the largest number of lines that are kept; ``None`` for the default.
    """

    kind: ClassVar[str] = "watch"
    source: str
    form: str | None = None
    regex: str | None = None
    check: str | None = None
    trace: str | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        if self.most is not None and self.most < 1:
            raise Refused(f"most of a watch must be at least 1, not {self.most}")


@dataclass(frozen=True)
class Pace(Frame):
    """A new pace: run until ``to`` rounds are done, then wait; the other fields are as in a request."""

    kind: ClassVar[str] = "pace"
    to: int | None = None
    linger: bool | None = None
    until: float | None = None
    steps: int | None = None

    def __post_init__(self) -> None:
        _bounds(self, True)


@dataclass(frozen=True)
class Interact(Frame):
    """A request for an intervention in the run."""

    kind: ClassVar[str] = "interact"
    id: int
    seen: int
    what: dict[str, Any]


@dataclass(frozen=True)
class Stop(Frame):
    """A request to end the run or the search; its result up to this point follows."""

    kind: ClassVar[str] = "stop"


@dataclass(frozen=True)
class Begun(Frame):
    """The beginning of the run: the metadata of its trace, without the experiment.

    Args:
        network: the network as in its file, with the timing of the experiment.
        source: the text of the protocol.
        versions: the versions of Python and of this program.
        summary: the protocol's name and title, its initial state and variables, the parameters and the formula.
    """

    kind: ClassVar[str] = "begun"
    network: dict[str, Any]
    source: str
    versions: dict[str, Any]
    summary: dict[str, Any]


@dataclass(frozen=True)
class Round(Frame):
    """The number of rounds that are done, and the events since the last ``round`` frame.

    After an interaction between two rounds, the number is the same as before.

    Args:
        time: the simulated time.
        next: the time of the earliest enabled event, ``None`` if there is none.
        waiting: whether the simulator is waiting for a ``pace`` or an ``interact``.
        steps: the number of steps that have been taken, in rounds of events.
        flying: the messages in transit with the times at which they arrive if nothing interferes, 12 bytes each
            (message i4, time f8; little endian) in base64; ``None`` if they were not requested.
        checks: the results of the properties so far, as in a result; ``None`` if nothing has changed.
        rest: if nothing more can happen by itself, the ``checks`` as they would be if the run ended now, the processes
            that are ``waiting`` in vain, and the bounds that were ``reached``; otherwise ``None``.
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
        """Return the messages in transit, with dtype FLYING.

        Raises:
            Refused: if ``flying`` is not such a list.
        """
        try:
            return np.frombuffer(base64.b64decode(self.flying or "", validate=True), dtype=FLYING)
        except ValueError:
            raise Refused("the messages in transit of a round must be a list of 12 bytes each in base64") from None

    def events(self) -> NDArray[np.void]:
        """Return the rows, with dtype ROW.

        Raises:
            Refused: if ``rows`` does not contain ``count`` rows.
        """
        try:
            data = base64.b64decode(self.rows, validate=True)
        except ValueError:
            raise Refused("the rows of a round must be base64") from None
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
    """The reply to an interaction: the intervention with its time, or the reason why it was not made."""

    kind: ClassVar[str] = "answer"
    id: int
    accepted: bool
    reason: str
    round: int
    intervention: dict[str, Any] | None = None


@dataclass(frozen=True)
class Progress(Frame):
    """A sign of life and of progress; the first one confirms that the request was understood.

    Args:
        done: for a run, ``round``, ``events``, ``time`` and ``live``, the trace file as far as it has been written; for
            a search, ``configurations``, ``waiting`` (those not yet examined), ``edges`` and ``depth``; for a
            shortening, the numbers of the shortest run so far: ``events``, ``messages``, ``processes``, ``links`` and
            ``given``, the interventions; for witnesses, the ``need`` that is being tried, the numbers of
            ``configurations``, ``runs`` and ``processes``, and the ``share`` of the time that has passed; for marks,
            the ``check``, and how many of ``of`` ``runs`` are done; for a grading, how many of ``of`` ``hand_ins``
            are marked; for an estimate, how many of ``of`` trial runs have been ``tried``; for a batch, the fields of
            :class:`~lydian.batch.spark.job.Progress`, with only those ``groups`` that have changed; for a watched
            system ``where``, the address at which events are received.
    """

    kind: ClassVar[str] = "progress"
    done: dict[str, Any]


@dataclass(frozen=True)
class Partial(Frame):
    """The findings so far.

    Args:
        found: for witnesses, the answer about one assumption (:class:`~lydian.engine.witness.search.Answer`); for a
            batch, ``failures``, the runs without a result that have not been reported before, and ``more``, the number
            of failures that are not reported; for marks, the result of one check; for
            the check of an assignment, one ``trial``; for a game, one of ``ready`` (the
            experiment before the first step), ``position`` (:class:`~lydian.engine.adversary.position.Position`) and
            ``known``, what the search has found (:class:`~lydian.engine.adversary.position.Known`); for a watched
            system ``problems``, pairs of the number of a line that cannot be used and the reason.
    """

    kind: ClassVar[str] = "partial"
    found: dict[str, Any]


@dataclass(frozen=True)
class Result(Frame):
    """The result of a run, a search, a shortening, a search for witnesses, an estimate, a batch or a marking.

    It is the output of ``lydian run --json`` or ``lydian explore --json``; for an estimate the expected cost of the
    sweep; for a batch its ``state`` (``done`` or ``cancelled``), its ``folder`` and its last ``progress``; for a
    grading its ``page``, and how many hand-ins there are, and how many of them did not run.

    Args:
        experiment: for a run, its experiment with all interventions that were made; it produces the same run again. For
            a shortening, the experiment of the shortest run.
        examples: for a search, for each finding an experiment that repeats the steps of its counterexample, or null.
    """

    kind: ClassVar[str] = "result"
    result: dict[str, Any]
    experiment: dict[str, Any] = field(default_factory=dict)
    examples: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Error(Frame):
    """One sentence about a frame that cannot be used or, with an ``exit_code``, a request that cannot be met.

    Args:
        file: for a sweep, the file that contains the error; the text does not repeat it.
        place: for a sweep, the place of the error in the file; the text does not repeat it.
    """

    kind: ClassVar[str] = "error"
    text: str
    exit_code: int | None = None
    file: str | None = None
    place: str | None = None


@dataclass(frozen=True)
class Bye(Frame):
    """The last frame."""

    kind: ClassVar[str] = "bye"
    reason: str = ""


_CLASSES = (
    Hello, Request, Search, Shorten, Witness, Play, Look, Batch, Mark, Grade, Programs, Watch, Pace, Interact, Stop,
    Begun, Round, Pending, Answered, Progress, Partial, Result, Error, Bye,
)  # fmt: skip
#: Kind -> class.
KINDS: dict[str, type[Frame]] = {each.kind: each for each in _CLASSES}
_WORDS = {
    int: "a whole number", float: "a number", str: "a text", bool: "true or false", dict: "an object", list: "a list",
    type(None): "null",
}  # fmt: skip
#: Kind -> name of a field -> the types that it accepts.
Accepted = dict[str, dict[str, tuple[type, ...]]]


def accepted(kinds: Mapping[str, type[Frame]]) -> Accepted:
    """Return the types that the fields of these frames accept."""
    return {name: {each.name: accepted_types(each.type) or () for each in fields(cls)} for name, cls in kinds.items()}


_ACCEPTED = accepted(KINDS)


def encode(frame: Frame) -> bytes:
    """Return the line that contains the frame."""
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


def decode(
    line: bytes, kinds: Mapping[str, type[Frame]] = KINDS, types: Accepted = _ACCEPTED, most: int = MOST_BYTES
) -> Frame:
    """Return the frame that a line contains.

    Args:
        kinds: the frames that are expected: kind -> class.
        types: what :func:`accepted` returns for them.
        most: the longest frame that is read.

    Raises:
        Refused: if the line is not a frame; the text is the sentence for its sender.
    """
    if len(line) > most:
        raise Refused(f"a frame must have at most {most:,} bytes")
    try:
        data = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Refused("a frame must be text in UTF-8") from None
    except RecursionError:
        raise Refused("a frame is nested too deeply") from None
    except ValueError as error:
        begins = shown(line[:40].decode("utf-8", "replace"))
        raise Refused(f"a frame must be a line of JSON; this one begins {begins}: {error}") from None
    if not isinstance(data, dict):
        raise Refused(f"a frame must be an object with a kind, not {shown(data)}")
    kind = data.pop("kind", None)
    cls = kinds.get(kind) if isinstance(kind, str) else None
    if cls is None:
        known = did_you_mean(kind, kinds) if isinstance(kind, str) else ""
        raise Refused(f"unknown frame of kind {shown(kind)}{known or '; choose from ' + ', '.join(kinds)}")
    _check(cls, data, types[cls.kind])
    return cls(**data)


def _check(cls: type[Frame], data: dict[str, Any], accepted: Mapping[str, tuple[type, ...]]) -> None:
    for name, value in data.items():
        if name not in accepted:
            there = ", ".join(accepted) or "none"
            hint = did_you_mean(name, accepted) or f"; choose from {there}"
            raise Refused(f"unknown field {shown(name)} of {cls.kind}{hint}")
        if type(value) not in accepted[name]:
            words = " or ".join(
                _WORDS[each] for each in accepted[name] if not (each is int and float in accepted[name])
            )
            raise Refused(f"{name} of {cls.kind} must be {words}, not {shown(value)}")
        if isinstance(value, float) and not math.isfinite(value):
            raise Refused(f"{name} of {cls.kind} must be a finite number")
    for each in fields(cls):
        if each.name not in data and each.default is MISSING and each.default_factory is MISSING:
            raise Refused(f"{cls.kind} needs {each.name}")


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a JSON number")


def frames(stream: BinaryIO, most: int = MOST_BYTES) -> Iterator[Frame | Refused]:
    """Yield each frame as it arrives; for a line that is not a frame, yield the error."""
    while True:
        try:
            line = stream.readline(most + 1)
        except (OSError, ValueError):  # the channel was closed in the meantime
            return
        if not line:
            return
        if len(line) > most:
            while line and not line.endswith(b"\n"):
                line = stream.readline(most)
            yield Refused(f"a frame must have at most {most:,} bytes; a longer one was left out")
        elif not line.endswith(b"\n"):
            yield Refused("the last frame was cut off")
        elif line.strip():
            try:
                yield decode(line)
            except Refused as error:
                yield error


def packed(rows: NDArray[np.void]) -> str:
    """Return rows of dtype ROW or FLYING as the text in a ``round`` frame."""
    return base64.b64encode(np.ascontiguousarray(rows).tobytes()).decode("ascii")
