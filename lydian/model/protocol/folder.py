"""Protocols that are folders, read as one text.

``NAME/__init__.py`` is the protocol: docstring, parameters, composition. The modules beside it contain its messages,
its layers and its properties; they import each other relatively (``from .messages import Join``; ``from . import
properties`` includes a file from which no name is needed). Everything that uses the text of a protocol (a trace, a
hand-in, a worker, the editor) expects a single text. For a folder, this is the docstring of ``__init__.py``, then each
module after those that it imports, with ``__init__.py`` last, each below a line with its name::

    # ---- messages.py ----

The text is plain Python and contains the lines of each file unchanged: :func:`files_of` splits it again, and
:func:`place_in` finds the file of a line. A file that no other file imports is not a part of the protocol.
"""

from __future__ import annotations

import ast
import re
import symtable
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeGuard

from lydian.model.errors import BadInput, ProtocolError, did_you_mean
from lydian.model.reading import read_text, write_text
from lydian.model.source.syntax import tree_of

__all__ = [
    "INIT_FILE", "MOST_BYTES", "faults", "file_lines", "files_of", "holds_python", "in_sentence", "is_folder",
    "is_there", "place_in", "plain_tree", "read_source", "root_of", "stamp", "write_source",
]  # fmt: skip

INIT_FILE = "__init__.py"
#: The largest size of a protocol, all its files together.
MOST_BYTES = 500_000
_MARK = re.compile(r"# ---- (\w+\.py) ----", re.ASCII)
_RELATIVE = re.compile(r"^from \.(\w+) import ", re.MULTILINE)
_DOTTED = re.compile(r"^\s*from\s+\.", re.MULTILINE)
#: The names that every file may define for itself.
_OWN = frozenset({"__all__", "_"})


def is_folder(path: Path) -> bool:
    """Return True if a path leads to a folder that contains a protocol."""
    try:
        return (path / INIT_FILE).is_file()
    except (OSError, ValueError):
        return False


def holds_python(path: Path) -> bool:
    """Return True if a path leads to a folder of Python files, which should be a protocol."""
    try:
        return any(path.glob("*.py"))
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Return True if a path leads to a file or a folder with ``__init__.py``, which can be read as a protocol."""
    return path.is_file() or is_folder(path)


def root_of(path: Path) -> Path:
    """Return the protocol that a file belongs to: the folder that contains it as ``__init__.py``, or the file
    itself."""
    return path.parent if path.name == INIT_FILE else path


def stamp(path: Path) -> object:
    """Return a value that changes when a file, or a file of a folder, changes; ``None`` if it cannot be read."""
    try:
        files = sorted(path.glob("*.py")) if path.is_dir() else [path]
        return tuple((file.name, stat.st_mtime_ns, stat.st_size) for file in files for stat in [file.stat()])
    except OSError:
        return None


def read_source(path: Path, what: str = "a protocol") -> str:
    """Return the text of a protocol, which is a file or a folder.

    Errors in the imports between the files of a folder are left to :func:`faults`, so that an editor can open it.

    Raises:
        BadInput: a file cannot be read, or the folder does not contain a protocol.
    """
    if not path.is_dir():
        return read_text(path, what, MOST_BYTES)
    if not is_folder(path):
        raise ProtocolError(f"this folder is not a protocol; it must contain {INIT_FILE}", file=path)
    texts: dict[str, str] = {}
    order: list[str] = []

    def visit(name: str) -> None:
        if name in texts or not (path / name).is_file():
            return
        text = read_text(path / name, f"a file of {what}", MOST_BYTES)
        texts[name] = text if text.endswith("\n") else f"{text}\n"
        for other in _imported(text):
            visit(other)
        order.append(name)

    visit(INIT_FILE)
    if sum(map(len, texts.values())) > MOST_BYTES:
        raise BadInput(f"the files are larger than {MOST_BYTES / 1e6:g} MB together, too large for {what}", file=path)
    lines = _lines(texts[INIT_FILE])
    head = _head(texts[INIT_FILE])
    texts[INIT_FILE] = "".join(lines[head:])
    # a folder without its own docstring would otherwise get that of its first file
    return "".join(lines[:head] or ['""\n']) + "".join(f"# ---- {name} ----\n{texts[name]}" for name in order)


def _lines(text: str) -> list[str]:
    """Return the lines with their line ends, as Python counts them."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


@lru_cache(maxsize=256)
def _imported(text: str) -> tuple[str, ...]:
    """Return the files that a file imports, in this order; if Python cannot read it, look for imports line by line."""
    tree = _tree(text)
    imports = [] if tree is None else [each for each in tree.body if _is_relative(each)]
    names = _RELATIVE.findall(text) if tree is None else [name for each in imports for name in _named(each)]
    return tuple(f"{name}.py" for name in dict.fromkeys(names))


