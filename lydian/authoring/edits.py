"""Edits of states, messages and names in the text of a protocol file that keep everything else byte for byte.

Each function takes the text and returns the new one, or raises :class:`~lydian.model.errors.BadInput` with a
sentence. Cells are edited by :mod:`lydian.authoring.celledits`.
"""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections.abc import Callable, Iterable

import lydian
from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.protocol.process import Process, State
from lydian.model.source.draft import Draft, read
from lydian.model.source.outline import Field
from lydian.model.source.symbols import BUILTINS, KINDS, ProcessSymbol
from lydian.model.source.syntax import tree_of
from lydian.model.source.text import Edit, apply_edits

__all__ = [
    "add_message",
    "add_state",
    "checked_name",
    "event_text",
    "import_edits",
    "readable",
    "rename_function",
    "rename_state",
    "state_word",
]

_WIDTH = 120


def readable(source: str) -> Draft:
    """Read a file for an edit, which Python must be able to read and which must contain a protocol."""
    draft = read(source)
    error = next((each for each in draft.parsed.problems if each.kind == "error"), None)
    if error is not None:
        raise BadInput(
            tr("the text cannot be changed while Python cannot read it: {reason}", reason=error.sentence),
            place=tr("line {line}", line=error.line),
        )
    if draft.process is None:
        raise BadInput(tr("the file contains no protocol; write class Echo(Process): ..."))
    return draft


#: What a name is for -> why another name is not allowed.
_NAMELESS = {
    "a protocol": tr("{name} cannot be the name of a protocol; use letters, digits and _, beginning with a letter"),
    "a function": tr("{name} cannot be the name of a function; use letters, digits and _, beginning with a letter"),
    "a variable": tr("{name} cannot be the name of a variable; use letters, digits and _, beginning with a letter"),
    "a field": tr("{name} cannot be the name of a field; use letters, digits and _, beginning with a letter"),
    "a message": tr("{name} cannot be the name of a message; use letters, digits and _, beginning with a letter"),
    "a timer": tr("{name} cannot be the name of a timer; use letters, digits and _, beginning with a letter"),
    "a command": tr("{name} cannot be the name of a command; use letters, digits and _, beginning with a letter"),
    "a request": tr("{name} cannot be the name of a request; use letters, digits and _, beginning with a letter"),
    "a indication": tr(
        "{name} cannot be the name of an indication; use letters, digits and _, beginning with a letter"
    ),
}


def checked_name(name: str, what: str) -> str:
    """Return a name if Python allows it; ``what`` is the item that it names: "a function", "a message"."""
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise BadInput(_NAMELESS[what].format(name=shown(name)))
    return name


def state_word(name: str) -> str:
    """Return the name of a state in the file: ``"in section"`` is IN_SECTION."""
    word = re.sub(r"\W+", "_", name.strip()).strip("_").upper()
    if not word.isascii() or not word or not word[0].isalpha():
        word = "STATE_" + re.sub(r"[^A-Z0-9_]", "", word)
    return word


def quoted(text: str) -> str:
    """Return a text as a Python string, in double quotes if possible."""
    plain = text.isprintable() and '"' not in text and "\\" not in text
    return f'"{text}"' if plain else repr(text)


def _free(draft: Draft, word: str) -> str:
    """Return the word, followed by a number if the file already uses it."""
    found, number = word, 2
    while found in draft.scope or found in BUILTINS or found in lydian.__all__ or keyword.iskeyword(found):
        found, number = f"{word}_{number}", number + 1
    return found


def _checked_state(draft: Draft, name: str) -> str:
    if not name.strip() or not name.isprintable():
        raise BadInput(tr("a state must be a name such as 'waiting'"))
    if name in draft.states:
        raise BadInput(tr("the state '{state}' already exists; choose another name", state=name))
    return name


