"""Everything with a name that can be opened: protocols, experiments, networks, lessons, sweeps and the guide."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lydian.assignment.ready import ready
from lydian.desk.archivelist import ArchiveList
from lydian.desk.guide.pages import Place
from lydian.desk.guide.search import Section, sections
from lydian.desk.kept.sweeps import Kept, progress
from lydian.language import tr, trc, trn
from lydian.model.archive.catalogue import Catalogue, Entry, Reader
from lydian.model.archive.trials import Trial
from lydian.model.errors import BadInput
from lydian.model.finding import Document, Index
from lydian.model.generators import KINDS as KINDS_OF_NETWORKS
from lydian.model.goal import goal as goals
from lydian.model.lesson import lesson as lessons

__all__ = ["KINDS", "Thing", "Things", "read", "title_of"]

#: The kinds of things in the order in which they are listed.
KINDS = ("protocol", "experiment", "lesson", "assignment", "goal", "network", "sweep", "page")
#: The weight of a word in a name, in the name of the protocol it belongs to, in its sentence, and in a long text.
_NAME, _OWNER, _ABOUT, _TEXT = 100.0, 40.0, 20.0, 5.0


@dataclass(frozen=True)
class Thing:
    """Something that can be opened.

    Attributes:
        kind: one of :data:`KINDS`.
        key: its name in the archive, its path, or the page and section of the guide.
        title: what it is called.
        about: one sentence.
        remark: a few words beside the title.
        facts: pairs of a heading and a text.
        entry: the protocol that it is or belongs to.
        trial: the experiment that it is, or that shows the protocol best.
        place: the section of the guide.
    """

    kind: str
    key: str
    title: str
    about: str = ""
    remark: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    entry: Entry | None = None
    trial: Trial | None = None
    place: Place | None = None


class Things:
    """All things, and the index by which they are found."""

    def __init__(self, known: tuple[tuple[Thing, Document], ...] = ()) -> None:
        self.all = tuple(thing for thing, _document in known)
        self.index = Index(document for _thing, document in known)

    def named(self, kind: str, key: str) -> Thing | None:
        """Return the thing of this kind and key, or ``None``."""
        return next((each for each in self.all if (each.kind, each.key) == (kind, key)), None)


def read(shelf: ArchiveList, reader: Reader, sweeps: Sequence[Kept] = ()) -> Things:
    """Return everything that there is now; protocols and experiments that have not changed are not read again."""
    catalogue = reader.read()
    return Things((
        *_protocols(catalogue), *_lessons(shelf), *_assignments(), *_goals(shelf), *_networks(shelf), *_sweeps(sweeps),
        *(_section(each) for each in sections()),
    ))  # fmt: skip


def title_of(trial: Trial, entry: Entry) -> str:
    """Return the title of an experiment: ``Raft: partition`` for ``raft-partition``."""
    if trial.name == entry.name:
        return entry.title
    own = trial.name.startswith(f"{entry.name}-")
    rest = trial.name[len(entry.name) + 1 :] if own else trial.name
    rest = rest.replace("-", " ")
    return f"{entry.title}: {rest}" if own else f"{rest[:1].upper()}{rest[1:]}"


def _protocols(catalogue: Catalogue) -> Iterator[tuple[Thing, Document]]:
    """Yield the protocols, each followed by its experiments."""
    for entry in catalogue.entries:
        family = catalogue.family(entry.family)
        first = entry.first or next(iter(entry.experiments), None)
        count = len(entry.experiments)
        facts = [(tr("Family"), family.title)] if family is not None else []
        if entry.needs:
            facts.append((tr("Needs"), ", ".join(entry.needs)))
        if first is not None and first.watch:
            facts.append((tr("Watch for"), first.watch))
        remark = trn("{count} experiment", "{count} experiments", count) if count else ""
        yield (
            Thing("protocol", entry.name, entry.title, entry.about, remark, tuple(facts), entry, first),
            Document((
                (entry.name, _NAME), (entry.title, _NAME), (entry.about, _ABOUT), (entry.reference, _ABOUT),
                ("" if family is None else family.title, _ABOUT), (" ".join(entry.needs), _ABOUT),
                (trc("kind of result", "protocol"), 1.0),
            )),
        )  # fmt: skip
        for trial in entry.experiments:
            yield _experiment(trial, entry)


def _experiment(trial: Trial, entry: Entry) -> tuple[Thing, Document]:
    title = title_of(trial, entry)
    facts = [(tr("Protocol"), entry.title), (tr("Network"), _network(trial.network))]
    if trial.watch:
        facts.append((tr("Watch for"), trial.watch))
    return (
        Thing("experiment", trial.name, title, trial.about, "", tuple(facts), entry, trial),
        Document((
            (trial.name, _NAME), (title, _NAME), (entry.name, _OWNER), (entry.title, _OWNER), (trial.about, _ABOUT),
            (trial.watch, _ABOUT), (trial.network, _ABOUT), (trc("kind of result", "experiment"), 1.0),
        )),
    )  # fmt: skip


def _network(spec: str) -> str:
    """Return a network as an experiment names it; the specification of a generated one is explained."""
    kind, colon, _size = spec.partition(":")
    return f"{spec}, {KINDS_OF_NETWORKS[kind].words}" if colon and kind in KINDS_OF_NETWORKS else spec


def _lessons(shelf: ArchiveList) -> Iterator[tuple[Thing, Document]]:
    for name in lessons.lessons(shelf.archive):
        with contextlib.suppress(BadInput):  # the list of lessons reports the error
            lesson = lessons.load(name, shelf.archive)
            steps = trn("{count} step", "{count} steps", len(lesson.steps))
            titles = " · ".join(step.title for step in lesson.steps)
            yield (
                Thing("lesson", name, lesson.title, lesson.about, steps, ((tr("Steps"), titles),)),
                Document((
                    (lesson.title, _NAME), (name, _NAME), (lesson.about, _ABOUT), (titles, _ABOUT),
                    (trc("kind of result", "lesson"), 1.0),
                )),
            )  # fmt: skip


def _assignments() -> Iterator[tuple[Thing, Document]]:
    for each in ready():
        hours = f"{each.minutes / 60:.2g}"
        remark = trn("{hours} hour", "{hours} hours", 1 if hours == "1" else 2, hours=hours) if each.minutes else ""
        yield (
            Thing("assignment", str(each.folder), each.title, each.about, remark),
            Document((
                (each.title, _NAME), (each.name, _NAME), (each.about, _ABOUT),
                (trc("kind of result", "assignment"), 1.0),
            )),
        )  # fmt: skip


def _goals(shelf: ArchiveList) -> Iterator[tuple[Thing, Document]]:
    for name in goals.names(shelf.archive):
        with contextlib.suppress(BadInput):  # the list of goals reports the error
            goal = goals.load(name, shelf.archive)
            where = tr("{protocol} on {network}", protocol=goal.experiment.protocol, network=goal.experiment.network)
            yield (
                Thing("goal", name, goal.title, goal.sentence, where),
                Document((
                    (goal.title, _NAME), (name, _NAME), (goal.experiment.protocol, _OWNER), (goal.sentence, _ABOUT),
                    (trc("kind of result", "goal"), 1.0),
                )),
            )  # fmt: skip


def _networks(shelf: ArchiveList) -> Iterator[tuple[Thing, Document]]:
    for name, about in shelf.networks():
        kind, colon, _size = name.partition(":")
        title = name if colon else name.replace("-", " ")
        title, remark = f"{title[:1].upper()}{title[1:]}", "" if colon else about
        words = f"{about[:1].upper()}{about[1:]}" if colon else ""
        yield (
            Thing("network", name, title, words, remark),
            Document((
                (kind if colon else name, _NAME), (about, _ABOUT), (trc("kind of result", "network"), 1.0),
            )),
        )  # fmt: skip


def _sweeps(sweeps: Sequence[Kept]) -> Iterator[tuple[Thing, Document]]:
    for kept in sweeps:
        yield (
            Thing("sweep", str(kept.folder), kept.name, str(kept.folder), progress(kept)),
            Document(((kept.name, _NAME), (str(kept.folder), _TEXT), (trc("kind of result", "sweep"), 1.0))),
        )


def _section(section: Section) -> tuple[Thing, Document]:
    place = section.place
    whole = not place.section
    title = section.heading if whole else f"{section.page}: {section.heading}"
    weight = 0.6 * _NAME
    return (
        Thing("page", f"{place.page}#{place.section}", title, _beginning(section.text), place=place),
        Document(((section.heading, weight), (section.text, _TEXT)), context=section.page),
    )


def _beginning(text: str, most: int = 260) -> str:
    """Return the beginning of a long text, in whole words."""
    return text if len(text) <= most else text[:most].rpartition(" ")[0] + " …"
