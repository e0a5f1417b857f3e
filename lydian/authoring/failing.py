"""The failure of a run: its process, state, event and line, and the events that led to it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from lydian.language import tr
from lydian.model.protocol.rules import column
from lydian.model.source.syntax import tree_of
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember
from lydian.views.words.code import action_at
from lydian.views.words.source import read
from lydian.views.words.values import SetOf, typed, value_text
from lydian.views.words.words import joined, state_before

__all__ = [
    "Earlier", "Failure", "Step", "Variable", "changing_line", "failure_of", "plain_words", "used_variables",
    "variables_of", "way_to",
]  # fmt: skip

#: The methods that change their object.
CHANGING = frozenset((
    "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "insert", "intersection_update",
    "pop", "popitem", "popleft", "remove", "reverse", "setdefault", "sort", "update",
))  # fmt: skip


@lru_cache(maxsize=8)
def _tree(source: str) -> ast.Module | None:
    try:
        return tree_of(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def used_variables(source: str, line: int) -> frozenset[str]:
    """Return the names ``x`` of ``self.x`` in the statement in a line, without calls of other methods."""
    statement = _statement(source, line)
    if statement is None:
        return frozenset()
    called = {id(part.func) for part in ast.walk(statement) if isinstance(part, ast.Call)}
    return frozenset(
        part.attr
        for part in ast.walk(statement)
        if _is_own(part) and id(part) not in called and isinstance(part, ast.Attribute)
    )


def _is_own(part: ast.AST) -> bool:
    return isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self"


def _statement(source: str, line: int) -> ast.AST | None:
    """Return the innermost statement in a line; of a block only its head."""
    tree = _tree(source)
    best: ast.AST | None = None
    for part in ast.walk(tree) if tree is not None else ():
        if isinstance(part, ast.stmt) and part.lineno <= line <= (part.end_lineno or part.lineno):
            best = part if best is None or part.lineno >= getattr(best, "lineno", 0) else best
    if isinstance(best, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return None
    for field in ("test", "iter", "subject"):
        head = getattr(best, field, None)
        if isinstance(head, ast.AST) and isinstance(best, ast.If | ast.While | ast.For | ast.Match):
            return head
    return best


def changing_line(source: str, function: str, line: int, name: str) -> int:
    """Return the first line that changes ``self.name`` in the function at ``line`` or the methods it calls, or 0."""
    tree = _tree(source)
    if tree is None:
        return 0
    functions: dict[str, ast.FunctionDef] = {}
    start: ast.FunctionDef | None = None
    for part in ast.walk(tree):
        if isinstance(part, ast.FunctionDef):
            functions.setdefault(part.name, part)
            if part.name == function and part.lineno == line:
                start = part
    return 0 if start is None else next(_changes(start, functions, name, {start.name}), 0)


def _changes(
    node: ast.FunctionDef, functions: Mapping[str, ast.FunctionDef], name: str, seen: set[str]
) -> Iterator[int]:
    yield from sorted(set(_own_changes(node, name)))
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and _is_own(part.func) and isinstance(part.func, ast.Attribute):
            inner = functions.get(part.func.attr)
            if inner is not None and inner.name not in seen:
                seen.add(inner.name)
                yield from _changes(inner, functions, name, seen)


def _own_changes(node: ast.AST, name: str) -> Iterator[int]:
    for part in ast.walk(node):
        if isinstance(part, ast.Assign):
            targets: list[ast.expr] = part.targets
        elif isinstance(part, ast.AugAssign | ast.AnnAssign | ast.For):
            targets = [part.target]
        elif isinstance(part, ast.Delete):
            targets = part.targets
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING:
            targets = [part.func.value]
        else:
            continue
        for target in targets:
            if any(_is_own(each) and getattr(each, "attr", "") == name for each in ast.walk(target)):
                yield part.lineno


def plain_words(message: str, source: str, line: int | None, values: Mapping[str, str]) -> str:
    """Translate Python's message into the words of the protocol, without a full stop, or return it unchanged.

    Args:
        message: the message, such as ``KeyError: '3'``.
        line: the line at which it was raised.
        values: the variables of the process as texts.
    """
    kind, colon, text = message.partition(": ")
    if not colon or not kind.isidentifier():
        return message.rstrip(".")
    statement = None if line is None else _statement(source, line)
    owner = _owner(statement)
    whose = owner or tr("the collection")
    what = text.strip("'\"")
    if kind == "KeyError":
        if owner:
            return tr("{value} is not in {variable}", value=what, variable=owner)
        return tr("{value} is not in the collection (KeyError)", value=what)
    if kind == "ValueError" and ("not in list" in text or "not in deque" in text or "not in tuple" in text):
        return tr("the value that it removes from {variable} is not in it", variable=whose)
    if kind == "IndexError":
        if "empty" in text or values.get(owner) == "empty":
            return tr("it removes something from {variable}, which is empty", variable=whose)
        return tr("{variable} has no entry at that position", variable=whose)
    if kind == "ZeroDivisionError":
        return tr("it divides by 0")
    if found := re.search(r"'NoneType' object has no attribute '(\w+)'", text):
        return tr("it reads .{name} of something that is None", name=found[1])
    if kind == "TypeError" and "NoneType" in text:
        return tr("it works with a value that is None ({reason})", reason=text)
    if kind == "NameError" and (found := re.search(r"name '(\w+)' is not defined", text)):
        return tr("the name {name} is unknown; a variable of the process is self.{name}", name=found[1])
    if kind == "AssertionError":
        return tr("its assertion does not hold: {text}", text=text) if text else tr("its assertion does not hold")
    return message.rstrip(".")


def _owner(statement: ast.AST | None) -> str:
    """Return the collection that a statement accesses: ``pending`` in ``self.pending.remove(q)``."""
    if statement is None:
        return ""
    for part in ast.walk(statement):
        value: ast.AST | None = None
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING:
            value = part.func.value
        elif isinstance(part, ast.Subscript):
            value = part.value
        if isinstance(value, ast.Attribute) and _is_own(value):
            return value.attr
        if isinstance(value, ast.Name):
            return value.id
    return ""


#: The kinds of events that an action handles.
ANSWERED = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)
#: The simulator's error at a failure: ``FILE, line 27: process 1 is informed and got Ack from 3: KeyError: '3'``.
_SAID = re.compile(r"process (?P<process>.*?) is (?P<state>.*?) and got (?P<words>.*)$", re.DOTALL)
#: The event in it: ``Ack from 3``, ``Ack(value=1) from 3``, ``the timer Retry``, ``the guard of move``, ``INIT``.
_TOLD = re.compile(
    r"(?:the (?P<kind>timer|command|rule|guard of) )?(?P<name>\w+)(?:\(.*\))?(?: from (?P<sender>.*))?$", re.DOTALL
)

#: ``FILE, line 30: the property "all is well" cannot be judged: Maximum has no variable 'bset'``.
_UNJUDGED = re.compile(r", line (?P<line>\d+): (?P<what>the (?:property|measure) \".*)$", re.DOTALL)


@dataclass(frozen=True)
class Earlier:
    """An earlier line of the protocol that contributed to the failure.

    Attributes:
        line: the number of the line, from 1.
        sentence: the change that it made, with the time.
        seq: the event at which it ran.
    """

    line: int
    sentence: str
    seq: int


@dataclass(frozen=True)
class Failure:
    """The event at which a run stopped with an error.

    Attributes:
        seq, time: the number and time of the error.
        process: the name of the process, "" if a property or a measure failed and not an action.
        state: the state of the process before the event, "" if unknown.
        event: the column of the event in the table (``Ack``, ``INIT``), "" if unknown.
        kind: ``message``, ``init``, ``timer``, ``command``, ``rule``, ``guard``, or "" if unknown.
        name: the name of the event's class or of its rule, "" if unknown.
        sender: the sender of the message, "" if the event is not a delivery; its receiver is ``process``.
        sentence: the cause of the failure, in a sentence.
        message: Python's message, or the error of the simulator.
        line: the line of the protocol's text, ``None`` if no line of it was running.
        function: the function that handled the event, "" if there is none.
        open: whether there is no action for this event in this state, so that the cell can be filled.
        earlier: the lines that changed the variables used in the failing line, the earliest first.
        recorded: whether the event itself is in the trace, because a later effect of its action failed.
    """

    seq: int
    time: float
    process: str
    state: str
    event: str
    kind: str
    name: str
    sender: str
    sentence: str
    message: str = ""
    line: int | None = None
    function: str = ""
    open: bool = False
    earlier: tuple[Earlier, ...] = ()
    recorded: bool = False

    @property
    def words(self) -> str:
        """The event in English, for files: ``Ack from 3``, ``the timer Retry``, ``INIT``; "" if it is unknown."""
        if self.kind == "message":
            return f"{self.name} from {self.sender}"
        what = {"timer": "the timer", "command": "the command", "rule": "the rule", "guard": "the guard of"}
        return f"{what.get(self.kind, '')} {self.name}".strip()

    @property
    def cell(self) -> tuple[str, str]:
        """The cell of the table: its state and event."""
        return self.state, self.event


@dataclass(frozen=True)
class Step:
    """An event before a failure, or the failure itself.

    Attributes:
        seq, time: the number and time of the event.
        text: the event in words: ``Ack from 3``.
        message: the name of the kind of message, "" if the event is not a delivery.
        function, line: the function that handled the event and its line, "" and 0 if unknown.
        role: ``failed``, ``earlier`` (it changed a variable used in the failing line) or "".
    """

    seq: int
    time: float
    text: str
    message: str
    function: str
    line: int
    role: str = ""


@dataclass(frozen=True)
class Variable:
    """A variable of the process at a failure: its value, the value before its last change, and the line of that change.

    ``seq`` is the event of that change and ``line`` its line; -1 and 0 if there was no change or it is unknown.
    """

    name: str
    value: str
    before: str
    changed: str
    seq: int = -1
    line: int = 0
    blamed: bool = False


def failure_of(timeline: Timeline) -> Failure | None:
    """Return the failure of a run, or ``None`` if it did not fail."""
    return remember(timeline, "failure", lambda: _failure_of(timeline))


def _failure_of(timeline: Timeline) -> Failure | None:
    rows = np.flatnonzero(timeline.kind == Kind.ERROR)
    if not len(rows):
        return _unjudged(timeline)
    seq = int(rows[-1])
    process = int(timeline.process[seq])
    detail = timeline.trace.detail(seq) or {}
    message = str(detail.get("text", ""))
    line = detail.get("line") if isinstance(detail.get("line"), int) else None
    state, event, kind, label, sender = _event(timeline, seq, message)
    recorded = _asked(timeline, seq) >= 0
    missing = line is None and " has no @on(" in message
    action = read(timeline.trace.source).action(state, event) if event else None
    name = timeline.processes[process] if process >= 0 else ""
    earlier = () if line is None or process < 0 else tuple(_earlier(timeline, process, seq, line))
    failure = Failure(
        seq=seq, time=float(timeline.time[seq]), process=name, state=state, event=event, kind=kind, name=label,
        sender=sender, sentence="", message=message, line=line,
        function="" if missing or action is None else action.function, open=missing, earlier=earlier,
        recorded=recorded,
    )  # fmt: skip
    return _told(timeline, failure, process)


def _unjudged(timeline: Timeline) -> Failure | None:
    """Return the failure of a property or a measure that could not be judged, in which a line but no event failed."""
    said = _UNJUDGED.search(str(timeline.trace.summary.get("error") or ""))
    if said is None or not timeline.length:
        return None
    last, text = timeline.length - 1, said["what"].rstrip(".")
    return Failure(
        seq=last, time=float(timeline.time[last]), process="", state="", event="", kind="", name="",
        sender="", sentence=f"{text[:1].upper()}{text[1:]}.", message=text, line=int(said["line"]),
    )  # fmt: skip


def _asked(timeline: Timeline, seq: int) -> int:
    """Return the event in the trace whose action caused the failing effect, or -1 if the event itself failed."""
    cause = int(timeline.cause[seq])
    if int(timeline.label[seq]) < 0 <= cause and int(timeline.kind[cause]) in ANSWERED:
        return cause
    return -1


#: Kind of event -> the kind of a failure in it.
_KINDS = {Kind.INIT: "init", Kind.TIMER: "timer", Kind.COMMAND: "command", Kind.RULE: "rule"}


def _event(timeline: Timeline, seq: int, message: str) -> tuple[str, str, str, str, str]:
    """Return the state, the column of the event in the table, its kind, its name and its sender at an error."""
    asked = _asked(timeline, seq)
    at = seq if asked < 0 else asked
    state = state_before(timeline, at) or ""
    label = timeline.labels[timeline.label[at]] if timeline.label[at] >= 0 else ""
    peer = timeline.processes[timeline.peer[at]] if timeline.peer[at] >= 0 else ""
    kind = int(timeline.kind[at])
    if label and peer:
        return state, label, "message", label, peer
    if kind == Kind.RULE:
        return state, column(label), "rule", label, ""
    if label:
        return state, label, _KINDS.get(kind, "timer"), label, ""
    if kind == Kind.INIT:
        return state, "INIT", "init", "INIT", ""
    return state, *_said(timeline, message)


def _said(timeline: Timeline, message: str) -> tuple[str, str, str, str]:
    """Return the column, kind, name and sender of an event that is not in the trace, from the simulator's error."""
    said = str(timeline.trace.summary.get("error") or "")
    found = _SAID.search(said.removesuffix(message).removesuffix(": ")) if said.endswith(message) else None
    told = None if found is None else _TOLD.match(found["words"])
    if told is None:
        return "", "", "", ""
    kind, name, sender = told["kind"], told["name"], told["sender"] or ""
    if kind in ("rule", "guard of"):
        return column(name), kind.partition(" ")[0], name, ""
    if name == "INIT":
        return name, "init", name, ""
    return name, kind or "message", name, sender


