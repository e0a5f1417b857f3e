"""Chips and cells: contents, positions, and thousands of them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.sweep.form.check import Shape
from lydian.app.sweep.form.chips import Chips
from lydian.app.sweep.results.cellgrid import CellGrid

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

TABLE = Shape(("ring", "tree"), ("n 8", "n 16", "n 32"), ("kind", "n"), 20)


@pytest.fixture
def grid(qtbot: QtBot) -> CellGrid:
    made = CellGrid(Theme("light"))
    qtbot.addWidget(made)
    made.resize(420, 120)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_a_table_shows_names(grid: CellGrid, qtbot: QtBot) -> None:
    grid.show_shape(TABLE, np.array([20, 5, 0, 0, 20, 7], np.int32))
    assert grid.named and grid.cells == 6
    for group in range(6):
        box = grid.box(group)
        assert grid.rect().contains(box.toAlignedRect()) and grid.group_at(box.center()) == group
    assert grid.words(1) == "n 8, tree: 5 of 20 runs done"
    grid.show_failed({1: 3})
    assert grid.words(1).endswith("5 of 20 runs done, 3 failed")
    assert grid.accessibleDescription() == "2 of 6 combinations complete"
    picked: list[int] = []
    grid.picked.connect(picked.append)
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, grid.box(4).center().toPoint())
    assert picked == [4]
    assert grid.group_at(QPointF(-5, 3)) is None and grid.group_at(QPointF(3, 3)) is None


def test_a_full_cell_and_an_empty_one_differ(grid: CellGrid) -> None:
    grid.show_shape(TABLE, np.array([20, 0, 10, 0, 0, 0], np.int32))
    picture = grid.grab().toImage()

    def colour(group: int) -> str:
        box = grid.box(group)
        return picture.pixelColor(QPoint(round(box.left()) + 6, round(box.top()) + 5)).name()

    theme = Theme("light")
    assert colour(0) == theme.color("check.holdsSoft").name() and colour(1) == theme.color("surface.window").name()
    assert colour(2) == theme.color("accent.soft").name()


@pytest.mark.parametrize("count", [7200, 40_000, 900_000])
def test_many_cells_are_one_image(grid: CellGrid, count: int) -> None:
    shape = Shape(tuple(map(str, range(8))), tuple(map(str, range(count // 8))), ("a", "b"), 10)
    done = np.zeros(count, np.int32)
    done[: count // 2] = 10
    grid.show_shape(shape, done)
    assert not grid.named
    picture = grid.grab().toImage()
    line, side = grid._packed()
    assert line * side <= grid.width() + 0.01 and -(-count // line) * side <= grid.height() + 0.01
    assert grid.group_at(QPointF(side / 2, side / 2)) == 0
    assert picture.pixelColor(1, 1).name() == Theme("light").color("check.holds").name()
    there = grid.box(count - 1).center()
    assert grid.group_at(there) == count - 1
    if side >= 2:
        assert picture.pixelColor(there.toPoint()).name() == Theme("light").color("border.subtle").name()


def test_chips_wrap_into_lines_and_the_rest_are_counted(qtbot: QtBot) -> None:
    chips = Chips(Theme("light"))
    qtbot.addWidget(chips)
    chips.resize(200, 20)
    chips.show()
    chips.say([str(value) for value in (8, 16, 32)])
    one = chips.height()
    assert [text for _box, text in chips._boxes(200)] == ["8", "16", "32"]
    chips.say([f"value {number}" for number in range(100)])
    boxes = chips._boxes(200)
    assert boxes[-1][1].endswith(" more") and len(boxes) - 1 + int(boxes[-1][1].split()[0]) == 100
    assert all(box.right() <= 200 for box, _text in boxes) and one < chips.height() <= 3 * one + 12
    chips.say(["x" * 300])
    assert chips._boxes(200)[0][1].endswith("…")
    assert chips.accessibleName() == "x" * 300
