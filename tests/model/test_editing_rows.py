"""The network as tables: contents of cells, effects of typing, and rows of spreadsheets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.delays import parse
from lydian.model.editing.pasting import copied, paste_rows
from lydian.model.editing.rows import COLUMNS, edit_link, edit_process, inherited, link_cell, process_cell, value_of
from lydian.model.errors import BadInput
from lydian.model.generators import generate
from lydian.model.network import RATES, Link, Network


def net() -> Network:
    return Network(
        "x",
        ("a", "b", "c"),
        (
            Link("a", "b", klass="far", loss=0.1),
            Link("b", "c", directed=True, delay=parse("uniform(1, 2)"), order="fifo"),
        ),
        initiators=("a",),
        positions={"a": (0.0, 0.0), "b": (100.5, 0.0), "c": (0.0, 100.0)},
        classes={"far": parse("constant(5)")},
        steps={"b": parse("constant(0.5)")},
        drifts={"c": 1.05},
    )


def test_contents_of_the_cells() -> None:
    network = net()
    assert [process_cell(network, 1, column) for column in COLUMNS["processes"]] == [
        "b", "", "100.5", "0", "constant(0.5)", "", "",
    ]  # fmt: skip
    assert [link_cell(network, 0, column) for column in COLUMNS["links"]] == [
        "a", "b", "both ways", "far", "", "0.1", "", "", "",
    ]  # fmt: skip
    assert link_cell(network, 1, "way") == "one way"
    assert inherited(network, "links", 0, "delay") == "constant(5)"
    assert inherited(network, "links", 0, "order") == "unordered"
    assert inherited(network, "processes", 0, "step") == "no time"


def test_typing_into_cells_of_processes() -> None:
    network = net()
    assert edit_process(network, "a", "name", " d ")[0].links[0].a == "d"
    assert edit_process(network, "b", "starts", "yes") == (
        network.replace(initiators=("a", "b")),
        "Make process b an initiator",
    )
    assert edit_process(network, "a", "x", "12.5")[0].positions["a"] == (12.5, 0.0)
    assert edit_process(network, "b", "step", "")[0].steps == {}
    moved, words = edit_process(network, "a", "clock", "1.2")
    assert moved.drifts == {"c": 1.05, "a": 1.2}
    assert words == "Process a: clock 1.2"


def test_typing_into_cells_of_links() -> None:
    network = net()
    changed, words, pair = edit_link(network, ("a", "b"), "to", "c")
    assert changed.links[0] == Link("a", "c", klass="far", loss=0.1)
    assert (words, pair) == ("Change link a-b to a-c", ("a", "c"))
    assert edit_link(network, ("b", "c"), "way", "both")[0].links[1].directed is False
    assert edit_link(network, ("a", "b"), "way", "back")[2] == ("b", "a")
    assert edit_link(network, ("b", "c"), "loss", "5 %")[0].links[1].loss == 0.05
    assert edit_link(network, ("b", "c"), "delay", "")[0].links[1].delay is None
    new = edit_link(network, ("b", "c"), "class", "near")[0]
    assert new.links[1].klass == "near"
    assert new.classes["near"] == network.delay


@pytest.mark.parametrize("rate", RATES)
def test_each_probability_of_faulty_messages_has_a_column(rate: str) -> None:
    network = net().replace(**{rate: 0.25})
    typed = edit_link(network, ("b", "c"), rate, "5 %")[0]
    assert getattr(typed.links[1], rate) == 0.05 and link_cell(typed, 1, rate) == "0.05"
    assert inherited(typed, "links", 1, rate) == "0.25"
    assert edit_link(typed, ("b", "c"), rate, "")[0].links[1] == network.links[1]
    with pytest.raises(BadInput, match=f"^{rate} must be a probability such as 0.05 or 5 %, not '120 %'"):
        value_of("links", rate, "120 %")
    pasted = paste_rows(network, "links", copied(typed, "links", [1])).network
    assert pasted.links[1] == typed.links[1]


@pytest.mark.parametrize(
    ("kind", "column", "text", "why"),
    [
        ("processes", "x", "abc", r"x of a process must be a number such as 120, not 'abc'"),
        ("processes", "x", "inf", r"a number such as 120"),
        ("processes", "starts", "maybe", r"starts must be yes or no, not 'maybe'"),
        ("processes", "name", "", r"text of 1 to 100 characters"),
        ("links", "loss", "120 %", r"loss must be a probability such as 0.05 or 5 %, not '120 %'"),
        ("links", "order", "fito", r"did you mean 'fifo'"),
        ("links", "way", "up", r"both ways or one way, not 'up'"),
        ("links", "delay", "unifrom(1, 2)", r"uniform"),
    ],
)
def test_forbidden_contents(kind: str, column: str, text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        value_of(kind, column, text)  # type: ignore[arg-type]


def test_a_position_cannot_be_empty() -> None:
    with pytest.raises(BadInput, match="x of a process must be a number, not empty"):
        edit_process(net(), "a", "x", "")


# ---------------------------------------------------------------------- spreadsheets


def test_links_create_missing_processes() -> None:
    pasted = paste_rows(Network("n", (), ()), "links", "From\tTo\tDelay\n1\t2\tuniform(1, 2)\n2\t3\t\n")
    assert not pasted.bad
    assert pasted.network.processes == ("1", "2", "3") == pasted.processes
    assert [str(link) for link in pasted.network.links] == ["1-2", "2-3"]
    assert pasted.network.links[0].delay == parse("uniform(1, 2)")
    assert pasted.links == (("1", "2"), ("2", "3"))
    assert len(set(pasted.network.positions.values())) == 3


def test_commas_in_brackets_and_quotes_do_not_separate() -> None:
    text = 'a,b,one way,,"uniform(1, 2)",5 %\nb,c,both,far,uniform(2, 3)\n'
    links = paste_rows(net(), "links", text).network.links
    assert links[0].directed
    assert links[0].delay == parse("uniform(1, 2)")
    assert links[0].loss == 0.05
    assert (links[1].klass, links[1].delay, links[1].directed) == ("far", parse("uniform(2, 3)"), False)


def test_bad_cells_are_reported_by_row_and_column() -> None:
    text = "name\tx\tclock\na\tabc\t1\n\t5\t1\nd\t7\t99\nb\t1\t1.5\textra\n"
    pasted = paste_rows(net(), "processes", text)
    assert [str(bad) for bad in pasted.bad] == [
        "Row 2, x: x of a process must be a number such as 120, not 'abc'.",
        "Row 3, name: the name of a process must be text of 1 to 100 characters, not ''.",
        "Row 4, clock: its speed must be from 0.1 to 10, not 99.",
        "Row 5, column 4: at most 3 can be used: name, x, clock.",
    ]
    assert pasted.processes == ("a", "d", "b")
    assert pasted.network.positions["d"][0] == 7
    assert pasted.network.drifts == {"c": 1.05, "a": 1.0, "b": 1.5}


def test_a_self_loop_is_refused() -> None:
    pasted = paste_rows(net(), "links", "a\ta\nq\t\n")
    assert [(bad.row, bad.column) for bad in pasted.bad] == [(1, "to"), (2, "to")]
    assert pasted.network == net()


@pytest.mark.parametrize("text", ["", "  \n \n"])
def test_nothing_to_paste(text: str) -> None:
    with pytest.raises(BadInput, match="the clipboard contains no rows to paste"):
        paste_rows(net(), "links", text)


@pytest.mark.parametrize("kind", ["processes", "links"])
def test_copying_and_pasting_changes_nothing(kind: str) -> None:
    for network in (net(), generate("gnm", 20, 40, seed=3)):
        size = network.n if kind == "processes" else network.m
        pasted = paste_rows(network, kind, copied(network, kind, range(size)))  # type: ignore[arg-type]
        assert not pasted.bad
        assert pasted.network == network


names = st.sampled_from("abcdef")
ways = st.sampled_from(["both ways", "one way", "back", "", "->"])


@given(st.lists(st.tuples(names, names, ways), max_size=14), st.lists(st.tuples(names, names, ways), max_size=14))
def test_any_links_can_be_pasted(first: list[tuple[str, str, str]], second: list[tuple[str, str, str]]) -> None:
    network = Network("n", (), ())
    for rows in (first, second):
        if not rows:
            continue
        network = paste_rows(network, "links", "\n".join("\t".join(row) for row in rows)).network
        a, b, way = next((row for row in reversed(rows) if row[0] != row[1]), ("", "", "one way"))
        if a:
            end = (b, a) if way == "back" else (a, b)
            there = network.link_between(*end)
            assert there is not None or (way == "" and network.link_between(b, a) is not None)  # it remains unchanged
            if way == "both ways":
                assert network.link_between(b, a) is network.link_between(a, b)
    assert set(network.processes) >= {link.a for link in network.links}


def test_roles_are_copied_and_pasted_with_their_processes() -> None:
    network = generate("ring", 3).replace(roles={"1": "server"})
    text = copied(network, "processes", [0, 1, 2])
    assert text.splitlines()[0].endswith("role") and text.splitlines()[2].endswith("server")
    pasted = paste_rows(generate("ring", 3), "processes", text)
    assert pasted.network.roles == {"1": "server"} and not pasted.bad
    bad = paste_rows(network, "processes", "name\trole\n1\t2 3\n").bad
    assert [each.column for each in bad] == ["role"]
