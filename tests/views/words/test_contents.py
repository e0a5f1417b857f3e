"""The contents of messages, wherever they are named, and the filters that select them."""

from __future__ import annotations

import numpy as np
import pytest

from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views.others.step import frame as step_frame
from lydian.views.words.contents import cited, contents, falsehood
from lydian.views.words.filter import FilterError, parse
from lydian.views.words.sentence import explain, line, sentence
from lydian.views.words.values import SetOf, typed, value_text
from lydian.views.words.words import brief
from tests.views.book import Book

SOURCE = '''"""Say."""
from lydian import Command, Message, Process, on, states

IDLE, BUSY = states("idle", "busy")


class Echo(Message):
    value: str
    path: tuple[str, ...] = ()
    round: int = 1


class Ask(Command):
    known: set[int] = set()


class Say(Process):
    state = IDLE

    @on(IDLE, Echo)
    def hear(self, m, q):
        """It hears."""
'''
WORDS = Animation()


def run() -> Timeline:
    """1 sends the truth, 2 lies, 3's message is corrupted in transit, and 4's second one is lost."""
    b = Book(("1", "2", "3", "4", "5"), labels=("Echo", "Ask"), states=("idle", "busy"), source=SOURCE)
    b.write(0, "command", "1", label="Ask", fields={"known": [3, 5]})
    b.send(0, "1", "5", "Echo", 0, fields={"value": "retreat"})
    b.write(1, "receive", "5", "1", label="Echo", message=0, cause=1)
    b.send(1, "2", "5", "Echo", 0, fields={"value": "retreat", "path": ["2", "1"]}, lied={"value": "attack"})
    b.write(2, "receive", "5", "2", label="Echo", message=1, cause=3)
    b.send(2, "3", "5", "Echo", 0, fields={"value": "attack", "round": 2})
    b.write(2.5, "corrupt", "3", "5", label="Echo", fields={"value": "retreat", "round": 7}, was={"round": 2})
    b.send(3, "4", "5", "Echo", 0, fields={"value": "attack"})
    b.write(4, "drop", "5", "4", label="Echo", message=3, cause=7, reason="loss")
    return Timeline(b.trace())


RUN = run()


def test_a_message_is_named_with_its_contents() -> None:
    assert contents(RUN, 2) == {"value": "retreat", "round": 1}
    assert sentence(RUN, 2, WORDS) == "Process 5 receives Echo(value=retreat, round=1) from 1 and is still idle."
    assert brief(RUN, 2) == "receives Echo(value=retreat, round=1) from 1"
    assert "receives Echo(value=retreat, round=1) from 1" in line(RUN, 2)
    assert explain(RUN, 2, WORDS).startswith("Process 5 receives Echo(value=retreat, round=1) from 1 while it is idle.")
    assert "<b>Echo</b>(value=retreat" in sentence(RUN, 2, WORDS, rich=True)
    assert brief(RUN, 0) == "command Ask(known={3, 5})"
    assert sentence(RUN, 8, WORDS) == "The message Echo(value=attack, round=1) from 4 to 5 is lost on the way."
    last = step_frame(RUN, 1.5, process=4, animation=WORDS).lasts[0]
    assert last.text == "Echo(value=retreat, round=1) from 1 at 1.00"


def test_a_name_of_several_words_is_in_quotation_marks() -> None:
    words = Animation(labels={"Echo": "Here it is!", "Ask": "Ask all"})
    told = "Process 5 receives “Here it is!” (value=retreat, round=1) from 1 and is still idle."
    assert sentence(RUN, 2, words) == told
    assert "<b>“Here it is!”</b> (value=retreat" in sentence(RUN, 2, words, rich=True)
    assert brief(RUN, 0, words) == "command “Ask all” (known={3, 5})"
    assert [cited(word, {}) for word in ("Ack", "Pre-commit", "Link?", "")] == ["Ack", "Pre-commit", "“Link?”", ""]


