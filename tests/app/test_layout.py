"""Positions of the parts of a widget."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.kit.layout import Steady, across, down, fill, held

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


def box(width: int, height: int) -> QWidget:
    made = QWidget()
    made.setFixedSize(width, height)
    return made


def shown(qtbot: QtBot, widget: QWidget, width: int, height: int) -> None:
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()


def test_columns_and_rows_have_gaps_and_stretch(qtbot: QtBot) -> None:
    a, b, c, d = box(20, 10), box(20, 10), box(30, 10), box(40, 10)
    whole = QWidget()
    down(a, across(b, 7, c, ..., spacing=0), ..., d, on=whole, margins=(3, 5, 3, 4), spacing=2)
    shown(qtbot, whole, 200, 100)
    assert [(each.x(), each.y()) for each in (a, b, c, d)] == [(3, 5), (3, 17), (30, 17), (3, 86)]


def test_a_part_has_its_stretch_and_alignment(qtbot: QtBot) -> None:
    wide, narrow, small = QLabel(), QLabel(), box(10, 10)
    whole = QWidget()
    row = across((wide, 3), (narrow, 1), on=whole, spacing=0)
    fill(row, (small, Qt.AlignmentFlag.AlignBottom), (..., 0))
    shown(qtbot, whole, 210, 50)
    assert (wide.width(), narrow.width()) == (150, 50)
    assert small.y() == 40


def test_text_becomes_labels_and_a_group_hides_together(qtbot: QtBot) -> None:
    button = QPushButton("Go")
    whole, line = QWidget(), held(across("from", button), "line")
    down(line, on=whole)
    shown(qtbot, whole, 100, 40)
    assert [label.text() for label in line.findChildren(QLabel)] == ["from"]
    line.hide()
    assert not button.isVisible()


def test_layouts_have_no_margins_by_default(qtbot: QtBot) -> None:
    plain, styled = QWidget(), QWidget()
    down(on=plain), down(on=styled, margins=None)
    assert plain.layout().contentsMargins().left() == 0 < styled.layout().contentsMargins().left()  # type: ignore[union-attr]
    qtbot.addWidget(plain), qtbot.addWidget(styled)


def test_a_new_text_in_a_steady_place_lays_out_nothing_else(qtbot: QtBot) -> None:
    class Counting(QWidget):
        laid = 0

        def event(self, event: QEvent) -> bool:
            self.laid += event.type() == QEvent.Type.LayoutRequest
            return super().event(event)

    outer, label, plain = Counting(), QLabel("1"), QLabel("1")
    across((Steady(label), 1), plain, on=outer)
    qtbot.addWidget(outer)
    outer.resize(200, 30)
    outer.show()
    QApplication.processEvents()
    before = outer.laid
    label.setText("a text that is longer")
    QApplication.processEvents()
    assert outer.laid == before and label.width() > 100
    plain.setText("another")
    QApplication.processEvents()
    assert outer.laid > before
