"""Logs of real systems as traces: one event per line, ordered by vector clocks, with the messages that these imply.

:mod:`lydian.formats.logs.lines` describes the formats, and :mod:`lydian.formats.logs.order` how order and messages are
derived. An imported trace opens in every view: its processes are the hosts, placed on a circle; a link joins two hosts
that exchanged messages, and the only state is "active" unless the log names states.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.formats.logs import format_named, recognised
from lydian.formats.logs.lines import GROUPS, Record, is_ours, matched, read_lines
from lydian.formats.logs.matching import Stuck, matches
from lydian.formats.logs.order import Ordered, order
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.names import natural
from lydian.model.reading import BadLines, Problem, Watch, read_text
from lydian.trace.events import KINDS, NO_STATE, ROW, Kind, Trace

__all__ = [
    "ACTIVE",
    "DATES",
    "Clock",
    "Imported",
    "NoEvents",
    "Rows",
    "import_log",
    "import_text",
    "made_trace",
    "network_of",
]

#: The largest size of a log in bytes, and the seconds that a regular expression may take in addition to its share for
#: every line.
LARGEST, PATIENCE = 256_000_000, 10.0
#: The progress of the work when the lines have been read, and when they are in order.
READ, ORDERED = 0.5, 0.65
#: Larger numbers are taken to be dates, and are counted from the first event.
DATES = 1e8
#: The state of a process whose state is not logged.
ACTIVE = "active"
_EFFECTS = (Kind.SEND, Kind.DELIVER, Kind.DECIDE, Kind.NOTE)
_ACTED = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)


@dataclass(frozen=True)
class Imported:
    """One execution from a log: its trace, the lines that could not be used, and notes on changes to the others.

    ``name`` is given by the delimiter before the execution, or is empty.
    """

    trace: Trace
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    name: str = ""


class NoEvents(BadInput):
    """The error that a log contains nothing that can be used; ``problems`` gives the reason for each line."""

    def __init__(self, problems: tuple[Problem, ...], file: Path) -> None:
        super().__init__("this log contains no event that can be used", file=file)
        self.problems = problems


def import_log(
    path: Path | str,
    *,
    form: str | None = None,
    regex: str | None = None,
    delimiter: str | None = None,
    skip: bool = False,
    seconds: float = PATIENCE,
    watch: Watch | None = None,
) -> tuple[Imported, ...]:
    """Return the executions in a log.

    Args:
        form: the name of a format; without it, a format is recognised by the beginning of the log.
        regex: an expression with named groups that finds a record; without it and a format, the documented format is
            read.
        delimiter: lines that begin with this text separate executions; if there are none, it is an expression that
            finds the places between them, and whose group ``trace`` names the execution that follows. Without it there
            is one execution.
        skip: leave out lines that cannot be used; each is still reported.
        seconds: the time limit for the expression (plus a second for every 20,000 lines).
        watch: a function that is called with the progress.

    Raises:
        BadLines: some lines cannot be used, and ``skip`` is not set.
        BadInput: the file is missing, binary or too large; or the expression is invalid, lacks a group or does not
            finish.
    """
    path = Path(path)
    text = read_text(path, "a log", LARGEST)
    return import_text(text, path, form=form, regex=regex, delimiter=delimiter, skip=skip, seconds=seconds, watch=watch)


def import_text(
    text: str,
    path: Path,
    *,
    form: str | None = None,
    regex: str | None = None,
    delimiter: str | None = None,
    skip: bool = False,
    seconds: float = PATIENCE,
    watch: Watch | None = None,
) -> tuple[Imported, ...]:
    """Return the executions in the text of a log; ``path`` is its name in errors. See :func:`import_log`."""
    text = text.replace("\r\n", "\n")
    reads = None
    if form is not None:
        chosen = format_named(form)
        reads, regex = chosen.reads, chosen.regex or None
    elif regex is None and (found_form := recognised(text)) is not None:
        reads, regex = found_form.reads, found_form.regex or None
    ours = regex is None and reads is None and is_ours(text)
    cuts, names, text = _cut(text, delimiter, seconds, path)
    if reads is not None:
        records, problems = reads(text)
    elif regex is None:
        records, problems = read_lines(text, ours=ours, watch=_part(watch, 0.0, READ))
    else:
        records, problems = matched(_found(regex, text, seconds, path, _part(watch, 0.0, READ)))
    if problems and not skip:
        raise BadLines(tuple(problems), path)
    found: list[Imported] = []
    done = 0
    for start, stop, name in zip([0, *cuts], [*cuts, math.inf], ["", *names], strict=True):
        own = [record for record in records if start <= record.line < stop]
        if own:
            part = _part(watch, done / len(records), (done := done + len(own)) / len(records))
            theirs = [p for p in problems if start <= p.line < stop]
            found.append(_imported(own, theirs, path, ours, name, _part(part, READ, 1.0)))
    unfit = tuple(problem for each in found for problem in each.problems)
    if unfit and not skip:
        raise BadLines(unfit, path)
    if not found:
        raise NoEvents(tuple(problems), path)
    return tuple(found)


def _part(watch: Watch | None, start: float, stop: float) -> Watch | None:
    """Return a watch for one part of the work."""
    return None if watch is None else lambda share: watch(start + share * (stop - start))


def _cut(text: str, delimiter: str | None, seconds: float, path: Path) -> tuple[list[int], list[str], str]:
    """Return the numbers of delimiting lines, the names of the executions after them, and the text with these lines
    empty.

    A delimiter with which some line begins is plain text; any other is an expression.
    """
    if delimiter is None:
        return [], [], text
    if not delimiter.strip():
        raise BadInput("the delimiter is empty; write the text with which a separating line begins, or an expression")
    lines = text.split("\n")
    cuts = [number for number, line in enumerate(lines, 1) if line.startswith(delimiter)]
    names = [lines[number - 1].removeprefix(delimiter).strip(" \t=-*#") for number in cuts]
    taken = list(cuts)
    if not cuts:
        try:
            head, *found = matches(delimiter, text, seconds, cuts=True)
        except Stuck as stuck:
            raise BadInput(f"{stuck} as a delimiter", file=path, place=f"line {stuck.line}") from None
        if "error" in head:
            raise BadInput(f"no line begins with the delimiter {shown(delimiter)}, and it is not a valid regular "
                           f"expression: {head['error']}")  # fmt: skip
        cuts, names = [each["line"] for each in found], [each["name"] for each in found]
        taken = [each["line"] + more for each in found for more in range(each["lines"])]
    for number in taken:
        lines[number - 1] = ""
    return cuts, names, "\n".join(lines)


def _found(regex: str, text: str, seconds: float, path: Path, watch: Watch | None) -> list[dict[str, Any]]:
    """Return what the user's expression finds, after checking its groups."""
    try:
        answers = matches(regex, text, seconds, watch)
    except Stuck as stuck:
        what = f"{stuck}; two repetitions inside each other, such as (a+)+, are the usual reason"
        raise BadInput(what, file=path, place=f"line {stuck.line}") from None
    head = answers.pop(0)
    if "error" in head:
        raise BadInput(f"the regular expression is invalid: {head['error']}")
    names = head["names"]
    if "host" not in names:
        hint = next((did_you_mean(name, ["host"]) for name in names if did_you_mean(name, ["host"])), "")
        raise BadInput(f"the regular expression has no group host{hint}; write (?<host>...) where the process is named")
    if "clock" not in names and not {"from", "to"} <= set(names):
        known = ", ".join(GROUPS)
        raise BadInput(
            "the regular expression has neither a group clock (a vector clock in JSON) nor the groups from and to, "
            f"so its messages are unknown; it has {', '.join(names)}, choose from {known}"
        )
    return answers


