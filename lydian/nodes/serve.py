"""A run of programs in a separate process: ``python -m lydian.nodes.serve``.

Input and output consist of the frames of :mod:`lydian.engine.wire`: a ``programs`` is read; ``begun``, ``round`` and
``progress`` are written while the run proceeds, and a ``result`` at its end. ``interact`` makes an intervention, and
``stop`` or the end of the input ends the run.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np

from lydian.engine.serve import channels, requested
from lydian.engine.wire import (
    FLYING,
    Answered,
    Begun,
    Bye,
    Error,
    Frame,
    Interact,
    Programs,
    Progress,
    Refused,
    Result,
    Round,
    Stop,
    encode,
    frames,
    packed,
)
from lydian.model.childprocess import Aside, follow_parent
from lydian.model.errors import BadInput
from lydian.model.interventions.kind import Intervention
from lydian.nodes import faults
from lydian.nodes.plan import Plan
from lydian.nodes.run import Run

__all__ = ["main"]

#: The seconds between two reports of new events, and the most events in one report.
_TICK, _MOST = 0.1, 20_000
Say = Callable[[Frame], None]


class _Teller:
    """Reports what is new in a run."""

    def __init__(self, run: Run, say: Say) -> None:
        self._run, self._say = run, say
        self._sent, self._rounds = 0, 0
        self._tables = (0, 0)
        self._told: dict[str, object] = {}

    def begin(self) -> None:
        """Report the beginning."""
        trace = self._run.trace()
        self._say(Begun(dict(trace.network), trace.source, dict(trace.versions), dict(trace.summary)))

    def tell(self) -> None:
        """Report the events since the last call, and how far the run is."""
        run, recording = self._run, self._run.recording
        tables = len(recording.processes), len(recording.labels)
        if tables[0] != self._tables[0]:
            self.begin()  # with the services, which are known only when they are asked
        details = recording.recorder.texts(self._sent)
        waiting = next(details, None)
        rows = recording.recorder.rows(recording.used, self._sent)
        for start in range(0, max(len(rows), 1), _MOST):
            some = rows[start : start + _MOST]
            texts = []
            while waiting is not None and waiting[0] < self._sent + len(some):
                texts.append(list(waiting))
                waiting = next(details, None)
            self._rounds += 1
            new = tables != self._tables
            self._say(Round(
                self._rounds, self._sent, len(some), max(run.now(), recording.time), rows=packed(some), details=texts,
                labels=list(recording.labels) if new else None, states=list(run.states) if new else None,
                processes=list(recording.processes) if new else None, steps=recording.events, flying=self._flying(),
            ))  # fmt: skip
            self._sent += len(some)
            self._tables = tables
        told = {"phase": run.phase, "messages": recording.messages, "operations": len(run.history)}
        if told != self._told:
            self._told = told
            self._say(Progress(told))

    def _flying(self) -> str:
        return packed(np.array(self._run.flying(), dtype=FLYING))


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Answer one request and return the exit code of ``lydian run``."""

    def say(frame: Frame) -> None:
        out.write(encode(frame))
        out.flush()

    heard = frames(source)
    request, code = requested(heard, say, Programs)
    if request is None:
        return code
    try:
        run = Run(Plan.from_dict(request.plan))
    except (BadInput, TypeError, KeyError) as error:
        say(Error(str(error), 2))
        return 2
    asyncio.run(_served(run, heard, say))
    return run.result().exit_code


async def _served(run: Run, heard: Iterator[Frame | Refused], say: Say) -> None:
    """Carry out the run, report it, and answer interventions."""
    loop = asyncio.get_running_loop()

    def listen() -> None:
        for frame in heard:
            loop.call_soon_threadsafe(_answer, run, frame, say)
        loop.call_soon_threadsafe(run.stop)

    teller = _Teller(run, say)
    teller.begin()
    work = loop.create_task(run.main())
    Aside(listen, "lydian-input").start()
    while not work.done():
        await asyncio.wait({work}, timeout=_TICK)
        teller.tell()
    work.result()
    result = run.result()
    trace = result.trace
    say(Result(result.to_dict() | {"summary": dict(trace.summary), "network_file": dict(trace.network)},
               dict(trace.experiment)))  # fmt: skip
    say(Bye(result.stopped))


def _between_programs(what: Mapping[str, Any], run: Run) -> Mapping[str, Any]:
    """Return an intervention without the clients and services in the groups of a partition."""
    groups = what.get("groups")
    if not isinstance(groups, list):
        return what
    index = run.plan.network.index
    kept = [[name for name in group if name in index] for group in groups if isinstance(group, list)]
    return {**what, "groups": [group for group in kept if group]}


def _answer(run: Run, frame: Frame | Refused, say: Say) -> None:
    """Answer a frame that arrives during the run."""
    if isinstance(frame, Stop | Bye):
        run.stop()
    elif isinstance(frame, Interact):
        made, reason = None, ""
        try:
            made = Intervention.from_dict({"time": run.now(), **_between_programs(frame.what, run)})
            faults.check([made], run.plan.network, by_hand=True)
            reason = run.interfere(made) or ""
        except BadInput as error:
            reason = error.what
        accepted = not reason
        what = made.to_dict() if made is not None and accepted else None
        say(Answered(frame.id, accepted, reason, 0, what))
    else:
        text = str(frame) if isinstance(frame, Refused) else f"{frame.kind} is not expected during a run of programs"
        say(Error(text))


if __name__ == "__main__":
    follow_parent()
    os._exit(main(*channels()))  # the listening thread may wait for ever
