"""The pane of the classes of links: their names, their delays, and the number of links in each."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QToolButton, QWidget

from lydian.app.kit.fields import Field, hint
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.app.network.delays.distribution import LawEditor
from lydian.app.network.edits import NETWORK, check_class, rename_class
from lydian.language import tr
from lydian.model.delays import Distribution
from lydian.model.editing.links import drop_class, set_class
from lydian.model.network import Network
from lydian.views.words.words import plural

__all__ = ["ClassesPane"]

GROUP = "class"


class _Row(QFrame):
    """The row of one class: its name, its delay, its number of links, and a button that deletes it."""

    def __init__(self, pane: ClassesPane, name: str) -> None:
        super().__init__()
        self.pane, self.name = pane, name
        self.field = Field("", self._parsed, str, live=False)
        self.field.line.setAccessibleName(tr("Name of the class {link_class}", link_class=name))
        self.delay, self.links, self.delete = QPushButton(), QPushButton(), QToolButton()
        self.delay.setCheckable(True)
        self.delay.setToolTip(tr("Show and edit the delay of these links"))
        self.links.setToolTip(tr("Select the links of this class"))
        self.delete.setToolTip(tr("Delete the class; its links inherit the network's delay"))
        self.delete.setAccessibleName(tr("Delete the class {link_class}", link_class=name))
        for button in (self.delay, self.links):
            button.setObjectName("small")
        self.delay.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        across(
            (self.field, 1), *((widget, Qt.AlignmentFlag.AlignTop) for widget in (self.delay, self.links, self.delete)),
            on=self, spacing=6,
        )  # fmt: skip
        self.field.entered.connect(self._rename)
        self.delay.clicked.connect(lambda on: pane.open(name if on else None))
        self.links.clicked.connect(lambda: pane.choose_links(name))
        self.delete.clicked.connect(lambda: pane.drop(name))
        self.field.say(name, fresh=True)

    def _parsed(self, text: str) -> str:
        text = text.strip()
        return text if text == self.name else check_class(self.pane.board.network, text)

    def _rename(self, new: str) -> None:
        self.pane.rename(self.name, new)

    def say(self, law: Distribution, links: int, on: bool) -> None:
        self.delay.setText(tr("mean {mean:.3g}", mean=law.mean))
        self.delay.setAccessibleName(tr("Delay of {link_class}: {delay}", link_class=self.name, delay=law.short))
        self.delay.setChecked(on)
        self.links.setText(plural(links, "link"))
        self.links.setEnabled(links > 0)


class ClassesPane(QWidget):
    """The pane that lists all classes of links of the network."""

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board, self.theme = board, theme
        self.rows: dict[str, _Row] = {}
        self.opened: str | None = None
        self.law: LawEditor | None = None
        self.empty = hint(tr("No classes yet. The links of a class, such as long-haul or radio, share a delay."))
        self.add = Field("", lambda text: check_class(board.network, text), str, live=False)
        self.add.line.setAccessibleName(tr("Name of a new class of links"))
        self.add.line.setPlaceholderText(tr("New class: type a name and press Enter"))
        self._list = down(spacing=6)
        down(self.empty, self._list, self.add, on=self, spacing=6)
        self.add.entered.connect(self._add)
        self.add.cancelled.connect(lambda: self.add.say(None, fresh=True))

    def show_network(self, network: Network) -> None:
        """Show the classes of a network."""
        if list(self.rows) != list(network.classes):
            self._rebuild(network)
        numbers = Counter(link.klass for link in network.links)
        if self.opened not in network.classes:
            self.opened = None
        for name, row in self.rows.items():
            row.say(network.classes[name], numbers.get(name, 0), name == self.opened)
        self.empty.setVisible(not self.rows)
        self._show_law(network)

    def _rebuild(self, network: Network) -> None:
        for row in self.rows.values():
            row.hide()
            row.deleteLater()
        self.rows = {name: _Row(self, name) for name in network.classes}
        for row in self.rows.values():
            self._list.addWidget(row)
            set_look(row.delete, self.theme, icon="cross", icon_size=14)

    def _show_law(self, network: Network) -> None:
        if self.opened is None:
            if self.law is not None:
                self.law.hide()
            return
        fresh = False
        if self.law is None:
            self.law = LawEditor(self.theme, "delay of the class")
            self.law.changed.connect(self._delay)
            self.board.join(GROUP, self.law)
            fresh = True
        fresh = fresh or self.law.isHidden()
        at = self._list.indexOf(self.rows[self.opened]) + 1
        if self._list.indexOf(self.law) != at:
            self._list.removeWidget(self.law)
            self._list.insertWidget(self._list.indexOf(self.rows[self.opened]) + 1, self.law)
            fresh = True
        self.law.show()
        self.law.show_law(network.classes[self.opened], network.delay, NETWORK, fresh=fresh)

    # ------------------------------------------------------------------ edits

    def open(self, name: str | None) -> None:
        """Open the delay of a class for editing, or close the editor."""
        self.opened = name
        self.show_network(self.board.network)

    def choose_links(self, name: str) -> None:
        """Select the links of a class."""
        self.board.choose_links((link.a, link.b) for link in self.board.network.links if link.klass == name)

    def drop(self, name: str) -> None:
        """Delete a class."""
        self.board.once(
            tr("Delete class {link_class}", link_class=name),
            lambda network: drop_class(network, name),
            told=tr("Deleted class {link_class}", link_class=name),
        )

    def rename(self, old: str, new: str) -> None:
        """Rename a class."""
        if self.opened == old:
            self.opened = new
        self.board.once(
            tr("Rename class {link_class} to {name}", link_class=old, name=new),
            lambda network: rename_class(network, old, new),
        )

    def _add(self, name: str) -> None:
        self.opened = name
        text = tr("Add class {link_class}", link_class=name)
        self.board.once(text, lambda network: set_class(network, name, network.delay))
        self.add.say(None, fresh=True)

    def _delay(self, law: Distribution) -> None:
        name = self.opened
        if name is not None:
            text = tr("Delay of class {link_class}", link_class=name)
            self.board.do(text, lambda network: set_class(network, name, law), group=GROUP)
