"""The small assignment of the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lydian.assignment.assignment import Assignment, read
from tests.assignment.template import template


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the assignment, which may be changed."""
    return template(tmp_path / "broadcast")


@pytest.fixture
def assignment(folder: Path) -> Assignment:
    return read(folder)


@pytest.fixture
def changed(folder: Path) -> Callable[..., Assignment]:
    """Return a function that replaces texts in the assignment's file and reads it again."""

    def change(*pairs: tuple[str, str], more: str = "") -> Assignment:
        file = folder / "assignment.toml"
        text = file.read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new, 1)
        file.write_text(text + more, encoding="utf-8")
        return read(folder)

    return change