def add_state(source: str, name: str) -> str:
    """Return the file with another state, after those it has."""
    draft = readable(source)
    _checked_state(draft, name)
    text, word = draft.text, _free(draft, state_word(name))
    calls = [each for each in draft.states_calls if each.statement in draft.parsed.tree.body]
    assert draft.process is not None
    if not calls:
        if draft.states and draft.states != ("active",):
            raise BadInput(
                tr('the states are plain strings here; declare them first: IDLE, DONE = states("idle", "done")')
            )
        at = text.offset(_first_class_line(draft))
        active = _free(draft, "ACTIVE")
        nl = text.newline
        line = f'{active}, {word} = states("active", {quoted(name)}){nl}{nl}{nl}'
        edits = [Edit(at, at, line), *import_edits(draft, ["states"])]
        if draft.process.start_node is None:
            node = draft.process.node.body[0]
            doc = ast.get_docstring(draft.process.node) is not None
            inside = text.offset((node.end_lineno or node.lineno) + 1) if doc else text.offset(_first_line(node))
            edits.append(Edit(inside, inside, f"{text.indent(node.lineno)}state = {active}{nl}"))
        return apply_edits(source, edits)
    call = calls[-1]
    target = call.target
    if isinstance(target, (ast.Tuple, ast.List)) and target.elts and call.call.args and not _starred(call.call):
        name_at, text_at = text.end(target.elts[-1]), text.end(call.call.args[-1])
        return apply_edits(source, [Edit(name_at, name_at, f", {word}"), Edit(text_at, text_at, f", {quoted(name)}")])
    at = text.offset((call.statement.end_lineno or 0) + 1)
    return apply_edits(source, [Edit(at, at, f"({word},) = states({quoted(name)}){text.newline}")])


def _starred(call: ast.Call) -> bool:
    return any(isinstance(each, ast.Starred) for each in call.args)


def _first_line(node: ast.stmt) -> int:
    marks = getattr(node, "decorator_list", [])
    return int(min([node.lineno, *(each.lineno for each in marks)]))


def _first_class_line(draft: Draft) -> int:
    first = next(each for each in draft.parsed.tree.body if isinstance(each, ast.ClassDef))
    return _first_line(first)


def rename_state(source: str, old: str, new: str) -> str:
    """Return the file with a state renamed, both its text and its name in the file."""
    draft = readable(source)
    if old not in draft.states:
        raise BadInput(tr("unknown state '{state}'", state=old) + did_you_mean(old, draft.states))
    if new == old:
        return source
    _checked_state(draft, new)
    text, tree = draft.text, draft.parsed.tree
    edits: dict[int, Edit] = {}
    for node in _state_texts(draft, tree, old):
        edits[text.start(node)] = Edit(text.start(node), text.end(node), quoted(new))
    word = draft.words.get(old)
    if word is not None and isinstance(draft.scope.get(word), State) and word == _same_word(old, word):
        renamed = _free(draft, state_word(new))
        for edit in _name_edits(source, text.offset, word, renamed):
            edits.setdefault(edit.start, edit)
    if not edits:
        raise BadInput(
            tr("the state '{state}' is declared in a way that cannot be changed here; edit the text", state=old)
        )
    return apply_edits(source, edits.values())


def _same_word(state: str, word: str) -> str:
    """Return the new word if the old one was made from the state's name; a word chosen by the user stays."""
    return word if re.sub(r"_\d+$", "", word) == re.sub(r"_\d+$", "", state_word(state)) else ""


def _state_texts(draft: Draft, tree: ast.Module, old: str) -> Iterable[ast.Constant]:
    """Return the places where a state is a string: in ``states(...)``, in ``@on``, and beside ``.state``."""
    beside: list[ast.expr] = [arg for call in draft.states_calls for arg in call.call.args]
    beside += [each.value for call in draft.states_calls for each in call.call.keywords]
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute) and node.left.attr == "state":
            beside += node.comparators
        elif isinstance(node, ast.Assign) and any(
            getattr(target, "attr", getattr(target, "id", "")) == "state" for target in node.targets
        ):
            beside.append(node.value)
    beside += [rule.node.args[0] for action in draft.actions for rule in action.rules if rule.node.args]
    for expression in beside:
        for part in ast.walk(expression):
            if isinstance(part, ast.Constant) and part.value == old and isinstance(part.value, str):
                yield part


