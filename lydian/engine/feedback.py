"""A run controlled by a client, in rounds of two phases over a channel (:mod:`lydian.engine.wire`).

In the first phase of a round, the interactions that have arrived are examined in order; if two exclude each other, the
first one wins. Those that are accepted are carried out at once and recorded in the experiment; the others are answered
with the reason. In the second phase, the protocol runs, and the events of the round are sent with their numbers. At
the end of a round the simulator waits for the client, unless it was told to continue. Without interactions, the events
are the same as those of :meth:`Simulator.run`; the experiment that is sent with the result reproduces the run.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Any

from lydian.engine.end.rest import at_rest, rest
from lydian.engine.faults.interventions import Answer
from lydian.engine.pending import flying, pending
from lydian.engine.simulator import Simulator
from lydian.engine.wire import (
    MOST_ROWS,
    Answered,
    Begun,
    Bye,
    Error,
    Frame,
    Interact,
    Pace,
    Pending,
    Progress,
    Refused,
    Request,
    Result,
    Round,
    Stop,
    packed,
)
from lydian.model.errors import BadInput, LydianError, PropertyError
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.interventions import Intervention
from lydian.trace.parquet.file import TraceWriter
from lydian.trace.parquet.recorder import plain

__all__ = ["Feedback"]

#: The seconds between two reports of progress, and the least seconds between two flushes of the trace file, after
#: which it is readable: each flush writes a footer, so they become rarer in a long run.
TICK, FLUSH = 0.1, 0.5
#: The number of steps after which a run up to a time receives and sends frames.
STRETCH = 2048
#: The bytes set aside so that a run that has used all memory can still be reported.
SPARE = 8_000_000


class Feedback:
    """One session: a run and the conversation with its client.

    Args:
        request: the request for the run.
        inbox: the frames as they arrive, and an error for any line that is not a frame; ``None`` at the end of input.
        say: sends a frame.
    """

    def __init__(
        self, request: Request, inbox: queue.Queue[Frame | Refused | None], say: Callable[[Frame], None]
    ) -> None:
        self._request = request
        self._inbox = inbox
        self._send = say
        self._head_for(request)
        self._stop = self._deaf = False
        self._told = 0  # number of events sent
        self._labels = 0
        self._waited: tuple[int, int, int] | None = (
            None  # round, events and interventions when waiting was last announced
        )
        self._judged: list[Any] = []
        self._spare: list[bytearray] = []
        self._writer: TraceWriter | None = None
        self._began = self._flushed = self._reported = time.monotonic()

    def _head_for(self, frame: Request | Pace) -> None:
        """Set the goal of the run from a frame."""
        self._until, self._upto = frame.until, frame.steps
        self._passes = isinstance(frame, Pace)
        self._to = frame.to if self._until is None and self._upto is None else None

    def run(self) -> int:
        """Run to the end and return the exit code of ``lydian run``.

        A request that cannot be carried out is answered by an ``error`` frame.
        """
        if not self._request.told:
            self._send(Progress({"round": 0, "events": 0, "time": 0.0, "live": None}))
        try:
            self.simulator = Simulator(
                self._experiment(),
                round_length=self._request.round_time,
                round_events=self._request.round_events,
                action_seconds=self._request.seconds,
            )
            waits = bool(self.simulator.protocol.rules) and self.simulator.experiment.daemon.kind == "user"
            self.simulator.lingers = self._request.linger or waits  # the user has to choose the processes that act
            self._spare.append(bytearray(SPARE))
            self._open()
            return self._session()
        except LydianError as error:
            self._abandon()
            self._send(Error(str(error), error.exit_code))
            self._send(Bye("error"))
            return error.exit_code
        except BaseException:
            self._abandon()
            raise

    def _abandon(self) -> None:
        if self._writer is not None:
            self._writer.abandon()

    def _experiment(self) -> Experiment:
        experiment = from_dict(self._request.experiment)
        return experiment if self._request.folder is None else experiment.beside(self._request.folder)

    def _open(self) -> None:
        if self._request.trace is not None:
            t = self.simulator.trace
            self._writer = TraceWriter(
                self._request.trace, t.processes, experiment=t.experiment, network=t.network, source=t.source,
                versions=t.versions, summary=t.summary,
            )  # fmt: skip

    def _session(self) -> int:
        simulator = self.simulator
        try:
            with simulator.guard():
                trace = simulator.trace
                if self._request.told:
                    self.say(Begun(dict(trace.network), trace.source, dict(trace.versions), dict(trace.summary)))
                simulator.prepare()
                self._tell_events()
                while simulator.stopped is None and not self._stop:
                    self._one_round()
        except MemoryError as error:
            self._spare.clear()
            simulator.out_of_memory(error)
        simulator.lingers = False
        if self._stop and simulator.stopped is None:
            if simulator.kernel.queue:
                simulator.cancel()
            else:
                simulator._advance(None)
        self._read(wait=False)
        simulator.take_in()  # answer the remaining requests, also those not read yet: the run has ended
        self._tell_events(last=True)
        result = simulator.result()
        if self._writer is not None:
            self._writer.close(result.trace.summary)
        self.say(Result(result.to_dict(), simulator.recorded.to_dict()))
        self.say(Bye(result.stopped))
        return result.exit_code

    def _one_round(self) -> None:
        """Read the frames that have arrived, then run a round or, if it is time to wait, wait for the next frame."""
        simulator = self.simulator
        if not self._waits():
            self._read(wait=False)
        if self._stop:
            simulator.take_in()
            return
        if not self._waits():
            if self._until is not None or self._upto is not None:
                simulator.round_until(self._until, self._upto, max(STRETCH, simulator.round_events or 1))
                self._pass()
            else:
                if not simulator.faults.offered:
                    simulator.faults.skip(self._to)
                if not self._waits():
                    simulator.round()
            if simulator.kernel.counts()[0] > self._told or self._waits() or simulator.stopped is not None:
                self._tell_events()
            return
        self._tell_waiting()
        self._read(wait=True)
        if simulator.faults.offered:
            simulator.take_in()
            self._tell_events()

    def _pass(self) -> None:
        """Let time pass up to that of the last ``pace`` if nothing is left to do before."""
        if self._passes and self._until is not None and self.simulator.pass_time(self._until):
            self._tell_events()

    def _waits(self) -> bool:
        """Return True if the simulator has to wait for the client."""
        simulator = self.simulator
        if self._deaf:
            return False
        if simulator.lingers and not simulator.kernel.queue and not self._repeats():
            return True
        if self._to is not None:
            return simulator.faults.round >= self._to
        if self._until is None and self._upto is None:
            return False
        queue_ = simulator.kernel.queue
        early = self._until is not None and simulator.kernel.now < min(self._until, queue_.next)
        return bool(queue_) and not early and simulator.reached(self._until, self._upto)

    def _repeats(self) -> bool:
        """Return True if a recorded intervention is to be made although nothing is left to do by itself."""
        return self._until is not None and self.simulator.faults.next <= self._until

    # ------------------------------------------------------------------ receiving

    def _read(self, wait: bool) -> None:
        """Process the frames that have arrived; with ``wait``, wait for at least one."""
        self.simulator.excused = True
        try:
            while wait or not self._inbox.empty():
                self._heard(self._inbox.get())
                wait = False
        finally:
            self.simulator.excused = False

    def _heard(self, frame: Frame | Refused | None) -> None:
        if isinstance(frame, Interact):
            self._interact(frame)
        elif isinstance(frame, Pace):
            if frame.until is not None and self.simulator.round_events is None:
                self.say(Error("a pace with until requires rounds of events; this run has rounds of time"))
                return
            self._head_for(frame)
            self._waited = None
            if frame.linger is not None:
                self.simulator.lingers = frame.linger
            self._pass()
        elif isinstance(frame, Stop | Bye):
            self._stop = True
        elif frame is None:
            if self._waits():
                self._stop = True
            self._deaf = True  # no client is left to wait for
            self.simulator.lingers = False
        elif isinstance(frame, Refused):
            self.say(Error(str(frame)))
        else:
            self.say(Error(f"a run is in progress; {frame.kind} is not expected here"))

    def _interact(self, frame: Interact) -> None:
        def tell(answer: Answer) -> None:
            record = None if answer.intervention is None else answer.intervention.to_dict()
            self.say(Answered(frame.id, answer.accepted, answer.reason, answer.round, record))

        simulator = self.simulator
        try:
            what = Intervention.from_dict({**frame.what, "time": 0.0}, None, "what")
        except (BadInput, TypeError, ValueError, RecursionError) as error:
            tell(Answer(False, str(error), simulator.faults.round, None))
        else:
            simulator.interact(what, frame.seen, tell)

    # ------------------------------------------------------------------ sending

    def say(self, frame: Frame) -> None:
        """Send a frame; the time that a slow reader takes is not charged to the protocol."""
        self.simulator.excused = True
        try:
            self._send(frame)
        finally:
            self.simulator.excused = False

    def _tell_events(self, *, last: bool = False) -> None:
        """Send the events since the last call, unless the client already knows that there are none.

        If events are not to be sent, report the progress of the run from time to time.
        """
        simulator = self.simulator
        if not self._request.told and not last and time.monotonic() - self._reported < TICK:
            return
        events, _, offset = simulator.kernel.counts()
        start = self._told
        new = simulator.recorder.rows(offset, start) if events > start else None
        texts = list(simulator.recorder.texts(start)) if new is not None else []
        self._told = events
        if self._writer is not None and new is not None:
            simulator.excused = True  # writing the file is not charged to the protocol
            self._writer.append(new, simulator.execution.labels, simulator.protocol.states, dict(texts))
            now = time.monotonic()
            if now - self._flushed > max(FLUSH if self._request.told else TICK, (now - self._began) / 10):
                self._writer.flush()
                self._flushed = now
            simulator.excused = False
        if not self._request.told:
            live = None if self._writer is None else str(self._writer.live_path)
            now = float(simulator.kernel.now)
            self.say(Progress({"round": simulator.faults.round, "events": events, "time": now, "live": live}))
            self._reported = time.monotonic()
            return
        following = simulator.kernel.queue.next if simulator.kernel.queue else None
        at, done = float(simulator.kernel.now), simulator.faults.round
        labels = list(simulator.execution.labels) if len(simulator.execution.labels) > self._labels else None
        first = start == 0
        waits = self._waits() and simulator.stopped is None
        count = 0 if new is None else len(new)
        for begin in range(0, max(count, 1), MOST_ROWS):
            rows = None if new is None else new[begin : begin + MOST_ROWS]
            last = begin + MOST_ROWS >= count
            size = 0 if rows is None else len(rows)
            low = start + begin
            told = [pair for pair in texts if low <= pair[0] < low + size] if count > MOST_ROWS else texts
            self.say(
                Round(
                    done,
                    low,
                    size,
                    at,
                    following,
                    waits,
                    "" if rows is None else packed(rows),
                    [list(pair) for pair in told],
                    labels,
                    list(simulator.protocol.states) if first else None,
                    list(simulator.network.processes) if first else None,
                    simulator.steps,
                    self._flying() if waits and last else None,
                    self._checks() if waits and last else None,
                    self._rest() if waits and last else None,
                )
            )
            labels, first = None, False
        self._labels = len(simulator.execution.labels)

    def _checks(self) -> list[Any] | None:
        """Return the results for the properties if they have changed."""
        found = [check.to_dict() for check in self.simulator.checks()]
        if found == self._judged:
            return None
        self._judged = found
        return found

    def _rest(self) -> dict[str, Any] | None:
        """Return the outcome of the run if no further event can happen by itself."""
        simulator = self.simulator
        if not at_rest(simulator):
            return None
        try:
            judgements = simulator.judges.at_rest(simulator.kernel.counts()[0] - 1)
        except PropertyError:  # it is reported at the end of the run
            return None
        decided = {name: plain(value) for name, value in simulator.execution.decided.items()}
        checks = [each.to_dict() for each in judgements]
        return {"checks": checks, "decided": decided, **rest(simulator, judgements)}

    def _flying(self) -> str | None:
        """Return the messages in transit in the form in which they are sent."""
        return packed(flying(self.simulator)) if self._request.flying else None

    def _tell_waiting(self) -> None:
        """Send the enabled events, once for each moment."""
        simulator = self.simulator
        now = (simulator.faults.round, simulator.kernel.counts()[0], len(simulator.accepted))
        if self._waited == now:
            return
        self._waited = now
        if self._request.pending:
            events, total = pending(simulator, self._request.pending)
            self.say(Pending(simulator.faults.round, total, events))
