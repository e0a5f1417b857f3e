"""An execution under way: what the kernel asks for when an event is out of the ordinary.

Crashed processes, processes that take time for a step, timers, links that are FIFO or lossy or down, what an action
asks for beside sending, and what happens when it fails.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any

from lydian.engine.channel import Channel
from lydian.engine.console import Console
from lydian.engine.end.failure import ImpossibleError, brief, event_words, line_of, reason
from lydian.engine.kernel import NONE, Kernel, StopRun
from lydian.engine.queue import Alarm, Delivery, Loss, Waiting
from lydian.engine.setup import constant_bits
from lydian.model.errors import ActionError, did_you_mean, shown
from lydian.model.limits import Watch, pressed
from lydian.model.protocol.effects import (
    CANCEL_TIMER,
    DECIDE,
    DELIVER,
    INIT,
    NOTE,
    PRINT,
    SET_TIMER,
    WANT_ROUND,
    WATCH,
    Word,
)
from lydian.model.protocol.message import Message, Record, Timer
from lydian.model.protocol.process import Process
from lydian.model.protocol.protocol import Protocol
from lydian.model.protocol.rules import column
from lydian.model.protocol.watching import detector
from lydian.trace.events import KINDS, NO_STATE, Kind
from lydian.trace.parquet.recorder import Recorder, to_json

__all__ = ["Execution"]


class Detector:
    """Who watches whom.

    A watch is a timer that begins to run when the watched process crashes; from then on it is a timer like any other,
    caused by the crash.
    """

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._named = {p._name: p for p in execution.processes}
        self._watched: dict[int, dict[tuple[int, Timer], float]] = {}  # who is watched -> by whom, with which timer
        self._watching: dict[int, dict[Timer, int]] = {}  # who watches -> with which timer -> whom

    def watch(self, p: Process, argument: Any, cause: int) -> None:
        """A process watches another from now on."""
        name, timer, after = argument
        if detector not in self._execution.protocol.needs:
            raise ImpossibleError("it watches a process, which wants a failure detector: write needs = detector")
        target = self._named.get(name)
        if target is None or target is p:
            what = "itself" if target is p else f"{shown(name)}, which is no process{did_you_mean(name, self._named)}"
            raise ImpossibleError(f"it watches {what}; watch another process by its name")
        if target._crashed:
            if timer not in self._execution.running(p):
                self._execution.special_effect(p, SET_TIMER, (timer, after), cause)
        else:
            self._watched.setdefault(target._i, {})[p._i, timer] = after
            self._watching.setdefault(p._i, {})[timer] = target._i

    def cancel(self, p: Process, which: Timer | type[Timer]) -> None:
        """A process does not want to know it any more."""
        own = self._watching.get(p._i)
        for timer in [timer for timer in own if timer == which or type(timer) is which] if own else ():
            self._watched.get(own.pop(timer), {}).pop((p._i, timer), None)  # type: ignore[union-attr]

    def crashed(self, p: Process) -> None:
        """A process has crashed, as the last row says."""
        seq = self._execution.kernel.counts()[0] - 1
        processes = self._execution.processes
        for (i, timer), after in self._watched.pop(p._i, {}).items():
            self._watching[i].pop(timer, None)
            if not processes[i]._crashed:
                self._execution.special_effect(processes[i], SET_TIMER, (timer, after), seq)


_REMARKS = {DELIVER: (Kind.DELIVER, "value"), DECIDE: (Kind.DECIDE, "value"), NOTE: (Kind.NOTE, "text")}


class Execution:
    """The processes of one run and everything that is pending for them.

    Args:
        protocol: what they execute.
        processes: in the order of the network.
        recorder: where the rows go.
        variables: names of the variables whose changes are recorded.
        check: called with the ``seq`` of each event after it; ``None`` for nothing.
        limit: most events.
        step_times: index of a process -> how long its next step takes; a process that is missing takes no time.

    Attributes:
        kernel: clock and queue.
        labels: names of messages, timers and commands; ``kinds`` their codes by class; ``state_codes`` by state.
        doors: for each process that takes time, the events that wait until it has finished its step.
        decided: process -> what it decided last; ``delivered``: what it delivered, in order.
        taken: processes that somebody has taken over; what reaches them waits at their door until it is chosen.
        watch: guards actions while the run goes on.
        planned: called for each message sent along a channel for which a fault is planned.
        changed, freed: called when an event may have changed a process, and when one may execute its rules again;
            ``None`` if the protocol has no guarded actions.
        collect, want: called when a message arrives between two rounds, and when a process wants the next round;
            ``None`` if the protocol does not work in rounds.
        detector: who watches whom.
        console: takes what the protocol prints.
        said: called with the time, the process ("" for none) and the text of each line printed, once it is recorded.
        overhear: called for every message that reaches a process for which sending is not plain, if there is a liar.
        unknown: says why a process cannot send to somebody, if not for want of a link.
        own: the channel from a process to itself, made when it sends there for the first time.
        line_of_effect: the line of the call by which the action of an event asked for an effect, by their numbers.
        closely: whether every delivery is looked at, because it may change what others see.
    """

    def __init__(
        self,
        protocol: Protocol,
        processes: Sequence[Process],
        recorder: Recorder,
        variables: Sequence[str],
        check: Callable[[int], None] | None,
        limit: int,
        step_times: dict[int, Callable[[], float]],
    ) -> None:
        self.protocol = protocol
        self.processes = processes
        self.check = check
        self.step_times = step_times
        self.labels: list[str] = list(protocol.labels)
        events = (*protocol.messages, *protocol.timers, *protocol.commands)
        self.kinds: dict[type, tuple[int, int | None]] = {c: (i, constant_bits(c)) for i, c in enumerate(events)}
        self.state_codes = {state: code for code, state in enumerate(protocol.states)}
        self.decided: dict[str, Any] = {}
        self.delivered: dict[str, list[Any]] = {}
        self.taken: set[int] = set()
        self.watch: Watch | None = None
        self.planned: Callable[[Delivery], None] | None = None
        self.changed: Callable[[Process, int], None] | None = None
        self.freed: Callable[[], None] | None = None
        self.collect: Callable[[Process, Delivery], None] | None = None
        self.want: Callable[[Process, int], None] | None = None
        self.unknown: Callable[[Process, Any], str] | None = None
        self.own: Callable[[Process], Channel | None] = lambda p: None
        self.line_of_effect: Callable[[int, int], int | None] = lambda cause, number: None
        self.overhear: Callable[[Process, Record], None] | None = None
        self.detector = Detector(self)
        self.closely = bool(protocol.rules and protocol.messages)
        self.kernel = Kernel(recorder, self.kinds, self.state_codes, variables, self, check, limit)
        self.said: Callable[[float, str, str], None] | None = None
        self.console = Console(self.kernel.effects, lambda: self.kernel.counts()[0])
        self.doors = self.kernel.queue.doors
        self.doors.update((i, deque()) for i in step_times)
        self._held: dict[int, tuple[int, list[tuple[Any, Any]]]] = {}
        self._timers: dict[int, dict[Timer, Alarm]] = {}
        self._described: dict[Any, tuple[int, str | None]] = {}
        for p in processes:
            p._effects = self.kernel.effects
            p._snapshot = self.kernel.snapshot_of(p)
            p._recorded, p._where = {}, [NONE]
            p._slow = self.closely or p._i in step_times

    def stop(self, why: str) -> None:
        """End the run; called by the kernel when the limit of events is reached."""
        raise StopRun(why)

    def arrived(self, p: Process, delivery: Delivery) -> None:
        """A delivery to a process that has crashed or takes time for its steps."""
        if p._crashed:
            self.drop(delivery, "crash")
        elif self.collect is not None:
            self.collect(p, delivery)
        else:
            self._meet(p, Kind.RECEIVE, delivery.message, delivery)

    def drop(self, delivery: Delivery, reason: str) -> None:
        """A message is lost."""
        d, channel = delivery, delivery.channel
        self.kernel.write(
            Kind.DROP, channel.target._i, channel.source_i, d.id, d.label, NO_STATE, d.lamport, d.chain, d.sent, d.bits,
            f'{{"reason":{to_json(reason)}}}',
        )  # fmt: skip

    def wake(self, p: Process) -> None:
        """``INIT`` at a process."""
        if not p._crashed:
            self._meet(p, Kind.INIT, INIT)

    def command(self, p: Process, command: Record) -> None:
        """A command of the user of a process."""
        if not p._crashed:
            self._meet(p, Kind.COMMAND, command)

    def _ring(self, alarm: Alarm) -> None:
        p = alarm.process
        if not alarm.pending:
            self.kernel.queue.void -= 1
        elif p._crashed:
            alarm.pending, alarm.overdue = False, True
        else:
            del self._timers[p._i][alarm.timer]
            self._meet(p, Kind.TIMER, alarm.timer, None, alarm.cause)

    def _meet(self, p: Process, kind: int, event: Any, delivery: Delivery | None = None, cause: int = NONE) -> None:
        """An event reaches a process: it acts now, or, while it is busy, later."""
        since = self.kernel.now if delivery is None else delivery.time
        if p._i in self._held or p._i in self.taken:
            self.doors[p._i].append(Waiting(kind, event, since, delivery, cause))
        else:
            self._act(p, kind, event, since, delivery, cause)

    def _act(self, p: Process, kind: int, event: Any, since: float, delivery: Delivery | None, cause: int) -> None:
        kernel, clock = self.kernel, p._clock
        key: Any = INIT if event is INIT else type(event)
        words = event if delivery is None else (event, delivery.channel)
        action = p._cells.get(p.state, {}).get(key)
        if action is None:
            self.failed(p, words, KeyError(key), delivery)
            return
        peer = mid = label = bits = NONE
        if delivery is not None:
            changed = kernel.act(p, action, words, event, delivery.channel.name)
            peer, mid, cause = delivery.channel.source_i, delivery.id, delivery.sent
            label, bits = delivery.label, delivery.bits
            clock.receive(delivery.lamport, delivery.chain)
            if self.overhear is not None:
                self.overhear(p, event)
        else:
            changed = kernel.act(p, action, words, *(() if event is INIT else (event,)))
            label = NONE if event is INIT else self.kinds[key][0]
            clock.tick()
        draw = self.step_times.get(p._i)
        busy = 0.0 if draw is None else draw()
        parts = [changed] if changed else []
        if kind in (Kind.COMMAND, Kind.TIMER) and event._told():
            parts.append(f'"fields":{to_json(event._told())}')
        if busy > 0:
            parts.append(f'"busy":{busy!r}')
        if since < kernel.now:
            parts.append(f'"waited":{kernel.now - since!r}')
        detail = "{" + ",".join(parts) + "}" if parts else None
        seq = kernel.row(kind, p, cause, detail, peer=peer, mid=mid, label=label, bits=bits)
        if busy > 0:
            self._held[p._i] = (seq, kernel.effects.copy())
            kernel.effects.clear()
            kernel.at(kernel.now + busy, self._step_ends, (p, seq))
        else:
            kernel.apply(p, seq)
        if self.changed is not None:
            self.changed(p, seq)
        if self.check is not None:
            self.check(seq)

    def _step_ends(self, step: tuple[Process, int]) -> None:
        """A busy process has finished: its messages leave, and the next event at its door comes in."""
        p, seq = step
        held = self._held.get(p._i)
        if held is None or held[0] != seq:
            return  # it crashed meanwhile
        del self._held[p._i]
        self.kernel.effects.extend(held[1])
        self.kernel.apply(p, seq)
        if self.check is not None:
            self.check(seq)
        if p._i not in self.taken:
            self.admit(p)
        if self.freed is not None:
            self.freed()

    def admit(self, p: Process) -> None:
        """Let in what waits at the door of a process, until it is busy."""
        door = self.doors[p._i]
        while door and p._i not in self._held:
            self._act(p, *door.popleft())

    @property
    def anybody_busy(self) -> bool:
        """Whether any process is in the middle of a step that takes time."""
        return bool(self._held)

    def busy(self, p: Process) -> bool:
        """Whether a process is in the middle of a step that takes time."""
        return p._i in self._held

    def let_in(self, p: Process, number: int) -> None:
        """Let in one of those that wait at the door of a process, whoever else is waiting."""
        waiting = self.doors[p._i][number]
        del self.doors[p._i][number]
        self._act(p, *waiting)

    def look(self, delivery: Delivery) -> None:
        """Send along a channel that loses or changes messages, is down, or has a fault planned."""
        channel, kernel = delivery.channel, self.kernel
        if channel.lose is not None and channel.lose() < channel.loss:
            kernel.at(delivery.time, self._lost, Loss(delivery, "loss"))
        elif channel.down:
            kernel.at(kernel.now, self._lost, Loss(delivery, "link down"))
        elif channel.planned:
            assert self.planned is not None
            self.planned(delivery)
        elif channel.noise is not None:
            channel.noise.send(delivery)
        else:
            kernel.queue.push(delivery)

    def _lost(self, loss: Loss) -> None:
        self.drop(*loss)

    def describe(self, m: Record) -> tuple[int, str | None]:
        """The size of a message whose fields decide it, and its fields in JSON if they are worth telling."""
        cls = type(m)
        key: Any = (cls, cls._values(m))
        try:
            known = self._described.get(key)
        except TypeError:  # a field that cannot be hashed
            key, known = None, None
        if known is None:
            told = m._told()
            known = (m.bits, f'{{"fields":{to_json(told)}}}' if told else None)
            if known[0] >= 2**31:
                raise ImpossibleError(f"it sends a {cls.__name__} of {known[0] / 8e6:.0f} MB; at most 268 can be sent")
            if key is not None:
                if len(self._described) >= 10_000:
                    self._described.clear()
                self._described[key] = known
        return known

    def new_kind(self, p: Process, m: Any, cause: int) -> tuple[int, int | None]:
        """A message class that the protocol file does not declare."""
        if isinstance(m, type) and issubclass(m, Message):
            values = "..." if set(m._fields) - set(m._defaults) else ""
            why = f"send needs a message: write {m.__name__}({values}), not {m.__name__}"
            self.failed(p, cause, ImpossibleError(why), effect=m)
        if not isinstance(m, Message):
            self.failed(p, cause, ImpossibleError(f"send needs a message such as Ack(), not {shown(m)}"), effect=m)
        kind = (len(self.labels), constant_bits(type(m)))
        self.labels.append(type(m).__name__)
        self.kinds[type(m)] = kind
        return kind

    def special_effect(self, p: Process, what: Any, argument: Any, cause: int) -> None:
        """What an action asked for beside sending to a neighbour."""
        if what is SET_TIMER:
            timer, after = argument
            running = self._timers.setdefault(p._i, {})
            if timer in running:
                self._silence(running[timer])
            self._unheard(p, timer)
            rings = self.kernel.now + after / p._rate
            alarm = running[timer] = Alarm(p, timer, cause, rings)
            if type(timer) not in self.kinds:
                self.kinds[type(timer)] = (len(self.labels), 0)
                self.labels.append(type(timer).__name__)
            self._timer_row(Kind.TIMER_SET, alarm, cause)
            self.kernel.at(rings, self._ring, alarm)
        elif what is CANCEL_TIMER:
            running = self._timers.get(p._i, {})
            one = (argument,) if isinstance(argument, Timer) else [t for t in running if type(t) is argument]
            for timer in one:
                if timer in running:
                    self._stop(running.pop(timer), cause)
            for alarm in self._unheard(p, argument):
                self._timer_row(Kind.TIMER_CANCEL, alarm, cause)
            self.detector.cancel(p, argument)
        elif what is WATCH:
            self.detector.watch(p, argument, cause)
        elif what is WANT_ROUND:
            assert self.want is not None
            self.want(p, cause)
        elif what is PRINT:
            self._print_row(p, argument, cause)
        elif isinstance(what, Word) and what in _REMARKS:
            kind, word = _REMARKS[what]
            detail = f'{{"{word}":{to_json(argument)}}}'
            if what is DECIDE:
                self.decided[p._name] = argument
            elif what is DELIVER:
                self.delivered.setdefault(p._name, []).append(argument)
            self.kernel.row(kind, p, cause, detail, ticks=True)
        else:
            known = ", ".join(map(str, p.neighbours)) or "none"
            why = f"is no neighbour{did_you_mean(what, p._links)}; its neighbours are {known}"
            if self.unknown is not None:
                why = self.unknown(p, what)
            sentence = f"it sends {shown(argument)} to {shown(what)}, which {why}"
            self.failed(p, cause, ImpossibleError(sentence), effect=argument)

    def _unheard(self, p: Process, which: Timer | type[Timer]) -> list[Alarm]:
        """Remove the timers that expired while their process was busy with the step that now sets or cancels them.

        A timer that is cancelled or set again before its process has responded to it never reaches an action.
        """
        door = self.doors.get(p._i)
        heard = [w for w in door or () if w.kind == Kind.TIMER and (w.event == which or type(w.event) is which)]
        for waiting in heard:
            door.remove(waiting)  # type: ignore[union-attr]
        return [Alarm(p, waiting.event, waiting.cause, waiting.since) for waiting in heard]

    def ring_overdue(self, p: Process) -> None:
        """A process that recovered with its timers hears those that rang while it was down."""
        for alarm in list(self._timers.get(p._i, {}).values()):
            if alarm.overdue:
                alarm.pending, alarm.overdue = True, False
                self.kernel.at(self.kernel.now, self._ring, alarm)

    def running(self, p: Process) -> Collection[Timer]:
        """The timers of a process."""
        return self._timers.get(p._i, ())

    def stop_timers(self, p: Process, cause: int) -> None:
        """Cancel all timers of a process because of the event ``cause``."""
        for alarm in self._timers.pop(p._i, {}).values():
            self._stop(alarm, cause)

    def _stop(self, alarm: Alarm, cause: int) -> None:
        """Cancel a timer."""
        self._silence(alarm)
        self._timer_row(Kind.TIMER_CANCEL, alarm, cause)

    def _silence(self, alarm: Alarm) -> None:
        """A timer will not ring; unless it has rung while its process was down it stays in the queue."""
        self.kernel.queue.void += alarm.pending
        alarm.pending = alarm.overdue = False

    def _timer_row(self, kind: int, alarm: Alarm, cause: int) -> None:
        """Record that a timer was set or cancelled, with the time at which it rings or would have rung."""
        told = alarm.timer._told()
        detail = f'{{"rings":{to_json(alarm.rings)}' + (f',"fields":{to_json(told)}' if told else "") + "}"
        self.kernel.row(kind, alarm.process, cause, detail, label=self.kinds[type(alarm.timer)][0])

    def _print_row(self, p: Process, line: list[str], cause: int) -> None:
        """Record a line that an action has printed, once."""
        if line:
            self.kernel.row(Kind.PRINT, p, cause, f'{{"text":{to_json(line[0])}}}')
            if self.said is not None:
                self.said(self.kernel._now, p._name, line[0])
            line.clear()

    def printed(self, p: Process | None = None) -> bool:
        """Record the lines printed by code that only looks (a guard, a property), and take them out of the effects.

        They belong to the last event so far; without ``p`` they belong to no process.  Returns whether anything else
        is left among the effects.
        """
        effects = self.kernel.effects
        lines = [line for what, line in effects if what is PRINT]
        effects[:] = [effect for effect in effects if effect[0] is not PRINT]
        cause, now = self.kernel.counts()[0] - 1, self.kernel._now
        if cause >= 0:  # it was looked at after that event, however late
            self.kernel._now = float(self.kernel.row_of(cause)["time"])
        for line in lines:
            if p is not None:
                self._print_row(p, line, cause)
            elif line:
                detail = f'{{"text":{to_json(line[0])}}}'
                self.kernel.write(Kind.PRINT, NONE, NONE, NONE, NONE, NO_STATE, 0, 0, cause, NONE, detail)
                if self.said is not None:
                    self.said(self.kernel._now, "", line[0])
        self.kernel._now = now
        return bool(effects)

    def interrupt(self, p: Process) -> list[Delivery]:
        """A process crashes: its unfinished step is lost; gives the messages that stood at its door."""
        self._held.pop(p._i, None)
        self.detector.crashed(p)
        door = self.doors.get(p._i)
        waiting = [each.delivery for each in door if each.delivery is not None] if door else []
        if door:
            door.clear()
        return waiting

    # ------------------------------------------------------------------ failure

    def failed(
        self, p: Process, words: Any, error: BaseException, delivery: Delivery | None = None, effect: Any = None
    ) -> None:
        """An action failed: write it into the trace and end the run with a sentence.

        Args:
            words: the event, as for :func:`~lydian.engine.end.failure.event_words`, or the ``seq`` of the one whose
                action asked for something impossible.
            delivery: of the message, if the event was one.
            effect: what cannot be sent, if that is why.

        Raises:
            ActionError: always, unless the error only passes through.
        """
        if isinstance(error, (StopRun, ActionError)) or pressed(error):
            raise error
        lines = [line for what, line in self.kernel.effects if what is PRINT]
        number = next((at for at, (_, m) in enumerate(self.kernel.effects) if effect is not None and m is effect), -1)
        self.kernel.effects.clear()
        cause = bits = mid = peer = label = NONE
        asked = isinstance(words, int)
        if asked:
            cause, words = words, self.words_of(words)
        if delivery is not None:
            peer, mid, cause = delivery.channel.source_i, delivery.id, delivery.sent
            label, bits = delivery.label, delivery.bits
        line = line_of(error, self.protocol.file)
        before = self.kernel.state_before(p, self.protocol.states, cause if asked else None)
        if asked and line is None and number >= 0:
            line = self.line_of_effect(cause, number)
        if asked and line is None:  # the action is known, the line in it is not
            row = self.kernel.row_of(cause)
            event = self.labels[int(row["label"])] if row["label"] >= 0 else INIT.name
            cell = self.protocol.table.cells.get((before, column(event) if row["kind"] == Kind.RULE else event))
            line = None if cell is None else cell.line
        elif line is None and isinstance(words, str):  # "the rule move", "the guard of move"
            cell = self.protocol.table.cells.get((before, column(words.rpartition(" ")[2])))
            line = None if cell is None else cell.line
        why = reason(self.protocol, p, words, error, None if self.watch is None else self.watch.reason)
        detail = "{" + f'"text":{to_json(why)},"line":{"null" if line is None else line}' + "}"
        seq = self.kernel.row(Kind.ERROR, p, cause, detail, peer=peer, mid=mid, label=label, bits=bits, ticks=True)
        for line in lines:
            self._print_row(p, line, seq)
        file, line = self.protocol.place(line)
        raise ActionError(why, process=p._name, state=before, event=event_words(words), file=file, line=line) from error

    def words_of(self, seq: int) -> str:
        """A past event in words, as :func:`lydian.engine.end.failure.event_words` has one that is under way."""
        row = self.kernel.row_of(seq)
        if row["label"] < 0:
            return INIT.name if row["kind"] == Kind.INIT else KINDS[int(row["kind"])]
        label = self.labels[int(row["label"])]
        if row["kind"] == Kind.RULE:
            return f"the rule {label}"
        cls: Any = next((each for each in self.kinds if each.__name__ == label), None)
        if cls is not None:
            try:
                label = brief(cls._from_file(self.kernel.told_in(seq)))
            except TypeError:  # a class of this name that the file does not declare
                pass
        if row["peer"] >= 0:
            return f"{label} from {self.processes[int(row['peer'])]._name}"
        return f"the {KINDS[int(row['kind'])]} {label}"
