"""``lydian run --nodes``: programs in any language from the command line."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

RIGHT = Path(__file__).resolve().parents[2] / "nodes" / "programs" / "right.py"
FAST = ("--network", "ring:3", "--duration", 300, "--rate", 100, "--settle", 50, "--startup", 60_000,
        "--timeout", 20_000)  # fmt: skip


def command(*arguments):
    return shlex.join([sys.executable, str(RIGHT), *arguments])


def test_a_run_is_summarised_and_its_trace_opens(lydian, here):
    said = lydian("run", "--nodes", command("echo"), "--workload", "echo", *FAST, "--trace", "run.parquet")
    assert (said.code, said.err) == (0, "")
    assert "right.py on ring-3  (3 processes, 3 links; seed 1)" in said.out
    assert "each reply repeats its request" in said.out
    assert "latency, median (ms)" in said.out
    assert "trace: run.parquet" in said.out
    shown = lydian("trace", "info", "run.parquet")
    assert "right.py" in shown.out
    assert shown.code == 0


def test_json_has_the_keys_of_every_run(lydian):
    said = lydian("run", "--nodes", command("echo", "wrong"), "--workload", "echo", *FAST, "--json")
    found = json.loads(said.out)
    assert said.code == 1
    assert found["stopped"] == "until"
    assert {"protocol", "network", "seed", "events", "messages", "time", "chain", "checks", "measures"} <= set(found)
    assert [each["holds"] for each in found["checks"]] == [True, False]
    assert "echoed 'something else'" in found["checks"][1]["why"]
    assert found["operations"]["operations"] > 0


def test_a_program_that_fails_is_one_sentence(lydian):
    program = shlex.join([sys.executable, "-c", "raise SystemExit(3)"])
    said = lydian("run", "--nodes", program, "--workload", "echo", *FAST)
    assert said.code == 1
    assert len(said.err.strip().splitlines()) == 1
    assert "ended with the exit code 3 before it answered init" in said.err


def test_standard_error_can_be_shown(lydian):
    program = "import sys\nfor line in sys.stdin: print('here', file=sys.stderr)"
    said = lydian("run", "--nodes", shlex.join([sys.executable, "-c", program]), "--workload", "echo", *FAST[:-4],
                  "--startup", 1000, "--show-stderr")  # fmt: skip
    assert said.code == 1
    assert 'its last line on standard error is "here"' in said.err


def test_a_page_that_plays_the_run_is_written(lydian, here):
    said = lydian("run", "--nodes", command("g-set"), "--workload", "g-set", *FAST, "--html", "run.html")
    assert said.code == 0
    assert (here / "run.html").read_text().lstrip().startswith("<")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--workload", "echo"], '--workload belongs to a run of programs; give --nodes "COMMAND" as well'),
        (["--nodes", "true"], "--workload is missing; choose from echo, unique-ids, broadcast"),
        (["--nodes", "true", "--workload", "ecko"], "unknown workload 'ecko' (did you mean 'echo'?)"),
        (["echo", "--nodes", "true", "--workload", "echo"], "EXPERIMENT has no meaning for programs"),
        (["--nodes", "true", "--workload", "echo", "--until", "5"], "--until has no meaning for programs; remove it or "
         "--nodes; use --duration"),
        (["--nodes", "no-such-program", "--workload", "echo"], "no program of this name was found"),
        (["--nodes", "true", "--workload", "echo", "--loss", "2"], "--loss: must be a number from 0 to 1, not 2"),
        (["--nodes", "true", "--workload", "echo", "--fault", "x"], "--fault: 'x' is not a fault"),
        (["--nodes", "true", "--workload", "echo", "--rate", "0"], "--rate: must be a number of requests in a second"),
        (["--nodes", "true", "--workload", "echo", "--faults", "no.txt"], "no.txt"),
    ],
)  # fmt: skip
def test_wrong_usage_is_one_sentence(lydian, arguments, sentence):
    said = lydian("run", *arguments)
    assert said.code == 2
    assert len(said.err.strip().splitlines()) == 1
    assert sentence in said.err
