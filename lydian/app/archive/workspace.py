"""The workspace Archive: the search on the left, the cards, and the page of the current one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSplitter, QWidget

from lydian.app.archive import cache
from lydian.app.archive.background import gentle
from lydian.app.archive.cache import Wish
from lydian.app.archive.cards import CardList
from lydian.app.archive.filters import Filters
from lydian.app.archive.page import EntryPage
from lydian.app.archive.pictures import Pictures
from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_look, stretched
from lydian.app.look.theme import Theme
from lydian.app.panels.help.help import HelpColumn
from lydian.app.work.background import Background, Report
from lydian.desk.archivelist import ArchiveList
from lydian.desk.guide.pages import Place
from lydian.language import tr
from lydian.model.archive.catalogue import Catalogue, Entry, Reader
from lydian.model.archive.search import search

__all__ = ["ArchiveWorkspace"]


class Runs(QObject):
    """The connection of the cards and the page with the program that makes runs and pictures.

    Attributes:
        wishes: name of a protocol -> the files of its run and its picture.
    """

    #: Emitted with the trace of a small picture whose run is to be repeated and watched.
    wanted = Signal(object)
    #: Emitted with a sentence on why a run is not available.
    refused = Signal(str)

    def __init__(self, cards: CardList, page: EntryPage, parent: QObject) -> None:
        super().__init__(parent)
        self.cards, self.page = cards, page
        self.wishes: Mapping[str, Wish] = {}
        self.pictures = Pictures(self)
        self._opening = ""  # the protocol whose run is to be opened when it is ready
        self.pictures.made.connect(self._made)
        self.pictures.failed.connect(self._not_made)
        page.thumbnail.shown.connect(self._shown)

    def want(self, entries: Sequence[Entry]) -> None:
        """Make the pictures in view first, then those of the other entries."""
        first = [] if self.page.entry is None else [self.page.entry]
        order = [*first, *self.cards.seen(), *entries]
        names = dict.fromkeys(each.name for each in order if each.name in self.wishes)
        self.pictures.want(self.wishes[name] for name in names)

    def show(self) -> None:
        """Play the run of the page, or request it."""
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
        """Watch the protocol of the page on the network of its small picture, as soon as that exists."""
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
        """Open a run that has been read, if that was requested."""
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
    return tr("No run is available: {reason}", reason=why if why.endswith((".", "?")) else f"{why}.")


#: The initial widths of the three columns; the middle one has two columns of cards.
LEFT, MIDDLE, RIGHT = 218, 410, 640
#: The least width in pixels at which a page of the guide is readable.
READABLE = 420


@dataclass(frozen=True)
class _Found:
    """The result of reading: the catalogue, the files that belong to it, and the pictures that exist already."""

    catalogue: Catalogue
    wishes: dict[str, Wish]
    pictures: dict[str, Path]


class ArchiveWorkspace(QWidget):
    """The workspace for choosing a protocol.

    Attributes:
        catalogue: the catalogue as last read.
        filters, cards, page: the three columns.
        runs: makes runs and pictures in the background.
    """

    #: Emitted with a sentence, whether it is a problem, the text of a button, and its action (``None``: no button).
    said = Signal(str, bool, str, object)
    #: Emitted with the name of an experiment from the archive to run and watch.
    experiment_wanted = Signal(str)
    #: Emitted with the trace of the running picture, whose run is to be repeated and watched.
    run_wanted = Signal(object)
    #: Emitted with the file of a protocol to copy for the user, or to open if it is the user's own.
    copy_wanted = Signal(object)
    #: Emitted with the file of a protocol and a line of it to show.
    line_wanted = Signal(object, int)
    #: Emitted with the verb and the object of a link of the guide.
    asked = Signal(str, str)
    #: Emitted to return to the previous workspace.
    left = Signal()

    def __init__(self, shelf: ArchiveList, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("archive")
        self.setAccessibleName(tr("Archive"))
        self.shelf, self.theme = shelf, theme
        self.catalogue = Catalogue()
        self.place: Path | None = None
        self.help: HelpColumn | None = None
        self._reader = Reader(shelf.archive)
        self.reading = Background(self)
        self.filters, self.cards, self.page = Filters(theme), CardList(theme), EntryPage(theme)
        self.runs = Runs(self.cards, self.page, self)
        self.empty, self.all_button = QLabel(), QPushButton(tr("Show all"))
        self._build()
        self._connect()
        set_look(self.filters, theme, min_width=stretched(180))
        set_look(self.page, theme, min_width=stretched(480))
        self._looked = ""  # the name of the theme of the current pictures
        self.set_theme(theme)

    def _build(self) -> None:
        self.empty.setObjectName("explained")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        middle = QFrame()
        middle.setObjectName("archiveMiddle")
        self.nothing = QWidget()
        down(
            ..., self.empty, (self.all_button, Qt.AlignmentFlag.AlignHCenter), (..., 2),
            on=self.nothing, margins=24,
        )  # fmt: skip
        down((self.cards, 1), (self.nothing, 1), on=middle, margins=1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(5)
        for part, share in ((self.filters, 0), (middle, 2), (self.page, 3)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, share)
        self.splitter.setSizes([LEFT, MIDDLE, RIGHT])
        down(self.splitter, on=self)
        self._say_nothing(tr("Reading the archive…"))

    def _connect(self) -> None:
        self.filters.changed.connect(self.look)
        self.filters.field.left.connect(self.to_cards)
        self.cards.marked.connect(self._marked)
        self.cards.opened.connect(self.open)
        self.cards.verticalScrollBar().valueChanged.connect(lambda _value: self._want_seen())
        self.all_button.clicked.connect(self.filters.clear)
        self.page.wanted.connect(self._do)
        self.page.experiment_wanted.connect(self.experiment_wanted)
        self.page.need_wanted.connect(self.filters.choose_need)
        self.page.asked.connect(self.asked)
        self.page.line_wanted.connect(self._line)
        self.page.said.connect(self._tell)
        self.reading.done.connect(self._read)
        self.reading.failed.connect(self._tell)
        self.runs.wanted.connect(self.run_wanted)
        self.runs.refused.connect(self._tell)

    # ------------------------------------------------------------------ contents

    def sync(self) -> None:
        """Read the files that have changed, in the background."""
        reader, look, shelves = self._reader, self.theme.name, self.shelf.archive

        def read(_report: Report) -> tuple[_Found, Path]:
            place = self.place if self.place is not None else cache.folder()
            with gentle():
                catalogue = reader.read()
                good = (entry for entry in catalogue.entries if not entry.problem)
                wishes = {entry.name: cache.wish_for(entry, look, place, shelves) for entry in good}
            cache.keep_used(wishes.values())
            cache.prune(place)
            there = {name: wish.picture for name, wish in wishes.items() if wish.picture.is_file()}
            return _Found(catalogue, wishes, there), place

        self.reading.start(read)

    def _read(self, answer: tuple[_Found, Path]) -> None:
        found, self.place = answer
        self.runs.wishes = found.wishes
        old = {n: file for n, file in self.cards.pictures.items() if n in found.wishes}
        came = {n: file for n, file in old.items() if found.wishes[n].picture == file}  # since the last check
        self.cards.pictures = {**found.pictures, **came}
        if found.catalogue != self.catalogue:
            self.catalogue = found.catalogue
            self.filters.fill(found.catalogue)
            self.look()
        else:
            self.cards.viewport().update()
            self._want_seen()
        self.runs.show()

    def look(self) -> None:
        """Show the results of the search."""
        wanted = self.filters.wanted
        found = search(self.catalogue, wanted)
        self.filters.say_found(len(found), len(self.catalogue.entries))
        marked = self.cards.entry
        keep = marked.name if marked is not None else self.page.entry.name if self.page.entry is not None else ""
        self.cards.setVisible(bool(found))
        self.nothing.setVisible(not found)
        if not found:
            typed = self.filters.field.text().strip()
            if not self.catalogue.entries:
                words = tr("The archive has no protocols.")
            elif not typed:
                words = tr("No protocol meets all these conditions.")
            elif self.filters.needed or self.filters.family:
                words = tr("No protocol matches “{typed}” and the other conditions on the left.", typed=typed)
            else:
                words = tr("No protocol matches “{typed}”.", typed=typed)
            self._say_nothing(words)
        best = wanted.words and found and keep not in [entry.name for entry in found[:8]]
        self.cards.fill(found, "" if best else keep)
        self._want_seen()

    def _say_nothing(self, words: str) -> None:
        self.empty.setText(words)
        self.cards.hide()
        self.nothing.show()
        self.all_button.setVisible(bool(self.catalogue.entries))

    def _marked(self, entry: Entry | None) -> None:
        if entry is None and not self.cards.cards.entries and self.page.entry is not None and self.catalogue.entries:
            return  # The page stays while the search has no result.
        self.page.show_entry(entry, None if entry is None else self.catalogue.family(entry.family))
        self.runs.show()

    def _want_seen(self) -> None:
        if self.isVisible():
            self.runs.want(self.catalogue.entries)

    # ------------------------------------------------------------------ commands

    def open(self) -> None:
        """Run the first experiment of the protocol, or the protocol on a suitable network, and watch it."""
        entry = self.page.entry
        if entry is None:
            return
        trial = entry.first or next(iter(entry.experiments), None)
        if entry.problem:
            self._tell(entry.problem, True)
        elif trial is not None:
            self.experiment_wanted.emit(trial.name)
        else:
            self.runs.open()

    def _tell(self, words: str, problem: bool = True) -> None:
        self.said.emit(words, problem, "", None)

    def _do(self, what: str) -> None:
        entry = self.page.entry
        if entry is None:
            return
        if what == "open":
            self.open()
        elif what == "copy":
            self.copy_wanted.emit(entry.path)
        elif what == "play":
            self.asked.emit("play", entry.name)
        elif what == "lesson" and entry.lesson is not None:
            self.asked.emit("lesson", str(entry.lesson))

    def _line(self, line: int) -> None:
        if self.page.entry is not None and line:
            self.line_wanted.emit(self.page.entry.path, line)

    def show_protocol(self, name: str) -> bool:
        """Select a protocol, whatever the search is; return False if there is none of this name."""
        if not self.cards.mark(name):
            self.filters.clear()
        return self.cards.mark(name)

    # ------------------------------------------------------------------ help beside the cards

    def show_help(self, place: Place, follow: Callable[[str, str], object]) -> None:
        """Show a page of the guide on the right; ``follow`` handles its links."""
        self._help_column(follow).panel.open(place)

    def show_file(self, file: Path) -> None:
        """Show a lesson on the right."""
        self._help_column(self.asked.emit).panel.page.go(file)

    def _help_column(self, follow: Callable[[str, str], object]) -> HelpColumn:
        column = self.help
        if column is None:
            column = self.help = HelpColumn(self.theme)
            column.panel.page.asked.connect(follow)
            column.closed.connect(self.to_cards)
            self.splitter.addWidget(column)
            column.hide()
        if column.isHidden():
            left, middle, right, *_rest = self.splitter.sizes()
            column.show()
            wide = min(READABLE, (left + middle + right) // 3)
            narrow = max(middle - wide, self.theme.stretched(200))
            self.splitter.setSizes([left, narrow, middle + right - wide - narrow, wide])
        return column

    # ------------------------------------------------------------------ keys, look, end

    def to_cards(self) -> None:
        """Move the focus to the cards."""
        self.cards.setFocus(Qt.FocusReason.OtherFocusReason)

    def to_field(self) -> None:
        """Move the focus to the search field."""
        self.filters.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters.field.selectAll()

    def event(self, event: QEvent) -> bool:
        """Handle Esc before the window does."""
        asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if asked and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        find = event.key() == Qt.Key.Key_F and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.text() == "/" or find:
            self.to_field()
        elif event.key() == Qt.Key.Key_Escape:
            self.back()
        else:
            super().keyPressEvent(event)

    def back(self) -> None:
        """Go from a page to the cards, from a search to all cards, and from there to the previous workspace."""
        focus = self.focusWidget()
        in_page = focus is not None and self.page.isAncestorOf(focus) and self.cards.isVisible()
        if in_page or self.filters.clear():
            self.to_cards()
        else:
            self.left.emit()

    @property
    def panes(self) -> list[QWidget]:
        """The parts that F6 goes through."""
        shown = [] if self.help is None or self.help.isHidden() else [self.help]
        return [self.filters, self.cards, self.page, *shown]

    def set_theme(self, theme: Theme) -> None:
        if theme.name != self._looked and self.place is not None:
            self.sync()
        self._looked = theme.name

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._want_seen()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.runs.pictures.forget()

    def close_all(self) -> None:
        """Stop all threads and the drawing program."""
        self.reading.close()
        self.runs.pictures.close()
        self.page.close_all()
