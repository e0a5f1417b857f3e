"""Alignment of processes: on an edge or a centre line, or with equal distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from lydian.model.editing.processes import move
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.network import Network

__all__ = ["ALIGN", "SPREAD", "align", "spread"]

How = Literal["left", "centre", "right", "top", "middle", "bottom"]
#: Name of an alignment -> the axis that changes (0: x, 1: y).
ALIGN = {"left": 0, "centre": 0, "right": 0, "top": 1, "middle": 1, "bottom": 1}
#: Direction of a distribution -> the axis that changes.
SPREAD = {"across": 0, "down": 1}


def align(network: Network, processes: Sequence[str], how: str) -> Network:
    """Align processes on an edge or a centre line of the area that they cover.

    Raises:
        BadInput: there is no such alignment, or no such process.
    """
    if how not in ALIGN:
        raise BadInput(f"unknown alignment {shown(how)}{did_you_mean(how, ALIGN)}; choose from {', '.join(ALIGN)}")
    points = _points(network, processes)
    if len(points) < 2:
        return network
    axis = ALIGN[how]
    values = [point[axis] for point in points.values()]
    low, high = min(values), max(values)
    goal = {"left": low, "top": low, "right": high, "bottom": high}.get(how, (low + high) / 2)
    return move(network, {name: _with(point, axis, goal) for name, point in points.items()})


def spread(network: Network, processes: Sequence[str], how: str) -> Network:
    """Distribute processes at equal distances between the two outermost ones, ``across`` or ``down``.

    Raises:
        BadInput: there is no such direction, or no such process.
    """
    if how not in SPREAD:
        raise BadInput(f"unknown direction {shown(how)}{did_you_mean(how, SPREAD)}; choose from {', '.join(SPREAD)}")
    points = _points(network, processes)
    if len(points) < 3:
        return network
    axis = SPREAD[how]
    order = sorted(points, key=lambda name: points[name][axis])
    low, high = points[order[0]][axis], points[order[-1]][axis]
    step = (high - low) / (len(order) - 1)
    return move(network, {name: _with(points[name], axis, low + i * step) for i, name in enumerate(order)})


def _points(network: Network, processes: Sequence[str]) -> dict[str, tuple[float, float]]:
    all_points = network.coordinates
    return {name: (float(x), float(y)) for name in processes for x, y in [all_points[network.number(name)]]}


def _with(point: tuple[float, float], axis: int, value: float) -> tuple[float, float]:
    return (value, point[1]) if axis == 0 else (point[0], value)
