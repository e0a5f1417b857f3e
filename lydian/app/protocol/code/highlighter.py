"""The colours of the code: Python's words line by line, states and events according to the outline of the file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from lydian.app.look.theme import Theme
from lydian.authoring.codenames import Role
from lydian.authoring.codetyping import units
from lydian.model.source.lex import Span, lex

__all__ = ["COLOURS", "BlockCode", "Highlighter", "role_spans"]

#: Kind of span -> its colour in the tokens; other kinds have the colour of plain text.
COLOURS: Mapping[str, str] = {
    "keyword": "syntax.keyword",
    "decorator": "syntax.keyword",
    "constant": "syntax.number",
    "number": "syntax.number",
    "string": "syntax.string",
    "comment": "syntax.comment",
    "self": "syntax.self",
    "called": "syntax.name",
    "defined": "syntax.name",
    "state": "syntax.state",
    "message": "syntax.message",
    "timer": "syntax.message",
    "command": "syntax.message",
    "request": "syntax.message",
    "indication": "syntax.message",
}
_STATE_LINE = re.compile(r"\bstates\s*\(|@\w*\.?on\b|\bstate\b")


class BlockCode:
    """A Qt text as lines with their spans; the highlighter keeps the state at the end of each line."""

    def __init__(self, text: QTextDocument) -> None:
        self.text = text

    def count(self) -> int:
        return self.text.blockCount()

    def line(self, number: int) -> str:
        return self.text.findBlockByNumber(number).text()

    def spans(self, number: int) -> Sequence[Span]:
        block = self.text.findBlockByNumber(number)
        return lex(block.text(), max(0, block.previous().userState()))[0]


def role_spans(
    line: str, spans: Sequence[Span], roles: Mapping[str, Role], texts: Mapping[str, Role]
) -> list[tuple[int, int, Role]]:
    """Return the states and events in a line: start, end, kind."""
    found = []
    quoted: bool | None = None
    for number, span in enumerate(spans):
        if span.kind in ("name", "called", "defined"):
            role = roles.get(line[span.start : span.end])
            if role is not None and not (number and line[spans[number - 1].start] == "."):
                found.append((span.start, span.end, role))
        elif span.kind == "string" and texts:
            if quoted is None:
                quoted = _STATE_LINE.search(line) is not None
            role = texts.get(line[span.start + 1 : span.end - 1]) if quoted else None
            if role is not None:
                found.append((span.start + 1, span.end - 1, role))
    return found


class Highlighter(QSyntaxHighlighter):
    """The highlighter of one text; it reads only changed lines again."""

    def __init__(self, text: QTextDocument, theme: Theme) -> None:
        super().__init__(text)
        self._formats: dict[str, QTextCharFormat] = {}
        self.roles: Mapping[str, Role] = {}
        self.texts: Mapping[str, Role] = {}
        self._theme = theme
        self._make(theme)

    def set_theme(self, theme: Theme) -> None:
        if theme != self._theme:
            self._theme = theme
            self._make(theme)
            self.rehighlight()

    def set_roles(self, roles: Mapping[str, Role], texts: Mapping[str, Role]) -> None:
        """Set the known states and events, and colour the lines that contain them again."""
        changed = {word for word in {*roles, *self.roles} if roles.get(word) != self.roles.get(word)}
        changed |= {word for word in {*texts, *self.texts} if texts.get(word) != self.texts.get(word)}
        self.roles, self.texts = dict(roles), dict(texts)
        if not changed:
            return
        pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(changed)))
        text = self.document()
        for number, line in enumerate(text.toPlainText().split("\n")):
            if pattern.search(line):
                self.rehighlightBlock(text.findBlockByNumber(number))

    def highlightBlock(self, text: str) -> None:
        spans, state = lex(text, max(0, self.previousBlockState()))
        self.setCurrentBlockState(state)
        for span in spans:
            made = self._formats.get(span.kind)
            if made is not None:
                self._paint(text, span.start, span.end, made)
        for start, end, role in role_spans(text, spans, self.roles, self.texts):
            self._paint(text, start, end, self._formats[role.kind])

    def _paint(self, text: str, start: int, end: int, made: QTextCharFormat) -> None:
        at = units(text, start)
        self.setFormat(at, units(text, end) - at, made)

    def _make(self, theme: Theme) -> None:
        self._formats = {}
        for kind, path in COLOURS.items():
            made = QTextCharFormat()
            made.setForeground(QColor(theme.color(path)))
            if kind in ("state", "message", "timer", "command", "request", "indication", "defined"):
                made.setFontWeight(QFont.Weight.DemiBold)
            self._formats[kind] = made
