"""An intervention (one change made to an execution from outside at a stated time) and the registry of all kinds."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.interventions.keys import AIM, KEYS, LINK, Key, ends_of
from lydian.model.protocol.message import Record, fitted
from lydian.model.reading import Table
from lydian.plugins import Registry

if TYPE_CHECKING:
    from lydian.model.delays import Distribution
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = [
    "KINDS", "TOOLS", "Drawn", "Engine", "Intervention", "Kind", "Moment", "Refuse", "Tool", "check_event",
    "check_value", "check_whole", "kind_of", "known", "register", "tools_for", "words_of",
]  # fmt: skip

#: A function from a key and a description of what is wrong with its value to the error to be raised.
Refuse = Callable[[str, str], BadInput]


@dataclass(frozen=True)
class Tool:
    """A tool with which the user intervenes; one tool may serve both a kind and the kind that undoes it.

    Attributes:
        name: the name of the tool in the program.
        title: the text of its button and tooltip.
        targets: the kinds of things it can be used on; ``nothing`` is the background.
        hint: what the user should do while the tool is active.
        lit: the kinds of things that are highlighted while the tool is active.
        menus: the kinds of things whose menus contain it; ``way`` is one direction of a link.
        icon: the name of its icon.
        bar: whether it has a button.
        dead: whether it can also be used on crashed processes.
        place: its position in menus, from 1.
        entry: its label in the menu *Faults*, with its mnemonic; the default is its title; ``None``: it is not in
            that menu.
        keys: the shortcut of that entry.
        help: what the entry does to the selection, without a full stop; the default is its title.
        gap: whether a separator precedes the entry.
    """

    name: str
    title: str
    targets: tuple[str, ...]
    hint: str
    lit: tuple[str, ...]
    menus: tuple[str, ...]
    place: int = 100
    icon: str = ""
    bar: bool = False
    dead: bool = True
    entry: str | None = ""
    keys: str = ""
    help: str = ""
    gap: bool = False


class Drawn(NamedTuple):
    """A field with which a batch varies the number of faults of a kind.

    Attributes:
        field: the name of the field.
        title: its label.
        among: the processes or links from which the targets are drawn.
        time: the times of the faults.
    """

    field: str
    title: str
    among: str
    time: str


class Kind:
    """One kind of intervention; each kind is a subclass that is passed to :func:`register`.

    Texts with braces may contain each key of the intervention, and the words that :func:`words_of` adds to them.

    Attributes:
        name: the value of ``do`` in a file.
        needs, may: its required and its optional keys.
        example: a key and an example for it, if that differs from the example of the key itself.
        aim: the kind of its target: process, link, message or nothing.
        living: whether the process must not have crashed.
        to_itself: whether both ends of the link may be the same process.
        often: whether it may be applied to one target several times in one round.
        of_user: whether it is an action of a user and not a fault.
        undone_by: the name of the kind that undoes it; "" if there is none.
        breaks: the names of the assumptions that it violates, whatever the protocol assumes.
        breaking: what happens then, as a clause; remedy: the end of that sentence.
        overwrites: whether it changes variables of the process.
        unsearchable: what the explorer cannot search, as the object of a sentence; "" if the explorer can ignore this
            kind.
        sort: down, up, message, state or step; each sort has its own symbol.
        order: the command to apply it to one target, and to ``{n}`` at once: ``crash 3``, ``crash 2 processes``.
        branch: the name of a branch in which it is applied to one target, and to ``{n}`` at once; in English, as it is
            written to files.
        happened: what happened to one target, and to several: ``{who}``, ``{n}``; "" for several: the text for one
            target is preceded by the number of times.
        coming: the text of a card while it is only planned, with ``{who}``.
        planned: the text in a list of faults, with ``{where}``; the default is its name.
        row: what its row in a trace says about the process.
        tool: the tool with which the user applies it.
        menu: its label in a menu, and a full description; for messages, the latter contains ``{message}``, and a third
            text describes what happens to the next message sent.
        form: the name of the form that asks for its keys; "" for the standard form, which appears if it needs keys
            other than its target.
        listed: its labels in the list of faults that can be added, and the keys that each label sets.
        drawn: its label where faults are drawn anew for each run; "" if it is not offered there.
        varied: how a batch varies the number of such faults.
    """

    name: ClassVar[str]
    needs: ClassVar[tuple[Key, ...]] = ()
    may: ClassVar[tuple[Key, ...]] = ()
    example: ClassVar[tuple[str, str]] = ("", "")
    aim: ClassVar[str] = "process"
    living: ClassVar[bool] = False
    to_itself: ClassVar[bool] = False
    often: ClassVar[bool] = False
    of_user: ClassVar[bool] = False
    undone_by: ClassVar[str] = ""
    breaks: ClassVar[tuple[str, ...]] = ()
    breaking: ClassVar[str] = ""
    remedy: ClassVar[str] = "; remove it from the faults"
    overwrites: ClassVar[bool] = False
    unsearchable: ClassVar[str] = ""
    sort: ClassVar[str] = "step"
    order: ClassVar[tuple[str, str]] = (tr("interfere with {process}{link}"), tr("interfere with {n} parts"))
    branch: ClassVar[tuple[str, str]]
    happened: ClassVar[tuple[str, str]]
    coming: ClassVar[str]
    planned: ClassVar[str] = ""
    row: ClassVar[str] = ""
    tool: ClassVar[Tool | None] = None
    menu: ClassVar[tuple[str, ...]] = ("", "", "")
    form: ClassVar[str] = ""
    listed: ClassVar[tuple[tuple[str, Mapping[str, Any]], ...]] = ()
    drawn: ClassVar[str] = ""
    varied: ClassVar[Drawn | None] = None

    @property
    def keys(self) -> tuple[Key, ...]:
        """All keys of this kind, the required ones first."""
        return (*self.needs, *self.may)

    @property
    def hits_links(self) -> bool:
        """Whether links, not processes, are drawn when a batch chooses the targets at random."""
        needed, possible = ([key.name for key in keys] for keys in (self.needs, self.may))
        return "link" in needed or ("process" not in needed and "link" in possible)

    # ------------------------------------------------------------------ its keys

    def fitting(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the given keys that belong to this kind, without those that have their default values.

        Raises:
            BadInput: a required key is missing, or a key does not belong to this kind.
        """
        for key in self.needs:
            if given.get(key.name) is None or given[key.name] == key.empty:
                example = self.example[1] if key.name == self.example[0] else key.example
                raise BadInput(f"{self.name} needs {key.name}; write, for example, {example}")
        own = {key.name: key for key in self.keys}
        for name, value in given.items():
            if name not in KEYS:
                raise TypeError(f"an intervention has no {name}")
            if name not in own and value != KEYS[name].empty:
                raise BadInput(f"unknown key {name} of {self.name}; choose from {', '.join(own)}", place=name)
        kept = {name: given.get(name, key.empty) for name, key in own.items()}
        return {
            name: value for name, value in kept.items()
            if value != own[name].empty or type(value) is not type(own[name].empty)
        }  # fmt: skip

    def check_keys(self, what: Intervention) -> None:
        """Refuse keys that exclude each other, and invalid values.

        Raises:
            BadInput: names the key.
        """

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        """Refuse an intervention that names something that the network or the protocol does not have.

        Raises:
            BadInput: the error that ``refuse`` returns.
        """
        if what.process is not None:
            known(what.process, network.index, "process", f"of network {network.name}", "process", refuse)
        if what.link is not None:
            for end in what.link:
                known(end, network.index, "process", f"of network {network.name}", "link", refuse)
            if not self.joined(what, network, protocol):
                a, b = what.link
                raise refuse("link", f"network {network.name} has no link from {shown(a)} to {shown(b)}")

    def joined(self, what: Intervention, network: Network, protocol: Protocol) -> bool:
        """Return True if a link of the network joins the two ends, in either direction, or if none is needed."""
        a, b = what.link
        return network.link_between(a, b) is not None or network.link_between(b, a) is not None

    def strains(self, what: Intervention, initiators: Collection[str]) -> bool:
        """Return True if this intervention violates the assumptions that its kind can violate."""
        return True

    # ------------------------------------------------------------------ in an execution

    def subject(self, what: Intervention) -> Any:
        """Return the target; another intervention with the same target in the same round is too late."""
        if what.message is not None:
            return what.message
        return what.process, what.link, what.variable, None

    def event(self, what: Intervention, protocol: Protocol) -> Any:
        """Return the event that the process handles if a user acts: ``INIT`` or a command; otherwise ``None``."""

    def against_rounds(self, what: Intervention) -> str:
        """Return the reason why it is impossible if processes act in rounds; "" if it is possible."""
        return ""

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        """Return the reason why it is impossible now, or ``None``; the caller checks the message and crashes."""
        return None

    def apply(self, what: Intervention, engine: Engine) -> None:
        """Carry it out with the methods of the engine."""
        raise NotImplementedError

    # ------------------------------------------------------------------ in words

    def ordered(self, what: Mapping[str, Any]) -> str:
        """Return the command for one intervention of this kind, with words in braces."""
        return self.order[0]

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        """Return a clause that says what happened.

        Args:
            what: the intervention as in a file.
            words: the replacements of the words in braces. In addition to those of :func:`words_of` there are
                ``aim`` (the message concerned), and ``later``, ``by`` and ``until``, written as numbers in a sentence,
                without their signs.
        """
        return self.happened[0].format_map(words)

    def told_many(self, who: str, n: int) -> str:
        """Return a clause that says what happened to several targets, or ``""``."""
        return self.happened[1].format(who=who, n=n)

    def plan(self, what: Intervention) -> str:
        """Return what happens and when, for a list of faults: ``process 9 crashes at 5``."""
        link = ("->" if what.one_way else "-").join(what.link or ())
        where = tr("process {process}", process=what.process) if what.process is not None else link or tr("a message")
        event = (self.planned or f"{self.name} {{where}}").format(where=where)
        return tr("{event} at {time:g}", event=event, time=what.time)

    def row_of(self, record: Mapping[str, Any], label: str, peer: str) -> str:
        """Return what its row in a trace says about the process, given the record of the intervention."""
        return self.row or self.name

    # ------------------------------------------------------------------ in the window

    def lasts(self, now: Moment, process: int) -> bool:
        """Return True if it has been applied to a process and still lasts, so that the tool undoes it."""
        return False

    def aimed_at(self, where: str) -> Mapping[str, Any]:
        """Return the key that a text about its target means: a process or a link."""
        return {"process" if self.aim == "process" else "link": where}


