"""The bar above the code: find, replace, and go to a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from lydian.app.kit.layout import across
from lydian.app.kit.theming import mark, set_look, set_up, stretched
from lydian.authoring.codefind import MOST, Search, find_all, next_of, replaced, replaced_all
from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.app.protocol.code.codetext import CodeText

__all__ = ["FindBar"]


class _Entry(QLineEdit):
    """A field that emits Enter, Shift+Enter, Esc and the keys of the search."""

    stepped = Signal(int)
    escaped = Signal()
    asked = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, held = event.key(), event.modifiers()
        shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
        control = bool(held & Qt.KeyboardModifier.ControlModifier)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
            self.stepped.emit(-1 if shift else 1)
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif control and key in (Qt.Key.Key_F, Qt.Key.Key_H):
            self.asked.emit(key == Qt.Key.Key_H)
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def event(self, event):  # type: ignore[no-untyped-def]
        if event.type() == event.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if event.key() == Qt.Key.Key_F3 or (control and event.key() in (Qt.Key.Key_F, Qt.Key.Key_H)):
                event.accept()
                return True
        return super().event(event)


class FindBar(QFrame):
    """The find bar of one editor."""

    def __init__(self, edit: CodeText, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = edit
        self.found: list[tuple[int, int]] = []
        self.setObjectName("codeFind")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.field, self.by, self.line = _Entry(), _Entry(), _Entry()
        for field, words in (
            (self.field, trc("verb", "Find")), (self.by, tr("Replace with")), (self.line, tr("Line number")),
        ):  # fmt: skip
            field.setPlaceholderText(words)
            field.setAccessibleName(words)
            field.escaped.connect(self.close_bar)
            field.asked.connect(self.open)
        self.case = self._switch("Aa", tr("Match case"))
        self.whole = self._switch("ab|", tr("Whole words only"))
        self.pattern = self._switch(".*", tr("Regular expression (as in Python)"))
        self.count = set_up(QLabel(), look="hint", name=tr("Number of matches"))
        self.back = self._button("chevron-up", tr("Previous match (Shift+F3)"), lambda: self.step(-1))
        self.on = self._button("chevron-down", tr("Next match (F3)"), lambda: self.step(1))
        self.shut = self._button("close", tr("Close (Esc)"), self.close_bar)
        self.one, self.all = QPushButton(tr("Replace")), QPushButton(tr("Replace all"))
        self.one.clicked.connect(self.replace_one)
        self.all.clicked.connect(self.replace_all)
        self._finding = QWidget()
        grid = QGridLayout(self._finding)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(5)
        first = across(self.case, self.whole, self.pattern, self.back, self.on, 6, (self.count, 1), spacing=3)
        grid.addWidget(self.field, 0, 0)
        grid.addLayout(first, 0, 1)
        second = across(self.one, self.all, ..., spacing=6)
        grid.addWidget(self.by, 1, 0)
        grid.addLayout(second, 1, 1)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 4)
        self._going = QWidget()
        self.line.setMaximumWidth(150)
        self.range = QLabel()
        self.range.setObjectName("hint")
        across(self.line, (self.range, 1), on=self._going)
        across(
            (self._finding, 1), (self._going, 1), (self.shut, Qt.AlignmentFlag.AlignTop), on=self, margins=(10, 6, 8, 6)
        )
        self.field.textChanged.connect(lambda _text: self.look(jump=True))
        for switch in (self.case, self.whole, self.pattern):
            switch.toggled.connect(lambda _on: self.look(jump=True))
        self.field.stepped.connect(self.step)
        self.by.stepped.connect(lambda step: self.replace_one() if step > 0 else self.step(-1))
        self.line.stepped.connect(lambda _step: self._go())
        self._from = 0
        self.hide()

    def _switch(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setCheckable(True)
        set_look(button, self.edit.theme, min_square=stretched(28))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        return button

    def _button(self, name: str, tip: str, what) -> QToolButton:  # type: ignore[no-untyped-def]
        button = QToolButton()
        set_look(button, self.edit.theme, icon=name, icon_size=stretched(16), min_square=stretched(28))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(lambda _on=False: what())
        return button

    # ------------------------------------------------------------------ opening

    def open(self, replace: bool = False) -> None:
        """Open the bar to find the selected text, or the text of the last search."""
        cursor = self.edit.textCursor()
        chosen = cursor.selectedText()
        self._from = cursor.selectionStart()
        self._finding.show()
        self._going.hide()
        self.by.setVisible(replace)
        self.one.setVisible(replace)
        self.all.setVisible(replace)
        self.show()
        if chosen and "\u2029" not in chosen and not self.field.hasFocus():
            self.field.setText(chosen)
        self.look(jump=False)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def open_line(self) -> None:
        """Open the bar to go to a line."""
        self._finding.hide()
        self._going.show()
        self.range.setText(tr("1 to {count:,}, or line:column; Enter goes there", count=self.edit.blockCount()))
        mark(self.range, bad=False)
        self.line.clear()
        self.show()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_bar(self) -> None:
        self.hide()
        self.found = []
        self.edit.finds = {}
        self.edit.viewport().update()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def finding(self) -> bool:
        return self.isVisible() and not self._finding.isHidden()

    # ------------------------------------------------------------------ finding

    def search(self) -> Search:
        return Search(self.field.text(), self.case.isChecked(), self.whole.isChecked(), self.pattern.isChecked())

    def look(self, *, jump: bool = False) -> None:
        """Find all matches; with ``jump``, select the first one from where the search began."""
        source = self.edit.protocol.source
        try:
            self.found = find_all(source, self.search())
        except BadInput as error:
            self.found = []
            self._tell(str(error), True)
            self._show()
            return
        self._show()
        if jump and self.found:
            number = next_of(self.found, self.edit.protocol.offset(self._from))
            self._choose(number or 0)
        self._count()

    def _show(self) -> None:
        """Mark the matches in their lines."""
        places: dict[int, list[tuple[int, int]]] = {}
        text = self.edit.protocol.source
        line, start = 0, 0
        for first, last in self.found:
            end = text.find("\n", start)
            while 0 <= end < first:
                line, start = line + 1, end + 1
                end = text.find("\n", start)
            stop = last if end < 0 else min(last, end)  # a match across the end of a line is marked up to it
            places.setdefault(line, []).append((first - start, stop - start))
        self.edit.finds = places
        self.edit.viewport().update()

    def _here(self) -> int | None:
        cursor, protocol = self.edit.textCursor(), self.edit.protocol
        place = protocol.offset(cursor.selectionStart()), protocol.offset(cursor.selectionEnd())
        return self.found.index(place) if place in self.found else None

    def _count(self) -> None:
        if not self.field.text():
            self._tell("")
        elif not self.found:
            self._tell(tr("no matches"))
        else:
            here = self._here()
            many = tr("more than {count:,}", count=MOST) if len(self.found) == MOST else f"{len(self.found):,}"
            self._tell(
                tr("{number:,} of {total}", number=here + 1, total=many)
                if here is not None
                else plural(len(self.found), "match")
            )

    def _tell(self, text: str, bad: bool = False) -> None:
        self.count.setText(text)
        self.count.setToolTip(text)
        mark(self.count, bad=bad)

    def step(self, step: int) -> None:
        """Go to the next match (1) or the previous one (-1)."""
        if not self.field.text():
            self.open()
            return
        self.look()
        cursor, protocol = self.edit.textCursor(), self.edit.protocol
        at = protocol.offset(cursor.selectionEnd() if step > 0 else cursor.selectionStart())
        number = next_of(self.found, at, step)
        if number is not None:
            self._choose(number)
            self._count()

    def _choose(self, number: int) -> None:
        start, end = self.found[number]
        cursor = self.edit.textCursor()
        cursor.setPosition(self.edit.protocol.position(start))
        cursor.setPosition(self.edit.protocol.position(end), QTextCursor.MoveMode.KeepAnchor)
        self.edit.setTextCursor(cursor)
        if not self.edit.viewport().rect().adjusted(0, 0, 0, -20).contains(self.edit.cursorRect().center()):
            self.edit.centerCursor()

    # ------------------------------------------------------------------ replacing

    def replace_one(self) -> None:
        """Replace the selected match and go to the next."""
        self.look()
        here = self._here()
        if here is None:
            self.step(1)
            return
        protocol = self.edit.protocol
        start, end = self.found[here]
        try:
            new = replaced(protocol.source, self.search(), (start, end), self.by.text())
        except BadInput as error:
            self._tell(str(error), True)
            return
        self.edit.own()
        cursor = self.edit.textCursor()
        cursor.insertText(new)
        self.edit.setTextCursor(cursor)
        self.step(1)

    def replace_all(self) -> None:
        """Replace all matches, as one step of the history."""
        try:
            find_all(self.edit.protocol.source, self.search())
            source, count = replaced_all(self.edit.protocol.source, self.search(), self.by.text())
        except BadInput as error:
            self._tell(str(error), True)
            return
        if count:
            self.edit.own()
            self.edit.protocol.replace(source, trn("replaced {count:,} match", "replaced {count:,} matches", count))
        self.look()
        done = trn("{count:,} match replaced", "{count:,} matches replaced", count)
        self._tell(done if count else tr("no matches"))

    def _go(self) -> None:
        first, _, second = self.line.text().replace(",", "").strip().partition(":")
        count = self.edit.blockCount()
        if not first.isdigit() or not 1 <= int(first) <= count or (second and not second.strip().isdigit()):
            self.range.setText(tr("a line must be a number from 1 to {count:,}", count=count))
            mark(self.range, bad=True)
            return
        self.close_bar()
        self.edit.go(int(first), int(second) - 1 if second and int(second) else None)
        self.edit.glow(int(first))
