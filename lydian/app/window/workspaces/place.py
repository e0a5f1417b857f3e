"""What is in front of the window, and a workspace with the widget that shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from lydian.app.panels.statusline import StatusLine
from lydian.app.stage.stage import Stage
from lydian.app.work.documents import Documents
from lydian.desk.desk import Desk
from lydian.desk.undo import Undo
from lydian.desk.workspaces import Workspace

if TYPE_CHECKING:
    from lydian.app.panels.help.guidetext import Place as GuidePlace

__all__ = ["Front", "QtWorkspace", "RunPlace"]


class Front(QObject):
    """What the window shows of the workspace in front: its widget, its title, and what can be undone there.

    Attributes:
        stack: the widgets of all workspaces.
    """

    def __init__(self, desk: Desk, stage: Stage, status: StatusLine, window: QMainWindow) -> None:
        super().__init__(window)
        self.desk, self.stage, self.status, self._window = desk, stage, status, window
        self.stack = QStackedWidget()
        self.stack.setObjectName("workspaces")

    def say_undo(self) -> None:
        """Name what undo and redo would do in front."""
        steps, commands = self.desk.workspaces.here.steps, self.desk.commands
        texts = ("", "") if steps is None else (steps.undo_text, steps.redo_text)
        for name, word, text in zip(("undo", "redo"), ("&Undo", "&Redo"), texts, strict=True):
            commands.call(name, f"{word}: {text}" if text else word)
            commands.hinder(name, "nothing", "" if text else f"There is nothing to {name} here")

    def say_title(self) -> None:
        """Name what is in front, with a star if it differs from its file."""
        here = self.desk.workspaces.here
        self._window.setWindowTitle(f"{here.title}[*]")
        self._window.setWindowModified(here.modified)

    def say(self, sentence: str, problem: bool, button: str, act: object) -> None:
        """Say something, with a button if there is something to do."""
        if button and callable(act):
            self.desk.notices.show(sentence, problem=problem, button=button, act=act)
        else:
            self.desk.notices.say(sentence, problem)


class RunPlace(Workspace):
    """The run that is watched."""

    name, word, about = "run", "Run", "Watch the run (Ctrl+Tab)"

    def __init__(self, front: Front, widget: QWidget, documents: Documents) -> None:
        self._front, self._widget, self._documents = front, widget, documents
        front.stack.addWidget(widget)

    @property
    def title(self) -> str:
        return self._front.desk.run_title

    @property
    def modified(self) -> bool:
        return self._front.desk.session.modified

    @property
    def steps(self) -> Undo:
        return self._front.desk.session.undo

    def acts(self) -> dict[str, Callable[[], object]]:
        files = self._documents
        return {"open": files.choose, "save": files.save, "save_as": files.save_as}

    def why_not(self, command: str) -> str:
        return ""

    def come(self) -> None:
        self._front.stack.setCurrentWidget(self._widget)
        self._front.stage.canvases["basic"].setFocus(Qt.FocusReason.OtherFocusReason)


class QtWorkspace(QObject, Workspace):
    """A workspace of the window; its widget is made when it is first wanted.

    Attributes:
        front: where it is shown.
        workspace: the widget, ``None`` before that.
    """

    def __init__(self, front: Front) -> None:
        super().__init__(front)
        self.front, self.desk, self.stage = front, front.desk, front.stage
        self.workspace: Any = None

    def made(self) -> Any:
        """The widget; made at the first call."""
        raise NotImplementedError

    def bring(self, widget: QWidget, focus: QWidget | None = None) -> None:
        """Bring the widget to the front; the run stops playing."""
        self.desk.playhead.pause()
        self.front.stack.setCurrentWidget(widget)
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
