"""Network files: all settings survive, and every kind of bad file gives a single error."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.delays import Constant, Exponential, Uniform, parse
from lydian.model.errors import BadInput
from lydian.model.network import Link, Network, netfile

delays = st.sampled_from(
    [
        parse(t)
        for t in ("0.25", "exponential(mean=0.1)", "normal(1, 0.3)", "empirical(1, 2)", "mix(1: 1, 2: gamma(1, 4))")
    ]
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(str.isprintable)
numbers = st.floats(-1e6, 1e6)
losses = st.floats(0, 1)
orders = st.sampled_from(["fifo", "unordered"])


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Generate networks in which every field may have any value."""
    processes = draw(st.lists(names, min_size=1, max_size=8, unique=True))
    some = st.sampled_from(processes)
    links, taken = [], set()
    for a, b in draw(st.lists(st.tuples(some, some), max_size=12)):
        directed = draw(st.booleans())
        channels = {(a, b)} if directed else {(a, b), (b, a)}
        if a == b or channels & taken:
            continue
        taken |= channels
        outages = draw(st.lists(st.tuples(st.floats(0, 10), st.floats(10.5, 99)), max_size=2))
        links.append(
            Link(
                a, b, directed, draw(st.none() | names), draw(st.none() | delays), draw(st.none() | orders),
                draw(st.none() | losses), tuple(outages),
                draw(st.none() | numbers),
            )
        )  # fmt: skip
    return Network(
        name=draw(texts),
        processes=tuple(processes),
        links=tuple(links),
        initiators=tuple(draw(st.lists(some, unique=True))),
        positions=draw(st.dictionaries(some, st.tuples(numbers, numbers))),
        delay=draw(delays),
        order=draw(orders),
        loss=draw(losses),
        classes=draw(st.dictionaries(names, delays, max_size=3)),
        step=draw(st.none() | delays),
        steps=draw(st.dictionaries(some, delays)),
        anonymous=draw(st.booleans()),
        about=draw(texts),
    )


@given(networks())
def test_all_settings_survive(network: Network) -> None:
    assert netfile.loads(netfile.dumps(network)) == network
    plain = netfile.to_dict(network)
    assert netfile.from_dict(json.loads(json.dumps(plain))) == network


@given(networks())
def test_a_file_survives(network: Network) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.json"
        netfile.save(network, path)
        assert netfile.load(path) == network
        assert [p.name for p in Path(folder).iterdir()] == ["net.json"]


def test_each_process_and_link_has_one_line(tmp_path: Path) -> None:
    network = Network("pair", ("0", "1"), (Link("0", "1", delay=Constant(2)),), positions={"0": (1.5, 2)})
    assert netfile.dumps(network).splitlines() == [
        '{"directed": false, "multigraph": false,',
        '"graph": {',
        '  "name": "pair",',
        '  "delay": "uniform(0.5, 1.5)"',
        "},",
        '"nodes": [',
        '  {"id": "0", "x": 1.5, "y": 2},',
        '  {"id": "1"}',
        "],",
        '"links": [',
        '  {"source": "0", "target": "1", "delay": "constant(2)"}',
        "]}",
    ]


# ---------------------------------------------------------------------- files of other programs


@pytest.mark.parametrize("edges", ["links", "edges"])
def test_files_of_networkx_are_read(edges: str) -> None:
    graph = nx.karate_club_graph()  # with unknown attributes
    network = netfile.from_dict(json.loads(json.dumps(nx.node_link_data(graph, edges=edges))))
    assert network.processes == tuple(str(i) for i in range(34))
    assert {frozenset((e.a, e.b)) for e in network.links} == {frozenset(map(str, e)) for e in graph.edges}
    assert network.name == "Zachary's Karate Club"
    arrows = netfile.from_dict(nx.node_link_data(nx.DiGraph([(0, 1), (1, 0)]), edges=edges))
    assert arrows.links == (Link("0", "1", directed=True), Link("1", "0", directed=True))


def test_networkx_reads_our_files() -> None:
    network = Network("x", ("a", "b", "c"), (Link("a", "b"), Link("b", "c")), positions={"a": (1, 2)})
    graph = nx.node_link_graph(netfile.to_dict(network), edges="links")
    assert nx.utils.graphs_equal(nx.Graph(graph.edges), nx.Graph([("a", "b"), ("b", "c")]))
    assert graph.nodes["a"] == {"x": 1, "y": 2}


