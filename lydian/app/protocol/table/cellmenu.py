"""The chooser of a cell: a field over a cell of the table, with a list of all choices below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.authoring.celledits import function_name
from lydian.language import tr

__all__ = ["CellChooser", "Choice", "NameField", "choices"]

#: The number of rows that the list shows before it scrolls, and its least width.
MOST_ROWS, LEAST_WIDTH = 12, 240


@dataclass(frozen=True)
class Choice:
    """A row of the list; ``kind`` is as in :func:`lydian.authoring.cannot.choose_cell`."""

    kind: str
    function: str
    text: str


_FIXED = (
    Choice("ignore", "", tr("Ignore: do nothing")),
    Choice("impossible", "", tr("Cannot happen: stop the run")),
    Choice("open", "", tr("Choose later")),
)


def choices(typed: str, state: str, event: str, functions: Sequence[str], helpers: Sequence[str] = ()) -> list[Choice]:
    """Return the choices for a typed text, an exact match first; an empty text gives all choices.

    ``helpers`` are functions that are not yet used in a cell; they are offered when their name is typed.
    """
    text = typed.strip()
    low = text.lower()
    if not text:
        new = function_name(state, event, [*functions, *helpers])
        used = [Choice("action", name, name) for name in functions]
        return [Choice("action", new, tr("New function {function}", function=new)), *_FIXED, *used]
    known = [*functions, *helpers]
    exact = [Choice("action", name, name) for name in known if name == text]
    near = [Choice("action", name, name) for name in known if low in name.lower() and name != text]
    near.sort(key=lambda choice: not choice.function.lower().startswith(low))
    fixed = [choice for choice in _FIXED if choice.text.lower().startswith(low)]
    whole = [choice for choice in fixed if choice.text.lower().partition(":")[0] == low]
    made = [] if exact else [Choice("action", text, tr("New function {function}", function=text))]
    return [*exact, *whole, *made, *near, *(choice for choice in fixed if choice not in whole)]


class _Line(QLineEdit):
    """The field of the chooser, which passes keys for the list on to it."""

    moved = Signal(int)
    taken = Signal(bool)
    escaped = Signal()
    left = Signal()
    jumped = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:  # during typing no key is a shortcut of the window
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Tab:
            self.taken.emit(True)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.jumped.emit()
            else:
                self.taken.emit(False)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.moved.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable():
            event.accept()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the code of the cell, because the second click of a double-click on it arrives here."""
        if self.text():
            super().mouseDoubleClickEvent(event)
        else:
            self.jumped.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.left.emit()


class CellChooser(QFrame):
    """The chooser: type a function's name or pick a row; Enter applies it, Esc or a click elsewhere cancels."""

    #: Emitted with the kind, the function, and whether to move on to the next cell (Tab).
    chosen = Signal(str, str, bool)
    closed = Signal()
    jump_wanted = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.theme = theme
        self.setObjectName("cellChooser")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.state = self.event_name = ""
        self._functions: tuple[str, ...] = ()
        self._helpers: tuple[str, ...] = ()
        self._rows: list[Choice] = []
        self._cell = QRect()
        self._over = True
        self.line = _Line()
        self.line.setObjectName("cellField")
        self.line.setPlaceholderText(tr("type a function or choose"))
        self.list = set_up(QListWidget(), look="cellChoices", name=tr("Choices"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.column = down(self.line, self.list, on=self, margins=1, spacing=0)
        self.line.textEdited.connect(lambda _text: self._fill(0))
        self.line.moved.connect(self._move)
        self.line.taken.connect(self._take)
        self.line.escaped.connect(self.put_away)
        self.line.left.connect(self.put_away)
        self.line.jumped.connect(self.jump_wanted)
        self.list.itemEntered.connect(self.list.setCurrentItem)
        self.list.itemClicked.connect(lambda _item: self._take(False))
        set_look(self.list, theme, font="small")
        self.hide()

    def open(self, cell: QRect, state: str, event: str, functions: Sequence[str], now: Choice, typed: str = "",
             helpers: Sequence[str] = ()) -> None:  # fmt: skip
        """Open the chooser over a cell (in window coordinates); ``typed`` is the letter that opened it."""
        self.state, self.event_name, self._functions = state, event, tuple(functions)
        self._helpers = tuple(helpers)
        self._over = self.isHidden()
        self._cell = cell
        self.line.setText(typed)
        self.line.setAccessibleName(tr("Action for {event} in state {state}", event=event, state=state))
        self._fill(None if not typed else 0, now)
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def put_away(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def _fill(self, row: int | None, now: Choice | None = None) -> None:
        self._rows = choices(self.line.text(), self.state, self.event_name, self._functions, self._helpers)
        self.list.clear()
        for choice in self._rows:
            item = QListWidgetItem(choice.text)
            item.setFont(self.theme.font("small", mono=choice.text == choice.function))
            self.list.addItem(item)
        if row is None:
            same = [i for i, c in enumerate(self._rows) if now is not None and (c.kind, c.function) == (
                now.kind, now.function if now.kind == "action" else "")]  # fmt: skip
            new = [i for i, c in enumerate(self._rows) if c.function and c.text != c.function]
            row = (same if now is not None and now.kind != "open" else new)[:1][0] if same or new else 0
        self.list.setCurrentRow(row)
        self._place()

    def _place(self) -> None:
        """Place the list below the cell, or above it if there is more space."""
        window = self.window()
        high = max(self._cell.height(), self.line.sizeHint().height() - 4)
        self.line.setFixedHeight(high)
        rows = min(len(self._rows), MOST_ROWS)
        row = max(self.list.sizeHintForRow(0), self.fontMetrics().height())
        below = window.height() - self._cell.bottom() - 6
        above = self._cell.top() - 6
        upwards = below < rows * row and above > below
        room = max((above if upwards else below) // max(row, 1), 2)
        self.list.setFixedHeight(min(rows, room) * row + 4)
        widest = max((self.list.fontMetrics().horizontalAdvance(c.text) for c in self._rows), default=0) + 40
        wide = min(max(self._cell.width(), LEAST_WIDTH, widest), window.width() - 8)
        self.column.setDirection(
            QVBoxLayout.Direction.BottomToTop if upwards else QVBoxLayout.Direction.TopToBottom
        )  # fmt: skip
        whole = high + self.list.height() + 2
        x = min(max(self._cell.left(), 4), max(window.width() - wide - 4, 4))
        y = self._cell.bottom() + 2 - whole if upwards else self._cell.top() - 1
        self.setGeometry(QRect(QPoint(x, y), QPoint(x + wide - 1, y + whole - 1)))

    def _move(self, step: int) -> None:
        if self._rows:
            self.list.setCurrentRow((self.list.currentRow() + step) % len(self._rows))

    def _take(self, onwards: bool) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._rows):
            choice = self._rows[row]
            self.chosen.emit(choice.kind, choice.function, onwards)


class NameField(_Line):
    """A field to edit a name in place; Enter or a click elsewhere applies the name, Esc cancels."""

    named = Signal(str)
    gone = Signal()

    def __init__(self, name: str, over: QRect, what: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self.setObjectName("cellField")
        self._over = False
        self.setAccessibleName(what)
        self.setGeometry(over)
        self.taken.connect(lambda _on: self._finish(True))
        self.left.connect(lambda: self._finish(True))
        self.escaped.connect(lambda: self._finish(False))
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _finish(self, keep: bool) -> None:
        if self._over:
            return
        self._over = True
        self.hide()
        if keep:
            self.named.emit(self.text().strip())
        self.gone.emit()
        self.deleteLater()
