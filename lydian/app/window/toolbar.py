"""The tool bar: open and save, undo, Run, replay or live, faults, the search field, layout, projector, theme."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QToolBar, QToolButton, QWidget

from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.window.findfield import FindField
from lydian.language import tr, trc

__all__ = ["ToolBar"]

#: The commands for watching a finished run or interfering with a live one; icons for narrow windows.
MODES = {"mode_replay": "eye", "mode_live": "bolt"}
#: The layouts and their icons, for narrow windows.
SEGMENTS = {"layout_watch": "eye", "layout_study": "layout", "layout_debug": "step-forward"}


class ToolBar(QToolBar):
    """A tool bar with 18-pixel icons in 32-pixel buttons, larger when projecting; only Run is a filled button."""

    def __init__(self, actions: Mapping[str, QAction], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Tools"), parent)
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._buttons: list[QToolButton] = []
        self._run_only = True
        self._fitting = False
        self.faults: QWidget | None = None
        for name in ("open", "save"):
            self._add(actions[name])
        self.addSeparator()
        for name in ("undo", "redo"):
            self._add(actions[name])
        gaps = [self.addSeparator()]
        self.run = set_up(QToolButton(), look="runButton", name=trc("command", "Run"))
        actions["run"].setIconText(tr("Run  F5"))
        self.run.setDefaultAction(actions["run"])
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.run.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._run_actions = [self.addWidget(self.run), self._add(actions["new_seed"])]
        gaps.append(self.addSeparator())
        self._run_actions += gaps
        self._segments: list[QToolButton] = []
        self._segment_icons: dict[str, str] = {**MODES, **SEGMENTS}
        self.modes = self._segment(actions, MODES, "modes")
        self._run_actions.append(self.addWidget(self.modes))
        self._gap = QWidget()
        self._gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._gap_action = self.addWidget(self._gap)
        self.find_field = FindField(theme, actions["palette"].shortcut().toString())
        self.find_field.clicked.connect(actions["palette"].trigger)
        self.addWidget(self.find_field)
        self.layout_label = QLabel(tr("Layout") + " ")
        self.layout_label.setObjectName("hint")
        self._layout_label_action = self.addWidget(self.layout_label)
        self.segment = self._segment(actions, SEGMENTS, "segment")
        self._segment_action = self.addWidget(self.segment)
        self.addSeparator()
        self._add(actions["projector"])
        self.theme_button = QToolButton()
        self.theme_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons.append(self.theme_button)
        self.addWidget(self.theme_button)
        self.set_theme(theme)

    def _segment(self, actions: Mapping[str, QAction], names: Iterable[str], name: str) -> QFrame:
        """Return one control with the buttons of mutually exclusive commands."""
        frame = QFrame()
        frame.setObjectName("segment")
        frame.setProperty("what", name)
        row = across(on=frame, margins=1, spacing=0)
        for each in names:
            button = QToolButton()
            button.setDefaultAction(actions[each])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
            self._segments.append(button)
        return frame

    def hold_faults(self, faults: QWidget) -> None:
        """Insert the fault tools after the modes."""
        self.faults = faults
        self._run_actions += [self.insertSeparator(self._gap_action), self.insertWidget(self._gap_action, faults)]
        self.set_theme(self._theme)

    def _add(self, action: QAction) -> QAction:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAccessibleName(action.text().replace("&", "").rstrip("…"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons.append(button)
        return self.addWidget(button)

    def set_workspace(self, name: str) -> None:
        """Show the parts for a workspace; views and layouts are only for the run."""
        self._run_only = name == "run"
        for action in self._run_actions:  # the drawing has its own button
            action.setVisible(self._run_only)
        self.set_theme(self._theme)

    def resizeEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().resizeEvent(event)
        if not self._fitting:
            self._fit()

    def _fit(self) -> None:
        """Fit the parts into the width, ignoring the resize events that showing and hiding parts cause."""
        self._fitting = True
        self._fit_parts()
        self._fitting = False

    def _fit_parts(self) -> None:
        """Hide the labels, then the words of the layouts, while the parts do not fit."""
        self.find_field.fit(0)
        if self._theme.projector:
            return
        words, icons = Qt.ToolButtonStyle.ToolButtonTextOnly, Qt.ToolButtonStyle.ToolButtonIconOnly
        for labels, style in ((True, words), (False, words), (False, icons)):
            self._layout_label_action.setVisible(labels and self._run_only and self.width() > 1100)
            label = getattr(self.faults, "label", None)
            if label is not None:
                label.setVisible(labels)
            for button in self._segments:
                button.setToolButtonStyle(style)
            for frame in (self.segment, self.modes):
                frame.setFixedWidth(frame.sizeHint().width())
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
        for button in self._buttons:
            button.setFixedSize(side, side)
            button.setIconSize(QSize(size, size))
        self.run.setFixedHeight(side)
        self.run.setIcon(icon("play", theme, "text.onAccent"))
        self.run.setIconSize(QSize(size - 3, size - 3))
        for button in self._segments:
            button.setFixedHeight(side - 2)
            button.setIcon(icon(self._segment_icons[button.defaultAction().objectName()], theme, on="text.onAccent"))
            button.setIconSize(QSize(size, size))
            button.setFont(theme.font("body"))
        self._segment_action.setVisible(self._run_only and not theme.projector)
        self._layout_label_action.setVisible(self._run_only and not theme.projector and self.width() > 1100)
        self._fit()
        switch = tr("Switch to the light theme") if theme.dark else tr("Switch to the dark theme")
        self.theme_button.setIcon(icon("sun" if theme.dark else "moon", theme))
        self.theme_button.setToolTip(switch)
        self.theme_button.setAccessibleName(switch)
