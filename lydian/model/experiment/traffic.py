"""Commands and crashes at random times: arrivals of commands, and processes that crash and recover (churn).

In an experiment's file::

    [[traffic]]
    label = "Publish"                          # the class of the command
    processes = "any"                          # a random one; "each": each with its own arrivals; or a list
    arrivals = "exponential(mean=10)"          # the time between two commands (here: a Poisson process)
    from = 5.0
    until = 200.0                              # or count = 50, or both
    fields = { topic = "zipf(20, 1.0)", payload = "number" }

    [[churn]]
    processes = ["3", "4"]                     # or "all"
    lifetime = "exponential(mean=50)"          # from a recovery to the next crash
    downtime = "exponential(mean=10)"          # from a crash to the recovery; without it no process recovers
    until = 200.0
    keep = false                               # whether a process keeps its variables when it recovers

When the experiment is resolved, both become plain interventions, which are drawn from separate streams, so that the
same seed gives the same interventions everywhere.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from lydian.model.delays import Distribution, parse
from lydian.model.errors import BadInput, did_you_mean, shown, unknown_process
from lydian.model.interventions import Intervention
from lydian.model.reading import Table, at
from lydian.model.streams import stream_key, uniforms

if TYPE_CHECKING:
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["MOST", "Churn", "Traffic", "check_field"]

#: The largest number of commands, or crashes, of one entry.
MOST = 1_000_000
#: The number of values drawn at a time.
_BLOCK = 256

Draw = Callable[[int], Any]


@dataclass(frozen=True)
class Traffic:
    """Commands that users give at random times.

    Args:
        label: the class of the command.
        arrivals: the time from one command to the next, and from ``begin`` to the first.
        processes: ``"any"``: a random process each time; ``"each"``: every process has its own arrivals; or the names
            of the processes from which a random one is chosen.
        begin, until: the period of the commands; ``until`` itself is excluded.
        count: the largest number of commands (for each process, if each has its own arrivals); ``None`` for no limit.
        fields: field -> value: a plain value, or a text that says how it is drawn: ``zipf(n, s)``, ``uniform(a, b)``,
            ``choice(x, y, z)``, ``process`` (the name of a process), ``number`` (0, 1, 2 ...). A text after ``=`` is a
            plain value.

    Raises:
        BadInput: neither ``until`` nor ``count`` is given, or one of the values is invalid.
    """

    label: str
    arrivals: Distribution
    processes: str | tuple[str, ...] = "any"
    begin: float = 0.0
    until: float = math.inf
    count: int | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _timed(self.begin, self.until)
        if self.count is not None and self.count < 1:
            raise BadInput(f"must be at least 1, not {self.count}", place="count")
        if self.count is None and math.isinf(self.until):
            raise BadInput("the end is missing; write, for example, until = 200.0 or count = 50")
        _mean(self.arrivals, "arrivals")
        object.__setattr__(self, "fields", dict(self.fields))

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as it is written in a file, without default values."""
        told: dict[str, Any] = {"label": self.label, "arrivals": str(self.arrivals)}
        if self.processes != "any":
            told["processes"] = self.processes if isinstance(self.processes, str) else list(self.processes)
        told |= _span(self.begin, self.until)
        if self.count is not None:
            told["count"] = self.count
        if self.fields:
            told["fields"] = dict(self.fields)
        return told

    @classmethod
    def from_dict(cls, data: Any, file: Any = None, place: str = "") -> Traffic:
        """Read the output of :meth:`to_dict`.

        Raises:
            BadInput: names the file and the place.
        """
        keys = ("label", "processes", "arrivals", "from", "until", "count", "fields")
        table = Table(data, keys, file=file, place=place)
        label = table.need("label", str, 'label = "Publish"')
        arrivals = _law(table, "arrivals", needed=True)
        assert arrivals is not None
        begin, until = _begins(table)
        with at(file, place):
            return cls(
                label, arrivals, _processes(table, ("any", "each")), begin, until,
                table.get("count", int), table.get("fields", dict, {}),
            )  # fmt: skip

    def interventions(
        self, network: Network, protocol: Protocol, seed: int, number: int = 0, *, file: Any = None
    ) -> list[Intervention]:
        """Return the commands, by rising time.

        Args:
            seed: the seed of the experiment.
            number: the number of the entry in its list, which names its streams.

        Raises:
            BadInput: a process, command or field does not exist, a value has the wrong type, or there are too many
                commands.
        """
        place = f"traffic[{number}]"
        names = _chosen(self.processes, network, file, place)
        known = {each.__name__: each for each in protocol.commands}
        if self.label not in known:
            what = f"unknown command {shown(self.label)} of protocol {protocol.name}"
            what += did_you_mean(self.label, known)
            raise BadInput(what, file=file, place=f"{place}.label")
        declared = known[self.label]._types
        streams = names if self.processes == "each" else ("any",)
        found: list[Intervention] = []
        for stream in streams:
            which = _uniform(seed, "traffic", str(number), stream, "who")
            with at(file, place):
                draws = {
                    key: _drawn(value, declared.get(key), network, _uniform(seed, "traffic", str(number), stream, key))
                    for key, value in self.fields.items()
                }
            key = stream_key(seed, "traffic", str(number), stream)
            for n, time in enumerate(_times(self.arrivals, key, self.begin, self.until)):
                if n == self.count:
                    break
                if len(found) == MOST:
                    raise BadInput(
                        f"there would be more than {MOST:,} commands; choose an earlier end", file=file, place=place
                    )
                process = stream if self.processes == "each" else names[int(which(n) * len(names))]
                fields = {name: draw(n) for name, draw in draws.items()}
                made = Intervention(time, "command", process=process, label=self.label, fields=fields)
                if n == 0:
                    made.check(network, protocol, file=file, place=place)
                found.append(made)
        return sorted(found, key=lambda each: each.time)


