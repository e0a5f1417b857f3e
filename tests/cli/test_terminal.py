"""No content of a file can control the terminal."""

from __future__ import annotations

import pytest

from lydian.cli.terminal import cleaned, colour

NASTY = "\x1b[31m\x1b]0;title\x07\x1b[2J\x9b1A\x08\u202eabc\x7f"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext \u2713", "plain\n\ttext \u2713"),
        (f"{colour('32')}\u2713{colour('0')}", "\x1b[32m\u2713\x1b[0m"),
        ("\x1b[31mred\x1b[0m", "\u241b[31mred\u241b[0m"),
        ("\r\x1b[K  3 events", "\r\x1b[K  3 events"),
        ("a\r\x1b[Kb", "a\u240d\u241b[Kb"),
        (NASTY, "\u241b[31m\u241b]0;title\u2407\u241b[2J\ufffd1A\u2408\ufffdabc\u2421"),
    ],
    ids=["plain", "our colour", "a colour of a file", "our line again", "a line again of a file", "all at once"],
)
def test_control_characters_become_visible_symbols(text: str, shown: str) -> None:
    assert cleaned(text) == shown


def test_texts_of_files_are_cleaned(lydian, here) -> None:
    (here / "mine.py").write_text(
        f'"""{NASTY!r}"""\n'.replace("'", "") + "from lydian import INIT, Process, always, on\n"
        "class Odd(Process):\n    @on('active', INIT)\n    def start(self):\n"
        f"        self.note({NASTY!r})\n        print({NASTY!r})\n"
        f"@always({NASTY!r})\ndef never(c):\n    return False\n"
    )
    for words in (
        ("run", "--protocol", "./mine.py", "--network", "line:2", "--explain", "--trace", "t.parquet"),
        ("archive", "./mine.py"), ("trace", "show", "t.parquet"), ("run", NASTY),
    ):  # fmt: skip
        said = lydian(*words)
        assert "\x1b" not in said.out + said.err
        assert "\x07" not in said.out + said.err
        assert "\u202e" not in said.out + said.err
        assert "\u241b" in said.out + said.err or "\\x1b" in said.out + said.err, words
