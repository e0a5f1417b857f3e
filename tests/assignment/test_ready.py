"""The ready assignments: their order, and copies without the lecturer's files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lydian.assignment.assignment import read
from lydian.assignment.ready import copy_of, ready


@pytest.fixture
def home(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with three assignments, of which one cannot be read."""
    home = tmp_path / "home"
    monkeypatch.setenv("LYDIAN_HOME", str(home))
    for name, head in (("late", "number = 902\n"), ("early", "number = 901\n"), ("broken", "= 3\n")):
        target = home / "resources" / "assignments" / name
        shutil.copytree(folder, target)
        file = target / "assignment.toml"
        file.write_text(head + file.read_text(encoding="utf-8"), encoding="utf-8")
    return home


def test_they_are_in_the_order_of_the_course(home: Path) -> None:
    own = [each for each in ready() if home in each.folder.parents]
    assert [(each.name, each.number, each.title, each.minutes) for each in own] == [
        ("early", 901, "Broadcast", 60), ("late", 902, "Broadcast", 60),
    ]  # fmt: skip
    assert own[0].about and not own[0].about.startswith("#")


def test_a_copy_has_no_files_of_the_lecturer_and_is_made_once(home: Path) -> None:
    source = home / "resources" / "assignments" / "early"
    copy = copy_of(source)
    assert copy == home / "assignments" / "early"
    mine = read(copy)
    assert not mine.reference and mine.hidden == read(source).hidden and mine.public == read(copy).public
    assert mine.skeleton == read(source).skeleton
    (copy / "text.md").write_text("# Mine\n", encoding="utf-8")
    assert copy_of(source) == copy and read(copy).text == "# Mine\n"
