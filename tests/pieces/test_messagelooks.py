"""Messages that look like their contents: colour, word and letter of each, computed once and extended with a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.pieces import messagelooks
from lydian.pieces.animation import Animation, Dress, animation_for
from lydian.pieces.messagelooks import kind_at, letters_of, word_of, worn_of
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.others import communication
from lydian.views.others.step import frame as step_frame
from lydian.views.page import page
from lydian.views.time import spacetime
from lydian.views.time.axis import fit, rows_of
from lydian.views.words.sentence import sentence
from lydian.views.words.words import brief
from tests.views.book import Book
from tests.views.browser import CHROMIUM, browsed
from tests.views.page.test_page import numbers

SOURCE = """
from lydian import INIT, ANY, Message, Process, on, states

IDLE = states("idle")


class Hop(Message):
    hops: int = 0


class Carry(Hop):
    name: str
    m: Message = None
"""
NAMES = ("a", "b", "c")
DRAWN = Animation(
    messages={"Carry": 3, "Ack": 5},
    labels={"Carry": "Under way"},
    letters={"Carry": "R"},
    dresses=(
        Dress("Carry", 'inner == "Sub"', kind=1, word="A subscription", letter="S"),
        Dress("Carry", "hops >= limit", word="Far", letter="{hops}"),
        Dress("Carry", "hops > 0", kind=2),
    ),
)
CARRIED: tuple[dict[str, Any], ...] = (
    {}, {"m": {"kind": "Sub"}}, {"hops": 1}, {"hops": 3, "m": {"kind": "Pub", "id": "7"}}, {"hops": 3}, {"hops": 120},
)  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)


def book(rows: int = 100) -> Book:
    found = Book(NAMES, labels=("Ack", "Carry"), states=("idle",), links=[("a", "b"), ("b", "c")], source=SOURCE)
    for i, fields in enumerate(CARRIED[:rows]):
        number, seq = found.send(1.0 + i, "a", "b", "Carry", **({"fields": fields} if fields else {}))
        found.write(1.5 + i, "receive", "b", "a", label="Carry", message=number, cause=seq)
        number, seq = found.send(1.7 + i, "b", "c", "Ack", fields={"hops": 5})
    return found


def traced(book: Book) -> Trace:
    return book.trace(parameters={"limit": 3})


RUN = Timeline(traced(book()))
CARRIES = np.arange(0, 2 * len(CARRIED), 2)


def test_the_first_matching_look_is_used_and_a_class_is_the_default() -> None:
    kinds = basic.frame(RUN, 99.0, animation=DRAWN)  # everything has arrived by then, but Acks are in transit
    assert set(kinds.flights.kind.tolist()) == {5}
    worn = worn_of(RUN, DRAWN)
    assert worn is not None
    assert [worn.looks[code] if code >= 0 else None for code in worn.code[CARRIES].tolist()] == [
        None, (0, ""), (2, ""), (1, "3"), (1, "3"), (1, ""),
    ]  # fmt: skip
    assert (worn.code[CARRIES + 1] == -1).all()
    assert letters_of(RUN, DRAWN, CARRIES) == ["R", "S", "R", "3", "3", ""]  # 120 does not fit
    assert [word_of(RUN, int(m), DRAWN) for m in CARRIES] == ["", "A subscription", "Under way", "Far", "Far", "Far"]


def test_colours_apply_in_the_network_the_diagram_and_lists() -> None:
    wanted = [3, 1, 2, 3, 3, 3]
    for i, kind in enumerate(wanted):
        flights = basic.frame(RUN, 1.25 + i, animation=DRAWN).flights
        assert flights.kind[flights.id == CARRIES[i]].tolist() == [kind]
    scene = spacetime.scene(RUN, fit(RUN), animation=DRAWN, rows=rows_of(RUN))
    assert dict(zip(scene.message.tolist(), scene.kind.tolist(), strict=True)) == {
        **dict(zip(CARRIES.tolist(), wanted, strict=True)), **dict.fromkeys((CARRIES + 1).tolist(), 5),
    }  # fmt: skip
    sends = [int(RUN.sends[m]) for m in CARRIES]
    assert [kind_at(RUN, seq, DRAWN) for seq in sends] == wanted
    assert [kind_at(RUN, int(RUN.receives[m]), DRAWN) for m in CARRIES] == wanted
    assert brief(RUN, sends[1], DRAWN) == "sends “A subscription” (hops=0, m=Sub) to b"
    assert brief(RUN, sends[1]) == "sends Carry(hops=0, m=Sub) to b"
    assert "A subscription" in sentence(RUN, int(RUN.receives[CARRIES[1]]), DRAWN)
    rows = {row.seq: row.look for row in step_frame(RUN, 99.0, animation=DRAWN, process=0).rows}
    assert [rows[seq] for seq in sends] == wanted


def test_the_legend_lists_and_counts_the_looks_that_occur() -> None:
    def told(timeline: Timeline, t: float) -> list[tuple[int, str, int | None]]:
        items = basic.frame(timeline, t, animation=DRAWN).legend
        return [(item.number, item.word, item.count) for item in items if item.sort == "message"]

    assert told(RUN, 2.2) == [
        (5, "Ack", 1), (3, "Under way", 0), (1, "A subscription", 1), (3, "Far", 0), (2, "Under way", 0),
    ]  # fmt: skip
    short = Timeline(traced(book(2)))
    assert [word for _, word, _ in told(short, 1.2)] == ["Ack", "Under way", "A subscription"]


def test_looks_grow_with_a_run_and_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from lydian.pieces import messagelooks

    whole = book()
    looked: list[str] = []
    found = messagelooks.Worn._found

    def counted(self: messagelooks.Worn, name: str, text: str) -> int:
        looked.append(text)
        return found(self, name, text)

    monkeypatch.setattr(messagelooks.Worn, "_found", counted)
    growing = Timeline(traced(book(1)))
    assert worn_of(growing, DRAWN) is not None
    trace = growing.trace
    for rows in (2, 4, 6):
        more = traced(book(rows))
        trace = Trace(
            rows=more.rows, processes=more.processes, labels=more.labels, states=more.states,
            detail_of=whole.details.get, experiment=more.experiment, network=more.network, summary=more.summary,
            source=more.source,
        )  # fmt: skip
        growing = Timeline(trace, growing)
        worn = worn_of(growing, DRAWN)
    assert worn is not None and worn.code.tolist() == worn_of(RUN, DRAWN).code.tolist()  # type: ignore[union-attr]
    assert len(looked) == len(set(looked)) == len(CARRIED)


def test_an_animation_without_message_looks_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:

    def never(*args: Any) -> Iterator[Any]:
        raise AssertionError("looked at the details")

    monkeypatch.setattr(messagelooks, "detail_texts", never)
    monkeypatch.setattr(messagelooks, "Worn", never)
    assert worn_of(RUN, Animation()) is None and worn_of(RUN, Animation(dresses=(Dress("Nobody", kind=1),))) is None
    assert basic.frame(RUN, 2.2, animation=Animation(messages=DRAWN.messages)).flights.kind.tolist() == [5, 3]


def test_the_page_has_the_look_of_each_message() -> None:
    data = page.run_data(RUN, DRAWN)
    looks = [(each["kind"], each["word"], each["letter"]) for each in data["worn"]]
    ids, worn = numbers(data["messages"]["id"]).tolist(), numbers(data["messages"]["worn"]).tolist()
    own = {i: looks[code] if code >= 0 else None for i, code in zip(ids, worn, strict=True)}
    assert [own[m] for m in CARRIES.tolist()] == [
        None, (1, "A subscription", "S"), (2, "Under way", "R"), (3, "Far", "3"), (3, "Far", "3"), (3, "Far", ""),
    ]  # fmt: skip
    entries = [(each["word"], each["parts"][0][1]) for each in data["legend"] if each["sort"] == "message"]
    assert [word for word, _ in entries] == ["Ack", "Under way", "A subscription", "Far", "Under way"]
    assert entries[0][1] is None and sorted(entries[3][1]) == [i for i, look in enumerate(looks) if look[1] == "Far"]
    plain = page.run_data(RUN, Animation())
    assert "worn" not in plain and "worn" not in plain["messages"]
    assert json.dumps(data) != json.dumps(plain)


def test_the_legend_has_one_entry_per_named_look() -> None:
    drawn = replace(DRAWN, messages={"Carry": 3, "Ack": 3}, kinds={3: "On the way"})
    each = [item for item in basic.frame(RUN, 2.2, animation=DRAWN).legend if item.sort == "message"]
    mine = [item for item in basic.frame(RUN, 2.2, animation=drawn).legend if item.sort == "message"]
    assert [(item.number, item.word) for item in mine] == [(3, "On the way"), (1, "A subscription"), (2, "Under way")]
    assert sum(item.count or 0 for item in mine) == sum(item.count or 0 for item in each)
    entries = [entry for entry in page.run_data(RUN, drawn)["legend"] if entry["sort"] == "message"]
    assert [entry["word"] for entry in entries] == [item.word for item in mine]
    assert len(entries[0]["parts"]) == 3 and entries[0]["parts"][0][1] is None
    for wrong, said in (({6: "x"}, "from 0 to 5"), ({1: ""}, "in common"), ([1], "must be a table")):
        with pytest.raises(BadInput, match=said):
            Animation(kinds=wrong)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_browser_draws_and_names_them(tmp_path: Path) -> None:
    assert "<b>4</b> of" in browsed(tmp_path, page.page(RUN, DRAWN), "t=2.2")


def test_columns_of_the_communication_view_are_ordered_by_class() -> None:
    assert communication.frame(RUN, 99.0, animation=DRAWN).labels == ("Ack", "Under way")


@pytest.mark.slow
def test_messages_of_systems_show_their_contents() -> None:
    def found(name: str) -> set[str]:
        run = Timeline(Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run().trace)
        each = replace(animation_for(run.trace), kinds={})
        legend = basic.frame(run, run.end / 2, animation=each).legend
        return {item.word for item in legend if item.sort == "message"}

    assert {"Subscription on its way", "Publication on its way"} <= found("chord-scribe")
    assert {"Gives way, no items", "Gives way, items"} <= found("mobile-dag")
    assert {"Publication for its child", "Publication at its level"} <= found("role-dht")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Dress("Carry", "time > 3"), "uses the time"),
        (lambda: Dress("Carry", "hops = 3"), "cannot be read"),
        (lambda: Dress("", kind=1), "must name a class of messages"),
        (lambda: Dress("Carry", kind=6), "a number from 0 to 5, not 6"),
        (lambda: Dress("Carry", letter="{hops"), 'one or two characters or "{field}"'),
        (lambda: Animation(dresses=("Carry",)), r"dresses must be a list of Dress\(...\)"),
    ],
)  # fmt: skip
def test_bad_declarations_are_one_error(make: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make()
