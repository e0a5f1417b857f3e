"""The tokens: contrast and distinct appearance, and themes that supply everything painters need."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QPalette

from lydian.app.look.theme import MESSAGE_KINDS, SLOTS, Theme, parsed, tokens
from lydian.app.look.vision import EYES, contrast, linear
from lydian.model.errors import BadInput

THEMES = [Theme(name, projector) for name in ("light", "dark", "contrast") for projector in (False, True)]
by_theme = pytest.mark.parametrize("theme", THEMES, ids=repr)


pytestmark = pytest.mark.usefixtures("qapp")


#: Text colours and the backgrounds they are used on.
WRITTEN = {
    "text.primary": (
        "surface.window", "surface.panel", "surface.panelAlt", "surface.canvas", "surface.header", "surface.raised",
        "accent.soft", "check.warnSoft",
    ),
    "text.secondary": ("surface.window", "surface.panel", "surface.panelAlt", "surface.canvas", "surface.header"),
    "text.hint": ("surface.window", "surface.panel", "surface.panelAlt", "surface.canvas", "surface.header"),
    "text.onAccent": ("accent.base", "accent.hover"),
    "text.onTooltip": ("surface.tooltip",),
    "text.link": ("surface.panel", "surface.canvas"),
    "accent.base": ("surface.panel", "surface.header", "accent.soft"),
    "link.override": ("link.overrideSoft",),
    "fault.onBase": ("fault.base",),
    "check.holds": ("surface.panel", "check.holdsSoft"),
    "check.violated": ("surface.panel", "check.violatedSoft"),
    "check.pending": ("surface.panel", "check.pendingSoft"),
    "check.warn": ("surface.panel", "check.warnSoft"),
    "chain.longestInk": ("surface.canvas",),
    **{f"syntax.{name}": ("surface.panel", "surface.canvas")
       for name in ("keyword", "string", "number", "comment", "name", "self")},
}  # fmt: skip
#: Meaningful colours of drawings and the backgrounds they are used on.
DRAWN = {
    **dict.fromkeys(
        ("link.base", "chain.waiting", "chain.longest", "chain.past", "chain.future", "fault.base", "playhead",
         "selection", "accent.ring", "check.holds", "check.violated", "check.warn"),
        ("surface.canvas", "surface.panel"),
    ),
    "border.control": ("surface.panel", "surface.canvas", "surface.window"),
    "border.strong": ("surface.panel", "surface.canvas"),
    "accent.base": ("surface.panel", "surface.window"),
}  # fmt: skip


def test_contrast_is_computed_correctly() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("#777"), QColor("white")) == pytest.approx(4.48, abs=0.01)


@by_theme
def test_text_is_readable(theme: Theme) -> None:
    least = 7.0 if theme.projector else 4.5
    for role in ("text.primary", "text.secondary", "text.hint"):
        for ground in ("surface.canvas", "surface.panel", "surface.window"):
            assert contrast(theme.color(role), theme.color(ground)) >= least, (role, ground)


def test_every_pair_in_use_meets_high_contrast() -> None:
    for theme in (Theme("contrast"), Theme("contrast", projector=True)):
        canvas = theme.color("surface.canvas")
        poor = [
            f"{a} on {b}: {contrast(theme.color(a), theme.color(b)):.2f}"
            for pairs, least in ((WRITTEN, 7.0), (DRAWN, 4.5))
            for a, grounds in pairs.items()
            for b in grounds
            if contrast(theme.color(a), theme.color(b)) < least
        ]
        for slot in range(SLOTS):
            style = theme.state(slot)
            poor += [f"label of {style.name}"] if contrast(style.label, style.fill) < 7 else []
            poor += [f"outline of {style.name}"] if contrast(style.outline, canvas) < 4.5 else []
        poor += [f"kind {k}" for k in range(MESSAGE_KINDS) if contrast(theme.message(k).color, canvas) < 4.5]
        reach = [entry["color"] for entry in tokens()["reach"]["contrast"]]
        poor += [color for color in reach if contrast(QColor(color), canvas) < 4.5]
        faint = ("link.dim", "link.down", "border.subtle")
        poor += [name for name in faint if contrast(theme.color(name), canvas) < 4.5]
        assert poor == []
        assert theme.dark


def test_every_pair_in_use_is_readable_in_the_other_themes() -> None:
    for theme in (Theme("light"), Theme("dark")):
        poor = [
            f"{theme.name}: {a} on {b}: {contrast(theme.color(a), theme.color(b)):.2f}"
            for a, grounds in WRITTEN.items()
            for b in grounds
            if contrast(theme.color(a), theme.color(b)) < 4.5
        ]
        assert poor == []


# ---------------------------------------------------------------------- colour blindness


def lab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the CIELAB colour (D65) of a linear RGB colour."""
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                       [0.0193339, 0.1191920, 0.9503041]])  # fmt: skip
    v = np.clip(light, 0, 1) @ to_xyz.T / to_xyz.sum(axis=1)
    f = np.where(v > (6 / 29) ** 3, np.cbrt(v), v / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def ciede2000(p: NDArray[np.float64], q: NDArray[np.float64]) -> float:
    """Return the difference of two CIELAB colours (Sharma, Wu, Dalal: Color Research and Application 30, 2005)."""
    mean = (math.hypot(p[1], p[2]) + math.hypot(q[1], q[2])) / 2
    g = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25.0**7)))
    a1, a2 = (1 + g) * p[1], (1 + g) * q[1]
    c1, c2 = math.hypot(a1, p[2]), math.hypot(a2, q[2])
    h1, h2 = math.degrees(math.atan2(p[2], a1)) % 360, math.degrees(math.atan2(q[2], a2)) % 360
    dh, total = h2 - h1, h1 + h2
    grey = c1 * c2 == 0
    turn = 0.0 if grey else dh - 360 if dh > 180 else dh + 360 if dh < -180 else dh
    hue = total if grey else total / 2 if abs(dh) <= 180 else (total + 360) / 2 if total < 360 else (total - 360) / 2
    light, chroma = (p[0] + q[0]) / 2, (c1 + c2) / 2
    t = (1 - 0.17 * math.cos(math.radians(hue - 30)) + 0.24 * math.cos(math.radians(2 * hue))
         + 0.32 * math.cos(math.radians(3 * hue + 6)) - 0.20 * math.cos(math.radians(4 * hue - 63)))  # fmt: skip
    s_l = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    s_c, s_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    twist = -math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    r = twist * 2 * math.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    d_l, d_c = (q[0] - p[0]) / s_l, (c2 - c1) / s_c
    d_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / s_h
    return math.sqrt(d_l**2 + d_c**2 + d_h**2 + r * d_c * d_h)


