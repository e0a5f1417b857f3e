"""Sound in the real window: the key, the settings, the walk, the listener, and the export."""

from __future__ import annotations

import math
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lydian.app.kit.announcer import Announcer
from lydian.app.window.mainwindow import MainWindow
from lydian.app.window.sounds import Sounds
from lydian.model.errors import BadInput
from lydian.sound.score import TAIL
from lydian.sound.voices import RATE, VOICES
from lydian.views.selection import NOTHING, Hit
from tests.app.conftest import one_window, rest
from tests.desk.test_sounding import Ear

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture(scope="module")
def shared(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    with one_window(tmp_path_factory.mktemp("home")) as window:
        window.sounds.sounding.speaker = Ear()
        yield window


@pytest.fixture
def window(qtbot: QtBot, shared: MainWindow) -> Iterator[MainWindow]:
    """Provide the shared window, paused at 6.3 with process 3 selected and without sound."""
    rest(shared, qtbot)
    qtbot.waitUntil(lambda: not shared.desk.memory._later.active)
    shared.playhead.pause()
    shared.playhead.seek(6.3)
    shared.playhead.select(NOTHING)
    shared.playhead.pick(Hit("process", 3))
    shared.activateWindow()
    network = shared.stage.canvases["basic"]
    network.setFocus()
    qtbot.waitUntil(network.hasFocus)
    yield shared
    shared.sounds.sounding.switch(False)
    ear(shared).given.clear()
    if shared.sounds.popup is not None:
        shared.sounds.popup.close()


def ear(window: MainWindow) -> Ear:
    speaker = window.sounds.sounding.speaker
    assert isinstance(speaker, Ear)
    return speaker


def action(window: MainWindow, name: str) -> QAction:
    return window.actions_by_name[name]


def test_m_switches_sound_on_and_off(window: MainWindow, qtbot: QtBot) -> None:
    network = window.stage.canvases["basic"]
    assert (action(window, "sound").isChecked(), ear(window).on) == (False, False)
    qtbot.keyClick(network, Qt.Key.Key_M)
    assert (action(window, "sound").isChecked(), ear(window).on, window.settings.sound) == (True, True, True)
    assert window.status.label.text() == "Sound is on."
    qtbot.keyClick(network, Qt.Key.Key_M)
    assert (action(window, "sound").isChecked(), ear(window).on, window.settings.sound) == (False, False, False)
    assert window.status.label.text() == "Sound is off."


def test_a_step_in_the_window_sounds(window: MainWindow) -> None:
    action(window, "sound").trigger()
    action(window, "step_forward").trigger()
    assert ear(window).told()
    action(window, "to_start").trigger()
    assert ear(window).told() == []


def test_a_missing_library_is_one_sentence_and_the_mark_stays_off(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_read: object) -> None:
        raise BadInput('sound needs miniaudio (miniaudio is not installed); pip install "lydian[sound]"')

    monkeypatch.setattr(ear(window), "_opened", refuse)
    action(window, "sound").trigger()
    assert window.desk.notices.text.startswith("sound needs miniaudio")
    assert (action(window, "sound").isChecked(), window.settings.sound) == (False, False)
    window.desk.notices.close()


def test_the_settings_try_each_voice_and_set_the_volume(window: MainWindow) -> None:
    action(window, "sound_settings").trigger()
    popup = window.sounds.popup
    assert popup is not None and popup.isVisible()
    assert set(popup.buttons) == set(VOICES)
    assert not any(button.isEnabled() for button in popup.buttons.values())
    popup.box.click()
    assert ear(window).on and action(window, "sound").isChecked()
    for name, button in popup.buttons.items():
        button.click()
        assert [note.voice for note, _ in ear(window).given] == [name]
        ear(window).given.clear()
    popup.volume.setValue(35)
    assert (ear(window).volume, window.settings.volume, popup.amount.text()) == (0.35, 0.35, "35 %")
    action(window, "sound").trigger()
    assert not popup.box.isChecked()


def test_the_walk_speaks_and_plays(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken: list[str] = []
    monkeypatch.setattr(Announcer, "polite", lambda _self, text, playing=False: spoken.append(text))
    action(window, "sound").trigger()
    spoken.clear()
    network = window.stage.canvases["basic"]
    for _ in range(3):
        qtbot.keyClick(network, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    assert spoken == [
        "Process 3, waiting. The time is 6.3.", "It has 5 neighbours.", "Neighbour 7, ahead to the right: waiting.",
    ]  # fmt: skip
    assert window.status.label.text() == spoken[-1]
    assert ear(window).told() == ["start"] * 7


def test_the_listener_is_in_front_of_what_is_visible(window: MainWindow) -> None:
    sounds, network = window.sounds, window.stage.canvases["basic"]
    assert sounds.listener() is None
    network.camera.set(2.0, -400.0, -100.0)
    found = sounds.listener()
    assert found is not None
    assert found.position[:2] == pytest.approx((200 + network.width() / 4, 50 + network.height() / 4))
    network.camera.fit()


def test_the_sound_of_the_run_is_saved(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.wav"
    monkeypatch.setattr(window.documents, "place_for_run", lambda _title, _kinds, *_endings: path)
    window.playhead.set_speed(8.0)
    action(window, "export_sound").trigger()
    window.playhead.set_speed(1.0)
    with wave.open(str(path), "rb") as file:
        assert file.getnframes() == round((window.playhead.end / 8 + TAIL) * RATE)


def test_sound_is_on_in_the_next_window_if_it_was_on(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydian.desk.sounding.Speaker", Ear)
    window.settings.sound, window.settings.volume = True, 0.2
    again = Sounds(window.desk, window.stage, window.toolbar)
    assert (again.sounding.on, again.sounding.speaker.volume) == (True, 0.2)
    again.close()
    assert (again.sounding.on, window.settings.sound) == (False, True)
    window.settings.volume = 0.6


def test_the_world_is_heard_by_the_viewer_in_it(window: MainWindow, qtbot: QtBot) -> None:
    """From the other side, what was on the left is heard on the right."""
    action(window, "view_world").trigger()
    canvas = window.stage.canvases["world"]
    qtbot.waitUntil(lambda: canvas.isVisible() and canvas.pilot is not None and canvas.pilot.frame is not None)
    pilot, timeline = canvas.pilot, window.playhead.timeline
    assert pilot is not None and pilot.view is not None and timeline is not None
    action(window, "sound").trigger()
    heard = []
    try:
        for _ in range(2):
            window.playhead.seek(6.3)
            ear(window).given.clear()
            action(window, "step_forward").trigger()
            note, listener = next(each for each in ear(window).given if each[0].event >= 0)
            place = pilot.frame.places[timeline.process[note.event]]
            assert note.place == pytest.approx(tuple(place.tolist())) and listener.position == pilot.view.eye
            heard.append(listener.hears(note.place).angle)
            pilot.camera.view = pilot.view.orbit(math.pi, 0.0)
            canvas.refresh()
    finally:
        pilot.camera.view = None
        action(window, "view_world").trigger()
    assert heard[0] * heard[1] < 0


def test_the_view_world_tells_what_is_heard(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    action(window, "view_world").trigger()
    window.stage.maximise("world")
    canvas = window.stage.canvases["world"]
    card = window.sounds.cards[canvas]
    assert card.isHidden()
    canvas.setFocus()
    canvas.repaint()
    qtbot.keyClick(canvas, Qt.Key.Key_M)
    assert card.isVisible() and canvas.camera.covered["hear"].toRect() == card.geometry()
    window.playhead.seek(3.5)
    canvas.repaint()
    window.playhead.seek(3.7)
    assert 1 <= len(card.words) <= 3 and card.words[0].partition(", ")[0] in ("Broadcast", "Ack")
    assert {words.rpartition(", ")[2] for words in card.words} <= {"ahead", "left", "right", "behind"}
    assert "; ".join(card.words) == card.accessibleDescription()
    card.repaint()
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert card.isHidden() and not ear(window).on and canvas.camera.covered["hear"].isEmpty()
    window.stage.maximise("world")
    action(window, "view_world").trigger()
