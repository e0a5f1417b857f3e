"""The list of cards, one for each enabled event, drawn by one delegate; it keeps its order while it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from lydian.app.live.choosing.cardrow import CardRow
from lydian.app.look.theme import Theme
from lydian.desk.playhead import Playhead
from lydian.views.playback.dealing import choosable
from lydian.views.playback.enabled import Card, explained, spoken
from lydian.views.selection import Hit

__all__ = ["CARD", "NUMBERED", "CardList", "CardModel"]

_ROOT = QModelIndex()
#: The role of a row's card, which is ``None`` for a heading.
CARD = Qt.ItemDataRole.UserRole
#: The number of cards that have a digit key.
NUMBERED = 9


class CardModel(QAbstractListModel):
    """The cards and headings of the list. A card that replaces an equal one keeps its row, and so the scroll position.

    Attributes:
        items: the contents of the rows.
        refused: key of a card -> the simulator's reason for refusing it.
        first: the key of the card that happens next without interference.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items: list[Card | str] = []
        self.refused: dict[str, str] = {}
        self.first = ""
        self._numbers: dict[str, int] = {}

    def show(self, items: Sequence[Card | str], first: str = "") -> None:
        """Show these rows and report only the rows that differ."""
        self.first = first
        new, old = list(items), self.items
        wanted = {_key(item) for item in new}
        self._number(new)
        for row in range(len(old) - 1, -1, -1):
            if _key(old[row]) not in wanted:
                self.beginRemoveRows(_ROOT, row, row)
                del old[row]
                self.endRemoveRows()
        kept = {_key(item) for item in old}
        if [_key(item) for item in old] != [_key(item) for item in new if _key(item) in kept]:
            self.beginResetModel()  # The order of the cards has changed.
            self.items = new
            self.endResetModel()
            return
        for row, item in enumerate(new):
            if row < len(old) and _key(old[row]) == _key(item):
                if old[row] != item:
                    old[row] = item
            else:
                self.beginInsertRows(_ROOT, row, row)
                old.insert(row, item)
                self.endInsertRows()
        if new:
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))

    def _number(self, items: Sequence[Card | str]) -> None:
        chosen = [item.key for item in items if isinstance(item, Card) and choosable(item)]
        self._numbers = {key: number for number, key in enumerate(chosen[:NUMBERED], 1)}

    def number(self, card: Card) -> int:
        """Return the digit that chooses a card, 1 to 9; 0 if there is none."""
        return self._numbers.get(card.key, 0)

    def numbered(self, number: int) -> Card | None:
        """Return the card that a digit chooses."""
        return next((card for card in self.cards() if self.number(card) == number), None)

    def cards(self) -> list[Card]:
        """The cards, without the headings."""
        return [item for item in self.items if isinstance(item, Card)]

    def row_of(self, key: str) -> int:
        """Return the row of a card, or -1 if it is not in the list."""
        return next((row for row, item in enumerate(self.items) if isinstance(item, Card) and item.key == key), -1)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.items)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if not index.isValid() or isinstance(self.items[index.row()], str):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.items):
            return None
        item = self.items[index.row()]
        if role == CARD:
            return item if isinstance(item, Card) else None
        if isinstance(item, str):
            return item if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole) else None
        refused = self.refused.get(item.key, "")
        if role == Qt.ItemDataRole.DisplayRole:
            return item.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return explained(item, refused)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(item, refused)
        return None


def _key(item: Card | str) -> str:
    return f"# {item}" if isinstance(item, str) else item.key


