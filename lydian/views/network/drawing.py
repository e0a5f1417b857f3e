"""A network as a drawing: the looks of its links, hit testing, and the placing of labels.

All of it is arithmetic on arrays, shared by the editor, pictures in files and tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc
from lydian.model.network import RATES, Link, Network

__all__ = [
    "SHORTLY", "SHOWS", "LinkLook", "Looks", "ahead", "alike", "between", "chip_places", "contained", "gap_of",
    "in_view", "legend_of", "link_at", "looks_of", "process_at", "short", "travelling",
]  # fmt: skip

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Pair = tuple[str, str]

#: The link properties that a drawing can show, with their titles in the legend.
SHOWS = {
    "delay": tr("Links by mean delay"),
    "loss": tr("Links by messages lost"),
    "duplication": tr("Links by messages duplicated"),
    "corruption": tr("Links by messages corrupted"),
    "order": tr("Links by order"),
    "class": tr("Links by class"),
    "nothing": "",
}
#: The same properties in a list.
SHORTLY = {
    "delay": tr("mean delay"),
    "loss": tr("messages lost"),
    "duplication": tr("messages duplicated"),
    "corruption": tr("messages corrupted"),
    "order": trc("whether a link keeps the order of messages", "order"),
    "class": trc("class of a link", "class"),
    "nothing": tr("nothing"),
}
#: The width of an override: a minimum, an increase for a mean equal to the network's, and a maximum.
WIDTH, MORE, MOST = 1.6, 0.9, 7.0
#: The looks of classes: numbers in the tokens under ``reach``; the first is the link without a class.
CLASS_LOOKS = 3


@dataclass(frozen=True)
class LinkLook:
    """The look of some links.

    Attributes:
        text: what it means, for the legend.
        color: name of a colour of the theme; ``"reach.1"`` is one of the looks of levels.
        width: in pixels.
        dash: drawn, gap in pixels; empty for a solid line.
        own: whether it differs from what the network has as a whole.
        mean: the mean of a delay that belongs to one link, as it is written.
    """

    text: str
    color: str = "link.base"
    width: float = WIDTH
    dash: tuple[float, ...] = ()
    own: bool = False
    mean: str = ""


@dataclass(frozen=True, eq=False)
class Looks:
    """The looks of all links.

    Attributes:
        kinds: the looks there are, for the legend in this order; the first is the usual one.
        of: number of the look of each link, (m,).
        chips: number of a link -> the text in its chip.
        directed: which links carry messages from a to b only, (m,).
        down: numbers of the links that have outages.
        twin: directed links beside one in the other direction, (m,); they are drawn side by side.
    """

    kinds: tuple[LinkLook, ...]
    of: NDArray[np.int16]
    chips: dict[int, str]
    directed: Bools
    down: NDArray[np.int64]
    twin: Bools


def short(value: float) -> str:
    """Return a number for a label: "0.4", "2.2", "14"."""
    return f"{value:.0f}" if value >= 99.5 else f"{value:.3g}" if value >= 9.95 else f"{value:.2g}"


def looks_of(network: Network, show: str = "delay") -> Looks:
    """Return the looks of links that show one of the properties :data:`SHOWS`."""
    usual = {
        "delay": tr("{delay} default", delay=short(network.delay.mean)),
        **{rate: _wrong(rate, getattr(network, rate)) for rate in RATES},
        "order": _order(network.order),
        "class": tr("no class"),
    }.get(show, "")
    kinds, numbers = [LinkLook(usual)], dict[tuple[object, ...], int]()
    of = np.zeros(network.m, dtype=np.int16)
    directed = np.zeros(network.m, dtype=np.bool_)
    chips: dict[int, str] = {}
    down = []
    classes = sorted({*network.classes} | {link.klass for link in network.links if link.klass is not None})
    for i, link in enumerate(network.links):
        directed[i] = link.directed
        if link.outages:
            down.append(i)
        if link.plain or show == "nothing":
            continue
        made = _look(network, link, show, classes)
        if made is None:
            continue
        look, chip = made
        key = (look.width, look.color, look.dash, look.text)
        if key not in numbers:
            numbers[key] = len(kinds)
            kinds.append(look)
        of[i] = numbers[key]
        if chip:
            chips[i] = chip
    twin = np.zeros(network.m, dtype=np.bool_)
    if directed.any():
        ways = {(link.a, link.b) for link in network.links if link.directed}
        twin[:] = [link.directed and (link.b, link.a) in ways for link in network.links]
    return Looks(tuple(kinds), of, chips, directed, np.array(down, dtype=np.int64), twin)


def legend_of(looks: Looks, show: str) -> tuple[str, tuple[LinkLook, ...]]:
    """Return the title of the legend and its entries, or nothing if all links look the same.

    Many different delays of individual links share one entry: "0.8 to 3.5 individual links".
    """
    if show == "nothing" or not len(looks.of):
        return "", ()
    used = set(looks.of.tolist())
    kinds = [kind for i, kind in enumerate(looks.kinds) if i in used]
    single = [kind for kind in kinds if kind.mean]
    if len(single) > 2:
        means = sorted({kind.mean for kind in single}, key=float)
        wide = max(kind.width for kind in single)
        kinds = [kind for kind in kinds if kind not in single]
        text = tr("{least} to {most} individual links", least=means[0], most=means[-1])
        kinds.append(LinkLook(text, "link.override", wide, own=True))
    return SHOWS[show], tuple(kinds)


def _look(network: Network, link: Link, show: str, classes: Sequence[str]) -> tuple[LinkLook, str] | None:
    """Return the look and the label of a link with a property of its own, or None if it has the usual look."""
    if show == "class":
        if link.klass is None:
            return None
        number = classes.index(link.klass)
        dash = ((), (9.0, 4.0), (2.0, 4.0), (9.0, 3.0, 2.0, 3.0))[number // CLASS_LOOKS % 4]
        return LinkLook(link.klass, f"reach.{number % CLASS_LOOKS + 1}", 2.4, dash, own=True), ""
    if show in RATES:
        share = getattr(link, show)
        if share is None or share == getattr(network, show):
            return None
        look = LinkLook(_wrong(show, share), "link.override", min(2.2 + 4 * share, MOST), (5.0, 3.0), own=True)
        return look, _share(share)
    if show == "order":
        if link.order is None or link.order == network.order:
            return None
        chip = tr("in order") if link.order == "fifo" else tr("any order")
        return LinkLook(_order(link.order), "link.override", 2.6, own=True), chip
    delay = network.delay_of(link)
    if delay == network.delay:
        return None
    usual = max(network.delay.mean, 1e-12)
    width = round(min(WIDTH + MORE * delay.mean / usual, MOST) * 2) / 2
    width = max(width, 2.2)  # An override is always thicker than the usual line.
    mean = short(delay.mean)
    if link.delay is not None:
        return LinkLook(tr("{delay} this link only", delay=mean), "link.override", width, own=True, mean=mean), mean
    text = tr("{delay} class “{link_class}”", delay=mean, link_class=link.klass)
    return LinkLook(text, "link.override", width, own=True), mean


def _wrong(rate: str, share: float) -> str:
    """Return a share of messages that go wrong: "5 % lost", or "no message lost" for none."""
    if not share:
        return {
            "loss": tr("no message lost"), "duplication": tr("no message duplicated"),
            "corruption": tr("no message corrupted"),
        }[rate]  # fmt: skip
    return {
        "loss": tr("{share} lost"), "duplication": tr("{share} duplicated"), "corruption": tr("{share} corrupted"),
    }[rate].format(share=_share(share))  # fmt: skip


def _share(share: float) -> str:
    return f"{100 * share:.3g} %"


def _order(order: str) -> str:
    return tr("first in, first out") if order == "fifo" else tr("in any order")


# ------------------------------------------------------------------ what lies under a point


def process_at(points: Floats, x: float, y: float, reach: float) -> int | None:
    """Return the number of the process nearest to a point, if it is within reach; the later of two at one place."""
    if not len(points):
        return None
    away = np.hypot(points[:, 0] - x, points[:, 1] - y)
    nearest = len(away) - 1 - int(np.argmin(away[::-1]))
    return nearest if away[nearest] <= reach else None


def link_at(points: Floats, ends: NDArray[np.int32], x: float, y: float, reach: float) -> int | None:
    """Return the number of the link nearest to a point, if it is within reach."""
    if not len(ends):
        return None
    a, b = points[ends[:, 0]], points[ends[:, 1]]
    near = np.flatnonzero(
        (np.minimum(a[:, 0], b[:, 0]) <= x + reach)
        & (np.maximum(a[:, 0], b[:, 0]) >= x - reach)
        & (np.minimum(a[:, 1], b[:, 1]) <= y + reach)
        & (np.maximum(a[:, 1], b[:, 1]) >= y - reach)
    )
    if not len(near):
        return None
    a, way = a[near], b[near] - a[near]
    square = np.maximum((way**2).sum(axis=1), 1e-12)
    along = np.clip((((x, y) - a) * way).sum(axis=1) / square, 0, 1)
    found = a + way * along[:, None]
    away = np.hypot(found[:, 0] - x, found[:, 1] - y)
    nearest = int(np.argmin(away))
    return int(near[nearest]) if away[nearest] <= reach else None


def contained(points: Floats, corners: Floats) -> Bools:
    """Return which points are inside a polygon, (n,), by the even-odd rule with rays to the right."""
    inside = np.zeros(len(points), dtype=np.bool_)
    if len(corners) < 3 or not len(points):
        return inside
    x, y = points[:, 0], points[:, 1]
    for (x1, y1), (x2, y2) in zip(corners.tolist(), np.roll(corners, -1, axis=0).tolist(), strict=True):
        if y1 != y2:
            inside ^= ((y1 > y) != (y2 > y)) & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return inside


def in_view(a: Floats, b: Floats, box: tuple[float, float, float, float]) -> Bools:
    """Return which lines may touch a box (left, top, right, bottom): not both ends are beyond the same side."""
    left, top, right, bottom = box
    beyond = (np.maximum(a[:, 0], b[:, 0]) < left) | (np.minimum(a[:, 0], b[:, 0]) > right)
    beyond |= (np.maximum(a[:, 1], b[:, 1]) < top) | (np.minimum(a[:, 1], b[:, 1]) > bottom)
    return ~beyond


def gap_of(points: Floats) -> float:
    """Return the typical distance between neighbouring processes; infinite for fewer than two, or all at one place."""
    if len(points) < 2:
        return float("inf")
    some = points[:: max(1, len(points) // 64)]
    square = (some[:, None, 0] - points[None, :, 0]) ** 2 + (some[:, None, 1] - points[None, :, 1]) ** 2
    square[square == 0] = np.inf  # The process itself does not count.
    gap = float(np.sqrt(np.median(square.min(axis=1))))
    return gap if gap > 0 else float("inf")


def ahead(points: Floats, number: int, dx: float, dy: float, left_out: Iterable[int] = ()) -> int | None:
    """Return the nearest process in a direction from another one; distance to the side counts more."""
    way = points - points[number]
    along = way[:, 0] * dx + way[:, 1] * dy
    cost = (way**2).sum(axis=1) + 3 * (way[:, 0] * dy - way[:, 1] * dx) ** 2
    cost[along <= 1e-9] = np.inf
    cost[list(left_out)] = np.inf
    best = int(np.argmin(cost))
    return best if np.isfinite(cost[best]) else None


def alike(network: Network, processes: Iterable[str], links: Iterable[Pair]) -> tuple[frozenset[str], frozenset[Pair]]:
    """Return everything that is similar to the selection.

    Processes are alike that start or not, have the same time for a step and the same clock, and as many links;
    links that have the same class, delay, order and loss, and carry messages both ways or not.
    """

    degrees = np.bincount(network.ends.ravel(), minlength=network.n)

    def process_key(name: str) -> tuple[object, ...]:
        return (
            name in network.initiators,
            network.steps.get(name),
            network.drifts.get(name, 1.0),
            int(degrees[network.index[name]]),
        )

    def link_key(link: Link) -> tuple[object, ...]:
        rates = (getattr(link, rate) for rate in RATES)
        return link.klass, link.delay, link.order, link.directed, bool(link.outages), *rates

    pairs = set(links)
    wanted = {process_key(name) for name in processes}
    sorts = {link_key(link) for link in network.links if (link.a, link.b) in pairs}
    return (
        frozenset(name for name in network.processes if process_key(name) in wanted) if wanted else frozenset(),
        frozenset((link.a, link.b) for link in network.links if link_key(link) in sorts) if sorts else frozenset(),
    )


# ------------------------------------------------------------------ what moves


def between(a: Floats, b: Floats, alpha: float) -> Floats:
    """Return the positions between a and b, both (n, 2), for alpha from 0 to 1; slow at both ends."""
    alpha = min(max(alpha, 0.0), 1.0)
    eased = 4 * alpha**3 if alpha < 0.5 else 1 - (2 - 2 * alpha) ** 3 / 2
    return b.copy() if alpha == 1.0 else a + (b - a) * eased


def travelling(delays: Sequence[float], t: float, gap: float) -> Floats:
    """Return the positions of messages that are sent ``gap`` apart, as shares of the way, for those in transit."""
    taken = np.maximum(np.asarray(delays, dtype=np.float64), 1e-9)
    share = (t - gap * np.arange(len(taken))) / taken
    found: Floats = share[(share >= 0) & (share < 1)]
    return found


# ------------------------------------------------------------------ chips


def chip_places(
    a: Floats, b: Floats, sizes: Floats, points: Floats, half: float, taken: Floats | None = None
) -> list[tuple[float, float] | None]:
    """Return a place for a label on each link, near its middle; None where it would cover a process or another label.

    Args:
        a, b: the ends of the links, (k, 2).
        sizes: width and height of each chip, (k, 2).
        points: the processes in view, (n, 2), which reach ``half`` from their middles.
        taken: further boxes, rows left, top, right, bottom.
    """
    boxes = [] if taken is None else [tuple(row) for row in taken.tolist()]
    found: list[tuple[float, float] | None] = []
    for one, two, (w, h) in zip(a.tolist(), b.tolist(), sizes.tolist(), strict=True):
        place = None
        for share in (0.5, 0.4, 0.6, 0.32, 0.68):
            x, y = one[0] + (two[0] - one[0]) * share, one[1] + (two[1] - one[1]) * share
            aside = np.maximum(np.abs(points - (x, y)) - (w / 2, h / 2), 0.0)
            if (np.hypot(aside[:, 0], aside[:, 1]) < half).any():
                continue
            box = (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
            if all(box[2] <= o[0] or o[2] <= box[0] or box[3] <= o[1] or o[3] <= box[1] for o in boxes):
                place = (x, y)
                boxes.append(box)
                break
        found.append(place)
    return found
