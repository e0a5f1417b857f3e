"""The command ``lydian lesson``: it lists the lessons, or compares one with what really happens."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from lydian.cli.parser import Commands, Parser
from lydian.cli.words import coloured, mark, plural

if TYPE_CHECKING:
    from lydian.model.archive.archive import Archive
    from lydian.model.archive.course import Offered

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian lesson                   list the lessons by chapters, with level and length
  lydian lesson echo              play it: every prediction and expectation is compared with the result
  lydian lesson ./mine.md --json  the same for your own lesson, as one JSON object

exit codes: 0 every result is as the lesson expects; 1 some result differs; 2 the lesson cannot be read
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "lesson", parents=[common], help="list the lessons, or play one", epilog=_EXAMPLES,
        description="Lists the lessons, or plays one without a window: runs its experiments, makes its interventions\n"
        "as in its examples, and its answers and expectations are compared with the results.",
    )  # fmt: skip
    parser.add_argument("lesson", metavar="LESSON", nargs="?", help="a lesson (name or file)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(action=_lesson)


def _lesson(args: Namespace) -> int:
    from lydian.model.archive.archive import archive

    shelves = archive()
    return _list(shelves, args.json) if args.lesson is None else _play(shelves, args.lesson, args.json)


def _list(shelves: Archive, as_json: bool) -> int:
    from lydian.model.archive.course import course

    chapters = course(shelves)
    if as_json:
        told = [_told(each, chapter.key) for chapter in chapters for each in chapter.lessons]
        print(json.dumps({"lessons": told}, indent=2))
        return 0
    every = [each for chapter in chapters for each in chapter.lessons]
    wide = max((len(each.name) for each in every), default=0)
    for chapter in chapters:
        print(f"\n{chapter.title}" if chapter is not chapters[0] else chapter.title)
        for each in chapter.lessons:
            if each.lesson is None:
                print(f"  {each.name:<{wide}}  cannot be read: {each.problem}")
                continue
            level = each.lesson.place.level
            size = plural(each.lesson.minutes, "minute"), plural(len(each.lesson.steps), "step")
            name = coloured(each.name.ljust(wide), "1")
            print(f"  {name}  {each.lesson.title} ({', '.join(filter(None, (level, *size)))})")
    print(f"\n{plural(len(every), 'lesson')}; lydian lesson NAME plays one, Help > Lessons opens them in the window")
    return 0


def _told(each: Offered, chapter: str) -> dict[str, Any]:
    lesson = each.lesson
    if lesson is None:
        return {"name": each.name, "problem": each.problem}
    questions = len(lesson.questions) + sum(len(step.drawn) for step in lesson.steps)
    return {
        "name": each.name, "title": lesson.title, "steps": len(lesson.steps), "about": lesson.about,
        "questions": questions, "chapter": chapter, "level": lesson.place.level,
        "minutes": lesson.minutes,
    }  # fmt: skip


def _play(shelves: Archive, ref: str, as_json: bool) -> int:
    from lydian.engine.lessonplay import play
    from lydian.model.lesson.lesson import find, parse, problems, text_of
    from lydian.views.questions.ask import answered

    path = find(ref, shelves)
    text = text_of(path)
    wrong = problems(text, shelves, path)
    if wrong:
        if as_json:
            told = [{"line": each.line, "sentence": each.why} for each in wrong]
            print(json.dumps({"lesson": str(path), "problems": told, "played": []}, indent=2))
        for each in wrong:
            print(f"lydian: {path}, {each}", file=sys.stderr)
        return 2
    lesson = parse(text, path)
    played = list(play(lesson, shelves, drawn=answered))
    bad = sum(1 for one in played if not one.good)
    if as_json:
        rows = [{"step": one.step + 1, "line": one.line, "good": one.good, "sentence": one.sentence}
                for one in played]  # fmt: skip
        print(json.dumps({"lesson": str(path), "title": lesson.title, "problems": [], "played": rows}, indent=2))
        return 1 if bad else 0
    print(coloured(lesson.title, "1"))
    for i, step in enumerate(lesson.steps):
        print(f"\n  {i + 1}. {step.title}")
        for one in played:
            if one.step == i:
                where = "" if one.good else f" (line {one.line})"
                print(f"     {mark(one.good)} {one.sentence}{where}")
    total = plural(len(lesson.steps), "step")
    print(f"\n{total}, all as the lesson expects" if not bad else f"\n{total}, {bad} not as the lesson expects")
    return 1 if bad else 0
