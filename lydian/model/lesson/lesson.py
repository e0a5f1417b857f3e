"""Lessons: pages of Markdown with a few steps, each with text, experiments, predictions and things to do.

::

    # The first wave

    One paragraph that says what the lesson is about.

    ```lesson
    level = "introductory"
    ```

    ## The news spreads

    At most sixty words, with *emphasis*, `code` and lists.

    ```experiment
    name = "two-wings"
    layout = "watch"
    ```

    ```predict
    question = "How many messages are sent?"
    kind = "number"
    expect = "messages"
    ```

Each ``##`` begins a step. A fenced block contains TOML: ``lesson`` gives the place in a course, ``experiment`` names
what is run, ``do`` says what the program waits for, ``predict`` asks a question before the run, ``question`` one that
is generated from the run, and ``expect`` describes the required result (:mod:`lydian.model.lesson.blocks`). A block of
another kind is shown as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from lydian.model.archive.archive import Archive
from lydian.model.archive.archive import archive as default
from lydian.model.archive.families import families_of
from lydian.model.archive.shelves import looks_like_path, our_folder
from lydian.model.errors import BadInput, LydianError, did_you_mean, unknown_process
from lydian.model.experiment.experiment import Experiment, Resolved, from_dict, save, to_dict
from lydian.model.experiment.flight import check_flight
from lydian.model.lesson.blocks import BLOCKS, About, Action, Drawn, Expectation, Moment, Question, Setting, read_block
from lydian.model.lesson.values import FUNCTIONS, NAMES, Expression
from lydian.model.reading import BadLines, Problem, read_text

__all__ = [
    "MOST_WORDS",
    "Action",
    "Drawn",
    "Expectation",
    "Lesson",
    "Question",
    "Setting",
    "Step",
    "check",
    "experiment_of",
    "find",
    "first_experiment",
    "kept_beside",
    "lessons",
    "lessons_for",
    "load",
    "parse",
    "picture_of",
    "problems",
    "read",
    "template",
    "text_of",
    "words",
]  # fmt: skip


#: The largest number of words in a step.
MOST_WORDS = 60
_MOST_BYTES = 400_000
_FENCE = re.compile(r"^(```+|~~~+)\s*([\w-]*)\s*$")


@dataclass(frozen=True)
class Step:
    """One step of a lesson, with a text and things to do.

    Attributes:
        title: its heading; text: the words below it, as Markdown; line: the line of the heading, from 1.
        setting: what is run from here on; ``None`` if the run of the previous step continues.
        actions: what the program waits for, in this order.
        questions: the questions that are asked before the run.
        drawn: the questions that are generated from the run.
        expectations: the required results of the run.
    """

    title: str
    text: str
    line: int
    setting: Setting | None = None
    actions: tuple[Action, ...] = ()
    questions: tuple[Question, ...] = ()
    drawn: tuple[Drawn, ...] = ()
    expectations: tuple[Expectation, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson as in its file; ``name`` is the stem of the file, ``about`` the words before the first step.

    ``place`` is its place in a course.
    """

    name: str
    title: str
    about: str
    steps: tuple[Step, ...]
    file: Path | None = field(default=None, compare=False)
    place: About = field(default_factory=About)

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions in their order."""
        return tuple(question for step in self.steps for question in step.questions)

    @property
    def minutes(self) -> int:
        """The estimated time that it takes, in minutes, a multiple of five.

        Two words a second are read, a run is watched for a minute, and a task or a question takes 45 seconds.
        """
        time = words(self.about) / 120
        for step in self.steps:
            time += words(step.text) / 120 + (step.setting is not None)
            time += 0.75 * (len(step.actions) + len(step.questions) + len(step.drawn))
        return max(5, 5 * round(time / 5))


@dataclass
class _Part:
    """A step that is being read."""

    title: str
    line: int
    text: list[str] = field(default_factory=list)
    blocks: list[Setting | Action | Question | Drawn | Expectation] = field(default_factory=list)

    def made(self) -> Step:
        settings = [each for each in self.blocks if isinstance(each, Setting)]
        return Step(
            self.title,
            "\n".join(self.text).strip(),
            self.line,
            settings[0] if settings else None,
            tuple(each for each in self.blocks if isinstance(each, Action)),
            tuple(each for each in self.blocks if isinstance(each, Question)),
            tuple(each for each in self.blocks if isinstance(each, Drawn)),
            tuple(each for each in self.blocks if isinstance(each, Expectation)),
        )


def words(text: str) -> int:
    """Count the words of a text that are read: those of a link's label, but no signs of lists."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return sum(1 for word in plain.split() if re.search(r"\w", word))


