"""The command box in a window: what it contains, and the effect of each choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QAction, QPixmap
from PySide6.QtWidgets import QWidget

from lydian.app.archive import cache
from lydian.app.archive.background import gentle
from lydian.app.archive.pictures import Pictures
from lydian.app.panels.box.box import CommandBox
from lydian.app.panels.box.entries import Sources
from lydian.app.work.background import Background, Report
from lydian.desk import things
from lydian.desk.archivelist import ArchiveList
from lydian.desk.guide.pages import SEARCH
from lydian.desk.kept.sweeps import folders
from lydian.desk.things import Thing, Things
from lydian.model.archive.archive import EXAMPLE
from lydian.model.archive.catalogue import Reader

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.app.window.helping import Helping
    from lydian.app.window.offers import Offers
    from lydian.app.window.workspaces.workspaces import Workspaces
    from lydian.desk.desk import Desk

__all__ = ["Finder"]

#: The record of the settings with what was chosen last.
_RECORD = "command_box"
#: Offered to somebody who has chosen nothing yet.
SUGGESTED = (("experiment", EXAMPLE), ("experiment", "echo-crash"), ("lesson", "echo"))


class Finder(QObject):
    """The command that opens the command box.

    Attributes:
        box: the command box.
    """

    def __init__(
        self, desk: Desk, stage: Stage, actions: Mapping[str, QAction], rooms: Workspaces, offers: Offers,
        helping: Helping, lesson: Callable[[str], object], play: Callable[[str], object], parent: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.desk, self.stage, self.rooms, self.offers = desk, stage, rooms, offers
        self._shelf = ArchiveList(desk.shelf.archive)  # used in another thread
        self._reader = Reader(self._shelf.archive)
        self._place: Path | None = None
        self._wish: cache.Wish | None = None
        self._acts: dict[str, Callable[[Thing], object]] = {
            "protocol": lambda thing: self._example(thing.key),
            "experiment": lambda thing: self._example(thing.key),
            "lesson": lambda thing: lesson(thing.key),
            "assignment": lambda thing: rooms.assignment.open_copy(Path(thing.key)),
            "goal": lambda thing: play(thing.key),
            "network": self._run_on,
            "sweep": lambda thing: rooms.sweeps.open_file(Path(thing.key)),
            "page": lambda thing: helping.show(thing.place or SEARCH),
        }
        recent = [
            (str(each[0]), str(each[1]))
            for each in desk.settings.record(_RECORD).get("recent", [])
            if isinstance(each, list) and len(each) == 2
        ]
        self.sources = Sources(
            desk.playhead, actions, lambda thing: self._acts[thing.kind](thing), self._look,
            lambda: stage.show_view("step", True), recent=recent, suggested=SUGGESTED,
        )  # fmt: skip
        self.box = CommandBox(self.sources, stage.theme, parent)
        self.box.picture_wanted.connect(self._want_picture)
        self.box.chosen.connect(self._keep)
        self.box.closed.connect(self._closed)
        self.reading = Background(self)
        self.reading.done.connect(self._read)
        self.pictures = Pictures(self)
        self.pictures.made.connect(self._made)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"palette": self.open}

    def open(self, text: str = "") -> None:
        """Open the box with the given text in its field, and read what has changed in the archive."""
        sweeps = folders(self.desk.settings)

        def read(_report: Report) -> Things:
            with gentle():
                return things.read(self._shelf, self._reader, sweeps)

        self.reading.start(read)
        self.box.open(text)

    def _read(self, found: Things) -> None:
        fresh = found.all != self.sources.things.all
        self.sources.things = found
        if fresh and self.box.isVisible():
            self.box.refresh()

    def _keep(self) -> None:
        self.desk.settings.set_record(_RECORD, {"recent": [list(each) for each in self.sources.recent]})

    def _closed(self) -> None:
        self._wish = None
        self.pictures.forget()

    def close(self) -> None:
        """Stop reading and drawing."""
        self.reading.close()
        self.pictures.close()

    # ------------------------------------------------------------------ choices

    def _example(self, name: str, *, play: bool = True) -> None:
        if self.desk.workspaces.show("run"):
            self.offers.example(name, play=play)

    def _run_on(self, thing: Thing) -> None:
        if self.desk.workspaces.show("run"):
            self.offers.run_on(thing.key)

    def _look(self, thing: Thing) -> None:
        """Open a thing without running it."""
        if thing.kind == "protocol":
            self.rooms.archive.show_protocol(thing.key)
        elif thing.kind == "experiment":
            self._example(thing.key, play=False)
        else:
            path = self.desk.shelf.archive.find("networks", thing.key)
            self.rooms.network.drawn(lambda editor: editor.files.open(path))

    # ------------------------------------------------------------------ pictures

    def _want_picture(self, thing: Thing) -> None:
        """Show the picture of a thing, or have it drawn."""
        if thing.kind == "network":
            self._show_network(thing)
        elif thing.entry is not None and not thing.entry.problem and thing.kind in ("protocol", "experiment"):
            if self._place is None:
                self._place = cache.folder()
            shelves = self.desk.shelf.archive
            wish = self._wish = cache.wish_for(thing.entry, self.stage.theme.name, self._place, shelves, thing.trial)
            self._made(wish) if wish.picture.is_file() else self.pictures.want([wish])

    def _made(self, wish: cache.Wish) -> None:
        if wish == self._wish:
            self.box.preview.picture.show_picture(QPixmap(str(wish.picture)))

    def _show_network(self, thing: Thing) -> None:
        from lydian.app.network.pictures import network_picture

        network = self.desk.shelf.known_network(thing.key)
        if network is not None:
            ratio = self.box.devicePixelRatioF()
            picture = network_picture(network, self.stage.theme, QSize(400, 150), 2 * ratio)
            self.box.preview.picture.show_picture(picture)