def _earlier(timeline: Timeline, process: int, seq: int, line: int) -> list[Earlier]:
    """Return the lines that last changed the variables used in the failing line."""
    source = timeline.trace.source
    wanted = used_variables(source, line)
    found = []
    for name, (value, since) in timeline.variables(process, seq).items():
        if name not in wanted or since < 0 or since >= seq:
            continue
        action = action_at(timeline, since)
        place = changing_line(source, action.function, action.line, name) if action is not None else 0
        if not place or (place == line and _same_event(timeline, since, seq)):
            continue
        kind = read(source).types.get(name, "")
        known = timeline.variables(process, since).get(name)
        change = _change(name, typed(None if known is None else known[0], kind), typed(value, kind))
        told = tr(
            "{change} here, at {time:.2f}, when {event}",
            change=change,
            time=float(timeline.time[since]),
            event=_came(timeline, since),
        )
        found.append(Earlier(place, told, int(since)))
    return sorted(found, key=lambda each: each.seq)


def _change(name: str, before: Any, now: Any) -> str:
    """Describe a change: ``removed 3 from pending``, ``changed parent from none to 0``."""
    if isinstance(before, SetOf) and isinstance(now, SetOf):
        gone, new = [x for x in before if x not in now], [x for x in now if x not in before]
        if gone and not new:
            return tr("removed {values} from {variable}", values=joined([value_text(x) for x in gone]), variable=name)
        if new and not gone:
            return tr("added {values} to {variable}", values=joined([value_text(x) for x in new]), variable=name)
    return tr(
        "changed {variable} from {old} to {new}",
        variable=name,
        old=value_text(before, limit=24),
        new=value_text(now, limit=24),
    )


