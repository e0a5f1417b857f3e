"""Explanations of every event, in the protocol's own words."""

from __future__ import annotations

import re

import pytest

from lydian.model.errors import BadInput
from lydian.model.interventions import HONEST_AGAIN, HOWS
from lydian.pieces.animation import Animation, animation_for
from lydian.trace.timeline import Timeline
from lydian.views.words.reasons import action_of, effects, steps
from lydian.views.words.sentence import explain
from lydian.views.words.source import read
from lydian.views.words.words import brief
from tests.views.book import SOURCE, Book, echo

WORDS = Animation(words={"sleeping": "asleep"})
TOLD = SOURCE.replace(
    "    def again(self, m, q):\n        pass",
    '    def again(self, m, q):\n        """It has heard the news before\n        and only answers.  Not the first."""',
)


def book(source: str = TOLD) -> Book:
    b = Book(("3", "5", "6"), links=[("3", "5"), ("5", "6")], labels=("Broadcast", "Ack", "Retry"), source=source)
    b.write(0, "init", "3", state="initiating", changed={"pending": ["5"]}, busy=0.5)
    b.send(0.5, "3", "5", "Broadcast", 0)
    b.write(1, "receive", "5", "3", label="Broadcast", state="waiting", cause=1, message=0, changed={"parent": "3"})
    b.send(1, "5", "6", "Broadcast", 2)
    b.write(1, "deliver", "5", cause=2, value="good news")
    b.write(2, "receive", "5", "6", label="Broadcast", cause=3, waited=0.25)
    b.send(2.5, "5", "6", "Ack", 5)
    b.write(3, "timer", "6", label="Retry")
    b.write(4, "crash", "5")
    b.write(4.5, "drop", "6", "5", label="Ack", message=2, cause=6, reason="loss")
    return b


TELLS = {
    0: "Process 3 starts while it is asleep. It is now initiating; pending is now {5}; "
    "at time 0.5 it sends Broadcast to 5.",
    1: "Process 3 sends Broadcast to 5, because at time 0 it starts while it is asleep.",
    2: "Process 5 receives Broadcast from 3 while it is asleep. It is now waiting; parent is now 3; "
    "it sends Broadcast to 6 and delivers “good news”.",
    4: "Process 5 delivers “good news”, because at time 1 it receives Broadcast from 3 while it is asleep.",
    5: "Process 5 receives Broadcast from 6 after a wait of 0.25 while it is waiting. It has heard the news before "
    "and only answers. It is still waiting; at time 2.5 it sends Ack to 6.",
    6: "Process 5 sends Ack to 6, because at time 2 it receives Broadcast from 6 while it is waiting. "
    "It has heard the news before and only answers.",
    7: "Process 6 responds to its timer Retry while it is asleep. Nothing changes.",
    8: "Process 5 crashes while it is waiting.",
    9: "The message Ack from 5 to 6 is lost on the way. It was sent at time 2.5.",
}  # fmt: skip


def lying() -> Book:
    """Return a run in which process 5 is Byzantine from its second event on."""
    b = Book(("3", "5", "6"), links=[("3", "5"), ("5", "6")], labels=("Broadcast", "Ack"), source=TOLD)
    b.write(0, "init", "3", state="initiating")
    b.write(0, "corrupt", "5", byzantine="mute", text=HOWS["mute"].begins)
    b.send(0, "3", "5", "Broadcast", 0)
    b.write(1, "receive", "5", "3", label="Broadcast", state="waiting", cause=2, message=0)
    b.write(1, "note", "5", "6", label="Broadcast", cause=3, text="is silent: Broadcast to 6 is not sent", mute=True)
    b.send(1, "5", "6", "Ack", 3, babbled=True)
    b.write(1, "note", "5", cause=3, text="shows x = 2 to 3 and 6", shown={"x": 2})
    b.write(2, "corrupt", "5", byzantine=None, text=HONEST_AGAIN)
    return b


LIES = {
    1: ("Process 5 falls silent: it acts, but nothing that it sends leaves.", "falls silent"),
    4: ("Process 5 is silent: it does not send Broadcast to 6. It should, because at time 1 it receives Broadcast "
        "from 3 while it is asleep.", "is silent: Broadcast to 6 is not sent"),
    5: ("Process 5 babbles: it sends Ack to 6, which its protocol does not ask for.", "babbles: sends Ack to 6"),
    6: ("Process 5 shows x = 2 to 3 and 6.", "shows x = 2 to 3 and 6"),
    7: ("Process 5 is honest again.", "is honest again"),
}  # fmt: skip


