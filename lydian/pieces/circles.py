"""Directed cycles of links, and cycles around which the values do not sum to 0.

Both follow from the directions at a moment alone; results are kept until these change.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.model.lang.expression import Expression, expression
from lydian.pieces.channels import Asked, Channel, Known, Lookup, measure
from lydian.pieces.checks import one_of
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.views.network.scene import Bools, Floats, Scene
from lydian.views.time.axis import remember

__all__ = ["Circles", "Directions", "Orientation", "circles_at", "height_of"]

#: With more links than this, cycles are not searched for.
MOST = 4_000
#: The legend's words for links in a directed cycle, and for cycles around which the values do not sum to 0.
CYCLE, WOUND = tr("form a directed cycle"), tr("winds: the sum is not 0")


@dataclass(frozen=True)
class Orientation:
    """A direction for each link, from a variable: an arrowhead in the middle of the link.

    Args:
        variable: its name.
        by: ``"members"``: the links to the neighbours in the variable (a set, or a table with truth values) point
            away from the holder; ``"height"``: links point from the greater value (a number or a list of numbers)
            to the smaller.
        word: what the legend calls it.
        cycles: whether links that lead in a circle are drawn as a red one.
        winding: an expression over the variables of a process, its parameters and ``state``: a whole number.
            As long as no links lead in a circle, a triangle warns of a circle round which the steps of this number
            (-1, 0 or 1, modulo 3) do not sum up to 0.
        among: the variable that holds the neighbours to which a process has a link: in circles only links count that
            both ends know; without it those that have a direction.
    """

    variable: str
    by: str = "members"
    word: str = ""
    cycles: bool = False
    winding: str = ""
    among: str = ""

    def __post_init__(self) -> None:
        one_of("an orientation", "by", self.by, ("members", "height"))
        if not isinstance(self.cycles, bool):
            raise BadInput(f"cycles must be True or False, not {shown(self.cycles)}")
        if not isinstance(self.winding, str):
            raise BadInput(
                f"winding must be an expression in quotation marks, such as 'val % 3', not {shown(self.winding)}"
            )
        if self.winding:
            expression(self.winding)


@dataclass(frozen=True)
class Circles:
    """Directed cycles of links.

    Args:
        parts: where directions lead in circles: for each strongly connected part its links.
        rings: the processes of each part in their order if it is one circle and nothing more, else nothing.
        wound: circles round which the values do not sum up to 0, the shortest of each part of the network: their
            processes in order.
    """

    parts: tuple[tuple[int, ...], ...] = ()
    rings: tuple[tuple[int, ...], ...] = ()
    wound: tuple[tuple[int, ...], ...] = ()


NO_CIRCLES = Circles()


@dataclass(frozen=True, eq=False)
class Directions:
    """The direction of each link, and directed cycles.

    Args:
        ways: for each link 1 from its first end to its second, -1 the other way, 2 both ways, 0 none; empty if links
            have no direction of their own.
        circles: where they lead in a circle, or wind.
    """

    ways: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    circles: Circles = NO_CIRCLES


def channels(known: Known, number: int, declared: Orientation) -> Iterator[Channel]:
    """Yield the channels of links' directions, of the linked neighbours, and of the number whose steps are summed."""
    if declared.by == "members":
        yield Channel("set", "orientation", 0, (declared.variable,), _chosen)
    else:
        yield Channel("text", "orientation", 0, (declared.variable,), _height)
    if declared.among:
        yield Channel("set", "among", 0, (declared.among,), _chosen)
    if declared.winding:
        wanted, given = expression(declared.winding), known.parameters
        free = {*given, "state", "me"}
        names = tuple(sorted(name for name in wanted.names if name in known.variables or name not in free))
        yield Channel("number", "winding", 0, names, partial(_worked, wanted, names, given))


