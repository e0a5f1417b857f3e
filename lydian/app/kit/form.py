"""A form: each field is declared once, and bound in both directions to a plain value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QLayout,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from lydian.app.kit.fields import Segment, label
from lydian.app.kit.theming import set_up

__all__ = ["BoundForm", "choice", "number", "whole"]

_Field = TypeVar("_Field", bound=QWidget)


def choice(*items: tuple[str, Any], short: int = 0) -> QComboBox:
    """Return a combo box of words, each with its value.

    Args:
        short: the least width in letters, if the box may shrink and grow with the room; 0 for the width of its words.
    """
    box = QComboBox()
    if short:
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(short)
    for words, value in items:
        box.addItem(words, value)
    return box


def number(
    least: float, most: float, *, step: float = 1, unit: str = "", before: str = "", never: str = ""
) -> QDoubleSpinBox:
    """Return a spin box for a number with bounds; ``never`` is shown for the least one."""
    return _bounded(QDoubleSpinBox(), least, most, step, unit, before, never)


def whole(least: int, most: int, *, step: int = 1, unit: str = "", before: str = "", never: str = "") -> QSpinBox:
    """Return a spin box for a whole number with bounds; ``never`` is shown for the least one."""
    return _bounded(QSpinBox(), least, most, step, unit, before, never)


def _bounded(box: Any, least: float, most: float, step: float, unit: str, before: str, never: str) -> Any:
    box.setRange(least, most)
    box.setSingleStep(step)
    box.setPrefix(before)
    box.setSuffix(unit)
    box.setSpecialValueText(never)
    box.lineEdit().setTextMargins(4, 0, 0, 0)
    return box


class BoundForm:
    """Rows of a label and a field. A value fills the fields; an edit by the user is reported with its field's key.

    Args:
        edited: called with the key of a field that the user has changed.
        typed: called with the key of a field during typing, if its value counts only when the field is left.
        small: whether the labels are small and the rows close together, as on a card.

    Attributes:
        rows: the layout.
        fields: the bound fields by the keys of the value.
    """

    def __init__(
        self, edited: Callable[[str], object], typed: Callable[[str], object] | None = None, *, small: bool = False
    ) -> None:
        self._edited, self._typed = edited, typed
        self.rows: Any = QFormLayout()
        if small:
            self.rows = QGridLayout()
            self.rows.setHorizontalSpacing(8)
            self.rows.setVerticalSpacing(5)
            self.rows.setColumnStretch(1, 1)
        self.fields: dict[str, QWidget] = {}
        self._row: dict[str, tuple[Any, ...]] = {}
        self._filling = False

    def row(self, key: str, words: str, content: QWidget | QLayout) -> None:
        """Add a row with unbound contents, or with a field and something beside it; ``key`` is for :meth:`show`."""
        if isinstance(self.rows, QFormLayout):
            self.rows.addRow(words, content)
            self._row[key] = (content,)
            return
        field = content if isinstance(content, QWidget) and content.focusPolicy() != Qt.FocusPolicy.NoFocus else None
        name, at, high = label(words, field), self.rows.rowCount(), isinstance(content, QPlainTextEdit)
        self.rows.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop if high else Qt.AlignmentFlag.AlignVCenter)
        self.rows.addWidget(content, at, 1)
        self._row[key] = (name, content)

    def add(self, key: str, words: str, field: _Field, *, name: str = "", live: bool = True, **says: Any) -> _Field:
        """Add a row with a bound field, whose accessible name is that of the row if it has none of its own."""
        self.row(key, words, field)
        return self.bind(key, field, name=name or field.accessibleName() or words, live=live, **says)

    def bind(self, key: str, field: _Field, *, name: str = "", live: bool = True, **says: Any) -> _Field:
        """Bind a field anywhere.

        Args:
            live: whether each letter counts as an edit, or only leaving the field.
            says: further arguments of :func:`set_up`.
        """
        self.fields[key] = set_up(field, name=name, **says)
        changed, _read, _write = _way(field)
        getattr(field, changed).connect(lambda *_what: self._tell(self._edited if live else self._typed, key))
        if not live:
            field.editingFinished.connect(lambda: self._tell(self._edited, key))  # type: ignore[attr-defined]
        return field

    def say(self, value: Any) -> None:
        """Show a value, an object with attributes or a mapping, without reporting an edit."""
        self._filling = True
        for key, field in self.fields.items():
            if not isinstance(value, Mapping):
                _way(field)[2](field, getattr(value, key))
            elif key in value:
                _way(field)[2](field, value[key])
        self._filling = False

    def read(self) -> dict[str, Any]:
        """Return the values of the fields, by key."""
        return {key: _way(field)[1](field) for key, field in self.fields.items()}

    def show(self, **rows: bool) -> None:
        """Show or hide rows, by key."""
        for key, on in rows.items():
            if isinstance(self.rows, QFormLayout):
                self.rows.setRowVisible(self._row[key][0], on)
            else:
                for part in self._row[key]:
                    part.setVisible(on)

    def _tell(self, whom: Callable[[str], object] | None, key: str) -> None:
        if whom is not None and not self._filling:
            whom(key)


def _choose(box: QComboBox, value: Any) -> None:
    """Select a value; Qt itself finds only texts and numbers."""
    box.setCurrentIndex(next((at for at in range(box.count()) if box.itemData(at) == value), 0))


def _write(field: Any, value: Any) -> None:
    """Show a text, keeping the cursor in place if the text is unchanged."""
    text = "" if value is None else str(value)
    if field.text() != text:
        field.setText(text)


#: For each type of field: the signal of a change, how to read the value, how to show it; the last is for text fields.
_WAYS: tuple[tuple[Any, str, Callable[[Any], Any], Callable[[Any, Any], object]], ...] = (
    (QComboBox, "currentIndexChanged", QComboBox.currentData, _choose),
    (QCheckBox, "toggled", QCheckBox.isChecked, lambda field, value: field.setChecked(bool(value))),
    (QSpinBox | QDoubleSpinBox, "valueChanged", lambda box: box.value(), lambda box, value: box.setValue(value or 0)),
    (Segment, "chosen", lambda field: field.key, Segment.say),
    (QWidget, "textEdited", lambda field: field.text(), _write),
)


def _way(field: QWidget) -> tuple[str, Callable[[Any], Any], Callable[[Any, Any], object]]:
    return next((changed, read, write) for kind, changed, read, write in _WAYS if isinstance(field, kind))
