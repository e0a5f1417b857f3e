"""Guarded actions on the command line."""

from __future__ import annotations

import json

import pytest

from tests.engine.rulebook import K_STATE_RING

RING = """name = "ring"
protocol = "./mine.py"
network = "ring:4"
[timing]
initiators = ["0"]
[stop]
until = 25.0
"""


@pytest.fixture
def ring(here):
    (here / "mine.py").write_text(K_STATE_RING, encoding="utf-8")
    (here / "ring.toml").write_text(RING, encoding="utf-8")


def test_the_daemon_and_the_start_are_options(lydian, ring):
    def told(*words):
        done = lydian("run", "ring.toml", "--json", *words)
        assert done.code == 0, done.err
        return json.loads(done.out)

    plain, other = told(), told("--start", "any:4", "--daemon", "distributed")
    assert plain["fingerprint"] == told("--daemon", "central")["fingerprint"] != other["fingerprint"]
    assert other["stopped"] == "until" and all(check["holds"] for check in other["checks"])
    assert told("--daemon", "user")["events"] == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["ring.toml", "--daemon", "centrall"], "--daemon: unknown daemon 'centrall' (did you mean 'central'?)"),
        (["ring.toml", "--start", "all"], "--start must be any or any:SEED, not all"),
        (["ring.toml", "--start", "any:x"], "--start"),
        (["two-wings", "--daemon", "synchronous"], "Echo has no guarded actions (@when)"),
    ],
)
def test_invalid_values_are_errors(lydian, ring, words, sentence):
    done = lydian("run", *words)
    assert done.code == 2 and sentence in done.err and "Traceback" not in done.err


def test_the_archive_describes_rules(lydian, ring):
    done = lydian("archive", "./mine.py")
    assert done.code == 0
    for text in (
        "when step │ when copy", "step  when leads  The leader adds one.", "count: int = 0, from 0 to k - 1",
        "A rule (when ...) whose cell is empty does not exist in that state.",
    ):  # fmt: skip
        assert text in done.out


def test_a_run_is_described_step_by_step(lydian, ring):
    done = lydian("run", "ring.toml", "--explain")
    assert "Process 0 executes step: count 0 → 1. The leader adds one." in done.out
