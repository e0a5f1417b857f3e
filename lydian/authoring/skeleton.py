"""The text of a new protocol, with states, messages and a filled table, as a file that can be run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import lydian
from lydian.authoring.celledits import about_cells, arguments_for, function_text, unused_name
from lydian.authoring.edits import checked_name, event_text, quoted, state_word
from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.source.outline import Field
from lydian.model.source.symbols import BUILTINS, PUBLIC

__all__ = ["CellPlan", "EventPlan", "skeleton"]

_WIDTH = 120
#: The names that nothing else can have; the names that only layers need are allowed for messages.
_WORDS = frozenset(lydian.__all__) - {"Indication", "Request"}


@dataclass(frozen=True)
class EventPlan:
    """A planned message, timer or command: its name, fields and docstring."""

    name: str
    fields: tuple[Field, ...] = ()
    doc: str = ""


@dataclass(frozen=True)
class CellPlan:
    """A planned cell; a cell that cannot happen is left out of the table.

    Attributes:
        kind: ``action`` or ``ignore``.
        function: the name of the function; "" for an automatic name.
        then: the state after the action, if it changes.
    """

    kind: str = "action"
    function: str = ""
    then: str = ""


def skeleton(
    name: str,
    states: Sequence[str],
    messages: Iterable[EventPlan] = (),
    timers: Iterable[EventPlan] = (),
    commands: Iterable[EventPlan] = (),
    cells: Mapping[tuple[str, str], CellPlan] | None = None,
    *,
    about: str = "",
    needs: Sequence[str] = ("connected",),
    formula: str | None = None,
    variables: Iterable[Field] = (),
) -> str:
    """Return the text of a protocol file with exactly the given table.

    Args:
        name: the name of the class (``Echo``).
        states: the names of the states, the initial state first.
        messages, timers, commands: the events to which a process reacts.
        cells: (state, event) -> plan; the event is ``INIT`` or one of the above.
        about: the sentence of the docstring.
        needs: the names of assumptions (``connected``, ``fifo``).
        formula: the expected number of messages, such as ``4*m - 2*n + 2``.
        variables: the variables, each with an initial value.

    Raises:
        BadInput: a name or a cell is not allowed; the error names it.
    """
    cells = dict(cells or {})
    events = {e.name: kind for kind, es in _kinds(messages, timers, commands) for e in es}
    plans = [(kind, e) for kind, es in _kinds(messages, timers, commands) for e in es]
    words = _words(name, states, [e.name for _, e in plans])
    _check(name, states, [e.name for _, e in plans], cells, needs)
    functions = _functions(states, events, cells, {v.name for v in variables})
    used = ["Process", "on"] if functions else ["Process"]
    used += ["states"] + ["INIT"] * any(event == "INIT" for _, event in cells)
    used += [kind.capitalize() for kind, _ in plans] + list(needs)
    parts = [_docstring(name, about, needs, formula), _import(used)]
    parts.append("# The states, the initial state first.\n" + _states(words))
    parts += ["\n" + event_text(e.name, kind, e.fields, e.doc, "\n") for kind, e in plans]
    parts.append("\n" + _class(name, words, needs, formula, list(variables), functions))
    return "\n".join(parts)


def _kinds(
    messages: Iterable[EventPlan], timers: Iterable[EventPlan], commands: Iterable[EventPlan]
) -> list[tuple[str, tuple[EventPlan, ...]]]:
    return [("message", tuple(messages)), ("timer", tuple(timers)), ("command", tuple(commands))]


def _words(name: str, states: Sequence[str], events: Sequence[str]) -> dict[str, str]:
    """Return state -> its name in the file, different from all other names there."""
    taken = {name, *events, *lydian.__all__, *BUILTINS}
    words: dict[str, str] = {}
    for state in states:
        word = unused_name(state_word(state), {*taken, *words.values()})
        words[state] = word
    return words


def _check(
    name: str,
    states: Sequence[str],
    events: Sequence[str],
    cells: Mapping[tuple[str, str], CellPlan],
    needs: Sequence[str],
) -> None:
    checked_name(name, "a protocol")
    if not states:
        raise BadInput(tr("a protocol must have a state; name the first one, in which every process starts"))
    for state in states:
        if not state.strip() or not state.isprintable():
            raise BadInput(tr("a state must be a name such as 'waiting'"))
    for problem, names in (
        (tr("two states are called '{name}'; rename one of them"), states),
        (tr("two events are called '{name}'; rename one of them"), events),
    ):
        twice = next((each for each in names if list(names).count(each) > 1), None)
        if twice is not None:
            raise BadInput(problem.format(name=twice))
    for each in (name, *events):
        if each in _WORDS or each in BUILTINS or (each == name and each in events):
            raise BadInput(tr("'{name}' is a reserved word or is used twice; choose another name", name=each))
    for (state, event), plan in cells.items():
        place = f"{state}, {event}"
        if state not in states:
            raise BadInput(tr("unknown state '{state}'", state=state) + did_you_mean(state, states), place=place)
        if event != "INIT" and event not in events:
            raise BadInput(tr("unknown event '{event}'", event=event) + did_you_mean(event, events), place=place)
        if plan.kind not in ("action", "ignore"):
            raise BadInput(tr("a cell must be an action or ignore, not {kind}", kind=shown(plan.kind)), place=place)
        if plan.then and plan.then not in states:
            raise BadInput(
                tr("unknown state '{state}'", state=plan.then) + did_you_mean(plan.then, states), place=place
            )
    for need in needs:
        if not isinstance(getattr(lydian, need, None), lydian.connected.__class__):
            hint = did_you_mean(need, lydian.__all__)
            raise BadInput(tr("unknown assumption '{name}'{hint}; write, for example, connected", name=need, hint=hint))


@dataclass
class _Function:
    name: str
    kind: str
    cells: list[tuple[str, str]]
    arguments: str
    then: str


def _functions(
    states: Sequence[str], events: Mapping[str, str], cells: Mapping[tuple[str, str], CellPlan], variables: set[str]
) -> list[_Function]:
    """Return the functions in the order of the table, each with its cells."""
    order = ["INIT", *events]
    ranked = sorted(cells, key=lambda cell: (states.index(cell[0]), order.index(cell[1])))
    asked = {plan.function for plan in cells.values() if plan.function}
    found: dict[tuple[str, str], _Function] = {}
    names: dict[str, str] = {}
    for state, event in ranked:
        plan = cells[state, event]
        arguments = arguments_for([events.get(event)])
        label = plan.function
        if label:
            checked_name(label, "a function")
            if names.setdefault(label, plan.kind) != plan.kind:
                raise BadInput(
                    tr(
                        "'{name}' is used both for an action and for a cell that does nothing; choose two names",
                        name=label,
                    ),
                    place=f"{state}, {event}",
                )
            if label in PUBLIC or label.startswith("_") or label in (*variables, "title"):
                raise BadInput(
                    tr("a function cannot be called '{name}'; choose another name", name=label),
                    place=f"{state}, {event}",
                )
            key = (label, "")
        elif plan.kind == "ignore":
            key = ("ignore", arguments)
        else:
            key = (state, event)
        if key not in found:
            taken = {*asked, *variables, *PUBLIC, *(each.name for each in found.values())}
            found[key] = _Function(
                label or _new_name(plan.kind, state, event, arguments, taken), plan.kind, [], arguments, ""
            )
        function = found[key]
        function.cells.append((state, event))
        function.arguments = min(function.arguments, arguments, key=len)
        function.then = plan.then or function.then
    return list(found.values())


def _new_name(kind: str, state: str, event: str, arguments: str, taken: Iterable[str]) -> str:
    if kind == "ignore":
        base = {"(self)": "ignore_init", "(self, m)": "ignore_ring"}.get(arguments, "ignore")
    elif event == "INIT":
        base = "start"
    else:
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", event).lower().strip("_") or "event"
        base = f"{snake}_when_{state_word(state).lower()}"
    return unused_name(base, set(taken))


def _docstring(name: str, about: str, needs: Sequence[str], formula: str | None) -> str:
    said = (about or "describe the protocol in a sentence").strip().rstrip(".").replace("\\", "\\\\").replace('"', "'")
    assumed = f"Needs: {', '.join(need.replace('_', ' ') for need in needs) or 'nothing'}."
    expected = f"  Complexity: {formula.replace(chr(34), chr(39))} messages." if formula else ""
    return f'"""{name}: {said}.\n\nPseudo-code::\n\n    state, event:   what happens\n\n{assumed}{expected}\n"""\n'


def _import(words: Iterable[str]) -> str:
    names = sorted(set(words), key=lambda w: (0 if w.isupper() else 1 if w[0].isupper() else 2, w))
    line = f"from lydian import {', '.join(names)}\n"
    return line if len(line) <= _WIDTH else "from lydian import (\n" + "".join(f"    {n},\n" for n in names) + ")\n"


def _states(words: Mapping[str, str]) -> str:
    left = ", ".join(words.values()) + ("," if len(words) == 1 else "")
    right = ", ".join(quoted(state) for state in words)
    line = f"{left} = states({right})\n"
    if len(line) <= _WIDTH:
        return line
    names = "".join(f"    {word},\n" for word in words.values())
    texts = "".join(f"    {quoted(state)},\n" for state in words)
    return f"(\n{names}) = states(\n{texts})\n"


def _class(
    name: str,
    words: Mapping[str, str],
    needs: Sequence[str],
    formula: str | None,
    variables: list[Field],
    functions: list[_Function],
) -> str:
    lines = [f"class {name}(Process):"]
    if needs:
        lines.append(f"    needs = {', '.join(needs)}")
    if formula is not None:
        lines.append(f"    messages = {quoted(formula)}")
    if len(lines) > 1:
        lines.append("")
    lines.append(f"    state = {next(iter(words.values()))}")
    for each in variables:
        checked_name(each.name, "a variable")
        lines.append(f"    {each.name}: {each.type} = {each.default or 'None'}")
    for function in functions:
        rules = []
        for event in dict.fromkeys(event for _, event in function.cells):
            own = [words[s] for s, e in function.cells if e == event]
            rules.append(f"@on({own[0] if len(own) == 1 else '(' + ', '.join(own) + ')'}, {event})")
        doc = about_cells(function.kind, [s for s, _ in function.cells], [e for _, e in function.cells])
        then = words.get(function.then, "")
        written = function_text(function.name, rules, function.arguments, function.kind, doc, then)
        lines += ["", *(f"    {line}" for line in written)]
    return "\n".join(lines) + "\n"
