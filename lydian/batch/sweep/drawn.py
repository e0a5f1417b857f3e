"""Faults of a sweep that affect a given number of processes or links, drawn anew for each run from its seed.

A run with more faults affects the same processes as a run with fewer, and others as well: the order in which processes
are drawn depends on the seed alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lydian.batch.sweep.fields import filled, spoken
from lydian.model.delays import as_distribution
from lydian.model.errors import BadInput, shown
from lydian.model.interventions import KEYS, KINDS, Intervention, Kind
from lydian.model.interventions.keys import SEED
from lydian.model.reading import Table, at
from lydian.model.streams import stream_key, uniforms

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["DrawnFaults", "drawn_kinds"]

_AMONG = ("all", "initiators", "others")
#: Keys of interventions that are determined here by other keys, or that make no sense for several targets at once.
_NOT_EXTRA = ("process", "link", "by", "seed", "groups", "until", "one_way")


def drawn_kinds() -> list[Kind]:
    """Return the kinds of faults that can be drawn: first those that affect processes, each part in the order of its
    tools.
    """
    kinds = [kind for kind in KINDS.values() if kind.drawn]
    return sorted(kinds, key=lambda kind: (kind.hits_links, 0 if kind.tool is None else kind.tool.place))


@dataclass(frozen=True)
class DrawnFaults:
    """A number of faults of one kind.

    Args:
        do: the kind of :class:`~lydian.model.interventions.Intervention`; it must affect a process or a link.
        count: the number of processes or links affected, or a text in braces.
        fraction: alternatively, the share that is affected, rounded to the nearest number.
        among: the processes to draw from: ``all``, ``initiators`` or ``others`` (all but the initiators).
        time: the time; a number, a distribution, or either with braces.
        lasts: the time after which a process recovers or a link is restored; ``None`` for never.
        extra: further keys of the intervention, such as ``variable`` and ``value``.
    """

    do: str
    count: Any = 1
    fraction: Any = None
    among: str = "all"
    time: Any = 0.0
    lasts: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hits_links(self) -> bool:
        """Whether links are drawn rather than processes."""
        return KINDS[self.do].hits_links

    def drawn(self, number: int, network: Network, seed: int, names: Mapping[str, Any]) -> list[Intervention]:
        """Return the interventions in the run with this seed.

        Args:
            number: the index of this entry among the sweep's faults; each draws independently.
            network: the network whose processes and links are affected.
            seed: the seed of the run.
            names: the names that may be used in braces.
        """
        whole = self._candidates(network)
        key = stream_key(seed, "drawn fault", str(number))
        if self.fraction is not None:
            share = filled(self.fraction, names)
            if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
                raise BadInput(f"must be a share from 0 to 1, not {shown(share)}", place="fraction")
            count = round(share * len(whole))
        else:
            count = filled(self.count, names)
            if isinstance(count, bool) or not isinstance(count, int | float) or count < 0 or count != int(count):
                raise BadInput(f"must be a whole number of at least 0, not {shown(count)}", place="count")
            count = int(count)
        if count > len(whole):
            what = "links" if self.hits_links else "processes"
            raise BadInput(f"must be at most {len(whole)}, the number of {what}, not {count}", place="count")
        if not count:
            return []
        ranks = np.argsort(uniforms(key, 0, len(whole))[0], kind="stable")[:count]
        times = self._drawn_times("time", self.time, seed, number, count, names)
        ends = None if self.lasts is None else self._drawn_times("lasts", self.lasts, seed, number, count, names)
        found: list[Intervention] = []
        extra = filled(dict(self.extra), names)
        for place, (rank, when) in enumerate(zip(ranks.tolist(), times, strict=True)):
            target = {("link" if self.hits_links else "process"): whole[rank]}
            if SEED in KINDS[self.do].keys:
                target["seed"] = rank
            found.append(Intervention.from_dict({"time": when, "do": self.do, **target, **extra}))
            if ends is not None:
                target.pop("seed", None)
                over = {"time": when + ends[place], "do": KINDS[self.do].undone_by}
                found.append(Intervention.from_dict({**over, **target}))
        return found

    def _candidates(self, network: Network) -> list[Any]:
        if self.hits_links:
            return [[link.a, link.b] for link in network.links]
        if self.among == "initiators":
            return list(network.initiators)
        starts = set(network.initiators) if self.among == "others" else set()
        return [name for name in network.processes if name not in starts]

    def _drawn_times(
        self, what: str, given: Any, seed: int, number: int, count: int, names: Mapping[str, Any]
    ) -> list[float]:
        distribution = as_distribution(filled(given, names), place=what)
        key = np.array([stream_key(seed, f"drawn {what}", str(number))], dtype=np.uint64)
        values: list[float] = distribution.draws(key, 0, count)[0].tolist()
        return values

    def to_dict(self) -> dict[str, Any]:
        """Return the table of the file."""
        result: dict[str, Any] = {"do": self.do}
        result |= {"count": self.count} if self.fraction is None else {"fraction": self.fraction}
        if self.among != "all":
            result["among"] = self.among
        result["time"] = self.time
        if self.lasts is not None:
            result["lasts"] = self.lasts
        return result | dict(self.extra)

    @classmethod
    def from_dict(cls, data: Any, file: Path | str | None = None, place: str = "faults[0]") -> DrawnFaults:
        """Read one table of ``faults``.

        Raises:
            BadInput: with the file and the place.
        """
        more = [name for name in KEYS if name not in _NOT_EXTRA]
        table = Table(data, ("do", "count", "fraction", "among", "time", "lasts", *more), file=file, place=place)
        do = table.need("do", str, 'do = "scramble"')
        possible = [kind for kind in KINDS if {"process", "link"} & {key.name for key in KINDS[kind].keys}]
        if do not in possible:
            raise table.bad("do", f"must be one of {', '.join(possible)}, not {shown(do)}")
        if "count" in table and "fraction" in table:
            raise table.bad("fraction", "must be a count or a fraction, not both")
        among = table.get("among", str, "all")
        if among not in _AMONG:
            raise table.bad("among", f'must be "all", "initiators" or "others", not {shown(among)}')
        for key in ("count", "fraction", "time", "lasts"):
            value = table.data.get(key)
            if isinstance(value, bool) or not isinstance(value, int | float | str | None):
                raise table.bad(key, f'must be a number or text such as "{{n}}", not {shown(value)}')
            if isinstance(value, int | float) and not 0 <= value < float("inf"):
                raise table.bad(key, f"must be finite and not negative, not {value}")
        if "lasts" in table and not KINDS[do].undone_by:
            ending = [kind for kind in possible if KINDS[kind].undone_by]
            raise table.bad("lasts", f"applies only to {', '.join(ending)}")
        for key in ("time", "lasts"):
            if isinstance(table.data.get(key), str) and "{" not in table.data[key]:
                with at(file, table.where(key)):
                    as_distribution(table.data[key])
        extra = {key: table.data[key] for key in more if key in table}
        found = cls(
            do, table.data.get("count", 1), table.data.get("fraction"), among, table.data.get("time", 0.0),
            table.data.get("lasts"), extra,
        )  # fmt: skip
        if found.hits_links and among != "all":
            raise table.bad("among", f"{do} affects links, which are always chosen from all links")
        target = {"link": ["0", "1"]} if found.hits_links else {"process": "0"}
        Intervention.from_dict({"time": 0.0, "do": do, **target, **_plainly(extra)}, file, place)
        return found


def _plainly(extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys that can be checked before any run: those without braces, and a fitting value for the others."""
    return {key: KEYS[key].sample if spoken(value) else value for key, value in extra.items()}
