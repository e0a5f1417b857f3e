"""Network files of other formats: ours are read back, those of other programs are understood, errors give a line."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.formats.networks import FORMATS, BadLines, Cancelled, dumps, format_of, loads, read, save
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network
from tests.strategies import DELAYS

ALL = [name for name, each in FORMATS.items() if each.keeps == "everything"]
SHAPES = [name for name, each in FORMATS.items() if each.keeps in ("links", "shape")]

letters = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"))
names = st.text(letters, min_size=1, max_size=8).filter(lambda name: name.isprintable() and name == name.strip())


@st.composite
def networks(draw: st.DrawFn, directed: bool | None = None) -> Network:
    """Generate any network with all possible settings."""
    processes = draw(st.lists(names, min_size=1, max_size=7, unique=True))
    one_way = st.booleans() if directed is None else st.just(directed)
    links: dict[frozenset[str], Link] = {}
    delay = st.none() | st.sampled_from([parse(text) for text in DELAYS])
    for a, b in draw(st.lists(st.tuples(st.sampled_from(processes), st.sampled_from(processes)), max_size=10)):
        if a != b and frozenset((a, b)) not in links:
            links[frozenset((a, b))] = Link(
                a,
                b,
                directed=draw(one_way),
                delay=draw(delay),
                klass=draw(st.none() | st.just("far")),
                order=draw(st.sampled_from([None, "fifo", "unordered"])),
                loss=draw(st.sampled_from([None, 0.0, 0.25])),
                outages=draw(st.sampled_from([(), ((1.0, 2.5),), ((0.0, 1.0), (4.0, 5.0))])),
            )
    number = st.floats(-1000, 1000).map(lambda x: round(x, 2) + 0.0)
    some = st.lists(st.sampled_from(processes), unique=True)
    return Network(
        draw(names),
        tuple(processes),
        tuple(links.values()),
        initiators=tuple(name for name in processes if name in draw(some)),
        positions={name: (draw(number), draw(number)) for name in draw(some)},
        delay=parse(draw(st.sampled_from(DELAYS))),
        order=draw(st.sampled_from(["unordered", "fifo"])),
        loss=draw(st.sampled_from([0.0, 0.125])),
        classes=draw(st.sampled_from([{}, {"far": parse("constant(5)")}])),
        step=draw(delay),
        steps={name: parse("constant(0.5)") for name in draw(some)},
        drifts=dict.fromkeys(draw(some), 1.25),
        anonymous=draw(st.booleans()),
        about=draw(st.sampled_from(["", "A network for a test."])),
    )


def normal(network: Network) -> Network:
    """Return the parts that depend neither on the order of links nor on which end of a two-way link is named first."""

    def turned(link: Link) -> Link:
        if link.directed or (link.a, link.b) == tuple(sorted((link.a, link.b))):
            return link
        return dataclasses.replace(link, a=link.b, b=link.a)

    links = sorted(map(turned, network.links), key=lambda link: (link.a, link.b))
    return network.replace(links=tuple(links), initiators=tuple(sorted(network.initiators)))


# ---------------------------------------------------------------------- there and back


@pytest.mark.parametrize("kind", ALL)
@given(data=st.data())
def test_all_settings_survive(kind: str, data: st.DataObject) -> None:
    network = data.draw(networks())
    text = dumps(network, kind)
    back = loads(text, kind)
    assert back.notes == ()
    assert normal(back.network) == normal(network)
    assert list(back.network.processes) == list(network.processes)


@given(networks())
def test_an_edge_list_keeps_links_with_their_own_settings(network: Network) -> None:
    back = loads(dumps(network, "edges"), "edges").network
    assert set(back.processes) == set(network.processes)
    assert [(link.a, link.b) for link in back.links] == [(link.a, link.b) for link in network.links]
    assert back.links == network.links


@given(networks())
def test_a_matrix_keeps_directions(network: Network) -> None:
    back = loads(dumps(network, "matrix"), "matrix").network
    assert back.processes == network.processes
    assert set(back.channels().numbers) == set(network.channels().numbers)


@given(networks(directed=False))
def test_graph6_keeps_adjacency(network: Network) -> None:
    back = loads(dumps(network, "graph6"), "graph6").network
    assert back.n == network.n
    assert set(back.channels().numbers) == set(network.channels().numbers)


def test_a_directed_network_cannot_become_graph6(tmp_path: Path) -> None:
    directed = Network("x", ("a", "b"), (Link("a", "b", directed=True),))
    with pytest.raises(BadInput, match=r"graph6 stores only two-way links"):
        save(directed, tmp_path / "x.g6")
    assert not (tmp_path / "x.g6").exists()


@pytest.mark.parametrize("kind", [name for name, each in FORMATS.items() if each.reads is not None or name == "json"])
def test_saving_and_loading_a_file(kind: str, tmp_path: Path) -> None:
    network = from_spec("grid:3x4")
    path = tmp_path / f"net{FORMATS[kind].suffixes[0]}"
    save(network, path)
    back = read(path)
    assert back.network.n == 12
    assert back.network.m == 17
    assert not back.problems


def test_tikz_draws_every_process_and_link() -> None:
    network = from_spec("ring:5").replace(initiators=("2",), name="a_b")
    text = dumps(network, "tikz")
    assert text.count(r"\node[") == text.count(r"\draw[") == 5
    assert text.count(r"\node[initiator]") == 1
    with pytest.raises(BadInput, match="can be written, but not read"):
        loads(text, "tikz")


# ---------------------------------------------------------------------- files of networkx


@pytest.mark.parametrize(
    ("kind", "write"),
    [
        ("graphml", lambda graph: "\n".join(nx.generate_graphml(graph))),
        ("gml", lambda graph: "\n".join(nx.generate_gml(graph))),
        ("edges", lambda graph: "\n".join(nx.generate_edgelist(graph))),
        ("graph6", lambda graph: nx.to_graph6_bytes(graph).decode()),
    ],
)
@given(n=st.integers(2, 12), p=st.floats(0.2, 0.9), seed=st.integers(0, 99))
def test_random_graphs_of_networkx(kind: str, write: Any, n: int, p: float, seed: int) -> None:
    graph = nx.gnp_random_graph(n, p, seed=seed)
    if not graph.edges:
        graph.add_edge(0, 1)
    for a, b in graph.edges:
        if kind != "graph6":
            graph.edges[a, b]["weight"] = 2.5
    back = loads(write(graph), kind)
    assert {frozenset((link.a, link.b)) for link in back.network.links} == {
        frozenset(map(str, edge)) for edge in graph.edges
    }
    assert not any(link.directed for link in back.network.links)
    if kind != "graph6":
        assert {link.weight for link in back.network.links} == {2.5}
        assert back.notes == ()


def test_a_directed_graph_of_networkx() -> None:
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0)])
    for kind, text in (("graphml", nx.generate_graphml(graph)), ("gml", nx.generate_gml(graph))):
        links = loads("\n".join(text), kind).network.links
        assert [str(link) for link in links] == ["0->1", "1->2", "2->0"]


# ---------------------------------------------------------------------- errors with their lines

GRAPHML = """<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <graph edgedefault="undirected">
    <node id="a"/>
    <node id="b"/>
    <edge source="a" target="b"/>
    <edge source="a" target="c"/>
  </graph>
