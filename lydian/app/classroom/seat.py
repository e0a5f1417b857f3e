"""The panel of a player: the process, what has arrived, what can be chosen, and what the rounds did."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QSizePolicy, QSpinBox, QWidget

from lydian.app.classroom.cards import Card, button, caption
from lydian.app.kit.form import choice, whole
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import grown, mark, set_look, set_up
from lydian.app.look.shapes import head_icon, state_icon
from lydian.app.look.theme import Theme
from lydian.classroom.frames import RoomNow, Seat
from lydian.desk.hosting import Joining
from lydian.language import tr

__all__ = ["SeatPanel"]

#: The width of the panel, in a narrow window and in a wide one.
NARROW, WIDE = 306, 372
#: The heads of messages, by kind.
HEADS = ("triangle", "circle", "square", "diamond", "chevron", "bar")


class SeatPanel(QWidget):
    """The panel; a click or a digit marks an offer, and *Seal* chooses it."""

    def __init__(self, joining: Joining, theme: Theme) -> None:
        super().__init__()
        self.joining, self.theme = joining, theme
        self.setObjectName("classColumn")
        self.setAccessibleName(tr("Your process"))
        self.marked = ""
        self.shape = QLabel()
        self.name = set_up(QLabel(), look="classSeatTitle", wraps=True, plain=True)
        self.text = set_up(QLabel(), look="classSeatText", wraps=True, plain=True)
        self.values = set_up(QLabel(), look="classValues", wraps=True)
        self.picture = set_up(QLabel(), look="classPicture", wraps=True, plain=True)
        self.rule = set_up(QLabel(), look="dockNote", wraps=True, plain=True)
        top = across((self.shape, Qt.AlignmentFlag.AlignTop), (down(self.name, self.text, spacing=2), 1), spacing=10)
        self.who = Card(theme, "process", tr("Your process"), top, self.values, self.picture, self.rule)
        self.heading = set_up(QLabel(), look="cardValue", wraps=True, plain=True)
        self.cards: dict[str, _OfferCard] = {}
        holder = QWidget()
        holder.setObjectName("classChips")
        self.list = down(..., on=holder, spacing=6)
        self.area = QScrollArea()
        self.area.setWidget(holder)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setObjectName("classArea")
        self.area.setAccessibleName(tr("What you can choose"))
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.seal = button(theme, tr("Seal"), "lock", lambda _on=False: self._seal(), filled=True)
        set_look(self.seal, theme, min_height=grown(44))
        self.sealed = set_up(QLabel(), look="dockNote", wraps=True, plain=True)
        self.what = Card(
            theme, "hand", tr("What do you do?"), self.heading, (self.area, 1), self.sealed, self.seal
        )  # fmt: skip
        self.story = set_up(QLabel(), look="classStory", wraps=True)
        self.before = Card(theme, "trace", tr("What happened"), self.story)
        self.wait = Card(
            theme, "eye", tr("You are watching"),
            set_up(QLabel(tr("You see the whole run; the host can give you a process.")), wraps=True, plain=True),
        )  # fmt: skip
        self.rest = QWidget()
        self.rest.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        down(self.wait, self.who, (self.what, 1), self.before, self.rest, on=self, spacing=5)
        self._offers: list[dict[str, Any]] = []
        self._round = -1
        self._sealed: tuple[object, ...] = ()
        self.settle(1280)

    def settle(self, width: int) -> None:
        """Fit the width to that of the window."""
        self.setFixedWidth(self.theme.grown(WIDE if width >= 1600 else NARROW))

    def set_theme(self, theme: Theme) -> None:
        self.settle(self.window().width())
        self._offers = []
        self.refresh()

    # ------------------------------------------------------------------ showing

    def refresh(self) -> None:
        """Show the seat as it is now."""
        seat, room = self.joining.seat, self.joining.room
        seated = seat is not None
        for part in (self.who, self.what):
            part.setVisible(seated)
        self.wait.setVisible(not seated)
        self.rest.setVisible(not seated)
        stories = self.joining.stories
        self.before.setVisible(seated and bool(stories))
        if seat is None:
            return
        self.who.title.setText(tr("Process {process}", process=seat.process))
        look = seat.look or {}
        slot = look.get("slot")
        self.shape.setVisible(isinstance(slot, int))
        if isinstance(slot, int):
            self.shape.setPixmap(state_icon(self.theme, slot, self.theme.stretched(40)))
        self.name.setText(seat.title)
        self.text.setText(seat.text)
        self.values.setText(_table(seat.values))
        self.values.setVisible(bool(seat.values))
        words = _in_words(seat.picture)
        self.picture.setText(words)
        self.picture.setVisible(bool(words))
        self.rule.setText(seat.rule)
        self.rule.setVisible(bool(seat.rule))
        self.heading.setText(_heading(seat, room))
        self.heading.setVisible(bool(self.heading.text()))
        self._show_offers(seat)
        if stories:
            last = stories[-1]
            sign = "" if last.good is None else "✓ " if last.good else "✗ "
            self.before.note.setText(tr("round {round}", round=last.round))
            self.story.setTextFormat(Qt.TextFormat.PlainText)
            self.story.setText(f"{sign}{last.text} {last.next}".strip())
            mark(self.story, good="" if last.good is None else str(last.good).lower())
        paused = room is not None and room.paused
        open_ = room is not None and room.phase == "open" and not paused
        self.seal.setEnabled(open_ and bool(seat.offers))
        self._word()

    def _show_offers(self, seat: Seat) -> None:
        offers = [dict(each) for each in seat.offers]
        if seat.round != self._round:
            self._round, self.marked = seat.round, ""
        if offers != self._offers or len(self.cards) != len(offers):
            self._offers, self._sealed = offers, ()
            for old in self.cards.values():
                self.list.removeWidget(old)
                old.hide()
                old.deleteLater()
            self.cards = {}
            for at, each in enumerate(offers):
                card = _OfferCard(self.theme, at + 1, each, self._head(str(each.get("head") or "")))
                card.clicked.connect(partial(self.take, str(each["id"])))
                card.changed.connect(self._word)
                self.list.insertWidget(at, card)
                self.cards[str(each["id"])] = card
        sealed = (seat.round, seat.chosen, seat.value)
        if seat.chosen and sealed != self._sealed:
            self.marked = seat.chosen
        anew, self._sealed = sealed != self._sealed, sealed
        if self.marked not in self.cards:
            self.marked = ""
        for name, card in self.cards.items():
            card.say(name == self.marked, name == seat.chosen, seat.value if anew and name == seat.chosen else None)

    def _head(self, label: str) -> int | None:
        """Return the kind of a message, for its shape and colour."""
        welcome = self.joining.welcome
        look = {} if welcome is None else welcome.looks.get("messages", {}).get(label, {})
        head = look.get("head")
        return HEADS.index(head) if head in HEADS else None

    def _word(self) -> None:
        seat, room = self.joining.seat, self.joining.room
        if seat is None:
            return
        chosen = self.cards.get(seat.chosen)
        card = self.cards.get(self.marked)
        turns = room is not None and room.mode == "turns"
        if seat.chosen and chosen is not None and seat.chosen == self.marked and chosen.value() == seat.value:
            waiting = 0 if room is None else max(0, room.choosing - room.chosen)
            self.sealed.setText(tr("Sealed: {offer}. Waiting for {count} more.", offer=chosen.words, count=waiting))
            caption(self.seal, tr("Change"))
            self.seal.setEnabled(False)
        else:
            self.sealed.setText("")
            title = "" if card is None else card.words
            if turns:
                caption(self.seal, tr("Do it: {offer}", offer=title) if title else tr("Choose something first"))
            else:
                caption(self.seal, tr("Seal: {offer}", offer=title) if title else tr("Choose something first"))
            if card is None:
                self.seal.setEnabled(False)
        self.sealed.setVisible(bool(self.sealed.text()))
        moving = room is not None and room.phase == "moving"
        if moving and seat.chosen:
            self.sealed.setText("")
            self.sealed.setVisible(False)
        self.seal.setVisible(bool(self.cards) and not moving)
        for each in self.cards.values():
            each.setEnabled(not moving)

    # ------------------------------------------------------------------ choosing

    def take(self, offer: str) -> None:
        """Mark an offer; nothing is sent."""
        self.marked = offer
        self.refresh_marks()

    def refresh_marks(self) -> None:
        """Show which offer is marked."""
        seat, room = self.joining.seat, self.joining.room
        if seat is None:
            return
        for name, card in self.cards.items():
            card.say(name == self.marked, name == seat.chosen, None)
        self.seal.setEnabled(room is not None and room.phase == "open" and not room.paused)
        self._word()

    def _seal(self) -> None:
        card = self.cards.get(self.marked)
        if card is not None:
            self.joining.choose(self.marked, card.value())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        digit = event.key() - int(Qt.Key.Key_0)
        if 1 <= digit <= len(self.cards):
            self.take(list(self.cards)[digit - 1])
        else:
            super().keyPressEvent(event)


class _OfferCard(QPushButton):
    """One thing that can be chosen, with a field for its value if it asks for one."""

    #: Emitted when the value was changed.
    changed = Signal()

    def __init__(self, theme: Theme, at: int, offer: dict[str, Any], head: int | None) -> None:
        super().__init__()
        self.theme = theme
        self.setObjectName("classOffer")
        self.setCheckable(True)
        self.words = str(offer.get("title", ""))
        text = str(offer.get("text", ""))
        self.setAccessibleName(f"{at}. {self.words}" + (f", {text}" if text else ""))
        sign = QLabel()
        if head is None:
            sign.setText(str(at))
            sign.setObjectName("classKey")
            sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
            sign.setFixedSize(22, 22)
        else:
            sign.setPixmap(head_icon(theme, head, 20))
        title = set_up(QLabel(self.words), look="cardValue", wraps=True, plain=True)
        about = set_up(QLabel(text), look="dockNote", wraps=True, plain=True)
        about.setVisible(bool(text))
        self.lock = set_look(QLabel(), theme, icon="lock", ink="accent.base", icon_size=16)
        self.lock.setAccessibleName(tr("sealed"))
        self.field: Any = None
        value = offer.get("value")
        if isinstance(value, dict) and "choices" in value:
            self.field = choice(*((str(words), each) for each, words in value["choices"]))
            self.field.currentIndexChanged.connect(lambda _at: self._edited())
        elif isinstance(value, dict):
            self.field = whole(int(value["least"]), int(value["most"]))
            self.field.setValue(int(value.get("start") or value["least"]))
            self.field.valueChanged.connect(lambda _value: self._edited())
        if self.field is not None:
            self.field.setAccessibleName(tr("Value of {offer}", offer=self.words))
        across(
            sign, (down(title, about, spacing=1), 1), *([self.field] if self.field is not None else []), self.lock,
            on=self, margins=(10, 8, 10, 8), spacing=10,
        )  # fmt: skip
        for each in (sign, title, about, self.lock):
            each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.lock.hide()

    def _edited(self) -> None:
        self.click()
        self.changed.emit()

    def value(self) -> int | str | None:
        """Return the value that the field shows."""
        if self.field is None:
            return None
        field: Any = self.field
        return cast("int | str", field.value() if isinstance(field, QSpinBox) else field.currentData())

    def say(self, marked: bool, chosen: bool, value: int | str | None) -> None:
        """Show whether it is marked and whether it is chosen, and with which value."""
        self.setChecked(marked)
        self.lock.setVisible(chosen)
        if value is not None and self.field is not None:
            self.field.blockSignals(True)
            if isinstance(self.field, QSpinBox):
                self.field.setValue(int(value))
            else:
                self.field.setCurrentIndex(self.field.findData(value))
            self.field.blockSignals(False)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return 44 if layout is None else max(44, layout.heightForWidth(width))

    def sizeHint(self) -> Any:
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.sizeHint()


def _table(values: list[Any]) -> str:
    """Return pairs of a label and a text as rows."""
    from html import escape

    rows = "".join(
        f"<tr><td style='padding-right:12px'>{escape(str(name))}</td><td><b>{escape(str(value))}</b></td></tr>"
        for name, value in values
    )
    return f"<table>{rows}</table>"


def _heading(seat: Seat, room: RoomNow | None) -> str:
    """Say what the player is asked, or what is going on while no choices are taken."""
    if room is None or room.phase == "open":
        return seat.heading
    if room.phase == "moving":
        return tr("All moves happen now.")
    return tr("Wait for the next round.")


def _in_words(picture: dict[str, Any]) -> str:
    """Return what a game draws on a phone, in words."""
    kind = picture.get("kind")
    if kind == "baskets":
        return tr("left basket {left}, right basket {right}", left=picture.get("left"), right=picture.get("right"))
    if kind == "secret":
        return str(picture.get("text", ""))
    return ""
