"""The call that is being typed, and its arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lydian.model.source.lex import Span

__all__ = ["Call", "Signature", "call_at", "signature_of"]

_OPEN, _CLOSE = "([{", ")]}"


@dataclass(frozen=True)
class Call:
    """A call whose bracket is still open: the column of its name, and the number or name of the current argument."""

    name: str
    column: int
    argument: int
    keyword: str = ""


def call_at(before: str, spans: Sequence[Span]) -> Call | None:
    """Return the innermost call that is open at the end of a part of a line."""
    stack: list[tuple[int, int, int]] = []  # column of the bracket, number of commas, start of the argument
    for span in spans:
        if span.end > len(before):
            break
        letter = before[span.start]
        if span.kind == "bracket" and letter in _OPEN:
            stack.append((span.start, 0, span.end))
        elif span.kind == "bracket" and stack:
            stack.pop()
        elif letter == "," and span.kind == "operator" and stack:
            at, commas, _ = stack[-1]
            stack[-1] = at, commas + 1, span.end
    for at, commas, start in reversed(stack):
        name = re.search(r"[^\W\d]\w*$", before[:at])
        if before[at] == "(" and name:
            if re.match(r"\s*(def|class)\b", before):
                return None
            word = re.match(r"\s*([^\W\d]\w*)\s*=(?!=)", before[start:])
            return Call(name[0], name.start(), commas, word[1] if word else "")
        if before[at] == "(":
            return None
    return None


@dataclass(frozen=True)
class Signature:
    """The signature of a call: its head as written, its arguments, and a sentence."""

    head: str
    arguments: tuple[str, ...]
    about: str

    def current(self, call: Call) -> int:
        """Return the number of the argument that is being typed, or -1 for none."""
        names = [each.partition(":")[0].partition("=")[0].strip(" *") for each in self.arguments]
        if call.keyword:
            return names.index(call.keyword) if call.keyword in names else -1
        return call.argument if call.argument < len(names) else -1


def signature_of(help: str) -> Signature | None:
    """Read a signature from a line of help such as ``self.send(message, to): Send a message``."""
    head = re.match(r"(?:message |timer |command )?([\w.]+)\(", help)
    if head is None:
        return None
    depth, start, parts = 0, head.end(), []
    for at in range(head.end() - 1, len(help)):
        letter = help[at]
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if (letter == "," and depth == 1) or depth == 0:
            parts.append(help[start:at].strip())
            start = at + 1
        if depth == 0:
            names = tuple(each for each in parts if each and each != "self")
            return Signature(head[1], names, help[at + 1 :].lstrip(": ").strip())
    return None
