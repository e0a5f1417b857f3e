"""Obstacles to a protocol on a drawn network: the description, the cause, and that the remedy works."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.editing.readiness import parts, readiness
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network
from lydian.model.protocol import properties
from lydian.model.protocol.properties import Need

NEEDS = {need.name: need for need in vars(properties).values() if isinstance(need, Need)}


def drawn(*links: str, n: int = 4, **more: object) -> Network:
    pairs = [(text[0], text[-1], ">" in text) for text in links]
    names = tuple("abcdefgh"[:n])
    points = {name: (100.0 * i, 0.0) for i, name in enumerate(names)}
    return Network("x", names, tuple(Link(a, b, directed=one) for a, b, one in pairs), positions=points, **more)  # type: ignore[arg-type]


#: a - b - c, where a starts.
LINE = drawn("a-b", "b-c", n=3, initiators=("a",))


@pytest.mark.parametrize(
    ("network", "words"),
    [
        (from_spec("ring:5"), "Connected, 1 initiator"),
        (drawn("a-b", initiators=("a", "c")), "3 parts, 2 initiators"),
        (drawn("a-b", n=2), "Connected, no initiator"),
        (drawn("a>b", n=2), "Not strongly connected, no initiator"),
        (Network("x", (), ()), "No processes yet"),
    ],
)
def test_words(network: Network, words: str) -> None:
    assert readiness(network).words == words


@pytest.mark.parametrize(
    ("need", "network", "short", "processes", "links", "remedy"),
    [
        ("connected", drawn("a-b", "c-d"), "2 parts", "cd", [], "Join the parts"),
        ("connected", drawn("a>b", n=2), "One-way links cut off processes", "", [], "Make all links two-way"),
        ("connected", drawn("b>a", n=2), "One-way links cut off processes", "b", [], "Make all links two-way"),
        ("one initiator", drawn(), "No initiator", "", [], "Make a the initiator"),
        ("one initiator", drawn(initiators=("b", "d")), "2 initiators", "bd", [], "Make b the only initiator"),
        ("some initiator", drawn(), "No initiator", "", [], "Make a the initiator"),
        ("fifo", drawn("a-b"), "Messages may overtake each other", "", ["ab"], "Make all links FIFO"),
        ("reliable", drawn("a-b", loss=0.5), "Messages are lost", "", ["ab"], "Prevent loss"),
        ("reliable", drawn("a-b", corruption=0.5), "Messages are corrupted", "", ["ab"], "Prevent corruption"),
        ("reliable", drawn("a-b", duplication=0.5), "Messages are duplicated", "", ["ab"], "Prevent duplication"),
        ("reliable", drawn("a-b", loss=0.1, duplication=0.5), "Links are not reliable", "", ["ab"],
         "Make every link reliable"),
        ("two-way links", drawn("a>b", "b>a", "b>c"), "One-way links", "", ["bc"], "Make all links two-way"),
        ("named", drawn(anonymous=True), "Anonymous", "", [], "Give the processes names"),
        ("anonymous", drawn(), "Processes have names", "", [], "Make the network anonymous"),
        ("ring", drawn("a-b", "b-c", "c-a", "c-d"), "No ring", "cd", [], None),
        ("tree", drawn("a-b", "b-c", "c-a", "c-d"), "There is a cycle", "", ["ca"], None),
        ("complete", drawn("a-b", "b-c", "c-a", n=3).replace(links=(Link("a", "b"), Link("b", "c"))), "Not complete",
         "ac", [], None),
        ("everybody starts", LINE, "2 of 3 do not start", "bc", [], "Make every process an initiator"),
        ("leaves start", LINE, "1 leaf does not start", "c", [], "Make every leaf an initiator"),
        ("centre starts", LINE, "The centre does not start", "a", [], "Make b the only initiator"),
        ("one-way ring", drawn("a-b", "b-c", "c-a", n=3), "No one-way ring", "abc", [], "Make the ring one-way"),
        ("one-way ring", drawn("a-b", "b-c", n=3), "No one-way ring", "b", [], None),
    ],
)  # fmt: skip
def test_obstacles(
    need: str, network: Network, short: str, processes: str, links: list[str], remedy: str | None
) -> None:
    found = readiness(network, [NEEDS[need]])
    assert not found.ready
    (obstacle,) = found.obstacles
    assert obstacle.short == found.words == short
    assert obstacle.processes == set(processes)
    assert obstacle.links == {(pair[0], pair[1]) for pair in links}
    assert (obstacle.remedy and obstacle.remedy.text) == remedy
    if obstacle.remedy:
        assert readiness(obstacle.remedy.edit(network), [NEEDS[need]]).ready


def test_several_obstacles() -> None:
    found = readiness(drawn("a-b", "c-d"), [NEEDS["connected"], NEEDS["one initiator"], NEEDS["fifo"]])
    assert found.words == "2 parts and 2 more"
    assert len(found.obstacles) == 3


@given(st.integers(1, 8), st.data())
def test_the_remedy_connects_any_components_as_networkx_defines_them(n: int, data: st.DataObject) -> None:
    import networkx as nx

    names = "abcdefgh"[:n]
    pairs = data.draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=6))
    network = drawn(*{f"{min(a, b)}-{max(a, b)}" for a, b in pairs if a != b}, n=n)
    graph = nx.Graph(network.graph())
    assert {frozenset(part) for part in parts(network)} == {frozenset(part) for part in nx.connected_components(graph)}
    found = readiness(network, [NEEDS["connected"]])
    if not found.ready:
        assert found.obstacles[0].remedy is not None
        assert found.obstacles[0].remedy.edit(network).connected
