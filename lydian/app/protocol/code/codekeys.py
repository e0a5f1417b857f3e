"""The keyboard commands of the code, and its context menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QKeyCombination, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QMenu, QWidget

from lydian.app.protocol.code.completer import Completer
from lydian.app.protocol.code.hovers import Hovers
from lydian.app.protocol.code.marks import MarkedText
from lydian.app.protocol.code.renaming import Renaming
from lydian.app.protocol.problems import Problems
from lydian.authoring import codetyping as typing
from lydian.authoring.codenames import definition_of, word_at
from lydian.authoring.complete import help_in
from lydian.language import tr, trc

__all__ = ["KEYS", "Keys"]


class LineKeys(QObject):
    """The commands of one editor that change lines; each is one step of the history."""

    def __init__(self, edit: MarkedText, completer: Completer) -> None:
        super().__init__(edit)
        self.edit, self._completer = edit, completer

    def _rows(self) -> tuple[int, int]:
        """Return the first and last line (from 0) that the selection touches."""
        cursor, text = self.edit.textCursor(), self.edit.document()
        first, last = text.findBlock(cursor.selectionStart()), text.findBlock(cursor.selectionEnd())
        back = last != first and cursor.selectionEnd() == last.position()
        return first.blockNumber(), last.blockNumber() - back

    def _put(self, first: int, last: int, lines: Sequence[str], chosen: tuple[int, int] | None = None) -> None:
        """Replace lines; select those at ``chosen``, or keep the selection as far as possible."""
        self.edit.own()
        edit, text = self.edit, self.edit.document()
        (anchor_line, anchor), (line, column) = self._anchor(), edit.place()
        olds = [text.findBlockByNumber(number).text() for number in range(first, last + 1)]
        cursor = QTextCursor(text)
        cursor.beginEditBlock()
        if len(olds) == len(lines):
            for number, (old, new) in enumerate(zip(olds, lines, strict=True), first):
                if old != new:  # only differences are changed, so that marks stay
                    self._put_line(cursor, number, old, new)
        else:
            cursor.setPosition(text.findBlockByNumber(first).position())
            end = text.findBlockByNumber(last)
            cursor.setPosition(end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText("\n".join(lines))
        cursor.endEditBlock()
        shift = 0 if chosen is None else chosen[0]
        now = edit.textCursor()
        if chosen is None:
            grown = {n: len(new) - len(old) for n, (old, new) in enumerate(zip(olds, lines, strict=False), first)}
            anchor, column = (max(0, c + grown.get(n - 1, 0)) for n, c in ((anchor_line, anchor), (line, column)))
        now.setPosition(edit.position(anchor_line + shift, anchor))
        now.setPosition(edit.position(line + shift, column), QTextCursor.MoveMode.KeepAnchor)
        edit.setTextCursor(now)
        edit.ensureCursorVisible()

    def _put_line(self, cursor: QTextCursor, number: int, old: str, new: str) -> None:
        cursor.setPosition(self.edit.document().findBlockByNumber(number).position())
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(new)

    def _anchor(self) -> tuple[int, int]:
        cursor = self.edit.textCursor()
        cursor.setPosition(cursor.anchor())
        return self.edit.place(cursor)

    def _lines(self, first: int, last: int) -> list[str]:
        return [self.edit.code.line(number) for number in range(first, last + 1)]

    def indent(self) -> None:
        if self.edit.tabChangesFocus():  # Qt has already moved the focus, if it could
            return
        first, last = self._rows()
        cursor = self.edit.textCursor()
        if first != last or (cursor.hasSelection() and cursor.selectedText() == cursor.block().text()):
            self._put(first, last, typing.indented(self._lines(first, last)))
        else:
            self.edit.own()
            cursor = self.edit.textCursor()
            cursor.removeSelectedText()
            _, column = self.edit.place(cursor)
            cursor.insertText(typing.to_tab(cursor.block().text()[:column]))
            self.edit.setTextCursor(cursor)

    def outdent(self) -> None:
        if not self.edit.tabChangesFocus():
            first, last = self._rows()
            self._put(first, last, typing.outdented(self._lines(first, last)))

    def comment(self) -> None:
        first, last = self._rows()
        self._put(first, last, typing.toggled(self._lines(first, last)))

    def duplicate(self) -> None:
        first, last = self._rows()
        lines = self._lines(first, last)
        self._put(first, last, [*lines, *lines], (last - first + 1, 0))

    def move_up(self) -> None:
        self._move(-1)

    def move_down(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        first, last = self._rows()
        low, high = min(first, first + by), max(last, last + by)
        if low < 0 or high >= self.edit.blockCount():
            return
        new = typing.moved(self._lines(low, high), first - low, last - low, by)
        assert new is not None
        self._put(low, high, new, (by, 0))

    def home(self) -> None:
        self._home(QTextCursor.MoveMode.MoveAnchor)

    def home_more(self) -> None:
        self._home(QTextCursor.MoveMode.KeepAnchor)

    def _home(self, mode: QTextCursor.MoveMode) -> None:
        cursor = self.edit.textCursor()
        line, column = self.edit.place(cursor)
        cursor.setPosition(self.edit.position(line, typing.first_column(cursor.block().text(), column)), mode)
        self.edit.setTextCursor(cursor)
        self._completer.close()


#: Key -> the name of a method, and its label in the menu and the list of keys.
KEYS: dict[str, tuple[str, str]] = {
    "Ctrl+Space": ("complete", tr("Suggest completions")),
    "Alt+Return": ("fix", tr("Fix the problem here")),
    "Alt+Enter": ("fix", tr("Fix the problem here")),
    "F8": ("next_problem", tr("Next problem")),
    "Shift+F8": ("previous_problem", tr("Previous problem")),
    "F12": ("define", tr("Go to the declaration")),
    "F2": ("rename", tr("Rename state or function")),
    "F9": ("breakpoint", tr("Set or clear a breakpoint")),
    "Ctrl+/": ("comment", tr("Comment or uncomment")),
    "Ctrl+D": ("duplicate", tr("Duplicate the line")),
    "Alt+Up": ("move_up", tr("Move the line up")),
    "Alt+Down": ("move_down", tr("Move the line down")),
    "Ctrl+M": ("let_go", tr("Let Tab leave the code or indent")),
    "Ctrl+F": ("find", trc("verb", "Find")),
    "Ctrl+H": ("replace", tr("Find and replace")),
    "F3": ("find_next", tr("Next match")),
    "Shift+F3": ("find_previous", tr("Previous match")),
    "Ctrl+G": ("go_to", tr("Go to a line")),
    "F1": ("explain", tr("Explain the word")),
    "Tab": ("indent", ""),
    "Shift+Tab": ("outdent", ""),
    "Home": ("home", ""),
    "Shift+Home": ("home_more", ""),
    "Esc": ("escape", ""),
}
#: Keys that the text edit would consume although they are shortcuts of the window.
_WINDOW = frozenset(("Ctrl+K",))
_CHANGING = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_WALKING = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
    Qt.Key.Key_Home, Qt.Key.Key_End,
)  # fmt: skip
_HELD = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr)
_SEQUENCES = (
    QKeySequence.StandardKey.Cut, QKeySequence.StandardKey.Paste, QKeySequence.StandardKey.Undo,
    QKeySequence.StandardKey.Redo, QKeySequence.StandardKey.DeleteStartOfWord, QKeySequence.StandardKey.DeleteEndOfWord,
)  # fmt: skip


def key_of(event: QKeyEvent) -> str:
    """Return the key in the form used in the table."""
    key = event.key()
    modifiers = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.GroupSwitchModifier)
    if key == Qt.Key.Key_Backtab:
        return "Shift+Tab"
    control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    if control and (key == Qt.Key.Key_Slash or event.text() == "/"):  # on some keyboards "/" needs Shift
        return "Ctrl+/"
    return QKeySequence(QKeyCombination(modifiers, Qt.Key(key))).toString(QKeySequence.SequenceFormat.PortableText)


class Keys(LineKeys):
    """The keyboard commands of one editor."""

    find_wanted = Signal(bool)
    step_wanted = Signal(int)
    line_wanted = Signal()
    escaped = Signal()

    def __init__(self, edit: MarkedText, completer: Completer, hovers: Hovers, problems: Problems) -> None:
        super().__init__(edit, completer)
        self._hovers, self._problems = hovers, problems
        self.renaming: Renaming | None = None
        self.bar: QWidget | None = None  # find and replace, which Esc closes

    def wants(self, event: QKeyEvent) -> bool | None:
        """Return whether a key is kept from the window's shortcuts, or ``None`` to leave that to Qt."""
        name = key_of(event)
        if name in _WINDOW:
            return False
        if name == "F1":
            return self._known() != ""
        if name == "Esc":
            return True if self._something_open() else None
        if event.key() in _WALKING and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            pages = event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
            return not (pages and event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        return True if name in KEYS else None

    def _something_open(self) -> bool:
        """Return True if Esc closes something here before it reaches the window."""
        edit = self.edit
        seen = (self._completer.frame, self._hovers.label, self.bar)
        open_here = any(each is not None and each.isVisible() for each in seen)
        return open_here or self._problems.band is not None or edit.textCursor().hasSelection()

    def changes(self, event: QKeyEvent) -> bool:
        """Return True if a key will change the text."""
        if event.key() in _CHANGING or any(event.matches(each) for each in _SEQUENCES):
            return True
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        text = event.text()
        return bool(text) and text.isprintable() and (not held or held == both)

    def press(self, event: QKeyEvent) -> bool:
        """Carry out the command of a key; return True if the key was used."""
        if self._completer.press(event):
            return True
        name = key_of(event)
        if name in KEYS:
            method: Callable[[], object] = getattr(self, KEYS[name][0])
            return method() is not False
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self.enter()
            return True
        if event.key() == Qt.Key.Key_Backspace and plain and not self.edit.textCursor().hasSelection():
            return self.backspace()
        if self.changes(event) and len(event.text()) == 1 and event.text() in "()[]{}\"'":
            return self.pair(event.text())
        return False

    def after(self, event: QKeyEvent) -> None:
        """Update the list of completions after Qt has used a key."""
        text = event.text()
        if self.changes(event) and text and text.isprintable():
            self._completer.typed(text)
        elif event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            if self._completer.begun:
                self._completer.follow()
            else:
                self._completer.close()
        elif not event.text() and event.key() not in _HELD:
            self._completer.close()

    # ------------------------------------------------------------------ typing

    def enter(self) -> None:
        self.edit.own()
        cursor = self.edit.textCursor()
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        line, column = self.edit.place(cursor)
        text = cursor.block().text()
        before, behind = typing.after_enter(self.edit.code, line - 1, column)
        gap = len(text[column:]) - len(text[column:].lstrip(" "))
        for _ in range(gap if column > len(typing.indent_of(text)) else 0):
            cursor.deleteChar()
        cursor.insertText(before)
        at = cursor.position()
        cursor.insertText(behind)
        cursor.setPosition(at)
        cursor.endEditBlock()
        self.edit.setTextCursor(cursor)
        self.edit.ensureCursorVisible()

    def backspace(self) -> bool:
        cursor = self.edit.textCursor()
        _, column = self.edit.place(cursor)
        text = cursor.block().text()
        before, behind = typing.to_remove(text[:column], text[column:])
        if (before, behind) == (1, 0):
            return False
        self.edit.own()
        cursor.beginEditBlock()
        for _ in range(behind):
            cursor.deleteChar()
        for _ in range(before):
            cursor.deletePreviousChar()
        cursor.endEditBlock()
        self.edit.setTextCursor(cursor)
        self._completer.close()
        return True

    def pair(self, letter: str) -> bool:
        """Close a bracket or quote at once, step over it, or put it around the selection."""
        cursor = self.edit.textCursor()
        if cursor.hasSelection():
            close = {"(": ")", "[": "]", "{": "}", '"': '"', "'": "'"}.get(letter)
            if close is None:
                return False
            self.edit.own()
            start, end = cursor.selectionStart(), cursor.selectionEnd()
            cursor.beginEditBlock()
            cursor.setPosition(end)
            cursor.insertText(close)
            cursor.setPosition(start)
            cursor.insertText(letter)
            cursor.endEditBlock()
            cursor.setPosition(start + 1)
            cursor.setPosition(end + 1, QTextCursor.MoveMode.KeepAnchor)
            self.edit.setTextCursor(cursor)
            return True
        line, column = self.edit.place(cursor)
        text = cursor.block().text()
        done = typing.typed_pair(letter, text[:column], text[column:], self.edit.code.spans(line - 1))
        if not done:
            return False
        if done == "skip":
            cursor.movePosition(QTextCursor.MoveOperation.Right)
        else:
            self.edit.own()
            cursor = self.edit.textCursor()
            cursor.insertText(letter + done)
            cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.MoveAnchor, len(done))
        self.edit.setTextCursor(cursor)
        if done == "skip":
            self._completer.close()
        else:
            self._completer.typed(letter)
        return True

    # ------------------------------------------------------------------ words

    def let_go(self) -> None:
        leaves = not self.edit.tabChangesFocus()
        self.edit.setTabChangesFocus(leaves)
        words = (
            tr("Tab now leaves the code; press Ctrl+M to let it indent again") if leaves else tr("Tab indents again")
        )
        self.edit.protocol.say(words)

    def complete(self) -> None:
        self._completer.show(asked=True)

    def fix(self) -> None:
        self._problems.fix()

    def next_problem(self) -> None:
        self._problems.go(1)

    def previous_problem(self) -> None:
        self._problems.go(-1)

    def breakpoint(self) -> None:
        self.edit.break_wanted.emit(self.edit.place()[0])

    def define(self) -> bool:
        """Go to the declaration of the name under the cursor."""
        line, column = self.edit.place()
        self.edit.protocol.reread()
        word = word_at(self.edit.code.line(line - 1), column)
        place = definition_of(self.edit.protocol.draft, line, column)
        if place is not None and word is not None:
            self.edit.go(*place)
            self.edit.glow(place[0])
            return True
        if word is not None:
            known = self._known()
            said = (
                tr("{word}: it belongs to LYDIAN or Python; F1 explains it", word=word[0])
                if known
                else tr("{word}: it is not declared in this file", word=word[0])
            )
            self.edit.protocol.say(said)
        return True

    def _known(self) -> str:
        """Return the word under the cursor if it can be explained."""
        line, column = self.edit.place()
        found = word_at(self.edit.code.line(line - 1), column)
        if found is None or not help_in(self._completer.draft(), line, column):
            return ""
        return found[0]

    def explain(self) -> bool:
        word = self._known()
        if word:
            self.edit.help_wanted.emit(word)
        return bool(word)

    def rename(self) -> None:
        if self.renaming is None:
            self.renaming = Renaming(self.edit)
        self.renaming.begin()

    def find(self) -> None:
        self.find_wanted.emit(False)

    def replace(self) -> None:
        self.find_wanted.emit(True)

    def find_next(self) -> None:
        self.step_wanted.emit(1)

    def find_previous(self) -> None:
        self.step_wanted.emit(-1)

    def go_to(self) -> None:
        self.line_wanted.emit()

    def escape(self) -> bool:
        """Close the hint, the box or the search, whichever is open, or else clear the selection."""
        edit = self.edit
        if self._hovers.label.isVisible():
            self._hovers.hide_hint()
        elif self._problems.band is not None:
            self._problems.close()
        elif edit.textCursor().hasSelection():
            cursor = edit.textCursor()
            cursor.clearSelection()
            edit.setTextCursor(cursor)
        else:
            self.escaped.emit()
        return True

    # ------------------------------------------------------------------ menu

    def menu(self, at: QPoint) -> QMenu:
        """Open the context menu, which contains every keyboard command of the code."""
        edit = self.edit
        if at.x() >= 0 and not edit.textCursor().hasSelection():
            edit.setTextCursor(edit.cursorForPosition(at))
        menu = edit.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addSeparator()
        done: set[str] = set()
        for key, (name, words) in KEYS.items():
            if not words or name in done:
                continue
            done.add(name)
            action = menu.addAction(words)
            action.setShortcut(QKeySequence(key))
            action.triggered.connect(getattr(self, name))
            if name == "explain":
                action.setEnabled(bool(self._known()))
            elif name == "fix":
                action.setEnabled(bool(self._problems.fixes()))
        return menu