def _named(node: ast.ImportFrom) -> list[str]:
    """Return the files that an import names, without their extension."""
    return [each.name for each in node.names] if node.module is None else [node.module]


def _tree(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_relative(node: ast.AST) -> TypeGuard[ast.ImportFrom]:
    return isinstance(node, ast.ImportFrom) and node.level > 0


@lru_cache(maxsize=256)
def _head(text: str) -> int:
    """Return the number of lines up to the end of a file's docstring; 0 if it has none."""
    tree = _tree(text)
    if tree is None or ast.get_docstring(tree, clean=False) is None:
        return 0
    return tree.body[0].end_lineno or 0


def _spans(source: str) -> list[tuple[str, int, int, int]]:
    """Return for each piece of a text its name, its first line, the line after its last, and the line in its file.

    The result is empty for the text of a single file.
    """
    lines = [line.rstrip("\r\n") for line in _lines(source)]
    marks = [(at, found[1]) for at, line in enumerate(lines, 1) if (found := _MARK.fullmatch(line))]
    if not marks:
        return []
    head = marks[0][0] - 1
    head = 0 if lines[:head] == ['""'] else head
    ends = [at for at, _ in marks[1:]] + [len(lines) + 1]
    firsts = {INIT_FILE: head + 1}
    pieces = [(name, at + 1, end, firsts.get(name, 1)) for (at, name), end in zip(marks, ends, strict=True)]
    return [(INIT_FILE, 1, head + 1, 1), *pieces]


def files_of(source: str) -> dict[str, str]:
    """Return the text of each file, by name, ``__init__.py`` first; empty for the text of a single file."""
    lines = _lines(source)
    found: dict[str, str] = {}
    for name, start, stop, _ in _spans(source):
        found[name] = found.get(name, "") + "".join(lines[start - 1 : stop - 1])
    return found


def file_lines(source: str) -> dict[str, int]:
    """Return the line of the text where each file begins, by name; empty for the text of a single file."""
    return {name: start for name, start, _, _ in _spans(source) if name != INIT_FILE or start > 1}


def place_in(source: str, line: int) -> tuple[str, int] | None:
    """Return the file that contains a line of the text, and the line there; ``None`` for the text of a single file."""
    for name, start, stop, first in _spans(source):
        if line < stop:
            return name, max(line - start, 0) + first
    return None


def in_sentence(file: str, source: str, line: int | None) -> tuple[str, int | None]:
    """Return file and line as they are written in sentences.

    Args:
        file: the name of the text: a folder, a file, or a name.
        source: the text.
        line: a line of it.
    """
    found = None if line is None or Path(file).is_file() else place_in(source, line)
    return (file, line) if found is None else (str(Path(file.removesuffix(".py")) / found[0]), found[1])


def write_source(path: Path, source: str) -> None:
    """Write the text of a protocol: to a file that ends in ``.py``, or to the changed files of a folder.

    Raises:
        BadInput: a file cannot be written.
        OSError: the folder cannot be created.
    """
    files = {} if path.suffix == ".py" else files_of(source)
    if files:
        path.mkdir(exist_ok=True)
    for name, text in files.items():
        if not (path / name).is_file() or read_text(path / name, "a file of a protocol", MOST_BYTES) != text:
            write_text(path / name, text)
    if not files:
        write_text(path, source)


def plain_tree(tree: ast.Module, source: str) -> ast.Module:
    """Return the tree of a folder's text without the imports between its files, ready to be executed as one module."""
    if _spans(source):
        tree.body = [
            each for each in tree.body
            if not _is_relative(each) and not (isinstance(each, ast.ImportFrom) and each.module == "__future__")
        ]  # fmt: skip
    return tree


# ---------------------------------------------------------------------- errors in imports between files


@dataclass
class _File:
    """A file of a folder: its imports from other files, the names that it defines, and those that it uses from
    outside."""

    name: str
    imports: list[ast.ImportFrom] = field(default_factory=list)
    bound: dict[str, tuple[int, str]] = field(default_factory=dict)  # name -> line, and what is imported under it
    read: dict[str, int] = field(default_factory=dict)  # name that it does not bind -> line


def faults(source: str) -> Iterator[tuple[int, str]]:
    """Return the errors in the imports between the files of a folder, as lines of the text and sentences.

    The text of a single file must not import from another one. Nothing is reported while Python cannot read the text.
    """
    tree = _tree(source) if _DOTTED.search(source) or _spans(source) else None
    if tree is None:
        return
    if not _spans(source):
        alone = "a protocol file cannot import another; only files in a folder with __init__.py import each other"
        yield from ((node.lineno, alone) for node in ast.walk(tree) if _is_relative(node))
        return
    files = _files(tree, source)
    for name, line in file_lines(source).items():
        if name.removesuffix(".py") in sys.stdlib_module_names:
            yield line, f"{name} has the name of a Python module; choose another name for the file"
    for node in ast.walk(tree):
        if _is_relative(node) and node not in tree.body:
            yield node.lineno, "the import of a file of this folder must not be indented"
    for file in files.values():
        for node in file.imports:
            yield from ((node.lineno, what) for what in _bad_import(node, files))
    yield from _circles(files)
    yield from _names(files)


def _bad_import(node: ast.ImportFrom, files: Mapping[str, _File]) -> Iterator[str]:
    others = [f"{name}.py" for name in _named(node)]
    missing = next((each for each in others if each not in files), None)
    if node.level > 1 or any("." in name for name in _named(node)):
        yield "a file in a protocol's folder must import from a file beside it: from .messages import Join"
    elif missing is not None:
        yield f"this folder does not contain {missing}{did_you_mean(missing, files)}"
    elif node.module is not None:
        other = others[0]
        for each in node.names:
            if each.name == "*" or each.asname is not None:
                yield f"names from {other} must be imported one by one and unchanged: from .{node.module} import Join"
            elif each.name not in files[other].bound:
                yield f"{other} has no '{each.name}'{did_you_mean(each.name, files[other].bound)}"


def _circles(files: Mapping[str, _File]) -> Iterator[tuple[int, str]]:
    """Find imports that lead back to the file that contains them."""
    ways = {
        name: {f"{other}.py": node.lineno for node in file.imports for other in _named(node)}
        for name, file in files.items()
    }
    told: set[frozenset[str]] = set()

    def follow(name: str, path: tuple[str, ...]) -> Iterator[tuple[int, str]]:
        for other, line in ways.get(name, {}).items():
            if other in path:
                circle = path[path.index(other) :]
                if frozenset(circle) not in told:
                    told.add(frozenset(circle))
                    words = " imports ".join((*circle, other)) if len(circle) > 1 else f"{other} imports itself"
                    yield line, f"{words}; move what both need into another file" if len(circle) > 1 else words
            elif other not in seen:
                yield from follow(other, (*path, other))
        seen.add(name)

    seen: set[str] = set()
    for name in ways:
        if name not in seen:
            yield from follow(name, (name,))


def _names(files: Mapping[str, _File]) -> Iterator[tuple[int, str]]:
    """Find names with different meanings in two files, and names that are used without being imported."""
    owners: dict[str, str] = {}
    for file in files.values():
        for name, (line, what) in file.bound.items():
            if what.startswith(".") or name in _OWN:
                continue
            other = owners.setdefault(name, file.name)
            if other != file.name and files[other].bound[name][1] != (what or None):
                yield line, f"'{name}' has different meanings in {other} and {file.name}; rename one of them"
    for file in files.values():
        taken = {each.name for node in file.imports if node.module is None for each in node.names}
        for name, line in file.read.items():
            if name in taken:
                yield line, f"names from {name}.py must be imported one by one: from .{name} import Join"
            if name in owners and owners[name] != file.name:
                other = owners[name]
                what = files[other].bound[name][1]
                module = what.rpartition(" ")[0] if what else f".{other.removesuffix('.py')}"
                words = f"from {module} import {name}" if module else f"import {name}"
                yield line, f"{file.name} uses '{name}' without importing it; write {words}"


def _files(tree: ast.Module, source: str) -> dict[str, _File]:
    spans = _spans(source)
    texts = files_of(source)
    files = {name: _File(name) for name in texts}
    for node in tree.body:
        name = next((name for name, _, stop, _ in spans if node.lineno < stop), INIT_FILE)
        file = files[name]
        if isinstance(node, ast.ImportFrom) and node.level > 0:
            file.imports.append(node)
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module is not None):
            module = "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            for each in node.names:
                bound = each.asname or each.name.partition(".")[0]
                file.bound.setdefault(bound, (node.lineno, f"{module} {each.name}"))
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            file.bound.setdefault(node.name, (node.lineno, ""))
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                file.read.setdefault(part.id, part.lineno)
    for name, text in texts.items():
        try:
            top = symtable.symtable(text, name, "exec")
        except (SyntaxError, ValueError, RecursionError):
            continue
        line = file_lines(source).get(name, 1)
        for symbol in top.get_symbols():
            if symbol.is_assigned() or symbol.is_namespace():
                files[name].bound.setdefault(symbol.get_name(), (files[name].read.get(symbol.get_name(), line), ""))
        outside = {each for each in _globals(top) if each not in files[name].bound}
        files[name].read = {each: at for each, at in files[name].read.items() if each in outside}
    return files


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """Return the global names that a scope and its inner scopes use."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _globals(inner)
