"""The guide's commands are run as they stand, and must print what stands below them.

In a page, a ``console`` block holds commands (``$ lydian ...``) with their output; ``...`` stands for any text, in a
line or for whole lines.  A block such as ```` ```python file=mine.py ```` is first written to that file.
All blocks of a page run one after the other in one empty folder.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "resources" / "guide").rglob("*.md"))
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
MAIN = "import sys; from lydian.cli import main; sys.exit(main())"


def steps(text: str) -> Iterator[tuple[str, str, str]]:
    """("file", name, content) and ("run", command, expected output) in the order of the page."""
    for language, words, body in BLOCK.findall(text):
        if match := re.search(r"\bfile=(\S+)", words):
            yield "file", match.group(1), body
        elif language == "console":
            first, *commands = re.split(r"^\$ ", body, flags=re.MULTILINE)
            assert not first.strip(), f"a console block begins with a command, not with {first!r}"
            for command in commands:
                line, _, output = command.partition("\n")
                while line.endswith("\\"):
                    more, _, output = output.partition("\n")
                    line = line[:-1].rstrip() + " " + more.removeprefix(">").strip()
                yield "run", line, output


def same(expected: str, printed: str) -> bool:
    """Whether the output is as told; ``...`` in the page is any text, also of several lines."""
    told, got = ("\n".join(line.rstrip() for line in text.strip().splitlines()) for text in (expected, printed))
    return re.fullmatch(re.escape(told).replace(r"\.\.\.", r"[\s\S]*"), got) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_does_what_it_says(page, python_env, tmp_path):
    ran = 0
    for kind, what, content in steps(page.read_text(encoding="utf-8")):
        if kind == "file":
            (tmp_path / what).write_text(content, encoding="utf-8")
            continue
        program, *words = shlex.split(what, comments=True)
        assert program == "lydian", f"{page.name}: a console block runs lydian only, not {what!r}"
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *words],
            env=python_env, cwd=tmp_path, capture_output=True, check=False, stdin=subprocess.DEVNULL,
            encoding="utf-8",
        )  # fmt: skip
        printed = done.stdout + done.stderr
        assert "Traceback" not in printed, printed
        assert same(content, printed), f"{page.name}: $ {what}\ntold:\n{content}\nprinted:\n{printed}"
        ran += 1
    assert ran or "$ lydian" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_links_and_pictures_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [t for t in targets if "://" not in t and not (page.parent / t).exists()] == []


@pytest.mark.parametrize(
    ("expected", "printed", "result"),
    [
        ("46 messages", "46 messages\n", True),
        ("46 messages", "47 messages", False),
        ("a ... c", "a b c", True),
        ("a\n...\nc", "a\nx\ny\nc", True),
        ("a\n...\nc", "a\nx\nd", False),
        ("", "something", False),
    ],
)
def test_outputs_are_compared(expected, printed, result):
    assert same(expected, printed) == result
