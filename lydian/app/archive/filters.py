"""The search of the archive: the field, the families, the needs."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from lydian.app.archive.cards import Index
from lydian.app.archive.familylook import family_tile
from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_up
from lydian.app.look.theme import Theme
from lydian.language import tr, trn
from lydian.model.archive.catalogue import Catalogue
from lydian.model.archive.search import Wanted, question
from lydian.views.words.words import plural

__all__ = ["Filters"]

_KEY = Qt.ItemDataRole.UserRole
_COUNT = Qt.ItemDataRole.UserRole + 1
_WORDS = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap)


class SearchField(QLineEdit):
    """The search field; Down moves to the cards, Esc empties it."""

    #: Emitted on Return or Down, to move to the cards.
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class Filters(QFrame):
    """The column on the left.

    Attributes:
        field: words, ``family:`` and ``needs:``.
        families: an entry for all families and one for each, with the number of its protocols.
        chips: name of a need -> its button.
    """

    #: Emitted when the search has changed.
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("archiveFilters")
        self.setAccessibleName(tr("Search and filters"))
        self.theme = theme
        self.field = SearchField()
        self.field.setPlaceholderText(tr("Search  ( / )"))
        self.field.setAccessibleName(tr("Search the archive"))
        self.field.setToolTip(tr("Words of the title, text, reference or guide; also family:waves and needs:fifo"))
        self.field.setClearButtonEnabled(True)
        self.families = set_up(QListWidget(), look="archiveFamilies", name=tr("Families"))
        self.families.setItemDelegate(_Row(self))
        self.families.setMouseTracking(True)
        self.families.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.families.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.families.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.needs = QWidget()
        self.needs.setAccessibleName(tr("Needs"))
        self._flow = FlowRow(self.needs, gap=5)
        self.chips: dict[str, QToolButton] = {}
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.needs)
        self.found = QLabel()
        self.found.setObjectName("explained")
        down(
            self.field, (self.families, 3), _heading(tr("Needs")), (area, 1), self.found,
            on=self, margins=(10, 10, 10, 8), spacing=7,
        )  # fmt: skip
        self.field.textChanged.connect(lambda _text: self.changed.emit())
        self.families.currentItemChanged.connect(lambda _new, _old: self.changed.emit())

    # ------------------------------------------------------------------ contents

    def fill(self, catalogue: Catalogue) -> None:
        """Offer the families and the needs of a catalogue; the current choices are kept as far as they exist in it."""
        chosen, needs = self.family, set(self.needed)
        self.families.blockSignals(True)
        self.families.clear()
        rows = [("", tr("All"), len(catalogue.entries), tr("All protocols in the archive"))]
        for each in catalogue.families:
            words = f"{each.title}. {each.sentence}"
            rows.append((each.key, each.short or each.title, len(catalogue.of(each.key)), words))
        for key, title, count, sentence in rows:
            item = QListWidgetItem(title)
            item.setData(_KEY, key)
            item.setData(_COUNT, count)
            item.setToolTip(sentence)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}, {plural(count, 'protocol')}")
            self.families.addItem(item)
            if key == chosen:
                self.families.setCurrentItem(item)
        if self.families.currentRow() < 0:
            self.families.setCurrentRow(0)
        self.families.blockSignals(False)
        self._fit()
        if list(self.chips) != list(catalogue.needs):
            for chip in self.chips.values():
                self._flow.removeWidget(chip)
                chip.hide()
                chip.deleteLater()
            self.chips = {name: self._chip(name, name in needs) for name in catalogue.needs}
        for name, count in catalogue.needs.items():
            self.chips[name].setText(f"{name}  {count}")
            self.chips[name].setAccessibleName(tr("Show only protocols with the need “{name}”", name=name))
            self.chips[name].setToolTip(
                trn(
                    "{count:,} protocol with the need “{name}”",
                    "{count:,} protocols with the need “{name}”",
                    count,
                    name=name,
                )
            )
        self.needs.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Make the list of families as high as its rows; the needs get the remaining room."""
        rows = (self.families.sizeHintForRow(row) for row in range(self.families.count()))
        self.families.setMaximumHeight(sum(rows) + 6)

    def _chip(self, name: str, on: bool) -> QToolButton:
        chip = set_up(QToolButton(), look="needChip", checkable=True)
        chip.setChecked(on)
        chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        chip.toggled.connect(lambda _on: self.changed.emit())
        self._flow.addWidget(chip)
        chip.show()
        return chip

    def say_found(self, shown: int, all_of_them: int) -> None:
        words = (
            plural(all_of_them, "protocol")
            if shown == all_of_them
            else trn("{shown} of {count} protocol", "{shown} of {count} protocols", all_of_them, shown=shown)
        )
        self.found.setText(words)

    # ------------------------------------------------------------------ the search

    @property
    def family(self) -> str:
        """The key of the chosen family; "" for all."""
        item = self.families.currentItem()
        return "" if item is None else str(item.data(_KEY))

    @property
    def needed(self) -> tuple[str, ...]:
        return tuple(name for name, chip in self.chips.items() if chip.isChecked())

    @property
    def wanted(self) -> Wanted:
        """The whole search."""
        typed = question(self.field.text())
        families = typed.families + ((self.family,) if self.family and not typed.families else ())
        return replace(typed, families=families, needs=typed.needs + self.needed)

    def choose_family(self, key: str) -> None:
        """Choose only a family; "" for all."""
        for row in range(self.families.count()):
            if self.families.item(row).data(_KEY) == key:
                self.families.setCurrentRow(row)

    def choose_need(self, name: str) -> None:
        """Choose only a need."""
        if name in self.chips:
            self.chips[name].setChecked(True)

    def clear(self) -> bool:
        """Clear the search; return True if there was anything to clear."""
        if not self.field.text() and not self.family and not self.needed:
            return False
        self.blockSignals(True)
        self.field.clear()
        self.families.setCurrentRow(0)
        for chip in self.chips.values():
            chip.setChecked(False)
        self.blockSignals(False)
        self.changed.emit()
        return True

    def set_theme(self, theme: Theme) -> None:
        self.families.doItemsLayout()
        self._fit()


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("heading")
    return label


