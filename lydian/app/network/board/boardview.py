"""The part of the drawing board that paints it, without mouse and keyboard."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, QTimerEvent, QVariantAnimation, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.app.network.board.nameedit import NameEdit
from lydian.app.network.board.view import View
from lydian.app.network.gestures.base import NO_OVERLAY, Gesture, Hit, Overlay
from lydian.app.network.gestures.link import DrawLink
from lydian.app.painters.drawing.board import DrawingPainter, draw_banner, scene_of
from lydian.app.painters.drawing.legend import draw_legend, legend_width
from lydian.app.painters.drawing.links import QUICK, DrawnNetwork, ScreenPlan
from lydian.app.painters.drawing.marks import MarkPainter
from lydian.language import tr, trn
from lydian.model.editing.links import Pair
from lydian.views.network.drawing import SHOWS, LinkLook, between, legend_of, link_at, process_at, travelling
from lydian.views.words.words import joined, plural

__all__ = ["BoardView"]

#: The time in milliseconds that a message with the mean delay takes, and the gap between messages as a share of it.
MEAN_MS, GAP = 1100.0, 0.18
#: The longest time in which all messages are shown, in milliseconds.
LONGEST_MS = 9000.0


class Glide(QVariantAnimation):
    """An animation that moves processes; their places depend only on its progress."""

    def __init__(
        self, before: Floats, after: Floats, milliseconds: int, tell: Callable[[], None], over: QObject
    ) -> None:
        super().__init__(over)
        self.before, self.after = before, after
        self._tell = tell
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(milliseconds)

    def points(self) -> Floats:
        """Return the current places of the processes, (n, 2)."""
        value = self.currentValue()
        return between(self.before, self.after, 0.0 if value is None else float(value))

    def updateCurrentValue(self, value: object) -> None:
        self._tell()


class Sending(QVariantAnimation):
    """An animation of messages that travel along a link."""

    def __init__(
        self, pair: Pair, delays: Sequence[float], tell: Callable[[], None], over: QObject, *, steps: bool = False
    ) -> None:
        super().__init__(over)
        self.pair, self.delays, self.steps = pair, [float(delay) for delay in delays], steps
        self._tell = tell
        mean = max(float(np.mean(self.delays)), 1e-9) if self.delays else 1.0
        self.gap = mean * GAP
        end = max((delay + self.gap * i for i, delay in enumerate(self.delays)), default=0.0)
        self.end = end
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(max(1, round(min(end / mean * MEAN_MS, LONGEST_MS))))

    def shares(self) -> Floats:
        """Return the share of the link that each message in transit has covered."""
        value = self.currentValue()
        found = travelling(self.delays, self.end * (0.0 if value is None else float(value)), self.gap)
        return np.floor(found * 3) / 3 if self.steps else found

    def updateCurrentValue(self, value: object) -> None:
        self._tell()


#: The largest number of neighbours that are listed by name.
SOME = 8


def words(board: Board) -> str:
    """Describe the board: "Network metro: 14 processes, 20 links. Process 4 is selected: initiator, links to 1, 3."."""
    network, chosen = board.network, board.chosen
    if not network.n:
        return tr("The board is empty: press P and Enter to add a process, or choose a picture on the left.")
    text = tr(
        "Network {network}: {processes}, {links}.",
        network=network.name,
        processes=plural(network.n, "process"),
        links=plural(network.m, "link"),
    )
    processes = board.chosen_processes()
    if len(processes) == 1 and not chosen.links:
        name = processes[0]
        what = [tr("initiator")] if name in network.initiators else []
        others = network.neighbours(name)
        some = ", ".join(others[:SOME])
        if len(others) > SOME:
            what.append(tr("links to {processes} and {count} more", processes=some, count=len(others) - SOME))
        else:
            what.append(tr("links to {processes}", processes=some) if others else tr("no links"))
        return f"{text} {tr('Process {process} is selected: {properties}.', process=name, properties=', '.join(what))}"
    if len(chosen.links) == 1 and not processes:
        a, b = next(iter(chosen.links))
        link = network.link_between(a, b)
        if link is not None:
            about = (
                tr("Link {process}-{neighbour} is selected: one way, mean delay {delay:.3g}.")
                if link.directed
                else tr("Link {process}-{neighbour} is selected: both ways, mean delay {delay:.3g}.")
            )
            return f"{text} {about.format(process=a, neighbour=b, delay=network.delay_of(link).mean)}"
    if chosen:
        parts = [
            plural(len(some), noun) for some, noun in ((processes, "process"), (chosen.links, "link")) if len(some)
        ]
        return f"{text} {tr('{selection} selected.', selection=joined(parts))}"
    return f"{text} {tr('Nothing is selected.')}"


Floats = NDArray[np.float64]
#: The width of the rim of a process, from which links are drawn, and the least diameter of a process with a rim.
RIM, RIMMED = 10.0, 17.0
#: The distance in pixels within which the pointer hits a link.
REACH = 6.0
#: The largest number of processes that glide to their new places; more jump.
GLIDING = 1_000
#: The height of the legend at the foot.
LEGEND = 36
#: A view is at rest when it has not moved for this many milliseconds.
REST = 140

_CURSORS = {
    "arrow": Qt.CursorShape.ArrowCursor,
    "cross": Qt.CursorShape.CrossCursor,
    "hand": Qt.CursorShape.ClosedHandCursor,
    "move": Qt.CursorShape.SizeAllCursor,
}


class BoardView(QWidget):
    """The widget that shows ``board.network``.

    Attributes:
        grid: whether the dots of the grid are drawn.
        margins: the widths in pixels at the left, top, right and bottom that other widgets cover; a fit avoids them.
        gesture: the gesture in progress, if any.
        shown_processes, shown_links: the processes and links that :meth:`show_overlay` highlights.
    """

    #: Emitted with the new scale.
    zoomed = Signal(float)
    #: Emitted when the result of :meth:`legend` may have changed.
    legend_changed = Signal()

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board, self.theme = board, theme
        self.view = View()
        self.grid = True
        self.margins = (0, 0, 0, 0)
        self._gliding: int | None = None
        self.quick, self._rest = False, 0  # runs while the view moves; a timer of the widget ends with the widget
        self.show_mode = "delay"
        self.gesture: Gesture | None = None
        self.glide: Glide | None = None
        self.sending: Sending | None = None
        self.ghost_scene: DrawnNetwork | None = None
        self.prepared: DrawnNetwork | None = None  # scene of the network that is opened next, if prepared
        self.on_rim = False
        self.panning = False  # Space is held down
        self.pointer: QPointF | None = None
        self.shown_processes: frozenset[str] = frozenset()
        self.shown_links: frozenset[Pair] = frozenset()
        self.name_edit: NameEdit | None = None
        self._easel = _Easel(self, theme)
        self._numbers: tuple[object, dict[Pair, int]] = (None, {})
        self.own_move = False  # after an edit by the mouse or the arrow keys nothing glides
        self.scene = self._scene(None)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(tr("Drawing board"))
        self.setMinimumSize(200, 150)
        board.changed.connect(self._changed)
        board.opened.connect(self._opened)
        board.chosen_changed.connect(self._chosen_changed)
        board.tool_changed.connect(self._tool_changed)
        board.ghost_changed.connect(self._ghost_changed)
        board.hovered_changed.connect(self.update)
        self._describe()

    def sizeHint(self) -> QSize:
        return QSize(900, 640)

    # ------------------------------------------------------------------ appearance

    def _scene(self, before: DrawnNetwork | None) -> DrawnNetwork:
        chosen = self.board.chosen
        return scene_of(
            self.board.network, self.show_mode, chosen.processes, chosen.links,
            diameter=self.theme.diameter, before=before,
        )  # fmt: skip

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._easel = _Easel(self, theme)
        self.scene = self._scene(self.scene)
        self.legend_changed.emit()

    def set_show(self, show: str) -> None:
        """Show a property of the links, one of :data:`lydian.views.network.drawing.SHOWS`."""
        if show not in SHOWS:
            raise KeyError(show)
        if show != self.show_mode:
            self.show_mode = show
            self.scene = self._scene(self.scene)
            self.legend_changed.emit()
            self.update()

    #: The name under which the tool bar calls the same method.
    show_on_links = set_show

    def legend(self) -> tuple[str, tuple[LinkLook, ...]]:
        """Return the title of the legend and its entries; there are none if there is nothing to explain."""
        return legend_of(self.scene.looks, self.show_mode)

    @property
    def link_numbers(self) -> dict[Pair, int]:
        """A dictionary from links to their numbers in the network."""
        links = self.board.network.links
        if self._numbers[0] is not links:
            self._numbers = links, {(link.a, link.b): i for i, link in enumerate(links)}
        return self._numbers[1]

    def _changed(self) -> None:
        before, own = self.scene, self.own_move
        self.own_move = False
        if self.gesture is not None:  # the network was edited elsewhere meanwhile
            self.drop()
        self.scene = scene = self._scene(before)
        self.shown_processes, self.shown_links = frozenset(), frozenset()
        same = before.network.processes is scene.network.processes
        moved = np.any(before.points != scene.points, axis=1) if same and len(before.points) else np.zeros(0, bool)
        if same and not own and moved.sum() > 1:
            self._glide(before.points, self._gliding or (600 if moved.all() else 220))
        elif not same:
            self._stop_glide()
        self._gliding = None
        if scene.n and not self.plan().visible.any():
            self.fit()
        if scene.looks is not before.looks:
            self.legend_changed.emit()
        if self.name_edit is not None and self.name_edit.name not in scene.network.index:
            self.name_edit.cancel()
        self._describe()
        self.update()

    def _opened(self) -> None:
        self._stop_glide()
        prepared, self.prepared = self.prepared, None
        self.scene = self._scene(prepared if prepared is not None and prepared.network is self.board.network else None)
        self.fit()

    def _chosen_changed(self) -> None:
        self.scene = self._scene(self.scene)
        self._describe()
        self.update()

    def _tool_changed(self) -> None:
        if self.gesture is not None and self.gesture.lasting:
            self.drop()
        self.show_pointer()
        self.update()

    def _ghost_changed(self) -> None:
        ghost = self.board.ghost
        self.ghost_scene = None
        if ghost is not None and ghost.n:
            self.ghost_scene = scene_of(ghost, self.show_mode, diameter=self.theme.diameter)
            if not self.scene.n:
                self.fit()
        self.update()

    def _describe(self) -> None:
        self.setAccessibleDescription(words(self.board))

    # ------------------------------------------------------------------ the view

    @property
    def scale(self) -> float:
        """The number of pixels for one unit of the drawing."""
        return self.view.scale

    def plan(self) -> ScreenPlan:
        """Return the current places of the processes in the widget."""
        return self._easel.drawing.plan(QRectF(self.rect()), self.scene, self.view.key)

    def free(self) -> QRectF:
        """Return the part of the widget that no other widget covers."""
        left, top, right, bottom = self.margins
        below = LEGEND if len(self.legend()[1]) > 1 else 0
        return QRectF(self.rect()).adjusted(left, top, -right, -bottom - below)

    def fit(self) -> None:
        """Fit the whole network into the view."""
        scene = self.ghost_scene if self.ghost_scene is not None and not self.scene.n else self.scene
        self.view.fit(scene.points, self.free(), gap=scene.gap)
        self._moved_view()

    def fit_chosen(self) -> None:
        """Fit the selection into the view, or the whole network if nothing is selected."""
        chosen, index = self.board.chosen, self.board.network.index
        names = chosen.processes | {name for pair in chosen.links for name in pair}
        numbers = [index[name] for name in names if name in index]
        if not numbers:
            self.fit()
            return
        self.view.fit(self.scene.points[numbers], self.free(), gap=self.scene.gap)
        self.view.own = True
        self._moved_view()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in around a pixel, by default the centre."""
        at = self.free().center() if at is None else at
        self.view.zoom(factor, at.x(), at.y())
        self._moved_view()

    def zoom_to(self, scale: float) -> None:
        """Set the scale; 1.0 is 100 %."""
        self.zoom(scale / self.view.scale)

    def pan_by(self, dx: float, dy: float) -> None:
        """Move the view by pixels."""
        self.view.pan(dx, dy)
        self._moved_view()

    def centre_on(self, what: str | Pair) -> None:
        """Centre the view on a process or on the middle of a link."""
        network = self.board.network
        names = [what] if isinstance(what, str) else list(what)
        x, y = self.scene.points[[network.number(name) for name in names]].mean(axis=0).tolist()
        self.view.centre(self.free(), x, y)
        self._moved_view()

    def _moved_view(self) -> None:
        if self.name_edit is not None:
            self.name_edit.place(self.pixel_of(self.name_edit.name))
        if self.scene.network.m > QUICK:
            if self._rest:
                self.killTimer(self._rest)
            self.quick, self._rest = True, self.startTimer(REST)
        self.zoomed.emit(self.view.scale)
        self.update()

    def pixel_of(self, name: str) -> QPointF:
        """Return the place of a process in the widget."""
        return QPointF(*self.view.pixel(*self.scene.points[self.board.network.number(name)].tolist()))

    def near_points(self, left_out: NDArray[np.bool_] | None) -> Floats:
        """Return the places of the processes in view, except some, (k, 2)."""
        visible = self.plan().visible
        return self.scene.points[visible if left_out is None else visible & ~left_out]

    def hit(self, sx: float, sy: float) -> Hit | None:
        """Return the process, rim or link at a pixel of the widget."""
        plan, network = self.plan(), self.board.network
        if not len(plan.points):
            return None
        rimmed = plan.d >= RIMMED
        body = plan.d / 2 - min(3.0, plan.d * 0.1) if rimmed else max(plan.d / 2, 6.0)
        if isinstance(self.gesture, DrawLink):  # a larger target is easier to hit
            body = max(body, min(plan.d / 2 + 10, self.scene.gap * self.scale * 0.45))
        number = process_at(plan.points, sx, sy, max(body, plan.d / 2 + RIM) if rimmed else body)
        if number is not None:
            x, y = plan.points[number].tolist()
            inside = math.hypot(x - sx, y - sy) <= body
            return Hit("process" if inside else "rim", network.processes[number])
        link = link_at(plan.points, self.scene.ends, sx, sy, REACH)
        return None if link is None else Hit("link", pair=(network.links[link].a, network.links[link].b))

    @property
    def linkable(self) -> bool:
        """Whether the current tool draws links from the rim of a process."""
        return self.board.tool in ("select", "link", "process") and not self.panning

    def show_pointer(self, hit: Hit | None = None) -> None:
        """Set the shape of the pointer."""
        tool = self.board.tool
        if self.gesture is not None:
            shape = _CURSORS[self.gesture.cursor]
        elif self._pans():
            shape = Qt.CursorShape.OpenHandCursor
        elif tool in ("process", "link", "brush") or (hit is not None and hit.kind == "rim" and self.linkable):
            shape = Qt.CursorShape.CrossCursor
        else:
            shape = Qt.CursorShape.ArrowCursor if hit is None else Qt.CursorShape.PointingHandCursor
        self.setCursor(shape)

    def _pans(self) -> bool:
        return self.panning or self.board.tool == "pan"

    def drop(self) -> None:
        """Cancel the gesture in progress."""
        gesture, self.gesture = self.gesture, None
        if gesture is not None:
            gesture.cancel()
        self.show_pointer()
        self.update()

    # ------------------------------------------------------------------ animation

    def animate_to(self, positions: Mapping[str, tuple[float, float]], milliseconds: int = 600) -> None:
        """Let the processes glide to these places, for the given time, when the next edit moves them."""
        self._gliding = milliseconds if positions else None

    def _glide(self, before: Floats, milliseconds: int) -> None:
        now = self.glide.points() if self.glide is not None and len(self.glide.after) == len(before) else before
        self._stop_glide()
        if self.theme.still or self.scene.n > GLIDING or not self.isVisible():
            return
        glide = Glide(now, self.scene.points, milliseconds, self.update, self)
        glide.finished.connect(self._stop_glide)
        self.glide = glide
        glide.start()

    def _stop_glide(self) -> None:
        glide, self.glide = self.glide, None
        if glide is not None:
            glide.stop()
            glide.deleteLater()
        self.update()

    def send(self, pair: Pair, delays: Sequence[float]) -> None:
        """Let messages travel along a link one after the other, with the given delays."""
        self.stop_sending()
        if not len(delays) or not self.isVisible():
            return
        self.sending = Sending(pair, delays, self.update, self, steps=self.theme.still)
        self.sending.finished.connect(self.stop_sending)
        self.sending.start()

    def stop_sending(self) -> None:
        """Remove the travelling messages."""
        sending, self.sending = self.sending, None
        if sending is not None:
            sending.stop()
            sending.deleteLater()
        self.update()

    def show_overlay(self, processes: Iterable[str] = (), links: Iterable[Pair] = ()) -> None:
        """Highlight processes and links, such as those that prevent a run, until the next edit or call."""
        self.shown_processes, self.shown_links = frozenset(processes), frozenset(links)
        self.update()

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            self._easel.paint(p, QRectF(self.rect()))
        finally:
            p.end()

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._rest:
            super().timerEvent(event)
            return
        self.killTimer(self._rest)
        self.quick, self._rest = False, 0
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if not self.view.own:
            self.fit()

    def hideEvent(self, event: QHideEvent) -> None:
        self._stop_glide()
        self.stop_sending()
        super().hideEvent(event)


