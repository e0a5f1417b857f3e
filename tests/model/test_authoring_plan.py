"""Plans of new protocols, impossible cells, and the removal of properties."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.authoring.cannot import choose_cell, marked_impossible, open_cells, rename_state_everywhere
from lydian.authoring.plan import (
    CellEffect,
    ProtocolPlan,
    Sending,
    events_in,
    events_text,
    fields_in,
    words_in,
    written,
)
from lydian.authoring.ready import add_property
from lydian.authoring.removing import remove_formula, remove_property
from lydian.authoring.skeleton import EventPlan
from lydian.authoring.starters import STARTERS
from lydian.model.errors import BadInput
from lydian.model.protocol.protocol import protocol_from_source
from lydian.model.source.draft import read
from lydian.model.source.outline import Field, outline
from lydian.model.source.problems import problems
from lydian.views.words.source import read as explained

ROOT = Path(__file__).resolve().parents[2]
ECHO = (ROOT / "protocols" / "echo.py").read_text(encoding="utf-8")
FLOODING = (ROOT / "protocols" / "flooding.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", STARTERS)
def test_every_starter_is_a_complete_protocol(key: str) -> None:
    source = written(STARTERS[key].plan)
    assert [p.sentence for p in problems(source) if p.kind == "error"] == []
    assert open_cells(read(source)) == frozenset()
    loaded = protocol_from_source(source)
    assert loaded.cls.__name__ == STARTERS[key].plan.name
    assert loaded.states == STARTERS[key].plan.states


def test_words_and_events_are_read_as_typed() -> None:
    assert words_in(" idle,  waiting for 3 , done,") == ("idle", "waiting for 3", "done")
    events = events_in('news, Ack(hops: int, way: tuple[int, str] = (1, "a,b"))')
    assert [e.name for e in events] == ["News", "Ack"]
    assert events[1].fields == (Field("hops", "int"), Field("way", "tuple[int, str]", "(1, 'a,b')"))
    assert events_in(events_text(events)) == events
    assert fields_in("hops") == (Field("hops", "int"),)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Ack(", "a bracket is not closed"),
        ("Ack Nack", "'Ack Nack' is not a name with fields"),
        ("Ack, Ack", "'Ack' appears twice"),
        ("Ack(hops int)", "write fields as name: type"),
        ("Ack(*rest)", "write fields as name: type"),
    ],
)
def test_invalid_events_are_explained(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        events_in(text)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for reader in (events_in, fields_in, words_in):
        with contextlib.suppress(BadInput):
            assert isinstance(reader(text), tuple)


def test_a_renamed_state_keeps_its_cells() -> None:
    plan = STARTERS["broadcast"].plan.with_states(("idle", "knows"))
    assert plan.deeds["idle", "INIT"].then == "knows"
    assert plan.deeds["knows", "News"].kind == "ignore"
    assert plan.properties[0][1] == {"states": ["knows"]}
    more = plan.with_states(("idle", "knows", "done"))
    assert more.deeds == plan.deeds
    assert 'states("idle", "knows", "done")' in written(more)
    back = more.with_states(("idle",)).with_states(("idle", "knows", "done"))
    assert back.deeds == plan.deeds


def test_a_renamed_message_is_still_sent() -> None:
    plan = STARTERS["broadcast"].plan.with_events("message", events_in("Gossip"))
    assert plan.deeds["idle", "Gossip"].sends == (Sending("Gossip", "others"),)
    assert "self.send(Gossip(), to=r)" in written(plan)


def test_fields_without_a_value_receive_one_when_sent() -> None:
    plan = STARTERS["broadcast"].plan.with_events("message", events_in("News(hops: int, why: str, x: float = 1.5)"))
    source = written(plan)
    assert 'self.send(News(hops=0, why=""), to=r)' in source
    assert not [p for p in problems(source) if p.kind == "error"]


def test_a_function_does_the_same_in_all_its_cells() -> None:
    plan = STARTERS["request"].plan
    deed = replace(plan.deeds["idle", "Request"], then="served")
    changed = plan.with_deed(("idle", "Request"), deed)
    assert {changed.deeds[s, "Request"].then for s in plan.states} == {"served"}
    assert written(changed).count("def answer") == 1


def test_only_replies_to_a_message_have_a_sender() -> None:
    plan = ProtocolPlan("P", states=("a",), messages=(EventPlan("M"),), needs=(),
                deeds={("a", "INIT"): CellEffect(function="go", sends=(Sending("M", "sender"),))})  # fmt: skip
    with pytest.raises(BadInput, match="go: only an action for a message has a sender"):
        written(plan)
    with pytest.raises(BadInput, match="unknown message or timer 'X'"):
        written(replace(plan, deeds={("a", "INIT"): CellEffect(function="go", sends=(Sending("X"),))}))


def test_an_impossible_cell_becomes_a_comment_that_undo_removes() -> None:
    without = choose_cell(FLOODING, "received", "Broadcast", "open")
    assert open_cells(read(without)) == {("received", "Broadcast")}
    said = choose_cell(without, "received", "Broadcast", "impossible")
    assert "    # cannot happen: (RECEIVED, Broadcast)\n" in said
    assert open_cells(read(said)) == frozenset()
    assert marked_impossible(read(said)) == {("received", "Broadcast")}
    assert choose_cell(said, "received", "Broadcast", "open") == without
    assert choose_cell(said, "received", "Broadcast", "impossible") == said
    assert "cannot happen" not in choose_cell(said, "received", "Broadcast", "action", "hear_again")


def test_several_cells_share_the_comment_and_follow_a_rename() -> None:
    source = ECHO
    for state in ("acked", "finished", "sleeping"):
        source = choose_cell(source, state, "Ack", "impossible")
    assert "# cannot happen: (ACKED, Ack), (FINISHED, Ack), (SLEEPING, Ack)" in source
    renamed = rename_state_everywhere(source, "finished", "all done")
    assert "(ALL_DONE, Ack)" in renamed
    assert marked_impossible(read(renamed)) == {("acked", "Ack"), ("all done", "Ack"), ("sleeping", "Ack")}
    one_less = choose_cell(source, "finished", "Ack", "open")
    assert "# cannot happen: (ACKED, Ack), (SLEEPING, Ack)" in one_less


def test_an_unreachable_state_offers_nothing_to_choose() -> None:
    from lydian.authoring.edits import add_message, add_state

    more = add_message(add_state(FLOODING, "resting"), "Ack")
    assert open_cells(read(more)) == {("sleeping", "Ack"), ("received", "Ack")}


def test_removing_an_added_property_leaves_only_its_import() -> None:
    source = written(replace(STARTERS["broadcast"].plan, properties=()))
    added = add_property(source, "silent", {})
    (only,) = outline(added).properties
    assert (
        remove_property(added, only.function).rstrip()
        == source.replace("Process, connected", "Process, at_end, connected").rstrip()
    )
    with pytest.raises(BadInput, match="unknown property 'silent'"):
        remove_property(source, "silent")
    assert outline(remove_formula(source)).formula is None
    with pytest.raises(BadInput, match="no formula"):
        remove_formula(remove_formula(source))


@pytest.mark.parametrize("name", STARTERS)
def test_placeholder_text_does_not_explain_runs_unless_true(name: str) -> None:
    for action in explained(written(STARTERS[name].plan)).actions:
        assert not action.doc or action.doc.endswith("changes nothing here."), action.doc
