"""The page for a new protocol, with three questions, the table, and a preview of the file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QWidget,
)

import lydian
from lydian.app.kit.fields import Field, Segment, heading, hint, rule
from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import Part, across, down
from lydian.app.kit.theming import grown, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided, scrolled
from lydian.app.protocol.checking.readyform import ReadyForm
from lydian.app.protocol.code.highlighter import Highlighter
from lydian.app.protocol.table.newtable import PlanTable
from lydian.authoring.celltable import TableLook, table_look
from lydian.authoring.plan import ProtocolPlan, events_in, events_text, words_in, written
from lydian.authoring.ready import READY
from lydian.authoring.skeleton import EventPlan, skeleton
from lydian.authoring.starters import STARTERS
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.lang.formula import Formula
from lydian.model.protocol.properties import Need
from lydian.model.source.draft import read
from lydian.model.source.outline import outline_of

__all__ = ["NewProtocolPage"]

#: The assumptions that can be ticked, the frequent ones first.
_FIRST = ("connected", "one_initiator", "some_initiator", "two_way", "fifo", "reliable", "ring", "tree", "complete")
NEEDS: dict[str, Need] = {
    name: getattr(lydian, name)
    for name in dict.fromkeys((*_FIRST, *lydian.__all__))
    if isinstance(getattr(lydian, name), Need)
}
#: The examples shown in empty fields.
EXAMPLES = {"message": "News, Ack(hops: int)", "timer": "Retry", "command": "Publish(topic: str)"}


def states_in(text: str) -> tuple[str, ...]:
    states = words_in(text)
    if not states:
        raise BadInput(tr("the list of states must not be empty; every process starts in the first"))
    skeleton("Zz", states)
    return states


def events_of(kind: str) -> Callable[[str], tuple[EventPlan, ...]]:
    def parse(text: str) -> tuple[EventPlan, ...]:
        events = events_in(text)
        named: dict[str, Any] = {f"{kind}s": events}
        skeleton("Zz", ("idle",), **named)
        return events

    return parse


def formula_in(text: str) -> str:
    if text.strip():
        Formula(text).check(("n", "m"))
    return text.strip()


#: The least width at which the file is beside the questions and not below them.
WIDE = 860


class NewProtocolPage(QWidget):
    """The page that makes a protocol from a few words. Answers are kept until :meth:`reset`, even if the page is left.

    Args:
        taken: a function that returns the names of existing protocols (``echo``), which must not be used again.

    Attributes:
        plan: the answers so far.
        source: the file that Create will write, from the last plan that was valid.
    """

    #: Emitted on Create with the text of the file and the name of the protocol (its class).
    created = Signal(str, str)
    #: Emitted when the page should be left; its answers are kept.
    cancelled = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, taken: Callable[[], Collection[str]] = tuple
    ) -> None:
        super().__init__(parent)
        self.setObjectName("newProtocol")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.theme, self._taken = theme, taken
        self.key = "broadcast"
        self._plans: dict[str, ProtocolPlan] = {}
        self.plan = self._fresh(self.key)
        self._base: ProtocolPlan | None = None
        self._judged: ProtocolPlan | None = None
        self._refusal = ""
        self.source = written(self.plan)
        self.problem = ""
        self.starters = Segment(tr("Begin with"), [(key, each.title) for key, each in STARTERS.items()], theme)
        for key, each in STARTERS.items():
            self.starters.buttons[key].setToolTip(each.help)
        self.about = hint()
        self.name = Field(tr("Name"), self._named)
        self.states = Field(tr("1  Which states can a process be in? Every process starts in the first"), states_in)
        self.events = {
            "message": Field(
                tr("2  Which messages do processes send? Add fields for their contents"), events_of("message")
            ),
            "timer": Field(tr("3  Which timers do processes set"), events_of("timer")),
            "command": Field(tr("and which commands do users give?"), events_of("command")),
        }
        self.formula = Field(tr("Number of messages, with n processes and m links (optional)"), formula_in)
        self.table = PlanTable(self.plan, TableLook(), theme)
        self.needs = {name: QCheckBox(need.name) for name, need in NEEDS.items()}
        self.ready = {key: QCheckBox(each.title) for key, each in READY.items() if key != "messages"}
        self.forms = {key: ReadyForm(key) for key in self.ready}
        self.preview = set_up(QPlainTextEdit(), look="newPreview", name=tr("Preview of the file"))
        self.preview.setReadOnly(True)
        self.preview.setTabChangesFocus(True)
        self.preview.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.file = QLabel()
        self.file.setObjectName("heading")
        self.trouble = Elided()
        self.trouble.setObjectName("problem")
        self.create_button = QPushButton(tr("Create"))
        self.back = QPushButton(tr("Back"))
        self.highlighter = Highlighter(self.preview.document(), theme)
        self._lay_out()
        self._connect()
        for field in (self.states, *self.events.values(), self.name, self.formula):
            set_look(field.line, theme, min_height=grown(28))
        for button in (self.create_button, self.back):
            set_look(button, theme, min_height=grown(30))
        self.create_button.setProperty("primary", True)
        self._show_plan(fresh=True)

    # ------------------------------------------------------------------ parts

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setObjectName("panel")
        title = QLabel(tr("New protocol"))
        title.setObjectName("newTitle")
        needs = QWidget()
        flow = FlowRow(needs, gap=12)
        for name, box in self.needs.items():
            box.setToolTip(f"{NEEDS[name].sentence[:1].upper()}{NEEDS[name].sentence[1:]}")
            box.setAccessibleDescription(NEEDS[name].sentence)
            flow.addWidget(box)
        ready: list[Part] = []
        for key, box in self.ready.items():
            box.setToolTip(READY[key].help)
            ready += [box, across(self.forms[key], margins=(24, 0, 0, 0))]
        down(
            title, self.starters, self.about, self.name, self.states, self.events["message"],
            across((self.events["timer"], 1), (self.events["command"], 1), spacing=10),
            rule(), heading(tr("Transition table")), self.table,
            rule(), heading(tr("Required of the network")), needs,
            heading(tr("Required of each run")), self.formula, *ready, ...,
            on=inside, margins=(18, 14, 14, 14), spacing=10,
        )  # fmt: skip
        right = QWidget()
        right.setObjectName("panel")
        down(self.file, (self.preview, 1), on=right, margins=(10, 14, 14, 8), spacing=6)
        self.splitter = QSplitter()
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(scrolled(inside))
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        down(
            (self.splitter, 1), rule(),
            across((self.trouble, 1), self.back, self.create_button, margins=(18, 8, 14, 10), spacing=8),
            on=self, spacing=0,
        )  # fmt: skip

    def _connect(self) -> None:
        self.starters.chosen.connect(self.begin_with)
        self.name.entered.connect(lambda name: self._set(replace(self.plan, name=name)))
        self.states.entered.connect(lambda states: self._typed(lambda plan: plan.with_states(states)))
        for kind, field in self.events.items():
            field.entered.connect(
                lambda events, kind=kind: self._typed(lambda plan: plan.with_events(kind, events))
            )  # fmt: skip
        for field in (self.states, *self.events.values()):
            field.settled.connect(self._settle)
        self.formula.entered.connect(lambda text: self._set(replace(self.plan, formula=text)))
        for field in (self.name, self.states, *self.events.values(), self.formula):
            field.line.textEdited.connect(lambda _text: self._judge())
            field.cancelled.connect(lambda: self._show_plan(fresh=True))
        for box in (*self.needs.values(), *self.ready.values()):
            box.clicked.connect(lambda _on: self._ticked())
        for form in self.forms.values():
            form.changed.connect(self._ticked)
        self.table.planned.connect(self._set)
        self.table.state_renamed.connect(self._state_renamed)
        self.create_button.clicked.connect(self.finish)
        self.back.clicked.connect(self.cancelled)
        self._enter = QShortcut(QKeySequence("Ctrl+Return"), self, self.finish)
        self._enter.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def set_theme(self, theme: Theme) -> None:
        self.highlighter.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= WIDE * max(1.0, self.theme.px("body") / 13)
        way = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self.splitter.orientation() != way:
            self.splitter.setOrientation(way)
            self.splitter.setSizes([600, 400] if wide else [640, 160])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------------ the plan

    def _fresh(self, key: str) -> ProtocolPlan:
        """Return the plan of a starter, with an unused name."""
        plan = STARTERS[key].plan
        base, number = plan.name.rstrip("0123456789"), 1
        taken = {name.lower() for name in self._taken()}
        while f"{base}{number}".lower() in taken:
            number += 1
        return replace(plan, name=f"{base}{number}")

    def begin_with(self, key: str) -> None:
        """Begin with another starter; the answers for the current one are kept in case it is chosen again."""
        self._plans[self.key] = self.plan
        self.key = key
        self.plan = self._plans.get(key) or self._fresh(key)
        self._show_plan(fresh=True)

    def reset(self) -> None:
        """Discard all answers and begin with the first starter."""
        self._plans.clear()
        self.key = "broadcast"
        self.plan = self._fresh(self.key)
        self._show_plan(fresh=True)

    def _set(self, plan: ProtocolPlan) -> None:
        self._base = None
        self.plan = plan
        self._show_plan()

    def _typed(self, change: Callable[[ProtocolPlan], ProtocolPlan]) -> None:
        """Update the plan while names are typed, matching them with those before the first letter."""
        base = self._base or self.plan
        self._set(change(base))
        self._base = base

    def _settle(self) -> None:
        self._base = None

    def _state_renamed(self, old: str, new: str) -> None:
        self._set(self.plan.with_states([new if state == old else state for state in self.plan.states]))

    def _ticked(self) -> None:
        needs = tuple(name for name, box in self.needs.items() if box.isChecked())
        properties = tuple((key, self.forms[key].values()) for key, box in self.ready.items() if box.isChecked())
        self._set(replace(self.plan, needs=needs, properties=properties))

    def _show_plan(self, *, fresh: bool = False) -> None:
        """Show the plan in all fields, the table and the file."""
        plan = self.plan
        self.starters.say(self.key)
        self.about.setText(STARTERS[self.key].help)
        self.name.say(plan.name, fresh=fresh)
        self.states.write(", ".join)
        self.states.say(plan.states, fresh=fresh)
        for kind, field in self.events.items():
            field.write(events_text)
            events: tuple[EventPlan, ...] = getattr(plan, f"{kind}s")
            field.say(tuple(replace(each, doc="") for each in events), fresh=fresh)  # as they are typed
            field.line.setPlaceholderText(tr("none; for example {example}", example=EXAMPLES[kind]))
        self.formula.say(plan.formula, fresh=fresh)
        for name, box in self.needs.items():
            box.setChecked(name in plan.needs)
        chosen: dict[str, Any] = dict(plan.properties)
        for key, box in self.ready.items():
            box.setChecked(key in chosen)
            form = self.forms[key]
            form.setVisible(key in chosen and bool(form.fields))
            with QSignalBlocker(form):
                form.offer(plan.states, [each.name for each in plan.variables])
                form.say(chosen.get(key, {}))
        self._judge()

    def _judge(self) -> None:
        """Make the file, or show the reason why that is not possible above the last file, which turns pale."""
        fields = (self.name, self.states, *self.events.values(), self.formula)
        wrong = next((field for field in fields if field.bad), None)
        self.problem = tr("Complete the marked field above.") if wrong is not None else ""
        plan = self._with_values()
        if plan != self._judged:
            self._judged = plan
            try:
                source = written(plan)
            except BadInput as error:
                where = "" if error.place is None else f"{error.place}: "
                self._refusal = f"{where}{error.what[:1].upper() if not where else error.what[:1]}{error.what[1:]}."
            else:
                self._refusal, self.source = "", source
                self._show_source()
                draft = read(source)
                self.table.show_plan(self.plan, table_look(draft, outline_of(draft)))
        self.problem = self.problem or self._refusal
        self.file.setText(f"{self.plan.name.lower()}.py")
        self.trouble.say(self.problem)
        self.preview.setEnabled(not self.problem)
        self.create_button.setEnabled(not self.problem)
        self.create_button.setToolTip(self.problem or tr("Write the file and open it (Ctrl+Return)"))

    def _with_values(self) -> ProtocolPlan:
        """Return the plan with the values in the forms of its properties."""
        return replace(self.plan, properties=tuple((key, self.forms[key].values()) for key, _ in self.plan.properties))

    def _show_source(self) -> None:
        if self.preview.toPlainText() != self.source:
            bar = self.preview.verticalScrollBar()
            at = bar.value()
            self.preview.setPlainText(self.source)
            bar.setValue(at)

    def begin(self) -> None:
        """Put the focus on the first question."""
        self.name.line.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name.line.selectAll()

    def finish(self) -> None:
        """Create the protocol if the answers are complete."""
        for field in (self.name, self.states, *self.events.values(), self.formula):
            if field.bad:
                field.line.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        if not self.problem:
            self.created.emit(self.source, self.plan.name)

    def _named(self, text: str) -> str:
        name = text.strip()
        name = name[:1].upper() + name[1:]
        skeleton(name, ("idle",))
        if name.lower() in {each.lower() for each in self._taken()}:
            raise BadInput(tr("a protocol '{name}' already exists; choose another name", name=name.lower()))
        return name
