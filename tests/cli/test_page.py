"""A run written as a page, from the command line."""

from __future__ import annotations


def test_run_writes_a_page(lydian, here):
    said = lydian("run", "two-wings", "--html", "run.html")
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("\n\n  page:  run.html\n")
    assert "Echo on two-wings" in (here / "run.html").read_text(encoding="utf-8")


def test_the_page_of_a_trace_is_that_of_its_run(lydian, here):
    said = lydian("run", "two-wings", "--html", "run.html", "--trace", "run.parquet")
    assert said.out.endswith("\n  trace: run.parquet\n  page:  run.html\n")
    said = lydian("trace", "export", "run.parquet", "--to", "html", "-o", "again.html")
    assert (said.code, said.out) == (0, "again.html\n")
    assert (here / "again.html").read_bytes() == (here / "run.html").read_bytes()


def test_a_page_leaves_json_alone(lydian, here):
    import json

    said = lydian("run", "two-wings", "--html", "run.html", "--json")
    assert json.loads(said.out)["messages"] == 46
    assert (here / "run.html").exists()


def test_a_place_that_cannot_be_written_is_told_before_the_run(lydian, here):
    said = lydian("run", "two-wings", "--html", "nowhere/run.html")
    assert said.code == 2
    assert said.err == "lydian: nowhere/run.html, --html: its folder does not exist; make it first\n"
    said = lydian("run", "two-wings", "--html", here)
    assert said.err == f"lydian: {here}, --html: this is a folder; give a file such as run.html\n"


def test_too_long_a_run_is_refused_and_its_trace_kept(lydian, here, monkeypatch):
    monkeypatch.setattr("lydian.views.page.page.MOST_EVENTS", 50)
    said = lydian("run", "two-wings", "--html", "run.html", "--trace", "run.parquet")
    assert said.code == 2
    assert "the run has 105 events and a page plays at most 50" in said.err
    assert (here / "run.parquet").exists()
    assert not (here / "run.html").exists()