def parse(text: str, file: Path | str | None = None) -> Lesson:
    """Return the lesson in a text.

    Raises:
        BadLines: lists every line that cannot be used.
    """
    lesson, found = read(text, file)
    if found:
        raise BadLines(found, file)
    return lesson


def problems(text: str, archive: Archive | None = None, file: Path | str | None = None) -> tuple[Problem, ...]:
    """Return every error of a lesson, one sentence each, by line, including names of things that do not exist.

    Args:
        archive: where experiments, protocols and networks are looked up; without it they are not checked.
    """
    lesson, found = read(text, file)
    if archive is not None and not found:
        found = check(lesson, archive)
    return tuple(sorted(found, key=lambda each: each.line))


def read(text: str, file: Path | str | None = None) -> tuple[Lesson, tuple[Problem, ...]]:
    """Return as much of a lesson as can be used, and the errors in the rest."""
    path = None if file is None else Path(file)
    found: list[Problem] = []
    title, about = "", list[str]()
    places: list[About] = []
    parts: list[_Part] = []
    lines = text.splitlines()
    i = 0
    while i < len(lines):
        line = lines[i]
        fence = _FENCE.match(line.strip())
        if fence:
            end = _closing(lines, i, fence[1])
            if end is None:
                found.append(Problem(i + 1, f"this block is not closed; write {fence[1]} below it"))
                break
            if fence[2] == "lesson":
                _place(lines[i : end + 1], i + 1, bool(parts), places, found)
            else:
                _block(fence[2], lines[i : end + 1], i + 1, parts, about, found)
            i = end + 1
            continue
        if line.startswith("# "):
            if title:
                found.append(Problem(i + 1, "a lesson must have only one title; begin a step with ##"))
            title = title or line[2:].strip()
        elif re.match(r"^##(\s|$)", line):
            if not line[2:].strip():
                found.append(Problem(i + 1, "a step must have a title; write, for example, ## The news spreads"))
            parts.append(_Part(line[2:].strip(), i + 1))
        else:
            (parts[-1].text if parts else about).append(line)
        i += 1
    if not title:
        found.append(Problem(1, "the title is missing; begin, for example, with # The first wave"))
    if not parts:
        found.append(Problem(max(len(lines), 1), "the lesson has no steps; begin one, such as ## The news spreads"))
    steps = tuple(part.made() for part in parts)
    found += _spoken(steps)
    name = "lesson" if path is None else path.stem
    place = places[0] if places else About()
    return Lesson(name, title, "\n".join(about).strip(), steps, path, place), tuple(found)


def _spoken(steps: Iterable[Step]) -> list[Problem]:
    """Check the words of the steps."""
    found, seen = list[Problem](), set[str]()
    for step in steps:
        count = words(step.text)
        if count > MOST_WORDS:
            found.append(Problem(step.line, f"this step has {count} words; it must have at most {MOST_WORDS}"))
        if not count and not (step.actions or step.questions or step.drawn):
            found.append(Problem(step.line, "this step is empty; write a sentence below its title"))
        for question in step.questions:
            if question.question in seen:
                found.append(Problem(question.line, "this question appears twice; each question must be different"))
            seen.add(question.question)
    return found


def _closing(lines: list[str], start: int, fence: str) -> int | None:
    """Return the line that closes a block."""
    closes = (i for i in range(start + 1, len(lines)) if lines[i].strip().startswith(fence) and
              not lines[i].strip().strip(fence[0]))  # fmt: skip
    return next(closes, None)


