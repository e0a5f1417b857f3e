"""An execution in progress, which handles everything that the kernel's main loop does not.

This includes crashed processes, steps that take time, timers, links that are FIFO, lossy or down, the effects of an
action besides sending, and the failure of an action.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any

from lydian.engine.channel import Channel
from lydian.engine.console import Console
from lydian.engine.end.failure import ImpossibleError, brief, event_words, line_of, reason
from lydian.engine.kernel import NONE, Kernel, StopRun
from lydian.engine.queue import Alarm, Deferred, Delivery, Loss, Waiting
from lydian.engine.setup import constant_bits, defers
from lydian.model.errors import ActionError, did_you_mean, shown
from lydian.model.history.operations import History
from lydian.model.limits import Watch, pressed
from lydian.model.protocol.effects import (
    CANCEL_TIMER,
    CHOOSE,
    DECIDE,
    DEFER,
    DELIVER,
    INIT,
    NOTE,
    PRINT,
    RESPOND,
    SET_TIMER,
    WANT_ROUND,
    WATCH,
    Word,
)
from lydian.model.protocol.message import Message, Record, Timer, plain_copy
from lydian.model.protocol.process import Process
from lydian.model.protocol.protocol import Protocol
from lydian.model.protocol.rules import column
from lydian.model.protocol.watching import detector
from lydian.trace.events import KINDS, NO_STATE, Kind
from lydian.trace.parquet.recorder import Recorder, to_json

__all__ = ["Execution"]


class Detector:
    """The failure detector: a record of the processes that watch each other.

    A watch is a timer that is set when the watched process crashes; from then on it is a timer like any other,
    caused by the crash.
    """

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._named = {p._name: p for p in execution.processes}
        self._watched: dict[int, dict[tuple[int, Timer], float]] = {}  # watched process -> watcher, timer
        self._watching: dict[int, dict[Timer, int]] = {}  # watching process -> timer -> watched process

    def watch(self, p: Process, argument: Any, cause: int) -> None:
        """Make a process watch another one from now on."""
        name, timer, after = argument
        if detector not in self._execution.protocol.needs:
            raise ImpossibleError("it watches a process, which requires a failure detector: write needs = detector")
        target = self._named.get(name)
        if target is None or target is p:
            what = (
                "itself" if target is p else f"{shown(name)}, which is not a process{did_you_mean(name, self._named)}"
            )
            raise ImpossibleError(f"it watches {what}; watch another process by its name")
        if target._crashed:
            if timer not in self._execution.running(p):
                self._execution.special_effect(p, SET_TIMER, (timer, after), cause)
        else:
            self._watched.setdefault(target._i, {})[p._i, timer] = after
            self._watching.setdefault(p._i, {})[timer] = target._i

    def cancel(self, p: Process, which: Timer | type[Timer]) -> None:
        """Cancel a process's watch, given its timer, or all watches with timers of a class."""
        own = self._watching.get(p._i)
        for timer in [timer for timer in own if timer == which or type(timer) is which] if own else ():
            self._watched.get(own.pop(timer), {}).pop((p._i, timer), None)  # type: ignore[union-attr]

    def crashed(self, p: Process) -> None:
        """Set the timers of all processes that watch a process that has just crashed (in the last row)."""
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
        protocol: the protocol that they execute.
        processes: the processes in the order of the network.
        recorder: records the rows.
        variables: the names of the variables whose changes are recorded.
        check: called after each event with its ``seq``; ``None`` for no call.
        limit: the largest number of events.
        step_times: index of a process -> how long its next step takes; the steps of other processes take no time.

    Attributes:
        kernel: the clock and the queue.
        labels: names of messages, timers and commands; ``kinds`` their codes by class; ``state_codes`` by state.
        doors: for each process whose steps take time, the events that wait until it has finished its step.
        decided: process -> its last decision; ``delivered``: the values that it delivered, in order.
        history: the commands of users, as operations with their responses.
        taken: processes that the user has taken over; events at them wait at their door until they are chosen.
        watch: limits the time of actions during the run.
        planned: called for each message sent along a channel for which a fault is planned.
        changed, freed: called when an event may have changed a process, and when a process may execute its rules
            again; ``None`` if the protocol has no guarded actions.
        collect, want: called when a message arrives between two rounds, and when a process asks for the next round;
            ``None`` if the protocol does not work in rounds.
        detector: the failure detector.
        console: records the lines that the protocol prints.
        said: called with the time, the process ("" for none) and the text of each printed line, once it is recorded.
        overhear: called for every message that reaches a process whose sending is handled here, if there is a liar.
        unknown: returns why a process cannot send to a name, if the reason is not a missing link.
        own: returns the channel from a process to itself, which is created at its first message to itself.
        line_of_effect: returns the line of the call by which an event's action requested an effect, by their numbers.
        closely: whether every delivery is handled here, because it may change what other processes read.
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
        self.history = History()
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
        self._defers = defers(protocol)
        self.closely = bool(protocol.rules and protocol.messages) or self._defers
        self.kernel = Kernel(recorder, self.kinds, self.state_codes, variables, self, check, limit)
        self.said: Callable[[float, str, str], None] | None = None
        self.console = Console(self.kernel.effects, lambda: self.kernel.counts()[0])
        self.doors = self.kernel.queue.doors
        self.doors.update((i, deque()) for i in step_times)
        self._deferred = self.kernel.queue.deferred
        self._resuming: set[int] = set()
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
        """Handle a delivery to a process that has crashed, whose steps take time, or that works in rounds."""
        if p._crashed:
            self.drop(delivery, "crash")
        elif self.collect is not None:
            self.collect(p, delivery)
        else:
            self._meet(p, Kind.RECEIVE, delivery.message, delivery)

    def drop(self, delivery: Delivery, reason: str) -> None:
        """Record that a message is lost."""
        d, channel = delivery, delivery.channel
        self.kernel.write(
            Kind.DROP, channel.target._i, channel.source_i, d.id, d.label, NO_STATE, d.lamport, d.chain, d.sent, d.bits,
            f'{{"reason":{to_json(reason)}}}',
        )  # fmt: skip

    def wake(self, p: Process) -> None:
        """Let ``INIT`` happen at a process."""
        if not p._crashed:
            self._meet(p, Kind.INIT, INIT)

    def command(self, p: Process, command: Record) -> None:
        """Give a command to a process."""
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
        """Let a process respond to an event, now or, while it is busy, later."""
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
        before = self._values(p) if self._defers else ()
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
        if kernel.effects and any(what is DEFER for what, _ in kernel.effects):
            self._defer(p, Waiting(kind, event, since, delivery, cause), words, before)
            return
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
        if kind == Kind.COMMAND:
            self.history.invoke(p._name, key.__name__, dict(event._items()), kernel.now, seq)
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
        if self._deferred:
            self.resume(p)

    def _values(self, p: Process) -> tuple[Any, ...]:
        """Return copies of the state and the variables of a process."""
        return (p.state, *(plain_copy(getattr(p, name)) for name in p._declared.variables))

    def _defer(self, p: Process, waiting: Waiting, words: Any, before: tuple[Any, ...]) -> None:
        """Put the message of an action aside until the state of its receiver changes.

        Args:
            before: the values of the receiver before the action.
        """
        why = ""
        if waiting.delivery is None:
            why = f"it defers {event_words(words)}, and only an action on a message can defer"
        elif before != self._values(p) or any(what not in (DEFER, NOTE, PRINT) for what, _ in self.kernel.effects):
            why = "it defers a message and does something else; an action that defers its message must do nothing else"
        if why:
            self.failed(p, words, ImpossibleError(why), waiting.delivery)
        some = self._deferred.setdefault(p._i, [])
        some.append(Deferred(waiting, p.state))
        some.sort(key=lambda each: (each.waiting.since, each.waiting.delivery))
        self.kernel.effects[:] = [each for each in self.kernel.effects if each[0] is not DEFER]
        text = f"defers {event_words(words)}"
        seq = self.kernel.row(Kind.NOTE, p, NONE, f'{{"text":{to_json(text)}}}', ticks=True)
        self.kernel.apply(p, seq)
        if self.check is not None:
            self.check(seq)

    def resume(self, p: Process) -> None:
        """Handle the messages that a process has deferred in a state that it has now left."""
        some = self._deferred.get(p._i)
        if not some or p._i in self._resuming or p._crashed:
            return
        self._resuming.add(p._i)
        try:
            while p._i not in self._held:
                ready = next((each for each in some if each.state != p.state), None)
                if ready is None:
                    break
                some.remove(ready)
                self._act(p, *ready.waiting)
        finally:
            self._resuming.discard(p._i)

    def _step_ends(self, step: tuple[Process, int]) -> None:
        """Finish the step of a busy process: send its messages and admit the next event that waits."""
        p, seq = step
        held = self._held.get(p._i)
        if held is None or held[0] != seq:
            return  # the process has crashed in the meantime
        del self._held[p._i]
        self.kernel.effects.extend(held[1])
        self.kernel.apply(p, seq)
        if self.check is not None:
            self.check(seq)
        self.resume(p)
        if p._i not in self.taken:
            self.admit(p)
        if self.freed is not None:
            self.freed()

    def admit(self, p: Process) -> None:
        """Admit the events that wait for a process until it is busy."""
        door = self.doors[p._i]
        while door and p._i not in self._held:
            self._act(p, *door.popleft())

    @property
    def anybody_busy(self) -> bool:
        """Whether any process is in the middle of a step that takes time."""
        return bool(self._held)

    def busy(self, p: Process) -> bool:
        """Return True if a process is in the middle of a step that takes time."""
        return p._i in self._held

    def let_in(self, p: Process, number: int) -> None:
        """Admit one of the events that wait for a process, regardless of the others."""
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
        """Return the size of a message, if it depends on the fields, and the fields in JSON unless all are defaults."""
        cls = type(m)
        key: Any = (cls, cls._values(m))
        try:
            known = self._described.get(key)
        except TypeError:  # a field is not hashable
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
        """Register a message class that the protocol file does not declare, and return its code and size."""
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
        """Apply an effect of an action other than sending to a neighbour."""
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
        elif what is CHOOSE:
            self._choice_row(p, argument, cause)
        elif what is RESPOND:
            self._response_row(p, argument, cause)
        elif what is DEFER:
            self.failed(p, cause, ImpossibleError("it defers, and only an action on a message can defer"))
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
            why = f"is not a neighbour{did_you_mean(what, p._links)}; its neighbours are {known}"
            if self.unknown is not None:
                why = self.unknown(p, what)
            sentence = f"it sends {shown(argument)} to {shown(what)}, which {why}"
            self.failed(p, cause, ImpossibleError(sentence), effect=argument)

    def _choice_row(self, p: Process, choice: tuple[Any, Sequence[Any]], cause: int) -> None:
        """Record what an action has chosen, and from which options."""
        chosen, options = choice
        text = f"chooses {shown(chosen)} from {shown(list(options))}"
        self.kernel.row(Kind.NOTE, p, cause, f'{{"text":{to_json(text)},"chosen":{to_json(chosen)}}}', ticks=True)

    def _response_row(self, p: Process, result: Any, cause: int) -> None:
        """Record the response to the last command of a process."""
        if not self.history.respond(p._name, result, self.kernel.now, self.kernel.counts()[0]):
            self.failed(p, cause, ImpossibleError("it responds, but each command of its user has its response already"))
        text = "responds" if result is None else f"responds {shown(result)}"
        detail = f'{{"text":{to_json(text)},"outcome":"ok","value":{to_json(result)}}}'
        self.kernel.row(Kind.NOTE, p, cause, detail, ticks=True)

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
        """Let the timers that expired while a process was down expire now, because it has recovered with its timers."""
        for alarm in list(self._timers.get(p._i, {}).values()):
            if alarm.overdue:
                alarm.pending, alarm.overdue = True, False
                self.kernel.at(self.kernel.now, self._ring, alarm)

    def running(self, p: Process) -> Collection[Timer]:
        """Return the timers of a process."""
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
        """Disable a timer; its entry stays in the queue unless it expired while its process was down."""
        self.kernel.queue.void += alarm.pending
        alarm.pending = alarm.overdue = False

    def _timer_row(self, kind: int, alarm: Alarm, cause: int) -> None:
        """Record that a timer was set or cancelled, with the time at which it expires or would have expired."""
        told = alarm.timer._told()
        detail = f'{{"rings":{to_json(alarm.rings)}' + (f',"fields":{to_json(told)}' if told else "") + "}"
        self.kernel.row(kind, alarm.process, cause, detail, label=self.kinds[type(alarm.timer)][0])

    def _print_row(self, p: Process, line: list[str], cause: int) -> None:
        """Record a line that an action has printed, unless it has already been recorded."""
        if line:
            self.kernel.row(Kind.PRINT, p, cause, f'{{"text":{to_json(line[0])}}}')
            if self.said is not None:
                self.said(self.kernel._now, p._name, line[0])
            line.clear()

    def printed(self, p: Process | None = None) -> bool:
        """Record the lines printed by a guard or a property, and remove them from the effects.

        They belong to the last event so far; without ``p`` they belong to no process. Return True if other effects
        are left.
        """
        effects = self.kernel.effects
        lines = [line for what, line in effects if what is PRINT]
        effects[:] = [effect for effect in effects if effect[0] is not PRINT]
        cause, now = self.kernel.counts()[0] - 1, self.kernel._now
        if cause >= 0:  # use the time of that event, even if the evaluation is later
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
        """Discard the unfinished step of a process that crashes, and return the messages that waited for it."""
        self._held.pop(p._i, None)
        self.detector.crashed(p)
        door = self.doors.get(p._i)
        waiting = [each.delivery for each in door if each.delivery is not None] if door else []
        if door:
            door.clear()
        waiting += [each.waiting.delivery for each in self._deferred.pop(p._i, []) if each.waiting.delivery is not None]
        return waiting

    # ------------------------------------------------------------------ failure

    def failed(
        self, p: Process, words: Any, error: BaseException, delivery: Delivery | None = None, effect: Any = None
    ) -> None:
        """Record the failure of an action in the trace and end the run with an error.

        Args:
            words: the event, as for :func:`~lydian.engine.end.failure.event_words`, or the ``seq`` of the event whose
                action requested something impossible.
            delivery: the delivery, if the event was one.
            effect: the message that cannot be sent, if that is the reason.

        Raises:
            ActionError: always, unless ``error`` is an exception to be passed on.
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
        if asked and line is None:  # only the action is known, so give its first line
            row = self.kernel.row_of(cause)
            event = self.labels[int(row["label"])] if row["label"] >= 0 else INIT.name
            cell = self.protocol.table.cells.get((before, column(event) if row["kind"] == Kind.RULE else event))
            line = None if cell is None else cell.line
        elif line is None and isinstance(words, str):  # such as "the rule move" or "the guard of move"
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
        """Describe a past event as :func:`lydian.engine.end.failure.event_words` describes one in progress."""
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
            except TypeError:  # another class of this name, which the file does not declare
                pass
        if row["peer"] >= 0:
            return f"{label} from {self.processes[int(row['peer'])]._name}"
        return f"the {KINDS[int(row['kind'])]} {label}"
