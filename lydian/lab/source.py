"""The protocol file of a class that is declared in a cell of a notebook or in a script.

A protocol is a text, which the simulator, its child processes and the trace share. The text of a class consists of its
own declaration and of everything that it uses from the same notebook or script: messages, states, functions, numbers.
A property or measure (``@always``, ``@at_end``, ...) belongs to the protocol that is declared last before it; one
before the first protocol belongs to that.
"""

from __future__ import annotations

import ast
import builtins
import functools
import hashlib
import linecache
import re
import symtable
import sys
import tempfile
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.model.errors import BadInput, LydianError
from lydian.model.protocol.folder import is_folder, root_of
from lydian.model.protocol.process import Process
from lydian.model.source.syntax import tree_of

__all__ = ["Source", "kept", "scratch", "source_of"]

#: The decorators of functions that belong to a protocol without being used by it.
_JUDGES = frozenset({"always", "eventually", "at_end", "measure"})
_DECLARES = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.Assign, ast.AnnAssign)
_PLAIN = (type(None), bool, int, float, str, bytes)


@dataclass(frozen=True)
class Source:
    """The text of a protocol that was put together.

    Attributes:
        name: the name of the protocol, which is that of the class: ``echo-wave`` for ``EchoWave``.
        text: the text.
        places: for each line of the text, the place it comes from (``cell [3]``, or a file) and its line there.
    """

    name: str
    text: str
    places: tuple[tuple[str, int], ...]

    @property
    def path(self) -> Path:
        """The file in which the simulator and its child processes find the text."""
        return scratch() / hashlib.sha256(self.text.encode()).hexdigest()[:12] / f"{self.name}.py"

    def told(self, error: LydianError) -> LydianError | None:
        """Return an error in this text as one that names the original place; ``None`` for any other error."""
        if not isinstance(error, BadInput):
            return None
        if error.file != self.path:
            return type(error)(self.sentence(str(error))) if str(self.path) in str(error) else None
        line = re.fullmatch(r"line (\d+)", error.place or "")
        if line is None:
            return type(error)(self.sentence(error.what), place=error.place)
        place, number = self._at(int(line[1]))
        return type(error)(self.sentence(error.what), file=place, place=f"line {number}")

    def sentence(self, text: str) -> str:
        """Return a sentence with the lines of the original places in it."""

        def whole(found: re.Match[str]) -> str:
            place, number = self._at(int(found[1]))
            return f"{place}, line {number}"

        # Child processes know the file by its bare name.
        file = rf"(?:{re.escape(str(self.path))}|(?<![\w./-]){re.escape(self.path.name)})"
        text = re.sub(file + r", line (\d+)", whole, text)
        text = text.replace(f"{self.path}: ", "").replace(str(self.path), f"{self.name}.py")
        return re.sub(r"\(line (\d+)\)", lambda found: f"({whole(found)})", text)

    def brief(self, text: str) -> str:
        """Return a sentence with the bare name of the file, whose lines are those of the text in a trace."""
        return text.replace(str(self.path), f"{self.name}.py")

    def _at(self, line: int) -> tuple[str, int]:
        return self.places[min(max(line, 1), len(self.places)) - 1]


@functools.cache
def _home() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="lydian-")  # removed when Python ends


def scratch() -> Path:
    """Return the folder for files that others read while this program runs."""
    return Path(_home().name)


def kept(source: Source) -> Path:
    """Write the file of a text, if it is not there, and return its path."""
    path = source.path
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source.text, encoding="utf-8")
    return path


def source_of(cls: type[Process]) -> Source | Path:
    """Return the text of the protocol that a class declares, or its file if that contains nothing but one protocol.

    Raises:
        BadInput: the text of the class, or of something that it uses, cannot be found.
    """
    name = cls.__name__
    if cls.__qualname__ != name:
        inside = cls.__qualname__.rpartition(".")[0].removesuffix(".<locals>")
        what = f"{name} is declared inside {inside}; declare it at the top level of a file or of a cell"
        raise BadInput(what)
    scope = _scope(cls)
    file: str | None = scope.get("__file__")
    if file is not None and (is_folder(Path(file)) or _is_protocol(Path(file), cls, scope)):
        return root_of(Path(file))
    texts = _texts(cls, file)
    found = _Parts(texts, scope)
    if name not in found.known:
        what = f"the source of {name} cannot be found"
        raise BadInput(f"{what}; declare it in a file or in a cell of a notebook, or give the path of its file")
    return found.source(cls)