class _Kinds(Registry[Kind]):
    def register(self, kind: Kind | type[Kind]) -> Kind:
        kind = kind() if isinstance(kind, type) else kind
        for key in kind.keys:
            if KEYS.get(key.name, key) is not key:
                raise ValueError(f"the intervention key {key.name!r} already exists; use that one")
        super().register(kind)
        KEYS.update({key.name: key for key in kind.keys})
        return kind

    def discard(self, name: str) -> None:
        gone = self._things.pop(name, None)
        left = {key.name for kind in self._things.values() for key in kind.keys}
        for key in gone.keys if gone is not None else ():
            if key.name not in left:
                KEYS.pop(key.name, None)


class _Tools(Mapping[str, Tool]):
    def __getitem__(self, name: str) -> Tool:
        for tool in self._all():
            if tool.name == name:
                return tool
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(tool.name for tool in self._all()))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def _all(self) -> Iterator[Tool]:
        len(KINDS)  # loads all kinds
        return (kind.tool for kind in tuple(KINDS.registered.values()) if kind.tool is not None)


#: All kinds by name, in the order in which sentences list them.
KINDS = _Kinds("lydian.interventions", Kind)
#: The tools of all kinds by name.
TOOLS: Mapping[str, Tool] = _Tools()


def register(kind: Kind | type[Kind]) -> None:
    """Register a kind: from then on it is available in files, runs, batches, sentences and menus.

    Raises:
        ValueError: another kind has the same name, or another key has the name of one of its keys.
    """
    KINDS.register(kind)