def _name_edits(source: str, offset: Callable[[int, int], int], word: str, new: str) -> Iterable[Edit]:
    """Return edits of all places where the text uses a name (not as an attribute or the name of an argument)."""
    before, depth = "", 0
    tokens = list(tokenize.generate_tokens(io.StringIO(source, newline="").readline))
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        at = offset(token.start[0], token.start[1])
        if token.type == tokenize.NAME and token.string == word and before != ".":
            if not (depth and after is not None and after.string == "="):
                yield Edit(at, at + len(word), new)
        elif token.type == tokenize.STRING and re.match(r"[rR]?[fF]", token.string):
            for braces in re.finditer(r"\{[^{}]*\}", token.string):
                for match in re.finditer(rf"(?<![\w.'\"]){word}(?![\w'\"])", braces[0]):
                    start = at + braces.start() + match.start()
                    yield Edit(start, start + len(word), new)
        if token.string in ("(", "[", "{") and token.type == tokenize.OP:
            depth += 1
        elif token.string in (")", "]", "}") and token.type == tokenize.OP:
            depth -= 1
        before = token.string


def rename_function(source: str, old: str, new: str) -> str:
    """Return the file with a function of the protocol renamed, in its ``def`` and in all calls."""
    draft = readable(source)
    process = draft.process
    assert process is not None
    methods = process.methods()
    if old not in methods:
        told = tr("{protocol} has no function '{function}'", protocol=process.name, function=old)
        raise BadInput(told + did_you_mean(old, methods))
    if new == old:
        return source
    checked_name(new, "a function")
    check_free_function(process, new)
    edits = []
    for family in process.family():
        for node in ast.walk(family.node):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == old:
                at = draft.text.source.index(old, draft.text.start(node) + 3)
                edits.append(Edit(at, at + len(old), new))
            elif isinstance(node, ast.Attribute) and node.attr == old and isinstance(node.value, ast.Name):
                end = draft.text.end(node)
                if node.value.id == "self" and draft.text.source[end - len(old) : end] == old:
                    edits.append(Edit(end - len(old), end, new))
    return apply_edits(source, edits)


def check_free_function(process: ProcessSymbol, name: str) -> None:
    """Reject a name that the process already uses."""
    if name in process.methods():
        raise BadInput(
            tr(
                "{protocol} already has a function '{function}'; choose another name",
                protocol=process.name,
                function=name,
            )
        )
    if name in (*process.variables, *process.parameters, *process.members):
        raise BadInput(
            tr(
                "'{name}' is a variable of {protocol}; choose another name for the function",
                name=name,
                protocol=process.name,
            )
        )
    if hasattr(Process, name) or name.startswith("_"):
        raise BadInput(tr("a function cannot be called '{name}': every process has it; choose another name", name=name))


def event_text(name: str, kind: str, fields: Iterable[Field], doc: str, newline: str) -> str:
    """Return the class of a message, timer or command as text of a file."""
    if kind not in KINDS:
        raise BadInput(tr("unknown kind of event {kind}; choose from message, timer, command", kind=shown(kind)))
    checked_name(name, f"a {kind}")
    lines = [f"class {name}({kind.capitalize()}):"]
    said = doc.replace("\\", "\\\\").replace('"""', "'''").strip() or f"The contents of {name}."
    lines.append(f'    """{said}"""')
    fields = list(fields)
    if fields:
        lines.append("")
    for each in fields:
        checked_name(each.name, "a field")
        if each.name.startswith("_") or hasattr(KINDS[kind], each.name):
            raise BadInput(tr("a field cannot be called '{name}'; choose another name", name=each.name), place=name)
        for written in (each.type, each.default):
            if written is not None:
                _expression(written, f"{name}.{each.name}")
        lines.append(f"    {each.name}: {each.type}" + ("" if each.default is None else f" = {each.default}"))
    names = [each.name for each in fields]
    if len(set(names)) != len(names):
        raise BadInput(tr("two fields have the same name; rename one of them"), place=name)
    return newline.join(lines) + newline


