"""The palette in a window: where it opens, and what comes of what is chosen there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from lydian.app.look.icons import resources
from lydian.app.panels.palette import Page, Palette
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.app.window.mainwindow import MainWindow

__all__ = ["Finder", "finder"]


def finder(window: MainWindow) -> Finder:
    """The finder of a window, made when it is first asked for."""
    found = window.findChild(Finder)
    return Finder(window) if found is None else found


class Finder(QObject):
    """Opens the palette over the tool bar's field."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        folder = resources() / "guide"
        self.palette = Palette(window.playhead, window.theme, window.actions_by_name, folder, window)
        self.palette.page_wanted.connect(self.open_page)
        self.palette.process_wanted.connect(lambda: window.stage.show_view("step", True))

    def open(self, text: str = "") -> None:
        """Open the palette with a text in its field."""
        guide = [page for page in self.palette.pages if page.file.parent.name != "lessons"]
        self.palette.pages = [*guide, *self._lessons()]
        if self.palette.theme != self.window.theme:
            self.palette.set_theme(self.window.theme)
        self.palette.open_over(self.window.toolbar.find_field, text)

    def _lessons(self) -> list[Page]:
        """All lessons, by their titles."""
        from lydian.model import lesson

        archive, found = self.window.shelf.archive, []
        for name in lesson.lessons(archive):
            try:
                found.append(Page(f"Lesson: {lesson.load(name, archive).title}", lesson.find(name, archive)))
            except BadInput:
                continue  # the list of lessons says what is wrong with it
        return found

    def open_page(self, page: Page) -> None:
        """Show a page of the guide in the window, or with the desktop's own program where there is no such view."""
        if page.file.parent.name == "lessons":
            self.window.open_lesson(page.file)
            return
        stage = self.window.stage
        dock = stage.docks.get("help")
        show = getattr(dock.content, "open", None) if dock is not None else None
        if show is None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(page.file)))
            return
        from lydian.app.panels.guidetext import Place, slug

        stage.show_view("help", True)
        show(Place(page.file.stem, slug(page.section) if page.section else ""))
