"""The bar at the bottom, which is always visible: narration, time line, transport."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.kit.layout import down
from lydian.app.look.theme import Theme
from lydian.app.panels.breakpoints import ConditionBar
from lydian.app.panels.narration import Narration
from lydian.app.panels.timeline.scrubber import RULER, Scrubber
from lydian.app.panels.timeline.transport import Transport
from lydian.desk.playhead import Playhead

__all__ = ["BottomBar"]


class BottomBar(QFrame):
    """Three full-width lines, with the bar for conditions above them when it is open.

    As a picture of the player, it updates itself.
    """

    def __init__(
        self,
        playhead: Playhead,
        theme: Theme,
        camera: TimeCamera,
        actions: Mapping[str, QAction],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("bottom")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.narration = Narration(playhead, theme, actions)
        self.scrubber = Scrubber(playhead, theme, camera)
        self.transport = Transport(playhead, theme, actions)
        self.condition = ConditionBar(playhead, theme)
        self.condition.opened.connect(lambda _on: self._fit())
        self.condition.settled.connect(self._fit)
        down(self.condition, self.narration, (self.scrubber, 1), self.transport, on=self, margins=1, spacing=0)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        """Set the height to that of its content."""
        theme = self.theme
        line = (72 if theme.projector else 74) + theme.grown(RULER) - RULER
        self.condition.settle(self.width())
        bar = 0 if self.condition.isHidden() else self.condition.sizeHint().height()
        self.setFixedHeight(bar + self.narration.height() + line + theme.stretched(58 if theme.projector else 46))

    def refresh(self) -> None:
        """Show the play head's moment."""
        self.narration.refresh()
        self.scrubber.refresh()
        self.transport.refresh()
