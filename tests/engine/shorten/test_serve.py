"""The shortening of a run in its own process: requests and answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lydian.engine.shorten.serve import answer
from lydian.engine.shorten.shorten import shorten
from lydian.engine.wire import Error, Frame, Progress, Refused, Result, Shorten, decode, encode
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import from_dict


def answered(request: Shorten, after: int | None = None) -> list[Frame]:
    """Return the answers to a request, which is stopped after a number of them."""
    said: list[Frame] = []
    ends: list[Any] = []

    def say(frame: Frame) -> None:
        said.append(frame)
        if len(said) == after:
            ends[0]()

    answer(request, say, ends.append)
    return said


def test_the_answers_are_the_sizes_and_the_shortest_run() -> None:
    experiment = archive().experiment("mutex-ring-two-tokens")
    *told, result, bye = answered(Shorten(experiment.to_dict()))
    assert isinstance(result, Result) and bye.kind == "bye"
    found = shorten(experiment)
    assert from_dict(result.experiment) == found.experiment
    assert result.result["after"]["events"] == found.after.events
    events = [each.done["events"] for each in told if isinstance(each, Progress)]
    assert events[-1] == found.after.events
    assert decode(encode(result)) == result


def test_a_stopped_shortening_reports_the_shortest_run_so_far() -> None:
    request = Shorten(archive().experiment("mutex-ring-two-tokens").to_dict())
    *told, result, _bye = answered(request, after=2)
    assert isinstance(result, Result)
    assert not result.result["complete"]
    assert len(told) == 2


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"experiment": {"name": "x", "protocol": "echo", "network": "ring:3"}}, "the run does not fail"),
        ({"experiment": {"name": "x", "protocol": "nobody", "network": "ring:3"}}, "nobody"),
    ],
)
def test_what_cannot_be_shortened_is_answered_with_a_sentence(request_: dict[str, Any], words: str) -> None:
    (error, _bye) = answered(Shorten(**request_))
    assert isinstance(error, Error) and words in error.text


def test_a_request_without_time_is_refused() -> None:
    with pytest.raises(Refused, match="seconds of a shortening must be more than 0, not 0"):
        decode(json.dumps({"kind": "shorten", "experiment": {}, "seconds": 0}).encode() + b"\n")
