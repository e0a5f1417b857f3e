"""The live transition table: the states and events of the text, and the action for each pair."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGraphicsOpacityEffect,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import grown, mark, set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.app.protocol.document import ProtocolDocument
from lydian.app.protocol.table.addform import AddForm
from lydian.app.protocol.table.cellgrid import CellGrid
from lydian.authoring.cannot import choose_cell, rename_state_everywhere
from lydian.authoring.celltable import TableLook, open_words, table_look
from lydian.authoring.edits import add_message, add_state, rename_function
from lydian.authoring.plan import fields_in
from lydian.language import tr
from lydian.model.errors import BadInput

__all__ = ["CellTable"]

#: Kind of a new item -> its button, and the button's name and tooltip.
KINDS = {
    "state": (tr("State"), tr("Add a state"), tr("Add a state to the text")),
    "message": (tr("Message"), tr("Add a message"), tr("Add a message to the text")),
    "timer": (tr("Timer"), tr("Add a timer"), tr("Add a timer to the text")),
    "command": (tr("Command"), tr("Add a command"), tr("Add a command to the text")),
}
_NAMELESS = {
    "state": tr("The name of the new state must not be empty."),
    "message": tr("The name of the new message must not be empty."),
    "timer": tr("The name of the new timer must not be empty."),
    "command": tr("The name of the new command must not be empty."),
}
_ADDED = {
    "state": tr("New state {name}"),
    "message": tr("New message {name}"),
    "timer": tr("New timer {name}"),
    "command": tr("New command {name}"),
}


class CellTable(QWidget):
    """The transition table of a document; every edit is one step of its history.

    Attributes:
        grid: the grid of states and events.
        look: the contents of the table; while Python cannot read the text, the last readable ones.
        sentence: the line below the table: why an edit was not possible, or what must still be chosen.
    """

    #: Emitted with a line to which the editor should go.
    jump_wanted = Signal(int)
    #: Emitted with the (state, event) under the pointer, or ``None``.
    cell_hovered = Signal(object)
    #: Emitted with the current (state, event).
    cell_current = Signal(str, str)
    #: Emitted with the number of open cells.
    open_changed = Signal(int)

    def __init__(self, document: ProtocolDocument, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document, self.theme = document, theme
        self.look = TableLook()
        self.stale = ""
        self._complaint = ""
        self.setObjectName("cellTable")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.announcer = Announcer(self)
        self.grid = CellGrid(self, theme)
        self._pale = QGraphicsOpacityEffect(self.grid)
        self._pale.setOpacity(0.55)
        self._pale.setEnabled(False)
        self.grid.setGraphicsEffect(self._pale)
        self.empty = QLabel(tr("States and events appear here as soon as the text has them."))
        self.empty.setObjectName("hint")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.form = AddForm(theme)
        self.sentence = Elided()
        self.sentence.setObjectName("cellSentence")
        self.buttons: dict[str, QPushButton] = {}
        self._row = QWidget()
        row = across(on=self._row, spacing=6)
        self._row.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        for kind, (words, name, tip) in KINDS.items():
            button = self.buttons[kind] = set_up(
                QPushButton(words), look="cellAdd", name=name, tip=tip,
                clicked=lambda _checked=False, kind=kind: self.open_form(kind),
            )  # fmt: skip
            row.addWidget(button)
        self._foot = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._foot.setSpacing(8)
        self._foot.addWidget(self._row)
        self._foot.addWidget(self.form, 3)
        self._foot.addWidget(self.sentence, 2)
        down((self.grid, 100), (self.empty, 100), self._foot, ..., on=self, margins=8, spacing=8)
        self.form.wanted.connect(self._add)
        self.form.closed.connect(self._form_closed)
        self.grid.jump_wanted.connect(self._jump)
        self.grid.hovered.connect(self.cell_hovered)
        self.grid.current_changed.connect(self.cell_current)
        self.grid.complained.connect(self._complain)
        document.read.connect(self.follow)
        document.ran.connect(self.follow)
        document.moved.connect(self.follow)
        set_look(self.empty, theme, font="body")
        set_look(self.sentence, theme, font="small")
        for button in self.buttons.values():
            set_look(button, theme, icon="plus", icon_size=stretched(12), height=grown(28), font="small")
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_theme(theme)
        self.follow()

    def sizeHint(self) -> QSize:
        return QSize(560, self.grid.wanted_height + self._row.sizeHint().height() + 40)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Place the sentence beside the buttons, or below them if it does not fit."""
        needs = self.fontMetrics().horizontalAdvance(self.sentence.whole) + 40
        first = self.form if self.form.isVisible() else self._row
        beside = self.form.isHidden() and self.width() >= first.sizeHint().width() + needs
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._foot.setDirection(way)
        right = Qt.AlignmentFlag.AlignRight if beside else Qt.AlignmentFlag.AlignLeft
        self.sentence.setAlignment(right | Qt.AlignmentFlag.AlignVCenter)

    def set_theme(self, theme: Theme) -> None:
        self._say()

    # ------------------------------------------------------------------ display

    def follow(self) -> None:
        """Show the table of the current text; while Python cannot read the text, keep the last table."""
        document = self.document
        problem = document.outline.problem
        before = self.look
        if problem is None or not self.look.states:
            failure = document.failure
            stem = document.path.stem if document.path is not None else ""
            self.look = table_look(
                document.draft, document.outline, stem, document.counts, None if failure is None else failure.cell
            )
        self.stale = ""
        if problem is not None:
            self.stale = tr(
                "Line {line} cannot be read at the moment; this is the last readable table.", line=problem.line
            )
        self._pale.setEnabled(bool(self.stale))
        self.grid.setVisible(bool(self.look.states))
        self.empty.setVisible(not self.look.states)
        self.grid.follow()
        self._say()
        if self.look.open != before.open:
            self.open_changed.emit(self.look.open)

    def _say(self) -> None:
        words = self._complaint or self.stale or open_words(self.look.open)
        mark(self.sentence, kind="problem" if self._complaint else "warning" if words else "")
        self.sentence.say(words or (tr("No open cells") if self.look.states else ""))
        self._arrange()

    def _complain(self, sentence: str) -> None:
        if sentence != self._complaint:
            self._complaint = sentence
            self._say()
            if sentence:
                self.announcer.assertive(sentence)

    def select(self, state: str, event: str) -> None:
        """Make a cell current; event "" means the row of a state."""
        if not event and self.look.events:
            event = self.look.events[0].name
        self.grid.select((state, event))

    def highlight(self, cell: tuple[str, str] | None) -> None:
        """Highlight a cell, for example the one under the pointer in the diagram."""
        self.grid.highlight(cell)

    def _jump(self, state: str, event: str) -> None:
        cell = self.look.cells.get((state, event))
        line = cell.line if cell is not None else 0
        if not line:
            line = next((each.line for each in self.look.events if each.name == event), 0) or next(
                (each.line for each in self.look.states if each.name == state), 0
            )
        if line:
            self.jump_wanted.emit(line)

    # ------------------------------------------------------------------ changes

    def _edit(self, label: str, change: Callable[[str], str]) -> str:
        """Edit the text as one step; return "" or the reason why that is not possible."""
        document = self.document
        document.reread()
        try:
            source = change(document.source)
        except BadInput as error:
            sentence = error.what if error.place is None else f"{error.place}: {error.what}"
            return f"{sentence[:1].upper()}{sentence[1:]}."
        document.replace(source, label)
        return ""

    def choose(self, state: str, event: str, kind: str, function: str) -> str:
        """Change the choice for a cell: ``action``, ``ignore``, ``impossible`` or ``open``."""
        label = {
            "action": tr("{event} in state {state}: {function}", event=event, state=state, function=function),
            "ignore": tr("{event} is ignored in state {state}", event=event, state=state),
            "impossible": tr("{event} cannot happen in state {state}", event=event, state=state),
            "open": tr("{event} in state {state} is open", event=event, state=state),
        }[kind]
        return self._edit(label, lambda source: choose_cell(source, state, event, kind, function))

    def rename_function(self, old: str, new: str) -> str:
        return self._edit(
            tr("Rename {old} to {new}", old=old, new=new), lambda source: rename_function(source, old, new)
        )

    def rename_state(self, old: str, new: str) -> str:
        return self._edit(
            tr("Rename state {old} to {new}", old=old, new=new),
            lambda source: rename_state_everywhere(source, old, new),
        )

    def open_form(self, kind: str) -> None:
        """Open the form for a new state, message, timer or command."""
        self._complain("")
        self._row.hide()
        self.form.open(kind)
        self._arrange()

    def _form_closed(self) -> None:
        self._complain("")
        self._row.show()
        self.buttons[self.form.kind].setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self, kind: str, name: str, fields: str) -> None:
        if not name:
            self._complain(_NAMELESS[kind])
            self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if kind == "state":
            sentence = self._edit(_ADDED[kind].format(name=name), lambda source: add_state(source, name))
        else:
            sentence = self._edit(
                _ADDED[kind].format(name=name),
                lambda source: add_message(source, name, fields_in(fields, "fields"), kind),
            )
        self._complain(sentence)
        if not sentence:
            self.form.hide()
            self._row.show()
            if kind == "state":
                self.select(name, "")
            elif self.look.states:
                self.select(self.look.states[0].name, name)
            self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
