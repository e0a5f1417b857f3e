"""Checks of answers: a question whose answer is known, and a text that a person marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lydian.assignment.contain import trusted
from lydian.assignment.kinds.kind import Kind, Outcome
from lydian.assignment.kinds.scenario import same
from lydian.assignment.setting import Setting, Shelf
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.reading import Table
from lydian.trace.timeline import Timeline
from lydian.views.questions.ask import ask, kinds
from lydian.views.questions.question import Question as RunQuestion
from lydian.views.questions.question import check

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
        ask: the kind and seed of a question that is generated from the reference's run, as ``lydian quiz`` asks it;
            ``None`` if the question is written. The students' package contains its text.
    """

    text: str
    answer: Any = None
    tolerance: float = 0.0
    measure: str = ""
    ask: tuple[str, int] | None = None

    name: ClassVar[str] = "question"
    about: ClassVar[str] = "a question about a run, whose answer is known or computed"
    keys: ClassVar[tuple[str, ...]] = ("text", "answer", "tolerance", "measure", "ask")

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Question:
        answer, measure = table.data.get("answer"), table.get("measure", str, "")
        if measure and measure not in _MEASURES and not measure.startswith("own."):
            raise table.bad("measure", f"must be one of {', '.join(_MEASURES)}, or own.NAME, not {shown(measure)}")
        ask = cls._asked(table)
        packaged = not any(name.startswith("lecturer/") for name in files)
        if sum((answer is not None, bool(measure), ask is not None)) != 1 and not packaged:
            what = "give one of: answer, the right answer; measure, of the reference's run; ask, a kind of question"
            raise table.bad("answer", what)
        if ask is not None and not packaged:
            return cls(table.get("text", str, ""), None, 0.0, "", ask)
        text = table.need("text", str, 'text = "How many messages does it send on a ring of 8?"')
        return cls(text, answer, table.number("tolerance", 0.0), measure, ask)

    @staticmethod
    def _asked(table: Table) -> tuple[str, int] | None:
        """Read the kind and the seed of a generated question."""
        if "ask" not in table:
            return None
        inner = Table(table.get("ask", dict), ("kind", "seed"), file=table.file, place=table.where("ask"))
        kind = inner.need("kind", str, 'ask = { kind = "concurrent", seed = 3 }')
        if kind not in kinds():
            hint = did_you_mean(kind, kinds()) or f"; choose from {', '.join(kinds())}"
            raise inner.bad("kind", f"unknown kind of question {shown(kind)}{hint}")
        return kind, inner.whole("seed", 1)

    def uses(self, file: str) -> bool:
        computed = bool(self.measure) or self.ask is not None
        return super().uses(file) or (computed and file.startswith("lecturer/reference/"))

    def mark(self, setting: Setting) -> Outcome:
        given = setting.answers.get(setting.check)
        if given is None or given == "":
            return Outcome(0, 1, "not answered", open=True)
        if self.ask is not None:
            return self._judged(setting, given)
        right = self.answer if not self.measure else self.computed(setting)
        if right is None:
            return Outcome(0, 1, "answered; it is marked after you hand in", open=True)
        good = matches(given, right, self.tolerance)
        words = shown(given) if good else f"{shown(given)}; the answer is {shown(right)}"
        return Outcome(int(good), 1, words)

    def _judged(self, setting: Setting, given: Any) -> Outcome:
        """Judge the answer to a generated question."""
        asked = self.generated(setting)
        if asked is None:
            return Outcome(0, 1, "answered; it is marked after you hand in", open=True)
        try:
            verdict = check(asked, given)
        except BadInput as error:
            return Outcome(0, 1, f"{error.what}; the answer is {asked.cited}")
        words = shown(given) if verdict.right else f"{shown(given)}; the answer is {asked.cited}: {asked.why}"
        return Outcome(int(verdict.right), 1, words)

    def generated(self, setting: Setting) -> RunQuestion | None:
        """Return the question that is generated from the run of the reference; ``None`` in a student's package.

        Raises:
            BadInput: there is no question of this kind about this run.
        """
        if self.ask is None or not setting.reference:
            return None
        shelf = Shelf(setting.judged(setting.reference, *setting.lecturers()))
        result = setting.ran(setting.single(shelf), variables=True)
        with trusted():
            asked = ask(Timeline(result.trace), *self.ask)
        if asked is None:
            what = f"no question of the kind {self.ask[0]} can be asked about the run"
            raise BadInput(what, place=f"check {setting.check}, ask")
        return asked

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
    by_hand: ClassVar[bool] = True
    about: ClassVar[str] = "a question that is answered in words, for a person to mark"
    keys: ClassVar[tuple[str, ...]] = ("text",)

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Written:
        return cls(table.need("text", str, 'text = "Why do names break ties?"'))

    def mark(self, setting: Setting) -> Outcome:
        given = str(setting.answers.get(setting.check, "")).strip()
        words = f"{len(given.split())} words, for a person to mark" if given else "not answered"
        return Outcome(0, 1, words, open=True)
