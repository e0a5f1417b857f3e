"""Checks of the student's own properties: do they catch mistakes that the lecturer has planted in the solution?"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from lydian.assignment.kinds.kind import Failed, Outcome, texts
from lydian.assignment.kinds.runs import Many
from lydian.assignment.setting import Setting
from lydian.model.errors import BadInput, LydianError
from lydian.model.protocol.properties import Property
from lydian.model.protocol.protocol import Protocol, properties_from_source
from lydian.model.reading import Table
from lydian.model.source.syntax import tree_of

__all__ = ["Mutants"]


@dataclass(frozen=True)
class Mutants(Many):
    """The student's properties hold for the reference solution, and are violated by mutants of it.

    Attributes:
        patterns: the files of the mutants, such as ``lecturer/mutants/*.py``.
        file: the student's file with the properties.
    """

    patterns: tuple[str, ...] = ("lecturer/mutants/*.py",)
    file: str = "my_properties.py"

    name: ClassVar[str] = "mutants"
    about: ClassVar[str] = "the student's own properties catch planted mistakes"
    keys: ClassVar[tuple[str, ...]] = (*Many.keys, "mutants", "file")

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Mutants:
        patterns = texts(table, "mutants") or cls.patterns
        found = cls(*cls.many(table, 12), patterns, table.get("file", str, cls.file))
        if any(name.startswith("lecturer/") for name in files) and not found.among(files):
            raise table.bad("mutants", f"no file matches {', '.join(patterns)}")
        return found

    def among(self, files: Mapping[str, str]) -> list[str]:
        """Return the files of the mutants."""
        return [name for name in sorted(files) if any(fnmatch.fnmatch(name, each) for each in self.patterns)]

    def uses(self, file: str) -> bool:
        return super().uses(file) or file.startswith("lecturer/reference/") or bool(self.among({file: ""}))

    def mark(self, setting: Setting) -> Outcome:
        mutants = self.among(setting.given)
        reference = setting.reference
        properties, _ = properties_from_source(setting.own(self.file), path=None, name=self.file.removesuffix(".py"))
        if not properties:
            raise BadInput("it contains no property; write one that begins with @always", file=self.file)

        if not mutants or not reference:
            return self._own(setting, properties)

        def load(source: str) -> Protocol:
            return setting.judged(source, properties)

        total = len(mutants) + 1
        for resolved, result in setting.over(lambda: load(reference), self.networks, self.delays, self.runs):
            broken = next((each for each in result.checks if each.holds is False), None)
            if broken is not None or result.error is not None:
                said = result.error if broken is None else f'"{broken.name}" does not hold'
                words = f"they fail for a correct solution as well: {said}"
                failed = Failed(resolved, result, "" if broken is None else broken.name)
                return Outcome(0, len(mutants), words, failed)
        setting.tell(1, total)
        caught, missed = 0, []
        for number, name in enumerate(mutants):
            source = setting.given[name]
            if self._caught(setting, partial(load, source)):
                caught += 1
            else:
                missed.append(mistake(source))
            setting.tell(number + 2, total)
        words = f"{caught} of {len(mutants)} mistake{'s' * (len(mutants) != 1)} caught"
        return Outcome(caught, len(mutants), words, missed=tuple(missed))

    def _own(self, setting: Setting, properties: tuple[Property, ...]) -> Outcome:
        """Judge the student's own protocol by these properties, as the mistakes are not in the students' package."""
        count = f"{len(properties)} propert{'y' if len(properties) == 1 else 'ies'}"
        own = setting.own(setting.protocol_name)
        try:
            for _, result in setting.over(lambda: setting.judged(own, properties), self.networks, self.delays, 6):
                broken = next((each for each in result.checks if each.holds is False), None)
                if broken is not None:
                    return Outcome(0, 1, f'{count}; "{broken.name}" does not hold for your own protocol', open=True)
        except LydianError as error:
            return Outcome(0, 1, f"{count}; your own protocol cannot be judged: {error}", open=True)
        verb = "holds" if len(properties) == 1 else "hold"
        words = f"{count} {verb} for your own protocol; planted mistakes are tried after you hand in"
        return Outcome(0, 1, words, open=True)

    def _caught(self, setting: Setting, load: Callable[[], Protocol]) -> bool:
        """Return True if some run of a mutant violates one of the student's properties."""
        made = setting.over(load, self.networks, self.delays, self.runs)
        return any(each.holds is False for _, result in made for each in result.checks)


def mistake(source: str) -> str:
    """Return the mistake in a mutant: the first sentence of its docstring."""
    import ast

    try:
        doc = " ".join((ast.get_docstring(tree_of(source)) or "").split("\n\n")[0].split())
    except SyntaxError:
        doc = ""
    first = doc.split(". ")[0].rstrip(".")
    return f"{first}." if first else "A mistake without a description."
