"""Termination detection with several roots, credits and waves: each detection is right, also in every schedule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.network import Network
from tests.archive.ran import once

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
FEW = settings(max_examples=12, deadline=None)


def simulated(name: str, network: Network, **words: Any) -> Simulator:
    return Simulator(Experiment("t", protocol=name, network=network, **words).resolve(ARCHIVE))


def working(n: int, starters: set[int]) -> Network:
    """Return a complete network with slow and fast messages in which some processes have work."""
    begin = tuple(str(i % n) for i in sorted(starters))
    return from_spec(f"complete:{n}").replace(
        delay=parse("exponential(mean=1)"), order="unordered", initiators=tuple(dict.fromkeys(begin))
    )


def count(simulator: Simulator, label: str) -> int:
    return sum(e.kind == "send" and e.label == label for e in simulator.trace.events())


@FEW
@given(st.integers(2, 6), st.sets(st.integers(0, 5), min_size=1), st.integers(0, 99), st.integers(0, 3))
def test_the_last_empty_tree_announces_termination(n: int, starters: set[int], seed: int, hops: int) -> None:
    network = working(n, starters)
    simulator = simulated("shavit-francez", network, seed=seed, parameters={"hops": hops})
    result = simulator.run()
    assert result.exit_code == 0 and result.decided
    assert count(simulator, "Work") == count(simulator, "Signal") == n * (n - 1) * (hops + 1)
    assert n <= count(simulator, "Token") <= n * len(network.initiators)


@FEW
@given(st.integers(2, 6), st.integers(0, 5), st.integers(0, 99), st.integers(0, 3))
def test_every_credit_returns_once(n: int, starter: int, seed: int, hops: int) -> None:
    network = working(n, {starter})
    simulator = simulated("credit-recovery", network, seed=seed, parameters={"hops": hops})
    result = simulator.run()
    (root,) = network.initiators
    to_the_root = sum(e.kind == "send" and e.label == "Work" and e.peer == root for e in simulator.trace.events())
    assert (result.exit_code, list(result.decided)) == (0, [root])
    assert count(simulator, "Work") == n * (n - 1) * (hops + 1)
    assert count(simulator, "Return") == count(simulator, "Work") - to_the_root


@FEW
@given(st.integers(2, 6), st.integers(0, 5), st.integers(0, 99), st.integers(0, 3), st.sampled_from([1, 4, 60]))
def test_weight_returns_once_for_each_time_of_work(n: int, starter: int, seed: int, hops: int, bits: int) -> None:
    network = working(n, {starter})
    simulator = simulated("weight-throwing", network, seed=seed, parameters={"hops": hops, "bits": bits})
    result = simulator.run()
    assert (result.exit_code, list(result.decided)) == (0, list(network.initiators))
    assert count(simulator, "Work") == n * (n - 1) * (hops + 1)
    assert count(simulator, "Ask") == count(simulator, "Supply") <= (0 if bits == 60 else n * (n - 1) * (hops + 1))
    assert count(simulator, "Return") <= count(simulator, "Work") + count(simulator, "Supply")


@FEW
@given(st.integers(2, 6), st.sets(st.integers(0, 5), min_size=1), st.integers(0, 99), st.integers(0, 2))
def test_one_wave_of_rana_returns(n: int, starters: set[int], seed: int, hops: int) -> None:
    simulator = simulated("rana", working(n, starters), seed=seed, parameters={"hops": hops})
    result = simulator.run()
    assert result.exit_code == 0 and len(result.decided) == 1
    assert count(simulator, "Work") == count(simulator, "Ack") == n * (n - 1) * (hops + 1)
    started = sum(p.waves for p in simulator.processes)  # type: ignore[attr-defined]
    assert n + started - 1 <= count(simulator, "Wave") <= n * started


@pytest.mark.parametrize(
    ("name", "spec", "begin", "parameters"),
    [("shavit-francez", "complete:2", "01", {"hops": 1}), ("shavit-francez", "complete:3", "0", {"hops": 0}),
     ("credit-recovery", "complete:2", "0", {"hops": 1}), ("credit-recovery", "complete:3", "0", {"hops": 0}),
     ("rana", "complete:2", "01", {"hops": 0}), ("rana", "complete:2", "0", {"hops": 1}),
     ("weight-throwing", "complete:2", "0", {"hops": 1, "bits": 1}),
     ("weight-throwing", "complete:3", "0", {"hops": 0, "bits": 1})],
)  # fmt: skip
def test_properties_hold_in_every_schedule(name: str, spec: str, begin: str, parameters: dict[str, int]) -> None:
    network = from_spec(spec).replace(initiators=tuple(begin), order="unordered")
    result = Explorer(Experiment("t", protocol=name, network=network, parameters=parameters), states=60_000).run()
    assert [each for each in result.findings if each.holds is not True] == []
    assert result.complete


#: Experiment -> a sentence that is violated because of its broken assumption.
BROKEN = {
    "shavit-francez-lost": "some initiator learns that all work is done",
    "credit-recovery-lost": "the initiator learns that all work is done",
    "credit-recovery-duplicate": "termination is announced only when",
    "rana-lost": "exactly one process learns that all work is done",
    "rana-unstamped": "termination is announced only when",
    "weight-throwing-lost": "the agent learns that all work is done",
    "weight-throwing-underflow": "termination is announced only when",
    "shavit-francez-forged": "termination is announced only when",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    result = once(ARCHIVE.experiment(name))[1]
    assert result.exit_code == 1
    assert any(BROKEN[name] in check.name for check in result.violated)


#: Protocols with any number of initiators.
MANY = {"shavit-francez", "rana"}
#: Description -> the protocol, the right text, the wrong text.
BUGS = {
    "a token does not stop at a tree": (
        "shavit-francez", "@on((ACTIVE, PASSIVE), Token)\n    def stop(self):",
        "@on((ACTIVE, PASSIVE), Token)\n    def stop(self, m):\n        self.send(m, to=self.following())\n\n"
        "    def unused(self):",
    ),
    "a tree is left too early": ("shavit-francez", "if self.state == PASSIVE and self.deficit == 0:", "if True:"),
    "the credit of more work is kept": ("credit-recovery", "        self.give_back(m.credit)\n", ""),
    "two equal credits are one": ("credit-recovery", "            credit -= 1\n", ""),
    "the credit is not halved": ("credit-recovery", "            self.credit += 1\n", ""),
    "weight is not added": ("weight-throwing", "        self.weight_here += m.weight\n        self.work(m)",
                            "        self.weight_here = m.weight\n        self.work(m)"),
    "weight is not thrown away": ("weight-throwing", "            self.weight_here -= half\n", ""),
    "work is not acknowledged": ("rana", "        self.send(Ack(self.time), to=q)\n", ""),
    "a process is quiet too early": ("rana", "if self.state == WAITING and self.missing == 0:",
                                     "if self.state == WAITING:"),
    "the clock does not follow a wave": (
        "rana", "so it stops the wave.\"\"\"\n        self.tick(m.time)\n", "so it stops the wave.\"\"\"\n",
    ),
    "a root forgets its token": ("shavit-francez", "self.send(Token(self.me), to=self.following())", "pass"),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    network = working(5, {0, 1, 3} if name in MANY else {2})
    results = (simulated(str(path), network, seed=seed, stop=Stop(events=5000)).run() for seed in range(40))
    assert any(result.exit_code == 1 for result in results)