def kind_of(tool: str) -> Kind:
    """Return the kind that a tool applies, not the kind that undoes it."""
    return next(kind for kind in KINDS.values() if kind.tool is TOOLS[tool])


def tools_for(menu: str) -> list[Tool]:
    """Return the tools in the menu of a kind of thing, those made for it first; for ``"bar"``, those with a button."""
    found = [tool for tool in TOOLS.values() if (tool.bar if menu == "bar" else menu in tool.menus)]
    return sorted(found, key=lambda tool: (menu != "bar" and menu not in tool.lit, tool.place))


def known(name: Any, among: Any, word: str, of: str, key: str, refuse: Refuse) -> None:
    """Refuse a name that is not in a collection, with an error that lists the names to choose from."""
    names = [str(each) for each in among]
    if isinstance(name, str) and name in names:
        return
    some = ", ".join(names[:8]) + (" ..." if len(names) > 8 else "")
    hint = did_you_mean(name, names) or (f"; choose from {some}" if names else "; there are none to choose from")
    raise refuse(key, f"unknown {word} {shown(name)} {of}{hint}")


def check_event(
    what: Intervention, protocol: Protocol, classes: Sequence[type[Record]], word: str, refuse: Refuse
) -> type[Record]:
    """Return the class of messages or commands that an intervention names; refuse fields that it does not have."""
    by_name = {each.__name__: each for each in classes}
    known(what.label, by_name, word, f"of protocol {protocol.name}", "label", refuse)
    cls = by_name[what.label]
    for name in what.fields:
        known(name, cls._fields, "field", f"of {what.label}", "fields", refuse)
    return cls


