"""How a run ended, and why: the sentence, the guilty process, the way there, the line."""

from __future__ import annotations

import ast
import textwrap
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lydian.authoring.failing import Failure, failure_of, way_to
from lydian.language import tr, trc
from lydian.model.source.syntax import tree_of
from lydian.pieces.animation import Animation
from lydian.trace.events import FAULTS, Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.code import action_at, code_of
from lydian.views.words.ends import closing, nothing_happened
from lydian.views.words.phrases import quotation
from lydian.views.words.sentence import narrate
from lydian.views.words.source import Action, read
from lydian.views.words.verdicts import concerned, decided_at
from lydian.views.words.waits import chain, waits
from lydian.views.words.words import brief

__all__ = ["Ending", "Line", "Moment", "ending_of"]

#: The number of moments that lead to an end, and of lines of code that are shown.
MOST, LINES = 6, 4


@dataclass(frozen=True)
class Moment:
    """An event on the way to an end.

    Attributes:
        seq, time: its number and time.
        text: what happens, in words.
        tag: the function that handles it, or the kind of fault.
        role: ``fault``, ``end`` or "".
    """

    seq: int
    time: float
    text: str
    tag: str = ""
    role: str = ""


@dataclass(frozen=True)
class Line:
    """The line of the protocol that fails, violates a property, or waits for ever.

    Attributes:
        number: the number of the line, from 1.
        function: the function that contains it, "" if unknown.
        lines: the numbers and texts of a few lines, with this one among them.
        note: what is to be said about it.
    """

    number: int
    function: str
    lines: tuple[tuple[int, str], ...]
    note: str = ""


@dataclass(frozen=True)
class Ending:
    """The end of a run.

    Attributes:
        kind: ``failed`` (an action raised an error), ``violated`` (a property), ``stuck`` (processes wait for ever),
            ``missed`` (a goal was not reached, and no process is known to wait for it) or ``well``.
        sentence: what happened.
        why: the cause or the consequence, "" if there is nothing to add.
        guilty: the processes to mark.
        chain: the processes of which each waits for the next; the last is the cause.
        event: the decisive event, -1 if it is the end itself.
        moments: the way there, the earliest first.
        line: the line of code, ``None`` if it is unknown.
    """

    kind: str
    sentence: str
    why: str = ""
    guilty: tuple[int, ...] = ()
    chain: tuple[int, ...] = ()
    event: int = -1
    moments: tuple[Moment, ...] = ()
    line: Line | None = None

    @property
    def good(self) -> bool:
        """Whether the run ended as it should."""
        return self.kind == "well"


def ending_of(timeline: Timeline, checks: Sequence[Mapping[str, Any]], animation: Animation) -> Ending | None:
    """Return how a run ended; ``None`` if it has not ended, or has no events.

    Args:
        checks: the judgements of the properties at the end.
    """
    summary = timeline.trace.summary
    if not timeline.length or "imported" in summary or nothing_happened(summary):
        return None
    failure = failure_of(timeline)
    if failure is not None:
        return _failed(timeline, failure)
    if summary.get("stopped") is None:
        return None
    broken = [check for check in checks if check.get("holds") is False]
    event, first = min(
        ((decided_at(each, timeline), each) for each in broken if each.get("kind") == "always"),
        key=lambda pair: pair[0] if pair[0] >= 0 else timeline.length, default=(-1, None),
    )  # fmt: skip
    if first is not None:
        return _violated(timeline, first, event, animation)
    reason = waits(timeline) if broken and summary.get("stopped") == "quiescent" else ""
    if reason:
        return _stuck(timeline, str(broken[0].get("name")), reason, animation)
    if broken:
        faults = np.flatnonzero(np.isin(timeline.kind, FAULTS)).tolist()[-MOST:]
        moments = tuple(_moment(timeline, seq, animation) for seq in faults)
        sentence = tr("Not reached: {property}.", property=broken[0].get("name"))
        return Ending("missed", sentence, _explained(broken[0]) or closing(timeline), moments=moments)
    return Ending("well", closing(timeline))


def _failed(timeline: Timeline, failure: Failure) -> Ending:
    """Return the end of a run in which an action, a property or a measure raised an error."""
    first, stop, rest = failure.sentence.partition(". ")
    names = timeline.processes
    guilty = (names.index(failure.process),) if failure.process in names else ()
    moments = [
        Moment(
            step.seq, step.time, tr("{process}: {event}", process=failure.process, event=step.text), step.function,
            "end" if step.role == "failed" else "",
        )
        for step in way_to(timeline, failure, MOST)
    ]  # fmt: skip
    line = None if failure.line is None else _line(timeline, failure.line, failure.function, failure.message)
    return Ending(
        "failed", tr("Failed: {reason}", reason=first + stop.strip() if stop else first), rest, guilty, (), failure.seq,
        tuple(moments), line,
    )  # fmt: skip


def _violated(timeline: Timeline, check: Mapping[str, Any], event: int, animation: Animation) -> Ending:
    """Return the end of a run in which a property was violated that should always hold."""
    sentence = tr("Violated: {property}.", property=check.get("name"))
    if event < 0:
        return Ending("violated", sentence, closing(timeline))
    guilty = tuple(sorted(concerned(check, timeline)))
    why = tr("At time {time:.2f}: {event}", time=float(timeline.time[event]), event=narrate(timeline, event, animation))
    why = _explained(check) or why
    rows = np.flatnonzero(np.isin(timeline.process, guilty) & (np.arange(timeline.length) < event))
    rows = rows[np.isin(timeline.kind[rows], (*_ACTED, *FAULTS, Kind.DECIDE))].tolist()
    faults = [seq for seq in np.flatnonzero(np.isin(timeline.kind[:event], FAULTS)).tolist() if seq not in rows]
    shown = sorted([*faults[-2:], *rows[-(MOST - 1 - len(faults[-2:])) :]])
    moments = [*(_moment(timeline, seq, animation) for seq in shown), _moment(timeline, event, animation, "end")]
    cause = _acting(timeline, event)
    code = code_of(timeline, cause, event if event != cause else -1) if cause >= 0 else None
    note = trc("line of code", "violated after this")
    line = None if code is None else _line(timeline, code.current, code.function, note, code.first)
    return Ending("violated", sentence, why, guilty, (), event, tuple(moments), line)


