"""The form for the parameters of a ready-made property, with drop-down lists and fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QLineEdit, QWidget

from lydian.app.kit.fields import calm
from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_up
from lydian.authoring.ready import READY, ReadyParameter

__all__ = ["ReadyForm"]


class ReadyForm(QWidget):
    """The form for one property; :meth:`values` are those that :func:`lydian.model.authoring.add_property` takes."""

    changed = Signal()
    entered = Signal()

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self.fields: dict[str, QWidget] = {}
        self._boxes: dict[str, dict[str, QCheckBox]] = {}
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(4)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for each in READY[key].parameters:
            field = self._field(each)
            label = QLabel(each.title)
            label.setObjectName("fieldLabel")
            label.setBuddy(field)
            field.setToolTip(f"{each.help[:1].upper()}{each.help[1:]}")
            field.setAccessibleDescription(each.help)
            form.addRow(label, field)
            self.fields[each.name] = field
        if not self.fields:
            self.hide()

    def _field(self, parameter: ReadyParameter) -> QWidget:
        name = f"{READY[self.key].title}: {parameter.words}"
        if parameter.kind in ("state", "variable"):
            box = QComboBox()
            calm(box)
            box.setAccessibleName(name)
            box.setMinimumContentsLength(6)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.currentIndexChanged.connect(lambda _at: self.changed.emit())
            return box
        if parameter.kind == "states":
            group = QWidget()
            group.setAccessibleName(name)
            down(on=group, spacing=2)
            self._boxes[parameter.name] = {}
            return group
        line = set_up(QLineEdit(), name=name, empty="<= 2*m")
        line.textEdited.connect(lambda _text: self.changed.emit())
        line.returnPressed.connect(self.entered)
        return line

    def offer(self, states: Sequence[str], variables: Sequence[str]) -> None:
        """Set the choices; the current choice is kept if it is still among them."""
        for parameter in READY[self.key].parameters:
            field = self.fields[parameter.name]
            if isinstance(field, QComboBox):
                names = list(states if parameter.kind == "state" else variables)
                if names != [field.itemText(at) for at in range(field.count())]:
                    now = field.currentText()
                    with QSignalBlocker(field):
                        field.clear()
                        field.addItems(names)
                        field.setCurrentIndex(names.index(now) if now in names else len(names) - 1)
                field.setEnabled(bool(names))
            elif parameter.kind == "states":
                self._offer_boxes(parameter.name, states)

    def _offer_boxes(self, name: str, states: Sequence[str]) -> None:
        boxes = self._boxes[name]
        if list(boxes) == list(states):
            return
        ticked = {state for state, box in boxes.items() if box.isChecked()} or set(states[-1:])
        for box in boxes.values():
            box.deleteLater()
        boxes.clear()
        layout = self.fields[name].layout()
        for state in states:
            box = boxes[state] = QCheckBox(state.replace("&", "&&"))
            box.setAccessibleName(f"{READY[self.key].title}: {state}")
            box.setChecked(state in ticked)
            box.toggled.connect(lambda _on: self.changed.emit())
            if layout is not None:
                layout.addWidget(box)

    def say(self, values: Mapping[str, Any]) -> None:
        """Show the given values."""
        for name, value in values.items():
            field = self.fields.get(name)
            with QSignalBlocker(self):
                if isinstance(field, QComboBox):
                    field.setCurrentIndex(field.findText(str(value), Qt.MatchFlag.MatchExactly))
                elif isinstance(field, QLineEdit):
                    field.setText(str(value))
                for state, box in self._boxes.get(name, {}).items():
                    box.setChecked(state in value)

    def values(self) -> dict[str, Any]:
        """Return the chosen values."""
        found: dict[str, Any] = {}
        for name, field in self.fields.items():
            if isinstance(field, QComboBox):
                found[name] = field.currentText()
            elif isinstance(field, QLineEdit):
                found[name] = field.text().strip()
            else:
                found[name] = [state for state, box in self._boxes[name].items() if box.isChecked()]
        return found
