"""One component: a simulator of some of the processes, which hands out messages to the others as envelopes.

The sender's component makes the send event and draws the delay from the link's stream; the receiver's component makes
the receive event. A part is a deterministic machine. All that comes from outside is taken in between two batches of
events: envelopes with the time at which they arrive, and interventions with their authors. So the list of its batches
repeats its run anywhere (:meth:`Part.repeat`), with the same events.
"""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from lydian.classroom.components.frames import Envelope, Publish, Refused, envelope
from lydian.classroom.components.system import System
from lydian.classroom.components.values import written
from lydian.engine.faults.interventions import Answer
from lydian.engine.kernel import NONE
from lydian.engine.pending import pending
from lydian.engine.queue import END, EVENT, Delivery
from lydian.engine.simulator import Simulator
from lydian.engine.wire import packed
from lydian.model.errors import BadInput, LydianError
from lydian.model.interventions import Intervention
from lydian.trace.events import ROW, Kind

__all__ = ["MOST_STEPS", "Differs", "Part"]

#: The largest number of steps of one batch, if nothing else is said.
MOST_STEPS = 2048
_ALL = 2**31 - 1


class Differs(LydianError):
    """An error raised when a repeated batch has other events, as its protocol is not deterministic."""


class Part:
    """The simulator of one component.

    Args:
        system: the system.
        name: the component.

    Attributes:
        batches: the number of batches so far.
        events: the number of events published so far.
        taken: component -> the number of its envelopes that were taken in.
        vector: how many events of each component an event that happens now may depend on.
    """

    def __init__(self, system: System, name: str) -> None:
        self.system, self.name = system, name
        self.place = system.number[name]
        alone = len(system.groups) == 1
        self.simulator = Simulator(
            system.resolved,
            check=False,
            round_events=_ALL,
            only=None if alone else frozenset(system.groups[name]),
        )
        self.simulator.lingers = True
        self.batches = self.events = 0
        self.taken = dict.fromkeys(system.names, 0)
        self.vector = [0] * len(system.names)
        self._sent = dict.fromkeys(system.names, 0)
        self._mine = frozenset(system.network.index[p] for p in system.groups[name])
        self._letters: dict[str, dict[int, tuple[Envelope, float | None]]] = {each: {} for each in system.names}
        self._ready: deque[tuple[str, int]] = deque()
        self._expected = dict.fromkeys(system.names, 0)
        self._steers: deque[tuple[int, str, dict[str, Any]]] = deque()
        self._told = self._labels = 0
        self._number: list[int] = []  # seq of the simulator -> number of the published event
        self._vectors: list[tuple[int, list[int]]] = [(0, list(self.vector))]  # from which event on; for envelopes
        self._foreign: dict[int, Envelope] = {}

    # ------------------------------------------------------------------ what comes in

    def take(self, letter: Envelope, heard: float | None = None) -> None:
        """Take an envelope into the next batch, unless it has been taken before.

        Envelopes from one component are taken in the order of their numbers; one that overtook another waits for it.

        Args:
            letter: the envelope.
            heard: the simulated time at which the connection delivered it; ``None`` if the connection's delay does not
                count.

        Raises:
            Refused: it is not for this component, or is not a message that can arrive here.
        """
        if letter.to != self.name:
            raise Refused(f"this is component {self.name}, not {letter.to}")
        self.system.check_letter(letter)
        mine = self._letters[letter.component]
        if letter.number < self._expected[letter.component] or letter.number in mine:
            return
        mine[letter.number] = (letter, heard)
        while self._expected[letter.component] in mine:
            self._ready.append((letter.component, self._expected[letter.component]))
            self._expected[letter.component] += 1

    def steer(self, id_: int, author: str, what: Mapping[str, Any]) -> None:
        """Offer an intervention for the next batch."""
        self._steers.append((id_, author, dict(what)))

    @property
    def waiting(self) -> bool:
        """Whether something has come in for the next batch."""
        return bool(self._ready or self._steers)

    def choices(self, most: int = 200) -> list[dict[str, Any]]:
        """Return the enabled events of this component, the earliest first (:mod:`lydian.engine.pending`).

        ``choose`` of each is the intervention that makes it happen now, for a program that steers the component.
        """
        events, _ = pending(self.simulator, most)
        return [each for each in events if each["process"] in self.system.groups[self.name]]

    # ------------------------------------------------------------------ running

    @property
    def time(self) -> float:
        """The simulated time."""
        return float(self.simulator.kernel.now)

    @property
    def next(self) -> float | None:
        """The time of the next event, ``None`` if there is none."""
        times = [float(entry[0]) for entry in self.simulator.kernel.queue if entry[1] < END]
        return min(times, default=None) if self.simulator.stopped is None else None

    @property
    def idle(self) -> bool:
        """Whether nothing more happens unless something comes in."""
        queue = self.simulator.kernel.queue
        if self.simulator.stopped is not None:
            return True
        live = sum(1 for entry in queue if entry[1] < END) - queue.void
        return live <= 0 and not queue.away and not any(queue.doors.values())

    @property
    def begun(self) -> bool:
        """Whether the first batch has been made."""
        return self.batches > 0

    def due(self, until: float) -> bool:
        """Return True if a batch up to a time would contain anything."""
        if self.simulator.stopped is not None:
            return self.waiting
        queue = self.simulator.kernel.queue
        return not self.begun or self.waiting or queue.next <= until or bool(queue.away)

    def advance(self, until: float | None, most: int | None = None, *, before: int | None = None) -> Publish:
        """Make a batch: take in what has come, run, and return what there is to publish.

        Args:
            until: the simulated time up to which events happen; ``None`` for no bound.
            most: the largest number of steps; ``None`` for no bound.
            before: take in only the envelopes that left in an earlier batch than this one, and as if the connection
                took no time: for rounds with a barrier.
        """
        inputs: list[dict[str, Any]] = []
        now, late = self.time, 0
        if before is None:
            ready = list(self._ready)
            self._ready.clear()
        else:
            all_ready = sorted(self._ready, key=lambda each: (self.system.number[each[0]], each[1]))
            ready = [each for each in all_ready if self._letters[each[0]][each[1]][0].batch < before]
            self._ready = deque(each for each in all_ready if each not in ready)
        for component, number in ready:
            letter, heard = self._letters[component].pop(number)
            if heard is None or before is not None:
                arrival = letter.arrival
                if arrival <= now:  # too late for its round: those that are arrive one after the other
                    late += 1
                    arrival = now + math.ulp(max(now, 1.0)) * (len(self.system.names) * late + self.place)
            else:
                start = max(now, heard, letter.time)
                arrival = letter.arrival if start == letter.time else start + (letter.arrival - letter.time)
            inputs.append({"envelope": letter.to_dict(), "arrival": arrival})
        while self._steers:
            id_, author, what = self._steers.popleft()
            inputs.append({"id": id_, "author": author, "what": what})
        return self._batch(inputs, until, _ALL if most is None else most)

    def repeat(self, batch: Publish, *, check: bool = True) -> Publish:
        """Make a batch again that another simulator of this component has published.

        Args:
            batch: the batch.
            check: whether its events are compared.

        Raises:
            Differs: its events are not the same.
            Refused: something in it cannot be used.
        """
        if batch.index != self.batches:
            raise Refused(f"batch {self.batches} of component {self.name} must come before batch {batch.index}")
        taken = dict(self.taken)
        for each in batch.inputs:
            if isinstance(each, dict) and "envelope" in each:
                letter = envelope(each["envelope"])
                self.system.check_letter(letter)
                if letter.number != taken[letter.component]:
                    raise Refused(f"an envelope from component {letter.component} is missing")
                taken[letter.component] += 1
        again = self._batch(batch.inputs, batch.until, batch.most)
        if check and (again.rows, again.envelopes) != (batch.rows, batch.envelopes):
            raise Differs(
                f"component {self.name} does not repeat batch {batch.index} as it was published; does "
                f"{self.system.protocol.title} use something other than self.random, such as the time of day?"
            )
        return replace(again, epoch=batch.epoch)

    def _batch(self, inputs: list[Any], until: float | None, most: int) -> Publish:
        simulator = self.simulator
        done: list[dict[str, Any]] = []
        foreign: list[list[Any]] = []
        for each in inputs:
            if "envelope" in each:
                letter = envelope(each["envelope"])
                told, arrival = self._insert(letter, float(each["arrival"]))
                foreign.append(told)
                done.append({"envelope": letter.to_dict(), "arrival": arrival})
            else:
                done.append(self._offer(each))
        simulator.round_until(until, None, most)
        if until is not None:
            simulator.pass_time(until)
        leaving: list[Delivery] = []
        queue = simulator.kernel.queue
        if simulator.stopped is not None or queue.next > self.time:  # else a planned fault may still hit one of them
            leaving = list(queue.away)
            queue.away.clear()
        return self._publish(done, foreign, leaving, until, most)

    def _insert(self, letter: Envelope, arrival: float) -> tuple[list[Any], float]:
        """Put the message of an envelope into the queue; return what identifies it, and when it arrives."""
        simulator = self.simulator
        kernel, execution = simulator.kernel, simulator.execution
        message = self.system.check_letter(letter)
        channels = simulator.faults.between(letter.source, letter.target)
        channel = channels[0] if channels else simulator.faults.process(letter.source)._links[letter.target]
        label, bits = execution.kinds[type(message)]
        if bits is None:
            bits, _told = execution.describe(message)
        mid = kernel.new_message()
        if channel.fifo:
            arrival = channel.in_order(arrival)
        number = kernel.next_eid()
        kernel.queue.push(
            Delivery(
                arrival, EVENT, number, None, channel, message, mid, letter.lamport, letter.chain, NONE, label, bits
            )
        )
        self._foreign[mid] = letter
        self.taken[letter.component] += 1
        self._expected[letter.component] = max(self._expected[letter.component], self.taken[letter.component])
        self._letters[letter.component].pop(letter.number, None)
        return [mid, letter.component, letter.message, letter.sent], arrival

    def _offer(self, each: Mapping[str, Any]) -> dict[str, Any]:
        """Offer an intervention to the simulator, and return the input with the answer, which is filled in later."""
        found: dict[str, Any] = {
            "id": each.get("id", 0), "author": each.get("author", ""), "what": dict(each.get("what") or {}),
            "accepted": False, "reason": "",
        }  # fmt: skip

        def tell(answer: Answer) -> None:
            found["accepted"], found["reason"] = answer.accepted, answer.reason
            if answer.intervention is not None:
                found["time"] = answer.intervention.time

        simulator = self.simulator
        try:
            what = Intervention.from_dict({**found["what"], "time": 0.0}, None, "what")
            if not simulator.concerns(what):
                raise BadInput(f"component {self.name} does not simulate that process")
        except (BadInput, TypeError, ValueError, RecursionError) as error:
            found["reason"] = str(error)
        else:
            simulator.interact(what, simulator.faults.round, tell)
        return found

    # ------------------------------------------------------------------ what is published

    def _publish(
        self, inputs: list[Any], foreign: list[Any], leaving: list[Delivery], until: float | None, most: int
    ) -> Publish:
        simulator = self.simulator
        count, _, offset = simulator.kernel.counts()
        start, first = self._told, self.events
        rows = simulator.recorder.rows(offset, start) if count > start else np.zeros(0, dtype=ROW)
        keep: list[int] = []
        joins: list[list[Any]] = []
        for at, (process, message, kind) in enumerate(
            zip(rows["process"].tolist(), rows["message"].tolist(), rows["kind"].tolist(), strict=True)
        ):
            # A message is lost where it is at the time; a loss on the way is recorded at the receiver's process.
            mine = process in self._mine or kind == Kind.DROP or (process == NONE and self.place == 0)
            self._number.append(self.events if mine else NONE)
            if not mine:
                continue
            keep.append(at)
            letter = self._foreign.get(message)
            if letter is not None:
                merged = [max(a, int(b)) for a, b in zip(self.vector, letter.vector, strict=True)]
                if merged != self.vector:
                    self.vector = merged
                    self._vectors.append((self.events, list(merged)))
                    joins.append([self.events, list(merged)])
            self.events += 1
        kept = rows[keep].copy()
        kept["cause"] = [self._number[cause] if cause >= 0 else NONE for cause in kept["cause"].tolist()]
        texts = [
            [self._number[seq], text] for seq, text in simulator.recorder.texts(start) if self._number[seq] != NONE
        ] if count > start else []  # fmt: skip
        self._told = count
        self.vector[self.place] = self.events
        letters = [self._letter(each) for each in leaving if each.channel.target._i not in self._mine]
        labels = list(simulator.execution.labels)
        grown = labels if len(labels) > self._labels else None
        self._labels = len(labels)
        index, self.batches = self.batches, self.batches + 1
        return Publish(
            component=self.name, epoch=0, index=index, inputs=inputs, until=until, most=most, first=first,
            count=len(kept), rows=packed(kept), details=texts, labels=grown, foreign=foreign, joins=joins,
            envelopes=letters, time=self.time, next=self.next, idle=self.idle,
            stopped=simulator.stopped or "", error=simulator.error or "",
        )  # fmt: skip

    def _letter(self, entry: Delivery) -> dict[str, Any]:
        """Return the envelope of a message that leaves."""
        source, target = entry.channel.source._name, entry.channel.target._name
        to = self.system.home[target]
        sent = self._number[entry.sent]
        number, self._sent[to] = self._sent[to], self._sent[to] + 1
        vector = next(vector for at, vector in reversed(self._vectors) if at <= sent)
        own = [sent + 1 if place == self.place else int(each) for place, each in enumerate(vector)]
        time = float(self.simulator.kernel.row_of(entry.sent)["time"])
        fields = {name: written(value) for name, value in entry.message._items()}
        letter = Envelope(
            component=self.name, to=to, number=number, source=source, target=target, label=type(entry.message).__name__,
            fields=fields, message=entry.id, sent=sent, time=time, arrival=max(time, float(entry.time)),
            lamport=entry.lamport, chain=entry.chain, vector=own, batch=self.batches,
        )  # fmt: skip
        return json.loads(json.dumps(letter.to_dict()))  # type: ignore[no-any-return]