def _explained(check: Mapping[str, Any]) -> str:
    """Return the explanation that a check of programs gives, as a sentence; "" if there is none."""
    why = str(check.get("why") or "")
    return f"{why[:1].upper()}{why[1:]}." if why else ""


def _stuck(timeline: Timeline, goal: str, reason: str, animation: Animation) -> Ending:
    """Return the end of a run in which processes wait for ever, so that a goal is never reached."""
    links = chain(timeline)
    sentence = tr("Stuck: {reason}.", reason=reason)
    why = tr("So {property} is never true.", property=quotation(goal))
    last = timeline.length - 1
    if len(links) < 2:
        return Ending("stuck", sentence, why, moments=(_over(timeline),))
    waiter, cause = links[-2:]
    ahead = {waiter, cause}
    kinds, process, peer = timeline.kind, timeline.process, timeline.peer
    between = np.isin(process, list(ahead)) & np.isin(peer, list(ahead))
    talked = np.flatnonzero(between & np.isin(kinds, (Kind.SEND, Kind.RECEIVE, Kind.DROP))).tolist()
    fault = np.flatnonzero((kinds == Kind.CRASH) & (process == cause)).tolist()[-1:]
    lost = np.flatnonzero((kinds == Kind.DROP) & ((process == cause) | (peer == cause))).tolist()
    rows = sorted({*talked[-2:], *fault, *lost[:2]})
    moments = (*(_moment(timeline, seq, animation) for seq in rows[: MOST - 1]), _over(timeline))
    return Ending("stuck", sentence, why, (cause,), links, last, moments, _waiting_line(timeline, waiter))


#: The kinds of events to which actions respond.
_ACTED = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)


def _acting(timeline: Timeline, seq: int) -> int:
    """Return the event whose action caused an event, or the event itself; -1 if no action did."""
    if int(timeline.kind[seq]) in _ACTED:
        return seq
    cause = int(timeline.cause[seq])
    return cause if cause >= 0 and int(timeline.kind[cause]) in _ACTED else -1


def _moment(timeline: Timeline, seq: int, animation: Animation, role: str = "") -> Moment:
    process, kind = int(timeline.process[seq]), int(timeline.kind[seq])
    what = brief(timeline, seq, animation)
    text = f"{timeline.processes[process]} {what}" if process >= 0 else what
    action = action_at(timeline, seq) if kind in _ACTED else None
    tag = "" if action is None else action.function
    if kind in FAULTS:
        tag, role = trc("tag of an event", "fault"), role or "fault"
    elif kind == Kind.DROP:
        tag, role = trc("tag of an event", "lost"), role or "fault"
    return Moment(seq, float(timeline.time[seq]), text, tag, role)


def _over(timeline: Timeline) -> Moment:
    last = timeline.length - 1
    text = tr("no process has anything left to do")
    return Moment(last, float(timeline.end), text, trc("tag of an event", "stuck"), "end")


def _waiting_line(timeline: Timeline, waiter: int) -> Line | None:
    """Return the action that would take the process on: of the messages it awaits, the one it received last."""
    code = int(timeline.states_at(timeline.length)[waiter])
    state = timeline.states[code] if 0 <= code < len(timeline.states) else ""
    source = read(timeline.trace.source)
    got = np.flatnonzero((timeline.process == waiter) & (timeline.kind == Kind.RECEIVE))[::-1]
    names = list(dict.fromkeys(timeline.labels[int(timeline.label[seq])] for seq in got.tolist()))
    awaited: list[Action] = [
        each for each in source.actions if each.states is not None and state in each.states and each.event in names
    ]
    awaited.sort(key=lambda each: names.index(each.event))
    if not awaited:
        return None
    action = awaited[0]
    note = tr("{process} waits for another {message}", process=timeline.processes[waiter], message=action.event)
    return _line(timeline, action.line, action.function, note)


def _line(timeline: Timeline, number: int, function: str, note: str, top: int = 0) -> Line | None:
    """Return a line with a few others: from the head of its function on if that is near, without the docstring."""
    text = timeline.trace.source.splitlines()
    if not 1 <= number <= len(text):
        return None
    silent = _docstring(timeline.trace.source)
    spoken = [each for each in range(1, len(text) + 1) if each not in silent and text[each - 1].strip()]
    at = spoken.index(number) if number in spoken else bisect_left(spoken, number)
    start = max(at - 1, 0) if number != top and text[number - 1].lstrip()[:4] != "def " else at
    some = spoken[start : start + LINES]
    other = (k for k, each in enumerate(some) if k and text[each - 1].lstrip().startswith(("@", "def ", "class ")))
    some = some[: next(other, LINES)]
    lines = textwrap.dedent("\n".join(text[each - 1].expandtabs(4) for each in some)).splitlines()
    return Line(number, function, tuple(zip(some, lines, strict=True)), note)


@lru_cache(maxsize=8)
def _docstring(source: str) -> frozenset[int]:
    """Return the numbers of the lines that belong to docstrings."""
    try:
        tree = tree_of(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    found: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            found.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return frozenset(found)
