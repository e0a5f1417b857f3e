"""The state diagram of a protocol, derived from the text of its file."""

from __future__ import annotations

from dataclasses import dataclass

from lydian.model.source.draft import Draft, read
from lydian.model.source.outline import table_of
from lydian.model.source.problems import reachable, reading_of

__all__ = ["Diagram", "DiagramEdge", "DiagramState", "diagram", "diagram_of"]


@dataclass(frozen=True)
class DiagramState:
    """A state: whether it is initial, whether it can be reached, and whether no event leads out of it."""

    name: str
    start: bool
    reachable: bool
    final: bool


@dataclass(frozen=True)
class DiagramEdge:
    """A change of state, or a loop if the state stays; ``events`` are in table order, with their functions."""

    source: str
    target: str
    events: tuple[str, ...]
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Diagram:
    """The states and edges in the order of the file; the edges between a pair of states are merged."""

    states: tuple[DiagramState, ...]
    edges: tuple[DiagramEdge, ...]


def diagram(source: str) -> Diagram:
    """Return the state diagram of a file, or of the readable part of a file.

    Next states are read from the actions (:mod:`lydian.model.protocol.flow`); there may be too many, never too few.
    """
    return diagram_of(read(source))


def diagram_of(draft: Draft) -> Diagram:
    """Return the state diagram of a file that has already been read."""
    cells = {pair: cell for pair, cell in table_of(draft).items() if pair[0] in draft.states}
    try:
        reading = reading_of(draft)
        reached = reachable(draft, reading, cells)
        joined: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for (state, event), cell in cells.items():
            for then in reading.states_after(cell.function, state):
                joined.setdefault((state, then), []).append((event, cell.function))
    except (SyntaxError, RecursionError):
        return Diagram(tuple(DiagramState(s, False, False, False) for s in draft.states), ())
    start = draft.process.start if draft.process is not None else ""
    leaving = {before for before, then in joined if before != then}
    return Diagram(
        tuple(DiagramState(s, s == start, s in reached, s not in leaving) for s in draft.states),
        tuple(
            DiagramEdge(*pair, tuple(event for event, _ in why), tuple(dict.fromkeys(f for _, f in why)))
            for pair, why in joined.items()
        ),
    )
