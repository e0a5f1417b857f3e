"""The names of people and the codes of classes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.classroom.naming import MOST_LETTERS, BadName, code_for, named, proper_code


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Chiara ", "Chiara"),
        ("Chi\u202eara", "Chiara"),  # an override of the direction of text
        ("a\nb\tc", "a b c"),
        ("Jürgen", "Jürgen"),
        ("<b>x</b>", "<b>x</b>"),  # shown as text by whoever shows it
        ("Ana\u200b", "Ana"),
    ],
)
def test_a_name_is_one_line_of_visible_letters(typed: str, shown: str) -> None:
    assert named(typed) == shown


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "a name needs a letter or a digit"),
        ("...", "a name needs a letter or a digit"),
        ("x" * 17, "a name has at most 16 letters, not 17"),
        ("a\u0301\u0302\u0303\u0304", "a letter of a name can have at most two accents"),
    ],
)
def test_other_names_are_refused(typed: str, why: str) -> None:
    with pytest.raises(BadName, match=why):
        named(typed)


def test_a_taken_name_comes_with_another() -> None:
    with pytest.raises(BadName, match=r"that name is taken: chiara 3\?"):
        named("chiara", ["Chiara", "Chiara 2"])


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=16), max_size=4))
def test_whatever_is_typed_a_name_is_harmless_or_refused(typed: str, taken: list[str]) -> None:
    try:
        name = named(typed, taken)
    except BadName:
        return
    assert 1 <= len(name) <= MOST_LETTERS and name == name.strip()
    assert not any(unicodedata.category(each)[0] in "CZ" and each != " " for each in name)
    assert name.casefold() not in {each.casefold() for each in taken}


def test_a_code_can_be_typed_on_a_phone() -> None:
    for word in ("dijkstra-k-state", "echo", "Ünïcode", ""):
        code = code_for(word)
        assert proper_code(code) == code
        word_, _, digits = code.rpartition("-")
        assert word_.isalpha() and digits.isdigit() and len(digits) == 4


@pytest.mark.parametrize("code", ["abc", "x" * 25, "ring 41", "rïng-1234"])
def test_a_code_that_cannot_be_typed_is_refused(code: str) -> None:
    with pytest.raises(BadName, match="a code must have 4 to 24 lower-case letters"):
        proper_code(code)
