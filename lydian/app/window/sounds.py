"""The sound of a window: its commands and settings, and the walk around a process for a screen reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from lydian.app.canvas.cameras import NetworkCamera, SpaceCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.canvas.hearcard import HearCard
from lydian.app.kit.announcer import Announcer
from lydian.app.panels.sounds import SoundPopup
from lydian.desk.sounding import Sounding
from lydian.language import tr
from lydian.sound.space import Listener

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["Sounds"]

WIDTH = 420


class Sounds:
    """The commands for sound.

    Attributes:
        sounding: what plays the run.
        popup: the settings, once they have been opened.
    """

    def __init__(self, desk: Desk, stage: Stage, toolbar: QWidget) -> None:
        self.desk, self.stage, self.toolbar = desk, stage, toolbar
        self.sounding = Sounding(desk.playhead, desk.settings, desk.notices)
        self.sounding.listener, self.sounding.space = self.listener, self.space
        self.sounding.changed.connect(self._changed)
        self.announcer = Announcer(toolbar)
        self.popup: SoundPopup | None = None
        self.cards: dict[Canvas, HearCard] = {}
        for canvas in stage.pictures():
            self.attach(canvas)
        stage.canvas_made.connect(self.attach)
        self._unsubscribe = desk.playhead.changed.connect(self._heard)
        if desk.settings.sound:
            self.sounding.switch(True)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"sound": self.switch, "sound_settings": self.show, "walk": self.walk}

    def switch(self, on: bool) -> None:
        """Switch sound on or off, and report it."""
        sounding = self.sounding
        sounding.switch(on)
        if sounding.on == on and (sounding.speaker.heard or not on):
            words = tr("Sound is on.") if on else tr("Sound is off.")
            self.desk.notices.say(words, False)
            self.announcer.polite(words)

    def walk(self) -> None:
        """Say and play the next part of the walk around the selected process."""
        words = self.sounding.step_walk()
        self.desk.notices.say(words, False)
        self.announcer.polite(words)

    def show(self) -> None:
        """Open the settings."""
        if self.popup is None:
            self.popup = SoundPopup(self.sounding, self.stage.theme, self.toolbar.window())
        bar, popup = self.toolbar, self.popup
        popup.setFixedWidth(max(round(WIDTH * self.desk.settings.text_scale), popup.sizeHint().width()))
        popup.adjustSize()
        popup.move(bar.mapToGlobal(QPoint(8, bar.height() + 2)))
        popup.show()
        popup.box.setFocus()

    def listener(self) -> Listener | None:
        """Return somebody in front of the visible part of the network; ``None`` if all of it is visible."""
        canvas = self.stage.canvases["basic"]
        camera = canvas.camera
        if not isinstance(camera, NetworkCamera) or camera.scale is None or not canvas.isVisible():
            return None
        across, along = camera.scale, camera.scale * camera.aspect
        left, top = -camera.dx / across, -camera.dy / along
        return Listener.before(left, top, canvas.width() / across, canvas.height() / along)

    def close(self) -> None:
        """Close the sound device."""
        self._unsubscribe()
        self.sounding.close()

    def _changed(self) -> None:
        self.desk.commands.check("sound", self.sounding.on)
        for card in self.cards.values():
            card.set_on(self.sounding.on)
        self._heard("time")

    def attach(self, canvas: Canvas) -> None:
        """Give a view World the card that tells what is heard."""
        if isinstance(canvas.camera, SpaceCamera) and canvas not in self.cards:
            card = HearCard(canvas, canvas.camera, self.stage.theme, lambda: self.switch(False))
            self.cards[canvas] = card
            canvas.destroyed.connect(lambda: self.cards.pop(canvas, None))
            card.set_on(self.sounding.on)

    def _heard(self, what: str) -> None:
        """Tell what is heard at this moment."""
        timeline = self.desk.playhead.timeline
        if what not in ("time", "timeline") or timeline is None or not self.sounding.on:
            return
        seen = [card for canvas, card in self.cards.items() if canvas.isVisible()]
        heard = self.sounding.loudest() if seen else []
        for card in seen:
            card.tell(heard, timeline, self.desk.playhead.animation)

    def space(self) -> tuple[Listener, NDArray[np.float64]] | None:
        """Return the viewer in the view World as a listener, and the places of processes; ``None`` if it is hidden."""
        canvas = self.stage.canvases.get("world")
        if canvas is None or canvas.pilot is None or not canvas.isVisible():
            return None
        frame, view = canvas.pilot.frame, canvas.pilot.view
        if frame is None or view is None or not len(frame.places):
            return None
        _, up, ahead = ((x, y, z) for x, y, z in view.axes.tolist())
        scene = frame.flat.scene
        links = frame.places[scene.ends[:, 0]] - frame.places[scene.ends[:, 1]]
        measure = float(np.median(np.linalg.norm(links, axis=1))) if len(links) else frame.radius
        places = frame.places if scene.renumber is None else frame.places[np.maximum(scene.renumber, 0)]
        return Listener(view.eye, ahead, up, max(measure, 1e-9)), places
