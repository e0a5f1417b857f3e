"""The place of the large Play button."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize

from lydian.app.panels.overlay import free_place

ROOM, SIZE = QSize(300, 200), QSize(60, 40)


def test_where_nothing_is_empty_the_middle_of_the_lower_edge_is_used() -> None:
    assert free_place(ROOM, SIZE, [QRectF(500, 500, 10, 10)]) == (120, 156)  # to six pixels


def test_the_free_place_nearest_to_the_lower_edge_is_used() -> None:
    x, y = free_place(ROOM, SIZE, [QRectF(100, 0, 100, 200)])
    assert (x, y) == (36, 156)  # the nearest that touches nothing
    assert not QRectF(x, y, SIZE.width(), SIZE.height()).intersects(QRectF(100, 0, 100, 200))


def test_without_a_free_place_the_least_is_covered() -> None:
    x, _y = free_place(ROOM, SIZE, [QRectF(0, 0, 290, 200)])
    assert x == 240


def test_a_room_that_is_too_small_is_filled_from_its_corner() -> None:
    assert free_place(QSize(20, 20), SIZE, [QRectF(0, 0, 5, 5)]) == (0, 0)
