"""The dock "What may happen next": the enabled events of the live run, of which the user can choose one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from lydian.app.kit.follow import follow
from lydian.app.kit.layout import across, down
from lydian.app.kit.terms import explain
from lydian.app.kit.theming import set_up
from lydian.app.live.choosing.cardlist import CardList
from lydian.app.live.choosing.chooser import Chooser
from lydian.app.live.empty import Empty
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.desk.guide.glossary import explained
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.views.playback.dealing import ORDERS, arranged, choosable

if TYPE_CHECKING:
    from lydian.desk.live.live import Live

__all__ = ["Tray"]

#: Milliseconds between two refreshes during playback.
PAUSE = 50


class Tray(QWidget):
    """The panel with the fields that filter the list, the list, a line about the moment, and the buttons.

    Attributes:
        chooser: computes the cards, even while the list is hidden, and asks the simulator for one.
    """

    #: Emitted with the number of events that are listed, for the title.
    titled = Signal(str)

    def __init__(self, live: Live, playhead: Playhead, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.live, self.playhead, self.theme = live, playhead, theme
        self.chooser = Chooser(live, playhead, self)
        self.order, self.headings = "time", True
        self.setAccessibleName(tr("What may happen next"))
        self.list = CardList(playhead, theme, tr("What may happen next"))
        self.list.rows.refused = self.chooser.refused
        self.list.chosen.connect(lambda card: self.chooser.choose(card))
        self.list.turned.connect(lambda _card: self._say_buttons())
        self.list.entered_by_pointer.connect(self._pointed)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(PAUSE)
        self._later.timeout.connect(self.refresh)
        self._build()
        follow(self, live.changed, self._changed)
        self.chooser.dealt.connect(self.list.viewport().update)
        follow(self, live.ended, lambda _why: self._changed())
        follow(self, playhead.changed, self._heard)
        self.choose_now.setProperty("primary", True)
        self.set_theme(theme)
        self.refresh()
        self._say_empty(None)

    # ------------------------------------------------------------------ building

    def _build(self) -> None:
        self.where, self.sorted_by = QComboBox(), QComboBox()
        self.where.addItems([tr("All processes"), tr("Selected processes")])
        self.where.setAccessibleName(tr("Processes whose events are listed"))
        self.where.setToolTip(tr("List the events of all processes, or of the selected ones"))
        self.where.currentIndexChanged.connect(lambda _at: self.refresh())
        for key, words in ORDERS.items():
            self.sorted_by.addItem(words, key)
        self.sorted_by.setAccessibleName(tr("Order of the events"))
        self.sorted_by.currentIndexChanged.connect(lambda _at: self.sort(self.sorted_by.currentData()))
        self.more = set_up(QToolButton(), name=tr("More options for the list"), tip=tr("More options for the list"))
        self.menu = QMenu(self)
        self.grouped = self.menu.addAction(tr("Headings"))
        self.grouped.setCheckable(True)
        self.grouped.setChecked(True)
        self.grouped.toggled.connect(self.group)
        self.possible = self.menu.addAction(tr("Only events that can be chosen"))
        self.possible.setCheckable(True)
        self.possible.setToolTip(explained("", "enabled"))
        self.menu.setToolTipsVisible(True)
        self.possible.toggled.connect(lambda _on: self.refresh())
        self.more.setMenu(self.menu)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.top = QFrame()
        across((self.where, 1), (self.sorted_by, 1), self.more, on=self.top, margins=(8, 6, 8, 6), spacing=5)
        self.remark = set_up(QLabel(), look="explained", wraps=True)
        self.to_now = QToolButton()
        self.to_now.setText(tr("Go to now"))
        self.to_now.setToolTip(tr("Move the play head to the latest moment of the run"))
        self.to_now.clicked.connect(lambda: self.chooser.go_to_now())
        self.below = QFrame()
        across((self.remark, 1), self.to_now, on=self.below, margins=(10, 4, 8, 0))
        self.choose_now = self._button(
            tr("Now"), tr("Let the highlighted event happen now (Enter)"), self._choose_current
        )
        explain(self.choose_now, "scheduler")
        self.take_next = self._button(
            tr("Next"), tr("Let the earliest event happen at its own time"), lambda: self.chooser.take_earliest()
        )
        self.take_any = self._button(
            tr("Random"), tr("Let one of these events, chosen at random, happen"), self.take_random
        )
        self.foot = QFrame()
        across(self.choose_now, self.take_next, self.take_any, ..., on=self.foot, margins=(8, 6, 8, 8), spacing=6)
        self.empty = Empty(self.theme, "hand")
        self.empty.pressed.connect(self._mend)
        self._mending: Callable[[], object] | None = None
        self.body = QStackedLayout()
        # This comes before the stack is filled: a part without a parent would appear as a window.
        down(self.top, (self.body, 1), self.below, self.foot, on=self, spacing=0)
        self.body.addWidget(self.list)
        self.body.addWidget(self.empty)

    def _button(self, text: str, about: str, act: Callable[[], object]) -> QPushButton:
        return set_up(QPushButton(text), name=text, about=about, tip=about, clicked=lambda: act())

    def sizeHint(self) -> QSize:
        return QSize(320, 360)

    def set_theme(self, theme: Theme) -> None:
        side, size = theme.stretched(26), theme.stretched(15)
        self.more.setFixedSize(side, side)
        self.more.setIconSize(QSize(size, size))
        self.more.setIcon(icon("more", theme, "text.secondary"))
        for part in (self.where, self.sorted_by, self.remark, self.to_now):
            part.setFont(theme.font("small"))

    # ------------------------------------------------------------------ contents of the list

    @property
    def held(self) -> bool:
        """Whether the list does not move because the pointer is over it during playback."""
        return self.list.over and self.live.on and not self.live.waiting

    def sort(self, order: str) -> None:
        """List the events in another order, one of :data:`~lydian.views.playback.enabled.ORDERS`."""
        if order != self.order:
            self.order = order
            self.sorted_by.setCurrentIndex(self.sorted_by.findData(order))
            self.refresh()

    def group(self, on: bool) -> None:
        """Group the events by process or kind under headings, or remove the headings."""
        self.headings = on
        self.grouped.setChecked(on)
        self.refresh()

    def _changed(self) -> None:
        """React when the run has advanced, is waiting, or has other enabled events."""
        if self.live.waiting or not self.live.on:
            self._later.stop()
            self.refresh()
        elif not self._later.isActive():
            self._later.start()

    def _pointed(self, _over: bool) -> None:
        if not self.held:
            self.refresh()
        else:
            self._say_moment()

    def _heard(self, what: str) -> None:
        if what == "selection" and self.where.currentIndex() == 1:
            self.refresh()
        elif what in ("timeline", "time", "playing") and self.isVisible():
            self._say_moment()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Recompute the cards if something has changed, and list them."""
        if self.held and self.isVisible():
            self._say_moment()
            return
        self.chooser.deal(at_once=self.isVisible())
        if not self.isVisible():
            return
        only = self.playhead.selection.processes if self.where.currentIndex() == 1 else None
        first = self.chooser.first
        shown = [
            card for card in self.chooser.cards if choosable(card) or card is first or not self.possible.isChecked()
        ]
        listed = arranged(shown, self.chooser.now, self.order, only=only, headings=self.headings)
        if listed and self.live.on:
            self.list.show_cards(listed, first.key if first is not None else "")
        else:
            self.list.show_cards([])
        self._say_empty(only)
        self._say_moment()
        self._say_buttons()
        self._say_title(len(self.list.rows.cards()))

    # ------------------------------------------------------------------ sentences

    def _say_title(self, listed: int) -> None:
        live = self.live
        if not live.on:
            self.titled.emit("")
            return
        whole = max(live.pending_total, len(self.chooser.cards))
        if listed < whole:
            self.titled.emit(tr("{listed:,} of {all:,}", listed=listed, all=whole))
        else:
            self.titled.emit(f"{whole:,}" if whole else "")

    def _say_empty(self, only: object) -> None:
        live = self.live
        shown = bool(self.list.rows.items)
        self.body.setCurrentIndex(0 if shown else 1)
        self.top.setVisible(live.on)
        self.foot.setVisible(live.on)
        self._mending = None
        if shown:
            return
        if not live.on:
            self._offer(tr("Go live to choose what happens next."), tr("Go live"), lambda: live.switch(True))
        elif self.chooser.cards and only == frozenset():
            self._offer(tr("No process is selected."), tr("List all"), lambda: self.where.setCurrentIndex(0))
        elif self.chooser.cards:
            sentence = tr("The selected processes have no enabled event now.")
            self._offer(sentence, tr("List all"), lambda: self.where.setCurrentIndex(0))
        elif not live.alive:
            self._offer(tr("The run is over. Go back to an earlier moment to make another choice."))
        elif not live.waiting:
            self._offer(
                tr("The run continues by itself. Pause it to choose what happens next."), tr("Pause"), self._pause
            )
        else:
            self._offer(
                tr("All processes wait and no message is in transit. Send a message, give a command or wake a process.")
            )

    def _offer(self, sentence: str, button: str = "", act: Callable[[], object] | None = None) -> None:
        self._mending = act
        self.empty.say(sentence, button)

    def _mend(self) -> None:
        if self._mending is not None:
            self._mending()

    def _pause(self) -> None:
        self.playhead.pause()

    def _say_moment(self) -> None:
        """Show below the list that the view is of the past, the list does not move, or some events are not listed."""
        live, text = self.live, ""
        more = live.pending_total - len(live.pending)
        if live.on and self.chooser.behind:
            text = tr(
                "The views show time {time:.2f}; these events are enabled at {enabled:.2f}.",
                time=self.playhead.t,
                enabled=live.time,
            )
        elif self.held:
            text = tr("The list does not change while the pointer is over it.")
        elif live.on and more > 0 and live.pending:
            text = tr(
                "The {listed:,} earliest of {all:,} are listed.", listed=len(live.pending), all=live.pending_total
            )
        self.remark.setText(text)
        self.to_now.setVisible(live.on and self.chooser.behind)
        self.below.setVisible(bool(text))

    def _say_buttons(self) -> None:
        live, card = self.live, self.list.current
        can = card is not None and choosable(card)
        self.choose_now.setEnabled(live.on and (can or self.chooser.comes_next(card)))
        self.take_next.setEnabled(live.on and self.chooser.first is not None)
        self.take_any.setEnabled(live.on and any(choosable(c) for c in self.chooser.cards))

    # ------------------------------------------------------------------ commands

    def _choose_current(self) -> None:
        if self.list.current is not None:
            self.chooser.choose(self.list.current)

    def take_random(self) -> None:
        """Let one of the events that can be chosen happen now, at random."""
        card = self.chooser.take_random()
        if card is not None:
            self.list.make_current(card)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key.Key_1 <= event.key() <= Qt.Key.Key_9 and not event.modifiers():
            self.list.keyPressEvent(event)
            return
        super().keyPressEvent(event)
