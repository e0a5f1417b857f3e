"""A run written as a page, from the command line."""

from __future__ import annotations

import subprocess
import sys

import pytest


def test_run_writes_a_page(lydian, here):
    said = lydian("run", "two-wings", "--html", "run.html")
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("\n\n  page:  run.html\n")
    assert "Echo on two-wings" in (here / "run.html").read_text(encoding="utf-8")


def test_the_page_of_a_trace_equals_that_of_its_run(lydian, here):
    said = lydian("run", "two-wings", "--html", "run.html", "--trace", "run.parquet")
    assert said.out.endswith("\n  trace: run.parquet\n  page:  run.html\n")
    said = lydian("trace", "export", "run.parquet", "--to", "html", "-o", "again.html")
    assert (said.code, said.out) == (0, "again.html\n")
    assert (here / "again.html").read_bytes() == (here / "run.html").read_bytes()


def test_a_page_does_not_affect_the_json(lydian, here):
    import json

    said = lydian("run", "two-wings", "--html", "run.html", "--json")
    assert json.loads(said.out)["messages"] == 46
    assert (here / "run.html").exists()


def test_an_unwritable_path_is_reported_before_the_run(lydian, here):
    said = lydian("run", "two-wings", "--html", "nowhere/run.html")
    assert said.code == 2
    assert said.err == "lydian: nowhere/run.html, --html: its folder does not exist; create it first\n"
    said = lydian("run", "two-wings", "--html", here)
    assert said.err == f"lydian: {here}, --html: this is a folder; give a file such as run.html\n"


def test_an_overlong_run_is_refused_and_its_trace_kept(lydian, here, monkeypatch):
    monkeypatch.setattr("lydian.views.page.page.MOST_EVENTS", 50)
    said = lydian("run", "two-wings", "--html", "run.html", "--trace", "run.parquet")
    assert said.code == 2
    assert "the run has 105 events but a page must have at most 50" in said.err
    assert (here / "run.parquet").exists()
    assert not (here / "run.html").exists()


@pytest.mark.parametrize("words", [("run", "two-wings", "--html", "a.html"), ("handin", "two-wings", "-o", "a.lydian")])
def test_requested_files_are_written_without_a_reader(here, words):
    child = subprocess.Popen([sys.executable, "-m", "lydian", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.close()  # as head does when it has read enough
    with child.stderr:
        said = child.stderr.read()
    assert (child.wait(timeout=60), said) == (0, b"")
    assert (here / words[-1]).stat().st_size > 10_000


def test_a_printing_protocol_continues_without_a_reader(here):
    (here / "talks.py").write_text(
        "from lydian import INIT, Process, on, states\n(A,) = states('a')\nclass Talks(Process):\n    state = A\n"
        "    @on(A, INIT)\n    def start(self):\n        print('here I am')\n"
    )
    words = ["run", "--protocol", "talks.py", "--network", "line:3", "--initiators", "all", "--trace", "t.parquet"]
    child = subprocess.Popen([sys.executable, "-m", "lydian", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.close()
    with child.stderr:
        said = child.stderr.read()
    assert (child.wait(timeout=60), said) == (0, b"")
    assert (here / "t.parquet").exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import sys; sys.exit(3)", "odd.py: the animation exits its program; it must contain only declarations"),
        ("def x(:", "odd.py, line 1: this is not valid Python"),
    ],
)
def test_a_failing_animation_is_reported(lydian, here, qapp, text, why):
    (here / "odd.py").write_text(text)
    (here / "e.toml").write_text('protocol = "echo"\nnetwork = "two-wings"\nanimation = "./odd.py"\n')
    for words in (("run", "e.toml", "--html", "a.html"), ("render", "e.toml", "-o", "a.png")):
        said = lydian(*words)
        assert said.code == 0 and why in said.err and said.err.count("\n") == 1
        assert said.err.endswith("; drawn without it\n") and (here / words[-1]).exists()