def _same_event(timeline: Timeline, since: int, seq: int) -> bool:
    return int(timeline.cause[seq]) == since and int(timeline.kind[since]) in ANSWERED


def _came(timeline: Timeline, seq: int) -> str:
    """Describe an event: ``an Ack arrived from 3``, ``the timer Retry expired``, ``it started``."""
    kind, label = int(timeline.kind[seq]), int(timeline.label[seq])
    name = timeline.labels[label] if label >= 0 else ""
    if kind == Kind.RECEIVE:
        if timeline.peer[seq] < 0:
            return (
                tr("an {message} arrived from outside", message=name)
                if _vowel(name)
                else tr("a {message} arrived from outside", message=name)
            )
        peer = timeline.processes[timeline.peer[seq]]
        return (
            tr("an {message} arrived from {sender}", message=name, sender=peer)
            if _vowel(name)
            else tr("a {message} arrived from {sender}", message=name, sender=peer)
        )
    words = {
        Kind.INIT: tr("it started"),
        Kind.TIMER: tr("the timer {timer} expired", timer=name),
        Kind.COMMAND: tr("{command} was given", command=name),
        Kind.RULE: tr("it executed {rule}", rule=name),
    }
    return words.get(kind, tr("an intervention changed it"))


def _vowel(word: str) -> bool:
    return word[:1].lower() in "aeiou"


