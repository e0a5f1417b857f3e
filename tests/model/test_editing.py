"""Edits of a network: their effects, what they leave unchanged, and that each can be undone."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.delays import parse
from lydian.model.editing.alignment import ALIGN, SPREAD, align, spread
from lydian.model.editing.links import add_link, direct, drop_class, set_class, set_link, set_network
from lydian.model.editing.parts import beside, part, paste
from lydian.model.editing.processes import (
    add_process,
    delete,
    fresh_name,
    move,
    rename,
    set_initiators,
    set_process,
)
from lydian.model.editing.undo import Document
from lydian.model.errors import BadInput
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network, netfile
from tests.strategies import DELAYS, connected_networks

SLOW = parse("constant(9)")


def square() -> Network:
    """Return the ring 0-1-2-3-0: process 0 starts, 1-2 has its own delay, 2-3 belongs to a class."""
    return Network(
        "square",
        ("0", "1", "2", "3"),
        (Link("0", "1"), Link("1", "2", delay=SLOW), Link("2", "3", klass="far"), Link("3", "0", directed=True)),
        initiators=("0",),
        positions={"0": (0, 0), "1": (100, 0), "2": (100, 100), "3": (0, 100)},
        classes={"far": parse("constant(5)")},
        steps={"1": parse("constant(0.5)")},
        drifts={"2": 1.5},
    )


# ---------------------------------------------------------------------- single edits


def test_a_new_process_takes_the_smallest_free_name_and_moves_no_other() -> None:
    before = from_spec("ring:4").replace(positions={})
    after, name = add_process(before, (7, 8))
    assert name == "4"
    assert after.positions["4"] == (7, 8)
    assert after.coordinates[:4].tolist() == before.coordinates.tolist()


@pytest.mark.parametrize(
    ("taken", "like", "name"),
    [((), "", "0"), (("0", "2"), "", "1"), (("p1", "p0"), "p7", "p2"), (("queen",), "queen", "queen0")],
)
def test_free_names(taken: tuple[str, ...], like: str, name: str) -> None:
    assert fresh_name(taken, like) == name


def test_deleting_a_process_removes_its_links_timing_and_start() -> None:
    after = delete(square(), ["2", "0"])
    assert after.processes == ("1", "3")
    assert after.links == ()
    assert after.initiators == ()
    assert after.drifts == {}
    assert after.steps == square().steps
    assert delete(after, ["1", "3"]).n == 0


def test_deleting_links_leaves_the_processes() -> None:
    assert [str(link) for link in delete(square(), links=[("1", "2"), ("3", "0")]).links] == ["0-1", "2-3"]


def test_renaming_changes_the_name_everywhere() -> None:
    after = rename(rename(square(), "2", "two"), "0", "zero")
    assert [str(link) for link in after.links] == ["zero-1", "1-two", "two-3", "3->zero"]
    assert after.initiators == ("zero",)
    assert after.drifts == {"two": 1.5}
    assert after.positions["two"] == (100, 100)
    assert rename(rename(after, "two", "2"), "zero", "0") == square()


def test_moving_keeps_derived_values() -> None:
    before = square()
    channels = before.channels()
    after = move(before, {"1": (50, 60)})
    assert after.channels() is channels
    assert after.coordinates[1].tolist() == [50, 60]
    assert before.coordinates[1].tolist() == [100, 0]
    with pytest.raises(BadInput, match="the position of process 1 must be two numbers up to 1e9"):
        move(before, {"1": (float("nan"), 0)})


def test_steps_and_clocks_of_processes_are_set_and_removed() -> None:
    after = set_process(square(), ["0", "2"], step=SLOW, drift=0.5)
    assert after.steps == {"1": parse("constant(0.5)"), "0": SLOW, "2": SLOW}
    assert after.drifts == {"0": 0.5, "2": 0.5}
    assert set_process(after, ["0", "2"], step=None, drift=1.0).steps == square().steps
    assert set_process(after, ["0", "2"], step=None, drift=None).drifts == {}


def test_links_both_ways_and_one_way() -> None:
    two = Network("two", ("a", "b"), ())
    there = add_link(two, "a", "b", directed=True)
    assert [str(link) for link in there.links] == ["a->b"]
    assert add_link(there, "a", "b", directed=True) is there
    assert [str(link) for link in add_link(there, "b", "a", directed=True).links] == ["a-b"]
    assert [str(link) for link in add_link(there, "b", "a").links] == ["a-b"]
    assert [str(link) for link in direct(there, [("a", "b")], "backward").links] == ["b->a"]
    both = two.replace(links=(Link("a", "b", directed=True), Link("b", "a", directed=True, delay=SLOW)))
    assert [str(link) for link in add_link(both, "a", "b").links] == ["a-b"]
    with pytest.raises(BadInput, match="two links lead from b to a"):
        direct(both, [("a", "b")], "both")


def test_timing_none_restores_inheritance() -> None:
    after = set_link(square(), [("1", "2"), ("2", "3")], delay=None, klass=None, loss=0.25, order="fifo")
    assert [(link.delay, link.klass, link.loss, link.order) for link in after.links[1:3]] == [
        (None, None, 0.25, "fifo")
    ] * 2
    assert after.links[0] == square().links[0]


def test_adjacent_outages_are_merged() -> None:
    after = set_link(square(), [("0", "1")], outages=((8, 9), (1, 3), (2, 4), (4, 5)))
    assert after.links[0].outages == ((1, 5), (8, 9))


def test_classes_of_links() -> None:
    after = set_class(square(), "near", parse("constant(0.1)"), [("1", "2"), ("0", "1")])
    assert {str(link): after.delay_of(link).mean for link in after.links[:3]} == {"0-1": 0.1, "1-2": 0.1, "2-3": 5}
    dropped = drop_class(after, "near")
    assert {str(link): dropped.delay_of(link).mean for link in dropped.links[:2]} == {"0-1": 1, "1-2": 1}
    with pytest.raises(BadInput, match="unknown class of links 'near'"):
        drop_class(dropped, "near")


def test_a_pasted_part_gets_free_names_and_keeps_its_timing() -> None:
    before = square()
    copied = part(before, ["1", "2", "3"])
    after, names = paste(before, copied, (10, 20))
    assert names == ["4", "5", "6"]
    assert [str(link) for link in after.links[4:]] == ["4-5", "5-6"]
    assert after.links[4].delay == SLOW
    assert after.links[5].klass == "far"
    assert after.positions["5"] == (110, 120)
    assert after.drifts == {"2": 1.5, "5": 1.5}
    assert after.initiators == ("0",)
    assert paste(delete(before, copied.processes), copied)[1] == ["1", "2", "3"]


def test_a_network_placed_beside_another_does_not_touch_it() -> None:
    both, names = beside(square(), from_spec("ring:5"), gap=50)
    right = both.coordinates[4:]
    assert right[:, 0].min() == pytest.approx(150)
    assert (right[:, 1].min() + right[:, 1].max()) / 2 == pytest.approx(50)
    assert len(names) == 5
    assert both.m == 9


@given(connected_networks(), st.data())
def test_aligned_and_spread(network: Network, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(network.processes), unique=True))
    how = data.draw(st.sampled_from(sorted(ALIGN)))
    after = align(network, chosen, how)
    numbers = [network.number(name) for name in chosen]
    moved = after.coordinates[numbers]
    if len(chosen) > 1:
        assert len(set(moved[:, ALIGN[how]].tolist())) == 1
    way = data.draw(st.sampled_from(sorted(SPREAD)))
    gaps = sorted(spread(network, chosen, way).coordinates[numbers][:, SPREAD[way]].tolist())
    if len(chosen) > 2:
        assert [b - a for a, b in itertools.pairwise(gaps)] == pytest.approx(
            [(gaps[-1] - gaps[0]) / (len(gaps) - 1)] * (len(gaps) - 1), abs=1e-6
        )
    others = [i for i in range(network.n) if i not in numbers]
    assert after.coordinates[others].tolist() == network.coordinates[others].tolist()


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda n: add_process(n, (0, 0), "1"), "two processes have the name '1'"),
        (lambda n: delete(n, ["9"]), "unknown process '9'"),
        (lambda n: delete(n, links=[("0", "2")]), "unknown link 0-2"),
        (lambda n: rename(n, "1", "2"), "the name '2' already belongs to another process"),
        (lambda n: rename(n, "1", ""), "the name of a process must be text of 1 to 100 characters, not ''"),
        (lambda n: add_link(n, "1", "1"), "join two different processes"),
        (lambda n: set_link(n, [("1", "0")], loss=0.1), "unknown link 1-0"),
        (lambda n: set_link(n, [("0", "1")], loss=2), "probability from 0 to 1"),
        (lambda n: set_class(n, " ", SLOW), "must have a name"),
        (lambda n: set_initiators(n, ["x"]), "unknown process 'x'"),
        (lambda n: set_process(n, ["0"], drift=50), "from 0.1 to 10"),
        (lambda n: align(n, ["0"], "up"), "unknown alignment"),
        (lambda n: set_network(n, colour="red"), "unknown field 'colour' of a network"),
    ],
)
def test_impossible_edits_are_errors(edit: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as info:
        edit(square())
    assert sentence in str(info.value)


# ---------------------------------------------------------------------- the history


def test_history_undo_redo_and_jump() -> None:
    document = Document(square(), text="New network")
    told: list[int] = []
    stop = document.listen(lambda: told.append(document.at))
    for text, edit in (
        ("Add process 4", lambda n: add_process(n, (5, 5))[0]),
        ("Link 4-0", lambda n: add_link(n, "4", "0")),
        ("Delete 2", lambda n: delete(n, ["2"])),
    ):
        assert document.do(text, edit(document.network))
    assert [step.text for step in document.steps] == ["New network", "Add process 4", "Link 4-0", "Delete 2"]
    assert document.undo_text == "Delete 2"
    assert document.undo()
    assert document.redo_text == "Delete 2"
    assert document.go(0)
    assert document.network == square()
    assert not document.undo()
    assert document.go(3)
    assert "2" not in document.network.index
    assert not document.do("Nothing", document.network)
    stop()
    document.undo()
    assert told == [1, 2, 3, 2, 0, 3]


def test_dragging_a_slider_is_a_single_step() -> None:
    document = Document(square())
    for x in range(5):
        document.do("Move 0", move(document.network, {"0": (x + 1, 0)}), group="move 0")
    assert len(document.steps) == 2
    document.settle()
    document.do("Move 0", move(document.network, {"0": (9, 9)}), group="move 0")
    assert len(document.steps) == 3
    assert document.undo() and document.network.positions["0"] == (5, 0)


def test_saved_and_modified() -> None:
    document = Document(square())
    assert not document.modified
    document.do("Rename", rename(document.network, "0", "a"))
    document.saved()
    assert not document.modified
    document.undo()
    assert document.modified
    document.do("Rename", rename(document.network, "0", "b"))
    document.undo()
    assert document.modified  # the saved network cannot be reached again
    assert not Document(square()).modified


def test_a_step_is_not_merged_with_a_saved_one() -> None:
    document = Document(square())
    document.do("Move", move(document.network, {"0": (1, 0)}), group="m")
    document.saved()
    document.do("Move", move(document.network, {"0": (2, 0)}), group="m")
    assert document.modified
    document.undo()
    assert not document.modified


@st.composite
def _edits(draw: st.DrawFn, network: Network) -> tuple[str, Network]:
    """Generate any edit that makes sense in a network."""
    names = list(network.processes)
    some = st.lists(st.sampled_from(names), unique=True, max_size=3) if names else st.just([])
    pairs = [(link.a, link.b) for link in network.links]
    links = st.lists(st.sampled_from(pairs), unique=True, max_size=3) if pairs else st.just([])
    delay = st.sampled_from([parse(text) for text in DELAYS])
    number = st.floats(-500, 500).map(lambda x: round(x, 1))
    kind = draw(
        st.sampled_from(
            ["add", "link", "delete", "move", "rename", "starts", "link_timing", "class", "process", "paste", "align"]
        )
    )
    if kind == "add" or not names:
        return "add", add_process(network, (draw(number), draw(number)))[0]
    if kind == "link" and len(names) > 1:
        a, b = draw(st.permutations(names))[:2]
        return "link", add_link(network, a, b, directed=draw(st.booleans()))
    if kind == "delete":
        return "delete", delete(network, draw(some), draw(links))
    if kind == "move":
        return "move", move(network, {name: (draw(number), draw(number)) for name in draw(some)})
    if kind == "rename":
        return "rename", rename(
            network, draw(st.sampled_from(names)), fresh_name(network.index, draw(st.sampled_from("pq")))
        )
    if kind == "starts":
        return "starts", set_initiators(network, draw(some))
    if kind == "link_timing":
        own = set_link(
            network, draw(links), delay=draw(st.none() | delay), outages=((1, 2),), loss=draw(st.none() | st.just(0.5))
        )
        return "timing", own
    if kind == "class":
        return "class", set_class(network, draw(st.sampled_from(["near", "far"])), draw(delay), draw(links))
    if kind == "process":
        return "process", set_process(
            network, draw(some), step=draw(st.none() | delay), drift=draw(st.sampled_from([1.0, 1.5]))
        )
    if kind == "paste" and network.n < 40:
        return "paste", paste(network, part(network, draw(some)), (draw(number), draw(number)))[0]
    return "align", align(network, draw(some), draw(st.sampled_from(sorted(ALIGN))))


@given(st.data())
def test_any_edits_can_be_undone_redone_and_saved(data: st.DataObject) -> None:
    document = Document(data.draw(connected_networks(most=6)))
    seen = [document.network]
    for _ in range(data.draw(st.integers(1, 12))):
        text, after = data.draw(_edits(document.network))
        if document.do(text, after):
            seen.append(after)
    assert [step.network for step in document.steps] == seen
    while document.undo():
        assert document.network == seen[document.at]
    assert document.at == 0
    while document.redo():
        assert document.network == seen[document.at]
    last = document.network
    if last.n:
        assert netfile.loads(netfile.dumps(last)).replace(positions={}) == last.replace(positions={})
