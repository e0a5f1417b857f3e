"""A small form beside a thing: the values that a fault needs, filled in with likely ones."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton, QWidget

from lydian.app.kit.fields import Field, hint, label
from lydian.app.kit.form import choice
from lydian.app.kit.layout import across, down, fill, held
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_up
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.interventions import Intervention
from lydian.views.playback.faultforms import Entry, Form

__all__ = ["FaultForm"]


class FaultForm(Popup):
    """The fields of a fault's :class:`~lydian.views.playback.faultforms.Form`; a click beside it or Esc closes it."""

    #: Emitted with the interventions that the form describes (a tuple of tables).
    done = Signal(object)
    #: Emitted when the form has closed.
    closed = Signal()

    def __init__(self, parent: QWidget, form: Form) -> None:
        super().__init__(parent, window=False, margins=(12, 10, 12, 10), spacing=8)
        self.setAutoFillBackground(True)
        self.form = form
        self._before: QWidget | None = None  # the widget that had the focus
        self._over = False  # sent or cancelled
        self._place = QRect()
        self.setAccessibleName(form.title)
        self.title = set_up(QLabel(form.title), look="dockName", wraps=True, plain=True)
        self.lines: dict[str, Field | QComboBox] = {}
        self._entries: list[Entry] = []
        self._rows = down(spacing=8)
        self.problem = set_up(QLabel(), look="problem", wraps=True)
        self.problem.hide()
        self.button = set_up(
            QPushButton(form.button), tip=tr("{button} (Enter)", button=form.button), clicked=self.accept
        )
        self.button.setDefault(True)
        self.hint = set_up(QLabel(tr("Enter sends, Esc cancels")), look="explained")
        fill(self.column, self.title, self._rows, self.problem, across((self.hint, 1), self.button))
        self._build({})

    # ------------------------------------------------------------------ fields

    @property
    def values(self) -> dict[str, str]:
        """The values of the fields."""
        found = {}
        for key, line in self.lines.items():
            found[key] = line.currentText() if isinstance(line, QComboBox) else line.line.text()
        return found

    def _build(self, values: dict[str, str]) -> None:
        """Build the fields for the values chosen so far."""
        entries = self.form.entries(values)
        while self._rows.count():
            item = self._rows.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.lines, self._entries = {}, entries
        for entry in entries:
            self._rows.addWidget(self._choice(entry) if entry.choices else self._typed(entry, values))

    def _choice(self, entry: Entry) -> QWidget:
        box = set_up(choice(*((each, each) for each in entry.choices)), name=entry.label, about=entry.about)
        box.setCurrentText(entry.value)
        box.currentTextChanged.connect(lambda _text, key=entry.key: self._chose(key))
        row = held(down(label(entry.label, box), box, spacing=3))
        self.lines[entry.key] = box
        return row if not entry.about else _explained(row, entry.about)

    def _typed(self, entry: Entry, values: dict[str, str]) -> QWidget:
        field = Field(entry.label, lambda text: text, unit=entry.unit)
        field.name(entry.label, entry.unit, entry.about)
        field.say(values.get(entry.key, entry.value))
        field.cancelled.connect(self.leave)
        field.line.textEdited.connect(lambda _text: field.complain(""))
        self.lines[entry.key] = field
        return field if not entry.about else _explained(field, entry.about)

    def _chose(self, key: str) -> None:
        """React to another choice: rebuild the fields that depend on it; the values of the others are kept."""
        now = self.values
        choices = {each.key for each in self._entries if each.choices}
        kept = {name: value for name, value in now.items() if name in choices or name.startswith("field:")}
        self._build(kept)
        self._fit()
        line = self.lines.get(key)
        if isinstance(line, QComboBox):
            line.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------------ sending

    def accept(self) -> None:
        """Send the values once, or show the error below the field."""
        if self._over:
            return
        for line in self.lines.values():
            if isinstance(line, Field):
                line.complain("")
        self.problem.hide()
        try:
            what = self.form.read(self.values)
            for each in what:
                Intervention.from_dict({"time": 0.0, **each})
        except BadInput as error:
            self._complain(error)
            return
        self._over = True
        self.leave()
        self.done.emit(what)

    def leave(self) -> None:
        """Close the form and give the focus back."""
        if self.isVisible():
            self.hide()
            if self._before is not None and self._before.isVisible():
                self._before.setFocus(Qt.FocusReason.OtherFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._over = True
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self.closed.emit()
        self.deleteLater()

    def _complain(self, error: BadInput) -> None:
        line = self.lines.get(error.place or "")
        if isinstance(line, Field):
            line.complain(error.what)
            line.line.setFocus(Qt.FocusReason.OtherFocusReason)
            line.line.selectAll()
        else:
            self.problem.setText(error.remark)
            self.problem.show()
        self._fit()

    # ------------------------------------------------------------------ place

    def open_beside(self, place: QRect, least: int = 280) -> None:
        """Show the form to the right of a place of the screen, or to its left, inside the window."""
        self._place = place
        self.setMinimumWidth(least)
        self.setMaximumWidth(max(least, 380))
        self._before = QApplication.focusWidget()
        self._fit()
        self.show()
        self.raise_()
        application = QApplication.instance()
        if application is not None:
            application.installEventFilter(self)
        first = next(iter(self.lines.values()), None)
        if isinstance(first, QComboBox) and len(self.lines) > 1 and first.count() < 2:
            first = list(self.lines.values())[1]
        if isinstance(first, Field):
            first.line.setFocus(Qt.FocusReason.OtherFocusReason)
            first.line.selectAll()
        elif first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fit(self) -> None:
        self.column.invalidate()
        self.column.activate()
        self.resize(self.sizeHint())
        if self.hasHeightForWidth():
            self.resize(self.width(), self.heightForWidth(self.width()))
        window = self.window()
        place = QRect(window.mapFromGlobal(self._place.topLeft()), self._place.size())
        x = place.right() + 10
        if x + self.width() > window.width() - 6:
            x = place.left() - 10 - self.width()
        y = place.center().y() - 40
        x = max(min(x, window.width() - 6 - self.width()), 6)
        y = max(min(y, window.height() - 6 - self.height()), 6)
        self.move(QPoint(x, y))

    # ------------------------------------------------------------------ keys and clicks

    def event(self, event: QEvent) -> bool:
        """Claim all keys for the form, even those that are shortcuts in the window."""
        far = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        override = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if override and not event.modifiers() & far:  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Enter and Esc wherever the focus is in the form: a line edit passes both on to the form."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.leave()
        event.accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the form when the user clicks elsewhere in the window."""
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget) and self.isVisible():
            inside = watched is self or self.isAncestorOf(watched)
            if watched.window() is self.window() and not inside:
                self.hide()
        return super().eventFilter(watched, event)


def _explained(line: QWidget, about: str) -> QWidget:
    """Return a field with its explanation in small type below it."""
    return held(down(line, hint(about), spacing=1))
