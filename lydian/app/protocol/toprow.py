"""The row above the code: the file, the Run button and its network, three networks, and chips about failures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up, token
from lydian.app.look.theme import Theme
from lydian.app.protocol.document import ProtocolDocument
from lydian.language import tr, trc

__all__ = ["ProtocolRow"]


class ProtocolRow(QFrame):
    """The row with the title and menu of the file, the Run button, its network, and chips on the right."""

    run_wanted = Signal()
    three_wanted = Signal()
    #: Emitted with the name or specification of the network that was chosen.
    network_wanted = Signal(str)
    #: Emitted with the chip that was pressed: ``failure`` or ``open``.
    chip_wanted = Signal(str)
    #: Emitted with a new name for the file.
    renamed = Signal(str)

    def __init__(self, document: ProtocolDocument, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dockTitle")
        self.document = document
        self.menu_of: Callable[[QMenu], None] = lambda _menu: None
        self._networks: Callable[[], list[str]] = list
        self.title = QLabel()
        self.title.setObjectName("dockName")
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name of the file"))
        self.name.hide()
        self.name.returnPressed.connect(self._rename)
        self.name.installEventFilter(self)
        self.more = QToolButton()
        self.more.setAccessibleName(tr("File of the protocol: new, open, recent, rename"))
        self.more.setToolTip(tr("New, open, recent, rename, compare"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.more)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.more.setMenu(self.menu)
        self.run = set_up(
            QPushButton(tr("Run  F5")), look="runButton", name=tr("Run this protocol"),
            tip=tr("Save, check, run and play (F5)"), clicked=self.run_wanted,
        )  # fmt: skip
        self.on = QLabel(trc("before the name of a network", "on"))
        self.on.setObjectName("hint")
        self.network = set_up(QComboBox(), name=tr("Network of the run"), tip=tr("Network on which the protocol runs"))
        self.network.setMinimumContentsLength(9)
        self.network.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.network.activated.connect(lambda row: self.network_wanted.emit(str(self.network.itemData(row))))
        self.network.installEventFilter(self)
        self.on.setBuddy(self.network)
        self.seed = QLabel()
        self.seed.setObjectName("dockNote")
        self.three = QPushButton(tr("Three networks"))
        self.three.setAccessibleName(tr("Run on three networks"))
        self.three.setToolTip(tr("Run on a ring, a tree and a denser network at the same time (Ctrl+Alt+W)"))
        self.three.clicked.connect(self.three_wanted)
        self.chips: dict[str, QPushButton] = {}
        widgets: tuple[QWidget, ...] = (
            self.title, self.name, self.more, self.run, self.on, self.network, self.seed, self.three
        )  # fmt: skip
        row = across(*widgets, ..., on=self, margins=(12, 5, 8, 5), spacing=8)
        for name, words in (("failure", tr("Where the run failed")), ("open", tr("Open cells"))):
            chip = self.chips[name] = set_up(
                QPushButton(), look="chip", name=words, clicked=lambda _on=False, name=name: self.chip_wanted.emit(name)
            )
            chip.setProperty("failure", name == "failure")
            chip.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            chip.hide()
            row.addWidget(chip)
        for signal in (document.moved, document.edited, document.read):
            signal.connect(self._say)
        self.theme = theme
        set_look(self.title, theme, font="body semibold")
        tall = token("space.toolButton")
        set_look(self.run, theme, icon="play", ink="text.onAccent", height=tall)
        set_look(self.three, theme, icon="branch", height=tall)
        set_look(self.more, theme, icon="more", height=tall)
        set_look(self.network, theme, height=tall)
        self._say()

    def _say(self) -> None:
        document = self.document
        star = " •" if document.modified else ""
        self.title.setText(f"{document.name}{star}")
        where = str(document.path) if document.path is not None else tr("No file yet")
        self.title.setToolTip(tr("{file}; changed since it was saved", file=where) if star else where)

    def show_network(self, name: str, seed: int, networks: Callable[[], list[str]]) -> None:
        """Show the network of the run; ``networks`` returns the others when the list is opened."""
        self._networks = networks
        self.network.clear()
        self.network.addItem(name, name)
        self.network.setToolTip(tr("Network of the run: {network}", network=name))
        self.seed.setText(tr("seed {seed}", seed=seed))

    def show_chip(self, name: str, words: str, tip: str = "") -> None:
        """Show a chip with a text, or hide it if the text is empty."""
        chip = self.chips[name]
        chip.setText(words)
        chip.setToolTip(tip)
        chip.setVisible(bool(words))

    def begin_rename(self) -> None:
        """Open a field for a new name in place of the title."""
        if self.document.path is None or self.document.read_only:
            return
        self.name.setText(self.document.path.stem)
        self.name.selectAll()
        self.title.hide()
        self.name.show()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _rename(self) -> None:
        text = self.name.text()
        self._end_rename()
        self.renamed.emit(text)

    def _end_rename(self) -> None:
        self.name.hide()
        self.title.show()

    def _fill_menu(self) -> None:
        self.menu.clear()
        self.menu_of(self.menu)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.name:
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                if event.key() == Qt.Key.Key_Escape:
                    self._end_rename()
                    return True
            elif event.type() == QEvent.Type.FocusOut:
                self._end_rename()
        elif watched is self.network and event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress):
            self._fill_networks()
        return super().eventFilter(watched, event)

    def _fill_networks(self) -> None:
        """Fill the list of other networks when it is opened."""
        if self.network.count() > 1:
            return
        now = str(self.network.itemData(0))
        for name in self._networks():
            if name != now:
                self.network.addItem(name, name)


def shorter(path: Path, most: int = 46) -> str:
    """Shorten a path for a menu: return its end, without the home folder."""
    try:
        text = f"~/{path.relative_to(Path.home()).as_posix()}"
    except ValueError:
        text = str(path)
    return text if len(text) <= most else f"…{text[-most + 1 :]}"