def check_whole(what: Intervention, cls: type[Record], refuse: Refuse) -> None:
    """Refuse fields that do not form a complete message or command."""
    absent = [name for name in cls._fields if name not in cls._defaults and name not in what.fields]
    if absent:
        example = f"write fields = {{{absent[0]} = ...}}"
        raise refuse("fields", f"{what.label} needs {' and '.join(absent)}; {example}")
    try:
        cls._from_file(what.fields)
    except TypeError as error:
        raise refuse("fields", str(error)) from None


def check_value(what: Intervention, protocol: Protocol, refuse: Refuse) -> None:
    """Refuse a value that the variable or the state cannot have."""
    of = f"of protocol {protocol.name}"
    if what.variable == "state":
        if what.by is not None:
            raise refuse("by", f"a state cannot be changed by a number; write value = {shown(protocol.states[0])}")
        known(what.value, protocol.states, "state", of, "value", refuse)
        return
    known(what.variable, (*protocol.variables, "state"), "variable", of, "variable", refuse)
    variable = protocol.variables[what.variable]
    try:
        fitted(what.value if what.by is None else what.by, variable.type, variable.initial)
    except TypeError as error:
        raise refuse("value" if what.by is None else "by", str(error)) from None


def words_of(what: Mapping[str, Any]) -> dict[str, str]:
    """Return the replacements of the words in braces in the texts of a kind: each key, ``""`` for absent ones.

    They include ``a`` and ``b``, the ends of a link, also as ``sender`` and ``receiver``, and ``which``: a message such
    as ``Ack 7`` or ``Ack 3-5``.
    """
    words = {name: str(what.get(name, "")) for name in {**KEYS, **what}}
    a, b = ends_of(what.get("link")) or ("?", "?")
    link, label, message = f"{a}-{b}" if what.get("link") else "", what.get("label") or "", what.get("message")
    if label:
        which = f"{label} {link if message is None else message}".strip()
    elif message is not None:
        which = tr("message {number}", number=message)
    else:
        which = tr("message {link}", link=link) if link else tr("message")
    return words | {
        "a": a, "b": b, "sender": a, "receiver": b, "link": link, "which": which, "label": label,
        "process": what.get("process") or "",
        "groups": " | ".join(", ".join(map(str, group)) for group in what.get("groups") or ()),
    }  # fmt: skip