def _chosen(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> tuple[int, ...]:
    return tuple(look.chosen(p, values[0]))


def _height(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    return "" if values[0] is None else json.dumps(values[0])


def height_of(text: str) -> tuple[Any, ...] | None:
    """Return a comparable height from the text of its channel, or None if it has none."""
    value = json.loads(text) if text else None
    parts = value if isinstance(value, list) else [value]
    if value is None or any(isinstance(part, list | dict) or part is None for part in parts):
        return None
    # Numbers come before words, so that any two heights can be compared.
    return tuple((0, float(part), "") if isinstance(part, int | float) else (1, 0.0, str(part)) for part in parts)


def _worked(
    wanted: Expression, names: tuple[str, ...], given: Mapping[str, Any],
    look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool,
) -> float:  # fmt: skip
    return measure(wanted.value({**given, "state": state, **dict(zip(names, values, strict=True))}))


def at(now: Moment, declared: Orientation) -> Directions:
    """Return the directions and the cycles at a moment."""
    asked, scene = now.asked, now.scene
    ways = asked.kept("orientation", lambda: _ways(asked))
    known = asked.kept("among", lambda: _known(asked))
    winding = asked.kept("winding", lambda: asked.numbers("winding"))
    return Directions(ways, circles_at(scene, ways, known, now.cut, winding))


def _known(asked: Asked) -> Bools:
    """Return which links are in the sets of both ends; empty if there are no such sets."""
    channel, links = asked.channel("among"), asked.scene.ends.tolist()
    if channel is None or len(links) > MOST:  # With more links, cycles are not searched for.
        return np.zeros(0, dtype=bool)
    answers = asked.answers(channel)
    return np.array([b in answers.get(a, ()) and a in answers.get(b, ()) for a, b in links], dtype=bool)


def _ways(asked: Asked) -> NDArray[np.int8]:
    channel, scene = asked.channel("orientation"), asked.scene
    if channel is None:
        return np.zeros(0, dtype=np.int8)
    answers = asked.answers(channel)
    found = np.zeros(scene.network.m, dtype=np.int8)
    if channel.sort == "set":
        for link, (a, b) in enumerate(scene.ends.tolist()):
            out, back = b in answers.get(a, ()), a in answers.get(b, ())
            found[link] = 2 if out and back else 1 if out else -1 if back else 0
        return found
    heights = {p: height_of(text) for p, text in answers.items()}
    for link, (a, b) in enumerate(scene.ends.tolist()):
        high, low = heights.get(a), heights.get(b)
        if high is not None and low is not None and high != low:
            found[link] = 1 if high > low else -1
    return found


def circles_at(scene: Scene, orientation: NDArray[np.int8], known: Bools, down: Bools, winding: Floats) -> Circles:
    """Return the cycles at a moment.

    Args:
        orientation: the direction of each link; a link that both ends claim has none.
        known: which links both ends know; empty if nothing is said of that: then those that have a direction.
        down: which links are cut, and count for nothing.
        winding: the value of each process, NaN for none; empty if none was asked for.
    """
    declared = scene.animation.orientation
    if declared is None or not (declared.cycles or declared.winding) or not 0 < len(orientation) <= MOST:
        return NO_CIRCLES
    last: list[tuple[tuple[bytes, ...], Circles]] = remember(scene.run, ("circles", id(scene)), lambda: ([], scene))[0]
    there = (known if len(known) else orientation != 0) & ~down
    key = orientation.tobytes(), there.tobytes(), winding.tobytes()
    if not last or last[0][0] != key:
        last[:] = [(key, _found(scene, np.where(there, orientation, 0), there, winding, declared.cycles))]
    return last[0][1]


def _found(scene: Scene, ways: NDArray[np.int8], there: Bools, winding: Floats, cycles: bool) -> Circles:
    links = [
        (number, *((a, b) if way > 0 else (b, a)))
        for number, (way, (a, b)) in enumerate(zip(ways.tolist(), scene.ends.tolist(), strict=True))
        if way in (1, -1) and a != b
    ]
    parts, values = _strong(_peeled(links)), winding.tolist()
    if parts or not values:
        return Circles(tuple(parts), tuple(_ring(scene, part, ways) for part in parts)) if cycles else NO_CIRCLES
    return Circles(wound=_wound(_near(scene, np.flatnonzero(there).tolist(), values), values))


def _near(scene: Scene, links: Iterable[int], values: list[float]) -> dict[int, list[int]]:
    """Return the neighbours of each process along links between processes that have a value."""
    near: dict[int, list[int]] = {}
    for a, b in scene.ends[list(links)].tolist():
        if a != b and _whole(values[a]) and _whole(values[b]):
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
    return near


def _whole(value: float) -> bool:
    return math.isfinite(value) and value == int(value)


def _peeled(links: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return the links (number, from, to) that remain when processes without incoming or outgoing links go."""
    for end in (1, 2):  # First processes without outgoing links are removed, then those without incoming ones.
        many = Counter(link[end] for link in links)
        near: dict[int, list[int]] = {}
        for link in links:
            near.setdefault(link[3 - end], []).append(link[end])
        gone = [process for process in near if process not in many]
        for process in gone:  # The list grows while it is read.
            for other in near.get(process, ()):
                many[other] -= 1
                if not many[other]:
                    gone.append(other)
        away = set(gone)
        links = [link for link in links if link[1] not in away and link[2] not in away]
    return links


def _strong(links: list[tuple[int, int, int]]) -> list[tuple[int, ...]]:
    """Return the links of each strongly connected part, in the order of their first processes."""
    if not links:
        return []
    import networkx as nx

    graph = nx.DiGraph([(a, b) for _, a, b in links])
    components = sorted((part for part in nx.strongly_connected_components(graph) if len(part) > 1), key=min)
    return [tuple(n for n, a, b in links if a in component and b in component) for component in components]


def _ring(scene: Scene, links: tuple[int, ...], ways: NDArray[np.int8]) -> tuple[int, ...]:
    """Return the processes of a strongly connected part in order if it is a single cycle; else nothing."""
    ends = [tuple(ends) if way > 0 else tuple(ends[::-1]) for ends, way in zip(
        scene.ends[list(links)].tolist(), ways[list(links)].tolist(), strict=True)]  # fmt: skip
    after = dict(ends)
    if len(after) < len(ends):
        return ()
    ring = [min(after)]
    while len(ring) < len(after):
        ring.append(after[ring[-1]])
    return tuple(ring)


def _wound(near: dict[int, list[int]], values: list[float]) -> tuple[tuple[int, ...], ...]:
    """Return the shortest cycle of each part with a sum other than 0, among those closed by one link beside a tree."""
    found = []
    lifted: dict[int, int] = {}
    parent: dict[int, int] = {}
    for root in sorted(near):
        if root in lifted:
            continue
        lifted[root], parent[root] = 0, -1
        queue, odd = [root], list[tuple[int, ...]]()
        for p in queue:  # The list grows; processes nearest to the root come first.
            for q in sorted(near[p]):
                there = lifted[p] + _step(values[p], values[q])
                if q not in lifted:
                    lifted[q], parent[q] = there, p
                    queue.append(q)
                elif lifted[q] != there and p < q and parent[p] != q and parent[q] != p:
                    odd.append(_round(parent, p, q))
        if odd:
            found.append(min(odd, key=lambda way: (len(way), way)))
    return tuple(found)


def _step(a: float, b: float) -> int:
    """Return the step from one value to the next: -1, 0 or 1, modulo 3."""
    return (int(b) - int(a) + 1) % 3 - 1


def _round(parent: dict[int, int], a: int, b: int) -> tuple[int, ...]:
    """Return the processes on the cycle that a link between two nodes of a tree closes."""
    up, down = list(_above(parent, a)), list(_above(parent, b))
    while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
        up.pop()
        down.pop()
    return (*up, *reversed(down[:-1]))


def _above(parent: dict[int, int], p: int) -> Iterable[int]:
    while p >= 0:
        yield p
        p = parent[p]


def _circles(seen: Occurring) -> Circles:
    now: Directions = seen.states["orientation"]
    return now.circles


def legend(seen: Occurring, number: int, declared: Orientation) -> Iterator[LegendItem]:
    """Yield the legend's entries: the directions, and the current number of cycles."""
    if not seen.occurs(declared.variable):
        return
    word = declared.word or declared.variable
    yield LegendItem.plain("orientation", number, word)
    if declared.cycles and seen.scene.network.m <= MOST:
        yield LegendItem("cycle", number, CYCLE, len(_circles(seen).parts), 9, CYCLE)
    if declared.winding and seen.scene.network.m <= MOST:
        yield LegendItem("winding", number, WOUND, len(_circles(seen).wound), 9, WOUND)


def page(tell: Teller, declared: Orientation) -> dict[str, Any]:
    """Return True if the page must search for cycles of links; its script does so as this module does."""
    known = declared.variable in tell.scene.run.variable_names and 0 < tell.scene.network.m <= MOST
    return {"cycles": known and declared.cycles, "winding": known and bool(declared.winding)}


register(Piece("orientation", Orientation, channels=channels, at=at, nothing=Directions(), legend=legend,
               signs=("orientation", "cycle", "winding"), wide=("orientation",), page=page,
               order=120,
               painter="lydian.app.painters.pieces.circles.CirclePainter", script="player.circles.js"))  # fmt: skip
