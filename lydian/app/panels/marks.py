"""The list of bookmarks, of the run's faults and violations, and of breakpoints."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QIcon, QKeyEvent, QPainter, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QPushButton,
    QStyledItemDelegate,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look
from lydian.app.look.theme import Theme
from lydian.app.panels.timeline import scrubmarks
from lydian.app.panels.timeline.goto import Field
from lydian.app.panels.timeline.scrubmarks import Mark
from lydian.app.panels.timeline.transport import time_text
from lydian.desk.kept.waypoints import Waypoints
from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput
from lydian.views.playback.until import moment

__all__ = ["MarksList"]

#: The subject of a row: ``("own", name)``, ``("found", time)``, ``("stop", number)``, or nothing for a heading.
WHAT = Qt.ItemDataRole.UserRole
_MOST = 500


class _Names(QStyledItemDelegate):
    """A delegate that edits names in a field that keeps Enter and Esc to itself."""

    def createEditor(self, parent: QWidget, option: object, index: object) -> QWidget:
        return Field(parent)


class MarksList(QWidget):
    """A tree of three groups with two buttons below it.

    A click goes to a mark. Bookmarks are renamed in place and deleted with Del; breakpoints have check boxes.
    """

    #: The user wants to go to this time.
    sought = Signal(float)
    #: A bookmark at this moment, or a breakpoint to be defined.
    bookmark_wanted = Signal()
    break_wanted = Signal()
    #: The name of a deleted mark, with a function that restores it.
    deleted = Signal(str)
    #: The number of marks, for the title.
    titled = Signal(str)
    #: A sentence about something that is impossible.
    refused = Signal(str)

    def __init__(self, waypoints: Waypoints, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.waypoints, self.head, self.theme = waypoints, waypoints.head, theme
        self.setAccessibleName(tr("Bookmarks and breakpoints"))
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Bookmarks, faults and breakpoints"))
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(12)
        self.tree.setExpandsOnDoubleClick(False)
        self.tree.setItemDelegateForColumn(0, _Names(self.tree))
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.here, self.when = QPushButton(tr("Bookmark here")), QPushButton(tr("Break when…"))
        self.here.setToolTip(tr("Set a bookmark at this moment (B)"))
        self.when.setToolTip(tr("Stop whenever a condition is met (F9)"))
        self.here.clicked.connect(self.bookmark_wanted)
        self.when.clicked.connect(self.break_wanted)
        down(
            (self.tree, 1),
            across(self.here, self.when, ..., margins=(8, 6, 8, 8), spacing=6),
            on=self, spacing=0,
        )  # fmt: skip
        self._filling = False
        self._shown: object = None
        self.tree.itemClicked.connect(self._clicked)
        self.tree.itemActivated.connect(self._activated)
        self.tree.itemChanged.connect(self._edited)
        self.tree.installEventFilter(self)
        waypoints.changed.connect(self.refresh)
        set_look(self.tree, theme, font="body")
        self.set_theme(theme)

    def sizeHint(self) -> QSize:
        return QSize(300, 320)

    def set_theme(self, theme: Theme) -> None:
        self._shown = None
        self.refresh()

    # ------------------------------------------------------------------ the rows

    def refresh(self) -> None:
        """List the marks if they have changed."""
        head = self.head
        key = (head.timeline, head.animation, head.bookmarks, self.waypoints.breakpoints, head.stops, self.theme)
        count, breaks = len(head.bookmarks), len(self.waypoints.breakpoints)
        said = [trn("{count} bookmark", "{count} bookmarks", count)] if count else []
        said += [trn("{count} breakpoint", "{count} breakpoints", breaks)] if breaks else []
        self.titled.emit(", ".join(said))
        if key == self._shown or not self.isVisible():
            return  # a hidden list is filled when it is shown
        self._shown = key
        here = self.tree.currentItem()
        kept = None if here is None else here.data(0, WHAT)
        self._filling = True
        try:
            self._fill()
            for item in self.items():
                if kept is not None and item.data(0, WHAT) == kept:
                    self.tree.setCurrentItem(item)
        finally:
            self._filling = False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def items(self) -> list[QTreeWidgetItem]:
        """Return the rows that are not headings."""
        groups = [self.tree.topLevelItem(i) for i in range(self.tree.topLevelItemCount())]
        found = [group.child(i) for group in groups if group is not None for i in range(group.childCount())]
        return [item for item in found if item is not None]

    def _fill(self) -> None:
        self.tree.clear()
        head = self.head
        group = self._group(
            tr("Bookmarks"), tr("None yet: press B to add one, or Ctrl+B to name it."), len(head.bookmarks)
        )
        for mark in head.bookmarks.marks:
            late = mark.time > head.end and head.events > 0
            item = self._row(group, mark.name, time_text(mark.time, head.end), "own", ("own", mark.name))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            item.setToolTip(0, scrubmarks.about(Mark(mark.time, "own", mark.name), head.end))
            if late:
                self._pale(item, tr("After the end of this run at {time}", time=time_text(head.end, head.end)))
        found = [mark for mark in head.marks if mark.kind != "own"]
        group = self._group(tr("Faults and violations"), tr("None in this run."), len(found))
        for number, mark in enumerate(found[:_MOST]):
            sign = "fault" if mark.kind == "fault" else "check"
            self._row(group, mark.name, time_text(mark.time, head.end), sign, ("found", number, mark.time))
        group = self._group(tr("Breakpoints"), tr("None yet: press F9 to add one."), len(self.waypoints.breakpoints))
        for number, each in enumerate(self.waypoints.breakpoints):
            item = self._row(group, str(each), "", "stop", ("stop", number))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0, Qt.CheckState.Checked if each.on else Qt.CheckState.Unchecked)
            words = tr("Breakpoint: {condition}, on") if each.on else tr("Breakpoint: {condition}, off")
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, words.format(condition=each))
            problem = self.waypoints.problem(number)
            if problem:
                item.setText(1, trc("breakpoint", "never"))
                self._pale(item, problem)

    def _group(self, title: str, empty: str, count: int) -> QTreeWidgetItem:
        group = QTreeWidgetItem([title])
        group.setFont(0, self.theme.font("small", semibold=True))
        group.setForeground(0, QBrush(self.theme.color("text.secondary")))
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.tree.addTopLevelItem(group)
        group.setExpanded(True)
        if not count:
            item = QTreeWidgetItem([empty])
            item.setForeground(0, QBrush(self.theme.color("text.hint")))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            group.addChild(item)
            item.setFirstColumnSpanned(True)
        return group

    def _row(self, group: QTreeWidgetItem, text: str, when: str, sign: str, what: object) -> QTreeWidgetItem:
        item = QTreeWidgetItem([text, when])
        item.setIcon(0, self._sign(sign))
        item.setData(0, WHAT, what)
        item.setToolTip(0, text)
        item.setForeground(1, QBrush(self.theme.color("text.hint")))
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        group.addChild(item)
        return item

    def _pale(self, item: QTreeWidgetItem, why: str) -> None:
        item.setForeground(0, QBrush(self.theme.color("text.hint")))
        item.setToolTip(0, why)
        item.setToolTip(1, why)

    def _sign(self, sign: str) -> QIcon:
        """Return the sign that the mark has on the time line."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(round(17 * ratio), round(17 * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        try:
            scrubmarks.draw(painter, self.theme, Mark(0.0, sign, ""), 6.0 if sign == "own" else 8.5)
        finally:
            painter.end()
        return QIcon(picture)

    # ------------------------------------------------------------------ actions

    def _clicked(self, item: QTreeWidgetItem, _column: int) -> None:
        what = item.data(0, WHAT)
        if what is None:
            return
        if what[0] == "own" and what[1] in self.head.bookmarks:
            self.sought.emit(self.head.bookmarks.get(what[1]).time)
        elif what[0] == "found":
            self.sought.emit(what[2])

    def _activated(self, item: QTreeWidgetItem, column: int) -> None:
        """Go to the next moment at which a breakpoint stops, when Enter is pressed."""
        what = item.data(0, WHAT)
        if what is not None and what[0] == "stop" and self.head.timeline is not None:
            wanted = self.waypoints.breakpoints[what[1]]
            found = moment(wanted, self.head.timeline, self.head.t, 1, self.head.animation)
            found = found or moment(wanted, self.head.timeline, self.head.start, 1, self.head.animation)
            if found is not None:
                self.sought.emit(found[0])
        else:
            self._clicked(item, column)

    def _edited(self, item: QTreeWidgetItem, _column: int) -> None:
        what = item.data(0, WHAT)
        if self._filling or what is None:
            return
        # that refills the list, which must wait until the row is no longer being edited
        text, on = item.text(0), item.checkState(0) == Qt.CheckState.Checked
        QTimer.singleShot(0, self, lambda: self._take(what, text, on))

    def _take(self, what: tuple[str, Any], text: str, on: bool) -> None:
        """Apply the user's change to a row."""
        if what[0] == "stop" and what[1] < len(self.waypoints.breakpoints):
            self.waypoints.switch(what[1], on)
        elif what[0] == "own" and text != what[1] and what[1] in self.head.bookmarks:
            try:
                self.waypoints.rename(what[1], text)
            except BadInput as error:
                self.refused.emit(str(error)[:1].upper() + str(error)[1:] + ".")
                self._shown = None
                self.refresh()

    def delete(self) -> None:
        """Delete the current bookmark or breakpoint."""
        item = self.tree.currentItem()
        what = None if item is None else item.data(0, WHAT)
        if what is None or what[0] == "found":
            return
        if what[0] == "own":
            self.waypoints.delete(what[1])
            self.deleted.emit(tr("Bookmark {name!r} was deleted.", name=what[1]))
        else:
            words = str(self.waypoints.breakpoints[what[1]])
            self.waypoints.delete_break(what[1])
            self.deleted.emit(tr("The breakpoint at {condition} was deleted.", condition=words))

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Keep Del, Ctrl+Z and Ctrl+Shift+Z for the list."""
        if isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
            undo = self.waypoints.undo
            deed = {
                (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier): self.delete,
                (Qt.Key.Key_Z, control): undo.undo if undo.can_undo else None,
                (Qt.Key.Key_Z, control | shift): undo.redo if undo.can_redo else None,
            }.get((Qt.Key(event.key()), held))
            if deed is not None:
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    deed()
                return True
        return False