@pytest.mark.parametrize(
    ("p", "q", "difference"),
    [  # from the table of Sharma, Wu and Dalal
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_ciede2000_is_computed_as_published(p: tuple[float, ...], q: tuple[float, ...], difference: float) -> None:
    assert ciede2000(np.array(p), np.array(q)) == pytest.approx(difference, abs=1e-4)


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
def test_states_and_messages_are_distinct_for_all_colour_vision(name: str) -> None:
    theme = Theme(name)
    looks = ([theme.state(slot).fill for slot in range(SLOTS)], [theme.message(k).color for k in range(MESSAGE_KINDS)])
    for colors in looks:
        for eye in ("", "protanopia", "deuteranopia", "tritanopia"):
            matrix = EYES[eye] if eye else np.eye(3)
            seen = [lab(matrix @ linear(np.array(color.getRgbF()[:3]))) for color in colors]
            least = min(ciede2000(a, b) for a, b in itertools.combinations(seen, 2))
            assert least >= (15 if eye else 20), f"{name}, {eye or 'all colours'}: {least:.1f}"


# ---------------------------------------------------------------------- states, messages, sizes


@by_theme
def test_labels_are_readable_on_processes_and_outlines_visible(theme: Theme) -> None:
    canvas = theme.color("surface.canvas")
    for slot in range(SLOTS):
        style = theme.state(slot)
        assert contrast(style.label, style.fill) >= 4.5, style.name
        assert contrast(style.outline, canvas) >= 4.5, style.name


@by_theme
def test_messages_chains_and_faults_are_visible(theme: Theme) -> None:
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


def test_projector_mode_is_larger() -> None:
    desk, wall = Theme("light"), Theme("light", projector=True)
    for role in ("caption", "small", "body", "label", "title", "heading", "display"):
        assert wall.px(role) > desk.px(role) == desk.font(role).pixelSize()
    assert wall.line("link") == pytest.approx(1.6 * desk.line("link"))
    assert (desk.diameter, wall.diameter) == (36, 52)
    assert wall.size("space.toolButton") == 44
    assert desk.size("space.toolButton") == 32
    assert wall.color("text.hint") == wall.color("text.secondary")


def test_every_colour_token_is_available() -> None:
    def paths(tree: object, before: str = "") -> list[str]:
        if isinstance(tree, dict):
            return [path for key, value in tree.items() for path in paths(value, f"{before}.{key}" if before else key)]
        return [before] if isinstance(tree, str) and tree.startswith("#") else []

    for name in ("light", "dark", "contrast"):
        found = paths(tokens()["color"][name])
        assert len(found) > 50
        assert all(Theme(name).color(path).isValid() for path in found)


def test_the_text_size_can_be_changed() -> None:
    usual, large, wall = Theme(), Theme(scale=2.0), Theme(projector=True, scale=2.0)
    for role in ("caption", "small", "body", "label", "title", "heading", "display"):
        assert large.px(role) == 2 * usual.px(role)
        assert Theme(scale=0.8).px(role) >= 9
        assert wall.px(role) <= 2.5 * usual.px(role) + 0.5
        assert wall.px(role) >= Theme(projector=True).px(role)
    assert large.size("space.rowHeight") == 2 * usual.size("space.rowHeight")
    assert usual.size("space.toolButton") < large.size("space.toolButton") < 2 * usual.size("space.toolButton")
    assert large.diameter == 2 * usual.diameter
    assert large.grown(10) == 20 and Theme(scale=0.8).grown(10) == 10
    assert Theme(scale=9).scale == 2.5 and Theme(scale=0.1).scale == 0.8
    assert large != usual and hash(large) != hash(usual)
    assert large.but(scale=1.0) == usual
    assert repr(large) == "Theme('light', projector=False, scale=2)"
    assert Theme(eye="grey") != usual != Theme(still=True)


def test_text_is_drawn_in_the_fonts_of_the_program() -> None:
    for mono, family in ((False, "Inter"), (True, "JetBrains Mono")):
        font = Theme().font("body", mono=mono)
        assert font.family() == QFontInfo(font).family() == family
        ascii = {chr(code) for code in range(33, 127)}
        widths = {letter: QFontMetricsF(font).horizontalAdvance(letter) for letter in ascii}
        assert len({widths[figure] for figure in "0123456789"}) == 1  # numbers that count up stand still
        assert (len(set(widths.values())) == 1) is mono
        assert QFontMetricsF(font).horizontalAdvance("->") == pytest.approx(widths["-"] + widths[">"], abs=0.5)
    words, seen = "waits for 3 of them", set()
    for weight in (QFont.Weight.Normal, QFont.Weight.Medium, QFont.Weight.DemiBold, QFont.Weight.Bold):
        font = Theme().font("display")
        font.setWeight(weight)
        seen.add(QFontMetricsF(font).horizontalAdvance(words))
    assert len(seen) == 4  # each weight is a font of its own, not one that Qt makes bolder


def test_unknown_names_are_reported() -> None:
    with pytest.raises(KeyError, match=r"surface\.nothing"):
        Theme().color("surface.nothing")
    with pytest.raises(BadInput, match="choose from light, dark, contrast"):
        Theme("pink")


def test_colours_can_be_transparent() -> None:
    assert parsed("#11223344").getRgb() == (0x11, 0x22, 0x33, 0x44)


@by_theme
def test_palette_and_style_sheet_use_the_theme(theme: Theme) -> None:
    palette = theme.palette()
    assert palette.color(QPalette.ColorRole.Window) == theme.color("surface.window")
    assert palette.color(QPalette.ColorRole.Highlight) == theme.color("accent.base")
    sheet = theme.stylesheet()
    assert "QToolTip" in sheet
    assert sheet.count("{") == sheet.count("}")
    assert Theme(theme.name, theme.projector) == theme
