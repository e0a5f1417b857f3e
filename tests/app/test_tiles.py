"""Several views in one picture, reused painters, and the clock in the bar."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from lydian.app.look.theme import Theme
from lydian.app.pictures.render import clock_words, paint_shots, paint_view, paint_views, tiles
from lydian.app.pictures.shot import Shot
from lydian.views.registry import names, usual
from tests.app.test_movie import LOOK, SIZE, rgb, timeline

pytestmark = pytest.mark.usefixtures("qapp")


def alike(a: QImage, b: QImage) -> bool:
    """Return whether two pictures are equal except for rounding at a few smoothed edges."""
    difference = np.abs(rgb(a) - rgb(b)).max(axis=2)
    return bool(difference.max() <= 8 and np.count_nonzero(difference) < 100)


@given(
    count=st.integers(1, 9), width=st.integers(300, 4000), height=st.integers(300, 4000),
)  # fmt: skip
def test_tiles_fill_the_picture_side_by_side(count: int, width: int, height: int) -> None:
    whole = QRectF(7, 3, width, height)
    found = tiles(whole, count)
    assert len(found) == count
    assert all(whole.contains(tile) and tile.width() > 20 and tile.height() > 20 for tile in found)
    for number, tile in enumerate(found):
        assert not any(tile.intersects(other) for other in found[number + 1 :])
    covered = sum(tile.width() * tile.height() for tile in found)
    gaps = 8 * count * (width + height)
    assert width * height - gaps <= covered <= width * height
    assert found[0].width() >= found[-1].width() - 1, "the first has the most room"


def test_views_in_one_frame_look_the_same_as_alone() -> None:
    together, alone = (QImage(1200, 800, QImage.Format.Format_RGB32) for _ in range(2))
    look = Theme("light")
    alone.fill(look.color("surface.window"))
    whole = QRectF(0, 0, 1200, 800)
    with Painting(together) as p:
        paint_views(p, whole, timeline(), LOOK, "all", 6.0, look)
    with Painting(alone) as p:
        for number, (view, tile) in enumerate(zip(usual(), tiles(whole, len(usual())), strict=True)):
            paint_view(p, tile, timeline(), LOOK, view, 6.0, look, clock=number == 0)
    assert alike(together, alone)


@pytest.mark.parametrize("view", names())
def test_a_reused_painter_paints_the_same(view: str) -> None:
    painters: dict[int, object] = {}
    for t in (0.0, 3.3, 3.4, 9.0, 3.3, timeline().end):
        kept, fresh = (QImage(*SIZE, QImage.Format.Format_RGB32) for _ in range(2))
        for image, words in ((kept, {"painters": painters}), (fresh, {})):
            with Painting(image) as p:
                paint_shots(p, QRectF(0, 0, *SIZE), timeline(), LOOK, [Shot(view)], t, Theme("light"), **words)
        assert alike(kept, fresh), t
    assert list(painters) == [0]


@pytest.mark.parametrize(
    ("t", "end", "words"),
    [(7.2, 16.54, "t = 7.20"), (-1, 16.54, "t = 0.00"), (7.2, 1654, "t = 7"), (0.0072, 0.0165, "t = 0.00720"),
     (0, 0, "t = 0.00")],
)  # fmt: skip
def test_the_clock_keeps_its_number_of_decimals(t: float, end: float, words: str) -> None:
    assert clock_words(t, end) == words


class Painting:
    """A painter that is always ended."""

    def __init__(self, image: QImage) -> None:
        self.painter = QPainter(image)

    def __enter__(self) -> QPainter:
        return self.painter

    def __exit__(self, *error: object) -> None:
        self.painter.end()
