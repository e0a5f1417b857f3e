"""The lesson that is followed: how far one is in it, and what its step asks of the run."""

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
    """The lesson at hand.

    Attributes:
        lesson: ``None`` while none is followed.
        progress: how far one is in it.
        wanted: the experiment of the step.
        panel, dock: what shows it; made when it is first wanted.
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
        """Whether the experiment of the step is on the screen, whatever was done to it."""
        now, wanted = self.desk.session.experiment, self.wanted
        return now is not None and wanted is not None and now.with_(branches=()) == wanted.with_(branches=())

    def unanswered(self) -> bool:
        """Whether the step asks something of its run that nobody has answered yet."""
        step = self.step_now()
        return step is not None and any(each.kind != "text" and not self.answered(each) for each in step.questions)

    def unjudged(self) -> bool:
        """Whether the step asks something of its run that has not been compared with what came out."""
        step = self.step_now()
        return step is not None and self._open(step)

    def _open(self, step: Step) -> bool:
        told = self.progress.outcomes
        return any(each.kind != "text" and each.question not in told for each in step.questions)

    def asked_of_run(self) -> bool:
        """Whether this step, or one that goes on with its run, asks something that has no outcome yet."""
        assert self.lesson is not None
        first, *later = self.lesson.steps[self.progress.step :]
        return any(map(self._open, (first, *takewhile(lambda step: step.setting is None, later))))

    def answered(self, question: Question) -> bool:
        return question.question in self.progress.answers

    def keep(self) -> None:
        if self.lesson is not None:
            write_progress(self.desk.settings, self.lesson, self.progress)
