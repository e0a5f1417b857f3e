"""Guided flights in a real window: recording, the list of stops, undo, flying, and leaving."""

from __future__ import annotations

from collections.abc import Iterator

import av
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lydian.app.canvas.canvas import Canvas
from lydian.app.canvas.flightcard import FlightCard, place_words
from lydian.app.canvas.pilot import Pilot
from lydian.app.look.theme import Theme
from lydian.app.pictures.movieoptions import MovieWish
from lydian.app.window.mainwindow import MainWindow
from lydian.model.experiment.experiment import read
from lydian.model.experiment.flight import FlightStop
from lydian.views.selection import NOTHING
from tests.app.conftest import one_window, whole

#: Warnings of the offscreen platform.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
Key = Qt.Key
STOPS = (
    FlightStop(1.0, seconds=2.0, say="Everything."),
    FlightStop(5.0, "process 9", seconds=2.0),
    FlightStop(5.0, "tower", seconds=2.0, say="Time goes up."),
    FlightStop(9.0, "tower", seconds=1.0),
)


@pytest.fixture(scope="module")
def made(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """One window for all tests here, with the view World alone in it."""
    with one_window(tmp_path_factory.mktemp("home")) as made:
        while not whole(made):
            qapp.processEvents()
        made.actions_by_name["view_world"].trigger()
        made.stage.maximise("world")
        yield made


@pytest.fixture
def window(made: MainWindow) -> Iterator[MainWindow]:
    canvas = made.stage.canvases["world"]
    assert canvas.pilot is not None
    canvas.pilot.choose("orbit")
    made.session.set_flight("none", ())
    made.session.undo.clear()
    made.playhead.pause()
    made.playhead.seek(8.2)
    made.playhead.select(NOTHING)
    canvas.set_option("layout", "shape")
    settle(made, canvas.pilot)
    canvas.bar.slider.setValue(100)
    canvas.fit()
    canvas.repaint()
    canvas.setFocus()
    yield made
    made.playhead.pause()
    canvas.pilot.choose("orbit")
    settle(made, canvas.pilot)
    assert canvas.trouble is None, canvas.trouble


@pytest.fixture
def canvas(window: MainWindow) -> Canvas:
    return window.stage.canvases["world"]


@pytest.fixture
def pilot(canvas: Canvas) -> Pilot:
    assert canvas.pilot is not None
    return canvas.pilot


@pytest.fixture
def card(window: MainWindow, canvas: Canvas) -> FlightCard:
    return window.flights.cards[canvas]


def settle(window: MainWindow, pilot: Pilot) -> None:
    """Let time pass until no glide is left."""
    for _ in range(200):
        if not pilot.moving:
            break
        window.player.tick(0.05)
    window.player.tick(0.0)
    assert not pilot.moving


def flight(window: MainWindow) -> tuple[FlightStop, ...]:
    assert window.session.experiment is not None
    return window.session.experiment.flight


# ---------------------------------------------------------------------- recording


def test_k_adds_the_present_place_and_moment(qtbot: QtBot, window, canvas, pilot, card):
    qtbot.keyClick(canvas, Key.Key_K)
    assert flight(window) == (FlightStop(8.2),)
    assert card.isVisible() and card.row == 0
    pilot.visit(5)
    settle(window, pilot)
    window.playhead.seek(9.0)
    qtbot.keyClick(canvas, Key.Key_K)
    canvas.set_option("layout", "tower")
    settle(window, pilot)
    pilot.go_home()
    settle(window, pilot)
    qtbot.keyClick(canvas, Key.Key_K)
    pilot.dragged(40, 10, sideways=False)
    canvas.bar.slider.setValue(50)
    canvas.repaint()
    qtbot.keyClick(canvas, Key.Key_K)
    _, second, third, fourth = flight(window)
    assert (second.at, second.time, second.zoom, second.layout) == ("process 5", 9.0, 1.0, "")
    assert (third.at, third.layout, third.depth) == ("tower", "", None)
    assert fourth.eye is not None and (fourth.at, fourth.layout, fourth.depth) == ("", "", 0.5)
    assert [place_words(stop) for stop in flight(window)] == [
        "everything",
        "process 5",
        "the tower",
        "a place of its own",
    ]
    canvas.repaint()
    assert pilot.flight is not None and pilot.flight.stops == flight(window)
    back = pilot.flight.camera(pilot.flight.begins[3], canvas.frame, float(canvas.width()), float(canvas.height()))
    assert np.allclose(back.eye, pilot.view.eye, atol=1e-3)


def test_a_ride_is_recorded_as_a_ride(qtbot: QtBot, window, canvas, pilot):
    pilot.choose("ride")
    canvas.repaint()
    qtbot.keyClick(canvas, Key.Key_K)
    assert [stop.message for stop in flight(window)] == [pilot.message]


def test_stops_are_edited_in_the_list_and_every_edit_is_undone(qtbot: QtBot, window, canvas, pilot, card):
    window.session.set_flight("four stops", STOPS)
    card.open()
    assert card.list.count() == 4 and "7 s" in card.length.text()
    assert "Everything." in card.list.item(0).text() and "process 9" in card.list.item(1).text()
    card.list.setCurrentRow(2)
    card.down.click()
    assert [stop.time for stop in flight(window)] == [1.0, 5.0, 9.0, 5.0] and card.row == 3
    card.up.click()
    assert flight(window) == STOPS
    card.list.setCurrentRow(0)
    card.say.selectAll()
    qtbot.keyClicks(card.say, "  The whole   network. ")
    qtbot.keyClick(card.say, Key.Key_Return)
    card.seconds.setValue(3.0)
    card.seconds.setValue(3.5)
    assert (flight(window)[0].say, flight(window)[0].seconds) == ("The whole network.", 3.5)
    card.list.setCurrentRow(1)
    card.here.click()
    assert flight(window)[1] == FlightStop(8.2, seconds=2.0)
    card.list.setCurrentRow(3)
    qtbot.keyClick(card.list, Key.Key_Delete)
    assert len(flight(window)) == 3 and card.row == 2
    runs = window.session.runs
    undo = window.session.undo
    assert undo.text(undo.index - 3) == "duration of a stop"  # both changes are one step
    while undo.can_undo:
        undo.undo()
    assert flight(window) == () and window.session.runs == runs and not window.session.worker.busy
    while undo.can_redo:
        undo.redo()
    assert len(flight(window)) == 3 == card.list.count()


def test_reordered_stops_keep_their_layouts(window, card):
    window.session.set_flight("two stops", (FlightStop(1.0, layout="sphere"), FlightStop(2.0, depth=0.5)))
    card.list.setCurrentRow(1)
    card.up.click()
    assert flight(window) == (FlightStop(2.0, layout="sphere", depth=0.5), FlightStop(1.0, depth=1.0))


def test_a_flight_is_saved_in_the_experiment(window, tmp_path):
    window.session.set_flight("four stops", STOPS)
    assert window.session.modified
    assert window.documents.save_to(tmp_path / "flown.toml")
    assert read(tmp_path / "flown.toml").flight == STOPS


# ---------------------------------------------------------------------- flying


def test_a_flight_leads_the_play_head_and_the_camera(window, canvas, pilot, card):
    window.session.set_flight("four stops", STOPS)
    window.actions_by_name["guided_flight"].trigger()
    assert pilot.aloft and window.playhead.playing and window.playhead.t == 1.0
    told = []
    for _ in range(28):
        window.player.tick(0.25)
        canvas.repaint()
        frame = canvas.frame
        told.append((pilot.stop, window.playhead.t, frame.say, frame.layout))
        assert np.allclose(
            canvas.camera.view.eye,
            pilot.flight.camera(pilot._flown, frame, float(canvas.width()), float(canvas.height())).eye,
        )
    assert [stop for stop, *_ in told[::4]] == [0, 0, 1, 1, 2, 2, 3]
    assert [t for _, t, *_ in told[3:28:8]] == [3.0, 5.0, 7.0, 9.0]
    assert [say for *_, say, _ in told[::8]] == ["Everything.", "", "Time goes up.", ""]
    assert told[-1][3] == "tower" and told[0][3] == "shape"
    assert card.row == 3
    window.player.tick(0.25)
    assert not window.playhead.playing and not window.player.timer.isActive() and pilot.aloft
    window.playhead.play()  # Play begins again
    window.player.tick(0.1)
    assert pilot.aloft and window.playhead.t == 1.0
    window.player.tick(0.1)
    assert window.playhead.t > 1.0


def test_the_play_button_pauses_the_flight_and_keys_lead_to_the_stops(qtbot: QtBot, window, canvas, pilot):
    window.session.set_flight("four stops", STOPS)
    pilot.toggle_flight()
    window.player.tick(0.25)
    window.playhead.pause()
    t = window.playhead.t
    window.player.tick(0.25)
    assert window.playhead.t == t and pilot.aloft
    qtbot.keyClick(canvas, Key.Key_Period)
    assert pilot.stop == 1 and window.playhead.t == 5.0
    assert window.playhead.selection.processes == {window.playhead.timeline.processes.index("9")}
    qtbot.keyClick(canvas, Key.Key_Comma)
    assert pilot.stop == 0 and window.playhead.t == 1.0 and window.playhead.selection == NOTHING
    pilot.toggle_flight()
    assert window.playhead.playing
    window.player.tick(0.2)
    assert 1.0 < window.playhead.t < 2.0


def test_a_touch_ends_the_flight_where_it_is(qtbot: QtBot, window, canvas, pilot):
    window.session.set_flight("four stops", STOPS)
    pilot.fly_to(2)
    canvas.repaint()
    view, t = canvas.camera.view, window.playhead.t
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(300, 300))
    canvas.end_gesture()
    assert pilot.aloft  # a click is no movement
    qtbot.keyClick(canvas, Key.Key_Escape)
    assert not pilot.aloft and pilot.mode == "orbit" and canvas.bar.modes.key == "orbit"
    assert window.playhead.t == t and canvas.camera.view == view
    assert canvas.options["layout"] == "tower" and canvas.passing == {}
    assert not window.playhead.playing


