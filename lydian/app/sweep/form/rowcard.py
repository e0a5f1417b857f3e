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
from lydian.language import tr, trc, trn
from lydian.views.words.words import plural

__all__ = ["RowCard"]

_HOW = (
    ("list", tr("List"), tr("Individual values, such as 8, 16, 32")),
    ("range", tr("Range"), tr("From one number to another, in steps")),
    ("drawn", tr("Drawn"), tr("Random numbers or words")),
)
_LAWS = {"uniform": tr("uniform between"), "log-uniform": tr("log-uniform between"), "choice": tr("one of the values")}
_SHORT = tr("Short names for plots and columns, one for each value")
_TIP = tr("Separate values by a comma and a space, a semicolon or a new line; {n} refers to another value")
#: Field -> the name of its change for undo, and the key under which typed letters are one step.
_UNDO = {
    "how": (tr("kind of value"), ""),
    "values": (tr("values"), "values"),
    "labels": (tr("names"), "labels"),
    "first": (tr("range"), "first"),
    "last": (tr("range"), "last"),
    "step": (tr("range"), "step"),
    "count": (tr("range"), "count"),
    "log": (tr("range"), ""),
    "law": (tr("distribution"), ""),
    "low": (tr("bounds"), "low"),
    "high": (tr("bounds"), "high"),
    "draws": (tr("draws"), "draws"),
    "whole": (tr("whole numbers"), ""),
    "field": (tr("field"), "field"),
    "name": (tr("name"), "name"),
    "along": (tr("crossing"), ""),
    "label": (tr("label"), "label"),
    "unit": (tr("unit"), "unit"),
}
#: What is read aloud instead of the values of a row that has none.
_WITHOUT = {"list": tr("list"), "range": tr("range"), "drawn": trc("values", "drawn")}
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
        self.more.setToolTip(tr("More commands"))
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
            ("open", tr("Edit values")),
            ("up", tr("Move up")),
            ("down", tr("Move down")),
            ("remove", tr("Remove")),
        ):
            action = menu.addAction(text)
            action.triggered.connect(lambda _on=False, name=name: self.wanted.emit(name))
            self.deeds[name] = action
        return menu

    # ------------------------------------------------------------------ the fields

    def _make_editor(self) -> None:
        self.form = form = BoundForm(self._change, small=True)
        form.rows.setContentsMargins(0, 2, 2, 0)
        self.how = form.bind("how", Segment(tr("How the values are given"), _HOW, self.theme, height=24))
        form.rows.addWidget(self.how, 0, 0, 1, 2)
        self.law = form.add(
            "law", tr("Distribution"), choice(*((_LAWS[law], law) for law in LAWS)), name=tr("Distribution")
        )
        self.values = form.add("values", tr("Values"), Lines(tr("Values"), "8, 16, 32"), tip=_TIP)
        self.first, self.last = form.bind("first", field(tr("From"), "8")), form.bind("last", field(tr("To"), "64"))
        form.row("ends", tr("From"), _held(across((self.first, 1), tr("to"), (self.last, 1), spacing=6)))
        self.step = form.bind("step", field(trc("from one value to the next", "Step"), "8"))
        self.count = form.bind("count", field(tr("Number of values"), "8"))
        form.row(
            "between",
            trc("from one value to the next", "Step"),
            _held(across((self.step, 1), tr("or"), (self.count, 1), tr("values"), spacing=6)),
        )
        by_factors = tr("Each value is a constant multiple of the previous one: 8, 16, 32")
        self.log = form.add("log", "", QCheckBox(tr("by factors")), tip=by_factors)
        self.low, self.high = (
            form.bind("low", field(tr("Lowest"), "0.1")),
            form.bind("high", field(tr("Highest"), "10")),
        )
        form.row("bounds", tr("From"), _held(across((self.low, 1), tr("to"), (self.high, 1), spacing=6)))
        self.draws = form.add("draws", tr("Draws"), field(tr("Number of draws"), tr("a new one for each run")))
        self.whole = form.add("whole", "", QCheckBox(tr("whole numbers")))
        self.labels = form.add(
            "labels", tr("Names"), Lines(tr("Names of the values"), tr("the values themselves")), tip=_SHORT
        )
        self.path = form.add(
            "field", tr("Field"), field(tr("Field of the experiment"), tr("none: other values refer to it"))
        )
        self.name = form.add("name", tr("Called"), field(tr("Name")))
        self.label = form.add("label", tr("Label"), field(tr("Label on axes and in tables"), tr("the name")))
        self.unit = form.add("unit", tr("Unit"), field(tr("Unit of the values"), tr("none")))
        self.along = form.add("along", tr("Crossed"), choice(short=1), name=tr("Crossed or in step"))
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
        values = row.values or _WITHOUT.get(row.how, row.how)
        self.title.setAccessibleName(tr("Vary {field}: {values}", field=words, values=values))
        self.title.setToolTip(row.field or tr("Other values refer to it as {{{name}}}", name=name))
        self.more.setAccessibleName(tr("More commands for {field}", field=words))
        texts, bad = _tablets(row, axis)
        self.chips.say(texts, bad)
        self.chips.setVisible(bool(texts))
        if problem:
            self.said.say(problem)
        else:
            self.said.say(
                tr("In step with {axis}.", axis=row.along) if row.along else _remark(row, axis), problem=False
            )
        mark(self, bad=bool(problem))
        self.deeds["up"].setEnabled(not first)
        self.deeds["down"].setEnabled(not last)
        self.name.setPlaceholderText(name)
        with QSignalBlocker(self.along):
            self.along.clear()
            self.along.addItem(tr("with all others"), "")
            for other in others:
                self.along.addItem(tr("no, in step with {axis}", axis=other), other)
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
        self.deeds["open"].setText(tr("Close") if on else tr("Edit values"))
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
        return texts or [
            tr("{low:g} to {high:g}, drawn for each run", low=axis.sample.low, high=axis.sample.high)
        ], False
    shown = [axis.shown(number, 0) for number in range(min(len(axis), MOST_CHIPS))]
    texts = [f"{value:g}" if isinstance(value, float) else str(value) for value in shown]
    return texts + (
        [trn("{count:,} more", "{count:,} more", len(axis) - MOST_CHIPS)] if len(axis) > MOST_CHIPS else []
    ), False


def _remark(row: Row, axis: Axis | None) -> str:
    if axis is None or row.how == "list":
        return ""
    if axis.sample is not None:
        return tr("Drawn anew for each run.")
    return f"{plural(len(axis), 'value')}."