def test_a_lie_is_shown_with_the_truth() -> None:
    assert brief(RUN, 4) == (
        "receives Echo(value=retreat, path=(2, 1), round=1) from 2 (a lie: the truth is value=attack)"
    )
    assert "from 2 (a lie: the truth is value=attack)" in sentence(RUN, 4, WORDS)
    assert sentence(RUN, 3, WORDS) == (
        "Process 2 lies: it sends Echo(value=retreat, path=(2, 1), round=1) to 5; the truth is value=attack."
    )
    assert falsehood(RUN, 2) == ""


def test_a_corrupted_message_shows_what_arrives() -> None:
    b = Book(("1", "2"), labels=("Echo",), states=("idle",), source=SOURCE)
    b.send(0, "1", "2", "Echo", 0, fields={"value": "x", "round": 2})
    b.write(1, "corrupt", "1", "2", label="Echo", message=0, fields={"value": "x", "round": 7}, was={"round": 2})
    b.write(2, "receive", "2", "1", label="Echo", message=0, cause=0)
    run = Timeline(b.trace())
    assert brief(run, 0) == "sends Echo(value=x, round=2) to 2"
    assert brief(run, 2) == "receives Echo(value=x, round=7) from 1 (changed on its way: round 2 → 7)"


def chosen(text: str) -> list[int]:
    found = parse(text, RUN)
    assert str(parse(str(found))) == str(found)
    return np.flatnonzero(found.select(RUN)).tolist()


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("value=retreat", [1, 2, 3, 4, 6]),
        ("value!=retreat", [5, 7, 8]),
        ("Echo.value=RETREAT kind=receive", [2, 4]),
        ("message.round>1", [5, 6]),
        ("message.round=2..9 or known={3,5}", [0, 5, 6]),
        ('path="(2, 1)"', [3, 4]),
        ("not value=retreat p=1", [0]),
    ],
)
def test_filters_use_fields(text: str, events: list[int]) -> None:
    assert chosen(text) == events


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("valeu=retreat", "there is no key 'valeu'.*'value'"),
        ("Echo.valeu=1", "Echo has no field 'valeu'.*'value'"),
        ("Eco.value=1", "there is no message 'Eco'.*'Echo'"),
        ("value<retreat", "value< must be followed by a number"),
        ("value=", "a value is missing after value="),
    ],
)
def test_filters_with_invalid_fields(text: str, what: str) -> None:
    with pytest.raises(FilterError, match=what):
        parse(text, RUN)


def test_values_have_their_declared_types() -> None:
    kinds = {
        "set[str]": "{3, 5}", "tuple[str, str]": "(3, 5)", "list[str]": "[3, 5]", "frozenset[str] | None": "{3, 5}",
        "Optional[tuple[str, ...]]": "(3, 5)", "": "[3, 5]",
    }  # fmt: skip
    assert {kind: value_text(typed(["3", "5"], kind)) for kind in kinds} == kinds
    assert value_text(typed([[1, "a"]], "list[tuple[int, str]]")) == "[(1, a)]"
    assert value_text(typed({"a": [1]}, "dict[str, set[int]]")) == "{a: {1}}"
    assert typed(["3"], "set[str]") == SetOf(("3",))
    assert value_text({"kind": "Publish", "topic": "a"}) == "Publish(topic=a)"
    assert value_text({"('0', '1')": 3}) == "{(0, 1): 3}"


def test_a_lie_is_named_in_the_explanation_of_its_action() -> None:
    b = Book(("2", "5"), labels=("Echo", "Ask"), states=("idle", "busy"), source=SOURCE)
    b.write(0, "command", "2", label="Ask")
    b.send(0, "2", "5", "Echo", 0, fields={"value": "retreat"}, lied={"value": "attack"})
    b.send(0, "2", "5", "Echo", 0, fields={"value": "attack"})
    assert explain(Timeline(b.trace()), 0, WORDS).endswith(
        "it sends Echo(value=retreat, round=1) (a lie: the truth is value=attack) to 5 "
        "and sends Echo(value=attack, round=1) to 5."
    )
