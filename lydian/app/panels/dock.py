"""A dock with a title bar of its own: icon, name, summary, maximise, separate window, menu, close."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QGuiApplication, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from lydian.app.kit.layout import Steady, across, down, fill
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.icons import icon, pixmap
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Parts
from lydian.desk.guide.glossary import explained, terms_in
from lydian.language import tr

__all__ = ["Dock", "Spot"]

#: Asks a torn-off dock to become a framed window once the mouse button is released.
_TORN = QEvent.Type(QEvent.registerEventType())
#: Events after which the bar may need another size.
_RESIZING = (
    QEvent.Type.LayoutRequest, QEvent.Type.StyleChange, QEvent.Type.FontChange, QEvent.Type.ContentsRectChange,
    QEvent.Type.Polish, QEvent.Type.ParentChange, QEvent.Type.ChildAdded, QEvent.Type.ChildRemoved,
)  # fmt: skip
#: The number of pixels that stay free in a bar before a button is added.
SLACK = 10


@dataclass(frozen=True)
class Spot:
    """The place of a dock: ``how`` (``tab``, ``below``, ``above``, ``right``, ``left``) it is put beside another one.

    In a narrow window it is a tab over ``narrow``, or over that other dock if none is named. ``layouts`` are the names
    in :data:`lydian.app.panels.arrangement.LAYOUTS` of the layouts that show it.
    """

    beside: str = "checks"
    how: str = "tab"
    layouts: tuple[str, ...] = ()
    narrow: str = ""


class TitleBar(QFrame):
    """Icon, name, note and buttons; in a narrow bar, the buttons that are also in the menu are hidden first."""

    doubled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dockTitle")
        self.row = across(on=self, margins=(10, 1, 5, 1), spacing=6)
        self.spare: list[QWidget] = []  # one with the property ``idle`` is hidden
        self._hint = self._least = QSize()  # Qt asks thousands of times while it lays out the docks

    def event(self, event: QEvent) -> bool:
        if event.type() in _RESIZING:
            self._hint = self._least = QSize()
        return bool(super().event(event))

    def sizeHint(self) -> QSize:
        if not self._hint.isValid():  # a dock gives the bar this height, whatever its minimum
            hint = super().sizeHint()
            self._hint = QSize(hint.width(), max(hint.height(), self.minimumHeight()))
        return self._hint

    def minimumSizeHint(self) -> QSize:
        if not self._least.isValid():
            whole = self.row.minimumSize()
            spare = sum(self._takes(button) for button in self.spare if not button.isHidden())
            edge = self.size() - self.contentsRect().size()  # the border of the style sheet
            self._least = QSize(whole.width() - spare + edge.width(), whole.height() + edge.height())
        return self._least

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Show the spare buttons, from the first on, as far as there is room for them."""
        self._hint = self._least = QSize()
        room = self.width() - self.minimumSizeHint().width() - SLACK
        for button in self.spare:
            fits = not button.property("idle") and room >= self._takes(button)
            button.setVisible(fits)
            room = room - self._takes(button) if fits else room if button.property("idle") else -1
        self.row.activate()

    def _takes(self, button: QWidget) -> int:
        return button.width() + self.row.spacing()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.doubled.emit()
        event.accept()


