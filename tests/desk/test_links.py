"""Links that open runs, and the addresses with which desktops name files."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.desk.links import Link, is_link, read_link
from lydian.model.errors import BadInput


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("lydian://two-wings", Link(experiment="two-wings")),
        ("lydian://two-wings/?seed=7&event=3", Link(experiment="two-wings", event=3, seed=7)),
        ("lydian://open?file=/tmp/a%20b.parquet&event=5", Link(Path("/tmp/a b.parquet"), event=5)),
        ("file:///tmp/a%20b.lydian", Link(Path("/tmp/a b.lydian"))),
    ],
)
def test_a_link_names_an_experiment_or_a_file(text: str, link: Link) -> None:
    assert is_link(text) and read_link(text) == link


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("lydian://open?file=run.parquet", "must name a file by its whole path"),
        ("lydian://open", "must name a file by its whole path"),
        ("lydian://two-wings?sed=7", "did you mean 'seed'"),
        ("lydian://two-wings?seed=x", "seed in the link must be a whole number, not 'x'"),
        ("lydian://two-wings?seed=1&seed=2", "more than once"),
        ("lydian://two-wings?file=/etc/passwd", "is not a link of LYDIAN"),
        ("lydian:", "is not a link of LYDIAN"),
        ("file://elsewhere/tmp/x", "a file of another computer"),
        ("lydian://" + "x" * 5000, "characters"),
    ],
)
def test_any_other_link_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_link(text)
    assert why in str(caught.value)


def test_a_path_is_not_a_link() -> None:
    assert not is_link("run.parquet") and not is_link("/tmp/lydian:x")
