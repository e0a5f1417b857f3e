"""The call being typed, and its parameters, by example."""

from __future__ import annotations

import pytest

from lydian.authoring import codecalls
from lydian.model.source.lex import lex


@pytest.mark.parametrize(
    ("before", "call"),
    [
        ("self.send(Ack(), to", codecalls.Call("send", 5, 1)),
        ("self.send(Ack(), to=q", codecalls.Call("send", 5, 1, "to")),
        ("self.send(Ack(", codecalls.Call("Ack", 10, 0)),
        ("f([1, 2], ", codecalls.Call("f", 0, 1)),
        ("f(')', (", None),
        ("def f(self, ", None),
        ("f(x)", None),
    ],
)
def test_the_call_being_typed(before: str, call: codecalls.Call | None) -> None:
    assert codecalls.call_at(before, lex(before)[0]) == call


def test_parameters_are_read_from_the_help() -> None:
    found = codecalls.signature_of("self.send(message, to): Send a message to a neighbour.")
    assert found == codecalls.Signature("self.send", ("message", "to"), "Send a message to a neighbour.")
    assert found.current(codecalls.Call("send", 0, 0, "to")) == 1
    assert found.current(codecalls.Call("send", 0, 5)) == -1
    record = codecalls.signature_of("message Ack(seen: dict[str, int], n: int): Done")
    assert record is not None and record.arguments == ("seen: dict[str, int]", "n: int")
    assert record.current(codecalls.Call("Ack", 0, 0, "n")) == 1
    assert codecalls.signature_of("its own name") is None
    method = codecalls.signature_of("close(self)")
    assert method is not None and method.arguments == ()