def _place(lines: list[str], line: int, late: bool, places: list[About], found: list[Problem]) -> None:
    """Read the block about the whole lesson, which comes once, before the first step."""
    if late or places:
        found.append(Problem(line, "a lesson must have only one block lesson, before its first step; remove this one"))
        return
    block, wrong = read_block("lesson", "\n".join(lines[1:-1]), line)
    found += wrong
    if isinstance(block, About):
        places.append(block)


def _block(kind: str, lines: list[str], line: int, parts: list[_Part], about: list[str], found: list[Problem]) -> None:
    """Read a fenced block, or keep it as text if it is not a block of a lesson."""
    if kind not in BLOCKS:
        hint = did_you_mean(kind, BLOCKS) if kind else ""
        if hint:
            found.append(Problem(line, f"unknown block '{kind}'{hint}"))
        (parts[-1].text if parts else about).extend(lines)
        return
    if not parts:
        found.append(Problem(line, f"this {kind} comes before the first step; begin a step with ##"))
        return
    block, wrong = read_block(kind, "\n".join(lines[1:-1]), line)
    found += wrong
    if block is None or isinstance(block, About):
        return
    if isinstance(block, Setting) and any(isinstance(each, Setting) for each in parts[-1].blocks):
        found.append(Problem(line, "a step must have only one experiment; begin another step with ##"))
        return
    parts[-1].blocks.append(block)


def kept_beside(experiment: Experiment, lesson: Path, archive: Archive) -> str:
    """Return the name by which a lesson refers to an experiment, without its branches: that of the archive, or of a
    file beside the lesson, which is written.

    Raises:
        BadInput: the file cannot be written.
    """
    plain, name = experiment.with_(branches=()), "" if experiment.path is None else experiment.path.stem
    shelved = archive.named("experiments", name) is not None if name else False
    if shelved and archive.experiment(name).with_(branches=()) == plain:
        return name
    file = lesson.with_suffix(".toml")
    save(plain, file)
    return file.name


# ---------------------------------------------------------------------- the shelf


def find(ref: str | Path, archive: Archive | None = None) -> Path:
    """Return the file of a lesson, which is given by its name or a path.

    Raises:
        BadInput: there is no such lesson.
    """
    shelf = archive or default()
    return shelf.find("lessons", ref)


def load(ref: str | Path, archive: Archive | None = None) -> Lesson:
    """Return the lesson of this name, or in this file.

    Raises:
        BadInput: there is no such lesson, or it cannot be used.
    """
    path = find(ref, archive)
    return _parsed(text_of(path), path)


@lru_cache(maxsize=64)
def _parsed(text: str, path: Path) -> Lesson:
    """Return the lesson in a file with this text, from a cache: the list of lessons reads all of them when it is
    shown."""
    return parse(text, path)


def text_of(path: Path) -> str:
    """Return the text of a lesson's file.

    Raises:
        BadInput: it cannot be read.
    """
    return read_text(path, "a lesson in Markdown", _MOST_BYTES)


def template() -> str:
    """Return the template for a new lesson."""
    return (our_folder() / "resources" / "templates" / "lesson.md").read_text(encoding="utf-8")


def lessons(archive: Archive | None = None) -> list[str]:
    """Return the names of all lessons, including the user's own."""
    return (archive or default()).names("lessons")


def lessons_for(protocol: str, archive: Archive | None = None) -> list[str]:
    """Return the names of the lessons in which a protocol in the archive runs, or that have its name."""
    shelf = archive or default()
    result = []
    for name in lessons(shelf):
        path = shelf.find("lessons", name)
        try:
            seen = _protocols(path, path.stat().st_mtime_ns, shelf)
        except OSError:
            continue
        if protocol in (name, *seen):
            result.append(name)
    return result


@lru_cache(maxsize=256)
def _protocols(path: Path, _changed: int, archive: Archive) -> frozenset[str]:
    """Return the names of the protocols that run in a lesson."""
    try:
        lesson, _ = read(text_of(path), path)
    except BadInput:
        return frozenset()
    found: set[str] = set()
    for step in lesson.steps:
        if step.setting is None:
            continue
        protocol = step.setting.changes.get("protocol")
        if isinstance(protocol, str):
            found.add(Path(protocol).stem)
        elif step.setting.name:
            try:
                found.add(Path(_named(step.setting.name, lesson, archive).protocol).stem)
            except LydianError:
                continue
    return frozenset(found)


