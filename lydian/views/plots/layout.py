"""The layout of a plot on a rectangle: frames, ticks that do not overlap, legend, points, single runs.

A function that is passed in measures text, so that this module is independent of fonts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lydian.language import tr
from lydian.views.plots.boxes import Box, Label, Measure, elided, spread_apart
from lydian.views.plots.data import PROCESSES
from lydian.views.plots.plots import Plot
from lydian.views.plots.trails import Cross, Frame, frame_of

__all__ = ["KEY", "Layout", "laid_out"]

#: Margins: around the plot, between panels, between a tick and its label.
EDGE, GAP, NEAR = 12.0, 18.0, 6.0
#: The size of a curve's sample in the legend.
KEY = 26.0


@dataclass(frozen=True, eq=False)
class Layout:
    """A plot in pixels; ``labels`` are all its texts, those of the legend with their looks."""

    plot: Plot
    width: float
    height: float
    frames: tuple[Frame, ...]
    labels: tuple[Label, ...]
    leaders: tuple[tuple[float, float, float, float, int], ...] = ()


def laid_out(plot: Plot, width: float, height: float, measure: Measure, *, legend: str = "auto") -> Layout:
    """Lay a plot out.

    Args:
        measure: gives width and height of a text in a role.
        legend: ``beside`` the curves if they fit there, ``above`` them, or ``auto``.
    """
    labels: list[Label] = []
    line = measure("Xg", "small")[1]
    top = EDGE * 0.75
    titled = len(plot.panels) > 1
    key = _keys(plot)
    beside = legend != "above" and _fits_beside(plot, key, width, height, measure, line)
    if key and not beside:
        rows = _legend(key, EDGE, top, width - 2 * EDGE, measure, line)
        labels += rows
        top = max(label.box.bottom for label in rows) + NEAR
    room_right = max((KEY + measure(text, "small")[0] for text, _ in key), default=0.0) if beside else 0.0
    if plot.y.words.lower() != plot.title.lower():  # Otherwise the title contains it.
        y_words = elided(plot.y.words, width - 2 * EDGE, measure)
        labels.append(Label(Box(EDGE, top, measure(y_words, "small")[0], line), y_words, color="text.hint"))
        top += line + max(NEAR, line * 0.55)
    elif not titled:
        top += line / 2
    x_words = elided(plot.x.words, width - 2 * EDGE, measure)
    wide = measure(x_words, "small")[0]
    bottom = height - EDGE * 0.75 - line
    columns, rows_of = _grid(len(plot.panels), width, bottom - top)
    head = line + NEAR if titled else 0.0
    under = max(NEAR, line * 0.55)  # This keeps the lowest label of y above the first label of x.
    high = (bottom - NEAR - top - (rows_of - 1) * GAP * 0.5) / rows_of - head - line - under
    ticks_y = _kept_y(plot, high, line)
    left = EDGE + max((measure(text, "small")[0] for _, text in ticks_y), default=0.0) + NEAR
    inner = max(width - left - EDGE - room_right - (columns - 1) * GAP, 40.0 * columns) / columns
    labels.append(Label(Box(left + max(width - left - EDGE - room_right - wide, 0.0) / 2, bottom, wide, line),
                        x_words, color="text.hint"))  # fmt: skip
    frames = []
    for number, panel in enumerate(plot.panels):
        row, column = divmod(number, columns)
        x = left + column * (inner + GAP)
        y = top + row * (head + max(high, 20.0) + line + under + GAP * 0.5)
        box = Box(x, y + head, inner, max(high, 20.0))
        if titled:
            text = elided(panel.name, inner, measure)
            labels.append(Label(Box(x, y, measure(text, "small")[0], line), text, color="text.primary", strong=True))
        cross = Cross.of(plot, box)
        ticks_x = _kept_x(plot, box, cross, measure)
        up = [float(cross(value)) for value, _ in ticks_x]
        across = [box.bottom - float(plot.y.share(value)) * box.h for value, _ in ticks_y]
        for at, (_, text) in zip(up, ticks_x, strict=True):
            size = measure(text, "small")[0]
            place = min(max(at - size / 2, box.x - (left - EDGE) * (column == 0)), box.right + GAP / 2 - size)
            labels.append(Label(Box(place, box.bottom + under, size, line), text))
        if column == 0:
            for at, (_, text) in zip(across, ticks_y, strict=True):
                size = measure(text, "small")[0]
                labels.append(Label(Box(box.x - NEAR - size, at - line / 2, size, line), text))
        frames.append(frame_of(plot, panel, cross, tuple(across), tuple(up)))
    leaders: list[tuple[float, float, float, float, int]] = []
    if beside:
        labels += _beside(frames[0], key, measure, line, leaders)
    return Layout(plot, width, height, tuple(frames), tuple(labels), tuple(leaders))


# ---------------------------------------------------------------------------------------------------- texts


def _keys(plot: Plot) -> list[tuple[str, int]]:
    """Return the entries of the legend: text and look; -2 is the formula's line, -3 a published value."""
    laws = {}
    if len(plot.panels) == 1:
        for series in plot.panels[0].series:
            if series.fit is not None:
                laws[series.look] = f"{series.fit.exponent:.2f} ± {series.fit.half:.2f}"
    to = "n" if plot.x.words == PROCESSES else "x"
    found = [(name + (f"  ~ {to}^{laws[look]}" if look in laws else ""), look) for name, look in plot.series]
    if not found and laws:
        found = [(f"~ {to}^{law}", look) for look, law in laws.items()]
    if plot.formula:
        found.append((plot.formula if len(plot.formula) <= 28 else tr("the formula"), -2))
    if any(panel.said for panel in plot.panels):
        found.append((tr("published"), -3))
    return found


