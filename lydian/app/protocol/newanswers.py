"""What can be answered on the page of a new protocol, and what is wrong with an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lydian
from lydian.model.authoring import EventPlan, skeleton
from lydian.model.authoring.plan import events_in, words_in
from lydian.model.errors import BadInput
from lydian.model.formula import Formula
from lydian.model.properties import Need

__all__ = ["EXAMPLES", "NEEDS", "events_of", "formula_in", "states_in"]

#: The assumptions that can be ticked, the frequent ones first.
_FIRST = ("connected", "one_initiator", "some_initiator", "two_way", "fifo", "reliable", "ring", "tree", "complete")
NEEDS: dict[str, Need] = {
    name: getattr(lydian, name)
    for name in dict.fromkeys((*_FIRST, *lydian.__all__))
    if isinstance(getattr(lydian, name), Need)
}
#: What may stand in an empty field.
EXAMPLES = {"message": "News, Ack(hops: int)", "timer": "Retry", "command": "Publish(topic: str)"}


def states_in(text: str) -> tuple[str, ...]:
    states = words_in(text)
    if not states:
        raise BadInput("name at least one state, in which every process starts")
    skeleton("Zz", states)
    return states


def events_of(kind: str) -> Callable[[str], tuple[EventPlan, ...]]:
    def parse(text: str) -> tuple[EventPlan, ...]:
        events = events_in(text)
        named: dict[str, Any] = {f"{kind}s": events}
        skeleton("Zz", ("idle",), **named)
        return events

    return parse


def formula_in(text: str) -> str:
    if text.strip():
        Formula(text).check(("n", "m"))
    return text.strip()
