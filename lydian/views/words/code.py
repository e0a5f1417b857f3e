"""The lines of a protocol's text that ran at an event, found without running them.

A trace records the event that an action handled and its effects, but not the lines that ran. Only certain lines are
marked: the line of an effect (a send, a decision) if no other line of the function can have caused it, or else the
first line of the function.
"""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass
from functools import lru_cache

from lydian.model.source.syntax import tree_of
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.source import Action, read
from lydian.views.words.words import state_before

__all__ = ["Code", "action_at", "code_of"]

#: Kind of an effect -> the calls that cause it.
CALLS = {
    Kind.SEND: ("send", "spread", "send_all", "broadcast", "reply", "forward"),
    Kind.DELIVER: ("deliver",),
    Kind.DECIDE: ("decide",),
    Kind.NOTE: ("note",),
}
#: The largest number of lines of a function that are shown.
MOST = 60


@dataclass(frozen=True)
class Code:
    """A function of a protocol.

    Attributes:
        function: the name of the function.
        first: the number of its first line in the protocol's text, not counting decorators.
        current: the number of the line that ran.
        lines: the text from ``first`` on, without the common indentation.
    """

    function: str
    first: int
    current: int
    lines: tuple[str, ...]

    def around(self, count: int) -> tuple[tuple[int, str], ...]:
        """Return at most ``count`` lines with their numbers, including the current one, without common indentation."""
        at = self.current - self.first
        start = max(0, min(at - (count - 1) // 2, len(self.lines) - count))
        shown = textwrap.dedent("\n".join(self.lines[start : start + max(count, 1)])).split("\n")
        return tuple((self.first + start + i, text) for i, text in enumerate(shown))


def action_at(timeline: Timeline, seq: int) -> Action | None:
    """Return the function that handled event ``seq``, if the text determines it."""
    if int(timeline.kind[seq]) == Kind.INIT:
        event = "INIT"
    else:
        label = int(timeline.label[seq])
        event = timeline.labels[label] if label >= 0 else ""
    return read(timeline.trace.source).action(state_before(timeline, seq), event)


def code_of(timeline: Timeline, action: int, effect: int = -1) -> Code | None:
    """Return the function that handled event ``action``, with the line of ``effect``, an event that it caused."""
    found = action_at(timeline, action)
    if found is None:
        return None
    text = timeline.trace.source
    functions = _functions(text)
    node = functions.get((found.function, found.line))
    if node is None:
        return None
    last = min(node.end_lineno or node.lineno, node.lineno + MOST - 1)
    lines = textwrap.dedent("\n".join(text.splitlines()[node.lineno - 1 : last]).expandtabs(4)).splitlines()
    current = node.lineno
    if effect >= 0:
        label = int(timeline.label[effect])
        name = timeline.labels[label] if label >= 0 else ""
        current = _line_of(node, int(timeline.kind[effect]), name) or current
    return Code(found.function, node.lineno, min(current, last), tuple(lines))


@lru_cache(maxsize=32)
def _functions(text: str) -> dict[tuple[str, int], ast.FunctionDef | ast.AsyncFunctionDef]:
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    wanted = ast.FunctionDef | ast.AsyncFunctionDef
    return {(node.name, node.lineno): node for node in ast.walk(tree) if isinstance(node, wanted)}


def _line_of(node: ast.AST, kind: int, label: str) -> int | None:
    """Return the only line of a function that can have had an effect, or ``None``."""
    words = next((words for each, words in CALLS.items() if each == kind), ())
    calls = [
        part
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in words
    ]
    named = [part for part in calls if any(_name(inner) == label for inner in ast.walk(part))] if label else []
    lines = {part.lineno for part in (named or calls)}
    return lines.pop() if len(lines) == 1 else None


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""
