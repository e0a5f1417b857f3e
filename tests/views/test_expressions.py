"""Expressions make lists out of lists and count a little, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.model.errors import BadInput
from lydian.views.expressions import RANGE, expression
from lydian.views.predicate import parse


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
def test_a_list_is_made_of_another_one(text: str, values: dict[str, Any], names: set[str], found: Any) -> None:
    wanted = expression(text)
    assert wanted.names == names and wanted.value(values) == found


@pytest.mark.parametrize(("text", "words"), [
    ("[[j for j in i] for i in held]", "one 'for' within another"),
    ("[i + j for i in held for j in held]", "one 'for' within another"),
    ("[0 for held[0] in held]", "what follows 'for' is a name"),
    ("[0 for i, i in held]", "what follows 'for' is a name"),
    ("[i.x for i in held if open(i)]", "may call only"),
    ("{i for i in held}", "does more than compare and count"),
    ("[i for i in (j := held)]", "does more than compare and count"),
])  # fmt: skip
def test_what_is_more_than_that_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        expression(text)


def test_conditions_make_no_lists() -> None:
    with pytest.raises(BadInput, match="ListComp"):
        parse("len([i for i in held]) > 1")
