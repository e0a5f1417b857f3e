"""The layout of a state diagram: states and arrows in layers from the initial state on, without overlaps.

Every arrow of the table is a line between two states with a label on it. A label is laid out like a state in a layer
between the two states, so that by construction no label overlaps a state or another label, and no arrow crosses
either: arrows run straight across the layers and bend only in the gaps between them. Arrows that lead back run
upwards on separate paths; loops are beside their states.

The same diagram always gets the same picture. Given the previous picture, states keep their order if that does not
increase the number of crossings. (Sugiyama, Tagawa & Toda, Methods for visual understanding of hierarchical system
structures, 1981; positions by isotonic regression.)
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from lydian.authoring.diagram import DiagramState, diagram_of
from lydian.language import tr
from lydian.model.source.draft import Draft
from lydian.model.source.outline import table_of

__all__ = [
    "Arrow", "Box", "Item", "LabelLine", "Layout", "PlacedArrow", "PlacedState", "Sizes", "arrows_of", "backwards",
    "between", "crossings", "in_order", "lay_out", "ranks", "spread",
]  # fmt: skip


#: The number of passes over the order, and over the places.
SWEEPS, TOUCHES = 8, 10
#: Adjacent items are exchanged on trial in diagrams of up to this many items.
MOST_SWAPPED = 260


@dataclass(eq=False)
class Item:
    """An item in a layer.

    Attributes:
        before, after: the space it takes on both sides of the place ``at`` where its line passes.
        depth: the space it takes across the layer.
        label: whether it is the label of a line.
        above, below: the items in the adjacent layers to which it is joined.
    """

    before: float
    after: float
    depth: float
    label: bool = False
    at: float = 0.0
    above: list[Item] = field(default_factory=list, repr=False)
    below: list[Item] = field(default_factory=list, repr=False)


def crossings(layers: Sequence[Sequence[Item]]) -> int:
    """Return the number of pairs of lines between adjacent layers that cross."""
    total = 0
    for upper, lower in pairwise(layers):
        place = {id(item): at for at, item in enumerate(lower)}
        seen: list[int] = []
        for item in upper:
            ends = sorted(place[id(other)] for other in item.below if id(other) in place)
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def in_order(layers: Sequence[Sequence[Item]], hints: Mapping[int, float]) -> list[list[Item]]:
    """Return the layers with their items in an order that has few crossings.

    Args:
        hints: ``id`` of an item -> its previous place; that order is changed only for one with fewer crossings.
    """
    now = [list(layer) for layer in layers]
    _first_order(now, hints)
    best, least = [list(layer) for layer in now], crossings(now)
    for sweep in range(SWEEPS):
        if not least:
            break
        towards_end = sweep % 2 == 0
        for at in range(1, len(now)) if towards_end else range(len(now) - 2, -1, -1):
            other = now[at - 1] if towards_end else now[at + 1]
            place = {id(item): float(i) for i, item in enumerate(other)}
            _by_middle(now[at], _above if towards_end else _below, place)
        if sum(map(len, now)) <= MOST_SWAPPED:
            _swap(now)
        count = crossings(now)
        if count < least:
            best, least = [list(layer) for layer in now], count
    return best


def _first_order(layers: list[list[Item]], hints: Mapping[int, float]) -> None:
    """Return the items in their previous order, with new ones at the mean place of those joined to them above."""
    place: dict[int, float] = {}
    for layer in layers:
        keys = {}
        for at, item in enumerate(layer):
            joined = [place[id(other)] for other in item.above if id(other) in place]
            joined += [hints[id(other)] for other in item.below if id(other) in hints] if hints else []
            middle = sum(joined) / len(joined) if joined else float(at)
            keys[id(item)] = hints.get(id(item), middle)
        layer.sort(key=lambda item: keys[id(item)])
        for at, item in enumerate(layer):
            place[id(item)] = keys[id(item)] if hints else float(at)


def _above(item: Item) -> list[Item]:
    return item.above


def _below(item: Item) -> list[Item]:
    return item.below


def _by_middle(layer: list[Item], joined: Callable[[Item], list[Item]], place: Mapping[int, float]) -> None:
    """Sort items by the mean place of those to which they are joined; an item without any keeps its place."""
    keys = {}
    for at, item in enumerate(layer):
        others = [place[id(other)] for other in joined(item) if id(other) in place]
        keys[id(item)] = sum(others) / len(others) if others else float(at)
    layer.sort(key=lambda item: keys[id(item)])


def _swap(layers: list[list[Item]]) -> None:
    """Exchange adjacent items as long as that removes crossings."""
    for _ in range(4):
        better = False
        for number, layer in enumerate(layers):
            around = [layers[k] for k in (number - 1, number + 1) if 0 <= k < len(layers)]
            place = {id(item): i for other in around for i, item in enumerate(other)}
            for at in range(len(layer) - 1):
                a, b = layer[at], layer[at + 1]
                if _crossed(a, b, place) > _crossed(b, a, place):
                    layer[at], layer[at + 1] = b, a
                    better = True
        if not better:
            return


def _crossed(left: Item, right: Item, place: Mapping[int, int]) -> int:
    total = 0
    for mine, others in ((left.above, right.above), (left.below, right.below)):
        total += sum(place[id(x)] > place[id(y)] for x in mine for y in others)
    return total


def spread(layers: Sequence[Sequence[Item]], gap: float) -> None:
    """Give every item its place, so that lines are as straight as the order and the space allow."""
    for layer in layers:
        at = 0.0
        for item in layer:
            at += item.before
            item.at = at
            at += item.after + gap
    for touch in range(TOUCHES):
        last = touch >= TOUCHES - 2
        run = layers if touch % 2 == 0 else layers[::-1]
        for layer in run:
            wanted, weights = [], []
            for item in layer:
                joined = item.above + item.below if last else item.above if touch % 2 == 0 else item.below
                joined = joined or item.above + item.below
                pulls = [4.0 if not (other.depth or item.depth) else 1.0 for other in joined]
                total = sum(pulls)
                wanted.append(
                    sum(p * other.at for p, other in zip(pulls, joined, strict=True)) / total if total else item.at
                )
                weights.append(total or 0.1)
            for item, place in zip(layer, _apart(layer, wanted, weights, gap), strict=True):
                item.at = place


def _apart(layer: Sequence[Item], wanted: Sequence[float], weights: Sequence[float], gap: float) -> list[float]:
    """Return the places nearest to those wanted (least squares) at which the items do not overlap."""
    offsets = [0.0]
    for left, right in pairwise(layer):
        offsets.append(offsets[-1] + left.after + gap + right.before)
    blocks: list[tuple[float, float, int]] = []  # mean, weight, number of items: pool adjacent violators
    for want, weight, offset in zip(wanted, weights, offsets, strict=False):
        mean, heavy, many = want - offset, weight, 1
        while blocks and blocks[-1][0] > mean:
            other, more, number = blocks.pop()
            mean = (mean * heavy + other * more) / (heavy + more)
            heavy, many = heavy + more, many + number
        blocks.append((mean, heavy, many))
    means = [mean for mean, _, many in blocks for _ in range(many)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=False)]


def backwards(count: int, ends: Sequence[tuple[int, int]], start: int) -> list[bool]:
    """Return the arrows that lead back to an earlier state; without them there is no cycle."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number, (a, b) in enumerate(ends):
        leaving[a].append((b, number))
    back = [b == start for _, b in ends]
    colour = [0] * count  # 0 not visited, 1 on the current path, 2 done
    for root in (start, *range(count)):
        if colour[root]:
            continue
        colour[root] = 1
        stack = [(root, iter(sorted(leaving[root])))]
        while stack:
            here, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                colour[here] = 2
                stack.pop()
                continue
            there, number = step
            if colour[there] == 1:
                back[number] = True
            elif colour[there] == 0 and not back[number]:
                colour[there] = 1
                stack.append((there, iter(sorted(leaving[there]))))
    return back


