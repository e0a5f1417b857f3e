"""Several views of one kind: each further one has its own options, its own stretch of time, or a process of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from lydian.app.canvas.cameras import NetworkCamera, TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.panels.dock import Dock
from lydian.app.panels.tracepane import TracePane
from lydian.trace.timeline import Timeline
from lydian.views.registry import names, view

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage

__all__ = ["MOST", "PINS", "Copies", "kinds"]

#: The highest number of a view of one kind; so many processes can be pinned.
MOST, PINS = 9, 3


def kinds() -> tuple[str, ...]:
    """What there can be several of: the views and the text trace."""
    return (*names(), "trace")


class Copies:
    """The further views of each kind, by the names of their docks: ``causality-2``.

    Attributes:
        canvases: those that draw.
        panes: further text traces.
        pins: the name of the process that a view of one process keeps to.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.canvases: dict[str, Canvas] = {}
        self.panes: dict[str, TracePane] = {}
        self.pins: dict[str, str] = {}
        self._pin_actions: dict[str, QAction] = {}

    def __contains__(self, name: object) -> bool:
        return name in self.canvases or name in self.panes

    @property
    def names(self) -> list[str]:
        """The docks of all of them."""
        return [*self.canvases, *self.panes]

    def refresh(self) -> None:
        """Draw them anew where what they show has changed."""
        for canvas in self.canvases.values():
            canvas.refresh()
        for pane in self.panes.values():
            pane.list.refresh()

    # ------------------------------------------------------------------ opening and closing

    def fill_menu(self, dock: Dock, kind: str) -> None:
        """The part of a dock's menu about several views of its kind."""
        another = QAction("New view of this kind", dock)
        another.triggered.connect(lambda: self.open(kind, dock.name))
        dock.add_to_menu(another)
        if kind != "step":
            return
        pin = QAction("Pin", dock)
        if dock.name == "step":
            pin.setText("Pin this process beside")
            pin.setToolTip("Keep this process in a view of its own")
            pin.triggered.connect(lambda: self.open("step", "step"))
        else:
            pin.setCheckable(True)
            pin.setToolTip("Stay with this process, whatever is selected")
            pin.triggered.connect(lambda on: self.pin(dock.name) if on else self.unpin(dock.name))
            self._pin_actions[dock.name] = pin
        dock.add_to_menu(pin)
        dock.add_button(pin, "pin")

    def open(self, kind: str, origin: str = "") -> str:
        """One more view of a kind that begins as another one of it is; its name, or nothing if there are enough.

        It belongs to the layout it is opened in, and comes back with it.
        """
        origin = origin or kind
        if kind == "step" and self._enough():
            return ""
        number = next((n for n in range(2, MOST + 1) if f"{kind}-{n}" not in self), 0)
        hidden = None if number else self._hidden(kind)
        if hidden is None and not number:
            self._say(f"{MOST} views of one kind are open already. Close one of them to open another.")
            return ""
        self.stage.put_back()
        process = self._shown(origin) if kind == "step" else None
        name = hidden or self._make(kind, number)
        dock = self.stage.docks[name]
        self._begin_like(name, origin)
        self.stage.place_copy(dock, origin)
        if process is not None:
            self.pin(name, process)
        dock.content.setFocus(Qt.FocusReason.OtherFocusReason)
        return name

    def _enough(self) -> bool:
        """Whether as many processes are pinned in this layout as there may be; says so."""
        enough = sum(not self.stage.docks[name].isHidden() for name in self.pins) >= PINS
        if enough:
            self._say("Three processes are pinned already. Close one of them, or let go of it, to pin another.")
        return enough

    def _hidden(self, kind: str) -> str | None:
        """A view of that kind that belongs to another layout."""
        return next((n for n in self.names if n.startswith(f"{kind}-") and self.stage.docks[n].isHidden()), None)

    def _make(self, kind: str, number: int) -> str:
        """A further view of a kind, not yet seen."""
        stage, playhead = self.stage, self.stage.player.playhead
        name = f"{kind}-{number}"
        first = stage.docks[kind]
        # "Process 2" would be a process
        title = f"{'Process view' if kind == 'step' else first.windowTitle().split(' — ')[0]} {number}"
        widget: QWidget
        if kind == "trace":
            widget = self.panes[name] = TracePane(playhead, stage.theme)
            widget.field.setAccessibleName(f"Filter of {title}")
            widget.save_wanted.connect(lambda: stage.save_text(self.panes[name]))
        else:
            camera = TimeCamera()
            widget = self.canvases[name] = Canvas(view(kind), playhead, stage.theme, camera)
            widget.setObjectName(f"canvas-{name}")
            widget.setAccessibleName(f"{title} view")
            if playhead.timeline is not None:
                camera.load(playhead.timeline)
        dock = stage.add_dock(name, title, first.icon_name, widget, first.bar.toolTip(), beside="")
        dock.hide()
        if isinstance(widget, Canvas):
            stage.connect_canvas(dock, widget)
        else:
            self.fill_menu(dock, kind)
            self.panes[name].load()
        dock.set_theme(stage.theme)
        return name

    def _begin_like(self, name: str, origin: str) -> None:
        """Choices, zoom and filter of a further view as those of the one it was opened from."""
        stage = self.stage
        if name in self.panes:
            pane = stage.pane if origin == "trace" else self.panes[origin]
            self.panes[name].field.setText(pane.field.text())
            return
        stage.options.give_back(name, stage.options.chosen(origin))
        mine = self.canvases[name].camera
        other = (stage.canvases.get(origin) or self.canvases[origin]).camera
        if isinstance(mine, TimeCamera) and isinstance(other, TimeCamera):
            mine.show(*other.window)
            mine.following = other.following
        elif isinstance(mine, NetworkCamera) and other.scale is not None:
            mine.set(other.scale, other.dx, other.dy)

    def close(self, name: str) -> None:
        """Take one away for good."""
        for table in (self.canvases, self.panes, self.pins, self._pin_actions):
            table.pop(name, None)
        self.stage.options.forget(name)
        self.stage.remove_dock(name)

    def close_all(self, *, seen: bool = False) -> None:
        """Take all of them away for good, or only those ``seen`` in this layout."""
        for name in self.names:
            if not seen or not self.stage.docks[name].isHidden():
                self.close(name)

    # ------------------------------------------------------------------ processes that are pinned

    def pin(self, name: str, process: str | None = None) -> None:
        """Have a view of one process stay with that process, by default with the one it shows."""
        if name not in self.pins and self._enough():
            self._pin_actions[name].setChecked(False)
            return
        process = self._shown(name) if process is None else process
        if process is None:
            self._pin_actions[name].setChecked(False)
            return
        self.pins[name] = process
        self._follow_pin(name, self.stage.player.playhead.timeline)

    def unpin(self, name: str) -> None:
        """Have a view of one process follow the selection again."""
        self.pins.pop(name, None)
        self._follow_pin(name, self.stage.player.playhead.timeline)

    def _shown(self, name: str) -> str | None:
        """The process that a view of one process shows at the moment."""
        timeline = self.stage.player.playhead.timeline
        canvas = self.stage.canvases.get(name) or self.canvases[name]
        if timeline is None:
            return None
        frame = canvas.compute()  # what was painted last may be of another moment
        return timeline.processes[frame.process] if frame.process >= 0 else None

    def _follow_pin(self, name: str, timeline: Timeline | None) -> None:
        canvas, dock, process = self.canvases[name], self.stage.docks[name], self.pins.get(name)
        self._pin_actions[name].setChecked(process is not None)
        self._pin_actions[name].setText("Pin" if process is None else f"Pinned to process {process}")
        processes = () if timeline is None else timeline.processes
        index = processes.index(process) if process in processes else None
        sentence = ""
        if process is not None and index is None and timeline is not None:
            sentence = f"There is no process {process} in this run. Its view waits for one; unpin it to see another."
        dock.unavailable(sentence)
        canvas.options.pop("offset", None)
        canvas.set_option("process", index)

    def load(self, timeline: Timeline) -> None:
        """Another run comes: the processes that are pinned are others of the same names."""
        for name in self._pin_actions:
            self._follow_pin(name, timeline)

    # ------------------------------------------------------------------ memory

    def describe(self) -> list[dict[str, Any]]:
        """All of them in words and numbers, for :meth:`give_back`."""
        records: list[dict[str, Any]] = []
        for name in self.names:
            kind, _, number = name.rpartition("-")
            record: dict[str, Any] = {"kind": kind, "number": int(number)}
            if name in self.panes:
                record["filter"] = self.panes[name].field.text()
            else:
                record["options"] = self.stage.options.chosen(name)
            if name in self.pins:
                record["pin"] = self.pins[name]
            records.append(record)
        return records

    def give_back(self, records: object) -> None:
        """Open again what :meth:`describe` described, unseen; what cannot be read is left out."""
        for record in records if isinstance(records, Iterable) else ():
            if not isinstance(record, Mapping):
                continue
            kind, number, pin = record.get("kind"), record.get("number"), record.get("pin")
            good = kind in kinds() and type(number) is int and 2 <= number <= MOST
            if not good or f"{kind}-{number}" in self:
                continue
            name = self._make(str(kind), int(number))  # type: ignore[arg-type]
            if name in self.panes:
                self.panes[name].field.setText(str(record.get("filter") or ""))
            else:
                self.stage.options.give_back(name, record.get("options"))
            if kind == "step" and isinstance(pin, str):
                self.pin(name, pin)

    def _say(self, sentence: str) -> None:
        self.stage.documents.said.emit(sentence, False)
