"""Painting what messages carry: in the network, in the legend and in the causality view."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from lydian.app.look.theme import Theme
from lydian.app.look.vision import contrast
from lydian.app.painters.network.basic import BasicPainter
from lydian.app.painters.pieces.carries import chip_size, draw_chip, tag_height
from lydian.app.painters.time.causality import CausalityPainter
from lydian.model.network import Link, Network
from lydian.pieces.animation import Animation
from lydian.pieces.carries import Sign
from lydian.views.network import basic
from lydian.views.selection import Hit
from lydian.views.time import causality
from tests.pieces.test_carries import DRAWN, RUN

pytestmark = pytest.mark.usefixtures("qapp")
RECT = QRectF(0, 0, 900, 600)
LIGHT = Theme("light")
LINE = Network(
    "line", ("a", "b", "c"), (Link("a", "b"), Link("b", "c")),
    positions={"a": (0.0, 0.0), "b": (200.0, 0.0), "c": (400.0, 0.0)},
)  # fmt: skip
TRUE, LIE = Sign(0, "A", 4, "attack"), Sign(0, "R", 1, "retreat", True, "A", 4, "attack")


def chip(theme: Theme, sign: Sign, opacity: float = 1.0) -> QImage:
    image = QImage(100, 60, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme.color("surface.canvas"))
    p = QPainter(image)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_chip(p, theme, 50, 30, 30, sign, opacity=opacity)
    p.end()
    return image


def colors(image: QImage) -> dict[str, int]:
    """Return how often each colour occurs."""
    rows = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), -1)[:, : image.width()]
    values, counts = np.unique(rows & 0xFFFFFF, return_counts=True)
    return {f"#{value:06x}": count for value, count in zip(values.tolist(), counts.tolist(), strict=True)}


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_value_is_full_and_the_truth_beside_a_lie_is_outlined(name: str) -> None:
    theme = Theme(name)
    red, blue, fault = (theme.message(4).color.name(), theme.message(1).color.name(), theme.color("fault.base").name())
    plain, lie = colors(chip(theme, TRUE)), colors(chip(theme, LIE))
    assert plain[red] > 500 and blue not in plain and fault not in plain
    assert lie[blue] > 400 > lie[red] > 50 and lie[fault] > 20  # one half full, one outlined, and the dashed frame
    assert red not in colors(chip(theme, TRUE, 0.5))
    assert chip_size(theme, LIE, 30)[0] > 2 * chip_size(theme, TRUE, 30)[0]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_letters_of_all_values_can_be_read(name: str) -> None:
    theme = Theme(name)
    ground = theme.color("surface.canvas")
    assert all(contrast(ground, theme.message(kind).color) >= 3.0 for kind in range(6))


def painted(t: float, animation: Animation = DRAWN) -> tuple[QImage, BasicPainter, basic.BasicFrame]:
    frame = basic.frame(RUN, t, animation=animation, network=LINE)
    image = QImage(900, 600, QImage.Format.Format_ARGB32_Premultiplied)
    painter = BasicPainter(LIGHT)
    p = QPainter(image)
    painter.paint(p, RECT, frame)
    p.end()
    return image, painter, frame


def test_a_value_is_behind_its_head_and_can_be_pointed_at() -> None:
    image, painter, frame = painted(2.25)
    m, flights = painter.map(RECT, frame), frame.flights
    at, _, u = m.heads(flights.source, flights.target, flights.fraction, flights.place)
    middle = at[0] - u[0] * (chip_size(LIGHT, LIE, tag_height(m))[0] / 2 + m.head * 0.45)
    left = middle - np.array([0.38, 0.0]) * chip_size(LIGHT, LIE, tag_height(m))[0]
    assert abs(u[0, 0]) > 0.99  # the link is horizontal
    assert image.pixelColor(round(left[0]), round(left[1])).name() == LIGHT.message(1).color.name()
    place = at[0] - u[0] * (0.5 * tag_height(m) + 0.45 * m.head)
    assert painter.hit(QPointF(*place.tolist()), RECT, frame) == Hit("message", int(flights.id[0]))


def test_without_a_value_a_message_has_the_colour_of_its_class() -> None:
    plain = colors(painted(2.25, replace(DRAWN, pieces={}))[0])
    drawn = colors(painted(2.25)[0])
    green, blue = LIGHT.message(0).color.name(), LIGHT.message(1).color.name()
    assert plain[green] > 100 > plain[blue]  # blue is only the sign of another class in the legend
    assert green not in drawn and drawn[blue] > 300


def test_the_causality_view_shows_values_that_the_play_head_has_passed() -> None:
    def shown(t: float) -> dict[str, int]:
        image = QImage(900, 600, QImage.Format.Format_ARGB32_Premultiplied)
        p = QPainter(image)
        CausalityPainter(LIGHT).paint(p, RECT, causality.frame(RUN, t, animation=DRAWN))
        p.end()
        return colors(image)

    blue, fault = LIGHT.message(1).color.name(), LIGHT.color("fault.base").name()
    assert blue not in shown(1.9)
    after = shown(5.5)
    assert after[blue] > 40 and after[fault] > 20
