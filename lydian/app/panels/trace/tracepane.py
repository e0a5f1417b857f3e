"""The text trace with a field above it that filters the events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QToolButton, QWidget

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.panels.trace.filterfield import FilterField
from lydian.app.panels.trace.tracelist import CLOCKS, TraceList
from lydian.desk.playhead import Playhead
from lydian.language import tr, trn
from lydian.trace.events import KINDS
from lydian.views.selection import Hit
from lydian.views.words.conditions import quoted
from lydian.views.words.filter import Filter, FilterError, parse
from lydian.views.words.suggest import Suggestion, suggestions
from lydian.views.words.words import plural

__all__ = ["AT_ONCE", "FilterField", "TracePane"]

#: The number of events up to which a filter that searches sentences is applied while typing; above it, Return applies
#: it.
AT_ONCE = 20_000


class TracePane(QWidget):
    """The field, a sentence about an error in it or about an empty result, and the list.

    Attributes:
        filter: the last valid filter, ``None`` for all events.
        matches: the matching events, by rising number; ``None`` for all.
    """

    #: The number of listed events, in words.
    titled = Signal(str)
    #: The listed events are to be saved as text.
    save_wanted = Signal()

    def __init__(self, playhead: Playhead, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playhead, self.theme = playhead, theme
        self.filter: Filter | None = None
        self.matches: NDArray[np.int64] | None = None
        self.list = TraceList(playhead, theme)
        self.field = FilterField()
        self.field.setObjectName("traceFilter")
        self.field.setAccessibleName(tr("Filter of the events"))
        self.field.setPlaceholderText(tr("Filter: p=5 and message=Ack, t>3, lost"))
        self.field.setToolTip(
            tr(
                "Words, or p= peer= kind= message= state= and t lamport seq chain round bits with = != < >,"
                " a span 3..5; and, or, not, ( )"
            )
        )
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda _text: self._read())
        self.field.returnPressed.connect(self._entered)
        self.field.offers = self._offers
        self.place = set_up(QLabel(), look="hint", name=tr("The position of the current event among the matches"))
        self.back = self._button(tr("The previous match (Shift+F3)"), lambda: self.step(-1))
        self.on = self._button(tr("The next match (F3)"), lambda: self.step(1))
        self.more = self._button(tr("More for the text trace"), None)
        self.menu = QMenu(self)
        self.more.setMenu(self.menu)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._fill_menu()
        self.sentence = set_up(QLabel(), look="problem", wraps=True)
        self.clear = set_up(QToolButton(), name=tr("Clear the filter"), tip=tr("List all events again"))
        self.clear.setText(tr("Clear"))
        self.clear.clicked.connect(self.field.clear)
        top = QFrame()
        down(
            across((self.field, 1), self.place, self.back, self.on, self.more, spacing=3),
            across((self.sentence, 1), self.clear), on=top, margins=(8, 6, 8, 6), spacing=4,
        )  # fmt: skip
        down(top, (self.list, 1), on=self, spacing=0)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self._unsubscribe = playhead.changed.connect(self._moved)
        self.destroyed.connect(self._unsubscribe)
        self._say("")
        self._count()
        set_look(self.field, theme, font="small mono")
        for part in (self.sentence, self.clear, self.place):
            set_look(part, theme, font="small")
        for button, name in ((self.back, "chevron-up"), (self.on, "chevron-down"), (self.more, "more")):
            set_look(button, theme, icon=name, ink="text.secondary", square=stretched(26), icon_size=stretched(15))

    def _button(self, words: str, act: Callable[[], object] | None) -> QToolButton:
        button = set_up(QToolButton(), name=words.partition(" (")[0], tip=words)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if act is not None:
            button.clicked.connect(lambda: act())
        return button

    def _fill_menu(self) -> None:
        """Fill the menu of the list."""
        copy = self.menu.addAction(tr("Copy the selected lines"), lambda: self.list.copy())
        copy.setShortcut("Ctrl+C")
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # the list itself handles the key
        self.menu.addAction(tr("Copy all listed lines"), lambda: self.list.copy(everything=True))
        self.menu.addAction(tr("Save listed lines as text…"), self.save_wanted.emit)
        self.menu.setToolTipsVisible(True)
        self.menu.addSeparator()
        group = QActionGroup(self)
        self.clocks: dict[str, QAction] = {}
        for clock, words in (("time", tr("Time first")), ("lamport", tr("Lamport time first"))):
            action = self.clocks[clock] = self.menu.addAction(words)
            action.setToolTip(CLOCKS[clock]())
            action.setCheckable(True)
            action.setChecked(clock == self.list.clock)
            action.triggered.connect(lambda _on, clock=clock: self.list.show_clock(clock))
            group.addAction(action)

    def load(self) -> None:
        """Show the play head's run, filtered by the text in the field."""
        self.filter = self.matches = None
        self._read(anew=True)

    # ------------------------------------------------------------------ the filter

    def _read(self, *, now: bool = False, anew: bool = False) -> None:
        """Apply the filter; if it is invalid, show the error and keep the last valid one."""
        head, text = self.playhead, self.field.text()
        timeline = head.timeline
        self._say("")
        self.field.underline(0, 0, self.theme)
        wanted: Filter | None = None
        if text.strip() and timeline is not None:
            try:
                wanted = parse(text, timeline, head.animation)
            except FilterError as error:
                self.field.underline(error.start, min(error.end, len(text)), self.theme)
                self._say(error.remark)
                if anew:
                    self._list(None, None)
                return
            if wanted.reads and timeline.length > AT_ONCE and not now:
                words = trn(
                    "Press Return to search the {count:,} sentence.",
                    "Press Return to search the {count:,} sentences.",
                    timeline.length,
                )
                self._say(words, problem=False)
                if anew:
                    self._list(None, None)
                return
        if timeline is None or wanted is None:
            self._list(None, None)
        elif anew or wanted != self.filter:
            found = np.flatnonzero(wanted.select(timeline, head.animation))
            self._list(wanted, found)
        if self.matches is not None and not len(self.matches):
            self._say(tr("No event matches {filter}.", filter=text.strip()), clear=True, problem=False)
        self._count()

    def _list(self, wanted: Filter | None, matches: NDArray[np.int64] | None) -> None:
        self.filter, self.matches = wanted, matches
        self.list.load(matches)
        timeline = self.playhead.timeline
        whole = 0 if timeline is None else timeline.length
        self.titled.emit(
            plural(whole, "event")
            if matches is None
            else trn("{matches:,} of {count:,} event", "{matches:,} of {count:,} events", whole, matches=len(matches))
        )

    def _offers(self, text: str, cursor: int) -> list[Suggestion]:
        timeline = self.playhead.timeline
        return [] if timeline is None else suggestions(text, cursor, timeline, self.playhead.animation)

    def _moved(self, what: str) -> None:
        if what in ("time", "selection"):
            self._count()

    def _count(self) -> None:
        """Show the position among the matches: ``3 of 17``."""
        found = self.matches is not None and len(self.matches) > 0
        for part in (self.place, self.back, self.on):
            part.setVisible(self.matches is not None and bool(self.field.text().strip()))
        for button in (self.back, self.on):
            button.setEnabled(found)
        if self.matches is None:
            return
        event = self._current()
        at = int(np.searchsorted(self.matches, event, side="right"))
        exact = 0 < at <= len(self.matches) and int(self.matches[at - 1]) == event
        count = len(self.matches)
        self.place.setText(tr("{number:,} of {count:,}", number=at, count=count) if exact else plural(count, "match"))

    def _current(self) -> int:
        """Return the selected event if it happens now, else the latest event."""
        head = self.playhead
        chosen, timeline = head.selection.event, head.timeline
        if chosen is None or timeline is None or chosen >= timeline.length:
            return head.position - 1
        if float(timeline.time[chosen]) == head.t:
            return chosen
        return head.position - 1

    def _say(self, words: str, *, clear: bool = False, problem: bool = True) -> None:
        mark(self.sentence, "problem" if problem else "explained")
        self.sentence.setText(words)
        self.sentence.setVisible(bool(words))
        self.clear.setVisible(clear)

    def _entered(self) -> None:
        self._read(now=True)
        if self.matches is not None:
            self.step(1)

    def step(self, direction: int) -> str:
        """Go to the next or previous matching event and select it; return a sentence if there is none."""
        head, timeline = self.playhead, self.playhead.timeline
        if timeline is None or self.matches is None:
            return tr("There is no filter above the text trace.")
        head.pause()
        chosen = head.selection.event
        if chosen is not None and float(timeline.time[chosen]) == head.t:
            side = "right" if direction > 0 else "left"
            at = int(np.searchsorted(self.matches, chosen, side=side))  # type: ignore[call-overload]
        else:
            at = int(np.searchsorted(self.matches, head.position))
            if direction < 0:
                at = int(np.searchsorted(timeline.time[self.matches], head.t))
        at = at if direction > 0 else at - 1
        if not 0 <= at < len(self.matches):
            if direction > 0:
                return tr("No event after this one matches {filter}.", filter=self.filter)
            return tr("No event before this one matches {filter}.", filter=self.filter)
        event = int(self.matches[at])
        head.seek(float(timeline.time[event]))
        head.pick(Hit("event", event))
        return ""

    # ------------------------------------------------------------------ the listed events

    def write_text(self, path: Path) -> None:
        """Save the listed events, one on each line; a failure leaves no partial file."""
        from lydian.model.reading import write_text

        write_text(path, "".join(f"{text}\n" for text in self.list.lines()))

    def _show_menu(self, at: QPoint) -> None:
        """Show the menu of the line under the pointer: filters for similar events, then the menu of the list."""
        index = self.list.indexAt(at)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if index.isValid():
            for words, text in self.filters_of(self.list.rows.event_at(index.row())):
                menu.addAction(words, lambda text=text: self.field.setText(text))  # type: ignore[misc]
            if self.field.text():
                menu.addAction(tr("All events"), self.field.clear)
            menu.addSeparator()
        menu.addActions(self.menu.actions())
        menu.popup(self.list.viewport().mapToGlobal(at))

    def filters_of(self, event: int) -> list[tuple[str, str]]:
        """Return filters that an event suggests, each with its label for a menu."""
        timeline = self.playhead.timeline
        if timeline is None:
            return []
        found = []
        process, label = int(timeline.process[event]), int(timeline.label[event])
        message = int(timeline.message[event])
        if process >= 0:
            found.append((tr("Only this process"), f"p={quoted(timeline.processes[process])}"))
        if label >= 0:
            name = timeline.labels[label]
            found.append((tr("Only {message}", message=name), f"message={quoted(name)}"))
        found.append((tr("Only this kind of event"), f"kind={KINDS[int(timeline.kind[event])]}"))
        if message >= 0:
            found.append((tr("Follow this message"), f"id={message}"))
        return found
