"""What a step of a lesson waits for, and its predictions against what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lydian.app.lessons.cards import QuestionCard
from lydian.app.work.live import Acted, Moment
from lydian.model.errors import BadInput
from lydian.model.lessonblocks import Action, Expectation, Question
from lydian.model.lessonvalues import Expression, Outcome, grade
from lydian.trace.facts import facts
from lydian.views.frame import Selection
from lydian.views.lessonmoment import place, reached

if TYPE_CHECKING:
    from lydian.app.lessons.desk import Lessons
    from lydian.trace.timeline import Timeline

__all__ = ["Watching"]


class Watching:
    """Looks at the run beside a lesson: is what is waited for there, is it over, was the prediction right?

    Attributes:
        comparing: whether somebody asked for the outcome, which comes as soon as the run has its end.
    """

    def __init__(self, desk: Lessons) -> None:
        self.desk = desk
        self.comparing = False
        self._known: tuple[object, dict[str, Any]] | None = None  # a run, and its numbers

    def heard(self, what: str) -> None:
        if what in ("time", "timeline", "selection") and self._listens():
            if what == "selection":
                self._picked()
            self.look()

    def _listens(self) -> bool:
        return self.desk.lesson is not None and self.desk.panel is not None and self.desk.dock is not None

    def _run(self) -> tuple[Timeline | None, Sequence[Mapping[str, Any]]]:
        """What is on the screen, and what became of its properties."""
        run = self.desk.window.session.shown
        return self.desk.window.playhead.timeline, () if run is None else run.result.get("checks") or ()

    @property
    def over(self) -> bool:
        """Whether the run of the step has come to its end, and its end is shown."""
        session, head = self.desk.window.session, self.desk.window.playhead
        if not self.desk.mine or head.timeline is None or session.shown is None:
            return False
        if session.live.on:
            return session.live.quiet and head.t >= min(session.live.time, head.end) - 1e-9
        whole = bool(session.shown.result.get("stopped")) and session.shown.problem is None
        return whole and not session.worker.busy and head.t >= head.end - 1e-9

    def run_ready(self) -> None:
        head = self.desk.window.playhead
        if self.comparing and self.desk.mine and not self.desk.window.session.live.on:
            head.pause()
            head.seek(head.end)
        if self.desk.mine and self.desk.unanswered():
            self.desk.window.status.say("The run is ready: say what you expect, then press Play.")  # not its figures
        self.look()

    def look(self) -> None:
        """See whether something that is waited for is there, and whether predictions can be compared."""
        self.veil()
        step, panel = self.desk.step_now(), self.desk.panel
        if step is None or panel is None or not self._listens():
            return
        panel.elsewhere.setVisible(self.desk.wanted is not None and not self.desk.mine)
        if not self.desk.mine:
            return
        timeline, checks = self._run()
        if timeline is None:
            return
        head, over = self.desk.window.playhead, self.over
        for number, card in enumerate(panel.actions_):
            wait = card.action.wait
            if wait is not None and not card.done and reached(
                wait, timeline, checks, head.t, over=over, selected=head.selection.processes
            ):
                self._mark(number)
        if over:
            if self.desk.window.session.live.on and self.comparing:
                self.desk.window.session.live.switch(False)  # a record comes to its own end
                return
            self._compare_all(timeline, checks)
            self.veil()
        panel.say_buttons()

    def veil(self) -> None:
        """Charts do not tell what is to come as long as a question about it has no outcome."""
        step = self.desk.step_now() if self.desk.mine else None
        told = self.desk.progress.outcomes
        veiled = step is not None and any(each.kind != "text" and each.question not in told for each in step.questions)
        for canvas in self.desk.window.stage.pictures():
            panels = getattr(canvas.painter, "panels", None)
            if panels is not None and panels.veiled != veiled:
                panels.veiled = veiled
                canvas.update()

    def acted(self, acted: Acted) -> None:
        """Somebody interfered: perhaps that is what is waited for."""
        if not acted.accepted or self.desk.panel is None or not self.desk.mine:
            return
        for number, card in enumerate(self.desk.panel.actions_):
            if not card.done and any(card.action.fits(each) for each in acted.interventions):
                self._mark(number)
                break
        self.desk.panel.say_buttons()

    def _mark(self, number: int) -> None:
        assert self.desk.panel is not None
        self.desk.panel.actions_[number].say(True)
        self.desk.progress.done.add(f"{self.desk.progress.step}.{number}")
        self.desk.keep()

    def _picked(self) -> None:
        """A click on a process is an answer where one is asked for."""
        head, panel = self.desk.window.playhead, self.desk.panel
        chosen = sorted(head.selection.processes)
        if panel is None or head.timeline is None or not chosen or not self.desk.mine:
            return
        card = next((each for each in panel.questions if each.waits_for_process), None)
        if card is not None:
            card.fill(head.timeline.processes[chosen[0]])

    # ------------------------------------------------------------------ predictions

    def predicted(self, question: Question, answer: str) -> None:
        if answer:
            self.desk.progress.answers[question.question] = answer
        else:
            self.desk.progress.answers.pop(question.question, None)
            self.desk.progress.outcomes.pop(question.question, None)
        if answer and question.kind == "text":
            self._judge(question, {})
        self.desk.keep()
        self.look()
        if self.desk.panel is not None:
            self.desk.panel.say_buttons()

    def compare(self) -> None:
        """Go to the end of the run, and compare."""
        window, head = self.desk.window, self.desk.window.playhead
        self.comparing = True
        if not self.desk.mine:
            self.desk.begin(play=False)
            return
        if window.session.live.on:
            window.session.live.switch(False)
            return
        head.pause()
        head.seek(head.end)
        self.look()

    def _numbers(self, timeline: Timeline, checks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        if self._known is None or self._known[0] is not timeline:
            self._known = (timeline, facts(timeline, checks))
        return self._known[1]

    def _compare_all(self, timeline: Timeline, checks: Sequence[Mapping[str, Any]]) -> None:
        assert self.desk.panel is not None
        if not (self.desk.panel.questions or self.desk.panel.expectations):
            return
        known, self.comparing = self._numbers(timeline, checks), False
        for card in self.desk.panel.questions:
            if self.desk.answered(card.question) and card.question.question not in self.desk.progress.outcomes:
                self._judge(card.question, known)
        for row in self.desk.panel.expectations:
            row.say(_came(row.expectation, known))
            row.setVisible(all(self.desk.answered(each.question) for each in self.desk.panel.questions))

    def _judge(self, question: Question, known: Mapping[str, Any]) -> None:
        card = self._card(question)
        try:
            outcome = grade(question, self.desk.progress.answers.get(question.question), known)
        except BadInput as error:
            if card is not None:
                card.say(f"Nothing to compare with: {error.what}")
            return
        self.desk.progress.outcomes[question.question] = outcome
        self.desk.keep()
        if card is not None:
            card.show_outcome(outcome)

    def _card(self, question: Question) -> QuestionCard | None:
        cards = self.desk.panel.questions if self.desk.panel is not None else []
        return next((each for each in cards if each.question == question), None)

    def show_why(self, question: Question) -> None:
        """Go to the moment of the run that shows the answer, and select what it is about."""
        head = self.desk.window.playhead
        if not self.desk.mine:
            self.desk.begin(play=False)
        timeline, checks = self._run()
        if timeline is None:
            return
        outcome = self.desk.progress.outcomes.get(question.question, Outcome(None, "", ""))
        there = place(question.show, timeline, checks, outcome.right)
        head.pause()
        head.seek(there.time)
        if there.process is not None:
            head.select(Selection(processes=frozenset([there.process])))
        elif there.event is not None:
            process = int(timeline.process[there.event])
            chosen = frozenset([process]) if process >= 0 else frozenset[int]()
            head.select(Selection(processes=chosen, event=there.event))

    # ------------------------------------------------------------------ things to do

    def do_example(self, action: Action) -> None:
        """Do what is waited for as its example says, or go to the moment that is waited for."""
        head, window = self.desk.window.playhead, self.desk.window
        if not self.desk.mine:
            self.desk.begin(play=False)
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
        live, t = window.session.live, action.example[0].time
        live.rewind(Moment(live.branch, live.history.until(t), t))
        for each in action.example:  # those of later moments as well: the moment that is shown is the one to look at
            live.act({key: value for key, value in each.to_dict().items() if key not in ("time", "after")})


def _came(expectation: Expectation, known: Mapping[str, Any]) -> bool | None:
    """Whether something came out as expected; ``None`` while that is open."""
    try:
        if expectation.property:
            held = known["holds"](expectation.property)
            return None if held is None else bool(held) is expectation.holds
        return bool(Expression(expectation.that).of(known))
    except BadInput:
        return None
