"""Help in the window: F1 for what has the focus, What's this, the pages, and the links that do something here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWhatsThis, QWidget

from lydian.app.panels.dock import Dock
from lydian.app.panels.help.guidetext import PAGES, Place, about, guide, place_of, places
from lydian.app.panels.help.help import HelpColumn, HelpPanel
from lydian.app.window.workspaces import place as workspace_places

if TYPE_CHECKING:
    from lydian.app.panels.start import StartRow
    from lydian.app.panels.timeline.bottom import BottomBar
    from lydian.app.stage.stage import Stage
    from lydian.app.window.offers import Offers
    from lydian.app.window.workspaces.workspaces import Workspaces
    from lydian.desk.desk import Desk

__all__ = ["Helping", "missing_pages"]

#: Width in pixels from which on a page can be read with pleasure.
READABLE = 420
#: In a narrower window the help takes the place of the building panel beside a drawing.
ROOMY = 1500


def missing_pages() -> set[str]:
    """The commands for pages of the guide that do not exist here."""
    return {f"help_{page}" for page in PAGES if not (guide() / f"{page}.md").is_file()}


class Helping:
    """What the commands of the Help menu do."""

    def __init__(
        self, desk: Desk, stage: Stage, bottom: BottomBar, start: StartRow, rooms: Workspaces, offers: Offers,
        actions: Mapping[str, QAction], lesson: Callable[[str], object],
    ) -> None:  # fmt: skip
        self.desk, self.stage, self.bottom, self.start = desk, stage, bottom, start
        self.rooms, self.offers, self._actions, self._lesson = rooms, offers, actions, lesson
        self.column: HelpColumn | None = None  # beside the drawing; made when it is first wanted
        stage.add_dock(
            "help", "Help", "book", lambda: self.panel, "The guide. Links in it run examples in this window.",
            beside="checks", how="tab",
        )  # fmt: skip
        for name, dock in stage.docks.items():
            self._explain(name, dock)
        for name, part in (
            ("scrubber", bottom.scrubber), ("transport", bottom.transport), ("narration", bottom.narration),
        ):  # fmt: skip
            part.setWhatsThis(about(name))

    @cached_property
    def panel(self) -> HelpPanel:
        """The guide in its dock."""
        panel = HelpPanel(self.stage.theme)
        panel.page.asked.connect(self.do)
        return panel

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Name of the command -> what it does; pages that do not exist have none."""
        table: dict[str, Callable[..., object]] = {"help": self.here, "whats_this": QWhatsThis.enterWhatsThisMode}
        absent = missing_pages()
        for page in PAGES:
            if f"help_{page}" not in absent:
                table[f"help_{page}"] = partial(self.show, Place(page))
        return table

    def _explain(self, name: str, dock: Dock) -> None:
        words = about(name)
        if not words:
            return
        dock.explain(words)
        dock.add_gap()
        tell = dock.menu.addAction("What am I looking at?")
        tell.triggered.connect(lambda: self.tell(name))
        dock.add_to_menu(tell)

    # ------------------------------------------------------------------ what is asked

    def tell(self, name: str) -> None:
        """Say in two sentences what a dock shows, at its bar."""
        dock = self.stage.docks[name]
        QWhatsThis.showText(dock.mapToGlobal(QPoint(24, 36)), about(name), dock)

    def here(self) -> None:
        """The page and section on what has the focus."""
        self.show(place_of(self.focused()))

    def focused(self) -> str:
        """What the guide calls the thing under focus: a dock, or a part at the bottom; nothing if it knows none."""
        widget: QWidget | None = QApplication.focusWidget()
        bottom, known = self.bottom, places()
        parts: dict[QWidget, str] = {
            bottom.scrubber: "scrubber", bottom.transport: "transport", bottom.narration: "narration",
            self.start: "start",
        }  # fmt: skip
        while widget is not None:
            if isinstance(widget, Dock):
                return widget.name
            if widget in parts:
                return parts[widget]
            if widget.objectName() in known:
                return widget.objectName()
            widget = widget.parentWidget()
        return {"network": "editor", "protocol": "protocol", "sweep": "sweep", "archive": "archive"}.get(
            self.desk.workspaces.current, ""
        )

    def show(self, place: Place) -> None:
        """A page of the guide from a section on, beside the views, the drawing or the code."""
        if self.desk.workspaces.current == "network":
            self._show_beside(place)
            return
        here = self.desk.workspaces.here
        if isinstance(here, workspace_places.QtWorkspace) and here.show_help(place, self.do):
            return
        stage, before = self.stage, QApplication.focusWidget()
        fresh = stage.docks["help"].isHidden()
        stage.show_view("help", True)
        if fresh:
            self._widen()
        self.panel.open(place)
        if before is not None and before.visibleRegion().isEmpty():  # the page lies over it: keys are for the page
            self.panel.page.setFocus()

    def _show_beside(self, place: Place) -> None:
        """A page beside the drawing, at its right."""
        splitter = self.rooms.network.made().splitter
        column = self.column
        fresh = column is None or column.isHidden()
        if column is None:
            column = self.column = HelpColumn(self.stage.theme)
            column.panel.page.asked.connect(self.do)
            column.closed.connect(self._closed_beside)
            splitter.addWidget(column)
        if fresh:
            narrow = splitter.width() < ROOMY
            self._show_building(not narrow)
            column.show()
            build, board, properties, page = splitter.sizes()
            room = build + board + properties + page
            build, page = 0 if narrow else build, min(READABLE, room // 3)
            splitter.setSizes([build, room - build - properties - page, properties, page])
        column.panel.open(place)

    def _closed_beside(self) -> None:
        self._show_building(True)
        self.rooms.network.made().canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_building(self, on: bool) -> None:
        """Show or hide the leftmost column of the drawing."""
        column = self.rooms.network.made().splitter.widget(0)
        if column is not None:
            column.setVisible(on)

    def _widen(self) -> None:
        """Give the page room to be read where it stands in a narrow column with something below it."""
        stage, dock = self.stage, self.stage.docks["help"]
        below = stage.docks["checks"]
        if dock.isFloating() or stage.maximised:
            return
        if dock.width() < READABLE:
            stage.resizeDocks([dock], [READABLE], Qt.Orientation.Horizontal)
        if below.isVisible() and below.x() == dock.x() and below.y() > dock.y():
            whole = dock.height() + below.height()
            stage.resizeDocks([dock, below], [round(whole * 0.7), round(whole * 0.3)], Qt.Orientation.Vertical)

    def do(self, verb: str, what: str) -> None:
        """What a link of the program's own says: ``run`` or ``open`` an example, show a ``view``, ``do`` a command."""
        desk = self.desk
        if verb in ("run", "open", "view", "lesson") and not desk.workspaces.show("run"):
            return  # what is drawn cannot be run, and it was said why
        if verb in ("run", "open"):
            self.offers.example(what, play=verb == "run")
        elif verb == "lesson":
            self._lesson(what)
        elif verb == "view" and what in self.stage.docks:
            self.stage.show_view(what, True)
        elif verb == "try":
            self.rooms.protocols.try_example(what)
        elif verb == "do" and what in self._actions and self._actions[what].isEnabled():
            self._actions[what].trigger()
        else:
            desk.notices.say(f"The guide has a link that this window cannot follow: lydian:{verb}/{what}")
