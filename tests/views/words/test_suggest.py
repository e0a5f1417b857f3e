"""Possible continuations of a filter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lydian.pieces.animation import Animation
from lydian.views.words.filter import FilterError, parse
from lydian.views.words.suggest import suggestions
from tests.views.others.test_clocks import chatter

TIMELINE = chatter(4, [(0, 1, 0), (1, 2, 0), (0, 1, 0), (2, 3, 5)])


def texts(text: str, animation: Animation | None = None) -> list[str]:
    return [each.text for each in suggestions(text, len(text), TIMELINE, animation)]


def test_keys_names_and_connectives_are_suggested_where_valid() -> None:
    assert texts("") == [] and texts("p=3 ") == []
    assert texts("la")[0] == "lamport>"
    assert texts("p=") == list(TIMELINE.processes)
    label = TIMELINE.labels[0]
    assert texts("message=") == list(TIMELINE.labels) and texts(f"message={label}") == []
    assert "receive" in texts("kind=re") and "send" not in texts("kind=re")
    assert "and " in texts("p=3 an") and "and " not in texts("an")
    assert f"message={label}" in texts(label[:2])


@given(st.text(alphabet='pkindmesagt= <>"()3.', max_size=20))
def test_an_accepted_name_completes_a_valid_filter(text: str) -> None:
    for each in suggestions(text, len(text), TIMELINE):
        whole = each.into(text)
        assert whole.startswith(text[: each.start]) and whole.endswith(each.text)
        try:
            parse(text[: each.start] + "p=0", TIMELINE)
        except FilterError:
            continue
        if not each.text.endswith(("=", ">", " ")):
            parse(whole, TIMELINE)
