"""The one search: weighted words, their beginnings, and typing errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.finding import Document, Index, matches, words

NAMES = (
    "Raft", "Raft: partition", "Raft: split vote", "Causal cluster: split", "Save", "Save as", "Unsaved work",
    "Échange de clés", "Two-phase commit",
)  # fmt: skip
INDEX = Index(Document(((name, 100.0), ("a partition" if name.startswith("Causal") else "", 20.0))) for name in NAMES)


def found(query: str) -> list[str]:
    return [NAMES[number] for number, _score in INDEX.search(query).found]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("raft", ["Raft", "Raft: partition", "Raft: split vote"]),
        ("raft part", ["Raft: partition"]),
        ("partition", ["Raft: partition", "Causal cluster: split"]),
        ("save", ["Save", "Save as"]),
        ("nsave", ["Unsaved work"]),
        ("cles", ["Échange de clés"]),
        ("two phase", ["Two-phase commit"]),
        ("raft commit", []),
        ("", []),
        ("+ !", []),
    ],
)
def test_the_best_name_is_first_and_all_words_are_required(query: str, names: list[str]) -> None:
    assert found(query) == names


@pytest.mark.parametrize("typed", ["partiton", "partittion", "partitoin", "partixion", "oartition", "partito"])
def test_one_typing_error_is_forgiven(typed: str) -> None:
    assert found(f"raft {typed}") == ["Raft: partition"]
    assert INDEX.search(f"raft {typed}").terms == ("raft", INDEX.search(typed).terms[0])
    assert matches("Raft: partition", INDEX.search(typed).terms)[0][0] == 6


def test_short_words_and_numbers_are_taken_literally() -> None:
    index = Index([Document((("ring 1234", 1.0),)), Document((("one", 1.0),))])
    assert not index.search("1243").found and not index.search("obe").found


def test_a_context_counts_only_beside_a_word_of_the_document() -> None:
    index = Index([Document((("Loop", 60.0),), context="Playing")])
    assert index.search("playing loop").found and not index.search("playing").found


def test_documents_with_some_of_the_words_are_near() -> None:
    assert not found("raft banana split")
    assert NAMES[INDEX.nearest("raft banana split", 3)[0]] == "Raft: split vote"
    assert INDEX.nearest("xyzzyx", 3) == ()


@given(st.lists(st.text(max_size=20), max_size=6), st.text(max_size=20), st.text(max_size=10))
def test_another_word_never_adds_documents(texts: list[str], query: str, more: str) -> None:
    index = Index(Document(((text, 1.0),)) for text in texts)
    wide, narrow = ({number for number, _score in index.search(each).found} for each in (query, f"{query} {more}"))
    assert not words(query) or narrow <= wide


@given(st.text(min_size=1, max_size=40))
def test_a_text_finds_itself_first(text: str) -> None:
    index = Index([Document((("other", 1.0),)), Document(((text, 1.0),))])
    if words(text) and words(text) != ["other"]:
        assert index.search(text).found[0][0] == 1
