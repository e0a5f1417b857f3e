"""The state diagram of a protocol, derived from the text of its file."""

from __future__ import annotations

from dataclasses import dataclass

from lydian.model.source.draft import Draft, read
from lydian.model.source.outline import table_of
from lydian.model.source.problems import reachable, reading_of

__all__ = ["Diagram", "DiagramEdge", "DiagramState", "diagram", "diagram_of"]


@dataclass(frozen=True)
class DiagramState:
    """A state: whether it is the start, whether it can be reached, and whether every event in it leaves it as it is."""

    name: str
    start: bool
    reachable: bool
    final: bool


@dataclass(frozen=True)
class DiagramEdge:
    """A change of state, or a loop where it stays; ``events`` in the order of the table, with their functions."""

    source: str
    target: str
    events: tuple[str, ...]
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Diagram:
    """States and edges in the order of the file; edges of one pair are joined."""

    states: tuple[DiagramState, ...]
    edges: tuple[DiagramEdge, ...]


def diagram(source: str) -> Diagram:
    """The state diagram of a file; of a file that cannot be read whole, of what can be read.

    Next states are read from the actions (:mod:`lydian.model.protocol.flow`): perhaps one too many, never one too few.
    """
    return diagram_of(read(source))


def diagram_of(draft: Draft) -> Diagram:
    """The state diagram of a file that was read already."""
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
