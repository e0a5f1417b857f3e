"""The whole window in other languages: texts that stayed English, labels with too little room, accelerators."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lydian.language import ENGLISH, languages
from tests.conftest import ROOT

pytestmark = pytest.mark.slow


def looked(tmp_path: Path, *language: str) -> dict[str, Any]:
    """Walk through the window in a process of its own, because texts are translated when they are imported."""
    file = tmp_path / "seen.json"
    subprocess.run([sys.executable, "-m", "tests.pseudo", str(file), *language], cwd=ROOT, check=True)
    seen: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert seen["seen"] > 2000
    return seen


def test_every_text_of_the_window_can_be_translated_and_has_room(tmp_path: Path) -> None:
    seen = looked(tmp_path)
    assert seen["english"] == {}
    assert seen["clipped"] == {}


@pytest.mark.parametrize("code", [code for code in languages() if code != ENGLISH])
def test_a_translation_has_room_and_distinct_accelerators(code: str, tmp_path: Path) -> None:
    seen = looked(tmp_path, code)
    assert seen["clipped"] == {}
    assert seen["accelerators"] == {}
