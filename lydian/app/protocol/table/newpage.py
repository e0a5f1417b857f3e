"""New protocol: three questions, the table, and the file that comes of it, all on one page."""

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
#: What may stand in an empty field.
EXAMPLES = {"message": "News, Ack(hops: int)", "timer": "Retry", "command": "Publish(topic: str)"}


def states_in(text: str) -> tuple[str, ...]:
    states = words_in(text)
    if not states:
        raise BadInput("name at least one state, in which every process starts")
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


#: From this width on the file stands beside the questions, else below them.
WIDE = 860


class NewProtocolPage(QWidget):
    """A protocol from a few words.  What is typed stays until :meth:`reset`, also while another page is shown.

    Args:
        taken: names that protocols have already (``echo``); asked when a first name is made up, and before Create.

    Attributes:
        plan: what has been answered so far.
        source: the file that Create will write; that of the last plan that could be one.
    """

    #: The text of the file and the name of the protocol (its class), after Create.
    created = Signal(str, str)
    #: The page is to be left; nothing on it is lost.
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
        self.starters = Segment("Begin with", [(key, each.title) for key, each in STARTERS.items()], theme)
        for key, each in STARTERS.items():
            self.starters.buttons[key].setToolTip(each.help)
        self.about = hint()
        self.name = Field("Name", self._named)
        self.states = Field("1  Which states can a process be in?  Words; every process starts in the first", states_in)
        self.events = {
            "message": Field(
                "2  Which messages do they send?  With fields if they carry something", events_of("message")
            ),
            "timer": Field("3  Which timers wake a process", events_of("timer")),
            "command": Field("and which commands does its user give?", events_of("command")),
        }
        self.formula = Field("Messages it should take, in n processes and m links; may stay empty", formula_in)
        self.table = PlanTable(self.plan, TableLook(), theme)
        self.needs = {name: QCheckBox(need.name) for name, need in NEEDS.items()}
        self.ready = {key: QCheckBox(each.title) for key, each in READY.items() if key != "messages"}
        self.forms = {key: ReadyForm(key) for key in self.ready}
        self.preview = set_up(QPlainTextEdit(), look="newPreview", name="The file that is made")
        self.preview.setReadOnly(True)
        self.preview.setTabChangesFocus(True)
        self.preview.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.file = QLabel()
        self.file.setObjectName("heading")
        self.trouble = Elided()
        self.trouble.setObjectName("problem")
        self.create_button = QPushButton("Create")
        self.back = QPushButton("Back")
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
        title = QLabel("New protocol")
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
            rule(), heading("What to do when"), self.table,
            rule(), heading("What it needs of the network"), needs,
            heading("What has to hold"), self.formula, *ready, ..., on=inside, margins=(18, 14, 14, 14), spacing=10,
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
        """The plan of a starter, under a name that is free."""
        plan = STARTERS[key].plan
        base, number = plan.name.rstrip("0123456789"), 1
        taken = {name.lower() for name in self._taken()}
        while f"{base}{number}".lower() in taken:
            number += 1
        return replace(plan, name=f"{base}{number}")

    def begin_with(self, key: str) -> None:
        """Another protocol to begin from; what was made of this one is kept for when it is chosen again."""
        self._plans[self.key] = self.plan
        self.key = key
        self.plan = self._plans.get(key) or self._fresh(key)
        self._show_plan(fresh=True)

    def reset(self) -> None:
        """Begin anew, with the first starter."""
        self._plans.clear()
        self.key = "broadcast"
        self.plan = self._fresh(self.key)
        self._show_plan(fresh=True)

    def _set(self, plan: ProtocolPlan) -> None:
        self._base = None
        self.plan = plan
        self._show_plan()

    def _typed(self, change: Callable[[ProtocolPlan], ProtocolPlan]) -> None:
        """Names are being typed: what they stand for is known from the plan before the first letter."""
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
        """All fields, the table and the file as the plan has them."""
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
            field.line.setPlaceholderText(f"none; for example {EXAMPLES[kind]}")
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
        """Make the file; or say what hinders it, and leave the last one standing, paler."""
        fields = (self.name, self.states, *self.events.values(), self.formula)
        wrong = next((field for field in fields if field.bad), None)
        self.problem = "Something above is not finished; it is marked." if wrong is not None else ""
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
        self.create_button.setToolTip(self.problem or "Write the file and open it (Ctrl+Return)")

    def _with_values(self) -> ProtocolPlan:
        """The plan with what the forms of its properties say."""
        return replace(self.plan, properties=tuple((key, self.forms[key].values()) for key, _ in self.plan.properties))

    def _show_source(self) -> None:
        if self.preview.toPlainText() != self.source:
            bar = self.preview.verticalScrollBar()
            at = bar.value()
            self.preview.setPlainText(self.source)
            bar.setValue(at)

    def begin(self) -> None:
        """Put the keys on the first question."""
        self.name.line.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name.line.selectAll()

    def finish(self) -> None:
        """Create, unless something hinders it."""
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
            raise BadInput(f"there is a protocol '{name.lower()}' already; take another name")
        return name
