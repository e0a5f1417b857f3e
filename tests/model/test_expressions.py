"""Expressions build lists from lists and do a little arithmetic, and nothing else."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.model.lang.effort import RANGE
from lydian.model.lang.expression import expression, parse


@pytest.mark.parametrize(("text", "values", "names", "found"), [
    ("[i / n for i, who in lost]", {"n": 4, "lost": [[1, "a"], [3, "b"]]}, {"n", "lost"}, [0.25, 0.75]),
    ("[i for i in held if i > least]", {"held": [1, 5, 7], "least": 4}, {"held", "least"}, [5, 7]),
    ("[[i, str] for i in [1]]", {"str": "x"}, {"str"}, [[1, "x"]]),
    ("[i for i in i]", {"i": [1, 2]}, {"i"}, [1, 2]),  # the list is looked up outside, the item inside
    ("[chord.id for i in held]", {"chord.id": 7, "held": [0, 0]}, {"chord.id", "held"}, [7, 7]),
    ("[(first + i) % n for i in range((last - first) % n)]", {"first": 6, "last": 1, "n": 8}, {"first", "last", "n"},
     [6, 7, 0]),
    ("len(range(2, 5))", {}, set(), 3),
    (f"len(range({RANGE}))", {}, set(), RANGE),
    (f"len(range({RANGE + 1}))", {}, set(), None),
    ("range(999 * 999 * 999 * 999)", {}, set(), None),
    ("[1 / i for i in held]", {"held": [0]}, {"held"}, None),
])  # fmt: skip
def test_a_comprehension_builds_a_list(text: str, values: dict[str, Any], names: set[str], found: Any) -> None:
    wanted = expression(text)
    assert wanted.names == names and wanted.value(values) == found


@pytest.mark.parametrize(("text", "words"), [
    ("[[j for j in i] for i in held]", "has one 'for' inside another"),
    ("[i + j for i in held for j in held]", "has one 'for' inside another"),
    ("[0 for held[0] in held]", "'for' must be followed by a name, or by different names separated by commas"),
    ("[0 for i, i in held]", "'for' must be followed by a name, or by different names separated by commas"),
    ("[i.x for i in held if open(i)]", "may call only"),
    ("{i for i in held}", "may only compare and count"),
    ("[i for i in (j := held)]", "may only compare and count"),
])  # fmt: skip
def test_anything_more_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        expression(text)


def test_conditions_do_not_build_lists() -> None:
    with pytest.raises(BadInput, match="may only compare and count"):
        parse("len([i for i in held]) > 1")


LONG = {"many": list(range(20_000)), "text": "a" * 20_000, "large": 10**9}


@pytest.mark.parametrize("text", [
    "[0] * 1000000000", '"a" * 999999999', "many * large", "(many, many) * large", '"%999999999d" % 1',
    '"%*d" % (999999999, 1)', "[sum(range(4096)) for i in range(4096)]", "[sorted(range(4096)) for i in range(4096)]",
    "[i in many for i in many]", "[sorted(many) for i in range(4096)]", "[max(text) for i in many]",
    "[many + many + many for i in many]", "[i for i in many if i in many]",
    "[sum(each[0]) for each in [[many]] * large]",
])  # fmt: skip
def test_expensive_expressions_are_refused(text: str) -> None:
    start = time.process_time()
    assert expression(text).value(LONG) is None
    assert time.process_time() - start < 1


@pytest.mark.parametrize(("text", "found"), [
    ("len([i * i for i in many])", 20_000), ("len([i for i in text if i])", 20_000), ("large * large % 7", 10**18 % 7),
    ("[i % 3 for i in range(4)]", [0, 1, 2, 0]), ("len([i for i in range(4096) if i in range(9, 19)])", None),
    ("len([i for i in range(900) if i in range(9, 19)])", 10), ("True * 3", 3), ("-7.5 % 2", 0.5),
])  # fmt: skip
def test_cheap_expressions_are_evaluated(text: str, found: Any) -> None:
    assert expression(text).value(LONG) == found


def test_sums_are_of_numbers() -> None:
    with pytest.raises(BadInput, match="sum must have one list of numbers"):
        expression("sum([held for i in range(9)], [])")


NUMBERS = st.integers(-99, 99)


@given(a=NUMBERS, b=NUMBERS, some=st.lists(NUMBERS, max_size=9))
def test_operators_behave_as_in_python(a: int, b: int, some: list[int]) -> None:
    names = {"a": a, "b": b, "some": some}
    for text in ("a * b + a * (b - 1) * 2", "[i * a + b for i in some if i * 2 > b]", "sum([i * i for i in some])"):
        assert expression(text).value(names) == eval(text, dict(names))
    assert expression("a % b").value(names) == (a % b if b else None)
