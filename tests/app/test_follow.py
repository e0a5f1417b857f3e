"""Widgets that follow plain signals and are then destroyed."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.kit.follow import follow
from lydian.desk.signal import Signal


def test_a_destroyed_widget_is_no_longer_called(qtbot: QtBot) -> None:
    signal, heard = Signal(), []
    parent = QWidget()
    qtbot.addWidget(parent)
    label = QLabel(parent)
    follow(label, signal, label.setText)
    follow(label, signal, heard.append)
    signal.emit("one")
    assert label.text() == "one"
    label.deleteLater()
    QCoreApplication.sendPostedEvents(label, QEvent.Type.DeferredDelete)
    signal.emit("two")  # an exception in the callback would fail this test
    assert heard == ["one"]