def _is_protocol(file: Path, cls: type[Process], scope: Mapping[str, Any]) -> bool:
    """Return True if a file declares this protocol and does nothing else, so that it can be used as it is."""
    try:
        tree = tree_of(file.read_text(encoding="utf-8-sig"), str(file))
    except (OSError, ValueError, SyntaxError):
        return False
    there = [
        value for value in scope.values()
        if isinstance(value, type) and issubclass(value, Process) and value.__module__ == cls.__module__
    ]  # fmt: skip
    leaves = [each for each in there if not any(each is not other and issubclass(other, each) for other in there)]
    return leaves == [cls] and all(_harmless(each) for each in tree.body)


def _harmless(statement: ast.stmt) -> bool:
    """Return True if a statement only declares; an import must be one that a protocol may have."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, _DECLARES)


def _scope(cls: type[Process]) -> Mapping[str, Any]:
    """Return the names of the module in which a class is declared, which need not be among Python's modules."""
    module = sys.modules.get(cls.__module__)
    functions = (value for value in vars(cls).values() if isinstance(value, types.FunctionType))
    first = next(functions, None)
    return vars(module) if module is not None else {} if first is None else first.__globals__


def _texts(cls: type[Process], file: str | None) -> list[tuple[str, str]]:
    """Return the texts in which the class and what it uses may be declared, in order, each with its name for errors."""
    cells = _cells() if cls.__module__ == "__main__" else []
    if any(re.search(rf"^class {cls.__name__}\b", text, re.MULTILINE) for _, text in cells):
        return cells
    files = [file] if file is not None else []
    files += [
        value.__code__.co_filename for value in vars(cls).values() if isinstance(value, types.FunctionType)
    ]  # fmt: skip
    found = []
    for each in dict.fromkeys(files):
        linecache.checkcache(each)
        lines = linecache.getlines(each)
        if lines:
            found.append((each, "".join(lines)))
    return found[:1]


