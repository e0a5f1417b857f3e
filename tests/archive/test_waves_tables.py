"""Waves and traversals: the decisive cells of their tables, and mistakes that must be detected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.model.protocol.protocol import load_protocol

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)

#: Process b has the neighbours a, c and d. Each line contains: protocol; state of b and its variables; the event, its
#: sender and its fields; the state of b afterwards, and the messages it sends, with receivers.
CELLS: list[tuple[str, str, dict[str, Any], str, dict[str, Any], str, list[str]]] = [
    ("tree", "collecting", {"rec": []}, "Token a", {}, "collecting", []),
    ("tree", "collecting", {"rec": ["a"]}, "Token c", {}, "waiting", ["Token d"]),
    ("tree", "waiting", {"rec": ["a", "c"], "last": "d"}, "Token d", {}, "decided", []),
    ("tree", "waiting", {"rec": ["a", "c"], "last": "d"}, "Token a", {}, "waiting", []),
    ("tarry", "visited", {"father": "a", "used": ["c"]}, "Token c", {}, "visited", ["Token d"]),
    ("tarry", "visited", {"father": "a", "used": ["c", "d"]}, "Token d", {}, "done", ["Token a"]),
    ("tarry", "done", {"father": "a", "used": ["a", "c", "d"]}, "Token c", {}, "done", []),
    ("dfs", "sleeping", {"father": None, "used": []}, "Token a", {}, "visited", ["Token c"]),
    ("dfs", "visited", {"father": "a", "used": []}, "Token d", {}, "visited", ["Token d"]),
    ("dfs", "visited", {"father": "a", "used": ["c"]}, "Token c", {}, "visited", ["Token d"]),
    ("dfs", "visited", {"father": "a", "used": ["c", "d"]}, "Token d", {}, "done", ["Token a"]),
    ("dfs", "initiating", {"father": None, "used": ["a", "c", "d"]}, "Token a", {}, "finished", []),
    ("dfs", "done", {"father": "a", "used": ["a", "c", "d"]}, "Token c", {}, "done", []),
    ("dfs-awerbuch", "sleeping", {"used": []}, "Visited a", {}, "sleeping", ["Ack a"]),
    ("dfs-awerbuch", "sleeping", {"used": ["c"]}, "Token a", {}, "visited", ["Visited c", "Visited d"]),
    ("dfs-awerbuch", "visited", {"father": "a", "pending": ["c", "d"]}, "Ack c", {}, "visited", []),
    ("dfs-awerbuch", "visited", {"father": "a", "used": ["c"], "pending": ["c"]}, "Ack c", {}, "visited", ["Token d"]),
    ("dfs-awerbuch", "visited", {"father": "a", "used": ["c", "d"], "pending": ["c"]}, "Ack c", {}, "done",
     ["Token a"]),
    ("dfs-awerbuch", "visited", {"father": "a", "used": ["c"], "pending": []}, "Token c", {}, "visited", ["Token d"]),
    ("dfs-awerbuch", "done", {"father": "a"}, "Visited d", {}, "done", ["Ack d"]),
    ("dfs-awerbuch", "done", {"father": "a"}, "Ack d", {}, "done", []),
    ("dfs-cidon", "sleeping", {"father": None, "used": []}, "Token a", {}, "visited", ["Token c", "Visited d"]),
    ("dfs-cidon", "sleeping", {"used": ["c", "d"]}, "Token a", {}, "done", ["Token a", "Visited c", "Visited d"]),
    ("dfs-cidon", "sleeping", {"used": []}, "Visited a", {}, "sleeping", []),
    ("dfs-cidon", "visited", {"father": "a", "last": "c", "used": ["c"]}, "Token d", {}, "visited", []),
    ("dfs-cidon", "visited", {"father": "a", "last": "c", "used": ["c"]}, "Token c", {}, "visited", ["Token d"]),
    ("dfs-cidon", "visited", {"father": "a", "last": "c", "used": ["c"]}, "Visited c", {}, "visited", ["Token d"]),
    ("dfs-cidon", "visited", {"father": "a", "last": "c", "used": ["c"]}, "Visited d", {}, "visited", []),
    ("dfs-cidon", "visited", {"father": "a", "last": "d", "used": ["c", "d"]}, "Visited d", {}, "done", ["Token a"]),
    ("dfs-cidon", "done", {"father": "a", "last": "a"}, "Visited a", {}, "done", []),
    ("bfs-layered", "outside", {"level": None, "above": []}, "Explore a", {"layer": 2}, "inside", ["Reverse a"]),
    ("bfs-layered", "inside", {"level": 2, "above": ["a"]}, "Explore c", {"layer": 2}, "inside", ["Reverse c"]),
    ("bfs-layered", "inside", {"level": 2, "above": ["a"]}, "Explore c", {"layer": 3}, "inside", []),
    ("bfs-layered", "inside", {"father": "a", "level": 2, "above": ["a"]}, "Forward a", {"layer": 2}, "asking",
     ["Explore c", "Explore d"]),
    ("bfs-layered", "inside", {"father": "a", "level": 2, "above": ["a", "c", "d"], "growing": []}, "Forward a",
     {"layer": 2}, "done", ["Reverse a"]),
    ("bfs-layered", "inside", {"father": "a", "level": 2, "growing": ["c"]}, "Forward a", {"layer": 3}, "asking",
     ["Forward c"]),
    ("bfs-layered", "asking", {"father": "a", "level": 2, "pending": ["c"], "growing": []}, "Explore c", {"layer": 3},
     "done", ["Reverse a"]),
    ("bfs-layered", "asking", {"father": "a", "level": 2, "pending": ["c"], "growing": []}, "Reverse c",
     {"grown": True}, "inside", ["Reverse a"]),
    ("bfs-async", "outside", {"dist": None}, "Distance a", {"dist": 3}, "inside", ["Distance c", "Distance d"]),
    ("bfs-async", "inside", {"dist": 3, "parent": "a"}, "Distance c", {"dist": 2}, "inside", []),
    ("bfs-async", "inside", {"dist": 4, "parent": "a"}, "Distance c", {"dist": 1}, "inside",
     ["Distance a", "Distance d"]),
    ("bfs-async", "leading", {"dist": 0}, "Distance c", {"dist": 1}, "leading", []),
    ("spanning-tree", "sleeping", {"parent": None, "children": [], "other": []}, "M a", {}, "exploring",
     ["Parent a", "M c", "M d"]),
    ("spanning-tree", "exploring", {"parent": "a"}, "M c", {}, "exploring", ["Already c"]),
    ("spanning-tree", "terminated", {"parent": "a"}, "M c", {}, "terminated", ["Already c"]),
    ("spanning-tree", "exploring", {"parent": "a", "children": [], "other": []}, "Parent c", {}, "exploring", []),
    ("spanning-tree", "exploring", {"parent": "a", "children": ["c"]}, "Already d", {}, "terminated", []),
    ("spanning-tree", "terminated", {"parent": "a"}, "Parent d", {}, "terminated", []),
    ("polling", "sleeping", {}, "Token a", {}, "answered", ["Token a"]),
    ("polling", "polling", {"rec": 0, "asked": "a"}, "Token a", {}, "polling", ["Token c"]),
    ("polling", "polling", {"rec": 2, "asked": "d"}, "Token d", {}, "finished", []),
    ("polling", "polling", {"rec": 1, "asked": "c"}, "Token d", {}, "polling", []),
]  # fmt: skip


def run(protocol: str, network: Network, seed: int = 0, **more: Any) -> tuple[Simulator, Result]:
    simulator = Simulator(Experiment("t", protocol=protocol, network=network, seed=seed, **more).resolve(ARCHIVE))
    return simulator, simulator.run()


@pytest.mark.parametrize("cell", CELLS, ids=[f"{c[0]}-{c[1]}-{c[3]}-{i}" for i, c in enumerate(CELLS)])
def test_the_transition_table(cell: tuple[str, str, dict[str, Any], str, dict[str, Any], str, list[str]]) -> None:
    protocol, state, variables, event, fields, after, sent = cell
    label, sender = event.split()
    network = Network("star", ("a", "b", "c", "d"), tuple(Link("b", p) for p in "acd"), delay=parse("constant(5)"))
    network = network.replace(initiators=("a", "c", "d") if protocol == "tree" else ("b",))
    faults = [Intervention(5.25, "corrupt", process="b", variable="state", value=state)]
    faults += [Intervention(5.25, "corrupt", process="b", variable=k, value=v) for k, v in variables.items()]
    faults += [Intervention(0.75, "inject", link=(sender, "b"), label=label, fields=fields)]
    _, result = run(protocol, network, faults=tuple(faults), breaks=("all",), check=False, stop=Stop(until=6.0))
    assert result.error is None
    got = next(e for e in result.trace.events() if e.process == "b" and e.kind == "receive" and e.time == 5.75)
    assert got.state == after
    out = [f"{e.label} {e.peer}" for e in result.trace.events() if e.kind == "send" and e.cause == got.seq]
    assert out == sent


#: (protocol, the original text, a student's mistake in its place)
BUGS = {
    "the third rule is forgotten": ("dfs", "if q0 in unused else", "if False else"),
    "a link is used twice": ("tarry", "        self.used.add(q)\n", ""),
    "the father is not the last": ("tarry", "if r != self.father and r not in", "if r not in"),
    "it goes back too early": ("dfs", "        if unused:\n", "        if unused and len(self.used) < 2:\n"),
    "every token makes a new father": (
        "dfs",
        "        self.move_on(q)\n\n    @on((DONE",
        "        self.father = q\n        self.move_on(q)\n\n    @on((DONE",
    ),
    "the token does not wait for the Acks": (
        "dfs-awerbuch",
        "        if not self.pending:\n            self.move_on()\n\n    def",
        "        self.pending = set()\n        self.move_on()\n\n    def",
    ),
    "a Visited is acknowledged and forgotten": (
        "dfs-awerbuch",
        "        self.used.add(q)\n        self.send(Ack",
        "        self.send(Ack",
    ),
    "it tells its father too": ("dfs-awerbuch", "[r for r in self.neighbours if r != q]", "list(self.neighbours)"),
    "a lost token is not made good": (
        "dfs-cidon",
        "        if q == self.last:\n            self.move_on()\n\n    @on(SLEEPING, Visited)",
        "\n    @on(SLEEPING, Visited)",
    ),
    "every token moves on": (
        "dfs-cidon",
        "        if q == self.last:\n            self.move_on()\n        else",
        "        if True:\n            self.move_on()\n        else",
    ),
    "a Visited from the father makes a second token": (
        "dfs-cidon",
        '        """It has completed its part and ignores this late message."""\n',
        '        """It has done its part."""\n        if q == self.last:\n            self.move_on()\n',
    ),
    "who is asked forgets that his layer asks him too": (
        "bfs-layered",
        "            self.pending.discard(q)\n            self.close()\n\n    @on(INSIDE",
        "            pass\n\n    @on(INSIDE",
    ),
    "a part that does not grow is asked for ever": (
        "bfs-layered",
        "            self.growing.discard(q)",
        "            pass",
    ),
    "it explores in the layer above as well": ("bfs-layered", "if q not in self.above]", "]"),
    "the first way is believed for ever": ("bfs-async", "if m.dist + 1 < self.dist:", "if False:"),
    "it tells only one neighbour": ("bfs-async", "[r for r in self.neighbours if r != q]", "self.neighbours[:1]"),
    "the last one is the parent": (
        "spanning-tree",
        "        self.send(Already(), to=q)",
        "        self.parent = q\n        self.send(Already(), to=q)",
    ),
    "the root ignores a message that comes back": (
        "spanning-tree",
        "@on((EXPLORING, TERMINATED, ROOTING, COMPLETE), M)",
        "@on((ROOTING, COMPLETE), M)\n    def ignore(self, m, q):\n        pass\n\n    @on((EXPLORING, TERMINATED), M)",
    ),
    "an inner process does not wait": ("tree", "        if len(missing) == 1:", "        if missing:"),
    "it decides when it sends": ("tree", "            self.state = WAITING\n", "            self.finish()\n"),
    "the last is not asked": (
        "polling",
        "if self.rec < len(self.neighbours):",
        "if self.rec < len(self.neighbours) - 1:",
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = load_protocol(ROOT / "protocols" / f"{name}.py").source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    spec = {"tree": "tree:10", "polling": "complete:6"}.get(name, "gnm:10,25,seed=2")
    spec = "star:7" if "second token" in bug else spec  # the leaf is left before the message of its parent arrives
    network = ARCHIVE.network(spec).replace(order="unordered", delay=parse("lognormal(mean=1, sd=4)"))
    if name == "tree":
        network = network.replace(initiators=tuple(p for p in network.processes if len(network.neighbours(p)) == 1))
    results = (run(str(path), network, seed, stop=Stop(events=5000))[1] for seed in range(12))
    assert any(result.exit_code == 1 or result.stopped == "limit" for result in results)