def experiment_of(lesson: Lesson, step: int, archive: Archive | None = None) -> Experiment | None:
    """Return the experiment of a step, with all changes since an experiment was last named; ``None`` if there is none.

    Raises:
        BadInput: it cannot be used; names the file and the line of its block.
    """
    shelf = archive or default()
    result: Experiment | None = None
    for each in lesson.steps[: step + 1]:
        if each.setting is not None:
            result = _applied(each.setting, result, lesson, shelf)
    return result


def picture_of(lesson: Lesson, archive: Archive | None = None) -> Experiment | None:
    """Return the experiment whose picture illustrates a lesson; ``None`` if the lesson runs nothing.

    Raises:
        BadInput: the experiment cannot be used.
    """
    shelf = archive or default()
    return _named(lesson.place.picture, lesson, shelf) if lesson.place.picture else first_experiment(lesson, shelf)


def first_experiment(lesson: Lesson, archive: Archive | None = None) -> Experiment | None:
    """Return the first experiment that a lesson runs; ``None`` if it runs nothing.

    Raises:
        BadInput: the experiment cannot be used.
    """
    first = next((number for number, step in enumerate(lesson.steps) if step.setting is not None), None)
    return None if first is None else experiment_of(lesson, first, archive)


def _applied(setting: Setting, before: Experiment | None, lesson: Lesson, archive: Archive) -> Experiment:
    place = f"line {setting.line}"
    try:
        base: Mapping[str, Any] = {}
        path = lesson.file
        if setting.name:
            named = _named(setting.name, lesson, archive)
            base, path = to_dict(named), named.path
        elif "protocol" not in setting.changes:
            if before is None:
                what = 'an experiment is missing; write, for example, name = "two-wings", or protocol and network'
                raise BadInput(what)
            base, path = to_dict(before), before.path
        data = {"name": lesson.title or lesson.name, "seed": 0} | dict(base) | dict(setting.changes)
        for key in ("timing", "parameters", "stop"):
            if key in setting.changes and key in base:
                data[key] = {**base[key], **setting.changes[key]}
        return from_dict(data).with_(path=path)
    except BadInput as error:
        what = error.what if error.place is None else f"{error.place}: {error.what}"
        raise BadInput(what, file=lesson.file, place=place) from None


def _named(name: str, lesson: Lesson, archive: Archive) -> Experiment:
    """Return an experiment in the archive, or from a file beside the lesson."""
    path = looks_like_path(name, "experiments")
    if path is not None and lesson.file is not None:
        return archive.experiment(lesson.file.parent / path)
    return archive.experiment(name)


_FUNCTIONS_KNOWN = ("min", "max", "abs", "ceil", "floor", "log", "log2", "sqrt")


def check(lesson: Lesson, archive: Archive) -> tuple[Problem, ...]:
    """Return every error, by the line of its block."""
    found: list[Problem] = _place_in(lesson, archive)
    experiment: Experiment | None = None
    resolved: Resolved | None = None
    for i, step in enumerate(lesson.steps):
        if step.setting is not None:
            try:
                experiment = experiment_of(lesson, i, archive)
                resolved = None if experiment is None else experiment.resolve(archive)
            except LydianError as error:
                found.append(Problem(step.setting.line, error.what if isinstance(error, BadInput) else str(error)))
                return tuple(found)  # later blocks refer to this experiment, which is not known
            if experiment is not None and resolved is not None:
                found += _flown(step.setting, experiment, resolved)
        if resolved is None:
            what = "the experiment is missing; write an experiment block before this one"
            lines = [each.line for each in step.questions if each.kind != "text"]
            lines += [each.line for each in step.actions] + [each.line for each in step.drawn]
            lines += [each.line for each in step.expectations]
            found += [Problem(line, what) for line in lines]
            continue
        found += _step(step, resolved)
    return tuple(found)


