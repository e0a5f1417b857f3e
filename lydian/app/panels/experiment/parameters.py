"""The popup of the card Parameters: a field for each parameter of the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from lydian.app.kit.layout import across, down, fill
from lydian.app.kit.popup import Popup
from lydian.app.panels.experiment.card import scrolled
from lydian.desk.declared import limits_text, value_text
from lydian.language import tr
from lydian.model.experiment.experiment import value_from_text
from lydian.model.protocol.process import Parameter

__all__ = ["ParametersPopup"]

#: The height above which the list of parameters scrolls.
HIGHEST = 420
#: The minimum width of the popup, and its margins on both sides.
WIDTH, MARGIN = 380, 10


class _Row(QWidget):
    """One parameter: its name, its field, its meaning, and an explanation if the value is not allowed."""

    #: The field was left with another allowed value.
    changed = Signal()
    #: The explanation appeared, changed or disappeared.
    judged = Signal()

    def __init__(self, one: Parameter, value: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameter, self.value = one, value
        self.field: QComboBox | QLineEdit
        name = QLabel(one.name.replace("_", " "))
        name.setToolTip(one.name)
        choices = (True, False) if isinstance(one.default, bool) and one.choices is None else one.choices
        if choices is not None:
            self.field = QComboBox()
            for choice in choices:
                self.field.addItem(value_text(choice), choice)
            self.field.activated.connect(self._entered)
        else:
            self.field = QLineEdit()
            self.field.setPlaceholderText("" if one.default is None else value_text(one.default))
            self.field.textEdited.connect(lambda _text: self.check())
            self.field.editingFinished.connect(self._entered)
        self.field.setAccessibleName(one.name)
        self.field.setAccessibleDescription(limits_text(one))
        self.field.setMinimumWidth(130)
        self.help, self.problem = QLabel(limits_text(one)), QLabel()
        for label, kind in ((self.help, "explained"), (self.problem, "problem")):
            label.setObjectName(kind)
            label.setWordWrap(True)
        self.help.setVisible(bool(self.help.text()))
        self.problem.hide()
        down(across(name, ..., self.field, spacing=10), self.help, self.problem, on=self, spacing=2)
        self.say(value)

    def say(self, value: Any) -> None:
        """Show a value without emitting a change."""
        self.value = value
        if isinstance(self.field, QComboBox):
            number = next((i for i in range(self.field.count()) if self.field.itemData(i) == value), -1)
            self.field.setCurrentIndex(number)
        else:
            self.field.setText("" if value is None else value_text(value))

    def check(self) -> tuple[Any] | None:
        """Return the value in the field as a tuple, or ``None`` if it is not allowed, with an explanation below.

        An empty field means the default.
        """
        one = self.parameter
        if isinstance(self.field, QComboBox):
            value = self.field.currentData()
        else:
            text = self.field.text().strip()
            value = one.default if not text and not isinstance(one.default, str) else value_from_text(text, one.default)
        try:
            value = one.checked(value)
        except (ValueError, TypeError) as error:
            self.problem.setText(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            self.problem.show()
            self.judged.emit()
            return None
        if not self.problem.isHidden():
            self.problem.hide()
            self.judged.emit()
        return (value,)

    def _entered(self) -> None:
        found = self.check()
        if found is not None and found[0] != self.value:
            self.value = found[0]
            self.changed.emit()


class ParametersPopup(Popup):
    """The popup with a field for each parameter; a value takes effect when its field loses the focus."""

    #: The values that differ from the defaults, by name.
    changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: dict[str, _Row] = {}
        self._known: dict[str, Parameter] = {}
        self._unknown: dict[str, Any] = {}
        self.area = scrolled()
        self.drop = QPushButton()
        self.drop.setAccessibleName(tr("Remove unknown parameters"))
        self.reset = QPushButton(tr("Restore defaults"))
        fill(self.column, self.area, self.drop, (self.reset, Qt.AlignmentFlag.AlignLeft))
        self.drop.clicked.connect(self._drop)
        self.reset.clicked.connect(self._reset)

    def open(self, below: QWidget, known: Mapping[str, Parameter], values: Mapping[str, Any]) -> None:
        """Show the parameters with an experiment's values."""
        self._known = dict(known)
        self._unknown = {name: value for name, value in values.items() if name not in known}
        inside = QWidget()
        inside.setObjectName("panel")
        self.rows = {}
        for name, one in known.items():
            row = self.rows[name] = _Row(one, values.get(name, one.default))
            row.changed.connect(self._tell)
            row.judged.connect(lambda: self._fit(self.width()))
        down(*self.rows.values(), ..., on=inside, margins=(2, 2, 6, 2), spacing=12)
        self.area.setWidget(inside)
        self._fill()
        self._fit(max(below.width(), WIDTH))
        self.open_below(below, WIDTH)
        self._fit(self.width())  # after the final font is known
        if self.rows:
            next(iter(self.rows.values())).field.setFocus()

    def _fit(self, wide: int) -> None:
        """Set the height that the rows need at this width; above a maximum, they scroll."""
        inside = self.area.widget()
        layout = inside.layout() if inside is not None else None
        if layout is not None:
            layout.activate()
            for row in self.rows.values():
                row.layout().invalidate()  # type: ignore[union-attr]
            layout.invalidate()
            need = layout.totalHeightForWidth(wide - 2 * MARGIN - 4) + 6
            scrolls = need > HIGHEST
            policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            self.area.setVerticalScrollBarPolicy(policy)
            self.area.setFixedHeight(min(HIGHEST, need))
            self.adjustSize()

    def values(self) -> dict[str, Any]:
        """Return the values that differ from the defaults."""
        own = {name: row.value for name, row in self.rows.items() if row.value != self._known[name].default}
        return {**own, **self._unknown}

    def _fill(self) -> None:
        names = ", ".join(self._unknown)
        self.drop.setText(tr("Remove {parameters}: not a parameter of this protocol", parameters=names))
        self.drop.setVisible(bool(self._unknown))
        self.reset.setEnabled(bool(self.values()))
        self.reset.setVisible(bool(self._known))

    def _tell(self) -> None:
        self._fill()
        self.changed.emit(self.values())

    def _drop(self) -> None:
        self._unknown = {}
        self._tell()

    def _reset(self) -> None:
        for name, row in self.rows.items():
            row.say(self._known[name].default)
            row.check()
        self._unknown = {}
        self._tell()
