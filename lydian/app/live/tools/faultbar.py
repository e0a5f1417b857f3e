"""The tools for faults above the views: a click chooses a tool, and a drag takes it to its target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QCursor, QHideEvent, QKeySequence, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from lydian.app.kit.choice import ArrowButton
from lydian.app.kit.layout import across
from lydian.app.kit.popup import Popup
from lydian.app.kit.terms import explain
from lydian.app.kit.theming import mark, set_look, set_up, token
from lydian.app.live.tools.chosentool import ChosenTool
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.language import tr, trc
from lydian.model.interventions import Tool
from lydian.model.interventions.kind import tools_for

__all__ = ["FaultBar", "FaultButton"]

#: Tool -> the term of the glossary that it applies.
_TERMS = {
    "crash": "crash", "partition": "partition", "drop": "loss", "delay": "delay", "duplicate": "duplication",
    "corrupt": "corruption", "wake": "initiator", "byzantine": "Byzantine", "command": "command", "deliver": "delivery",
}  # fmt: skip


#: Tool -> the word on its button; the title of any other tool.
_WORDS = {
    "crash": trc("fault", "Crash"), "cut": trc("fault", "Cut"), "partition": trc("fault", "Partition"),
    "drop": trc("fault", "Lose"), "delay": trc("fault", "Delay"), "duplicate": trc("fault", "Duplicate"),
    "corrupt": trc("fault", "Corrupt"), "byzantine": trc("fault", "Lie"),
}  # fmt: skip
#: The tools whose buttons are in the row if there is room; the others are always in the panel.
_FIRST = ("crash", "cut", "drop", "delay")
#: Where a panel is put while one of its buttons is dragged, because the button would be lost if it was closed.
_AWAY = QPoint(-20_000, -20_000)


class FaultButton(QToolButton):
    """The button of one tool. A click chooses the tool for the next click on the drawing; a drag takes it there."""

    #: The tool has been chosen, or its drag has begun or ended.
    used = Signal(bool)

    def __init__(
        self, tool: Tool, aim: ChosenTool, take: Callable[[str], object], theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.tool, self._aim, self.theme = tool, aim, theme
        self._start: QPoint | None = None
        self._dragging = False
        self.setObjectName(f"fault-{tool.name}")
        self.setAccessibleName(tool.title)
        self.setAccessibleDescription(tr("{hint}, or drag the button there", hint=tool.hint))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setText(_WORDS.get(tool.name, tool.title))
        self.setCheckable(True)
        self.clicked.connect(lambda _checked=False: self.used.emit(False))
        self.clicked.connect(lambda _checked=False: take(tool.name))
        set_look(
            self, theme, icon=tool.icon, ink="fault.base", height=token("space.toolButton"),
            icon_size=lambda theme: theme.stretched(24 if theme.projector else 18),
        )  # fmt: skip

    def nextCheckState(self) -> None:
        """Leave the checked state as it is: it follows from the chosen tool."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._dragging = False
        if event.button() == Qt.MouseButton.LeftButton:
            self._start = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        moved = event.position().toPoint()
        if self._start is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        if not self._dragging and (moved - self._start).manhattanLength() >= QApplication.startDragDistance():
            self._aim.arm(self.tool.name)
            self._dragging = self._aim.tool == self.tool.name
            if self._dragging:
                self.setCursor(self._carried())
                self.used.emit(True)
        if self._dragging and self._aim.tool == self.tool.name:
            self._aim.carry(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragging, self._dragging, self._start = self._dragging, False, None
        if not dragging:
            super().mouseReleaseEvent(event)
            return
        self.unsetCursor()
        self.setDown(False)
        self.used.emit(False)
        if self._aim.tool == self.tool.name:  # Esc may have released it
            self._aim.drop(event.globalPosition().toPoint())

    def hideEvent(self, event: QHideEvent) -> None:
        """Release a dragged tool whose panel is closed, as Esc does."""
        if self._dragging and self.window().isHidden():
            self._aim.let_go()
        super().hideEvent(event)

    def _carried(self) -> QCursor:
        """Return the pointer for a dragged tool."""
        theme = self.theme
        side = 26
        picture = QPixmap(side, side)
        picture.fill(Qt.GlobalColor.transparent)
        p = QPainter(picture)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setPen(theme.color("fault.base"))
            p.setBrush(theme.color("surface.panel"))
            p.drawEllipse(1, 1, side - 2, side - 2)
            p.drawPixmap(5, 5, pixmap(self.tool.icon, theme.color("fault.base"), 16))
        finally:
            p.end()
        return QCursor(picture, side // 2, side // 2)


class FaultBar(QWidget):
    """The commonest tools with their words and a button that opens a panel with the others, or all if room is short.

    Args:
        aim: the chosen tool.
        take: chooses a tool.
        actions: the commands ``fault_crash`` and so on, which have the keys.
        theme: the look.

    Attributes:
        buttons: the buttons of all tools by name.
        more: the button that opens the panel.
        panel: the panel.
    """

    def __init__(
        self, aim: ChosenTool, take: Callable[[str], object], actions: Mapping[str, QAction], theme: Theme,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setObjectName("faultBar")
        self.setAccessibleName(tr("Faults"))
        self.aim, self._actions = aim, actions
        self.panel = Popup(self, margins=6, spacing=2)
        self.panel.setAccessibleName(tr("Faults"))
        self.more = set_up(ArrowButton(theme, "fault.base"), clicked=self._open)
        set_look(
            self.more, theme, icon="bolt", ink="fault.base",
            icon_size=lambda theme: theme.stretched(24 if theme.projector else 18),
        )  # fmt: skip
        self.buttons = {tool.name: FaultButton(tool, aim, take, theme, self) for tool in tools_for("bar")}
        self._row = across(self.more, on=self, spacing=1)
        self._folded: bool | None = None
        self.fold(True)
        aim.changed.connect(self._say)
        for name, button in self.buttons.items():
            button.used.connect(self._used)
            action = actions.get(f"fault_{name}")
            if action is not None:
                action.changed.connect(partial(self._say_of, name))
        self._say()

    def fold(self, on: bool) -> None:
        """Put all tools into the panel, or the commonest ones into the row."""
        if on == self._folded:
            return
        self._folded = on
        self.panel.hide()
        for name, button in self.buttons.items():
            out = name in _FIRST and not on
            mark(button, "faultButton" if out else "faultEntry")
            if out:
                self._row.insertWidget(self._row.indexOf(self.more), button)
            else:
                self.panel.column.addWidget(button)
            button.show()
        self.more.setText(tr("Faults") if on else "")
        style = Qt.ToolButtonStyle
        self.more.setToolButtonStyle(style.ToolButtonTextBesideIcon if on else style.ToolButtonTextOnly)
        mark(self.more, bare=not on)
        for tell in (self.more.setToolTip, self.more.setAccessibleName):
            tell(tr("Faults") if on else tr("More faults"))

    def _open(self) -> None:
        self.panel.open_below(self.more, least=0)
        first = next((button for button in self.buttons.values() if button.isVisible() and button.isEnabled()), None)
        if first is not None and first.window() is self.panel:
            first.setFocus(Qt.FocusReason.PopupFocusReason)

    def _used(self, dragging: bool) -> None:
        """Close the panel when a tool has been chosen from it; while one is dragged, move it out of the way."""
        if dragging and self.panel.isVisible():
            self.panel.move(_AWAY)
        elif not dragging:
            self.panel.hide()

    def _say(self) -> None:
        """Show the chosen tool on the buttons, and the keys in their tooltips."""
        for name in self.buttons:
            self._say_of(name)
        mark(self.more, chosen=any(self.aim.tool == name and (self._folded or name not in _FIRST)
                                   for name in self.buttons))  # fmt: skip

    def _say_of(self, name: str) -> None:
        button, action = self.buttons[name], self._actions.get(f"fault_{name}")
        button.setChecked(self.aim.tool == name)
        key = "" if action is None else action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        tool = button.tool
        tip = f"{tool.title} ({key})" if key else tool.title
        reason = "" if action is None or action.isEnabled() else action.statusTip()
        button.setEnabled(not reason)
        words = f"{tip}\n{reason or tr('{hint}, or drag the button there', hint=tool.hint)}"
        explain(button, *filter(None, [_TERMS.get(name)]), tip=words)
        button.setStatusTip(reason or tool.hint)