@dataclass(frozen=True, init=False)
class Intervention:
    """One change made to an execution from outside.

    Args:
        time: the simulated time; finite and not negative.
        do: the name of one of :data:`~lydian.model.interventions.KINDS`.
        process: the name of the process, if the intervention is applied to one.
        after: the number of steps that the execution had taken before the intervention (a step is an event with
            everything its action does, or an event without a row in the trace). Several steps may happen at one time;
            an intervention that has only a ``time`` precedes all of them.
        author: what the person who made it is called, in a run of a class; "" for the only user.
        keys: the other keys of its kind; or each key can be given by its own name::

            Intervention(2.0, "link_down", link=("3", "5"), one_way=True)

    Each key is also an attribute; a key that the intervention does not have contains its default value.

    Raises:
        BadInput: a key is missing, has the wrong type, or does not belong to ``do``.
    """

    time: float
    do: str
    after: int | None
    keys: Mapping[str, Any]
    author: str

    def __init__(
        self, time: float, do: str, process: str | None = None, *, after: int | None = None,
        keys: Mapping[str, Any] | None = None, author: str = "", **values: Any,
    ) -> None:  # fmt: skip
        if isinstance(time, bool) or not isinstance(time, int | float) or not (math.isfinite(time) and time >= 0):
            raise BadInput(f"must be a finite number that is not negative, not {shown(time)}", place="time")
        kind = KINDS.get(do)
        if kind is None:
            hint = did_you_mean(do, KINDS) or f"; choose from {', '.join(KINDS)}"
            raise BadInput(f"unknown intervention {shown(do)}{hint}", place="do")
        given = {**(keys or {}), **values}
        if process is not None:
            given["process"] = process
        given = {name: KEYS[name].plain(value) if name in KEYS else value for name, value in given.items()}
        object.__setattr__(self, "time", float(time))
        object.__setattr__(self, "do", do)
        object.__setattr__(self, "after", after)
        object.__setattr__(self, "keys", kind.fitting(given))
        object.__setattr__(self, "author", author)
        self._check_keys(kind)

    def _check_keys(self, kind: Kind) -> None:
        if self.after is not None and self.after < 0:
            raise BadInput(f"must be a number of steps such as 0, not {self.after}", place="after")
        kind.check_keys(self)
        for name, value in self.keys.items():
            wrong = "" if value is None else KEYS[name].check(value)
            if wrong:
                raise BadInput(wrong, place=name)
        if LINK.name in self.keys and self.link[0] == self.link[1] and not kind.to_itself:
            raise BadInput(f"both ends are {shown(self.link[0])}; a link must join two processes", place="link")

    def __getattr__(self, name: str) -> Any:
        if name not in KEYS:
            raise AttributeError(f"an intervention has no {name}")
        return self.keys.get(name, KEYS[name].empty)

    @property
    def kind(self) -> Kind:
        """The kind of this intervention."""
        return KINDS[self.do]

    def to_dict(self) -> dict[str, Any]:
        """Return the intervention as it is written in a file, without keys that have their default values."""
        result: dict[str, Any] = {"time": self.time, "do": self.do}
        if self.after is not None:
            result["after"] = self.after
        aim = [key.name for key in AIM if key.name in self.keys]
        for name in (*aim, *(name for name in self.keys if name not in aim)):
            result[name] = KEYS[name].write(self.keys[name])
        if self.author:
            result["author"] = self.author
        return result

    @classmethod
    def from_dict(
        cls, data: Any, file: Path | str | None = None, place: str = "", *, do: str | None = None
    ) -> Intervention:
        """Read the output of :meth:`to_dict`.

        Args:
            data: the table.
            file: the file that contains it, for errors.
            place: its place in that file, such as ``"faults[2]"``.
            do: the kind if the table does not name one.

        Raises:
            BadInput: names the file and the place.
        """
        if isinstance(data, Mapping) and isinstance(data.get("do"), str):
            KINDS.get(data["do"])  # loads a kind of another package, which registers its keys
        table = Table(data, ("time", "after", "do", "author", *KEYS), file=file, place=place)
        time = table.need("time", float, "time = 3.5")
        example = 'do = "command"' if place.startswith("workload") else 'do = "crash"'
        kind = table.get("do", str, do) if do is not None else table.need("do", str, example)
        values = {name: key.read_from(table) for name, key in KEYS.items() if name in table}
        after = table.get("after", int)
        try:
            return cls(time, kind, after=after, keys=values, author=table.get("author", str, ""))
        except BadInput as error:
            inner = place if error.place is None else f"{place}.{error.place}" if place else error.place
            raise BadInput(error.what, file=file, place=inner) from None

    def check(self, network: Network, protocol: Protocol, *, file: Path | str | None = None, place: str = "") -> None:
        """Refuse an intervention that names something that the network or the protocol does not have.

        Raises:
            BadInput: a process, link, label, variable, state or field is unknown, or a value has the wrong type.
        """

        def refuse(key: str, what: str) -> BadInput:
            return BadInput(what, file=file, place=f"{place}.{key}" if place else key)

        self.kind.check(self, network, protocol, refuse)


