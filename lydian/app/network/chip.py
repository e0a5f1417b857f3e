"""The chip that shows whether a protocol can run on the drawn network; its menu lists obstacles and remedies."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from lydian.app.kit.theming import mark, set_look
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board, Chosen
from lydian.language import tr
from lydian.model.editing.readiness import Obstacle, Readiness, readiness
from lydian.model.protocol.properties import Need

__all__ = ["Chip"]

#: With more processes and links than this, the chip checks the network after a pause and not at every edit.
LARGE = 5_000


class Chip(QToolButton):
    """A button that shows "Connected, 1 initiator" with a tick, or an obstacle; its menu offers remedies."""

    #: Emitted when the verdict has been checked again.
    changed = Signal()

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chip")
        self.board, self.theme = board, theme
        self.needs: tuple[Need, ...] = ()
        self.readiness = Readiness("")
        self._menu = QMenu(self)
        self.setMenu(self._menu)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(150)
        self._later.timeout.connect(self.look)
        board.changed.connect(self._changed)
        self._menu.aboutToShow.connect(self._fill)
        set_look(self, theme, font="body semibold")
        self.set_theme(theme)

    def set_needs(self, needs: Iterable[Need]) -> None:
        """Set the needs of the protocol and check the network."""
        self.needs = tuple(needs)
        self.look()

    def _changed(self) -> None:
        network = self.board.network
        if network.n + network.m > LARGE:
            self._later.start()
        else:
            self.look()

    def look(self) -> None:
        """Check the drawing again."""
        self._later.stop()
        self.readiness = readiness(self.board.network, self.needs)
        self._say()
        self.changed.emit()

    def _say(self) -> None:
        found = self.readiness
        self.setText(found.words)
        mark(self, ready=found.ready)
        sign = ("tick", "check.holds") if found.ready else ("warning", "check.warn")
        self.setIcon(icon(sign[0], self.theme, sign[1]))
        why = "; ".join(obstacle.sentence for obstacle in found.obstacles)
        self.setToolTip(
            tr("Cannot run on this network: {reason}", reason=why)
            if why
            else tr("The protocol can run on this network")
        )
        self.setAccessibleName(tr("Whether the protocol can run: {result}", result=found.words))
        self.setAccessibleDescription(why)
        self.updateGeometry()

    def _fill(self) -> None:
        self._menu.clear()
        if self.readiness.ready:
            needs = ", ".join(need.sentence for need in self.needs) or tr("nothing special")
            self._menu.addAction(tr("Required by the protocol: {needs}", needs=needs)).setEnabled(False)
        for number, obstacle in enumerate(self.readiness.obstacles):
            if number:
                self._menu.addSeparator()
            self._menu.addAction(_capital(obstacle.sentence)).setEnabled(False)
            if obstacle.processes or obstacle.links:
                self._menu.addAction(tr("Select them"), functools.partial(self.show_culprits, obstacle))
            if obstacle.remedy is not None:
                self._menu.addAction(obstacle.remedy.text, functools.partial(self.help, obstacle))

    def show_culprits(self, obstacle: Obstacle) -> None:
        """Select the processes and links that cause an obstacle."""
        self.board.choose(Chosen(obstacle.processes, obstacle.links))

    def help(self, obstacle: Obstacle) -> None:
        """Make the edit that removes an obstacle."""
        if obstacle.remedy is not None:
            self.board.do(obstacle.remedy.text, obstacle.remedy.edit)

    def set_theme(self, theme: Theme) -> None:
        self._say()


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
