"""Objects that report their changes without Qt."""

from __future__ import annotations

import gc
import sys

import pytest

from lydian.desk.signal import Signal


class Listener:
    def __init__(self) -> None:
        self.heard: list[object] = []

    def hear(self, *what: object) -> None:
        self.heard.extend(what)


def test_connected_functions_are_called_in_order_until_disconnected() -> None:
    signal, heard = Signal(), []
    first = signal.connect(lambda what: heard.append(("first", what)))
    listener = Listener()
    signal.connect(listener.hear)
    signal.emit(1)
    first()
    signal.emit(2)
    signal.disconnect(listener.hear)
    signal.emit(3)
    first()
    assert heard == [("first", 1)]
    assert listener.heard == [1, 2]


def test_an_exception_is_reported_and_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    signal, listener, reported = Signal(), Listener(), []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, _where: reported.append((kind, str(error))))

    def fail(_what: object) -> None:
        raise ValueError("it went wrong")

    signal.connect(fail)
    signal.connect(listener.hear)
    signal.emit("said")
    assert listener.heard == ["said"]
    assert reported == [(ValueError, "it went wrong")]


def test_a_connected_method_does_not_keep_its_object_alive() -> None:
    signal, listener, heard = Signal(), Listener(), []
    listener.heard = heard
    signal.connect(listener.hear)
    del listener
    gc.collect()
    signal.emit("said")
    assert heard == []


def test_a_function_disconnected_during_a_signal_is_not_called() -> None:
    signal, listener = Signal(), Listener()
    signal.connect(lambda: signal.disconnect(listener.hear))
    signal.connect(listener.hear)
    signal.connect(lambda: signal.connect(lambda: listener.hear("too early")))
    signal.emit()
    assert listener.heard == []
