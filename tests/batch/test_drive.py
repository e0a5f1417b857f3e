"""A batch for another program: requests and answers line by line, and a clean end in every case."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lydian.batch.drive import ENTRY
from lydian.model.childprocess import environment
from tests.batch.conftest import BASE


@contextmanager
def driver(first: str | dict) -> Iterator[subprocess.Popen[bytes]]:
    """Start the process and send it a request."""
    child = subprocess.Popen(
        [sys.executable, *ENTRY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(),
    )  # fmt: skip
    assert child.stdin is not None
    child.stdin.write((first if isinstance(first, str) else json.dumps({"kind": "batch", **first})).encode() + b"\n")
    child.stdin.flush()
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            pipe.close()


def answers(first: str | dict, closed: bool = False) -> list[dict]:
    with driver(first) as child:
        if closed:
            child.stdin.close()
        return [json.loads(line) for line in child.stdout]


@pytest.mark.slow
def test_an_estimate():
    told = answers({"do": "estimate", "sweep": BASE, "file": None, "master": "local[2]"})
    assert [line["kind"] for line in told] == ["progress"] * (len(told) - 1) + ["result"]
    assert [line["done"]["tried"] for line in told[:-1]] == list(range(len(told) - 1))
    assert told[0]["done"]["of"] == len(told) - 1
    plan = told[-1]["result"]
    assert (plan["runs"], plan["groups"], plan["cores"], plan["failed"]) == (32, 8, 2, [])
    assert plan["wall"] > 0
    assert plan["bytes"] > 0


@pytest.mark.parametrize(
    ("request_", "what", "place"),
    [
        ({"do": "estimate", "sweep": {**BASE, "experiment": "nobody"}}, "unknown experiment 'nobody'", "experiment"),
        ({"do": "estimate", "sweep": {**BASE, "vary": [{"name": "n"}]}}, "there are no values", "vary[0]"),
        ({"do": "run", "sweep": BASE, "folder": "x", "master": "nonsense"}, "is not a master of Spark", None),
        ({"do": "run", "sweep": None, "folder": "/nowhere/at/all", "resume": True}, "this folder does not exist", None),
        ("no JSON", "a frame must be a line of JSON", None),
        ({"do": "dance"}, "run or estimate", None),
    ],
)
def test_an_impossible_request_is_one_sentence(request_, what, place):
    (told,) = answers(request_, closed=True)
    assert told["kind"] == "error"
    assert what in told["text"]
    assert told["place"] == place


def test_the_process_ends_when_its_reader_is_gone():
    slow = {**BASE, "seeds": 5, "vary": [{"field": "network", "values": ["gnm:3000,9000"]}]}
    with driver({"do": "estimate", "sweep": slow}) as child:
        assert json.loads(child.stdout.readline())["kind"] == "progress"
        child.stdin.close()  # in the middle of the trials
        assert child.wait(10) == 130
    with driver("") as child:
        child.stdin.close()
        assert child.wait(10) == 130
