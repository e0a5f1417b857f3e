"""Quiz me on this run: one question at a time, with the future hidden until it is answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.panels.quiz import QuizPanel
from lydian.app.window.mainwindow import MainWindow
from lydian.views.questions.question import CHOICE, SEVERAL, Choice, Question
from lydian.views.selection import Hit, Selection
from tests.app.conftest import Open, rest

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

FINISHED = "Run finished: 105 events, 46 messages"


@pytest.fixture
def quizzed(open_window: Open, qtbot: QtBot) -> MainWindow:
    window = open_window("two-wings")
    rest(window, qtbot)
    window.playhead.seek(4.0)
    window.playhead.select(Selection(processes=frozenset({3})))
    return window


def _asked(window: MainWindow) -> Question:
    question = window.quiz.question
    assert question is not None
    return question


def _press(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    qtbot.keyClick(window.quiz, key)


def test_while_a_question_is_open_nothing_later_is_known_and_afterwards_the_run_is_as_before(
    quizzed: MainWindow, qtbot: QtBot
) -> None:
    window, whole = quizzed, quizzed.playhead.timeline
    assert whole is not None
    window.quizzing.start(["next"])
    question, head = _asked(window), window.playhead
    assert head.timeline is not None and head.reach == head.t == question.time < whole.end
    assert head.timeline.end == question.time and head.timeline.length == whole.count(question.time)
    flying = head.timeline.in_flight(head.timeline.length)
    assert len(flying) and not (head.timeline.message_reached[flying] < float("inf")).any()
    assert {"stopped", "checks", "expected_messages"}.isdisjoint(head.timeline.trace.summary)
    assert window.status.label.text() == "The rest of the run is hidden until you answer"
    assert window.session.runs == [] and window.stage.docks["checks"].obstacle == "Hidden until you answer"
    _press(window, qtbot, Qt.Key(Qt.Key.Key_1 + question.right[0]))
    assert window.quiz.verdict is not None and window.quiz.verdict.right
    assert head.timeline is whole and window.status.label.text() == FINISHED
    assert not window.stage.docks["checks"].obstacle
    assert head.selection.event == question.evidence[-1] and head.t == whole.time[question.evidence[-1]]
    assert [card.verdict for card in window.quiz.cards] == [
        place == question.right[0] for place in range(len(question.choices))
    ]
    assert window.quiz.why.text() == question.why and window.quiz.score.text() == "1 of 1 right"
    _press(window, qtbot, Qt.Key.Key_Return)
    assert _asked(window) != question and head.timeline is not whole
    _press(window, qtbot, Qt.Key.Key_Escape)
    assert not window.quizzing.on and window.quiz.isHidden()
    assert (head.timeline, head.t, head.selection) == (whole, 4.0, Selection(processes=frozenset({3})))


def test_an_event_that_is_clicked_is_an_answer_and_shows_no_causes_before(quizzed: MainWindow) -> None:
    window = quizzed
    window.quizzing.start(["concurrent"])
    question, head = _asked(window), window.playhead
    head.pick(Hit("event", question.about[0]))  # not one of the answers
    assert window.quiz.verdict is None and head.selection.event is None
    wrong = next(place for place in range(len(question.choices)) if place not in question.right)
    head.pick(Hit("event", question.choices[wrong].event))
    assert window.quiz.verdict is not None and not window.quiz.verdict.right
    assert window.quiz.told.text().startswith("Not quite. The answer is number")
    assert head.selection.event == question.about[0]
    assert window.quiz.score.text() == "0 of 1 right"


def test_another_run_ends_the_quiz(quizzed: MainWindow, qtbot: QtBot) -> None:
    window = quizzed
    window.actions_by_name["run_quiz"].trigger()
    assert window.quizzing.on and not window.quiz.isHidden()
    window.offers.example("echo-crash", play=False)
    assert not window.quizzing.on and window.quiz.isHidden()
    rest(window, qtbot)
    assert window.session.shown is window.session.whole and window.playhead.selection.event is None


def test_without_a_whole_run_there_is_no_quiz(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("two-wings")
    rest(window, qtbot)
    window.session.withholding = True
    window.quizzing.start()
    assert not window.quizzing.on and window.quiz.isHidden()
    assert window.desk.notices.text == "The lesson hides the rest of this run; answer its question first."


# ---------------------------------------------------------------------- the panel alone


def _question(form: str, right: tuple[int, ...], choices: tuple[Choice, ...]) -> Question:
    return Question("some", 1, "", "What?", 1.0, form, right, "Because.", choices)


@pytest.fixture
def panel(qtbot: QtBot) -> QuizPanel:
    panel = QuizPanel(Theme())
    qtbot.addWidget(panel)
    return panel


def test_processes_are_chosen_by_keys_or_clicks_and_answered_with_enter(panel: QuizPanel, qtbot: QtBot) -> None:
    told: list[bool] = []
    panel.answered.connect(lambda verdict: told.append(verdict.right))
    panel.show_question(
        _question(SEVERAL, (0, 2), tuple(Choice(name, process=code) for code, name in enumerate("abc"))), "Who?"
    )
    assert not panel.commit.isEnabled() and panel.next.isHidden()
    qtbot.keyClick(panel, Qt.Key.Key_1)
    assert panel.pick(event=None, processes=[2]) and panel.pick(event=None, processes=[1])
    assert panel.pick(event=None, processes=[1])  # a second click withdraws it
    assert [button.isChecked() for button in panel.marked] == [True, False, True]
    qtbot.keyClick(panel, Qt.Key.Key_Enter)
    assert told == [True] and not panel.next.isHidden() and panel.commit.isHidden()
    assert not panel.pick(event=None, processes=[1])


def test_a_number_is_answered_once_it_is_one(panel: QuizPanel, qtbot: QtBot) -> None:
    panel.show_question(_question("number", (12,), ()), "How many?")
    assert panel.field is not None
    panel.field.setText("twelve")
    assert not panel.commit.isEnabled()
    panel.field.setText("12")
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert panel.verdict is not None and panel.verdict.right and not panel.field.isEnabled()


def test_the_cards_are_high_enough_for_their_text(panel: QuizPanel) -> None:
    long = "Process 12 receives Acknowledgement(identifier=12, round=3) from 11 at time 17.25 " * 2
    panel.show_question(_question(CHOICE, (0,), (Choice("Yes"), Choice(long))), "Which?")
    short, high = (card.heightForWidth(340) for card in panel.cards)
    assert high > 2 * short - 20
    assert [card.accessibleName() for card in panel.cards] == ["Answer 1: Yes", f"Answer 2: {long}"]


def test_the_end_of_the_questions_is_said(panel: QuizPanel) -> None:
    panel.show_question(_question("number", (1,), ()), "How many?")
    panel.end()
    assert panel.question is None and panel.next.isHidden() and panel.commit.isHidden()


LESSON = """# A lesson

## One

Watch the run.

```experiment
name = "two-wings"
```

```question
from = "run"
kind = "clock"
seed = 2
```
"""


def test_a_lesson_asks_a_question_about_its_run(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window, file = open_window("two-wings"), tmp_path / "mine.md"
    rest(window, qtbot)
    file.write_text(LESSON, encoding="utf-8")
    assert window.lessons.open(file)
    rest(window, qtbot)
    panel = window.lessons.panel
    assert panel is not None and window.session.withholding and not panel.next.isEnabled()
    (card,) = panel.drawn
    card.button.click()
    question = _asked(window)
    assert (question.kind, question.seed) == ("clock", 2) and not window.quiz.isHidden()
    window.quiz.answer(question.right[0])
    assert card.right and panel.next.isEnabled() and not window.session.withholding
    assert window.lessons.progress.told(window.lessons.lesson) == "1 of 1 prediction right."
    assert window.lessons.dock is not None and window.lessons.dock.isHidden()
    window.quiz.next.click()
    assert not window.lessons.dock.isHidden()
    assert window.quiz.isHidden() and not window.quizzing.on and window.session.shown is window.session.whole