def test_short_forms() -> None:
    data = {
        "graph": {"delay": 2, "initiators": [1], "step": None},
        "nodes": [{"id": 1, "step": 0.5}, {"id": 2}],
        "links": [{"source": 1, "target": 2, "class": 7, "delay": "exponential(3)"}],
    }
    network = netfile.from_dict(data, "some/folder/tiny.json")
    assert network == Network(
        "tiny", ("1", "2"), (Link("1", "2", klass="7", delay=Exponential(3)),), ("1",), delay=Constant(2),
        steps={"1": Constant(0.5)},
    )  # fmt: skip
    assert netfile.from_dict({"nodes": [{"id": 0}]}) == Network("network", ("0",), (), delay=Uniform(0.5, 1.5))


def test_numbers_in_a_separate_file(tmp_path: Path) -> None:
    (tmp_path / "waits.txt").write_text("1\n2\n", encoding="utf-8")
    (tmp_path / "n.json").write_text(
        '{"graph": {"delay": "empirical(waits.txt)"}, "nodes": [{"id": 0}]}', encoding="utf-8"
    )
    network = netfile.load(tmp_path / "n.json")
    assert str(network.delay) == "empirical(1, 2)"
    (tmp_path / "waits.txt").unlink()
    netfile.save(network, tmp_path / "n.json")
    assert netfile.load(tmp_path / "n.json") == network


# ---------------------------------------------------------------------- bad files

GOOD: dict[str, Any] = {
    "directed": False,
    "multigraph": False,
    "graph": {"name": "x", "delay": "constant(1)"},
    "nodes": [{"id": "0", "x": 1, "y": 2}, {"id": "1"}, {"id": "22"}],
    "links": [{"source": "0", "target": "1"}, {"source": "1", "target": "22"}],
}
FILES: dict[str, tuple[bytes | None, str]] = {
    "missing": (None, "no such file"),
    "empty": (b"", "empty"),
    "blank": (b" \n\n", "empty"),
    "truncated": (json.dumps(GOOD, indent=1).encode()[:200], "the file ends in the middle of the network"),
    "cut": (b'{"nodes": [{"id": "abc', "line 1, column 19: the file ends in the middle of the network"),
    "comma": (b'{"nodes": [\n{"id": 0},\n]}', "line 2, column 10: this is not JSON (illegal trailing comma"),
    "quotes": (b"{'nodes': []}", "line 1, column 2: this is not JSON"),
    "binary": (bytes(range(256)) * 8, "not text"),
    "zeros": (b'{"nodes": "\0"}', "binary"),
    "junk": (b"x" * 10_000_000, "line 1, column 1: this is not JSON"),
    "brackets": (b"[" * 10_000_000, "too many nested brackets"),
    "digits": (b"1" * 10_000_000, "a number in this file is too long"),
    "list": (b"[1, 2]", "an object with 'nodes' and 'links', not a list"),
    "text": (b'"nodes"', "not a text"),
    "number": (b"3", "not the number 3"),
    "null": (b"null", "not null"),
    "nan": (b"NaN", "not the number nan"),
}


@pytest.mark.parametrize("kind", FILES)
def test_bad_files(tmp_path: Path, kind: str) -> None:
    content, sentence = FILES[kind]
    path = tmp_path / "net.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        netfile.load(path)
    # older versions of Python have a different message
    if kind == "comma" and "trailing comma" not in str(caught.value):
        sentence = "this is not JSON"
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 300


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="this is a folder; a network was expected here"):
        netfile.load(tmp_path)


def change(path: str, value: Any) -> dict[str, Any]:
    """Return the good network with one value changed; the path has dots between its keys and numbers."""
    data = json.loads(json.dumps(GOOD))
    at: Any = data
    *keys, last = [int(k) if k.isdigit() else k for k in path.split(".")]
    for key in keys:
        at = at[key]
    if isinstance(at, list):
        at.append(value)
    elif value is ...:
        del at[last]
    else:
        at[last] = value
    return data