def test_moving_the_play_head_by_hand_ends_the_flight(window, canvas, pilot):
    window.session.set_flight("four stops", STOPS)
    pilot.choose("flight")
    window.player.tick(0.2)
    window.playhead.pause()
    window.playhead.seek(3.3)
    canvas.repaint()
    assert pilot.mode == "orbit" and window.playhead.t == 3.3 and canvas.passing == {}
    settle(window, pilot)


def test_a_flight_that_is_left_between_two_layouts_goes_on_to_the_next_one(window, canvas, pilot):
    window.session.set_flight("four stops", STOPS)
    pilot.fly_to(1)
    window.playhead.play()
    for _ in range(7):
        window.player.tick(0.2)
    share = canvas.passing["share"]
    assert 0.1 < share < 0.9 and canvas.passing["before"] == "shape"
    pilot.choose("orbit")
    assert canvas.options["layout"] == "tower" and canvas.passing["share"] == share
    settle(window, pilot)
    canvas.repaint()
    assert canvas.passing == {} and canvas.frame.tower is not None and canvas.frame.grown == 1


def test_a_flight_ends_what_moved_before(window, canvas, pilot):
    window.session.set_flight("four stops", STOPS)
    canvas.set_option("layout", "sphere")
    pilot.go_home()
    window.player.tick(0.1)
    assert pilot.moving
    pilot.fly_to(1)
    window.player.tick(0.1)
    assert not pilot.moving and not window.player.timer.isActive()
    canvas.repaint()
    assert canvas.frame.layout == "shape" and canvas.frame.before == ""


