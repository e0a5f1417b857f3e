"""Many runs in a pool, and the search of all schedules."""

from __future__ import annotations

import pytest

import lydian
from lydian.model.errors import BadInput
from tests.lab.declared import Flood, Wrong


def test_runs_have_one_row_each():
    rows = lydian.runs(Flood, network=["ring:5", "complete:4"], seeds=range(3), times=[1, 2], workers=1)
    found = [(row["network"], row["times"], row["seed"], row["messages"]) for row in rows]
    assert found == [
        (network, times, seed, times * each)
        for network, each in (("ring-5", 10), ("complete-4", 12))
        for times in (1, 2)
        for seed in range(3)
    ]
    assert rows.ok and rows.varied == ("network", "times")
    assert rows.run(-1).messages == 24 and rows.run(-1).fingerprint == list(rows)[-1]["fingerprint"]
    assert repr(rows) == "<12 runs>"
    assert rows._repr_html_().count("<tr>") == 13
    assert rows.table()["time"].to_pylist() == [row["time"] for row in rows]


def test_runs_that_fail_are_rows():
    rows = lydian.runs(Wrong, network="ring:3", seeds=[4, 2], workers=1)
    assert [row["seed"] for row in rows] == [4, 2]
    assert [row["failure"] for row in rows] == ["protocol"] * 2
    assert all("declared.py, line " in row["error"] for row in rows) and not rows.ok
    assert repr(rows) == "<2 runs, 2 violate a property, 2 failed>"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"seeds": 0}, "seeds: must be different whole numbers from 0 on"),
        ({"seeds": [1, 1]}, "seeds: must be different whole numbers"),
        ({"seeds": "x"}, "seeds: must be a number of runs, or a list of seeds, not 'x'"),
        ({"network": []}, "network: must have at least one network"),
        ({"times": []}, "times: must have at least one value"),
        ({"tims": [1]}, "unknown parameter 'tims'"),
        ({"network": ["ring:3", "rung:3"]}, "rung"),
    ],
)
def test_wrong_arguments_get_a_sentence(arguments, sentence):
    with pytest.raises(BadInput) as error:
        lydian.runs(Flood, **arguments)
    assert sentence in str(error.value)


def test_a_search_proves():
    found = lydian.explore(Flood, network="complete:3")
    assert (found.proved, found.complete, found.ok, found.run) == (True, True, True, None)
    assert [(each.word, each.name) for each in found] == [("proved", "everybody is loud")]
    assert repr(found).splitlines() == [
        f"flood on complete-3: {found.configurations} configurations, all of them",
        "  proved: everybody is loud",
    ]


def test_a_search_refutes_with_a_run():
    found = lydian.explore(Wrong, network="ring:3")
    assert not found.ok and not found.proved
    verdict = found.refuted[0]
    assert (verdict.word, verdict.name, verdict.kind) == ("refuted", "nobody is loud", "always")
    assert verdict.steps and verdict.run is not None and verdict.run.checks[0].holds is False
    failing = next(each for each in found if each.kind == "error")
    assert "declared.py, line " in failing.why


def test_a_search_says_how_far_it_came():
    found = lydian.explore("echo", network="complete:4", states=50)
    assert not found.complete and not found.proved
    assert "not all: the given number of configurations was reached" in repr(found)
    assert all(each.word == "open" for each in found)


def test_random_schedules_refute_with_a_run_and_prove_nothing():
    found = lydian.explore(Flood, network="complete:3", walk=20, seed=3)
    assert found.ok and not found.proved and [each.word for each in found] == ["open"]
    assert repr(found).startswith("flood on complete-3: 20 random schedules\n")
    found = lydian.explore(Wrong, network="ring:30", walk=5, priorities=2)
    assert not found.ok and found.run is not None and found.refuted[0].steps
    assert found.to_dict()["walk"]["priorities"]["depth"] == 2


def test_a_plot_needs_no_qt(tmp_path):
    rows = lydian.runs("echo", network=["ring:4", "ring:8"], seeds=3, delay=["constant(1)", 2.0], workers=1)
    plot = rows.plot("time", x="processes", by="delay")
    text = plot.save(tmp_path / "plot.svg").read_text()
    assert "constant(1)" in text and "processes" in text and "<title>" in text
    assert repr(plot) == "<plot of Time; save it with save('picture.svg')>"
    with pytest.raises(BadInput, match="kind: must be one of spread"):
        rows.plot(kind="pie")
    with pytest.raises(BadInput, match="massages"):
        rows.plot("massages")


def test_progress_is_told_only_where_asked_for(capsys, monkeypatch):
    from lydian.lab.rows import _Told

    monkeypatch.setattr("time.monotonic", iter(range(0, 100, 2)).__next__)
    for wanted in (None, True):
        with _Told(7, wanted) as told:
            told.count(3)
    assert capsys.readouterr().err == f"\r{'3 of 7 runs ...':<60}\r{'':<60}\r"
