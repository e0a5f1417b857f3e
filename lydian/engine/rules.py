"""The execution of guarded actions: the enabled rules, and the steps of the daemon that executes them.

The enabled rules are stored: after each event, the guards are evaluated again only for the process whose registers it
changed and for the processes that read these. A step takes no time. The next step follows after the daemon's step time,
as long as a rule is enabled. All processes that act in one step read the registers as they were before it.

The columns of a row of kind ``rule``, which no message causes, have these meanings:

* ``cause`` is the latest event that changed the process itself or one whose registers it reads, so that the guard has
  had its current value since then;
* ``lamport`` is one more than the larger of the process's own clock and that of the cause, as for a received message;
* ``chain`` counts messages, so that reading a register adds none: it is the longer of the process's own chain and that
  of the cause;
* ``detail`` contains the variables that changed and, if several processes acted in the step, ``together``, the number
  of its rows; there is no configuration between these.

The row of a step of a program that accesses a shared object has these differences: its ``cause`` is the latest event of
the process itself or the latest event that changed the object, if that is later; and ``detail`` contains ``access``,
which consists of the object, the operation, its arguments and its result, the value of the object after it, and whether
the operation begins or ends.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from lydian.engine.end.failure import ImpossibleError
from lydian.engine.execution import Execution
from lydian.engine.kernel import NONE
from lydian.engine.setup import stream
from lydian.model.experiment.daemon import Daemon
from lydian.model.limits import OutOfTime
from lydian.model.memory.memory import Memory
from lydian.model.network import Network
from lydian.model.protocol.message import plain_copy
from lydian.model.protocol.process import Process
from lydian.model.protocol.registers import Register, freeze
from lydian.model.streams import stream_key, uniforms
from lydian.trace.events import Kind
from lydian.trace.parquet.recorder import to_json

__all__ = ["Rules", "chance"]

_BLOCK = 1024


def chance(key: int) -> Callable[[], float]:
    """Return a function that draws uniformly distributed numbers in (0, 1) from a stream."""
    keys = np.array([key], dtype=np.uint64)

    def draws() -> Iterator[float]:
        at = 0
        while True:
            yield from uniforms(keys, at, _BLOCK)[0].tolist()
            at += _BLOCK

    return draws().__next__


def _central(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """Choose one enabled rule, each with equal probability."""
    return [pairs[int(rules.draw() * len(pairs))]]


def _round_robin(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """Choose the next enabled process after the one that acted last."""
    count = rules.count
    at = bisect_left(pairs, (rules.last_mover + 1) * count)
    process = pairs[at if at < len(pairs) else 0] // count
    return [_next_rule(rules, process, _of(pairs, process, count))]


def _distributed(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """Choose each enabled process with the daemon's probability, in the order of the network, but at least one.

    If a process has several enabled rules, each has equal probability.
    """
    draw, p = rules.draw, rules.daemon.p
    groups = _groups(pairs, rules.count)
    chosen = [group[int(draw() * len(group))] if len(group) > 1 else group[0] for group in groups if draw() < p]
    return chosen or _central(rules, pairs)


def _synchronous(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """Choose every enabled process."""
    if rules.count == 1:
        return list(pairs)
    return [_next_rule(rules, group[0] // rules.count, group) for group in _groups(pairs, rules.count)]


def _adversarial(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """Choose the rule after which most processes are enabled; if there are several, the first of them."""
    return [max(pairs, key=rules.outlook)]


def _of(pairs: Sequence[int], process: int, count: int) -> Sequence[int]:
    return pairs[bisect_left(pairs, process * count) : bisect_left(pairs, (process + 1) * count)]


def _groups(pairs: Sequence[int], count: int) -> list[Sequence[int]]:
    """Group the pairs by process."""
    if count == 1:
        return [(pair,) for pair in pairs]
    found: dict[int, list[int]] = {}
    for pair in pairs:
        found.setdefault(pair // count, []).append(pair)
    return list(found.values())


def _next_rule(rules: Rules, process: int, own: Sequence[int]) -> int:
    """Choose the enabled rule of a process that follows, cyclically in the file, the rule that it last executed."""
    if len(own) == 1:
        return own[0]
    after = process * rules.count + rules.last_rule.get(process, -1)
    return next((pair for pair in own if pair > after), own[0])


#: Kind of daemon -> the function that chooses among the enabled rules, given as ascending numbers
#: ``process * rules.count + rule``; it chooses at most one per process. There is none for ``user``.
_CHOOSE: Mapping[str, Callable[[Rules, Sequence[int]], list[int]]] = {
    "central": _central, "round-robin": _round_robin, "distributed": _distributed, "synchronous": _synchronous,
    "adversarial": _adversarial,
}  # fmt: skip


_SOLID = frozenset({bool, int, float, str, bytes, type(None)})


class Rules:
    """The guarded actions of one run.

    Args:
        execution: the execution of the run.
        network: the network, whose links determine which registers a process reads.
        daemon: the daemon.
        seed: the seed of the experiment.
        memory: the shared objects, which the steps of programs access.

    Attributes:
        pairs: the enabled rules as ascending numbers ``process * count + rule``.
        count: the number of rules of the protocol.
        begun: whether the guards have been evaluated for the first time.
        shown: called when a process has changed, before its neighbours evaluate their guards, if there is a liar.
        last_mover, last_rule: for daemons that take turns, the process that acted last and the last rule of each.
    """

    def __init__(self, execution: Execution, network: Network, daemon: Daemon, seed: int, memory: Memory) -> None:
        self.execution, self.daemon, self._network = execution, daemon, network
        self.memory = memory
        self._written = [(NONE, 0, 0)] * len(memory.names)  # the latest event that changed an object, as below
        protocol = execution.protocol
        self.rules = protocol.rules
        self.count = len(self.rules)
        self.pairs: list[int] = []
        self.begun = False
        self.last_mover = -1
        self.last_rule: dict[int, int] = {}
        self.draw = chance(stream_key(seed, "daemon"))
        self._step = stream(daemon.step, stream_key(seed, "daemon", "step"))
        self._choose = _CHOOSE.get(daemon.kind)
        self._coming = False
        self._guards = [(1 << r, rule.applies) for r, rule in enumerate(self.rules)]
        self._words = [f"the rule {rule.name}" for rule in self.rules]
        self._labels = [protocol.labels.index(rule.name) for rule in self.rules]
        names = tuple(protocol.variables)
        self._names = names
        get: Any = attrgetter(*names) if names else None
        self._values = (lambda p: ()) if get is None else get if len(names) > 1 else (lambda p: (get(p),))
        n = len(execution.processes)
        self._enabled = [0] * n  # for each process, the rules whose guards are true, as bits
        self._last = [(NONE, 0, 0)] * n  # the latest event that changed a process, its clock and its chain
        self.sees: list[list[int]] = [[] for _ in range(n)]
        self._seen_by: list[list[int]] = [[] for _ in range(n)]
        channels = network.channels()
        if protocol.reads_neighbours:
            for a, b in zip(channels.source.tolist(), channels.target.tolist(), strict=True):
                self.sees[b].append(a)
                self._seen_by[a].append(b)
        self.shown: Callable[[Process, int], None] | None = None
        self._cut: dict[tuple[int, int], tuple[Any, Register]] = {}
        self._outlooks: dict[int, float] = {}
        execution.changed, execution.freed = self.changed, self.arm

    # ------------------------------------------------------------------ enabled rules

    def begin(self) -> None:
        """Evaluate all guards for the first time."""
        if not self.begun:
            self.begun = True
            for i in range(len(self._enabled)):
                self._look(i)
            self.arm()

    def changed(self, p: Process, seq: int) -> None:
        """Update the enabled rules after an event that may have changed a process."""
        i = p._i
        self._note(p, seq)
        if self.begun:
            self._look(i)
            for j in self._seen_by[i]:
                self._look(j)
            if self._outlooks:
                self._forget(i)
            self.arm()

    def _note(self, p: Process, seq: int) -> None:
        """Record the latest event that changed a process."""
        self._last[p._i] = seq, p._clock.lamport, p._clock.chain
        if self.shown is not None:
            self.shown(p, seq)

    def link(self, a: int, b: int, down: bool) -> None:
        """Take the link from process a to b down, so that b reads the last values of a, or bring it up again."""
        p = self.execution.processes[b]
        if down and a in self.sees[b]:
            name, look = next((name, look) for name, look in p._seen.items() if look._of._i == a)
            self._cut[a, b] = name, look
            p._seen = {**p._seen, name: freeze(look)}
            self.sees[b].remove(a)
            self._seen_by[a].remove(b)
        elif not down and (a, b) in self._cut:
            name, look = self._cut.pop((a, b))
            p._seen = {**p._seen, name: look}
            self.sees[b].append(a)
            self._seen_by[a].append(b)
        self._outlooks.clear()
        if self.begun:
            self._look(b)
            self.arm()

    def watchers(self, a: int) -> list[int]:
        """Return the processes that read the registers of process a, including those whose link from a is down."""
        return sorted({*self._seen_by[a], *(b for source, b in self._cut if source == a)})

    def mask(self, a: int, b: int, of: Any) -> None:
        """Replace the registers that process b reads from process a by those of the process, or by forged ones."""
        p = self.execution.processes[b]
        cut = self._cut.get((a, b))
        name, look = cut or next((name, look) for name, look in p._seen.items() if look._of._i == a)
        if cut is not None:
            self._cut[a, b] = name, type(look)(of)
        else:
            p._seen = {**p._seen, name: type(look)(of)}

    def _look(self, i: int) -> None:
        """Evaluate the guards of one process."""
        p = self.execution.processes[i]
        now = 0 if p._crashed else self._guarded(p)
        before = self._enabled[i]
        if now == before:
            return
        self._enabled[i] = now
        pairs, base, changed = self.pairs, i * self.count, now ^ before
        for r in range(self.count):
            if changed >> r & 1:
                if now >> r & 1:
                    insort(pairs, base + r)
                else:
                    del pairs[bisect_left(pairs, base + r)]

    def _guarded(self, p: Process) -> int:
        """Return the rules of a process whose guards are true, as bits; a guard that fails or acts ends the run."""
        now = 0
        state, snapshot = p.state, p._snapshot
        values = snapshot or self._values(p)
        bit = 1
        try:
            for bit, applies in self._guards:
                if applies(p):
                    now |= bit
            asked = bool(self.execution.kernel.effects) and self.execution.printed(p)
            if self._values(p) != values or p.state is not state or asked:
                raise ImpossibleError("a guard must only read, but this one changes something; do that in the action")
        except BaseException as error:  # noqa: BLE001 - a guard may raise anything
            rule = self.rules[bit.bit_length() - 1].name
            self.execution.failed(p, f"the guard of {rule}", error)
        return now

    def is_enabled(self, p: Process, rule: str) -> int | None:
        """Return the number of a rule if it is enabled at a process, or ``None``."""
        for r, each in enumerate(self.rules):
            if each.name == rule and self._enabled[p._i] >> r & 1:
                return r
        return None

    def enabled(self) -> list[tuple[Process, str]]:
        """Return the enabled rules with their processes, in the order of the network and of the file."""
        processes, count = self.execution.processes, self.count
        return [(processes[pair // count], self.rules[pair % count].name) for pair in self.pairs]

    def free(self) -> Sequence[int]:
        """Return the pairs that the daemon may choose, without processes that are busy or have been taken over."""
        execution = self.execution
        if not execution.taken and not execution.anybody_busy:
            return self.pairs
        return [
            pair
            for pair in self.pairs
            if pair // self.count not in execution.taken and not execution.busy(execution.processes[pair // self.count])
        ]

    # ------------------------------------------------------------------ steps

    def arm(self) -> None:
        """Schedule the next step of the daemon if there is a rule that it can choose."""
        if not self._coming and self.pairs and self._choose is not None and self.begun and self.free():
            self._coming = True
            kernel = self.execution.kernel
            kernel.at(kernel.now + self._step(), self.tick, None)

    def tick(self, _: None) -> None:
        """Execute a step of the daemon."""
        self._coming = False
        pairs = self.free()
        if pairs and self._choose is not None:
            chosen = self._choose(self, pairs)
            if len(chosen) == 1:
                self.fire(*divmod(chosen[0], self.count))
            else:
                self._together([divmod(pair, self.count) for pair in chosen])
        self.arm()

    def fire(self, i: int, r: int) -> None:
        """Let a process execute a rule."""
        execution = self.execution
        kernel = execution.kernel
        p = execution.processes[i]
        reasons = self._reasons(i)
        changed = kernel.act(p, self.rules[r].action, self._words[r])
        done, self.memory.done = self.memory.done, None
        if done is not None:
            reasons = max(reasons, self._written[done.cell])
            told = f'"access":{to_json(done.told())}'
            changed = told if changed is None else f"{changed},{told}"
        seq = self._row(p, r, reasons, changed)
        if done is not None and done.written:
            self._written[done.cell] = seq, p._clock.lamport, p._clock.chain
        if kernel.effects:
            kernel.apply(p, seq)
        self.last_mover, self.last_rule[i] = i, r
        self.changed(p, seq)
        if execution.check is not None:
            execution.check(seq)
        execution.resume(p)

    def _reasons(self, i: int) -> tuple[int, int, int]:
        """Return the number, clock and chain of the latest event that changed a process or one that it reads."""
        last = self._last
        latest = last[i]
        for j in self.sees[i]:
            if last[j] > latest:
                latest = last[j]
        return latest

    def _row(self, p: Process, r: int, reasons: tuple[int, int, int], changed: str | None) -> int:
        cause, lamport, chain = reasons
        p._clock.receive(lamport, chain, messages=0)
        detail = None if changed is None else "{" + changed + "}"
        return self.execution.kernel.row(Kind.RULE, p, cause, detail, label=self._labels[r])

    def _together(self, chosen: Sequence[tuple[int, int]]) -> None:
        """Let several processes act at once; none of them reads what the others write in this step."""
        execution = self.execution
        kernel = execution.kernel
        done = []
        for i, r in chosen:
            p = execution.processes[i]
            before = self._set_aside(p)
            reasons = self._reasons(i)
            changed = kernel.act(p, self.rules[r].action, self._words[r])
            after = p.state, self._values(p)
            done.append((p, r, reasons, changed, after, kernel.effects.copy()))
            kernel.effects.clear()
            self._put(p, before)
        for p, _, _, _, after, _ in done:
            self._put(p, after)
        seqs = []
        for p, r, reasons, changed, _, effects in done:
            together = f'"together":{len(done)}'
            seq = self._row(p, r, reasons, together if changed is None else f"{changed},{together}")
            if changed is not None:
                p._where[0] = seq  # the number was not known when the actions ran, before any row was written
            seqs.append(seq)
            if effects:
                kernel.effects.extend(effects)
                kernel.apply(p, seq)
            self.last_mover, self.last_rule[p._i] = p._i, r
        near: set[int] = set()
        for (p, *_), seq in zip(done, seqs, strict=True):
            self._note(p, seq)
            near.add(p._i)
            near.update(self._seen_by[p._i])
        for i in sorted(near):
            self._look(i)
        self._outlooks.clear()
        if execution.check is not None and seqs:
            execution.check(seqs[-1])

    # ------------------------------------------------------------------ looking ahead

    def _set_aside(self, p: Process) -> tuple[str, tuple[Any, ...]]:
        """Return the state and the variables of a process; replace mutable values in the process by copies."""
        values = self._values(p)
        for name, value in zip(self._names, values, strict=True):
            if type(value) not in _SOLID:
                setattr(p, name, plain_copy(value))
        return p.state, values

    def _put(self, p: Process, kept: tuple[str, tuple[Any, ...]]) -> None:
        p.state = kept[0]
        for name, value in zip(self._names, kept[1], strict=True):
            setattr(p, name, value)

    def outlook(self, pair: int) -> float:
        """Return how many more processes would be enabled after a step than now; infinity if the step fails."""
        known = self._outlooks.get(pair)
        if known is None:
            known = self._outlooks[pair] = self._try(pair)
        return known

    def _forget(self, i: int) -> None:
        """Drop the outlooks that may have changed because process i has changed: those of processes near it."""
        near = {i, *self.sees[i], *self._seen_by[i]}
        near.update(k for j in self._seen_by[i] for k in self.sees[j])
        for j in near:
            for pair in range(j * self.count, (j + 1) * self.count):
                self._outlooks.pop(pair, None)

    def _try(self, pair: int) -> float:
        """Compute the outlook of a step by taking it, evaluating the guards nearby, and undoing it."""
        i, r = divmod(pair, self.count)
        execution = self.execution
        p = execution.processes[i]
        before = self._set_aside(p)
        chance = None if p._random is None else p._random.getstate()
        contents = self.memory.contents.copy()
        more = 0
        try:
            self.rules[r].action(p)
            for j in {i, *self._seen_by[i]}:
                q = execution.processes[j]
                now = not q._crashed and any(applies(q) for _, applies in self._guards)
                more += now - bool(self._enabled[j])
        except (KeyboardInterrupt, OutOfTime):
            raise
        except BaseException:  # noqa: BLE001 - it fails again, and is reported, when it is executed
            return float("inf")
        finally:
            execution.kernel.effects.clear()
            self.memory.contents[:], self.memory.done = contents, None
            self._put(p, before)
            if chance is None:
                p._random = None
            else:
                p._random.setstate(chance)
        return more
