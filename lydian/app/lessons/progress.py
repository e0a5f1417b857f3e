"""A user's progress and answers in a lesson: kept in the user's settings, and handed in as a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from lydian.language import tr, trn
from lydian.model.lesson.blocks import Graded
from lydian.model.lesson.lesson import Lesson

__all__ = ["Progress", "handed_in", "read_progress", "write_progress"]


class Records(Protocol):
    """A store of tables of words and numbers by name."""

    def record(self, key: str) -> dict[str, Any]: ...

    def set_record(self, key: str, record: dict[str, Any]) -> None: ...


@dataclass
class Progress:
    """The progress in one lesson.

    Attributes:
        step: the number of the step that is shown, from 0; the number of steps means the closing page.
        answers: question -> prediction.
        outcomes: question -> outcome.
        done: step and number of each task that was done, as ``"2.0"``; of each question about the run that was
            answered, as ``"2.q0+"``, or ``"2.q0-"`` if the answer was wrong.
    """

    step: int = 0
    answers: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, Graded] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)

    def right(self) -> int:
        """Return the number of correct predictions."""
        return sum(1 for each in self.outcomes.values() if each.good) + sum(each.endswith("+") for each in self.done)

    def drawn(self, step: int, number: int) -> bool | None:
        """Return whether the answer to a question about the run was right; ``None`` if it was not answered."""
        name = f"{step}.q{number}"
        return True if f"{name}+" in self.done else False if f"{name}-" in self.done else None

    def set_drawn(self, step: int, number: int, right: bool) -> None:
        """Record whether the first answer to a question about the run was right."""
        if self.drawn(step, number) is None:
            self.done.add(f"{step}.q{number}{'+' if right else '-'}")

    def judged(self) -> int:
        """Return the number of predictions that were right or wrong."""
        judged = sum(1 for each in self.outcomes.values() if each.good is not None)
        return judged + sum(each.endswith(("+", "-")) for each in self.done)

    def told(self, lesson: Lesson) -> str:
        """Return how many of the lesson's predictions were right, in words; empty if the lesson asks for none."""
        asked = [each.question for each in lesson.questions if each.kind != "text" or each.expect is not None]
        drawn = [self.drawn(i, number) for i, step in enumerate(lesson.steps) for number in range(len(step.drawn))]
        if not asked and not drawn:
            return ""
        missing = sum(1 for each in asked if each not in self.answers) + drawn.count(None)
        waiting = sum(1 for each in asked if each in self.answers and each not in self.outcomes)
        right = self.right()
        said = [
            trn("{right} of {count} prediction right", "{right} of {count} predictions right",
                len(asked) + len(drawn), right=right)
        ]  # fmt: skip
        said += [trn("{count} not answered", "{count} not answered", missing)] if missing else []
        if waiting:
            said.append(trn("{count} not compared with a run", "{count} not compared with a run", waiting))
        return f"{', '.join(said)}."


def read_progress(records: Records, lesson: Lesson) -> Progress:
    """Return the saved progress in a lesson, without unreadable entries and questions that the lesson no longer has."""
    known = records.record(_key(lesson))
    asked = {question.question for question in lesson.questions}
    step = known.get("step")
    outcomes = {}
    for question, told in _table(known.get("outcomes")).items():
        if question in asked and isinstance(told, Mapping) and told.get("good") in (True, False, None):
            right = tuple(str(each) for each in told.get("right") or ())
            came, answer = str(told.get("came", "")), str(told.get("answer", ""))
            outcomes[question] = Graded(told.get("good"), answer, came, right)
    answers = {question: str(given) for question, given in _table(known.get("answers")).items() if question in asked}
    done = known.get("done")
    return Progress(
        min(max(step, 0), len(lesson.steps)) if isinstance(step, int) else 0,
        answers,
        outcomes,
        {str(each) for each in done} if isinstance(done, list) else set(),
    )


def write_progress(records: Records, lesson: Lesson, progress: Progress) -> None:
    """Save the progress."""
    outcomes = {
        question: {"good": each.good, "answer": each.answer, "came": each.came, "right": list(each.right)}
        for question, each in progress.outcomes.items()
    }
    told = {"step": progress.step, "answers": progress.answers, "outcomes": outcomes, "done": sorted(progress.done)}
    records.set_record(_key(lesson), told)


def handed_in(lesson: Lesson, progress: Progress) -> str:
    """Return the answers as Markdown: every question with its answer and outcome."""
    told = progress.told(lesson)
    lines = [f"# {lesson.title}", ""]
    if told:
        lines += [told, ""]
    for number, step in enumerate(lesson.steps, 1):
        for question in step.questions:
            outcome, given = progress.outcomes.get(question.question), progress.answers.get(question.question, "")
            answer = tr("My answer: {answer}", answer=given or tr("(no answer)"))
            lines += [f"{number}. {question.question}", f"   - {answer}"]
            if outcome is not None and outcome.came:
                words = {
                    True: tr("Outcome: {outcome} (right)", outcome=outcome.came),
                    False: tr("Outcome: {outcome} (wrong)", outcome=outcome.came),
                    None: tr("Outcome: {outcome}", outcome=outcome.came),
                }[outcome.good]
                lines.append(f"   - {words}")
    return "\n".join(lines) + "\n"


def _key(lesson: Lesson) -> str:
    return f"lesson-{lesson.name}"


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
