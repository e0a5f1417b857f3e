"""The front of the window, and workspaces with the widgets that show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from lydian.app.panels.statusline import StatusLine
from lydian.app.stage.stage import Stage
from lydian.app.work.documents import Documents
from lydian.desk.desk import Desk
from lydian.desk.undo import Undo
from lydian.desk.workspaces import Workspace
from lydian.language import tr, trc

if TYPE_CHECKING:
    from lydian.desk.guide.pages import Place as GuidePlace

__all__ = ["Front", "QtWorkspace", "RunPlace", "Typing"]


class Front(QObject):
    """The part of the window that shows the workspace in front: its widget, its title, and its undo steps.

    Attributes:
        stack: the widgets of all workspaces.
    """

    def __init__(self, desk: Desk, stage: Stage, status: StatusLine, window: QMainWindow) -> None:
        super().__init__(window)
        self.desk, self.stage, self.status, self._window = desk, stage, status, window
        self.stack = QStackedWidget()
        self.stack.setObjectName("workspaces")

    def say_undo(self) -> None:
        """Label Undo and Redo with the steps of the workspace in front."""
        steps, commands = self.desk.workspaces.here.steps, self.desk.commands
        texts = ("", "") if steps is None else (steps.undo_text, steps.redo_text)
        labels = (tr("&Undo"), tr("Nothing to undo here")), (tr("&Redo"), tr("Nothing to redo here"))
        for name, (word, nothing), text in zip(("undo", "redo"), labels, texts, strict=True):
            commands.call(name, f"{word}: {text}" if text else word)
            commands.hinder(name, "nothing", "" if text else nothing)

    def say_title(self) -> None:
        """Set the window title to the contents in front, with a star if they differ from their file."""
        here = self.desk.workspaces.here
        self._window.setWindowTitle(f"{here.title}[*]")
        self._window.setWindowModified(here.modified)

    def say(self, sentence: str, problem: bool, button: str, act: object) -> None:
        """Show a notice, with a button if there is something to do."""
        if button and callable(act):
            self.desk.notices.show(sentence, problem=problem, button=button, act=act)
        else:
            self.desk.notices.say(sentence, problem)


class RunPlace(Workspace):
    """The workspace in which a run is watched."""

    name, word, about = "run", trc("workspace", "Run"), tr("Watch the run (Ctrl+Tab)")

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
    """A workspace of the window, whose widget is created on first use.

    Attributes:
        front: the part of the window that shows it.
        workspace: the widget, or ``None`` before the first use.
    """

    def __init__(self, front: Front) -> None:
        super().__init__(front)
        self.front, self.desk, self.stage = front, front.desk, front.stage
        self.workspace: Any = None

    def made(self) -> Any:
        """Return the widget, which is made at the first call."""
        raise NotImplementedError

    def bring(self, widget: QWidget, focus: QWidget | None = None) -> None:
        """Bring the widget to the front and pause the run."""
        self.desk.playhead.pause()
        self.front.stack.setCurrentWidget(widget)
        if focus is not None:
            focus.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def panes(self) -> list[QWidget]:
        """Return the parts that F6 moves through."""
        return [] if self.workspace is None else list(self.workspace.panes)

    def show_help(self, place: GuidePlace, follow: Callable[[str, str], object]) -> bool:
        """Show a page of the guide in this workspace; return False if it has no place for it."""
        show = getattr(self.workspace, "show_help", None)
        if show is None:
            return False
        show(place, follow)
        return True

    def close(self) -> None:
        """Keep unfinished work, and end everything under way."""
        if self.workspace is not None:
            self.workspace.close_all()


class Typing:
    """The history of a text that is typed."""

    def __init__(self, text: QTextDocument) -> None:
        self.undo_text = tr("typing") if text.isUndoAvailable() else ""
        self.redo_text = tr("typing") if text.isRedoAvailable() else ""
        self.undo, self.redo = text.undo, text.redo
