"""Help in the window: F1 for the focused part, What's this, the pages of the guide, and their links into LYDIAN."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWhatsThis, QWidget

from lydian.app.kit.terms import term_of
from lydian.app.panels.dock import Dock
from lydian.app.panels.help.guidetext import about, place_of, places
from lydian.app.panels.help.help import HelpColumn, HelpPanel
from lydian.app.window.workspaces import place as workspace_places
from lydian.desk.guide.glossary import place_of_term
from lydian.desk.guide.pages import PAGES, SEARCH, Place, guide
from lydian.language import tr

if TYPE_CHECKING:
    from lydian.app.panels.start import StartRow
    from lydian.app.panels.timeline.bottom import BottomBar
    from lydian.app.stage.stage import Stage
    from lydian.app.window.offers import Offers
    from lydian.app.window.workspaces.workspaces import Workspaces
    from lydian.desk.desk import Desk

__all__ = ["Helping", "missing_pages"]

#: The width in pixels at which a page is easy to read.
READABLE = 420
#: In a narrower window, the help replaces the building panel beside the drawing.
ROOMY = 1500


def missing_pages() -> set[str]:
    """Return the commands for pages of the guide that do not exist in this installation."""
    return {f"help_{page}" for page in PAGES if not (guide() / f"{page}.md").is_file()}


class Helping:
    """The commands of the Help menu."""

    def __init__(
        self, desk: Desk, stage: Stage, bottom: BottomBar, start: StartRow, rooms: Workspaces, offers: Offers,
        actions: Mapping[str, QAction], lesson: Callable[[str], object], play: Callable[[str], object],
    ) -> None:  # fmt: skip
        self.desk, self.stage, self.bottom, self.start = desk, stage, bottom, start
        self.rooms, self.offers, self._actions, self._lesson = rooms, offers, actions, lesson
        self._play = play
        self.column: HelpColumn | None = None  # beside the drawing; created on first use
        stage.add_dock(
            "help", tr("Help"), "book", lambda: self.panel, tr("The guide. Its links run examples in this window."),
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
        """The panel of the guide, created on first use."""
        panel = HelpPanel(self.stage.theme)
        panel.page.asked.connect(self.do)
        return panel

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name, except those for missing pages."""
        table: dict[str, Callable[..., object]] = {"help": self.here, "whats_this": QWhatsThis.enterWhatsThisMode}
        table["help_search"] = partial(self.show, SEARCH)
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
        tell = dock.menu.addAction(tr("What am I looking at?"))
        tell.triggered.connect(lambda: self.tell(name))
        dock.add_to_menu(tell)

    # ------------------------------------------------------------------ questions

    def tell(self, name: str) -> None:
        """Explain in two sentences, at the title bar of a dock, what the dock shows."""
        dock = self.stage.docks[name]
        QWhatsThis.showText(dock.mapToGlobal(QPoint(24, 36)), about(name), dock)

    def here(self) -> None:
        """Show the glossary at the term that the focused part names, or the page and section on this part."""
        widget: QWidget | None = QApplication.focusWidget()
        while widget is not None and not isinstance(widget, Dock):
            term = term_of(widget)
            if term:
                self.show(place_of_term(term))
                return
            widget = widget.parentWidget()
        self.show(place_of(self.focused()))

    def focused(self) -> str:
        """Return the guide's name of the focused part, a dock or a part at the bottom, or "" if it has none."""
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
        """Show a page of the guide, at a section, beside the views, the drawing or the code."""
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
        covered = before is not None and before.visibleRegion().isEmpty()
        if covered and place != SEARCH:  # keys go to the page
            self.panel.page.setFocus()

    def _show_beside(self, place: Place) -> None:
        """Show a page to the right of the drawing."""
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
        """Enlarge the dock so that the page can be read, even in a narrow column with another dock below."""
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
        """Follow a ``lydian:`` link: ``run`` or ``open`` an example, show a ``view``, ``do`` a command."""
        desk = self.desk
        if verb in ("run", "open", "view", "lesson", "play") and not desk.workspaces.show("run"):
            return  # the drawing cannot be run; the reason has been reported
        if verb in ("run", "open"):
            self.offers.example(what, play=verb == "run")
        elif verb == "lesson":
            self._lesson(what)
        elif verb == "play":
            self._play(what)
        elif verb == "view" and what in self.stage.docks:
            self.stage.show_view(what, True)
        elif verb == "try":
            self.rooms.protocols.try_example(what)
        elif verb == "do" and what in self._actions and self._actions[what].isEnabled():
            self._actions[what].trigger()
        else:
            desk.notices.say(
                tr("This window cannot follow the link {link} of the guide.", link=f"lydian:{verb}/{what}")
            )
