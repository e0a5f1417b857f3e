"""A search of all schedules in its own process: requests and answers."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from lydian.engine.explorer.search import Explorer
from lydian.model.experiment.experiment import Experiment, from_dict

ENTRY = [sys.executable, "-m", "lydian.engine.explorer.serve"]


def asked(env: dict[str, str], request: object) -> list[dict[str, Any]]:
    """Return the answers to one request; the input stays open until the search is done."""
    with subprocess.Popen(
        ENTRY, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(f"{json.dumps(request)}\n")
        child.stdin.flush()
        return [json.loads(line) for line in child.stdout]


def test_the_service_finds_what_the_explorer_finds(python_env: dict[str, str]) -> None:
    experiment = Experiment("x", protocol="echo", network="line:3")
    wanted = {"kind": "search", "experiment": experiment.to_dict(), "losses": 1, "seconds": 60}
    *told, last, bye = asked(python_env, wanted)
    assert {each["kind"] for each in told} <= {"progress"} and (last["kind"], bye["kind"]) == ("result", "bye")
    result = Explorer(experiment, losses=1).run()
    assert {**last["result"], "seconds": 0} == {**result.to_dict(), "seconds": 0} and result.failed
    for example, finding in zip(last["examples"], result.findings, strict=True):
        if finding.counterexample is None:
            assert example is None
        else:
            assert from_dict(example) == finding.counterexample.experiment


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("no", "a frame must be an object with a kind, not 'no'"),
        ({"experiment": {"name": "x", "protocol": "nobody", "network": "ring:3"}}, "nobody"),
        ({"experiment": {"name": "x", "protocol": "echo", "network": "ring:3"}, "crashes": -1}, "crashes"),
        ({"experiment": {"name": "x", "protocol": "echo", "network": "ring:3"}, "seconds": 0}, "seconds"),
    ],
)
def test_bad_requests_are_answered_with_an_error(python_env: dict[str, str], request_: object, words: str) -> None:
    line = json.dumps({"kind": "search", **request_} if isinstance(request_, dict) else request_) + "\n"
    done = subprocess.run(ENTRY, env=python_env, input=line, capture_output=True, text=True, timeout=60, check=False)
    assert words in json.loads(done.stdout.splitlines()[0])["text"]


def test_the_service_ends_when_its_reader_is_gone(python_env: dict[str, str]) -> None:
    experiment = Experiment("x", protocol="echo", network="complete:6")
    line = json.dumps({"kind": "search", "experiment": experiment.to_dict()}) + "\n"
    done = subprocess.run(ENTRY, env=python_env, input=line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and "result" not in done.stdout