def test_with_reduced_motion_the_camera_jumps(window, canvas, pilot):
    window.session.set_flight("four stops", STOPS)
    usual = canvas.theme
    canvas.theme = Theme(usual.name, still=True)
    try:
        pilot.choose("flight")
        eyes = set()
        for _ in range(7):
            window.player.tick(0.25)
            eyes.add(canvas.camera.view.eye)
        assert len(eyes) == 1 and window.playhead.t > 4.0
        window.player.tick(0.25)
        assert canvas.camera.view.eye not in eyes
        pilot.choose("orbit")
    finally:
        canvas.theme = usual
        canvas.retry()


@pytest.mark.leaves_behind("the simulator of the other run")
def test_another_experiment_has_its_own_flight(qtbot: QtBot, window, canvas, pilot, card):
    window.session.set_flight("four stops", STOPS)
    pilot.choose("flight")
    usual, other = window.session.experiment, window.shelf.archive.experiment("echo-crash")
    window.session.start(other)
    qtbot.waitUntil(lambda: whole(window), timeout=20_000)
    assert not pilot.aloft and pilot.flight is None and card.stops == ()
    window.session.start(usual)
    qtbot.waitUntil(lambda: whole(window), timeout=20_000)


# ---------------------------------------------------------------------- in a lesson

