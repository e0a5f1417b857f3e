"""The growing trace of a running system: what has arrived is imported again at intervals, judged and reported."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any

from lydian.engine.observing import Spec, judged
from lydian.formats.logs.growing import MOST, Growing, unchanged
from lydian.model.errors import BadInput
from lydian.trace.events import Trace
from lydian.watching.sources import Source

__all__ = ["Seen", "watch"]

#: The seconds between two imports, and how many times as long as an import took.
PAUSE, SHARE = 0.2, 3.0
#: The pieces of text that may wait; a faster source is slowed down.
WAITING = 10_000


@dataclass(frozen=True)
class Seen:
    """What has been seen so far.

    Attributes:
        trace: all events; ``checks`` in its summary are the results of the properties so far.
        same: the number of events at its beginning that are as in the previous one.
        problems: the sentences about lines that cannot be used, which have not been reported before.
        over: whether the source has ended; ``forgotten`` is the number of lines that were dropped.
    """

    trace: Trace
    same: int
    problems: tuple[Any, ...] = ()
    over: bool = False
    forgotten: int = 0


def watch(
    source: Source, *, form: str | None = None, regex: str | None = None, spec: Spec | None = None, most: int = MOST,
    events: int | None = None, listening: Callable[[str], None] | None = None,
) -> Generator[Seen, None, None]:  # fmt: skip
    """Yield the growing trace of a source, until it ends or there are ``events`` events; close it to stop.

    Args:
        form, regex: as for :func:`~lydian.formats.logs.importer.import_log`.
        spec: properties by which it is judged.
        most: the largest number of lines that are kept.
        listening: called with the address at which the source listens, if it does.

    Raises:
        BadInput: the source cannot be used, or it has ended without any event.
        PropertyError: a property cannot be judged.
    """
    box: queue.Queue[str | None] = queue.Queue(WAITING)
    why: list[str] = []

    def over(reason: str) -> None:
        why.append(reason)
        box.put(None)

    source.start(box.put, over)
    if source.where and listening is not None:
        listening(source.where)
    growing = Growing(source.name, form, regex, most)
    before: Trace | None = None
    told = 0
    pause, ends = 0.0, False
    try:
        while not ends:
            ends = _gather(box, growing, pause)
            if ends:
                growing.end()
            began = time.monotonic()
            found = growing.imported(over=ends)
            problems = tuple(list(growing.problems.values())[told:])
            told += len(problems)
            if found is None and not ends:
                continue
            trace = before if found is None else found.trace
            if trace is None:
                break
            if found is not None and events is not None and len(trace) >= events:
                ends = True
            trace = replace(trace, summary={**trace.summary, "stopped": None if not ends else "quiescent"})
            if spec is not None:
                trace = _judged(trace, spec, ends)
            yield Seen(trace, unchanged(before, trace), problems, ends, growing.forgotten)
            before = trace
            pause = max(PAUSE, SHARE * (time.monotonic() - began))
    finally:
        source.stop()
    if why and why[0]:
        raise BadInput(why[0])
    if before is None:
        first = next(iter(growing.problems.values()), None)
        what = f"line {first.line}: {first.why}" if first is not None else "nothing arrived"
        raise BadInput(f"{source.name} contains no event that can be used ({what})")


def _judged(trace: Trace, spec: Spec, over: bool) -> Trace:
    """Return the trace with the results so far; what is only decided at the end stays open until then."""
    found, _ = judged(replace(trace, summary={**trace.summary, "stopped": None if over else "limit"}), spec)
    checks = found.summary["checks"]
    if not over:
        checks = [each if each["holds"] is False else {**each, "holds": None} for each in checks]
    return replace(trace, summary={**trace.summary, "checks": checks})


def _gather(box: queue.Queue[str | None], growing: Growing, pause: float) -> bool:
    """Take what arrives, for at least a pause and until there is something; return True at the end."""
    until = time.monotonic() + pause
    taken = False
    while True:
        left = until - time.monotonic()
        try:
            piece = box.get(timeout=max(left, 0.0)) if taken or pause else box.get()
        except queue.Empty:
            if taken:
                return False
            piece = box.get()
        if piece is None:
            return True
        growing.add(piece)
        taken = True
        if left <= 0 and box.empty():
            return False
        if left <= 0 and pause == 0.0:
            until = time.monotonic() + PAUSE / 4  # what has come with the first line
            pause = PAUSE
