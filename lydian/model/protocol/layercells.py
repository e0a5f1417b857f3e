"""Dispatching of events to the layers of a process, and of the requests and indications between layers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lydian.model.protocol.effects import INIT
from lydian.model.protocol.guards import refuse
from lydian.model.protocol.layers import layer_name, layers_of
from lydian.model.protocol.message import Indication, Message, Request
from lydian.model.protocol.process import Process

__all__ = ["MOST_ASKED", "dispatching"]

#: The largest number of requests and indications within one event; more indicate an endless cycle.
MOST_ASKED = 10_000
Cells = Mapping[str, Mapping[Any, Callable[..., Any]]]


def dispatching(cls: type[Process], own: Cells, inner: Sequence[Cells]) -> dict[str, dict[Any, Callable[..., Any]]]:
    """Return the cells of a process with layers: every event goes to its layer, and then all requests are handled.

    Args:
        cls: the process.
        own: state -> event -> action of the process itself.
        inner: the same for each of its layers, the upper one first.
    """
    every = (own, *inner)
    names = (cls.__name__, *map(layer_name, layers_of(cls)))
    settle = _settling(names, every)
    cells: dict[str, dict[Any, Callable[..., Any]]] = {state: {} for state in own}
    for state, row in own.items():
        for event, action in row.items():
            if event is not INIT and not issubclass(event, (Request, Indication)):
                cells[state][event] = _of_top(action, issubclass(event, Message), settle)
    for name, rows in zip(names[1:], inner, strict=True):
        for event in {event: None for row in rows.values() for event in row}:
            if event is not INIT and not issubclass(event, (Request, Indication)):
                action = _of_layer(name, rows, event, settle)
                for state in cells:
                    cells[state][event] = action
    waking = [level for level, rows in enumerate(every) if any(INIT in row for row in rows.values())]
    if waking:
        for state in cells:
            cells[state][INIT] = _waking(names, every, waking[::-1], settle)
    return cells


def _actor(p: Any, level: int, names: Sequence[str]) -> Any:
    return getattr(p, names[level]) if level else p


def _missing(names: Sequence[str], level: int, state: str, event: Any) -> BaseException:
    who = f"the layer {names[level]}" if level else names[0]
    said = event.name if event is INIT else event.__name__
    return refuse(f"{who} has no action for {said} in the state {state}: write @on({state}, {said}) in its class")


def _of_top(action: Callable[..., Any], message: bool, settle: Callable[[Any], None]) -> Callable[..., Any]:
    def received(p: Any, m: Any, q: Any) -> None:
        action(p, m, q)
        if p._asked:
            settle(p)

    def happened(p: Any, m: Any) -> None:
        action(p, m)
        if p._asked:
            settle(p)

    return received if message else happened


def _of_layer(name: str, rows: Cells, event: Any, settle: Callable[[Any], None]) -> Callable[..., Any]:
    actions = {state: row.get(event) for state, row in rows.items()}

    def missing(layer: Any) -> Any:
        return _missing(("", name), 1, layer.state, event)

    def received(p: Any, m: Any, q: Any) -> None:
        layer = getattr(p, name)
        action = actions.get(layer.state)
        if action is None:
            raise missing(layer)
        action(layer, m, q)
        if p._asked:
            settle(p)

    def happened(p: Any, m: Any) -> None:
        layer = getattr(p, name)
        action = actions.get(layer.state)
        if action is None:
            raise missing(layer)
        action(layer, m)
        if p._asked:
            settle(p)

    return received if issubclass(event, Message) else happened


def _waking(
    names: Sequence[str], every: Sequence[Cells], levels: Sequence[int], settle: Callable[[Any], None]
) -> Callable[[Any], None]:
    """Return the action for ``INIT`` of a process: each layer that has an action for it wakes, the lowest one first."""

    def wake(p: Any) -> None:
        for level in levels:
            actor = _actor(p, level, names)
            action = every[level].get(actor.state, {}).get(INIT)
            if action is None:
                raise _missing(names, level, actor.state, INIT)
            action(actor)
        if p._asked:
            settle(p)

    return wake


def _settling(names: Sequence[str], every: Sequence[Cells]) -> Callable[[Any], None]:
    """Return a function that handles all requests and indications in order, including those that follow from them."""
    known = [{event for row in rows.values() for event in row} for rows in every]

    def level_of(level: int, kind: type) -> int:
        down = issubclass(kind, Request)
        for other in range(level + 1, len(every)) if down else range(level - 1, -1, -1):
            if kind in known[other]:
                return other
        who = names[level] if level else f"{names[0]} itself"
        side = "below" if down else "above"
        said = f"{who} {'asks for' if down else 'tells'} {kind.__name__}"
        raise refuse(f"{said}, and no layer {side} has an action for it: @on(ANY, {kind.__name__})")

    ways: dict[tuple[int, type], int] = {}

    def settle(p: Any) -> None:
        asked = p._asked
        done = 0
        try:
            while done < len(asked):
                level, record = asked[done]
                done += 1
                kind = record.__class__
                to = ways.get((level, kind))
                if to is None:
                    to = ways[level, kind] = level_of(level, kind)
                actor = getattr(p, names[to]) if to else p
                action = every[to].get(actor.state, {}).get(kind)
                if action is None:
                    raise _missing(names, to, actor.state, kind)
                if done > MOST_ASKED:
                    raise refuse(
                        f"its layers asked and told each other {MOST_ASKED} times within one event; "
                        f"is there a circle through {kind.__name__}?"
                    )
                action(actor, record)
        finally:
            asked.clear()

    return settle