@dataclass(frozen=True)
class Churn:
    """Processes that crash and recover at random times.

    Args:
        lifetime: the time from ``begin``, or from a recovery, to the next crash.
        downtime: the time from a crash to the recovery; ``None``: no process recovers.
        processes: the names of the processes concerned, or ``"all"``.
        begin, until: the period of the crashes; a process that is down at the end still recovers.
        keep: whether a process keeps its variables when it recovers.

    Raises:
        BadInput: the end is not after the beginning.
    """

    lifetime: Distribution
    downtime: Distribution | None = None
    processes: str | tuple[str, ...] = "all"
    begin: float = 0.0
    until: float = math.inf
    keep: bool = False

    def __post_init__(self) -> None:
        _timed(self.begin, self.until)
        if self.downtime is not None and math.isinf(self.until):
            raise BadInput("the end is missing; write, for example, until = 200.0")
        _mean(self.lifetime, "lifetime")

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as it is written in a file, without default values."""
        told: dict[str, Any] = {"lifetime": str(self.lifetime)}
        if self.downtime is not None:
            told["downtime"] = str(self.downtime)
        if self.processes != "all":
            told["processes"] = list(self.processes)
        told |= _span(self.begin, self.until)
        return {**told, "keep": True} if self.keep else told

    @classmethod
    def from_dict(cls, data: Any, file: Any = None, place: str = "") -> Churn:
        """Read the output of :meth:`to_dict`.

        Raises:
            BadInput: names the file and the place.
        """
        table = Table(data, ("processes", "lifetime", "downtime", "from", "until", "keep"), file=file, place=place)
        lifetime = _law(table, "lifetime", needed=True)
        assert lifetime is not None
        begin, until = _begins(table)
        with at(file, place):
            return cls(
                lifetime, _law(table, "downtime"), _processes(table, ("all",)), begin, until,
                table.get("keep", bool, False),
            )  # fmt: skip

    def interventions(self, network: Network, seed: int, number: int = 0, *, file: Any = None) -> list[Intervention]:
        """Return crashes and recoveries, by rising time; a recovered process crashes again after another lifetime.

        Raises:
            BadInput: a process does not exist, or there are too many crashes.
        """
        place, found = f"churn[{number}]", []
        for name in _chosen(self.processes, network, file, place):
            lives = _lengths(self.lifetime, stream_key(seed, "churn", str(number), name, "life"))
            down = None if self.downtime is None else _lengths(
                self.downtime, stream_key(seed, "churn", str(number), name, "down")
            )  # fmt: skip
            time = self.begin
            while (time := time + next(lives)) < self.until:
                found.append(Intervention(time, "crash", process=name))
                if down is None:
                    break
                time += next(down)
                found.append(Intervention(time, "recover", process=name, keep=self.keep))
                if len(found) > 2 * MOST:
                    raise BadInput(
                        f"there would be more than {MOST:,} crashes; choose an earlier end", file=file, place=place
                    )
        return sorted(found, key=lambda each: each.time)


# ---------------------------------------------------------------------- reading


def _law(table: Table, key: str, *, needed: bool = False) -> Distribution | None:
    value = table.data.get(key)
    if value is None and not needed:
        return None
    if value is None or isinstance(value, bool) or not isinstance(value, str | int | float):
        raise table.bad(key, f'must be a distribution such as "exponential(mean=10)", not {shown(value)}')
    return parse(value if isinstance(value, str) else repr(value), file=table.file, place=table.where(key))


def _begins(table: Table) -> tuple[float, float]:
    until = table.number("until")
    return float(table.number("from", 0.0)), math.inf if until is None else float(until)


def _processes(table: Table, words: Sequence[str]) -> str | tuple[str, ...]:
    value = table.data.get("processes", words[0])
    if isinstance(value, str) and value in words:
        return value
    if isinstance(value, list | tuple) and value and all(isinstance(each, str | int) for each in value):
        return tuple(str(each) for each in value)
    said = " or ".join(f'"{word}"' for word in words)
    raise table.bad("processes", f'must be {said}, or a list of processes such as ["3", "4"], not {shown(value)}')


def _timed(begin: float, until: float) -> None:
    if not until > begin:
        raise BadInput(f"must be later than the beginning at {begin:g}, not {until:g}", place="until")


def _mean(law: Distribution, place: str) -> None:
    if not law.mean > 0:
        raise BadInput("must take some time on average; write, for example, exponential(mean=10)", place=place)


def _span(begin: float, until: float) -> dict[str, float]:
    return {**({"from": begin} if begin else {}), **({"until": until} if math.isfinite(until) else {})}


def _chosen(processes: str | tuple[str, ...], network: Network, file: Any, place: str) -> tuple[str, ...]:
    if isinstance(processes, str):
        return tuple(network.processes)
    for name in processes:
        if name not in network.index:
            what = unknown_process(name, network.processes, network.name)
            raise BadInput(what, file=file, place=f"{place}.processes")
    return processes


# ---------------------------------------------------------------------- drawing


def _lengths(law: Distribution, key: int) -> Iterator[float]:
    first = 0
    while True:
        yield from law.draws([key], first, _BLOCK)[0].tolist()
        first += _BLOCK


def _times(law: Distribution, key: int, begin: float, until: float) -> Iterator[float]:
    time = begin
    for length in _lengths(law, key):
        time += length
        if time >= until:
            return
        yield time


def _uniform(seed: int, *names: str) -> Callable[[int], float]:
    """Return number n of a stream of numbers in (0, 1); the numbers are requested in order."""
    key, block = stream_key(seed, *names), [0.0]

    def draw(n: int) -> float:
        if n % _BLOCK == 0:
            block[:] = uniforms([key], n, _BLOCK)[0].tolist()
        return block[n % _BLOCK]

    return draw


def check_field(text: str) -> None:
    """Check that a field can be drawn as this text says, before there is a network.

    Raises:
        BadInput: the text looks like a distribution and is not valid.
    """
    _drawn(text, None, None, lambda n: 0.5)


_CALL = re.compile(r"(zipf|uniform|choice)\((.*)\)")


def _drawn(value: Any, declared: Any, network: Network | None, draw: Callable[[int], float]) -> Draw:
    """Return the way to find the value of a field for each command."""
    fit = str if declared in (str, "str") else (lambda x: x)
    if not isinstance(value, str):
        return lambda n: value
    if value.startswith("="):
        return lambda n: value[1:]
    if value == "number":
        return fit
    if value == "process":
        names = () if network is None else network.processes
        return lambda n: names[int(draw(n) * len(names))]
    call = _CALL.fullmatch(value.strip())
    if call is None:
        return lambda n: value
    word, parts = call[1], [part.strip() for part in call[2].split(",")]
    if word == "choice" and parts != [""]:
        some = [_number(part, part) for part in parts]
        return lambda n: fit(some[int(draw(n) * len(some))])
    numbers = [_number(part, None) for part in parts]
    if len(numbers) == 2 and None not in numbers:
        a, b = numbers
        if word == "uniform" and a <= b:
            if isinstance(a, int) and isinstance(b, int):
                return lambda n: fit(a + int(draw(n) * (b - a + 1)))
            return lambda n: fit(a + draw(n) * (b - a))
        if word == "zipf" and isinstance(a, int) and 1 <= a <= MOST and b >= 0:
            shares = list(accumulate(rank**-b for rank in range(1, a + 1)))
            return lambda n: fit(1 + bisect_left(shares, draw(n) * shares[-1]))
    examples = 'zipf(20, 1.0), uniform(1, 6) or choice(red, green); text that looks like a distribution begins with "="'
    raise BadInput(f"values cannot be chosen at random from {shown(value)}; write {examples}", place="fields")


def _number(text: str, other: Any) -> Any:
    try:
        return int(text)
    except ValueError:
        try:
            found = float(text)
        except ValueError:
            return other
        return found if math.isfinite(found) else other
