"""The catalogue of the archive: a description of each protocol, made without running any of them.

The title, the sentence, the assumptions and the formula come from the text of the file, the family from
``families.toml``, the experiments from the files that name the protocol, and questions for a class from its page of
the guide. A file that cannot be read also has an entry, with a sentence about the problem. Reading sixty protocols
takes less than a fifth of a second; files that have not changed are not read again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from lydian.language import tr, trc
from lydian.model.archive.archive import Archive
from lydian.model.archive.families import MINE, OTHERS, Family, families_of
from lydian.model.archive.trials import Trial, guide_page, in_order, read_trial
from lydian.model.errors import LydianError
from lydian.model.finding import Document, Index
from lydian.model.lesson.lesson import lessons_for
from lydian.model.names import natural
from lydian.model.protocol.folder import in_sentence, read_source, stamp
from lydian.model.source.outline import Outline, outline

__all__ = ["Catalogue", "Entry", "Reader", "folder_of_lessons"]

#: The weight of a word for searches, by the part of the entry that contains it.
_NAME, _TITLE, _ABOUT, _REFERENCE, _NEED, _DOC, _PAGE = 40.0, 30.0, 14.0, 8.0, 6.0, 3.0, 1.0


@dataclass(frozen=True)
class Entry:
    """A protocol in the archive.

    Attributes:
        about: one sentence without its full stop.
        doc: the whole docstring.
        family: the key of its family.
        mine: whether it is in the user's own folder.
        needs: name of an assumption -> its sentence.
        formula: the number of messages, in n and m; "" if the file does not declare it.
        complexity, reference: these paragraphs of the docstring, without their first word.
        experiments: its experiments, first those that satisfy its assumptions and then those that violate them, both
            in the order of the guide.
        guide, lesson: its page and its lesson; ``None`` if there is none.
        problem: why the file cannot be used, as a sentence; "" if it can.
    """

    name: str
    path: Path
    title: str
    about: str = ""
    doc: str = ""
    family: str = OTHERS
    mine: bool = False
    needs: Mapping[str, str] = field(default_factory=dict)
    formula: str = ""
    complexity: str = ""
    reference: str = ""
    experiments: tuple[Trial, ...] = ()
    guide: Path | None = None
    lesson: Path | None = None
    problem: str = ""
    page: str = ""  # the text of its page of the guide, for searches

    @property
    def first(self) -> Trial | None:
        """The experiment that shows the protocol best: the first one that violates no assumption."""
        return next((each for each in self.experiments if not each.broken), None)


@dataclass(frozen=True)
class Catalogue:
    """All entries in the order of the families, and the families that have entries."""

    families: tuple[Family, ...] = ()
    entries: tuple[Entry, ...] = ()

    def entry(self, name: str) -> Entry | None:
        """Return the entry of this name, or ``None``."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def family(self, key: str) -> Family | None:
        """Return the family with this key, or ``None``."""
        return next((family for family in self.families if family.key == key), None)

    def of(self, key: str) -> tuple[Entry, ...]:
        """Return the entries of a family."""
        return tuple(entry for entry in self.entries if entry.family == key)

    @cached_property
    def index(self) -> Index:
        """The words of the entries, by which they are found."""
        return Index(self._document(entry) for entry in self.entries)

    def _document(self, entry: Entry) -> Document:
        family = self.family(entry.family)
        return Document((
            (entry.name, _NAME),
            (entry.title, _TITLE),
            (entry.about, _ABOUT),
            ("" if family is None else f"{family.key} {family.title}", _ABOUT),
            (entry.reference, _REFERENCE),
            (" ".join(entry.needs), _NEED),
            (entry.doc, _DOC),
            (entry.page, _PAGE),
            (" ".join(each.name for each in entry.experiments), _PAGE),
        ))  # fmt: skip

    @property
    def needs(self) -> dict[str, int]:
        """The number of protocols that make each assumption, by its name, the most frequent first."""
        counts: dict[str, int] = {}
        for entry in self.entries:
            for name in entry.needs:
                counts[name] = counts.get(name, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], natural(item[0]))))


