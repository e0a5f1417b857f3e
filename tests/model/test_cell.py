"""Cells of CSV files: formulas that a spreadsheet would evaluate become text, and numbers stay numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.cell import as_text, plain


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@SUM(A1)", '=HYPERLINK("http://x")', "\t=1", "\r=1", "'=1"])
def test_a_formula_becomes_a_text(text: str) -> None:
    assert as_text(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-1.5", "+3", "-inf", "1e-3", "a=b", "", "'", "it's", -1.5, 3, None, True])
def test_numbers_and_other_texts_stay(value: object) -> None:
    assert as_text(value) is value


@given(st.text(alphabet="'=+-@a1. "))
def test_the_text_can_be_parsed_again(text: str) -> None:
    assert plain(as_text(text)) == text
