"""The solids of the states in space: for each shape of the flat drawing the body that shows it from everywhere.

A body always turns the same side to the viewer, so its visible faces are computed once. The window draws them and the
page that plays gets them as data, so that a body is the same in both.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["SOLIDS", "solid", "told_of_solids"]

Floats = NDArray[np.float64]
#: The shapes that are solids with flat faces; a circle is a ball.
SOLIDS = ("hexagon", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "plus")
#: The direction from which light comes: from above, from the left, and from the viewer.
LIGHT = np.array([-0.35, 0.8, 0.49])


def _prism(corners: list[tuple[float, float]], half: float, *, upright: bool) -> list[Floats]:
    """Return the faces of a prism around an outline; its axis points to the viewer, or upwards."""
    outline = np.array(corners)
    front = np.column_stack((outline, np.full(len(outline), half)))
    back = front * (1, 1, -1)
    faces = [front, back[::-1]]
    for one in range(len(outline)):
        two = (one + 1) % len(outline)
        faces.append(np.array([front[one], back[one], back[two], front[two]]))
    if upright:  # x stays, y of the outline becomes depth
        faces = [np.column_stack((face[:, 0], face[:, 2], -face[:, 1])) for face in faces]
    return faces


def _regular(corners: int, first: float) -> list[tuple[float, float]]:
    turn = 2 * math.pi / corners
    return [(math.cos(first + turn * i), math.sin(first + turn * i)) for i in range(corners)]


def _peak(height: float, base: float, turned: bool) -> list[Floats]:
    """Return the faces of a pyramid with a square base, pointing upwards or, if turned, downwards."""
    tip = np.array([0.0, height, 0.0])
    ring = np.array([(x, base, -z) for x, z in _regular(4, math.pi / 4)])
    faces = [ring[::-1]]
    faces += [np.array([tip, ring[i], ring[(i + 1) % 4]]) for i in range(4)]
    return [face * (1, -1, 1) for face in faces] if turned else faces


def _faces(shape: str) -> tuple[list[Floats], float, float]:
    """Return the faces of a solid, and by which angles in degrees it is turned around and towards the viewer."""
    if shape == "square":
        return _prism([(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)], 0.8, upright=False), 34.0, 25.0
    if shape == "hexagon":
        return _prism(_regular(6, 0.0), 0.62, upright=True), 8.0, 30.0
    if shape == "diamond":
        tip, ring = (
            [np.array([0.0, s * 1.25, 0.0]) for s in (1, -1)],
            [np.array([x, 0.0, -z]) for x, z in _regular(4, 0.0)],
        )
        halves = [np.array([end, ring[i], ring[(i + 1) % 4]]) for end in tip for i in range(4)]
        return halves, 24.0, 16.0
    if shape == "triangle-up":
        return _peak(1.2, -0.75, False), 20.0, 14.0
    if shape == "triangle-down":
        return _peak(1.2, -0.75, True), 20.0, 18.0
    if shape == "pentagon":
        return _prism(_regular(5, math.pi / 2), 0.5, upright=False), 24.0, 14.0
    q, h = 1.0, 0.36
    quarter = [(-h, -q), (h, -q), (h, -h)]
    plus = []
    for _ in range(4):
        plus += quarter
        quarter = [(-y, x) for x, y in quarter]
    return _prism(plus, 0.4, upright=False), 24.0, 16.0


@functools.cache
def solid(shape: str) -> tuple[tuple[Floats, float], ...]:
    """Return the visible faces of a shape's solid, the farthest first: corners, (k, 2), y downwards, and brightness.

    The solid fits into a circle of diameter 1; brightness is from -1, black, to 1, white.
    """
    faces, around, towards = _faces(shape)
    yaw, pitch = math.radians(around), math.radians(towards)
    turn = np.array([(math.cos(yaw), 0, math.sin(yaw)), (0, 1, 0), (-math.sin(yaw), 0, math.cos(yaw))])
    tilt = np.array([(1, 0, 0), (0, math.cos(pitch), -math.sin(pitch)), (0, math.sin(pitch), math.cos(pitch))])
    turned = [face @ turn.T @ tilt.T for face in faces]
    far = max(float(np.hypot(face[:, 0], face[:, 1]).max()) for face in turned)
    found = []
    for face in turned:
        normal = np.cross(face[1] - face[0], face[2] - face[1])
        normal = normal / max(float(np.linalg.norm(normal)), 1e-9)
        middle = face.mean(axis=0)
        if float(normal @ middle) < 0 and shape != "plus":
            normal = -normal
        if normal[2] > 1e-6:
            bright = float(normal @ LIGHT)
            found.append((float(middle[2]), face[:, :2] * (0.5 / far, -0.5 / far), bright * 1.15 - 0.5))
    return tuple((corners, bright) for _, corners, bright in sorted(found, key=lambda each: each[0]))


def told_of_solids() -> dict[str, list[list[float]]]:
    """Return the faces of all solids for a script, the farthest first: brightness, then x and y of each corner."""
    return {
        shape: [
            [round(bright, 2), *(round(each, 3) for each in corners.ravel().tolist())]
            for corners, bright in solid(shape)
        ]
        for shape in SOLIDS
    }
