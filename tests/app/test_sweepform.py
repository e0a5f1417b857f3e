"""The contents of the sweep form without a window: typed values, fields, checks and its file."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.app.sweep.form.check import check
from lydian.app.sweep.form.choices import choices
from lydian.app.sweep.form.form import (
    Form,
    Row,
    axis_name,
    from_data,
    from_plain,
    row_table,
    settled,
    to_data,
    to_plain,
)
from lydian.app.sweep.form.values import seeds_of, split, texts_of, values_of, words_of
from lydian.batch.sweep.file import from_dict as sweep_from
from lydian.batch.sweep.shipped import find_sweep, sweep_names
from lydian.desk.declared import declared
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.experiment.assumptions import broken_by

N = Row(name="n", values="8, 16, 32")
DELAY = Row(field="timing.delay", values="constant(1), uniform(0, 2)")


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("8, 16, 32", [8, 16, 32]),
        ("8,16,32", [8, 16, 32]),
        ("gnm:8,16", ["gnm:8,16"]),
        ("ring:{n}, gnm:{n},{2*n},seed={seed}", ["ring:{n}", "gnm:{n},{2*n},seed={seed}"]),
        ("uniform(0, 2), constant(1)", ["uniform(0, 2)", "constant(1)"]),
        ("a\nb; c", ["a", "b", "c"]),
        ('["0"], ["0", "1"]', [["0"], ["0", "1"]]),
        ('"1", "a, b"', ["1", "a, b"]),
        ("true, false", [True, False]),
        ("", []),
    ],
)
def test_typed_values_are_parsed(typed: str, values: list[Any]) -> None:
    assert values_of(typed) == values
    assert values_of(texts_of(values)) == values


@given(
    st.lists(
        st.integers(-(2**40), 2**40) | st.booleans() | st.floats(-1e9, 1e9) | st.text(min_size=1, max_size=12)
        | st.lists(st.integers(0, 9) | st.text("ab,; ", max_size=3), max_size=3),
        min_size=1, max_size=5,
    )
)  # fmt: skip
def test_written_values_can_be_read_back(values: list[Any]) -> None:
    assert values_of(texts_of(values)) == values


@pytest.mark.parametrize(
    ("typed", "seeds"), [("20", 20), ("100 to 119", {"first": 100, "count": 20}), ("1, 5, 9", [1, 5, 9])]
)
def test_seeds_are_parsed(typed: str, seeds: Any) -> None:
    assert seeds_of(typed) == seeds and words_of(seeds) == typed


@pytest.mark.parametrize("typed", ["", "many", "5 to 1", "1, x"])
def test_invalid_seeds_are_refused(typed: str) -> None:
    with pytest.raises(BadInput):
        seeds_of(typed)


@pytest.mark.parametrize("name", sweep_names())
def test_supplied_sweeps_pass_through_the_form_unchanged(name: str) -> None:
    sweep = find_sweep(name)
    assert sweep.path is not None
    data = tomllib.loads(sweep.path.read_text(encoding="utf-8"))
    form = from_data(data)
    found = check(form)
    assert found.good and (found.runs, found.groups) == (sweep.count, sweep.groups)
    meant = dict.fromkeys((*sweep.breaks, *(name for each in sweep.faults for name in broken_by(each.do))))
    # random faults are intended, so the form declares the assumptions they break, even those the protocol lacks
    assert sweep_from(to_data(form, data["experiment"]), sweep.path) == sweep.with_(breaks=tuple(meant))
    assert from_plain(to_plain(form)) == form


@pytest.mark.parametrize("name", ["echo-random", "echo-crash", "echo-slow-link", "voting-majority", "two-wings"])
def test_every_offered_path_can_be_varied(name: str) -> None:
    there = archive()
    experiment = there.experiment(name)
    source = there.find("protocols", experiment.protocol).read_text(encoding="utf-8")
    network = there.network(experiment.network) if isinstance(experiment.network, str) else experiment.network
    offered = choices(experiment, declared(source), network, there.names("networks"))
    assert len({each.title for each in offered}) == len(offered)
    for each in offered:
        form = Form(rows=each.rows, drawn=each.drawn, seeds="1")
        assert check(form).good, (each, check(form).problems)
        assert sweep_from(to_data(form, settled(experiment))).count == check(form).runs


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (replace(N, values=""), "The list of values is empty; give at least one value."),
        (replace(N, how="range", first="8", last="sixty", step="8"), "end of the range must be a number"),
        (replace(N, how="range", first="8", last="64"), "step"),
        (replace(N, how="drawn", low="5", high="1"), "at least low"),
        (replace(N, how="drawn", law="log-uniform", low="0", high="1"), "above 0"),
        (replace(N, labels="a, b"), "2 labels are given for 3 values"),
        (replace(N, name="two words"), "one word"),
        (replace(N, values="{m2}"), "not varied"),
    ],
)
def test_an_invalid_row_explains_why(row: Row, says: str) -> None:
    (place, sentence), *rest = check(Form(rows=(row,))).problems.items()
    assert place == "vary[0]" and says in sentence and not rest and sentence.endswith(".")


def test_rows_in_step_need_equal_counts_and_names_must_differ() -> None:
    along = replace(DELAY, along="n")
    form = Form(rows=(N, along), seeds="5")
    assert "vary[1]" in check(form).problems  # three values beside two
    form = Form(rows=(replace(N, values="8, 16"), along), seeds="5")
    found = check(form)
    assert found.words == "2 × 5 = 10 runs" and found.shape.rows == ("8, constant(1)", "16, uniform(0, 2)")
    renamed = form.with_row(0, replace(form.rows[0], name="size"))
    assert renamed.rows[1].along == "size" and check(renamed).good
    assert renamed.without_row(0).rows[0].along == "" and axis_name(renamed.moved(0, 1).rows[0]) == "delay"
    assert "already called n" in check(Form(rows=(N, N))).problems["vary[1]"]


def test_groups_form_a_table() -> None:
    found = check(Form(rows=(N, DELAY), seeds="5"))
    assert found.words == "3 × 2 × 5 = 30 runs" and found.groups == 6
    assert found.shape.columns == ("constant(1)", "uniform(0, 2)") and found.shape.rows == ("n 8", "n 16", "n 32")


def test_limits_and_seeds_have_their_fields() -> None:
    for parts, place in (({"seconds": "0"}, "limits.seconds"), ({"memory": "1"}, "limits.memory"),
                         ({"events": "no"}, "limits.events"), ({"seeds": "x"}, "seeds"),
                         ({"measures": ("nonsense",)}, "measure")):  # fmt: skip
        assert list(check(replace(Form(), **parts)).problems) == [place]


def test_a_range_is_written_to_the_file() -> None:
    row = Row(field="parameters.k", how="range", first="1", last="8", step="2", log=True)
    assert row_table(row) == {"name": "k", "field": "parameters.k", "from": 1, "to": 8, "step": 2, "scale": "log"}
    assert check(Form(rows=(replace(row, name="k", field=""),))).runs == 4 * 20


def test_label_and_unit_are_written_and_read() -> None:
    row = Row(field="timing.loss", values="0, 0.2", label=" messages lost ", unit="share")
    table = row_table(row)
    assert (table["label"], table["unit"]) == ("messages lost", "share")
    form = from_data({"experiment": "echo-random", "vary": [table]})
    assert (form.rows[0].label, form.rows[0].unit) == ("messages lost", "share")
    assert check(form).good and from_plain(to_plain(form)) == form
    assert {"label", "unit"}.isdisjoint(row_table(replace(row, label="", unit=" ")))


def test_paths_of_an_experiment_start_at_the_root(tmp_path: Path) -> None:
    experiment = archive().experiment("echo-random").with_(protocol="./mine.py", path=tmp_path / "a.toml")
    assert settled(experiment)["protocol"] == (tmp_path / "mine.py").as_posix()
    assert settled(experiment)["network"] == experiment.network


@given(st.text(max_size=40))
def test_no_input_breaks_the_form(text: str) -> None:
    check(Form(name=text, rows=(Row(field=text, values=text, labels=text),), seeds=text, events=text))
    split(text)
