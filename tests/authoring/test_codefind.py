"""Finding and replacing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.authoring.codefind import Search, find_all, next_of, replaced, replaced_all
from lydian.model.errors import BadInput

TEXT = "send(Ack) sends\nself.Send(ack)"


def test_plain_words_are_found_in_any_case() -> None:
    assert find_all(TEXT, Search("send")) == [(0, 4), (10, 14), (21, 25)]
    assert find_all(TEXT, Search("send", case=True)) == [(0, 4), (10, 14)]
    assert find_all(TEXT, Search("send", whole=True)) == [(0, 4), (21, 25)]
    assert find_all(TEXT, Search("(a")) == [(4, 6), (25, 27)]
    assert find_all(TEXT, Search("")) == []


def test_patterns() -> None:
    search = Search(r"send\((\w+)\)", pattern=True)
    assert find_all(TEXT, search) == [(0, 9), (21, 30)]
    assert replaced(TEXT, search, (0, 9), r"tell(\1)") == "tell(Ack)"
    assert replaced_all(TEXT, search, r"tell(\1)") == ("tell(Ack) sends\nself.tell(ack)", 2)
    assert find_all(TEXT, Search("x*", pattern=True)) == [], "empty places are none"
    with pytest.raises(BadInput, match=r"this pattern cannot be read: .*; switch regular expressions off"):
        find_all(TEXT, Search("(", pattern=True))
    with pytest.raises(BadInput, match="the replacement cannot be read"):
        replaced_all(TEXT, search, r"\7")


def test_next_and_previous_wrap_around() -> None:
    found = find_all(TEXT, Search("send"))
    assert [next_of(found, at) for at in (0, 1, 21, 22)] == [0, 1, 2, 0]
    assert [next_of(found, at, -1) for at in (0, 1, 22)] == [2, 0, 2]
    assert next_of([], 3) is None


@given(st.text("abAB.", max_size=20), st.text("abB.", min_size=1, max_size=2), st.text("xy\\", max_size=3))
def test_replaced_text_is_no_longer_found(source: str, text: str, by: str) -> None:
    after, count = replaced_all(source, Search(text, case=True), by)
    assert after == source.replace(text, by) and count == source.count(text)
