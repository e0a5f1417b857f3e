"""Values as users type them, read by the declared type."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.model.protocol.message import fitted
from lydian.views.words.typedvalues import read_value, starting_value, text_of_source, wanted, write_value


@pytest.mark.parametrize(
    ("text", "declared", "value"),
    [
        ("3", "int", 3),
        ("-7", "int", -7),
        ("2.5", "float", 2.5),
        ("3", "float | int", 3),
        ("True", "bool", True),
        ("no", "bool", False),
        ("3", "str", "3"),
        ("'3'", "str", "3"),
        ("hello there", "str", "hello there"),
        ("None", "str | None", None),
        ("", "int | None", None),
        ("6", "str | None", "6"),
        ("4", "int | str", 4),
        ("four", "int | str", "four"),
        ("6, 8", "set[str]", ["6", "8"]),
        ("{6, 8}", "set[str]", ["6", "8"]),
        ("{}", "set[str]", []),
        ("", "frozenset[str]", []),
        ("[3, 1]", "list[int]", [3, 1]),
        ("3, 1", "tuple[int, ...]", [3, 1]),
        ("{3, 1}", "set[int]", [1, 3]),
        ("{'a': 1}", "dict[str, int]", {"a": 1}),
        ("anything", "Colour", "anything"),
        ("[1, 2]", "Colour", [1, 2]),
    ],
)
def test_a_text_is_read_by_the_declared_type(text: str, declared: str, value: Any) -> None:
    assert read_value(text, declared) == value


@pytest.mark.parametrize(
    ("text", "declared", "sentence"),
    [
        ("three", "int", "must be a whole number such as 3, not 'three'"),
        ("True", "int", "must be a whole number such as 3"),
        ("2.5", "int", "must be a whole number such as 3"),
        ("", "int", "must be a whole number such as 3"),
        ("x", "float", "must be a number such as 2.5"),
        ("maybe", "bool", "must be True or False"),
        ("x", "int | None", "must be a whole number such as 3 or None"),
        ("a, b", "list[int]", "must be whole numbers separated by commas"),
        ("5", "dict[str, int]", "must be a table such as"),
    ],
)
def test_unsuitable_values_are_reported(text: str, declared: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_value(text, declared)


_VALUES = st.one_of(
    st.tuples(st.just("int"), st.integers(-(10**9), 10**9)),
    st.tuples(st.just("float"), st.floats(-1e6, 1e6)),
    st.tuples(st.just("bool"), st.booleans()),
    st.tuples(st.just("int | None"), st.none() | st.integers()),
    st.tuples(st.just("list[int]"), st.lists(st.integers(), max_size=5)),
    st.tuples(st.just("set[int]"), st.sets(st.integers(), max_size=5).map(sorted)),
    st.tuples(st.just("set[str]"), st.sets(st.from_regex(r"\A[a-z0-9]{1,4}\Z"), max_size=5).map(sorted)),
    st.tuples(st.just("str"), st.from_regex(r"\A[a-z][a-z ]{0,8}[a-z]\Z")),
)


@given(_VALUES)
def test_a_written_value_is_read_back_and_fits(pair: tuple[str, Any]) -> None:
    declared, value = pair
    back = read_value(write_value(value, declared), declared)
    assert back == value
    fitted(back, declared)


@given(st.text(max_size=20), st.sampled_from(["int", "float", "bool", "str | None", "set[str]", "list[int]", "dict"]))
def test_any_text_fits_or_is_refused_with_an_error(text: str, declared: str) -> None:
    try:
        fitted(read_value(text, declared), declared)
    except BadInput as error:
        said = error.what
    else:
        said = "must be "
    assert said.startswith("must be ")


def test_defaults_come_from_the_file_or_the_type() -> None:
    assert text_of_source('"news"', "str") == "news"
    assert text_of_source("set()", "set[str]") == "{}"
    assert text_of_source("()", "tuple[int, ...]") == "()"
    assert text_of_source("None", "str | None") == "None"
    assert text_of_source("compute()", "int") is None
    assert text_of_source(None, "int") is None
    assert [starting_value(t, ("7",)) for t in ("int", "float", "bool", "str", "set[str]", "str | None")] == [
        "0", "0", "False", "7", "{}", "None",
    ]  # fmt: skip
    assert wanted("int | None") == "a whole number such as 3 or None" and wanted("Colour") == "a value"
