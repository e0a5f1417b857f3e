"""The effects of keys on lines: laws of commenting, indenting and moving; Enter and brackets by example."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.authoring import codetyping as typing
from lydian.model.source.lex import LexedText, lex

LINES = st.lists(
    st.tuples(st.sampled_from(["", "    ", "        ", "\t"]), st.text("ab#():' ", max_size=8)).map("".join), max_size=8
)


@given(LINES)
def test_commenting_twice_changes_nothing(lines: list[str]) -> None:
    full = [line for line in lines if line.strip()]
    if full and all(line.lstrip().startswith("#") for line in full):
        return  # this removes the comment together with its style
    once = typing.toggled(lines)
    assert all(line.lstrip().startswith("#") for line in once if line.strip())
    assert typing.toggled(once) == lines


def test_commenting_keeps_the_indentation() -> None:
    assert typing.toggled(["    a", "", "        b"]) == ["    # a", "", "    #     b"]
    assert typing.toggled(["    #a", "    # b"]) == ["    a", "    b"]
    assert typing.toggled(["# a", "b"]) == ["# # a", "# b"]


@given(LINES)
def test_indenting_and_back_changes_nothing(lines: list[str]) -> None:
    assert typing.outdented(typing.indented(lines)) == lines or any("\t" in line or not line.strip() for line in lines)
    assert all(not line.startswith(" ") for line in typing.outdented(["   x", " y"]))


@given(LINES.filter(lambda lines: len(lines) > 1), st.data())
def test_moving_lines_up_and_down_again(lines: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(lines) - 2))
    last = data.draw(st.integers(first, len(lines) - 2))
    down = typing.moved(lines, first, last, 1)
    assert down is not None and sorted(down) == sorted(lines)
    assert down[first + 1 : last + 2] == lines[first : last + 1]
    assert typing.moved(down, first + 1, last + 1, -1) == lines
    assert typing.moved(lines, 0, last, -1) is None
    assert typing.moved(lines, first, len(lines) - 1, 1) is None


@given(LINES)
def test_partners_are_mutual(lines: list[str]) -> None:
    code = LexedText("\n".join(lines))
    for line in range(code.count()):
        for column, letter in typing.brackets(code.line(line), code.spans(line)):
            found = typing.partner(code, line, column)
            if found is not None:
                assert typing.partner(code, *found) == (line, column)
                assert letter + code.line(found[0])[found[1]] in ("()", ")(")


def test_brackets_in_strings_are_ignored() -> None:
    code = LexedText("f(')', [1,\n  2])  # )")
    assert typing.partner(code, 0, 1) == (1, 4)
    assert typing.partner(code, 1, 3) == (0, 7)
    assert typing.partner(code, 0, 3) is None
    assert typing.partner(LexedText("(]"), 0, 0) is None


def entered(text: str) -> str:
    """Return the text after Enter is pressed at the |, which then marks the cursor."""
    before, after = text.split("|")
    code = LexedText(before + after)
    line = before.count("\n")
    one, two = typing.after_enter(code, line, len(before.split("\n")[-1]))
    return before + one + "|" + two + after.lstrip(" ")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("    x = 1|", "    x = 1\n    |"),
        ("    def f(self):|", "    def f(self):\n        |"),
        ("    if x:  # why|", "    if x:  # why\n        |"),
        ("    say = ':'|", "    say = ':'\n    |"),
        ("        return x|", "        return x\n    |"),
        ("    returned = x|", "    returned = x\n    |"),
        ("    f(|)", "    f(\n        |\n    )"),
        ("    f(1,|", "    f(1,\n      |"),
        ("    f(\n        1,|", "    f(\n        1,\n        |"),
        ("    f(\n        1,\n    )|", "    f(\n        1,\n    )\n    |"),
        ("    if f(1,\n         2):|", "    if f(1,\n         2):\n        |"),
        ("|    x", "\n|x"),
        ("    |x", "    \n    |x"),
        ("f('a|b')", "f('a\n|b')"),
        ('"""One\n    two|', '"""One\n    two\n    |'),
        ("x|", "x\n|"),
        ("pass|", "pass\n|"),
    ],
)
def test_the_enter_key(text: str, after: str) -> None:
    assert entered(text) == after


@pytest.mark.parametrize(
    ("before", "letter", "after", "done"),
    [
        ("f", "(", "", ")"), ("f", "(", "x", ""), ("f", "(", ")", ")"), ("f(", ")", ")", "skip"),
        ("f(g(x", ")", ")", ""), ("x = ", '"', "", '"'), ("don", "'", "", ""), ("f", '"', "", '"'),
        ('x = "', '"', '"', "skip"), ('x = "a', '"', '"', "skip"), ('""', '"', "", '"""'), ("# it", "'", "", ""),
        ('"it', "'", '"', ""), ('"a (', "(", '"', ""), ("# f", "(", "", ""), ("x", "]", "", ""),
        ('x = "a"', "(", "", ")"),
    ],
)  # fmt: skip
def test_brackets_and_quotes_are_closed_automatically(before: str, letter: str, after: str, done: str) -> None:
    assert typing.typed_pair(letter, before, after, lex(before + after)[0]) == done


def test_tab_backspace_home() -> None:
    assert typing.to_tab("ab") == "  " and typing.to_tab("    ") == "    "
    assert typing.to_remove("        ", "x") == (4, 0)
    assert typing.to_remove("      ", "") == (2, 0)
    assert typing.to_remove("f(", ")") == (1, 1)
    assert typing.to_remove("f(x", ")") == (1, 0)
    assert typing.first_column("    x", 5) == 4 and typing.first_column("    x", 4) == 0


def test_guides_go_through_empty_lines() -> None:
    assert typing.guides(["a:", "    b:", "", "        c", "", "d"]) == [0, 1, 1, 2, 0, 0]


@given(st.text(max_size=12), st.integers(0, 12))
def test_positions_in_qt_and_in_characters(text: str, letters: int) -> None:
    letters = min(letters, len(text))
    assert typing.without_units(text, typing.units(text, letters)) == letters


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 9))
def test_marks_move_with_their_lines(line: int, at: int, count: int) -> None:
    there = typing.shifted(line, at, count)
    assert there is not None and typing.shifted(there, at, -count) == line
    assert (typing.shifted(line, at, -count) is None) == (at <= line < at + count)
