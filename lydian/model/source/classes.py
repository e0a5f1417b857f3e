"""The classes of a protocol file as Python would create them: messages and processes with their declarations."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lydian.model.errors import shown
from lydian.model.protocol.layers import Layer
from lydian.model.protocol.message import Record, free_for_field
from lydian.model.protocol.parameters import Domain, Parameter
from lydian.model.protocol.process import DESCRIPTIONS, Process, reserved
from lydian.model.source.symbols import (
    KINDS,
    UNKNOWN,
    FieldSymbol,
    FunctionSymbol,
    Imported,
    ParameterSymbol,
    PlainClass,
    ProcessSymbol,
    RecordSymbol,
    VariableSymbol,
    copyable,
)
from lydian.model.source.text import Text

__all__ = ["ClassMaker"]

_PLAIN = (bool, int, float, str, bytes, list, tuple, set, frozenset, dict, type(None))


class ClassMaker:
    """A builder of symbols of classes; what Python would refuse is passed to ``report``."""

    def __init__(self, text: Text, report: Callable[[ast.AST, str], None], scope: Mapping[str, Any]) -> None:
        self.text = text
        self.report = report
        self.scope = scope

    def make(
        self,
        node: ast.ClassDef,
        bases: list[Any],
        names: dict[str, Any],
        types: dict[str, str],
        places: dict[str, ast.stmt],
    ) -> Any:
        """Return the symbol of a class, or ``UNKNOWN`` if it is neither a message nor a process."""
        for base in bases:
            if isinstance(base, FunctionSymbol) or not (
                isinstance(base, (type, ProcessSymbol, RecordSymbol, PlainClass, Imported)) or base is UNKNOWN
            ):
                said = base.name if isinstance(base, FunctionSymbol) else shown(base)
                self.report(node, f"{node.name} cannot be derived from {said}; write class {node.name}(Process)")
        kin = [base for base in bases if isinstance(base, (ProcessSymbol, RecordSymbol))]
        is_open = any(base is UNKNOWN or isinstance(base, Imported) for base in bases)
        strange = [word.arg for word in node.keywords if word.arg not in ("root", "processes")]
        process = Process in bases or Layer in bases or any(isinstance(base, ProcessSymbol) for base in kin)
        record = any(base in (*KINDS.values(), Record) for base in bases) or any(
            isinstance(base, RecordSymbol) for base in kin
        )
        if (process or record) and strange and "metaclass" not in strange:
            self.report(node, f"class {node.name} takes no {strange[0]}=")
        if process and record:
            self.report(node, f"{node.name} is either a process or a message, not both")
        elif process:
            above = [b for b in kin if isinstance(b, ProcessSymbol)]
            return self._process(node, above, names, types, places, is_open, Layer in bases)
        elif record:
            kind = next((name for name, base in KINDS.items() if base in bases), "")
            inherited = [b for b in kin if isinstance(b, RecordSymbol)]
            kind = kind or next((b.kind for b in inherited), "message")
            return self._record(node, kind, inherited, names, types, places, is_open)
        return UNKNOWN if is_open or process else PlainClass(node.name, node)

    def _record(
        self,
        node: ast.ClassDef,
        kind: str,
        bases: list[RecordSymbol],
        names: dict[str, Any],
        types: dict[str, str],
        places: dict[str, ast.stmt],
        is_open: bool,
    ) -> RecordSymbol:
        symbol = RecordSymbol(node.name, kind, node, open=is_open or any(b.open for b in bases))
        for base in bases:
            symbol.fields.update(base.fields)
            symbol.others |= base.others
        for name, text in types.items():
            place = places[name]
            if "ClassVar" in text or not isinstance(place, ast.AnnAssign):
                if "ClassVar" not in text:
                    symbol.open = True
                continue
            if not free_for_field(name):
                self.report(node, f"{node.name}: a field cannot be called '{name}'; choose another name")
            if name in names and not copyable(names[name]):
                self.report(node, f"{node.name}: the default of '{name}' is not a plain value")
            symbol.fields[name] = FieldSymbol(name, text, place.value, place)
        symbol.others |= {name for name in names if name not in types}
        for name in symbol.others & set(symbol.fields):
            symbol.fields.pop(name)
        return symbol

    def _process(
        self,
        node: ast.ClassDef,
        bases: list[ProcessSymbol],
        names: dict[str, Any],
        types: dict[str, str],
        places: dict[str, ast.stmt],
        is_open: bool,
        is_layer: bool,
    ) -> ProcessSymbol:
        symbol = ProcessSymbol(node.name, node, tuple(bases), open=is_open or any(b.open for b in bases))
        symbol.layer = is_layer or any(b.layer for b in bases)
        for base in reversed(bases):
            symbol.start, symbol.start_node = base.start, base.start_node
            symbol.variables.update(base.variables)
            symbol.parameters.update(base.parameters)
            symbol.members.update(base.members)
            symbol.places.update(base.places)
        inherited = {*symbol.variables, *symbol.parameters, "state"}
        if "__init__" in names:
            self.report(node, f"{node.name}: a process has no __init__; declare its variables in the class: n: int = 0")
        if "state" in names:
            start = names["state"]
            symbol.start_node = places["state"]
            if start is not UNKNOWN and not isinstance(start, str):
                said = start.name if isinstance(start, (FunctionSymbol, RecordSymbol)) else shown(start)
                self.report(node, f"{node.name}: state = ... must name the initial state, not {said}")
                start = UNKNOWN
            symbol.start = start
        for name in [*types, *(name for name in names if name not in types)]:
            if name == "state" or name in DESCRIPTIONS or name.startswith("__"):
                continue
            if "ClassVar" not in types.get(name, ""):
                self._declare(symbol, name, names, types, places[name])
        for name in (*symbol.variables, *symbol.parameters):
            if name not in inherited and reserved(name):
                self.report(node, f"{node.name}: a variable cannot be called '{name}'; choose another name")
        for name, value in names.items():
            if name not in symbol.variables and name not in symbol.parameters:
                symbol.members[name] = value
                symbol.places[name] = places[name]
        return symbol

    def _declare(
        self, symbol: ProcessSymbol, name: str, names: Mapping[str, Any], types: Mapping[str, str], place: ast.stmt
    ) -> None:
        value = names.get(name)
        if isinstance(value, Parameter):
            self._parameter(symbol, name, value, types, place)
        elif _calls(place, self.scope, "parameter"):
            symbol.parameters[name] = ParameterSymbol(name, None, place)
        elif isinstance(value, Domain) or _calls(place, self.scope, "variable"):
            first = next(iter(getattr(getattr(place, "value", None), "args", ())), None)
            domain = value if isinstance(value, Domain) else None
            start = UNKNOWN if domain is None else domain.initial
            kind = types.get(name) or (type(start).__name__ if domain is not None else "int")
            written = self.text.of(first) if first is not None else ""
            symbol.variables[name] = VariableSymbol(name, kind, start, written, place, domain)
        elif name in types or (isinstance(value, _PLAIN) and not name.isupper()):
            initial = self.text.of(getattr(place, "value", None))
            symbol.variables[name] = VariableSymbol(
                name, types.get(name) or type(value).__name__, value, initial, place
            )
            if not copyable(value):
                what = f"{symbol.name}: the initial value of '{name}' is not plain data"
                self.report(symbol.node, f"{what}; use numbers, texts, None, lists, sets or dicts")

    def _parameter(
        self, symbol: ProcessSymbol, name: str, value: Parameter, types: Mapping[str, str], place: ast.stmt
    ) -> None:
        full = replace(value, name=name, type=types.get(name) or type(value.default).__name__)
        try:
            full.checked(full.default)
        except ValueError as error:
            self.report(symbol.node, f"the default of a parameter must itself be allowed: {error}")
        except TypeError:
            self.report(symbol.node, f"the bounds of {name} cannot be compared with {shown(full.default)}")
        symbol.parameters[name] = ParameterSymbol(name, full, place)


def _calls(place: ast.stmt, scope: Mapping[str, Any], word: str) -> bool:
    """Return True if a declaration calls ``parameter`` or ``variable``."""
    call = getattr(place, "value", None)
    import lydian

    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and scope.get(call.func.id) is getattr(lydian, word)
    )