#: The opacity of a ghost.
PALE = 0.34


class _Easel:
    """The painter of a canvas; there is one for each theme."""

    def __init__(self, canvas: BoardView, theme: Theme) -> None:
        self.canvas, self.theme = canvas, theme
        self.drawing = DrawingPainter(theme)
        self.ghosts = DrawingPainter(theme, ground=False)
        self.marks = MarkPainter(theme)

    def paint(self, p: QPainter, rect: QRectF) -> None:
        """Paint the whole board."""
        canvas, scene = self.canvas, self.canvas.scene
        overlay = canvas.gesture.overlay if canvas.gesture is not None else NO_OVERLAY
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        glide = canvas.glide
        if glide is not None and len(glide.after) == scene.n:
            scene = scene.moved(glide.points())
            plan = self.drawing.plan(rect, scene, canvas.view.key)
            self.drawing.paint(p, plan, scene, grid=canvas.grid, picture=True)
        else:
            plan = self.drawing.plan(rect, scene, canvas.view.key)
            self._still_and_moving(p, plan, scene, overlay)
        self._ghost(p, rect)
        if not scene.n and canvas.ghost_scene is None:
            self.marks.empty(p, rect)
        if glide is None:
            self._pointed(p, plan, scene, overlay)
        self._messages(p, plan, scene)
        self._legend(p, rect)
        if not self.drawing.each:
            text = trn(
                "Simplified drawing of {count:,} link; zoom in to see each",
                "Simplified drawing of {count:,} links; zoom in to see each",
                scene.network.m,
            )
            draw_banner(p, self.theme, canvas.free(), text)
        if overlay.tip is not None:
            self.marks.tip(p, rect, canvas.view.pixel(*overlay.tip.at), overlay.tip.title, overlay.tip.text)
        if canvas.hasFocus() and canvas.property("keyboard"):
            self.marks.focus(p, rect)

    def _still_and_moving(self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork, overlay: Overlay) -> None:
        drawing, canvas = self.drawing, self.canvas
        moving = overlay.moving if overlay.moving is not None and len(overlay.moving) == scene.n else None
        drawing.still(p, plan, scene, moving, grid=canvas.grid, quick=canvas.quick)
        if moving is None or overlay.points is None:
            self._touched(p, plan, scene, overlay)
            drawing.above(p, plan)
            return
        points = scene.points.copy()
        points[moving] = overlay.points
        moved = scene.moved(points)
        now = drawing.plan(plan.rect, moved, plan.key)
        each = drawing.each
        touching = moving[scene.ends[:, 0]] | moving[scene.ends[:, 1]] if len(scene.ends) else None
        numbers = drawing.links.seen(now, moved, touching)
        drawing.links.paint(p, now, moved, numbers, picture=True)
        self.marks.guides(p, plan, overlay.guides)
        drawing.above(p, plan)
        drawing.processes(p, now, moved, np.flatnonzero(now.visible & moving), picture=True)
        drawing.links.paint_marks(p, now, moved, numbers)
        drawing.each = each

    def _touched(self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork, overlay: Overlay) -> None:
        """Highlight links under the brush, in a rubber band, under the pointer, or shown by a panel."""
        canvas = self.canvas
        pair = canvas.board.hovered
        hovered: frozenset[Pair] = frozenset({pair}) if isinstance(pair, tuple) else frozenset()
        for pairs, color in (
            (overlay.touched, "link.override"),
            (overlay.caught_links, "selection"),
            (canvas.shown_links, "check.warn"),
            (hovered, "selection"),
        ):
            rows = self._rows(scene, pairs)
            if len(rows):
                a, b = self.drawing.links.segments(plan, scene, rows)
                width = 8.0 if color == "selection" and pairs is not overlay.caught_links else 9.0
                self.marks.along(p, a, b, color, width)

    def _rows(self, scene: DrawnNetwork, pairs: frozenset[Pair]) -> np.ndarray:
        """Return the numbers of the links."""
        if not pairs:
            return np.zeros(0, dtype=np.int64)
        table = self.canvas.link_numbers
        return np.array([table[pair] for pair in pairs if pair in table], dtype=np.int64)

    def _pointed(self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork, overlay: Overlay) -> None:
        """Mark the target of the pointer and the result of the gesture."""
        canvas, marks, index = self.canvas, self.marks, scene.network.index
        gesture = canvas.gesture

        def place(name: str) -> tuple[float, float]:
            x, y = plan.points[index[name]].tolist()
            return x, y

        marks.rings(p, plan, (index[name] for name in overlay.caught if name in index))
        marks.rings(p, plan, (index[name] for name in canvas.shown_processes if name in index), "check.warn")
        hovered = canvas.board.hovered
        if gesture is None and isinstance(hovered, str) and hovered in index:
            if canvas.linkable and plan.d >= 17:
                marks.rim(p, plan, place(hovered), strong=canvas.on_rim)
            elif not scene.chosen[index[hovered]]:
                marks.rings(p, plan, [index[hovered]])
        if overlay.line is not None:
            marks.guides(p, plan, overlay.guides)
            if overlay.target is not None and overlay.target in index:
                marks.target(p, plan, place(overlay.target))
            a, b = (canvas.view.pixel(*end) for end in overlay.line)
            new, target = overlay.new is not None, overlay.target is not None
            marks.new_link(p, plan, a, b, directed=overlay.directed, process=new, target=target)
        if overlay.band is not None:
            left, top, right, bottom = overlay.band
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            marks.band(p, [canvas.view.pixel(*corner) for corner in corners])
        if len(overlay.lasso) > 1:
            marks.band(p, [canvas.view.pixel(*corner) for corner in overlay.lasso], loop=True)

    def _ghost(self, p: QPainter, rect: QRectF) -> None:
        ghost = self.canvas.ghost_scene
        if ghost is None:
            return
        plan = self.ghosts.plan(rect, ghost, self.canvas.view.key)
        p.save()
        p.setOpacity(PALE)
        self.ghosts.still(p, plan, ghost, None, grid=False)
        self.ghosts.above(p, plan)
        p.restore()

    def _legend(self, p: QPainter, rect: QRectF) -> None:
        """Draw the legend at the lower left if there are at least two kinds of links."""
        title, entries = self.canvas.legend()
        if len(entries) < 2:
            return
        theme, left, bottom = self.theme, self.canvas.margins[0], self.canvas.margins[3]
        high = theme.grown(30)
        room = rect.width() - left - self.canvas.margins[2] - 24
        wide = min(legend_width(theme, title, entries) + 24, room)
        box = QRectF(rect.left() + left + 12, rect.bottom() - bottom - high - 10, wide, high)
        p.setPen(QPen(theme.color("border.subtle"), 1))
        p.setBrush(theme.color("surface.overlay"))
        p.drawRoundedRect(box, theme.size("radius.card"), theme.size("radius.card"))
        draw_legend(p, theme, box.adjusted(12, 0, -10, 0), title, entries)

    def _messages(self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork) -> None:
        sending = self.canvas.sending
        index = scene.network.index
        if sending is None or any(name not in index for name in sending.pair):
            return
        a, b = (tuple(plan.points[index[name]].tolist()) for name in sending.pair)
        self.marks.messages(p, plan, scene, a, b, sending.shares())
