"""The card of the guided flight in the view World: its stops with their sentences, to be recorded and flown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QMoveEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDoubleSpinBox,
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QWidget,
)

from lydian.app.canvas.pilot import Pilot
from lydian.app.kit.fields import calm
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import grown, set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.language import tr, trn
from lydian.model.experiment.flight import LONGEST, SHORTEST, FlightStop
from lydian.views.world.flights import resolved, shortened

__all__ = ["FlightCard", "place_words"]

#: The width of the card, its distance from the edges of the view, the room for the controls above it, and the least
#: height of the view in which it is shown.
WIDE, EDGE, ABOVE, LEAST = 312, 12, 46, 320

Stops = tuple[FlightStop, ...]


def place_words(stop: FlightStop) -> str:
    """Return what the camera looks at, in words."""
    if stop.process:
        return tr("process {process}", process=stop.process)
    if stop.message >= 0:
        return tr("ride on message {number}", number=stop.message)
    if stop.at == "tower":
        return tr("the tower")
    return tr("everything") if stop.at == "home" else tr("a place of its own")


class FlightCard(QFrame):
    """The list of stops at the right edge of a view.

    Args:
        over: the view.
        pilot: flies.
        edit: called with the description of an edit, all stops, and the key of edits that are one step.
    """

    def __init__(self, over: QWidget, pilot: Pilot, theme: Theme, edit: Callable[[str, Stops, str], object]) -> None:
        super().__init__(over)
        self._over, self.pilot, self.theme, self._edit = over, pilot, theme, edit
        self.stops: Stops = ()
        self.setObjectName("flightCard")
        self.setAccessibleName(tr("Stops of the guided flight"))
        self.title = QLabel(tr("Guided flight"))
        self.length = set_up(QLabel(), look="explained")
        self.close_button = self._button("close", tr("Close the list of stops"), self.hide)
        self.list = set_up(QListWidget(), name=tr("Stops"))
        self.list.setObjectName("flightStops")
        self.list.setWordWrap(False)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.installEventFilter(self)
        self.none = set_up(
            QLabel(tr("No stops yet. Move to a place and a moment, and press K to add them as a stop.")),
            look="explained", wraps=True,
        )  # fmt: skip
        self.say = set_up(QLineEdit(), name=tr("Sentence of this stop"))
        self.say.setPlaceholderText(tr("A sentence for this stop"))
        self.seconds = set_up(QDoubleSpinBox(), name=tr("Seconds until the next stop"),
                              tip=tr("Seconds until the next stop"))  # fmt: skip
        self.seconds.setRange(SHORTEST, LONGEST)
        self.seconds.setDecimals(1)
        self.seconds.setSuffix(tr(" s"))
        calm(self.seconds)
        self.add = self._button("plus", tr("Add this place and moment as a stop (K)"), pilot.record)
        self.here = self._button("pin", tr("Move this stop to the present place and moment"), self._move_here)
        self.up = self._button("chevron-up", tr("Move this stop up"), lambda: self._shift(-1))
        self.down = self._button("chevron-down", tr("Move this stop down"), lambda: self._shift(1))
        self.delete = self._button("cross", tr("Delete this stop (Del)"), self.remove)
        self.back = self._button("step-back", tr("Previous stop (,)"), lambda: pilot.fly_on(-1))
        self.play = self._button("play", tr("Fly"), pilot.toggle_flight)
        self.on = self._button("step-forward", tr("Next stop (.)"), lambda: pilot.fly_on(1))
        down(
            across(self.title, 8, (self.length, 1), self.close_button, spacing=2),
            self.none,
            (self.list, 1),
            across((self.say, 1), self.seconds, spacing=6),
            across(
                self.back, self.play, self.on, ..., self.add, self.here, self.up, self.down, self.delete, spacing=2
            ),
            on=self, margins=(10, 8, 8, 8), spacing=6,
        )  # fmt: skip
        set_look(self.title, theme, font="body semibold")
        set_look(self.list, theme, font="small")
        for field in (self.say, self.seconds):
            set_look(field, theme, font="small", min_height=grown(26))
        for field in (self.say, self.seconds):
            field.installEventFilter(self)
        self.list.itemClicked.connect(lambda item: pilot.fly_to(self.list.row(item)))
        self.list.currentRowChanged.connect(lambda _row: self._show_stop())
        self.say.editingFinished.connect(self._said)
        self.seconds.valueChanged.connect(self._timed)
        over.installEventFilter(self)
        self.hide()
        self.show_stops(())

    def _button(self, icon: str, what: str, act: Callable[[], object]) -> QToolButton:
        button = set_up(QToolButton(), name=what, tip=what)
        set_look(button, self.theme, icon=icon, ink="text.secondary", square=stretched(26), icon_size=stretched(15))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _checked=False: act())
        return button

    # ------------------------------------------------------------------ showing

    def show_stops(self, stops: Stops) -> None:
        """List the stops of a flight."""
        before, self.stops = self.stops, stops
        row = self.list.currentRow()
        with QSignalBlocker(self.list):
            self.list.clear()
            for number, stop in enumerate(stops, 1):
                self.list.addItem(self._item(number, stop))
        added = len(stops) == len(before) + 1
        where = next((k for k, stop in enumerate(stops) if k >= len(before) or stop != before[k]), row)
        self.list.setCurrentRow(min(where if added else max(row, 0), len(stops) - 1))
        self.list.setVisible(bool(stops))
        self.none.setVisible(not stops)
        seconds = sum(stop.seconds for stop in stops)
        count = trn("{count} stop", "{count} stops", len(stops))
        self.length.setText(tr("{stops}, {seconds:g} s", stops=count, seconds=round(seconds, 1)) if stops else "")
        self._show_stop()
        self.place()

    def _item(self, number: int, stop: FlightStop) -> QListWidgetItem:
        head = tr("{number}   at {time:.2f}: {place}", number=number, time=stop.time, place=place_words(stop))
        item = QListWidgetItem(f"{head}\n{stop.say}" if stop.say else head)
        item.setToolTip(stop.say)
        return item

    @property
    def row(self) -> int:
        """The number of the selected stop, or -1."""
        row = self.list.currentRow()
        return row if 0 <= row < len(self.stops) else -1

    def _show_stop(self) -> None:
        """Fill the fields with the selected stop."""
        row = self.row
        stop = self.stops[row] if row >= 0 else None
        with QSignalBlocker(self.seconds), QSignalBlocker(self.say):
            self.say.setText("" if stop is None else stop.say)
            self.say.setCursorPosition(0)
            self.seconds.setValue(5.0 if stop is None else stop.seconds)
        for widget in (self.say, self.seconds, self.here, self.delete):
            widget.setEnabled(stop is not None)
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < len(self.stops) - 1)
        for button in (self.back, self.play, self.on):
            button.setEnabled(bool(self.stops))

    def follow(self) -> None:
        """Show which stop the flight has passed, and whether it is playing."""
        playing = self.pilot.aloft and self.pilot.canvas.playhead.playing
        words = tr("Pause the flight") if playing else tr("Fly")
        set_look(self.play, self.theme, icon="pause" if playing else "play")
        self.play.setToolTip(words)
        self.play.setAccessibleName(words)
        stop = self.pilot.stop
        if 0 <= stop < len(self.stops) and stop != self.list.currentRow():
            with QSignalBlocker(self.list):
                self.list.setCurrentRow(stop)
            self._show_stop()
        self.place()

    def open(self) -> None:
        """Show the card."""
        self.show()
        self.raise_()
        self.place()

    # ------------------------------------------------------------------ editing

    def _change(self, text: str, stops: Stops, row: int, key: str = "") -> None:
        """Edit the flight, and select a stop.

        Args:
            stops: the new stops, all of which name their layout and depth.
        """
        self._edit(text, shortened(stops), key)
        if row >= 0:
            self.list.setCurrentRow(row)

    def insert(self, stop: FlightStop) -> None:
        """Add a stop after the selected one."""
        stops, at = resolved(self.stops), self.row + 1 if self.stops else 0
        self._change(tr("add a stop"), (*stops[:at], stop, *stops[at:]), at)

    def _move_here(self) -> None:
        """Give the selected stop the present place and moment."""
        row, found = self.row, self.pilot.here()
        if row >= 0 and found is not None:
            old = self.stops[row]
            self._replace(tr("move a stop"), replace(found, say=old.say, seconds=old.seconds))

    def _shift(self, by: int) -> None:
        """Move the selected stop up or down."""
        row, stops = self.row, list(resolved(self.stops))
        if row < 0 or not 0 <= row + by < len(stops):
            return
        stops[row], stops[row + by] = stops[row + by], stops[row]
        self._change(tr("reorder stops"), tuple(stops), row + by)

    def remove(self) -> None:
        """Delete the selected stop."""
        row, stops = self.row, resolved(self.stops)
        if row >= 0:
            self._change(tr("delete a stop"), stops[:row] + stops[row + 1 :], min(row, len(stops) - 2))

    def _replace(self, text: str, stop: FlightStop, key: str = "") -> None:
        """Replace the selected stop."""
        row, stops = self.row, resolved(self.stops)
        self._change(text, (*stops[:row], stop, *stops[row + 1 :]), row, key)

    def _said(self) -> None:
        row, words = self.row, " ".join(self.say.text().split())
        if row >= 0 and words != self.stops[row].say:
            self._replace(tr("sentence of a stop"), replace(resolved(self.stops)[row], say=words))

    def _timed(self, seconds: float) -> None:
        row, seconds = self.row, round(seconds, 1)
        if row >= 0 and seconds != self.stops[row].seconds:
            new = replace(resolved(self.stops)[row], seconds=seconds)
            self._replace(tr("duration of a stop"), new, f"seconds of stop {row}")

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.follow()
        self.place()

    # ------------------------------------------------------------------ the place

    def sizeHint(self) -> QSize:
        return QSize(self.theme.grown(WIDE), 420)

    def place(self) -> None:
        """Stay at the right edge of the view, below its controls; there is none in a small view."""
        below = self.pilot.camera.covered.get("hear", QRectF())
        bottom = self._over.height() if below.isEmpty() else round(below.top())
        wide, room = self.theme.grown(WIDE), bottom - ABOVE - 2 * EDGE
        rows = sum(self.list.sizeHintForRow(row) + 2 for row in range(self.list.count()))
        bare = self.minimumSizeHint().height() - (self.list.minimumSizeHint().height() if self.stops else 0)
        tall = min(bare + rows + 8, room)
        self.setGeometry(self._over.width() - EDGE - wide, ABOVE + EDGE, wide, max(tall, min(bare + 60, room)))

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._cover()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cover()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._cover()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._cover()

    def _cover(self) -> None:
        """Keep the labels of the view away."""
        self.pilot.camera.cover("flight", self)
        self._over.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the edge; delete a stop with Del in the list."""
        if watched is self._over and event.type() == QEvent.Type.Resize:
            self.place()
        asked = watched in (self.say, self.seconds) and event.type() == QEvent.Type.ShortcutOverride
        if asked and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # the key ends the input, and is no key of the window
            return True
        pressed = watched is self.list and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Delete:
            self.remove()
            return True
        return False
