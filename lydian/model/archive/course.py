"""The lessons as a course: by chapters, which are the families of the archive, and from the easiest to the hardest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lydian.language import tr, trc
from lydian.model.archive.archive import Archive
from lydian.model.archive.families import MINE, OTHERS, families_of
from lydian.model.errors import BadInput, LydianError
from lydian.model.lesson.blocks import LEVELS
from lydian.model.lesson.lesson import Lesson, first_experiment, lessons, load
from lydian.model.names import natural

__all__ = ["Chapter", "Offered", "course"]


@dataclass(frozen=True)
class Offered:
    """A lesson of the course; ``problem`` says why it cannot be opened if ``lesson`` is ``None``."""

    name: str
    lesson: Lesson | None
    problem: str = ""


@dataclass(frozen=True)
class Chapter:
    """A chapter of the course with its lessons, in the order in which they are taught; ``key`` is that of a family."""

    key: str
    title: str
    lessons: tuple[Offered, ...]


def course(archive: Archive) -> tuple[Chapter, ...]:
    """Return the chapters that have lessons, in the order of the families; the user's own lessons come last.

    A lesson belongs to the chapter that its file gives, or to the family of the first protocol that it runs. A lesson
    of the user's own belongs to a family only if its file says so.
    """
    families = families_of(archive)
    family = {name: each.key for each in reversed(families) for name in each.protocols}
    titles = {each.key: each.title for each in families}
    titles[OTHERS] = trc("lessons without a chapter", "Others")
    titles[MINE] = tr("Your lessons")
    found: dict[str, list[Offered]] = {key: [] for key in titles}
    for name in lessons(archive):
        mine = archive.user is not None and archive.find("lessons", name).is_relative_to(archive.user)
        try:
            lesson = load(name, archive)
        except BadInput as error:
            found[MINE if mine else OTHERS].append(Offered(name, None, str(error)))
            continue
        key = lesson.place.chapter or (MINE if mine else family.get(_protocol(lesson, archive), OTHERS))
        found[key if key in found else OTHERS].append(Offered(name, lesson))
    return tuple(
        Chapter(key, titles[key], tuple(sorted(offered, key=_order))) for key, offered in found.items() if offered
    )


def _protocol(lesson: Lesson, archive: Archive) -> str:
    """Return the name of the first protocol that a lesson runs; "" if it runs none that can be used."""
    try:
        experiment = first_experiment(lesson, archive)
    except LydianError:
        return ""
    return "" if experiment is None else Path(experiment.protocol).stem


def _order(offered: Offered) -> tuple[int, object]:
    level = "" if offered.lesson is None else offered.lesson.place.level
    return (LEVELS.index(level) if level else len(LEVELS)), natural(offered.name)
