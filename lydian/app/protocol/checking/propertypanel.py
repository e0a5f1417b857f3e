"""The panel of the properties of a protocol: those in its file, and ready-made ones to add."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget

from lydian.app.kit.fields import heading, hint, rule
from lydian.app.kit.layout import across, down, fill
from lydian.app.kit.theming import grown, set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided, scrolled
from lydian.app.protocol.checking.readyform import ReadyForm
from lydian.app.protocol.document import ProtocolDocument
from lydian.authoring.ready import READY, add_property
from lydian.authoring.removing import remove_formula, remove_property
from lydian.language import tr, translated
from lydian.model.errors import BadInput
from lydian.model.protocol.properties import KINDS
from lydian.model.source.outline import Outline

__all__ = ["PropertyPanel"]


class PropertyPanel(QWidget):
    """The panel that lists the properties of the text, goes to or removes them, and adds ready-made ones."""

    #: Emitted with a line to which the editor should go.
    jump_wanted = Signal(int)

    def __init__(self, document: ProtocolDocument, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document, self.theme = document, theme
        self._shown: object = None
        self.setObjectName("panel")
        inside = QWidget()
        inside.setObjectName("panel")
        self.mine = down(spacing=2)
        self.column = down(
            heading(tr("In this file")), self.mine, rule(), heading(tr("Ready-made properties")),
            on=inside, margins=(12, 10, 10, 10), spacing=6,
        )  # fmt: skip
        self.titles: dict[str, QPushButton] = {}
        self.forms: dict[str, ReadyForm] = {}
        self.adds: dict[str, QPushButton] = {}
        self.problems: dict[str, QLabel] = {}
        self._bodies: dict[str, QWidget] = {}
        for key in READY:
            self._ready(key)
        self.column.addStretch(1)
        down(scrolled(inside), on=self)
        document.read.connect(self.follow)
        self._dress()
        self.set_theme(theme)
        self.follow()

    def _ready(self, key: str) -> None:
        ready = READY[key]
        title = self.titles[key] = set_up(
            QPushButton(ready.title), look="readyTitle", about=ready.help, tip=ready.help, checkable=True,
            clicked=lambda on, key=key: self.open(key if on else ""),
        )  # fmt: skip
        body = self._bodies[key] = QWidget()
        form = self.forms[key] = ReadyForm(key)
        problem = self.problems[key] = set_up(QLabel(), look="problem", wraps=True)
        problem.hide()
        add = self.adds[key] = QPushButton(tr("Add"))
        add.setAccessibleName(tr("Add: {property}", property=ready.title))
        add.clicked.connect(lambda _checked=False, key=key: self.add(key))
        form.entered.connect(lambda key=key: self.add(key))
        form.changed.connect(lambda key=key: self.problems[key].hide())
        down(
            hint(ready.help), form, problem, (add, Qt.AlignmentFlag.AlignLeft),
            on=body, margins=(10, 0, 0, 6), spacing=6,
        )  # fmt: skip
        body.hide()
        fill(self.column, title, body)

    def open(self, key: str) -> None:
        """Open the parameters of one property and close all others; "" closes all."""
        for each, body in self._bodies.items():
            body.setVisible(each == key)
            self.titles[each].setChecked(each == key)
        self._dress()

    def set_theme(self, theme: Theme) -> None:
        self._shown = None
        self.follow()

    def _dress(self) -> None:
        for key, title in self.titles.items():
            sign = "chevron-down" if self._bodies[key].isVisibleTo(self) else "chevron-right"
            set_look(title, self.theme, icon=sign, icon_size=14, min_height=grown(28))

    # ------------------------------------------------------------------ properties in the file

    def follow(self) -> None:
        """Show the properties of the current text."""
        outline = self.document.outline
        variables = [each.name for each in outline.variables]
        for form in self.forms.values():
            form.offer(outline.state_names, variables)
        shown = (outline.properties, outline.formula)
        if shown == self._shown or (outline.problem is not None and self._shown is not None):
            return
        self._shown = shown
        while (item := self.mine.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for each in outline.properties:
            remove = partial(_without, each.function)
            kind = translated(KINDS.get(each.kind, each.kind), "property")
            self._mine(each.sentence or each.function, kind, each.line, remove)
        if outline.formula is not None:
            self._mine(
                tr("{formula} messages", formula=outline.formula),
                tr("formula"),
                _formula_line(self.document, outline),
                remove_formula,
            )
        if not outline.properties and outline.formula is None:
            self.mine.addWidget(hint(tr("None yet. A property is a requirement that is checked in every run.")))

    def _mine(self, sentence: str, kind: str, line: int, remove: Callable[[str], str]) -> None:
        row = QWidget()
        words = Elided(sentence)
        words.setFont(self.theme.font("body"))
        words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        kind_label = QLabel(kind)
        kind_label.setObjectName("explained")
        go, out = QToolButton(), QToolButton()
        go.setIcon(icon("code", self.theme))
        go.setToolTip(tr("Go to line {line}", line=line))
        go.setAccessibleName(tr("Go to: {property}", property=sentence))
        go.clicked.connect(lambda: self.jump_wanted.emit(line))
        out.setIcon(icon("close", self.theme))
        out.setToolTip(tr("Remove it from the file (Ctrl+Z restores it)"))
        out.setAccessibleName(tr("Remove: {property}", property=sentence))
        out.clicked.connect(lambda: self._remove(sentence, remove))
        for button in (go, out):
            button.setIconSize(QSize(15, 15))
            button.setFixedSize(self.theme.stretched(26), self.theme.stretched(26))
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        across((words, 1), kind_label, go, out, on=row, spacing=4)
        self.mine.addWidget(row)

    def _remove(self, sentence: str, remove: Callable[[str], str]) -> None:
        self.document.reread()
        try:
            self.document.replace(remove(self.document.source), tr("Removed: {property}", property=sentence))
        except BadInput as error:
            self.document.say(str(error), True)

    # ------------------------------------------------------------------ adding a property

    def add(self, key: str) -> bool:
        """Add a property to the text; return True if that was possible."""
        self.document.reread()
        label = self.problems[key]
        try:
            source = add_property(self.document.source, key, self.forms[key].values())
        except BadInput as error:
            label.setText(error.remark)
            label.show()
            return False
        label.hide()
        self.document.replace(source, tr("Added: {property}", property=READY[key].title))
        self.open("")
        self.titles[key].setFocus(Qt.FocusReason.OtherFocusReason)
        return True


def _without(function: str, source: str) -> str:
    return remove_property(source, function)


def _formula_line(document: ProtocolDocument, outline: Outline) -> int:
    process = document.draft.process
    place = process.places.get("messages") if process is not None else None
    return place.lineno if place is not None else outline.line
