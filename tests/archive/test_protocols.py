"""Every protocol of the archive is complete and matches its description."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.network import Network
from lydian.model.protocol.protocol import protocol_from_source
from lydian.pieces.animation import load_animation
from tests.archive.ran import protocol_in

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
PROTOCOLS = ARCHIVE.names("protocols")
NETWORKS = [
    "line:2",
    "ring:3",
    "ring:9",
    "star:7",
    "complete:6",
    "grid:4x4",
    "tree:10",
    "gnm:14,25,seed=3",
    "hypercube:3",
    "one-way-ring-5",
    "election-ring-8",
    "anonymous-one-way-ring-6",
]
#: Protocols that never terminate because a token circulates for ever. Their runs are stopped after this time.
ENDLESS = {
    "apples": 60.0,
    "apples-one": 60.0,
    "dijkstra-k-state": 60.0,
    "dijkstra-k-state-messages": 60.0,
    "dijkstra-three-state": 60.0,
}


#: Protocols with long runs: each commit runs the smallest suitable network with every seed, and the largest with one.
LONG = {
    "balls-and-bins", "causal-cluster", "causal-delivery", "chandy-lamport", "chandy-misra", "chord-scribe",
    "dijkstra-scholten", "distance-vector", "gossip-buffer", "heartbeat", "lai-yang", "lpbcast", "mobile-dag",
    "mobile-dag-topics", "role-dht", "skip-ring", "synchroniser-alpha", "synchroniser-beta", "synchroniser-gamma",
}  # fmt: skip
SEEDS = range(3)


protocol_of, network_of = cache(ARCHIVE.protocol), cache(ARCHIVE.network)  # each is read once for all tests


@cache
def experiments() -> dict[str, list[str]]:
    """Map each protocol to its experiments in the archive."""
    found: dict[str, list[str]] = {name: [] for name in PROTOCOLS}
    for name in ARCHIVE.names("experiments"):
        found.setdefault(protocol_in(name), []).append(name)
    return found


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_file_contains_what_a_reader_needs(name: str) -> None:
    protocol = protocol_of(name)
    assert protocol.about
    assert "Needs " in protocol.doc or "It needs " in protocol.doc
    for word in ("Pseudo-code", "Complexity", "Reference"):
        assert word in protocol.doc
    assert protocol.needs
    assert protocol.properties
    assert protocol.formula is not None
    assert all(cell.summary.endswith((".", "?")) for cell in protocol.table.cells.values())
    assert all((m.__doc__ or "").strip() for m in protocol.messages)
    assert ARCHIVE.animation_path(name) is not None
    assert experiments()[name]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_its_guide_page_shows_it_and_asks_the_class(name: str) -> None:
    page = (ROOT / "resources" / "guide" / "archive" / f"{name}.md").read_text(encoding="utf-8")
    assert {"1.", "2."} <= {line[:2] for line in page.splitlines()}
    assert any(experiment in page for experiment in experiments()[name])


@pytest.mark.parametrize("name", PROTOCOLS)
def test_its_animation_draws_every_state_and_every_message(name: str) -> None:
    protocol, path = protocol_of(name), ARCHIVE.animation_path(name)
    assert path is not None
    drawn = load_animation(path)
    assert set(protocol.states) == set(drawn.states)
    assert {each.__name__ for each in protocol.messages} <= set(drawn.messages)
    assert {state for state, _ in drawn.phrases} <= set(protocol.states)


def suited(name: str, spec: str) -> Network | None:
    """Adapt this network to the protocol (other initiators, another order, no names); return ``None`` if impossible."""
    protocol, network = protocol_of(name), network_of(spec)
    leaves = tuple(p for p in network.processes if len(network.neighbours(p)) <= 1)
    for initiators in (network.initiators, leaves, network.processes):
        for order in (network.order, "fifo"):
            for anonymous in (network.anonymous, True):
                changed = network.replace(initiators=initiators, order=order, anonymous=anonymous)
                if not protocol.missing(changed):
                    return changed
    return None


def suitable(name: str) -> list[Network]:
    """Return those of the networks on which the protocol can run, the smallest first."""
    found = [network for spec in NETWORKS if (network := suited(name, spec)) is not None]
    return sorted(found, key=lambda network: (network.n, network.m))


def holds_on(name: str, networks: Sequence[Network], seeds: Sequence[int] = SEEDS) -> None:
    for network in networks:
        known = {"size": network.n} if "size" in protocol_of(name).parameters else {}  # n, if all processes know it
        for seed in seeds:
            stop = Stop(until=ENDLESS.get(name))
            experiment = Experiment("t", protocol=name, network=network, parameters=known, seed=seed, stop=stop)
            result = Simulator(experiment).run()
            where = f"{network.name}, seed {seed}"
            assert result.stopped == ("until" if name in ENDLESS else "quiescent"), where
            assert [check for check in result.checks if check.holds is not True] == [], where
            assert name in ENDLESS or "messages" in {check.kind for check in result.checks}, where


@pytest.mark.parametrize("name", PROTOCOLS)
def test_its_properties_hold_and_its_message_count_is_right(name: str) -> None:
    networks = suitable(name)
    assert networks
    if name in LONG:
        holds_on(name, networks[:1])
        holds_on(name, networks[-1:], SEEDS[:1])
    else:
        holds_on(name, networks)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted(LONG))
def test_properties_hold_on_every_network_with_long_runs(name: str) -> None:
    holds_on(name, suitable(name)[1:])


def test_each_protocol_imports_quickly() -> None:
    code = (
        "import sys\n"
        "from importlib.util import module_from_spec, spec_from_file_location\n"
        "for path in sys.argv[1:]:\n"  # a folder is an ordinary package
        "    inside = [path.removesuffix('__init__.py')] if path.endswith('__init__.py') else None\n"
        "    spec = spec_from_file_location('protocol', path, submodule_search_locations=inside)\n"
        "    sys.modules['protocol'] = module_from_spec(spec)\n"
        "    spec.loader.exec_module(sys.modules['protocol'])\n"
        "    [sys.modules.pop(name) for name in list(sys.modules) if name.startswith('protocol')]\n"
        "    heavy = {'numpy', 'PySide6', 'pandas', 'pyarrow', 'pyspark', 'networkx', 'simpy'} & set(sys.modules)\n"
        "    assert not heavy, (path, heavy)\n"
        "print(len(sys.argv) - 1)"
    )
    found = [ARCHIVE.find("protocols", name) for name in PROTOCOLS]
    paths = [str(path / "__init__.py" if path.is_dir() else path) for path in found]
    env = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code, *paths], cwd=ROOT, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, [b"%d" % len(PROTOCOLS)]), done.stderr.decode()


BUGS = {
    # the sheet's seeded bugs, and others that students make
    "the initiator ignores a returning Broadcast": (
        "echo",
        "        self.send(Ack(), to=q)\n\n    @on((WAITING",
        "        if self.state != INITIATING:\n            self.send(Ack(), to=q)\n\n    @on((WAITING",
    ),
    "it acknowledges at once": ("echo", "        if not self.pending:", "        if True:"),
    "it does not remember its parent": (
        "echo",
        "        self.parent = q\n",
        "        self.parent = self.neighbours[0]\n",
    ),
    "it tells its parent too": ("echo", "[r for r in self.neighbours if r != q]", "self.neighbours"),
    "it forgets one neighbour": ("flooding", "        for r in to:", "        for r in list(to)[1:]:"),
    "it passes the news back": (
        "flooding",
        'if r != q or self.forward_to == "all"',
        "if True",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert right in source
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    protocol_from_source(path.read_text())
    network = from_spec("gnm:10,25,seed=2")
    results = [Simulator(Experiment(name="t", protocol=str(path), network=network, seed=s)).run() for s in range(3)]
    assert any(result.exit_code == 1 for result in results)