class Reader:
    """A reader of the catalogue that reads a file again only if it has changed."""

    def __init__(self, shelves: Archive) -> None:
        self.shelves = shelves
        self._protocols: dict[Path, tuple[object, Entry]] = {}
        self._trials: dict[Path, tuple[object, tuple[str, Trial, bool] | None]] = {}

    def read(self) -> Catalogue:
        """Return the current catalogue; a file that cannot be read has an entry with a problem."""
        families = families_of(self.shelves)
        place = {name: (number, at) for number, each in enumerate(families) for at, name in enumerate(each.protocols)}
        trials = self._experiments()
        entries = [self._entry(name) for name in self.shelves.names("protocols")]
        last = (len(families), 0)
        full = []
        for entry in entries:
            number = place.get(entry.name, last)[0]
            family = MINE if entry.mine else families[number].key if number < len(families) else OTHERS
            full.append(_complete(replace(entry, family=family), trials.get(entry.name, []), self.shelves))
        keys = [*(each.key for each in families), OTHERS, MINE]
        full.sort(key=lambda each: (keys.index(each.family), place.get(each.name, last), natural(each.name)))
        there = {each.family for each in full}
        rest = (
            Family(OTHERS, _others(), tr("Protocols that do not belong to a family."), short=_others()),
            Family(MINE, _yours(), tr("Protocols in your own folder."), short=_yours()),
        )
        return Catalogue(tuple(each for each in (*families, *rest) if each.key in there), tuple(full))

    def _entry(self, name: str) -> Entry:
        path = self.shelves.find("protocols", name)
        seen = stamp(path)
        known = self._protocols.get(path)
        if known is None or known[0] != seen:
            known = self._protocols[path] = seen, _read_entry(name, path, self.shelves)
        return known[1]

    def _experiments(self) -> dict[str, list[tuple[Trial, bool]]]:
        """Return the experiments of each protocol, by its name, and whether each experiment has faults."""
        found: dict[str, list[tuple[Trial, bool]]] = {}
        for name in self.shelves.names("experiments"):
            path = self.shelves.find("experiments", name)
            seen = stamp(path)
            known = self._trials.get(path)
            if known is None or known[0] != seen:
                known = self._trials[path] = seen, read_trial(name, path)
            if known[1] is not None:
                protocol, trial, faulty = known[1]
                found.setdefault(protocol, []).append((trial, faulty))
        return found


def _others() -> str:
    return trc("protocols without a family", "Others")


def _yours() -> str:
    return trc("protocols in the folder of the user", "Yours")


def folder_of_lessons(shelves: Archive) -> tuple[Path, ...]:
    """Return the folders of lessons, the user's own first."""
    return tuple(folder for root in shelves.roots for folder in (root / "lessons", root / "resources" / "lessons"))


def _read_entry(name: str, path: Path, shelves: Archive) -> Entry:
    mine = shelves.user is not None and shelves.user in path.parents
    try:
        source = read_source(path)
        found = outline(source)
    except LydianError as error:
        return Entry(name, path, name, mine=mine, problem=str(error))
    title, about = _headline(found)
    problem = ""
    if found.problem is not None:
        file, line = in_sentence(path.name, source, found.problem.line)
        problem = f"{file}, line {line}: {found.problem.sentence}"
    elif not found.name:
        problem = f"{path.name} has no class of processes; write class {_class_name(name)}(Process)"
    paragraphs = [" ".join(each.split()) for each in found.doc.split("\n\n")]
    return Entry(
        name, path, title or name, about, found.doc, mine=mine,
        needs={need.name: need.sentence for need in found.needs}, formula=found.formula or "",
        complexity=_after("Complexity", found.doc), reference=_after("Reference", "\n\n".join(paragraphs)),
        problem=problem,
    )  # fmt: skip


def _headline(found: Outline) -> tuple[str, str]:
    """Split ``"Echo: broadcast with acknowledgements."`` into title and sentence; after a title alone, the sentence is
    the next paragraph."""
    paragraphs = [" ".join(each.split()) for each in found.doc.split("\n\n") if each.strip()]
    if not paragraphs:
        return found.name, ""
    title, colon, rest = paragraphs[0].partition(":")
    if colon and len(title) < 60:
        return title.strip(), _upper(rest.strip().rstrip("."))
    return found.name, paragraphs[0].rstrip(".")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _class_name(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"\W+|_", name)) or "Mine"


def _after(word: str, doc: str) -> str:
    """Return the text after a word such as ``Complexity:`` at the start of a line, to the end of the paragraph."""
    found = re.search(rf"\b{word}:\s*(.+?)(?=\n\s*\n|\Z)", doc, re.DOTALL)
    return " ".join(found.group(1).split()) if found else ""


def _complete(entry: Entry, trials: list[tuple[Trial, bool]], shelves: Archive) -> Entry:
    """Return the entry with its experiments in the order of its page, its page and its lesson."""
    page, text = (None, "") if entry.mine else guide_page(entry.name, shelves)
    lessons = lessons_for(entry.name, shelves)
    lesson = (entry.name if entry.name in lessons else lessons[0]) if lessons else None
    return replace(
        entry, experiments=in_order(trials, text), guide=page, page=text,
        lesson=None if lesson is None else shelves.find("lessons", lesson),
    )  # fmt: skip
