"""``lydian trace diff`` and ``lydian run --branch``: where two runs diverge."""

from __future__ import annotations

import json

import pytest

EXPERIMENT = """\
protocol = "echo"
network = "ring:4"

[[branches]]
at = 2.0
[[branches.interventions]]
time = 2.0
do = "crash"
process = "2"

[[branches]]
name = "wrong"
at = 3.0
[[branches.interventions]]
time = 3.0
do = "crash"
process = "7"
"""
TOLD = """\
The first 14 events are the same, up to time 1.929.
Then, in B at 2: Process 2 crashes. In A at 2.486: Process 3 receives Ack from 2 and has now
acknowledged; pending is now empty.

                    A         B
  events           25        21
  messages         10         8
  lost              0         1
  time          5.927     3.516
  chain             6         4

3 processes of 4 differ:
  2  A 3.516 receives Ack from 3 → acknowledged  B 2 crashes
  1  A 4.755 receives Ack from 2 → acknowledged  B nothing more
  0  A 5.927 receives Ack from 1 → finished      B nothing more

3 links of 4 differ:
  1-2  A 3.516 2 sends Ack to 1                      B nothing more
  2-3  A 3.516 2 receives Ack from 3 → acknowledged  B 3.516 2 misses Ack from 3
  0-1  A 4.755 1 sends Ack to 0                      B nothing more
"""


@pytest.fixture
def mine(here):
    """Create an experiment with two branches, one of which cannot run."""
    (here / "mine.toml").write_text(EXPERIMENT, encoding="utf-8")
    return "mine.toml"


def test_an_experiment_and_its_branch(lydian, mine):
    said = lydian("trace", "diff", mine, "--branch", "2 crashed at 2.0")
    assert (said.code, said.err) == (1, "")
    assert said.out == TOLD


def test_a_branch_runs_by_its_name_or_number(lydian, mine):
    said = [json.loads(lydian("run", mine, "--branch", name, "--json").out) for name in ("2 crashed at 2.0", "1")]
    assert said[0] == said[1]
    assert said[0]["branch"] == "2 crashed at 2.0"
    whole = json.loads(lydian("run", mine, "--json").out)
    assert "branch" not in whole
    assert whole["fingerprint"] != said[0]["fingerprint"]


def test_traces_and_experiments_are_compared_in_the_same_way(lydian, mine):
    lydian("run", mine, "--branch", "1", "--trace", "b.parquet")
    lydian("run", mine, "--trace", "a.parquet")
    assert lydian("trace", "diff", "a.parquet", "b.parquet").out == TOLD
    assert lydian("trace", "diff", mine, "b.parquet").out == TOLD
    same = lydian("trace", "diff", mine, "a.parquet")
    assert same.code == 0
    assert same.out.startswith("A and B are the same: ")
    assert json.loads(lydian("trace", "diff", mine, "a.parquet", "--json").out)["same"] is True


def test_json_output(lydian, mine):
    said = lydian("trace", "diff", mine, "--branch", "1", "--json")
    told = json.loads(said.out)
    assert said.code == 1
    assert (told["same"], told["kind"], told["time"]) == (False, "event", 2.0)
    assert (told["b"]["kind"], told["b"]["process"]) == ("crash", "2")
    assert told["processes"][0]["process"] == "2"
    assert set(told["numbers"]) == {"events", "messages", "lost", "time", "chain"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["trace", "diff", "mine.toml"], "B is missing; name a second run, or a branch of A with --branch"),
        (["trace", "diff", "mine.toml", "two-wings", "--branch", "1"], "both two-wings and --branch are given"),
        (["trace", "diff", "mine.toml", "--branch", "0"], "this is the run of the experiment itself, not a branch"),
        (["trace", "diff", "mine.toml", "--branch", "wrng"], "--branch: unknown branch 'wrng' of mine (did you mean"),
        (["trace", "diff", "mine.toml", "none.parquet"], "none.parquet: there is no such file"),
        (["run", "mine.toml", "--branch", "wrong"],
         "mine.toml, branches[1].interventions[0].process: unknown process '7'"),
        (["run", "two-wings", "--branch", "x"], "--branch: unknown branch 'x' of two-wings; it has none"),
    ],
)  # fmt: skip
def test_incomparable_arguments_are_errors(lydian, mine, words, sentence):
    said = lydian(*words)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_a_trace_has_no_branches(lydian, mine):
    lydian("run", mine, "--trace", "a.parquet")
    said = lydian("trace", "diff", "a.parquet", "--branch", "1")
    assert said.code == 2
    assert "a.parquet is a trace; --branch must be used with an experiment" in said.err
