"""Properties judged on recorded events: a log of a real system, a trace, or events as they arrive.

A file of properties has the decorators of a protocol (``@always``, ``@eventually``, ``@at_end``, ``@measure``) but no
protocol. Its functions get an :class:`Observed`, which has what a log contains: the states and variables of the
processes as recorded, the messages in transit, and the history of operations.

A configuration is judged when a step is complete: an event with the effects of its action, such as the messages that it
sends. What is reported is the first event of the step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from lydian.engine.checks import Judgement, Judges
from lydian.engine.observers import Feed
from lydian.model.errors import BadInput, did_you_mean, unknown_process
from lydian.model.history.operations import History
from lydian.model.limits import time_limit
from lydian.model.protocol import observer as observers
from lydian.model.protocol.folder import read_source
from lydian.model.protocol.properties import Measured, Property
from lydian.model.protocol.protocol import properties_from_source
from lydian.trace.details import first_values
from lydian.trace.events import ATTACHED, EFFECTS, KINDS, Event, Trace

__all__ = ["Observed", "Observer", "Sent", "Spec", "judged", "read_spec"]

#: The seconds that the properties may take for one configuration.
SECONDS = 5.0
_ATTACHED = frozenset(KINDS[kind] for kind in ATTACHED)
_EFFECTS = frozenset(KINDS[kind] for kind in EFFECTS)
_DROPS = ("receive", "drop")
Told = TypeVar("Told", bound=observers.Observer)


@dataclass(frozen=True)
class Spec:
    """A file of properties."""

    path: Path
    source: str
    properties: tuple[Property, ...]
    measures: tuple[Measured, ...]


def read_spec(path: Path | str) -> Spec:
    """Return the properties in a file; this executes it.

    Raises:
        BadInput: the file is missing or declares no property or measure.
        ProtocolError: the file cannot be executed.
    """
    path = Path(path)
    source = read_source(path, "a file of properties")
    properties, measures = properties_from_source(source, path=path)
    if not properties and not measures:
        what = '@always("at most one leader") before a function of c'
        raise BadInput(f"this file declares no property; write, for example, {what}", file=path)
    return Spec(path, source, properties, measures)


class _Named:
    """An object whose fields are read as attributes."""

    _what = "field"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        fields = self.__dict__.get("fields", {})
        if name in fields:
            return fields[name]
        known = f"; choose from {', '.join(map(str, fields))}" if fields else ""
        raise AttributeError(f"{self!r} has no {self._what} {name!r}{did_you_mean(name, fields) or known}")


class Observee(_Named):
    """A process as its events show it.

    Attributes:
        name: its name.
        state: its state after its last event; "active" if the log names no states.
        fields: its variables, which are also attributes.
        crashed: whether it has crashed and not recovered; ``faulty``: whether it has ever crashed.
        events: the number of its events.
        last: its last event, or ``None``.
    """

    _what = "variable"

    def __init__(self, name: str, state: str, fields: Mapping[str, Any]) -> None:
        self.name, self.state = name, state
        self.fields: dict[str, Any] = dict(fields)
        self.crashed = self.faulty = False
        self.events = 0
        self.last: Event | None = None

    @property
    def me(self) -> str:
        """Its name."""
        return self.name

    def __repr__(self) -> str:
        return f"process {self.name}"


class Sent(_Named):
    """A message in transit.

    Attributes:
        label: its class; ``id``: its number in the trace; ``sent``: the time at which it was sent.
        sender, receiver: the processes at its ends.
        fields: its fields, which are also attributes.
    """

    def __init__(
        self, label: str | None, number: int, sender: Any, receiver: Any, sent: float, fields: Mapping[str, Any]
    ) -> None:
        self.label, self.id, self.sender, self.receiver, self.sent = label, number, sender, receiver, sent
        self.fields = dict(fields)

    def __repr__(self) -> str:
        return f"message {self.label or self.id}"


class _Values(Mapping[Any, Any]):
    """Values by process, or by the name of a process."""

    def __init__(self, values: Mapping[str, Any], processes: Mapping[str, Observee], default: Any = None) -> None:
        self._values, self._processes, self._default = values, processes, default

    def __getitem__(self, process: Any) -> Any:
        name = process if isinstance(process, str) else process.name
        if name not in self._values and self._default is not None and name in self._processes:
            return self._default
        return self._values[name]

    def __iter__(self) -> Iterator[Observee]:
        names = self._values if self._default is None else self._processes
        return (self._processes[name] for name in names)

    def __len__(self) -> int:
        return len(self._values if self._default is None else self._processes)


class Observed:
    """The configuration after an event; ``c`` in a property.

    Attributes:
        time: the time of the last event.
        event: the last event, or ``None``: its ``kind``, ``process``, ``peer``, ``label``, ``time`` and ``detail``.
        events: the number of events so far.
        history: the operations so far, in the order of their beginnings.
        feed: the observers.
    """

    def __init__(self, state: str = "active") -> None:
        self.feed = Feed((), "", "")
        self.time = 0.0
        self.event: Event | None = None
        self.events = 0
        self.history = History()
        self._start = state
        self._processes: dict[str, Observee] = {}
        self._transit: dict[int, Sent] = {}
        self._decisions: dict[str, Any] = {}
        self._deliveries: dict[str, tuple[Any, ...]] = {}

    @property
    def processes(self) -> list[Observee]:
        """All processes."""
        return list(self._processes.values())

    @property
    def n(self) -> int:
        """The number of processes."""
        return len(self._processes)

    @property
    def in_transit(self) -> list[Sent]:
        """The messages that have been sent and neither received nor lost, in the order of sending."""
        return list(self._transit.values())

    @property
    def correct(self) -> list[Observee]:
        """The processes that have never crashed."""
        return [p for p in self._processes.values() if not p.faulty]

    @property
    def decided(self) -> Mapping[Any, Any]:
        """The last decision of each process that has decided."""
        return _Values(self._decisions, self._processes)

    @property
    def delivered(self) -> Mapping[Any, Any]:
        """The values that each process has delivered, in order, as a tuple."""
        return _Values(self._deliveries, self._processes, ())

    def process(self, name: str) -> Observee:
        """Return the process of this name."""
        if name not in self._processes:
            raise ValueError(unknown_process(name, self._processes))
        return self._processes[name]

    def observer(self, cls: type[Told]) -> Told:
        """Return the observer of this class, with what the events so far have made of its variables."""
        found: Told = self.feed[cls]  # type: ignore[assignment]
        return found

    def crashed(self, process: Observee) -> bool:
        """Return True if ``process`` has crashed and not recovered."""
        return process.crashed

    def name(self, process: Observee) -> str:
        """Return the name of a process."""
        return process.name

    def add(self, name: str, fields: Mapping[str, Any] | None = None) -> Observee:
        """Add a process, unless there is one of this name."""
        if name not in self._processes:
            self._processes[name] = Observee(name, self._start, fields or {})
        return self._processes[name]

    def take(self, event: Event) -> None:
        """Bring the configuration up to an event."""
        self.time, self.event = event.time, event
        self.feed.event(event)
        detail = event.detail or {}
        if event.kind not in _ATTACHED:
            self.events += 1
        if event.message is not None:
            self._message(event, detail)
        if event.process is None or event.kind in _ATTACHED:
            return
        if event.peer is not None and event.kind in ("send", "receive"):
            self.add(event.peer)
        p = self.add(event.process)
        if event.kind == "drop":
            return
        p.events, p.last = p.events + 1, event
        if event.state is not None:
            p.state = event.state
        changed = detail.get("changed")
        if isinstance(changed, Mapping):
            p.fields.update(changed)
        if event.kind in ("crash", "recover"):
            p.crashed = event.kind == "crash"
            p.faulty = True
        elif event.kind == "decide":
            self._decisions[p.name] = detail.get("value")
        elif event.kind == "deliver":
            self._deliveries[p.name] = (*self._deliveries.get(p.name, ()), detail.get("value"))
        self._operation(event, detail)

    def _message(self, event: Event, detail: Mapping[str, Any]) -> None:
        number = event.message
        assert number is not None
        if event.kind in ("send", "inject") and event.process is not None:
            fields = detail.get("fields")
            sender, receiver = self.add(event.process), self.add(event.peer or event.process)
            given = fields if isinstance(fields, Mapping) else {}
            self._transit[number] = Sent(event.label, number, sender, receiver, event.time, given)
        elif event.kind in _DROPS:
            self._transit.pop(number, None)

    def _operation(self, event: Event, detail: Mapping[str, Any]) -> None:
        name = event.process or ""
        if event.kind == "command":
            fields = detail.get("fields")
            given = fields if isinstance(fields, Mapping) else {}
            self.history.invoke(name, event.label or "command", given, event.time, event.seq)
        elif event.kind in ("deliver", "decide") or "outcome" in detail:
            outcome = str(detail.get("outcome", "ok"))
            self.history.respond(name, detail.get("value"), event.time, event.seq, outcome)


@dataclass
class Observer:
    """The judge of a file of properties on events as they arrive.

    Args:
        spec: the file.
        observed: the configuration before the first event.
        simulated: whether the effects of a step belong to it although they come later, because steps take time.
    """

    spec: Spec
    observed: Observed = field(default_factory=Observed)
    simulated: bool = False
    _step: int | None = None
    _began: float = 0.0

    def __post_init__(self) -> None:
        # Without the text, an error is described by itself, and not as a mistake in a protocol.
        judged = (*self.spec.properties, *self.spec.measures)
        self.observed.feed = Feed(observers.observers_of(judged), str(self.spec.path), "")
        self.judges = Judges(self.spec.properties, self.observed, str(self.spec.path), "")
        self._told: set[str] = set()

    def take(self, event: Event) -> None:
        """Add an event; if it begins a step, the configuration before it is judged first.

        Raises:
            PropertyError: a property cannot be judged.
        """
        if event.kind in _ATTACHED:
            self._told_of(event)
            return
        inside = event.kind in _EFFECTS and event.cause is not None and event.cause == self._step
        if not inside or not (self.simulated or event.time == self._began):
            self.flush()
            self._step, self._began = event.seq, event.time
        self._told_of(event)

    def _told_of(self, event: Event) -> None:
        """Bring the configuration up to an event, of which the observers are told."""
        with time_limit(SECONDS, str(self.spec.path)) if self.observed.feed else nullcontext():
            self.observed.take(event)

    def flush(self) -> None:
        """Judge the configuration after the last step, unless this was done."""
        if self._step is None or not self.judges.watching:
            return
        seq, self._step = self._step, None
        with time_limit(SECONDS, str(self.spec.path)):
            self.judges.after(seq)

    def news(self) -> list[Judgement]:
        """Return the properties that have been violated since the last call."""
        found = [each for each in self.judges.judgements if each.holds is False and each.name not in self._told]
        self._told |= {each.name for each in found}
        return found

    def finish(self, stopped: str = "quiescent", last: int | None = None) -> list[Judgement]:
        """Judge the properties at the end, and return the results."""
        at = last if last is not None else self.observed.event.seq if self.observed.event is not None else -1
        self.flush()
        with time_limit(SECONDS, str(self.spec.path)):
            self.judges.finish(stopped, at, acted=self.observed.events > 0)
            self.judges.measure(self.spec.measures)
        return self.judges.judgements


def judged(
    trace: Trace, spec: Spec, watch: Callable[[float], None] | None = None
) -> tuple[Trace, dict[str, float | None]]:
    """Return a trace with the results of these properties instead of its own, and the measures.

    Args:
        watch: a function that is called regularly with the progress.

    Raises:
        PropertyError: a property or a measure cannot be judged.
    """
    start = trace.summary.get("start")
    first = Observed(start if isinstance(start, str) else trace.states[0] if trace.states else "")
    observer = Observer(spec, first, simulated="imported" not in trace.summary)
    for name, fields in zip(trace.processes, first_values(trace), strict=True):
        observer.observed.add(name, fields)
    for event in trace.events():
        if watch is not None and not event.seq % 1000:
            watch(event.seq / len(trace))
        observer.take(event)
    stopped = str(trace.summary.get("stopped") or "quiescent")
    found = observer.finish("quiescent" if stopped == "error" else stopped, len(trace) - 1)
    summary = {**trace.summary, "checks": [each.to_dict() for each in found]}
    return replace(trace, summary=summary), observer.judges.own
