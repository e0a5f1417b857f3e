"""Byzantine processes, which act according to their protocol but send false messages.

A protocol needs no changes for this: the effects of a liar's action are altered after the action has ended and before
any message is sent. The states of the liar and of other processes are not affected; in protocols with guarded actions,
the neighbours read false registers. Each liar draws from its own stream ``byzantine:NAME``, so that the same seed
gives the same lies and the draws of the other processes do not change.

In the trace, a row ``corrupt`` records where this begins and ends (``"byzantine": "lie"``, ``null`` at the end). The
detail of an altered send contains the true values under ``lied``; ``babbled`` marks a message that the protocol did
not send. A message that was withheld is recorded as a row ``note``, and so are the values that a liar shows to its
neighbours (``shown``).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from lydian.engine.channel import Channel
from lydian.engine.faults.lies import Lies, groups_of
from lydian.engine.kernel import NONE
from lydian.engine.run import Run
from lydian.engine.state.beginning import anything
from lydian.model.interventions import HONEST_AGAIN, HOWS
from lydian.model.protocol.message import Message, Record
from lydian.model.protocol.process import Process
from lydian.model.protocol.registers import image
from lydian.model.streams import stream_key
from lydian.trace.events import Kind
from lydian.trace.parquet.recorder import to_json

__all__ = ["Liars"]

#: The maximum number of messages that a babbling process adds to those of an action.
_MOST_EXTRA = 2


class _Liar:
    """One process that is, or was, Byzantine.

    Attributes:
        how: one of :data:`~lydian.model.interventions.HOWS`, or ``None`` while it is honest.
        lies: the source of its lies.
        told: the messages of the action in progress with their replacements, so that equal ones stay equal.
        deceived: the neighbours to which it lies, by its names for them, if it is two-faced.
    """

    def __init__(self, lies: Lies) -> None:
        self.how: str | None = None
        self.lies = lies
        self.told: list[tuple[Record, Record]] = []
        self.deceived: set[Any] = set()

    def version(self, to: Any, m: Record) -> Record:
        """Return the message that a neighbour receives in place of a true one."""
        if self.how == "two-faced" and to not in self.deceived:
            return m
        found = next((lie for truth, lie in self.told if truth == m), None)
        if found is None:
            found = self.lies.about(m)
            self.told.append((m, found))
        return found


class Liars:
    """The Byzantine processes of one run.

    Until the first one, the execution is not affected; from then on, they are handled in the places where the
    execution leaves its main loop.

    Args:
        row: writes the row of a fault and returns its number.
    """

    def __init__(self, run: Run, row: Callable[[int, Process, str], int]) -> None:
        self._run, self._row = run, row
        self._liars: dict[int, _Liar] = {}
        self._plain: Any = None
        self._groups: tuple[tuple[str, ...], ...] = ()

    def how(self, p: Process) -> str | None:
        """Return the current kind of Byzantine behaviour of a process, or ``None`` if it is honest."""
        liar = self._liars.get(p._i)
        return None if liar is None else liar.how

    def begin(self, p: Process, how: str) -> None:
        """Make a process Byzantine: alter the messages that it sends, and observe every delivery to it."""
        self._attach()
        liar = self._liars.get(p._i)
        if liar is None:
            network = self._run.network
            names = () if network.anonymous else network.processes
            chance = random.Random(stream_key(self._run.seed, "byzantine", p._name))
            liar = self._liars[p._i] = _Liar(Lies(chance, self._groups, names, network.n))
        self._unmask(p)
        liar.how = how
        p._faulty = p._lied = True
        if how == "two-faced":
            order = list(p.neighbours)
            liar.lies.chance.shuffle(order)
            liar.deceived = set(order[len(order) // 2 :])
        detail = {"byzantine": how, "text": HOWS[how].begins}
        seq = self._row(Kind.CORRUPT, p, to_json(detail))
        if how == "mute" and self._run.rules is not None:
            self._show(p, liar, seq)

    def end(self, p: Process) -> None:
        """Make a liar honest again."""
        liar = self._liars.get(p._i)
        if liar is not None and liar.how is not None:
            liar.how = None
            self._unmask(p)
            self._row(Kind.CORRUPT, p, to_json({"byzantine": None, "text": HONEST_AGAIN}))

    def _attach(self) -> None:
        if self._plain is None:
            run = self._run
            self._groups = groups_of(run.protocol, () if run.network.anonymous else run.network.processes)
            self._plain = run.kernel.apply
            run.kernel.apply = self._apply
            run.execution.overhear = self._overhear
            if run.rules is not None:
                run.rules.shown = self._changed

    # ------------------------------------------------------------------ messages

    def _overhear(self, p: Process, m: Record) -> None:
        liar = self._liars.get(p._i)
        if liar is not None and liar.how is not None:
            liar.lies.hear(m)

    def _apply(self, p: Process, cause: int) -> None:
        """Apply the effects of an action, as :meth:`Kernel.apply` does, with lies in place of the truth."""
        liar = self._liars.get(p._i)
        if liar is None or liar.how is None:
            self._plain(p, cause)
            return
        effects = self._run.kernel.effects
        asked = effects.copy()
        effects.clear()
        liar.told.clear()
        for to, m in asked:
            channel = _channel(p, to) if isinstance(m, Message) else None
            if channel is None:
                effects.append((to, m))
                self._plain(p, cause)
                continue
            liar.lies.hear(m)
            if liar.how == "mute":
                self._keep(p, channel, m, cause)
            else:
                self._send(p, channel, liar.version(to, m), m, cause)
        if liar.how == "babble":
            self._babble(p, liar, cause)

    def _babble(self, p: Process, liar: _Liar, cause: int) -> None:
        chance, kinds = liar.lies.chance, self._run.protocol.messages
        reached = [to for to in p.neighbours if to in p._links]
        for _ in range(chance.randint(0, _MOST_EXTRA) if kinds and reached else 0):
            to, cls = chance.choice(reached), chance.choice(kinds)
            m = liar.lies.invented(cls)
            if m is not None:
                self._send(p, p._links[to], m, None, cause)

    def _send(self, p: Process, channel: Channel, m: Record, honest: Record | None, cause: int) -> None:
        """Send a message, in place of ``honest`` or in addition."""
        execution, kernel = self._run.execution, self._run.kernel
        try:
            kind = execution.kinds.get(type(m)) or execution.new_kind(p, m, cause)
            label, bits = kind
            detail: str | None = None
            if bits is None:
                bits, detail = execution.describe(m)
            mark = None
            if honest is None:
                mark = '"babbled":true'
            elif honest is not m:
                truth = {name: value for name, value in honest._items() if _differ(value, getattr(m, name))}
                mark = f'"lied":{to_json(truth)}' if truth else None
            if mark is not None:
                detail = "{" + mark + "}" if detail is None else f"{detail[:-1]},{mark}}}"
            mid = kernel.new_message()
            peer = channel.target._i
            seq = kernel.row(Kind.SEND, p, cause, detail, peer, mid, label, bits, ticks=True)
            arrival = kernel.now + channel.draw()
            if channel.fifo:
                arrival = channel.in_order(arrival)
            delivery = kernel.delivery(arrival, channel, m, mid, seq, label, bits)
        except BaseException as error:
            execution.failed(p, cause, error)
            raise
        if channel.special:
            execution.look(delivery)
        else:
            kernel.queue.push(delivery)

    def _keep(self, p: Process, channel: Channel, m: Record, cause: int) -> None:
        """Record a message that is not sent."""
        execution = self._run.execution
        kind = execution.kinds.get(type(m)) or execution.new_kind(p, m, cause)
        text = f"is silent: {type(m).__name__} to {channel.target._name} is not sent"
        told = m._told()
        detail = f'{{"text":{to_json(text)},"mute":true' + (f',"fields":{to_json(told)}' if told else "") + "}"
        self._note(p, detail, cause, channel.target._i, kind[0])

    def _note(self, p: Process, detail: str, cause: int, peer: int = NONE, label: int = NONE) -> None:
        self._run.kernel.row(Kind.NOTE, p, cause, detail, peer=peer, label=label, ticks=True)

    # ------------------------------------------------------------------ registers

    def _changed(self, p: Process, seq: int) -> None:
        """Show new values to the neighbours of a liar with guarded actions that has changed."""
        liar = self._liars.get(p._i)
        if liar is not None and liar.how not in (None, "mute"):
            self._show(p, liar, seq)

    def _show(self, p: Process, liar: _Liar, seq: int) -> None:
        """Replace the registers of a liar, as others read them, by old or false values: for all or half of them, or
        differently for each."""
        run = self._run
        rules = run.rules
        assert rules is not None
        watchers = rules.watchers(p._i)
        names = tuple(run.protocol.variables)
        if liar.how == "mute":
            for b in watchers:
                rules.mask(p._i, b, image(p, names))
            return
        if liar.how == "two-faced":
            watchers = watchers[len(watchers) // 2 :]
        groups = [[b] for b in watchers] if liar.how == "babble" else [watchers]
        for group in groups if watchers else ():
            face = image(p, names)
            for _ in range(8):
                anything(liar.lies.chance, face, run)
                lies = {
                    name: getattr(face, name) for name in ("state", *names)
                    if _differ(getattr(p, name), getattr(face, name))
                }  # fmt: skip
                if lies:
                    break
            for b in group:
                rules.mask(p._i, b, face)
            names_of = " and ".join(run.processes[b]._name for b in group)
            whom = "its neighbours" if len(group) == len(rules.watchers(p._i)) else names_of
            said = ", ".join(f"{name} = {value}" for name, value in lies.items()) or "the truth"
            self._note(p, to_json({"text": f"shows {said} to {whom}", "shown": lies}), seq)

    def _unmask(self, p: Process) -> None:
        rules = self._run.rules
        if rules is not None and p._i in self._liars:
            for b in rules.watchers(p._i):
                rules.mask(p._i, b, p)


def _channel(p: Process, to: Any) -> Channel | None:
    try:
        channel: Channel | None = p._links.get(to)
    except TypeError:
        return None
    return channel


def _differ(a: Any, b: Any) -> bool:
    return bool(a != b) or (type(a) is not type(b) and not isinstance(a, str))
