"""The minimum that a simulator must do: a bare ``heapq`` loop that calls the same actions and writes the same rows.

It has no SimPy, faults, FIFO, loss, step times, timers, checks, details, limits or error messages. It does only what
every simulator must do for a message: take it from the heap, find and call the action, advance the clocks, write a row
for the receive and one for each send, draw a delay, push. The delays come from the same streams, so both give the same
execution, row by row.
"""

from __future__ import annotations

from heapq import heappop, heappush
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.engine.setup import make_channels, make_processes
from lydian.model.experiment.experiment import Resolved
from lydian.model.protocol.process import DELIVER, INIT
from lydian.trace.events import ROW, ROW_FORMAT, Kind

CHUNK = 65_536


class Baseline:
    """ECHO on a network; :meth:`run` returns the number of messages, :meth:`rows` the rows."""

    def __init__(self, resolved: Resolved) -> None:
        protocol, network = resolved.protocol, resolved.network
        self.processes = make_processes(protocol, network, protocol.configure({}), None)
        make_channels(network, self.processes, resolved.experiment.seed)
        self.effects: list[tuple[Any, Any]] = []
        for p in self.processes:
            p._effects = self.effects
        self.initiators = [self.processes[network.index[name]] for name in network.initiators]
        self.labels = {cls: code for code, cls in enumerate(protocol.messages)}
        self.bits = {cls: cls().bits for cls in protocol.messages}
        self.states = {state: code for code, state in enumerate(protocol.states)}
        self.chunks: list[tuple[bytearray, int]] = []

    def run(self) -> int:
        effects, labels, sizes, states = self.effects, self.labels, self.bits, self.states
        pack = Struct(ROW_FORMAT).pack_into
        size = ROW.itemsize
        buffer, offset, end = bytearray(CHUNK * size), 0, CHUNK * size
        heap: list[Any] = []
        seq = mid = eid = 0
        now = 0.0
        receive, send, deliver = Kind.RECEIVE, Kind.SEND, Kind.DELIVER
        for p in self.initiators:
            eid += 1
            heappush(heap, (0.0, eid, p, None, None, -1, 0, 0, -1))
        while heap:
            now, _, p, m, q, number, lamport, chain, sent = heappop(heap)
            if m is None:
                p._cells[p.state][INIT](p)
                state = states[p.state]
                p._clock.lamport = lamport = 1
                pack(buffer, offset, now, p._i, -1, -1, 1, 0, -1, -1, -1, Kind.INIT, state)
            else:
                cls = m.__class__
                p._cells[p.state][cls](p, m, q.name)
                state = states[p.state]
                clock = p._clock
                lamport = clock.lamport = max(clock.lamport, lamport) + 1
                chain = clock.chain = max(clock.chain, chain)
                pack(
                    buffer, offset, now, p._i, q.source_i, number, lamport, chain, sent, sizes[cls], labels[cls],
                    receive, state,
                )  # fmt: skip
            offset += size
            cause = seq
            seq += 1
            if offset == end:
                self.chunks.append((buffer, offset))
                buffer, offset = bytearray(CHUNK * size), 0
            if effects:
                links = p._links
                for to, m in effects:
                    lamport += 1
                    if to in links:
                        channel = links[to]
                        cls = m.__class__
                        pack(
                            buffer, offset, now, p._i, channel.target._i, mid, lamport, chain, cause, sizes[cls],
                            labels[cls], send, state,
                        )  # fmt: skip
                        eid += 1
                        heappush(
                            heap, (now + channel.draw(), eid, channel.target, m, channel, mid, lamport, chain + 1, seq)
                        )
                        mid += 1
                    else:  # the value is delivered, or the initiator decides
                        kind = deliver if to is DELIVER else Kind.DECIDE
                        pack(buffer, offset, now, p._i, -1, -1, lamport, chain, cause, -1, -1, kind, state)
                    seq += 1
                    offset += size
                    if offset == end:
                        self.chunks.append((buffer, offset))
                        buffer, offset = bytearray(CHUNK * size), 0
                p._clock.lamport = lamport
                effects.clear()
        self.chunks.append((buffer, offset))
        return mid

    def rows(self) -> NDArray[np.void]:
        return np.concatenate([np.frombuffer(buffer[:used], dtype=ROW) for buffer, used in self.chunks])
