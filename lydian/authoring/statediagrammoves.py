"""A state diagram on its way from one picture to the next."""

from __future__ import annotations

from dataclasses import replace

from lydian.authoring.statediagram import Layout, PlacedArrow, PlacedState, Point

__all__ = ["between"]


def between(old: Layout, new: Layout, share: float) -> Layout:
    """The new picture with what was in the old one ``share`` (0..1) of the way from there.

    What is new stands where it will stand.  Both pictures are taken to be centred on each other.
    """
    if share >= 1.0:
        return new
    dx, dy = (new.width - old.width) / 2, (new.height - old.height) / 2
    states = {state.name: state for state in old.states}
    arrows = {(arrow.source, arrow.target): arrow for arrow in old.arrows}
    moved = tuple(
        _state(states[state.name], state, dx, dy, share) if state.name in states else state for state in new.states
    )
    ways = tuple(
        _arrow(arrows[a.source, a.target], a, dx, dy, share)
        if (a.source, a.target) in arrows and len(arrows[a.source, a.target].points) == len(a.points)
        else _carried(a, {s.name: s for s in new.states}, {s.name: s for s in moved})
        for a in new.arrows
    )
    entry = new.entry
    if old.entry is not None and new.entry is not None:
        first, last = (
            _mix((a[0] + dx, a[1] + dy), b, share) for a, b in zip(old.entry, new.entry, strict=True)
        )  # fmt: skip
        entry = (first, last)
    return replace(new, states=moved, arrows=ways, entry=entry)


def _mix(a: Point, b: Point, share: float) -> Point:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def _shifted(box: tuple[float, float, float, float], dx: float, dy: float) -> tuple[float, float, float, float]:
    return (box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy)


def _state(old: PlacedState, new: PlacedState, dx: float, dy: float, share: float) -> PlacedState:
    x, y = _mix((old.x + dx, old.y + dy), (new.x, new.y), share)
    return replace(new, x=x, y=y, name_box=_shifted(new.name_box, x - new.x, y - new.y))


def _arrow(old: PlacedArrow, new: PlacedArrow, dx: float, dy: float, share: float) -> PlacedArrow:
    points = tuple(_mix((a[0] + dx, a[1] + dy), b, share) for a, b in zip(old.points, new.points, strict=True))
    x, y = _mix((old.label[0] + dx, old.label[1] + dy), (new.label[0], new.label[1]), share)
    return replace(new, points=points, label=_shifted(new.label, x - new.label[0], y - new.label[1]))


def _carried(arrow: PlacedArrow, new: dict[str, PlacedState], moved: dict[str, PlacedState]) -> PlacedArrow:
    """An arrow whose form is new, bent so that it holds on to its states."""
    count = max(len(arrow.points) - 1, 1)
    ends = [new[arrow.source], new[arrow.target]]
    now = [moved[arrow.source], moved[arrow.target]]
    (ax, ay), (bx, by) = [(m.x - e.x, m.y - e.y) for m, e in zip(now, ends, strict=True)]
    points = tuple(
        (x + ax + (bx - ax) * at / count, y + ay + (by - ay) * at / count) for at, (x, y) in enumerate(arrow.points)
    )
    return replace(arrow, points=points, label=_shifted(arrow.label, (ax + bx) / 2, (ay + by) / 2))