def _expression(text: str, place: str) -> None:
    try:
        tree_of(text, mode="eval")
    except (SyntaxError, ValueError):
        raise BadInput(
            tr("{value} is not a Python value or type; write, for example, int or 0", value=shown(text)), place=place
        ) from None
    if "\n" in text:
        raise BadInput(tr("a field must be on one line"), place=place)


def add_message(source: str, name: str, fields: Iterable[Field] = (), kind: str = "message", doc: str = "") -> str:
    """Return the file with another message (or timer, or command: ``kind``), after those it has."""
    draft = readable(source)
    text = draft.text
    written = event_text(name, kind, fields, doc, text.newline)
    if name in draft.scope or name in lydian.__all__:
        raise BadInput(tr("'{name}' is already used in the file; choose another name", name=name))
    nodes = [each.node for each in draft.records if each.node in draft.parsed.tree.body]
    gap = text.newline * 2
    if nodes:
        last = max(nodes, key=lambda node: node.end_lineno or 0)
        at = text.offset((last.end_lineno or 0) + 1)
        lead = "" if text.source[:at].endswith(("\n", "\r")) else text.newline
        written = lead + gap + written
    else:
        at = text.offset(_first_class_line(draft))
        written = written + gap
    return apply_edits(source, [Edit(at, at, written), *import_edits(draft, [kind.capitalize()])])


def _import_order(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[:1].isupper() else 2, name)


def import_edits(draft: Draft, words: Iterable[str]) -> list[Edit]:
    """Return edits that import words of the language into the file, in the order of its import."""
    missing = [w for w in dict.fromkeys(words) if draft.scope.get(w) is not getattr(lydian, w)]
    if not missing:
        return []
    taken = next((w for w in missing if w in draft.scope), None)
    if taken is not None:
        raise BadInput(tr("the name '{name}' already means something else in the file; rename that first", name=taken))
    text = draft.text
    imports = [n for n in draft.parsed.tree.body if isinstance(n, ast.ImportFrom) and n.module == "lydian"]
    if not imports:
        body = draft.parsed.tree.body
        after = [n for n in body[:1] if ast.get_docstring(draft.parsed.tree) is not None]
        after += [n for n in body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
        at = text.offset((after[-1].end_lineno or 0) + 1) if after else 0
        return [Edit(at, at, f"from lydian import {', '.join(sorted(missing, key=_import_order))}{text.newline}")]
    node = imports[0]
    edits = []
    for word in sorted(missing, key=_import_order):
        later = next((a for a in node.names if _import_order(a.name) > _import_order(word)), None)
        edits.append(_import_edit(draft, node, word, later))
    grown = sum(len(edit.text) for edit in edits)
    one_line = node.lineno == node.end_lineno
    if one_line and len(text.line(node.lineno)) + grown > _WIDTH and "(" not in text.of(node):
        parts = [text.of(alias) for alias in node.names] + missing
        inside = f",{text.newline}    ".join(sorted(parts, key=_import_order))
        start, end = text.start(node.names[0]), text.end(node.names[-1])
        return [Edit(start, end, f"({text.newline}    {inside},{text.newline})")]
    return edits


def _import_edit(draft: Draft, node: ast.ImportFrom, word: str, later: ast.alias | None) -> Edit:
    text = draft.text
    own_line = len({alias.lineno for alias in node.names}) == len(node.names) and node.names[0].lineno != node.lineno
    anchor = later or node.names[-1]
    lead = f",{text.newline}{text.indent(anchor.lineno)}" if own_line else ", "
    if later is not None:
        at = text.start(later)
        return Edit(at, at, f"{word}{lead}")
    at = text.end(anchor)
    return Edit(at, at, f"{lead}{word}")