def _imported(
    records: list[Record], problems: list[Problem], path: Path, ours: bool, name: str, watch: Watch | None = None
) -> Imported:
    """Return the execution of some records; ``name`` is its name in the log."""
    ordered = order(records)
    made = Rows(records, ordered.depth)
    made.write(ordered, _part(watch, ORDERED, 1.0))
    trace = made_trace(made, np.array(made.rows, dtype=ROW), len(ordered.events), path, name, ours=ours)
    problems = sorted([*problems, *ordered.problems], key=lambda p: p.line)
    return Imported(trace, tuple(problems), tuple(trace.summary["imported"]["notes"]), name)


def made_trace(
    made: Rows, rows: NDArray[np.void], events: int, path: Path, name: str = "", *, ours: bool = False
) -> Trace:
    """Return the trace of a log from its rows.

    Args:
        made: what was written.
        rows: its rows as an array.
        events: the number of events in the log.
        path, name: the log's file, and the name of the execution in it.
        ours: whether LYDIAN exported the log.
    """
    title = f"{path.stem} {name}".strip()
    notes = list(made.notes)
    if not all(record.time is not None for record in made.records):
        notes.append("the log has no times; an event's time is the number of events on the longest causal path to it")
    return Trace(
        rows=rows,
        processes=tuple(made.processes),
        labels=tuple(made.labels),
        states=tuple(made.states),
        detail_of=made.details.get,
        experiment={"name": title, "about": f"Imported from {path.name}: {events:,} events."},
        network=network_of(path.stem, made.processes, sorted(made.pairs)),
        versions=_versions(),
        summary={
            "protocol_title": f"Log {title}",
            "start": ACTIVE,
            "imported": {"file": path.name, "events": events, "ours": ours, "notes": notes},
        },
    )


