"""The assumptions that protocols of the archive declare are needed, or it is explained why nothing shows it."""

from __future__ import annotations

import pytest

from lydian.engine.witness.search import Relying
from lydian.model.archive.archive import archive
from lydian.model.archive.trials import first_experiment
from lydian.model.experiment.experiment import read

#: Protocol and assumption -> the verdict, where no witness is found.
EXPLAINED = {
    ("raymond", "fifo"): "unneeded",  # a request that overtakes the token waits in the queue of its receiver
    ("raymond", "tree"): "unneeded",  # the pointers to the token are a tree in any connected network
    ("chandy-lamport", "one initiator"): "unneeded",  # two snapshots at once are recorded as one
    ("lai-yang", "one initiator"): "unneeded",
    ("two-phase-commit", "named"): "unneeded",  # only links matter
    ("two-phase-commit", "reliable"): "unneeded",  # timeouts replace one lost message
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "afek-gafni", "bfs-layered", "bully", "byzantine-generals", "causal-broadcast", "chandy-lamport",
        "chang-roberts", "dfs", "dijkstra-scholten", "dolev-klawe-rodeh", "echo", "echo-election", "flooding",
        "heartbeat", "hirschberg-sinclair", "lai-yang", "lamport-mutex", "lelann", "raymond", "suzuki-kasami", "tree",
        "two-phase-commit",
    ],
)  # fmt: skip
def test_declared_assumptions_are_needed_or_explained(name: str) -> None:
    first = first_experiment(name, archive())
    assert first is not None
    relying = Relying(read(first), seconds=60, states=20_000, runs=40)
    found = {need.name: relying.look(need.name) for need in relying.protocol.needs}
    surprising = {
        need: answer.verdict for need, answer in found.items()
        if answer.verdict not in ("needed", "fixed", EXPLAINED.get((name, need)))
    }  # fmt: skip
    assert surprising == {}
    for answer in found.values():
        if answer.experiment is not None:
            answer.experiment.resolve()
