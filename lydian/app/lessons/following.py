"""Lessons in the window: the contents, tasks and comparisons of a step, the progress, and the writing of lessons."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QGuiApplication

from lydian.app.archive import cache
from lydian.app.archive.cache import Wish, wish_for_experiment
from lydian.app.archive.pictures import Pictures
from lydian.app.lessons.athand import LessonAtHand
from lydian.app.lessons.panel import LessonPanel
from lydian.app.lessons.progress import Progress, handed_in, read_progress
from lydian.app.lessons.shelf import Listed, Shelved
from lydian.app.lessons.watching import Watching
from lydian.app.lessons.writing import Writing
from lydian.app.look.theme import Theme
from lydian.app.panels.dock import Dock
from lydian.app.stage.stage import Stage
from lydian.desk.desk import Desk
from lydian.desk.runs.session import automatic_name
from lydian.language import tr
from lydian.model.archive.archive import Archive
from lydian.model.archive.course import Offered, course
from lydian.model.errors import BadInput, LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.model.lesson import lesson as lessons
from lydian.model.lesson.blocks import Drawn, Setting
from lydian.model.lesson.lesson import kept_beside
from lydian.model.reading import Problem
from lydian.trace.timeline import Timeline
from lydian.views.selection import NOTHING
from lydian.views.words.lessontext import Known, lesson_text

__all__ = ["Lessons"]


class Lessons(LessonAtHand):
    """The controller that opens lessons, shows their steps, runs their experiments, and supports writing lessons."""

    def __init__(
        self,
        desk: Desk,
        stage: Stage,
        actions: Mapping[str, QAction],
        parent: QObject,
        *,
        hold: Callable[[Dock], object],
        arrange: Callable[[str], object],
        asked: Callable[[str, str], object],
        quiz: Callable[[Drawn, Callable[[bool], object], Callable[[], object]], bool],
        begun: Callable[[], object],
        fly: Callable[[bool], object],
    ) -> None:
        """Start without a lesson.

        Args:
            desk: the documents and runs of the window.
            stage: the views.
            actions: the actions of the menus.
            parent: the window.
            hold: puts the dock of the lesson in its place.
            arrange: puts the views into a layout.
            asked: follows a link of the program's own.
            quiz: asks a question about the run on the screen in place of the panel, and calls back with whether the
                answer was right, and when the user returns; returns whether there is such a question.
            begun: called when a lesson is opened.
            fly: begins the guided flight of the run of the step as soon as it is there, or with False ends it.
        """
        super().__init__(desk, parent)
        self.stage, self._actions = stage, actions
        self._hold, self._arrange, self._asked, self._begun = hold, arrange, asked, begun
        self._quiz, self._fly = quiz, fly
        self.watching = Watching(self, lambda: self.begin(play=False))
        desk.workspaces.changed.connect(self.came_to)
        self._problems: tuple[Problem, ...] = ()
        self.writing = Writing(self)
        self.writing.changed.connect(self._written)
        self._pictures = Pictures(self)
        self._pictures.made.connect(self._drawn)
        self._wishes: dict[Wish, str] = {}  # picture that is not there yet -> name of a lesson

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the name of each command with its handler."""
        return {
            "lessons": self.show_list,
            "lesson": self.show_panel,
            "lesson_next": lambda: self._on_step(1),
            "lesson_back": lambda: self._on_step(-1),
            "lesson_copy": self.copy,
            "lesson_write": self.write,
            "lesson_make": self.make,
        }

    # ------------------------------------------------------------------ the panel

    def made(self) -> LessonPanel:
        """The panel, created with its dock on the right of the window at the first call."""
        if self.panel is not None:
            return self.panel
        stage = self.stage
        panel = self.panel = LessonPanel(stage.theme)
        about = tr("A lesson to read, predict, watch and compare. You can always skip a step or go back.")
        dock = self.dock = Dock("lesson", tr("Lesson"), "book", panel, stage.theme, about, stage.window())
        dock.bar.spare = dock.bar.spare[1:]
        dock._grow.hide()
        dock.grow_action.setVisible(False)
        for name in ("lessons", "lesson_copy", "lesson_write"):
            dock.add_to_menu(self._actions[name])
        self._hold(dock)
        dock.visibilityChanged.connect(lambda _on: self.desk.commands.check("lesson", not dock.isHidden()))
        panel.step_wanted.connect(self.go)
        panel.list_wanted.connect(self.show_list)
        panel.lesson_wanted.connect(self.open)
        panel.writing_wanted.connect(self.write)
        panel.example_wanted.connect(self.watching.do_example)
        panel.predicted.connect(self.watching.predicted)
        panel.drawn_wanted.connect(self._ask_drawn)
        panel.compare_wanted.connect(self.watching.compare)
        panel.why_wanted.connect(self.watching.show_why)
        panel.copy_wanted.connect(self.copy)
        panel.again_wanted.connect(self._again)
        panel.return_wanted.connect(lambda: self.begin(play=False))
        panel.asked.connect(self._asked)
        session = self.desk.session
        session.live.acted.connect(self.watching.acted)
        session.live.changed.connect(self.watching.look)
        session.run_ready.connect(lambda _run, _play: self.watching.run_ready())
        session.run_grown.connect(lambda run, _first, _play: self.watching.run_grown(run))
        session.experiment_changed.connect(self.watching.look)
        self.desk.playhead.changed.connect(lambda what: self.watching.heard(what))
        return panel

    def show_panel(self, on: bool = True) -> None:
        """Show or hide the panel; without a lesson it lists all lessons."""
        panel = self.made()
        assert self.dock is not None
        if on and panel.lesson is None:
            self._list()
        if on and not self.desk.workspaces.show("run"):
            return
        self.dock.setVisible(on)
        if on:
            self.dock.raise_()

    def show_list(self) -> None:
        """Show the list of all lessons with the progress in each."""
        self.watching.judge_answers()
        mine = self.mine
        self.lesson = self.wanted = None
        if mine:
            self.desk.session.disclose()
        self.writing.end()
        self._list()
        self.show_panel()

    def _listed(self) -> list[Shelved]:
        return [
            Shelved(chapter.key, chapter.title, tuple(self._one_listed(each) for each in chapter.lessons))
            for chapter in course(self.desk.shelf.archive)
        ]

    def _one_listed(self, offered: Offered) -> Listed:
        lesson = offered.lesson
        if lesson is None:
            return Listed(offered.name, offered.name, "", 0, problem=offered.problem)
        step = read_progress(self.desk.settings, lesson).step
        return Listed(
            offered.name, lesson.title, lesson.about, len(lesson.steps), step, lesson.place.level, lesson.minutes
        )

    def _list(self) -> None:
        """Fill the panel with the list, and request the pictures that do not exist yet."""
        panel = self.made()
        panel.show_list(self._listed())
        archive, place = self.desk.shelf.archive, cache.folder()
        self._wishes = {}
        for name in panel.shelf.cards:
            wish = self._wish(name, place, archive)
            if wish is not None and wish.there:
                panel.shelf.picture_is_there(name, wish.picture)
            elif wish is not None:
                self._wishes[wish] = name
        self._pictures.want(self._wishes)

    def _wish(self, name: str, place: Path, archive: Archive) -> Wish | None:
        """Return the wish for the picture of a lesson; ``None`` if it has none."""
        try:
            experiment = lessons.picture_of(lessons.load(name, archive), archive)
        except LydianError:
            return None
        if experiment is None:
            return None
        return wish_for_experiment(f"lesson-{name}", experiment, self.stage.theme.name, place, archive)

    def _drawn(self, wish: Wish) -> None:
        if self.panel is not None and wish in self._wishes:
            self.panel.shelf.picture_is_there(self._wishes[wish], wish.picture)

    # ------------------------------------------------------------------ opening

    def open(self, ref: str | Path) -> bool:
        """Follow a lesson from the step last shown; return False, with a notice, if it cannot be read."""
        archive = self.desk.shelf.archive
        try:
            path = lessons.find(ref, archive)
            text = lessons.text_of(path)
            lesson, problems = lessons.read(text, path)
            problems = lessons.problems(text, archive, path)
        except BadInput as error:
            self.desk.notices.say(str(error))
            return False
        if not lesson.steps:
            self.desk.notices.say(f"{path}, {problems[0]}")
            return False
        self.watching.judge_answers()
        self.lesson, self._problems = lesson, problems
        self.progress = read_progress(self.desk.settings, lesson)
        if self.progress.step >= len(lesson.steps):
            self.progress.step = 0
        self.writing.watch(path if problems or self._is_own(path) else None)
        if not self.desk.workspaces.show("run"):
            return False
        self._begun()
        self.made()
        self.go(self.progress.step)
        self.show_panel()
        return True

    def _is_own(self, path: Path) -> bool:
        user = self.desk.shelf.archive.user
        return user is None or path.is_relative_to(user) or not path.is_relative_to(self.desk.shelf.archive.ours)

    def go(self, step: int) -> None:
        """Show a step, and run its experiment."""
        lesson = self.lesson
        if lesson is None or not 0 <= step <= len(lesson.steps):
            return
        self.watching.judge_answers()
        self.progress.step = step
        self.keep()
        self.watching.comparing = False
        self._pictures.forget()
        self.made().show_step(lesson, step, self.progress, self._problems)
        if step < len(lesson.steps):
            self.stage.reset_zoom()
            self.desk.playhead.select(NOTHING)  # A click before the question appeared does not answer it.
            self.begin(play=None)
            self.stage.reset_zoom()
        elif self.mine:
            self.desk.session.disclose()
        self.watching.look()

    def _on_step(self, way: int) -> None:
        if self.lesson is None:
            self.show_list()
        else:
            self.show_panel()
            self.go(self.progress.step + way)

    # ------------------------------------------------------------------ the experiment of a step

    def begin(self, *, play: bool | None) -> None:
        """Run the experiment of the step, or go back to its start; ``play=None`` means as the step says."""
        lesson, step, desk = self.lesson, self.step_now(), self.desk
        if lesson is None or step is None:
            return
        try:
            self.wanted = lessons.experiment_of(lesson, self.progress.step, desk.shelf.archive)
        except LydianError as error:
            self.wanted = None
            desk.notices.say(str(error))
            return
        if self.wanted is None or not desk.workspaces.show("run"):
            return
        setting = self._setting()
        self._lay_out(step.setting)
        plays = bool(setting is not None and setting.play) if play is None else play
        withhold = self.asked_of_run() and not self.watching.comparing
        if not self.mine:
            own = setting is not None and bool(setting.name) and not setting.changes
            desk.session.start(self.wanted, self.wanted.path if own else None, play=plays, withhold=withhold)
        else:
            self._show_again(rewind=step.setting is not None or withhold, withhold=withhold, plays=plays)
        if step.setting is not None and step.setting.live:
            desk.session.live.switch(True)
        self._fly(play is None and step.setting is not None and step.setting.fly)

    def _show_again(self, *, rewind: bool, withhold: bool, plays: bool) -> None:
        """Continue with the run on the screen, from its start if ``rewind`` is set."""
        session, head = self.desk.session, self.desk.playhead
        session.withholding = withhold
        if rewind and (session.live.on or session.live.branch):
            session.live.go(0, 0.0)
        elif withhold:
            session.withhold()
        else:
            session.disclose()
        if rewind:
            head.pause()
            head.seek(head.start)
            if plays:
                head.play()

    def _setting(self) -> Setting | None:
        """Return the latest setting of an experiment up to this step."""
        assert self.lesson is not None
        said = [each.setting for each in self.lesson.steps[: self.progress.step + 1] if each.setting is not None]
        return said[-1] if said else None

    def _lay_out(self, setting: Setting | None) -> None:
        if setting is None:
            return
        if setting.layout:
            self._arrange(setting.layout)
        for view in setting.views:
            if view in self.stage.docks:
                self.stage.show_view(view, True)

    def _ask_drawn(self, number: int) -> None:
        """Ask a question that is generated from the run of the step."""
        step, place = self.step_now(), self.progress.step
        if step is None:
            return
        if not self.watching.whole:
            if not self.mine:
                self.begin(play=False)
            self.desk.notices.say(tr("The run of the lesson is not ready yet; try again in a moment."), False)
            return

        def answered(right: bool) -> None:
            self.progress.set_drawn(place, number, right)
            self.keep()
            if self.panel is not None and self.progress.step == place:
                self.panel.drawn[number].say(self.progress.drawn(place, number))
                self.panel.say_buttons()
            if not self.asked_of_run():
                self.desk.session.withholding = False

        if self._quiz(step.drawn[number], answered, lambda: self.show_panel(self.lesson is not None)):
            self.show_panel(False)

    # ------------------------------------------------------------------ saving, handing in, writing

    def copy(self) -> None:
        """Copy the answers to the clipboard."""
        if self.lesson is None:
            self.desk.notices.say(tr("No lesson is open, so there are no answers to copy."), False)
            return
        QGuiApplication.clipboard().setText(handed_in(self.lesson, self.progress))
        self.desk.notices.say(tr("Your answers have been copied. Paste them where you hand them in."), False)

    def _again(self) -> None:
        if self.lesson is not None:
            self.progress = Progress()
            self.go(0)

    def write(self) -> None:
        """Create a lesson file from a template, and open it in an editor beside its preview, which follows the file."""
        user = self.desk.shelf.archive.user
        if user is None:
            self.desk.notices.say(tr("There is no folder for your lessons; set LYDIAN_HOME to a folder."))
            return
        try:
            path = self.writing.begin(user / "lessons")
        except BadInput as error:
            self.desk.notices.say(str(error))
            return
        if self.open(path):
            self.desk.notices.say(
                tr("{file} is your lesson. Write in the file; this panel shows the result.", file=path), False
            )

    def make(self) -> None:
        """Make a lesson of the experiment with its branches and bookmarks, and open it as in :meth:`write`."""
        session, notices, user = self.desk.session, self.desk.notices, self.desk.shelf.archive.user
        experiment = session.experiment
        if experiment is None:
            notices.say(tr("There is no experiment of which a lesson could be made."), False)
            return
        if user is None:
            notices.say(tr("There is no folder for your lessons; set LYDIAN_HOME to a folder."))
            return
        title = experiment.name or automatic_name(experiment)
        known = {run.branch: Known(run.timeline or Timeline(run.trace), run.result.get("checks") or ())
                 for run in reversed(session.runs) if session.same(run, run.branch)}  # fmt: skip
        try:
            name = re.sub(r"[^\w-]+", "-", title).strip("-").lower() or "my-lesson"
            path = self.writing.place(user / "lessons", name)
            refers = kept_beside(experiment, path, self.desk.shelf.archive)
            marks = self.desk.playhead.bookmarks.marks
            self.writing.put(path, lesson_text(experiment, refers, title, known, marks, session.live.branch))
        except LydianError as error:
            notices.say(str(error))
            return
        if self.open(path):
            words = tr("{file} is your lesson, with a step for each bookmark and intervention. Write in the file.",
                       file=path)  # fmt: skip
            notices.say(words, False)

    def _written(self, path: Path) -> None:
        """Show the lesson again, at the same step, after its file has changed."""
        if self.lesson is None or self.lesson.file != path or self.panel is None:
            return
        archive = self.desk.shelf.archive
        try:
            text = lessons.text_of(path)
        except BadInput:
            return  # the file is being replaced
        lesson, _ = lessons.read(text, path)
        self._problems = lessons.problems(text, archive, path)
        if lesson.steps:
            self.lesson = lesson
            self.progress = read_progress(self.desk.settings, lesson)
        step = min(self.progress.step, len(self.lesson.steps) - 1)
        self.progress.step = step
        self.panel.show_step(self.lesson, step, self.progress, self._problems)
        if not self._problems:
            before = self.wanted
            self._begin_if_other(before)
        self.watching.look()

    def _begin_if_other(self, before: Experiment | None) -> None:
        assert self.lesson is not None
        now = lessons.experiment_of(self.lesson, self.progress.step, self.desk.shelf.archive)
        if now != before:
            self.begin(play=False)

    def set_theme(self, theme: Theme) -> None:
        self.watching.look()
        if self.panel is not None and self.panel.lesson is None and self.panel.isVisible():
            self._list()

    def came_to(self, workspace: str) -> None:
        """Show the panel beside a run only, not beside the editors."""
        if self.dock is not None and self.lesson is not None:
            self.dock.setVisible(workspace == "run")

    def close(self) -> None:
        """Stop watching the file of the lesson, and drawing pictures."""
        self.writing.end()
        self._pictures.close()
