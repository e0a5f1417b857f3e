"""Publish/subscribe in layers: the ring, the trees, the mesh, their cost, and the effects of crashes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Timing
from tests.archive.ran import once

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
FEW = settings(max_examples=3, deadline=None)
DELAYS = ["constant(1)", "uniform(0.5, 1.5)", "uniform(0.1, 1.9)"]


def run(
    n: int, seed: int = 0, check: bool = False, faults: Any = (), delay: str = "", **given: Any
) -> tuple[Any, Result]:
    network = from_spec(f"isolated:{n},order=fifo,starts=all")
    timing = Timing(delay=parse(delay)) if delay else Timing()
    experiment = Experiment(
        "t", protocol="chord-scribe", network=network, seed=seed, parameters=given, check=check, faults=faults,
        variables=False, timing=timing,
    )  # fmt: skip
    simulator = Simulator(experiment.resolve(ARCHIVE))
    result = simulator.run()
    assert result.error is None
    return simulator, result


def ran(name: str, source: str | None = None, **changes: Any) -> tuple[Any, Result]:
    experiment = ARCHIVE.experiment(name).with_(**changes)
    simulator, result = once(experiment.with_(protocol=source) if source else experiment)
    assert result.error is None
    return simulator, result


def failed(result: Result) -> list[str]:
    return [check.name for check in result.checks if check.holds is not True]


def sent(result: Result, kind: str) -> int:
    return int(result.measures["by_kind"].get(kind, {}).get("sent", 0))


def own(result: Result, name: str) -> float:
    return float(result.measures["own"][name])


@FEW
@given(
    n=st.integers(2, 9), seed=st.integers(0, 1000), delay=st.sampled_from(DELAYS),
    way=st.sampled_from(["structured", "unstructured", "both", "popular"]),
)  # fmt: skip
def test_properties_hold_for_any_delays(n: int, seed: int, delay: str, way: str) -> None:
    result = run(n, seed, True, delay=delay, way=way, counting=way == "popular", popular=3, bits=16)[1]
    assert failed(result) == []


@pytest.mark.slow
@FEW
@given(seed=st.integers(0, 1000), dead=st.sets(st.integers(1, 9), min_size=1, max_size=4))
def test_ring_and_trees_are_repaired_after_crashes(seed: int, dead: set[int]) -> None:
    faults = tuple(Intervention(time=40.0, do="crash", process=str(q)) for q in sorted(dead))
    given = {"begin": 25.0, "speak": 75.0, "maintain": 90.0, "bits": 16, "share": 0.6}
    assert failed(run(10, seed, True, faults, **given)[1]) == []


def test_all_subscribers_of_one_topic_receive_it_once_along_every_edge() -> None:
    n, k = 8, 3
    given = {"topics": 1, "share": 1.0, "publications": k, "begin": 50.0, "speak": 75.0, "maintain": 90.0}
    result = run(n, 1, **given)[1]
    assert sent(result, "Spread") == n * k * (n - 1)
    assert result.measures["distinct"] == n * k
    assert (own(result, "reliable"), result.measures["duplicates"]) == (1.0, 0)


def test_a_publication_crosses_each_edge_once_after_its_path_to_the_tree() -> None:
    simulator, result = ran("chord-scribe")
    tree = [p for p in simulator.processes if "75" in p.scribe.children]
    # The last one is published when the tree has its final form, the others with one more branch.
    assert sent(result, "Spread") in range(3 * (len(tree) - 1), 3 * (len(tree) + 1))
    readers = [p for p in tree if "75" in p.scribe.subscribed]
    assert [len(p.received) for p in readers] == [3] * 5
    assert [p.me for p in tree if p.scribe.roots] == ["88"]
    assert not [p for p in simulator.processes if p.received and p not in readers and p.me != "171"]


def test_flooding_takes_two_m_minus_n_plus_one() -> None:
    n = 14
    given = {"way": "unstructured", "publications": 2, "most_active": 4}
    simulator, result = run(n, 2, **given)
    twice_m = sum(len(p.hyparview.active) for p in simulator.processes)
    assert sent(result, "Flood") == 2 * n * (twice_m - n + 1)
    assert result.measures["own"]["reliable"] == 1.0


@pytest.mark.parametrize("n", [16, 32])
def test_paths_to_owners_are_half_a_logarithm_long(n: int) -> None:
    given = {"topics": 0, "lookups": 20, "begin": 55.0, "maintain": 54.0, "bits": 20}
    result = run(n, 1, **given)[1]
    assert own(result, "hops") == pytest.approx(math.log2(n) / 2 + 1, abs=0.6)
    assert own(result, "longest") <= 20


def test_trees_need_fewer_messages_than_flooding() -> None:
    given = {"topics": 1, "share": 1.0, "refresh": 0.0, "publications": 1}
    tree, flood = (run(14, 3, way=way, **given)[1] for way in ("structured", "unstructured"))
    assert sent(tree, "Spread") + sent(tree, "Carry") < sent(flood, "Flood") / 2
    assert tree.measures["delivered"] == flood.measures["delivered"] > 0


def test_a_forwarder_crashes_and_is_replaced() -> None:
    result = ran("chord-scribe-forwarder")[1]
    assert own(result, "reliable_at_once") < 0.5
    assert own(result, "reliable_later") == 1.0
    assert failed(result) == ["every reader of a topic receives every publication in it"]


def test_a_crashed_root_is_replaced_by_the_next_process() -> None:
    simulator, result = ran("chord-scribe-root")
    assert [p.me for p in simulator.processes if p.scribe.roots and not p._crashed] == ["101"]
    assert (own(result, "reliable_later"), failed(result)) == (1.0, [])


def test_after_half_crash_the_mesh_survives_and_the_tree_does_not() -> None:
    tree, mesh = ran("chord-scribe-half")[1], ran("hyparview-half")[1]
    assert own(tree, "reliable_at_once") <= 0.6 < own(mesh, "reliable_at_once")
    assert own(tree, "reliable_later") == own(mesh, "reliable_later") == 1.0


def test_undetected_crashes_are_not_repaired() -> None:
    assert own(ran("chord-scribe-unnoticed")[1], "reliable_later") == 0.0
    assert own(ran("hyparview-unnoticed")[1], "reliable_later") < 1.0


def test_a_popular_topic_is_flooded_until_it_loses_popularity() -> None:
    simulator, result = ran("chord-scribe-popular")
    assert {p.pubsub.version["75"] for p in simulator.processes} == {2}
    assert not any(p.pubsub.flooded["75"] for p in simulator.processes)
    assert sent(result, "Flood") > 0
    assert own(result, "reliable") == 1.0


def test_the_subscribers_determine_how_a_topic_is_distributed() -> None:
    simulator, result = ran("chord-scribe-both")
    assert all(p.pubsub.flooded == {"75": True} for p in simulator.processes)
    assert (own(result, "reliable"), failed(result)) == (1.0, [])


def test_simultaneous_joins_form_one_ring() -> None:
    assert failed(ran("chord-scribe-joins")[1]) == []


BUGS = {
    "publications climb to the root alone (item 1)": (
        "for r in [*self.children[topic], self.parent[topic]]:", "for r in [self.parent[topic]]:",
        "chord-scribe", "every reader of a topic",
    ),
    "the successor is not tested if it is the predecessor (item 10)": (
        "            self.pred = None\n        if self.succ == q:",
        "            self.pred = None\n        elif self.succ == q:",
        "chord-scribe-pair", "every succ and pred",
    ),
    "who subscribes through the root is no child of it (item 4)": (
        "if q not in self.children[topic]:", "if q not in self.children[topic] and not r.owner:",
        "chord-scribe", "each tree has the owner",
    ),
    "fingers are looked up at the index (item 8)": (
        "(self.id + 2 ** (self.next - 1)) % 2**self.bits", "(self.id + self.next) % 2**self.bits",
        "chord-scribe", "every finger points",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong, name, sentence = BUGS[bug]
    source = ARCHIVE.protocol("chord-scribe").source
    assert right in source
    path = tmp_path / "chord-scribe.py"
    path.write_text(source.replace(right, wrong))
    assert any(each.startswith(sentence) for each in failed(ran(name, str(path))[1]))


def test_the_table_has_rows_for_each_layer() -> None:
    table = ARCHIVE.protocol("chord-scribe").table
    assert table.layers == ("pubsub", "scribe", "chord", "flooding", "hyparview")
    assert table.cells["chord", "Notify"].action == "hear"
    assert table.cells["scribe", "Routed"].action == "routed"
    assert table.cells["outside", "Begin"].next_states == ("idle",)
    assert ("idle", "Notify") not in table.cells
