"""The experiments with waves and trees match their descriptions and the numbers in them."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])


def test_tarrys_tree_need_not_be_depth_first() -> None:
    """An experiment of the archive: 7 and 9 are neighbours in different branches of the tree."""
    links = [(link.a, link.b) for link in ARCHIVE.network("two-wings").links]
    for name, beside in (("tarry", [("7", "9")]), ("dfs-two-wings", [])):
        simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
        result = simulator.run()
        father = {p._name: p.father for p in simulator.processes if p.father is not None}  # type: ignore[attr-defined]
        tree = nx.DiGraph([(above, p) for p, above in father.items()])
        up = {p: nx.ancestors(tree, p) for p in tree}
        assert [(a, b) for a, b in links if a not in up[b] and b not in up[a]] == beside
        assert (result.messages, result.exit_code) == (34, 0)


@pytest.mark.parametrize(
    ("name", "messages", "time"),
    [("dfs-complete", 56, 56), ("dfs-awerbuch-complete", 112, 30), ("dfs-cidon-complete", 56, 14)],
)
def test_on_one_network_the_three_differ_as_described(name: str, messages: int, time: int) -> None:
    """n = 8, m = 28: 2m and 2m; 4m and 4n - 2; at most 4m - n + 1, and 2n - 2."""
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert (result.messages, result.time) == (messages, time)
    assert f"{time}" in ARCHIVE.experiment(name).about


@pytest.mark.parametrize(
    ("name", "messages"),
    [("tarry", 34), ("dfs-two-wings", 34), ("dfs-awerbuch-two-wings", 68), ("dfs-cidon-two-wings", 36),
     ("bfs-async-fan", 55),
     ("bfs-layered-line", 70), ("spanning-tree-two-wings", 46), ("tree-wave", 12), ("tree-inform", 22),
     ("polling-complete", 14), ("bfs-async-equal-delays", 23)],
)  # fmt: skip
def test_the_numbers_in_descriptions_are_right(name: str, messages: int) -> None:
    experiment = ARCHIVE.experiment(name)
    assert Simulator(experiment.resolve(ARCHIVE)).run().messages == messages
    assert f"{messages} messages" in experiment.about or f"{messages} were" in experiment.about


#: experiment -> the sentences that its fault violates, and the processes that wait for ever or are left out: (process,
#: state).
BROKEN = {
    "tarry-forgets": ("learns that every process", ("3", "visited")),
    "dfs-lost-token": ("learns that every process", ("0", "initiating")),
    "dfs-two-tokens": ("at most one token", ("0", "finished")),
    "dfs-awerbuch-lost-ack": ("learns that every process", ("5", "visited")),
    "dfs-cidon-lost-news": ("learns that every process", ("3", "visited")),
    "tree-crashed-leaf": ("two processes decide", ("9", "waiting")),
    "bfs-layered-lost": ("learns that every process", ("1", "asking")),
    "bfs-async-lost": ("the distances are right", ("4", "inside")),
    "spanning-tree-two-roots": ("there is one root", ("9", "complete")),
    "polling-crash": ("asked every process", ("6", "sleeping")),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
    result = simulator.run()
    words, (process, state) = BROKEN[name]
    assert any(words in check.name for check in result.violated)
    assert next(p.state for p in simulator.processes if p._name == process) == state


@pytest.mark.parametrize(
    ("protocol", "network", "sentence"),
    [
        ("tree", "tree-15", "Tree cannot run here: some leaves do not start (7, 8, 9, 10 ...); make every leaf"),
        ("tree", "ring:5", "the network is not a tree"),
        ("polling", "ring:5", "process 0 starts but is not a neighbour of every other process; choose a complete"),
    ],
)
def test_a_wave_that_cannot_run_suggests_a_remedy(protocol: str, network: str, sentence: str) -> None:
    with pytest.raises(BadInput) as error:
        Experiment("t", protocol=protocol, network=network).resolve(ARCHIVE)
    assert sentence in str(error.value)
