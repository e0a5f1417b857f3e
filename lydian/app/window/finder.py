"""The palette in a window: its place, and the effect of each choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QWidget

from lydian.app.look.icons import resources
from lydian.app.panels.palette import Page, Palette
from lydian.language import tr
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.app.window.findfield import FindField
    from lydian.desk.desk import Desk

__all__ = ["Finder"]


class Finder(QObject):
    """The command that opens the palette over the tool bar's field."""

    def __init__(
        self, desk: Desk, stage: Stage, field: FindField, actions: Mapping[str, QAction],
        lesson: Callable[[Path], object], parent: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.desk, self.stage, self._field, self._lesson = desk, stage, field, lesson
        folder = resources() / "guide"
        self.palette = Palette(desk.playhead, stage.theme, actions, folder, parent)
        self.palette.page_wanted.connect(self.open_page)
        self.palette.process_wanted.connect(lambda: stage.show_view("step", True))

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"palette": self.open}

    def open(self, text: str = "") -> None:
        """Open the palette with the given text in its field."""
        guide = [page for page in self.palette.pages if page.file.parent.name != "lessons"]
        self.palette.pages = [*guide, *self._lessons()]
        self.palette.open_over(self._field, text)

    def _lessons(self) -> list[Page]:
        """Return all lessons with their titles."""
        from lydian.model.lesson import lesson

        archive, found = self.desk.shelf.archive, []
        for name in lesson.lessons(archive):
            try:
                found.append(
                    Page(tr("Lesson: {lesson}", lesson=lesson.load(name, archive).title), lesson.find(name, archive))
                )
            except BadInput:
                continue  # the list of lessons reports the error
        return found

    def open_page(self, page: Page) -> None:
        """Show a page of the guide in the window, or in the desktop's viewer if the window has no help view."""
        if page.file.parent.name == "lessons":
            self._lesson(page.file)
            return
        stage = self.stage
        dock = stage.docks.get("help")
        show = getattr(dock.content, "open", None) if dock is not None else None
        if show is None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(page.file)))
            return
        from lydian.desk.guide.pages import Place, slug

        stage.show_view("help", True)
        show(Place(page.file.stem, slug(page.section) if page.section else ""))
