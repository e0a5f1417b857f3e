"""What messages carry: colour and letter of each value, lies, changes in transit, and what stays on the lanes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Carries, animation_for, decoded, encoded
from lydian.pieces.carries import NOTHING, Sign, carried_of, letter_of, signs_of
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.page import page
from lydian.views.time import spacetime
from lydian.views.time.axis import fit, rows_of
from lydian.views.words.values import SetOf
from tests.views.book import Book
from tests.views.page.test_page import numbers

SOURCE = """
from lydian import INIT, ANY, Message, Process, on, states

IDLE = states("idle")


class Order(Message):
    order: str
    round: int = 1


class Poll(Message):
    pass


class Ballot(Message):
    time: tuple[int, str]
"""
NAMES = ("a", "b", "c")
DRAWN = Animation(
    messages={"Order": 0, "Poll": 1, "Ballot": 2},
    carries=(
        Carries("order", colours={"attack": 4, "retreat": 1}, stays=True),
        Carries({"Ballot": "time", "Poll": "sender"}, word="ballot"),
    ),
)
ROOT = Path(__file__).resolve().parents[2]


def book() -> Book:
    found = Book(
        NAMES, labels=("Poll", "Order", "Ballot"), states=("idle",), links=[("a", "b"), ("b", "c")], source=SOURCE
    )

    def order(t: float, **detail: Any) -> None:
        number, seq = found.send(t, "a", "b", "Order", **detail)
        found.write(t + 0.5, "receive", "b", "a", label="Order", message=number, cause=seq)

    order(1, fields={"order": "attack"})
    order(2, fields={"order": "retreat"}, lied={"order": "attack"})
    order(3, fields={"order": "attack", "round": 7}, lied={"round": 2})
    order(4, fields={"order": "abort"}, babbled=True)
    found.send(5, "b", "c", "Poll")
    found.send(5, "b", "c", "Ballot", fields={"time": [3, "b"]})
    return found


RUN = Timeline(book().trace())


def signs(run: Timeline, animation: Animation = DRAWN, k: int | None = None) -> list[Sign | None]:
    all_of, code = signs_of(run, animation, np.arange(run.m_messages), k)
    return [all_of[each] if each >= 0 else None for each in code.tolist()]


def test_values_have_letters_and_colours_and_lies_have_two() -> None:
    assert signs(RUN) == [
        Sign(0, "A", 4, "attack"),
        Sign(0, "R", 1, "retreat", True, "A", 4, "attack"),
        Sign(0, "A", 4, "attack", True),  # the lie is about the round
        Sign(0, "Ab", 2, "abort", True, "–"),  # nobody asked for it; "A" is taken
        Sign(1, "b", 1, "b"),
        Sign(1, "3.b", 3, "(3, b)"),
    ]


def test_a_forged_message_says_what_nobody_meant() -> None:
    run = book()
    number = run.sent
    run.sent += 1
    run.write(6, "inject", "a", "b", label="Order", message=number, fields={"order": "attack"})
    assert signs(Timeline(run.trace()))[-1] == Sign(0, "A", 4, "attack", True, "–")


def test_a_message_that_is_changed_in_transit_becomes_a_lie_at_that_event() -> None:
    run = Book(NAMES, labels=("Order",), states=("idle",), links=[("a", "b")], source=SOURCE)
    number, seq = run.send(1, "a", "b", "Order", fields={"order": "attack"})
    changed = run.write(
        2, "corrupt", "a", "b", label="Order", message=number,
        fields={"order": "retreat", "round": 1}, was={"order": "attack"},
    )  # fmt: skip
    run.write(3, "receive", "b", "a", label="Order", message=number, cause=seq)
    timeline = Timeline(run.trace())
    assert signs(timeline, k=changed) == [Sign(0, "A", 4, "attack")]
    assert signs(timeline) == [Sign(0, "R", 1, "retreat", True, "A", 4, "attack")]


def test_looks_do_not_depend_on_how_a_run_grows() -> None:
    whole = book()
    trace = whole.trace()
    growing: Timeline | None = None
    for length in range(1, len(trace) + 1):
        part = Trace(
            rows=trace.rows[:length], processes=trace.processes, labels=trace.labels, states=trace.states,
            detail_of=whole.details.get, experiment=trace.experiment, network=trace.network, summary=trace.summary,
            source=trace.source,
        )  # fmt: skip
        growing = Timeline(part, growing)
        carried_of(growing, DRAWN)
    assert growing is not None and signs(growing) == signs(RUN)


def test_lies_without_a_declared_value_show_the_first_false_field() -> None:
    run = book()
    number = run.sent
    run.sent += 1
    run.write(6, "corrupt", "a")  # a run without any fault is not read
    run.write(6, "inject", "a", "b", label="Poll", message=number)
    timeline = Timeline(run.trace())
    drawn = Animation().completed(timeline.states, timeline.labels)
    assert signs(timeline, drawn) == [
        None,
        Sign(0, "R", 0, "retreat", True, "A", 1, "attack"),
        Sign(0, "7", 2, "7", True, "2", 2, "2"),
        Sign(0, "Ab", 4, "abort", True, "–"),
        None,
        None,
        Sign(0, "P", 0, "Poll", True, "–"),
    ]
    words = [item.word for item in basic.frame(timeline, 2.2, animation=drawn).legend if isinstance(item.look, Sign)]
    assert words == ["a lie: said R, true A", "forged: says P"]
    assert carried_of(RUN, drawn) is None  # nothing in it can have made a message false
    assert drawn.completed((), ()).carries == drawn.carries


def test_an_animation_without_values_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from lydian.pieces import messagelooks

    def never(*_: Any) -> None:
        raise AssertionError("looked at the details")

    monkeypatch.setattr(messagelooks, "detail_texts", never)
    assert carried_of(RUN, Animation()) is None
    assert not basic.frame(RUN, 2.2, animation=Animation()).carries


def test_the_last_value_stays_on_a_lane_until_the_next_message() -> None:
    def stays(t: float) -> list[tuple[int, int, str]]:
        said = basic.frame(RUN, t, animation=DRAWN).carries[0]
        rows = zip(said.source.tolist(), said.target.tolist(), said.sign.tolist(), strict=True)
        return [(a, b, said.signs[code].letter) for a, b, code in rows]

    assert [stays(t) for t in (1.2, 1.7, 2.2, 2.7)] == [[], [(0, 1, "A")], [], [(0, 1, "R")]]
    quiet = Animation(messages=DRAWN.messages, carries=Carries("order"))
    assert not len(basic.frame(RUN, 1.7, animation=quiet).carries[0].source)


def test_the_frame_has_the_sign_of_each_message_in_transit() -> None:
    frame = basic.frame(RUN, 5.1, animation=DRAWN)
    said = frame.carries[0]
    assert [said.signs[code].letter for code in said.flying.tolist()] == ["b", "3.b"]


def test_the_legend_lists_values_and_an_example_of_a_lie() -> None:
    items = basic.frame(RUN, 2.2, animation=DRAWN).legend
    assert [(item.sort, item.word, item.look.letter) for item in items if isinstance(item.look, Sign)] == [
        ("carries", "attack", "A"), ("carries", "retreat", "R"), ("carries", "abort", "Ab"),
        ("lie", "a lie: said R, true A", "R"), ("lie", "forged: says Ab", "Ab"),
        ("carries", "ballot: (3, b)", "3.b"), ("carries", "ballot", "b"),
    ]  # fmt: skip
    assert all(item.look is True for item in items if item.sort == "message")  # their colour says what they carry
    many = Animation(carries=Carries("order + str", words={"none": "?"}))
    assert basic.frame(RUN, 2.2, animation=many).legend


def test_the_diagram_and_the_page_have_the_same_signs() -> None:
    scene = spacetime.scene(RUN, fit(RUN), animation=DRAWN, rows=rows_of(RUN))
    wanted = signs(RUN)
    assert [scene.signs[code] for code in scene.sign.tolist()] == wanted
    assert scene.hue.tolist() == [sign.colour for sign in wanted if sign is not None]
    by_sender = spacetime.scene(RUN, fit(RUN), animation=DRAWN, rows=rows_of(RUN), color="sender")
    assert by_sender.hue.tolist() == [0, 0, 0, 0, 1, 1]
    told = page.run_data(RUN, DRAWN)["pieces"]["carries"]
    assert [told[0]["signs"][code]["letter"] for code in numbers(told[0]["said"]).tolist()] == [
        sign.letter for sign in wanted if sign is not None
    ]
    stay = {sign["letter"] for sign in told[0]["signs"] if sign["stays"]}
    assert stay == {"A", "R", "Ab"} and len(told) == 1


@pytest.mark.parametrize(
    ("value", "letter"),
    [
        (None, "–"), (True, "Y"), (False, "N"), (7, "7"), (1234, "…34"), ("p12", "p12"), ("attack", "A"),
        ((2, "1"), "2.1"), ((12, "abc"), "12"), (SetOf(("b", "a")), "ab"), (SetOf("abcde"), "5"), (frozenset(), "0"),
    ],
)  # fmt: skip
def test_letters_are_short(value: object, letter: str) -> None:
    assert letter_of(value) == letter


def test_letters_of_different_values_differ() -> None:
    assert letter_of("retreat", {"R"}) == "Re"
    assert letter_of("retreat", {"R", "Re"}) == "Ret"


def test_numbers_and_processes_keep_their_colours_and_nothing_is_grey() -> None:
    drawn = Animation(carries=Carries({"Order": "round", "Poll": "receiver", "Ballot": "None"}))
    assert [(sign.letter, sign.colour) for sign in signs(RUN, drawn) if sign is not None] == [
        ("1", 1), ("1", 1), ("7", 2), ("1", 1), ("c", 2), ("–", NOTHING),
    ]  # fmt: skip
    some = Animation(carries=Carries({"Order": 'order if round > 1 else ""'}))
    assert [sign is not None for sign in signs(RUN, some)] == [False, False, True, False, False, False]


def test_a_declaration_survives_another_process() -> None:
    assert decoded(encoded(DRAWN.carries)) == DRAWN.carries


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Carries("order ="), "cannot be read"),
        (lambda: Carries(7), "value must be a table"),
        (lambda: Carries({"Order": 7}), "value must be an expression"),
        (lambda: Carries("order", colours={"attack": 6}), "a number from 0 to 5, not 6"),
        (lambda: Carries("order", letters={"attack": "long"}), "one to 3 characters"),
        (lambda: Carries("order", words=["attack"]), "words must be a table"),
    ],
)  # fmt: skip
def test_bad_declarations_are_one_error(make: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("byzantine-generals", {"A", "R"}), ("paxos", {"1.0"}), ("raft", {"1", "–"}), ("chang-roberts", {"8"}),
        ("two-phase-commit", {"Y", "C"}), ("lamport-mutex", {"1"}),
    ],
)  # fmt: skip
def test_protocols_of_the_archive_show_what_decides(name: str, wanted: set[str]) -> None:
    archive = Archive(None, ROOT)
    run = Timeline(Simulator(archive.experiment(name).resolve(archive)).run().trace)
    animation = animation_for(run.trace)
    assert animation.problem is None
    assert wanted <= {sign.letter for sign in signs(run, animation) if sign is not None}
