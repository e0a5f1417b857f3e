"""Accessibility of one window: text size, contrast, colour vision, less motion, keys, panes and screen readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from lydian.app.canvas import accessible as canvases
from lydian.app.canvas.canvas import Canvas
from lydian.app.commands.keymap import KeyMap
from lydian.app.look.theme import tokens
from lydian.app.look.vision import EYES
from lydian.app.panels.help.keysheet import KeySheet
from lydian.app.panels.timeline.scrubber import Scrubber
from lydian.app.panels.trace.tracelist import TraceList
from lydian.app.window.focuskeys import Keys
from lydian.app.window.menus import Menus
from lydian.app.window.panes import Panes
from lydian.app.work.player import STEP
from lydian.app.work.system import Desktop, request
from lydian.language import tr

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.app.window.looks import Looks
    from lydian.desk.desk import Desk

__all__ = ["Access"]

#: Widgets in which single letters are commands.
_VIEWS = (Canvas, Scrubber, TraceList, QMainWindow)
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class Access(QObject):
    """The accessibility commands of a window.

    Attributes:
        keymap: the keys of the commands.
        panes: the panes that F6 moves through.
        menus: the context menus.
        sheet: the sheet of keys, if it is open.
    """

    def __init__(
        self, desk: Desk, stage: Stage, looks: Looks, panes: Panes, menus: Menus, actions: Mapping[str, QAction],
        window: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self.desk, self.stage, self.looks, self.panes, self.menus = desk, stage, looks, panes, menus
        self._window = window
        self.keymap = KeyMap(desk.settings, self)
        self.sheet: KeySheet | None = None
        if canvases.wanted():
            canvases.install()
        self.keymap.load(actions)
        desk.commands.check("see_all", True)
        desk.commands.check("motion", desk.settings.motion)
        Keys(window, self.keeps)
        self._desktop = Desktop(self._wishes_changed, self)
        stage.player.changed.connect(self._changed)
        if desk.settings.theme != "system":
            request(desk.settings.theme)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        table: dict[str, Callable[..., object]] = {
            "text_larger": lambda: self.step_text(1),
            "text_smaller": lambda: self.step_text(-1),
            "text_usual": lambda: self.set_text(1.0),
            "motion": self.set_motion,
            "next_pane": lambda: self.panes.go(1),
            "previous_pane": lambda: self.panes.go(-1),
            "menu": self.open_menu,
            "keys": self.show_keys,
            "change_keys": self.show_keys,
        }
        for eye in ("", *EYES):
            table[f"see_{eye or 'all'}"] = lambda on, eye=eye: self.see_as(eye)
        return table

    # ------------------------------------------------------------------ looks

    def set_text(self, scale: float) -> None:
        """Set the size of text, 1.0 being the default, and keep it for the next start."""
        looks = self.looks
        theme = looks.theme.but(scale=scale)
        if theme != looks.theme:
            self.desk.settings.text_scale = theme.scale
            looks.apply(theme)
            self.desk.notices.say(tr("Text size {size:.0%}", size=theme.scale), False)

    def step_text(self, direction: int) -> None:
        """Set the next larger (1) or smaller (-1) size of text."""
        now, steps = self.looks.theme.scale, tokens()["type"]["scale"]["steps"]
        beyond = [step for step in steps if (step - now) * direction > 1e-6]
        if beyond:
            self.set_text(min(beyond) if direction > 0 else max(beyond))

    def see_as(self, eye: str) -> None:
        """Show the views as seen with a colour vision deficiency, or unchanged if the name is empty."""
        self.desk.commands.check(f"see_{eye or 'all'}", True)
        self.looks.apply(self.looks.theme.but(eye=eye))

    def set_motion(self, on: bool) -> None:
        """Set whether steps glide and things fade, and keep it for the next start."""
        self.desk.settings.motion = on
        self._move(on)

    def _move(self, on: bool) -> None:
        self.desk.commands.check("motion", on)
        self.stage.player.step_seconds = STEP if on else 0.0
        self.looks.apply(self.looks.theme.but(still=not on))

    def _wishes_changed(self) -> None:
        """Follow the desktop's settings for contrast and motion; the user's own choices take precedence."""
        self.looks.system_changed()
        if self.desk.settings.motion == self.looks.theme.still:
            self._move(self.desk.settings.motion)

    # ------------------------------------------------------------------ keys

    def keeps(self, event: QKeyEvent) -> bool:
        """Return whether the focused control keeps a key: a single letter or sign outside the views."""
        text = event.text()
        if event.modifiers() & _HELD or len(text) != 1 or not text.isprintable() or text in " ?":
            return False
        focus = QApplication.focusWidget()
        return focus is not None and not isinstance(focus, _VIEWS)

    def open_menu(self) -> None:
        """Open the menu of the selection in the view that has the focus."""
        focus: QWidget = QApplication.focusWidget() or self._window
        if not isinstance(focus, Canvas):
            focus = self.stage.focused
        focus.ask_for_menu()

    def show_keys(self) -> None:
        """Open the sheet of keys or bring it to the front."""
        if self.sheet is None:
            self.sheet = KeySheet(self.keymap, self.looks.theme, self._window)
            self.sheet.destroyed.connect(self._sheet_gone)
        self.sheet.show()
        self.sheet.raise_()
        self.sheet.activateWindow()
        self.sheet.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _sheet_gone(self) -> None:
        self.sheet = None

    # ------------------------------------------------------------------ screen readers

    def _changed(self, what: str) -> None:
        if what == "selection":
            focus = QApplication.focusWidget()
            if isinstance(focus, Canvas):
                canvases.announce(focus)