nan, inf = float("nan"), float("inf")
WRONG: list[tuple[str, Any, str]] = [
    ("nodes", ..., 'a network must have \'nodes\', a list of objects such as {"id": "0"}'),
    ("nodes", {}, "nodes: must be a list in square brackets, not {}"),
    ("nodes.9", 5, "nodes[3]: must be an object in braces, not 5"),
    ("nodes.9", {}, 'net.json, nodes[3]: a process must have its name, as in {"id": "0"}'),
    ("nodes.9", {"id": "1"}, "nodes[3]: two processes have the name '1'; the other is nodes[1]"),
    ("nodes.9", {"id": 1}, "nodes[3]: two processes have the name '1'"),
    ("nodes.9", {"id": 1.5}, "nodes[3].id: a name must be text or a whole number, not 1.5"),
    ("nodes.9", {"id": True}, "nodes[3].id: a name must be text or a whole number, not True"),
    ("nodes.9", {"id": ""}, "the name of a process must be text of 1 to 100 characters, not ''"),
    ("nodes.0.x", nan, "nodes[0].x: must be a number up to 1e9, not nan"),
    ("nodes.0.x", -inf, "net.json, nodes[0].x: must be a number up to 1e9, not -inf"),
    ("nodes.0.y", "2", "nodes[0].y: must be a number up to 1e9, not '2'"),
    ("nodes.0.y", ..., "nodes[0].y: y is missing"),
    ("nodes.0.colour", 1, "net.json, nodes[0]: unknown attribute 'colour'; choose from id"),
    ("nodes.0.step", "-1", "nodes[0].step: value of constant must be >= 0, not -1"),
    ("links", 3, "net.json, links: must be a list in square brackets, not 3"),
    ("links.9", [], "net.json, links[2]: must be an object in braces, not []"),
    ("links.9", {"source": "0"}, "net.json, links[2]: a link must have its target, the name of a process"),
    ("links.9", {"source": "0", "target": "2"}, "links[2].target: unknown process '2' (did you mean '22'?)"),
    ("links.9", {"source": None, "target": "2"}, "net.json, links[2].source: a name must be text or a whole number"),
    ("links.9", {"source": "1", "target": "0"}, "net.json, links[2]: a link from 1 to 0 already exists, links[0]"),
    ("links.9", {"source": "1", "target": "1"}, "net.json, links[2]: a link must join two different processes"),
    ("links.0.delay", -1, "links[0].delay: value of constant must be >= 0, not -1"),
    ("links.0.delay", nan, "links[0].delay: value of constant must be >= 0, not nan"),
    ("links.0.delay", inf, "links[0].delay: value of constant must be between 1e-12 and 1e12, not inf"),
    (
        "links.0.delay",
        "exponental(1)",
        "links[0].delay: unknown distribution 'exponental' (did you mean 'exponential'?)",
    ),
    ("links.0.delay", [1], "links[0].delay: must be a distribution such as uniform(0.5, 1.5), not [1]"),
    ("links.0.delya", 1, "links[0]: unknown attribute 'delya' (did you mean 'delay'?)"),
    ("links.0.order", "lifo", "links[0].order: the order of a link must be 'fifo' or 'unordered', not 'lifo'"),
    ("links.0.order", [], "links[0].order: "),
    ("links.0.loss", 1.5, "links[0].loss: the loss of a link must be a probability from 0 to 1, not 1.5"),
    ("links.0.loss", nan, "links[0].loss: "),
    ("links.0.weight", "heavy", "links[0].weight: the weight of a link must be a number such as 4 or 2.5, not 'heavy'"),
    ("links.0.weight", nan, "links[0].weight: "),
    ("links.0.directed", 1, "links[0].directed: must be true or false, not 1"),
    ("links.0.class", [], "net.json, links[0].class: a name must be text or a whole number, not []"),
    ("links.0.outages", 5, "net.json, links[0].outages: must be a list in square brackets, not 5"),
    ("links.0.outages", [5], "links[0]: an outage of link 0-1 must be a pair of times, not 5"),
    ("links.0.outages", [[5, 1]], "net.json, links[0]: an outage of link 0-1 must satisfy 0 <= from < to, not (5.0"),
    ("edges", [], "'links' or 'edges', not both"),
    ("graph", [], "graph: must be an object in braces, not []"),
    ("graph.name", 5, "net.json, graph.name: name must be text, not 5"),
    ("graph.delay", "normal(nan, 1)", "graph.delay: mean of normal must be >= 0, not nan"),
    ("graph.delay", "empirical(missing.txt)", "missing.txt: the numbers for empirical cannot be read"),
    ("graph.loss", -1, "graph.loss: the loss of a network must be a probability from 0 to 1, not -1"),
    ("graph.order", "fifa", "did you mean 'fifo'?"),
    ("graph.anonymous", "yes", "net.json, graph.anonymous: must be true or false, not 'yes'"),
    ("graph.initiators", "0", "net.json, graph.initiators: must be a list in square brackets, not '0'"),
    ("graph.initiators", [0, [1]], "net.json, graph.initiators[1]: a name must be text or a whole number, not [1]"),
    ("graph.initiators", ["5"], "initiators name the unknown process '5'"),
    ("graph.classes", {"slow": "x"}, "graph.classes.slow: unknown distribution 'x'"),
    ("graph.delays", 1, "graph: unknown attribute 'delays' (did you mean 'delay'?)"),
    ("directed", "no", "directed: must be true or false, not 'no'"),
    ("node", [], "unknown attribute 'node' (did you mean 'nodes'?)"),
    ("comment", "", "unknown attribute 'comment'; choose from directed"),
]


