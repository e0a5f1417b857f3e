"""The tasks of a step as the run proceeds, and the comparison of predictions with outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lydian.app.lessons.athand import LessonAtHand
from lydian.app.lessons.cards import QuestionCard
from lydian.desk.live.live import Acted, Moment
from lydian.desk.runs.run import Run
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.lesson.blocks import Action, Expectation, Graded, Question, grade
from lydian.model.lesson.values import Expression
from lydian.trace.facts import facts
from lydian.trace.timeline import Timeline
from lydian.views.playback.interfering import Situation
from lydian.views.playback.lessonmoment import place, reached
from lydian.views.selection import Selection

__all__ = ["Watching"]


class Watching:
    """The observer of the run beside a lesson: it checks tasks, notices the end, and compares predictions.

    Attributes:
        comparing: whether the user asked for the outcome, which is shown as soon as the run has its end.
    """

    def __init__(self, lessons: LessonAtHand, begin: Callable[[], object]) -> None:
        """Start without a run; ``begin`` runs the experiment of the step, or goes back to its start."""
        self.lessons, self.desk, self._begin = lessons, lessons.desk, begin
        self.comparing = False
        self._known: tuple[object, dict[str, Any]] | None = None  # a run, and its numbers

    def heard(self, what: str) -> None:
        if what in ("time", "timeline", "selection") and self._listens():
            if what == "selection":
                self._picked()
            self.look()

    def _listens(self) -> bool:
        return self.lessons.lesson is not None and self.lessons.panel is not None and self.lessons.dock is not None

    def _run(self) -> tuple[Timeline | None, Sequence[Mapping[str, Any]]]:
        """Return the run on the screen, including the part not yet shown, and the results of its properties."""
        session, timeline = self.desk.session, self.desk.playhead.path
        if session.live.alive:
            rest = _rest(timeline)
            return timeline, session.live.checks if rest is None else rest.get("checks") or ()
        return timeline, () if session.whole is None else session.whole.result.get("checks") or ()

    @property
    def there(self) -> bool:
        """Whether the run of the step is on the screen, rather than still the previous one."""
        run, path, wanted = self.desk.session.whole, self.desk.playhead.path, self.lessons.wanted
        if run is None or run.experiment is None or path is None or wanted is None or not self.lessons.mine:
            return False
        return path.trace is run.trace and run.experiment.alone == wanted.alone

    @property
    def whole(self) -> bool:
        """Whether the run of the step is known to its end, shown or not."""
        session = self.desk.session
        run = session.whole if self.there and not session.live.alive else None
        return run is not None and bool(run.result.get("stopped")) and run.problem is None and not session.worker.busy

    @property
    def over(self) -> bool:
        """Whether the run of the step has ended, and its end is shown."""
        session, head = self.desk.session, self.desk.playhead
        if self.there and session.live.alive:
            return session.live.quiet and head.t >= min(session.live.time, head.end) - 1e-9
        return self.whole and head.t >= head.reach - 1e-9

    def run_ready(self) -> None:
        """React to a new run: compare if that was asked for; hide its figures while a question is open."""
        head = self.desk.playhead
        if self.comparing and self.lessons.mine and not self.desk.session.live.on:
            head.pause()
            head.seek(head.reach)
        if self.lessons.mine and self.lessons.unanswered():
            self.desk.notices.told.emit(tr("The run is ready. Make your prediction, then press Play."))
        self.look()

    def run_grown(self, run: Run) -> None:
        """React to a part of a run: the beginning of a finished one, or more of one that continues."""
        if run.beginning is not None:
            self.run_ready()

    def look(self) -> None:
        """Check whether a task has been fulfilled, and whether predictions can be compared."""
        step, panel = self.lessons.step_now(), self.lessons.panel
        if step is None or panel is None or not self._listens():
            return
        panel.elsewhere.setVisible(self.lessons.wanted is not None and not self.lessons.mine)
        if not self.there:
            panel.say_buttons()
            return
        timeline, checks = self._run()
        if timeline is None:
            return
        head, over = self.desk.playhead, self.over
        for number, card in enumerate(panel.actions_):
            wait = card.action.wait
            if (
                wait is not None
                and not card.now
                and reached(wait, timeline, checks, head.t, over=over, selected=head.selection.processes)
            ):
                self._mark(number)
        panel.ready = self.whole
        for asked in panel.questions:
            asked.say_next(self._open_action())
        if over:
            if self.desk.session.live.on and self.comparing:
                self.desk.session.live.switch(False)  # the run from the recording has an end of its own
                return
            self._compare_all(timeline, checks)
        panel.say_buttons()

    def _open_action(self) -> str:
        """Return the action needed before the run answers the questions; empty if there is none."""
        panel = self.lessons.panel
        cards = [] if panel is None else panel.actions_
        return next((card.said.text() for card in cards if card.action.kinds and not card.now), "")

    def acted(self, acted: Acted) -> None:
        """Check whether an intervention was the action that the step waits for."""
        timeline = self.desk.playhead.timeline
        if not acted.accepted or self.lessons.panel is None or not self.lessons.mine or timeline is None:
            return
        now = Situation(timeline, self.desk.playhead.t)
        down = [(now.names[a], now.names[b]) for a, b in now.down]
        for number, card in enumerate(self.lessons.panel.actions_):
            if not card.now and card.action.met(acted.interventions, now.network, down):
                self._mark(number)
                break
        self.lessons.panel.say_buttons()

    def _mark(self, number: int) -> None:
        assert self.lessons.panel is not None
        self.lessons.panel.actions_[number].say(True)
        self.lessons.progress.done.add(f"{self.lessons.progress.step}.{number}")
        self.lessons.keep()

    def _picked(self) -> None:
        """Take a click on a process as an answer where one is asked for."""
        head, panel = self.desk.playhead, self.lessons.panel
        chosen = sorted(head.selection.processes)
        if panel is None or head.timeline is None or not chosen or not self.lessons.mine:
            return
        card = next((each for each in panel.questions if each.waits_for_process), None)
        if card is not None:
            card.fill(head.timeline.processes[chosen[0]])

    # ------------------------------------------------------------------ predictions

    def predicted(self, question: Question, answer: str) -> None:
        if answer:
            self.lessons.progress.answers[question.question] = answer
        else:
            self.lessons.progress.answers.pop(question.question, None)
            self.lessons.progress.outcomes.pop(question.question, None)
        if answer and question.kind == "text":
            self._judge(question, {})
        self.lessons.keep()
        self.look()
        if self.lessons.panel is not None:
            self.lessons.panel.say_buttons()

    def compare(self) -> None:
        """Go to the end of the run, and compare."""
        session, head = self.desk.session, self.desk.playhead
        self.comparing = True
        if not self.lessons.mine:
            self._begin()
            return
        if session.live.on:
            session.withholding = False  # The user has asked for the outcome.
            session.live.switch(False)
            return
        head.pause()
        head.seek(head.reach)
        self.look()

    def _numbers(self, timeline: Timeline, checks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        if self._known is None or self._known[0] is not timeline:
            self._known = (timeline, facts(timeline, checks))
        return self._known[1]

    def _compare_all(self, timeline: Timeline, checks: Sequence[Mapping[str, Any]]) -> None:
        assert self.lessons.panel is not None
        if not (self.lessons.panel.questions or self.lessons.panel.expectations):
            return
        known, self.comparing = self._numbers(timeline, checks), False
        if not self._open_action():
            self._judge_answers(known)
        stopped = not self.desk.session.live.alive or _rest(timeline) is not None  # then the result is final
        for row in self.lessons.panel.expectations:
            row.say(_came(row.expectation, known, stopped=stopped))
            row.setVisible(all(self.lessons.answered(each.question) for each in self.lessons.panel.questions))

    def judge_answers(self) -> None:
        """Compare the answers with the run when the user leaves the step, even if its end was never shown."""
        timeline, checks = self._run()
        if timeline is not None and self.whole and self.lessons.panel is not None and not self._open_action():
            self._judge_answers(self._numbers(timeline, checks))

    def _judge_answers(self, known: Mapping[str, Any]) -> None:
        step = self.lessons.step_now()
        for question in () if step is None else step.questions:
            if self.lessons.answered(question) and question.question not in self.lessons.progress.outcomes:
                self._judge(question, known)
        if not self.lessons.unjudged():
            self.desk.session.disclose()

    def _judge(self, question: Question, known: Mapping[str, Any]) -> None:
        card = self._card(question)
        try:
            outcome = grade(question, self.lessons.progress.answers.get(question.question), known)
        except BadInput as error:
            if card is not None:
                card.say(tr("There is no outcome to compare with: {reason}", reason=error.what))
            return
        self.lessons.progress.outcomes[question.question] = outcome
        self.lessons.keep()
        if card is not None:
            card.show_outcome(outcome)

    def _card(self, question: Question) -> QuestionCard | None:
        cards = self.lessons.panel.questions if self.lessons.panel is not None else []
        return next((each for each in cards if each.question == question), None)

    def show_why(self, question: Question) -> None:
        """Go to the moment of the run that explains the answer, and select the process or event concerned."""
        head = self.desk.playhead
        if not self.lessons.mine:
            self._begin()
        timeline, checks = self._run()
        if timeline is None:
            return
        outcome = self.lessons.progress.outcomes.get(question.question, Graded(None, "", ""))
        there = place(question.show, timeline, checks, outcome.right)
        head.pause()
        head.seek(there.time)
        if there.process is not None:
            head.select(Selection(processes=frozenset([there.process])))
        elif there.event is not None:
            process = int(timeline.process[there.event])
            chosen = frozenset([process]) if process >= 0 else frozenset[int]()
            head.select(Selection(processes=chosen, event=there.event))

    # ------------------------------------------------------------------ tasks

    def do_example(self, action: Action) -> None:
        """Carry out the example of an action, or go to the moment that the step waits for."""
        head, session = self.desk.playhead, self.desk.session
        if not self.lessons.mine:
            self._begin()
            return
        timeline, checks = self._run()
        if timeline is None:
            return
        if action.wait is not None:
            head.pause()
            if action.wait.what == "selected" and action.wait.of in timeline.processes:
                head.select(Selection(processes=frozenset([timeline.processes.index(action.wait.of)])))
            else:
                head.seek(place([action.wait], timeline, checks).time)
            self.look()
            return
        head.pause()
        live, t = session.live, action.example[0].time
        live.rewind(Moment(live.branch, live.history.until(t), t))
        for each in action.example:  # This includes examples at later moments: the user looks at the current moment.
            live.act({key: value for key, value in each.to_dict().items() if key not in ("time", "after")})


def _rest(timeline: Timeline | None) -> Mapping[str, Any] | None:
    """Return the summary of a live run in which no event is left, if it may be shown; else ``None``."""
    rest = None if timeline is None else timeline.trace.summary.get("rest")
    return rest if isinstance(rest, Mapping) else None


def _came(expectation: Expectation, known: Mapping[str, Any], *, stopped: bool = True) -> bool | None:
    """Return whether an outcome was as expected; ``None`` while that is open.

    In a run that has not ``stopped``, a violated property stays violated; all other results may still change.
    """
    try:
        if expectation.property:
            held = known["holds"](expectation.property)
            return None if held is None or (held and not stopped) else bool(held) is expectation.holds
        return bool(Expression(expectation.that).of(known)) if stopped else None
    except BadInput:
        return None
