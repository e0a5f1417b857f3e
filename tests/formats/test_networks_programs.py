"""Files written by networkx, Graphviz, igraph, yEd and Gephi: each gives the right processes, links and positions."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from lydian.formats.networks import loads, read
from lydian.model.network import Network

FOLDER = Path(__file__).parent.parent / "files" / "networks"
KITE = ["Andre", "Beverley", "Carol", "Diane", "Ed", "Fernando", "Garth", "Heather", "Ike", "Jane"]
SERVICES = {
    "web->api", "web->cache", "cache->api", "api->db", "api->queue", "db->store", "queue-worker", "db->worker",
}  # fmt: skip
GEPHI = {
    "Ada->Bo", "Bo->Cy", "Cy->Ada", "Cy-Di", "Di-Ed", "Ed->Flo", "Flo-Gus", "Gus->Hal", "Hal->Ida", "Ida-Jo", "Jo->Ada",
}  # fmt: skip
RING = {f"p {i}-p {(i + 1) % 10}" for i in range(10)} | {"p 0-p 5"}
FLOW = {"source->a", "source->b", "a->b", "b->a", "a->sink", "b->sink"}
DOUBLE = ("a link from a process to itself is left out", "a further link between the same two processes is left out")
KITE_LINKS = {tuple(sorted((KITE[a], KITE[b]))) for a, b in nx.krackhardt_kite_graph().edges}


def told(network: Network) -> set[str]:
    """Return the links, with the ends of two-way links sorted."""
    return {str(link) if link.directed else "-".join(sorted((link.a, link.b))) for link in network.links}


def plain(links: set[str]) -> set[str]:
    return {link if "->" in link else "-".join(sorted(link.split("-"))) for link in links}


@pytest.mark.parametrize(
    ("file", "links", "notes"),
    [
        ("networkx-directed.gml", FLOW, ("attribute without a meaning here: capacity",)),
        ("networkx-directed.json", FLOW, ()),
        ("networkx-multigraph.gml", {"a-b", "b-c", "c-d"}, DOUBLE),
        ("networkx-multigraph.graphml", {"a-b", "b-c", "c-d"}, DOUBLE),
        ("networkx-multigraph.json", {"a-b", "b-c", "c-d"}, DOUBLE),
        ("graphviz-dot.dot", SERVICES, ()),
        ("graphviz-canon.gv", SERVICES, ()),
        ("graphviz-xdot.dot", SERVICES, ()),
        ("graphviz-neato.dot", RING, ()),
        ("graphviz-sfdp.dot", RING, ()),
        ("gephi-mixed.gml", GEPHI, ("attributes without a meaning here: value, fill, Degree",)),
        ("gephi-mixed.graphml", GEPHI, None),
    ],
)
def test_links_and_notes(file: str, links: set[str], notes: tuple[str, ...] | None) -> None:
    reading = read(FOLDER / file)
    assert told(reading.network) == plain(links)
    if notes is not None:
        assert reading.notes == notes


@pytest.mark.parametrize("end", ["gml", "graphml", "dot", "ncol", "edgelist"])
def test_igraph(end: str) -> None:
    network = read(FOLDER / f"igraph-kite.{end}").network
    names = KITE if end != "edgelist" else [str(i) for i in range(10)]
    renamed = dict(zip(names, KITE, strict=True))
    assert sorted(network.processes) == sorted(names)
    assert {tuple(sorted((renamed[link.a], renamed[link.b]))) for link in network.links} == KITE_LINKS
    assert not network.directed


@pytest.mark.parametrize(
    "file",
    [
        "networkx-weighted.graphml",
        "networkx-weighted.edgelist",
        "networkx-plain-weights.edgelist",
        "networkx-pydot.dot",
    ],
)
def test_networkx_with_weights(file: str) -> None:
    reading = read(FOLDER / file)
    club = nx.karate_club_graph().subgraph(range(14))
    assert {frozenset((int(link.a), int(link.b))) for link in reading.network.links} == set(map(frozenset, club.edges))
    if not file.endswith("dot"):  # here Graphviz states how strongly it should shorten a link
        reader = nx.read_graphml if file.endswith("ml") else nx.read_weighted_edgelist
        theirs = (nx.read_edgelist if "weighted.edge" in file else reader)(FOLDER / file)
        found = {frozenset((link.a, link.b)): link.weight for link in reading.network.links}
        assert found == {frozenset((a, b)): weight for a, b, weight in theirs.edges(data="weight")}
        assert "weight" not in str(reading.notes)


def test_petersen_as_graph6_and_as_an_adjacency_list() -> None:
    petersen = set(map(frozenset, nx.petersen_graph().edges))
    for end, notes in (("g6", 0), ("adjlist", 1)):
        reading = read(FOLDER / f"networkx-petersen.{end}")
        assert {frozenset((int(link.a), int(link.b))) for link in reading.network.links} == petersen
        assert len(reading.notes) == notes
    assert reading.notes == ("read as an adjacency list: every line is a process and its neighbours",)


def test_an_adjacency_list_with_each_link_twice() -> None:
    assert told(loads("a b c\nb a c\nc a b\n", "edges").network) == {"a-b", "a-c", "b-c"}
    weights = loads("0 1 2\n1 2 3\n", "edges").network.weights  # 3 has no line, so these are weights
    assert weights == {("0", "1"): 2, ("1", "0"): 2, ("1", "2"): 3, ("2", "1"): 3}


def test_graphviz_files_are_not_upside_down() -> None:
    places = read(FOLDER / "graphviz-neato.dot").network.positions
    assert places["p 0"] == (224.38, -141.3)
    assert places["p 3"][1] < places["p 0"][1]  # Graphviz places p 3 above p 0


def test_gephi_files_are_not_upside_down_and_keep_their_labels() -> None:
    for end in ("gml", "graphml"):
        network = read(FOLDER / f"gephi-mixed.{end}").network
        assert network.positions["Ada"] == (-120.5, -40.0)
        assert network.positions["Bo"] == (-93.25, 27.5)


def test_groups_arrows_and_labels_of_yed() -> None:
    reading = read(FOLDER / "yed-groups.graphml")
    network = reading.network
    assert set(network.processes) == {
        "core", "edge 1", "edge 2", "disk", "tape", "clock", "gate", "user", "guest", "root",
    }  # fmt: skip
    assert told(network) == plain(
        {"core->edge 1", "edge 1-edge 2", "disk->edge 2", "disk-tape", "tape->clock", "clock-gate", "gate->user",
         "user-guest", "root-core"}
    )  # fmt: skip
    assert network.positions["root"] == (30.0, 315.5)  # the centre of its shape
    assert reading.notes == (
        "2 groups are left out; the processes in them are kept",
        "a link to a group is left out; links join processes",
        "attribute without a meaning here: labels of links",
    )


def test_pyyed() -> None:
    network = read(FOLDER / "pyyed-groups.graphml").network
    assert network.processes == ("outside", "R1", "R2", "R3", "R4")
    assert told(network) == {"R1-R2", "R2->R3", "R4->R3", "R1-R4", "R1-outside"}
    assert network.positions["outside"] == (30.0, 40.0)


def test_arrows_and_groups_in_gml_of_yed() -> None:
    reading = read(FOLDER / "yed-arrows.gml")
    assert [str(link) for link in reading.network.links][:4] == ["w0-w1", "w1->w2", "w3->w2", "w3-w4"]
    assert reading.network.n == 10
    assert reading.network.positions["w3"] == (250.0, 60.0)
    assert reading.notes == ("a group is left out; the processes in it are kept",)


def test_d3() -> None:
    reading = read(FOLDER / "d3-force.json")
    assert (reading.network.n, reading.network.m) == (10, 9)
    assert reading.notes == ("a link from a process to itself is left out",)


def test_shared_labels_are_not_used_as_names() -> None:
    text = 'graph [ node [ id 1 label "x" ] node [ id 2 label "x" ] edge [ source 1 target 2 ] ]'
    reading = loads(text, "gml")
    assert reading.network.processes == ("1", "2")
    assert reading.notes == ("the processes are named by their ids in the file, since two of them have the label 'x'",)


def test_ports_defaults_and_a_second_graph_in_graphml() -> None:
    text = """<graphml><key id="k" for="edge" attr.name="loss" attr.type="double"><default>0.25</default></key>
    <graph edgedefault="directed"><node id="a"><port name="p"><data key="z">1</data></port></node><node id="b"/>
    <node id="c"/><edge source="a" target="b" sourceport="p"/>
    <edge source="b" target="c" directed="false"><data key="k">0.5</data></edge></graph>
    <graph><node id="other"/></graph></graphml>"""
    reading = loads(text, "graphml")
    assert told(reading.network) == {"a->b", "b-c"}
    assert [link.loss for link in reading.network.links] == [0.25, 0.5]
    assert reading.notes == (
        "ports are left out; links join the processes themselves",
        "only the first of 2 graphs is read",
    )


@pytest.mark.parametrize(
    "text",
    [
        "graph { a -- b; b -- c;\n c -- d\n d -- a [loss=0.5]; }",
        'graph { "a" -- b\n b -- c\n c -- "d"; d -- a [loss="0.5"]\n }',
        "graph { a -- b -- c [order=fifo]; c -- d; d -- a [loss=0.5] /* end */ }",
        "graph { a -- b;\n# first\n{ b } -- { c }; c -- d:p:n; d:x -- a\n [loss=.5]; }",
    ],
)
def test_all_notations_of_edges_in_dot(text: str) -> None:
    network = loads(text, "dot").network
    assert told(network) == {"a-b", "b-c", "c-d", "a-d"}
    assert network.links[-1].loss == 0.5


def test_defaults_of_dot_apply_to_plain_edges() -> None:
    network = loads("digraph { edge [dir=back, loss=0.5]; a -> b; edge [dir=forward]; b -> c; }", "dot").network
    assert told(network) == {"b->a", "b->c"}
    assert [link.loss for link in network.links] == [0.5, 0.5]
