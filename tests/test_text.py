"""Every text file of the repository is readable everywhere, tied to no machine, and consistent in its words."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("lydian", "protocols", "animations", "networks", "resources", "tests", "scripts", ".ci")
TEXTS = {".py", ".md", ".toml", ".json", ".svg", ".sh", ".txt", ""}
FILES = sorted(
    path
    for path in [*(p for f in FOLDERS for p in (ROOT / f).rglob("*")), *ROOT.iterdir()]
    if path.is_file() and path.suffix in TEXTS and "__pycache__" not in path.parts and path.name != ".git"
)
#: a user's own disk; system folders such as /usr/share may be named
MACHINE_PATH = re.compile(r"(?<![\w.~-])(/home/|/root/|/Users/|/work/|/opt/|[A-Z]:\\\\?Users)[\w.-]")


def texts() -> list[tuple[str, str]]:
    return [(str(path.relative_to(ROOT)), path.read_bytes().decode("utf-8")) for path in FILES]


def test_there_are_files_to_check():
    assert {"README.md", "Makefile", "LICENSE", "requirements.lock"} <= {path.name for path in ROOT.iterdir()}
    assert len(FILES) > 50


def test_no_file_mentions_a_machine():
    assert [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in texts()
        if name != "tests/test_text.py"
        for number, line in enumerate(text.splitlines(), 1)
        if MACHINE_PATH.search(line)
    ] == []


@pytest.mark.parametrize(
    ("line", "found"),
    [('open("/home/ann/x")', True), ("/work/x", True), ("resources/work/x", False), ("./opt/x", False)],
)
def test_the_rule_about_machines_detects_violations(line, found):
    assert bool(MACHINE_PATH.search(line)) == found


def test_line_endings_are_the_same_everywhere():
    assert [name for name, text in texts() if "\r" in text] == []
    by_hand = [(name, text) for name, text in texts() if not name.endswith((".json", ".svg"))]
    assert [name for name, text in by_hand if text and not text.endswith("\n")] == []


def test_one_word_for_one_thing():
    """The book's words and British spelling are used: neighbours (networkx's own `.neighbors` is a name in code)."""
    american = re.compile(r"(?<![.\w])[Nn]eighbor(s|hood|ing)?\b(?!\()")
    assert [
        f"{name}:{number}"
        for name, text in texts()
        if not name.startswith("tests/")
        for number, line in enumerate(text.splitlines(), 1)
        if american.search(line)
    ] == []


def test_tables_and_experiments_are_readable():
    for path in FILES:
        if path.suffix == ".toml":
            assert tomllib.loads(path.read_text(encoding="utf-8")), path