def test_a_byzantine_process_acts_against_its_protocol_not_because_of_it() -> None:
    timeline = Timeline(lying().trace())
    assert {seq: (explain(timeline, seq, WORDS), brief(timeline, seq, WORDS)) for seq in LIES} == LIES


def test_events_and_their_reasons() -> None:
    timeline = Timeline(book().trace())
    assert {seq: explain(timeline, seq, WORDS) for seq in TELLS} == TELLS


def test_effects_belong_to_their_action() -> None:
    timeline = Timeline(book().trace())
    assert [action_of(timeline, seq) for seq in range(10)] == [-1, 0, -1, 2, 2, -1, 5, -1, -1, -1]
    assert effects(timeline, 2).tolist() == [3, 4]
    assert effects(timeline, 7).tolist() == []
    assert steps(timeline).tolist() == [0, 2, 5, 7, 8, 9]


def test_a_phrase_of_the_animation_takes_precedence_over_the_docstring() -> None:
    phrases = {
        ("waiting", "Broadcast"): "From {peer}, but its parent is {parent}.",
        ("sleeping", "INIT"): "Off it goes.",
    }
    animation = Animation(phrases=phrases)
    timeline = Timeline(book().trace())
    assert "From 6, but its parent is 3. It is still" in explain(timeline, 5, animation)
    assert "Off it goes." in explain(timeline, 0, animation)
    assert "It has heard the news before and only answers." in explain(timeline, 5, Animation())


@pytest.mark.parametrize(
    ("phrases", "what"),
    [
        ({"waiting": "x"}, r'phrases must have keys such as \("waiting", "Ack"\)'),
        ({("waiting", "Ack"): "{peer"}, "must be a sentence with placeholders"),
        ({("waiting", "Ack"): 3}, "must be a sentence with placeholders"),
        ([], "phrases must be a table"),
    ],
)
def test_invalid_phrases(phrases: object, what: str) -> None:
    with pytest.raises(BadInput, match=what):
        Animation(phrases=phrases)  # type: ignore[arg-type]


def test_rich_explanations_are_escaped_and_use_the_same_words() -> None:
    b = book(TOLD.replace("and only answers", "a < b"))
    timeline = Timeline(b.trace())
    rich = explain(timeline, 5, WORDS, rich=True)
    assert "<b>Process 5</b>" in rich
    assert "a &lt; b" in rich


def test_a_foreign_log_gives_no_reasons() -> None:
    timeline = Timeline(book("").trace(imported={"ours": False}))
    assert explain(timeline, 6, WORDS) == "Process 5 sends Ack to 6."
    assert steps(timeline).tolist() == list(range(10))


def test_every_event_of_a_run_is_explained() -> None:
    timeline = Timeline(echo())
    animation = animation_for(timeline.trace)
    for seq in range(timeline.length):
        said = explain(timeline, seq, animation)
        assert re.fullmatch(r"[A-Z][^\n]+\.", said), said
        assert ".." not in said
    with pytest.raises(IndexError, match="the trace has 94 events"):
        explain(timeline, 94, animation)


def test_every_effect_of_a_run_is_described_once() -> None:
    timeline = Timeline(echo())
    told = [row for seq in steps(timeline).tolist() for row in effects(timeline, seq).tolist()]
    assert sorted([*told, *steps(timeline).tolist()]) == list(range(timeline.length))


@pytest.mark.parametrize(
    ("doc", "first"),
    [
        ("One. Two.", "One."),
        ("No stop", "No stop."),
        ("Version 1.5 is new. More.", "Version 1.5 is new."),
        ("Two\n    lines.\n\n    More.", "Two lines."),
        ("", ""),
    ],
)
def test_the_first_sentence_of_a_docstring(doc: str, first: str) -> None:
    source = f'from lydian import *\nclass P(Process):\n    @on(ANY, M)\n    def f(self, m, q):\n        """{doc}"""\n'
    action = read(source).action("x", "M")
    assert action is not None
    assert action.doc == first


def test_details_of_foreign_logs_may_be_anything() -> None:
    b = Book(("3", "5"), links=[])
    b.write(1, "receive", "5", "3", label="Ack", changed=5, fields=["x"])
    assert (
        explain(Timeline(b.trace()), 0, WORDS) == "Process 5 receives Ack from 3 while it is asleep. Nothing changes."
    )
