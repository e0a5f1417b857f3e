"""Every event of a trace in words."""

from __future__ import annotations

import html
import re

import pytest

from lydian.trace.events import KINDS
from lydian.trace.timeline import Timeline
from lydian.views.words.sentence import closing, line, opening, sentence
from lydian.views.words.values import typed
from lydian.views.words.words import brief, joined, number, plural, value_text
from tests.views.book import Book, echo


class Plain:
    """Words as in the protocol, except one."""

    def word(self, state: str) -> str:
        return "asleep" if state == "sleeping" else state

    def label(self, label: str) -> str:
        return label


WORDS = Plain()


def told(book: Book, seq: int = -1, *, rich: bool = False, **summary: object) -> str:
    trace = book.trace(**summary)
    return sentence(Timeline(trace), len(trace) - 1 if seq < 0 else seq, WORDS, rich=rich)


def book(*names: str) -> Book:
    return Book(
        names or ("3", "5", "6", "9"), links=[("3", "5"), ("5", "6")], labels=("Broadcast", "Ack", "Retry", "Ask")
    )


def test_a_receive_that_changes_nothing() -> None:
    b = book()
    b.write(1, "receive", "5", "3", label="Broadcast", state="waiting")
    b.write(2, "receive", "5", "6", label="Broadcast")
    assert told(b) == "Process 5 receives Broadcast from 6 and is still waiting."


def test_a_receive_that_changes_state_and_variables() -> None:
    b = book()
    b.write(1, "receive", "5", "6", label="Broadcast", state="waiting", changed={"parent": "6"})
    assert told(b) == "Process 5 receives Broadcast from 6 and is now waiting; parent is now 6."


def test_sets_are_written_as_sets_and_long_lists_are_cut() -> None:
    b = book()
    b.write(1, "receive", "5", "6", label="Ack", changed={"pending": ["3", "9"], "parent": None})
    assert told(b) == "Process 5 receives Ack from 6 and is still asleep; pending is now {3, 9} and parent is now none."
    b.write(2, "receive", "5", "6", label="Ack", changed={"pending": []})
    assert told(b).endswith("pending is now empty.")
    b.write(3, "receive", "5", "6", label="Ack", changed={f"v{i}": i for i in range(6)})
    assert told(b).endswith("v3 is now 3 and 2 more variables change.")
    b.write(4, "receive", "5", "6", label="Ack", changed={f"v{i}": i for i in range(5)})
    assert told(b).endswith("v3 is now 3 and 1 more variable changes.")


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        ("crash", "is lost: process 5 has crashed."),
        ("link down", "is lost: the link between them is down."),
        ("loss", "is lost on the way."),
        (None, "is lost on the way."),
        ("dropped", "is removed on purpose."),
        ("no room", "is lost: no room."),
    ],
)
def test_a_lost_message_gives_the_reason(reason: str | None, end: str) -> None:
    b = book()
    b.write(1, "drop", "5", "3", label="Ack", **({"reason": reason} if reason else {}))
    assert told(b) == f"The message Ack from 3 to 5 {end}"


def every_kind() -> Book:
    b = book()
    b.write(0, "init", "3", state="initiating", changed={"pending": ["5"]})
    b.send(0, "3", "5", "Broadcast", 0, fields={"payload": "hello"})
    b.write(1, "receive", "5", "3", label="Broadcast", state="waiting", cause=1)
    b.write(1, "drop", "9", "5", label="Ack", reason="crash")
    b.write(2, "timer", "5", label="Retry")
    b.write(2, "command", "5", label="Ask", state="acked")
    b.write(3, "rule", "6", label="Retry", state="waiting")
    b.write(3, "deliver", "6", value="hello")
    b.write(3, "decide", "6", value=True)
    b.write(3, "note", "6", text="now I know")
    b.write(4, "crash", "9")
    b.write(5, "recover", "9")
    b.write(6, "link_down", "3", "5")
    b.write(6, "link_up", "3", "5")
    b.write(7, "corrupt", "5", changed={"parent": "9"})
    b.write(7, "inject", "6", "5", label="Ack")
    b.write(8, "error", "5", text="echo.py, line 30: 9 was not expected")
    b.write(8, "print", "5", text="n = 3")
    b.write(8, "timer_set", "5", label="Retry", rings=9.5)
    b.write(8, "timer_cancel", "5", label="Retry", rings=9.5)
    b.write(8, "intervene", "5", do="release", process="5")
    return b


