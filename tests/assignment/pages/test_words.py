"""The sentences of the pages, with none, one and many of everything that they name."""

from typing import Any

import pytest

from lydian.assignment.pages.words import (
    amount,
    day,
    handed_in,
    mistakes,
    points,
    quoted,
    right,
    said,
    shortest,
    summary,
    uncaught,
)
from tests.assignment.pages.classroom import MISTAKES, not_run, result_of

TIES, _, FORGETS = MISTAKES


def check(kind: str, title: str = "A", state: str = "full", **more: Any) -> dict[str, Any]:
    """Return the result of a check."""
    earned = {"full": 2.0, "partly": 1.0}.get(state, 0.0)
    return {
        "id": title.lower(), "title": title, "kind": kind, "hidden": False, "points": earned, "most": 2.0,
        "state": state, "words": "", "good": 0, "of": 0, "hint": "", "failure": None, "missed": [], **more,
    }  # fmt: skip


def result(*checks: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the result of a hand-in."""
    return {
        "state": "marked", "reason": "", "points": sum(each["points"] for each in checks), "checks": list(checks),
        "most": sum(each["most"] for each in checks), **more,
    }  # fmt: skip


def failing(title: str, alike: str = "", **more: Any) -> dict[str, Any]:
    failure = {"sentence": f"Violated: {title} holds.", "alike": alike, "run": None, "after": {}}
    return check("property", title, "failed", failure={**failure, **more})


def told(*checks: dict[str, Any], **more: Any) -> str:
    return " ".join(part for part in summary(result(*checks, **more)) if part)


@pytest.mark.parametrize(
    ("checks", "sentence"),
    [
        ([], ""),
        ([check("runs")], "Your protocol runs."),
        ([check("property")], "“A” holds."),
        ([check("property"), check("schedules", "B")], "“A” and “B” hold."),
        ([check("property", name) for name in "ABC"], "“A”, “B” and “C” hold."),
        ([check("formula")], "Your protocol has the expected cost."),
        ([check("runs"), check("formula")], "Your protocol runs and it has the expected cost."),
        (
            [check("runs"), check("property"), check("formula")],
            "Your protocol runs, “A” holds, and it has the expected cost.",
        ),
        ([check("scenario")], "The scenario ends as expected."),
        ([check("scenario")] * 2, "Two scenarios end as expected."),
        ([check("scenario")] * 13, "13 scenarios end as expected."),
        ([check("mutants")], "Your properties catch every planted mistake."),
        ([check("question")], "Your answer is right."),
        ([check("question")] * 3, "Three answers are right."),
        ([check("runs", state="partly"), check("question", state="failed")], ""),
    ],
)
def test_what_is_right(checks, sentence):
    assert right(checks) == sentence


@pytest.mark.parametrize(
    ("checks", "sentence"),
    [
        ([], "No check was made."),
        ([check("runs")], "Your protocol runs. Nothing is wrong: you have all 2 points."),
        ([failing("A")], "One thing is wrong: “A holds” does not hold."),
        (
            [failing("A", "x"), failing("B", "x"), check("runs")],
            "Your protocol runs. One thing is wrong: “A holds” does not hold.",
        ),
        ([failing("A"), failing("B")], "Two things are wrong. The one that costs most: “A holds” does not hold."),
        ([{**failing("A"), "hint": "compare names"}], "One thing is wrong: “A holds” does not hold. Compare names."),
        ([check("question", state="failed")], "One answer is not right."),
        ([check("question", state="failed")] * 2, "Two answers are not right."),
        ([check("question", state="open")], "One question is not answered."),
        ([check("question", state="open")] * 2, "Two questions are not answered."),
        ([check("written", state="open")], "One answer will be marked by a person."),
        ([check("written", state="open")] * 2, "Two answers will be marked by a person."),
        ([check("runs", state="stopped", words="stopped after 20 s")], "“A” was stopped after 20 s."),
        ([check("runs", state="stopped", words="it needs too much")], "“A” was stopped: it needs too much."),
        (
            [check("runs", state="stopped"), check("formula", "B", "stopped")],
            "“A” and “B” were stopped before they ended.",
        ),
        (
            [check("mutants", state="partly", missed=["It is wrong."], of=5)],
            "Your properties miss 1 of 5 planted mistakes.",
        ),
        (
            [check("mutants", state="failed", missed=["It is wrong."], of=1)],
            "Your properties miss 1 of 1 planted mistake.",
        ),
    ],
)
def test_the_summary(checks, sentence):
    assert told(*checks) == sentence


def test_full_marks_in_all_checks_of_a_late_hand_in():
    assert told(check("runs"), points=1.0) == "Your protocol runs. Nothing is wrong: you have all points of the checks."


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (
            "stopped: endless loop in `want`, 10 s",
            "Your protocol does not run: stopped: endless loop in `want`, 10 s.",
        ),
        ("", "Your protocol does not run: no reason is known."),
    ],
)
def test_a_hand_in_that_did_not_run(reason, sentence):
    assert " ".join(filter(None, summary(not_run("A", reason)))) == sentence


def test_checks_that_fail_alike_are_one_mistake():
    one = result_of("A", TIES, "runs/x.lydian")
    one["checks"][2]["failure"] = result_of("A", FORGETS)["checks"][2]["failure"]
    assert [(each.check["id"], [o["id"] for o in each.others], each.lost) for each in mistakes(one)] == [
        ("safety", ["schedules", "order"], 3.5),
        ("served", [], 0.0),
    ]


def test_failures_without_a_shape_are_mistakes_of_their_own():
    assert [each.check["title"] for each in mistakes(result(failing("A"), failing("B")))] == ["A", "B"]


@pytest.mark.parametrize(
    ("sentence", "whole"),
    [
        ("Violated: no two lead.", "“no two lead” does not hold."),
        ("Not reached: all heard.", "“all heard” is not reached."),
        ("Stuck: 1 waits for 2.", "The run gets stuck: 1 waits for 2."),
        ("Failed: line 3 divides by zero", "Line 3 divides by zero."),
        ("process 1 waits", "Process 1 waits."),
        ("", ""),
    ],
)
def test_what_a_run_shows(sentence, whole):
    assert said(sentence) == whole


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (None, None, ""),
        ((1038, 9), (6, 2), "The shortest run that shows it: 2 processes, 6 events. It comes from a run with 9 "
                            "processes and 1,038 events."),
        ((7, 1), (1, 1), "The shortest run that shows it: 1 process, 1 event. It comes from a run with 7 events."),
        ((6, 2), (6, 2), "This run shows it: 2 processes, 6 events."),
    ],
)  # fmt: skip
def test_the_size_of_a_run(before, after, sentence):
    sizes = {
        name: None if size is None else {"events": size[0], "processes": size[1]}
        for name, size in (("before", before), ("after", after))
    }
    assert shortest({**sizes, "complete": True}) == sentence


def test_a_run_that_could_be_shorter():
    sizes = {"before": {"events": 9, "processes": 2}, "after": {"events": 6, "processes": 2}}
    assert shortest({**sizes, "complete": False}).startswith("The shortest run found so far: 2 processes, 6 events.")


@pytest.mark.parametrize(
    ("given", "late", "due", "sentence"),
    [
        (None, None, None, ""),
        ("2026-11-26T17:42:00+01:00", None, None, "handed in on Thursday, 26 November, 17:42"),
        ("2026-11-26T17:42:00+01:00", None, "x", "handed in on Thursday, 26 November, 17:42, on time"),
        ("2026-11-26T17:42:00+01:00", (1.0, 1.0), "x", "handed in on Thursday, 26 November, 17:42, 1 hour late: "
                                                       "1 point less"),
        ("2026-11-26T17:42:00+01:00", (0.3, 0.5), "x", "handed in on Thursday, 26 November, 17:42, 18 minutes late: "
                                                       "0.5 points less"),
        (None, (50.0, 2.0), "x", "handed in 2 days late: 2 points less"),
        (None, (24.0, 0.0), "x", "handed in 24 hours late"),
    ],
)  # fmt: skip
def test_when_it_was_handed_in(given, late, due, sentence):
    told = {"hours": late[0], "lost": late[1]} if late else None
    assert handed_in({"handed_in": given, "late": told}, due) == sentence


def test_small_words():
    assert [points(value) for value in (0.0, 2.0, 15.7, 3.75)] == ["0", "2", "15.7", "3.8"]
    assert [amount(n, "process") for n in (0, 1, 2)] == ["0 processes", "1 process", "2 processes"]
    assert [quoted(titles) for titles in ("", "A", "AB", "ABC")] == ["", "“A”", "“A” and “B”", "“A”, “B” and “C”"]
    assert day("tomorrow") == "tomorrow"
    assert uncaught([]) == uncaught([check("mutants")]) == ""
