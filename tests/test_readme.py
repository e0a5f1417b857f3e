"""The README describes the current program: its numbers, its commands, its pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lydian.cli.entry import _parser
from lydian.model.archive.archive import archive
from lydian.model.archive.catalogue import Reader
from lydian.views.registry import views
from scripts import pictures

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = _parser()[1].choices
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
           "thirteen", "fourteen"]  # fmt: skip


def line(beginning: str) -> str:
    return next(each for each in TEXT.splitlines() if each.startswith(beginning))


def test_the_views():
    told = line(f"* {NUMBERS[len(views()) + 1].capitalize()} views: ")
    assert [view.title for view in views() if view.title not in told] == []


def test_the_archive_and_its_families():
    told = line("* An archive of ").lower()
    families = Reader(archive()).read().families
    assert f"archive of {len(archive().names('protocols'))} protocols in {NUMBERS[len(families)]} families" in told
    assert [family.title for family in families if family.title.lower() not in told] == []
    assert f"{len(archive().names('lessons'))} lessons" in told


def test_every_command_exists_with_its_documented_options():
    page = (ROOT / "resources" / "guide" / "command-line.md").read_text(encoding="utf-8")
    table = [each for each in page.splitlines() if each.startswith("| `lydian")]
    told = {}
    for row in table:
        commands, about = row.strip("| ").split(" | ", 1) if " | " in row else (row, "")
        name = re.match(r"`lydian ?(\w*)", commands)
        assert name is not None
        if name[1]:
            own = commands + re.sub(r"`lydian [^`]*`", "", about)  # without examples of other commands
            told.setdefault(name[1], set()).update(re.findall(r"(--[a-z-]+)", own))
    assert set(told) == set(COMMANDS)
    wrong = {}
    for name, options in told.items():
        parser = COMMANDS[name]
        known = set(parser.options())
        for action in parser._actions:  # `trace show`, `trace export` ...
            for inner in getattr(action, "choices", None) or ():
                if hasattr(action.choices, "values") and hasattr(action.choices[inner], "options"):
                    known |= set(action.choices[inner].options())
        if options - known:
            wrong[name] = options - known
    assert wrong == {}


def test_every_picture_of_the_readme_is_checked():
    shown = re.findall(r"!\[[^\]]+\]\(resources/guide/pictures/(.+?)\.png\)", TEXT)
    assert set(shown) == {*pictures.README, *pictures.UNCHECKED}
    assert [name for name in pictures.UNCHECKED if not (pictures.FOLDER / f"{name}.png").is_file()] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", pictures.README)
def test_pictures_show_the_current_program(qapp, tmp_path, monkeypatch, name):
    """The words in a picture are those of the window; ``make pictures ARGS=main-light`` redraws it."""
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    then = pictures.words_in(pictures.FOLDER / f"{name}.png")
    place, _, last = name.rpartition("/")
    if place:
        kind, theme = last.rsplit("-", 1)
        made = pictures.editing(kind, theme)
    else:
        made = pictures.posed(name)
    with made as widget:
        now = tuple(each for text in pictures.words(widget) for each in text.splitlines())
    assert now == then, f"make pictures ARGS={last.removesuffix('-light')} makes it anew"
