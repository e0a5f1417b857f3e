"""The longest chain: all processes follow it, forks are resolved, and planted bugs are caught."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.network import Network
from tests.archive.ran import once
from tests.strategies import connected_networks

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
FEW = settings(max_examples=12, deadline=None)


def run(network: Network, protocol: str = "longest-chain", **words: Any) -> tuple[Simulator, Result]:
    network = network.replace(initiators=network.processes, order="unordered")
    simulator = Simulator(Experiment("t", protocol=protocol, network=network, **words).resolve(ARCHIVE))
    return simulator, simulator.run()


@FEW
@given(connected_networks(most=7), st.integers(0, 99))
def test_all_follow_one_chain_if_blocks_are_rare(network: Network, seed: int) -> None:
    simulator, result = run(network, seed=seed, parameters={"interval": 2000.0, "height": 5})
    assert result.exit_code == 0
    chains = {tuple(p.chain) for p in simulator.processes}  # type: ignore[attr-defined]
    assert [len(chain) for chain in chains] == [5]
    assert result.messages == 5 * (2 * network.m - network.n + 1)


def test_the_share_of_vain_blocks_grows_with_their_rate() -> None:
    stale = "share of blocks that are not in the longest chain"
    ring = from_spec("ring:8")
    means = []
    for interval in (400.0, 20.0, 2.0):
        parameters = {"interval": interval, "height": 12, "depth": 12}
        runs = (run(ring, seed=seed, parameters=parameters)[1] for seed in range(6))
        means.append(sum(result.measures["own"][stale] for result in runs) / 6)
    assert means[0] < 0.03 < means[1] < 0.35 < means[2]


@pytest.mark.parametrize(("power", "least", "most"), [(0.1, 0, 1), (0.75, 6, 12)])
def test_a_private_chain_succeeds_with_most_of_the_power(power: float, least: int, most: int) -> None:
    parameters = {"private": "7", "power": power, "height": 12, "interval": 100.0}
    results = [run(from_spec("ring:8"), seed=seed, parameters=parameters)[1] for seed in range(12)]
    assert least <= sum(bool(result.violated) for result in results) <= most


@pytest.mark.parametrize("name", ["longest-chain-private", "longest-chain-fast"])
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    result = once(ARCHIVE.experiment(name))[1]
    assert "common prefix" in next(iter(result.violated)).name


#: Description -> the right text, the wrong text.
BUGS = {
    "the latest block is followed": (
        "if behind > (self.depth if self.state == PRIVATE else 0) and height == self.public:", "if True:",
    ),
    "orphans are accepted": ("if b[1] == GENESIS or b[1] in self.blocks", "if True"),
    "orphans are lost": ("        while ready :=", "        self.waiting = self.waiting[-1:]\n        while ready :="),
    "blocks are not passed on": ("        self.send(m, to=[r for r in self.neighbours if r != q])\n", ""),
    "blocks are committed at once": (
        "            self.committed = max(len(self.chain) - self.depth, 0)\n        self.look()",
        "            self.committed = len(self.chain)\n        self.look()",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong = BUGS[bug]
    source = ARCHIVE.protocol("longest-chain").source
    assert source.count(right) == 1
    path = tmp_path / "longest-chain.py"
    path.write_text(source.replace(right, wrong))
    network, parameters = from_spec("ring:8"), {"interval": 8.0}
    assert any(run(network, str(path), seed=seed, parameters=parameters)[1].exit_code != 0 for seed in range(15))