LESSON = """# A flight

```lesson
level = "introductory"
```

## Fly

Look at this.

```experiment
name = "echo-crash"
layout = "watch"
fly = true

[[flight]]
time = 1.0
seconds = 4.0
say = "Everything."

[[flight]]
time = 5.0
at = "process 9"
```

## Ask

What was that?

```predict
question = "How many messages?"
expect = "messages"
```
"""


@pytest.mark.leaves_behind("the timer that keeps the work for the next start")
def test_a_step_of_a_lesson_begins_its_flight_by_itself(qtbot: QtBot, window, canvas, pilot, card, tmp_path):
    usual, lessons = window.session.experiment, window.lessons
    window.stage.put_back()
    (tmp_path / "mine.md").write_text(LESSON, encoding="utf-8")
    assert lessons.open(tmp_path / "mine.md")
    qtbot.waitUntil(lambda: pilot.aloft, timeout=20_000)
    assert window.stage.maximised == "world" and not card.isVisible()
    assert [stop.say for stop in pilot.flight.stops] == ["Everything.", ""]
    window.player.tick(0.2)
    assert lessons.mine and window.session.hiding and 1.0 < window.playhead.t < 5.0
    pilot.fly_on(1)
    assert window.playhead.t == 5.0
    lessons.go(1)
    assert not pilot.aloft and window.stage.maximised == ""
    lessons.go(0)
    qtbot.waitUntil(lambda: pilot.aloft, timeout=20_000)
    window.session.start(usual)
    qtbot.waitUntil(lambda: whole(window), timeout=20_000)
    assert not pilot.aloft
    lessons.dock.hide()
    window.actions_by_name["view_world"].trigger()
    window.stage.maximise("world")


# ---------------------------------------------------------------------- in a movie


def test_the_form_for_a_movie_offers_the_flight(window, tmp_path):
    form = window.exports.films.form
    form.say(MovieWish(views=("world",), span="flight", fps=10, size=(320, 200)))
    assert "no guided flight" in form.problem.text()
    window.session.set_flight("two stops", (FlightStop(1.0, seconds=0.5), FlightStop(5.0, "tower", seconds=0.3)))
    form.refresh()
    assert form.problem.text() == "" and "9 frames" in form.summary.text()
    form.say(MovieWish(views=("basic",), span="flight", fps=10, size=(320, 200)))
    assert "view World" in form.problem.text()
    films = window.exports.films
    films.film(tmp_path / "flight.mp4", MovieWish(views=("world",), span="flight", fps=10, size=(320, 200)))
    while films.filming:
        films.step()
    with av.open(str(tmp_path / "flight.mp4")) as file:
        assert sum(1 for _ in file.decode(file.streams.video[0])) == 9
