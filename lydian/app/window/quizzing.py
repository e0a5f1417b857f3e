"""The quiz on the run on the screen: while a question is open, nothing that happens later can be seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from lydian.app.panels.quiz import QuizPanel
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.trace.timeline import Timeline
from lydian.views.questions.ask import ask, kinds, series
from lydian.views.questions.question import Question, Verdict
from lydian.views.selection import NOTHING, Selection

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["Quizzing"]


def _nothing() -> None:
    pass


class Quizzing(QObject):
    """The controller of the quiz.

    Attributes:
        on: whether a quiz is going on.
        seed: chooses the questions; another one for each quiz.
    """

    def __init__(self, desk: Desk, stage: Stage, panel: QuizPanel, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage, self.panel = desk, stage, panel
        self.on = False
        self.seed = 0
        self._questions: Iterator[Question] = iter(())
        self._told: Callable[[bool], object] | None = None
        self._left: Callable[[], object] = _nothing
        self._before = (0.0, NOTHING)
        self._busy = False
        self._had = True  # whether the view Causality, about which most questions are, was there before
        panel.answered.connect(self._answered)
        panel.next_wanted.connect(self.ask)
        panel.closed.connect(self.leave)
        desk.screen.loading.connect(self._loading)
        desk.playhead.changed.connect(self._changed)
        desk.workspaces.changed.connect(lambda name: self.panel.leave() if self.on and name != "run" else None)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"run_quiz": self.start}

    # ------------------------------------------------------------------ beginning and ending

    def start(self, only: Sequence[str] = ()) -> None:
        """Begin a quiz on the run on the screen; say why if that is not possible."""
        session, head = self.desk.session, self.desk.playhead
        if self.on:
            self.panel.focus()
            return
        if session.live.alive or session.worker.busy:
            self.desk.notices.say(tr("The run has not finished; the quiz needs its end."))
            return
        if session.withholding:
            self.desk.notices.say(tr("The lesson hides the rest of this run; answer its question first."))
            return
        whole = self._run()
        if whole is not None:
            self.seed = random.randrange(1, 1_000_000)
            self._begin(series(whole, self.seed, only, head.animation), None)

    def ask_one(
        self, kind: str, seed: int, told: Callable[[bool], object], left: Callable[[], object] = _nothing
    ) -> bool:
        """Ask one question about the run on the screen, for a lesson; return False, with a notice, if there is none.

        Args:
            told: learns whether the answer is right.
            left: called when the quiz is over.
        """
        whole = None if self.on else self._run()
        if whole is None:
            return False
        try:
            question = ask(whole, kind, seed, self.desk.playhead.animation)
        except BadInput as error:
            self.desk.notices.say(str(error))
            return False
        if question is None:
            self.desk.notices.say(tr("This question cannot be asked about this run."))
            return False
        self._left = left
        self._begin(iter((question,)), told)
        return True

    def _run(self) -> Timeline | None:
        """Return the whole run on the screen; say so if there is none."""
        run = self.desk.session.whole
        if run is None or not len(run.trace) or not self.desk.workspaces.show("run"):
            self.desk.notices.say(tr("There is no run to ask about; run an experiment first."))
            return None
        return run.timeline or Timeline(run.trace)

    def _begin(self, questions: Iterator[Question], told: Callable[[bool], object] | None) -> None:
        head = self.desk.playhead
        head.pause()
        self._before, self._told, self._questions = (head.t, head.selection), told, questions
        self.on = True
        self._had = not self.stage.docks["causality"].isHidden()
        self.stage.show_view("causality", True)
        self.panel.begin(single=told is not None)
        self.ask()

    def leave(self) -> None:
        """End the quiz; the run is as it was before."""
        if not self.on:
            return
        self.on, self._questions = False, iter(())
        self.panel.hide()
        self._reveal()
        if self.desk.session.withholding:  # a lesson has more questions about this run
            self.desk.session.withhold()
        t, selection = self._before
        self.desk.playhead.seek(t)
        self.desk.playhead.select(selection)
        self._over()
        if not self._had:
            self.stage.show_view("causality", False)
        self.stage.canvases["basic"].setFocus()

    def _loading(self, _before: object, _timeline: object) -> None:
        """End the quiz if another run replaces the one that it asks about."""
        if self.on and not self._busy:
            self.on, self._questions = False, iter(())
            self._cover("")
            self.panel.hide()
            self._over()

    def _over(self) -> None:
        """Let the lesson that asked continue."""
        left, self._left, self._told = self._left, _nothing, None
        left()

    # ------------------------------------------------------------------ questions

    def ask(self) -> None:
        """Ask the next question, with the run up to the time of the question."""
        if not self.on:
            return
        question = next(self._questions, None)
        if question is None and self._told is not None:
            self.leave()
            return
        if question is None:
            self._reveal()
            self.panel.end()
            return
        head = self.desk.playhead
        self._busy = True
        try:
            self.desk.session.show_until(question.time)
            head.pause()
            head.seek(question.time)
            head.select(self._named(question))
        finally:
            self._busy = False
        self._cover(tr("Hidden until you answer"))
        self.panel.show_question(question, kinds()[question.kind].title)

    def _cover(self, sentence: str) -> None:
        """Show a sentence in place of what would answer questions about causal order, and of the verdicts."""
        for name in ("knowledge", "checks"):
            self.stage.docks[name].unavailable(sentence)

    def _named(self, question: Question) -> Selection:
        """Return what the question names, without selecting an event, whose causal past and future would show."""
        timeline = self.desk.playhead.timeline
        if timeline is None:
            return NOTHING
        return Selection(messages=_messages(timeline, () if question.cut else question.about), cut=question.cut)

    def _changed(self, what: str) -> None:
        """Take a click in a view as an answer; let no event stay selected while a question is open."""
        head = self.desk.playhead
        if what != "selection" or not self.on or self._busy or self.panel.question is None or self.panel.verdict:
            return
        event, processes = head.selection.event, sorted(head.selection.processes)
        self._busy = True
        try:
            head.select(self._named(self.panel.question))
        finally:
            self._busy = False
        self.panel.pick(event=event, processes=processes)

    def _answered(self, verdict: Verdict) -> None:
        self._explain()
        if self._told is not None:
            self._told(verdict.right)

    def _explain(self) -> None:
        """Show the whole run at the moment of the evidence, with the evidence selected."""
        question, head = self.panel.question, self.desk.playhead
        self._reveal()
        timeline = head.timeline
        if question is None or timeline is None or not question.evidence:
            return
        last = question.evidence[-1]
        head.pause()
        head.seek(float(timeline.time[last]))
        event = None if question.cut else question.about[0] if question.about else last
        head.select(Selection(messages=_messages(timeline, question.evidence), event=event, cut=question.cut))

    def _reveal(self) -> None:
        """Show the whole run again."""
        self._cover("")
        self._busy = True
        try:
            self.desk.session.reveal()
        finally:
            self._busy = False


def _messages(timeline: Timeline, seqs: Sequence[int]) -> frozenset[int]:
    """Return the messages of some events."""
    messages = timeline.message[np.array(seqs, dtype=np.int64)]
    return frozenset(messages[messages >= 0].tolist())
