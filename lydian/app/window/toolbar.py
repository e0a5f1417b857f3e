"""The tool bar: open and save, undo and redo, Run, the views, the field that finds, the layout, projector and theme."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolBar, QToolButton, QWidget

from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.window.findfield import FindField

__all__ = ["ToolBar"]

VIEWS = (
    "view_experiment", "view_basic", "view_communication", "view_causality", "view_step", "view_occupation",
    "view_knowledge", "view_trace", "view_checks",
)  # fmt: skip
#: Layouts and their icons, for where there is no room for their words.
SEGMENTS = {"layout_watch": "eye", "layout_study": "layout", "layout_debug": "step-forward"}


class ToolBar(QToolBar):
    """Icons of 18 pixels in buttons of 32, larger when projecting; Run is the only filled one."""

    def __init__(self, actions: Mapping[str, QAction], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("Tools", parent)
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._buttons: list[QToolButton] = []
        self._run_only = True
        for name in ("open", "save"):
            self._add(actions[name])
        self.addSeparator()
        for name in ("undo", "redo"):
            self._add(actions[name])
        gaps = [self.addSeparator()]
        self.run = QToolButton()
        self.run.setObjectName("runButton")
        actions["run"].setIconText("Run  F5")
        self.run.setDefaultAction(actions["run"])
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.run.setAccessibleName("Run")
        self.run.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._run_actions = [self.addWidget(self.run), self._add(actions["new_seed"])]
        gaps.append(self.addSeparator())
        self._run_actions += gaps
        self.views_label = QLabel("Views ")
        self.views_label.setObjectName("hint")
        self._views_action = self.addWidget(self.views_label)
        self._view_actions = [self._add(actions[name]) for name in VIEWS]
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(gap)
        self.find_field = FindField(theme, actions["palette"].shortcut().toString())
        self.find_field.clicked.connect(actions["palette"].trigger)
        self.addWidget(self.find_field)
        self.layout_label = QLabel("Layout ")
        self.layout_label.setObjectName("hint")
        self._layout_label_action = self.addWidget(self.layout_label)
        self.segment = QFrame()
        self.segment.setObjectName("segment")
        row = QHBoxLayout(self.segment)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        self._segments: list[QToolButton] = []
        for name in SEGMENTS:
            button = QToolButton()
            button.setDefaultAction(actions[name])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
            self._segments.append(button)
        self._segment_action = self.addWidget(self.segment)
        self.addSeparator()
        self._add(actions["projector"])
        self.theme_button = QToolButton()
        self.theme_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons.append(self.theme_button)
        self.addWidget(self.theme_button)
        self.set_theme(theme)

    def _add(self, action: QAction) -> QAction:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAccessibleName(action.text().replace("&", "").rstrip("…"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons.append(button)
        return self.addWidget(button)

    def set_workspace(self, name: str) -> None:
        """Show what belongs to a workspace: views and layouts are for the run."""
        self._run_only = name == "run"
        for action in self._run_actions:  # the drawing has its own button
            action.setVisible(self._run_only)
        self.set_theme(self._theme)

    def resizeEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where there is little room, or the text is large, the labels go, then the words of the layouts."""
        self.find_field.fit(0)
        if self._theme.projector:
            return
        words, icons = Qt.ToolButtonStyle.ToolButtonTextOnly, Qt.ToolButtonStyle.ToolButtonIconOnly
        for labels, style in ((True, words), (False, words), (False, icons)):
            for action in (self._views_action, self._layout_label_action):
                action.setVisible(labels and self._run_only and self.width() > 1100)
            for button in self._segments:
                button.setToolButtonStyle(style)
            self.segment.setFixedWidth(self.segment.sizeHint().width())
            row = self.layout()
            if row is not None:
                row.invalidate()
            if self.sizeHint().width() <= self.width():
                break
        self.find_field.fit(self.width() - self.sizeHint().width() + self.find_field.width())

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        side, size = int(theme.size("space.toolButton")), theme.stretched(24 if theme.projector else 18)
        self.setIconSize(QSize(size, size))
        self.find_field.set_theme(theme)
        for button in self._buttons:
            button.setFixedSize(side, side)
            button.setIconSize(QSize(size, size))
        self.run.setFixedHeight(side)
        self.run.setIcon(icon("play", theme, "text.onAccent"))
        self.run.setIconSize(QSize(size - 3, size - 3))
        for button in self._segments:
            button.setFixedHeight(side - 2)
            button.setIcon(icon(SEGMENTS[button.defaultAction().objectName()], theme, on="text.onAccent"))
            button.setIconSize(QSize(size, size))
            button.setFont(theme.font("body"))
        for action in self._view_actions:
            action.setVisible(self._run_only and not theme.projector)
        self._segment_action.setVisible(self._run_only and not theme.projector)
        for action in (self._views_action, self._layout_label_action):
            action.setVisible(self._run_only and not theme.projector and self.width() > 1100)
        self._fit()
        other = "light" if theme.dark else "dark"
        self.theme_button.setIcon(icon("sun" if theme.dark else "moon", theme))
        self.theme_button.setToolTip(f"Change to the {other} theme")
        self.theme_button.setAccessibleName(f"Change to the {other} theme")
