"""The daemon, which schedules guarded actions, and the initial configuration of a run.

In an experiment's file::

    daemon = "distributed"                       # or a table:
    [daemon]
    kind = "distributed"
    p = 0.3                                      # the probability with which each enabled process is chosen
    step = "exponential(mean=1)"                 # the time between two steps

    start = "any"                                # or a table:
    [start]
    any = true                                   # every process in a random state, with random values
    seed = 7                                     # other random values than with seed 0
    [start.processes."3"]                        # the initial values of process 3
    count = 4
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lydian.language import later
from lydian.model.delays import Constant, Distribution, parse
from lydian.model.errors import BadInput, did_you_mean, shown, unknown_process
from lydian.model.protocol.message import fitted
from lydian.model.reading import Table

if TYPE_CHECKING:
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["DAEMONS", "Daemon", "Start"]

#: Kind of daemon -> the processes that act.
DAEMONS: Mapping[str, str] = {
    "central": later("one enabled rule at a time, chosen at random"),
    "round-robin": later("one at a time: the next enabled process in the order of the network"),
    "distributed": later("a random choice of the enabled processes at once, all reading the old configuration"),
    "synchronous": later("all enabled processes at once, all reading the old configuration"),
    "adversarial": later("one at a time: the one after whose step most processes are enabled"),
    "user": later("no process until the user chooses one"),
}


@dataclass(frozen=True)
class Daemon:
    """The scheduler of guarded actions: it chooses the enabled rules to execute, and the time between two steps.

    Args:
        kind: one of :data:`DAEMONS`.
        step: the time from one step to the next, and from the moment when a rule becomes enabled to the first step.
        p: the probability with which each enabled process is chosen (distributed).
    """

    kind: str = "central"
    step: Distribution = field(default_factory=lambda: Constant(1.0))
    p: float = 0.5

    def __post_init__(self) -> None:
        if self.kind not in DAEMONS:
            hint = did_you_mean(self.kind, DAEMONS) or f"; choose from {', '.join(DAEMONS)}"
            raise BadInput(f"unknown daemon {shown(self.kind)}{hint}", place="daemon")
        if not self.step.mean > 0:
            raise BadInput("must take some time on average; write, for example, constant(1)", place="daemon.step")
        if isinstance(self.p, bool) or not isinstance(self.p, int | float) or not 0 < self.p <= 1:
            raise BadInput(f"must be a probability above 0 and at most 1, not {shown(self.p)}", place="daemon.p")

    def to_data(self) -> Any:
        """Return the daemon as it is written in a file: its kind, or a table."""
        plain = Daemon(self.kind)
        if self == plain:
            return self.kind
        told: dict[str, Any] = {"kind": self.kind}
        if self.step != plain.step:
            told["step"] = str(self.step)
        if self.p != plain.p:
            told["p"] = float(self.p)
        return told

    @classmethod
    def from_data(cls, value: Any, file: Any = None) -> Daemon:
        """Read the output of :meth:`to_data`.

        Raises:
            BadInput: names the file and the place.
        """
        if isinstance(value, str):
            value = {"kind": value}
        if not isinstance(value, Mapping):
            example = 'the name of a daemon such as "central", or a table'
            raise BadInput(f"must be {example}, not {shown(value)}", file=file, place="daemon")
        table = Table(dict(value), ("kind", "step", "p"), file=file, place="daemon")
        step = table.data.get("step", 1.0)
        if isinstance(step, bool) or not isinstance(step, str | int | float):
            raise table.bad("step", f'must be a distribution such as "uniform(0.5, 1.5)", not {shown(step)}')
        given = parse(step if isinstance(step, str) else repr(step), file=file, place="daemon.step")
        p = table.number("p", 0.5, what="a probability above 0 and at most 1")
        try:
            return cls(table.get("kind", str, "central"), given, p)
        except BadInput as error:
            raise BadInput(error.what, file=file, place=error.place) from None


@dataclass(frozen=True)
class Start:
    """The initial configuration of a run, if it is not that of the protocol's file.

    Args:
        any: whether every process starts in a random state, with random values in its variables.
        seed: the seed for these random choices, used in addition to the experiment's own.
        processes: process -> variable (or ``"state"``) -> its initial value.
    """

    any: bool = False
    seed: int = 0
    processes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise BadInput(f"must be a whole number, not {shown(self.seed)}", place="start.seed")
        object.__setattr__(self, "processes", {str(name): dict(each) for name, each in self.processes.items()})

    def __bool__(self) -> bool:
        return self.any or bool(self.processes)

    def to_data(self) -> Any:
        """Return the initial configuration as it is written in a file: ``"any"``, or a table."""
        if self.any and not self.seed and not self.processes:
            return "any"
        told: dict[str, Any] = {"any": True} if self.any else {}
        if self.seed:
            told["seed"] = self.seed
        if self.processes:
            told["processes"] = {name: dict(each) for name, each in self.processes.items()}
        return told

    @classmethod
    def from_data(cls, value: Any, file: Any = None) -> Start:
        """Read the output of :meth:`to_data`.

        Raises:
            BadInput: names the file and the place.
        """
        if value == "any":
            return cls(any=True)
        if not isinstance(value, Mapping):
            raise BadInput(f'must be "any" or a table, not {shown(value)}', file=file, place="start")
        table = Table(dict(value), ("any", "seed", "processes"), file=file, place="start")
        processes = table.get("processes", dict, {})
        for name, each in processes.items():
            if not isinstance(each, Mapping):
                raise table.bad("processes", f"{name} must be a table of variables such as {{count = 4}}")
        return cls(table.get("any", bool, False), table.get("seed", int, 0), processes)

    def check(self, network: Network, protocol: Protocol, *, file: Any = None) -> None:
        """Refuse values for something that the network or the protocol does not have.

        Raises:
            BadInput: names the file and the place.
        """
        if self.any and any(rule.points for rule in protocol.rules):
            what = f"the program of {protocol.title} starts at its first line; give single values in start.processes"
            raise BadInput(what, file=file, place="start")
        for name, values in self.processes.items():
            place = f"start.processes.{name}"
            if name not in network.index:
                raise BadInput(unknown_process(name, network.processes, network.name), file=file, place=place)
            for key, value in values.items():
                self.value(protocol.played(network.roles.get(name, "")), key, value, file=file, place=f"{place}.{key}")

    @staticmethod
    def value(protocol: Protocol, name: str, value: Any, *, file: Any = None, place: str = "start") -> Any:
        """Convert a value to the type of the variable.

        Raises:
            BadInput: the variable or state is unknown, or the value has another type.
        """
        if name == "state":
            if value not in protocol.states:
                known = f"; choose from {', '.join(protocol.states)}"
                what = f"unknown state {shown(value)}{did_you_mean(value, protocol.states) or known}"
                raise BadInput(what, file=file, place=place)
            return value
        variable = protocol.variables.get(name)
        if variable is None:
            known = did_you_mean(name, (*protocol.variables, "state"))
            raise BadInput(f"{protocol.title} has no variable {shown(name)}{known}", file=file, place=place)
        try:
            return fitted(value, variable.type, variable.initial)
        except TypeError as error:
            raise BadInput(str(error), file=file, place=place) from None