@pytest.mark.parametrize(("path", "value", "sentence"), WRONG, ids=[f"{p}={v!r}"[:40] for p, v, _ in WRONG])
def test_wrong_networks(path: str, value: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        netfile.loads(json.dumps(change(path, value)), "net.json")
    assert sentence in str(caught.value)
    assert "net.json" in str(caught.value) or "missing.txt" in str(caught.value)
    assert "\n" not in str(caught.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "x", "source", "target"]), inner)
    ),
    max_leaves=8,
)


@given(st.sampled_from([path for path, *_ in WRONG]), json_values)
def test_anything_is_a_network_or_bad_input(path: str, value: Any) -> None:
    try:
        network = netfile.from_dict(change(path, value))
    except BadInput:
        return
    assert netfile.loads(netfile.dumps(network)) == network


def test_no_processes() -> None:
    with pytest.raises(BadInput, match=r"x\.json, nodes: a network must have at least one process"):
        netfile.from_dict({"nodes": []}, "x.json")


def test_not_a_dictionary() -> None:
    with pytest.raises(BadInput, match="an object with 'nodes'"):
        netfile.from_dict(7)


# ---------------------------------------------------------------------- saving

network = Network("pair", ("0", "1"), (Link("0", "1"),))


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        netfile.save(network, tmp_path / "no" / "net.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_read_only_folder(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    path.write_text("before", encoding="utf-8")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(BadInput, match="cannot be written"):
            netfile.save(network, path)
    finally:
        tmp_path.chmod(0o700)
    assert path.read_text(encoding="utf-8") == "before"


def test_a_failed_write_overwrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.json"
    path.write_text("before", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadInput, match=r"(?i)no space left on device"):
        netfile.save(network, path)
    assert path.read_text(encoding="utf-8") == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["net.json"]


def test_a_folder_with_the_name_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "net.json").mkdir()
    with pytest.raises(BadInput, match="cannot be written"):
        netfile.save(network, tmp_path / "net.json")
    assert [p.name for p in tmp_path.iterdir()] == ["net.json"]


# ---------------------------------------------------------------------- the archive

ARCHIVE = sorted((Path(__file__).parents[3] / "networks").glob("*.json"))


def test_archive_exists() -> None:
    assert len(ARCHIVE) >= 14
    assert {"two-wings", "line-5", "ring-8", "star-8", "petersen", "grid-4x5"} <= {path.stem for path in ARCHIVE}


@pytest.mark.parametrize("path", ARCHIVE, ids=lambda path: path.stem)
def test_networks_of_the_archive(path: Path) -> None:
    found = netfile.load(path)
    assert found.name == path.stem
    assert found.about.endswith(".")
    assert found.connected or re.search("(out|no|any) links?", found.about)  # for overlays
    assert found.initiators
    assert len(found.positions) == found.n
    points = found.coordinates
    assert points.min() >= 0
    assert points.max(axis=0).tolist() <= [1000, 600]
    assert netfile.dumps(found) == path.read_text(encoding="utf-8")  # in the form that LYDIAN writes


def test_default_network() -> None:
    wings = netfile.load(ARCHIVE[0].parent / "two-wings.json")
    assert (wings.n, wings.m, wings.initiators) == (12, 17, ("0",))
    assert 4 * wings.m - 2 * wings.n + 2 == 46
    assert {str(e): e.delay.mean for e in wings.links if e.delay} == {"3-7": 2.6, "9-11": 2.2}
    assert str(wings.step) == "uniform(0.12, 0.3)"
