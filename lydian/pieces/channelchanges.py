"""The changes of what an animation draws of the variables, one entry each, for players that only replay.

:class:`~lydian.pieces.channels.Asked` gives the answers at one moment; this module walks once through a trace and lists
each moment at which the answer for a process changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lydian.pieces.channels import Lookup, scene_channels
from lydian.pieces.circles import height_of
from lydian.trace.events import NO_STATE, Kind
from lydian.views.network.scene import Scene

__all__ = ["changes_of"]


def changes_of(
    scene: Scene, index: Mapping[str, int], text: Callable[[str], int], numbers: list[float] | None = None
) -> dict[str, list[int]]:
    """Return the changes in order.

    Args:
        scene: the run and its animation.
        index: name of a process -> its code.
        text: gives a number to a text.
        numbers: filled with the numbers that occur, in ascending order, for values that are numbers.

    Returns:
        Lists of equal length. ``at`` is the event with which the change comes, -1 for the beginning; ``process``
        the process; ``what`` the number of a channel of the scene; ``value`` the process
        pointed at or -1, the number of a text, for numbers (heights too) the place in ``numbers`` or -1, or for sets
        a process that is in it from now on, or ``-2 - process`` for one that is no longer.
    """
    run = scene.run
    out: dict[str, list[int]] = {"at": [], "process": [], "what": [], "value": []}
    channels = scene_channels(scene)
    if not channels:
        return out
    look = Lookup(dict(index), _ports(scene, index))
    values = [dict(first) for first in run.details.first]
    states = run.start_states.tolist()
    crashed = [False] * run.n
    now: list[list[Any]] = [[channel.rest for channel in channels] for _ in range(run.n)]
    told: list[tuple[int, Any]] = []  # These entries have numbers as values, which are replaced by their places.

    def tell(at: int, process: int, what: int, value: int) -> None:
        for name, entry in zip(out, (at, process, what, value), strict=True):
            out[name].append(entry)

    def update(at: int, p: int) -> None:
        state = run.states[states[p]] if 0 <= states[p] < len(run.states) else ""
        for what, channel in enumerate(channels):
            old = now[p][what]
            new = channel.read(look, p, [values[p].get(name) for name in channel.variables], state, crashed[p])
            if old == new or (old != old and new != new):
                continue
            now[p][what] = new
            if channel.sort == "set":
                for member in sorted(set(old) - set(new)):
                    tell(at, p, what, -2 - member)
                # A player keeps members in order of arrival, so a changed order is sent anew.
                stays = [member for member in old if member in new]
                if stays != list(new)[: len(stays)]:
                    for member in stays:
                        tell(at, p, what, -2 - member)
                    stays = []
                for member in new:
                    if member not in stays:
                        tell(at, p, what, member)
            elif channel.sort == "process":
                tell(at, p, what, new)
            elif channel.sort == "text" and channel.part != "orientation":
                tell(at, p, what, text(new))
            else:
                key = height_of(new) if channel.sort == "text" else (None if math.isnan(new) else ((0, new, ""),))
                told.append((len(out["at"]), key))
                tell(at, p, what, -1)

    for p in range(run.n):
        update(-1, p)
    _walk(scene, values, states, crashed, update)
    places = {key: place for place, key in enumerate(sorted({key for _, key in told if key is not None}))}
    for entry, key in told:
        out["value"][entry] = -1 if key is None else places[key]
    if numbers is not None:
        numbers[:] = [float(key[0][1]) if key else 0.0 for key in places]  # An empty height is not a number.
    return out


def _walk(
    scene: Scene,
    values: list[dict[str, Any]],
    states: list[int],
    crashed: list[bool],
    update: Callable[[int, int], None],
) -> None:
    """Walk through the events, keep the variables of processes, and call ``update`` after each change."""
    run = scene.run
    changes = run.details.walk()
    at, said = next(changes, (-1, {}))
    for seq, (p, kind, code) in enumerate(
        zip(run.process.tolist(), run.kind.tolist(), run.state.tolist(), strict=True)
    ):
        changed: Any = None
        if seq == at:
            changed, (at, said) = said, next(changes, (-1, {}))
        if p < 0:
            continue
        if changed:
            values[p].update(changed)
        moved = code not in (NO_STATE, states[p])
        if moved:
            states[p] = code
        if kind in (Kind.CRASH, Kind.RECOVER):
            crashed[p] = kind == Kind.CRASH
            moved = True
        if moved or changed:
            update(seq, p)


def _ports(scene: Scene, index: Mapping[str, int]) -> dict[int, Sequence[int]]:
    """Return the ports of an anonymous network with the codes of the page."""
    names = scene.names
    return {index[names[p]]: [index[names[q]] for q in ports] for p, ports in scene.ports.items()}
