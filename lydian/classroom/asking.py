"""A question of the host to everybody, answered by each without seeing the others' answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lydian.classroom import frames
from lydian.engine.wire import Refused
from lydian.language import tr
from lydian.model.errors import shown

__all__ = ["FORMS", "Asked", "asked"]

FORMS = ("number", "choice", "process")


@dataclass
class Asked:
    """A question with its answers.

    Attributes:
        number: of the question in the class.
        text, form, choices: as in :class:`~lydian.classroom.frames.Question`.
        due: when it closes, in seconds of the host's clock; ``None`` for no limit.
        open: whether answers are taken.
        shown: whether all see the answers.
        right: the right answer, once it is known.
        answers: person -> answer.
    """

    number: int
    text: str
    form: str
    choices: list[list[Any]]
    due: float | None = None
    open: bool = True
    shown: bool = False
    right: Any = None
    answers: dict[int, Any] = field(default_factory=dict)

    def take(self, person: int, value: Any) -> None:
        """Take an answer.

        Raises:
            Refused: it is too late, a second one, or no possible answer.
        """
        if not self.open:
            raise Refused(tr("no more answers are taken"))
        if person in self.answers:
            raise Refused(tr("you have answered already"))
        self.answers[person] = self.proper(value)

    def proper(self, value: Any) -> Any:
        """Return an answer in its form.

        Raises:
            Refused: it is no possible answer.
        """
        if self.form == "number":
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise Refused(tr("the answer must be a number, not {value}", value=shown(value)))
            if abs(value) > 1e12:
                raise Refused(tr("the answer must be at most a million million"))
            return int(value) if float(value).is_integer() else float(value)
        if not any(value == each[0] and type(value) is type(each[0]) for each in self.choices):
            raise Refused(tr("the answer must be one of the choices, not {value}", value=shown(value)))
        return value

    def frame(self, now: float) -> frames.Question:
        """Return the question as it is put."""
        left = None if self.due is None else max(0.0, self.due - now)
        return frames.Question(self.number, self.text, self.form, self.choices, left)

    def histogram(self, people: int, person: int | None = None) -> frames.Histogram:
        """Return the answers, for the host or for a person."""
        counts = Counter(self.answers.values())
        if self.form == "number":
            bars = [[value, counts[value]] for value in sorted(counts)]
        else:
            bars = [[value, counts.get(value, 0)] for value, _words in self.choices]
        mine = None if person is None else self.answers.get(person)
        return frames.Histogram(self.number, bars, len(self.answers), people, self.right, mine, self.shown)

    def to_dict(self) -> dict[str, Any]:
        """Return what is saved."""
        return {
            "number": self.number, "text": self.text, "form": self.form, "choices": self.choices, "shown": self.shown,
            "right": self.right, "answers": [[person, value] for person, value in self.answers.items()],
        }  # fmt: skip


def asked(number: int, what: Mapping[str, Any], processes: tuple[str, ...], now: float) -> Asked:
    """Return the question that the host puts, from the arguments of ``lead`` with ``ask``.

    Raises:
        Refused: something is missing or wrong.
    """
    text, form = what.get("text"), what.get("form", "number")
    if not isinstance(text, str) or not text.strip():
        raise Refused(tr("a question needs a text"))
    if form not in FORMS:
        known = ", ".join(FORMS)
        raise Refused(tr("form of a question must be one of {forms}, not {form}", forms=known, form=shown(form)))
    choices: list[list[Any]] = []
    if form == "process":
        choices = [[each, each] for each in processes]
    elif form == "choice":
        given = what.get("choices")
        words = [str(each).strip() for each in given] if isinstance(given, list) else []
        choices = [[each, each] for each in dict.fromkeys(each for each in words if each)]
        if not 2 <= len(choices) <= 12:
            raise Refused(tr("a question has 2 to 12 choices"))
    seconds = what.get("seconds")
    due = None
    if isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds > 0:
        due = now + float(seconds)
    return Asked(number, text.strip()[:300], form, choices, due)