class _Row(QStyledItemDelegate):
    """A family: its symbol, its title in one or two lines, the number of its protocols."""

    def __init__(self, filters: Filters) -> None:
        super().__init__(filters)
        self.filters = filters

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        list_, theme = self.filters.families, self.filters.theme
        wide = max(list_.viewport().width() - 33 - theme.stretched(20), 60)
        font = theme.font("body", semibold=True)
        box = QFontMetrics(font).boundingRect(QRect(0, 0, wide, 200), _WORDS, str(index.data()))
        return QSize(60, max(box.height() + 9, 30))

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        p.save()
        try:
            self._paint(p, QRect(option.rect), option.state, index)
        finally:
            p.restore()

    def _paint(self, p: QPainter, box: QRect, state: QStyle.StateFlag, index: Index) -> None:
        theme, list_ = self.filters.theme, self.filters.families
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            p.fillRect(box, theme.color("accent.soft" if chosen else "surface.panelAlt"))
        if chosen:
            p.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.color("accent.base"))
        if chosen and list_.hasFocus():
            p.setPen(theme.color("accent.ring"))
            p.drawRect(box.adjusted(0, 0, -1, -1))
        key = str(index.data(_KEY))
        if key:
            tile = QRectF(box.left() + 8, box.center().y() - 9, 19, 19)
            family_tile(p, tile, theme, key, self.filters.devicePixelRatioF())
        count = theme.stretched(20)
        words = box.adjusted(33 if key else 10, 0, -count, 0)
        p.setFont(theme.font("body", semibold=chosen))
        p.setPen(theme.color("text.primary"))
        p.drawText(words, _WORDS, str(index.data()))
        p.setFont(theme.font("small"))
        p.setPen(theme.color("text.hint"))
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        p.drawText(box.adjusted(0, 0, -7, 0), right, str(index.data(_COUNT)))