def ranks(count: int, down: Sequence[tuple[int, int]], start: int) -> list[int]:
    """Return the layer of each state: the length of the longest path to it, or just above its successors if none."""
    waiting = [0] * count
    leaving: list[list[int]] = [[] for _ in range(count)]
    for a, b in down:
        waiting[b] += 1
        leaving[a].append(b)
    sources = [at for at in range(count) if not waiting[at]]
    rank, free = [0] * count, list(sources)
    while free:
        a = free.pop(0)
        for b in leaving[a]:
            rank[b] = max(rank[b], rank[a] + 1)
            waiting[b] -= 1
            if not waiting[b]:
                free.append(b)
    for at in sources:
        if at != start and leaving[at]:
            rank[at] = max(0, min(rank[b] for b in leaving[at]) - 1)
    return rank


#: left, top, right, bottom
Box = tuple[float, float, float, float]
Point = tuple[float, float]

#: The reach from its centre of a shape with the area of a circle, as a share of the circle's diameter.
REACH = 0.80
#: The margin, the gap between items of a layer, and the gap between a line and its label.
MARGIN, GAP, BESIDE = 14.0, 16.0, 6.0
#: How far a loop, and the arrow that marks the initial state, extend from their state.
LOOP, ENTRY = 26.0, 24.0
#: The least and the largest distance between layers; wide bends need more.
NEAR, FAR = 20.0, 64.0
#: The largest number of lines of a label that are shown.
MOST_LINES = 4


