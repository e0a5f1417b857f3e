"""The context menus of the views, opened by the right button, the Menu key or Shift+F10."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QLabel, QMenu, QWidgetAction

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.canvas.timemenu import add_causes, add_rows
from lydian.app.live.tools.faultmenu import add_faults
from lydian.language import tr, trn
from lydian.trace.timeline import Timeline
from lydian.views.playback.until import Breakpoint
from lydian.views.selection import NOTHING, Hit
from lydian.views.words.contents import cited
from lydian.views.words.words import brief

if TYPE_CHECKING:
    from lydian.app.live.tools.interference import Interference
    from lydian.app.stage.stage import Stage
    from lydian.app.window.playback import Playback
    from lydian.desk.desk import Desk

__all__ = ["Menus"]


class Menus:
    """The maker of context menus, which shows one at a time."""

    def __init__(
        self, desk: Desk, stage: Stage, playback: Playback, interference: Interference, actions: Mapping[str, QAction]
    ) -> None:
        self.desk, self.stage, self.playback = desk, stage, playback
        self.interference, self._actions = interference, actions
        self.shown: QMenu | None = None
        stage.menu_wanted.connect(self.show)

    def show(self, canvas: Canvas, hit: Hit | None, at: QPoint) -> None:
        """Show the menu of a thing, or of the view where there is nothing, unless a menu is already open."""
        if self.shown is not None and self.shown.isVisible():
            return
        menu = self.shown = self.for_hit(hit, canvas, at)
        menu.popup(at)

    def for_hit(self, hit: Hit | None, canvas: Canvas | None = None, at: QPoint | None = None) -> QMenu:
        """Return the menu of a thing in a view, for a point of the screen."""
        canvas = self.stage.focused if canvas is None else canvas
        menu = QMenu(canvas)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.destroyed.connect(self._gone)
        menu.setToolTipsVisible(True)
        timeline = self.desk.playhead.timeline
        if timeline is not None and hit is not None:
            menu.setAccessibleName(self.name(timeline, hit))
            self._title(menu, self.name(timeline, hit))
            add_faults(menu, self.interference, hit, at)
            {"process": self._process, "link": self._link, "message": self._message, "event": self._event}[hit.kind](
                menu, canvas, timeline, hit
            )
        else:
            menu.setAccessibleName(canvas.accessibleName())
            if canvas.spec.name == "basic":
                add_faults(menu, self.interference, None, at)
            self._view(menu, canvas)
        return menu

    def _title(self, menu: QMenu, text: str) -> None:
        """Add the title of the menu above its entries."""
        label = QLabel(text)
        label.setObjectName("menuTitle")
        entry = QWidgetAction(menu)
        entry.setText(text)
        entry.setDefaultWidget(label)
        entry.setEnabled(False)
        menu.addAction(entry)
        menu.addSeparator()

    def _gone(self) -> None:
        self.shown = None

    def name(self, timeline: Timeline, hit: Hit) -> str:
        """Return the name of a thing in words."""
        names = timeline.processes
        if hit.kind == "process":
            return tr("Process {process}", process=names[int(hit.id)])  # type: ignore[arg-type]
        if hit.kind == "link":
            a, b = hit.id  # type: ignore[misc]
            return tr("Link {link}", link=f"{names[a]}-{names[b]}")
        if hit.kind == "event":
            seq = int(hit.id)  # type: ignore[arg-type]
            who = int(timeline.process[seq])
            words = brief(timeline, seq, self.desk.playhead.animation)
            return tr("Process {process} {event}", process=names[who], event=words) if who >= 0 else words
        message = int(hit.id)  # type: ignore[arg-type]
        label = timeline.trace.labels[int(timeline.message_label[message])]
        a, b = int(timeline.message_source[message]), int(timeline.message_target[message])
        return tr("{message} from {sender} to {receiver}", message=label, sender=names[a], receiver=names[b])

    # ------------------------------------------------------------------ the menus

    def _process(self, menu: QMenu, canvas: Canvas, timeline: Timeline, hit: Hit) -> None:
        head, process = self.desk.playhead, int(hit.id)  # type: ignore[arg-type]
        self._select(menu, hit)
        menu.addAction(tr("&Follow its events"), lambda: self._follow(hit))
        breaks = menu.addMenu(tr("&Break when…"))
        breaks.setToolTipsVisible(True)
        name, animation = timeline.processes[process], head.animation
        for state in timeline.states:
            word = state if animation is None else animation.word(state)
            breaks.addAction(
                tr("it enters the state {state}", state=word), self._breaker(Breakpoint("state", state, process=name))
            )
        if timeline.states and timeline.trace.labels:
            breaks.addSeparator()
        for label in timeline.trace.labels:
            word = cited(label if animation is None else animation.label(label), {})
            breaks.addAction(
                tr("it receives {message}", message=word),
                self._breaker(Breakpoint("message", label, process=name, kind="receive")),
            )
        breaks.addSeparator()
        self._break_when(breaks, hit, tr("&Something else…"))
        menu.addSeparator()
        self._hide(menu, canvas, timeline, process)
        menu.addAction(tr("&Centre in the network"), lambda: self._centre([process]))
        menu.addAction(tr("Copy &name"), lambda: QGuiApplication.clipboard().setText(name))
        if head.stops:
            self._stops(menu)

    def _link(self, menu: QMenu, _canvas: Canvas, timeline: Timeline, hit: Hit) -> None:
        a, b = hit.id  # type: ignore[misc]
        self._select(menu, hit)
        for end in (a, b):
            menu.addAction(
                tr("Select process {process}", process=timeline.processes[end]), self._picker(Hit("process", end))
            )
        self._break_when(menu, hit)
        menu.addSeparator()
        menu.addAction(tr("&Centre in the network"), lambda: self._centre([a, b]))
        text = f"{timeline.processes[a]}-{timeline.processes[b]}"
        menu.addAction(tr("Copy &name"), lambda: QGuiApplication.clipboard().setText(text))

    def _message(self, menu: QMenu, _canvas: Canvas, timeline: Timeline, hit: Hit) -> None:
        head, message = self.desk.playhead, int(hit.id)  # type: ignore[arg-type]
        a, b = int(timeline.message_source[message]), int(timeline.message_target[message])
        self._select(menu, hit)
        sent, arrived = float(timeline.message_sent[message]), float(timeline.message_arrived[message])
        menu.addAction(tr("Go to its &sending"), lambda: self._go(sent))
        there = menu.addAction(tr("Go to its &arrival"), lambda: self._go(arrived))
        there.setEnabled(arrived <= head.end)
        self._break_when(menu, hit)
        menu.addSeparator()
        menu.addAction(tr("&Centre in the network"), lambda: self._centre([a, b]))
        menu.addAction(tr("Copy &name"), lambda: QGuiApplication.clipboard().setText(self.name(timeline, hit)))

    def _event(self, menu: QMenu, canvas: Canvas, timeline: Timeline, hit: Hit) -> None:
        seq = int(hit.id)  # type: ignore[arg-type]
        process = int(timeline.process[seq])
        self._select(menu, hit)
        menu.addAction(tr("&Go there"), lambda: self._go(float(timeline.time[seq])))
        if process >= 0:
            menu.addAction(tr("&Follow the events of the process"), lambda: self._follow(Hit("process", process)))
        self._break_when(menu, hit)
        menu.addSeparator()
        add_causes(menu, canvas, seq)
        if process >= 0:
            self._hide(menu.addMenu(tr("&Row")) if canvas.hand else menu, canvas, timeline, process)
            menu.addAction(tr("&Centre in the network"), lambda: self._centre([process]))
        menu.addAction(tr("Copy as &text"), lambda: QGuiApplication.clipboard().setText(self.name(timeline, hit)))

    def _view(self, menu: QMenu, canvas: Canvas) -> None:
        """Add the entries for the view itself, shown where there is nothing."""
        menu.addAction(tr("Show &everything"), canvas.fit)
        menu.addAction(tr("Save &picture…"), lambda: self.stage.save_picture(canvas))
        menu.addAction(tr("&Copy picture"), lambda: self.stage.options.copy_picture(canvas))
        menu.addAction(tr("Copy as S&VG"), lambda: self.stage.options.copy_svg(canvas))
        if isinstance(canvas.camera, TimeCamera):
            add_rows(menu, canvas, None)
        if self.desk.playhead.selection:
            menu.addAction(tr("C&lear selection"), lambda: self.desk.playhead.select(NOTHING))
        if self.desk.playhead.stops:
            self._stops(menu)

    # ------------------------------------------------------------------ entries

    def _select(self, menu: QMenu, hit: Hit) -> None:
        chosen = self.desk.playhead.selection.has(hit)
        menu.addAction(tr("&Select"), self._picker(hit)).setEnabled(not chosen)
        if self.desk.playhead.selection and hit.kind in ("process", "link"):
            words = tr("Remove from the selection") if chosen else tr("Add to the selection")
            menu.addAction(words, lambda: self.desk.playhead.pick(hit, add=True))

    def _picker(self, hit: Hit) -> Callable[[], None]:
        return lambda: self.desk.playhead.pick(hit)

    def _hide(self, menu: QMenu, canvas: Canvas, timeline: Timeline, process: int) -> None:
        """Add the entry that hides a process's row, in the views along time."""
        camera = canvas.camera
        if isinstance(camera, TimeCamera):
            add_rows(menu, canvas, process)
        else:
            shared = self.stage.camera
            action = menu.addAction(tr("&Hide its row"), lambda: shared.hide([process], timeline.n))
            action.setToolTip(tr("In the views along time"))
            action.setEnabled(process not in shared.hidden and len(shared.hidden) < timeline.n - 1)
            self._show_hidden(menu, shared)

    def _show_hidden(self, menu: QMenu, camera: TimeCamera) -> None:
        if camera.hidden:
            menu.addAction(
                trn(
                    "Sh&ow {count:,} hidden process again",
                    "Sh&ow {count:,} hidden processes again",
                    len(camera.hidden),
                ),
                camera.show_all,
            )

    def _stops(self, menu: QMenu) -> None:
        playback = self.playback
        menu.addSeparator()
        words = trn("Remove {count:,} breakpoint", "Remove {count:,} breakpoints", len(self.desk.playhead.stops))
        menu.addAction(words, playback.waypoints.delete_breaks)

    def _break_when(self, menu: QMenu, hit: Hit, words: str = tr("&Break when…")) -> None:
        """Add the entry, with its key, that opens the bar for breakpoints with the likeliest condition."""
        playback, key = self.playback, self._actions["breakpoint"].shortcut()
        shown = f"\t{key.toString(QKeySequence.SequenceFormat.NativeText)}" if not key.isEmpty() else ""
        menu.addAction(f"{words}{shown}", lambda: self._open_bar(hit, playback.suggestion(hit)))

    def _open_bar(self, hit: Hit, wanted: Breakpoint | None) -> None:
        self.desk.playhead.pick(hit)
        self.playback.break_at(wanted)

    def _breaker(self, wanted: Breakpoint) -> Callable[[], None]:
        """Return a function that adds a breakpoint and shows its condition in the bar for breakpoints."""

        def put() -> None:
            self.playback.break_at(wanted)
            self.playback.add_break(wanted)

        return put

    def _follow(self, hit: Hit) -> None:
        self.desk.playhead.pick(hit)
        self.stage.show_view("step", True)

    def _go(self, t: float) -> None:
        self.desk.playhead.pause()
        self.desk.playhead.seek(t)

    def _centre(self, processes: list[int]) -> None:
        """Centre processes in the network view without zooming."""
        stage, timeline = self.stage, self.desk.playhead.timeline
        stage.show_view("basic", True)
        canvas = stage.canvases["basic"]
        canvas.repaint()
        places = [place for place in map(canvas.process_rect, processes) if place is not None]
        if timeline is None or not places:
            return
        x = sum(place.center().x() for place in places) / len(places)
        y = sum(place.center().y() for place in places) / len(places)
        canvas.centre(QPointF(x, y))
