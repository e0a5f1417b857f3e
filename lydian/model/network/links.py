"""A link, its channels, and the overrides of a network's timing by an experiment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lydian.model.delays import Distribution
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.network.stabilisation import Stabilisation

__all__ = [
    "DRIFTS",
    "ORDERS",
    "RATES",
    "VERBS",
    "WORDS",
    "Channels",
    "Link",
    "Timing",
    "need_distribution",
    "need_drift",
    "need_order",
    "need_share",
    "need_weight",
]

ORDERS = ("fifo", "unordered")
#: The shares of messages on a link that are lost, duplicated and changed.
RATES = ("loss", "duplication", "corruption")
#: What such a link does to messages, and what is then true of the messages.
VERBS = {"loss": "loses", "duplication": "duplicates", "corruption": "corrupts"}
WORDS = {"loss": "lost", "duplication": "duplicated", "corruption": "corrupted"}
#: The rates of the slowest and the fastest clock.
DRIFTS = (0.1, 10.0)


@dataclass(frozen=True)
class Link:
    """A link between two processes; values that are None are inherited from the network.

    Args:
        a, b: the names of the processes; a directed link carries messages from a to b only.
        directed: whether it is directed.
        klass: the name of its class of links, which may have its own delay (``Network.classes``).
        delay: the delay of messages on it.
        order: "fifo" (messages never overtake each other) or "unordered".
        loss, duplication, corruption: the probability that a message is lost, duplicated, or changed; 0 to 1.
        outages: pairs (from, to) of times between which the link is down.
        weight: its cost, for algorithms that search for cheap paths and trees; the default is 1.
    """

    a: str
    b: str
    directed: bool = False
    klass: str | None = None
    delay: Distribution | None = None
    order: str | None = None
    loss: float | None = None
    outages: tuple[tuple[float, float], ...] = ()
    weight: float | None = None
    duplication: float | None = None
    corruption: float | None = None

    def __post_init__(self) -> None:
        if self.a == self.b:
            raise BadInput(f"a link must join two different processes, not {shown(self.a)} with itself")
        if self.delay is not None:
            need_distribution(self.delay, f"the delay of link {self}")
        if self.order is not None:
            need_order(self.order, f"the order of link {self}")
        for rate in RATES:
            if getattr(self, rate) is not None:
                need_share(getattr(self, rate), f"the {rate} of link {self}")
        if self.weight is not None:
            need_weight(self.weight, f"the weight of link {self}")
        if self.outages:
            object.__setattr__(self, "outages", tuple(_outage(o, str(self)) for o in self.outages))

    def __str__(self) -> str:
        return f"{self.a}->{self.b}" if self.directed else f"{self.a}-{self.b}"

    @property
    def plain(self) -> bool:
        """Whether it has no delay, order, class or rates of its own."""
        none = self.delay is None and self.klass is None and self.order is None
        return none and self.loss is None and self.duplication is None and self.corruption is None


@dataclass(frozen=True)
class Timing:
    """The overrides of a network's timing by an experiment; None and missing keys inherit.

    Args:
        delay, order, loss, duplication, corruption: those of the network, for links without their own.
        step: how long a process takes for a step.
        links: the delay of single links, ``{"3-7": ...}``.
        classes: the delay of classes of links.
        steps: how long single processes take for a step.
        drifts: the rates of the clocks of single processes, where 1 is exact.
        initiators: the processes that start, or ``"all"``: every process, whatever the network.
        gst: the global stabilisation time; its ``after`` is then the delay.
    """

    delay: Distribution | None = None
    order: str | None = None
    loss: float | None = None
    step: Distribution | None = None
    links: Mapping[str, Distribution] = field(default_factory=dict)
    classes: Mapping[str, Distribution] = field(default_factory=dict)
    steps: Mapping[str, Distribution] = field(default_factory=dict)
    drifts: Mapping[str, float] = field(default_factory=dict)
    duplication: float | None = None
    corruption: float | None = None
    initiators: tuple[str, ...] | Literal["all"] | None = None
    gst: Stabilisation | None = None

    def starting(self, processes: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return the names of the initiators on a network with these processes; ``None`` to inherit those of the
        network."""
        return processes if self.initiators == "all" else self.initiators


@dataclass(frozen=True)
class Channels:
    """All channels of a network, one element each; the two channels of an undirected link are adjacent.

    Args:
        source, target: int32 (c,), numbers of the processes.
        link: int32 (c,), the number of the link.
        fifo: bool (c,).
        loss: float64 (c,).
        duplication, corruption: float64 (c,).
        delays: each distribution with the numbers (int64) of the channels that draw from it.
        numbers: ``(source, target) -> number of the channel``.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    link: NDArray[np.int32]
    fifo: NDArray[np.bool_]
    loss: NDArray[np.float64]
    delays: tuple[tuple[Distribution, NDArray[np.int64]], ...]
    duplication: NDArray[np.float64]
    corruption: NDArray[np.float64]

    @cached_property
    def numbers(self) -> dict[tuple[int, int], int]:
        pairs = zip(self.source.tolist(), self.target.tolist(), strict=True)
        return {pair: number for number, pair in enumerate(pairs)}

    def __len__(self) -> int:
        return len(self.source)


def need_distribution(value: object, what: str) -> None:
    if not isinstance(value, Distribution):
        raise BadInput(f"{what} must be a distribution such as uniform(0.5, 1.5), not {shown(value)}")


def need_order(value: object, what: str) -> None:
    if value not in ORDERS:
        raise BadInput(f"{what} must be 'fifo' or 'unordered', not {shown(value)}{did_you_mean(value, ORDERS)}")


def need_share(value: object, what: str) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise BadInput(f"{what} must be a probability from 0 to 1, not {shown(value)}")


def need_weight(value: object, what: str) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise BadInput(f"{what} must be a number such as 4 or 2.5, not {shown(value)}")


def need_drift(value: object, what: str) -> None:
    slowest, fastest = DRIFTS
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not slowest <= value <= fastest:
        raise BadInput(f"{what} must be a number from 0.1 to 10 (1 is right, 1.05 gains 5 %), not {shown(value)}")


def _outage(value: object, link: str) -> tuple[float, float]:
    try:
        start, end = (float(time) for time in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise BadInput(f"an outage of link {link} must be a pair of times, not {shown(value)}") from None
    if not (0 <= start < end and math.isfinite(end)):
        raise BadInput(f"an outage of link {link} must satisfy 0 <= from < to, not {shown((start, end))}")
    return start, end
