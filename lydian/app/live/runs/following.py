"""A second play head that follows the first one: the same moment, zoom, time range, rows and selection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, Signal

from lydian.app.canvas.cameras import NetworkCamera, TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.desk.playhead import Playhead
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views.selection import Hit, Selection
from lydian.views.time import axis

__all__ = ["Following"]


class Following(QObject):
    """The link that keeps two play heads in step during a comparison. Processes are matched by their names.

    Args:
        main: the play head of the run on the screen.
        head: the other play head.
        shared: the time range that the views of the run on the screen show.
    """

    #: Emitted when the other play head, or the contents of its views, changed.
    moved = Signal()

    def __init__(self, main: Playhead, head: Playhead, shared: TimeCamera, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.main, self.head, self.shared = main, head, shared
        self.camera = TimeCamera()
        self._pairs: list[tuple[Canvas, Canvas]] = []
        self._zooms: dict[Canvas, object] = {}
        self._on = self._busy = False
        self._unsubscribe = [main.changed.connect(self._main_moved), head.changed.connect(self._head_moved)]
        shared.listen(lambda: self._stretch(self.shared, self.camera))
        self.camera.listen(lambda: self._stretch(self.camera, self.shared))

    def load(self, timeline: Timeline, animation: Animation) -> None:
        """Load the other run."""
        self.camera.load(timeline)
        self.head.load(timeline, animation, t=self.main.t)

    def unload(self) -> None:
        """Unload the other run."""
        self.head.load(None)

    def begin(self, pairs: Sequence[tuple[Canvas, Canvas]]) -> None:
        """Follow from now on; ``pairs`` are views of the two runs that show the same part of the network."""
        self.end()
        self._on = True
        self._pairs = list(pairs)
        for mine, other in self._pairs:
            for canvas in (mine, other):
                canvas.installEventFilter(self)
        self.reload()

    def reload(self) -> None:
        """Adapt to the run on the screen after it was replaced or has grown."""
        if not self._on or self.main.timeline is None or self.head.timeline is None:
            return
        low, high = axis.fit(self.head.timeline)
        mine = axis.fit(self.main.timeline)
        whole = (min(low, mine[0]), max(high, mine[1]))
        for camera in (self.shared, self.camera):
            fits = camera.fits
            camera.whole = whole
            if fits:
                camera.fit()
        self._stretch(self.shared, self.camera)
        self.head.seek(self.main.t)
        self._select(self.main, self.head)

    def end(self) -> None:
        """Stop following."""
        for mine, other in self._pairs:
            for canvas in (mine, other):
                canvas.removeEventFilter(self)
        self._pairs.clear()
        self._zooms.clear()
        if self._on and self.main.timeline is not None:
            fits = self.shared.fits
            self.shared.whole = axis.fit(self.main.timeline)
            if fits:
                self.shared.fit()
            else:
                self.shared.show(*self.shared.window)
        self._on = False

    def close(self) -> None:
        """Disconnect from all signals."""
        for stop in self._unsubscribe:
            stop()

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Let each play head have its own selection within a ``with`` block."""
        before, self._busy = self._busy, True
        try:
            yield
        finally:
            self._busy = before

    # ------------------------------------------------------------------ time and selection

    def along(self) -> None:
        """Move to the play head of the run on the screen, as far as the other run extends."""
        if self._on and self.head.t != self.main.t:
            self.head.seek(self.main.t)

    def _main_moved(self, what: str) -> None:
        if not self._on:
            return
        if what == "time":
            self.along()
        elif what == "selection":
            self._select(self.main, self.head)
        elif what == "hover":
            self._point(self.main, self.head)

    def _head_moved(self, what: str) -> None:
        if self._on and what == "selection":
            self._select(self.head, self.main)
        elif self._on and what == "hover":
            self._point(self.head, self.main)
        self.moved.emit()

    def _matched(self, source: Playhead, target: Playhead) -> dict[int, int]:
        if source.timeline is None or target.timeline is None:
            return {}
        of = {name: number for number, name in enumerate(target.timeline.processes)}
        return {number: of[name] for number, name in enumerate(source.timeline.processes) if name in of}

    def _select(self, source: Playhead, target: Playhead) -> None:
        """Select the same processes and links; numbers of events and messages differ in meaning between runs."""
        if self._busy:
            return
        same = self._matched(source, target)
        links = ((same.get(a), same.get(b)) for a, b in source.selection.links)
        with self.apart():
            target.select(
                Selection(
                    processes=frozenset(same[each] for each in source.selection.processes if each in same),
                    links=frozenset((min(a, b), max(a, b)) for a, b in links if a is not None and b is not None),
                )
            )

    def _point(self, source: Playhead, target: Playhead) -> None:
        """Highlight in one run the process that the pointer is over in the other."""
        if self._busy:
            return
        hit = source.hover
        number = None
        if hit is not None and hit.kind == "process" and isinstance(hit.id, int):
            number = self._matched(source, target).get(hit.id)
        with self.apart():
            target.point_at(None if number is None else Hit("process", number))

    # ------------------------------------------------------------------ the visible part

    def _stretch(self, source: TimeCamera, target: TimeCamera) -> None:
        """Show the same time range along the same axis."""
        if not self._on or self._busy:
            return
        with self.apart():
            if target.axis != source.axis:
                target.set_axis(source.axis)
            if target.window != source.window:
                target.show(*source.window)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give a view's zoom and options to its partner just before the view is drawn."""
        if event.type() == QEvent.Type.Paint and not self._busy:
            for mine, other in self._pairs:
                if watched is mine or watched is other:
                    source, target = (mine, other) if watched is mine else (other, mine)
                    with self.apart():
                        self._zoom(source, target)
                        if source is mine:
                            self._options(mine, other)
        return False

    def _zoom(self, source: Canvas, target: Canvas) -> None:
        camera, partner = source.camera, target.camera
        if not isinstance(camera, NetworkCamera) or not isinstance(partner, NetworkCamera):
            return
        known = self._zooms.get(source)
        if known == camera.key or (known is None and source is not self._pairs[0][0]):
            return
        self._zooms[source] = camera.key
        if camera.scale is None:
            partner.fit()
        else:  # The same point is in the middle, at the same scale.
            dx, dy = (target.width() - source.width()) / 2, (target.height() - source.height()) / 2
            partner.set(camera.scale, camera.dx + dx, camera.dy + dy, camera.aspect)
        self._zooms[target] = partner.key
        target.refresh()

    def _options(self, mine: Canvas, other: Canvas) -> None:
        """Copy the options of a view, but the order of rows only if both runs have the same processes."""
        same = self.main.timeline is not None and self.head.timeline is not None
        same = same and self.main.timeline.processes == self.head.timeline.processes  # type: ignore[union-attr]
        wanted = {name: value for name, value in mine.options.items() if same or name not in ("order", "hidden")}
        if wanted != other.options:
            other.options.clear()
            other.options.update(wanted)
            other.refresh()
