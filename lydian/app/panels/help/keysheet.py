"""The sheet of all keys, on which they can be looked up and changed; a window beside the main one, not a dialog."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from lydian.app.commands.keymap import FIXED, KeyMap, native, title
from lydian.app.commands.table import MENUS, commands, menu_titles
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_up
from lydian.app.look.theme import Theme
from lydian.language import tr, trc

__all__ = ["KeySheet", "sheet"]

_MOUSE = (
    (tr("Click"), tr("selects in every view; with Ctrl it adds")),
    (tr("Right click"), tr("menu of a thing (Menu key or Shift+F10: menu of the selection)")),
    (tr("Double click"), tr("an event: go there; a disc of processes: zoom to it; empty space: show everything")),
    (tr("Wheel"), tr("zooms at the pointer; with Shift it scrolls along time")),
    (tr("Middle drag"), tr("moves the view")),
    (tr("Drag"), tr("in views along time and on the time line: moves through the run")),
    (tr("Up, Down"), tr("on the time line: previous and next bookmark; F2 renames it, Del deletes it")),
    (tr("Alt+arrows"), tr("selects the neighbouring process in that direction")),
)
_RULE = tr("Single keys act while a view has the focus, and never where text is being typed.")
_NAME = Qt.ItemDataRole.UserRole


def sheet(names: set[str], theme: Theme) -> str:
    """Return the default keys of the commands with these names as simple HTML."""
    hint = theme.color("text.hint").name()
    out = []
    for menu in MENUS:
        rows = [c for c in commands() if c.menu.split("/")[0] == menu and c.name in names and c.keys]
        if rows:
            out.append(f"<h3>{html.escape(menu_titles(menu)[0])}</h3><table cellspacing='0' cellpadding='3'>")
            for command in rows:
                keys = tr(" or ").join(native(key) for key in command.keys)
                out.append(
                    f"<tr><td width='170'><b>{html.escape(keys)}</b></td><td>{html.escape(command.help)}</td></tr>"
                )
            out.append("</table>")
    out.append(f"<h3>{tr('Mouse')}</h3><table cellspacing='0' cellpadding='3'>")
    out += [f"<tr><td width='170'><b>{a}</b></td><td>{b}</td></tr>" for a, b in _MOUSE]
    out.append(f"</table><p style='color:{hint}'>{_RULE}</p>")
    return "".join(out)


def _items_of(group: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    found = (group.child(number) for number in range(group.childCount()))
    return [item for item in found if item is not None]


class _Press(QKeySequenceEdit):
    """A field that takes the next key that is pressed, whatever its effect elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.setMaximumSequenceLength(1)
        self.setFinishingKeyCombinations([])
        self.setAccessibleName(tr("New key"))
        self.setAccessibleDescription(tr("Press the key for the selected command"))
        field = self.findChild(QLineEdit)
        assert field is not None
        field.setAccessibleName(tr("New key"))
        field.setPlaceholderText(tr("Press a key"))
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return bool(super().eventFilter(watched, event))


