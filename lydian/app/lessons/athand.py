"""The lesson being followed: the progress in it, and the questions that its step asks about the run."""

from __future__ import annotations

from itertools import takewhile

from PySide6.QtCore import QObject

from lydian.app.lessons.panel import LessonPanel
from lydian.app.lessons.progress import Progress, write_progress
from lydian.app.panels.dock import Dock
from lydian.desk.desk import Desk
from lydian.model.experiment.experiment import Experiment
from lydian.model.lesson.blocks import Question
from lydian.model.lesson.lesson import Lesson, Step

__all__ = ["LessonAtHand"]


class LessonAtHand(QObject):
    """The lesson being followed.

    Attributes:
        lesson: the lesson, ``None`` if there is none.
        progress: the user's progress in it.
        wanted: the experiment of the step.
        panel, dock: the widgets that show the lesson, created on first use.
    """

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self.desk = desk
        self.lesson: Lesson | None = None
        self.progress = Progress()
        self.wanted: Experiment | None = None
        self.panel: LessonPanel | None = None
        self.dock: Dock | None = None

    def step_now(self) -> Step | None:
        lesson = self.lesson
        return lesson.steps[self.progress.step] if lesson and self.progress.step < len(lesson.steps) else None

    @property
    def mine(self) -> bool:
        """Whether the experiment of the step is on the screen, with or without interventions."""
        now, wanted = self.desk.session.experiment, self.wanted
        return now is not None and wanted is not None and now.alone == wanted.alone

    def unanswered(self) -> bool:
        """Return True if the step has a question about its run without an answer."""
        step = self.step_now()
        return step is not None and any(each.kind != "text" and not self.answered(each) for each in step.questions)

    def unjudged(self) -> bool:
        """Return True if the step has a question about its run whose answer has not been compared with the outcome."""
        step = self.step_now()
        return step is not None and self._open(step, self.progress.step)

    def _open(self, step: Step, place: int) -> bool:
        told, drawn = self.progress.outcomes, self.progress.drawn
        return any(each.kind != "text" and each.question not in told for each in step.questions) or any(
            drawn(place, number) is None for number in range(len(step.drawn))
        )

    def asked_of_run(self) -> bool:
        """Return True if this step, or a later one with the same run, has a question without an outcome."""
        assert self.lesson is not None
        here = self.progress.step
        first, *later = self.lesson.steps[here:]
        same = (first, *takewhile(lambda step: step.setting is None, later))
        return any(self._open(step, place) for place, step in enumerate(same, here))

    def answered(self, question: Question) -> bool:
        return question.question in self.progress.answers

    def keep(self) -> None:
        if self.lesson is not None:
            write_progress(self.desk.settings, self.lesson, self.progress)