def _told(timeline: Timeline, failure: Failure, process: int) -> Failure:
    """Return the failure with its sentence: the cause, then the event and the variables involved."""
    source = timeline.trace.source
    values: dict[str, Any] = {}
    if process >= 0:
        types = read(source).types
        values = {
            name: value_text(typed(value, types.get(name, "")))
            for name, (value, _seq) in timeline.variables(process, failure.seq).items()
        }
    if failure.open:
        what = tr("no action is declared for {event} in the state {state}", event=failure.event, state=failure.state)
    else:
        what = plain_words(failure.message, source, failure.line, values)
    used = used_variables(source, failure.line) if failure.line is not None else frozenset()
    told = ", ".join(tr("{variable} was {value}", variable=name, value=values[name]) for name in values if name in used)
    second = _then(failure)
    if second:
        second = f" {second}; {told}." if told else f" {second}."
    stop = "" if what.endswith(("?", ".", "!")) else "."
    first = tr("Process {process}: {reason}", process=failure.process, reason=what)
    return replace(failure, sentence=f"{first}{stop}{second}")


def _then(failure: Failure) -> str:
    """Return the event of a failure as a sentence without a full stop, or "" if it is unknown."""
    name, sender, time = failure.name, failure.sender, failure.time
    if failure.kind == "message" and _vowel(name):
        return tr("An {message} from {sender} arrived at {time:.2f}", message=name, sender=sender, time=time)
    if failure.kind == "message":
        return tr("A {message} from {sender} arrived at {time:.2f}", message=name, sender=sender, time=time)
    if failure.kind == "init":
        return tr("It started at {time:.2f}", time=time)
    if failure.kind == "guard":
        return tr("The guard of {rule} was evaluated at {time:.2f}", rule=name, time=time)
    if failure.kind == "rule":
        return tr("The rule {rule} was executed at {time:.2f}", rule=name, time=time)
    if failure.kind == "timer":
        return tr("The timer {timer} occurred at {time:.2f}", timer=name, time=time)
    if failure.kind == "command":
        return tr("The command {command} occurred at {time:.2f}", command=name, time=time)
    return ""