class Dock(QDockWidget):
    """A part of the window that can be moved, maximised, moved to a separate window, and closed.

    Args:
        name: its name in the program.
        title: the title in its bar.
        icon_name: its icon.
        content: the content, or a function that makes it at the first use.
        about: two sentences that explain the content, as the tooltip of its bar.
        spot: its place.
    """

    #: The user wants to maximise or restore it.
    maximise_wanted = Signal()
    #: The user closed it.
    closed = Signal()

    def __init__(
        self,
        name: str,
        title: str,
        icon_name: str,
        content: QWidget | Callable[[], QWidget],
        theme: Theme,
        about: str = "",
        parent: QWidget | None = None,
        *,
        spot: Spot = Spot(),
    ) -> None:
        super().__init__(title, parent)
        self.name, self.icon_name, self.theme, self.spot = name, icon_name, theme, spot
        self.maximised = False
        #: Commands that also work in its own window.
        self.commands: Callable[[], list[QAction]] = list
        self.setObjectName(f"dock-{name}")
        self.setAccessibleName(title)
        self._icons: dict[QAction, str] = {}
        self._obstacle = set_up(QLabel(), look="dockObstacle", wraps=True)
        self._obstacle.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._obstacle.setMargin(24)
        self._obstacle.hide()
        body = QFrame()
        body.setObjectName("dockBody")
        self._inside = down(self._obstacle, on=body, margins=(1, 0, 1, 1))
        self._content: QWidget | None = None
        self._make = (lambda: content) if isinstance(content, QWidget) else content
        if isinstance(content, QWidget):
            self._hold(content)
        self.setWidget(body)
        self._sign = QLabel()
        self._title = QLabel(title)
        self._title.setObjectName("dockName")
        self.note = Parts()
        self.note.setObjectName("dockNote")
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.menu = QMenu(self)
        self._grow = self._button(tr("Maximise {panel}", panel=title))
        self._grow.clicked.connect(self.maximise_wanted)
        self._float = self._button(tr("Move to a separate window"))
        self._float.clicked.connect(self.tear_off)
        self._more = self._button(tr("More for {panel}", panel=title))
        self._more.setMenu(self.menu)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._close = self._button(tr("Close {panel}", panel=title))
        self._close.clicked.connect(self.close)
        self._tail = self.menu.addSeparator()
        self.grow_action = self.menu.addAction(tr("Maximise"))
        self.grow_action.triggered.connect(self.maximise_wanted)
        self.float_action = self.menu.addAction(tr("Separate window"), self.tear_off)
        self.menu.addAction(tr("Close"), self.close)
        bar = self.bar = TitleBar()
        bar.setToolTip(explained(about, *terms_in(title)))
        bar.doubled.connect(self.maximise_wanted)
        fill(
            bar.row,
            self._sign,
            self._title,
            2,
            (Steady(self.note), 1),
            self._grow,
            self._float,
            self._more,
            self._close,
        )
        bar.spare = [self._grow, self._float]
        self.setTitleBarWidget(bar)
        self.topLevelChanged.connect(self._torn)
        set_look(self._obstacle, theme, font="body")
        set_look(self._more, theme, icon="more", ink="text.secondary")
        set_look(self._close, theme, icon="close", ink="text.secondary")
        self.set_theme(theme)

    # ------------------------------------------------------------------ the content

    @property
    def content(self) -> QWidget:
        """The widget that the dock contains, created on first use."""
        if self._content is None:
            last = content = self._hold(self._make())
            for widget in content.findChildren(QWidget):
                last = widget if widget.focusPolicy() & Qt.FocusPolicy.TabFocus else last
            for button in (self._grow, self._float, self._more, self._close):  # Tab reaches them after the content
                self.setTabOrder(last, button)
                last = button
            return content
        return self._content

    @property
    def made(self) -> bool:
        """Whether the content has been made."""
        return self._content is not None

    def _hold(self, content: QWidget) -> QWidget:
        self._content = content
        if self.whatsThis():
            content.setWhatsThis(self.whatsThis())
        titled = getattr(content, "titled", None)
        if titled is not None:
            titled.connect(self.say)
        self._inside.insertWidget(0, content)
        content.setVisible(not self.obstacle)
        return content

    def setVisible(self, on: bool) -> None:
        """Show or hide the dock; its content is made before it is first shown."""
        if on:
            self.content  # noqa: B018
        super().setVisible(on)

    def explain(self, words: str) -> None:
        """Show its explanation for What's This on the dock or its content."""
        self.setWhatsThis(words)
        if self._content is not None:
            self._content.setWhatsThis(words)

    # ------------------------------------------------------------------ the bar

    def add_to_menu(self, action: QAction) -> None:
        """Add a command to its menu, above those that every dock has."""
        self.menu.insertAction(self._tail, action)

    def add_submenu(self, title: str) -> QMenu:
        """Add a submenu to its menu, above the commands that every dock has."""
        menu = QMenu(title, self.menu)
        self.menu.insertMenu(self._tail, menu)
        return menu

    def add_gap(self) -> None:
        """Add a separator to its menu."""
        self.menu.insertSeparator(self._tail)

    def add_button(self, action: QAction, icon_name: str) -> QToolButton:
        """Add a button for a command to its bar; it is hidden if there is no room for it."""
        self._icons[action] = icon_name
        button = self._button(action.text())
        button.setDefaultAction(action)
        button.setFixedSize(26, 26)
        self.bar.row.insertWidget(self.bar.row.indexOf(self._grow), button)
        self.bar.spare.insert(0, button)
        return button

    def add_to_bar(self, widget: QWidget) -> None:
        """Add a widget of a fixed width to its bar; it is hidden if there is no room for it."""
        self.bar.row.insertWidget(self.bar.row.indexOf(self._grow), widget)
        self.bar.spare.insert(0, widget)
        self.bar.fit()

    def say(self, note: str) -> None:
        """Show the summary beside the name."""
        self.note.say(note)

    def unavailable(self, sentence: str) -> None:
        """Show a sentence in place of its content; an empty one shows the content again."""
        self._obstacle.setText(sentence)
        self._obstacle.setVisible(bool(sentence))
        if self._content is not None:
            self._content.setVisible(not sentence)
        self.setAccessibleDescription(sentence)

    @property
    def obstacle(self) -> str:
        """The reason why it is unavailable, or ""."""
        return self._obstacle.text()

    def set_maximised(self, on: bool) -> None:
        """Show on its bar whether it is maximised."""
        self.maximised = on
        self.set_theme(self.theme)

    def set_theme(self, theme: Theme) -> None:
        size = theme.stretched(20 if theme.projector else 15)
        self._sign.setPixmap(pixmap(self.icon_name, theme.color("text.secondary"), size, self.devicePixelRatioF()))
        self._title.setFont(theme.font("title" if theme.projector else "body", semibold=True))
        floating, large = self.isFloating(), self.maximised or self.isMaximized()
        self._float.setIcon(icon("popin" if floating else "popout", theme, "text.secondary"))
        self._float.setToolTip(tr("Return to the main window") if floating else tr("Move to a separate window"))
        self._float.setAccessibleName(self._float.toolTip())
        self.float_action.setText(tr("Return to the main window") if floating else tr("Separate window"))
        self._grow.setIcon(icon("restore" if large else "maximise", theme, "text.secondary"))
        self._grow.setToolTip(tr("Restore (Esc)") if large else tr("Maximise (double click, Ctrl+Shift+M)"))
        title = self._title.text()
        self._grow.setAccessibleName(
            tr("Restore {panel}", panel=title) if large else tr("Maximise {panel}", panel=title)
        )
        self.grow_action.setText(tr("Restore") if large else tr("Maximise"))
        for action, name in self._icons.items():
            action.setIcon(icon(name, theme, "text.secondary"))
            action.setIconVisibleInMenu(False)
        side = theme.stretched(26)
        own = Qt.FindChildOption.FindDirectChildrenOnly  # a widget in the bar sizes its buttons itself
        for button in self.bar.findChildren(QToolButton, options=own):
            button.setFixedSize(side, side)
            button.setIconSize(QSize(size + 1, size + 1))
        self.bar.setMinimumHeight(side + (12 if theme.projector else 6))
        self.bar.fit()

    def _button(self, what: str) -> QToolButton:
        button = set_up(QToolButton(), name=what, tip=what)
        button.setFixedSize(26, 26)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    # ------------------------------------------------------------------ a separate window

    def tear_off(self) -> None:
        """Move the dock to a separate window, or back into the main window."""
        if self.isMaximized():
            self.showNormal()
        self.setFloating(not self.isFloating())

    def check_frame(self) -> None:
        """Make a floating dock a normal window: with a frame, in the task bar, able to be minimised and maximised."""
        real = (self.windowFlags() & Qt.WindowType.WindowType_Mask) == Qt.WindowType.Window
        if not self.isFloating() or (real and not self.windowFlags() & Qt.WindowType.FramelessWindowHint):
            return
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return  # it is being dragged; releasing the mouse calls this again
        shown, place = not self.isHidden(), self.geometry()
        main = self.parentWidget()
        if main is not None and QGuiApplication.screenAt(place.center()) is None:  # the screen is gone
            place.moveCenter(main.window().screen().availableGeometry().center())
        self.setWindowFlags(Qt.WindowType.Window)
        self.setWindowTitle(f"{self._title.text()} — LYDIAN")
        self.setGeometry(place)
        self.setVisible(shown)

    def _torn(self, floating: bool) -> None:
        """Adapt keys and bar when the dock has become a window, or a part of the main window again."""
        actions = self.commands()
        if floating:
            self.addActions(actions)
            QCoreApplication.postEvent(self, QEvent(_TORN))
        else:
            for action in actions:
                self.removeAction(action)
            self.setWindowTitle(self._title.text())
        self.set_theme(self.theme)

    def event(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == _TORN:
            self.check_frame()
            return True
        if kind == QEvent.Type.WindowStateChange:
            self.set_theme(self.theme)
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.isFloating():
            main = self.parentWidget()
            if main is not None:  # the main window decides which keys a field or a list keeps
                return bool(QCoreApplication.sendEvent(main.window(), event))
        done = bool(super().event(event))
        if kind == QEvent.Type.KeyPress and self.isFloating() and not event.isAccepted():
            main = self.parentWidget()  # a key that no widget here used has the same effect as in the main window
            if main is not None:
                return bool(QCoreApplication.sendEvent(main.window(), event))
        if kind in (QEvent.Type.MouseButtonRelease, QEvent.Type.NonClientAreaMouseButtonRelease) and self.isFloating():
            QCoreApplication.postEvent(self, QEvent(_TORN))
        return done

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if event.isAccepted():
            self.closed.emit()