class KeySheet(QDialog):
    """A list of all commands with their keys, a field to search it, and a line to change the keys of one.

    If a key belongs to another command, that command is named at once, with a button that reassigns the key.
    """

    def __init__(self, keymap: KeyMap, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.keymap = keymap
        self.setWindowTitle(tr("Keys"))
        self.setAccessibleName(tr("Keys"))
        self.setObjectName("keySheet")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = set_up(QLineEdit(), name=tr("Find a command or a key"), empty=tr("Find a command or a key"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = QTreeWidget()
        self.list.setAccessibleName(tr("Commands and their keys"))
        self.list.setHeaderLabels([tr("Command"), tr("Keys"), tr("What it does")])
        self.list.setAlternatingRowColors(False)
        self.list.setUniformRowHeights(True)
        self.list.currentItemChanged.connect(self._chosen)
        self.press = _Press()
        self.press.keySequenceChanged.connect(self._pressed)
        self.say = set_up(QLabel(_RULE), look="explained", wraps=True)
        self.give, self.add = QPushButton(trc("key of a command", "Set")), QPushButton(trc("key of a command", "Add"))
        self.remove, self.usual = QPushButton(tr("No key")), QPushButton(trc("key of a command", "Default"))
        self.all_usual = QPushButton(tr("All defaults"))
        for button, tip, act in (
            (self.give, tr("Make this the only key of the command"), lambda: self._set(False)),
            (self.add, tr("Add this key to the keys of the command"), lambda: self._set(True)),
            (self.remove, tr("Remove all keys from the command"), lambda: self._change(())),
            (self.usual, tr("Restore the default keys of the command"), self._reset),
            (self.all_usual, tr("Restore the default keys of all commands"), keymap.reset_all),
        ):
            button.setToolTip(tip)
            button.setAccessibleDescription(tip)
            button.setAutoDefault(False)
            button.clicked.connect(act)
        down(
            self.search, (self.list, 1), across((self.press, 1), self.give, self.add), self.say,
            across(self.remove, self.usual, ..., self.all_usual), on=self, margins=12,
        )  # fmt: skip
        self._items: dict[str, QTreeWidgetItem] = {}
        self._groups: list[QTreeWidgetItem] = []
        keymap.changed.connect(self._fill)
        self._build()
        self.set_theme(theme)
        self._able()

    def set_theme(self, theme: Theme) -> None:
        """Adapt the columns and the size to the current size of text."""
        metrics = self.list.fontMetrics()
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.list.setColumnWidth(0, metrics.horizontalAdvance("M" * 17))
        self.list.setColumnWidth(1, metrics.horizontalAdvance("M" * 14))
        screen = self.screen().availableGeometry()
        self.resize(min(theme.grown(760), screen.width() - 40), min(theme.grown(620), screen.height() - 60))

    def show_command(self, name: str) -> None:
        """Select a command in the list."""
        self.list.setCurrentItem(self._items[name])

    # ------------------------------------------------------------------ the list

    def _build(self) -> None:
        groups: dict[str, QTreeWidgetItem] = {}
        for command in self.keymap.commands():
            menu = menu_titles(command.menu)[0]
            if menu not in groups:
                groups[menu] = self._group(menu)
            item = QTreeWidgetItem(groups[menu], [title(command), "", command.help])
            item.setData(0, _NAME, command.name)
            item.setToolTip(2, command.help)
            self._items[command.name] = item
        fixed = self._group(tr("Everywhere"))
        for key, does in FIXED.items():
            QTreeWidgetItem(fixed, [does[:1].upper() + does[1:], native(key), tr("Cannot be changed")])
        mouse = self._group(tr("Mouse"))
        for deed, does in _MOUSE[:-1]:
            QTreeWidgetItem(mouse, [deed, "", does]).setToolTip(2, does)
        self.list.expandAll()
        self._fill()

    def _group(self, name: str) -> QTreeWidgetItem:
        group = QTreeWidgetItem(self.list, [name])
        self._groups.append(group)
        group.setFirstColumnSpanned(True)
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = group.font(0)
        font.setBold(True)
        group.setFont(0, font)
        return group

    def _fill(self) -> None:
        for name, item in self._items.items():
            keys = self.keymap.keys(name)
            changed = keys != self.keymap.usual(name)
            item.setText(1, tr(" or ").join(native(key) for key in keys))
            item.setToolTip(1, tr("Changed by you") if changed else "")
            font = item.font(1)
            font.setItalic(changed)
            item.setFont(1, font)
        self._filter(self.search.text())

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        for group in self._groups:
            shown = 0
            for item in _items_of(group):
                said = " ".join((group.text(0), *(item.text(c) for c in range(3)))).casefold()
                item.setHidden(not all(word in said for word in words))
                shown += not item.isHidden()
            group.setHidden(not shown)

    # ------------------------------------------------------------------ changes

    @property
    def command(self) -> str:
        """The name of the selected command, or "" if there is none."""
        item = self.list.currentItem()
        return str(item.data(0, _NAME) or "") if item is not None else ""

    @property
    def pressed(self) -> str:
        """The key that was pressed."""
        return self.press.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _chosen(self) -> None:
        self.press.clear()
        self._able()

    def _pressed(self) -> None:
        self._able()

    def _able(self) -> None:
        name, key = self.command, self.pressed
        said = self.keymap.conflict(name, key) if name and key else ""
        owner = self.keymap.owner(key) if key else ""
        fixed = key in FIXED
        if said and not fixed:
            said += f" {tr('That command will lose it.')}"
        if name and key and not said and owner == name:
            said = tr("The command already has this key.")
        self.say.setText(said or _RULE)
        mark(self.say, "problem" if said else "explained", conflict=bool(said))
        taken = bool(owner) and owner != name
        self.give.setText(tr("Reassign") if taken and not fixed else trc("key of a command", "Set"))
        for button in (self.give, self.add):
            button.setEnabled(bool(name and key) and not fixed)
        self.press.setEnabled(bool(name))
        self.remove.setEnabled(bool(name) and bool(self.keymap.keys(name)))
        self.usual.setEnabled(bool(name) and self.keymap.keys(name) != self.keymap.usual(name))

    def _set(self, beside: bool) -> None:
        name, key = self.command, self.pressed
        if name and key:
            self._change((*self.keymap.keys(name), key) if beside else (key,))

    def _change(self, keys: tuple[str, ...]) -> None:
        if self.command:
            self.keymap.set(self.command, keys)
            self.press.clear()
            self._able()

    def _reset(self) -> None:
        if self.command:
            self.keymap.reset(self.command)
            self._able()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the sheet on Esc, and ignore Return."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)
