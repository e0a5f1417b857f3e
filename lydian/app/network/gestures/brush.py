"""The gesture that paints settings onto links."""

from __future__ import annotations

from lydian.app.network.board.board import Chosen
from lydian.app.network.gestures.base import Gesture, Overlay, Surface, Tip, Touch
from lydian.language import tr, trn
from lydian.model.editing.links import Pair

__all__ = ["Brush"]

#: The brush touches points at this distance in pixels between two places of the pointer.
STEP = 5.0


class Brush(Gesture):
    """A gesture that gives all links it touches the settings of ``board.brush``, as one step."""

    cursor = "cross"

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._touched: set[Pair] = set()

    def start(self, touch: Touch) -> None:
        self._last = touch
        self.move(touch)

    def move(self, touch: Touch) -> None:
        last, self._last = self._last, touch
        dx, dy = touch.sx - last.sx, touch.sy - last.sy
        steps = max(1, round(max(abs(dx), abs(dy)) / STEP))
        for step in range(1, steps + 1):
            hit = self.surface.hit(last.sx + dx * step / steps, last.sy + dy * step / steps)
            if hit is not None and hit.pair is not None:
                self._touched.add(hit.pair)
        title = trn("{count:,} link painted", "{count:,} links painted", len(self._touched))
        tip = Tip(title, tr("Esc to cancel"), (touch.x, touch.y))
        self.overlay = Overlay(touched=frozenset(self._touched), tip=tip if self._touched else None)

    def finish(self, touch: Touch) -> None:
        self.move(touch)
        brush, pairs = self.board.brush, sorted(self._touched)
        if not pairs:
            return
        if brush is None:
            self.board.said.emit(tr("The brush is empty: select a link and press “Brush onto links”."), False)
            return
        a, b = pairs[0]
        text = self.board.brush_text or trn(
            "Brush link {process}-{neighbour}", "Brush {count:,} links", len(pairs), process=a, neighbour=b
        )
        self.board.do(text, lambda network: brush(network, pairs), choose=Chosen(links=frozenset(pairs)))
