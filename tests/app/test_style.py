"""The appearance of check boxes, radio buttons and buttons."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.kit.theming import set_theme_of
from lydian.app.look.style import window_style
from lydian.app.look.theme import Theme
from lydian.app.look.vision import contrast
from lydian.app.panels.overlay import PlayButton

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.fixture(params=[("light", 1.0), ("dark", 1.0), ("dark", 2.0), ("contrast", 1.0)], ids=str)
def theme(request: pytest.FixtureRequest) -> Theme:
    return Theme(request.param[0], scale=request.param[1])


def drawn(qtbot: QtBot, theme: Theme, kind: type[QAbstractButton], *, on: bool = False, usable: bool = True) -> QImage:
    """Draw a button of a given kind on a panel of the theme."""
    panel = QWidget()
    qtbot.addWidget(panel)
    panel.setObjectName("panel")
    panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    panel.setStyleSheet(window_style(theme))
    panel.resize(300, 60)
    button = kind("word", panel)
    button.setCheckable(True)
    button.setChecked(on)
    button.setEnabled(usable)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.move(10, 10)
    panel.show()
    return panel.grab().toImage()


def strongest(image: QImage, theme: Theme, width: int) -> float:
    """Return the largest contrast to the panel in the first ``width`` pixels of the button, which contain its box."""
    ground = theme.color("surface.panel")
    return max(contrast(QColor(image.pixelColor(x, y)), ground) for x in range(10, 10 + width) for y in range(10, 34))


@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton])
def test_checked_and_unchecked_boxes_are_visible(qtbot: QtBot, theme: Theme, kind: type[QAbstractButton]) -> None:
    side = theme.stretched(14)
    off, on, dull = (drawn(qtbot, theme, kind, **how) for how in ({}, {"on": True}, {"usable": False}))
    assert strongest(off, theme, side) >= 3
    assert strongest(on, theme, side) >= 3
    accent, x = theme.color("accent.base").name(), range(10, 10 + side + 2)

    def count(image: QImage) -> int:
        return sum(image.pixelColor(i, j).name() == accent for i in x for j in range(10, 44))

    assert count(on) > side * side / 8 and count(off) == 0
    assert dull != off


def test_checked_filled_and_partial_boxes_differ(qtbot: QtBot, theme: Theme) -> None:
    on = drawn(qtbot, theme, QCheckBox, on=True)
    inks = {on.pixelColor(i, j).name() for i in range(11, 10 + theme.stretched(14)) for j in range(11, 40)}
    light = theme.color("text.onAccent").lightness() > 127
    assert ("#ffffff" if light else "#000000") in inks


def test_a_disabled_button_looks_different(qtbot: QtBot, theme: Theme) -> None:
    usual, dull = drawn(qtbot, theme, QPushButton), drawn(qtbot, theme, QPushButton, usable=False)

    ink = theme.color("text.primary")

    def off(image: QImage) -> int:
        """Return the distance of the nearest pixel from the text colour, which thin letters hardly reach."""
        pixels = (image.pixelColor(x, y) for x in range(10, 70) for y in range(10, 36))
        return min(abs(p.red() - ink.red()) + abs(p.green() - ink.green()) + abs(p.blue() - ink.blue()) for p in pixels)

    assert off(usual) < 90 < off(dull)
    assert usual != dull


def test_with_reduced_motion_the_large_play_button_disappears_at_once(qtbot: QtBot) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(400, 300)
    button = PlayButton(Theme("light", still=True), over)
    over.show()
    button.offer()
    button.fade()
    assert button.isHidden()
    set_theme_of(button, Theme("light"))
    button.offer()
    button.fade()
    assert not button.isHidden()
    qtbot.waitUntil(button.isHidden)
