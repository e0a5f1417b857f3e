"""Interventions: what happens to an execution from outside, at a stated time.

A crash that an experiment file schedules, a message that somebody drops with the mouse and a command of the
protocol's user are the same kind of record, so that an execution with interference can be run again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.message import fitted
from lydian.model.reading import Table

if TYPE_CHECKING:
    from lydian.model.network import Network
    from lydian.model.protocol import Protocol

__all__ = ["HOWS", "KINDS", "Intervention"]

#: What can be done -> (keys it needs, keys it may have beside them).
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "crash": (("process",), ()),
    "recover": (("process",), ("keep",)),
    "link_down": (("link",), ("one_way",)),
    "link_up": (("link",), ("one_way",)),
    "partition": (("groups",), ("until",)),
    "heal": ((), ()),
    "drop": ((), ("message", "link", "label")),
    "delay": (("delay",), ("message", "link", "label")),
    "duplicate": ((), ("message", "link", "label")),
    "inject": (("link", "label"), ("fields",)),
    "corrupt": (("process", "variable"), ("value", "by")),
    "wake": (("process",), ()),
    "command": (("process", "label"), ("fields",)),
    "deliver": ((), ("message", "link", "label")),
    "hurry": (("process", "label"), ("fields",)),
    "edit": (("label", "fields"), ("message", "link")),
    "scramble": (("process",), ("seed",)),
    "retime": (("distribution",), ("link", "process")),
    "take_over": (("process",), ()),
    "release": (("process",), ()),
    "fire": (("process", "label"), ()),
    "byzantine": (("process",), ("how",)),
    "honest": (("process",), ()),
}
#: How a Byzantine process behaves -> what it does; the first is the usual one.
HOWS = {
    "lie": "changes the fields of what it sends",
    "two-faced": "tells one half of its neighbours the truth and the other half something else",
    "mute": "acts, but nothing that it sends leaves",
    "babble": "lies, and sends messages that nobody asked for",
}
_AIMED = ("drop", "delay", "duplicate", "deliver", "edit")
_KEYS = (
    "time", "after", "do", "process", "link", "message", "label", "variable", "value", "by", "delay", "fields", "keep",
    "seed", "distribution", "how", "groups", "until", "one_way",
)  # fmt: skip
_EXAMPLES = {
    "process": 'process = "3"',
    "link": 'link = "3-5"',
    "label": 'label = "Ack"',
    "variable": 'variable = "parent"',
    "delay": "delay = 2.0",
    "fields": "fields = {clock = 3}",
    "distribution": 'distribution = "uniform(2, 4)"',
    "groups": "groups = [[0, 1], [2, 3, 4]]",
}


@dataclass(frozen=True)
class Intervention:
    """One thing done to an execution from outside.

    Args:
        time: when, in simulated time; finite, not negative.
        do: what, one of :data:`KINDS`.
        process: name of the process (crash, recover, corrupt, scramble, wake, command, hurry, retime, take_over,
            release, fire, byzantine, honest).
        link: names of its two ends; for a message its sender and its receiver (drop, delay, duplicate, deliver, edit,
            inject).
        message: number of the message in transit (drop, delay, duplicate, deliver, edit).
        label: class of the message or command; of the timer or command that is pending, or ``"INIT"`` (hurry);
            name of the guarded action (fire).
        variable: name of the variable to overwrite, or ``"state"`` (corrupt).
        value: its new value; sets are given as lists; ``None`` (in a file: no ``value``) is Python's ``None``.
        by: by how much a number grows, whatever it is by then, instead of a new ``value`` (corrupt).
        delay: by how much a message arrives later; negative: earlier, but not before the intervention (delay).
        fields: fields of the message or command that differ from their defaults; those that change (edit).
        keep: whether a process recovers with the variables it had (recover).
        seed: what the new state and variables are drawn from, beside the experiment's own seed (scramble).
        distribution: what the delay of the link, or the time of a step of the process, is from now on (retime).
        how: how a Byzantine process behaves, one of :data:`HOWS`; ``None`` is the first (byzantine).
        groups: names of the processes of each group that is cut off from the others; those that are in none are
            together in one more (partition).
        until: when a partition is over by itself; ``None``: when it is healed (partition).
        one_way: whether a link is cut or restored from its first to its second end only (link_down, link_up).
        after: how many steps the execution had taken when it was done (a step is an event with what its action does,
            or one that leaves no trace).  Several may happen at one moment; ``time`` alone comes before all of them.

    Deliver lets a message arrive now, hurry lets a pending timer, command or wake happen now, fire lets a process
    execute an enabled rule.  A process that was taken over does nothing but what these choose, until it is released.
    A Byzantine process acts as its protocol says, and what it sends is changed, until it is honest again.

    Drop, delay, duplicate, deliver and edit aim at ``message``, or else at the oldest message in transit with this link
    and label, or, if there is none, at the next one sent.

    Raises:
        BadInput: a key is missing, has the wrong type, or does not belong to ``do``.
    """

    time: float
    do: str
    process: str | None = None
    link: tuple[str, str] | None = None
    message: int | None = None
    label: str | None = None
    variable: str | None = None
    value: Any = None
    delay: float | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    keep: bool = True
    seed: int = 0
    distribution: str | None = None
    after: int | None = None
    how: str | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    until: float | None = None
    one_way: bool = False
    by: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _plain(self.value, "value"))
        object.__setattr__(self, "fields", _plain(dict(self.fields), "fields"))
        if isinstance(self.time, bool) or not isinstance(self.time, int | float) or not _fine(self.time):
            raise BadInput(f"must be a finite number that is not negative, not {shown(self.time)}", place="time")
        object.__setattr__(self, "time", float(self.time))
        if self.do not in KINDS:
            hint = did_you_mean(self.do, KINDS) or f"; there are {', '.join(KINDS)}"
            raise BadInput(f"unknown intervention {shown(self.do)}{hint}", place="do")
        needed, possible = KINDS[self.do]
        object.__setattr__(self, "groups", tuple(tuple(str(name) for name in group) for group in self.groups))
        for key in needed:
            if getattr(self, key) is None or (key in ("fields", "groups") and not getattr(self, key)):
                example = 'label = "move"' if self.do == "fire" and key == "label" else _EXAMPLES[key]
                raise BadInput(f"{self.do} needs {key}; write for example {example}")
        for key, empty in _DEFAULTS.items():
            if key not in needed and key not in possible and getattr(self, key) != empty:
                known = ", ".join((*needed, *possible))
                raise BadInput(f"{self.do} has no {key}; it has {known}", place=key)
        if self.do in _AIMED and self.message is None and self.link is None and self.label is None:
            raise BadInput(f'{self.do} needs a message to aim at; write message = 7, or link = "3-5", or label = "Ack"')
        if self.do == "retime":
            if (self.link is None) is (self.process is None):
                raise BadInput('retime needs a link or a process; write link = "3-5", or process = "3"')
            _distribution(self.distribution)
        if self.groups:
            _apart(self.groups)
        if self.until is not None and not (_fine(self.until) and self.until > self.time):
            raise BadInput(f"must be a time after {self.time:g}, not {shown(self.until)}", place="until")
        if self.how is not None and self.how not in HOWS:
            hint = did_you_mean(self.how, HOWS) or f"; a process may {', '.join(HOWS)}"
            raise BadInput(f"unknown way to be Byzantine {shown(self.how)}{hint}", place="how")
        if self.after is not None and self.after < 0:
            raise BadInput(f"must be a number of steps (0, 1, 2 ...), not {self.after}", place="after")
        if self.message is not None and self.message < 0:
            raise BadInput(f"must be the number of a message (0, 1, 2 ...), not {self.message}", place="message")
        if self.by is not None and self.value is not None:
            raise BadInput("a variable gets a new value or changes by a number; write one of the two", place="by")
        if self.by is not None and (isinstance(self.by, bool) or not math.isfinite(self.by)):
            raise BadInput(f"must be a finite number, not {shown(self.by)}", place="by")
        if self.delay is not None and not math.isfinite(self.delay):
            raise BadInput(f"must be a finite number, not {shown(self.delay)}", place="delay")
        if self.link is not None and self.link[0] == self.link[1] and self.do not in (*_AIMED, "inject"):
            raise BadInput(f"the two ends are both {shown(self.link[0])}; a link joins two processes", place="link")

    def to_dict(self) -> dict[str, Any]:
        """The intervention as it stands in a file; what has its default value is left out."""
        result: dict[str, Any] = {"time": self.time, "do": self.do}
        if self.after is not None:
            result["after"] = self.after
        for key, empty in _DEFAULTS.items():
            value = getattr(self, key)
            if value == empty and type(value) is type(empty):
                continue
            if key == "link":
                value = "-".join(value) if all(end and "-" not in end for end in value) else list(value)
            if key == "groups":
                value = [list(group) for group in value]
            result[key] = dict(value) if key == "fields" else value
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
        table = Table(data, _KEYS, file=file, place=place)
        time = table.need("time", float, "time = 3.5")
        example = 'do = "command"' if place.startswith("workload") else 'do = "crash"'
        kind = table.get("do", str, do) if do is not None else table.need("do", str, example)
        link = None if "link" not in table else _link(table)
        fields = table.get("fields", dict, {})
        values = {
            "process": table.name("process"),
            "link": link,
            "message": table.get("message", int),
            "label": table.get("label", str),
            "variable": table.get("variable", str),
            "value": table.data.get("value"),
            "delay": table.get("delay", float),
            "fields": fields,
            "keep": table.get("keep", bool, True),
            "seed": table.get("seed", int, 0),
            "distribution": table.get("distribution", str),
            "after": table.get("after", int),
            "how": table.get("how", str),
            "by": table.data["by"] if isinstance(table.data.get("by"), int) else table.get("by", float),
            "groups": _groups(table) if "groups" in table else (),
            "until": table.get("until", float),
            "one_way": table.get("one_way", bool, False),
        }
        try:
            return cls(time, kind, **values)
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

        if self.process is not None:
            _known(self.process, network.index, "process", f"of network {network.name}", lambda w: refuse("process", w))
        if self.link is not None:
            for end in self.link:
                _known(end, network.index, "process", f"of network {network.name}", lambda w: refuse("link", w))
            itself = self.link[0] == self.link[1]
            anybody = (protocol.overlay or itself) and self.do in (*_AIMED, "inject")
            if not anybody and not _joined(network, *self.link, either=self.do in ("link_down", "link_up", "retime")):
                a, b = self.link
                raise refuse("link", f"network {network.name} has no link from {shown(a)} to {shown(b)}")
        for group in self.groups:
            for name in group:
                _known(name, network.index, "process", f"of network {network.name}", lambda w: refuse("groups", w))
        if self.do == "hurry":
            names = ("INIT", *(each.__name__ for each in (*protocol.timers, *protocol.commands)))
            of = f"of protocol {protocol.name}"
            _known(self.label, names, "timer or command", of, lambda w: refuse("label", w))
        elif self.do == "fire":
            rules = tuple(rule.name for rule in protocol.rules)
            _known(self.label, rules, "rule", f"of protocol {protocol.name}", lambda w: refuse("label", w))
        elif self.label is not None:
            of = f"of protocol {protocol.name}"
            classes = protocol.commands if self.do == "command" else protocol.messages
            word = "command" if self.do == "command" else "message"
            by_name = {c.__name__: c for c in classes}
            _known(self.label, by_name, word, of, lambda w: refuse("label", w))
            declared, defaults = by_name[self.label]._fields, by_name[self.label]._defaults
            for name in self.fields:
                _known(name, declared, "field", f"of {self.label}", lambda w: refuse("fields", w))
            absent = [name for name in declared if name not in defaults and name not in self.fields]
            if absent and self.do in ("inject", "command"):
                example = f"write fields = {{{absent[0]} = ...}}"
                raise refuse("fields", f"{self.label} needs {' and '.join(absent)}; {example}")
            try:
                if self.do in ("inject", "command"):
                    by_name[self.label]._from_file(self.fields)
                elif self.do == "edit":
                    by_name[self.label]._fitted(self.fields)
            except TypeError as error:
                raise refuse("fields", str(error)) from None
        if self.variable == "state":
            of = f"of protocol {protocol.name}"
            if self.by is not None:
                raise refuse("by", f"a state does not change by a number; write value = {shown(protocol.states[0])}")
            _known(self.value, protocol.states, "state", of, lambda w: refuse("value", w))
        elif self.variable is not None:
            names = (*protocol.variables, "state")
            of = f"of protocol {protocol.name}"
            _known(self.variable, names, "variable", of, lambda w: refuse("variable", w))
            variable = protocol.variables[self.variable]
            try:
                fitted(self.value if self.by is None else self.by, variable.type, variable.initial)
            except TypeError as error:
                raise refuse("value" if self.by is None else "by", str(error)) from None


#: Keys beside ``time`` and ``do`` -> value that is not written.
_DEFAULTS: dict[str, Any] = {
    "process": None, "link": None, "message": None, "label": None, "variable": None, "value": None,
    "delay": None, "fields": {}, "keep": True, "seed": 0, "distribution": None,
    "how": None, "groups": (), "until": None, "one_way": False, "by": None,
}  # fmt: skip


def _fine(value: float) -> bool:
    return math.isfinite(value) and value >= 0


def _distribution(text: Any) -> None:
    from lydian.model.delays import parse

    parse(text, place="distribution")


def _link(table: Table) -> tuple[str, str]:
    """``"3-5"`` or ``["3", "5"]``; the list is needed where a name contains a hyphen."""
    value = table.data["link"]
    ends = value.split("-") if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []
    ends = [str(end) if isinstance(end, int) and not isinstance(end, bool) else end for end in ends]
    if len(ends) != 2 or not all(isinstance(end, str) and end for end in ends):
        raise table.bad("link", f'must be the two ends of a link, "3-5" or ["3", "5"], not {shown(value)}')
    return ends[0], ends[1]


def _groups(table: Table) -> tuple[tuple[str, ...], ...]:
    value = table.data["groups"]
    good = isinstance(value, list | tuple) and all(
        isinstance(group, list | tuple)
        and all(isinstance(name, str | int) and not isinstance(name, bool) for name in group)
        for group in value
    )
    if not good:
        raise table.bad("groups", f"must be lists of processes such as [[0, 1], [2, 3, 4]], not {shown(value)}")
    return tuple(tuple(str(name) for name in group) for group in value)


def _apart(groups: tuple[tuple[str, ...], ...]) -> None:
    """Refuses an empty group, and a process that stands twice."""
    seen: set[str] = set()
    for group in groups:
        if not group:
            raise BadInput("a group has no process; write groups = [[0, 1], [2, 3, 4]]", place="groups")
        for name in group:
            if name in seen:
                what = f"process {shown(name)} is in two places; a process belongs to one group"
                raise BadInput(what, place="groups")
            seen.add(name)


def _plain(value: Any, place: str) -> Any:
    """A value as a file can hold it: sets become sorted lists and tuples lists.

    Raises:
        BadInput: a value that is no text, number, truth value, list or table of such, or is not a number (NaN).
    """
    if isinstance(value, set | frozenset):
        value = sorted(value, key=lambda item: (str(type(item)), item))
    if isinstance(value, list | tuple):
        return [_plain(item, place) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, float) and math.isnan(value):
        raise BadInput("must be a number, not nan", place=place)
    if value is not None and not isinstance(value, str | int | float | bool):
        raise BadInput(f"must be a text, a number, true or false, a list or a table, not {shown(value)}", place=place)
    return value


def _known(name: Any, known: Any, word: str, of: str, refuse: Callable[[str], BadInput]) -> None:
    names = [str(k) for k in known]
    if isinstance(name, str) and name in names:
        return
    some = ", ".join(names[:8]) + (" ..." if len(names) > 8 else "")
    hint = did_you_mean(name, names) or (f"; there are {some}" if names else "; it has none")
    raise refuse(f"unknown {word} {shown(name)} {of}{hint}")


def _joined(network: Network, source: str, target: str, *, either: bool) -> bool:
    there = network.link_between(source, target) is not None
    return there or (either and network.link_between(target, source) is not None)
