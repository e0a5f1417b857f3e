"""Processes that move, and links that come up and go down accordingly (random waypoints).

In an experiment's file::

    [mobility]
    reach = 180.0                        # a link is up while the distance of its ends in the drawing is at most this
    speed = "uniform(2, 6)"              # of each walk to a random place
    pause = "exponential(mean=10)"       # at each place; the default is no pause
    processes = ["3", "4"]               # the processes that move; the default is all
    from = 10.0
    until = 200.0                        # then all processes stay where they are
    met = "Meet"                         # the commands given to both ends when a link comes up,
    lost = "Lost"                        # and when it goes down; the first field is the name of the other end

Each process that moves draws a speed and a place in the bounding box of the drawing, goes there, rests, and draws the
next place (D. B. Johnson, D. A. Maltz, 1996). The network then has a link between any two processes that are in reach
of each other at some time; the original links only define its delay, order and loss. Links out of reach are down. When
the experiment is resolved, all this becomes plain interventions, which are drawn from separate streams.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.delays import Distribution, parse
from lydian.model.errors import BadInput, did_you_mean, shown, unknown_process
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.model.reading import Table, at
from lydian.model.streams import stream_key, uniforms

if TYPE_CHECKING:
    from lydian.model.protocol.protocol import Protocol

__all__ = ["MOST", "Mobility", "Paths"]

Floats = NDArray[np.float64]

#: The largest number of waypoints, and of changes of links.
MOST = 1_000_000
_BLOCK = 64
_KEYS = ("reach", "speed", "pause", "processes", "from", "until", "met", "lost")


@dataclass(frozen=True, eq=False)
class Paths:
    """The positions of the processes of a network over time.

    Args:
        times: the times when each process starts or stops walking or resting, ascending, (n, most); the last time fills
            the row.
        points: its positions at these times, (n, most, 2); in between it moves in a straight line at constant speed.
    """

    times: Floats
    points: Floats

    def at(self, time: float) -> Floats:
        """Return the positions of all processes at a time, (n, 2)."""
        return self._of(slice(None), np.full((len(self.times), 1), float(time)))[:, 0]

    def _of(self, which: slice, moments: Floats) -> Floats:
        """Return the positions of some processes at their own moments, (which, moments) -> (which, moments, 2)."""
        times, points = self.times[which], self.points[which]
        last = times.shape[1] - 1
        leg = np.clip((times[:, :, None] <= moments[:, None, :]).sum(axis=1) - 1, 0, max(last - 1, 0))
        start = np.take_along_axis(times, leg, axis=1)
        taken = np.take_along_axis(times, np.minimum(leg + 1, last), axis=1) - start
        share = np.where(taken > 0, np.clip(moments - start, 0, taken) / np.where(taken > 0, taken, 1), 1.0)
        a = np.take_along_axis(points, leg[:, :, None], axis=1)
        b = np.take_along_axis(points, np.minimum(leg + 1, last)[:, :, None], axis=1)
        found: Floats = a + (b - a) * share[:, :, None]
        return found

    def meetings(self, reach: float) -> dict[tuple[int, int], list[tuple[float, float]]]:
        """Return the spans of time in which pairs i < j are in reach; the end is infinite if they stay in reach."""
        found: dict[tuple[int, int], list[tuple[float, float]]] = {}
        n = len(self.times)
        for i in range(n - 1):
            others = slice(i + 1, n)
            own = np.broadcast_to(self.times[i], (n - i - 1, self.times.shape[1]))
            moments = np.sort(np.concatenate((own, self.times[others]), axis=1), axis=1)
            mine = self._of(slice(i, i + 1), moments.reshape(1, -1)).reshape(*moments.shape, 2)
            away = self._of(others, moments) - mine
            for j, start, end in _near(moments, away, reach):
                spans = found.setdefault((i, i + 1 + j), [])
                if spans and start <= spans[-1][1] + 1e-9:
                    spans[-1] = spans[-1][0], max(end, spans[-1][1])
                else:
                    spans.append((start, end))
        for spans in found.values():
            if spans[-1][1] >= self.end - 1e-9:
                spans[-1] = spans[-1][0], math.inf
        kept = ((pair, [span for span in spans if span[1] > span[0]]) for pair, spans in found.items())
        return {pair: spans for pair, spans in kept if spans}

    @cached_property
    def end(self) -> float:
        """The time after which no process moves."""
        return float(self.times.max(initial=0.0))


@dataclass(frozen=True)
class Mobility:
    """The rules by which processes move, and the distance over which they reach each other.

    Args:
        reach: the largest distance between the two ends of a link that is up.
        speed: the speed of each walk, in units of the drawing.
        until: the time from which all processes stay where they are.
        pause: how long a process rests at a place; ``None``: not at all.
        processes: the names of the processes that move, or ``"all"``.
        begin: the time when they begin to move.
        met, lost: the classes of the commands given to both ends when the link comes up or goes down; empty for none.

    Raises:
        BadInput: one of the values is invalid.
    """

    reach: float
    speed: Distribution
    until: float
    pause: Distribution | None = None
    processes: str | tuple[str, ...] = "all"
    begin: float = 0.0
    met: str = ""
    lost: str = ""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.reach) and self.reach > 0):
            raise BadInput(f"must be a distance greater than 0, not {self.reach:g}", place="reach")
        if not (math.isfinite(self.until) and self.until > self.begin):
            raise BadInput(f"must be later than the beginning at {self.begin:g}, not {self.until:g}", place="until")
        if not self.speed.mean > 0:
            raise BadInput("must be greater than 0 on average; write, for example, uniform(2, 6)", place="speed")

    def to_dict(self) -> dict[str, Any]:
        """Return the table as it is written in a file, without default values."""
        told: dict[str, Any] = {"reach": self.reach, "speed": str(self.speed)}
        if self.pause is not None:
            told["pause"] = str(self.pause)
        if not isinstance(self.processes, str):
            told["processes"] = list(self.processes)
        told |= {**({"from": self.begin} if self.begin else {}), "until": self.until}
        return told | {key: label for key, label in (("met", self.met), ("lost", self.lost)) if label}

    @classmethod
    def from_dict(cls, data: Any, file: Any = None, place: str = "mobility") -> Mobility:
        """Read the output of :meth:`to_dict`.

        Raises:
            BadInput: names the file and the place.
        """
        table = Table(data, _KEYS, file=file, place=place)
        reach = float(table.need("reach", float, "reach = 180.0"))
        until = float(table.need("until", float, "until = 200.0"))
        laws = {key: _law(table, key) for key in ("speed", "pause")}
        speed = laws["speed"]
        if speed is None:
            raise table.bad("speed", 'is missing; write, for example, speed = "uniform(2, 6)"')
        who = table.data.get("processes", "all")
        if isinstance(who, list) and who and all(isinstance(each, str | int) for each in who):
            who = tuple(str(each) for each in who)
        elif who != "all":
            raise table.bad("processes", f'must be a list of processes such as ["3", "4"], not {shown(who)}')
        with at(file, place):
            return cls(
                reach, speed, until, laws["pause"], who, float(table.number("from", 0.0)),
                table.get("met", str, ""), table.get("lost", str, ""),
            )  # fmt: skip

    def paths(self, network: Network, seed: int) -> Paths:
        """Return the paths of all processes of a network, drawn from separate streams.

        Raises:
            BadInput: a process does not exist, or there are too many waypoints.
        """
        moving = set(network.processes if isinstance(self.processes, str) else self.processes)
        for name in sorted(moving - network.index.keys()):
            what = unknown_process(name, network.processes, network.name)
            raise BadInput(what, place="processes")
        home = np.asarray(network.coordinates, dtype=np.float64).reshape(-1, 2)
        corner, size = home.min(axis=0), np.ptp(home, axis=0)
        legs, many = [], 0
        for name, start in zip(network.processes, home, strict=True):
            leg = [(0.0, *start.tolist())]
            if name in moving:
                for step in self._legs(start, corner, size, seed, name):
                    leg.append(step)
                    many += 1
                    if many > MOST:
                        raise BadInput(
                            f"there would be more than {MOST:,} waypoints; choose an earlier end", place="until"
                        )
            legs.append(leg)
        most = max(2, *map(len, legs))
        filled = np.array([leg + [leg[-1]] * (most - len(leg)) for leg in legs])
        return Paths(filled[:, :, 0], filled[:, :, 1:])

    def _legs(self, start: Floats, corner: Floats, size: Floats, seed: int, name: str) -> Iterator[tuple[float, ...]]:
        """Return the times and places at which the walks and rests of one process end."""
        places = _draws(lambda first: uniforms([stream_key(seed, "mobility", name, "place")], first, _BLOCK)[0])
        speeds = _lengths(self.speed, stream_key(seed, "mobility", name, "speed"))
        rests = None if self.pause is None else _lengths(self.pause, stream_key(seed, "mobility", name, "pause"))
        time, here = self.begin, start
        if time > 0:
            yield (time, *here.tolist())
        while time < self.until:
            goal = corner + size * np.array([next(places), next(places)])
            takes = float(np.hypot(*(goal - here))) / max(next(speeds), 1e-9)
            share = min(1.0, (self.until - time) / takes) if takes > 0 else 1.0
            here, time = here + (goal - here) * share, min(time + takes, self.until)
            yield (time, *here.tolist())
            if rests is not None and time < self.until:
                time = min(time + next(rests), self.until)
                yield (time, *here.tolist())

    def over(self, network: Network, seed: int) -> tuple[Network, list[Intervention]]:
        """Return a network with all links that exist at some time, and the changes of these links, by rising time.

        Raises:
            BadInput: as :meth:`paths`; or a link carries messages one way only, or there are too many changes.
        """
        if network.directed:
            raise BadInput("links between moving processes must carry messages both ways; make all links two-way")
        meetings = self.paths(network, seed).meetings(self.reach)
        names = network.processes
        old = {frozenset((link.a, link.b)): link for link in network.links}
        links, found = [], []
        for (i, j), spans in sorted(meetings.items()):
            a, b = names[i], names[j]
            links.append(old.get(frozenset((a, b)), Link(a, b)))
            ends = [(0.0, False)] if spans[0][0] > 0 else []
            ends += [(time, up) for span in spans for time, up in zip(span, (True, False), strict=True)]
            found += [
                Intervention(time, "link_up" if up else "link_down", link=(a, b))
                for time, up in ends
                if math.isfinite(time) and not (up and time == 0)
            ]
            if len(found) > MOST:
                raise BadInput(f"links would change more than {MOST:,} times; choose an earlier end", place="until")
        points = dict(zip(names, map(tuple, network.coordinates.tolist()), strict=True))
        return network.replace(links=tuple(links), positions=points), sorted(found, key=lambda each: each.time)

    def told(self, protocol: Protocol, changes: list[Intervention]) -> list[Intervention]:
        """Return the changes of links, each followed by the commands for both ends of the link.

        Raises:
            BadInput: the protocol has no such command, or the command has no field for the name of the other end.
        """
        known = {each.__name__: each for each in protocol.commands}
        fields: Mapping[str, tuple[str, str]] = {}
        for do, key in (("link_up", "met"), ("link_down", "lost")):
            label = getattr(self, key)
            if label and label not in known:
                what = f"unknown command {shown(label)} of protocol {protocol.name}{did_you_mean(label, known)}"
                raise BadInput(what, place=key)
            if label and not known[label]._fields:
                what = f"{label} must have a field for the name of the other process"
                raise BadInput(what, place=key)
            if label:
                fields = {**fields, do: (label, known[label]._fields[0])}
        found = []
        for each in changes:
            found.append(each)
            if each.do in fields and each.link is not None:
                label, field = fields[each.do]
                found += [
                    Intervention(each.time, "command", process=p, label=label, fields={field: q})
                    for p, q in (each.link, each.link[::-1])
                ]
        return found


def _near(moments: Floats, away: Floats, reach: float) -> Iterator[tuple[int, float, float]]:
    """Return spans in which other processes are in reach: number, start, end; by rising time for each process.

    Between two moments the relative motion is in a straight line, so the times at which the distance equals the reach
    are the roots of a quadratic equation.
    """
    taken = np.diff(moments, axis=1)
    speed = np.diff(away, axis=1) / np.where(taken > 0, taken, 1)[:, :, None]
    start = away[:, :-1]
    a, b, c = (speed**2).sum(axis=2), (start * speed).sum(axis=2), (start**2).sum(axis=2) - reach**2
    still = a <= 1e-18
    root = np.sqrt(np.maximum(b * b - a * c, 0))
    below = np.where(still, 1, a)
    first = np.where(still, 0.0, np.maximum((-b - root) / below, 0))
    last = np.where(still, taken, np.minimum((-b + root) / below, taken))
    met = (taken > 0) & np.where(still, c <= 0, (b * b > a * c) & (first < last))
    for who, leg in np.argwhere(met).tolist():
        begin, whole = float(moments[who, leg]), last[who, leg] >= taken[who, leg]
        end = float(moments[who, leg + 1]) if whole else begin + float(last[who, leg])
        yield who, begin + float(first[who, leg]), end


def _law(table: Table, key: str) -> Distribution | None:
    value = table.data.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise table.bad(key, f'must be a distribution such as "uniform(2, 6)", not {shown(value)}')
    return parse(value if isinstance(value, str) else repr(value), file=table.file, place=table.where(key))


def _lengths(law: Distribution, key: int) -> Iterator[float]:
    return _draws(lambda first: law.draws([key], first, _BLOCK)[0])


def _draws(block: Any) -> Iterator[float]:
    first = 0
    while True:
        yield from block(first).tolist()
        first += _BLOCK
