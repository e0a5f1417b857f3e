"""The panel that finds places in the run on screen: shapes of communication and the longest waits."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QTreeWidgetItem, QWidget

from lydian.app.kit.layout import down
from lydian.app.panels.trace.importlog import table
from lydian.app.work.background import Background
from lydian.desk.desk import Desk
from lydian.language import tr, translated, trc
from lydian.trace.finding import SHAPES, Found, find
from lydian.trace.timeline import Timeline
from lydian.views.selection import Selection
from lydian.views.words.found import found_words

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage

__all__ = ["Findings", "FindingsPanel"]

#: The largest number of places that are listed.
MOST = 100


class FindingsPanel(QWidget):
    """The choice of a shape, and the places that were found."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.shape = QComboBox()
        self.shape.setAccessibleName(tr("Shape"))
        for name, shape in SHAPES.items():
            self.shape.addItem(translated(shape.title), name)
        self.places = table((tr("Time"), trc("column", "Takes"), tr("What happens")), tr("Places that were found"))
        self.note = QLabel()
        self.note.setWordWrap(True)
        down(self.shape, (self.places, 1), self.note, on=self, margins=(12, 10, 12, 8), spacing=8)

    def show_places(self, found: list[Found]) -> None:
        """List places, the best first."""
        self.places.clear()
        for each in found:
            item = QTreeWidgetItem([f"{each.start:.4f}", f"{each.length:.4g}", found_words(each)])
            item.setToolTip(2, item.text(2))
            item.setData(0, Qt.ItemDataRole.UserRole, each.events[0])
            self.places.addTopLevelItem(item)
        self.note.setText("" if found else tr("This run contains no such place."))
        self.note.setVisible(not found)


class Findings(QObject):
    """The command that opens the panel; places are looked for in a thread."""

    def __init__(self, desk: Desk, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage = desk, stage
        self.background = Background(self)
        self.background.done.connect(self._done)
        self.background.failed.connect(lambda sentence: desk.notices.say(sentence))
        self._timeline: Timeline | None = None
        stage.add_dock(
            "findings", tr("Find places"), "find", lambda: self.panel,
            about=tr("Shapes of communication and the longest waits of this run; click one to go to its moment."),
        )  # fmt: skip
        desk.screen.loaded.connect(lambda *_what: self._renew())

    @cached_property
    def panel(self) -> FindingsPanel:
        """The panel, created on first use."""
        panel = FindingsPanel()
        panel.shape.activated.connect(lambda _index: self.look())
        panel.places.itemClicked.connect(lambda item, _column: self.go(item))
        panel.places.itemActivated.connect(lambda item, _column: self.go(item))
        return panel

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"run_find": self.open}

    def open(self) -> None:
        """Show the panel with the places of the shape that was chosen last."""
        self.stage.show_view("findings", True)
        self.look()

    def look(self) -> None:
        """Find the places of the chosen shape in the run on screen."""
        timeline, shape = self.desk.playhead.timeline, self.panel.shape.currentData()
        if timeline is not None:
            self._timeline = timeline
            self.background.start(lambda _report: find(timeline, shape, MOST))

    def go(self, item: QTreeWidgetItem) -> None:
        """Go to the moment of a place and select its first event."""
        timeline, event = self.desk.playhead.timeline, int(item.data(0, Qt.ItemDataRole.UserRole))
        if timeline is not None and event < timeline.length:
            self.desk.jump(float(timeline.time[event]))
            self.desk.playhead.select(Selection(event=event))

    def close(self) -> None:
        """End the thread."""
        self.background.close()

    def _renew(self) -> None:
        """Another run is shown, so its places are looked for if the panel is open."""
        if self.stage.docks["findings"].made and self.panel.isVisible():
            self.look()

    def _done(self, found: list[Found]) -> None:
        if self._timeline is not None:
            self.panel.show_places(found)