class CardList(QListView):
    """The list of cards. A double click, Return or a digit chooses one; pointing at a card lights it up in all views.

    Attributes:
        keys: whether Space and the right arrow choose, too.
    """

    #: Emitted when a card has been chosen and is to happen now.
    chosen = Signal(object)
    #: Emitted when another card becomes current (or ``None``).
    turned = Signal(object)
    #: Emitted when the pointer enters the list (true) or leaves it.
    entered_by_pointer = Signal(bool)

    def __init__(
        self, playhead: Playhead, theme: Theme, name: str, *, player: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.playhead = playhead
        self.rows = CardModel(self)
        self.over = False
        self.keys = False
        self._lit: Hit | None = None
        self.setModel(self.rows)
        self._painter = CardRow(self, theme, player=player)
        self.setItemDelegate(self._painter)
        self.setObjectName("cards")
        self.setAccessibleName(name)
        self.setMinimumHeight(40)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.doubleClicked.connect(self._choose)
        self.selectionModel().currentChanged.connect(self._turned)
        self._unsubscribe = playhead.changed.connect(self._heard)
        self.destroyed.connect(self._unsubscribe)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._painter.theme = theme
        self.verticalScrollBar().setSingleStep(theme.grown(24))
        self.doItemsLayout()

    # ------------------------------------------------------------------ contents

    def show_cards(self, items: Sequence[Card | str], first: str = "") -> None:
        """Show these rows; the current card stays current if still listed, else the next event becomes current."""
        before = self.current
        moved = [_key(item) for item in items] != [_key(item) for item in self.rows.items]
        scroll = self.verticalScrollBar().value()
        self.rows.show(items, first)
        row = self.rows.row_of(before.key) if before is not None else -1
        if row < 0:
            row = self._natural(first)
            scroll = 0
        if row != self.currentIndex().row():
            self.setCurrentIndex(self.rows.index(row) if row >= 0 else QModelIndex())
        if moved:
            self.verticalScrollBar().setValue(scroll)
        self.viewport().update()

    def _natural(self, first: str) -> int:
        """Return the row to highlight: the next event, else the first that can be chosen, else the first card."""
        row = self.rows.row_of(first)
        for wanted in (choosable, lambda _card: True):
            if row < 0:
                row = next((r for r, i in enumerate(self.rows.items) if isinstance(i, Card) and wanted(i)), -1)
        return row

    @property
    def current(self) -> Card | None:
        """The card that is highlighted."""
        index = self.currentIndex()
        found: Card | None = index.data(CARD) if index.isValid() else None
        return found

    def make_current(self, card: Card) -> None:
        """Highlight a card."""
        row = self.rows.row_of(card.key)
        if row >= 0:
            self.setCurrentIndex(self.rows.index(row))

    # ------------------------------------------------------------------ highlighting in the views

    def _choose(self, index: QModelIndex | None = None) -> None:
        card = self.current if index is None else index.data(CARD)
        if card is not None:
            self.chosen.emit(card)

    def _turned(self, index: QModelIndex, _before: QModelIndex) -> None:
        card = index.data(CARD) if index.isValid() else None
        self.turned.emit(card)
        if self.hasFocus():
            self._light(card)

    def _light(self, card: Card | None) -> None:
        """Light up a card's message or process in all views; ``None`` clears the highlight that this list has set."""
        hit = self.hit_of(card)
        if hit is None and self.playhead.hover != self._lit:
            self._lit = None
            return
        self._lit = hit
        self.playhead.point_at(hit)

    def hit_of(self, card: Card | None) -> Hit | None:
        """Return the thing in the views that a card refers to."""
        timeline = self.playhead.timeline
        if card is None or timeline is None:
            return None
        if 0 <= card.message < timeline.m_messages:
            return Hit("message", card.message)
        return Hit("process", card.place) if 0 <= card.place < len(timeline.processes) else None

    def about(self, card: Card) -> bool:
        """Return True if the pointer, in some view, is over the thing that a card refers to."""
        hover = self.playhead.hover
        return hover is not None and hover == self.hit_of(card)

    def _heard(self, what: str) -> None:
        if what == "hover" and self.isVisible():
            self.viewport().update()

    # ------------------------------------------------------------------ events

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.over = event.type() == QEvent.Type.Enter
            if not self.over:
                self._light(None)
            self.entered_by_pointer.emit(self.over)
        return bool(super().viewportEvent(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._light(index.data(CARD) if index.isValid() else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if held == Qt.KeyboardModifier.NoModifier:
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose()
                return
            if self.keys and key in (Qt.Key.Key_Space, Qt.Key.Key_Right):
                self._choose()
                return
            if Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
                card = self.rows.numbered(key - Qt.Key.Key_0)
                if card is not None:
                    self.make_current(card)
                    self.chosen.emit(card)
                return
        super().keyPressEvent(event)

    def hideEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().hideEvent(event)
        self.over = False
        self._light(None)
