"""Runs and pictures of the archive: which are made next, which is shown, and opening what has no experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from lydian.app.archive.cache import Wish
from lydian.app.archive.cards import CardList
from lydian.app.archive.page import EntryPage
from lydian.app.archive.pictures import Pictures
from lydian.model.catalogue import Entry

__all__ = ["Runs"]


class Runs(QObject):
    """What stands between the cards, the page and the program that makes runs and pictures.

    Attributes:
        wishes: name of a protocol -> the files of its run and its picture.
    """

    #: The run of a small picture is to be made again and watched: its trace.
    wanted = Signal(object)
    #: Why something is not to be had, in a sentence.
    refused = Signal(str)

    def __init__(self, cards: CardList, page: EntryPage, parent: QObject) -> None:
        super().__init__(parent)
        self.cards, self.page = cards, page
        self.wishes: Mapping[str, Wish] = {}
        self.pictures = Pictures(self)
        self._opening = ""  # the protocol whose run is waited for, to be opened
        self.pictures.made.connect(self._made)
        self.pictures.failed.connect(self._not_made)
        page.thumbnail.shown.connect(self._shown)

    def want(self, entries: Sequence[Entry]) -> None:
        """Have what is seen made first, then the rest of the entries."""
        first = [] if self.page.entry is None else [self.page.entry]
        order = [*first, *self.cards.seen(), *entries]
        names = dict.fromkeys(each.name for each in order if each.name in self.wishes)
        self.pictures.want(self.wishes[name] for name in names)

    def show(self) -> None:
        """Let the run of the page play, or have it made."""
        wish = self._wish
        if wish is None:
            return
        if wish.run.is_file():
            self.page.thumbnail.load(wish.run)
        elif wish.picture in self.pictures.problems:
            self.page.thumbnail.say(_no_run(self.pictures.problems[wish.picture]))
        if not wish.there:
            self.pictures.want([wish])

    def open(self) -> None:
        """Watch the protocol of the page on the network of its small picture, as soon as there is one."""
        wish = self._wish
        if wish is None:
            return
        if wish.picture in self.pictures.problems:
            self.refused.emit(_no_run(self.pictures.problems[wish.picture]))
            return
        self._opening = wish.name
        if self.page.thumbnail.timeline is not None and self.page.thumbnail.file == wish.run:
            self._shown()
        else:
            self.show()

    @property
    def _wish(self) -> Wish | None:
        entry = self.page.entry
        return None if entry is None else self.wishes.get(entry.name)

    def _shown(self) -> None:
        """A run is read: open it if that was asked for."""
        wish, timeline = self._wish, self.page.thumbnail.timeline
        if wish is not None and timeline is not None and wish.name == self._opening:
            self._opening = ""
            self.wanted.emit(timeline.trace)

    def _made(self, wish: Wish) -> None:
        self.cards.picture_is_there(wish.name, wish.picture)
        if self._wish == wish:
            self.show()

    def _not_made(self, wish: Wish, why: str) -> None:
        if self._wish == wish:
            self.page.thumbnail.say(_no_run(why))
        if self._opening == wish.name:
            self._opening = ""
            self.refused.emit(_no_run(why))


def _no_run(why: str) -> str:
    return f"There is no run to show: {why}" + ("" if why.endswith((".", "?")) else ".")
