"""The causality diagram as a tower: process lines, messages, the longest chain, and planes at round times."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from lydian.app.look.fragments import draw_lines
from lydian.app.look.shapes import draw_text
from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.world.lines import draw_foggy, draw_path, with_alpha
from lydian.language import tr
from lydian.views.world.camera import NEAR, Eye, Floats
from lydian.views.world.tower import Tower
from lydian.views.world.world import WorldFrame

__all__ = ["draw_tower"]

#: The number of processes above which the network on the floor has no names.
NAMED = 40
#: The number of messages above which they are drawn without smoothing, and events without dots.
SMOOTH = 1500


def draw_tower(p: QPainter, theme: Theme, frame: WorldFrame, eye: Eye, tower: Tower) -> None:
    """Draw everything of a tower except the processes and messages at its top."""
    p.setOpacity(min(1.0, 0.15 + frame.depth) * min(1.0, 3 * frame.grown))
    _planes(p, theme, eye, tower)
    _floor(p, theme, frame, eye, tower)
    _messages(p, theme, frame, eye, tower)
    _lives(p, theme, eye, tower)
    _dots(p, theme, eye, tower)
    _chain(p, theme, eye, tower)
    p.setOpacity(1.0)


def _planes(p: QPainter, theme: Theme, eye: Eye, tower: Tower) -> None:
    for number, (time, corners) in enumerate(tower.planes):
        now = number == len(tower.planes) - 1
        at, weight = eye.project(corners)
        if (weight < NEAR).any():
            continue
        color = (
            theme.color("playhead") if now else mixed(theme.color("surface.canvas"), theme.color("border.control"), 0.5)
        )
        p.setPen(QPen(color, 1.6 if now else 0.9))
        p.setBrush(with_alpha(color, 0.06 if now else 0.05))
        p.drawPolygon(QPolygonF([QPointF(x, y) for x, y in at.tolist()]))
        left = int(np.argmin(at[:, 0]))
        x, y = at[left].tolist()
        words = tr("now, {time:.2f}", time=time) if now else tr("time {time:g}", time=round(time, 6))
        ink = "playhead" if now else "text.secondary"
        wide = QFontMetricsF(theme.font("small", semibold=now)).horizontalAdvance(words)
        draw_text(
            p, theme, max(x - 10, wide + 8), y - (7 if now else 0), words, "small", ink, True, "right", semibold=now
        )


def _floor(p: QPainter, theme: Theme, frame: WorldFrame, eye: Eye, tower: Tower) -> None:
    """Draw the processes of the network below as small circles with their names."""
    if len(tower.floor) > NAMED:
        return
    at, weight = eye.project(tower.floor)
    ground = theme.color("surface.canvas")
    size = np.clip(eye.size(0.75 * frame.body, weight), 5.0, 22.0)
    for process in np.argsort(-weight).tolist():
        if weight[process] < NEAR:
            continue
        (x, y), d = at[process].tolist(), float(size[process])
        p.setPen(QPen(theme.color("link.base"), 1.1))
        p.setBrush(ground)
        p.drawEllipse(QPointF(x, y), d / 2, d / 2)
        if d >= 14:
            draw_text(p, theme, x, y, frame.names[process], "caption", "text.primary", align="center", semibold=True)


def _messages(p: QPainter, theme: Theme, frame: WorldFrame, eye: Eye, tower: Tower) -> None:
    p.setRenderHint(QPainter.RenderHint.Antialiasing, len(tower.arrows) <= SMOOTH)
    for kind in np.unique(tower.kinds).tolist():
        style = theme.message(kind)
        for lost in (False, True):
            some = np.flatnonzero((tower.kinds == kind) & (tower.lost == lost))
            a, b, weight, _ = eye.segments(tower.arrows[some, 0], tower.arrows[some, 1])
            color = theme.color("fault.base") if lost else style.color
            draw_foggy(p, theme, with_alpha(color, 0.85), a, b, eye.fog(weight), 1.5, style.dash or None)
    chosen = np.isin(tower.messages, sorted(frame.flat.selection.messages))
    if chosen.any():
        a, b, _, _ = eye.segments(tower.arrows[chosen, 0], tower.arrows[chosen, 1])
        p.setPen(QPen(theme.color("selection"), theme.line("selectionRing")))
        draw_lines(p, a, b)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)


def _lives(p: QPainter, theme: Theme, eye: Eye, tower: Tower) -> None:
    """Draw the lines of the processes in the colours of their states."""
    few = len(tower.floor) <= 200
    for slot in np.unique(tower.slots).tolist():
        for before in (True, False):
            some = (tower.slots == slot) & (tower.before == before)
            a, b, weight, _ = eye.segments(tower.lives[some, 0], tower.lives[some, 1])
            fill = theme.state(slot).fill if theme.dark else theme.state(slot).outline
            color = mixed(fill, theme.color("surface.canvas"), 0.6 if before else 0.05)
            width = 1.2 if before else 3.4 if few else 1.6
            draw_foggy(p, theme, color, a, b, eye.fog(weight), width)


def _dots(p: QPainter, theme: Theme, eye: Eye, tower: Tower) -> None:
    """Draw a dot where a message arrived."""
    if len(tower.dots) > SMOOTH:
        return
    at, weight = eye.project(tower.dots)
    fog = eye.fog(weight)
    _points(p, theme, at[weight > NEAR], fog[weight > NEAR], theme.color("text.secondary"), 4.6)


def _points(p: QPainter, theme: Theme, at: Floats, fog: Floats, color: QColor, width: float) -> None:
    for degree in (3, 2, 1, 0):
        some = at[np.minimum((fog * 4).astype(int), 3) == degree]
        pen = QPen(mixed(color, theme.color("surface.canvas"), (degree + 0.5) / 4), width * (1.1 - 0.12 * degree))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        p.setPen(pen)
        p.drawPoints(QPolygonF([QPointF(x, y) for x, y in some.tolist()]))


def _chain(p: QPainter, theme: Theme, eye: Eye, tower: Tower) -> None:
    """Draw the longest chain as a glowing path with a dot at each of its events."""
    if not len(tower.chain):
        return
    a, b, weight, _ = eye.segments(tower.chain[:, 0], tower.chain[:, 1])
    color = theme.color("chain.longest")
    draw_path(p, theme, color, a, b, np.full(len(a), 3.6), 0.6 * eye.fog(weight), arrows=False)
    at, far = eye.project(np.vstack((tower.chain[:1, 0], tower.chain[:, 1])))
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(color)
    for (x, y), distance in zip(at.tolist(), far.tolist(), strict=True):
        if distance > NEAR:
            p.drawEllipse(QPointF(x, y), 4.4, 4.4)
