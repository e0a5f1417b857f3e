"""The small parts of the panels of properties: a field with an explanation, a row of choices, a note."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import grown, mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.language import tr
from lydian.model.errors import BadInput

__all__ = ["VARIOUS", "Field", "Note", "Segment", "calm", "common", "heading", "hint", "label"]


class _Various:
    def __repr__(self) -> str:
        return "VARIOUS"


#: Stands for the value of several things whose values differ.
VARIOUS: Final[Any] = _Various()


def common(values: Iterable[Any]) -> Any:
    """Return the value that all have in common, or :data:`VARIOUS`; ``None`` if there are no values."""
    found: Any = None
    for number, value in enumerate(values):
        if number == 0:
            found = value
        elif value != found:
            return VARIOUS
    return found


class _Entry(QLineEdit):
    """A line edit that reports when Esc is pressed and when it loses the focus."""

    escaped = Signal()
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()


class _Calm(QObject):
    """An event filter that lets the wheel scroll the panel, unless the widget under it has the focus."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def calm(widget: QWidget) -> None:
    """Keep a combo box or slider in a scrolling panel from changing when the wheel passes over it."""
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.installEventFilter(_Calm(widget))


class Field(QWidget):
    """A label, a line edit, and below it an error if the text is not allowed.

    Args:
        label: the text above the line edit, also its accessible name.
        parse: from the text to the value; raises BadInput with a sentence.
        text: from a value to its text.
        unit: shown at the right end of the line edit.
        live: whether a value is reported while the user types, and not only when the field is left.
    """

    #: Emitted with another value that is allowed.
    entered = Signal(object)
    #: Emitted when the field is left or Enter pressed: further typing is a new step of undo.
    settled = Signal()
    #: Emitted on Esc: changes since the field was entered are to be undone.
    cancelled = Signal()

    def __init__(
        self,
        label: str,
        parse: Callable[[str], Any],
        text: Callable[[Any], str] = str,
        unit: str = "",
        *,
        live: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._parse, self._text, self._live = parse, text, live
        self.value: Any = None
        self.bad = False
        self._changed = self._told = False  # since the field was entered: the user has typed; a value was reported
        self._before: Any = None
        self.label = QLabel(label, self)  # Without a parent it would be a window of its own for a moment.
        self.label.setObjectName("fieldLabel")
        self.line = _Entry()
        self.line.setAccessibleName(label or tr("Number"))
        self.line.setMinimumWidth(40)
        self.label.setBuddy(self.line)
        self.label.setVisible(bool(label))
        self.unit = QLabel(unit, self.line)
        self.unit.setObjectName("fieldUnit")
        self.unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.unit.setVisible(bool(unit))
        self.problem = set_up(QLabel(), look="problem", wraps=True)
        self.problem.hide()
        down(self.label, self.line, self.problem, ..., on=self, spacing=3)
        self.line.textEdited.connect(self._edited)
        self.line.returnPressed.connect(self._finish)
        self.line.left.connect(self._finish)
        self.line.escaped.connect(self._escape)

    def name(self, label: str, unit: str, help_: str = "") -> None:
        """Change the label, the unit and the help."""
        self.label.setText(label)
        self.label.setVisible(bool(label))
        self.unit.setText(unit)
        self.unit.setVisible(bool(unit))
        self.line.setAccessibleName(label)
        self.line.setAccessibleDescription(help_)
        self.line.setToolTip(f"{help_[:1].upper()}{help_[1:]}" if help_ else "")
        self._fit()

    def write(self, text: Callable[[Any], str]) -> None:
        """Change how values are written."""
        self._text = text

    def say(self, value: Any, *, fresh: bool = False) -> None:
        """Show a value; keep text that is being typed if the value is unchanged, unless ``fresh`` is set."""
        typing = self.bad or (self.line.hasFocus() and self._changed)
        if not fresh and typing and (value is self.value or value == self.value):
            return
        self.value, self._changed = value, False
        text = "" if value is VARIOUS or value is None else self._text(value)
        self.line.setPlaceholderText(tr("various") if value is VARIOUS else "")
        if text != self.line.text():
            with QSignalBlocker(self.line):
                self.line.setText(text)
            self.line.setCursorPosition(0)
        self.complain("")
        self._fit()

    def complain(self, sentence: str) -> None:
        """Show an error below the field; an empty sentence removes it."""
        self.bad = bool(sentence)
        self.problem.setText(f"{sentence[:1].upper()}{sentence[1:]}." if sentence else "")
        self.problem.setVisible(self.bad)
        mark(self.line, bad=self.bad)

    def _edited(self, _text: str) -> None:
        if not self._changed:
            self._changed, self._before, self._told = True, self.value, False
        self._take(self._live)

    def _take(self, tell: bool) -> bool:
        """Check the text and, with ``tell``, report a new value; return False if the text is not allowed."""
        text = self.line.text()
        if not text.strip() and self.value is VARIOUS:
            self.complain("")
            return False
        try:
            value = self._parse(text)
        except BadInput as error:
            self.complain(error.what)
            return False
        self.complain("")
        if tell and (value != self.value or self.value is VARIOUS):
            self.value, self._told = value, True
            self.entered.emit(value)
        return True

    def _finish(self) -> None:
        """Accept the text; if it is not allowed, restore the value from before, and keep the error."""
        if not self._changed:
            return
        self._take(True)
        self._changed = False
        if self.bad and self._told:
            self.value = self._before
            self.cancelled.emit()
            return
        if not self.bad:
            with QSignalBlocker(self.line):
                self.line.setText("" if self.value is VARIOUS else self._text(self.value))
        self.settled.emit()

    def _escape(self) -> None:
        self._changed = False
        self.cancelled.emit()
        self.say(self.value, fresh=True)
        self.line.selectAll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Put the unit at the right end, if there is room for it beside the value."""
        if not self.unit.text():
            self.line.setTextMargins(0, 0, 0, 0)
            return
        wide = self.unit.sizeHint().width()
        room = self.line.width() - wide - 16
        fits = room >= self.line.fontMetrics().horizontalAdvance(self.line.text() or "0.00") + 8
        self.unit.setVisible(fits)
        self.line.setTextMargins(0, 0, wide + 2 if fits else 0, 0)
        self.unit.setGeometry(self.line.width() - wide - 8, 0, wide, self.line.height())


class Segment(QFrame):
    """A row of choices, one of which is selected; none if several things differ.

    Args:
        name: its accessible name.
        choices: for each choice its key, its text, and its tooltip, which may be empty.
        theme: the look; without one the height does not follow the size of the text.
        height: the least height of the choices.
    """

    chosen = Signal(str)

    def __init__(
        self, name: str, choices: Iterable[tuple[str, ...]], theme: Theme | None = None, *, height: int = 28
    ) -> None:
        super().__init__()
        self.setObjectName("segment")
        self.setAccessibleName(name)
        self.buttons: dict[str, QToolButton] = {}
        self._name = name
        self._group = QButtonGroup(self)
        self._row = across(on=self, margins=1, spacing=0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        for key, text, *tip in choices:
            button = self.buttons[key] = QToolButton()
            button.setCheckable(True)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
            button.setMinimumWidth(20)
            button.setMinimumHeight(height)
            if theme is not None:
                set_look(button, theme, min_height=grown(height))
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _checked=False, key=key: self.chosen.emit(key))
            self._group.addButton(button)
            self._row.addWidget(button, 1)
            self.word(key, text, tip="".join(tip))

    def word(self, key: str, text: str, *, enabled: bool = True, tip: str = "") -> None:
        """Change the text of a choice."""
        button = self.buttons[key]
        button.setText(text.replace("&", "&&"))
        button.setAccessibleName(f"{self._name}: {text}")
        button.setEnabled(enabled)
        button.setToolTip(tip)

    def say(self, key: str | None) -> None:
        """Select the choice that applies; ``None`` selects none."""
        self._group.setExclusive(False)
        for name, button in self.buttons.items():
            button.setChecked(name == key)
        self._group.setExclusive(key is not None)

    @property
    def key(self) -> str | None:
        """The key of the selected choice."""
        return next((name for name, button in self.buttons.items() if button.isChecked()), None)


class Note(QFrame):
    """A remark with a button, for example on a value that the experiment sets."""

    pressed = Signal()

    def __init__(self, button: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("propertyNote")
        self.text = set_up(QLabel(), wraps=True, plain=True)
        self.button = QPushButton(button)
        down(self.text, (self.button, Qt.AlignmentFlag.AlignLeft), on=self, margins=(10, 8, 10, 8), spacing=6)
        self.button.clicked.connect(self.pressed)
        self.hide()

    def say(self, text: str) -> None:
        self.text.setText(text)
        self.setVisible(bool(text))


def heading(text: str) -> QLabel:
    """Return the title of a section."""
    label = QLabel(text)
    label.setObjectName("heading")
    return label


def label(text: str = "", buddy: QWidget | None = None) -> QLabel:
    """Return a label for a field, in the small type of forms; its mnemonic moves the focus to the field."""
    made = QLabel(text)
    made.setObjectName("fieldLabel")
    if buddy is not None:
        made.setBuddy(buddy)
    return made


def hint(text: str = "") -> QLabel:
    """Return a remark in small type that wraps."""
    return set_up(QLabel(text), look="explained", wraps=True, plain=True)


def rule() -> QFrame:
    """Return a thin line between two sections."""
    line = QFrame()
    line.setObjectName("separator")
    line.setFixedHeight(1)
    return line
