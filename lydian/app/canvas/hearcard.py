"""The card "What you hear" in the view World: the loudest voices, where they are, and how loud."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lydian.app.canvas.cameras import SpaceCamera
from lydian.app.kit.theming import set_up
from lydian.app.look.shapes import draw_head, draw_process
from lydian.app.look.theme import Theme
from lydian.app.painters.ink import RIGHT, Ink
from lydian.language import tr, translated, trc
from lydian.pieces.animation import Animation
from lydian.sound.heard import Heard
from lydian.sound.voices import VOICES
from lydian.trace.timeline import Timeline

__all__ = ["HearCard", "heard_words"]

#: The size of the card, its distance from the edges of the view, and the smallest view that has room for it.
WIDE, TALL, EDGE, LEAST = 284.0, 118.0, 12, (760, 420)
#: The radius of the circle around the viewer.
ROUND = 33.0


def heard_words(heard: Heard, timeline: Timeline, animation: Animation | None) -> str:
    """Return what is heard and where, as in "Ack, left": the message of an event that has one, else its kind."""
    label = int(timeline.label[heard.event])
    if label >= 0:
        name = timeline.labels[label]
        sound = name if animation is None else animation.label(name)
    else:
        sound = translated(VOICES[heard.voice].title, "sound of an event")
    return {
        "ahead": tr("{sound}, ahead", sound=sound),
        "right": tr("{sound}, right", sound=sound),
        "behind": tr("{sound}, behind", sound=sound),
        "left": tr("{sound}, left", sound=sound),
    }[heard.side]


class HearCard(QWidget):
    """The card in the lower right corner of a view, which is there while sound is on.

    Args:
        over: the view.
        mute: called when the user switches sound off here.
    """

    def __init__(self, over: QWidget, camera: SpaceCamera, theme: Theme, mute: Callable[[], object]) -> None:
        super().__init__(over)
        self._over, self._camera, self.theme, self._mute = over, camera, theme, mute
        self._ink = Ink(theme)
        self.heard: list[Heard] = []
        self.words: list[str] = []
        self._looks: list[tuple[str, int]] = []
        set_up(self, name=tr("What you hear"), tip=tr("Where the loudest sounds are; a click switches sound off (M)"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        over.installEventFilter(self)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self.theme, self._ink = theme, Ink(theme)
        self.place()

    def tell(self, heard: Sequence[Heard], timeline: Timeline, animation: Animation | None) -> None:
        """Show what is heard now."""
        if list(heard) == self.heard:
            return
        self.heard = list(heard)
        self.words = [heard_words(each, timeline, animation) for each in heard]
        self._looks = [_look(each, timeline, animation) for each in heard]
        self.setAccessibleDescription("; ".join(self.words))
        self.update()

    def set_on(self, on: bool) -> None:
        """Show the card while sound is on and the view is large enough."""
        self.setVisible(on and self._over.width() >= LEAST[0] and self._over.height() >= LEAST[1])
        if on:
            self.place()
        self._camera.cover("hear", self)
        self._over.update()

    def sizeHint(self) -> QSize:
        k = self.theme.px("small") / 12
        return QSize(round(WIDE * k), round(TALL * k))

    def place(self) -> None:
        """Stay in the lower right corner."""
        size = self.sizeHint()
        self.setGeometry(
            self._over.width() - EDGE - size.width(), self._over.height() - EDGE - size.height(), size.width(),
            size.height(),
        )  # fmt: skip
        self._camera.cover("hear", self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.place()
        return False

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self._mute()

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            self._paint(p)
        finally:
            p.end()

    def _paint(self, p: QPainter) -> None:
        theme, ink, k = self.theme, self._ink, self.theme.px("small") / 12
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        box, radius = QRectF(self.rect()), theme.size("radius.card")
        p.setPen(QPen(theme.color("border.subtle"), 1))
        p.setBrush(theme.color("surface.overlay"))
        p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        head = QRectF(10 * k, 4 * k, box.width() - 20 * k, 22 * k)
        ink.text(p, head, tr("What you hear"), "small", "text.primary", semibold=True)
        ink.text(p, head, trc("sound", "on (M)"), "small", "text.secondary", RIGHT)
        middle, far = QPointF(10 * k + ROUND * k + 4 * k, (26 + TALL - 8) / 2 * k), ROUND * k
        self._circle(p, middle, far)
        left = middle.x() + far + 14 * k
        for number, (heard, words, look) in enumerate(zip(self.heard, self.words, self._looks, strict=True)):
            y = (42 + 25 * number) * k
            self._symbol(p, look, left + 5 * k, y)
            bar = QRectF(box.right() - 10 * k - 44 * k, y - 2 * k, 44 * k, 4 * k)
            ink.text(p, QRectF(left + 16 * k, y - 10 * k, bar.left() - left - 22 * k, 20 * k), words, "small")
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(theme.color("border.control"))
            p.drawRoundedRect(bar, 2 * k, 2 * k)
            bar.setWidth(max(bar.width() * math.sqrt(heard.loud), 4 * k))
            p.setBrush(self._color(look))
            p.drawRoundedRect(bar, 2 * k, 2 * k)

    def _circle(self, p: QPainter, middle: QPointF, far: float) -> None:
        """Draw the viewer in the middle, looking up, and the places of the voices around."""
        theme = self.theme
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(theme.color("border.control"), 1))
        for share in (1.0, 0.5):
            p.drawEllipse(middle, far * share, far * share)
        p.setPen(Qt.PenStyle.NoPen)
        for heard, look in zip(reversed(self.heard), reversed(self._looks), strict=True):
            angle, away = math.radians(heard.direction), far * min(max(1.25 * (1 - heard.near), 0.18), 1.0)
            at = middle + QPointF(math.sin(angle) * away, -math.cos(angle) * away)
            glow = QColor(self._color(look))
            glow.setAlphaF(0.25 + 0.3 * heard.loud)
            p.setBrush(glow)
            p.drawEllipse(at, far * (0.12 + 0.12 * heard.loud), far * (0.12 + 0.12 * heard.loud))
            p.setBrush(self._color(look))
            p.drawEllipse(at, far * 0.09, far * 0.09)
        size = far * 0.16
        p.setBrush(theme.color("text.primary"))
        p.drawPolygon(
            QPolygonF([middle + QPointF(0, -1.3 * size), middle + QPointF(size, size), middle + QPointF(-size, size)])
        )

    def _color(self, look: tuple[str, int]) -> QColor:
        what, number = look
        return self.theme.message(number).color if what == "message" else self.theme.state(number).fill

    def _symbol(self, p: QPainter, look: tuple[str, int], x: float, y: float) -> None:
        what, number = look
        d = 9.0 * self.theme.px("small") / 12
        if what == "message":
            draw_head(p, self.theme, x, y, 0.0, number, d)
        else:
            draw_process(p, self.theme, x, y, d, number)


def _look(heard: Heard, timeline: Timeline, animation: Animation | None) -> tuple[str, int]:
    """Return the kind of the message, or the slot of the state, that an event stands for."""
    label = int(timeline.label[heard.event])
    if label >= 0:
        return "message", 0 if animation is None else animation.kind(timeline.labels[label])
    state = int(timeline.state[heard.event])
    name = timeline.states[state] if 0 <= state < len(timeline.states) else ""
    return "state", 0 if animation is None else animation.slot(name)
