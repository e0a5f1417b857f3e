"""The picture of a short run as SVG: processes as rows, states as bars, messages as arrows, the violation in a frame.

Every step has a column of its own, because steps of a shortened run often happen at the same time. The colours are
those of the page's style sheet: classes ``s0`` to ``s7`` for states and ``k0`` to ``k5`` for kinds of message, with the
patterns of :func:`patterns`. Everything has the class ``at`` with the step at which it appears if it is not simply
uncovered: the script of the page moves the rectangles of the clip paths.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.assignment.pages.shortrun import ShortRun
from lydian.pieces.messagelooks import kinds_of_messages
from lydian.trace.events import Kind
from lydian.views.hatches import DOTS, LINES
from lydian.views.time.axis import slots_of
from lydian.views.time.parts import CRASHED, parts
from lydian.views.words.contents import contents, with_contents

__all__ = ["draw", "patterns", "thumbnail"]

#: Corners and direction of the first one of the shapes of states; the circle and the plus have none.
_CORNERS, _FIRST = (0, 6, 4, 4, 3, 3, 5, 0), (0, 0, -45, -90, -90, 90, -90, 0)
#: The outlines of the heads of messages that point to the right, for a radius of 1.
_HEADS = {
    "triangle": ((1.25, 0), (-0.85, 0.95), (-0.85, -0.95)),
    "square": ((-0.82, -0.82), (0.82, -0.82), (0.82, 0.82), (-0.82, 0.82)),
    "diamond": ((1.2, 0), (0, 1), (-1.2, 0), (0, -1)),
    "bar": ((-0.32, -1), (0.32, -1), (0.32, 1), (-0.32, 1)),
    "chevron": ((-0.9, -1), (-0.28, -1), (1, 0), (-0.28, 1), (-0.9, 1), (0.38, 0)),
}
#: The mean width of a character, as a share of the size of the type; rather too wide.
_WIDE = 0.6
#: Heights of a bar and of the ruler, and the width of the column of names.
BAR, RULER, NAMES = 22, 24, 60
#: The largest height that processes share if they have room.
TALL = 380


@dataclass(frozen=True)
class _Bar:
    """A process in one state, from one step to another; ``slot`` is -1 while it is crashed."""

    process: int
    begin: int
    end: int
    slot: int
    word: str
    short: str


@dataclass(frozen=True)
class _Arrow:
    """A message between two steps; ``end`` is -1 if it is still in transit, ``told`` has all its values."""

    begin: int
    end: int
    source: int
    target: int
    kind: int
    word: str
    told: str
    lost: bool


class _Columns:
    """Where the steps are from left to right; there is room for the last state after the last step."""

    def __init__(self, steps: int, left: float, right: float, tail: float) -> None:
        self.left, self.right, self.steps = left, right, steps
        self.wide = (right - left) / (steps + tail)

    def at(self, step: float) -> float:
        return self.left + step * self.wide


def patterns(states: Sequence[Mapping[str, Any]]) -> str:
    """Return the fillings of states, once for a page.

    Args:
        states: the states of the tokens, for their hatches.
    """
    parts = []
    for slot, look in enumerate(states):
        hatch = str(look["hatch"])
        lines = "".join(f"M{a} {b}L{c} {d}" for a, b, c, d in LINES.get(hatch, ()))
        dots = "".join(f'<circle cx="{x}" cy="{y}" r="0.9" class="dot"/>' for x, y in DOTS.get(hatch, ()))
        drawn = f'<path d="{lines}" class="hatch"/>' if lines else dots
        parts.append(
            f'<pattern id="h{slot}" class="s{slot}" width="8" height="8" patternUnits="userSpaceOnUse">'
            f'<rect width="8" height="8" class="ground"/>{drawn}</pattern>'
        )
    return f'<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>{"".join(parts)}</defs></svg>'


def draw(run: ShortRun, name: str, heads: Sequence[str], width: int = 570, row: int = 0) -> str:
    """Return the picture of a run; its ``data-heads`` are the places of the play head after each step, from 0 on.

    Args:
        name: of the picture in the page, a word.
        heads: the heads of the kinds of message.
        width: in pixels.
        row: the distance of two processes; 0 for a picture as tall as the list of the steps beside it.
    """
    count = max(len(run.rows), 1)
    row = row or max(42, min(TALL, _listed(run) - RULER) // count)
    columns = _Columns(run.steps, NAMES, width - 10, min(2.0, 0.5 + run.steps / 5))
    place = {process: RULER + 14 + row * i + row / 2 - 8 for i, process in enumerate(run.rows)}
    height = RULER + row * count + 8
    steps = [*(columns.at(step + 0.55) for step in range(run.steps)), columns.right]
    parts = [*_ruler(run, columns, height)]
    covered = [*_guilt(run, columns, place, "back")]
    bars = list(_bars(run))
    covered += [_bar(bar, columns, place[bar.process]) for bar in bars]
    labels = _Labels(columns, place)
    arrows = sorted(_arrows(run), key=lambda arrow: (arrow.end < 0, arrow.begin))
    covered += [part for arrow in arrows for part in _message(arrow, columns, place, heads, labels)]
    covered += [*_crosses(run, columns, place)]
    parts.append(
        f'<clipPath id="{name}-later"><rect width="0" height="{height}"/></clipPath>'
        f'<g clip-path="url(#{name}-later)" class="ghost" aria-hidden="true"><use href="#{name}-run"/></g>'
    )
    parts.append(
        f'<clipPath id="{name}-seen"><rect width="{width}" height="{height}"/></clipPath>'
        f'<g clip-path="url(#{name}-seen)"><g id="{name}-run">{"".join(covered)}</g></g>'
    )
    parts += [*_names(run, bars, place)]
    parts += [f'<g class="at wrong" data-at="{run.since}">{"".join(_guilt(run, columns, place, "frame"))}</g>']
    x = steps[-1]
    parts.append(
        f'<g class="playhead" transform="translate({x:g} 0)"><path d="M0 4V{height - 4}"/>'
        '<path class="grip" d="M-6 0h12v6l-6 6-6-6z"/></g>'
    )
    return (
        f'<svg class="picture" id="{name}" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{html.escape(_told(run))}" data-heads="{" ".join(f"{at:.1f}" for at in steps)}">'
        f"{''.join(parts)}</svg>"
    )


def thumbnail(run: ShortRun, width: int = 104, height: int = 36) -> str:
    """Return a small picture of a run: lines of processes, arrows, and the states at the violation."""
    columns = _Columns(run.steps, 4, width - 4, 1.0)
    gap = (height - 8) / max(len(run.rows), 1)
    place = {process: 4 + gap * (i + 0.5) for i, process in enumerate(run.rows)}
    thick = min(8.0, gap * 0.6)
    parts = [f'<path class="row" d="M2 {y:.1f}H{width - 2}"/>' for y in place.values()]
    for bar in _bars(run):
        if bar.process in run.guilty and bar.end > run.steps:
            x, end = columns.at(bar.begin), columns.right
            parts.append(
                f'<rect class="s{bar.slot if bar.slot >= 0 else 7} flat" x="{x:.1f}" '
                f'y="{place[bar.process] - thick / 2:.1f}" width="{max(end - x, 3):.1f}" height="{thick:.1f}"/>'
            )
    for arrow in _arrows(run):
        a, b = place[arrow.source], place[arrow.target]
        end = columns.at(arrow.end) if arrow.end >= 0 else columns.right
        reach = 1.0 if arrow.end >= 0 and not arrow.lost else 0.6
        parts.append(f'<path class="k{arrow.kind} line" d="M{columns.at(arrow.begin):.1f} {a:.1f}'
                     f'L{end:.1f} {a + (b - a) * reach:.1f}"/>')  # fmt: skip
    return (
        f'<svg class="thumbnail" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


# ---------------------------------------------------------------------- what is drawn


def _bars(run: ShortRun) -> Iterator[_Bar]:
    """Return the states of the processes that are shown; a bar that goes on ends after the last step."""
    timeline, table = run.timeline, parts(run.timeline)
    slots = slots_of(timeline, run.animation)
    for process in run.rows:
        first, last = int(table.first[process]), int(table.first[process + 1])
        codes = [int(code) for code in table.state[first:last]]
        begins = [int(step) for step in run.step_of(table.event[first:last])]
        if not begins or begins[0] > 0:
            codes, begins = [int(timeline.start_states[process]), *codes], [0, *begins]
        kept = [i for i, code in enumerate(codes) if not i or code != codes[i - 1]]
        codes, begins = [codes[i] for i in kept], [begins[i] for i in kept]
        for i, code in enumerate(codes):
            end = begins[i + 1] if i + 1 < len(begins) else run.steps + 1
            if code == CRASHED:
                yield _Bar(process, begins[i], end, -1, "crashed", "crashed")
            elif end > begins[i] and code < len(timeline.states):
                state = timeline.states[code]
                yield _Bar(process, begins[i], end, int(slots[code]) % 8, run.animation.word(state), state)


def _arrows(run: ShortRun) -> Iterator[_Arrow]:
    """Return the messages between processes that are shown, as far as they touch the steps shown."""
    timeline = run.timeline
    shown = np.isin(timeline.message_source, run.rows) & np.isin(timeline.message_target, run.rows)
    begin, end = run.step_of(timeline.sends), run.step_of(timeline.receives)
    end = np.where(timeline.receives >= 0, end, -1)
    ids = np.flatnonzero(shown & (timeline.sends >= 0) & ((end > 0) | (end < 0)))
    kinds = kinds_of_messages(timeline, run.animation, ids)
    for i, message in enumerate(ids.tolist()):
        word = run.animation.label(timeline.labels[int(timeline.message_label[message])])
        fields = contents(timeline, int(timeline.sends[message]))
        yield _Arrow(
            int(begin[message]), int(end[message]), int(timeline.message_source[message]),
            int(timeline.message_target[message]), int(kinds[i]) % 6, _short(word, fields),
            with_contents(word, fields), bool(timeline.lost[message]),
        )  # fmt: skip


def _short(word: str, fields: Mapping[str, Any]) -> str:
    """Return a message with its values, or its word alone if there are many or long ones: "Request 1"."""
    told = ({True: "yes", False: "no"}[each] if isinstance(each, bool) else each for each in fields.values())
    values = ", ".join(str(value) for value in told if isinstance(value, int | float | str))
    return f"{word} {values}" if values and len(fields) <= 2 and len(values) <= 8 else word


def _listed(run: ShortRun) -> int:
    """Return about how tall the list of steps is beside the picture."""
    return max(200, sum(6 + 17 * math.ceil(len(text) / 30) for text in run.texts))


def _told(run: ShortRun) -> str:
    """Return the picture in words: the last step, and the final state of every process."""
    last = {bar.process: bar.word for bar in _bars(run)}
    names = run.timeline.processes
    return f"{run.texts[-1]} In the end: " + ", ".join(f"{names[p]} {word}" for p, word in last.items()) + "."


# ---------------------------------------------------------------------- how it is drawn


def _ruler(run: ShortRun, columns: _Columns, height: float) -> Iterator[str]:
    every = max(1, math.ceil(18 / columns.wide))
    for step in range(1, run.steps + 1):
        x = columns.at(step)
        yield f'<path class="grid" d="M{x:.1f} {RULER - 2}V{height - 6}"/>'
        if step % every == 0 or step == run.steps:
            yield f'<text class="number" x="{x:.1f}" y="16">{step + run.left_out}</text>'


def _bar(bar: _Bar, columns: _Columns, y: float) -> str:
    x = columns.at(bar.begin)
    end = columns.at(bar.end) if bar.end <= columns.steps else columns.right
    room = end - x
    slot = f"s{bar.slot} state" if bar.slot >= 0 else "down"
    word = next((text for text in (bar.word, bar.short) if _wide(text, 12) + 12 <= room), "")
    text = f'<text x="{x + 7:.1f}" y="{y + 4.2:.1f}">{html.escape(word)}</text>' if word else ""
    return (
        f'<g class="{slot}"><title>{html.escape(bar.word)}</title>'
        f'<rect x="{x:.1f}" y="{y - BAR / 2:g}" width="{room:.1f}" height="{BAR}"/>{text}</g>'
    )


def _message(
    arrow: _Arrow, columns: _Columns, place: Mapping[int, float], heads: Sequence[str], labels: _Labels
) -> Iterator[str]:
    x, y = columns.at(arrow.begin), place[arrow.source]
    end, to = columns.at(arrow.end) if arrow.end >= 0 else columns.right, place[arrow.target]
    if arrow.source == arrow.target:
        y -= BAR / 2
        bow = f"M{x:.1f} {y:g}Q{(x + end) / 2:.1f} {y - 26:g} {end:.1f} {y:g}"
        yield f'<g class="k{arrow.kind} message"><path d="{bow}"/></g>'
        return
    side = 1 if to > y else -1
    y, to = y + side * BAR / 2, to - side * BAR / 2
    share = 1.0
    if arrow.lost:
        share = 0.62
    elif arrow.end < 0:
        share = 0.75
    x2, y2 = x + (end - x) * share, y + (to - y) * share
    angle = math.degrees(math.atan2(y2 - y, x2 - x))
    drawn = f'<path d="M{x:.1f} {y:.1f}L{x2:.1f} {y2:.1f}"/>'
    if arrow.lost:
        drawn += f'<path class="lost" d="M{x2 - 5:.1f} {y2 - 5:.1f}l10 10m0-10l-10 10"/>'
    elif arrow.end >= 0:
        drawn += f'<g class="head" transform="translate({x2:.1f} {y2:.1f}) rotate({angle:.0f})">'
        drawn += f"{_head(heads[arrow.kind % len(heads)], 6)}</g>"
    drawn += f'<circle class="send" cx="{x:.1f}" cy="{y:.1f}" r="3.4"/>'
    text = labels.beside(arrow, (x, y), (x2, y2))
    look = "" if arrow.end >= 0 else " going"
    yield f'<g class="k{arrow.kind} message{look}"><title>{html.escape(arrow.told)}</title>{drawn}{text}</g>'


class _Labels:
    """Places for the words of messages: beside their lines, not on bars and not on each other.

    A message that is sent to several processes is labelled once. A word without a place is left out; the title of the
    arrow contains it.
    """

    def __init__(self, columns: _Columns, place: Mapping[int, float]) -> None:
        self._columns, self._bars = columns, [(y - BAR / 2, y + BAR / 2) for y in place.values()]
        self._taken: list[tuple[float, float, float, float]] = []
        self._told: set[tuple[int, int, str]] = set()

    def beside(self, arrow: _Arrow, start: tuple[float, float], end: tuple[float, float]) -> str:
        """Return the word of a message as a part of the picture; empty if there is no place."""
        key = (arrow.source, arrow.begin, arrow.word)
        if key in self._told:
            return ""
        wide, down = _wide(arrow.word, 11.5), end[1] > start[1]
        for share in (0.3, 0.5, 0.4, 0.65, 0.2, 0.8):
            x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            # To the left the word is on the side of the line to which it comes, to the right on the other.
            for left, at in ((True, y + (12 if down else -4)), (False, y + (-2 if down else 10))):
                box = (x - 5 - wide, at - 10, x - 5, at + 3) if left else (x + 5, at - 10, x + 5 + wide, at + 3)
                if self._free(box):
                    self._taken.append(box)
                    self._told.add(key)
                    look = f'class="at{"" if left else " right"}" data-at="{arrow.begin}"'
                    return (
                        f'<text {look} x="{x + (-5 if left else 5):.1f}" y="{at:.1f}">{html.escape(arrow.word)}</text>'
                    )
        return ""

    def _free(self, box: tuple[float, float, float, float]) -> bool:
        x, y, x2, y2 = box
        if x < self._columns.left - 30 or x2 > self._columns.right:
            return False
        if any(y < bottom and y2 > top for top, bottom in self._bars):
            return False
        return not any(x < c2 and x2 > c and y < d2 and y2 > d for c, d, c2, d2 in self._taken)


def _head(head: str, radius: float) -> str:
    corners = _HEADS.get(head)
    if corners is None:
        return f'<circle r="{radius * 0.92:g}"/><circle class="hole" r="{radius * 0.34:g}"/>'
    return f'<path d="M{"L".join(f"{x * radius:g} {y * radius:g}" for x, y in corners)}z"/>'


def _crosses(run: ShortRun, columns: _Columns, place: Mapping[int, float]) -> Iterator[str]:
    """Return a mark for each fault at a process."""
    kinds = run.timeline.kind[run.acts]
    for step, kind in enumerate(kinds.tolist(), 1):
        process = int(run.timeline.process[run.acts[step - 1]])
        if kind in (Kind.CRASH, Kind.RECOVER, Kind.CORRUPT, Kind.INJECT, Kind.ERROR) and process in place:
            x, y = columns.at(step), place[process]
            yield f'<path class="fault" d="M{x - 6:.1f} {y - 6:g}l12 12m0-12l-12 12"/>'


def _guilt(run: ShortRun, columns: _Columns, place: Mapping[int, float], look: str) -> Iterator[str]:
    """Return the frame of the violation: one round neighbouring rows, one for each process that is not a neighbour."""
    x, end = columns.at(run.since), columns.right
    at = [run.rows.index(process) for process in run.guilty]
    groups: list[list[int]] = []
    for i in at:
        if groups and groups[-1][-1] == i - 1:
            groups[-1].append(i)
        else:
            groups.append([i])
    for group in groups:
        top, bottom = place[run.rows[group[0]]] - BAR / 2 - 5, place[run.rows[group[-1]]] + BAR / 2 + 5
        yield (
            f'<rect class="{look}" x="{x - 1:.1f}" y="{top:g}" width="{end - x + 4:.1f}" height="{bottom - top:g}" '
            'rx="4"/>'
        )


def _names(run: ShortRun, bars: Sequence[_Bar], place: Mapping[int, float]) -> Iterator[str]:
    """Return the shapes of processes with their names, one for each state; the last one is drawn without a script."""
    for process, y in place.items():
        own = [bar for bar in bars if bar.process == process]
        name = run.timeline.processes[process]
        for i, bar in enumerate(own):
            until = own[i + 1].begin if i + 1 < len(own) else run.steps + 1
            hidden = "" if i + 1 == len(own) else ' visibility="hidden"'
            size = min(13.0, 27 / max(_wide(name, 1), 1.4))
            look = f"s{bar.slot} shape" if bar.slot >= 0 else "down shape"
            drawn = _shape(bar.slot, 30)
            shown, size = (name, size) if size >= 7.5 else (f"{name[:5]}…", 7.5)
            yield (
                f'<g class="at {look}" data-at="{bar.begin}" data-until="{until}"{hidden} '
                f'transform="translate(30 {y:g})"><title>{html.escape(name)}: {html.escape(bar.word)}</title>{drawn}'
                f'<text y="{0.36 * size:.1f}" font-size="{size:.1f}">{html.escape(shown)}</text></g>'
            )


def _shape(slot: int, diameter: float) -> str:
    """Return the shape of a state; all have the area of the circle."""
    area = math.pi * diameter**2 / 4
    if slot == 2:
        side = math.sqrt(area)
        return f'<rect x="{-side / 2:.1f}" y="{-side / 2:.1f}" width="{side:.1f}" height="{side:.1f}" rx="2"/>'
    if slot == 7:
        q = 1.5 * math.sqrt(area / 5)
        h = q / 3
        at = (
            (-h, -q),
            (h, -q),
            (h, -h),
            (q, -h),
            (q, h),
            (h, h),
            (h, q),
            (-h, q),
            (-h, h),
            (-q, h),
            (-q, -h),
            (-h, -h),
        )
        return f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in at)}z"/>'
    n = _CORNERS[slot] if slot >= 0 else 0
    if not n:
        return f'<circle r="{diameter / 2:g}"/>'
    radius = math.sqrt(2 * area / (n * math.sin(2 * math.pi / n)))
    turns = (math.radians(_FIRST[slot]) + 2 * math.pi * i / n for i in range(n))
    return f'<path d="M{"L".join(f"{radius * math.cos(a):.1f} {radius * math.sin(a):.1f}" for a in turns)}z"/>'


def _wide(text: str, size: float) -> float:
    return len(text) * size * _WIDE
