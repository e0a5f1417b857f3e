"""Ready-made properties: agreement, mutual exclusion, termination, a bound on messages and others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lydian.authoring.celledits import unused_name
from lydian.authoring.edits import import_edits, quoted, readable
from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean
from lydian.model.lang.formula import Formula
from lydian.model.source.draft import Draft
from lydian.model.source.text import Edit, apply_edits

__all__ = ["READY", "Ready", "ReadyParameter", "add_property"]


@dataclass(frozen=True)
class ReadyParameter:
    """A parameter of a ready-made property.

    ``kind`` is ``variable``, ``state``, ``states`` (several) or ``formula``; ``help`` is a sentence.
    """

    name: str
    kind: str
    help: str

    @property
    def words(self) -> str:
        """The name in the language of the window."""
        return _PARAMETERS[self.name]

    @property
    def title(self) -> str:
        """The label of its field."""
        return self.words[:1].upper() + self.words[1:]


#: Name of a parameter -> its word.
_PARAMETERS = {
    "variable": tr("variable"), "state": tr("state"), "states": tr("states"), "formula": tr("formula"),
}  # fmt: skip


@dataclass(frozen=True)
class Ready:
    """A ready-made property.

    Attributes:
        title: the title for the menu.
        help: the requirement, in a sentence.
        parameters: the parameters.
        word: always, eventually or at_end; "" for a property that is not a function.
    """

    title: str
    help: str
    parameters: tuple[ReadyParameter, ...]
    word: str
    write: Callable[[Draft, Mapping[str, Any]], tuple[str, str, str]]


def _agreement(draft: Draft, values: Mapping[str, Any]) -> tuple[str, str, str]:
    name = _variable(draft, values["variable"])
    body = f"return len({{p.{name} for p in c.processes if p.{name} is not None}}) <= 1"
    return f"all processes have the same {name}", "agreement", body


def _at_most_one(draft: Draft, values: Mapping[str, Any]) -> tuple[str, str, str]:
    state = _state(draft, values["state"])
    body = f"return sum(p.state == {state} for p in c.processes) <= 1"
    return f"at most one process is {values['state']}", "at_most_one", body


def _ends_in(draft: Draft, values: Mapping[str, Any]) -> tuple[str, str, str]:
    names = [values["states"]] if isinstance(values["states"], str) else list(values["states"])
    if not names:
        raise BadInput(
            tr("the list of states must not be empty; name a state in which a process may end"), place="states"
        )
    words = [_state(draft, name) for name in names]
    test = f"p.state == {words[0]}" if len(words) == 1 else f"p.state in ({', '.join(words)})"
    return f"each process ends {' or '.join(names)}", "terminated", f"return all({test} for p in c.processes)"


def _reaches(draft: Draft, values: Mapping[str, Any]) -> tuple[str, str, str]:
    state = _state(draft, values["state"])
    body = f"return any(p.state == {state} for p in c.processes)"
    return f"some process becomes {values['state']}", "somebody", body


def _silent(draft: Draft, values: Mapping[str, Any]) -> tuple[str, str, str]:
    return "nothing is in transit", "silent", "return not c.in_transit"


def _bound(draft: Draft, values: Mapping[str, Any]) -> tuple[str, str, str]:
    formula = str(values["formula"]).strip()
    assert draft.process is not None
    Formula(formula).check(("n", "m", *draft.process.parameters))
    return "", "messages", formula


_ONE_STATE = (ReadyParameter("state", "state", tr("the state")),)
#: The ready-made properties by name.
READY: dict[str, Ready] = {
    "agreement": Ready(
        tr("Agreement"),
        tr("All processes for which this variable has a value have the same value."),
        (
            ReadyParameter(
                "variable", "variable", tr("the variable of the decision; None means that there is none yet")
            ),
        ),
        "always",
        _agreement,
    ),
    "at_most_one": Ready(
        tr("At most one in a state"),
        tr("At most one process at a time is in this state."),
        _ONE_STATE,
        "always",
        _at_most_one,
    ),
    "terminates": Ready(
        tr("All processes terminate"),
        tr("When no event is enabled, every process is in one of these states."),
        (ReadyParameter("states", "states", tr("the states in which a process may end")),),
        "at_end",
        _ends_in,
    ),
    "somebody": Ready(
        tr("Some process reaches a state"),
        tr("At the end, some process is in this state."),
        _ONE_STATE,
        "eventually",
        _reaches,
    ),
    "silent": Ready(
        tr("Nothing left in transit"), tr("When the run ends, no message is in transit."), (), "at_end", _silent
    ),
    "messages": Ready(
        tr("Bound on messages"),
        tr("A run has as many messages as the formula gives, or at most as many if it begins with <=."),
        (ReadyParameter("formula", "formula", tr("in n processes, m links and parameters: <= 2*m")),),
        "",
        _bound,
    ),
}


def add_property(source: str, key: str, values: Mapping[str, Any] | None = None) -> str:
    """Return the file with one of the :data:`READY` properties, given its parameters by name.

    Raises:
        BadInput: there is no such property, or a parameter is missing or does not fit the file.
    """
    ready = READY.get(key)
    if ready is None:
        raise BadInput(
            tr(
                "unknown property '{name}'{hint}; choose from {names}",
                name=key,
                hint=did_you_mean(key, READY),
                names=", ".join(READY),
            )
        )
    draft = readable(source)
    values = dict(values or {})
    for each in ready.parameters:
        if each.name not in values:
            raise BadInput(
                tr("{property} needs {parameter}: {help}", property=ready.title, parameter=each.name, help=each.help),
                place=each.name,
            )
    sentence, name, body = ready.write(draft, values)
    if not ready.word:
        return _with_formula(draft, body)
    if any(mark.sentence == sentence and mark.kind == ready.word for mark, _ in draft.properties):
        raise BadInput(tr("the file already has this property: {property}", property=sentence))
    text, nl = draft.text, draft.text.newline
    name = unused_name(name, draft.scope)
    end = len(text.source)
    lead = "" if not text.source or text.source.endswith(("\n", "\r")) else nl
    written = f"{lead}{nl}{nl}@{ready.word}({quoted(sentence)}){nl}def {name}(c):{nl}    {body}{nl}"
    return apply_edits(text.source, [*import_edits(draft, [ready.word]), Edit(end, end, written)])


def _with_formula(draft: Draft, formula: str) -> str:
    """Return the file with another ``messages = ...``."""
    process, text = draft.process, draft.text
    assert process is not None
    place = process.places.get("messages")
    if place is not None and place in process.node.body:
        value = getattr(place, "value", None)
        if value is None:
            raise BadInput(tr("messages = ... is written in a way that cannot be changed here; edit the text"))
        return apply_edits(text.source, [Edit(text.start(value), text.end(value), quoted(formula))])
    body = process.node.body
    needs = process.places.get("needs")
    if needs is not None and needs in body:
        at, indent = text.offset((needs.end_lineno or 0) + 1), text.indent(needs.lineno)
    else:
        first = body[0]
        line = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))])
        at, indent = text.offset(line), text.indent(line)
        if _is_docstring(first):
            at = text.offset((first.end_lineno or 0) + 1)
    return apply_edits(text.source, [Edit(at, at, f"{indent}messages = {quoted(formula)}{text.newline}")])


def _is_docstring(node: Any) -> bool:
    value = getattr(node, "value", None)
    return isinstance(getattr(value, "value", None), str) and not hasattr(node, "targets")


def _variable(draft: Draft, name: Any) -> str:
    assert draft.process is not None
    if name not in draft.process.variables:
        has = ", ".join(draft.process.variables) or tr("none yet")
        raise BadInput(
            tr(
                "{protocol} has no variable '{variable}'{hint}; it has {variables}",
                protocol=draft.process.name,
                variable=name,
                hint=did_you_mean(name, draft.process.variables),
                variables=has,
            ),
            place="variable",
        )
    return str(name)


def _state(draft: Draft, name: Any) -> str:
    """Return a state as it is written in the file."""
    if name not in draft.states:
        raise BadInput(
            tr("unknown state '{state}'", state=name) + did_you_mean(name, draft.states),
            place="state",
        )
    return draft.words.get(str(name)) or quoted(str(name))
