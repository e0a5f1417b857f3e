"""Colours for causal depths, causal chains and senders, made by lightness and hue for either theme.

Depths up to twelve are a ramp from dark to light. More of them go round a circle of hues, so that consecutive ones
have neighbouring hues and distant ones mostly differ. Chains and senders take distant hues.
"""

from __future__ import annotations

import math

from PySide6.QtGui import QColor

from lydian.app.look.theme import MESSAGE_KINDS, Theme
from lydian.views.time.spacetime import HUES

__all__ = ["oklch", "palette"]

_kept: dict[tuple[str, str, bool], list[QColor]] = {}


def oklch(lightness: float, chroma: float, hue: float) -> QColor:
    """Return the sRGB colour of a perceptual lightness (0 to 1), chroma and hue in degrees (Ottosson 2020)."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return QColor.fromRgbF(*(_encoded(min(max(value, 0.0), 1.0)) for value in linear))


def _encoded(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def palette(theme: Theme, color: str, round_about: bool) -> list[QColor]:
    """Return twelve colours for ``"depth"``, ``"chain"`` or ``"sender"``; with ``round_about`` they form a circle.

    For ``"kind"`` they are those of the kinds of messages, which are also those of the values that messages carry.
    """
    if color == "kind":
        return [theme.message(kind).color for kind in range(MESSAGE_KINDS)]
    key = (theme.name, color, round_about)
    if key not in _kept:
        low, high = (0.66, 0.9) if theme.dark else (0.34, 0.64)
        if color != "depth":
            step = [i * 5 % HUES for i in range(HUES)]
            found = [
                oklch(low + (high - low) * (0.3 + 0.5 * (i % 2)), 0.15, 360 / HUES * s) for i, s in enumerate(step)
            ]
        elif round_about:
            wave = [0.5 - 0.5 * math.cos(math.tau * i / HUES) for i in range(HUES)]
            found = [oklch(low + (high - low) * w, 0.14, 285 + 360 * i / HUES) for i, w in enumerate(wave)]
        else:
            part = [i / (HUES - 1) for i in range(HUES)]
            found = [oklch(low + (high - low) * x, 0.15, 300 + 150 * x) for x in part]
        _kept[key] = found
    return _kept[key]
