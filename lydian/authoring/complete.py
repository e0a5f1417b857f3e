"""Completions at a place of a protocol file, and explanations of the words there."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import lydian
from lydian.language import tr
from lydian.model.protocol.process import Process
from lydian.model.protocol.properties import Need
from lydian.model.source.bodies import local_names
from lydian.model.source.draft import Draft, read, view_at
from lydian.model.source.symbols import CONFIGURATION, FunctionSymbol, ProcessSymbol, RecordSymbol, bits_like

__all__ = ["Completion", "complete", "complete_in", "help_at", "help_in"]


@dataclass(frozen=True)
class Completion:
    """A completion.

    ``text`` replaces the beginning of the word; ``kind`` is one of variable, parameter, call, function,
    state, message, timer, command, field, need, word, name; ``help`` is one line.
    """

    text: str
    kind: str
    help: str


_ATTRIBUTES = {
    "me": tr("its own name; None in an anonymous network"),
    "neighbours": tr("the names of its neighbours in natural order; port numbers in an anonymous network"),
    "state": tr("its state"),
    "left": tr("the left neighbour in a ring"),
    "right": tr("the right neighbour in a ring, to which messages go in a one-way ring"),
    "initiator": tr("whether the network makes this process an initiator, for example a leader or a root"),
    "everybody": tr("the names of all processes, including its own; needs = overlay"),
    "round": tr("the number of the current round; needs = rounds"),
}
_WORDS = {
    "INIT": tr("the event that wakes an initiator at the beginning"),
    "ROUND": tr("the event at the beginning of a synchronous round: the action takes (self, received); needs = rounds"),
    "ANY": tr("every state; an action for a specific state takes precedence"),
    "states": tr('declares states, the initial state first: IDLE, DONE = states("idle", "done")'),
    "Message": tr("a message from one process to another: class News(Message), with typed fields"),
    "Timer": tr("a timer that a process sets for itself: class Retry(Timer)"),
    "Command": tr("a request from the user of a process: class Publish(Command)"),
    "Process": tr("the class of the protocol; each object of it is a process"),
    "Observer": tr(
        "a class that is told every event of a run, for properties: class Order(Observer); c.observer(Order)"
    ),
    "State": tr("a named state of a process, equal to its name"),
    "Layer": tr(
        "a layer of a process, written like a process: class Chord(Layer); in the process, layers = Scribe, Chord"
    ),
    "Request": tr("a request to a layer below: class Route(Request); self.ask(Route(key))"),
    "Indication": tr("an indication to a layer above: class Routed(Indication); self.tell(Routed(key))"),
}


def complete(source: str, line: int, column: int) -> list[Completion]:
    """Return the completions at a line (from 1) and a column (characters from 0), the most likely first."""
    return complete_in(read(source), line, column)


def complete_in(draft: Draft, line: int, column: int) -> list[Completion]:
    """Return the completions as :func:`complete` does, for a file that has already been read."""
    draft = view_at(draft, line)
    before = draft.text.line(line)[:column]
    match = re.search(r"[A-Za-z_]\w*$", before)
    begun = match[0] if match else ""
    ahead = before[: len(before) - len(begun)]
    if _in_text(ahead):
        return []
    found = {each.text: each for each in reversed(list(_candidates(draft, line, ahead)))}
    fitting = [each for each in reversed(found.values()) if each.text.lower().startswith(begun.lower())]
    return sorted(fitting, key=lambda each: not each.text.startswith(begun))


def _in_text(ahead: str) -> bool:
    """Return True if a place is inside a string or a comment of its line."""
    quote = ""
    for at, letter in enumerate(ahead):
        if quote:
            quote = "" if letter == quote and ahead[at - 1] != "\\" else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "#":
            return True
    return bool(quote)


def _candidates(draft: Draft, line: int, ahead: str) -> Iterator[Completion]:
    function = _function_at(draft, line)
    if re.search(r"\.see\((?:[^()]|\([^()]*\))*\)\.$", ahead):
        yield Completion("state", "variable", tr("its state"))
        yield from (each for each in _own(draft, draft.process) if each.kind == "variable")
        return
    owner = re.search(r"(\w+)\.$", ahead)
    if owner:
        yield from _members(draft, function, owner[1])
        return
    if re.search(r"(self\.state\s*(=|==|!=)|\.state\s*(==|!=|in\s*\(.*|not in\s*\(.*))\s*$", ahead) or re.match(
        r"\s*state\s*=\s*$", ahead
    ):
        yield from _states(draft)
        return
    rule = re.match(r"\s*@on\((.*)$", ahead)
    if rule:
        if _depth_comma(rule[1]):
            yield from _events(draft)
            yield _word("INIT")
            yield _word("ROUND")
        else:
            yield from _states(draft)
            yield _word("ANY")
        return
    if re.match(r"\s*@when\(\w*$", ahead):
        for name, method in (draft.process.methods() if draft.process is not None else {}).items():
            if method.takes == (1, 1) and not (method.rules or method.whens):
                yield Completion(name, "function", _function_help(method))
        return
    if re.match(r"\s*@when\([^,]*,\s*state\s*=\s*\(?[^)]*$", ahead):
        yield from _states(draft)
        return
    if re.match(r"\s*needs\s*=", ahead):
        yield from (_word(name) for name in lydian.__all__ if isinstance(getattr(lydian, name), Need))
        return
    made = re.search(r"(\w+)\(([^()]*)$", ahead)
    record = draft.record(made[1]) if made else None
    if record is not None and made is not None:
        given = re.findall(r"(\w+)\s*=", made[2])
        if re.search(r"(^|,)\s*$", made[2]):
            for each in record.fields.values():
                if each.name not in given:
                    yield Completion(f"{each.name}=", "field", _field_help(draft, each))
    if re.match(r"\s*@$", ahead):
        yield from (_word(name) for name in ("on", "when", "always", "eventually", "at_end"))
        return
    yield from _plain(draft, function)


def _depth_comma(inside: str) -> bool:
    """Return True if ``inside`` has a comma at its outermost level, so that an event is expected."""
    depth = 0
    for letter in inside:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            return True
    return False


def _function_at(draft: Draft, line: int) -> FunctionSymbol | None:
    """Return the function that contains a line, or below whose last line it is indented."""
    functions = [v for v in draft.scope.values() if isinstance(v, FunctionSymbol)]
    for process in draft.processes:
        functions += process.methods().values()
    inside = [f for f in functions if f.node.lineno <= line <= (f.node.end_lineno or 0)]
    if inside:
        return max(inside, key=lambda f: f.node.lineno)
    above = [f for f in functions if f.node.lineno <= line]
    last = max(above, key=lambda f: f.node.lineno, default=None)
    if last is None:
        return None
    level = last.node.col_offset
    between = [draft.text.line(n) for n in range((last.node.end_lineno or 0) + 1, line + 1)]
    return last if all(not t.strip() or len(t) - len(t.lstrip()) > level for t in between) else None


def _arguments(function: FunctionSymbol | None) -> list[str]:
    return [] if function is None else [a.arg for a in (*function.node.args.posonlyargs, *function.node.args.args)]


def _is_method(draft: Draft, function: FunctionSymbol | None) -> bool:
    return any(function is f for process in draft.processes for f in process.methods().values())


def _members(draft: Draft, function: FunctionSymbol | None, owner: str) -> Iterator[Completion]:
    """Return the completions after ``owner.``."""
    arguments = _arguments(function)
    method = _is_method(draft, function)
    process = draft.process
    if owner == "self" or (method and arguments[:1] == [owner]):
        yield from _own(draft, process)
        if draft.rules:
            yield Completion("see", "call", _member_help("see"))
        if process is not None and "ask" in process.members:  # the class has layers, or is one
            about = tr("a request to the nearest layer below that handles it")
            yield Completion("ask", "call", f"ask(Route(key)): {about}")
            about = tr("an indication to the nearest layer above")
            yield Completion("tell", "call", f"tell(Routed(key)): {about}")
        for name in (
            "send", "watch", "set_timer", "cancel_timer", "deliver", "decide", "note", "choose", "defer", "respond",
            "random", "clock", "weight",
        ):  # fmt: skip
            yield Completion(name, "call", _member_help(name))
        for name in _ATTRIBUTES:
            yield Completion(name, "variable", _ATTRIBUTES[name])
    elif method and function is not None and arguments[1:2] == [owner]:
        for record in _records(function):
            for each in record.fields.values():
                yield Completion(each.name, "field", _field_help(draft, each))
        yield from (Completion(name, "field", tr("the size in bits")) for name in bits_like() if name == "bits")
    elif function is not None and not method and arguments[:1] == [owner] and function.properties:
        for name, help_text in CONFIGURATION.items():
            yield Completion(name, "variable", help_text)
    elif owner in ("p", "process") or owner in ("receiver", "sender"):
        yield Completion("state", "variable", tr("its state"))
        if function is not None and function.properties:
            yield Completion("faulty", "variable", tr("whether it has crashed or has been Byzantine at any time"))
        if draft.rules:
            yield Completion("enabled", "variable", tr("the names of the guarded actions whose guards are true"))
        kinds = ("variable", "parameter", *(["function"] if draft.rules else []))
        yield from (each for each in _own(draft, process) if each.kind in kinds)


def _records(function: FunctionSymbol) -> list[RecordSymbol]:
    return [e for rule in function.rules for e in rule.events or () if isinstance(e, RecordSymbol)]


def _own(draft: Draft, process: ProcessSymbol | None) -> Iterator[Completion]:
    if process is None:
        return
    for variable in process.variables.values():
        about = tr("{type}, initially unset", type=variable.type)
        if variable.initial:
            about = tr("{type}, initially {value}", type=variable.type, value=variable.initial)
        yield Completion(variable.name, "variable", _described(about, draft, variable.node))
    for parameter in process.parameters.values():
        yield Completion(parameter.name, "parameter", parameter.value.help if parameter.value else tr("a parameter"))
    for name, function in process.methods().items():
        yield Completion(name, "function", _function_help(function))


def _described(start: str, draft: Draft, node: ast.stmt) -> str:
    """Add the comment after a declaration to its description."""
    remark = re.search(r"#\s*(.+)$", draft.parsed.readable.line(node.end_lineno or node.lineno))
    return f"{start}: {remark[1].strip()}" if remark else start


def _states(draft: Draft) -> Iterator[Completion]:
    words = draft.words
    for state in draft.states:
        start = draft.process is not None and draft.process.start == state
        about = (
            tr("the state '{state}', the initial state", state=state)
            if start
            else tr("the state '{state}'", state=state)
        )
        yield Completion(words.get(state) or f'"{state}"', "state", about)


def _events(draft: Draft) -> Iterator[Completion]:
    for record in draft.records:
        yield Completion(record.name, record.kind, _record_help(record))


def _plain(draft: Draft, function: FunctionSymbol | None) -> Iterator[Completion]:
    if function is not None:
        for name in sorted(local_names(function.node)):
            yield Completion(name, "name", _local_help(function, name))
    yield from _events(draft)
    yield from _states(draft)
    for name, value in draft.scope.items():
        if isinstance(value, FunctionSymbol):
            yield Completion(name, "function", _function_help(value))
    yield from (_word(name) for name in lydian.__all__)


def _local_help(function: FunctionSymbol, name: str) -> str:
    arguments = _arguments(function)
    if function.rules and name in arguments:
        events = tr(" or ").join(e.name for e in _records(function))
        event = tr("the {event}", event=events) if events else tr("the event")
        return (tr("this process"), event, tr("the neighbour that sent it"))[min(2, arguments.index(name))]
    return tr("a name in this function")


def _record_help(record: RecordSymbol) -> str:
    doc = (ast.get_docstring(record.node) or "").split("\n", 1)[0]
    fields = ", ".join(f"{f.name}: {f.type}" for f in record.fields.values())
    return f"{record.kind} {record.name}({fields})" + (f": {doc}" if doc else "")


def _field_help(draft: Draft, field: Any) -> str:
    default = "" if field.default is None else f" = {draft.parsed.readable.of(field.default)}"
    return _described(f"{field.type}{default}", draft, field.node)


def _function_help(function: FunctionSymbol) -> str:
    doc = (ast.get_docstring(function.node) or "").split("\n", 1)[0]
    head = f"{function.name}({', '.join(_arguments(function))})"
    return f"{head}: {doc}" if doc else head


@lru_cache(maxsize=64)
def _member_help(name: str) -> str:
    member = inspect.getattr_static(Process, name)
    doc = (inspect.getdoc(member) or "").split("\n\n", 1)[0].replace("``", "").replace("\n", " ")
    if isinstance(member, property):
        return doc
    arguments = [p for p in inspect.signature(member).parameters if p != "self"]
    return f"self.{name}({', '.join(arguments)}): {doc}"


@lru_cache(maxsize=64)
def _word_help(name: str) -> str:
    if name in _WORDS:
        return _WORDS[name]
    value = getattr(lydian, name)
    if isinstance(value, Need):
        return tr("a need: {assumption}", assumption=value.sentence)
    return (inspect.getdoc(value) or "").split("\n\n", 1)[0].replace("``", "").replace("\n", " ")


def _word(name: str) -> Completion:
    return Completion(name, "need" if isinstance(getattr(lydian, name), Need) else "word", _word_help(name))


def help_at(source: str, line: int, column: int) -> str:
    """Return one line about the word at a place, or "" if it has no explanation."""
    return help_in(read(source), line, column)


def help_in(draft: Draft, line: int, column: int) -> str:
    """Return a line as :func:`help_at` does, for a file that has already been read."""
    draft = view_at(draft, line)
    text = draft.text.line(line)
    word = next((m for m in re.finditer(r"[A-Za-z_]\w*", text) if m.start() <= column <= m.end()), None)
    if word is None or _in_text(text[: word.start()]):
        return ""
    ahead, name = text[: word.start()], word[0]
    function = _function_at(draft, line)
    owner = re.search(r"(\w+)\.$", ahead)
    places: list[Iterable[Completion]] = [_members(draft, function, owner[1])] if owner else []
    if not owner:
        made = re.search(r"(\w+)\([^()]*$", ahead)
        record = draft.record(made[1]) if made else None
        if record is not None and name in record.fields:
            return _field_help(draft, record.fields[name])
        if draft.process is not None and function is None:
            places.append(_own(draft, draft.process))
        elif function is not None and function.name == name:
            return _function_help(function)
        places.append(_plain(draft, function))
    found = next((each.help for place in places for each in place if each.text == name), "")
    if not found and not owner and name in ("needs", "messages", "state", "title"):
        return {
            "needs": tr("assumptions about the network, checked before a run: needs = connected, one_initiator"),
            "messages": tr("the expected number of messages, as a formula in n processes and m links"),
            "state": tr("the state in which every process starts"),
            "title": tr("the name of the protocol, if it differs from its class"),
        }[name]
    return found
