"""The search for witnesses in its own process: requests and answers."""

from __future__ import annotations

from typing import Any

from lydian.engine.wire import Error, Frame, Partial, Result, Witness, decode, encode
from lydian.engine.witness.search import Relying
from lydian.engine.witness.serve import answer
from lydian.model.archive.archive import archive


def answered(request: Witness, after: int | None = None) -> list[Frame]:
    """Return the answers to a request, which is stopped after a number of them."""
    said: list[Frame] = []
    ends: list[Any] = []

    def say(frame: Frame) -> None:
        said.append(frame)
        if len(said) == after:
            ends[0]()

    answer(request, say, ends.append)
    return [each for each in said if each.kind != "progress"]


def test_each_assumption_is_answered_and_then_what_holds_with_all_of_them() -> None:
    experiment = archive().experiment("echo-complete")
    *partial, result, bye = answered(Witness(experiment.to_dict(), needs=["reliable", "connected"]))
    assert [each.found["need"] for each in partial if isinstance(each, Partial)] == ["reliable", "connected"]
    assert isinstance(result, Result) and bye.kind == "bye"
    assert result.result["timing"] is False and result.result["processes"] == 4
    expected = Relying(experiment, seconds=None).look("reliable").to_dict()
    assert isinstance(partial[0], Partial)
    assert decode(encode(partial[0])) == decode(encode(Partial(expected)))


def test_a_stopped_search_answers_no_further_assumptions() -> None:
    request = Witness(archive().experiment("echo-complete").to_dict())
    first, result, _bye = answered(request, after=1)
    assert isinstance(first, Partial) and isinstance(result, Result)
    assert result.result["configurations"] == 0


def test_what_cannot_be_tried_is_answered_with_a_sentence() -> None:
    (error, _bye) = answered(Witness({"protocol": "echo", "network": "ring:3"}, needs=["fifo"]))
    assert isinstance(error, Error) and "does not assume 'fifo'" in error.text
