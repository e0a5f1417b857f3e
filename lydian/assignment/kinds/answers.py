"""Checks of answers: a question whose answer is known, and a text that a person marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lydian.assignment.kinds.kind import Kind, Outcome
from lydian.assignment.kinds.scenario import same
from lydian.assignment.setting import Setting, Shelf
from lydian.model.errors import BadInput, shown
from lydian.model.reading import Table

__all__ = ["Question", "Written"]

_MEASURES = ("messages", "events", "time", "chain")


@dataclass(frozen=True)
class Question(Kind):
    """A question about a run; the answer is given, or computed from the run of the reference solution.

    Attributes:
        text: the question.
        answer: the right answer: a number, a text, true or false, or a list in any order; ``None`` if it is computed.
        tolerance: how far a number may be from the right one.
        measure: the measure of the reference's run that is the answer; "" if the answer is given.
    """

    text: str
    answer: Any = None
    tolerance: float = 0.0
    measure: str = ""

    name: ClassVar[str] = "question"
    about: ClassVar[str] = "a question about a run, whose answer is known or computed"
    keys: ClassVar[tuple[str, ...]] = ("text", "answer", "tolerance", "measure")

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Question:
        answer, measure = table.data.get("answer"), table.get("measure", str, "")
        if measure and measure not in _MEASURES and not measure.startswith("own."):
            raise table.bad("measure", f"must be one of {', '.join(_MEASURES)}, or own.NAME, not {shown(measure)}")
        packaged = not any(name.startswith("lecturer/") for name in files)
        if (answer is None) is (not measure) and not packaged:
            raise table.bad("answer", "give the right answer, or a measure of the reference's run, and not both")
        text = table.need("text", str, 'text = "How many messages does it send on a ring of 8?"')
        return cls(text, answer, table.number("tolerance", 0.0), measure)

    def uses(self, file: str) -> bool:
        return super().uses(file) or (bool(self.measure) and file.startswith("lecturer/reference/"))

    def mark(self, setting: Setting) -> Outcome:
        given = setting.answers.get(setting.check)
        if given is None or given == "":
            return Outcome(0, 1, "not answered", open=True)
        right = self.answer if not self.measure else self.computed(setting)
        if right is None:
            return Outcome(0, 1, "answered; it is marked when you hand in", open=True)
        good = matches(given, right, self.tolerance)
        words = shown(given) if good else f"{shown(given)}; the answer is {shown(right)}"
        return Outcome(int(good), 1, words)

    def computed(self, setting: Setting) -> Any:
        """Return the answer that the run of the reference solution gives; ``None`` in a student's package."""
        if not setting.reference:
            return None
        shelf = Shelf(setting.judged(setting.reference, *setting.lecturers()))
        result = setting.ran(setting.single(shelf))
        if self.measure.startswith("own."):
            own = result.measures.get("own") or {}
            name = self.measure.removeprefix("own.")
            if name not in own:
                raise BadInput(f"no measure '{name}' in lecturer/properties.py", place=f"check {setting.check}")
            return own[name]
        return getattr(result, self.measure)


def matches(given: Any, right: Any, tolerance: float = 0.0) -> bool:
    """Return True if an answer is right: texts without regard to case and spaces, lists in any order."""
    if isinstance(right, list):
        parts = given if isinstance(given, list) else str(given).replace(",", " ").split()
        return sorted(map(_plain, parts)) == sorted(map(_plain, right))
    if isinstance(right, bool) or isinstance(given, bool):
        words = {"yes": True, "true": True, "no": False, "false": False}
        return words.get(_plain(given)) is words.get(_plain(right)) and _plain(given) in words
    if isinstance(right, int | float):
        try:
            number = float(str(given).replace(",", ""))
        except ValueError:
            return False
        return same(number, right) or abs(number - right) <= tolerance
    return _plain(given) == _plain(right)


def _plain(value: Any) -> str:
    return " ".join(str(value).lower().split()).rstrip(".")


@dataclass(frozen=True)
class Written(Kind):
    """A question that is answered in words, which a person reads.

    Attributes:
        text: the question.
    """

    text: str

    name: ClassVar[str] = "written"
    about: ClassVar[str] = "a question that is answered in words, for a person to mark"
    keys: ClassVar[tuple[str, ...]] = ("text",)

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Written:
        return cls(table.need("text", str, 'text = "Why do names break ties?"'))

    def mark(self, setting: Setting) -> Outcome:
        given = str(setting.answers.get(setting.check, "")).strip()
        words = f"{len(given.split())} words, for a person to mark" if given else "not answered"
        return Outcome(0, 1, words, open=True)
