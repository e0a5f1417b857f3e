"""``lydian trace find``: ranked places, each with the command that opens it."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def run(lydian):
    assert lydian("run", "two-wings", "--trace", "run.parquet").code == 0
    return "run.parquet"


def test_places_are_ranked_with_the_command_that_opens_them(lydian, run):
    said = lydian("trace", "find", run, "--shape", "request-reply", "--most", "1")
    assert said.out.splitlines() == [
        "  1  0.2014  0 asks 3 (Broadcast) and gets the reply after 16.08",
        "     lydian open run.parquet --event 3",
    ]
    found = json.loads(lydian("trace", "find", ".", "--longest-waits", "--most", "1", "--json").out)
    assert found["file"] == "run.parquet" and found["open"] == f"lydian open run.parquet --event {found['events'][0]}"
    assert "Nothing was found in 1 trace." in lydian("trace", "find", run, "--shape", "concurrent-writes").out


def test_a_path_is_printed_or_its_absence(lydian, run):
    lines = lydian("trace", "find", run, "--path", "0", "104").out.splitlines()
    assert lines[0].split()[0] == "0" and lines[-1].split()[0] == "104"
    assert "are concurrent: no causal path" in lydian("trace", "find", run, "--path", "5", "6").out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "choose one of --shape, --longest-waits and --path"),
        (("--shape", "gathr"), "did you mean 'gather'"),
        (("--path", "0", "9999"), "the trace has no event 9999"),
        (("--path", "0", "x"), "--path"),
    ],
)
def test_wrong_usage(lydian, run, words, why):
    said = lydian("trace", "find", run, *words)
    assert said.code == 2 and why in said.err
    assert lydian("trace", "find", "none.parquet", "--longest-waits").code == 2
