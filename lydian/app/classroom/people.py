"""The people of a class: who plays which process, who watches, and what has happened."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabBar,
    QToolButton,
    QWidget,
)

from lydian.app.classroom.cards import button
from lydian.app.classroom.roundbar import remaining
from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.icons import pixmap
from lydian.app.look.shapes import state_icon
from lydian.app.look.theme import HOLLOW, Theme
from lydian.desk.hosting import Hosting, Person
from lydian.language import tr, trc, trn

__all__ = ["PeopleCard", "Row", "rows_of"]

_ROW = Qt.ItemDataRole.UserRole
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight) | _MIDDLE
#: The most chips of people who watch.
CHIPS = 60


@dataclass(frozen=True)
class Row:
    """A process in the list.

    Attributes:
        slot: the look of its state.
        person: who plays it; ``None`` for the program.
    """

    process: str
    slot: int
    person: Person | None

    @property
    def name(self) -> str:
        """Who plays it."""
        return tr("the program") if self.person is None else self.person.name

    def status(self, now: float) -> tuple[str, str, str]:
        """Return an icon, words and the colour for what the person is doing; never what was chosen."""
        person = self.person
        if person is None:
            return "chip", tr("by itself"), "text.hint"
        if person.due is not None:
            return "warning", tr("back in {time}", time=remaining(person.due - now)), "check.warn"
        return {
            "chosen": ("lock", tr("chosen"), "accent.base"),
            "choosing": ("", tr("choosing…"), "text.hint"),
            "away": ("warning", trc("a person", "away"), "check.warn"),
        }.get(person.status, ("", trc("a person", "here"), "text.hint"))


def rows_of(processes: Sequence[str], slots: Callable[[str], int], players: dict[str, Person]) -> list[Row]:
    """Return the rows of the list."""
    return [Row(each, slots(each), players.get(each)) for each in processes]


class PeopleCard(QWidget):
    """The people.

    Attributes:
        list: the processes with their players.
        slots: returns the look of a process's state.
    """

    #: Emitted with a person who was removed.
    removed = Signal(object)

    def __init__(self, hosting: Hosting, theme: Theme) -> None:
        super().__init__()
        self.hosting, self.theme = hosting, theme
        self.setObjectName("classCard")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("People"))
        self.slots: Callable[[str], int] = lambda _process: HOLLOW
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.addTab(tr("People"))
        self.tabs.addTab(tr("Log"))
        self.heading = set_up(QLabel(), look="cardValue", plain=True)
        self.deal = set_up(
            QToolButton(), look="classLink", tip=tr("Give the free processes to those who would like one"),
            clicked=lambda _on=False: hosting.lead("deal"),
        )  # fmt: skip
        self.deal.setText(tr("Deal again"))
        self.deal.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        set_look(self.deal, theme, icon="turns", icon_size=14)
        self.list = _Processes(theme)
        self.list.asked.connect(self._menu_of_row)
        self.around = set_up(QLabel(), look="cardValue", plain=True)
        chips = QWidget()
        chips.setObjectName("classChips")
        self.chips = FlowRow(chips, margin=2, gap=6)
        area = QScrollArea()
        area.setWidget(chips)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setObjectName("classArea")
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(tr("People who watch"))
        self.area = area
        top = across((self.heading, 1), self.deal, margins=(10, 6, 8, 4), spacing=6)
        self.foot = held(down(self.around, (area, 1), margins=(10, 6, 8, 8), spacing=4), "classFoot")
        self.foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        page = held(down(top, (self.list, 1), self.foot))
        self.log = QListWidget()
        self.log.setObjectName("classLog")
        self.log.setAccessibleName(tr("Log"))
        self.log.setWordWrap(True)
        self.log.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.pages = QStackedWidget()
        self.pages.addWidget(page)
        self.pages.addWidget(self.log)
        self.tabs.currentChanged.connect(self.pages.setCurrentIndex)
        self.rename = _Renaming(theme)
        self.rename.done.connect(lambda person, name: hosting.lead("rename", person=person, name=name))
        down(across(self.tabs, ..., margins=(4, 0, 4, 0)), self.rename, (self.pages, 1), on=self, margins=1)
        self._shown: object = None
        self._low = False
        self.set_theme(theme)

    def refresh(self) -> None:
        """Show the people as they are now."""
        hosting, welcome = self.hosting, self.hosting.welcome
        processes = [] if welcome is None else [str(each) for each in welcome.processes]
        players = hosting.players
        self.list.show_rows(rows_of(processes, self.slots, players))
        count = len(hosting.everybody)
        self.tabs.setTabText(0, trn("{count} person", "{count} people", count))
        playing = trn("Playing: {count} person", "Playing: {count} people", len(players))
        self.heading.setText(playing)
        watching = sorted(hosting.watching, key=lambda each: not each.hand)
        hands = sum(each.hand for each in watching)
        words = trn("Watching: {count}", "Watching: {count}", len(watching))
        if hands:
            words = trn("Watching: {all}, {count} hand up", "Watching: {all}, {count} hands up", hands,
                        all=len(watching))  # fmt: skip
        self.around.setText(words)
        self.foot.setVisible(bool(watching))
        self._chips(watching)
        if self.log.count() != len(hosting.log) or (hosting.log and self._shown != hosting.log[-1]):
            self._shown = hosting.log[-1] if hosting.log else None
            self.log.clear()
            self.log.addItems(list(reversed(hosting.log)))

    def fold(self, low: bool) -> None:
        """Show fewer of those who watch at once if there is little room."""
        if low != self._low:
            self._low = low
            self.set_theme(self.theme)

    def _chips(self, watching: Sequence[Person]) -> None:
        """Show those who watch."""
        key = [(each.number, each.name, each.hand, each.status) for each in watching]
        if key == getattr(self, "_chipped", None):
            return
        self._chipped = key
        while (item := self.chips.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for person in watching[:CHIPS]:
            chip = set_up(QToolButton(), look="classChip", name=person.name)
            chip.setText(person.name)
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            chip.clicked.connect(partial(self._menu_of_chip, chip, person))
            chip.customContextMenuRequested.connect(partial(self._menu_of_chip, chip, person))
            mark(chip, hand=person.hand, away=person.status == "away")
            if person.hand:
                chip.setAccessibleDescription(tr("hand up"))
                set_look(chip, self.theme, icon="hand", ink="check.warn", icon_size=14)
            self.chips.addWidget(chip)
        if len(watching) > CHIPS:
            self.chips.addWidget(QLabel(trn("and {count} more", "and {count} more", len(watching) - CHIPS)))

    # ------------------------------------------------------------------ what can be done

    def menu(self, person: Person | None, process: str | None) -> QMenu:
        """Return the menu of a person, or of a process that the program plays."""
        hosting = self.hosting
        menu = QMenu(self)
        welcome = hosting.welcome
        processes = [] if welcome is None else [str(each) for each in welcome.processes]
        players = hosting.players
        if person is not None:
            give = menu.addMenu(tr("&Give a process"))
            for each in processes:
                other = players.get(each)
                words = each if other is None else tr("{process} (now {name})", process=each, name=other.name)
                give.addAction(words, partial(hosting.lead, "give", person=person.number, process=each)).setEnabled(
                    each != person.process
                )
            if person.process is not None:
                menu.addAction(
                    tr("&Take back process {process}", process=person.process),
                    partial(hosting.lead, "take", process=person.process),
                )
            menu.addAction(tr("&Rename for the class…"), lambda: self.rename.ask(person))
            menu.addSeparator()
            menu.addAction(tr("Re&move from the class"), partial(self._remove, person))
        elif process is not None:
            give = menu.addMenu(tr("&Give to"))
            for other in hosting.watching:
                give.addAction(other.name, partial(hosting.lead, "give", person=other.number, process=process))
            give.setEnabled(bool(hosting.watching))
        return menu

    def _remove(self, person: Person) -> None:
        self.hosting.lead("remove", person=person.number)
        self.removed.emit(person)

    def _menu_of_row(self, row: Row, at: QPoint) -> None:
        self._open(self.menu(row.person, row.process), at)

    def _menu_of_chip(self, chip: QWidget, person: Person, *_where: object) -> None:
        self._open(self.menu(person, None), chip.mapToGlobal(QPoint(0, chip.height())))

    def _open(self, menu: QMenu, at: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def set_theme(self, theme: Theme) -> None:
        self.area.setFixedHeight(theme.grown(34 if self._low else 96))
        self.log.setSpacing(2)


class _Renaming(QWidget):
    """The field in which a person gets another name for the class."""

    #: Emitted with the number of the person and the name.
    done = Signal(int, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.person: Person | None = None
        self.field = set_up(QLineEdit(), name=tr("Name for the class"))
        self.field.setMaxLength(24)
        self.field.returnPressed.connect(self._take)
        ok = button(theme, tr("Rename"), "tick", lambda _on=False: self._take())
        no = set_up(QToolButton(), name=tr("Cancel"), tip=tr("Cancel"), clicked=lambda _on=False: self.hide())
        set_look(no, theme, icon="close", icon_size=14)
        across((self.field, 1), ok, no, on=self, margins=(10, 6, 8, 4), spacing=6)
        self.hide()

    def ask(self, person: Person) -> None:
        """Ask for the name of a person."""
        self.person = person
        self.field.setText(person.name)
        self.show()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take(self) -> None:
        name = self.field.text().strip()
        if self.person is not None and name:
            self.done.emit(self.person.number, name)
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


class _Processes(QListWidget):
    """The processes with their players; the Menu key or a right click opens the menu of one."""

    #: Emitted with a row and the place at which its menu is to open.
    asked = Signal(object, QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.setObjectName("classPeople")
        self.setAccessibleName(tr("Processes and their players"))
        self.setItemDelegate(_Drawn(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self._rows: list[Row] = []

    def show_rows(self, rows: list[Row]) -> None:
        """List these rows."""
        if rows == self._rows:
            self.viewport().update()
            return
        self._rows = rows
        while self.count() > len(rows):
            self.takeItem(self.count() - 1)
        while self.count() < len(rows):
            self.addItem(QListWidgetItem())
        now = time.monotonic()
        for number, row in enumerate(rows):
            item = self.item(number)
            item.setData(_ROW, row)
            words = f"{row.process}, {row.name}, {row.status(now)[1]}"
            if row.person is not None and row.person.hand:
                words += ", " + tr("hand up")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, words)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            item = self.itemAt(event.pos())
            at = event.globalPos()
        else:
            item = self.currentItem()
            box = self.visualItemRect(item) if item is not None else QRect()
            at = self.viewport().mapToGlobal(box.bottomLeft() + QPoint(30, 0))
        if item is not None:
            self.asked.emit(item.data(_ROW), at)


class _Drawn(QStyledItemDelegate):
    """A delegate that draws a process with its player."""

    def __init__(self, view: _Processes) -> None:
        super().__init__(view)
        self.view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, max(29, QFontMetrics(self.view.theme.font("body")).height() + 10))

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        theme, row, box = self.view.theme, index.data(_ROW), option.rect
        p.save()
        if option.state & QStyle.StateFlag.State_Selected and self.view.hasFocus():
            p.fillRect(box, theme.color("accent.soft"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            p.fillRect(box, theme.color("surface.panelAlt"))
        p.setPen(theme.color("border.subtle"))
        p.drawLine(box.topLeft(), box.topRight())
        fonts = theme.font("small", semibold=True), theme.font("small")
        p.setFont(fonts[0])
        p.setPen(theme.color("text.primary"))
        wide = max(24, QFontMetrics(fonts[0]).horizontalAdvance(row.process) + 8)
        p.drawText(QRect(box.left() + 4, box.top(), wide, box.height()), _RIGHT, row.process)
        x = box.left() + wide + 12
        side = 18
        p.drawPixmap(x, box.center().y() - side // 2 + 1, state_icon(theme, row.slot, side))
        x += side + 8
        icon, words, ink = row.status(time.monotonic())
        p.setFont(fonts[0] if icon and icon != "chip" else fonts[1])
        metrics = QFontMetrics(p.font())
        right = box.right() - 10
        p.setPen(QPen(theme.color(ink)))
        p.drawText(QRect(right - metrics.horizontalAdvance(words) - 2, box.top(),
                         metrics.horizontalAdvance(words) + 2, box.height()), _RIGHT, words)  # fmt: skip
        right -= metrics.horizontalAdvance(words) + 6
        ratio = self.view.devicePixelRatioF()
        if icon:
            right -= 14
            p.drawPixmap(right, box.center().y() - 6, pixmap(icon, theme.color(ink), 14, ratio))
            right -= 6
        if row.person is not None and row.person.hand:
            right -= 14
            p.drawPixmap(right, box.center().y() - 6, pixmap("hand", theme.color("check.warn"), 14, ratio))
            right -= 6
        p.setFont(fonts[1] if row.person is None else theme.font("body"))
        p.setPen(theme.color("text.hint" if row.person is None else "text.primary"))
        room = QRect(x, box.top(), max(0, right - x), box.height())
        name = QFontMetrics(p.font()).elidedText(row.name, Qt.TextElideMode.ElideRight, room.width())
        p.drawText(room, _MIDDLE, name)
        p.restore()
