"""A dock with our own title bar: icon, name, summary in numbers, pop-out, menu."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from lydian.app.look.icons import icon, pixmap
from lydian.app.look.theme import Theme
from lydian.app.panels.card import Elided

__all__ = ["Dock"]


class Dock(QDockWidget):
    """A part of the window that can be moved, floated and closed.

    Args:
        name: what the program calls it.
        title: what its bar says.
        icon_name: its icon.
        content: what it holds.
        about: two sentences on what one is looking at, as the tool tip of its bar.
    """

    def __init__(
        self,
        name: str,
        title: str,
        icon_name: str,
        content: QWidget,
        theme: Theme,
        about: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent)
        self.name, self.icon_name, self.content, self.theme = name, icon_name, content, theme
        self.setObjectName(f"dock-{name}")
        self.setAccessibleName(title)
        body = QFrame()
        body.setObjectName("dockBody")
        inside = QVBoxLayout(body)
        inside.setContentsMargins(1, 0, 1, 1)
        inside.addWidget(content)
        self.setWidget(body)
        self._sign = QLabel()
        self._title = QLabel(title)
        self._title.setObjectName("dockName")
        self.note = Elided()
        self.note.setObjectName("dockNote")
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.menu = QMenu(self)
        self._float = self._button("Put into a window of its own")
        self._float.clicked.connect(lambda: self.setFloating(not self.isFloating()))
        self._more = self._button(f"More for {title}")
        self._more.setMenu(self.menu)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._close = self._button(f"Close {title}")
        self._close.clicked.connect(self.close)
        bar = QFrame()
        bar.setObjectName("dockTitle")
        bar.setToolTip(about)
        bar.setMinimumHeight(32)
        row = QHBoxLayout(bar)
        row.setContentsMargins(10, 1, 5, 1)
        row.setSpacing(6)
        for widget in (self._sign, self._title):
            row.addWidget(widget)
        row.addSpacing(2)
        row.addWidget(self.note, 1)
        for button in (self._float, self._more, self._close):
            row.addWidget(button)
        self.setTitleBarWidget(bar)
        self.topLevelChanged.connect(lambda _floating: self.set_theme(self.theme))
        self.set_theme(theme)

    def add_to_menu(self, action: QAction) -> None:
        self.menu.addAction(action)
        self._more.setVisible(True)

    def say(self, note: str) -> None:
        """The summary beside the name."""
        self.note.say(note)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        size = 20 if theme.projector else 15
        self._sign.setPixmap(pixmap(self.icon_name, theme.color("text.secondary"), size, self.devicePixelRatioF()))
        self._title.setFont(theme.font("title" if theme.projector else "body", semibold=True))
        self._float.setIcon(icon("popin" if self.isFloating() else "popout", theme, "text.secondary"))
        self._float.setToolTip("Put back into the window" if self.isFloating() else "Put into a window of its own")
        self._more.setIcon(icon("more", theme, "text.secondary"))
        self._more.setVisible(not self.menu.isEmpty())
        self._close.setIcon(icon("close", theme, "text.secondary"))
        self.titleBarWidget().setMinimumHeight(38 if theme.projector else 32)

    def _button(self, what: str) -> QToolButton:
        button = QToolButton()
        button.setFixedSize(26, 26)
        button.setToolTip(what)
        button.setAccessibleName(what)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button
