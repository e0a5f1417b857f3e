"""The camera of the view World, and what it sees: perspective projection as arithmetic on arrays.

Space is right-handed: x to the right, y up, z towards a viewer with a yaw of 0. The camera never rolls, so up stays up.
At a depth of 0 the projection is parallel and the picture is the flat network; at 1 it is a full perspective.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

__all__ = ["NEAR", "STEEPEST", "Camera", "Eye", "Floats", "between", "eased", "fitted", "flight", "look_at"]

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]

#: The vertical field of view in degrees.
FIELD = 42.0
#: The distance in front of the eye from which on something is drawn.
NEAR = 0.05
#: The steepest view up or down, in radians.
STEEPEST = math.radians(85.0)
#: The least and the largest distance of the eye from the point around which it turns.
CLOSEST, FARTHEST = 0.08, 40.0
#: How much of the colour of the ground the fog adds to the farthest things.
THICKEST = 0.72


@dataclass(frozen=True)
class Camera:
    """Where the viewer stands and looks.

    Attributes:
        eye: the position of the viewer.
        yaw: the direction of view around the vertical axis in radians: 0 looks along -z, positive values to the right.
        pitch: the angle of view in radians, positive upwards, at most :data:`STEEPEST`.
        reach: the distance of the pivot, around which the camera turns.
    """

    eye: Vector
    yaw: float = 0.0
    pitch: float = 0.0
    reach: float = 3.0

    @property
    def axes(self) -> Floats:
        """Return the directions right, up and ahead as rows, (3, 3)."""
        sin, cos = math.sin(self.yaw), math.cos(self.yaw)
        rise, level = math.sin(self.pitch), math.cos(self.pitch)
        return np.array([(cos, 0.0, sin), (-sin * rise, level, cos * rise), (sin * level, rise, -cos * level)])

    @property
    def pivot(self) -> Floats:
        """The point around which the camera turns."""
        return np.asarray(np.asarray(self.eye) + self.reach * self.axes[2])

    def around(self, pivot: Floats, yaw: float, pitch: float, reach: float) -> Camera:
        """Return the camera that looks at a pivot from a direction and a distance."""
        pitch = min(max(pitch, -STEEPEST), STEEPEST)
        reach = min(max(reach, CLOSEST), FARTHEST)
        turned = replace(self, yaw=yaw, pitch=pitch, reach=reach)
        return replace(turned, eye=_vector(pivot - reach * turned.axes[2]))

    def orbit(self, yaw: float, pitch: float) -> Camera:
        """Turn around the pivot by angles in radians."""
        return self.around(self.pivot, self.yaw + yaw, self.pitch + pitch, self.reach)

    def nearer(self, factor: float) -> Camera:
        """Go nearer to the pivot, or away from it with a factor below 1."""
        return self.around(self.pivot, self.yaw, self.pitch, self.reach / factor)

    def look(self, yaw: float, pitch: float) -> Camera:
        """Turn the head by angles in radians; the eye stays where it is."""
        return replace(self, yaw=self.yaw + yaw, pitch=min(max(self.pitch + pitch, -STEEPEST), STEEPEST))

    def walk(self, right: float, up: float, ahead: float) -> Camera:
        """Move in the direction of view; ``up`` is vertical whatever the pitch."""
        way = right * self.axes[0] + ahead * self.axes[2] + np.array([0.0, up, 0.0])
        return replace(self, eye=_vector(np.asarray(self.eye) + way))

    def slide(self, right: float, up: float) -> Camera:
        """Move parallel to the screen, as when the picture is dragged."""
        return replace(self, eye=_vector(np.asarray(self.eye) + right * self.axes[0] + up * self.axes[1]))

    def shown(self, point: Floats, reach: float) -> Camera:
        """Return the camera that looks at a point from the same direction."""
        return self.around(point, self.yaw, self.pitch, reach)


def _vector(point: Floats) -> Vector:
    x, y, z = (float(each) for each in point)
    return x, y, z


def look_at(eye: Floats, target: Floats) -> Camera:
    """Return the camera at a position that looks at a target."""
    way = target - eye
    reach = max(float(np.linalg.norm(way)), CLOSEST)
    pitch = math.asin(min(max(float(way[1]) / reach, -1.0), 1.0))
    yaw = math.atan2(float(way[0]), -float(way[2]))
    return Camera(_vector(eye), yaw, min(max(pitch, -STEEPEST), STEEPEST), reach)


def eased(share: float) -> float:
    """Return the part of the way after a share of the time; a movement begins and ends gently."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def between(a: Camera, b: Camera, share: float) -> Camera:
    """Return the camera on the way from one to another; it turns the shorter way round."""
    turn = (b.yaw - a.yaw + math.pi) % (2 * math.pi) - math.pi
    pivot = a.pivot + (b.pivot - a.pivot) * share
    reach = a.reach * (b.reach / a.reach) ** share
    return a.around(pivot, a.yaw + turn * share, a.pitch + (b.pitch - a.pitch) * share, reach)


