"""An intervention: one thing done to an execution from outside, at a stated time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.interventions.keys import AIM, KEYS, LINK
from lydian.model.interventions.kind import KINDS, Kind
from lydian.model.reading import Table

if TYPE_CHECKING:
    from lydian.model.network import Network
    from lydian.model.protocol import Protocol

__all__ = ["Intervention"]


@dataclass(frozen=True, init=False)
class Intervention:
    """One thing done to an execution from outside.

    Args:
        time: when, in simulated time; finite, not negative.
        do: what, the name of one of :data:`~lydian.model.interventions.KINDS`.
        process: name of the process, if it is done to one.
        after: how many steps the execution had taken when it was done (a step is an event with what its action does,
            or one that leaves no trace).  Several may happen at one moment; ``time`` alone comes before all of them.
        keys: the other keys of its kind; or each by its own name::

            Intervention(2.0, "link_down", link=("3", "5"), one_way=True)

    Each key is an attribute, too; one that the intervention does not have holds what stands for nothing there.

    Raises:
        BadInput: a key is missing, has the wrong type, or does not belong to ``do``.
    """

    time: float
    do: str
    after: int | None
    keys: Mapping[str, Any]

    def __init__(
        self, time: float, do: str, process: str | None = None, *, after: int | None = None,
        keys: Mapping[str, Any] | None = None, **values: Any,
    ) -> None:  # fmt: skip
        if isinstance(time, bool) or not isinstance(time, int | float) or not (math.isfinite(time) and time >= 0):
            raise BadInput(f"must be a finite number that is not negative, not {shown(time)}", place="time")
        kind = KINDS.get(do)
        if kind is None:
            hint = did_you_mean(do, KINDS) or f"; there are {', '.join(KINDS)}"
            raise BadInput(f"unknown intervention {shown(do)}{hint}", place="do")
        given = {**(keys or {}), **values}
        if process is not None:
            given["process"] = process
        given = {name: KEYS[name].plain(value) if name in KEYS else value for name, value in given.items()}
        object.__setattr__(self, "time", float(time))
        object.__setattr__(self, "do", do)
        object.__setattr__(self, "after", after)
        object.__setattr__(self, "keys", kind.fitting(given))
        self._check_keys(kind)

    def _check_keys(self, kind: Kind) -> None:
        if self.after is not None and self.after < 0:
            raise BadInput(f"must be a number of steps (0, 1, 2 ...), not {self.after}", place="after")
        kind.check_keys(self)
        for name, value in self.keys.items():
            wrong = "" if value is None else KEYS[name].check(value)
            if wrong:
                raise BadInput(wrong, place=name)
        if LINK.name in self.keys and self.link[0] == self.link[1] and not kind.to_itself:
            raise BadInput(f"the two ends are both {shown(self.link[0])}; a link joins two processes", place="link")

    def __getattr__(self, name: str) -> Any:
        if name not in KEYS:
            raise AttributeError(f"an intervention has no {name}")
        return self.keys.get(name, KEYS[name].empty)

    @property
    def kind(self) -> Kind:
        """What is known of everything that is done like this."""
        return KINDS[self.do]

    def to_dict(self) -> dict[str, Any]:
        """The intervention as it stands in a file; what has its default value is left out."""
        result: dict[str, Any] = {"time": self.time, "do": self.do}
        if self.after is not None:
            result["after"] = self.after
        aim = [key.name for key in AIM if key.name in self.keys]
        for name in (*aim, *(name for name in self.keys if name not in aim)):
            result[name] = KEYS[name].write(self.keys[name])
        return result

    @classmethod
    def from_dict(
        cls, data: Any, file: Path | str | None = None, place: str = "", *, do: str | None = None
    ) -> Intervention:
        """Reads what :meth:`to_dict` writes.

        Args:
            data: the table.
            file: the file it stands in, for sentences.
            place: where it stands there, ``"faults[2]"``.
            do: what is done if the table does not say.

        Raises:
            BadInput: with file and place.
        """
        if isinstance(data, Mapping) and isinstance(data.get("do"), str):
            KINDS.get(data["do"])  # a kind of another package brings its keys when it is first asked for
        table = Table(data, ("time", "after", "do", *KEYS), file=file, place=place)
        time = table.need("time", float, "time = 3.5")
        example = 'do = "command"' if place.startswith("workload") else 'do = "crash"'
        kind = table.get("do", str, do) if do is not None else table.need("do", str, example)
        values = {name: key.read_from(table) for name, key in KEYS.items() if name in table}
        after = table.get("after", int)
        try:
            return cls(time, kind, after=after, keys=values)
        except BadInput as error:
            inner = place if error.place is None else f"{place}.{error.place}" if place else error.place
            raise BadInput(error.what, file=file, place=inner) from None

    def check(self, network: Network, protocol: Protocol, *, file: Path | str | None = None, place: str = "") -> None:
        """Refuses an intervention that names something the network or the protocol does not have.

        Raises:
            BadInput: an unknown process, link, label, variable, state or field; a value of the wrong type.
        """

        def refuse(key: str, what: str) -> BadInput:
            return BadInput(what, file=file, place=f"{place}.{key}" if place else key)

        self.kind.check(self, network, protocol, refuse)
