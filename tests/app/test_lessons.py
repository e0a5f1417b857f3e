"""Lessons in the window: steps, predictions and results, waiting for tasks, and stored answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton

from lydian.app.lessons.progress import Progress, handed_in, read_progress, write_progress
from lydian.app.lessons.watching import _came
from lydian.app.main import make_window
from lydian.model.archive.archive import archive
from lydian.model.archive.course import course
from lydian.model.interventions import Intervention
from lydian.model.lesson.blocks import Expectation, Graded
from lydian.model.lesson.lesson import lessons as every_lesson
from lydian.model.lesson.lesson import load, parse
from lydian.views.selection import Selection
from tests.app.conftest import rest
from tests.conftest import children, left_children

#: The ready simulator belongs to the shared window, which ends it.
pytestmark = [pytest.mark.leaves_behind, pytest.mark.qt_log_ignore("This plugin does not support")]


@pytest.fixture(scope="module")
def window(qapp, tmp_path_factory):
    patch, processes = pytest.MonkeyPatch(), children()
    patch.setenv("LYDIAN_HOME", str(tmp_path_factory.mktemp("home")))
    made = make_window(None)
    made.player.step_seconds = 0.0
    made.resize(1280, 720)
    made.show()
    yield made
    made.close()
    made.deleteLater()
    assert not left_children(processes)
    patch.undo()


@pytest.fixture
def lessons(window, qtbot):
    """Provide the lesson on ECHO at its first step, without answers."""
    write_progress(window.settings, load("echo"), Progress())
    assert window.lessons.open("echo")
    settle(window, qtbot)
    return window.lessons


def settle(window, qtbot):
    session = window.session
    rest(window, qtbot)
    qtbot.waitUntil(lambda: window.lessons.mine, timeout=20_000)
    qtbot.waitUntil(lambda: bool(session.whole.result.get("stopped")), timeout=20_000)


def press(qtbot, button):
    assert button.isEnabled() and not button.isHidden()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(6, 6))


def to_step(lessons, qtbot, step):
    lessons.go(step)
    settle(lessons.parent(), qtbot)


class TestFollowing:
    def test_the_lesson_is_on_the_right_with_its_experiment_at_rest(self, lessons):
        window = lessons.parent()
        assert lessons.dock.isVisible()
        assert lessons.dock.x() > window.stage.x() + window.stage.width() - 20
        assert window.session.experiment.name == "two-wings"
        assert not window.playhead.playing
        assert lessons.panel.dots.now == 0

    def test_next_waits_for_the_task_and_skip_does_not(self, lessons, qtbot):
        panel, head = lessons.panel, lessons.parent().playhead
        assert not panel.next.isEnabled()
        assert panel.skip.isVisible()
        head.seek(head.reach / 2)
        assert not panel.next.isEnabled()
        head.seek(head.reach)
        assert panel.next.isEnabled()
        assert not panel.skip.isVisible()
        press(qtbot, panel.next)
        assert lessons.progress.step == 1
        press(qtbot, panel.skip)
        press(qtbot, panel.back)
        assert lessons.progress.step == 1

    def test_keys_and_dots_move_between_steps(self, lessons, qtbot):
        lessons.parent().actions_by_name["lesson_next"].trigger()
        assert lessons.progress.step == 1
        lessons.parent().actions_by_name["lesson_back"].trigger()
        assert lessons.progress.step == 0
        dots = lessons.panel.dots
        qtbot.mouseClick(dots, Qt.MouseButton.LeftButton, pos=dots.centre(2).toPoint())
        assert lessons.progress.step == 2
        dots.setFocus()
        qtbot.keyClick(dots, Qt.Key.Key_Left)
        assert lessons.progress.step == 1

    def test_go_there_moves_to_the_awaited_moment(self, lessons, qtbot):
        press(qtbot, lessons.panel.actions_[0].button)
        head = lessons.parent().playhead
        assert head.t == head.end
        assert lessons.panel.actions_[0].done

    def test_every_step_can_be_skipped_and_the_last_is_a_summary(self, lessons):
        for step in range(len(lessons.lesson.steps) + 1):
            lessons.go(step)
            assert lessons.panel.back.isEnabled() is (step > 0)
        assert "Copy my answers" in [b.text() for b in lessons.panel.area.widget().findChildren(QPushButton)]
        assert not lessons.panel.next.isVisible()

    def test_another_run_does_not_block_the_lesson(self, lessons, qtbot):
        to_step(lessons, qtbot, 1)
        assert not lessons.panel.elsewhere.isVisible()
        lessons.parent().offers.example("echo-complete", play=False)
        assert lessons.panel.elsewhere.isVisible()
        assert lessons.panel.skip.isEnabled()
        press(qtbot, lessons.panel.back_to_it)
        settle(lessons.parent(), qtbot)
        assert not lessons.panel.elsewhere.isVisible()

    def test_the_lesson_is_hidden_beside_a_drawing(self, lessons):
        lessons.parent().workspaces.show("network")
        assert not lessons.dock.isVisible()
        lessons.parent().workspaces.show("run")
        assert lessons.dock.isVisible()

    def test_the_lesson_follows_the_theme_of_the_window(self, lessons):
        lessons.go(1)
        before = lessons.parent().styleSheet()
        lessons.parent().looks.choose("dark")
        assert lessons.parent().styleSheet() != before
        lessons.parent().looks.choose("light")
        assert lessons.parent().styleSheet() == before


class TestPredicting:
    def test_a_numeric_guess_is_shown_beside_the_result(self, lessons, qtbot):
        to_step(lessons, qtbot, 1)
        card = lessons.panel.questions[0]
        assert lessons.parent().playhead.t <= 0
        card.field.setText("many")
        assert not card.button.isEnabled()
        assert "not a number" in card.note.text()
        card.field.setText("40")
        press(qtbot, card.button)
        assert not card.sides.isVisible()
        press(qtbot, card.compare)
        assert [value.text() for value in card.values] == ["40", "46"]
        assert card.verdict.text() == "Not quite."
        assert lessons.panel.next.isEnabled()
        assert lessons.panel.expectations[0].accessibleName().endswith("as expected")

    def test_before_the_comparison_only_the_played_part_is_shown(self, lessons, qtbot):
        to_step(lessons, qtbot, 4)
        window, head, card = lessons.parent(), lessons.parent().playhead, lessons.panel.questions[0]
        session = window.session
        assert (head.events, len(session.shown.trace), session.shown.result, session.runs) == (0, 0, {}, [])
        assert "messages" not in window.status.label.text()
        head.seek(2.0)
        so_far = head.events
        assert 0 < so_far == head.position == len(session.shown.trace)
        assert window.stage.checks.checks == []
        assert head.end == 2.0 < head.reach
        head.seek(1.0)
        assert head.events == so_far, "what was seen stays seen"
        card.field.setText("98")
        press(qtbot, card.button)
        assert head.events == so_far, "a prediction shows no more of the run"
        press(qtbot, card.compare)
        assert (head.events, len(session.runs)) == (205, 1)
        assert card.verdict.text() == "Right."
        assert window.stage.checks.checks
        lessons.go(1)
        settle(window, qtbot)
        assert head.events == 0

    def test_a_run_needed_by_the_next_step_is_not_revealed(self, lessons, qtbot):
        window, head = lessons.parent(), lessons.parent().playhead
        assert (head.events, window.session.runs) == (0, [])
        head.seek(head.reach)
        assert (head.events, len(window.session.runs)) == (105, 1), "it was watched to its end"
        to_step(lessons, qtbot, 1)
        assert (head.events, window.session.runs) == (0, [])
        assert "so far" in window.bottom.transport.count.text()

    def test_leaving_the_lesson_shows_the_whole_run(self, lessons, qtbot):
        to_step(lessons, qtbot, 1)
        lessons.show_list()
        assert lessons.parent().playhead.events == 105
        assert len(lessons.parent().session.runs) == 1

    def test_the_prediction_is_compared_when_the_run_ends(self, lessons, qtbot):
        to_step(lessons, qtbot, 1)
        card = lessons.panel.questions[0]
        card.field.setFocus()
        card.field.setText("46")
        qtbot.keyClick(card.field, Qt.Key.Key_Return)
        head = lessons.parent().playhead
        head.play()
        head.advance(1000.0)
        assert card.verdict.text() == "Right."

    def test_a_click_on_a_process_answers_and_why_leads_to_the_right_one(self, lessons, qtbot):
        to_step(lessons, qtbot, 2)
        head, card = lessons.parent().playhead, lessons.panel.questions[0]
        head.select(Selection(processes=frozenset([3])))
        assert card.field.text() == "3"
        press(qtbot, card.button)
        press(qtbot, card.compare)
        head.seek(1.0)
        press(qtbot, card.show_why)
        assert head.selection.processes == frozenset([0])
        assert head.t > 1.0

    def test_an_old_selection_is_not_an_answer(self, lessons, qtbot):
        lessons.parent().playhead.select(Selection(processes=frozenset([5])))
        to_step(lessons, qtbot, 2)
        assert lessons.panel.questions[0].field.text() == ""

    def test_a_guess_can_be_withdrawn(self, lessons, qtbot):
        to_step(lessons, qtbot, 3)
        card = lessons.panel.questions[0]
        card.choices.buttons()[1].click()
        press(qtbot, card.button)
        press(qtbot, card.compare)
        assert card.verdict.text() == "Not quite."
        press(qtbot, card.again)
        assert not card.sides.isVisible()
        assert lessons.progress.answers == {}
        assert not lessons.panel.next.isEnabled()

    def test_text_answers_are_kept_and_answered_at_once(self, lessons, qtbot):
        assert lessons.parent().lessons.open("echo-crash")
        to_step(lessons, qtbot, 5)
        card = lessons.panel.questions[0]
        card.text.setPlainText("with a clock")
        press(qtbot, card.button)
        assert card.why.isVisible()
        assert lessons.progress.answers[card.question.question] == "with a clock"


class TestVerdicts:
    def test_the_task_waits_until_the_run_of_the_step_is_shown(self, window, qtbot):
        window.offers.example("echo-complete", play=False)
        rest(window, qtbot)
        window.playhead.seek(window.playhead.end)
        write_progress(window.settings, load("echo"), Progress())
        lessons, seen = window.lessons, []
        window.session.experiment_changed.connect(lambda: seen.extend(c.done for c in lessons.panel.actions_))
        assert window.lessons.open("echo")
        settle(window, qtbot)
        assert lessons.progress.done == set()
        assert not any(seen) and not lessons.panel.actions_[0].done

    def test_earlier_actions_are_distinguished_from_the_run(self, lessons, qtbot):
        head, panel = lessons.parent().playhead, lessons.panel
        head.seek(head.reach)
        assert panel.actions_[0].now
        lessons.go(3)
        settle(lessons.parent(), qtbot)
        lessons.go(0)
        settle(lessons.parent(), qtbot)
        card = panel.actions_[0]
        assert (card.done, card.now, card.kind.text()) == (True, False, "Watch · done before")
        assert panel.next.isEnabled()
        head.seek(head.reach)
        assert (card.now, card.kind.text()) == (True, "Watch")
        lessons.parent().looks.choose("dark")
        assert panel.actions_[0].now, "another look is not another run"
        lessons.parent().looks.choose("light")

    def test_an_expected_violation_is_open_until_it_occurs_or_the_run_stops(self):
        violated, holds, sum_ = (Expectation(1, "p", False), Expectation(1, "p", True), Expectation(1, that="n == 3"))
        for held, stopped, came in (
            (None, False, (None, None)), (True, False, (None, None)), (False, False, (True, False)),
            (True, True, (False, True)), (False, True, (True, False)), (None, True, (None, None)),
        ):  # fmt: skip
            known = {"holds": lambda _name, held=held: held, "n": 3}
            assert (_came(violated, known, stopped=stopped), _came(holds, known, stopped=stopped)) == came
            assert _came(sum_, known, stopped=stopped) is (True if stopped else None)

    def test_every_answer_is_judged_without_waiting_for_the_run(self, lessons, qtbot):
        for step, answer in ((1, "46"), (2, "0"), (3, "it stays the same"), (4, "98"), (5, "3")):
            to_step(lessons, qtbot, step)
            card = lessons.panel.questions[0]
            card.fill(answer)
            card.commit()
            assert card.sides.isHidden(), "the outcome is not told before the run has told it"
            press(qtbot, lessons.panel.next)
        assert lessons.progress.judged() == 5
        lessons.go(len(lessons.lesson.steps))
        assert "4 of 5 predictions right." in [each.text() for each in lessons.panel.area.widget().findChildren(QLabel)]
        kept = read_progress(lessons.parent().settings, lessons.lesson)
        assert (kept.judged(), kept.right()) == (5, 4)
        to_step(lessons, qtbot, 5)
        assert lessons.panel.questions[0].values[0].text() == "3"

    def test_a_prediction_about_a_task_is_judged_after_the_task(self, window, qtbot):
        write_progress(window.settings, load("echo-crash"), Progress(step=1))
        assert window.lessons.open("echo-crash")
        lessons, live = window.lessons, window.session.live
        qtbot.waitUntil(lambda: live.on and live.waiting, timeout=20_000)
        card = lessons.panel.questions[0]
        card.choices.buttons()[1].click()
        press(qtbot, card.button)
        assert card.compare.isHidden()
        assert "Now do this first: Play to about time 6." in card.note.text()
        assert not lessons.panel.next.isEnabled() and lessons.panel.skip.isVisible()
        lessons.watching._compare_all(*lessons.watching._run())
        assert lessons.progress.outcomes == {}


class TestDoing:
    def test_a_step_waits_for_an_interference_and_compares_its_run(self, window, qtbot):
        write_progress(window.settings, load("echo-crash"), Progress(step=1))
        assert window.lessons.open("echo-crash")
        lessons, live = window.lessons, window.session.live
        qtbot.waitUntil(lambda: live.on and live.waiting, timeout=20_000)
        card, action = lessons.panel.questions[0], lessons.panel.actions_[0]
        card.choices.buttons()[1].click()
        press(qtbot, card.button)
        live.act({"do": "crash", "process": "2"})
        qtbot.waitUntil(lambda: len(live.done) == 1, timeout=20_000)
        assert not action.done, "another process than the one that is asked for"
        press(qtbot, action.button)
        qtbot.waitUntil(lambda: action.done, timeout=20_000)
        assert [each.time for each in live.done if each.process == "9"] == [6.0]
        press(qtbot, card.compare)
        qtbot.waitUntil(lambda: card.sides.isVisible(), timeout=20_000)
        assert card.verdict.text() == "Right."
        assert lessons.mine

    @pytest.mark.parametrize(("name", "step", "quiet"), [("mutual-exclusion", 6, True), ("apples", 1, False)])
    def test_a_prediction_of_a_live_run_is_judged_at_its_end(self, window, qtbot, name, step, quiet):
        write_progress(window.settings, load(name), Progress(step=step))
        assert window.lessons.open(name)
        lessons, live, head = window.lessons, window.session.live, window.playhead
        qtbot.waitUntil(lambda: live.on and live.waiting, timeout=20_000)
        action, row = lessons.panel.actions_[0], lessons.panel.expectations[0]
        press(qtbot, action.button)
        qtbot.waitUntil(lambda: action.done and live.waiting, timeout=20_000)
        head.set_speed(1000.0)
        head.play()
        qtbot.waitUntil(lambda: (live.quiet or not live.alive) and not head.playing, timeout=20_000)
        assert live.quiet is quiet
        # The results for the properties arrive after the last event.
        qtbot.waitUntil(lambda: "does not hold" in window.bottom.narration.plain, timeout=20_000)
        assert row.sign.accessibleName() == "as expected" and not row.isHidden()


class TestCourse:
    def test_the_list_has_chapters_and_marks_the_lesson_to_do_next(self, lessons, qtbot):
        for name in every_lesson():
            write_progress(lessons.parent().settings, load(name), Progress())
        lessons.show_list()
        shelf = lessons.panel.shelf
        inside = [shelf.column.itemAt(row).widget() for row in range(shelf.column.count())]
        headings = [widget.text() for widget in inside if isinstance(widget, QLabel)]
        assert headings == [chapter.title for chapter in course(archive())]
        marked = [name for name, card in shelf.cards.items() if card.property("now")]
        assert marked == ["echo"]
        assert shelf.cards["leases"].size_.text() == "Advanced\n10 minutes · 6 steps"
        write_progress(lessons.parent().settings, load("snapshots"), Progress(step=2))
        lessons.show_list()
        card = shelf.cards["snapshots"]
        assert card.property("now") and card.progress.isVisibleTo(card) and card.progress.value() == 2
        write_progress(lessons.parent().settings, load("snapshots"), Progress(step=6))
        lessons.show_list()
        assert shelf.told.text() == f"1 of {len(every_lesson())} lessons completed"
        write_progress(lessons.parent().settings, load("snapshots"), Progress())

    def test_each_lesson_gets_the_picture_of_its_own_experiment(self, lessons, qtbot):
        lessons.show_list()
        cards = lessons.panel.shelf.cards
        qtbot.waitUntil(lambda: not cards["echo"].picture.picture.isNull(), timeout=60_000)
        qtbot.mouseClick(cards["echo"], Qt.MouseButton.LeftButton, pos=QPoint(6, 6))
        assert lessons.lesson.name == "echo"
        settle(lessons.parent(), qtbot)

    def test_the_panel_is_equally_wide_in_every_step(self, lessons, qtbot):
        panel = lessons.panel
        for name in ("few-may-write", "roles-on-a-circle", "echo"):
            for step in range(len(load(name).steps)):
                panel.show_step(load(name), step, Progress())
                assert panel.minimumSizeHint().width() == panel.sizeHint().width()
                assert panel.area.widget().minimumSizeHint().width() <= panel.sizeHint().width()


class TestKeeping:
    def test_progress_is_kept(self, lessons, qtbot):
        to_step(lessons, qtbot, 1)
        card = lessons.panel.questions[0]
        card.fill("44")
        card.commit()
        lessons.show_list()
        button = lessons.panel.shelf.buttons["echo"]
        assert button.text() == "Continue"
        press(qtbot, button)
        settle(lessons.parent(), qtbot)
        assert lessons.progress.step == 1
        assert lessons.panel.questions[0].given == "44"

    def test_answers_can_be_handed_in(self, lessons, qtbot):
        to_step(lessons, qtbot, 1)
        card = lessons.panel.questions[0]
        card.fill("44")
        card.commit()
        press(qtbot, card.compare)
        lessons.parent().actions_by_name["lesson_copy"].trigger()
        told = QGuiApplication.clipboard().text()
        assert "1 of 5 predictions right, 4 not answered." in told
        assert "My answer: 44" in told
        assert "Outcome: 46 (right)" in told

    def test_obsolete_and_unreadable_answers_are_ignored(self):
        lesson = parse('# T\n\n## S\n\nw\n\n```predict\nquestion = "A?"\nexpect = 1\n```\n')
        kept = {"step": "x", "answers": {"A?": 3, "B?": 4}, "outcomes": {"A?": {"good": "?"}, "B?": 1}, "done": 7}

        class Records:
            def record(self, key):
                return kept

            def set_record(self, key, record):
                kept.update(record)

        found = read_progress(Records(), lesson)
        assert (found.step, found.answers, found.outcomes, found.done) == (0, {"A?": "3"}, {}, set())
        found.outcomes["A?"] = Graded(False, "3", "1")
        write_progress(Records(), lesson, found)
        assert read_progress(Records(), lesson) == found
        assert "0 of 1 prediction right." in handed_in(lesson, found)


class TestFinding:
    def test_the_command_box_opens_a_lesson(self, lessons, qtbot):
        found = lessons.parent().finder
        found.open()
        qtbot.waitUntil(lambda: bool(found.sources.things.all), timeout=20_000)
        found.box.field.setText("a silent process")
        assert found.box.list.entry.kind == "lesson"
        qtbot.keyClick(found.box.field, Qt.Key.Key_Return)
        assert lessons.lesson.name == "echo-crash"

    def test_a_link_in_the_guide_opens_a_lesson(self, lessons):
        lessons.parent().helping.do("lesson", "snapshots")
        assert lessons.lesson.name == "snapshots"

    def test_an_unknown_lesson_is_reported(self, lessons):
        assert not lessons.parent().lessons.open("no-such")
        assert "unknown lesson 'no-such'" in lessons.parent().notice.text


class TestOpening:
    def test_a_lesson_keeps_unsaved_changes(self, lessons, qtbot):
        window = lessons.parent()
        window.session.change("seed 5", seed=5)
        assert window.session.modified
        assert window.lessons.open("snapshots")
        kept = list((window.settings.file.parent / "unsaved").glob("two-wings*.toml"))
        assert kept
        assert "unsaved changes" in window.notice.text

    def test_a_lesson_file_opens_as_any_other(self, lessons, tmp_path):
        file = tmp_path / "mine.md"
        file.write_text("# Mine\n\n## One\n\nNothing runs here.\n", encoding="utf-8")
        assert lessons.parent().documents.open(file)
        assert lessons.lesson.title == "Mine"
        file.write_text("no lesson", encoding="utf-8")
        lessons.parent().documents.open(file)
        assert "the title is missing" in lessons.parent().notice.text
        assert lessons.lesson.title == "Mine"


class TestWriting:
    def test_the_preview_follows_the_file_and_reports_errors(self, window, qtbot, monkeypatch):
        opened = []
        monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(Path(url.toLocalFile())) or True)
        window.actions_by_name["lesson_write"].trigger()
        lessons = window.lessons
        path = lessons.lesson.file
        assert opened == [path]
        assert path.parent.name == "lessons"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('wait = "end"', 'wiat = "end"'), encoding="utf-8")
        qtbot.waitUntil(lambda: bool(lessons.panel.problems), timeout=10_000)
        assert lessons.panel.problems[0].why == "unknown key 'wiat' (did you mean 'wait'?)"
        path.unlink()
        path.write_text(text.replace("The news spreads", "Something new"), encoding="utf-8")
        qtbot.waitUntil(lambda: not lessons.panel.problems, timeout=10_000)
        assert lessons.lesson.steps[0].title == "Something new"
        lessons.show_list()
        assert path.stem in lessons.panel.shelf.buttons
        window.actions_by_name["lesson_write"].trigger()
        assert lessons.lesson.file != path, "a second one does not take the place of the first"

    def test_a_lesson_is_made_of_the_runs_their_bookmarks_and_interventions(self, window, qtbot, monkeypatch):
        opened = []
        monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(Path(url.toLocalFile())) or True)
        window.session.start(archive().experiment("two-wings"))
        qtbot.waitUntil(lambda: window.session.shown is not None and not window.session.worker.busy, timeout=20_000)
        live = window.session.live
        window.desk.waypoints.add(2.0, "look here")
        assert live.rerun((Intervention(3.0, "crash", process="1"),), 3.0, "crash 1", "1 crashed")
        qtbot.waitUntil(lambda: live.branch == 1 and not window.session.worker.busy, timeout=20_000)
        live.go(0)
        window.actions_by_name["lesson_make"].trigger()
        lessons = window.lessons
        assert opened == [lessons.lesson.file]
        assert [step.title for step in lessons.lesson.steps] == ["The run", "look here", "1 crashed"]
        assert lessons.panel.problems == ()
        assert lessons.lesson.steps[2].text.startswith("At 3.0, process 1 crashes.")
        qtbot.waitUntil(lambda: not window.session.worker.busy, timeout=20_000)
