"""One of several commands that exclude each other: buttons side by side, or a button with a menu if room is short."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up, token
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.language import tr

__all__ = ["ArrowButton", "Choice", "MenuButton", "opens"]


def opens(button: QToolButton, menu: QMenu) -> None:
    """Let a button open a menu below it, without waiting until the menu is closed."""
    button.setMenu(menu)
    button.clicked.connect(lambda: menu.popup(button.mapToGlobal(QPoint(0, button.height()))))


class ArrowButton(QToolButton):
    """A button with words and an arrow at its right end, which opens something.

    Args:
        ink: the theme's name for the colour of the arrow.
    """

    def __init__(self, theme: Theme, ink: str = "text.secondary") -> None:
        super().__init__()
        self.theme, self._ink = theme, ink
        self.setObjectName("menuButton")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        set_look(self, theme, height=token("space.toolButton"))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        size = self.theme.stretched(14)
        ink = self.theme.color(self._ink if self.isEnabled() else "text.hint")
        x = self.width() - size - 7 if self.text() else (self.width() - size) // 2
        painter = QPainter(self)
        painter.drawPixmap(x, (self.height() - size) // 2, pixmap("chevron-down", ink, size, self.devicePixelRatioF()))
        painter.end()


class MenuButton(ArrowButton):
    """A button that opens a menu; it is as wide as the longest entry needs.

    Args:
        name: what the menu is about, for a screen reader.
    """

    def __init__(self, name: str, menu: QMenu, theme: Theme) -> None:
        super().__init__(theme)
        self._name = name
        set_up(self, name=name, tip=name)
        opens(self, menu)

    def say(self, words: str) -> None:
        """Show the chosen entry."""
        self.setText(words)
        self.setAccessibleName(tr("{choice}: {chosen}", choice=self._name, chosen=words))

    def sizeHint(self) -> QSize:
        metrics, hint = self.fontMetrics(), super().sizeHint()
        words = [action.text().replace("&", "") for action in self.menu().actions()]
        most = max((metrics.horizontalAdvance(each) for each in words), default=0)
        return QSize(hint.width() + max(0, most - metrics.horizontalAdvance(self.text())), hint.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Choice(QWidget):
    """The commands as buttons of one control, or as the menu of a button that shows the chosen one.

    Args:
        name: what is chosen, for a screen reader.
        actions: the commands, of which one is checked.
    """

    def __init__(self, name: str, actions: Sequence[QAction], theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._actions = list(actions)
        menu = QMenu(self)
        menu.addActions(actions)
        self.button = MenuButton(name, menu, theme)
        self.frame = QFrame()
        self.frame.setObjectName("segment")
        row = across(on=self.frame, spacing=0)
        for action in actions:
            part = QToolButton()
            part.setDefaultAction(action)
            part.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            part.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            set_look(part, theme, height=lambda theme: int(theme.size("space.toolButton")) - 2, font="body")
            row.addWidget(part)
            action.changed.connect(self._say)
        middle = Qt.AlignmentFlag.AlignVCenter
        across((self.frame, 0, middle), (self.button, 0, middle), on=self)
        self.fold(False)
        self._say()

    def fold(self, on: bool) -> None:
        """Show the button with the menu in place of the buttons side by side, or the reverse."""
        self.frame.setVisible(not on)
        self.button.setVisible(on)

    def _say(self) -> None:
        """Show the chosen command on the button."""
        chosen = next((action for action in self._actions if action.isChecked()), self._actions[0])
        words = chosen.text().replace("&", "")
        if self.button.text() != words:
            self.button.say(words)
