"""A workspace with the widget that shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from lydian.desk.workspaces import Workspace

if TYPE_CHECKING:
    from lydian.app.panels.guidetext import Place as GuidePlace
    from lydian.app.window.workspaces import Workspaces

__all__ = ["QtWorkspace"]


class QtWorkspace(QObject, Workspace):
    """A workspace of the window; its widget is made when it is first wanted.

    Attributes:
        rooms: what shows it.
        workspace: the widget, ``None`` before that.
    """

    def __init__(self, rooms: Workspaces) -> None:
        super().__init__(rooms)
        self.rooms, self.desk, self.stage = rooms, rooms.desk, rooms.stage
        self.workspace: Any = None

    def made(self) -> Any:
        """The widget; made at the first call."""
        raise NotImplementedError

    def bring(self, widget: QWidget, focus: QWidget | None = None) -> None:
        """Bring the widget to the front; the run stops playing."""
        self.desk.playhead.pause()
        self.rooms.stack.setCurrentWidget(widget)
        if focus is not None:
            focus.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def panes(self) -> list[QWidget]:
        """What F6 goes through."""
        return [] if self.workspace is None else list(self.workspace.panes)

    def show_help(self, place: GuidePlace, follow: Callable[[str, str], object]) -> bool:
        """Show a page of the guide beside what is worked on; false if it has no room of its own here."""
        show = getattr(self.workspace, "show_help", None)
        if show is None:
            return False
        show(place, follow)
        return True

    def close(self) -> None:
        """Keep what was begun, and leave nothing behind."""
        if self.workspace is not None:
            self.workspace.close_all()