def _flown(setting: Setting, experiment: Experiment, resolved: Resolved) -> list[Problem]:
    """Return the errors in the guided flight of a step."""
    if setting.fly and not experiment.flight:
        what = "fly needs a guided flight, and the experiment has none; write [[flight]] with its stops"
        return [Problem(setting.line, what)]
    try:
        check_flight(experiment.flight, resolved.network.index)
    except BadInput as error:
        return [Problem(setting.line, f"{error.place}: {error.what}")]
    return []


def _place_in(lesson: Lesson, archive: Archive) -> list[Problem]:
    """Return the errors in the place of a lesson in the course."""
    place, found = lesson.place, list[Problem]()
    keys = [family.key for family in families_of(archive)]
    if place.chapter and place.chapter not in keys:
        hint = did_you_mean(place.chapter, keys) or f"; choose from {', '.join(keys)}"
        found.append(Problem(place.line, f"unknown chapter '{place.chapter}'{hint}"))
    try:
        picture_of(lesson, archive)
    except LydianError as error:
        if place.picture:
            found.append(Problem(place.line, error.what if isinstance(error, BadInput) else str(error)))
    return found


def _step(step: Step, resolved: Resolved) -> list[Problem]:
    found: list[Problem] = []
    protocol, network = resolved.protocol, resolved.network

    def try_(line: int, act: Any, *arguments: Any) -> None:
        try:
            act(*arguments)
        except BadInput as error:
            found.append(Problem(line, error.what))

    for action in step.actions:
        for each in action.example:
            try_(action.line, each.check, network, protocol)
        for name in (name for group in action.groups for name in group):
            try_(action.line, _process, name, resolved)
        if action.wait is not None:
            try_(action.line, _moment, action.wait, resolved)
    for question in step.questions:
        for moment in question.show:
            try_(question.line, _moment, moment, resolved)
        expect = question.expect
        if question.kind == "process":
            names = [expect] if isinstance(expect, str) and expect not in NAMES else expect
            for name in names if isinstance(names, list) else ():
                if name not in network.index and re.fullmatch(r"[\w-]+", name):
                    try_(question.line, _process, name, resolved)
        if isinstance(expect, str) and question.kind != "text" and expect not in (*question.choices, *network.index):
            try_(question.line, _expression, expect, resolved)
    for wanted in step.expectations:
        if wanted.property:
            try_(wanted.line, _property, wanted.property, resolved)
        else:
            try_(wanted.line, _expression, wanted.that, resolved)
    return found


def _moment(moment: Moment, resolved: Resolved) -> None:
    if moment.what in ("process", "selected"):
        _process(moment.of, resolved)
    elif moment.what == "violated":
        _property(moment.of, resolved)
    elif moment.what == "first":
        parts = (*resolved.protocol.messages, *resolved.protocol.timers, *resolved.protocol.commands)
        names = [each.__name__ for each in parts]
        if moment.of not in (*names, *(rule.name for rule in resolved.protocol.rules), *resolved.protocol.states):
            hint = did_you_mean(moment.of, names) or f"; choose from {', '.join(names)}"
            raise BadInput(f"unknown message '{moment.of}' of {resolved.protocol.title}{hint}")


def _process(name: str, resolved: Resolved) -> None:
    names = resolved.network.index
    if name not in names:
        raise BadInput(unknown_process(name, names, resolved.network.name))


def _property(name: str, resolved: Resolved) -> None:
    names = [each.name for each in resolved.protocol.properties]
    if name not in names:
        there = did_you_mean(name, names) or (f"; choose from {', '.join(names)}" if names else "; there are none")
        raise BadInput(f"unknown property '{name}' of {resolved.protocol.title}{there}")


def _expression(text: str, resolved: Resolved) -> None:
    known = (*NAMES, *FUNCTIONS, *_FUNCTIONS_KNOWN, *resolved.parameters)
    for part in ast.walk(Expression(text)._tree):
        if isinstance(part, ast.Name) and part.id not in known:
            hint = did_you_mean(part.id, known) or f"; choose from {', '.join((*NAMES, *resolved.parameters))}"
            raise BadInput(f"'{text}' uses the unknown name '{part.id}'{hint}")
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "holds":
            for argument in part.args:
                if isinstance(argument, ast.Constant):
                    _property(str(argument.value), resolved)
