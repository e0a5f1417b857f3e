"""First impressions: processes before a run, workspaces on first opening, and the state after an undo."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.desk.archivelist import ArchiveList
from lydian.desk.runs.records import resting
from lydian.desk.undo import Step
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.pieces import animation
from lydian.pieces.animation import HOLLOW, NOT_RUN, Animation, animation_for
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.words.ends import opening
from tests.app.conftest import Open, rest

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.mark.parametrize("name", ["two-wings", "balls-and-bins", "bully"])
def test_before_a_run_no_process_looks_like_a_state(name: str) -> None:
    shelf = ArchiveList()
    experiment = shelf.archive.experiment(name)
    network = shelf.known_network(experiment.network, experiment.path)
    assert network is not None
    trace = resting(network, experiment)
    frame = basic.frame(Timeline(trace), 0.0, animation=animation_for(trace))
    assert np.unique(frame.slots).tolist() == [HOLLOW]
    states = [(item.number, item.word, item.count) for item in frame.legend if item.sort == "state"]
    assert states == [(HOLLOW, NOT_RUN, network.n)]


@pytest.mark.slow
def test_a_new_experiment_is_at_rest_until_its_run_arrives(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("two-wings")
    narration = window.bottom.narration
    assert narration.slot == 0
    window.playhead.play()
    assert window.documents.open(window.shelf.archive.find("experiments", "skip-ring-storm"))
    timeline = window.playhead.timeline
    assert timeline is not None and timeline.n == 17 and timeline.states == (NOT_RUN,)
    assert not window.playhead.playing and "Echo" not in narration.plain
    assert narration.slot == HOLLOW
    rest(window, qtbot)
    assert len(window.playhead.timeline.trace) > 0


def test_a_refused_experiment_shows_its_network(qtbot: QtBot, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "lossy.toml"
    file.write_text('protocol = "echo"\nnetwork = "ring:5"\n\n[timing]\nloss = 0.3\n', encoding="utf-8")
    window = make_window(file)
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: "Break the assumption" in window.notice.button.text(), timeout=20_000)
    assert window.playhead.timeline is not None and window.playhead.timeline.n == 5
    said = (
        "network: Echo cannot run here: link 0-1 loses messages; set its loss to 0, or break the assumption on purpose."
    )
    assert window.notice.text == said
    window.desk.notices.say("")
    window.session.live.run()
    qtbot.waitUntil(lambda: window.notice.text == said, timeout=20_000)
    assert window.notice.button.text() == "Break the assumption"
    window.close()


@pytest.mark.parametrize("name", ["echo", "luby", "apples-one", "ghs"])
def test_the_protocol_has_the_same_name_before_and_during_a_run(name: str) -> None:
    shelf = ArchiveList()
    protocol = shelf.archive.protocol(name)
    network = from_spec("ring:5")
    experiment = Experiment(name="mine", protocol=name, network="nets/five.json")
    trace = resting(network, experiment, protocol.source)
    assert opening(Timeline(trace)) == f"{protocol.title} on five: 5 processes and 5 links."


def test_the_window_responds_while_an_animation_is_read(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window("two-wings")
    go_on, asked = threading.Event(), []

    def read(path: Path) -> Animation:
        asked.append(path)
        assert threading.current_thread() is not threading.main_thread()
        assert go_on.wait(20)
        return Animation(states={"sleeping": 5})

    monkeypatch.setattr(animation, "read_apart", read)
    (tmp_path / "looks.py").write_text("while True: pass", encoding="utf-8")
    odd = Experiment("odd", protocol="echo", network="ring:5", animation="looks.py", path=tmp_path / "odd.toml")
    window.session.start(odd, odd.path)
    rest(window, qtbot)
    assert window.playhead.animation is not None and window.playhead.animation.slot("sleeping") == 0
    window.playhead.play()
    window.player.tick(0.25)
    there = window.playhead.t
    go_on.set()
    qtbot.waitUntil(lambda: window.playhead.animation.slot("sleeping") == 5)
    assert window.playhead.t >= there and window.playhead.playing and asked == [tmp_path / "looks.py"]
    window.playhead.pause()
    window.panel.set_seed(3)  # the protocol is known by now
    rest(window, qtbot)
    assert window.playhead.animation.slot("sleeping") == 5 and len(asked) == 1


class _Flashes(QObject):
    """An event filter that records every window that appears."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(f"{type(watched).__name__} {watched.objectName()}")
        return False


@pytest.mark.slow
def test_building_a_workspace_opens_no_extra_window(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    flashes = _Flashes()
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(flashes)
    try:
        for name in (*window.desk.workspaces.names, "run"):
            window.workspaces.show(name)
            QApplication.processEvents()
            assert flashes.seen == [], name
    finally:
        application.removeEventFilter(flashes)


def test_the_status_line_names_the_undone_change_until_the_next_one(open_window: Open) -> None:
    window = open_window()
    label, undo = window.status.label, window.session.undo
    undo.push(Step("crash 9", bool, 0, 1))
    window.status.say("Process 9 crashed")
    undo.undo()
    assert label.text() == "Undone: crash 9"
    undo.redo()
    assert label.text() == "Done: crash 9"
    undo.undo()
    undo.push(Step("crash 3", bool, 0, 1))
    assert label.text() == "Done: crash 3"
    window.status.say("Run finished: 105 events, 46 messages")
    undo.push(Step("crash 4", bool, 0, 1))
    assert label.text().startswith("Run finished")
