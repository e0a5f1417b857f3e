"""A varied value as a card: its name, its values as chips, and below, when opened, the fields to change it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from lydian.app.kit.fields import Segment
from lydian.app.kit.form import BoundForm, choice
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.sweep.form.chips import Chips
from lydian.app.sweep.form.choices import title_of
from lydian.app.sweep.form.form import LAWS, Row, axis_name
from lydian.app.sweep.form.parts import Lines, Said, field
from lydian.app.sweep.form.values import split
from lydian.batch.sweep.axes import Axis
from lydian.views.words.words import plural

__all__ = ["RowCard"]

_HOW = (
    ("list", "List", "Individual values, such as 8, 16, 32"),
    ("range", "Range", "From one number to another, in steps"),
    ("drawn", "Drawn", "Random numbers or words"),
)
_LAWS = {"uniform": "uniform between", "log-uniform": "log-uniform between", "choice": "one of the values"}
_SHORT = "Short names for plots and columns, one for each value"
_TIP = "Separate values by a comma and a space, a semicolon or a new line; {n} refers to another value"
#: Field -> the name of its change for undo, and the key under which typed letters are one step.
_UNDO = {
    "how": ("kind of values", ""), "values": ("values", "values"), "labels": ("names", "labels"),
    "first": ("range", "first"), "last": ("range", "last"), "step": ("range", "step"), "count": ("range", "count"),
    "log": ("range", ""), "law": ("distribution", ""), "low": ("bounds", "low"), "high": ("bounds", "high"),
    "draws": ("draws", "draws"), "whole": ("whole numbers", ""), "field": ("field", "field"), "name": ("name", "name"),
    "along": ("crossing", ""), "label": ("label", "label"), "unit": ("unit", "unit"),
}  # fmt: skip
#: The largest number of values that become chips.
MOST_CHIPS = 60


class RowCard(QFrame):
    """The card of one row of the form."""

    #: Emitted with the new row, the name of the edit for undo, and its key.
    edited = Signal(object, str, str)
    #: Emitted with ``remove``, ``up``, ``down``, ``open`` or ``field``.
    wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("varyCard")
        self.row = Row()
        self.theme = theme
        self.title = set_up(QToolButton(), look="varyTitle", clicked=lambda: self.wanted.emit("open"))
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.title.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more = QToolButton()
        self.more.setToolTip("More commands")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._menu())
        self.chips = Chips(theme)
        self.said = Said()
        self.editor = QWidget()
        self.editor.setObjectName("varyEditor")
        self._make_editor()
        down(
            across((self.title, 1), self.more, spacing=4),
            self.chips, self.said, self.editor, on=self, margins=(9, 5, 7, 8), spacing=5,
        )  # fmt: skip
        self.editor.hide()
        set_look(self.more, theme, icon="more", ink="text.secondary")
        self._arrow()

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        self.deeds: dict[str, QAction] = {}
        for name, text in (
            ("open", "Edit values"),
            ("up", "Move up"),
            ("down", "Move down"),
            ("remove", "Remove"),
        ):
            action = menu.addAction(text)
            action.triggered.connect(lambda _on=False, name=name: self.wanted.emit(name))
            self.deeds[name] = action
        return menu

    # ------------------------------------------------------------------ the fields

    def _make_editor(self) -> None:
        self.form = form = BoundForm(self._change, small=True)
        form.rows.setContentsMargins(0, 2, 2, 0)
        self.how = form.bind("how", Segment("How the values are given", _HOW, self.theme, height=24))
        form.rows.addWidget(self.how, 0, 0, 1, 2)
        self.law = form.add("law", "Distribution", choice(*((_LAWS[law], law) for law in LAWS)), name="Distribution")
        self.values = form.add("values", "Values", Lines("Values", "8, 16, 32"), tip=_TIP)
        self.first, self.last = form.bind("first", field("From", "8")), form.bind("last", field("To", "64"))
        form.row("ends", "From", _held(across((self.first, 1), "to", (self.last, 1), spacing=6)))
        self.step = form.bind("step", field("Step", "8"))
        self.count = form.bind("count", field("Number of values", "8"))
        form.row("between", "Step", _held(across((self.step, 1), "or", (self.count, 1), "values", spacing=6)))
        by_factors = "Each value is a constant multiple of the previous one: 8, 16, 32"
        self.log = form.add("log", "", QCheckBox("by factors"), tip=by_factors)
        self.low, self.high = form.bind("low", field("Lowest", "0.1")), form.bind("high", field("Highest", "10"))
        form.row("bounds", "From", _held(across((self.low, 1), "to", (self.high, 1), spacing=6)))
        self.draws = form.add("draws", "Draws", field("Number of draws", "a new one for each run"))
        self.whole = form.add("whole", "", QCheckBox("whole numbers"))
        self.labels = form.add("labels", "Names", Lines("Names of the values", "the values themselves"), tip=_SHORT)
        self.path = form.add("field", "Field", field("Field of the experiment", "none: other values refer to it"))
        self.name = form.add("name", "Called", field("Name"))
        self.label = form.add("label", "Label", field("Label on axes and in tables", "the name"))
        self.unit = form.add("unit", "Unit", field("Unit of the values", "none"))
        self.along = form.add("along", "Crossed", choice(short=1), name="Crossed or in step")
        self.editor.setLayout(form.rows)

    def _change(self, key: str) -> None:
        parts = {key: self.form.read()[key]}
        if key in ("step", "count"):  # Step and number of values exclude each other.
            parts["count" if key == "step" else "step"] = ""
        self.edited.emit(replace(self.row, **parts), *_UNDO[key])

    # ------------------------------------------------------------------ showing

    def show_row(
        self, row: Row, axis: Axis | None, problem: str, others: list[str], *, first: bool, last: bool
    ) -> None:
        """Show a row.

        Args:
            axis: the resulting axis, if the row is correct.
            problem: the error, if it is not.
            others: the names of the rows that it could go along with.
        """
        self.row = row
        name = axis_name(row)
        words = row.label.strip() or (title_of(row.field) if row.field else name)
        self.title.setText(f"{words}, {name}" if row.name and row.field else words)
        self.title.setAccessibleName(f"Vary {words}: {row.values or row.how}")
        self.title.setToolTip(row.field or f"Other values refer to it as {{{name}}}")
        self.more.setAccessibleName(f"More commands for {words}")
        texts, bad = _tablets(row, axis)
        self.chips.say(texts, bad)
        self.chips.setVisible(bool(texts))
        if problem:
            self.said.say(problem)
        else:
            self.said.say(f"In step with {row.along}." if row.along else _remark(row, axis), problem=False)
        mark(self, bad=bool(problem))
        self.deeds["up"].setEnabled(not first)
        self.deeds["down"].setEnabled(not last)
        self.name.setPlaceholderText(name)
        with QSignalBlocker(self.along):
            self.along.clear()
            self.along.addItem("with all others", "")
            for other in others:
                self.along.addItem(f"no, in step with {other}", other)
        self.form.say(row)
        chosen = row.how == "drawn" and row.law == "choice"
        self.form.show(
            law=row.how == "drawn", values=row.how == "list" or chosen, ends=row.how == "range",
            between=row.how == "range", log=row.how == "range", bounds=row.how == "drawn" and not chosen,
            draws=row.how == "drawn", whole=row.how == "drawn" and not chosen, labels=row.how == "list",
            along=bool(others) or bool(row.along),
        )  # fmt: skip

    @property
    def opened(self) -> bool:
        """Whether its fields are shown."""
        return not self.editor.isHidden()

    def open(self, on: bool, *, focus: bool = False) -> None:
        """Show or hide the fields."""
        self.editor.setVisible(on)
        mark(self, open=on)
        self.deeds["open"].setText("Close" if on else "Edit values")
        self._arrow()
        if on and focus:
            target = {"range": self.first, "drawn": self.low}.get(self.row.how, self.values)
            target.setFocus(Qt.FocusReason.OtherFocusReason)
            target.selectAll()

    def _arrow(self) -> None:
        sign = "chevron-down" if self.opened else "chevron-right"
        set_look(self.title, self.theme, icon=sign, ink="text.hint")


def _held(line: QHBoxLayout) -> QWidget:
    return held(line, "varyEditor")


def _tablets(row: Row, axis: Axis | None) -> tuple[list[str], bool]:
    """Return the texts of the chips, and whether there is an error in them."""
    if axis is None:
        return split(row.values)[:MOST_CHIPS] if row.how == "list" else [], True
    if axis.sample is not None:
        texts = [str(value) for value in axis.sample.choices[:MOST_CHIPS]]
        return texts or [f"{axis.sample.low:g} to {axis.sample.high:g}, drawn for each run"], False
    shown = [axis.shown(number, 0) for number in range(min(len(axis), MOST_CHIPS))]
    texts = [f"{value:g}" if isinstance(value, float) else str(value) for value in shown]
    return texts + ([f"{len(axis) - MOST_CHIPS:,} more"] if len(axis) > MOST_CHIPS else []), False


def _remark(row: Row, axis: Axis | None) -> str:
    if axis is None or row.how == "list":
        return ""
    if axis.sample is not None:
        return "Drawn anew for each run."
    return f"{plural(len(axis), 'value')}."
