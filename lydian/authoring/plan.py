"""The plan of a new protocol: states, events, and the action of each cell, described without Python.

:func:`written` turns a plan into a file that can be run. :meth:`Plan.with_states` and :meth:`Plan.with_events` keep
the cells when the names in the plan change, for example a state in the middle of the list or a letter in a name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lydian.authoring.cannot import choose_cell, open_cells
from lydian.authoring.celledits import function_name
from lydian.authoring.ready import add_property
from lydian.authoring.skeleton import CellPlan, EventPlan, skeleton
from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean
from lydian.model.source.draft import Draft, read
from lydian.model.source.outline import Field
from lydian.model.source.syntax import tree_of
from lydian.model.source.text import Edit, apply_edits

__all__ = [
    "WHOM",
    "CellEffect",
    "ProtocolPlan",
    "Sending",
    "events_in",
    "events_text",
    "fields_in",
    "words_in",
    "written",
]

Cell = tuple[str, str]
#: Possible receivers of a message -> their description.
WHOM = {
    "all": tr("all neighbours"),
    "others": tr("all neighbours but the sender"),
    "sender": tr("the sender"),
    "one": tr("the first neighbour"),
}
#: Type of a field -> a value for it if it has none.
_VALUES = {"int": "0", "float": "0.0", "bool": "False", "str": '""', "bytes": 'b""', "tuple": "()", "list": "[]",
           "set": "set()", "frozenset": "frozenset()", "dict": "{}"}  # fmt: skip


@dataclass(frozen=True)
class Sending:
    """A message and its receivers (one of :data:`WHOM`), or a timer that expires ``after`` a time."""

    event: str
    to: str = "all"
    after: float = 1.0


@dataclass(frozen=True)
class CellEffect:
    """The effect of a cell.

    Attributes:
        kind: ``action``, ``ignore`` or ``impossible`` (it cannot happen).
        function: the name of the function; "" for an automatic name.
        then: the state afterwards; "" if it does not change.
        sends: the messages to send and the timers to set.
        lines: further lines of Python, before the sends.
    """

    kind: str = "action"
    function: str = ""
    then: str = ""
    sends: tuple[Sending, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProtocolPlan:
    """The plan of a protocol; ``properties`` are the names of ready-made properties with their parameters."""

    name: str
    about: str = ""
    states: tuple[str, ...] = ()
    messages: tuple[EventPlan, ...] = ()
    timers: tuple[EventPlan, ...] = ()
    commands: tuple[EventPlan, ...] = ()
    deeds: Mapping[Cell, CellEffect] = field(default_factory=dict)
    needs: tuple[str, ...] = ("connected",)
    formula: str = ""
    variables: tuple[Field, ...] = ()
    properties: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    @property
    def events(self) -> tuple[str, ...]:
        return ("INIT", *(e.name for e in (*self.messages, *self.timers, *self.commands)))

    def kind_of(self, event: str) -> str:
        """Return the kind of an event: init, message, timer or command."""
        groups = {"message": self.messages, "timer": self.timers, "command": self.commands}
        return next((kind for kind, es in groups.items() if any(e.name == event for e in es)), "init")

    def with_states(self, states: Sequence[str]) -> ProtocolPlan:
        """Return the plan with other states; a new state in the place of an old one gets its cells."""
        new = _renames(self.states, states)
        deeds = {
            (new.get(s, s), e): replace(deed, then=new.get(deed.then, deed.then)) for (s, e), deed in self.deeds.items()
        }
        properties = tuple((key, {n: _renamed(v, new) for n, v in values.items()}) for key, values in self.properties)
        return replace(self, states=tuple(states), deeds=deeds, properties=properties)

    def with_events(self, kind: str, events: Sequence[EventPlan]) -> ProtocolPlan:
        """Return the plan with other events of a kind; a new event in the place of an old one gets its cells."""
        old: tuple[EventPlan, ...] = getattr(self, f"{kind}s")
        new = _renames([e.name for e in old], [e.name for e in events])
        deeds = {
            (s, new.get(e, e)): replace(
                deed, sends=tuple(replace(one, event=new.get(one.event, one.event)) for one in deed.sends)
            )
            for (s, e), deed in self.deeds.items()
        }
        docs = {new.get(e.name, e.name): e.doc for e in old if new.get(e.name, e.name) == e.name}
        changed: Any = {f"{kind}s": tuple(replace(e, doc=e.doc or docs.get(e.name, "")) for e in events)}
        return replace(self, deeds=deeds, **changed)

    def with_deed(self, cell: Cell, deed: CellEffect | None) -> ProtocolPlan:
        """Return the plan with another choice for a cell (``None``: open); all cells of a function have one effect."""
        deeds = dict(self.deeds)
        if deed is None:
            deeds.pop(cell, None)
        else:
            deeds[cell] = deed
            for other, there in deeds.items():
                if deed.function and there.function == deed.function and other in self.cells:
                    deeds[other] = replace(there, then=deed.then, sends=deed.sends, lines=deed.lines, kind=deed.kind)
        return replace(self, deeds=deeds)

    def with_function(self, old: str, new: str) -> ProtocolPlan:
        """Return the plan with a function renamed."""
        deeds = {c: replace(d, function=new) if d.function == old else d for c, d in self.deeds.items()}
        return replace(self, deeds=deeds)

    @property
    def cells(self) -> dict[Cell, CellEffect]:
        """Return the effects of the cells that the table has."""
        return {c: d for c, d in self.deeds.items() if c[0] in self.states and c[1] in self.events}


def _renames(old: Sequence[str], new: Sequence[str]) -> dict[str, str]:
    """Return old name -> new name for each name that was replaced by another in its place."""
    return {a: b for a, b in zip(old, new, strict=False) if a not in new and b not in old}


def _renamed(value: Any, new: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return new.get(value, value)
    return [new.get(each, each) for each in value] if isinstance(value, (list, tuple)) else value


# -- reading typed text -----------------------------------------------------------------------------------------------


def words_in(text: str) -> tuple[str, ...]:
    """Read names separated by commas: ``idle, waiting for 3, done``."""
    words = tuple(" ".join(word.split()) for word in text.split(",") if word.strip())
    twice = next((word for word in words if words.count(word) > 1), None)
    if twice is not None:
        raise BadInput(tr("'{name}' appears twice; rename one of them", name=twice))
    return words


def fields_in(text: str, place: str = "") -> tuple[Field, ...]:
    """Read fields as written in a file: ``hops: int, text: str = ""``; a name alone is an ``int``."""
    if not text.strip():
        return ()
    try:
        tree = tree_of(f"def f(*, {text.strip()}): pass")
        arguments = tree.body[0].args if isinstance(tree.body[0], ast.FunctionDef) else None
    except (SyntaxError, ValueError):
        arguments = None
    if arguments is None or arguments.args or arguments.kwarg or "\n" in text or ")" in re.sub(r"\(.*\)", "", text):
        raise BadInput(
            tr("write fields as name: type, with commas between them, for example hops: int"), place=place or None
        )
    return tuple(
        Field(a.arg, ast.unparse(a.annotation) if a.annotation else "int", None if d is None else ast.unparse(d))
        for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    )


def events_in(text: str) -> tuple[EventPlan, ...]:
    """Read events separated by commas, with their fields: ``News, Ack(hops: int)``."""
    found: list[EventPlan] = []
    depth, start = 0, 0
    for at, letter in enumerate(text + ","):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth <= 0:
            part, start = text[start:at].strip(), at + 1
            if not part:
                continue
            match = re.fullmatch(r"(\w+)\s*(?:\((.*)\))?", part, re.DOTALL)
            if match is None:
                raise BadInput(
                    tr("'{text}' is not a name with fields; write, for example, News or Ack(hops: int)", text=part)
                )
            name = match[1][:1].upper() + match[1][1:]
            found.append(EventPlan(name, fields_in(match[2] or "", name)))
    if depth > 0:
        raise BadInput(tr("a bracket is not closed; write, for example, Ack(hops: int)"))
    names = [each.name for each in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(tr("'{name}' appears twice; rename one of them", name=twice))
    return tuple(found)


def events_text(events: Iterable[EventPlan]) -> str:
    """Return events as a user types them."""
    parts = []
    for each in events:
        fields = ", ".join(f"{f.name}: {f.type}" + (f" = {f.default}" if f.default else "") for f in each.fields)
        parts.append(f"{each.name}({fields})" if fields else each.name)
    return ", ".join(parts)


# -- the file ---------------------------------------------------------------------------------------------------------


def written(plan: ProtocolPlan) -> str:
    """Return the file of a plan.

    Raises:
        BadInput: a name or a cell is not allowed; the error names it and the reason.
    """
    cells = plan.cells
    taken = {deed.function for deed in cells.values() if deed.function}
    deeds: dict[Cell, CellEffect] = {}
    for cell in sorted(cells, key=lambda c: (plan.states.index(c[0]), plan.events.index(c[1]))):
        deed = cells[cell]
        if deed.kind == "action" and not deed.function:
            deed = replace(deed, function=function_name(*cell, taken))
            taken.add(deed.function)
        deeds[cell] = deed
    source = skeleton(
        plan.name, plan.states, plan.messages, plan.timers, plan.commands,
        {
            c: CellPlan(d.kind, d.function if d.kind == "action" else "", d.then if d.then in plan.states else "")
            for c, d in deeds.items() if d.kind in ("action", "ignore")
        },
        about=plan.about, needs=plan.needs, formula=plan.formula or None, variables=plan.variables,
    )  # fmt: skip
    done: dict[str, CellEffect] = {}
    for deed in deeds.values():
        if deed.kind == "action" and (deed.sends or deed.lines):
            done.setdefault(deed.function, deed)
    for name, deed in done.items():
        source = _with_body(plan, source, name, deed)
    for cell, deed in deeds.items():
        if deed.kind == "impossible" and cell in open_cells(read(source)):
            source = choose_cell(source, *cell, "impossible")
    for key, values in plan.properties:
        source = add_property(source, key, values)
    return source


def _with_body(plan: ProtocolPlan, source: str, name: str, deed: CellEffect) -> str:
    draft = read(source)
    assert draft.process is not None
    function = draft.process.methods()[name]
    node, text = function.node, draft.text
    body = [f"self.state = {draft.words[deed.then]}"] if deed.then in plan.states else []
    body += deed.lines
    for sending in deed.sends:
        body += _sending(plan, draft, name, sending, knows_sender=function.takes[0] > 2)
    first = node.body[0]  # the comment above the line is kept
    indent = text.indent(first.lineno)
    start, end = text.offset(first.lineno), text.offset((node.end_lineno or 0) + 1)
    return apply_edits(source, [Edit(start, end, "".join(f"{indent}{line}\n" for line in body))])


def _sending(plan: ProtocolPlan, draft: Draft, name: str, sending: Sending, *, knows_sender: bool) -> list[str]:
    kind = plan.kind_of(sending.event)
    record = draft.record(sending.event)
    if record is None or kind not in ("message", "timer"):
        known = [e.name for e in (*plan.messages, *plan.timers)]
        hint = did_you_mean(sending.event, known)
        raise BadInput(tr("unknown message or timer '{name}'", name=sending.event) + hint, place=name)
    values = ", ".join(
        f"{f.name}={_VALUES.get(f.type.partition('[')[0].strip(), 'None')}"
        for f in record.fields.values()
        if f.default is None
    )
    made = f"{sending.event}({values})"
    if kind == "timer":
        return [f"self.set_timer({made}, after={sending.after})"]
    if sending.to == "sender":
        if not knows_sender:
            raise BadInput(tr("only an action for a message has a sender; send to all neighbours"), place=name)
        return [f"self.send({made}, to=q)"]
    if sending.to == "one":
        return ["for r in self.neighbours[:1]:", f"    self.send({made}, to=r)"]
    if sending.to == "others" and knows_sender:
        return ["for r in self.neighbours:", "    if r != q:", f"        self.send({made}, to=r)"]
    return ["for r in self.neighbours:", f"    self.send({made}, to=r)"]
