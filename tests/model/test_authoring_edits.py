"""Edits of a table in the text: after each edit the text contains exactly the new table, and loading agrees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.authoring.celledits import remove_cell, set_cell
from lydian.authoring.edits import add_message, add_state, rename_function, rename_state
from lydian.authoring.ready import READY, add_property
from lydian.authoring.skeleton import CellPlan, EventPlan, skeleton
from lydian.model.errors import BadInput
from lydian.model.protocol.protocol import Protocol, protocol_from_source
from lydian.model.source.outline import Field, outline
from lydian.model.source.problems import problems

ROOT = Path(__file__).resolve().parents[2]
FILES = [ROOT / "protocols" / "echo.py", ROOT / "protocols" / "flooding.py", ROOT / "resources/templates/protocol.py"]
STATES = ("idle", "in section", "done", 'it\'s "so"')
EVENTS = {"News": "message", "Ack": "message", "Retry": "timer", "Go": "command"}

plans = st.dictionaries(
    st.tuples(st.sampled_from(STATES), st.sampled_from(["INIT", *EVENTS])),
    st.one_of(
        st.builds(CellPlan, st.just("ignore")),
        st.builds(CellPlan, st.just("action"), st.sampled_from(["", "work", "think"]), st.sampled_from(["", *STATES])),
    ),
)


def read_both(source: str) -> tuple[dict[tuple[str, str], str], Protocol]:
    """Return the table of the outline (cell -> function) and the loaded protocol, after checking that they agree."""
    protocol = protocol_from_source(source)
    seen = outline(source)
    cells = {pair: cell.function for pair, cell in seen.cells.items()}
    assert seen.problem is None
    assert [each for each in problems(source) if each.kind == "error"] == []
    assert seen.state_names == protocol.states
    assert seen.events == protocol.table.events
    assert seen.start == protocol.start
    assert cells == {pair: cell.action for pair, cell in protocol.table.cells.items()}
    return cells, protocol


def planned(cells: dict[tuple[str, str], CellPlan]) -> str:
    kinds = {kind: [EventPlan(name) for name, k in EVENTS.items() if k == kind] for kind in set(EVENTS.values())}
    news = [EventPlan("News", (Field("hops", "int"), Field("path", "tuple[str, ...]", "()"))), EventPlan("Ack")]
    return skeleton("Echo", STATES, news, kinds["timer"], kinds["command"], cells, formula="<= 2*m")


@given(plans)
@settings(max_examples=15, deadline=None)
def test_a_skeleton_has_exactly_the_requested_table(cells: dict[tuple[str, str], CellPlan]) -> None:
    source = planned(cells)
    table, protocol = read_both(source)
    assert set(table) == set(cells)
    assert {pair: outline(source).cell(*pair).kind for pair in cells} == {p: plan.kind for p, plan in cells.items()}
    assert all(table[pair] == plan.function for pair, plan in cells.items() if plan.function)
    assert protocol.states == STATES
    assert protocol.labels == tuple(EVENTS)
    assert max(map(len, source.splitlines())) <= 120


edits = st.lists(
    st.one_of(
        st.tuples(
            st.just("cell"),
            st.integers(0, 9),
            st.integers(0, 9),
            st.sampled_from(["action", "ignore", "impossible"]),
            st.sampled_from(["", "work", "think", "rest"]),
        ),
        st.tuples(st.just("state"), st.sampled_from(["late", "in transit", "ä"])),
        st.tuples(st.just("rename"), st.integers(0, 9), st.sampled_from(["other", "one more", "None"])),
        st.tuples(
            st.just("message"), st.sampled_from(["Ping", "Pong"]), st.sampled_from(["message", "timer", "command"])
        ),
        st.tuples(st.just("function"), st.integers(0, 9), st.sampled_from(["renamed", "again_2"])),
    ),
    max_size=7,
)


@pytest.mark.slow
@given(
    st.one_of(st.sampled_from([path.read_text(encoding="utf-8") for path in FILES]), plans.map(planned)),
    edits,
    st.booleans(),
)
@settings(max_examples=20, deadline=None)
def test_edits_change_only_their_target(source: str, steps: list[tuple], windows: bool) -> None:
    if windows:
        source = source.replace("\n", "\r\n")
    for step in steps:
        before, protocol = read_both(source)
        after = dict(before)
        states, events = list(protocol.states), ["INIT", *protocol.labels]
        try:
            if step[0] == "cell":
                _, s, e, kind, function = step
                pair = states[s % len(states)], events[e % len(events)]
                if kind == "action":
                    function = function or "work"
                new = set_cell(source, *pair, kind, function)
                after.pop(pair, None)
                if kind != "impossible":
                    after[pair] = outline(new).cell(*pair).function
                    assert outline(new).cell(*pair).kind == kind
                    assert function in ("", after[pair])
            elif step[0] == "state":
                new = add_state(source, step[1])
                states.append(step[1])
                anywhere = {e: c.function for (s, e), c in outline(source).cells.items() if c.for_any}
                after.update({(step[1], e): f for e, f in anywhere.items()})
            elif step[0] == "rename":
                old = states[step[1] % len(states)]
                new = rename_state(source, old, step[2])
                states = [step[2] if s == old else s for s in states]
                after = {(step[2] if s == old else s, e): f for (s, e), f in before.items()}
            elif step[0] == "message":
                new = add_message(source, step[1], [Field("n", "int", "0")], step[2])
                events.append(step[1])
            else:
                names = sorted(set(before.values()))
                old = names[step[1] % len(names)] if names else "nothing"
                new = rename_function(source, old, step[2])
                after = {pair: step[2] if f == old else f for pair, f in before.items()}
        except BadInput:  # test_impossible_edits_are_refused
            continue
        table, protocol = read_both(new)
        assert table == after
        assert list(protocol.states) == states
        assert set(protocol.labels) == set(events) - {"INIT"}
        assert ("\r\n" in new) == windows and not (windows and re.search(r"(?<!\r)\n", new))
        source = new


def kept(before: str, after: str) -> list[str]:
    """Return the lines of the old text that an edit removed."""
    left = after.splitlines()
    gone = []
    for line in before.splitlines():
        if line in left:
            left.remove(line)
        else:
            gone.append(line.strip())
    return gone


def test_a_cell_is_filled_with_the_smallest_change() -> None:
    source = FILES[0].read_text(encoding="utf-8")
    assert kept(source, set_cell(source, "acked", "Ack", "action", "acknowledged")) == [
        "@on((WAITING, INITIATING), Ack)"
    ]
    new = set_cell(source, "waiting", "Broadcast", "impossible")
    assert kept(source, new) == ["@on((WAITING, ACKED, INITIATING, FINISHED), Broadcast)"]
    assert "@on((ACKED, INITIATING, FINISHED), Broadcast)" in new
    new = remove_cell(source, "finished", "Ack")
    assert "@on((SLEEPING, ACKED), Ack)" in new  # ANY without that state and without states with their own action
    assert outline(new).cell("waiting", "Ack").function == "acknowledged"


def test_ignoring_uses_the_function_that_does_nothing() -> None:
    source = FILES[1].read_text(encoding="utf-8")
    source = add_state(source, "late")
    new = set_cell(source, "late", "Broadcast", "ignore")
    assert "@on((RECEIVED, LATE), Broadcast)\n    def ignore(self, m, q):" in new
    gone = set_cell(set_cell(new, "late", "Broadcast", "impossible"), "received", "Broadcast", "impossible")
    assert "def ignore" not in gone
    assert "def pass_on" in set_cell(gone, "sleeping", "Broadcast", "impossible")  # it does something: kept
    timed = add_message(source, "Ring", kind="timer")
    assert "def ignore_ring(self, m):" in set_cell(timed, "late", "Ring", "ignore")


def test_renaming_a_state_changes_its_name_everywhere() -> None:
    source = FILES[0].read_text(encoding="utf-8").replace('"everybody has heard")', 'f"{WAITING!s} WAITING")')
    new = rename_state(source, "waiting", "in line")
    assert not re.search(r"\bWAITING\b", new.replace("} WAITING", ""))
    assert '"sleeping", "in line", ' in new and 'f"{IN_LINE!s} WAITING"' in new


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("agreement", {"variable": "parent"}),
        ("at_most_one", {"state": "finished"}),
        ("terminates", {"states": ["finished", "acked"]}),
        ("somebody", {"state": "finished"}),
        ("messages", {"formula": "<= 4*m"}),
    ],
)
def test_predefined_properties_are_added(key: str, values: dict[str, object]) -> None:
    source = FILES[0].read_text(encoding="utf-8")
    new = add_property(source, key, values)
    before, after = protocol_from_source(source), protocol_from_source(new)
    if READY[key].word:
        assert [p.kind for p in after.properties] == [*(p.kind for p in before.properties), READY[key].word]
        with pytest.raises(BadInput, match="the file already has this property"):
            add_property(new, key, values)
    else:
        assert after.formula is not None
        assert after.formula.text == values["formula"]
    read_both(new)


def test_a_predefined_property_adds_its_import() -> None:
    new = add_property(FILES[2].read_text(encoding="utf-8"), "at_most_one", {"state": "informed"})
    assert "from lydian import INIT, Message, Process, always, at_end, connected, on" in new
    assert protocol_from_source(new).properties[-1].name == "at most one process is informed"


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda s: set_cell(s, "sleping", "Ack", "ignore"), "unknown state 'sleping' (did you mean 'sleeping'?)"),
        (lambda s: set_cell(s, "sleeping", "Akc", "ignore"), "unknown event 'Akc' (did you mean 'Ack'?)"),
        (lambda s: set_cell(s, "sleeping", "Ack", "maybe"), "a cell must be an action, ignore or impossible"),
        (lambda s: set_cell(s, "sleeping", "Ack", "action", "def"), "cannot be the name of a function"),
        (lambda s: set_cell(s, "sleeping", "Ack", "action", "pending"), "'pending' is a variable of Echo"),
        (lambda s: set_cell(s, "sleeping", "Ack", "action", "send"), "every process has it"),
        (lambda s: set_cell(s, "sleeping", "Ack", "ignore", "adopt"), "'adopt' is not empty"),
        (lambda s: set_cell(s, "waiting", "INIT", "action", "adopt"), "'adopt' has too many arguments"),
        (lambda s: set_cell(s + "x = (", "waiting", "INIT", "ignore"), "while Python cannot read it"),
        (lambda s: set_cell("x = 1", "waiting", "INIT", "ignore"), "the file contains no protocol"),
        (lambda s: add_state(s, "waiting"), "the state 'waiting' already exists"),
        (lambda s: add_message(s, "Ack"), "'Ack' is already used in the file"),
        (lambda s: add_message(s, "Nak", [Field("bits", "int")]), "a field cannot be called 'bits'"),
        (lambda s: add_message(s, "Nak", [Field("n", "int", "1 +")]), "Nak.n: '1 +' is not a Python value or type"),
        (lambda s: rename_function(s, "adopt", "start"), "Echo already has a function 'start'"),
        (lambda s: rename_state(s, "waitin", "x"), "unknown state 'waitin' (did you mean 'waiting'?)"),
        (lambda s: add_property(s, "agrement"), "did you mean 'agreement'?"),
        (lambda s: add_property(s, "agreement", {"variable": "parnt"}), "did you mean 'parent'?"),
        (lambda s: add_property(s, "messages", {"formula": "2*k"}), "uses 'k'"),
    ],
)  # fmt: skip
def test_impossible_edits_are_refused(edit, sentence) -> None:
    with pytest.raises(BadInput) as raised:
        edit(FILES[0].read_text(encoding="utf-8"))
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("state", "event", "name"),
    [("acked", "Broadcast", "broadcast_when_acked"), ("waiting", "INIT", "start_2")],
)
def test_an_unnamed_action_receives_a_name(state: str, event: str, name: str) -> None:
    bare = remove_cell(FILES[0].read_text(encoding="utf-8"), state, event)
    new = set_cell(bare, state, event, "action")
    table, _protocol = read_both(new)
    assert table[state, event] == name


def test_a_file_without_states_receives_them() -> None:
    source = "from lydian import Process\n\n\nclass P(Process):\n    pass\n"
    table, protocol = read_both(add_state(source, "done"))
    assert (table, protocol.states, protocol.start) == ({}, ("active", "done"), "active")


def test_impossible_skeletons_are_refused() -> None:
    for arguments, sentence in [
        (("Echo", []), "a protocol must have a state"),
        (("Echo", ["a", "a"]), "two states are called 'a'"),
        (("class", ["a"]), "cannot be the name of a protocol"),
        (("Message", ["a"]), "reserved word"),
        (("Echo", ["a"], [], [], [], {("a", "Ack"): CellPlan()}), "unknown event 'Ack'"),
    ]:
        with pytest.raises(BadInput, match=sentence):
            skeleton(*arguments)  # type: ignore[arg-type]