def _shown(failure: Failure) -> str:
    """Return the event of a failure in a few words."""
    if failure.kind == "message":
        return tr("{message} from {sender}", message=failure.name, sender=failure.sender)
    if failure.kind == "init":
        return "INIT"
    text = {
        "timer": tr("the timer {name}", name=failure.name),
        "command": tr("the command {name}", name=failure.name),
        "rule": tr("the rule {name}", name=failure.name),
        "guard": tr("the guard of {name}", name=failure.name),
    }
    return text.get(failure.kind, tr("an event"))


def way_to(timeline: Timeline, failure: Failure, most: int = 8) -> tuple[Step, ...]:
    """Return the last events that the process handled before the failure, and the failure itself at the end."""
    if failure.process not in timeline.processes:
        return ()
    process = timeline.processes.index(failure.process)
    rows = timeline.events_of(process)
    rows = rows[rows < failure.seq]
    rows = rows[np.isin(timeline.kind[rows], (*ANSWERED, Kind.CRASH, Kind.RECOVER, Kind.CORRUPT))]
    blamed = {each.seq: each.line for each in failure.earlier}
    if failure.recorded:
        rows = rows[:-1]
    some = rows[-(most - 1) :].tolist()
    steps = [_step(timeline, seq, blamed) for seq in sorted({*some, *(s for s in blamed if s < failure.seq)})]
    label = failure.name if failure.kind == "message" else ""
    last = Step(failure.seq, failure.time, _shown(failure), label, failure.function, failure.line or 0, "failed")
    return (*steps, last)