EVERY = (
    "Process 3 starts and is now initiating; pending is now {5}.",
    "Process 3 sends Broadcast(payload=hello) to 5.",
    "Process 5 receives Broadcast from 3 and is now waiting.",
    "The message Ack from 5 to 9 is lost: process 9 has crashed.",
    "Process 5 responds to its timer Retry and is still waiting.",
    "Process 5 receives the command Ask and has now acknowledged.",
    "Process 6 executes Retry: it is now waiting.",
    "Process 6 delivers hello.",
    "Process 6 decides yes.",
    "Process 6 notes: “now I know”.",
    "Process 9 crashes.",
    "Process 9 recovers and is now asleep.",
    "The link between 3 and 5 goes down.",
    "The link between 3 and 5 comes up again.",
    "A fault changes process 5: parent is now 9.",
    "A fault injects the message Ack from 6 to 5.",
    "Process 5 fails: echo.py, line 30: 9 was not expected.",
    "Process 5 prints “n = 3”.",
    "Process 5 sets its timer Retry to expire at time 9.5.",
    "Process 5 cancels its timer Retry, which was due at time 9.5.",
    "Process 5 acts on its own again.",
)


def test_an_intervention_is_described_from_its_record() -> None:
    b = book()
    b.write(1, "intervene", "5", do="take_over", process="5")
    assert told(b) == "Process 5 taken over: its steps are chosen by hand."
    assert brief(Timeline(b.trace()), 0, WORDS) == "is taken over"
    b.write(2, "intervene", "5", do="retime", process="5", distribution="constant(2)")
    assert told(b) == "A step of process 5 now takes constant(2)."
    b.write(3, "intervene", "5", "6", do="retime", link="5-6", distribution="constant(2)")
    assert told(b) == "Link 5-6 now has the delay constant(2)."
    b.write(4, "intervene", "5", "6", label="Ack", do="delay", delay=2.0, later=2.0)
    assert told(b) == "A fault delays the message Ack from 5 to 6: it takes 2 time units longer."


def test_all_kinds() -> None:
    b = every_kind()
    timeline = Timeline(b.trace())
    assert tuple(timeline.trace.event(seq).kind for seq in range(len(KINDS))) == KINDS
    assert tuple(sentence(timeline, seq, WORDS) for seq in range(len(KINDS))) == EVERY


def test_rich_text_is_the_same_sentence_with_bold_words() -> None:
    timeline = Timeline(every_kind().trace())
    for seq, plain in enumerate(EVERY):
        rich = sentence(timeline, seq, WORDS, rich=True)
        assert "<b>" in rich
        assert html.unescape(re.sub("</?b>", "", rich)) == plain


def test_rich_text_escapes_the_output_of_processes() -> None:
    b = book()
    b.write(1, "note", "5", text="a < b & c")
    assert "a &lt; b &amp; c" in told(b, rich=True)
    assert "a < b & c" in told(b)


def test_a_duplication_fault() -> None:
    b = book()
    b.write(1, "inject", "6", "5", label="Ack", copy_of=7)
    assert told(b) == "A fault duplicates the message Ack from 6 to 5."


def test_a_fault_that_changes_the_state() -> None:
    b = book()
    b.write(1, "corrupt", "5", state="acked")
    assert told(b) == "A fault changes process 5: it has now acknowledged."


def test_every_event_of_a_run_has_one_sentence() -> None:
    timeline = Timeline(echo())
    for seq in range(len(timeline.trace)):
        said = sentence(timeline, seq, WORDS)
        assert re.fullmatch(r"[A-Z][^\n]+\.", said), said
        assert timeline.trace.event(seq).process in said.replace(".", " ").split()


@pytest.mark.parametrize("seq", [-1, 94, 1000])
def test_an_unknown_event(seq: int) -> None:
    with pytest.raises(IndexError, match="the trace has 94 events"):
        sentence(Timeline(echo()), seq, WORDS)


def test_the_sentence_before_the_first_event() -> None:
    timeline = Timeline(echo())
    assert opening(timeline) == "Echo on two-wings: 12 processes and 17 links."
    about = "Process 0 tells all the others,\n and wants to know when everybody has heard. More text."
    expected = "Process 0 tells all the others, and wants to know when everybody has heard."
    assert opening(timeline, {"about": about}) == expected
    assert opening(timeline, {"about": "it just runs"}) == "it just runs."
    for where in ("/tmp/nets/five.json", "./five.json"):
        assert opening(timeline, {"protocol": "echo", "network": where}).startswith("Echo on five: 12 processes")
    alone = Timeline(Book(("0",), links=[]).trace())
    assert opening(alone) == "Echo on two-wings: 1 process."


def test_the_sentence_after_the_last_event() -> None:
    timeline = Timeline(echo())
    assert closing(timeline) == f"Everybody has heard; 46 messages, time {timeline.end:.1f}."


def run(stopped: str | None, *, checks: object = (), error: str | None = None) -> str:
    b = book()
    b.write(0, "init", "3", state="initiating")
    b.send(1.5, "3", "5", "Broadcast", 0)
    summary = {"checks": checks, "error": error} | ({} if stopped is None else {"stopped": stopped})
    return closing(Timeline(b.trace(**summary)))


def check(name: str, holds: bool | None, kind: str = "at_end") -> dict[str, object]:
    return {"name": name, "kind": kind, "holds": holds, "at": 1}


