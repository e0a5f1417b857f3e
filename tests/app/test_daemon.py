"""The daemon and the initial configuration of an experiment with guarded actions, chosen in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from lydian.app.panels.experiment.daemon import NAMES, DaemonPopup, card_text, has_rules
from lydian.model.delays import parse
from lydian.model.experiment.daemon import DAEMONS, Daemon, Start
from tests.app.conftest import Open, rest
from tests.engine.rulebook import K_STATE_RING

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

EXPERIMENT = """
protocol = "./ring.py"
network = "ring:4"
[timing]
initiators = ["0"]
[stop]
until = 6.0
[start.processes.2]
count = 4
"""


def test_rules_are_detected_without_running_the_text() -> None:
    assert has_rules(K_STATE_RING)
    assert not has_rules(K_STATE_RING.replace("@when", "#")) and not has_rules("class (") and not has_rules("")


def test_the_window_says_of_each_daemon_what_the_model_says(qtbot: QtBot) -> None:
    card = QWidget()
    popup = DaemonPopup(card)
    qtbot.addWidget(card)
    explained = {}
    for kind in DAEMONS:
        popup.open(card, Daemon(kind), Start())
        explained[kind] = popup.explained.text()
    popup.close()
    assert explained == {kind: f"In each step: {words}." for kind, words in DAEMONS.items()}
    assert {kind: card_text(Daemon(kind), Start())[1] for kind in DAEMONS} == DAEMONS
    assert {kind: kind for kind in DAEMONS} == NAMES


def test_the_card_describes_the_daemon_and_the_initial_configuration() -> None:
    assert card_text(Daemon(), Start()) == ("Central", "one enabled rule at a time, chosen at random")
    assert card_text(Daemon("synchronous"), Start(any=True)) == ("Synchronous", "arbitrary start")
    assert card_text(Daemon(), Start(processes={"2": {}})) == ("Central", "1 process begins differently")
    assert card_text(Daemon(), Start(processes={"2": {}, "3": {}})) == ("Central", "2 processes begin differently")


def test_relevant_fields_are_shown_and_invalid_values_refused(qtbot: QtBot) -> None:
    card = QWidget()
    popup = DaemonPopup(card)
    qtbot.addWidget(card)
    told: list[tuple[Daemon, Start]] = []
    popup.changed.connect(lambda daemon, start: told.append((daemon, start)))
    popup.open(card, Daemon("distributed", p=1 / 3), Start())
    assert popup.share.isVisible() and not popup.draw.isVisible() and not popup.own.isVisible()
    popup.step.setText("unifrom(1, 2)")
    QTest.keyClick(popup.step, Qt.Key.Key_Return)
    assert "uniform" in popup.problem.text() and popup.problem.isVisible() and not told
    popup.step.setText("uniform(1, 2)")
    QTest.keyClick(popup.step, Qt.Key.Key_Return)
    assert told == [(Daemon("distributed", parse("uniform(1, 2)"), 1 / 3), Start())], "the file's digits stay"
    popup.close()


def test_the_daemon_and_the_start_can_be_chosen_and_undone(qtbot: QtBot, open_window: Open, tmp_path: Path) -> None:
    (tmp_path / "ring.py").write_text(K_STATE_RING, encoding="utf-8")
    (tmp_path / "ring.toml").write_text(EXPERIMENT, encoding="utf-8")
    window = open_window(tmp_path / "ring.toml", (1600, 900), "study")
    panel, session = window.panel, window.session
    assert panel.daemon.isVisible() and panel.daemon.hint.text() == "1 process begins differently"
    qtbot.mouseClick(panel.daemon, Qt.MouseButton.LeftButton)
    popup = panel.daemons
    assert popup.isVisible() and popup.own.text() == "Remove the initial values of 1 process"
    popup.kind.setCurrentIndex(popup.kind.findData("synchronous"))
    popup.kind.activated.emit(popup.kind.currentIndex())
    qtbot.mouseClick(popup.own, Qt.MouseButton.LeftButton)
    popup.begins.setCurrentIndex(1)
    popup.begins.activated.emit(1)
    popup.draw.setValue(3)
    popup.close()
    assert session.experiment is not None
    assert (session.experiment.daemon, session.experiment.start) == (Daemon("synchronous"), Start(any=True, seed=3))
    assert panel.daemon.value.text() == "Synchronous" and panel.daemon.hint.text() == "arbitrary start"
    rest(window, qtbot)
    while session.undo.can_undo:
        session.undo.undo()
    assert (session.experiment.daemon, session.experiment.start) == (Daemon(), Start(processes={"2": {"count": 4}}))
    panel.set_protocol("echo")
    assert session.experiment.start == Start() and not panel.daemon.isVisible(), "ECHO has no rules"
    rest(window, qtbot)