def _step(timeline: Timeline, seq: int, blamed: dict[int, int]) -> Step:
    kind, label = int(timeline.kind[seq]), int(timeline.label[seq])
    name = timeline.labels[label] if label >= 0 else ""
    peer = timeline.processes[timeline.peer[seq]] if timeline.peer[seq] >= 0 else ""
    text = {
        Kind.INIT: "INIT",
        Kind.RECEIVE: tr("{message} from {sender}", message=name, sender=peer),
        Kind.TIMER: tr("the timer {name}", name=name),
        Kind.COMMAND: tr("the command {name}", name=name),
        Kind.RULE: tr("the rule {name}", name=name),
        Kind.CRASH: tr("crashes"),
        Kind.RECOVER: tr("recovers"),
    }.get(kind, tr("is corrupted"))
    action = action_at(timeline, seq) if kind in ANSWERED else None
    line = blamed.get(seq, action.line if action is not None else 0)
    return Step(
        seq, float(timeline.time[seq]), text, name if kind == Kind.RECEIVE else "",
        action.function if action is not None else "", line, "earlier" if seq in blamed else "",
    )  # fmt: skip


def variables_of(timeline: Timeline, failure: Failure) -> tuple[Variable, ...]:
    """Return the variables of the process before the failing event; those used in the failing line come first."""
    if failure.process not in timeline.processes:
        return ()
    process, source = timeline.processes.index(failure.process), timeline.trace.source
    types = read(source).types
    used = used_variables(source, failure.line) if failure.line is not None else frozenset()
    found = []
    for name, (value, seq) in timeline.variables(process, failure.seq).items():
        now = value_text(typed(value, types.get(name, "")))
        if seq < 0:
            found.append(Variable(name, now, "", tr("unchanged"), blamed=name in used))
            continue
        known = timeline.variables(process, seq).get(name)
        before = "" if known is None else value_text(typed(known[0], types.get(name, "")), limit=20)
        action = action_at(timeline, seq)
        line = changing_line(source, action.function, action.line, name) or action.line if action is not None else 0
        where = (
            tr("{function}, line {line}", function=action.function, line=line)
            if action is not None
            else tr("at {time:.2f}", time=float(timeline.time[seq]))
        )
        found.append(Variable(name, now, before, where, int(seq), line, name in used))
    return tuple(sorted(found, key=lambda each: not each.blamed))