Link = tuple[str, str]


class Engine(typing.Protocol):
    """The methods with which interventions are carried out; processes and links are given by name.

    A message is specified by the keys ``message``, ``link`` and ``label`` of the intervention: it is the oldest
    matching message in transit or, if there is none, the next matching message sent.
    """

    # queries

    def crashed(self, process: str) -> bool: ...
    def taken(self, process: str) -> bool: ...
    def busy(self, process: str) -> bool: ...
    def lying(self, process: str) -> str | None: ...
    def enabled(self, process: str, rule: str) -> bool: ...
    def down(self, link: Link, one_way: bool) -> bool: ...
    def separates(self, groups: tuple[tuple[str, ...], ...]) -> bool: ...
    def parted(self) -> bool: ...
    def undeliverable(self, aim: Intervention) -> str | None: ...
    def pending(self, process: str, label: str, fields: Mapping[str, Any]) -> bool: ...
    def no_cell(self, process: str, label: str, fields: Mapping[str, Any]) -> str | None: ...

    # changes to processes

    def crash(self, process: str) -> None: ...
    def recover(self, process: str, keep: bool) -> None: ...
    def wake(self, process: str) -> None: ...
    def command(self, process: str, label: str, fields: Mapping[str, Any]) -> None: ...
    def set_state(self, process: str, state: str) -> None: ...
    def set_variable(self, process: str, name: str, value: Any) -> None: ...
    def add_to_variable(self, process: str, name: str, by: float) -> None: ...
    def scramble(self, process: str, seed: int) -> None: ...
    def take_over(self, process: str) -> None: ...
    def release(self, process: str) -> None: ...
    def hurry(self, process: str, label: str, fields: Mapping[str, Any]) -> None: ...
    def fire(self, process: str, rule: str) -> None: ...
    def make_lie(self, process: str, how: str) -> None: ...
    def make_honest(self, process: str) -> None: ...
    def retime_process(self, process: str, law: Distribution) -> None: ...

    # changes to links

    def cut(self, link: Link, one_way: bool) -> None: ...
    def restore(self, link: Link, one_way: bool) -> None: ...
    def partition(self, groups: tuple[tuple[str, ...], ...], until: float | None) -> None: ...
    def heal(self) -> None: ...
    def retime_link(self, link: Link, law: Distribution) -> None: ...

    # changes to messages

    def drop(self, aim: Intervention) -> None: ...
    def delay(self, aim: Intervention, by: float) -> None: ...
    def duplicate(self, aim: Intervention) -> None: ...
    def deliver(self, aim: Intervention) -> None: ...
    def edit(self, aim: Intervention, fields: Mapping[str, Any]) -> None: ...
    def inject(self, link: Link, label: str, fields: Mapping[str, Any]) -> None: ...

    # rows in the trace

    def record(self, what: Intervention) -> None:
        """Write the row of an intervention that is not an event of any process, at its process or its link."""


class Moment(typing.Protocol):
    """One moment of an execution: the processes that have crashed or lie (by number), or are taken over (by name)."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def crashed(self) -> Any: ...
    @property
    def liars(self) -> Mapping[int, str]: ...
    @property
    def taken(self) -> frozenset[str]: ...