def _cells() -> list[tuple[str, str]]:
    """Return the cells of a notebook that were executed, the current one included."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is None:
        return []
    return [(f"cell [{i}]", text) for i, text in enumerate(shell.user_ns.get("_ih", ())) if i and text.strip()]


@dataclass(frozen=True)
class _Part:
    """A statement at the top level: its text in lines, and the place and the line at which it begins."""

    order: int
    statement: ast.stmt
    lines: tuple[str, ...]
    place: str
    line: int


class _Parts:
    """All statements of some texts, and the names that they declare; a later declaration replaces an earlier one."""

    def __init__(self, texts: list[tuple[str, str]], scope: Mapping[str, Any]) -> None:
        self.scope = scope
        self.known: dict[str, _Part] = {}
        self.stars: list[_Part] = []
        self.futures: list[_Part] = []
        self.judges: dict[str, tuple[_Part, str | None]] = {}
        owner: str | None = None
        waiting: list[str] = []
        for part in _statements(texts):
            statement = part.statement
            for name in _declared(statement):
                self.known[name] = part
                self.judges.pop(name, None)
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                self.futures.append(part)
            if isinstance(statement, ast.ImportFrom) and any(each.name == "*" for each in statement.names):
                self.stars.append(part)
            if isinstance(statement, ast.ClassDef) and self._is_protocol(statement.name):
                owner = statement.name
                for name in waiting:
                    if name in self.judges and self.judges[name][1] is None:
                        self.judges[name] = (self.judges[name][0], owner)
                waiting.clear()
            elif isinstance(statement, ast.FunctionDef) and _judges(statement) and statement.name in self.scope:
                self.judges[statement.name] = (part, owner)
                if owner is None:
                    waiting.append(statement.name)

    def _is_protocol(self, name: str) -> bool:
        value = self.scope.get(name)
        return isinstance(value, type) and issubclass(value, Process)

    def source(self, cls: type[Process]) -> Source:
        """Return the text of a class with everything that it uses."""
        owners = {each.__name__ for each in cls.__mro__}
        roots = [self.known[cls.__name__], *(part for part, owner in self.judges.values() if owner in owners)]
        self._chosen: dict[int, _Part] = {}
        self._given: dict[str, str] = {}
        for root in roots:
            self._use(root, cls.__name__)
        self._chosen |= {part.order: part for part in self.futures}
        in_order = sorted(self._chosen.values(), key=lambda part: (part not in self.futures, part.order))
        emitted: dict[int, None] = {}
        for part in in_order:
            self._emit(part, emitted)
        lines, places = [], []
        for text in self._given.values():
            lines.append(text)
            places.append((roots[0].place, roots[0].line))
        for order in emitted:
            part = self._chosen[order]
            if lines and isinstance(part.statement, ast.ClassDef | ast.FunctionDef):
                lines += ["", ""]
                places += [(part.place, part.line)] * 2
            lines += part.lines
            places += [(part.place, part.line + i) for i in range(len(part.lines))]
        return Source(_file_name(cls.__name__), "\n".join(lines) + "\n", tuple(places))

    def _use(self, part: _Part, user: str) -> None:
        """Choose a statement and everything that it uses."""
        if part.order in self._chosen:
            return
        value = self._value(part)
        if value is not None:
            self._chosen[part.order] = _Part(part.order, ast.Pass(), (value,), part.place, part.line)
            return
        self._chosen[part.order] = part
        for name in sorted(_used(part)):
            if name in self.known:
                self._use(self.known[name], user)
            elif not hasattr(builtins, name):
                self._find(name, user)

    def _find(self, name: str, user: str) -> None:
        """Choose what stands for a name that no statement declares by itself."""
        if name in self.scope:
            value = self.scope[name]
            if _is_plain(value):
                self._given[name] = f"{name} = {value!r}"
                return
            if isinstance(value, types.ModuleType):
                self._given[name] = f"import {value.__name__} as {name}"
                return
            if self.stars:
                self._chosen.update({part.order: part for part in self.stars})
                return
            what = f"{user} uses '{name}', whose declaration cannot be found"
            raise BadInput(f"{what}; declare it at the top level of the same file or notebook")
        # A name that does not exist is reported by the simulator, with its line and a suggestion.

    def _value(self, part: _Part) -> str | None:
        """Return the text of an assignment whose value was computed by something that a protocol cannot contain."""
        statement = part.statement
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target = statement.targets[0]
        if not isinstance(target, ast.Name) or target.id not in self.scope:
            return None
        value = self.scope[target.id]
        if not _is_plain(value) or all(
            isinstance(each, ast.Constant | ast.Tuple | ast.List | ast.Dict | ast.Set | ast.UnaryOp | ast.expr_context
                       | ast.unaryop)
            for each in ast.walk(statement.value)
        ):  # fmt: skip
            return None
        return f"{target.id} = {value!r}"

    def _emit(self, part: _Part, emitted: dict[int, None], above: tuple[int, ...] = ()) -> None:
        """Put a statement after those that it needs when it is executed; cells may be executed again in any order."""
        if part.order in emitted or part.order in above:
            return
        for name in sorted(_used(part, now=True)):
            other = self.known.get(name)
            if other is not None:
                self._emit(self._chosen[other.order], emitted, (*above, part.order))
        emitted[part.order] = None


def _statements(texts: list[tuple[str, str]]) -> Iterator[_Part]:
    """Return the declarations at the top level of the texts; a text that Python cannot read is left out."""
    order = 0
    for place, text in texts:
        try:
            tree = tree_of(text, place)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        lines = text.splitlines()
        taken = [each.lineno for each in tree.body]
        for each in tree.body:
            if not isinstance(each, _DECLARES):
                continue
            first = min([each.lineno, *(one.lineno for one in getattr(each, "decorator_list", ()))])
            alone = taken.count(each.lineno) == 1
            own = lines[first - 1 : each.end_lineno] if alone else ast.unparse(each).splitlines()
            order += 1
            yield _Part(order, each, tuple(own), place, first)


def _declared(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.ClassDef | ast.FunctionDef):
        return [statement.name]
    if isinstance(statement, ast.Import):
        return [each.asname or each.name.partition(".")[0] for each in statement.names]
    if isinstance(statement, ast.ImportFrom):
        return [each.asname or each.name for each in statement.names if each.name != "*"]
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]  # type: ignore[attr-defined]
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]


def _judges(statement: ast.FunctionDef) -> bool:
    """Return True if a function is a property or a measure."""
    for each in statement.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)
        if name in _JUDGES:
            return True
    return False


def _used(part: _Part, *, now: bool = False) -> set[str]:
    """Return the names that a statement takes from outside itself; with ``now``, those that it needs when executed."""
    if isinstance(part.statement, ast.Pass):
        return set()
    found: set[str] = set()
    tables = [symtable.symtable("\n".join(part.lines), part.place, "exec")]
    while tables:
        table = tables.pop()
        top = table.get_type() == "module"
        found |= {each.get_name() for each in table.get_symbols() if each.is_referenced() and (top or each.is_global())}
        tables += [each for each in table.get_children() if not now or each.get_type() == "class"]
    return found.difference(_declared(part.statement))


def _is_plain(value: Any) -> bool:
    """Return True if the value of a name can be written as a literal."""
    if isinstance(value, list | tuple | set | frozenset) and type(value) in (list, tuple, set):
        return bool(value or not isinstance(value, set)) and all(map(_is_plain, value))
    if type(value) is dict:
        return all(_is_plain(each) for pair in value.items() for each in pair)
    if isinstance(value, float):
        return value == value and abs(value) != float("inf")
    return type(value) in _PLAIN


def _file_name(name: str) -> str:
    """Return the name of the file of a class: ``echo-wave`` for ``EchoWave``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()
