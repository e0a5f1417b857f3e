"""Protocols with guarded actions, for tests."""

from __future__ import annotations

from typing import Any

from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment, Resolved, loads
from lydian.model.generators import from_spec
from lydian.model.network import Network, Timing
from lydian.model.protocol.protocol import protocol_from_source

#: Dijkstra's ring with K states (Self-stabilizing systems in spite of distributed control, CACM 1974).
K_STATE_RING = '''
"""Ring: Dijkstra's token ring with K states."""
from lydian import Process, always, eventually, one_initiator, parameter, ring, variable, when


class Ring(Process):
    count: int = variable(0, minimum=0, maximum="k - 1")
    k = parameter(6, minimum=2)

    def leads(self):
        return self.initiator and self.count == self.see(self.left).count

    def follows(self):
        return not self.initiator and self.count != self.see(self.left).count

    @when(leads)
    def step(self):
        """The leader adds one."""
        self.count = (self.count + 1) % self.k

    @when(follows)
    def copy(self):
        """Everybody else takes over what the left neighbour has."""
        self.count = self.see(self.left).count


@always("somebody is privileged")
def somebody(c):
    return len(c.enabled) >= 1


@eventually("exactly one is privileged")
def one(c):
    return sum(p.leads() or p.follows() for p in c.processes) == 1
'''

#: A colouring in which each process with the colour of a neighbour chooses another one.
COLOURING = '''
"""Colours: neighbours come to differ."""
from lydian import Process, at_end, when


class Colours(Process):
    colour: int = 0
    moves: int = 0

    @when(lambda self: any(self.see(q).colour == self.colour for q in self.neighbours))
    def change(self):
        taken = {self.see(q).colour for q in self.neighbours}
        self.colour = min(c for c in range(len(taken) + 1) if c not in taken)
        self.moves += 1


@at_end("neighbours differ")
def differ(c):
    return all(p.colour != c.across(p, q).colour for p in c.processes for q in p.neighbours)
'''


def resolved(source: str, network: str | Network = "ring:4", text: str = "", **changes: Any) -> Resolved:
    """Return an experiment on a source; ``text`` is added to its file, and the first process is the initiator."""
    protocol = protocol_from_source(source, name="rules")
    there = from_spec(network) if isinstance(network, str) else network
    there = there.with_timing(Timing(initiators=(there.processes[0],)))
    experiment: Experiment = loads(f'name = "rules"\nprotocol = "rules"\nnetwork = "here"\n{text}').with_(**changes)
    experiment.start.check(there, protocol)
    return Resolved(experiment, protocol, there, protocol.configure(experiment.parameters))


def simulator(source: str, network: str | Network = "ring:4", text: str = "", **changes: Any) -> Simulator:
    return Simulator(resolved(source, network, text, **changes))
