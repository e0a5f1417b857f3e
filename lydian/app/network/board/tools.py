"""The tool strip and the zoom box at the top of the drawing; both fold where there is little room."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QWidget

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import TOOLS, Board
from lydian.app.network.board.canvas import EditorCanvas
from lydian.language import tr, trc

__all__ = ["HINT", "Desk", "ToolStrip", "ZoomBox", "hint_of"]

#: Tool -> icon, name, description.
_ABOUT = {
    "select": (
        "cursor",
        trc("tool of the drawing", "Select"),
        tr("Select and move; double-click to add a process; drag from its rim to draw a link"),
    ),
    "process": ("plus", trc("tool of the drawing", "Process"), tr("Click to add a process")),
    "link": (
        "link",
        trc("tool of the drawing", "Link"),
        tr("Drag from one process to another, or click the two in turn"),
    ),
    "pan": ("hand", trc("tool of the drawing", "Pan"), tr("Drag to move the view")),
    "initiator": (
        "flag",
        trc("tool of the drawing", "Initiator"),
        tr("Click a process to make it an initiator, or to remove it as one"),
    ),
    "failure": ("bolt", trc("tool of the drawing", "Outage"), tr("Click a link to add an outage")),
    "brush": ("brush", trc("tool of the drawing", "Brush"), tr("Paint the settings of a link onto others")),
}
#: The hint for the default tool.
HINT = tr("Double-click to add a process; drag from one process to another to add a link")
#: The gap between the strip and the edges of the drawing.
GAP = 10


def hint_of(tool: str) -> str:
    """Return the hint of a tool for the status line."""
    return HINT if tool == "select" else tr("{hint}; press Esc to finish", hint=_ABOUT[tool][2])


class ToolStrip(QFrame):
    """The strip with one button for each tool; a tool stays current until another is chosen or Esc is pressed."""

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolStrip")
        self.setAccessibleName(tr("Tools"))
        self.board = board
        self.buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        row = across(on=self, margins=4, spacing=2)
        for name, key in TOOLS.items():
            button = set_up(
                QToolButton(), name=_ABOUT[name][1], about=_ABOUT[name][2], tip=f"{_ABOUT[name][2]} ({key})",
                checkable=True, clicked=lambda _on, name=name: self._take(name),
            )  # fmt: skip
            button.setText(f"{_ABOUT[name][1]}  {key}")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._group.addButton(button)
            self.buttons[name] = button
            row.addWidget(button)
        board.tool_changed.connect(self._say)
        for name, button in self.buttons.items():
            ink = "fault.base" if name == "failure" else "text.primary"
            set_look(
                button, theme, icon=_ABOUT[name][0], ink=ink, icon_size=stretched(16), font="body semibold",
                height=stretched(28),
            )  # fmt: skip
        self._say()

    def _take(self, name: str) -> None:
        if name == "brush" and self.board.brush is None:
            self.board.said.emit(tr("The brush is empty: select a link and press “Brush onto links”."), False)
            self._say()
            return
        self.board.take(name)

    def _say(self) -> None:
        for name, button in self.buttons.items():
            button.setChecked(name == self.board.tool)

    def fold(self, icons: bool) -> None:
        """Show icons alone, or icons with text."""
        style = Qt.ToolButtonStyle.ToolButtonIconOnly if icons else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for button in self.buttons.values():
            button.setToolButtonStyle(style)
        self.adjustSize()


class ZoomBox(QFrame):
    """The buttons to zoom out, reset the scale (which is shown in per cent), zoom in, and fit the network."""

    def __init__(self, canvas: EditorCanvas, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolStrip")
        self.setAccessibleName(tr("Zoom"))
        self.canvas = canvas
        row = across(on=self, margins=4, spacing=2)
        self._buttons: dict[str, QToolButton] = {}
        for name, what, deed in (
            ("minus", tr("Zoom out (-)"), lambda: canvas.zoom(0.8)),
            ("figure", tr("Actual size (100 %)"), lambda: canvas.zoom_to(1.0)),
            ("plus", tr("Zoom in (+)"), lambda: canvas.zoom(1.25)),
            ("fit", tr("Fit the network (Ctrl+0)"), canvas.fit),
        ):
            button = set_up(QToolButton(), name=what.partition(" (")[0], tip=what)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(deed)
            self._buttons[name] = button
            row.addWidget(button)
        canvas.zoomed.connect(self._say)
        for name, button in self._buttons.items():
            sign = "" if name == "figure" else name
            set_look(button, theme, icon=sign, icon_size=stretched(16), height=stretched(28), font="body semibold")
        self.set_theme(theme)
        self._say(canvas.view.scale)

    def _say(self, scale: float) -> None:
        self._buttons["figure"].setText(f"{100 * scale:.0f} %")

    def set_theme(self, theme: Theme) -> None:
        figure = self._buttons["figure"]
        figure.setMinimumWidth(figure.fontMetrics().horizontalAdvance("1000 %") + 10)


class Desk(QWidget):
    """The drawing with the tool strip and the zoom box over it."""

    def __init__(self, board: Board, canvas: EditorCanvas, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = canvas
        down(canvas, on=self)
        self.strip, self.zoom = ToolStrip(board, theme, self), ZoomBox(canvas, theme, self)
        self.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def set_theme(self, theme: Theme) -> None:
        self._place()

    def _place(self) -> None:
        """Show text beside the icons if it fits in one row."""
        self.zoom.adjustSize()
        for icons in (False, True):
            self.strip.fold(icons)
            if self.strip.sizeHint().width() + self.zoom.sizeHint().width() + 3 * GAP <= self.width():
                break
        beside = self.strip.width() + self.zoom.width() + 3 * GAP <= self.width()
        self.strip.move(GAP, GAP)
        self.zoom.move(self.width() - self.zoom.width() - GAP, GAP if beside else 2 * GAP + self.strip.height())
        self.canvas.margins = (0, (self.strip if beside else self.zoom).geometry().bottom() + 1, 0, 0)
        for part in (self.strip, self.zoom):
            part.raise_()
