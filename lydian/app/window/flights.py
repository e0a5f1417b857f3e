"""Guided flights in the window: the stops in the experiment, which each view World shows, records and flies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from lydian.app.canvas.canvas import Canvas
from lydian.app.canvas.flightcard import FlightCard
from lydian.app.kit.follow import follow
from lydian.language import tr
from lydian.model.experiment.flight import FlightStop
from lydian.views.world.flights import Flight

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["Flights"]


class Flights:
    """The guided flight of the experiment, in all views World.

    Attributes:
        cards: the lists of stops, one for each view.
    """

    def __init__(self, desk: Desk, stage: Stage) -> None:
        self.desk, self.stage = desk, stage
        self.cards: dict[Canvas, FlightCard] = {}
        self._wanted = False  # whether the next run is to be flown through
        self._alone = False  # whether the view World was maximised for that
        for canvas in stage.pictures():
            self.attach(canvas)
        stage.canvas_made.connect(self.attach)
        desk.session.experiment_changed.connect(self.refresh)
        desk.session.run_ready.connect(lambda _run, _play: self._ready())
        desk.session.run_grown.connect(lambda run, _first, _play: self._ready() if run.beginning is not None else None)
        desk.session.opened.connect(self._opened)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"guided_flight": self.fly}

    # ------------------------------------------------------------------ the views

    def attach(self, canvas: Canvas) -> None:
        """Give a view World its list of stops; other views have none."""
        pilot = canvas.pilot
        if pilot is None or canvas in self.cards:
            return
        card = FlightCard(canvas, pilot, self.stage.theme, self._edit)
        self.cards[canvas] = card
        canvas.destroyed.connect(lambda: self.cards.pop(canvas, None))
        said = pilot.told

        def told() -> None:
            said()
            card.follow()
            if pilot.mode == "flight" and pilot.flight is None and not card.isVisible():
                card.open()

        def record(stop: FlightStop) -> None:
            if not card.isVisible():
                card.open()
            card.insert(stop)

        pilot.told, pilot.recorded = told, record
        pilot.placed = lambda layout, depth: self._placed(canvas, layout, depth)
        follow(card, self.desk.playhead.changed, lambda what: card.follow() if what == "playing" else None)
        dock = next((each for each in self.stage.docks.values() if each.made and each.content is canvas), None)
        if dock is not None:
            action = QAction(tr("Stops of the guided flight"), dock)
            action.triggered.connect(lambda _checked=False: card.open())
            dock.add_to_menu(action)
        self._show(canvas)

    def refresh(self) -> None:
        """Show the flight of the experiment as it is now."""
        for canvas in self.cards:
            self._show(canvas)

    def _show(self, canvas: Canvas) -> None:
        experiment, pilot, card = self.desk.session.experiment, canvas.pilot, self.cards[canvas]
        stops = () if experiment is None else experiment.flight
        if pilot is None or (stops == card.stops and (pilot.flight is None) is (not stops)):
            return
        pilot.set_flight(Flight(stops, still=canvas.theme.still) if stops else None)
        card.show_stops(stops)

    def _placed(self, canvas: Canvas, layout: str, depth: float) -> None:
        """Keep the layout and the depth at which a flight was left."""
        choice = next(each for each in canvas.spec.choices if each.name == "layout")
        canvas.asked.emit(choice, layout)
        canvas.bar.slider.setValue(round(depth * canvas.bar.slider.maximum()))

    # ------------------------------------------------------------------ editing and flying

    def _edit(self, text: str, stops: tuple[FlightStop, ...], key: str) -> None:
        if self.desk.session.experiment is None:
            self.desk.notices.say(tr("A guided flight is saved in an experiment, and this run has none."), False)
            return
        self.desk.session.set_flight(text, stops, key)

    def fly(self) -> None:
        """Show the view World and begin the guided flight; without one, the camera flies around the network."""
        self.stage.show_view("world", True)
        canvas = self.stage.canvases["world"]
        canvas.repaint()
        if canvas.pilot is not None:
            canvas.pilot.choose("flight")

    def fly_when_ready(self) -> None:
        """Begin the guided flight in the whole window as soon as the run of the experiment is there."""
        session = self.desk.session
        self._wanted = True
        if session.whole is not None and session.whole.result.get("stopped") and not session.worker.busy:
            self._ready()

    def end(self) -> None:
        """End a guided flight that was to begin by itself, and show the other views again."""
        self._wanted = False
        if self._alone and self.stage.maximised == "world":
            self.stage.put_back()
        self._alone = False
        self._opened()

    def _ready(self) -> None:
        wanted, self._wanted = self._wanted, False
        experiment = self.desk.session.experiment
        if not wanted or experiment is None or not experiment.flight:
            return
        self.stage.show_view("world", True)
        if self.stage.maximised != "world":
            self.stage.maximise("world")
            self._alone = True
        self.fly()
        self.cards[self.stage.canvases["world"]].hide()

    def _opened(self) -> None:
        """End the flight of the experiment before."""
        for canvas in self.cards:
            if canvas.pilot is not None and canvas.pilot.aloft:
                canvas.pilot.choose("orbit")
