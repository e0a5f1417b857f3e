"""The fault buttons of the tool bar: a click chooses a tool, and a drag takes it to its target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QCursor, QKeySequence, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from lydian.app.kit.layout import across
from lydian.app.kit.terms import explain
from lydian.app.kit.theming import set_look, token
from lydian.app.live.tools.chosentool import ChosenTool
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.language import tr
from lydian.model.interventions import Tool
from lydian.model.interventions.kind import tools_for

__all__ = ["FaultBar", "FaultButton"]

#: Tool -> the term of the glossary that it applies.
_TERMS = {
    "crash": "crash", "partition": "partition", "drop": "loss", "delay": "delay", "duplicate": "duplication",
    "corrupt": "corruption", "wake": "initiator", "byzantine": "Byzantine", "command": "command", "deliver": "delivery",
}  # fmt: skip


class FaultButton(QToolButton):
    """The button of one tool. A click chooses the tool for the next click on the drawing; a drag takes it there."""

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
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.setCheckable(True)
        self.clicked.connect(lambda _checked=False: take(tool.name))
        set_look(
            self, theme, icon=tool.icon, ink="fault.base", square=token("space.toolButton"),
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
        if self._dragging and self._aim.tool == self.tool.name:
            self._aim.carry(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragging, self._dragging, self._start = self._dragging, False, None
        if not dragging:
            super().mouseReleaseEvent(event)
            return
        self.unsetCursor()
        self.setDown(False)
        if self._aim.tool == self.tool.name:  # Esc may have released it
            self._aim.drop(event.globalPosition().toPoint())

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
    """The word "Faults" and a button for each tool that has one, for a tool bar.

    Args:
        aim: the chosen tool.
        take: chooses a tool.
        actions: the commands ``fault_crash`` and so on, which have the keys.
        theme: the look.
    """

    def __init__(
        self, aim: ChosenTool, take: Callable[[str], object], actions: Mapping[str, QAction], theme: Theme,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setObjectName("faultBar")
        self.setAccessibleName(tr("Faults"))
        self.aim, self._actions = aim, actions
        self.label = QLabel(tr("Faults"))
        self.label.setObjectName("hint")
        set_look(self.label, theme, font="small")
        self.buttons = {tool.name: FaultButton(tool, aim, take, theme, self) for tool in tools_for("bar")}
        self._row = across(self.label, 4, *self.buttons.values(), on=self, spacing=1)
        aim.changed.connect(self._say)
        for name in self.buttons:
            action = actions.get(f"fault_{name}")
            if action is not None:
                action.changed.connect(partial(self._say_of, name))
        self._say()

    def _say(self) -> None:
        """Show the chosen tool on the buttons, and the keys in their tooltips."""
        for name in self.buttons:
            self._say_of(name)

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

    def set_words(self, on: bool) -> None:
        """Show or hide the word before the buttons."""
        self.label.setVisible(on)
