"""Edits of the table of a protocol file, which has a cell for each state and event."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from lydian.authoring.edits import (
    check_free_function,
    checked_name,
    import_edits,
    quoted,
    readable,
    state_word,
)
from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.protocol.process import ANY
from lydian.model.protocol.rules import column
from lydian.model.source.declared import most_arguments
from lydian.model.source.draft import Action, Draft, layer_rows, layer_views
from lydian.model.source.outline import does_nothing, table_of
from lydian.model.source.symbols import FunctionSymbol, RecordSymbol, RuleMark
from lydian.model.source.text import Edit, apply_edits

__all__ = ["arguments_for", "function_name", "function_text", "remove_cell", "set_cell", "unused_name"]

_WIDTH = 120


def remove_cell(source: str, state: str, event: str) -> str:
    """Return the file in which an event cannot happen in a state, as :func:`set_cell` does with ``impossible``."""
    return set_cell(source, state, event, "impossible")


def set_cell(source: str, state: str, event: str, kind: str, function: str = "") -> str:
    """Return the file with another cell in its table.

    Args:
        source: the text.
        state, event: the cell; the event is ``INIT`` or the name of a message, timer or command.
        kind: ``action``, ``ignore`` or ``impossible``.
        function: the name of a function of the protocol or of a new one, which gets a skeleton; "" for a new action
            named after its event and state, or for a function that does nothing.

    A function that is left without a cell is kept if it does something, and removed otherwise.
    """
    draft = readable(source)
    _check(draft, state, event, kind)
    before = table_of(draft).get((state, event))
    if kind == "impossible":
        return source if before is None else _without(draft, state, event)
    if kind == "ignore":
        if before is not None and before.kind == "ignore" and function in ("", before.function):
            return source
        function = function or _ignoring(draft, event)
    assert draft.process is not None
    function = checked_name(function or function_name(state, event, draft.process.members), "a function")
    if before is not None and before.function == function:
        _check_kind(draft, function, kind)
        return source
    known = draft.process.methods().get(function)
    if known is None:
        check_free_function(draft.process, function)
    else:
        _check_kind(draft, function, kind)
        if known.takes[0] > most_arguments(draft.record(event)) + 1:
            takes = ("(self)", "(self, m)", "(self, m, q)")[most_arguments(draft.record(event))]
            raise BadInput(
                tr(
                    "'{function}' has too many arguments; an action for {event} must take {arguments}",
                    function=function,
                    event=event,
                    arguments=takes,
                )
            )
    if before is not None and not before.for_any:
        draft = readable(_without(draft, state, event, only_own=True, keep=function))
        under_any = table_of(draft).get((state, event))
        if under_any is not None and under_any.function == function:
            return draft.text.source
    return _with(draft, state, event, function, kind)


def _check(draft: Draft, state: str, event: str, kind: str) -> None:
    if kind not in ("action", "ignore", "impossible"):
        raise BadInput(tr("a cell must be an action, ignore or impossible, not {kind}", kind=shown(kind)))
    if any(state in layer_rows(view).values() for view in layer_views(draft)):
        raise BadInput(tr("{layer} is a layer; write its action in the code, in the class of the layer", layer=state))
    if state not in draft.states:
        raise BadInput(tr("unknown state '{state}'", state=state) + did_you_mean(state, draft.states))
    events = ["INIT", *(each.name for each in draft.records)]
    guarded = next((each for each in draft.rules if column(each.name) == event), None)
    if guarded is not None:
        raise BadInput(
            tr(
                "the rule {rule} is executed when its guard is true; change the guard or its state= in the text",
                rule=guarded.name,
            ),
            place=tr("line {line}", line=guarded.node.lineno),
        )
    if event not in events:
        raise BadInput(tr("unknown event '{event}'", event=event) + did_you_mean(event, events))
    for action in draft.actions:
        for rule in action.rules:
            if rule.states is None or rule.events is None or rule.node.keywords or len(rule.node.args) != 2:
                raise BadInput(
                    tr("the table cannot change this @on; edit the text instead"),
                    place=tr("line {line}", line=rule.node.lineno),
                )


def _check_kind(draft: Draft, function: str, kind: str) -> None:
    assert draft.process is not None
    known = draft.process.methods().get(function)
    if known is not None and kind == "ignore" and not does_nothing(known):
        raise BadInput(
            tr(
                "'{function}' is not empty; to ignore an event, choose a function that does nothing",
                function=function,
            )
        )
    if known is not None and kind == "action" and does_nothing(known):
        raise BadInput(
            tr(
                "'{function}' does nothing; choose ignore for this cell, or another name for the action",
                function=function,
            )
        )


def _ignoring(draft: Draft, event: str) -> str:
    """Return the name of a function that does nothing and fits the event, or an unused name for one."""
    assert draft.process is not None
    most = most_arguments(draft.record(event)) + 1
    for name, function in draft.process.methods().items():
        if function.rules and does_nothing(function) and function.takes[0] <= most and function.takes[1] != 0:
            return name
    return unused_name("ignore" if most == 3 else f"ignore_{event.lower()}", draft.process.members)


def unused_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, followed by a number if it is taken."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


def function_name(state: str, event: str, taken: Iterable[str]) -> str:
    """Return a name for a new function of a cell: ``start``, ``ack_when_waiting``."""
    if event == "INIT":
        return unused_name("start", list(taken))
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", event).lower().strip("_") or "event"
    return unused_name(f"{snake}_when_{state_word(state).lower()}", list(taken))


# -- removing a cell ----------------------------------------------------------------------------------------------


def _without(draft: Draft, state: str, event: str, *, only_own: bool = False, keep: str = "") -> str:
    """Return the text in which no rule covers the cell (with ``only_own``, none except those for ``ANY``)."""
    edits: list[Edit] = []
    for action in draft.actions:
        left = 0
        mine: list[Edit] = []
        for rule in action.rules:
            names = [each.name for each in rule.events or ()]
            states = list(rule.states or ())
            for_any = ANY in states
            if event not in names or not (for_any or state in states) or (for_any and only_own):
                left += 1
                continue
            rest = [e for e in names if e != event]
            if for_any:
                specific = _specific(draft, action, event)
                others = [s for s in draft.states if s != state and s not in specific]
            else:
                others = [str(s) for s in states if s != state]
            pieces = []
            if others:
                pieces.append(_rule(draft, others, [event]))
            if rest:
                pieces.append(_rule(draft, None, rest, rule))
            left += len(pieces)
            mine.append(_replace(draft, rule, pieces, others, rest))
        if (
            mine
            and not left
            and does_nothing(action.function)
            and action.name != keep
            and not _called(draft, action.name)
        ):
            edits.append(_removed(draft, action.function))
        else:
            edits += mine
    return _whole_class(draft, edits)


def _whole_class(draft: Draft, edits: list[Edit]) -> str:
    """Apply edits, and add ``pass`` to a class that would be left empty."""
    assert draft.process is not None
    text, body = draft.text, draft.process.node.body
    if all(any(e.start <= text.start(n) and text.end(n) <= e.end and not e.text for e in edits) for n in body):
        at = text.offset((body[-1].end_lineno or 0) + 1)
        edits = [*edits, Edit(at, at, f"    pass{text.newline}")]
    return apply_edits(text.source, edits)


def _specific(draft: Draft, but: Action, event: str) -> set[str]:
    """Return the states in which other functions have a specific action for an event."""
    return {
        str(s)
        for action in draft.actions
        if action is not but
        for rule in action.rules
        if event in [each.name for each in rule.events or ()]
        for s in rule.states or ()
        if s is not ANY
    }


def _words(draft: Draft, states: list[str]) -> str:
    written = [draft.words.get(state) or quoted(state) for state in states]
    return written[0] if len(written) == 1 else f"({', '.join(written)})"


def _rule(draft: Draft, states: list[str] | None, events: list[str], like: RuleMark | None = None) -> str:
    """Return ``@on(...)`` for states and events, with the states written as in another rule."""
    first = draft.text.of(like.node.args[0]) if states is None and like is not None else _words(draft, states or [])
    second = events[0] if len(events) == 1 else f"({', '.join(events)})"
    return f"@{_on(draft)}({first}, {second})"


def _on(draft: Draft) -> str:
    for action in draft.actions:
        for rule in action.rules:
            return draft.text.of(rule.node.func)
    return "on"


def _replace(draft: Draft, rule: RuleMark, pieces: list[str], others: list[str], rest: list[str]) -> Edit:
    text = draft.text
    if others and not rest:  # the smallest change is that of the states alone
        state = rule.node.args[0]
        start, end = text.start(state), text.end(state)
        if isinstance(state, ast.Tuple) and text.source[start] != "(":
            raise BadInput(tr("the table cannot change this @on; edit the text instead"))
        return Edit(start, end, _words(draft, others))
    first, last = text.offset(rule.node.lineno), text.offset((rule.node.end_lineno or 0) + 1)
    indent = text.indent(rule.node.lineno)
    return Edit(first, last, "".join(f"{indent}{piece}{text.newline}" for piece in pieces))


def _called(draft: Draft, name: str) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(draft.parsed.tree))


def _removed(draft: Draft, function: FunctionSymbol) -> Edit:
    """Return an edit that removes a function with the empty lines before it."""
    text = draft.text
    first = function.first_line
    while first > 1 and not text.line(first - 1).strip():
        first -= 1
    return Edit(text.offset(first), text.offset((function.node.end_lineno or 0) + 1), "")


# -- filling a cell -------------------------------------------------------------------------------------------------


def _with(draft: Draft, state: str, event: str, function: str, kind: str) -> str:
    assert draft.process is not None
    known = draft.process.methods().get(function)
    edits = import_edits(draft, [*(["on"] if not draft.actions else []), *(["INIT"] if event == "INIT" else [])])
    if known is None:
        return apply_edits(draft.text.source, [*edits, _new_function(draft, state, event, function, kind)])
    return apply_edits(draft.text.source, [*edits, _one_more(draft, known, state, event)])


def _one_more(draft: Draft, function: FunctionSymbol, state: str, event: str) -> Edit:
    """Return an edit that gives a function another cell, in its rule for the event or in a new rule."""
    text = draft.text
    word = draft.words.get(state) or quoted(state)
    for rule in function.rules:
        if [each.name for each in rule.events or ()] == [event] and ANY not in (rule.states or ()):
            first = rule.node.args[0]
            if isinstance(first, ast.Tuple) and first.elts and text.of(first).startswith("("):
                at = text.end(first.elts[-1])
                edit = Edit(at, at, f", {word}")
            elif isinstance(first, (ast.Name, ast.Constant)) and len(rule.states or ()) == 1:
                edit = Edit(text.start(first), text.end(first), f"({text.of(first)}, {word})")
            else:
                continue
            if len(text.line(rule.node.lineno)) + len(word) + 4 <= _WIDTH:
                return edit
    at = text.offset(function.node.lineno)
    indent = text.indent(function.node.lineno)
    return Edit(at, at, f"{indent}@{_on(draft)}({word}, {event}){text.newline}")


def arguments_for(events: Iterable[RecordSymbol | str | None]) -> str:
    """Return the arguments of a function for events of given kinds: ``(self)``, ``(self, m)`` or ``(self, m, q)``."""
    most = []
    for each in events:
        kind = each.kind if isinstance(each, RecordSymbol) else each
        most.append({"message": 2, "timer": 1, "command": 1}.get(kind or "", 0))
    return ("(self)", "(self, m)", "(self, m, q)")[min(most, default=0)]


def function_text(name: str, rules: Iterable[str], arguments: str, kind: str, about: str, then: str = "") -> list[str]:
    """Return the lines of a new function, without indentation.

    ``about`` is the docstring of a function that does nothing, or else a comment.
    """
    lines = [
        *rules,
        f"def {name}{arguments}:",
        f"    # {about}" if kind == "action" else f'    """{about}"""',
    ]
    if kind == "action":
        lines.append(f"    self.state = {then}" if then else f'    self.note("{name} is not written yet")')
    return lines


def about_cells(kind: str, states: Iterable[str], events: Iterable[str]) -> str:
    """Return the comment of a new function, since a docstring would be shown as the explanation of its runs."""
    where = " or ".join(dict.fromkeys(states)).replace("\\", "").replace('"', "'")
    what = " or ".join(dict.fromkeys(events))
    return f"{what} changes nothing here." if kind == "ignore" else f"The action for {what} in the state {where}."


def _new_function(draft: Draft, state: str, event: str, function: str, kind: str) -> Edit:
    """Return an edit that adds a function after the action that precedes it in the table."""
    process = draft.process
    assert process is not None
    text = draft.text
    rule = f"@{_on(draft)}({draft.words.get(state) or quoted(state)}, {event})"
    body = process.node.body
    indent = (
        text.indent(body[-1].end_lineno or 0) if body[-1].lineno == body[-1].end_lineno else " " * body[0].col_offset
    )
    indent = " " * body[0].col_offset if not indent.strip() else indent
    lines = function_text(
        function, [rule], arguments_for([draft.record(event)]), kind, about_cells(kind, [state], [event])
    )
    nl = text.newline
    written = "".join(f"{indent}{line}{nl}" for line in lines)
    events = ["INIT", *(each.name for each in draft.records)]
    own = [action for action in draft.actions if action.function.node in body]
    earlier = [a for a in own if _first_cell(draft, a, events) < (draft.states.index(state), events.index(event))]
    after = max(earlier, key=lambda a: a.function.node.lineno).function.node if earlier else None
    if after is None and own:
        at = text.offset(min(each.function.first_line for each in own))
        return Edit(at, at, written + nl)
    last = after or body[-1]
    at = text.offset((last.end_lineno or 0) + 1)
    lead = "" if text.source[:at].endswith(("\n", "\r")) else nl
    return Edit(at, at, lead + nl + written)


def _first_cell(draft: Draft, action: Action, events: list[str]) -> tuple[int, int]:
    found = [
        (0 if s is ANY else draft.states.index(str(s)), events.index(e.name))
        for rule in action.rules
        for s in rule.states or ()
        for e in rule.events or ()
        if (s is ANY or str(s) in draft.states) and e.name in events
    ]
    return min(found, default=(0, 0))
