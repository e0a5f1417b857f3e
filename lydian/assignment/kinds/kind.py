"""The parts of every kind of check: its settings in the file, and how it judges a hand-in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lydian.assignment.setting import Setting
from lydian.engine.end.result import Result
from lydian.model.errors import shown
from lydian.model.experiment.experiment import Resolved
from lydian.model.reading import Table

__all__ = ["Failed", "Kind", "Outcome", "texts"]


@dataclass(frozen=True)
class Failed:
    """A run of the hand-in that fails a check.

    Attributes:
        resolved: the experiment.
        result: its result; ``None`` if the run has not been made yet, such as a counterexample of a search.
        property: the violated property, "" if the run fails in another way.
        sentence: what is wrong, if the run itself does not show it.
    """

    resolved: Resolved
    result: Result | None = None
    property: str = ""
    sentence: str = ""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check of a hand-in.

    Attributes:
        good, of: how many runs (or schedules, mistakes, answers) were good, and of how many.
        words: the same in words.
        failed: a run that fails.
        missed: sentences about what the student's own properties did not catch.
        stopped: whether the check ended early, because of a limit; then there are no points.
        open: whether there is nothing to judge yet.
    """

    good: int
    of: int
    words: str
    failed: Failed | None = None
    missed: tuple[str, ...] = ()
    stopped: bool = False
    open: bool = False


class Kind:
    """A kind of check; an object of a subclass has the settings of one check.

    Attributes:
        name: its word in the file.
        about: what it does, in a sentence.
        keys: the keys of its table besides those that every check has.
        by_hand: whether a person gives the points.
    """

    name: ClassVar[str] = ""
    about: ClassVar[str] = ""
    keys: ClassVar[tuple[str, ...]] = ()
    by_hand: ClassVar[bool] = False

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Kind:
        """Return the settings in a table.

        Args:
            files: the files of the assignment, path -> text.

        Raises:
            BadInput: the table cannot be used.
        """
        raise NotImplementedError

    def uses(self, file: str) -> bool:
        """Return True if the marks depend on this file of the assignment (besides the properties)."""
        return file.startswith("networks/") or file.endswith(".json")

    def mark(self, setting: Setting) -> Outcome:
        """Judge the hand-in."""
        raise NotImplementedError


def texts(table: Table, key: str) -> tuple[str, ...]:
    """Return the texts in a list, or a single text as a list of one.

    Raises:
        BadInput: the value is neither.
    """
    value: Any = table.data.get(key, [])
    value = [value] if isinstance(value, str | int | float) and not isinstance(value, bool) else value
    if not isinstance(value, list) or not all(isinstance(each, str | int | float) for each in value):
        raise table.bad(key, f"must be a text or a list of texts, not {shown(value)}")
    return tuple(str(each) for each in value)
