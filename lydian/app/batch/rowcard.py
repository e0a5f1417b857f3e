"""Something that is varied, as a card: its name, its values as tablets, and below, opened, the fields to change it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from lydian.app.batch.chips import Chips
from lydian.app.batch.choices import title_of
from lydian.app.batch.form import LAWS, Row, axis_name
from lydian.app.batch.parts import Lines, Said, field, put_text
from lydian.app.batch.values import split
from lydian.app.kit.fields import Segment
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.batch.axes import Axis
from lydian.views.words.words import plural

__all__ = ["RowCard"]

_HOW = (
    ("list", "List", "Values one by one, such as 8, 16, 32"),
    ("range", "Range", "From one number to another, in steps"),
    ("drawn", "Drawn", "Numbers or words by chance"),
)
_LAWS = {"uniform": "evenly between", "log-uniform": "evenly by size between", "choice": "one of the values"}
_TIP = "Separate values by a comma and a space, by a semicolon or by a line; {n} speaks of another value"
#: So many values become tablets.
MOST_CHIPS = 60


class RowCard(QFrame):
    """One row of the form."""

    #: The row as it is now, what undo calls the edit, and its key.
    edited = Signal(object, str, str)
    #: ``remove``, ``up``, ``down``, ``open`` or ``field``.
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
        self.more.setToolTip("What can be done with it")
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
            ("open", "Change the values"),
            ("up", "Move up"),
            ("down", "Move down"),
            ("remove", "Vary it no longer"),
        ):
            action = menu.addAction(text)
            action.triggered.connect(lambda _on=False, name=name: self.wanted.emit(name))
            self.deeds[name] = action
        return menu

    # ------------------------------------------------------------------ the fields

    def _make_editor(self) -> None:
        change = self._change
        self.how = Segment("How the values are given", _HOW, self.theme, height=24)
        self.how.chosen.connect(lambda key: change("kind of values", "", how=key))
        self.values = Lines("Values", lambda text: change("values", "values", values=text), "8, 16, 32")
        self.values.setToolTip(_TIP)
        self.labels = Lines("Names of the values", lambda text: change("names", "labels", labels=text), "as they are")
        self.labels.setToolTip("Short names, as many as values; plots and columns show them")
        self.first = field("From", lambda text: change("range", "first", first=text), "8")
        self.last = field("To", lambda text: change("range", "last", last=text), "64")
        self.step = field("Step", lambda text: change("range", "step", step=text, count=""), "8")
        self.count = field("Number of values", lambda text: change("range", "count", count=text, step=""), "8")
        self.log = QCheckBox("by factors")
        self.log.setToolTip("Each value is so many times the one before: 8, 16, 32")
        self.log.clicked.connect(lambda on: change("range", "", log=on))
        self.law = QComboBox()
        self.law.setAccessibleName("Law of the values")
        for law in LAWS:
            self.law.addItem(_LAWS[law], law)
        self.law.activated.connect(lambda at: change("law", "", law=LAWS[at]))
        self.low = field("Lowest", lambda text: change("bounds", "low", low=text), "0.1")
        self.high = field("Highest", lambda text: change("bounds", "high", high=text), "10")
        self.draws = field("Number of draws", lambda text: change("draws", "draws", draws=text), "each run its own")
        self.whole = QCheckBox("whole numbers")
        self.whole.clicked.connect(lambda on: change("whole numbers", "", whole=on))
        self.path = field(
            "Field of the experiment", lambda text: change("field", "field", field=text), "none: others speak of it"
        )
        self.name = field("Name", lambda text: change("name", "name", name=text))
        self.along = QComboBox()
        self.along.setAccessibleName("Crossed or together")
        self.along.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.along.activated.connect(lambda at: change("crossing", "", along=self.along.itemData(at) or ""))
        grid = QGridLayout(self.editor)
        grid.setContentsMargins(0, 2, 2, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.how, 0, 0, 1, 2)
        self._lines: dict[str, tuple[QLabel, QWidget]] = {}
        bounds, ends = QHBoxLayout(), QHBoxLayout()
        for line, pair in ((bounds, (self.low, self.high)), (ends, (self.first, self.last))):
            line.addWidget(pair[0], 1)
            line.addWidget(QLabel("to"))
            line.addWidget(pair[1], 1)
        between = across((self.step, 1), QLabel("or"), (self.count, 1), QLabel("values"))
        for key, text, content in (
            ("law", "Law", self.law), ("values", "Values", self.values), ("ends", "From", _held(ends)),
            ("between", "Step", _held(between)), ("log", "", self.log), ("bounds", "From", _held(bounds)),
            ("draws", "Draws", self.draws), ("whole", "", self.whole), ("labels", "Names", self.labels),
            ("path", "Field", self.path), ("name", "Called", self.name), ("along", "Crossed", self.along),
        ):  # fmt: skip
            label = QLabel(text)
            label.setObjectName("fieldLabel")
            at = grid.rowCount()
            grid.addWidget(
                label, at, 0, Qt.AlignmentFlag.AlignTop if isinstance(content, Lines) else Qt.AlignmentFlag.AlignVCenter
            )
            grid.addWidget(content, at, 1)
            self._lines[key] = (label, content)

    def _change(self, text: str, key: str, **parts: object) -> None:
        self.edited.emit(replace(self.row, **parts), text, key)  # type: ignore[arg-type]

    # ------------------------------------------------------------------ showing

    def show_row(
        self, row: Row, axis: Axis | None, problem: str, others: list[str], *, first: bool, last: bool
    ) -> None:
        """Show a row.

        Args:
            axis: what it comes to, if it is well.
            problem: the sentence if it is not.
            others: the names of the rows that it could go along with.
        """
        self.row = row
        name = axis_name(row)
        words = title_of(row.field) if row.field else name
        self.title.setText(f"{words}, {name}" if row.name and row.field else words)
        self.title.setAccessibleName(f"Vary {words}: {row.values or row.how}")
        self.title.setToolTip(row.field or f"{{{name}}} in other values stands for it")
        self.more.setAccessibleName(f"What can be done with {words}")
        texts, bad = _tablets(row, axis)
        self.chips.say(texts, bad)
        self.chips.setVisible(bool(texts))
        if problem:
            self.said.say(problem)
        else:
            self.said.say(f"Together with {row.along}." if row.along else _remark(row, axis), problem=False)
        mark(self, bad=bool(problem))
        self.deeds["up"].setEnabled(not first)
        self.deeds["down"].setEnabled(not last)
        for made, text in (
            (self.values, row.values), (self.labels, row.labels), (self.first, row.first), (self.last, row.last),
            (self.step, row.step), (self.count, row.count), (self.low, row.low), (self.high, row.high),
            (self.draws, row.draws), (self.path, row.field), (self.name, row.name),
        ):  # fmt: skip
            put_text(made, text)
        self.name.setPlaceholderText(name)
        self.how.say(row.how)
        self.law.setCurrentIndex(LAWS.index(row.law) if row.law in LAWS else 0)
        self.log.setChecked(row.log)
        self.whole.setChecked(row.whole)
        self.along.clear()
        self.along.addItem("with all the others", "")
        for other in others:
            self.along.addItem(f"not: in step with {other}", other)
        self.along.setCurrentIndex(max(0, self.along.findData(row.along)))
        choice = row.how == "drawn" and row.law == "choice"
        shown = {
            "law": row.how == "drawn", "values": row.how == "list" or choice, "ends": row.how == "range",
            "between": row.how == "range", "log": row.how == "range", "bounds": row.how == "drawn" and not choice,
            "draws": row.how == "drawn", "whole": row.how == "drawn" and not choice,
            "labels": row.how == "list", "along": bool(others) or bool(row.along),
        }  # fmt: skip
        for key, on in shown.items():
            for part in self._lines[key]:
                part.setVisible(on)

    @property
    def opened(self) -> bool:
        """Whether its fields are shown."""
        return not self.editor.isHidden()

    def open(self, on: bool, *, focus: bool = False) -> None:
        """Show or hide the fields."""
        self.editor.setVisible(on)
        mark(self, open=on)
        self.deeds["open"].setText("Close" if on else "Change the values")
        self._arrow()
        if on and focus:
            target = {"range": self.first, "drawn": self.low}.get(self.row.how, self.values)
            target.setFocus(Qt.FocusReason.OtherFocusReason)
            target.selectAll()

    def _arrow(self) -> None:
        sign = "chevron-down" if self.opened else "chevron-right"
        set_look(self.title, self.theme, icon=sign, ink="text.hint")


def _held(layout: QHBoxLayout) -> QWidget:
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(6)
    held = QWidget()
    held.setObjectName("varyEditor")
    held.setLayout(layout)
    return held


def _tablets(row: Row, axis: Axis | None) -> tuple[list[str], bool]:
    """The texts of the tablets, and whether something is wrong with them."""
    if axis is None:
        return split(row.values)[:MOST_CHIPS] if row.how == "list" else [], True
    if axis.sample is not None:
        texts = [str(value) for value in axis.sample.choices[:MOST_CHIPS]]
        return texts or [f"{axis.sample.low:g} to {axis.sample.high:g}, drawn by each run"], False
    shown = [axis.shown(number, 0) for number in range(min(len(axis), MOST_CHIPS))]
    texts = [f"{value:g}" if isinstance(value, float) else str(value) for value in shown]
    return texts + ([f"{len(axis) - MOST_CHIPS:,} more"] if len(axis) > MOST_CHIPS else []), False


def _remark(row: Row, axis: Axis | None) -> str:
    if axis is None or row.how == "list":
        return ""
    if axis.sample is not None:
        return "Drawn anew for each run."
    return f"{plural(len(axis), 'value')}."
