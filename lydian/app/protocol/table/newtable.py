"""The transition table of a planned protocol, with a form for the action of the current cell."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from lydian.app.kit.fields import calm, label
from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import down
from lydian.app.kit.theming import grown, mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.protocol.table.cellgrid import CellGrid
from lydian.authoring.celltable import TableLook, open_words
from lydian.authoring.edits import checked_name
from lydian.authoring.plan import WHOM, CellEffect, ProtocolPlan, Sending
from lydian.language import tr, trc
from lydian.model.errors import BadInput

__all__ = ["PlanTable"]

Cell = tuple[str, str]


class PlanTable(QWidget):
    """The states and events of a plan, with a form below for the function of the current cell."""

    #: Emitted with the plan after an edit.
    planned = Signal(object)
    #: Emitted when the user has renamed a state in the table.
    state_renamed = Signal(str, str)

    def __init__(self, plan: ProtocolPlan, look: TableLook, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.plan, self.look = plan, look
        self.grid = CellGrid(self, theme)
        self.grid.marked = True
        self.title = label()
        self.then, self.message, self.whom, self.timer = (QComboBox() for _ in range(4))
        self._deed = QWidget()
        row = FlowRow(self._deed)
        row.addWidget(self.title)
        for words, box, name in (
            (tr("new state"), self.then, tr("State afterwards")),
            (trc("before the name of a message", "sends"), self.message, tr("Message to send")),
            (trc("before the receivers of a message", "to"), self.whom, tr("Receivers")),
            (tr("sets the timer"), self.timer, tr("Timer to set")),
        ):
            calm(box)
            box.setAccessibleName(name)
            box.activated.connect(lambda _at: self._changed())
            pair = QWidget()
            flow = FlowRow(pair, gap=4)
            flow.addWidget(label(words, box))
            flow.addWidget(box)
            row.addWidget(pair)
        for key, words in WHOM.items():
            self.whom.addItem(words, key)
        self.sentence = set_up(QLabel(), look="cellSentence", wraps=True)
        down(self.grid, self._deed, self.sentence, on=self, spacing=8)
        self.grid.current_changed.connect(lambda _state, _event: self._show_deed())
        self.grid.complained.connect(self._complain)
        self._complaint = ""
        for box in (self.then, self.message, self.whom, self.timer):
            set_look(box, theme, min_height=grown(26))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._say()
        self._fit()

    def show_plan(self, plan: ProtocolPlan, look: TableLook) -> None:
        """Show another plan; ``look`` is the table of its file."""
        self.plan, self.look = plan, look
        self.grid.follow()
        if not self.grid.currentIndex().isValid() and look.states:
            self.grid.setCurrentIndex(self.grid.rows.index(0, 0))
        self._fit()
        self._show_deed()
        self._say()

    def _fit(self) -> None:
        bar = self.grid.horizontalScrollBar()
        self.grid.setFixedHeight(self.grid.wanted_height + (bar.sizeHint().height() if bar.maximum() else 0))

    def _say(self) -> None:
        words = self._complaint or open_words(self.look.open)
        mark(self.sentence, kind="problem" if self._complaint else "warning")
        self.sentence.setText(words)
        self.sentence.setVisible(bool(words))

    def _complain(self, sentence: str) -> None:
        self._complaint = sentence
        self._say()

    # ------------------------------------------------------------------ the current cell

    def _current(self) -> tuple[Cell, CellEffect] | None:
        cell = self.grid.key(self.grid.currentIndex())
        deed = self.plan.deeds.get(cell) if cell is not None else None
        return (cell, deed) if cell is not None and deed is not None and deed.kind == "action" else None

    def _function(self, cell: Cell) -> str:
        return self.look.cells[cell].function if cell in self.look.cells else ""

    def _show_deed(self) -> None:
        """Show the action of the current cell, or the meaning of the cell."""
        current = self._current()
        for box in (self.then, self.message, self.timer):
            pair = box.parentWidget()
            if pair is not None:
                pair.setVisible(current is not None)
        cell = self.grid.key(self.grid.currentIndex())
        if current is None:
            self.whom.parentWidget().hide()  # type: ignore[union-attr]
            look = self.look.cells.get(cell) if cell is not None else None
            self.title.setText(look.tip if look is not None else "")
            return
        cell, deed = current
        self.title.setText(f"{self._function(cell)}:")
        self._fill(
            self.then,
            [(trc("the state after an action", "unchanged"), ""), *((s, s) for s in self.plan.states)],
            deed.then,
        )
        sent = next((s for s in deed.sends if self.plan.kind_of(s.event) == "message"), None)
        rings = next((s for s in deed.sends if self.plan.kind_of(s.event) == "timer"), None)
        messages, timers = [e.name for e in self.plan.messages], [e.name for e in self.plan.timers]
        self._fill(
            self.message,
            [(trc("the message that is sent", "nothing"), ""), *((m, m) for m in messages)],
            sent.event if sent else "",
        )
        self._fill(
            self.timer,
            [(trc("the timer that is set", "none"), ""), *((t, t) for t in timers)],
            rings.event if rings else "",
        )
        self.whom.setCurrentIndex(self.whom.findData(sent.to if sent else "all"))
        knows = self.plan.kind_of(cell[1]) == "message"
        model = self.whom.model()
        for at, key in enumerate(WHOM):
            item = model.item(at)  # type: ignore[attr-defined]
            item.setEnabled(knows or key in ("all", "one"))
        self.message.parentWidget().setVisible(bool(messages))  # type: ignore[union-attr]
        self.timer.parentWidget().setVisible(bool(timers))  # type: ignore[union-attr]
        self.whom.parentWidget().setVisible(sent is not None)  # type: ignore[union-attr]

    def _fill(self, box: QComboBox, items: list[tuple[str, str]], now: str) -> None:
        with QSignalBlocker(box):
            box.clear()
            for words, key in items:
                box.addItem(words, key)
            box.setCurrentIndex(max(box.findData(now), 0))

    def _changed(self) -> None:
        current = self._current()
        if current is None:
            return
        cell, deed = current
        sends = []
        if self.message.currentData():
            old = next((s for s in deed.sends if self.plan.kind_of(s.event) == "message"), None)
            to = self.whom.currentData() if old is not None else "all"
            sends.append(Sending(self.message.currentData(), to or "all"))
        if self.timer.currentData():
            sends.append(Sending(self.timer.currentData(), after=1.0))
        deed = replace(deed, function=self._function(cell), then=self.then.currentData(), sends=tuple(sends))
        self.planned.emit(self.plan.with_deed(cell, deed))

    # ------------------------------------------------------------------ for the grid

    def choose(self, state: str, event: str, kind: str, function: str) -> str:
        """Change the choice for a cell of the plan; return "" or the reason why that is not possible."""
        cell = (state, event)
        if kind == "open":
            self.planned.emit(self.plan.with_deed(cell, None))
            return ""
        if kind in ("ignore", "impossible"):
            self.planned.emit(self.plan.with_deed(cell, CellEffect(kind)))
            return ""
        try:
            checked_name(function, "a function")
        except BadInput as error:
            return error.remark
        named = {c: self._function(c) for c in self.plan.cells}
        same = next((c for c, name in named.items() if name == function and self.plan.deeds[c].kind == "action"), None)
        deed = replace(self.plan.deeds[same], function=function) if same is not None else CellEffect(function=function)
        plan = self.plan
        if same is not None and plan.deeds[same].function != function:
            plan = plan.with_deed(same, replace(plan.deeds[same], function=function))
        self.planned.emit(plan.with_deed(cell, deed))
        return ""

    def rename_function(self, old: str, new: str) -> str:
        try:
            checked_name(new, "a function")
        except BadInput as error:
            return error.remark
        if new in self.look.functions:
            return tr("A function '{name}' already exists; choose another name.", name=new)
        plan = self.plan
        for cell, deed in plan.cells.items():
            if deed.kind == "action" and self._function(cell) == old:
                plan = replace(plan, deeds={**plan.deeds, cell: replace(deed, function=new)})
        self.planned.emit(plan)
        return ""

    def rename_state(self, old: str, new: str) -> str:
        if not new.strip() or "," in new:
            return tr("A state must be a name such as 'waiting'.")
        if new in self.plan.states:
            return tr("A state '{name}' already exists; choose another name.", name=new)
        self.state_renamed.emit(old, new)
        return ""

    def keep_focus(self) -> None:
        self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
