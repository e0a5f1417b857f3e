"""All included lessons are played, and their statements come true."""

from __future__ import annotations

import pytest

from lydian.engine.lessonplay import play
from lydian.model.archive.archive import archive
from lydian.model.lesson.lesson import Action, Question, find, lessons, load, parse, problems, text_of
from lydian.views.questions.ask import answered
from tests.archive.ran import once

OURS = lessons(archive())


@pytest.mark.parametrize("name", OURS)
def test_lessons_match_what_really_happens(name):
    assert problems(text_of(find(name)), archive(), name) == ()
    lesson = load(name)
    assert 5 <= len(lesson.steps) <= 9
    assert lesson.questions
    played = list(play(lesson, run=lambda experiment: once(experiment)[1], drawn=answered))
    assert [f"line {each.line}: {each.sentence}" for each in played if not each.good] == []
    blocks = sum(len(s.actions) + len(s.questions) + len(s.drawn) + len(s.expectations) for s in lesson.steps)
    assert len(played) == blocks


@pytest.mark.parametrize("name", OURS)
def test_every_question_shows_a_reason(name):
    for question in load(name).questions:
        assert isinstance(question, Question)
        assert question.why, question.question
        assert question.show or question.kind == "text", question.question


def test_a_different_result_is_reported_with_its_line():
    text = (
        '# T\n\n## S\n\nw\n\n```experiment\nname = "two-wings"\n```\n\n'
        '```expect\nthat = "messages == 45"\n```\n\n'
        '```expect\nproperty = "nothing is in transit"\nholds = false\n```\n\n'
        '```do\nwait = "violated: nothing is in transit"\n```\n\n'
        '```predict\nquestion = "?"\nkind = "process"\nexpect = "last_decided"\n```\n'
    )
    played = {each.line: each for each in play(parse(text))}
    assert not played[11].good
    assert "messages is 46" in played[11].sentence
    assert not played[15].good
    assert "it holds, not as the lesson expects" in played[15].sentence
    assert not played[20].good
    assert played[24].good


def test_an_example_is_executed_and_remains_in_later_steps():
    text = (
        '# T\n\n## S\n\nw\n\n```experiment\nname = "two-wings"\n```\n\n'
        '```do\nkind = "crash"\nexample = {time = 6.0, process = "9"}\n```\n\n'
        "## Later\n\nw\n\n"
        '```expect\nproperty = "the initiator learns that every process has the news"\nholds = false\n```\n'
    )
    lesson = parse(text)
    assert isinstance(lesson.steps[0].actions[0], Action)
    assert all(each.good for each in play(lesson))


def test_a_question_from_the_run_is_asked_and_one_that_the_run_does_not_have_is_reported():
    head = '# T\n\n## S\n\nw\n\n```experiment\nname = "{run}"\n```\n\n```question\nfrom = "run"\nkind = "{kind}"\n```\n'
    (played,) = play(parse(head.format(run="two-wings", kind="clock")), drawn=answered)
    assert played.good and played.line == 11 and "Which Lamport time does this event get?" in played.sentence
    (played,) = play(parse(head.format(run="apples", kind="clock")), drawn=answered)
    assert not played.good and "no question of the kind clock can be asked" in played.sentence
    (played,) = play(parse(head.format(run="two-wings", kind="clokc")), drawn=answered)
    assert not played.good and "unknown kind of question 'clokc' (did you mean 'clock'?)" in played.sentence