def flight(keys: tuple[Camera, ...], at: float) -> Camera:
    """Return the camera on a closed flight through key positions.

    The curve through pivots, angles and distances is that of Catmull and Rom (1974), so it has no corners.

    Args:
        keys: at least one position.
        at: the number of keys that were passed; the whole part selects the stretch, and it continues with the first.
    """
    n = len(keys)
    first = math.floor(at)
    u = at - first
    rows, yaw = [], keys[(first - 1) % n].yaw
    for step in range(-1, 3):
        key = keys[(first + step) % n]
        yaw += (key.yaw - yaw + math.pi) % (2 * math.pi) - math.pi
        rows.append((*key.pivot.tolist(), yaw, key.pitch, math.log(key.reach)))
    a, b, c, d = np.array(rows)
    x, y, z, turn, pitch, reach = (
        0.5 * (2 * b + (c - a) * u + (2 * a - 5 * b + 4 * c - d) * u * u + (3 * b - a - 3 * c + d) * u**3)
    ).tolist()
    return keys[0].around(np.array([x, y, z]), turn, pitch, math.exp(reach))


@dataclass(frozen=True, eq=False)
class Eye:
    """A camera in front of a screen.

    Attributes:
        camera: where the viewer stands.
        width, height: the size of the screen in pixels; x to the right and y downwards.
        depth: from 0, a parallel projection without fog, to 1, a perspective.
        radius: the radius of everything that there is to see around the origin, which sets where the fog begins.
        aside: how far this eye is to the right of the camera, in units of space. Things at the distance of the pivot
            are at the same place of the screen for all eyes of a camera.
    """

    camera: Camera
    width: float
    height: float
    depth: float = 1.0
    radius: float = 1.0
    aside: float = 0.0

    @property
    def focal(self) -> float:
        """The number of pixels of a unit at a distance of one unit."""
        return 0.5 * min(self.height, 1.1 * self.width) / math.tan(math.radians(FIELD) / 2)

    def turned(self, points: Floats) -> Floats:
        """Return points, (k, 3), as right, up and weight: the size of a thing on the screen is divided by it."""
        seen: Floats = (points - np.asarray(self.camera.eye)) @ self.camera.axes.T
        seen[:, 0] -= self.aside
        seen[:, 2] = (1 - self.depth) * self.camera.reach + self.depth * seen[:, 2]
        return seen

    def project(self, points: Floats) -> tuple[Floats, Floats]:
        """Return where points, (k, 3), are on the screen, (k, 2), and their weights; below :data:`NEAR` they are behind
        the viewer.
        """
        return self._placed(self.turned(points))

    def _placed(self, seen: Floats) -> tuple[Floats, Floats]:
        weight = seen[:, 2]
        scale = self.focal / np.maximum(weight, NEAR)
        shift = self.focal * self.aside / self.camera.reach
        at = np.column_stack((self.width / 2 + shift + seen[:, 0] * scale, self.height / 2 - seen[:, 1] * scale))
        return at, weight

    def segments(self, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
        """Return straight lines on the screen, cut where they pass the viewer and left out outside the screen.

        Args:
            a, b: the ends, (k, 3).

        Returns:
            the ends on the screen, (j, 2) each, the weights of the middles, and which lines these are, (j,).
        """
        one, two = self.turned(a), self.turned(b)
        kept = np.flatnonzero((one[:, 2] > NEAR) | (two[:, 2] > NEAR))
        one, two = one[kept], two[kept]
        way = two - one
        with np.errstate(divide="ignore", invalid="ignore"):
            near = one + ((NEAR - one[:, 2]) / way[:, 2])[:, None] * way
        one, two = np.where(one[:, 2:] < NEAR, near, one), np.where(two[:, 2:] < NEAR, near, two)
        (start, _), (stop, _) = self._placed(one), self._placed(two)
        low, high = np.minimum(start, stop), np.maximum(start, stop)
        seen = (high[:, 0] > 0) & (low[:, 0] < self.width) & (high[:, 1] > 0) & (low[:, 1] < self.height)
        return start[seen], stop[seen], (one[seen, 2] + two[seen, 2]) / 2, kept[seen]

    def size(self, length: float | Floats, weight: Floats) -> Floats:
        """Return how many pixels lengths take at some weights."""
        return np.asarray(length * self.focal / np.maximum(weight, NEAR))

    def fog(self, weight: Floats) -> Floats:
        """Return how much fog is before things, from 0 to :data:`THICKEST`."""
        middle = float(self.turned(np.zeros((1, 3)))[0, 2])
        low = max(middle - self.radius, 2 * NEAR)
        high = max(middle + 1.15 * self.radius, low + self.radius)
        share = np.clip((weight - low) / (high - low), 0.0, 1.0)
        return np.asarray(self.depth * THICKEST * share)

    def ray(self, x: float, y: float) -> tuple[Floats, Floats]:
        """Return the point and the direction of the line of sight through a point of the screen.

        Every point of that line ahead of the viewer is drawn at (x, y).
        """
        right, up, ahead = self.camera.axes
        shift = self.focal * self.aside / self.camera.reach
        side = np.array([x - self.width / 2 - shift, self.height / 2 - y]) / self.focal
        aside = side[0] * right + side[1] * up
        eye = np.asarray(self.camera.eye) + self.aside * right
        start = eye + (1 - self.depth) * self.camera.reach * aside
        return start, ahead + self.depth * aside


def fitted(points: Floats, eye: Eye, share: float = 0.8) -> Camera:
    """Return the camera with which points fill a share of the screen, in the direction of the eye's camera.

    The points are in the middle of the screen, and at least one of them is at the edge of that part.
    """
    camera = eye.camera
    if not len(points):
        return camera
    pivot = (points.min(axis=0) + points.max(axis=0)) / 2
    size = max(float(np.linalg.norm(points - pivot, axis=1).max()), 0.15)
    room = share / 2 * np.array([eye.width, eye.height])
    reach = 3.0 * size
    for _ in range(4):
        low, high = 0.6 * size, FARTHEST
        for _ in range(24):
            reach = math.sqrt(low * high)
            at, weight = replace(eye, camera=camera.around(pivot, camera.yaw, camera.pitch, reach)).project(points)
            extent = np.ptp(at, axis=0) / 2
            if (extent > room).any() or (weight < 2 * NEAR).any():
                low = reach
            else:
                high = reach
        reach = high
        now = camera.around(pivot, camera.yaw, camera.pitch, reach)
        at, _ = replace(eye, camera=now).project(points)
        off = (at.min(axis=0) + at.max(axis=0)) / 2 - (eye.width / 2, eye.height / 2)
        pivot = pivot + (off[0] * now.axes[0] - off[1] * now.axes[1]) * reach / eye.focal
    return camera.around(pivot, camera.yaw, camera.pitch, reach)
