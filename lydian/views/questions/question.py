"""A question about a run, its possible answers, and the verdict on an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.views.words.phrases import joined, stopped

__all__ = ["CHOICE", "NUMBER", "SEVERAL", "Choice", "Question", "Verdict", "check", "from_dict"]

#: The forms of answers: one of the choices, a whole number, any number of the choices.
CHOICE, NUMBER, SEVERAL = "choice", "number", "several"
#: A longer choice is cited by its number.
SHORT = 24
#: The keys of a question as a dict that reveal its answer.
_ANSWER = ("right", "why", "evidence")


@dataclass(frozen=True)
class Choice:
    """A possible answer.

    Attributes:
        text: the answer in words.
        event: the event that it names, which may be clicked instead; -1 if it names none.
        process: likewise the process.
    """

    text: str
    event: int = -1
    process: int = -1


@dataclass(frozen=True)
class Question:
    """A question about a run.

    Attributes:
        kind: the name of its kind; seed: the seed it was drawn with; run: the fingerprint of the run.
        text: the question; lines are separated by newlines.
        time: the time up to which the run may be shown while the question is open.
        form: :data:`CHOICE`, :data:`NUMBER` or :data:`SEVERAL`.
        choices: the choices, empty for a number.
        right: the number; or the places of the right choices, from 0, ascending.
        why: the explanation of the answer.
        evidence: the events that prove it, ascending; they may be later than ``time``.
        about: the events that the question itself names, all of them up to ``time``.
        cut: the last event of each process inside the cut in question, -1 if there is none; empty if there is no cut.
        level: the difficulty, from 1 to 3.
    """

    kind: str
    seed: int
    run: str
    text: str
    time: float
    form: str
    right: tuple[int, ...]
    why: str
    choices: tuple[Choice, ...] = ()
    evidence: tuple[int, ...] = ()
    about: tuple[int, ...] = ()
    cut: tuple[int, ...] = ()
    level: int = 1

    @property
    def answer(self) -> str:
        """The right answer in words."""
        if self.form == NUMBER:
            return tr("{number:,}", number=self.right[0])
        return joined([self.choices[place].text for place in self.right])

    @property
    def cited(self) -> str:
        """The right answer as a part of a sentence; a long choice is cited by its number."""
        if self.form == CHOICE and (len(self.answer) > SHORT or self.choices[self.right[0]].process >= 0):
            return tr("number {number}", number=self.right[0] + 1)
        return self.answer or tr("none of them")

    def to_dict(self, *, answer: bool = True) -> dict[str, Any]:
        """Return the question as plain values that can be written as JSON; without ``answer``, for those asked."""
        found = asdict(self)
        for key in ("right", "choices", "evidence", "about", "cut"):
            found[key] = list(found[key])
        return found if answer else {key: value for key, value in found.items() if key not in _ANSWER}


def from_dict(data: Mapping[str, Any]) -> Question:
    """Return the question that :meth:`Question.to_dict` wrote; one without its answer has no right answers.

    Raises:
        BadInput: the dict is not a question.
    """
    try:
        lists = {key: tuple(int(each) for each in data.get(key, ())) for key in ("right", "evidence", "about", "cut")}
        return Question(
            kind=str(data["kind"]), seed=int(data["seed"]), run=str(data["run"]), text=str(data["text"]),
            time=float(data["time"]), form=str(data["form"]), why=str(data.get("why", "")),
            choices=tuple(Choice(**each) for each in data.get("choices", ())), level=int(data.get("level", 1)), **lists,
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"this is not a question about a run: {error}") from None


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer: whether it is right, and a sentence that says so and gives the right answer."""

    right: bool
    sentence: str


def check(question: Question, answer: object) -> Verdict:
    """Judge an answer; a correct answer in any permitted notation is right.

    Args:
        answer: a number; for choices, the number of one as it is shown (from 1), its text, or true and false for the
            first and the second of two choices; for several choices, a list of these, or a text with commas.

    Raises:
        BadInput: it is not an answer to this question; or the question does not contain its answer.
    """
    if not question.right and not question.why:
        raise BadInput("this question does not contain its answer")
    given = _given(question, answer)
    if given == question.right:
        return Verdict(True, tr("Right."))
    return Verdict(False, stopped(tr("Not quite. The answer is {answer}", answer=question.cited)))


def _given(question: Question, answer: object) -> tuple[int, ...]:
    if question.form == NUMBER:
        try:
            value = float(str(answer).strip().replace("\N{NARROW NO-BREAK SPACE}", "").replace(",", "."))
        except ValueError:
            raise BadInput(f"{shown(answer)} is not a number") from None
        if isinstance(answer, bool) or value != round(value):
            raise BadInput(f"{shown(answer)} is not a whole number")
        return (int(value),)
    if question.form == SEVERAL:
        parts: Sequence[object] = answer.split(",") if isinstance(answer, str) else answer  # type: ignore[assignment]
        if not isinstance(parts, list | tuple | set | frozenset):
            parts = [answer]
        return tuple(sorted({_place(question, part) for part in parts if str(part).strip()}))
    return (_place(question, answer),)


def _place(question: Question, answer: object) -> int:
    """Return the place of a choice."""
    choices = question.choices
    if isinstance(answer, bool) and len(choices) == 2:
        return 0 if answer else 1
    text = " ".join(str(answer).split()).casefold()
    named = [place for place, choice in enumerate(choices) if " ".join(choice.text.split()).casefold() == text]
    # Processes are often named by numbers, so of several processes a text is first a name, and a number never is one.
    if named and (isinstance(answer, str) or not text.isdigit()):
        return named[0]
    if text.isdigit() and 1 <= int(text) <= len(choices):
        return int(text) - 1
    raise BadInput(f"{shown(answer)} is not one of the {len(choices)} choices; answer with a number from 1")
