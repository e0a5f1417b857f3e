"""The strip above the views while a run is being shortened, and then the runs before and after, one of them shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.language import tr
from lydian.views.words.words import grouped, plural

__all__ = ["ShortenedStrip", "milestones"]

#: A size is listed on the way if it is at most this share of the one listed before.
SHARE = 0.6
#: The largest number of sizes that are listed.
MOST = 6


def milestones(sizes: Sequence[int]) -> list[int]:
    """Return the sizes that show how a run became shorter: the first, each that is much smaller than the one listed
    before, and the last; if they are many, the first and the last ones.
    """
    if not sizes:
        return []
    found = [sizes[0]]
    for size in sizes[1:]:
        if size <= SHARE * found[-1]:
            found.append(size)
    if sizes[-1] < found[-1]:
        if len(found) > 1 and sizes[-1] > SHARE * found[-1]:
            found[-1] = sizes[-1]
        else:
            found.append(sizes[-1])
    return found if len(found) <= MOST else [found[0], *found[1 - MOST :]]


class ShortenedStrip(QFrame):
    """The strip; it is hidden as long as no run is, or was, shortened.

    Attributes:
        before, after: the buttons that show the run as it was found, and the shortened one.
    """

    #: Emitted when the user wants the shortest run found so far.
    stop_wanted = Signal()
    #: Emitted with True for the shortened run and False for the run as it was found.
    chosen = Signal(bool)
    #: Emitted when both runs are wanted beside each other.
    both_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("bottom")
        self.setAccessibleName(tr("Shortened run"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.announcer = Announcer(self)
        self.sign, self.words, self.arrow, self.time = QLabel(), QLabel(), QLabel("›"), QLabel()
        self.before, self.after = (
            set_up(QPushButton(), look="shortenedChip", name=tip, checkable=True, tip=tip)
            for tip in (tr("Show the run as it was found"), tr("Show the shortened run"))
        )
        self.before.clicked.connect(lambda _on=False: self.chosen.emit(False))
        self.after.clicked.connect(lambda _on=False: self.chosen.emit(True))
        self.both = set_up(QPushButton(tr("Side by side")), tip=tr("Show both runs beside each other"))
        self.both.clicked.connect(lambda _on=False: self.both_wanted.emit())
        self.stop = set_up(QPushButton(tr("Stop here")), tip=tr("Stop, and show the shortest run so far"))
        self.stop.clicked.connect(lambda _on=False: self.stop_wanted.emit())
        self.cross = set_up(QToolButton(), name=tr("Close this row"), tip=tr("Close this row"), clicked=self.hide)
        across(
            self.sign, self.words, self.before, self.arrow, self.after, 4, self.time, ..., self.both, self.stop,
            self.cross, on=self, margins=(14, 5, 8, 5), spacing=8,
        )  # fmt: skip
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        set_look(self.sign, theme, icon="fit", ink="text.secondary", icon_size=16)
        set_look(self.words, theme, font="body")
        for label in (self.arrow, self.time):
            set_look(label, theme, font="small")
        set_look(self.cross, theme, icon="close", ink="text.secondary")
        self.hide()

    def _parts(self, *, found: bool) -> None:
        for part in (self.before, self.arrow, self.after, self.time, self.both, self.cross):
            part.setVisible(found)
        for part in (self.words, self.stop):
            part.setVisible(not found)

    def show_work(self, sizes: Sequence[int]) -> None:
        """Show the numbers of events of the runs found so far."""
        way = " › ".join(grouped(size) for size in milestones(sizes))
        self.words.setText(tr("Shortening: {sizes} events", sizes=way))
        self._parts(found=False)
        self.show()

    def show_found(self, before: Mapping[str, Any], after: Mapping[str, Any], seconds: float) -> None:
        """Show the sizes of both runs; ``seconds`` is how long shortening took."""
        first, second = (
            (plural(size["processes"], "process"), plural(size["events"], "event")) for size in (before, after)
        )
        self.before.setText(tr("found: {processes}, {events}", processes=first[0], events=first[1]))
        self.after.setText(tr("shortened: {processes}, {events}", processes=second[0], events=second[1]))
        self.time.setText(tr("in {seconds:.1f} s", seconds=seconds))
        self.show_chosen(shortened=True)
        self._parts(found=True)
        sentence = tr(
            "The run fails in the same way after {after:,} of {before:,} events, with {now} of {all} processes.",
            after=after["events"], before=before["events"], now=after["processes"], all=before["processes"],
        )  # fmt: skip
        self.setAccessibleDescription(sentence)
        self.setToolTip(sentence)
        self.announcer.polite(sentence)
        self.show()

    def show_chosen(self, *, shortened: bool) -> None:
        """Mark the run that is on the screen."""
        self.before.setChecked(not shortened)
        self.after.setChecked(shortened)
