"""The dock "Your process": a process that the user plays, with its variables and the events that it can handle now."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from lydian.app.kit.follow import follow
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_up
from lydian.app.live.choosing.cardlist import CardList
from lydian.app.live.choosing.chooser import Chooser
from lydian.app.live.choosing.tablerow import TableRow
from lydian.app.live.empty import Empty
from lydian.app.look.icons import icon
from lydian.app.look.shapes import state_icon
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.language import tr, trn
from lydian.views.playback.dealing import choosable, of_process, row_of_table
from lydian.views.playback.enabled import Card
from lydian.views.selection import Hit
from lydian.views.words.values import typed, value_text

if TYPE_CHECKING:
    from lydian.desk.live.live import Live

__all__ = ["PlayerPanel"]

#: The number of variables that are shown.
VARIABLES = 8


class PlayerPanel(QWidget):
    """The panel with the process, its variables, the row of its table, its cards, and the buttons.

    It uses the same cards as the tray.

    Attributes:
        name: the process on the card, ``""`` if no process is taken over.
    """

    #: Emitted with the number of the process on the card, for the title.
    titled = Signal(str)
    #: Emitted when the process on the card is to be released, and when the selected one is to be taken over.
    release_wanted = Signal(str)
    take_wanted = Signal()

    def __init__(self, live: Live, chooser: Chooser, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.live, self.chooser, self.playhead, self.theme = live, chooser, chooser.playhead, theme
        self.name = ""
        self.setAccessibleName(tr("Your process"))
        self._build()
        self.chooser.dealt.connect(self.refresh)
        follow(self, live.changed, self.refresh)
        follow(self, self.playhead.changed, self._heard)
        self.choose_now.setProperty("primary", True)
        self.set_theme(theme)

    def _build(self) -> None:
        self.sign, self.who, self.state = QLabel(), Elided(), Elided()
        self.state.setObjectName("cardHint")
        self.back = self._tool("chevron-left", tr("Previous process"), lambda: self.turn(-1))
        self.on = self._tool("chevron-right", tr("Next process"), lambda: self.turn(1))
        self.give = QPushButton(tr("Release"))
        self.give.setToolTip(tr("Let the simulator play this process again"))
        self.give.clicked.connect(lambda: self.release_wanted.emit(self.name))
        self.head = QFrame()
        across(
            self.sign,
            (down(self.who, self.state, spacing=0), 1),
            self.back, self.on, self.give, on=self.head, margins=(10, 8, 8, 6), spacing=8,
        )  # fmt: skip
        self.variables = set_up(QLabel(), name=tr("Variables"), wraps=True)
        self.variables.setTextFormat(Qt.TextFormat.RichText)
        self.variables.setContentsMargins(12, 0, 10, 6)
        self.row = TableRow(self.theme)
        self.row.wanted.connect(lambda cell: self._choose(cell.cards[0]))
        self.row_box = QFrame()
        down(self.row, on=self.row_box, margins=(10, 0, 10, 6))
        self.list = CardList(self.playhead, self.theme, tr("Events that your process can handle now"), player=True)
        self.list.rows.refused = self.chooser.refused
        self.list.chosen.connect(self._choose)
        self.list.turned.connect(lambda _card: self._say_buttons())
        self.nothing = QLabel(tr("No event to handle yet. Choose Next to let the other processes act."))
        self.nothing.setObjectName("dockObstacle")
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setMargin(12)
        self.choose_now = QPushButton(tr("Handle"))
        self.choose_now.setToolTip(tr("Handle the highlighted event now (Enter)"))
        self.choose_now.clicked.connect(lambda: self._choose(self.list.current))
        self.others = QPushButton(tr("Next"))
        self.others.setToolTip(tr("Let the earliest event of the other processes happen"))
        self.others.clicked.connect(lambda: self.chooser.take_earliest())
        self.foot = QFrame()
        across(self.choose_now, self.others, ..., on=self.foot, margins=(8, 6, 8, 8), spacing=6)
        played = QWidget()
        self.middle = QStackedLayout()
        # This comes before the stack is filled: a part without a parent would appear as a window.
        down(self.head, self.variables, self.row_box, (self.middle, 1), self.foot, on=played, spacing=0)
        self.middle.addWidget(self.list)
        self.middle.addWidget(self.nothing)
        self.empty = Empty(self.theme, "hand")
        self.empty.pressed.connect(self.take_wanted)
        self.body = QStackedLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.addWidget(self.empty)
        self.body.addWidget(played)

    def _tool(self, name: str, about: str, act) -> QToolButton:  # type: ignore[no-untyped-def]
        button = set_up(QToolButton(), name=about, tip=about, clicked=lambda: act())
        button.setProperty("sign", name)
        return button

    def sizeHint(self) -> QSize:
        return QSize(320, 380)

    def set_theme(self, theme: Theme) -> None:
        self.who.setFont(theme.font("title", semibold=True))
        self.state.setFont(theme.font("small"))
        self.variables.setFont(theme.font("small"))
        self.nothing.setFont(theme.font("body"))
        side, size = theme.stretched(26), theme.stretched(15)
        for button in (self.back, self.on):
            button.setFixedSize(side, side)
            button.setIconSize(QSize(size, size))
            button.setIcon(icon(str(button.property("sign")), theme, "text.secondary"))
        self.refresh()

    # ------------------------------------------------------------------ which process is shown

    @property
    def place(self) -> int:
        """The number of the process on the card, or -1 if there is none."""
        names = self.chooser.now.names
        return names.index(self.name) if self.name in names else -1

    def mine(self) -> list[str]:
        """Return the processes that are taken over, in the order of the network."""
        taken = self.live.taken
        return [name for name in self.chooser.now.names if name in taken] if taken else []

    def show_process(self, name: str) -> None:
        """Put a process on the card."""
        self.name = name
        self.refresh()

    def turn(self, direction: int) -> None:
        """Show the next (1) or the previous (-1) of the processes that are taken over."""
        mine = self.mine()
        if mine:
            at = mine.index(self.name) if self.name in mine else 0
            self.name = mine[(at + direction) % len(mine)]
            self.refresh()
            self.playhead.pick(Hit("process", self.place))

    def _heard(self, what: str) -> None:
        if what != "selection":
            return
        mine = self.mine()
        chosen = [name for name in mine if self.chooser.now.names.index(name) in self.playhead.selection.processes]
        if chosen and self.name not in chosen:
            self.name = chosen[0]
        self.refresh()

    # ------------------------------------------------------------------ contents

    def refresh(self) -> None:
        """Show the process in its current configuration."""
        mine = self.mine() if self.live.on else []
        if self.name not in mine:
            self.name = mine[-1] if mine else ""
        self.body.setCurrentIndex(1 if self.name else 0)
        if not self.name:
            self.titled.emit("")
            self._say_empty()
            return
        now, place = self.chooser.now, self.place
        state = now.state(place)
        word = now.animation.word(state) if state else ""
        crashed = place in now.crashed
        size = self.theme.stretched(30)
        slot = now.animation.slot(state) if state else 7
        self.sign.setPixmap(state_icon(self.theme, slot, size, crashed=crashed))
        self.who.say(tr("Process {process}", process=self.name))
        self.state.say(tr("{state}, crashed", state=word) if crashed else word)
        self.titled.emit(
            tr("{number} of {count}", number=mine.index(self.name) + 1, count=len(mine))
            if len(mine) > 1
            else tr("process {process}", process=self.name)
        )
        for button in (self.back, self.on):
            button.setVisible(len(mine) > 1)
        self.variables.setText(self._told(place))
        self.row.show_cells(row_of_table(self.chooser.cards, now, place))
        self.row_box.setVisible(bool(self.row.cells))
        items = of_process(self.chooser.cards, place)
        self.list.show_cards(items)
        self.middle.setCurrentIndex(0 if items else 1)
        self._say_buttons()

    def _told(self, place: int) -> str:
        """Return the variables of the process as rich text, names pale and values plain."""
        timeline = self.playhead.timeline
        if timeline is None or place < 0:
            return ""
        types = self.chooser.now.source.types
        pale = self.theme.color("text.hint").name()
        known = list(timeline.variables(place, timeline.length).items())
        told = [
            f"<span style='color:{pale}'>{escape(name)}</span>&nbsp;"
            f"<b>{escape(value_text(typed(value, types.get(name, ''))))}</b>"
            for name, (value, _seq) in known[:VARIABLES]
        ]
        if known[VARIABLES:]:
            more = trn("and {count} more", "and {count} more", len(known) - VARIABLES)
            told.append(f"<span style='color:{pale}'>{more}</span>")
        return " &nbsp; ".join(told)

    def _say_empty(self) -> None:
        chosen = self.selected()

        sentence = tr(
            "You are not playing a process. Take one over: it no longer acts by itself, and you choose the events that"
            " it handles, within the limits of its table."
        )
        if not chosen:
            self.empty.say(f"{sentence} {tr('Select a process first.')}", tr("Take over"), enabled=False)
        else:
            self.empty.say(sentence, tr("Take over process {process}", process=chosen))

    def selected(self) -> str:
        """Return the name of the selected process, or ``""`` if there is none."""
        timeline, chosen = self.playhead.timeline, sorted(self.playhead.selection.processes)
        return timeline.processes[chosen[0]] if timeline is not None and chosen else ""

    def _say_buttons(self) -> None:
        card = self.list.current
        self.choose_now.setEnabled(card is not None and choosable(card))
        self.others.setEnabled(self.chooser.first is not None)

    def _choose(self, card: Card | None) -> None:
        if card is not None:
            self.chooser.choose(card, by_process=True)