</graphml>"""
BOMB = GRAPHML.replace('<?xml version="1.0"?>', '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>')
FILE = GRAPHML.replace('<?xml version="1.0"?>', '\n<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>')


@pytest.mark.parametrize(
    ("kind", "text", "sentence"),
    [
        ("graphml", GRAPHML, "line 7: the link a-c names the unknown process 'c'"),
        ("graphml", BOMB, "line 1: the file has a document type"),
        ("graphml", FILE, "line 2: the file has a document type"),
        ("graphml", GRAPHML[:-12], "line 8: this is not XML: "),
        ("graphml", "<svg/>", "line 1: this is <svg>, not <graphml>"),
        ("graphml", "hello", "line 1: this is not XML: syntax error"),
        ("graphml", GRAPHML.replace('<node id="b"/>', "<node/>"), "line 5: a node has no id (and 2 more lines)"),
        ("gml", "graph [\n node [ id 1 ]\n edge [ source 1 ]\n]", "line 3: an edge must have a source and a target"),
        ("gml", "graph [\n node [ id 1 ", "line 2: a bracket [ is not closed"),
        ("gml", 'graph [\n node [ id 1 label "a', "line 2: this text has no closing quotation mark"),
        ("gml", "graph [\n node [ id 1 ]\n node [ id 1 ]\n]", "line 3: two processes have the name '1'"),
        ("gml", "hello", "line 1: hello has no value"),
        ("dot", "graph {\n a -> b\n}", "line 2: an edge in a graph must be written --"),
        ("dot", "graph {\n a -- \n}", "line 3: a process was expected, not '}'"),
        ("dot", "graph {\n a -- b", "line 2: a brace { is not closed"),
        ("dot", 'graph {\n a [label="x\n}', "line 2: a text has no closing quotation mark"),
        ("dot", "digraph {\n a [label=<<b>x</b>", "line 2: a text in < > is not closed"),
        ("dot", "hello", "line 1: graph or digraph was expected, not 'hello'"),
        ("dot", "graph { a [delay=\"fast(1)\"] a -- b [delay=\"slow\"] }", "line 1: "),
        ("edges", "0 1\n1 2 3 4\n", "line 2: a line must name the two processes of a link, as in '0 1', not '1 2 3 4'"),
        ("edges", "0 1\n1 2 {'delay': }\n", "net.x, line 2: attributes must be written {'delay': 'constant(2)'}"),
        ("edges", "0 1 {'loss': 7}\n", "net.x, line 1: the loss of link 0-1 must be a probability from 0 to 1, not 7"),
        ("edges", "# nothing\n", "this file contains no processes"),
        ("matrix", "0 1\n1 0 0\n", "line 2: this row has 3 numbers; it must have 2, one for each process"),
        ("matrix", "0 1\n1 x\n", "line 2: must be a number, 0 for no link, not 'x'"),
        ("matrix", ",a,b\na,0,1\nc,1,0\n", "net.x, line 3: row 'c' is in the place of 'b'; rows must"),
        ("graph6", "not graph6 at all", "line 1: this is not graph6"),
    ],
)  # fmt: skip
def test_bad_files_are_reported_in_one_sentence(kind: str, text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as info:
        loads(text, kind, file="net.x")
    assert str(info.value).startswith("net.x, " if "line" in sentence else "net.x: ")
    assert sentence in str(info.value)
    assert "\n" not in str(info.value)


def test_bad_lines_can_be_skipped() -> None:
    with pytest.raises(BadLines) as info:
        loads("0 1\n1 2 3 4\n2 2\n0 1\n,,\n1 0\n2 3\n", "edges")
    assert [problem.line for problem in info.value.problems] == [2, 5]
    reading = loads("0 1\n1 2 3 4\n2 2\n0 1\n,,\n1 0\n2 3\n", "edges", skip=True)
    assert [str(link) for link in reading.network.links] == ["0-1", "2-3"]
    assert reading.notes == (
        "a link from a process to itself is left out",
        "2 further links between the same two processes are left out",
    )


def test_an_unknown_ending_is_resolved_by_the_content(tmp_path: Path) -> None:
    for kind in ("json", "graphml", "gml", "dot"):
        text = dumps(from_spec("ring:3"), kind)
        assert format_of(tmp_path / "net.unknown", text).name == kind
    with pytest.raises(BadInput, match=r"a network's file must end in \.json, \.graphml, \.xml, \.gml, \.dot, \.gv"):
        format_of("x.graphm", "hello")


@given(st.sampled_from([name for name, each in FORMATS.items() if each.reads]), st.text(max_size=200))
def test_any_text_is_a_network_or_an_error(kind: str, text: str) -> None:
    with contextlib.suppress(BadInput):
        assert loads(text, kind).network.n


@given(st.sampled_from(["graphml", "gml", "dot", "edges", "matrix"]), st.data())
def test_any_damage_gives_a_network_or_an_error(kind: str, data: st.DataObject) -> None:
    text = dumps(data.draw(networks()), kind)
    cut = data.draw(st.integers(0, len(text)))
    until = data.draw(st.integers(cut, min(len(text), cut + 5)))
    damaged = text[:cut] + data.draw(st.sampled_from(["", "x", '"', "[", "}", "\n", "0"])) + text[until:]
    with contextlib.suppress(BadInput):
        assert loads(damaged, kind).network.n


def test_reading_reports_progress_and_can_be_cancelled() -> None:
    text = dumps(from_spec("gnm:300,9000,seed=1"), "edges")
    seen: list[float] = []
    loads(text, "edges", watch=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1.0

    def stop(_share: float) -> None:
        raise Cancelled

    for kind in ("edges", "graphml", "gml", "dot", "matrix"):
        with pytest.raises(Cancelled):
            loads(dumps(from_spec("gnm:300,9000,seed=1"), kind), kind, watch=stop)
