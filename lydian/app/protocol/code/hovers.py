"""The explanation of the word under the pointer, and of the arguments of a call while it is typed."""

from __future__ import annotations

import html

from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from lydian.app.kit.theming import set_up
from lydian.app.protocol.code.completer import Completer
from lydian.app.protocol.code.marks import MarkedText
from lydian.authoring.codecalls import call_at, signature_of
from lydian.authoring.complete import help_in
from lydian.language import tr

__all__ = ["HOVER", "Hovers", "card_html"]

#: How many milliseconds the pointer rests on a word before it is explained.
HOVER = 350


def card_html(help: str, problems: list[str]) -> str:
    """Return a tooltip of limited width: the problems, then the explanation."""
    parts = [f"<p style='margin:0 0 4px 0'><b>{html.escape(each)}</b></p>" for each in problems]
    found = signature_of(help)
    if found is not None:
        head = html.escape(f"{found.head}({', '.join(found.arguments)})")
        parts.append(f"<p style='margin:0'><code>{head}</code></p>")
        help = found.about[:1].upper() + found.about[1:]
    if help:
        parts.append(f"<p style='margin:0'>{html.escape(help)}</p>")
    return f"<div style='max-width:440px'>{''.join(parts)}</div>" if parts else ""


class Hovers(QObject):
    """The explanations in one editor."""

    def __init__(self, edit: MarkedText, margin: QWidget, completer: Completer) -> None:
        super().__init__(edit)
        self.edit, self._margin, self._completer = edit, margin, completer
        self._at = QPoint()
        self._card = ""
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(HOVER)
        self._wait.timeout.connect(self.show_card)
        self.label = set_up(QLabel(edit), look="codeHint", name=tr("Arguments of the call"))
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.label.hide()

    # ------------------------------------------------------------------ under the pointer

    def pointed(self, at: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        """React to the pointer at a pixel of the text."""
        hand = bool(modifiers & Qt.KeyboardModifier.ControlModifier) and self._word(at) != ""
        self.edit.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.IBeamCursor)
        if at != self._at:
            self._at = at
            if self._card:
                self.hide_card()
            self._wait.start()

    def left(self) -> None:
        self._wait.stop()

    def stop(self) -> None:
        """Close the explanations and stop the timers."""
        self._wait.stop()
        self.hide_card()
        self.hide_hint()

    def _place(self, at: QPoint) -> tuple[int, int] | None:
        """Return the line (from 1) and column of the letter at a pixel."""
        cursor = self.edit.cursorForPosition(at)
        box = self.edit.cursorRect(cursor)
        end = QTextCursor(cursor)
        end.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        space = self.edit.fontMetrics().horizontalAdvance(" ")
        if not box.top() <= at.y() <= box.bottom() or at.x() > self.edit.cursorRect(end).right() + space:
            return None
        return self.edit.place(cursor)

    def _word(self, at: QPoint) -> str:
        place = self._place(at)
        return "" if place is None else self.said(*place)

    def said(self, line: int, column: int) -> str:
        """Return the explanation of a place as a tooltip, or "" if there is none."""
        problems = [
            each.sentence
            for each in self.edit.marks.problems.get(line - 1, ())
            if each.column <= column <= each.end_column
        ]
        return card_html(help_in(self._completer.draft(), line, column), problems)

    def show_card(self) -> None:
        """Explain the word under the pointer."""
        self._card = self._word(self._at)
        if self._card:
            QToolTip.showText(self.edit.viewport().mapToGlobal(self._at), self._card, self.edit.viewport(), QRect())

    def hide_card(self) -> None:
        self._wait.stop()
        if self._card:
            self._card = ""
            QToolTip.hideText()

    # ------------------------------------------------------------------ the call being typed

    def hint(self) -> None:
        """Show the arguments of the call in whose brackets the cursor is."""
        edit = self.edit
        cursor = edit.textCursor()
        line, column = edit.place(cursor)
        before = cursor.block().text()[:column]
        call = None
        if edit.hasFocus() and not cursor.hasSelection() and "(" in before:
            spans = [span for span in edit.code.spans(line - 1) if span.start < column]
            call = call_at(before, spans)
        found = signature_of(help_in(self._completer.draft(), line, call.column + 1)) if call is not None else None
        if call is None or found is None or not found.arguments:
            self.hide_hint()
            return
        now = found.current(call)
        parts = [
            f"<b><u>{html.escape(each)}</u></b>" if number == now else html.escape(each)
            for number, each in enumerate(found.arguments)
        ]
        about = found.about if len(found.about) < 90 else found.about[:88].rsplit(" ", 1)[0] + " …"
        head = f"{html.escape(found.head)}({', '.join(parts)})"
        self.label.setText(f"{head}&nbsp; {html.escape(about)}" if about else head)
        self.label.adjustSize()
        self._place_hint(call.column)

    def _place_hint(self, column: int) -> None:
        edit = self.edit
        cursor = edit.textCursor()
        cursor.setPosition(edit.position(edit.place()[0], column))
        box = edit.cursorRect(cursor).translated(edit.viewport().pos())
        y = box.top() - self.label.height() - 4
        if y < 0:
            y = box.bottom() + 4
        x = max(self._margin.width(), min(box.left(), edit.width() - self.label.width() - 8))
        self.label.move(x, y)
        self.label.show()
        self.label.raise_()

    def hide_hint(self) -> None:
        self.label.hide()
