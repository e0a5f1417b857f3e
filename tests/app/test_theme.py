"""The tokens' promises: contrast, distinct looks; and that a theme gives what painters ask for."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtGui import QColor, QPalette

from lydian.app.look.theme import MESSAGE_KINDS, SLOTS, Theme, parsed, tokens
from lydian.model.errors import BadInput

THEMES = [Theme(name, projector) for name in ("light", "dark") for projector in (False, True)]
by_theme = pytest.mark.parametrize("theme", THEMES, ids=repr)


pytestmark = pytest.mark.usefixtures("qapp")


def luminance(color: QColor) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.getRgbF()[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a: QColor, b: QColor) -> float:
    bright, dim = sorted((luminance(a), luminance(b)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def test_contrast_is_computed_as_it_should_be() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("#777"), QColor("white")) == pytest.approx(4.48, abs=0.01)


@by_theme
def test_text_can_be_read(theme: Theme) -> None:
    least = 7.0 if theme.projector else 4.5
    for role in ("text.primary", "text.secondary", "text.hint"):
        for ground in ("surface.canvas", "surface.panel", "surface.window"):
            assert contrast(theme.color(role), theme.color(ground)) >= least, (role, ground)


@by_theme
def test_a_label_can_be_read_on_its_process_and_the_outline_seen(theme: Theme) -> None:
    canvas = theme.color("surface.canvas")
    for slot in range(SLOTS):
        style = theme.state(slot)
        assert contrast(style.label, style.fill) >= 4.5, style.name
        assert contrast(style.outline, canvas) >= 4.5, style.name


@by_theme
def test_messages_chains_and_faults_can_be_seen(theme: Theme) -> None:
    canvas = theme.color("surface.canvas")
    colors = [theme.message(kind).color for kind in range(MESSAGE_KINDS)]
    colors += [theme.color(name) for name in ("chain.waiting", "fault.base", "selection", "playhead", "link.base")]
    for color in colors:
        assert contrast(color, canvas) >= 3, color.name()
    assert contrast(theme.color("link.override"), theme.color("link.overrideSoft")) >= 4.5


@by_theme
def test_states_differ_in_colour_shape_and_hatch(theme: Theme) -> None:
    for a, b in itertools.combinations(range(SLOTS), 2):
        x, y = theme.state(a), theme.state(b)
        assert x.fill != y.fill
        assert x.shape != y.shape
        assert x.hatch != y.hatch
    for a, b in itertools.combinations(range(MESSAGE_KINDS), 2):
        m, n = theme.message(a), theme.message(b)
        assert m.color != n.color
        assert m.head != n.head
        assert m.dash != n.dash


def test_slots_beyond_the_last_have_a_double_outline() -> None:
    theme = Theme("light")
    assert theme.state(9).fill == theme.state(1).fill
    assert theme.state(9).double
    assert not theme.state(1).double
    assert theme.message(7).head == theme.message(1).head


def test_projecting_is_larger() -> None:
    desk, wall = Theme("light"), Theme("light", projector=True)
    for role in ("caption", "small", "body", "label", "title", "heading", "display"):
        assert wall.px(role) > desk.px(role) == desk.font(role).pixelSize()
    assert wall.line("link") == pytest.approx(1.6 * desk.line("link"))
    assert (desk.diameter, wall.diameter) == (36, 52)
    assert wall.size("space.toolButton") == 44
    assert desk.size("space.toolButton") == 32
    assert wall.color("text.hint") == wall.color("text.secondary")


def test_every_colour_of_the_tokens_can_be_had() -> None:
    def paths(tree: object, before: str = "") -> list[str]:
        if isinstance(tree, dict):
            return [path for key, value in tree.items() for path in paths(value, f"{before}.{key}" if before else key)]
        return [before] if isinstance(tree, str) and tree.startswith("#") else []

    for name in ("light", "dark"):
        found = paths(tokens()["color"][name])
        assert len(found) > 50
        assert all(Theme(name).color(path).isValid() for path in found)


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(KeyError, match=r"surface\.nothing"):
        Theme().color("surface.nothing")
    with pytest.raises(BadInput, match="there are light, dark"):
        Theme("pink")


def test_colours_with_transparency() -> None:
    assert parsed("#11223344").getRgb() == (0x11, 0x22, 0x33, 0x44)


@by_theme
def test_palette_and_style_sheet(theme: Theme) -> None:
    palette = theme.palette()
    assert palette.color(QPalette.ColorRole.Window) == theme.color("surface.window")
    assert palette.color(QPalette.ColorRole.Highlight) == theme.color("accent.base")
    sheet = theme.stylesheet()
    assert "QToolTip" in sheet
    assert sheet.count("{") == sheet.count("}")
    assert Theme(theme.name, theme.projector) == theme
