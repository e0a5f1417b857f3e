"""The sides of a partition, and the effects on its links when a process is moved to the other side."""

from __future__ import annotations

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.interventions import Intervention
from lydian.trace.timeline import Timeline
from lydian.views.network.sides import across, sides
from lydian.views.playback.interfering import Situation

LINKS = [tuple(sorted(pair)) for pair in archive().network("two-wings").ends.tolist()]


def after(*cut: tuple[int, int]) -> Situation:
    """Return two wings with these links cut."""
    simulator = Simulator(archive().experiment("two-wings"), round_events=1)
    simulator.lingers = True
    for a, b in cut:
        record = Intervention.from_dict({"time": 0.0, "do": "link_down", "link": [str(a), str(b)]})
        simulator.interact(record, 0, lambda answer: None)
    simulator.round()
    return Situation(Timeline(simulator.trace), simulator.kernel.now)


def test_a_process_is_moved_across_a_cut_and_back() -> None:
    s = after((0, 3), (1, 3), (4, 7))
    found = across(s, 3, 2)
    assert found.words == "Move 3 to the side of 2: restore 2 links and cut 3 links" and not found.reason
    assert {(each["do"], *each["link"]) for each in found.what} == {
        ("link_up", "0", "3"), ("link_up", "1", "3"),
        ("link_down", "3", "5"), ("link_down", "3", "6"), ("link_down", "3", "7"),
    }  # fmt: skip


def test_reasons_why_it_cannot_be_moved() -> None:
    s = after((0, 3), (1, 3), (4, 7))
    assert across(s, 3, 8).reason == "drop 3 on a process beyond the cut"
    assert across(s, 11, 1).reason == "no cut passes through process 11"
    assert across(after(), 3, 8).reason == "no cut passes through process 3"


@settings(max_examples=25, deadline=None)
@given(st.sets(st.sampled_from(LINKS), max_size=8), st.integers(0, 9))
def test_after_moving_it_is_linked_only_with_the_other_side(cut: set[tuple[int, int]], process: int) -> None:
    s = after(*cut)  # type: ignore[arg-type]
    assert s.down == cut
    for side in sides(s, process):
        graph = nx.Graph([pair for pair in LINKS if pair not in cut])
        graph.add_nodes_from(range(len(s.names)))
        assert not side & nx.node_connected_component(graph, process)
        for each in across(s, process, min(side)).what:
            pair = tuple(map(int, each["link"]))
            (graph.add_edge if each["do"] == "link_up" else graph.remove_edge)(*pair)
        assert nx.node_connected_component(graph, process) == side | {process}
