"""The area around a group of processes: its corners, including groups on one line."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QColor, QImage, QPainter

from lydian.app.painters.pieces.arcs import draw_hull, hull


def test_points_on_a_slanted_line_have_two_corners_despite_rounding() -> None:
    at = np.linspace(0.0, 1.0, 7)[:, None]
    for start, end in (((640.0, 68.0), (329.6, 378.4)), ((0.1, 0.2), (700.3, 501.7)), ((5.0, 5.0), (5.0, 90.0))):
        points = np.array(start) + at * (np.array(end) - np.array(start))
        assert sorted(hull(points)) == sorted([tuple(points[0]), tuple(points[-1])])


def test_the_area_of_a_line_of_processes_is_one_process_wide() -> None:
    image = QImage(200, 200, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("white"))
    painter = QPainter(image)
    points = np.array([[40.0, 160.0], [80.0 + 1e-13, 120.0], [120.0, 80.0 - 1e-13], [160.0, 40.0]])
    draw_hull(painter, points, 12.0, QColor("red"))
    painter.end()
    assert image.pixelColor(100, 100) != QColor("white")
    assert image.pixelColor(100 + 6, 100 + 6) != QColor("white")
    assert image.pixelColor(100 + 12, 100 + 12) == QColor("white")