def test_closing_sentences_and_their_plurals() -> None:
    assert run(None) == "So far: 1 message, time 1.5."
    assert closing(Timeline(book().trace(imported={}))) == "The log ends: 0 messages, time 0.0."
    assert run("until") == "Time is up; 1 message, time 1.5, 1 message still on its way."
    assert run("limit").startswith("The limit is reached after 2 events; 1 message")
    assert run("quiescent").startswith("Nothing is left to do; 1 message")
    assert run("error", error="echo.py, line 3: no.") == "The run failed: echo.py, line 3: no; 1 message, time 1.5."
    two = [check("everybody has heard", True), check("the parents form a tree", True, "eventually")]
    assert run("quiescent", checks=two).startswith("Everybody has heard, and the parents form a tree; ")
    again = [two[0], check("when nothing is under way, everybody has heard", True)]
    assert run("quiescent", checks=again).startswith("Everybody has heard; ")
    assert run("quiescent", checks=[*two, check("all is well", True)]).startswith("All 3 goals are reached; ")
    done = {"stopped": "quiescent", "checks": two}
    empty = Timeline(book().trace(**done, decided={"0": "everybody knows", "1": "everybody knows"}))
    assert closing(empty) == "Everybody knows; 0 messages, time 0.0."
    for decided in ({"0": "7"}, {"0": "a b", "1": "a c"}, {}, None):
        assert closing(Timeline(book().trace(**done, decided=decided))).startswith(
            "Everybody has heard, and the parents"
        )
    bad = [check("everybody has heard", False)]
    assert run("quiescent", checks=bad).startswith("Nothing is left to do, but “everybody has heard” does not hold; ")
    assert run("violation", checks=bad).startswith(
        "Stopped at the first violation: “everybody has heard” does not hold"
    )
    assert "“a” and “b” do not hold" in run("until", checks=[check("a", False), check("b", False), check("c", None)])
    four = run("until", checks=[check(name, False) for name in "abcd"])
    assert four.startswith("Time is up: “a”, “b” and 2 more properties do not hold; 1 message")


def test_texts_that_are_delivered_or_decided() -> None:
    b = book()
    for value in ("", "go on", "7", None, ["3", "5"]):
        b.write(1, "deliver", "5", value=value)
    timeline = Timeline(b.trace())
    said = [sentence(timeline, seq, WORDS) for seq in range(5)]
    assert [each.removeprefix("Process 5 delivers ") for each in said] == [
        "an empty text.", "“go on”.", "7.", "something.", "[3, 5]."]  # fmt: skip


def test_messages_may_have_other_names() -> None:
    class Waves(Plain):
        def label(self, label: str) -> str:
            return {"Broadcast": "wave"}.get(label, label)

    timeline = Timeline(every_kind().trace())
    assert sentence(timeline, 2, Waves()) == "Process 5 receives wave from 3 and is now waiting."
    assert brief(timeline, 2, Waves()) == "receives wave from 3 → waiting"
    assert brief(timeline, 2) == "receives Broadcast from 3 → waiting"


def test_lines_have_the_same_width() -> None:
    for trace in (echo(), every_kind().trace(), Book(("alpha", "b"), links=[]).trace()):
        timeline = Timeline(trace)
        assert len({len(line(timeline, seq)) for seq in range(len(trace))}) <= 1
    first, second = (line(Timeline(echo()), seq) for seq in (0, 1))
    assert first.split() == ["0", "0.3500", "0", "starts", "→", "initiating", "1"]
    assert second.split()[-5:] == ["sends", "Broadcast", "to", "1", "2"]


def test_short_form() -> None:
    timeline = Timeline(every_kind().trace())
    said = [brief(timeline, seq, WORDS) for seq in range(len(KINDS))]
    assert said[:4] == [
        "starts → initiating",
        "sends Broadcast(payload=hello) to 5",
        "receives Broadcast from 3 → waiting",
        "misses Ack from 5",
    ]
    assert said[7:13] == [
        "delivers hello",
        "decides yes",
        "notes now I know",
        "crashes",
        "recovers",
        "link to 5 goes down",
    ]
    assert all(said)


def test_words() -> None:
    assert [plural(k, "message") for k in (0, 1, 2, 1234)] == [
        "0 messages",
        "1 message",
        "2 messages",
        "1,234 messages",
    ]
    assert plural(2, "process") == "2 processes"
    assert plural(2, "person", "people") == "2 people"
    assert [number(x) for x in (0, 0.01234, 13.11, 1234.56)] == ["0.0", "0.0123", "13.1", "1,234.6"]
    assert [joined(x) for x in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert value_text({"a": 1, "b": [1, None]}) == "{a: 1, b: [1, none]}"
    assert value_text([1.5, True, "x"]) == "[1.5, yes, x]"
    assert value_text(typed(["3", "5"], "set[str]")) == "{3, 5}"
    assert (value_text(None), value_text(""), value_text({}), value_text(0.1 + 0.2)) == ("none", "''", "empty", "0.3")
    assert len(value_text("x" * 100)) == 48
