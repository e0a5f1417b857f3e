"""The popup of the card Timing: delays before and after a global stabilisation time."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from lydian.app.panels.experiment.timing import TimingPopup
from lydian.model.delays import parse
from lydian.model.network import Timing
from lydian.model.network.stabilisation import Stabilisation


def test_a_stabilisation_time_is_set_and_needs_a_bound(qtbot: QtBot) -> None:
    below = QWidget()
    qtbot.addWidget(below)
    popup = TimingPopup(below)
    changed: list[Timing] = []
    popup.changed.connect(changed.append)
    popup.load(Timing())
    assert not popup.early.isEnabled() and popup.check() == (None, None, None)
    popup.stable.setValue(40)
    popup.commit()
    assert changed[-1].gst == Stabilisation(40.0, parse("exponential(mean=10)"))
    popup.early.setText("constant(30)")
    popup.delay.setText("exponential(mean=1)")
    popup.commit()
    assert "has no upper bound" in popup.problem.text() and len(changed) == 1
    popup.delay.setText("uniform(1, 2)")
    popup.commit()
    assert (changed[-1].gst, changed[-1].delay) == (Stabilisation(40.0, parse("constant(30)")), parse("uniform(1, 2)"))
    popup.stable.setValue(-1)
    popup.commit()
    assert changed[-1].gst is None


def test_the_delay_after_a_stabilisation_time_stands_in_the_first_field(qtbot: QtBot) -> None:
    below = QWidget()
    qtbot.addWidget(below)
    popup = TimingPopup(below)
    popup.load(Timing(gst=Stabilisation(5.0, parse("constant(9)"), parse("constant(2)"))))
    assert (popup.delay.text(), popup.stable.value(), popup.early.text()) == ("constant(2)", 5.0, "constant(9)")
