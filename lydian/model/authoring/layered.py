"""Layers in a protocol file: each is read like a protocol of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from lydian.model.authoring.symbols import UNKNOWN, ProcessSymbol, VariableSymbol
from lydian.model.layers import words_in
from lydian.model.process import State

if TYPE_CHECKING:
    from lydian.model.authoring.draft import Draft

__all__ = ["foreign_states", "layer_rows", "layer_variables", "layer_views", "layers_in", "name_of", "view_at"]

#: What layers, and processes with layers, have beside what every process has.
_WORDS = ("ask", "tell")


def name_of(layer: ProcessSymbol) -> str:
    """How a process calls a layer."""
    return layer.name.lower()


def layers_in(process: ProcessSymbol | None) -> tuple[ProcessSymbol, ...]:
    """The layers below a process, as far as they can be read; it learns their names and parameters."""
    given = process.members.get("layers", ()) if process is not None else ()
    several = given if isinstance(given, (tuple, list)) else (given,)
    found = tuple(each for each in several if isinstance(each, ProcessSymbol) and each.layer)
    for each in found:
        assert process is not None
        process.members.setdefault(name_of(each), UNKNOWN)
        for name, parameter in each.parameters.items():
            process.parameters.setdefault(name, parameter)
    for each in (*found, *([process] if process is not None and found else [])):
        for word in _WORDS:
            each.members.setdefault(word, UNKNOWN)
    return found


def _used(draft: Draft, symbol: ProcessSymbol) -> set[str]:
    return words_in(draft.parsed.tree, {each.name for each in symbol.family()})


def foreign_states(draft: Draft) -> set[str]:
    """The names of states that layers use and the process does not."""
    if draft.process is None or not draft.layers:
        return set()
    return set().union(*(_used(draft, each) for each in draft.layers)) - _used(draft, draft.process)


def layer_views(draft: Draft) -> Iterator[Draft]:
    """The file once for each layer, with this as its process."""
    from lydian.model.authoring.draft import Action

    for each in draft.layers:
        used = _used(draft, each)
        own = [str(value) for word, value in draft.scope.items() if isinstance(value, State) and word in used]
        start = [str(each.start)] if isinstance(each.start, str) and (not own or each.start in own) else []
        functions = each.methods()
        yield replace(
            draft,
            process=each,
            processes=[each],
            layers=(),
            states=tuple(dict.fromkeys([*start, *own])),
            actions=[Action(name, f, f.rules) for name, f in functions.items() if f.rules],
            rules=[f for f in functions.values() if f.whens],
            properties=[],
            found=[],
        )


def layer_rows(view: Draft) -> dict[str, str]:
    """State of a layer -> its row in the table."""
    assert view.process is not None
    name = name_of(view.process)
    return {state: name if len(view.states) == 1 else f"{name}: {state}" for state in view.states}


def layer_variables(draft: Draft) -> Iterator[VariableSymbol]:
    """The variables of all layers under their dotted names."""
    for each in draft.layers:
        for variable in each.variables.values():
            yield replace(variable, name=f"{name_of(each)}.{variable.name}")
        if each.start_node is not None and each.start != "active":
            yield VariableSymbol(f"{name_of(each)}.state", "str", each.start, str(each.start), each.start_node)


def view_at(draft: Draft, line: int) -> Draft:
    """The file as it is to be read at a line: in the class of a layer with this as its process."""
    for view in layer_views(draft):
        assert view.process is not None
        classes = [each.node for each in view.process.family()]
        if any(node.lineno <= line <= (node.end_lineno or node.lineno) for node in classes):
            return view
    return draft
