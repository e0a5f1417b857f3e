"""The controls over the view World: how deep the drawing is, and how the viewer moves."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QFrame, QLabel, QSlider, QWidget

from lydian.app.canvas.pilot import Pilot
from lydian.app.kit.fields import Segment
from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.language import tr, trc

__all__ = ["SpaceBar"]

#: The number of steps of the slider.
STEPS = 100
#: The distance from the edges of the view.
EDGE = 12


class SpaceBar(QWidget):
    """A slider from flat to deep, and the ways of moving, in the upper right corner of a view."""

    def __init__(self, over: QWidget, pilot: Pilot, theme: Theme, deepen: Callable[[float], None]) -> None:
        super().__init__(over)
        self._over, self.pilot, self.theme, self._deepen = over, pilot, theme, deepen
        self.setObjectName("spaceBar")
        flat, deep = QLabel(trc("drawing of a network", "flat")), QLabel(trc("drawing of a network", "deep"))
        words = tr("From the flat drawing to the one in three dimensions")
        self.slider = set_up(QSlider(Qt.Orientation.Horizontal), name=words, tip=words)
        self.slider.setRange(0, STEPS)
        self.slider.setValue(STEPS)
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.valueChanged.connect(lambda value: deepen(value / STEPS))
        for label in (flat, deep):
            set_look(label, theme, font="small")
        self.card = QFrame()
        self.card.setObjectName("spaceCard")
        across(flat, self.slider, deep, on=self.card, margins=(10, 0, 10, 0), spacing=8)
        self.modes = Segment(
            tr("How you move"),
            (
                ("orbit", trc("movement in space", "Orbit"), tr("Drag to turn, wheel to come nearer; H returns")),
                ("walk", trc("movement in space", "Walk"), tr("W, A, S, D or the arrows walk; drag to look around")),
                ("ride", tr("Ride a message"), tr("Travel with the selected message, or with the next one")),
                ("flight", tr("Guided flight"),
                 tr("Fly from stop to stop, which K adds, or around the network; Esc stops")),
            ),
            theme,
            height=26,
        )  # fmt: skip
        for button in self.modes.buttons.values():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.modes.say("orbit")
        self.modes.chosen.connect(self._choose)
        pilot.told = lambda: self.modes.say(pilot.mode)
        across(self.card, self.modes, on=self, spacing=8)
        over.installEventFilter(self)
        self.place()

    def _choose(self, mode: str) -> None:
        self.pilot.choose(mode)
        self.modes.say(self.pilot.mode)
        self._over.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_theme(self, theme: Theme) -> None:
        self.place()

    def place(self) -> None:
        """Move to the corner; in a narrow view only the slider or nothing is shown."""
        room = self._over.width() - 2 * EDGE
        for button in self.modes.buttons.values():
            button.ensurePolished()
            bold = QFont(button.font())
            bold.setWeight(QFont.Weight.DemiBold)  # as when it is chosen
            button.setMinimumWidth(math.ceil(QFontMetricsF(bold).horizontalAdvance(button.text())) + 28)
        self.slider.setFixedWidth(92 if room > 700 else 56)
        self.modes.setVisible(room >= self.modes.sizeHint().width() + self.card.sizeHint().width() + 8)
        size: QSize = self.sizeHint()
        self.setVisible(size.width() <= room and self._over.height() >= 160)
        self.resize(size)
        self.move(self._over.width() - EDGE - size.width(), EDGE)
        self.pilot.camera.cover("bar", self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.StyleChange):
            self.place()
        return False