@dataclass
class Clock:
    """The times of the events that have been written, which never decrease.

    Attributes:
        latest: the time of the last event.
        moved, most: how many events were moved to a later time, and by how much at most.
    """

    latest: float = 0.0
    moved: int = 0
    most: float = 0.0

    def shown(self, time: float) -> float:
        """Return the time at which the next event is shown."""
        if time < self.latest:
            self.moved, self.most = self.moved + 1, max(self.most, self.latest - time)
        self.latest = max(self.latest, time)
        return self.latest

    def notes(self, shift: float) -> list[str]:
        """Return notes on what was changed; ``shift`` was subtracted from all times."""
        found = ["times count from the first event"] if shift else []
        if self.moved:
            events = "event was" if self.moved == 1 else "events were"
            found.append(
                f"the clocks of the hosts disagree: {self.moved:,} {events} moved to a later time, by up to "
                f"{self.most:.6g}, so that nothing happens before its cause"
            )
        return found


class Rows:
    """The rows of a trace, written event by event; clocks are computed as the simulator does.

    Args:
        records: the records of the log.
        depth: for each record the number of events on the longest causal path to it.

    Attributes:
        messages: the records that send and receive each message, in the order of sending.
        sends, hears: record -> the numbers of the messages it sends, and of those it receives.
    """

    def __init__(self, records: list[Record], depth: Sequence[int]) -> None:
        self.records, self.depth = records, depth
        self.messages: list[tuple[int, int | None]] = []
        self.rows: list[tuple[Any, ...]] = []
        self.details: dict[int, str] = {}
        self.notes: list[str] = []
        self.processes = sorted({record.host for record in records} | _peers(records), key=natural)
        self.labels: dict[str, int] = {}
        self.states: dict[str, int] = {ACTIVE: 0}
        self.code = {name: code for code, name in enumerate(self.processes)}
        self.pairs: set[tuple[int, int]] = set()
        n = len(self.processes)
        self.lamport, self.chain, self.acted, self.state = [0] * n, [0] * n, [-1] * n, [0] * n
        self.sends: dict[int, list[int]] = {}
        self.hears: dict[int, list[int]] = {}
        self.rows_of_sends: dict[int, int] = {}
        self.clock = Clock()
        self.shift = 0.0

    def write(self, ordered: Ordered, watch: Watch | None = None) -> None:
        """Write all events."""
        kinds = any(record.kind is not None for record in self.records)
        self.messages = list(ordered.messages)
        for number, (source, target) in enumerate(self.messages):
            self.sends.setdefault(source, []).append(number)
            if target is not None:
                self.hears.setdefault(target, []).append(number)
        times = self.times()
        self.shift = self.shift_of(times, ordered.events)
        for round_, i in enumerate(ordered.events):
            if watch is not None and not round_ % 1000:
                watch(round_ / len(ordered.events))
            time = self.clock.shown(times[i] - self.shift)
            if kinds:
                self.own(i, time, round_)
            else:
                self.foreign(i, time, round_)
        self.notes = self.clock.notes(self.shift)

    def times(self) -> Sequence[float]:
        """Return the time of each record; the causal depth if not all of them have one."""
        given = [record.time for record in self.records]
        known = [time for time in given if time is not None]
        return known if len(known) == len(given) else [float(each) for each in self.depth]

    def shift_of(self, times: Sequence[float], events: Sequence[int]) -> float:
        """Return what is subtracted from all times: dates and negative times count from the first event."""
        start = min((times[i] for i in events), default=0.0)
        dated = any(record.dated for record in self.records)
        return start if start < 0 or start > DATES or dated else 0.0

    def foreign(self, i: int, time: float, round_: int) -> None:
        """Add an event of a log that does not name kinds: the messages received and sent, or its text."""
        record = self.records[i]
        p = self.code[record.host]
        if record.state is not None:
            self.state[p] = self.number(self.states, record.state, "states", NO_STATE - 1)
        said = {"log": record.text, **record.fields} if record.text else dict(record.fields)
        detail: dict[str, Any] | None = {"fields": said} if said else None
        label = self.number(self.labels, record.label or "message", "labels", 2**15 - 1)
        heard, sent = self.hears.get(i, ()), self.sends.get(i, ())
        for m in heard:
            source = self.messages[m][0]
            theirs = self.rows[self.rows_of_sends[m]]
            self.acted[p] = self.row(
                time, Kind.RECEIVE, p, self.code[self.records[source].host], m, theirs[9], round_, detail,
                self.rows_of_sends[m],
            )  # fmt: skip
            detail = None
        for m in sent:
            target = self.messages[m][1]
            to = record.receiver if target is None else self.records[target].host
            self.rows_of_sends[m] = self.row(
                time, Kind.SEND, p, self.code[to or ""], m, label, round_, detail, self.acted[p]
            )
            detail = None
        if not heard and not sent:
            note = {"text": record.text or "-"} | ({"fields": dict(record.fields)} if record.fields else {})
            named = label if record.label else -1
            self.row(time, Kind.NOTE, p, -1, -1, named, round_, note, -1)

    def own(self, i: int, time: float, round_: int) -> None:
        """Add an event of a log that names kinds, such as one exported by LYDIAN: one row."""
        record = self.records[i]
        p = self.code[record.host]
        kind = KINDS.index(record.kind or "note")
        label = -1 if record.label is None else self.number(self.labels, record.label, "labels", 2**15 - 1)
        other = record.sender if kind == Kind.RECEIVE else record.receiver
        peer = -1 if other is None else self.code[other]
        detail = None if record.detail is None else dict(record.detail)
        if kind == Kind.DROP:
            m = self.hears.get(i, [-1])[0]
            self.row(time, kind, peer, p, m, label, round_, detail, self.rows_of_sends.get(m, -1))
            return
        if record.state is not None:
            self.state[p] = self.number(self.states, record.state, "states", NO_STATE - 1)
        m, cause = -1, -1
        if kind in (Kind.SEND, Kind.INJECT):
            m = self.sends.get(i, [-1])[0]
        elif kind == Kind.RECEIVE:
            m = self.hears.get(i, [-1])[0]
            cause = self.rows_of_sends.get(m, -1)
        if kind in _EFFECTS:
            cause = self.acted[p]
        seq = self.row(time, kind, p, peer, m, label, round_, detail, cause)
        if kind in (Kind.SEND, Kind.INJECT) and m >= 0:
            self.rows_of_sends[m] = seq
        elif kind in _ACTED:
            self.acted[p] = seq

    def row(
        self, time: float, kind: int, p: int, peer: int, m: int, label: int, round_: int,
        detail: dict[str, Any] | None, cause: int,
    ) -> int:  # fmt: skip
        seq = len(self.rows)
        lamport, chain, state = self.lamport[p], self.chain[p], self.state[p]
        sent = self.rows[cause] if kind in (Kind.RECEIVE, Kind.DROP) and cause >= 0 else None
        if kind == Kind.DROP:
            lamport, chain, state = (0, 0, NO_STATE) if sent is None else (sent[4], sent[5], NO_STATE)
        else:
            lamport = (lamport if sent is None else max(lamport, sent[4])) + 1
            chain = chain if sent is None else max(chain, sent[5] + 1)
            self.lamport[p], self.chain[p] = lamport, chain
        if m >= 0 and p != peer:
            self.pairs.add((min(p, peer), max(p, peer)))
        self.rows.append((time, p, peer, m, lamport, chain, cause, -1, round_, label, kind, state))
        if detail is not None:
            self.details[seq] = _json(detail)
        return seq

    def number(self, table: dict[str, int], name: str, what: str, most: int) -> int:
        if name not in table and len(table) >= most:
            raise BadInput(f"the log has more than {most:,} {what}; is the group for {what} the right one?")
        return table.setdefault(name, len(table))


def _json(detail: dict[str, Any]) -> str:
    text = json.dumps(detail, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, written as an escape in the log
        return json.dumps(detail, separators=(",", ":"))
    return text


def _peers(records: list[Record]) -> set[str]:
    hosts = {record.host for record in records}
    return {name for record in records for name in (record.sender, record.receiver) if name and name not in hosts}


def network_of(name: str, processes: Sequence[str], pairs: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Return a network with the hosts on a circle, and links between the pairs that exchanged messages."""
    n = len(processes)
    radius = max(150.0, 12.0 * n)
    turn = [2 * math.pi * i / n - math.pi / 2 for i in range(n)]
    nodes = [
        {"id": host, "x": round(radius * math.cos(a), 3), "y": round(radius * math.sin(a), 3)}
        for host, a in zip(processes, turn, strict=True)
    ]
    links = [{"source": processes[a], "target": processes[b]} for a, b in pairs]
    return {"directed": False, "multigraph": False, "graph": {"name": name}, "nodes": nodes, "links": links}


def _versions() -> dict[str, str]:
    import lydian

    return {"lydian": lydian.__version__}