def _fits_beside(
    plot: Plot, key: Sequence[tuple[str, int]], width: float, height: float, measure: Measure, line: float
) -> bool:
    if len(plot.panels) != 1 or len(key) < 2 or plot.wish.kind not in ("spread", "mean") or plot.empty:
        return False
    wide = max(measure(text, "small")[0] for text, _ in key) + KEY
    return wide < width * 0.26 and (len(key) + 3) * line * 1.2 < height * 0.7


def _legend(
    key: Sequence[tuple[str, int]], left: float, top: float, width: float, measure: Measure, line: float
) -> list[Label]:
    """Return the legend in rows."""
    found, x, y = [], left, top
    for text, look in key:
        text = elided(text, width - KEY, measure)
        wide = KEY + measure(text, "small")[0]
        if x > left and x + wide > left + width:
            x, y = left, y + line * 1.25
        found.append(Label(Box(x, y, wide, line), text, color="text.primary", look=look))
        x += wide + GAP
    return found


def _beside(
    frame: Frame, key: Sequence[tuple[str, int]], measure: Measure, line: float,
    leaders: list[tuple[float, float, float, float, int]],
) -> list[Label]:  # fmt: skip
    """Return the names at the right ends of the curves."""
    ends: dict[int, tuple[float, float]] = {}
    for trail in frame.trails:
        if len(trail.x):
            ends[trail.series.look] = (float(trail.x[-1]), float(trail.value[-1]))
    for _, xs, ys in frame.bounds[:1]:
        ends[-2] = (float(xs[-1]), float(ys[-1]))
    wanted = [ends.get(look, (frame.box.right, frame.box.y))[1] for _, look in key]
    places = spread_apart(wanted, line * 1.2, frame.box.y + line / 2, frame.box.bottom - line / 2)
    found = []
    x = frame.box.right + NEAR
    for (text, look), y in zip(key, places, strict=True):
        found.append(Label(Box(x, y - line / 2, KEY + measure(text, "small")[0], line), text, color="text.primary",
                           look=look))  # fmt: skip
        if look in ends:
            leaders.append((ends[look][0], ends[look][1], x, y, look))
    return found


def _kept_y(plot: Plot, high: float, line: float) -> list[tuple[float, str]]:
    ticks = plot.y.ticks(max(int(high / (line * 2.6)), 3 if high > 5 * line else 1))
    kept: list[tuple[float, str]] = []
    last = math.inf
    for value, text in ticks:
        at = -float(plot.y.share(value)) * high
        if not kept or last - at >= line * 1.1:
            kept.append((value, text))
            last = at
    return kept


def _kept_x(plot: Plot, box: Box, cross: Cross, measure: Measure) -> list[tuple[float, str]]:
    """Return the ticks of x whose labels fit beside each other; names of places become shorter before one is left
    out.
    """
    names = bool(plot.x.names)
    ticks = plot.x.ticks(max(int(box.w / 70), 2))
    if names and len(ticks):
        room = box.w / len(ticks) - NEAR
        if room >= measure("Mmmm…", "small")[0]:
            return [(value, elided(text, room, measure)) for value, text in ticks]
    kept: list[tuple[float, str]] = []
    right = -math.inf
    for value, text in ticks:
        if names:
            text = elided(text, box.w / 3, measure)
        half = measure(text, "small")[0] / 2
        at = min(float(cross(value)) - box.x, box.w + GAP / 2 - half)
        if at - half >= right + NEAR:
            kept.append((value, text))
            right = at + half
    return kept


def _grid(count: int, width: float, height: float) -> tuple[int, int]:
    """Return columns and rows for a number of panels, such that the panels are closest to 4 : 3."""
    best = (1, max(count, 1))
    least = math.inf
    for columns in range(1, max(count, 1) + 1):
        rows = -(-count // columns)
        shape = (width / columns) / max(height / max(rows, 1), 1.0)
        waste = abs(math.log(shape / 1.35)) + 0.45 * (columns * rows - count)
        if waste < least:
            best, least = (columns, max(rows, 1)), waste
    return best
