"""Lessons as a course: chapters, levels, and the user's own lessons."""

from __future__ import annotations

from pathlib import Path

from lydian.model.archive.archive import Archive, archive
from lydian.model.archive.course import course
from lydian.model.archive.families import families_of
from lydian.model.lesson.blocks import LEVELS

TEXT = '# Mine\n\nWords.\n\n{block}## One\n\nLook.\n\n```experiment\nname = "{runs}"\n```\n'


def lesson(folder: Path, name: str, block: str = "", runs: str = "two-wings") -> None:
    (folder / "lessons").mkdir(exist_ok=True)
    (folder / "lessons" / f"{name}.md").write_text(TEXT.format(block=block, runs=runs), encoding="utf-8")


def test_the_chapters_follow_the_families_and_each_begins_with_the_easiest_lesson() -> None:
    chapters = course(archive())
    keys = [family.key for family in families_of(archive())]
    assert [chapter.key for chapter in chapters] == [key for key in keys if key in {each.key for each in chapters}]
    assert next(iter(chapters)).lessons[0].name == "echo"
    for chapter in chapters:
        levels = [each.lesson.place.level for each in chapter.lessons if each.lesson is not None]
        assert levels == sorted(levels, key=LEVELS.index)
    names = [each.name for chapter in chapters for each in chapter.lessons]
    assert sorted(names) == sorted(path.stem for path in (archive().ours / "resources" / "lessons").glob("*.md"))


def test_own_lessons_come_last_unless_they_name_a_chapter(tmp_path: Path) -> None:
    lesson(tmp_path, "anywhere")
    lesson(tmp_path, "elected", '```lesson\nchapter = "election"\nlevel = "advanced"\n```\n\n')
    (tmp_path / "lessons" / "broken.md").write_text("no title", encoding="utf-8")
    chapters = {chapter.key: chapter for chapter in course(Archive(tmp_path, archive().ours))}
    assert list(chapters)[-1] == "yours"
    assert [each.name for each in chapters["yours"].lessons] == ["anywhere", "broken"]
    assert chapters["yours"].lessons[1].lesson is None
    assert "the title is missing" in chapters["yours"].lessons[1].problem
    assert "elected" in [each.name for each in chapters["election"].lessons]
    assert chapters["election"].lessons[-1].name == "elected"