@dataclass(frozen=True)
class LabelLine:
    """A line of a label: the events of one function; ``kind`` is action or ignore, "" for "… and 3 more"."""

    text: str
    state: str
    events: tuple[str, ...]
    function: str
    kind: str


@dataclass(frozen=True)
class Arrow:
    """A change of state, or a loop, with all events that cause it."""

    source: str
    target: str
    lines: tuple[LabelLine, ...]


@dataclass(frozen=True)
class Sizes:
    """The sizes of the parts in pixels: a state, a line of text, and the widths of a label's line and of a name."""

    d: float
    line: float
    label: Callable[[str], float]
    name: Callable[[str], float]


@dataclass(frozen=True)
class PlacedState:
    """A state around (x, y) with the box of its name."""

    name: str
    x: float
    y: float
    start: bool
    reachable: bool
    name_box: Box


@dataclass(frozen=True)
class PlacedArrow:
    """An arrow.

    Attributes:
        points: the start, then three points for each piece: two control points and its end (Bezier); the first and
            the last are on a circle around their states, and the tip is at the last.
        label: the box of all lines; ``shown`` are the lines from its top on, ``rows`` the text of each line in its
            rows.
    """

    source: str
    target: str
    points: tuple[Point, ...]
    label: Box
    shown: tuple[LabelLine, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[LabelLine, ...]

    @property
    def loop(self) -> bool:
        return self.source == self.target


@dataclass(frozen=True)
class Layout:
    """The picture; ``across`` is whether its layers go from left to right and not from top to bottom."""

    states: tuple[PlacedState, ...]
    arrows: tuple[PlacedArrow, ...]
    width: float
    height: float
    across: bool
    entry: tuple[Point, Point] | None = None

    def places(self) -> dict[str, Point]:
        """State -> its place, as :func:`lay_out` takes it for the next picture."""
        return {state.name: (state.x, state.y) for state in self.states}


def arrows_of(draft: Draft) -> tuple[tuple[DiagramState, ...], tuple[Arrow, ...]]:
    """Return the states and arrows of a text; events with the same function share a line ``Wave, Ack / forward``."""
    found = diagram_of(draft)
    cells = table_of(draft)
    arrows = []
    for edge in found.edges:
        by_function: dict[str, list[str]] = {}
        for event in edge.events:
            by_function.setdefault(cells[edge.source, event].function, []).append(event)
        lines = []
        for function, events in by_function.items():
            kind = cells[edge.source, events[0]].kind
            said = ", ".join("start" if event == "INIT" else event for event in events)
            said = said if function == said else f"{said} / {function}"
            lines.append(LabelLine(said, edge.source, tuple(events), function, kind))
        arrows.append(Arrow(edge.source, edge.target, tuple(lines)))
    return found.states, tuple(arrows)


def lay_out(
    states: Sequence[DiagramState],
    arrows: Sequence[Arrow],
    sizes: Sizes,
    *,
    across: bool = False,
    tight: bool = False,
    before: Mapping[str, Point] | None = None,
) -> Layout:
    """Return the picture of a diagram.

    Args:
        across: whether layers go from left to right.
        tight: whether functions are below their events, which takes less width.
        before: the previous places of the states, to keep their order.
    """
    if not states:
        return Layout((), (), 0.0, 0.0, across)
    return _Making(states, arrows, sizes, across, tight, before or {}).layout()


def shown_lines(lines: Sequence[LabelLine]) -> tuple[LabelLine, ...]:
    """Return the lines of a label that are drawn."""
    if len(lines) <= MOST_LINES:
        return tuple(lines)
    rest = lines[MOST_LINES - 1 :]
    events = tuple(event for line in rest for event in line.events)
    return (
        *lines[: MOST_LINES - 1],
        LabelLine(tr("… and {count} more", count=len(rest)), lines[0].state, events, "", ""),
    )


def rows_of(line: LabelLine, tight: bool) -> tuple[str, ...]:
    """Return a line of a label in one row, or with its function in a separate row."""
    events, slash, function = line.text.partition(" / ")
    return (f"{events} /", f"  {function}") if tight and slash else (line.text,)


class _Making:
    """The construction of one picture. The axis along which layers follow each other is "down", the other "side"."""

    def __init__(
        self, states: Sequence[DiagramState], arrows: Sequence[Arrow], sizes: Sizes, across: bool, tight: bool,
        before: Mapping[str, Point],
    ) -> None:  # fmt: skip
        self.states, self.sizes, self.across, self.tight = list(states), sizes, across, tight
        self.place = {state.name: at for at, state in enumerate(states)}
        known = [a for a in arrows if a.source in self.place and a.target in self.place]
        self.loops = {a.source: a for a in known if a.source == a.target}
        self.arrows = [a for a in known if a.source != a.target]
        self.ends = [(self.place[a.source], self.place[a.target]) for a in self.arrows]
        self.start = next((at for at, state in enumerate(states) if state.start), 0)
        self.back = backwards(len(self.states), self.ends, self.start)
        down = [(b, a) if back else (a, b) for (a, b), back in zip(self.ends, self.back, strict=True)]
        self.rank = ranks(len(self.states), down, self.start)
        self.layers: list[list[Item]] = [[] for _ in range(2 * max(self.rank) + 1)]
        self.nodes = [self._node(at) for at in range(len(self.states))]
        for node, rank in zip(self.nodes, self.rank, strict=True):
            self.layers[2 * rank].append(node)
        self.ways = [self._way(number, *pair) for number, pair in enumerate(down)]
        hints = {self.place[n]: (p[1] if across else p[0]) for n, p in before.items() if n in self.place}
        self.layers = in_order(self.layers, {id(self.nodes[at]): side for at, side in hints.items()})
        spread(self.layers, GAP)

    # ------------------------------------------------------------------ sizes

    def _label_size(self, lines: Sequence[LabelLine]) -> Point:
        rows = [row for line in self._rows(lines) for row in line]
        return max((self.sizes.label(row) for row in rows), default=0.0), self.sizes.line * len(rows)

    def _rows(self, lines: Sequence[LabelLine]) -> tuple[tuple[str, ...], ...]:
        """Return the text in the rows of each line that is shown."""
        return tuple(rows_of(line, self.tight) for line in shown_lines(lines))

    def _node(self, at: int) -> Item:
        name = self.states[at].name
        reach, line = self.sizes.d * REACH, self.sizes.line
        loop = self.loops.get(name)
        wide, high = self._label_size(loop.lines) if loop is not None else (0.0, 0.0)
        room = LOOP + BESIDE if loop is not None else 0.0
        if self.across:
            depth = max(2 * reach, self.sizes.name(name), wide)
            return Item(reach + BESIDE / 2 + line, reach + room + high, depth)
        if loop is not None:  # the name above it, both to the right of the state
            half = max(reach, line + 2, high + 4, self.sizes.d * 1.05)
            return Item(reach, reach + max(room + wide, BESIDE + self.sizes.name(name)), 2 * half)
        return Item(reach, reach + BESIDE + self.sizes.name(name), max(2 * reach, line))

    def _way(self, number: int, a: int, b: int) -> list[Item]:
        """Return the items of an arrow between two states, including its label."""
        first, last = 2 * self.rank[a] + 1, 2 * self.rank[b] - 1
        middle = 2 * ((self.rank[a] + self.rank[b] - 1) // 2) + 1
        items = []
        for layer in range(first, last + 1):
            item = Item(3.0, 3.0, 0.0)
            if layer == middle:
                wide, high = self._label_size(self.arrows[number].lines)
                label = (high + BESIDE / 2, 4.0, wide + 8) if self.across else (4.0, wide + BESIDE, high + 4)
                item = Item(*label, label=True)
            self.layers[layer].append(item)
            items.append(item)
        for upper, lower in zip([self.nodes[a], *items], [*items, self.nodes[b]], strict=True):
            upper.below.append(lower)
            lower.above.append(upper)
        return items

    # ------------------------------------------------------------------ the picture

    def layout(self) -> Layout:
        bands = self._bands()
        left = min(item.at - item.before for layer in self.layers for item in layer)
        shift = MARGIN - left
        self.middle: dict[int, float] = {}
        self.band: dict[int, Point] = {}
        for layer, (top, bottom) in zip(self.layers, bands, strict=True):
            for item in layer:
                item.at += shift
                self.middle[id(item)] = (top + bottom) / 2
                self.band[id(item)] = (top, bottom)
        side = max(item.at + item.after for layer in self.layers for item in layer) + MARGIN
        down = bands[-1][1] + MARGIN
        width, height = (down, side) if self.across else (side, down)
        placed = tuple(self._state(at) for at in range(len(self.states)))
        arrows = self._placed_arrows()
        arrows += [self._loop(at) for at, state in enumerate(self.states) if state.name in self.loops]
        first = self.nodes[self.start]
        tip = self.middle[id(first)] - self.sizes.d * REACH
        entry = self._turn(first.at, tip - ENTRY), self._turn(first.at, tip)
        return Layout(placed, tuple(arrows), width, height, self.across, entry)

    def _bands(self) -> list[Point]:
        """Return the beginning and end of each layer along the axis "down"."""
        bands: list[Point] = []
        top = MARGIN + ENTRY
        for layer, below in zip(self.layers, [*self.layers[1:], []], strict=True):
            depth = max((item.depth for item in layer), default=0.0)
            bands.append((top, top + depth))
            runs = [abs(item.at - lower.at) for item in layer for lower in item.below if lower in below]
            top += depth + min(FAR, max(NEAR, NEAR + 0.2 * max(runs, default=0.0)))
        return bands

    def _turn(self, side: float, down: float) -> Point:
        return (down, side) if self.across else (side, down)

    def _box(self, side: float, down: float, wide: float, high: float) -> Box:
        """Return a box with its size on the screen, given the corner nearest to the origin by side and down."""
        x, y = self._turn(side, down)
        return (x, y, x + wide, y + high)

    def _state(self, at: int) -> PlacedState:
        node, state = self.nodes[at], self.states[at]
        x, y = self._turn(node.at, self.middle[id(node)])
        reach, line, wide = self.sizes.d * REACH, self.sizes.line, self.sizes.name(state.name)
        if self.across:
            box = (x - wide / 2, y - reach - line - BESIDE / 2, x + wide / 2, y - reach - BESIDE / 2)
        else:
            top = y - line - 2 if state.name in self.loops else y - line / 2
            box = (x + reach + BESIDE, top, x + reach + BESIDE + wide, top + line)
        return PlacedState(state.name, x, y, state.start, state.reachable, box)

    def _placed_arrows(self) -> list[PlacedArrow]:
        lower_ports = self._ports(below=True)
        upper_ports = self._ports(below=False)
        placed = []
        for number, (arrow, items) in enumerate(zip(self.arrows, self.ways, strict=True)):
            a, b = self.ends[number] if not self.back[number] else self.ends[number][::-1]
            points = self._path(self.nodes[a], self.nodes[b], items, lower_ports[a, number], upper_ports[b, number])
            points = points[::-1] if self.back[number] else points
            item = next(each for each in items if each.label)
            wide, high = self._label_size(arrow.lines)
            top = self.middle[id(item)]
            if self.across:
                box = self._box(item.at - BESIDE / 2 - high, top - wide / 2, wide, high)
            else:
                box = self._box(item.at + BESIDE, top - high / 2, wide, high)
            turned = tuple(self._turn(*point) for point in points)
            placed.append(self._placed(arrow, turned, box))
        return placed

    def _ports(self, *, below: bool) -> dict[tuple[int, int], float]:
        """Return (state, arrow) -> the offset from the state's centre at which the arrow touches it, in path order."""
        touching: dict[int, list[tuple[float, int]]] = {}
        for number, (items, (a, b)) in enumerate(zip(self.ways, self.ends, strict=True)):
            a, b = (b, a) if self.back[number] else (a, b)
            node, item = (a, items[0]) if below else (b, items[-1])
            touching.setdefault(node, []).append((item.at, number))
        ports = {}
        for node, ways in touching.items():
            step = min(self.sizes.d * 0.3, self.sizes.d * 0.8 / max(len(ways) - 1, 1))
            for place, (_, number) in enumerate(sorted(ways)):
                ports[node, number] = (place - (len(ways) - 1) / 2) * step
        return ports

    def _path(self, upper: Item, lower: Item, items: Sequence[Item], leaves: float, enters: float) -> list[Point]:
        radius = self.sizes.d * 0.62
        x, y = upper.at + leaves, self.middle[id(upper)] + (max(radius**2 - leaves**2, 0.0)) ** 0.5
        points: list[Point] = [(x, y)]

        def to(new_x: float, new_y: float) -> None:
            x, y = points[-1]
            half = (new_y - y) / 2
            points.extend([(x, y + half), (new_x, new_y - half), (new_x, new_y)])

        to(x, max(self.band[id(upper)][1], y))
        for item in items:
            top, bottom = self.band[id(item)]
            to(item.at, top)
            if bottom > top:
                to(item.at, bottom)
        x, y = lower.at + enters, self.middle[id(lower)] - (max(radius**2 - enters**2, 0.0)) ** 0.5
        to(x, min(self.band[id(lower)][0], y))
        to(x, y)
        return points

    def _loop(self, at: int) -> PlacedArrow:
        node, arrow = self.nodes[at], self.loops[self.states[at].name]
        side, down = node.at, self.middle[id(node)]
        radius, reach = self.sizes.d * 0.62, self.sizes.d * REACH
        near, off = radius * 0.77, radius * 0.64
        far = reach + LOOP * 1.18  # the curve does not reach its control points
        wide, high = self._label_size(arrow.lines)
        if self.across:
            pieces = [(side + near, down - off), (side + far, down - off * 1.9), (side + far, down + off * 1.9)]
            box = self._box(side + reach + LOOP + BESIDE / 2, down - wide / 2, wide, high)
            pieces.append((side + near, down + off))
        else:
            pieces = [(side + radius, down + 2), (side + far, down - 3), (side + far * 0.92, down + radius * 1.75)]
            box = self._box(side + reach + LOOP + BESIDE / 2, down + 3, wide, high)
            pieces.append((side + radius * 0.72, down + radius * 0.72))
        return self._placed(arrow, tuple(self._turn(*piece) for piece in pieces), box)

    def _placed(self, arrow: Arrow, points: tuple[Point, ...], box: Box) -> PlacedArrow:
        shown = shown_lines(arrow.lines)
        return PlacedArrow(arrow.source, arrow.target, points, box, shown, self._rows(arrow.lines), arrow.lines)


def between(old: Layout, new: Layout, share: float) -> Layout:
    """Return the new picture, with the parts of the old one moved by ``share`` (0..1) towards their new places.

    New parts are at their final places. Both pictures have the same centre.
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
    """Return an arrow of a new form, bent so that it stays attached to its states."""
    count = max(len(arrow.points) - 1, 1)
    ends = [new[arrow.source], new[arrow.target]]
    now = [moved[arrow.source], moved[arrow.target]]
    (ax, ay), (bx, by) = [(m.x - e.x, m.y - e.y) for m, e in zip(now, ends, strict=True)]
    points = tuple(
        (x + ax + (bx - ax) * at / count, y + ay + (by - ay) * at / count) for at, (x, y) in enumerate(arrow.points)
    )
    return replace(arrow, points=points, label=_shifted(arrow.label, (ax + bx) / 2, (ay + by) / 2))
